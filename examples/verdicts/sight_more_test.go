package main

// This file holds the second half of the classes of sight: counts, truncation, groups, atoms, angles, many rows, matrices, and no posterior.

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// countsSummed sees Poisson counts with errors; each count is summed out in a loop.
func countsSummed(w *writer) *problem {
	n, most, s, shape, inverse := w.within(1, 6), 40, w.scale(0.2, 1.5), w.uniform(1, 4), w.uniform(0.3, 1)
	y, level := make([]float64, n), w.uniform(1, 8)
	for i := range y {
		y[i] = rounded(w.normal(float64(w.poisson(level)), s), 6)
	}
	w.vector("y", y)
	w.positive("rate", gamma(shape, inverse))
	w.line("for (n in 1:N_y) { vector[%d] lp; for (k in 0:%d) { lp[k + 1] = poisson_lpmf(k | rate) + normal_lpdf(y[n] | k, %s); } target += log_sum_exp(lp); }", most+1, most, num(s))
	prior := gamma(shape, inverse)
	return &problem{Exact: line("rate", func(x float64) float64 {
		lp, p := prior.log(x), distuv.Poisson{Lambda: x}
		for _, v := range y {
			sum := 0.0
			for k := range most + 1 {
				sum += math.Exp(p.LogProb(float64(k)) + normalLog(v, float64(k), s))
			}
			lp += math.Log(sum)
		}
		return lp
	}, 1e-8, 80, peak{1e-6, 1}, peak{level, 1})}
}

// cutTwice are normal data of which those outside an interval were left out.
func cutTwice(w *writer) *problem {
	n, lo, hi, sd := w.within(8, 40), w.uniform(-2, -0.5), w.uniform(0.5, 3), w.scale(1, 2)
	y, truth, s := make([]float64, n), w.normal(0, 0.7), w.scale(0.4, 1.2)
	for i := range y {
		for y[i] = hi + 1; y[i] < lo || y[i] > hi; {
			y[i] = rounded(w.normal(truth, s), 6)
		}
	}
	prior := lognormal(0, 0.5)
	w.vector("y", y)
	w.real("mu", gaussian(0, sd))
	w.positive("s", prior)
	w.line("for (n in 1:N_y) { y[n] ~ normal(mu, s) T[%s, %s]; }", num(lo), num(hi))
	return &problem{Exact: cube([]string{"mu", "s"}, []axis{plain(-15*sd, 15*sd), positive(0.01, 30)}, func(q []float64) float64 {
		v := normalLog(q[0], 0, sd) + prior.log(q[1])
		a, b := (lo-q[0])/q[1], (hi-q[0])/q[1]
		if a > 0 {
			a, b = -b, -a
		}
		inside := normalCDF(b) + math.Log1p(-math.Exp(normalCDF(a)-normalCDF(b)))
		for _, x := range y {
			v += normalLog(x, q[0], q[1]) - inside
		}
		return v
	})}
}

// binned are counts of normal data in bins.
func binned(w *writer) *problem {
	k, sd, prior := w.within(3, 8), w.scale(1, 3), lognormal(0, 0.5)
	edge, count := make([]float64, k-1), make([]int, k)
	for i := range edge {
		edge[i] = rounded(-2+4*(float64(i)+0.5)/float64(k-1), 3)
	}
	truth, s := w.normal(0, 1), w.scale(0.6, 1.5)
	for range w.within(8, 60) {
		at, _ := slices.BinarySearch(edge, w.normal(truth, s))
		count[at]++
	}
	w.counts("c", count)
	w.real("mu", gaussian(0, sd))
	w.positive("s", prior)
	w.line("array[%d] real edge = {%s};", k-1, list(edge...))
	w.line("target += c[1] * normal_lcdf(edge[1] | mu, s) + c[%d] * normal_lccdf(edge[%d] | mu, s);", k, k-1)
	w.line("for (j in 2:%d) { target += c[j] * log_diff_exp(normal_lcdf(edge[j] | mu, s), normal_lcdf(edge[j - 1] | mu, s)); }", k-1)
	return &problem{Exact: cube([]string{"mu", "s"}, []axis{plain(-12*sd, 12*sd), positive(0.02, 30)}, func(q []float64) float64 {
		v := normalLog(q[0], 0, sd) + prior.log(q[1])
		for j, n := range count {
			a, b := math.Inf(-1), math.Inf(1)
			if j > 0 {
				a = (edge[j-1] - q[0]) / q[1]
			}
			if j < k-1 {
				b = (edge[j] - q[0]) / q[1]
			}
			if a > 0 {
				a, b = -b, -a
			}
			if n > 0 {
				v += float64(n) * math.Log(math.Max((math.Erfc(-b/math.Sqrt2)-math.Erfc(-a/math.Sqrt2))/2, 1e-300))
			}
		}
		return v
	})}
}

// funnelGroups are few or many groups with little data each, with one known error.
func funnelGroups(w *writer) *problem {
	return unitGroups(w, []int{2, 5, 20, 100, 200}[w.r.IntN(5)], 1)
}

// groupsUnits are such in other units.
func groupsUnits(w *writer) *problem {
	return unitGroups(w, w.within(3, 10), []float64{1e8, 1e-8}[w.r.IntN(2)])
}

// unitGroups has groups of known error se, all in a unit.
func unitGroups(w *writer, j int, unit float64) *problem {
	sd, se, size := rounded(unit*w.scale(1, 4), 3), rounded(unit*w.scale(0.5, 3), 3), rounded(unit*w.scale(0.5, 2), 3)
	tau, mu := unit*w.scale(0.05, 2), w.normal(0, unit)
	y, mean, square := make([]float64, j), 0.0, 0.0
	for i := range y {
		y[i] = rounded(w.normal(mu, math.Hypot(tau, se)), 6)
		mean += y[i] / float64(j)
	}
	for _, v := range y {
		square += (v - mean) * (v - mean)
	}
	w.vector("y", y)
	w.param("real mu")
	w.param("real<lower=0> tau")
	w.line("mu ~ normal(0, %s); tau ~ normal(0, %s);", num(sd), num(size))
	if w.coin() {
		w.param("vector[%d] theta", j)
		w.line("theta ~ normal(mu, tau);")
	} else {
		w.param("vector<offset=mu, multiplier=tau>[%d] theta", j)
		w.line("theta ~ normal(mu, tau);")
	}
	w.observe("y", "normal", "theta[n]", num(se))
	var m mixture
	n := float64(j)
	lattice([]axis{positive(unit*1e-5, unit*1e3)}, func(q []float64) float64 {
		v := (se*se + q[0]*q[0]) / (unit * unit)
		total := v/n + sd*sd/(unit*unit)
		return normalLog(q[0], 0, size) - (n-1)/2*math.Log(v) - square/(unit*unit)/(2*v) - math.Log(total)/2 - mean*mean/(unit*unit)/(2*total)
	}, func(q []float64, logw float64) {
		v, t2 := se*se+q[0]*q[0], q[0]*q[0]
		vm := 1 / (n/v + 1/(sd*sd))
		at := vm * n * mean / v
		a, b := []float64{at, q[0]}, []float64{vm, 0}
		for _, x := range y {
			k := t2 / v // theta is (1-k) mu + k y, with variance k se^2
			a, b = append(a, (1-k)*at+k*x), append(b, k*se*se+(1-k)*(1-k)*vm)
		}
		m.add(logw, a, b)
	})
	return &problem{Exact: m.moments(append([]string{"mu", "tau"}, indexed("theta", j)...)...)}
}

// atom is a number that counts as zero where it is below: what is seen of it has mass at zero.
func atom(w *writer) *problem {
	d, s, centre, sd := w.within(1, 4), w.scale(0.3, 1.5), w.uniform(-1.5, 1), w.scale(0.5, 2)
	y, mean, variance := make([]float64, d), []float64{}, []float64{}
	for i := range y {
		y[i] = rounded(w.normal(max(0, w.normal(centre, sd)), s), 6)
		var m mixture
		along(centre-15*sd, centre+15*sd, []peak{{0, s / 4}, {centre, sd}, {y[i], s}}, func(x, logw float64) {
			c := max(x, 0)
			m.add(logw+normalLog(x, centre, sd)+normalLog(y[i], c, s), []float64{x, c}, nil)
		})
		for _, e := range m.moments("x", "c") {
			mean, variance = append(mean, e.Mean), append(variance, e.SD*e.SD)
		}
	}
	w.vector("y", y)
	w.param("vector[%d] x", d)
	w.prior("x", gaussian(centre, sd))
	w.define("vector[%d] c = fmax(x, 0)", d)
	w.observe("y", "normal", "c[n]", num(s))
	var names []string
	for i := range d {
		names = append(names, fmt.Sprintf("x.%d", i+1), fmt.Sprintf("c.%d", i+1))
	}
	return &problem{Exact: of(names, mean, variance)}
}

// switchedOff is an effect that is absent with some probability: exactly zero.
func switchedOff(w *writer) *problem {
	n, s, sd, p := w.within(1, 12), w.scale(0.5, 2), w.scale(1, 10), w.uniform(0.2, 0.8)
	y := w.normals(n, []float64{0, w.normal(0, 1)}[w.r.IntN(2)], s)
	w.vector("y", y)
	w.param("int<lower=0, upper=1> on")
	w.param("real theta")
	w.define("real b = on == 1 ? theta : 0")
	w.line("on ~ bernoulli(%s); theta ~ normal(0, %s);", num(p), num(sd))
	w.line("y ~ normal(b, %s);", num(s))
	var m mixture
	x := mat.NewDense(n, 1, same(n, 1))
	post, logw := independent([]float64{0}, []float64{sd}).given(x, y, same(n, s))
	mean, variance := post.parts()
	m.add(math.Log(p)+logw, []float64{1, mean[0], mean[0]}, []float64{0, variance[0], variance[0]})
	off := math.Log1p(-p) - float64(n)/2*math.Log(2*math.Pi)
	for _, v := range y {
		off += normalLog(v, 0, s)
	}
	m.add(off, []float64{0, 0, 0}, []float64{0, sd * sd, 0})
	out := m.moments("on", "theta", "b")
	out[0].MeanOnly = true
	return &problem{Exact: out}
}

// turning sees the cosine, or sine and cosine, of a number that goes round several times.
func turning(w *writer) *problem {
	n, s, sd, centre := w.within(1, 6), w.scale(0.1, 0.6), w.scale(1, 10), w.uniform(-2, 2)
	truth := w.normal(centre, sd)
	both := w.coin()
	y, z := w.normals(n, math.Cos(truth), s), w.normals(n, math.Sin(truth), s)
	w.vector("y", y)
	w.real("x", gaussian(centre, sd))
	w.line("y ~ normal(cos(x), %s);", num(s))
	if both {
		w.vector("z", z)
		w.line("z ~ normal(sin(x), %s);", num(s))
	}
	var peaks []peak
	for k := -60; k <= 60; k++ {
		peaks = append(peaks, peak{float64(k), 0.5})
	}
	return &problem{Exact: line("x", func(x float64) float64 {
		v := normalLog(x, centre, sd)
		for i := range y {
			if v += normalLog(y[i], math.Cos(x), s); both {
				v += normalLog(z[i], math.Sin(x), s)
			}
		}
		return v
	}, centre-10*sd, centre+10*sd, peaks...)}
}

// doubleAngle is an angle of which directions tell twice, or three times, the value.
func doubleAngle(w *writer) *problem {
	n, kappa, k, truth := w.within(1, 8), w.scale(1, 10), float64(w.within(2, 3)), w.uniform(-3, 3)
	y, lean := make([]float64, n), w.uniform(0, 0.3)
	for i := range y {
		y[i] = rounded(math.Remainder(w.normal(k*truth, 1/math.Sqrt(kappa)), 2*math.Pi), 6)
	}
	w.vector("y", y)
	w.param("real<lower=-pi(), upper=pi()> a")
	w.line("a ~ von_mises(0.5, %s);", num(lean+0.01))
	w.line("y ~ von_mises(%s * a, %s);", num(k), num(kappa))
	var peaks []peak
	for j := range 13 {
		peaks = append(peaks, peak{-math.Pi + float64(j)*math.Pi/6, 0.1})
	}
	return &problem{Exact: line("a", func(a float64) float64 {
		lp := (lean + 0.01) * math.Cos(a-0.5)
		for _, v := range y {
			lp += kappa * (math.Cos(v-k*a) - 1)
		}
		return lp
	}, -math.Pi, math.Pi, peaks...)}
}

// nearlyAlike is a regression on columns that are one but for a thousandth or less.
func nearlyAlike(w *writer) *problem { return alikeIn(w, w.within(5, 20), w.scale(1e-4, 1e-2)) }

func alikeIn(w *writer, d int, apart float64) *problem {
	n, s, sd := w.within(5, 60), w.scale(0.3, 2), w.scale(1, 10)
	rows, y := make([][]float64, n), make([]float64, n)
	b := w.normals(d, 0, 1)
	for i := range rows {
		common := w.normal(0, 1)
		for j := range d {
			v := rounded(common+apart*w.normal(0, 1), 8)
			rows[i] = append(rows[i], v)
			y[i] += v * b[j]
		}
		y[i] = rounded(w.normal(y[i], s), 8)
	}
	return regressed(w, rows, y, sd, s)
}

// rowsLine is a line through 100,000 points.
func rowsLine(w *writer) *problem {
	n, s, sd := 100_000, w.scale(0.3, 3), w.scale(1, 10)
	x, a, b := w.normals(n, w.uniform(-3, 3), 1), w.normal(0, 1), w.normal(0, 1)
	y := make([]float64, n)
	p, q, r, f, g := 1/(sd*sd), 0.0, 1/(sd*sd), 0.0, 0.0
	for i := range y {
		y[i] = rounded(w.normal(a+b*x[i], s), 6)
		p, q, r = p+1/(s*s), q+x[i]/(s*s), r+x[i]*x[i]/(s*s)
		f, g = f+y[i]/(s*s), g+x[i]*y[i]/(s*s)
	}
	w.vector("x", x)
	w.vector("y", y)
	w.real("a", gaussian(0, sd))
	w.real("b", gaussian(0, sd))
	w.observe("y", "normal", "a + b * x[n]", num(s))
	det := p*r - q*q
	return &problem{Exact: of([]string{"a", "b"}, []float64{(r*f - q*g) / det, (p*g - q*f) / det}, []float64{r / det, p / det})}
}

// rowsCounts are 100,000 counts, or answers of yes and no, with one unknown.
func rowsCounts(w *writer) *problem {
	n, sum, sd, family := 100_000, 0, w.scale(1, 5), []string{"poisson_log", "bernoulli_logit"}[w.r.IntN(2)]
	y, rate := make([]int, n), w.uniform(0.02, 0.9)
	for i := range y {
		if y[i] = w.poisson(rate); family == "bernoulli_logit" {
			y[i] = w.binomial(1, rate)
		}
		sum += y[i]
	}
	w.counts("y", y)
	w.real("x", gaussian(0, sd))
	w.observe("y", family, "x")
	at, wide := math.Log(rate), 1/math.Sqrt(float64(n)*rate)
	if family == "bernoulli_logit" {
		at, wide = math.Log(rate/(1-rate)), 1/math.Sqrt(float64(n)*rate*(1-rate))
	}
	return &problem{Exact: line("x", func(x float64) float64 {
		v := normalLog(x, 0, sd) + float64(sum)*x
		if family == "bernoulli_logit" {
			return v - float64(n)*math.Log1p(math.Exp(x))
		}
		return v - float64(n)*math.Exp(x)
	}, -12, 12, peak{at, wide})}
}

// pairCorrelation is a correlation matrix of two, with the prior of its own and pairs of data.
func pairCorrelation(w *writer) *problem {
	n, eta, truth := w.within(2, 40), w.uniform(0.7, 4), w.uniform(-0.95, 0.95)
	rows, a, b := make([][]float64, n), 0.0, 0.0
	for i := range rows {
		x := w.normal(0, 1)
		r := []float64{rounded(x, 6), rounded(w.normal(truth*x, math.Sqrt(1-truth*truth)), 6)}
		rows[i] = r
		a, b = a+r[0]*r[0]+r[1]*r[1], b+r[0]*r[1]
	}
	w.matrix("y", rows)
	name := "R.1.2"
	if w.coin() {
		w.param("corr_matrix[2] R")
		w.line("R ~ lkj_corr(%s);", num(eta))
		w.line("for (n in 1:%d) { y[n] ~ multi_normal(rep_vector(0, 2), R); }", n)
	} else {
		name = "L.2.1"
		w.param("cholesky_factor_corr[2] L")
		w.line("L ~ lkj_corr_cholesky(%s);", num(eta))
		w.line("for (n in 1:%d) { y[n] ~ multi_normal_cholesky(rep_vector(0, 2), L); }", n)
	}
	return &problem{Exact: line(name, func(r float64) float64 {
		u := 1 - r*r
		return (eta-1-float64(n)/2)*math.Log(u) - (a-2*r*b)/(2*u)
	}, -1, 1, peak{1, 1e-6}, peak{-1, 1e-6}, peak{truth, 0.1})}
}

// pairCovariance has two spreads and their correlation, each with a prior of its own.
func pairCovariance(w *writer) *problem {
	n, truth, s := w.within(4, 30), w.uniform(-0.9, 0.9), []float64{w.scale(0.3, 3), w.scale(0.3, 3)}
	rows, ss := make([][]float64, n), [3]float64{}
	for i := range rows {
		x := w.normal(0, 1)
		r := []float64{rounded(s[0]*x, 6), rounded(s[1]*w.normal(truth*x, math.Sqrt(1-truth*truth)), 6)}
		rows[i] = r
		ss[0], ss[1], ss[2] = ss[0]+r[0]*r[0], ss[1]+r[0]*r[1], ss[2]+r[1]*r[1]
	}
	prior := lognormal(0, 1)
	w.matrix("y", rows)
	w.param("vector<lower=0>[2] s")
	w.param("real<lower=-1, upper=1> r")
	w.prior("s", prior)
	w.line("matrix[2, 2] S = quad_form_diag([[1, r], [r, 1]], s);")
	w.line("for (n in 1:%d) { y[n] ~ multi_normal(rep_vector(0, 2), S); }", n)
	return &problem{Exact: cube([]string{"s.1", "s.2", "r"}, []axis{positive(0.03, 30), positive(0.03, 30), inside(-1, 1)}, func(q []float64) float64 {
		u := 1 - q[2]*q[2]
		return prior.log(q[0]) + prior.log(q[1]) - float64(n)*(math.Log(q[0])+math.Log(q[1])+math.Log(u)/2) -
			(ss[0]/(q[0]*q[0])-2*q[2]*ss[1]/(q[0]*q[1])+ss[2]/(q[1]*q[1]))/(2*u)
	})}
}

// manyShares are shares of which several have no counts.
func manyShares(w *writer) *problem {
	d, a := w.within(5, 20), w.uniform(0.8, 2)
	y, total := make([]int, d), a*float64(d)
	for i := range y {
		if w.r.IntN(3) > 0 {
			y[i] = w.poisson(w.scale(0.5, 30))
		}
		total += float64(y[i])
	}
	w.counts("y", y)
	w.param("simplex[%d] p", d)
	w.line("p ~ dirichlet(rep_vector(%s, %d));", num(a), d)
	w.line("y ~ multinomial(p);")
	var mean, variance []float64
	for _, k := range y {
		m := (a + float64(k)) / total
		mean, variance = append(mean, m), append(variance, m*(1-m)/(total+1))
	}
	return &problem{Exact: of(indexed("p", d), mean, variance)}
}

// spacings are exponential numbers in order: the steps between them are independent.
func spacings(w *writer) *problem {
	d, rate := w.within(2, 10), w.scale(0.1, 10)
	w.param("positive_ordered[%d] c", d)
	w.line("c ~ exponential(%s);", num(rate))
	var mean, variance []float64
	m, v := 0.0, 0.0
	for k := range d {
		step := 1 / (rate * float64(d-k))
		m, v = m+step, v+step*step
		mean, variance = append(mean, m), append(variance, v)
	}
	return &problem{Exact: of(indexed("c", d), mean, variance)}
}

// zeroSum are numbers whose sum is zero, with a datum each.
func zeroSum(w *writer) *problem {
	d, s, sd := w.within(3, 15), w.scale(0.3, 2), w.scale(0.5, 3)
	y, total := w.normals(d, w.normal(0, 1), sd), 0.0
	for _, v := range y {
		total += v
	}
	w.vector("y", y)
	w.param("sum_to_zero_vector[%d] x", d)
	w.prior("x", gaussian(0, sd))
	w.observe("y", "normal", "x[n]", num(s))
	v, mean := 1/(1/(sd*sd)+1/(s*s)), []float64{}
	for _, x := range y {
		mean = append(mean, v/(s*s)*(x-total/float64(d)))
	}
	return &problem{Exact: of(indexed("x", d), mean, same(d, v*(1-1/float64(d))))}
}

// unboundedMass has no posterior.
func unboundedMass(w *writer) *problem {
	y := w.normals(w.within(3, 12), 1, 1)
	w.vector("y", y)
	switch w.r.IntN(7) {
	case 0: // a component that may be empty, and no prior of its mean
		w.param("vector[2] mu")
		w.each("y", "log_mix(0.4, normal_lpdf(y[n] | mu[1], 1), normal_lpdf(y[n] | mu[2], 1))")
	case 1: // only a difference is told
		w.param("vector[3] b")
		w.observe("y", "normal", "b[1] - b[2] + 0 * b[3]", "1")
		w.line("b[3] ~ normal(0, 1);")
	case 2: // heavy errors hold no prior's place: one datum has a Cauchy's tail, its scale is free
		w.param("real mu")
		w.param("real<lower=0> s")
		w.line("y[1] ~ cauchy(mu, s);")
	case 3: // a rate without events
		w.param("real log_rate")
		w.line("0 ~ poisson_log(log_rate);")
	case 4: // a correlation of groups: flat log scale
		w.param("real log_tau")
		w.param("vector[N_y] theta")
		w.line("theta ~ normal(0, exp(log_tau));")
		w.observe("y", "normal", "theta[n]", "1")
	case 5: // saturating growth: the half-way point may be anywhere
		w.param("real<lower=0> k")
		w.param("real<lower=0> top")
		w.line("top ~ normal(0, 2);")
		w.observe("y", "normal", "top * k / (k + 1)", "1")
	case 6: // degrees of freedom without a prior
		w.param("real mu")
		w.param("real<lower=0> nu")
		w.observe("y", "student_t", "nu", "mu", "1")
	}
	return &problem{Improper: true}
}
