package main

// This file holds classes of regressions, states and factors whose answers have a second form: hinges, aliases, flips, clusters, labels of scales and of shares.

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// fresh are classes that are measured by tests alone, as told are, and that were written without a look at the checks.
func fresh() []*class {
	return []*class{
		{"level_outliers", "a level that moves, a run of outliers", false, levelOutliers},
		{"hinge", "a line with a hinge at an unknown place", false, hinge},
		{"signed_items", "items answered by people of two kinds, signs not told", false, signedItems},
		{"distance_seen", "only the distance of two points is told", false, distanceSeen},
		{"alias", "frequency of a sine seen at whole times", false, alias},
		{"clusters_each", "2 to 8 Cauchy locations, two clusters each", false, clustersEach},
		{"flip_flop", "two rates of a chain of compartments", false, flipFlop},
		{"selected", "a mean and a correlation, the outcomes selected by it", false, selected},
		{"rank_one", "only an outer product is told", false, rankOne},
		{"moving_average", "MA(1), invertible or not", false, movingAverage},
		{"two_doses", "a dose, its response rises and falls", false, twoDoses},
		{"ranging", "a place in the plane, its distance to stations", false, ranging},
		{"scale_labels", "mixture of two scales, one mean", false, scaleLabels},
		{"topics", "documents of two topics, no labels", false, topics},
		{"lines_mixed", "mixture of two lines", false, linesMixed},
		{"folded_line", "the size of a line is seen", false, foldedLine},
		{"prior_or_noise", "data far from a heavy prior, their scale unknown", false, priorOrNoise},
		{"funnel_seen", "funnel with a datum at each number", false, funnelSeen},
		{"ordered_modes", "two modes of numbers in order", false, orderedModes},
		{"simplex_modes", "two modes of shares", false, simplexModes},
		{"sign_of_correlation", "a correlation up to its sign", false, signOfCorrelation},
		{"wishart_modes", "two modes of a covariance matrix", false, wishartModes},
		{"which_level", "one of several unknown levels", false, whichLevel},
		{"few_bumps", "5 to 30 numbers, a second mode in two", false, fewBumps},
		{"hand_written", "Cauchy data in two clusters, densities by hand", false, handWritten},
		{"by_quantile", "numbers by the quantiles of uniform ones", false, byQuantile},
		{"all_zeros", "zero-inflated counts, nearly all zero", false, allZeros},
		{"outside", "data known to be outside intervals", false, outside},
		{"subset_sum", "which numbers are in a sum", false, subsetSum},
		{"rare_wide", "a hundredth of the mass is far wider", false, rareWide},
		{"rare_far", "a hundredth of the mass is far away", false, rareFar},
		{"odd_normal", "linear regression, written in unusual ways", true, oddNormal},
		{"beta_conflict", "proportions, priors and data far apart", true, betaConflict},
		{"negative_binomial", "negative binomial regression, known dispersion", true, negativeBinomial},
		{"beta_data", "mean of proportions, known precision", true, betaData},
		{"nested_bounds", "numbers that bound each other, data on each", true, nestedBounds},
		{"without_mass", "no posterior, in unlike ways", false, withoutMass},
	}
}

// levelOutliers is a level with normal steps, seen with heavy errors, of which a run is far off. Its exact answer is by sums forward and back.
func levelOutliers(w *writer) *problem {
	n, q, s, nu, sd := w.within(3, 10), w.scale(0.1, 0.6), w.scale(0.3, 1), float64(w.within(1, 4)), w.scale(2, 5)
	y, far := w.normals(n, 0, s), w.uniform(3, 9)*s
	for i := w.within(1, n-1); i < n; i++ {
		y[i] = rounded(y[i]+far, 6)
	}
	w.vector("y", y)
	w.param("vector[%d] x", n)
	w.line("x[1] ~ normal(0, %s);", num(sd))
	if w.coin() {
		w.line("x[2:%d] ~ normal(x[1:%d], %s);", n, n-1, num(q))
	} else {
		w.line("for (t in 2:%d) x[t] ~ normal(x[t - 1], %s);", n, num(q))
	}
	w.observe("y", "student_t", num(nu), "x[n]", num(s))
	step := q / 6
	half := int((9*sd + 10*q*math.Sqrt(float64(n))) / step)
	at := func(i int) float64 { return step * float64(i-half) }
	kernel := make([]float64, 55)
	for k := range kernel {
		kernel[k] = math.Exp(-math.Pow(float64(k)/6, 2) / 2)
	}
	spread := func(p []float64) []float64 {
		out, most := make([]float64, len(p)), slices.Max(p)
		for i, v := range p {
			for k := max(i-len(kernel)+1, 0); v > 1e-40*most && k < min(i+len(kernel), len(p)); k++ {
				out[k] += v / most * kernel[max(i-k, k-i)]
			}
		}
		return out
	}
	seen := func(p []float64, t int) []float64 {
		out := slices.Clone(p)
		for i := range out {
			out[i] *= math.Exp(studentLog(nu, y[t], at(i), s))
		}
		return out
	}
	before, after := make([][]float64, n), make([][]float64, n) // without the datum at t
	before[0], after[n-1] = make([]float64, 2*half+1), same(2*half+1, 1)
	for i := range before[0] {
		before[0][i] = math.Exp(-math.Pow(at(i)/sd, 2) / 2)
	}
	for t := 1; t < n; t++ {
		before[t] = spread(seen(before[t-1], t-1))
		after[n-1-t] = spread(seen(after[n-t], n-t))
	}
	var out []moment
	for t := range n {
		var m mixture
		for i, v := range seen(before[t], t) {
			m.add(math.Log(v*after[t][i]), []float64{at(i)}, nil)
		}
		out = append(out, m.moments(fmt.Sprintf("x.%d", t+1))...)
	}
	return &problem{Exact: out}
}

// hinge is a line whose slope changes at an unknown place.
func hinge(w *writer) *problem {
	n, s, sd, wide := w.within(5, 25), w.scale(0.3, 1.5), w.scale(1, 4), w.scale(0.5, 2)
	x, c, b := w.normals(n, 0, 1), w.normal(0, wide), w.normals(3, 0, sd)
	slices.Sort(x)
	y := make([]float64, n)
	for i := range y {
		y[i] = rounded(w.normal(b[0]+b[1]*x[i]+b[2]*max(x[i]-c, 0), s), 6)
	}
	w.vector("x", x)
	w.vector("y", y)
	w.real("c", gaussian(0, wide))
	w.param("vector[3] b")
	w.prior("b", gaussian(0, sd))
	if w.coin() {
		w.line("for (n in 1:N_y) y[n] ~ normal(b[1] + b[2] * x[n] + b[3] * fmax(x[n] - c, 0), %s);", num(s))
	} else {
		w.line("for (n in 1:N_y) { real m = b[1] + b[2] * x[n]; if (x[n] > c) { m += b[3] * (x[n] - c); } y[n] ~ normal(m, %s); }", num(s))
	}
	var m mixture
	peaks := []peak{{0, wide}}
	for _, v := range x {
		peaks = append(peaks, peak{v, 0.1})
	}
	along(-12*wide, 12*wide, peaks, func(c, logw float64) {
		design := mat.NewDense(n, 3, nil)
		for i, v := range x {
			design.SetRow(i, []float64{1, v, max(v-c, 0)})
		}
		post, evidence := independent(same(3, 0), same(3, sd)).given(design, y, same(n, s))
		mean, variance := post.parts()
		m.add(logw+evidence+normalLog(c, 0, wide), append([]float64{c}, mean...), append([]float64{0}, variance...))
	})
	return &problem{Exact: m.moments("c", "b.1", "b.2", "b.3")}
}

// signedItems are answers to items by people of two kinds who answer the other way round.
func signedItems(w *writer) *problem {
	items, people, lean, sd := w.within(2, 3), w.within(3, 25), []float64{0, 0.2}[w.r.IntN(2)], w.scale(1, 3)
	truth, y := w.normals(items, 0, sd), make([][]int, people)
	for i := range y {
		kind := float64(2*w.r.IntN(2) - 1)
		for _, a := range truth {
			y[i] = append(y[i], w.binomial(1, logistic01(kind*a)))
		}
	}
	w.data = append(w.data, fmt.Sprintf("array[%d, %d] int y;", people, items))
	w.vars["y"] = y
	w.param("vector[%d] a", items)
	w.prior("a", gaussian(lean, sd))
	w.line("for (i in 1:%d) target += log_mix(0.5, bernoulli_logit_lpmf(y[i] | a), bernoulli_logit_lpmf(y[i] | -a));", people)
	return &problem{Exact: cube(indexed("a", items), slices.Repeat([]axis{plain(-9*sd, 9*sd)}, items), func(q []float64) (v float64) {
		for _, a := range q {
			v += normalLog(a, lean, sd)
		}
		for _, row := range y {
			up, down := 0.0, 0.0
			for j, k := range row {
				up, down = up+logLogistic(float64(2*k-1)*q[j]), down+logLogistic(float64(1-2*k)*q[j])
			}
			v += logMix(0.5, up, down)
		}
		return v
	})}
}

// distanceSeen are two points on a line, in a plane or in space, whose distance is seen.
func distanceSeen(w *writer) *problem {
	k, s := w.within(1, 3), w.scale(0.05, 0.5)
	y := w.normals(w.within(1, 3), w.uniform(0.5, 4), s)
	w.vector("y", y)
	w.param("vector[%d] a", k)
	w.param("vector[%d] b", k)
	w.line("a ~ std_normal(); b ~ std_normal();")
	w.observe("y", "normal", "distance(a, b)", num(s))
	var m mixture
	along(0, 20, []peak{{y[0], s}}, func(r, logw float64) {
		v := logw + float64(k-1)*math.Log(r) - r*r/4
		for _, x := range y {
			v += normalLog(x, r, s)
		}
		m.add(v, []float64{0}, []float64{0.5 + r*r/4/float64(k)}) // the sum of the two is independent of their difference
	})
	sd := m.moments("a")[0].SD
	return &problem{Exact: of(append(indexed("a", k), indexed("b", k)...), same(2*k, 0), same(2*k, sd*sd))}
}

// alias is a sine seen at times that are whole numbers.
func alias(w *writer) *problem {
	n, s, sd := w.within(6, 25), w.scale(0.3, 1.5), w.scale(0.5, 2)
	return sineOf(w, n, rounded(2*math.Pi*float64(w.within(1, 2)), 6), float64(n), s, sd, func(i int) float64 { return float64(i + 1) })
}

// clustersEach are Cauchy locations that each have two clusters of data.
func clustersEach(w *writer) *problem {
	d, s, sd := w.within(2, 8), w.scale(0.3, 1), w.scale(3, 10)
	rows, out := make([][]float64, d), []moment{}
	n := w.within(2, 6)
	for j := range rows {
		at := w.normals(2, 0, sd/2)
		for range n {
			rows[j] = append(rows[j], rounded(w.normal(at[w.r.IntN(2)], s), 6))
		}
		peaks := []peak{{0, sd}}
		for _, v := range rows[j] {
			peaks = append(peaks, peak{v, s / 2})
		}
		out = append(out, line(fmt.Sprintf("mu.%d", j+1), func(mu float64) float64 {
			v := normalLog(mu, 0, sd)
			for _, x := range rows[j] {
				v += cauchyLog(x, mu, s)
			}
			return v
		}, -12*sd, 12*sd, peaks...)...)
	}
	w.matrix("y", rows)
	w.param("vector[%d] mu", d)
	w.prior("mu", gaussian(0, sd))
	if w.coin() {
		w.line("for (j in 1:%d) y[j] ~ cauchy(mu[j], %s);", d, num(s))
	} else {
		w.line("to_vector(y) ~ cauchy(to_vector(rep_matrix(mu, %d)), %s);", n, num(s))
	}
	return &problem{Exact: out}
}

// flipFlop is a chain of two compartments: what is seen of the second is the same for its two rates exchanged.
func flipFlop(w *writer) *problem {
	n, s, dose, prior := w.within(3, 8), w.scale(0.1, 0.5), w.scale(3, 10), lognormal(w.uniform(-0.5, 0.3), w.uniform(0.5, 1))
	of := func(t, a, b float64) float64 {
		if math.Abs(a-b) < 1e-6 {
			return dose * t * math.Exp(-a*t)
		}
		return dose * (math.Exp(-a*t) - math.Exp(-b*t)) / (b - a)
	}
	a, b := w.scale(0.2, 0.8), w.scale(1, 4)
	t, y := make([]float64, n), make([]float64, n)
	for i := range t {
		t[i] = 0.5 * float64(i+1)
		y[i] = rounded(w.normal(of(t[i], a, b), s), 6)
	}
	w.vector("y", y)
	w.data = append(w.data, fmt.Sprintf("array[%d] real t;", n))
	w.vars["t"] = t
	w.param("vector<lower=0>[2] k")
	w.prior("k", prior)
	if w.r.IntN(4) == 0 {
		w.functions = append(w.functions, "vector flow(real t, vector z, vector k) { return [-k[1] * z[1], z[1] - k[2] * z[2]]'; }")
		w.line("array[N_y] vector[2] z = ode_rk45(flow, [%s, 0]', 0, t, k); for (n in 1:N_y) y[n] ~ normal(z[n][2], %s);", num(dose), num(s))
	} else {
		w.define("vector[N_y] m = %s * (exp(-k[1] * to_vector(t)) - exp(-k[2] * to_vector(t))) / (k[2] - k[1])", num(dose))
		w.line("y ~ normal(m, %s);", num(s))
	}
	return &problem{Exact: cube(indexed("k", 2), []axis{positive(1e-3, 100), positive(1e-3, 100)}, func(q []float64) float64 {
		v := prior.log(q[0]) + prior.log(q[1])
		for i, x := range y {
			v += normalLog(x, of(t[i], q[0], q[1]), s)
		}
		return v
	})}
}

// selected are outcomes that are seen where a number that is correlated with them is positive.
func selected(w *writer) *problem {
	n, g, sd, truth, rho := w.within(4, 30), w.uniform(-1, 0.5), w.scale(0.5, 3), w.normal(0, 1), w.uniform(-0.95, 0.95)
	var y []float64
	for len(y) < n {
		e := w.normal(0, 1)
		if w.normal(g+rho*e, math.Sqrt(1-rho*rho)) > 0 {
			y = append(y, rounded(truth+e, 6))
		}
	}
	w.vector("y", y)
	w.real("mu", gaussian(0, sd))
	w.param("real<lower=-1, upper=1> rho")
	w.observe("y", "normal", "mu", "1")
	w.line("for (n in 1:N_y) target += std_normal_lcdf((%s + rho * (y[n] - mu)) / sqrt(1 - square(rho)));", num(g))
	return &problem{Exact: cube([]string{"mu", "rho"}, []axis{plain(-9*sd, 9*sd), inside(-1, 1)}, func(q []float64) float64 {
		v := normalLog(q[0], 0, sd)
		for _, x := range y {
			v += normalLog(x, q[0], 1) + normalCDF((g+q[1]*(x-q[0]))/math.Sqrt(1-q[1]*q[1]))
		}
		return v
	})}
}

// rankOne is a matrix that is the product of a column and a row.
func rankOne(w *writer) *problem {
	p, q, s, sa, sb := w.within(1, 2), w.within(1, 4), w.scale(0.2, 1.5), w.scale(0.5, 2), w.scale(0.5, 2)
	a, b, rows := w.normals(p, 0, sa), w.normals(q, 0, sb), make([][]float64, p)
	for i := range rows {
		for j := range q {
			rows[i] = append(rows[i], rounded(w.normal(a[i]*b[j], s), 6))
		}
	}
	w.matrix("y", rows)
	w.param("vector[%d] a", p)
	w.param("vector[%d] b", q)
	w.prior("a", gaussian(0, sa))
	w.prior("b", gaussian(0, sb))
	if w.coin() {
		w.line("to_vector(y) ~ normal(to_vector(a * b'), %s);", num(s))
	} else {
		w.line("for (i in 1:%d) for (j in 1:%d) y[i, j] ~ normal(a[i] * b[j], %s);", p, q, num(s))
	}
	var m mixture
	parts := func(x []float64) (logw float64, mean, variance []float64) {
		mean, variance = slices.Clone(x), same(p, 0)
		for _, v := range x {
			logw += normalLog(v, 0, sa)
		}
		for j := range q {
			precision, sum := 1/(sb*sb), 0.0
			for i, v := range x {
				precision, sum = precision+v*v/(s*s), sum+v*rows[i][j]/(s*s)
			}
			logw += sum*sum/precision/2 - math.Log(precision)/2
			mean, variance = append(mean, sum/precision), append(variance, 1/precision)
		}
		return logw, mean, variance
	}
	lattice(slices.Repeat([]axis{plain(-9*sa, 9*sa)}, p), func(x []float64) float64 {
		v, _, _ := parts(x)
		return v
	}, func(x []float64, logw float64) {
		_, mean, variance := parts(x)
		m.add(logw, mean, variance)
	})
	return &problem{Exact: m.moments(append(indexed("a", p), indexed("b", q)...)...)}
}

// movingAverage is an MA(1) whose coefficient may be above one: 1/theta with another scale says the same of the data.
func movingAverage(w *writer) *problem {
	n, sd, prior, truth := w.within(5, 15), w.scale(1, 3), lognormal(0, w.uniform(0.5, 1)), w.normal(0, 1.5)
	y, last := make([]float64, n), w.normal(0, 1)
	for i := range y {
		e := w.normal(0, 1)
		y[i], last = rounded(e+truth*last, 6), e
	}
	w.vector("y", y)
	w.real("theta", gaussian(0, sd))
	w.positive("s", prior)
	if w.coin() {
		w.line("matrix[N_y, N_y] V = diag_matrix(rep_vector(square(s) * (1 + square(theta)), N_y));")
		w.line("for (t in 2:N_y) { V[t, t - 1] = square(s) * theta; V[t - 1, t] = V[t, t - 1]; } y ~ multi_normal(rep_vector(0, N_y), V);")
	} else {
		w.line("{ real m = 0; real v = 1 + square(theta); for (t in 1:N_y) { y[t] ~ normal(m, s * sqrt(v)); m = theta * (y[t] - m) / v; v = 1 + square(theta) - square(theta) / v; } }")
	}
	return &problem{Exact: cube([]string{"theta", "s"}, []axis{plain(-9*sd, 9*sd), positive(0.01, 100)}, func(q []float64) float64 {
		f, m, u := normalLog(q[0], 0, sd)+prior.log(q[1]), 0.0, 1+q[0]*q[0]
		for _, x := range y {
			f += normalLog(x, m, q[1]*math.Sqrt(u))
			m, u = q[0]*(x-m)/u, 1+q[0]*q[0]-q[0]*q[0]/u
		}
		return f
	})}
}

// twoDoses are doses whose response is the same at two of them.
func twoDoses(w *writer) *problem {
	d, high, s, prior := w.within(1, 5), w.uniform(5, 12), w.scale(0.1, 0.6), lognormal(w.uniform(-0.3, 0.6), w.uniform(0.6, 1.2))
	y, out := make([]float64, d), []moment{}
	for i := range y {
		x := w.scale(0.1, 5)
		y[i] = rounded(w.normal(high*x*math.Exp(-x), s), 6)
		var m mixture
		lattice([]axis{positive(1e-6, 1e5)}, func(q []float64) float64 {
			return prior.log(q[0]) + normalLog(y[i], high*q[0]*math.Exp(-q[0]), s)
		}, func(q []float64, logw float64) { m.add(logw, q, nil) })
		out = append(out, m.moments(fmt.Sprintf("x.%d", i+1))...)
	}
	w.vector("y", y)
	w.param("vector<lower=0>[%d] x", d)
	w.prior("x", prior)
	w.observe("y", "normal", fmt.Sprintf("%s * x[n] ./ exp(x[n])", num(high)), num(s))
	w.body[len(w.body)-1] = elementwise(w.body[len(w.body)-1])
	return &problem{Exact: out}
}

// ranging is a place in the plane whose distance to two or three stations in a row is seen.
func ranging(w *writer) *problem {
	n, s, sd := w.within(2, 3), w.scale(0.15, 1), w.scale(1.5, 4)
	rows, y, truth, off := make([][]float64, n), make([]float64, n), w.normals(2, 0, sd), []float64{0, w.scale(0.01, 1)}[w.r.IntN(2)]
	for i := range y {
		rows[i] = []float64{w.uniform(-3, 3), off * float64(i)}
		y[i] = rounded(w.normal(math.Hypot(truth[0]-rows[i][0], truth[1]-rows[i][1]), s), 6)
	}
	w.matrix("station", rows)
	w.vector("y", y)
	w.param("vector[2] p")
	w.prior("p", gaussian(0, sd))
	w.line("for (n in 1:N_y) y[n] ~ normal(%s, %s);", []string{"distance(p, station[n]')", "hypot(p[1] - station[n, 1], p[2] - station[n, 2])", "sqrt(squared_distance(p, station[n]'))"}[w.r.IntN(3)], num(s))
	return &problem{Exact: cube(indexed("p", 2), slices.Repeat([]axis{plain(-9*sd, 9*sd)}, 2), func(q []float64) float64 {
		v := normalLog(q[0], 0, sd) + normalLog(q[1], 0, sd)
		for i, x := range y {
			v += normalLog(x, math.Hypot(q[0]-rows[i][0], q[1]-rows[i][1]), s)
		}
		return v
	})}
}

// scaleLabels is a mixture of two scales.
func scaleLabels(w *writer) *problem {
	n, share, prior := w.within(5, 30), []float64{0.5, w.uniform(0.4, 0.6)}[w.r.IntN(2)], lognormal(0, w.uniform(0.8, 1.6))
	y, s := make([]float64, n), []float64{w.scale(0.1, 0.6), w.scale(1, 6)}
	for i := range y {
		y[i] = rounded(w.normal(0, s[w.r.IntN(2)]), 6)
	}
	w.vector("y", y)
	w.param("vector<lower=0>[2] s")
	w.prior("s", prior)
	w.each("y", fmt.Sprintf("log_mix(%s, normal_lpdf(y[n] | 0, s[1]), normal_lpdf(y[n] | 0, s[2]))", num(share)))
	return &problem{Exact: cube(indexed("s", 2), slices.Repeat([]axis{positive(1e-4, 1e4)}, 2), func(q []float64) float64 {
		v := prior.log(q[0]) + prior.log(q[1])
		for _, x := range y {
			v += logMix(share, normalLog(x, 0, q[0]), normalLog(x, 0, q[1]))
		}
		return v
	})}
}

// topics are documents of two topics, each with its share of a word.
func topics(w *writer) *problem {
	n, a, b := w.within(3, 10), w.uniform(0.7, 3), w.uniform(0.7, 3)
	y, size, theta := make([]int, n), make([]int, n), []float64{0.05 + 0.4*w.r.Float64(), 0.5 + 0.45*w.r.Float64()}
	for i := range y {
		size[i] = w.within(3, 25)
		y[i] = w.binomial(size[i], theta[w.r.IntN(2)])
	}
	w.counts("y", y)
	w.counts("size", size)
	w.param("vector<lower=0, upper=1>[2] theta")
	w.prior("theta", betaDist(a, b))
	w.each("y", "log_mix(0.5, binomial_lpmf(y[n] | size[n], theta[1]), binomial_lpmf(y[n] | size[n], theta[2]))")
	var m mixture
	assign(n, 2, func(z []int) {
		u, v := same(2, a), same(2, b)
		for i, k := range z {
			u[k], v[k] = u[k]+float64(y[i]), v[k]+float64(size[i]-y[i])
		}
		logw, mean, variance := 0.0, make([]float64, 2), make([]float64, 2)
		for k := range 2 {
			all := u[k] + v[k]
			logw += logBeta(u[k], v[k])
			mean[k], variance[k] = u[k]/all, u[k]*v[k]/(all*all*(all+1))
		}
		m.add(logw, mean, variance)
	})
	return &problem{Exact: m.moments(indexed("theta", 2)...)}
}

// linesMixed is a mixture of two lines through the origin or not.
func linesMixed(w *writer) *problem {
	n, s, sd, p := w.within(4, 9), w.scale(0.3, 1), w.scale(1, 4), []float64{0.5, w.uniform(0.3, 0.6)}[w.r.IntN(2)]
	x, y, b := w.normals(n, 0, 1), make([]float64, n), w.normals(2, 0, sd)
	for i := range y {
		y[i] = rounded(w.normal(b[w.r.IntN(2)]*x[i], s), 6)
	}
	w.vector("x", x)
	w.vector("y", y)
	w.param("vector[2] b")
	w.prior("b", gaussian(0, sd))
	term := fmt.Sprintf("log_mix(%s, normal_lpdf(y[n] | b[1] * x[n], %[2]s), normal_lpdf(y[n] | b[2] * x[n], %[2]s))", num(p), num(s))
	if w.coin() {
		term = fmt.Sprintf("log(%s * exp(-square(y[n] - b[1] * x[n]) / %[3]s) + %[2]s * exp(-square(y[n] - b[2] * x[n]) / %[3]s))", num(p), num(rounded(1-p, 6)), num(2*s*s))
	}
	w.each("y", term)
	var m mixture
	assign(n, 2, func(z []int) {
		logw, mean, variance := 0.0, make([]float64, 2), make([]float64, 2)
		for k := range 2 {
			precision, sum := 1/(sd*sd), 0.0
			for i, v := range z {
				if v == k {
					precision, sum = precision+x[i]*x[i]/(s*s), sum+x[i]*y[i]/(s*s)
					logw += math.Log([]float64{p, 1 - p}[k])
				}
			}
			mean[k], variance[k] = sum/precision, 1/precision
			logw += sum*sum/precision/2 - math.Log(precision)/2
		}
		m.add(logw, mean, variance)
	})
	return &problem{Exact: m.moments("b.1", "b.2")}
}
