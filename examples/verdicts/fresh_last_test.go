package main

// This file holds fresh classes of combs, chaos, needles, rare outliers and orders, and a few easy ones.

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// fresher are classes that were written after the first of the fresh ones had been run.
func fresher() []*class {
	return []*class{
		{"contaminated", "a location, a few data of another place", false, contaminated},
		{"capped", "a distance that is cut off is seen", false, capped},
		{"cubic", "numbers seen through a cubic", false, cubic},
		{"chaos", "the logistic map, its parameter unknown", false, chaos},
		{"sorted_seen", "two numbers are seen in order", false, sortedSeen},
		{"fractional", "fractional parts are seen", false, fractional},
		{"largest_of", "the largest of 3 to 8 numbers is seen", false, largestOf},
		{"index_bump", "a bump along one direction of 2 to 20", false, indexBump},
		{"prior_mixture", "a prior of two modes in a function", false, priorMixture},
		{"scale_pair", "a scale that is small or large", false, scalePair},
		{"multi_response", "regression with several responses", true, multiResponse},
		{"one_decay", "one exponential decay", true, oneDecay},
		{"gumbel_place", "location of Gumbel data", true, gumbelPlace},
		{"angle_known", "mean direction, many data", true, angleKnown},
	}
}

// contaminated is the location of data of which some come from elsewhere, all with normal errors.
func contaminated(w *writer) *problem {
	n, few, share, s, wide := w.within(4, 12), w.within(2, 4), w.uniform(0.05, 0.3), w.scale(0.1, 0.6), w.scale(5, 20)
	at, off, sd := w.normal(0, 1), w.uniform(3, 12), w.scale(3, 10)
	y := append(w.normals(n, at, s), w.normals(few, at+off, s)...)
	w.vector("y", y)
	w.real("mu", gaussian(0, sd))
	w.each("y", fmt.Sprintf("log_mix(%s, normal_lpdf(y[n] | 0, %s), normal_lpdf(y[n] | mu, %s))", num(share), num(wide), num(s)))
	peaks := []peak{{0, sd}}
	for _, v := range y {
		peaks = append(peaks, peak{v, s / 2})
	}
	return &problem{Exact: line("mu", func(mu float64) float64 {
		v := normalLog(mu, 0, sd)
		for _, x := range y {
			v += logMix(share, normalLog(x, 0, wide), normalLog(x, mu, s))
		}
		return v
	}, -12*sd, 12*sd, peaks...)}
}

// capped are points of which a distance is seen up to a cap.
func capped(w *writer) *problem {
	d, s := w.within(1, 3), w.scale(0.02, 0.2)
	far, cut := w.uniform(0.5, 2.5), w.uniform(0.5, 1.5)
	centre := w.direction(d, far)
	y := w.normals(w.within(1, 4), []float64{cut, w.uniform(0, 0.3)}[w.r.IntN(2)], s)
	w.vector("y", y)
	w.param("vector[%d] t", d)
	w.line("t ~ std_normal();")
	w.line("y ~ normal(fmin(distance(t, [%s]'), %s), %s);", list(centre...), num(cut), num(s))
	return &problem{Exact: aroundBump(centre, far, 1, func(u float64) (v float64) {
		for _, x := range y {
			v += normalLog(x, min(math.Sqrt(u), cut), s)
		}
		return v
	})}
}

// cubic are numbers of which a cubic is seen, which has up to three roots.
func cubic(w *writer) *problem {
	d, c, s, sd := w.within(1, 6), w.uniform(0.5, 2), w.scale(0.1, 1), w.scale(1, 2.5)
	y, out := make([]float64, d), []moment{}
	of := func(x float64) float64 { return x*x*x - 3*c*x }
	for i := range y {
		y[i] = rounded(w.normal(of(w.normal(0, 1.2)), s), 6)
		var peaks []peak
		for x := -8.0; x <= 8; x += 0.1 {
			peaks = append(peaks, peak{x, 0.05})
		}
		out = append(out, line(fmt.Sprintf("x.%d", i+1), func(x float64) float64 {
			return normalLog(x, 0, sd) + normalLog(y[i], of(x), s)
		}, -10*sd, 10*sd, peaks...)...)
	}
	w.vector("y", y)
	w.param("vector[%d] x", d)
	w.prior("x", gaussian(0, sd))
	w.line([]string{"for (n in 1:N_y) y[n] ~ normal(x[n]^3 - %[1]s * x[n], %[2]s);", "y ~ normal(x .* (square(x) - %[1]s), %[2]s);"}[w.r.IntN(2)], num(3*c), num(s))
	return &problem{Exact: out}
}

// chaos is a series by the logistic map from a known start, seen with errors.
func chaos(w *writer) *problem {
	n, s, x0 := w.within(4, 9), w.scale(0.05, 0.3), w.uniform(0.1, 0.4)
	path := func(r float64) []float64 {
		x, out := x0, make([]float64, n)
		for i := range out {
			x *= r * (1 - x)
			out[i] = x
		}
		return out
	}
	y := path(3.5 + 0.5*w.r.Float64())
	for i := range y {
		y[i] = rounded(w.normal(y[i], s), 6)
	}
	w.vector("y", y)
	w.param("real<lower=3.4, upper=4> r")
	w.line("{ real x = %s; for (n in 1:N_y) { x = r * x * (1 - x); y[n] ~ normal(x, %s); } }", num(x0), num(s))
	var m mixture
	const points = 400_000
	for k := range points {
		r := 3.4 + 0.6*(float64(k)+0.5)/points
		v := 0.0
		for i, x := range path(r) {
			v += normalLog(y[i], x, s)
		}
		m.add(v, []float64{r}, nil)
	}
	return &problem{Exact: m.moments("r")}
}

// sortedSeen are two numbers whose lesser and whose greater are seen.
func sortedSeen(w *writer) *problem {
	s, sd, lean := w.scale(0.1, 1), w.scale(1, 3), []float64{0, w.uniform(-0.3, 0.3)}[w.r.IntN(2)]
	y := w.normals(2, 0, sd)
	slices.Sort(y)
	w.vector("y", y)
	w.real("a", gaussian(lean, sd))
	w.real("b", gaussian(0, sd))
	w.line([]string{"y ~ normal(sort_asc([a, b]'), %[1]s);", "y[1] ~ normal(fmin(a, b), %[1]s); y[2] ~ normal(fmax(a, b), %[1]s);", "y ~ normal(a < b ? [a, b]' : [b, a]', %[1]s);"}[w.r.IntN(3)], num(s))
	return &problem{Exact: cube([]string{"a", "b"}, []axis{plain(-9*sd, 9*sd), plain(-9*sd, 9*sd)}, func(q []float64) float64 {
		return normalLog(q[0], lean, sd) + normalLog(q[1], 0, sd) + normalLog(y[0], min(q[0], q[1]), s) + normalLog(y[1], max(q[0], q[1]), s)
	})}
}

// fractional are numbers of which the fractional part is seen.
func fractional(w *writer) *problem {
	d, s, sd := w.within(1, 5), w.scale(0.02, 0.3), w.scale(0.4, 4)
	y, out := make([]float64, d), []moment{}
	var peaks []peak
	for k := -int(11 * sd); k <= int(11*sd); k++ {
		peaks = append(peaks, peak{float64(k), s})
	}
	for i := range y {
		y[i] = rounded(w.normal(w.r.Float64(), s), 6)
		more := slices.Clone(peaks)
		for _, p := range peaks {
			more = append(more, peak{p.at + y[i], s})
		}
		out = append(out, line(fmt.Sprintf("x.%d", i+1), func(x float64) float64 {
			return normalLog(x, 0, sd) + normalLog(y[i], x-math.Floor(x), s)
		}, -10*sd, 10*sd, more...)...)
	}
	w.vector("y", y)
	w.param("vector[%d] x", d)
	w.prior("x", gaussian(0, sd))
	w.line("y ~ normal(x - floor(x), %s);", num(s))
	return &problem{Exact: out}
}

// largestOf are numbers of which the largest is seen: given it, one of them is it and the others are normals that are cut off there.
func largestOf(w *writer) *problem { return largestIn(w, w.within(3, 8), w.scale(0.05, 1)) }

func largestIn(w *writer, d int, s float64) *problem {
	y := w.normals(w.within(1, 3), w.uniform(0, 3), s)
	w.vector("y", y)
	w.param("vector[%d] x", d)
	w.line("x ~ std_normal();")
	w.line("y ~ normal(max(x), %s);", num(s))
	var m mixture
	n := float64(d)
	along(-8, 10, []peak{{y[0], s}, {0, 1}}, func(top, logw float64) {
		v := logw + normalLog(top, 0, 1) + (n-1)*normalCDF(top)
		for _, x := range y {
			v += normalLog(x, top, s)
		}
		ratio := math.Exp(normalLog(top, 0, 1)-normalCDF(top)) / math.Sqrt(2*math.Pi)
		mean, variance := -ratio, 1-top*ratio-ratio*ratio
		all := (top + (n-1)*mean) / n
		second := (top*top + (n-1)*(variance+mean*mean)) / n
		m.add(v, []float64{all}, []float64{max(second-all*all, 0)})
	})
	one := m.moments("x")[0]
	return &problem{Exact: of(indexed("x", d), same(d, one.Mean), same(d, one.SD*one.SD))}
}

// indexBump is a bump in the mean of data along one direction.
func indexBump(w *writer) *problem {
	d, s, high, wide, at := w.within(2, 20), w.scale(0.3, 1), w.uniform(4, 10), w.scale(0.02, 0.3), w.uniform(-2.5, 2.5)
	a := w.direction(d, 1)
	for i := range a {
		a[i] = rounded(a[i], 6)
	}
	y := w.normals(w.within(1, 3), []float64{0, high, high / 2}[w.r.IntN(3)], s)
	w.vector("y", y)
	w.vector("a", a)
	w.param("vector[%d] x", d)
	w.line("x ~ std_normal();")
	w.line("y ~ normal(%s * exp(-square((dot_product(a, x) - %s) / %s)), %s);", num(high), num(at), num(wide), num(s))
	norm := mat.Norm(mat.NewVecDense(d, a), 2)
	one := line("z", func(z float64) float64 { // x along a
		u := (norm*z - at) / wide
		v := normalLog(z, 0, 1)
		for _, t := range y {
			v += normalLog(t, high*math.Exp(-u*u), s)
		}
		return v
	}, -10, 10, peak{0, 1}, peak{at, wide}, peak{at - wide, wide / 4}, peak{at + wide, wide / 4})[0]
	mean, variance := make([]float64, d), make([]float64, d)
	for i, v := range a {
		c := v / norm
		mean[i], variance[i] = c*one.Mean, 1-c*c+c*c*one.SD*one.SD
	}
	return &problem{Exact: of(indexed("x", d), mean, variance)}
}

// priorMixture is a prior of two modes in a user's function, with data that tell which or not.
func priorMixture(w *writer) *problem {
	d, far, s, t, p := w.within(1, 6), w.uniform(2, 10), w.scale(0.3, 1.5), w.scale(1, 10), w.uniform(0.2, 0.8)
	y, out := make([]float64, d), []moment{}
	prior := func(x float64) float64 { return logMix(p, normalLog(x, -far, s), normalLog(x, far, s)) }
	for i := range y {
		y[i] = rounded(w.normal(far*float64(2*w.r.IntN(2)-1), t), 6)
		out = append(out, line(fmt.Sprintf("x.%d", i+1), func(x float64) float64 { return prior(x) + normalLog(y[i], x, t) }, -far-15*s, far+15*s, peak{-far, s}, peak{far, s})...)
	}
	w.functions = append(w.functions, fmt.Sprintf("real two_lpdf(vector x, real far, real s) { real t = 0; for (v in x) t += log_mix(%s, normal_lpdf(v | -far, s), normal_lpdf(v | far, s)); return t; }", num(p)))
	w.vector("y", y)
	w.param("vector[%d] x", d)
	w.line("x ~ two(%s, %s);", num(far), num(s))
	w.observe("y", "normal", "x[n]", num(t))
	return &problem{Exact: out}
}

// scalePair is a scale that is small or large by its prior, with few data.
func scalePair(w *writer) *problem {
	n, p, a, b, s := w.within(1, 4), w.uniform(0.2, 0.8), w.uniform(-4, -1), w.uniform(1, 4), w.uniform(0.2, 0.8)
	y := w.normals(n, 0, w.scale(0.05, 10))
	w.vector("y", y)
	w.param("real<lower=0> s")
	w.line("target += log_sum_exp(log(%[1]s) + lognormal_lpdf(s | %[2]s, %[4]s), log1m(%[1]s) + lognormal_lpdf(s | %[3]s, %[4]s));", num(p), num(a), num(b), num(s))
	w.observe("y", "student_t", "2", "0", "s")
	return &problem{Exact: lineOf([]string{"s"}, -12, 12, []peak{{a, s}, {b, s}}, func(u float64) ([]float64, float64) {
		v := logMix(p, normalLog(u, a, s), normalLog(u, b, s))
		for _, x := range y {
			v += studentLog(2, x, 0, math.Exp(u))
		}
		return []float64{math.Exp(u)}, v
	})}
}

// multiResponse is a mean of several responses with known covariance.
func multiResponse(w *writer) *problem {
	d, n, s, rho, sd := w.within(2, 6), w.within(3, 30), w.scale(0.5, 2), w.uniform(0, 0.7), w.scale(0.5, 3)
	rows, total := make([][]float64, n), make([]float64, d)
	for i := range rows {
		f := w.normal(0, 1)
		for j := range d {
			rows[i] = append(rows[i], rounded(s*(math.Sqrt(rho)*f+math.Sqrt(1-rho)*w.normal(0, 1)), 6))
			total[j] += rows[i][j]
		}
	}
	w.matrix("y", rows)
	w.param("vector[%d] mu", d)
	w.prior("mu", gaussian(0, sd))
	w.line("matrix[%[1]d, %[1]d] S = add_diag(rep_matrix(%[2]s, %[1]d, %[1]d), %[3]s);", d, num(rho*s*s), num((1-rho)*s*s))
	w.line("for (n in 1:%d) y[n] ~ multi_normal(mu, S);", n)
	precision, h, sigma := mat.NewSymDense(d, nil), mat.NewVecDense(d, total), mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			sigma.SetSym(i, j, rho*s*s)
		}
		sigma.SetSym(i, i, s*s)
	}
	var inverse, post mat.Dense
	if inverse.Inverse(sigma) != nil {
		panic("no inverse")
	}
	for i := range d {
		for j := i; j < d; j++ {
			precision.SetSym(i, j, float64(n)*inverse.At(i, j))
		}
		precision.SetSym(i, i, precision.At(i, i)+1/(sd*sd))
	}
	var told, mean mat.VecDense
	told.MulVec(&inverse, h)
	if post.Inverse(precision) != nil {
		panic("no inverse")
	}
	mean.MulVec(&post, &told)
	variance := make([]float64, d)
	for i := range d {
		variance[i] = post.At(i, i)
	}
	return &problem{Exact: of(indexed("mu", d), mean.RawVector().Data, variance)}
}

// oneDecay is a decay of known height and unknown rate, with many data.
func oneDecay(w *writer) *problem {
	n, s, rate, prior := w.within(8, 30), w.scale(0.02, 0.2), w.scale(0.3, 2), lognormal(0, w.uniform(0.5, 1))
	t, y := make([]float64, n), make([]float64, n)
	for i := range t {
		t[i] = rounded(3*w.r.Float64(), 4)
		y[i] = rounded(w.normal(math.Exp(-rate*t[i]), s), 6)
	}
	w.vector("t", t)
	w.vector("y", y)
	w.positive("k", prior)
	w.line("y ~ normal(exp(-k * t), %s);", num(s))
	return &problem{Exact: lineOf([]string{"k"}, -8, 5, []peak{{math.Log(rate), s}}, func(u float64) ([]float64, float64) {
		k := math.Exp(u)
		v := prior.log(k) + u
		for i, x := range y {
			v += normalLog(x, math.Exp(-k*t[i]), s)
		}
		return []float64{k}, v
	})}
}

// gumbelPlace is the location of Gumbel data of known scale.
func gumbelPlace(w *writer) *problem {
	n, s, sd, truth := w.within(3, 30), w.scale(0.3, 3), w.scale(1, 5), w.normal(0, 1)
	y := make([]float64, n)
	for i := range y {
		y[i] = rounded(truth-s*math.Log(-math.Log(w.r.Float64())), 6)
	}
	prior := w.location(0, sd, true)
	w.vector("y", y)
	w.real("mu", prior)
	w.observe("y", "gumbel", "mu", num(s))
	return &problem{Exact: line("mu", func(mu float64) float64 {
		v := prior.log(mu)
		for _, x := range y {
			z := (x - mu) / s
			v += -z - math.Exp(-z)
		}
		return v
	}, -60*sd, 60*sd, peak{truth, s / 4}, peak{0, sd})}
}

// angleKnown is a mean direction, not near the cut, with many data.
func angleKnown(w *writer) *problem {
	n, kappa, truth := w.within(10, 40), w.scale(2, 20), w.uniform(-1, 1)
	y := make([]float64, n)
	c, s := 0.0, 0.0
	for i := range y {
		y[i] = rounded(w.normal(truth, 1/math.Sqrt(kappa)), 6)
		c, s = c+math.Cos(y[i]), s+math.Sin(y[i])
	}
	w.vector("y", y)
	w.param("real<lower=-3.141592653589793, upper=3.141592653589793> mu")
	w.line("for (n in 1:N_y) target += von_mises_lpdf(y[n] | mu, %s);", num(kappa))
	return &problem{Exact: line("mu", func(mu float64) float64 { return kappa * (c*math.Cos(mu) + s*math.Sin(mu)) }, -math.Pi, math.Pi, peak{truth, 0.02})}
}
