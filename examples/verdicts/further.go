package main

// This file holds classes that were made after the checks, to measure them by.

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// studentModes is a mixture of two Student t's that lie apart.
func studentModes(w *writer) *problem {
	p, nu, a, b := w.uniform(0.15, 0.85), float64(w.within(6, 12)), rounded(w.normal(0, 2), 3), w.uniform(6, 25)
	s1, s2 := w.scale(0.4, 1.5), w.scale(0.4, 1.5)
	w.param("real x")
	w.line("target += log_mix(%s, student_t_lpdf(x | %s), student_t_lpdf(x | %s));", num(p), list(nu, a, s1), list(nu, a+b, s2))
	var m mixture
	m.add(math.Log(p), []float64{a}, []float64{s1 * s1 * nu / (nu - 2)})
	m.add(math.Log(1-p), []float64{a + b}, []float64{s2 * s2 * nu / (nu - 2)})
	return &problem{Exact: m.moments("x")}
}

// planeModes are three normals in a plane.
func planeModes(w *writer) *problem {
	var m mixture
	var terms string
	p := []float64{w.uniform(0.2, 0.4), w.uniform(0.2, 0.4), 0}
	p[2] = rounded(1-p[0]-p[1], 6)
	for k, v := range p {
		at, s := []float64{rounded(w.normal(0, 6), 3), rounded(w.normal(0, 6), 3)}, w.scale(0.4, 1.2)
		if k > 0 {
			terms += ", "
		}
		terms += fmt.Sprintf("log(%s) + normal_lpdf(x | [%s]', %s)", num(v), list(at...), num(s))
		m.add(math.Log(v), at, []float64{s * s, s * s})
	}
	w.param("vector[2] x")
	w.line("target += log_sum_exp([%s]);", terms)
	return &problem{Exact: m.moments("x.1", "x.2")}
}

// manyNormals are numbers with one observation each.
func manyNormals(w *writer) *problem {
	n, sd, s := w.within(20, 100), w.scale(0.5, 3), w.scale(0.5, 3)
	y := w.normals(n, 0, math.Hypot(sd, s))
	w.vector("y", y)
	w.param("vector[N_y] theta")
	w.prior("theta", gaussian(0, sd))
	w.observe("y", "normal", "theta[n]", num(s))
	post, _ := independent(same(n, 0), same(n, sd)).given(identity(n), y, same(n, s))
	mean, variance := post.parts()
	return &problem{Exact: of(indexed("theta", n), mean, variance)}
}

// knownGroups is a hierarchy with known scales.
func knownGroups(w *writer) *problem {
	n, sd, tau, s := w.within(10, 40), w.scale(1, 5), w.scale(0.5, 2), w.scale(0.5, 2)
	y := w.normals(n, w.normal(0, sd), math.Hypot(tau, s))
	w.vector("y", y)
	w.real("mu", gaussian(0, sd))
	w.param("vector[N_y] theta")
	w.prior("theta", dist{name: "normal"}.with("mu", num(tau)))
	w.observe("y", "normal", "theta[n]", num(s))
	prior, x := independent(same(n+1, 0), same(n+1, sd)), mat.NewDense(n, n+1, nil)
	for i := range n + 1 {
		for j := i; j <= n; j++ {
			v := sd * sd
			if i == j && i > 0 {
				v += tau * tau
			}
			prior.cov.SetSym(i, j, v)
		}
		if i > 0 {
			x.Set(i-1, i, 1)
		}
	}
	post, _ := prior.given(x, y, same(n, s))
	mean, variance := post.parts()
	return &problem{Exact: of(append([]string{"mu"}, indexed("theta", n)...), mean, variance)}
}

// countGroups are Poisson rates with a common scale; given it they are gamma.
func countGroups(w *writer) *problem {
	n, a, prior := w.within(3, 10), w.uniform(1, 4), gamma(w.uniform(1.5, 4), w.uniform(0.5, 3))
	y, b := make([]int, n), w.scale(0.3, 2)
	for i := range y {
		y[i] = w.poisson(distuv.Gamma{Alpha: a, Beta: b}.Quantile(w.r.Float64()))
	}
	w.counts("y", y)
	w.param("real<lower=0> b")
	w.param("vector<lower=0>[N_y] lambda")
	w.prior("b", prior)
	w.prior("lambda", dist{name: "gamma"}.with(num(a), "b"))
	w.observe("y", "poisson", "lambda[n]")
	var m mixture
	lattice([]axis{positive(1e-5, 1e4)}, func(q []float64) float64 {
		v := prior.log(q[0])
		for _, k := range y {
			v += a*math.Log(q[0]) - (a+float64(k))*math.Log(q[0]+1)
		}
		return v
	}, func(q []float64, logw float64) {
		mean, variance := []float64{q[0]}, []float64{0}
		for _, k := range y {
			mean, variance = append(mean, (a+float64(k))/(q[0]+1)), append(variance, (a+float64(k))/((q[0]+1)*(q[0]+1)))
		}
		m.add(logw, mean, variance)
	})
	return &problem{Exact: m.moments(append([]string{"b"}, indexed("lambda", n)...)...)}
}

// cutOff is a location of which only observations above zero were kept.
func cutOff(w *writer) *problem {
	n, s, sd := w.within(4, 20), w.scale(0.5, 2), w.scale(1, 3)
	mu := w.normal(0.3, 0.7)
	var y []float64
	for len(y) < n {
		if v := rounded(w.normal(mu, s), 6); v > 0 {
			y = append(y, v)
		}
	}
	w.vector("y", y)
	w.real("mu", gaussian(0, sd))
	w.line("for (n in 1:N_y) { y[n] ~ normal(mu, %s) T[0, ]; }", num(s))
	return &problem{Exact: line("mu", func(m float64) float64 {
		v := normalLog(m, 0, sd)
		for _, k := range y {
			v += normalLog(k, m, s) - math.Log(math.Erfc(-m/s/math.Sqrt2)/2)
		}
		return v
	}, max(-10*sd, -30*s), 10*sd, peak{0, s / 2})}
}

// fewRows is a regression with fewer observations than columns.
func fewRows(w *writer) *problem {
	n, d, s, sd := w.within(2, 6), w.within(7, 15), w.scale(0.5, 2), w.scale(0.5, 2)
	rows, x := make([][]float64, n), mat.NewDense(n, d, nil)
	for i := range rows {
		rows[i] = w.normals(d, 0, 1)
		x.SetRow(i, rows[i])
	}
	y := w.normals(n, 0, math.Hypot(s, sd*math.Sqrt(float64(d))))
	w.vector("y", y)
	w.matrix("x", rows)
	w.param("vector[%d] beta", d)
	w.prior("beta", gaussian(0, sd))
	w.line("y ~ normal(x * beta, %s);", num(s))
	post, _ := independent(same(d, 0), same(d, sd)).given(x, y, same(n, s))
	mean, variance := post.parts()
	return &problem{Exact: of(indexed("beta", d), mean, variance)}
}

// slopes are densities that rise towards a bound.
func slopes(w *writer) *problem {
	d, lo := w.within(1, 4), rounded(w.normal(0, 3), 3)
	hi, k := rounded(lo+w.scale(0.5, 5), 3), w.uniform(-6, 6)
	w.param("vector<lower=%s, upper=%s>[%d] x", num(lo), num(hi), d)
	w.line("target += %s * sum(x);", num(k))
	one := line("x", func(x float64) float64 { return k * x }, lo, hi)[0]
	return &problem{Exact: of(indexed("x", d), same(d, one.Mean), same(d, one.SD*one.SD))}
}

// latentChain is an autoregression that is seen with errors.
func latentChain(w *writer) *problem {
	n, phi, q, s := w.within(8, 30), w.uniform(-0.9, 0.95), w.scale(0.3, 2), w.scale(0.3, 2)
	y := w.normals(n, 0, math.Hypot(s, q))
	w.vector("y", y)
	w.param("vector[N_y] x")
	first := q / math.Sqrt(1-phi*phi)
	w.line("x[1] ~ normal(0, %s);", num(rounded(first, 8)))
	w.line("for (n in 2:N_y) { x[n] ~ normal(%s * x[n - 1], %s); }", num(phi), num(q))
	w.observe("y", "normal", "x[n]", num(s))
	prior := independent(same(n, 0), same(n, first))
	for i := range n {
		for j := i; j < n; j++ {
			prior.cov.SetSym(i, j, first*first*math.Pow(phi, float64(j-i)))
		}
	}
	post, _ := prior.given(identity(n), y, same(n, s))
	mean, variance := post.parts()
	return &problem{Exact: of(indexed("x", n), mean, variance)}
}

// mirrored has discrete signs and a number of which only the size is told.
func mirrored(w *writer) *problem {
	n, s, sd, m := w.within(3, 8), w.scale(0.4, 1.2), w.scale(1, 3), w.uniform(0, 0.2)
	truth := w.uniform(0.5, 3)
	y := make([]float64, n)
	for i := range y {
		y[i] = rounded(w.normal(truth*float64(1-2*w.r.IntN(2)), s), 6)
	}
	prior := gaussian(m, sd)
	w.vector("y", y)
	w.real("mu", prior)
	w.param("array[N_y] int<lower=0, upper=1> z")
	w.line("z ~ bernoulli(0.5);")
	w.line("for (n in 1:N_y) { y[n] ~ normal(mu * (2 * z[n] - 1), %s); }", num(s))
	var all mixture
	along(-12*sd, 12*sd, []peak{{0, 0.2}, {truth, 0.1}, {-truth, 0.1}}, func(x, logw float64) {
		mean, variance, v := []float64{x}, []float64{0}, prior.log(x)
		for _, k := range y {
			a, b := normalLog(k, x, s), normalLog(k, -x, s)
			v += logMix(0.5, a, b)
			p := 1 / (1 + math.Exp(b-a))
			mean, variance = append(mean, p), append(variance, p*(1-p))
		}
		all.add(v+logw, mean, variance)
	})
	out := all.moments(append([]string{"mu"}, indexed("z", n)...)...)
	meanOnly(out[1:])
	return &problem{Exact: out}
}

// heavyProduct are independent Student t's of several scales.
func heavyProduct(w *writer) *problem {
	d, nu := w.within(3, 12), w.uniform(5, 9)
	var mean, variance []float64
	w.param("vector[%d] x", d)
	for i := range d {
		m, s := rounded(w.normal(0, 3), 3), w.scale(0.1, 10)
		w.line("x[%d] ~ student_t(%s);", i+1, list(nu, m, s))
		mean, variance = append(mean, m), append(variance, s*s*nu/(nu-2))
	}
	return &problem{Exact: of(indexed("x", d), mean, variance)}
}

// squares are groups whose squares were seen: each has two modes of unequal mass.
func squares(w *writer) *problem {
	n, m, sd, s := w.within(2, 4), w.uniform(0.1, 0.8), w.scale(0.7, 2), w.scale(0.2, 0.8)
	y, out := make([]float64, n), []moment{}
	for i := range y {
		truth := w.uniform(0.5, 2)
		y[i] = rounded(w.normal(truth*truth, s), 6)
		one := line(fmt.Sprintf("theta.%d", i+1), func(x float64) float64 { return normalLog(x, m, sd) + normalLog(y[i], x*x, s) },
			-15*sd, 15*sd, peak{0, 0.1}, peak{-truth, 0.05}, peak{truth, 0.05})
		out = append(out, one...)
	}
	w.vector("y", y)
	w.param("vector[N_y] theta")
	w.prior("theta", gaussian(m, sd))
	w.observe("y", "normal", "square(theta[n])", num(s))
	return &problem{Exact: out}
}

// gammaRate is the rate of gamma observations.
func gammaRate(w *writer) *problem {
	n, shape, a, b := w.within(3, 30), w.uniform(0.5, 4), w.uniform(1, 4), w.uniform(0.5, 3)
	y, sum := make([]float64, n), 0.0
	for i := range y {
		y[i] = rounded(distuv.Gamma{Alpha: shape, Beta: 1.5}.Quantile(w.r.Float64()), 6)
		sum += y[i]
	}
	w.vector("y", y)
	w.param("real<lower=0> beta")
	w.prior("beta", gamma(a, b))
	w.observe("y", "gamma", num(shape), "beta")
	k, r := a+shape*float64(n), b+sum
	return &problem{Exact: of([]string{"beta"}, []float64{k / r}, []float64{k / (r * r)})}
}

// locationScale has Student errors, location and scale.
func locationScale(w *writer) *problem {
	n, nu, sd := w.within(5, 40), float64(w.within(3, 8)), w.scale(1, 5)
	y := make([]float64, n)
	m, s := w.normal(0, sd), w.scale(0.3, 3)
	for i := range y {
		y[i] = rounded(m+s*distuv.StudentsT{Nu: nu, Sigma: 1}.Quantile(w.r.Float64()), 6)
	}
	pm, ps := gaussian(0, sd), w.spread(w.scale(0.5, 3))
	w.vector("y", y)
	w.real("mu", pm)
	w.param("real<lower=0> s")
	w.prior("s", ps)
	w.observe("y", "student_t", num(nu), "mu", "s")
	return &problem{Exact: cube([]string{"mu", "s"}, []axis{plain(-10*sd, 10*sd), positive(1e-3, 1e3)}, func(q []float64) float64 {
		v := pm.log(q[0]) + ps.log(q[1])
		for _, k := range y {
			v += studentLog(nu, (k-q[0])/q[1], 0, 1) - math.Log(q[1])
		}
		return v
	})}
}

// shrunk is a mean whose prior scale is half Cauchy.
func shrunk(w *writer) *problem {
	n, s := w.within(1, 10), w.scale(0.5, 1.5)
	y := w.normals(n, w.normal(0, 2), s)
	w.vector("y", y)
	w.param("real<lower=0> lambda")
	w.param("real b")
	w.line("lambda ~ normal(0, 2);")
	w.line("b ~ normal(0, lambda);")
	w.observe("y", "normal", "b", num(s))
	var m mixture
	lattice([]axis{positive(1e-6, 1e3)}, func(q []float64) float64 {
		_, logw := independent([]float64{0}, q).given(mat.NewDense(n, 1, same(n, 1)), y, same(n, s))
		return logw - q[0]*q[0]/8
	}, func(q []float64, logw float64) {
		post, _ := independent([]float64{0}, q).given(mat.NewDense(n, 1, same(n, 1)), y, same(n, s))
		mean, variance := post.parts()
		m.add(logw, append(mean, q[0]), append(variance, 0))
	})
	return &problem{Exact: m.moments("b", "lambda")}
}

// ring is a density along a circle.
func ring(w *writer) *problem {
	radius, s := w.uniform(2, 6), w.scale(0.2, 0.8)
	w.param("real x1")
	w.param("real x2")
	w.line("target += normal_lpdf(hypot(x1, x2) | %s);", list(radius, s))
	r := line("r", func(r float64) float64 { return math.Log(r) + normalLog(r, radius, s) }, 1e-9, radius+12*s, peak{radius, s})[0]
	v := (r.SD*r.SD + r.Mean*r.Mean) / 2
	return &problem{Exact: of([]string{"x1", "x2"}, []float64{0, 0}, []float64{v, v})}
}
