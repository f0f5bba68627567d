package main

// This file holds classes that were made after the checks had been mended on all others: regressions of what is cut off, a
// direction that crosses the ends of its interval, one coordinate of ten with two modes, sums of rates, and densities with steps.

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// coefficients are those of a line, with normal priors, a covariate x, and points of it.
func coefficients(w *writer, n int) (x []float64, a, b float64, prior dist) {
	x, prior = w.normals(n, 0, 1), gaussian(0, w.scale(1, 5))
	w.vector("x", x)
	w.real("a", prior)
	w.real("b", prior)
	return x, w.normal(0, 1), w.normal(0, 1), prior
}

// seen are the moments of the coefficients, by the log density of an observation at its place on the line.
func seen(x []float64, prior dist, each func(i int, mu float64) float64) *problem {
	return &problem{Exact: cube([]string{"a", "b"}, []axis{plain(-30, 30), plain(-30, 30)}, func(q []float64) float64 {
		lp := prior.log(q[0]) + prior.log(q[1])
		for i := range x {
			lp += each(i, q[0]+q[1]*x[i])
		}
		return lp
	})}
}

// tobit is a regression whose outcomes below zero are seen as zero.
func tobit(w *writer) *problem {
	n, s := w.within(8, 30), w.scale(0.4, 1.5)
	x, a, b, prior := coefficients(w, n)
	y := make([]float64, n)
	for i := range y {
		y[i] = math.Max(0, rounded(w.normal(a+b*x[i], s), 6))
	}
	w.vector("y", y)
	w.each("y", fmt.Sprintf("y[n] > 0 ? normal_lpdf(y[n] | a + b * x[n], %s) : normal_lcdf(0 | a + b * x[n], %s)", num(s), num(s)))
	return seen(x, prior, func(i int, mu float64) float64 {
		if y[i] > 0 {
			return normalLog(y[i], mu, s)
		}
		return normalCDF(-mu / s)
	})
}

// truncatedLine is a regression of which outcomes below zero are not in the data at all.
func truncatedLine(w *writer) *problem {
	n, s := w.within(8, 30), w.scale(0.4, 1.5)
	x, a, b, prior := coefficients(w, n)
	y := make([]float64, n)
	for i := range y {
		for y[i] <= 0 {
			y[i] = rounded(w.normal(a+b*x[i], s), 6)
			a += 0.01
		}
	}
	w.vector("y", y)
	w.line("for (n in 1:N_y) { y[n] ~ normal(a + b * x[n], %s) T[0, ]; }", num(s))
	return seen(x, prior, func(i int, mu float64) float64 { return normalLog(y[i], mu, s) - normalCDF(mu/s) })
}

// hugeCounts have millions, or thousands of millions, in each.
func hugeCounts(w *writer) *problem {
	n, size, shape := w.within(1, 10), w.scale(1e5, 1e8), w.uniform(1, 4)
	y, sum := make([]int, n), 0
	for i := range y {
		y[i] = int(w.normal(size, math.Sqrt(size)))
		sum += y[i]
	}
	d := gamma(shape, rounded(shape/size, 12))
	w.counts("y", y)
	w.positive("lambda", d)
	w.observe("y", "poisson", "lambda")
	a, b := shape+float64(sum), d.args[1]+float64(n)
	return &problem{Exact: of([]string{"lambda"}, []float64{a / b}, []float64{a / (b * b)})}
}

// vague is a line with priors a million times as wide as the answer.
func vague(w *writer) *problem {
	n, s, wide := w.within(3, 30), w.scale(0.3, 3), w.scale(1e4, 1e7)
	x, y := mat.NewDense(n, 2, nil), make([]float64, n)
	at, a, b := w.normals(n, 0, 1), w.normal(0, 3), w.normal(0, 3)
	for i := range y {
		x.SetRow(i, []float64{1, at[i]})
		y[i] = rounded(w.normal(a+b*at[i], s), 6)
	}
	w.vector("x", at)
	w.vector("y", y)
	w.real("a", gaussian(0, wide))
	w.real("b", gaussian(0, wide))
	w.observe("y", "normal", "a + b * x[n]", num(s))
	// By the precision: that of the prior is nearly nothing, and its covariance less another one next to nothing.
	var precision, cov mat.Dense
	precision.Mul(x.T(), x)
	for i := range 2 {
		precision.Set(i, i, precision.At(i, i)+s*s/(wide*wide))
	}
	if err := cov.Inverse(&precision); err != nil {
		panic(err)
	}
	var mean mat.VecDense
	mean.MulVec(x.T(), mat.NewVecDense(n, y))
	mean.MulVec(&cov, &mean)
	return &problem{Exact: of([]string{"a", "b"}, mean.RawVector().Data, []float64{s * s * cov.At(0, 0), s * s * cov.At(1, 1)})}
}

// twoRates are those of two sources of which counts tell the sum alone: it is independent of the shares.
func twoRates(w *writer) *problem {
	n, a, b, rate := w.within(1, 20), w.uniform(0.8, 4), w.uniform(0.8, 4), w.scale(0.1, 1)
	y, sum, level := make([]int, n), 0.0, w.scale(2, 12)
	for i := range y {
		y[i] = w.poisson(level)
		sum += float64(y[i])
	}
	w.counts("y", y)
	w.positive("lambda", gamma(a, rate))
	w.positive("kappa", gamma(b, rate))
	w.observe("y", "poisson", "lambda + kappa")
	var mean, variance []float64
	shape, inverse := a+b+sum, rate+float64(n)
	square := shape * (shape + 1) / (inverse * inverse)
	for _, c := range [][2]float64{{a, b}, {b, a}} {
		m := c[0] / (c[0] + c[1]) * shape / inverse
		mean = append(mean, m)
		variance = append(variance, c[0]*(c[0]+1)/((c[0]+c[1])*(c[0]+c[1]+1))*square-m*m)
	}
	return &problem{Exact: of([]string{"lambda", "kappa"}, mean, variance)}
}

// oneOfMany is a number up to its sign, beside others that are normal and told well.
func oneOfMany(w *writer) *problem {
	others, s, sd := []int{1, 4, 9}[w.r.IntN(3)], w.scale(0.2, 1), w.scale(1, 3)
	truth := w.uniform(1, 2) * sd
	z := rounded(w.normal(truth*truth, s), 6)
	y := w.normals(others, 0, 2)
	noise := w.scale(0.3, 2)
	w.vector("y", y)
	w.param("real b")
	w.param("vector[N_y] mu")
	w.prior("b", gaussian(0.1, sd))
	w.prior("mu", gaussian(0, 2))
	w.vars["z"] = z
	w.data = append(w.data, "real z;")
	w.line("z ~ normal(b * b, %s);", num(s))
	w.observe("y", "normal", "mu[n]", num(noise))
	root := math.Sqrt(math.Max(z, 0.01))
	out := line("b", func(b float64) float64 { return normalLog(b, 0.1, sd) + normalLog(z, b*b, s) }, -40, 40, peak{root, s / root}, peak{-root, s / root}, peak{0, 1})
	post, _ := independent(same(others, 0), same(others, 2)).given(identity(others), y, same(others, noise))
	mean, variance := post.parts()
	return &problem{Exact: append(out, of(indexed("mu", others), mean, variance)...)}
}

// bearing is a direction by few observations, on an interval whose ends are the same direction.
func bearing(w *writer) *problem {
	n, kappa, truth := w.within(1, 8), w.scale(0.5, 10), []float64{w.uniform(-1, 1), w.uniform(2.6, 3.14)}[w.r.IntN(2)]
	y := make([]float64, n)
	for i := range y {
		y[i] = rounded(math.Remainder(w.normal(truth, 1/math.Sqrt(kappa)), 2*math.Pi), 6)
	}
	w.vector("y", y)
	w.param("real<lower=-pi(), upper=pi()> mu")
	w.line("y ~ von_mises(mu, %s);", num(kappa))
	return &problem{Exact: line("mu", func(mu float64) (lp float64) {
		for _, v := range y {
			lp += kappa * (math.Cos(v-mu) - 1)
		}
		return lp
	}, -math.Pi, math.Pi, peak{math.Pi, 0.1}, peak{-math.Pi, 0.1}, peak{0, 0.3})}
}

// threshold is a place beyond which the level of a series changes: a density of steps.
func threshold(w *writer) *problem {
	n, s, sd := w.within(4, 15), w.scale(0.5, 1.5), w.scale(1, 2)
	x, low, high, at := w.normals(n, 0, 1), w.normal(0, 1), w.normal(0, 1), w.normal(0, 0.7)
	low, high = rounded(low, 3), rounded(high, 3)
	y := make([]float64, n)
	level := func(x, at float64) float64 {
		if x > at {
			return high
		}
		return low
	}
	for i := range y {
		y[i] = rounded(w.normal(level(x[i], at), s), 6)
	}
	w.vector("x", x)
	w.vector("y", y)
	w.real("c", gaussian(0, sd))
	w.line("for (n in 1:N_y) { y[n] ~ normal(x[n] > c ? %s : %s, %s); }", num(high), num(low), num(s))
	var peaks []peak
	for _, v := range x {
		peaks = append(peaks, peak{v, 0.05})
	}
	return levelled(x, y, level, s, sd, peaks)
}

// levelled is the answer for a place c with a normal prior, on which the means of y at x depend.
func levelled(x, y []float64, level func(x, c float64) float64, s, sd float64, peaks []peak) *problem {
	return &problem{Exact: line("c", func(c float64) float64 {
		lp := normalLog(c, 0, sd)
		for i, v := range y {
			lp += normalLog(v, level(x[i], c), s)
		}
		return lp
	}, -10*sd, 10*sd, peaks...)}
}

// spikedLines is a regression each of whose coefficients is near zero or not.
func spikedLines(w *writer) *problem {
	n, d, s, p := w.within(5, 20), w.within(2, 4), w.scale(0.5, 1.5), w.uniform(0.3, 0.7)
	spike, slab := w.scale(0.03, 0.2), w.scale(1, 3)
	x, rows, y := mat.NewDense(n, d, nil), make([][]float64, n), make([]float64, n)
	beta := make([]float64, d)
	for j := range beta {
		beta[j] = w.normal(0, 1) * float64(w.r.IntN(2))
	}
	for i := range rows {
		rows[i] = w.normals(d, 0, 1)
		x.SetRow(i, rows[i])
		y[i] = rounded(mat.Dot(x.RowView(i), mat.NewVecDense(d, beta))+w.normal(0, s), 6)
	}
	w.matrix("x", rows)
	w.vector("y", y)
	w.param("vector[%d] b", d)
	w.line("for (j in 1:%d) { target += log_mix(%s, normal_lpdf(b[j] | 0, %s), normal_lpdf(b[j] | 0, %s)); }", d, num(p), num(spike), num(slab))
	w.line("y ~ normal(x * b, %s);", num(s))
	var m mixture
	for bits := range 1 << d {
		sd, logp := make([]float64, d), 0.0
		for j := range sd {
			k := bits >> j & 1
			sd[j] = []float64{spike, slab}[k]
			logp += math.Log([]float64{p, 1 - p}[k])
		}
		post, logw := independent(same(d, 0), sd).given(x, y, same(n, s))
		mean, variance := post.parts()
		m.add(logp+logw, mean, variance)
	}
	return &problem{Exact: m.moments(indexed("b", d)...)}
}

// threeShares are those of three known components, by the labels of few observations.
func threeShares(w *writer) *problem {
	n, s := w.within(3, 7), w.scale(0.5, 1.5)
	a, at := []float64{w.uniform(0.6, 3), w.uniform(0.6, 3), w.uniform(0.6, 3)}, []float64{-2, 0, w.uniform(1, 3)}
	y := make([]float64, n)
	for i := range y {
		y[i] = rounded(w.normal(at[w.r.IntN(3)], s), 6)
	}
	w.vector("y", y)
	w.param("simplex[3] p")
	w.line("p ~ dirichlet([%s]');", list(a...))
	w.line("for (n in 1:N_y) { vector[3] lp = log(p); for (k in 1:3) { lp[k] += normal_lpdf(y[n] | [%s][k], %s); } target += log_sum_exp(lp); }", list(at...), num(s))
	var m mixture
	total := float64(n)
	for _, v := range a {
		total += v
	}
	for code, all := 0, int(math.Pow(3, float64(n))); code < all; code++ {
		count, logw := append([]float64{}, a...), 0.0
		for i, rest := 0, code; i < n; i, rest = i+1, rest/3 {
			count[rest%3]++
			logw += normalLog(y[i], at[rest%3], s)
		}
		var mean, variance []float64
		for _, v := range count {
			g, _ := math.Lgamma(v)
			logw += g
			mean, variance = append(mean, v/total), append(variance, v*(total-v)/(total*total*(total+1)))
		}
		m.add(logw, mean, variance)
	}
	return &problem{Exact: m.moments(indexed("p", 3)...)}
}

// heavyPlane is a multivariate t of some degrees of freedom, written by its quadratic form.
func heavyPlane(w *writer) *problem {
	d, nu := w.within(2, 6), float64(w.within(5, 9))
	m, l := w.normals(d, 0, 2), mat.NewDense(d, d, nil)
	for i := range d {
		for j := range i {
			l.Set(i, j, w.uniform(-0.7, 0.7))
		}
		l.Set(i, i, w.scale(0.5, 2))
	}
	var s, precision mat.Dense
	s.Mul(l, l.T())
	if err := precision.Inverse(&s); err != nil {
		panic(err)
	}
	rows := make([][]float64, d)
	for i := range rows {
		for j := range d {
			rows[i] = append(rows[i], precision.At(i, j))
		}
	}
	w.matrix("p", rows)
	w.vector("m", m)
	w.param("vector[%d] x", d)
	w.line("target += -%s * log1p(quad_form(p, x - m) / %s);", num((nu+float64(d))/2), num(nu))
	var variance []float64
	for i := range d {
		variance = append(variance, nu/(nu-2)*s.At(i, i))
	}
	return &problem{Exact: of(indexed("x", d), m, variance)}
}
