package main

// This file holds classes of regressions, counts and edges that were made after the second round
// of checks, to measure them by.

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// logLogistic is 1/(1+exp(-x)), as a logarithm.
func logLogistic(x float64) float64 {
	if x < 0 {
		return x - math.Log1p(math.Exp(x))
	}
	return -math.Log1p(math.Exp(-x))
}

// separated is a logistic regression whose outcomes a point of x parts.
func separated(w *writer) *problem {
	n := w.within(4, 15)
	x, y := make([]float64, n), make([]int, n)
	edge := w.normal(0, 0.5)
	for i := range x {
		if x[i] = rounded(w.normal(0, 1.2), 6); x[i] > edge {
			y[i] = 1
		}
	}
	pa, pb := w.location(0, w.scale(2, 5), true), student(float64(w.within(5, 8)), 0, w.scale(2.5, 15))
	w.vector("x", x)
	w.counts("y", y)
	w.real("a", pa)
	w.real("b", pb)
	w.observe("y", "bernoulli_logit", "a + b * x[n]")
	return &problem{Exact: cube([]string{"a", "b"}, []axis{plain(-150, 150), plain(-400, 400)}, func(q []float64) float64 {
		v := pa.log(q[0]) + pb.log(q[1])
		for i, k := range y {
			v += logLogistic(float64(2*k-1) * (q[0] + q[1]*x[i]))
		}
		return v
	})}
}

// emptyCategory is an ordered probit whose middle category was never chosen.
func emptyCategory(w *writer) *problem {
	n, sd := w.within(6, 25), w.scale(0.8, 2.5)
	y := make([]int, n)
	low := 0
	for i := range y {
		if y[i] = 3; w.r.Float64() < 0.45 {
			y[i] = 1
			low++
		}
	}
	w.counts("y", y)
	w.param("ordered[2] c")
	w.line("c ~ normal(0, %s);", num(sd))
	w.line("y ~ ordered_probit(rep_vector(0, N_y), c);")
	gap := positive(1e-5, 30)
	return &problem{Exact: cube2("c.1", "c.2", plain(-12*sd, 12*sd), gap, func(c, d float64) ([]float64, float64) {
		v := normalLog(c, 0, sd) + normalLog(c+d, 0, sd)
		v += float64(low)*math.Log(math.Erfc(-c/math.Sqrt2)/2) + float64(n-low)*math.Log(math.Erfc((c+d)/math.Sqrt2)/2)
		return []float64{c, c + d}, v
	})}
}

// cube2 is cube for two columns that are functions of the coordinates.
func cube2(first, second string, a, b axis, f func(u, v float64) (columns []float64, logf float64)) []moment {
	var m mixture
	lattice([]axis{a, b}, func(q []float64) float64 {
		_, v := f(q[0], q[1])
		return v
	}, func(q []float64, logw float64) {
		x, _ := f(q[0], q[1])
		m.add(logw, x, nil)
	})
	return m.moments(first, second)
}

// recaptured is a population of unknown size that was sampled twice, with few animals seen
// both times.
func recaptured(w *writer) *problem {
	first, second, both, most := w.within(4, 10), w.within(4, 10), w.within(0, 2), w.within(40, 90)
	a, b := w.uniform(1, 3), w.uniform(1.5, 6)
	least := first + second - both
	w.whole("first", first)
	w.whole("second", second)
	w.whole("both", both)
	w.param("int<lower=%d, upper=%d> n", least, most)
	w.unit("p", betaDist(a, b))
	w.line("target += -log(%d);", most-least+1)
	w.line("first ~ binomial(n, p);")
	w.line("both ~ binomial(first, p);")
	w.line("second - both ~ binomial(n - first, p);")
	lchoose := func(n, k int) float64 {
		x, _ := math.Lgamma(float64(n) + 1)
		y, _ := math.Lgamma(float64(k) + 1)
		z, _ := math.Lgamma(float64(n-k) + 1)
		return x - y - z
	}
	var m mixture
	for n := least; n <= most; n++ {
		u, v := a+float64(first+second), b+float64(2*n-first-second)
		x, _ := math.Lgamma(u)
		y, _ := math.Lgamma(v)
		z, _ := math.Lgamma(u + v)
		m.add(lchoose(n, first)+lchoose(n-first, second-both)+x+y-z, []float64{float64(n), u / (u + v)}, []float64{0, u * v / ((u + v) * (u + v) * (u + v + 1))})
	}
	return &problem{Exact: m.moments("n", "p")}
}

// thinned are counts of which a known share was seen; the true counts are parameters.
func thinned(w *writer) *problem {
	n, p, a, b := w.within(2, 6), w.uniform(0.3, 0.8), w.uniform(2, 5), w.scale(0.4, 1)
	y, truth := make([]int, n), a/b
	for i := range y {
		y[i] = w.poisson(truth * p)
	}
	w.counts("y", y)
	w.param("real<lower=0> lambda")
	w.param("array[N_y] int<lower=0, upper=150> k")
	w.prior("lambda", gamma(a, b))
	w.line("k ~ poisson(lambda);")
	w.line("for (n in 1:N_y) { y[n] ~ binomial(k[n], %s); }", num(p))
	shape, rate := a, b+float64(n)*p
	for _, v := range y {
		shape += float64(v)
	}
	mean, variance := []float64{shape / rate}, []float64{shape / (rate * rate)}
	names := []string{"lambda"}
	for i, v := range y {
		names = append(names, indexed("k", n)[i])
		mean = append(mean, float64(v)+(1-p)*mean[0])
		variance = append(variance, (1-p)*mean[0]+(1-p)*(1-p)*variance[0])
	}
	return &problem{Exact: of(names, mean, variance)}
}

// hurdle are counts that are zero with one probability, and Poisson above zero otherwise.
func hurdle(w *writer) *problem {
	n, truth := w.within(5, 30), w.scale(0.3, 4)
	y, zeros, sum := make([]int, n), 0, 0
	for i := range y {
		if w.r.Float64() < 0.4 {
			zeros++
			continue
		}
		for y[i] == 0 {
			y[i] = w.poisson(truth)
		}
		sum += y[i]
	}
	pl, a, b := gamma(w.uniform(1.2, 3), w.uniform(0.4, 1.5)), w.uniform(1, 4), w.uniform(1, 4)
	w.counts("y", y)
	w.unit("pi", betaDist(a, b))
	w.positive("lambda", pl)
	w.each("y", "y[n] == 0 ? log(pi) : log1m(pi) + poisson_lpmf(y[n] | lambda) - log1m_exp(-lambda)")
	u, v := a+float64(zeros), b+float64(n-zeros)
	out := of([]string{"pi"}, []float64{u / (u + v)}, []float64{u * v / ((u + v) * (u + v) * (u + v + 1))})
	return &problem{Exact: append(out, cube([]string{"lambda"}, []axis{positive(1e-8, 1e3)}, func(q []float64) float64 {
		return pl.log(q[0]) + float64(sum)*math.Log(q[0]) - float64(n-zeros)*(q[0]+math.Log(-math.Expm1(-q[0])))
	})...)}
}

// unevenNoise has a standard deviation that is log-linear in a covariate.
func unevenNoise(w *writer) *problem {
	n, ta, tb := w.within(5, 30), w.normal(0, 0.7), w.normal(0, 0.7)
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = rounded(w.normal(0, 1), 6)
		y[i] = rounded(w.normal(0, math.Exp(ta+tb*x[i])), 6)
	}
	pa, pb := w.location(0, 1, true), w.location(0, 1, true)
	w.vector("x", x)
	w.vector("y", y)
	w.real("a", pa)
	w.real("b", pb)
	w.observe("y", "normal", "0", "exp(a + b * x[n])")
	return &problem{Exact: cube([]string{"a", "b"}, []axis{plain(-15, 15), plain(-15, 15)}, func(q []float64) float64 {
		v := pa.log(q[0]) + pb.log(q[1])
		for i := range x {
			v += normalLog(y[i], 0, math.Exp(q[0]+q[1]*x[i]))
		}
		return v
	})}
}

// saturation is Michaelis and Menten's curve, often seen in its straight part only.
func saturation(w *writer) *problem {
	n, s, top, half := w.within(3, 8), w.scale(0.05, 0.3), w.scale(1, 4), w.scale(0.5, 6)
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = rounded(2*w.r.Float64()+0.05, 6)
		y[i] = rounded(w.normal(top*x[i]/(half+x[i]), s), 6)
	}
	pt, ph := gamma(w.uniform(1.5, 3), w.uniform(0.2, 0.8)), gamma(w.uniform(1.5, 3), w.uniform(0.1, 0.6))
	w.vector("x", x)
	w.vector("y", y)
	w.positive("top", pt)
	w.positive("half", ph)
	w.observe("y", "normal", "top * x[n] ./ (half + x[n])", num(s))
	for i, l := range w.body { // a division of numbers has one sign, that of vectors another
		w.body[i] = elementwise(l)
	}
	return &problem{Exact: cube([]string{"top", "half"}, []axis{positive(1e-4, 1e4), positive(1e-4, 1e4)}, func(q []float64) float64 {
		v := pt.log(q[0]) + ph.log(q[1])
		for i := range x {
			v += normalLog(y[i], q[0]*x[i]/(q[1]+x[i]), s)
		}
		return v
	})}
}

// paretoEdge is a sample of a Pareto distribution whose least value is unknown.
func paretoEdge(w *writer) *problem {
	n, alpha, least := w.within(2, 25), w.scale(1, 5), w.scale(0.5, 3)
	y, lowest, logs := make([]float64, n), math.Inf(1), 0.0
	for i := range y {
		y[i] = rounded(distuv.Pareto{Xm: least, Alpha: alpha}.Quantile(w.r.Float64()), 6)
		lowest, logs = min(lowest, y[i]), logs+math.Log(y[i])
	}
	pa := gamma(w.uniform(1.5, 4), w.uniform(0.3, 1.2))
	w.vector("y", y)
	w.param("real<lower=0, upper=min(y)> m")
	w.positive("alpha", pa)
	w.line("y ~ pareto(m, alpha);")
	var m mixture
	lattice([]axis{positive(1e-5, 1e4)}, func(q []float64) float64 {
		k := float64(n) * q[0]
		return pa.log(q[0]) + float64(n)*math.Log(q[0]) - (q[0]+1)*logs + (k+1)*math.Log(lowest) - math.Log(k+1)
	}, func(q []float64, logw float64) {
		k := float64(n)*q[0] + 1
		m.add(logw, []float64{lowest * k / (k + 1), q[0]}, []float64{lowest * lowest * k / ((k + 1) * (k + 1) * (k + 2)), 0})
	})
	return &problem{Exact: m.moments("m", "alpha")}
}

// overdispersed are few counts, negative binomial, whose dispersion they hardly tell.
func overdispersed(w *writer) *problem {
	n, mu, shape := w.within(3, 15), w.scale(0.7, 8), w.scale(0.4, 10)
	y := make([]int, n)
	for i := range y {
		y[i] = w.poisson(distuv.Gamma{Alpha: shape, Beta: shape / mu}.Quantile(w.r.Float64()))
	}
	pm, ps := gamma(w.uniform(1.5, 3), w.uniform(0.2, 0.8)), w.spread(w.scale(1, 5))
	w.counts("y", y)
	w.positive("mu", pm)
	w.positive("phi", ps)
	w.line("y ~ neg_binomial_2(mu, phi);")
	return &problem{Exact: cube([]string{"mu", "phi"}, []axis{positive(1e-5, 1e4), positive(1e-5, 1e4)}, func(q []float64) float64 {
		v := pm.log(q[0]) + ps.log(q[1])
		for _, k := range y {
			a, _ := math.Lgamma(float64(k) + q[1])
			b, _ := math.Lgamma(q[1])
			v += a - b + q[1]*math.Log(q[1]/(q[0]+q[1])) + float64(k)*math.Log(q[0]/(q[0]+q[1]))
		}
		return v
	})}
}
