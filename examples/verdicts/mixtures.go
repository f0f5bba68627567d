package main

// This file holds mixtures and other posteriors of several modes.

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// logMix is log(p exp(a) + (1 - p) exp(b)).
func logMix(p, a, b float64) float64 {
	m := max(a, b)
	return m + math.Log(p*math.Exp(a-m)+(1-p)*math.Exp(b-m))
}

// twoGroups draws data from two normals.
func (w *writer) twoGroups(n int, p, a, b, s float64) []float64 {
	y := make([]float64, n)
	for i := range y {
		m := a
		if w.r.Float64() > p {
			m = b
		}
		y[i] = rounded(w.normal(m, s), 6)
	}
	return y
}

// mixedMeans is a mixture of two normals with unknown means, labels summed out. Ordered means
// have one mode, free ones with even weights two.
func mixedMeans(w *writer, ordered bool) *problem {
	p, s, sd := 0.5, w.scale(0.5, 1.2), w.scale(2, 4)
	if w.coin() {
		p = w.uniform(0.2, 0.45)
	}
	first := w.normal(0, 1)
	y := w.twoGroups(w.within(8, 40), p, first, first+s*w.uniform(2, 5), s)
	w.vector("y", y)
	if ordered {
		w.param("ordered[2] mu")
	} else {
		w.param("vector[2] mu")
	}
	w.prior("mu", gaussian(0, sd))
	w.each("y", "log_mix("+num(p)+", normal_lpdf(y[n] | mu[1], "+num(s)+"), normal_lpdf(y[n] | mu[2], "+num(s)+"))")
	logf := func(a, b float64) float64 {
		v := normalLog(a, 0, sd) + normalLog(b, 0, sd)
		for _, x := range y {
			v += logMix(p, normalLog(x, a, s), normalLog(x, b, s))
		}
		return v
	}
	names := []string{"mu.1", "mu.2"}
	if !ordered {
		return &problem{Exact: cube(names, []axis{plain(-8*sd, 8*sd), plain(-8*sd, 8*sd)}, func(q []float64) float64 { return logf(q[0], q[1]) })}
	}
	var m mixture
	lattice([]axis{plain(-8*sd, 8*sd), positive(1e-6, 10*sd)}, func(q []float64) float64 { return logf(q[0], q[0]+q[1]) },
		func(q []float64, logw float64) { m.add(logw, []float64{q[0], q[0] + q[1]}, nil) })
	return &problem{Exact: m.moments(names...)}
}

// mixedShare is the share of two known normals.
func mixedShare(w *writer) *problem {
	a, b, s, prior := w.normal(0, 1), w.normal(0, 1), w.scale(0.5, 1), betaDist(w.uniform(1, 3), w.uniform(1, 3))
	a, b = rounded(a, 3), rounded(b+3, 3)
	y := w.twoGroups(w.within(5, 40), w.uniform(0.1, 0.9), a, b, s)
	w.vector("y", y)
	w.unit("p", prior)
	w.each("y", "log_mix(p, normal_lpdf(y[n] | "+list(a, s)+"), normal_lpdf(y[n] | "+list(b, s)+"))")
	exact := func(d dist) []moment {
		return cube([]string{"p"}, []axis{inside(0, 1)}, func(q []float64) float64 {
			v := d.log(q[0])
			for _, x := range y {
				v += logMix(q[0], normalLog(x, a, s), normalLog(x, b, s))
			}
			return v
		})
	}
	other := betaDist(w.uniform(1, 5), w.uniform(1, 5))
	return &problem{Exact: exact(prior), Swap: &swap{"p ~ " + other.String() + ";", exact(other)}}
}

// labels is a mixture of two normals with labels that are parameters.
func labels(w *writer) *problem {
	n, s, sd := w.within(4, 8), w.scale(0.5, 1.2), w.scale(2, 4)
	first, p := w.normal(0, 1), 0.5
	if w.coin() {
		p = w.uniform(0.2, 0.45)
	}
	y := w.twoGroups(n, p, first, first+s*w.uniform(1, 5), s)
	w.vector("y", y)
	w.param("vector[2] mu")
	w.param("array[N_y] int<lower=1, upper=2> z")
	w.prior("mu", gaussian(0, sd))
	if w.coin() {
		w.line("z ~ categorical([%s]');", list(p, 1-p))
	} else {
		w.line("for (n in 1:N_y) { z[n] ~ categorical([%s]'); }", list(p, 1-p))
	}
	if w.coin() {
		w.line("y ~ normal(mu[z], %s);", num(s))
	} else {
		w.line("for (n in 1:N_y) { y[n] ~ normal(mu[z[n]], %s); }", num(s))
	}
	var m mixture
	for bits := range 1 << n {
		x, logp := mat.NewDense(n, 2, nil), 0.0
		z := make([]float64, n)
		for i := range n {
			z[i] = 1 + float64(bits>>i&1)
			x.Set(i, bits>>i&1, 1)
			logp += math.Log([]float64{p, 1 - p}[bits>>i&1])
		}
		post, logw := independent([]float64{0, 0}, []float64{sd, sd}).given(x, y, same(n, s))
		mean, variance := post.parts()
		m.add(logp+logw, append(mean, z...), append(variance, make([]float64, n)...))
	}
	out := m.moments(append([]string{"mu.1", "mu.2"}, indexed("z", n)...)...)
	meanOnly(out[2:])
	return &problem{Exact: out}
}

// twoModes is a mixture of normals as a prior, with no data or few: the share, places and
// widths are the arguments.
func twoModes(w *writer, p, apart, wide, narrow float64, data bool) *problem {
	a := rounded(w.normal(0, 1), 3)
	b := rounded(a+apart*(1-2*float64(w.r.IntN(2))), 4)
	w.param("real x")
	term := "normal_lpdf(x | " + list(a, wide) + "), normal_lpdf(x | " + list(b, narrow) + ")"
	if w.coin() {
		w.line("target += log_mix(%s, %s);", num(p), term)
	} else {
		w.line("target += log_sum_exp(log(%s) + normal_lpdf(x | %s), log1m(%s) + normal_lpdf(x | %s));", num(p), list(a, wide), num(p), list(b, narrow))
	}
	var m mixture
	y, s := []float64{}, 1.0
	if data {
		y, s = w.normals(w.within(1, 3), (a+b)/2, apart/2), rounded(apart*w.uniform(1, 3), 3)
		w.vector("y", y)
		w.observe("y", "normal", "x", num(s))
	}
	for i, c := range [][3]float64{{p, a, wide}, {1 - p, b, narrow}} {
		_ = i
		prior := independent(c[1:2], c[2:])
		logw := 0.0
		if data {
			prior, logw = prior.given(mat.NewDense(len(y), 1, same(len(y), 1)), y, same(len(y), s))
		}
		mean, variance := prior.parts()
		m.add(math.Log(c[0])+logw, mean, variance)
	}
	return &problem{Exact: m.moments("x")}
}

// signs has a number of which the data tell the square or the absolute value.
func signs(w *writer) *problem {
	truth, s, sd, m := w.uniform(1, 3), w.scale(0.3, 1), w.scale(1, 3), w.uniform(0, 0.3)
	of, text := func(x float64) float64 { return x * x }, "square(mu)"
	if w.coin() {
		of, text = math.Abs, "abs(mu)"
	}
	y := w.normals(w.within(2, 12), of(truth), s)
	prior := gaussian(m, sd)
	w.vector("y", y)
	w.real("mu", prior)
	w.observe("y", "normal", text, num(s))
	return &problem{Exact: line("mu", func(x float64) float64 {
		v := prior.log(x)
		for _, k := range y {
			v += normalLog(k, of(x), s)
		}
		return v
	}, -60, 60, peak{0, 0.1}, peak{-truth, 0.05}, peak{truth, 0.05})}
}

// product has two numbers of which the data tell the product.
func product(w *writer) *problem {
	truth, s, sd := w.uniform(-3, 3), w.scale(0.2, 1), w.scale(1, 3)
	n := w.within(1, 10)
	y := w.normals(n, truth, s)
	w.vector("y", y)
	w.real("a", gaussian(0, sd))
	w.real("b", gaussian(0, sd))
	w.observe("y", "normal", "a * b", num(s))
	return &problem{Exact: cube([]string{"a", "b"}, []axis{plain(-8*sd, 8*sd), plain(-8*sd, 8*sd)}, func(q []float64) float64 {
		v := normalLog(q[0], 0, sd) + normalLog(q[1], 0, sd)
		for _, x := range y {
			v += normalLog(x, q[0]*q[1], s)
		}
		return v
	})}
}

// positiveProduct has two positive numbers of which the data tell the product.
func positiveProduct(w *writer) *problem {
	pa, pb, n := gamma(w.uniform(2, 5), w.scale(0.5, 2)), gamma(w.uniform(2, 5), w.scale(0.5, 2)), w.within(1, 20)
	y, sum := make([]int, n), 0.0
	lambda := w.scale(2, 20)
	for i := range y {
		y[i] = w.poisson(lambda)
		sum += float64(y[i])
	}
	w.counts("y", y)
	w.positive("a", pa)
	w.positive("b", pb)
	w.observe("y", "poisson", "a * b")
	return &problem{Exact: cube([]string{"a", "b"}, []axis{positive(1e-4, 1e3), positive(1e-4, 1e3)}, func(q []float64) float64 {
		return pa.log(q[0]) + pb.log(q[1]) + sum*math.Log(q[0]*q[1]) - float64(n)*q[0]*q[1]
	})}
}

// spikeAndSlab is a mean that is near zero or not: continuous, or with an indicator.
func spikeAndSlab(w *writer) *problem {
	n, s, p, spike, slab := w.within(2, 20), w.scale(0.5, 2), w.uniform(0.3, 0.8), w.scale(0.01, 0.1), w.scale(1, 4)
	y := w.normals(n, w.normal(0, 1)*float64(w.r.IntN(2)), s)
	w.vector("y", y)
	w.param("real b")
	w.line("target += log_mix(%s, normal_lpdf(b | 0, %s), normal_lpdf(b | 0, %s));", num(p), num(spike), num(slab))
	w.observe("y", "normal", "b", num(s))
	var m mixture
	for _, c := range [][2]float64{{p, spike}, {1 - p, slab}} {
		post, logw := independent([]float64{0}, c[1:]).given(mat.NewDense(n, 1, same(n, 1)), y, same(n, s))
		mean, variance := post.parts()
		m.add(math.Log(c[0])+logw, mean, variance)
	}
	return &problem{Exact: m.moments("b")}
}
