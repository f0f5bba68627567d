// This file has the cases: models, and data simulated from them.

package main

import "math/rand/v2"

// A kase is a model with a method at one size, n, and at 10 and 100 times that.
type kase struct {
	name      string
	unit      string // what n counts
	n         int    // the least size
	sizes     int    // how many sizes there are
	method    string
	program   string
	data      func(rng *rand.Rand, n int) map[string]any
	diagnosis bool // the method is one
}

const oneChain = "gibbs(chains = 1, warmup = 0, draws = 20)"

func cases() []kase {
	mean := "cavi(starts = 1, iterations = 20, draws = 10)"
	leaps := "hmc(chains = 1, warmup = 10, draws = 10)"
	return []kase{
		{"mixture, gibbs", "points", 1000, 3, oneChain, mixture, mixtureData, false},
		{"mixture, cavi", "points", 1000, 3, mean, mixture, mixtureData, false},
		{"LDA, K = 20, gibbs", "documents of 100 words", 10, 3, oneChain, topics, topicsData, false},
		{"LDA, K = 20, cavi", "documents of 100 words", 10, 3, mean, topics, topicsData, false},
		{"Ising, gibbs", "sites", 100, 3, oneChain, ising, isingData, false},
		{"hierarchy, gibbs", "groups of 10", 20, 3, "gibbs(chains = 1, warmup = 0, draws = 50)", hierarchy, hierarchyData, false},
		{"state space, cavi, joint", "times", 10, 3, `cavi(starts = 1, iterations = 20, draws = 10, blocks = "joint")`, stateSpace, stateSpaceData, false},
		{"regression on 50, gibbs", "rows", 100, 3, oneChain, regression, regressionData, false},
		{"factorisation of 100 columns, K = 5, gibbs", "rows", 2, 3, oneChain, factorisation, factorisationData, false},
		{"multi_normal in a loop, hmc", "rows", 100, 3, leaps, loopOfNormals, normalsData, false},
		{"multi_normal of all rows, hmc", "rows", 100, 3, leaps, vectorOfNormals, normalsData, false},
		{"bread of nuts, 25 columns, K = 5", "rows", 50, 1, "bread(nuts(), steps = [3], chains = 2, datasets = 1)", factorisation, breadData, true},
		{"bread of mh, 25 columns, K = 5", "rows", 50, 1, "bread(mh(), steps = [3], chains = 2, datasets = 1)", factorisation, breadData, true},
	}
}

const mixture = `data { int N; vector[N] y; }
parameters {
  simplex[3] w;
  vector[3] mu;
  vector<lower=0>[3] tau;
  array[N] int<lower=1, upper=3> z;
}
model {
  w ~ dirichlet(rep_vector(1, 3));
  mu ~ normal(0, 10);
  tau ~ gamma(2, 1);
  z ~ categorical(w);
  for (n in 1:N) y[n] ~ normal(mu[z[n]], inv_sqrt(tau[z[n]]));
}`

func mixtureData(rng *rand.Rand, n int) map[string]any {
	y := make([]float64, n)
	for i := range y {
		k := rng.IntN(3)
		y[i] = []float64{-4, 0, 3}[k] + float64([]float64{1, 0.7, 1.2}[k]*rng.NormFloat64())
	}
	return map[string]any{"N": n, "y": y}
}

const topics = `data {
  int D; int V; int N;
  array[N] int<lower=1, upper=V> word;
  array[N] int<lower=1, upper=D> doc;
}
parameters {
  array[D] simplex[20] theta;
  array[20] simplex[V] phi;
  array[N] int<lower=1, upper=20> z;
}
model {
  for (d in 1:D) theta[d] ~ dirichlet(rep_vector(0.5, 20));
  for (k in 1:20) phi[k] ~ dirichlet(rep_vector(0.1, V));
  for (n in 1:N) {
    z[n] ~ categorical(theta[doc[n]]);
    word[n] ~ categorical(phi[z[n]]);
  }
}`

// topicsData has topics that are ranges of the vocabulary, a few of them in each document.
func topicsData(rng *rand.Rand, n int) map[string]any {
	const words, vocabulary = 100, 200
	word, doc := make([]int, 0, n*words), make([]int, 0, n*words)
	for d := range n {
		mine := [3]int{rng.IntN(20), rng.IntN(20), rng.IntN(20)}
		for range words {
			word = append(word, 1+10*mine[rng.IntN(3)]+rng.IntN(10))
			doc = append(doc, d+1)
		}
	}
	return map[string]any{"D": n, "V": vocabulary, "N": n * words, "word": word, "doc": doc}
}

const ising = `data { int L; real h; real beta; }
parameters { array[L, L] int<lower=0, upper=1> s; }
model {
  for (i in 1:L) for (j in 1:L) {
    target += h * (2 * s[i, j] - 1);
    if (i < L) target += beta * (2 * s[i, j] - 1) * (2 * s[i + 1, j] - 1);
    if (j < L) target += beta * (2 * s[i, j] - 1) * (2 * s[i, j + 1] - 1);
  }
}`

func isingData(_ *rand.Rand, n int) map[string]any {
	side := 1
	for side*side < n {
		side++
	}
	return map[string]any{"L": side, "h": 0.1, "beta": 0.3}
}

const hierarchy = `data { int J; int N; array[N] int<lower=1, upper=J> g; vector[N] y; }
parameters { real mu; real<lower=0> ta; real<lower=0> te; vector[J] th; }
model {
  mu ~ normal(0, 3);
  ta ~ gamma(2, 1);
  te ~ gamma(2, 1);
  th ~ normal(mu, inv_sqrt(ta));
  for (i in 1:N) y[i] ~ normal(th[g[i]], inv_sqrt(te));
}`

func hierarchyData(rng *rand.Rand, n int) map[string]any {
	g, y := make([]int, 10*n), make([]float64, 10*n)
	for j := range n {
		theta := 1 + rng.NormFloat64()
		for i := range 10 {
			g[10*j+i], y[10*j+i] = j+1, theta+float64(0.7*rng.NormFloat64())
		}
	}
	return map[string]any{"J": n, "N": 10 * n, "g": g, "y": y}
}

const stateSpace = `data { int T; vector[T] y; }
parameters { vector[T] x; real<lower=0> q; real<lower=0> r; }
model {
  q ~ gamma(2, 1);
  r ~ gamma(2, 1);
  x[1] ~ normal(0, 3);
  for (t in 2:T) x[t] ~ normal(0.9 * x[t - 1], inv_sqrt(q));
  y ~ normal(x, inv_sqrt(r));
}`

func stateSpaceData(rng *rand.Rand, n int) map[string]any {
	y, x := make([]float64, n), 0.0
	for t := range y {
		x = float64(0.9*x) + rng.NormFloat64()
		y[t] = x + float64(0.7*rng.NormFloat64())
	}
	return map[string]any{"T": n, "y": y}
}

const regression = `data { int N; int K; matrix[N, K] X; vector[N] y; }
parameters { vector[K] b; real<lower=0> tau; }
model {
  b ~ normal(0, 5);
  tau ~ gamma(2, 1);
  y ~ normal(X * b, inv_sqrt(tau));
}`

func regressionData(rng *rand.Rand, n int) map[string]any {
	const k = 50
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		x[i] = make([]float64, k)
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
			y[i] += float64(x[i][j] * float64(j%5-2))
		}
		y[i] += rng.NormFloat64()
	}
	return map[string]any{"N": n, "K": k, "X": x, "y": y}
}

const factorisation = `data { int N; int D; int K; matrix[N, D] Y; }
parameters { array[N] vector[K] U; array[D] vector[K] V; real<lower=0> tau; }
model {
  tau ~ gamma(2, 1);
  for (i in 1:N) U[i] ~ normal(0, 1);
  for (j in 1:D) V[j] ~ normal(0, 1);
  for (i in 1:N) for (j in 1:D) Y[i, j] ~ normal(dot_product(U[i], V[j]), inv_sqrt(tau));
}`

func factorisationData(rng *rand.Rand, n int) map[string]any { return lowRank(rng, n, 100) }
func breadData(rng *rand.Rand, n int) map[string]any         { return lowRank(rng, n, 25) }

func lowRank(rng *rand.Rand, n, d int) map[string]any {
	const k = 5
	factor := func(rows int) [][]float64 {
		out := make([][]float64, rows)
		for i := range out {
			for range k {
				out[i] = append(out[i], rng.NormFloat64())
			}
		}
		return out
	}
	u, v, y := factor(n), factor(d), make([][]float64, n)
	for i := range y {
		for j := range d {
			sum := float64(0.5 * rng.NormFloat64())
			for c := range k {
				sum += float64(u[i][c] * v[j][c])
			}
			y[i] = append(y[i], sum)
		}
	}
	return map[string]any{"N": n, "D": d, "K": k, "Y": y}
}

const loopOfNormals = `data { int N; array[N] vector[5] y; }
parameters { vector[5] mu; cov_matrix[5] S; }
model {
  mu ~ normal(0, 3);
  S ~ inv_wishart(8, identity_matrix(5));
  for (i in 1:N) y[i] ~ multi_normal(mu, S);
}`

const vectorOfNormals = `data { int N; array[N] vector[5] y; }
parameters { vector[5] mu; cov_matrix[5] S; }
model {
  mu ~ normal(0, 3);
  S ~ inv_wishart(8, identity_matrix(5));
  y ~ multi_normal(mu, S);
}`

func normalsData(rng *rand.Rand, n int) map[string]any {
	y := make([][]float64, n)
	for i := range y {
		for j := range 5 {
			y[i] = append(y[i], float64(j)+rng.NormFloat64())
		}
	}
	return map[string]any{"N": n, "y": y}
}
