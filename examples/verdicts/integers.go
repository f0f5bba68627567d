package main

// This file holds models with discrete parameters, by enumeration.

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// indicator switches a shift on or off.
func indicator(w *writer) *problem {
	n, s, sd, p, shift := w.within(1, 10), w.scale(0.5, 2), w.scale(1, 3), w.uniform(0.2, 0.8), w.uniform(1, 6)
	y := w.normals(n, w.normal(0, sd)+shift*float64(w.r.IntN(2)), s)
	w.vector("y", y)
	w.real("mu", gaussian(0, sd))
	w.param("int<lower=0, upper=1> z")
	w.line("z ~ bernoulli(%s);", num(p))
	w.observe("y", "normal", "mu + "+num(shift)+" * z", num(s))
	var m mixture
	exact := func(m0, sd float64) []moment {
		m = mixture{}
		for z, q := range []float64{1 - p, p} {
			off := make([]float64, n)
			for i := range off {
				off[i] = y[i] - shift*float64(z)
			}
			post, logw := independent([]float64{m0}, []float64{sd}).given(mat.NewDense(n, 1, same(n, 1)), off, same(n, s))
			mean, variance := post.parts()
			m.add(math.Log(q)+logw, append(mean, float64(z)), append(variance, 0))
		}
		out := m.moments("mu", "z")
		meanOnly(out[1:])
		return out
	}
	m2, s2 := rounded(w.normal(0, 1), 3), w.scale(0.5, 3)
	return &problem{Exact: exact(0, sd), Swap: &swap{"mu ~ " + gaussian(m2, s2).String() + ";", exact(m2, s2)}}
}

// selection is a regression in which every coefficient is there or not.
func selection(w *writer) *problem {
	n, d, s, sd, p := w.within(6, 20), w.within(2, 3), w.scale(0.5, 1.5), w.scale(1, 3), w.uniform(0.2, 0.7)
	rows, y := make([][]float64, n), make([]float64, n)
	beta := make([]float64, d)
	for j := range beta {
		beta[j] = w.normal(0, 1) * float64(w.r.IntN(2))
	}
	for i := range rows {
		rows[i] = w.normals(d, 0, 1)
		for j := range beta {
			y[i] += beta[j] * rows[i][j]
		}
		y[i] = rounded(y[i]+w.normal(0, s), 6)
	}
	w.vector("y", y)
	w.matrix("x", rows)
	w.param("vector[%d] b", d)
	w.param("array[%d] int<lower=0, upper=1> z", d)
	w.prior("b", gaussian(0, sd))
	w.line("z ~ bernoulli(%s);", num(p))
	w.line("y ~ normal(x * (b .* to_vector(z)), %s);", num(s))
	var m mixture
	for bits := range 1 << d {
		x, logp, z := mat.NewDense(n, d, nil), 0.0, make([]float64, d)
		for j := range d {
			z[j] = float64(bits >> j & 1)
			logp += math.Log([]float64{1 - p, p}[bits>>j&1])
			for i := range n {
				x.Set(i, j, rows[i][j]*z[j])
			}
		}
		post, logw := independent(same(d, 0), same(d, sd)).given(x, y, same(n, s))
		mean, variance := post.parts()
		m.add(logp+logw, append(mean, z...), append(variance, make([]float64, d)...))
	}
	out := m.moments(append(indexed("b", d), indexed("z", d)...)...)
	meanOnly(out[d:])
	return &problem{Exact: out}
}

// changePoint has counts whose rate changes once, summed out or with a parameter for when.
func changePoint(w *writer) *problem {
	n, a, b := w.within(6, 20), w.uniform(1, 3), w.scale(0.3, 1)
	at, first, second := w.within(1, n-1), w.scale(1, 8), w.scale(1, 8)
	y := make([]int, n)
	for i := range y {
		if i < at {
			y[i] = w.poisson(first)
		} else {
			y[i] = w.poisson(second)
		}
	}
	w.counts("y", y)
	w.param("real<lower=0> early")
	w.param("real<lower=0> late")
	w.prior("early", gamma(a, b))
	w.prior("late", gamma(a, b))
	summed := w.coin()
	if summed {
		w.line("{ vector[N_y - 1] lp = rep_vector(-log(N_y - 1), N_y - 1);")
		w.line("for (c in 1:N_y - 1) { for (n in 1:N_y) { lp[c] += poisson_lpmf(y[n] | n <= c ? early : late); } }")
		w.line("target += log_sum_exp(lp); }")
	} else {
		w.param("int<lower=1, upper=N_y - 1> c")
		w.line("for (n in 1:N_y) { y[n] ~ poisson(n <= c ? early : late); }")
	}
	var m mixture
	for c := 1; c < n; c++ {
		s, total := [2]float64{}, [2]float64{float64(c), float64(n - c)}
		for i, k := range y {
			s[map[bool]int{true: 0, false: 1}[i < c]] += float64(k)
		}
		logw := 0.0
		var mean, variance []float64
		for i := range 2 {
			g, _ := math.Lgamma(a + s[i])
			logw += g - (a+s[i])*math.Log(b+total[i])
			mean = append(mean, (a+s[i])/(b+total[i]))
			variance = append(variance, (a+s[i])/((b+total[i])*(b+total[i])))
		}
		m.add(logw, append(mean, float64(c)), append(variance, 0))
	}
	if summed {
		return &problem{Exact: m.moments("early", "late")}
	}
	return &problem{Exact: m.moments("early", "late", "c")}
}

// unseen is the number of trials of a binomial, a parameter beside its proportion.
func unseen(w *writer) *problem {
	most, a, b := w.within(8, 20), w.uniform(1, 5), w.uniform(1, 5)
	truth, p := w.within(4, most), w.uniform(0.2, 0.8)
	y := []int{w.binomial(truth, p), w.binomial(truth, p)}
	least := max(y[0], y[1])
	rate := w.uniform(4, 12)
	w.counts("y", y)
	w.param("int<lower=%d, upper=%d> n", least, most)
	w.unit("p", betaDist(a, b))
	w.line("n ~ poisson(%s);", num(rate))
	w.line("y ~ binomial(n, p);")
	var m mixture
	for n := least; n <= most; n++ {
		logw := distuv.Poisson{Lambda: rate}.LogProb(float64(n))
		sum := 0.0
		for _, k := range y {
			logw += distuv.Binomial{N: float64(n), P: 0.5}.LogProb(float64(k)) + float64(n)*math.Ln2
			sum += float64(k)
		}
		u, v := a+sum, b+float64(2*n)-sum
		x, _ := math.Lgamma(u)
		z, _ := math.Lgamma(v)
		t, _ := math.Lgamma(u + v)
		m.add(logw+x+z-t, []float64{float64(n), u / (u + v)}, []float64{0, u * v / ((u + v) * (u + v) * (u + v + 1))})
	}
	return &problem{Exact: m.moments("n", "p")}
}

// hidden is a chain of hidden states with known transitions, seen through normals, one of
// whose means is unknown.
func hidden(w *writer) *problem {
	n, stay, s, far, sd := w.within(4, 8), w.uniform(0.6, 0.95), w.scale(0.5, 1.2), w.uniform(2, 4), w.scale(0.5, 2)
	y, state := make([]float64, n), 0
	for i := range y {
		if i > 0 && w.r.Float64() > stay {
			state = 1 - state
		}
		y[i] = rounded(w.normal(far*float64(state), s), 6)
	}
	w.vector("y", y)
	w.real("mu", gaussian(0, sd))
	w.param("array[%d] int<lower=1, upper=2> z", n)
	w.line("z[1] ~ categorical([0.5, 0.5]');")
	w.line("for (t in 2:%d) { z[t] ~ categorical(z[t - 1] == 1 ? [%s]' : [%s]'); }", n, list(stay, 1-stay), list(1-stay, stay))
	w.line("for (t in 1:%d) { y[t] ~ normal(z[t] == 1 ? mu : %s, %s); }", n, num(far), num(s))
	var m mixture
	for bits := range 1 << n {
		logp, z := 0.0, make([]float64, n)
		x, off := mat.NewDense(n, 1, nil), make([]float64, n)
		for t := range n {
			k := bits >> t & 1
			z[t], off[t] = 1+float64(k), y[t]
			if k == 0 {
				x.Set(t, 0, 1)
			} else {
				off[t] -= far
			}
			if t > 0 && k == bits>>(t-1)&1 {
				logp += math.Log(stay)
			} else if t > 0 {
				logp += math.Log1p(-stay)
			}
		}
		post, logw := independent([]float64{0}, []float64{sd}).given(x, off, same(n, s))
		mean, variance := post.parts()
		m.add(logp+logw, append(mean, z...), append(variance, make([]float64, n)...))
	}
	out := m.moments(append([]string{"mu"}, indexed("z", n)...)...)
	meanOnly(out[1:])
	return &problem{Exact: out}
}

// improper are models without a posterior, for one reason or another.
func improper(w *writer) *problem {
	p := &problem{Improper: true}
	switch w.r.IntN(8) {
	case 0: // b has neither prior nor data
		w.vector("y", w.normals(w.within(3, 20), 1, 1))
		w.param("real mu")
		w.param("real b")
		w.line("mu ~ normal(0, 3);")
		w.observe("y", "normal", "mu", "1")
	case 1: // two numbers for a location and a scale without priors
		w.vector("y", w.normals(2, 0, 1))
		w.param("real mu")
		w.param("real<lower=0> s")
		w.observe("y", "normal", "mu", "s")
	case 2: // separated data
		n := w.within(4, 15)
		x, y := w.normals(n, 0, 1), make([]int, n)
		for i := range y {
			if x[i] > 0.1 {
				y[i] = 1
			}
		}
		w.counts("y", y)
		w.vector("x", x)
		w.param("real b")
		w.observe("y", "bernoulli_logit", "b * (x[n] - 0.1)")
	case 3: // 1 / tau for the scale of groups
		n := w.within(3, 8)
		w.vector("y", w.normals(n, 0, 1))
		w.param("real mu")
		w.param("real<lower=0> tau")
		w.param("vector[%d] theta", n)
		w.line("mu ~ normal(0, 3);")
		w.line("target += -log(tau);")
		w.line("theta ~ normal(mu, tau);")
		w.observe("y", "normal", "theta[n]", "1")
	case 4: // only the sum is told
		w.vector("y", w.normals(w.within(3, 20), 1, 1))
		w.param("real a")
		w.param("real b")
		w.observe("y", "normal", "a + b", "1")
	case 5: // only the product is told
		w.vector("y", w.normals(w.within(3, 20), 2, 1))
		w.param("real<lower=0> a")
		w.param("real<lower=0> b")
		w.observe("y", "normal", "a * b", "1")
	case 6: // Haldane's prior and no success
		n := w.within(3, 20)
		w.whole("n", n)
		w.unit("theta", betaDist(1, 1))
		w.line("target += -log(theta) - log1m(theta);")
		w.line("0 ~ binomial(n, theta);")
	case 7: // a flat prior for the scale of two groups
		w.vector("y", w.normals(2, 0, 1))
		w.param("real mu")
		w.param("real<lower=0> tau")
		w.param("vector[2] theta")
		w.line("theta ~ normal(mu, tau);")
		w.observe("y", "normal", "theta[n]", "1")
	}
	return p
}
