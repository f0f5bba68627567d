// T = 365
// rain ~ exponential(T); q ~ lognormal(T; 0, 0.5)
data { int T; vector[T] rain; vector[T] q; }
parameters { real<lower=0, upper=1> k; real<lower=0> capacity; real<lower=0> et; real<lower=0> s; }
transformed parameters {
  vector[T] flow;
  {
    real store = 0.5 * capacity;
    for (t in 1:T) {
      real over = 0;
      store += rain[t] - et;
      if (store < 0) store = 0;
      else if (store > capacity) { over = store - capacity; store = capacity; }
      flow[t] = over + k * store + 0.01;
      store -= k * store;
    }
  }
}
model { k ~ beta(2, 2); capacity ~ lognormal(1, 0.5); et ~ lognormal(-0.5, 0.5); s ~ exponential(1); q ~ lognormal(log(flow), s); }
