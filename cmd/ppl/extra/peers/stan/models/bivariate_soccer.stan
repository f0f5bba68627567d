// N = 380; T = 20
// home ~ levels(N; T); away ~ levels(N; T); s1 ~ poisson(N; 1.5); s2 ~ poisson(N; 1.1)
data { int N; int T; array[N] int home; array[N] int away; array[N] int s1; array[N] int s2; }
parameters { real h; real mu; vector[T - 1] att_free; vector[T - 1] def_free; real<lower=0> sa; real<lower=0> sd_; }
transformed parameters { vector[T] att = append_row(att_free, -sum(att_free)); vector[T] def = append_row(def_free, -sum(def_free)); }
model {
  att_free ~ normal(0, sa); def_free ~ normal(0, sd_); sa ~ gamma(2, 1); sd_ ~ gamma(2, 1);
  s1 ~ poisson_log(mu + h + att[home] - def[away]); s2 ~ poisson_log(mu + att[away] - def[home]);
}
