package main

// This file holds classes that nobody had mended for when they were written: bumps behind users' functions and conditions, intervals by two
// comparisons, ridges and bananas in many dimensions, units, heavy tails, modes of other weight and width, atoms, and priors that are none.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// sight are classes that are measured by tests alone, as told are.
func sight() []*class {
	return []*class{
		{"bump_if", "a user's bump in a condition", false, bumpIf},
		{"bump_twice", "a user's bump in mean and scale", false, bumpTwice},
		{"between_two", "intervals by two comparisons", false, betweenTwo},
		{"window", "steps in a vector that is made", false, window},
		{"levels_counted", "a level by counted comparisons", false, levelsCounted},
		{"bent_pairs", "5 to 50 numbers, bent in pairs", false, bentPairs},
		{"ridge_many", "the sum of 5 to 50 numbers is told", false, ridgeMany},
		{"double_well", "two modes along one of 3 to 40 numbers", false, doubleWell},
		{"shell", "a thin shell in 3 to 15 dimensions", false, shell},
		{"stiff", "a normal, scales of 1e-2 to 1e2, turned", false, stiff},
		{"cauchy_seen", "Cauchy priors, a datum each", false, cauchySeen},
		{"horseshoe", "half-Cauchy scales, a datum each", false, horseshoe},
		{"three_widths", "three modes, other weights and widths", false, threeWidths},
		{"labels_unlike", "mixture of unlike spreads and shares", false, labelsUnlike},
		{"counts_summed", "a Poisson count summed out", true, countsSummed},
		{"cut_twice", "data truncated on both sides", true, cutTwice},
		{"binned", "data in bins", true, binned},
		{"funnel_groups", "2 to 200 groups, little data each", false, funnelGroups},
		{"groups_units", "groups in units of 1e8 or 1e-8", false, groupsUnits},
		{"atom", "a number cut at a bound: an atom there", false, atom},
		{"switched_off", "an effect that may be absent", false, switchedOff},
		{"turning", "the cosine of a number without bounds", false, turning},
		{"double_angle", "twice an angle is told", false, doubleAngle},
		{"nearly_alike", "regression on 5 to 20 columns nearly alike", false, nearlyAlike},
		{"rows_line", "regression on 100,000 rows", true, rowsLine},
		{"rows_counts", "100,000 counts or yes and no", true, rowsCounts},
		{"pair_correlation", "a correlation, told by pairs", true, pairCorrelation},
		{"pair_covariance", "two spreads and a correlation", true, pairCovariance},
		{"many_shares", "5 to 20 shares, some without counts", true, manyShares},
		{"spacings", "exponential numbers in order", true, spacings},
		{"zero_sum", "numbers whose sum is zero", true, zeroSum},
		{"unbounded_mass", "no posterior, in further ways", false, unboundedMass},
	}
}

// direction in d dimensions, at distance far.
func (w *writer) direction(d int, far float64) []float64 {
	x, norm := w.normals(d, 0, 1), 0.0
	for _, v := range x {
		norm += v * v
	}
	for i, v := range x {
		x[i] = far * v / math.Sqrt(norm)
	}
	return x
}

// aUserBump declares a user's function of t and the vector t with its prior; u is the squared distance over width.
func aUserBump(w *writer) (centre []float64, far, width float64, of func(u float64) float64) {
	d, b := w.within(1, 5), w.r.IntN(2)
	far, width = w.uniform(0.5, 3), w.scale(0.02, 0.3)
	centre = w.direction(d, far)
	u := fmt.Sprintf("squared_distance(t, [%s]') / %s", list(centre...), num(width))
	w.functions = append(w.functions, fmt.Sprintf("real bump(vector t) { real u = %s; return %s; }", u, []string{"exp(-u)", "inv(1 + square(u))"}[b]))
	w.param("vector[%d] t", d)
	w.line("t ~ std_normal();")
	return centre, far, width, []func(u float64) float64{func(u float64) float64 { return math.Exp(-u) }, func(u float64) float64 { return 1 / (1 + u*u) }}[b]
}

// bumpIf has another mean of the data where a bump is above a bound.
func bumpIf(w *writer) *problem {
	centre, far, width, of := aUserBump(w)
	at, high := w.uniform(0.1, 0.8), w.uniform(4, 12)
	y := w.normals(w.within(1, 4), high, 1)
	w.vector("y", y)
	switch w.r.IntN(3) {
	case 0:
		w.line("if (bump(t) > %s) { y ~ normal(%s, 1); } else { y ~ normal(0, 1); }", num(at), num(high))
	case 1:
		w.line("real m = 0; if (%s < bump(t)) { m = %s; } y ~ normal(m, 1);", num(at), num(high))
	case 2:
		w.line("y ~ normal(bump(t) >= %s ? %s : 0.0, 1);", num(at), num(high))
	}
	return &problem{Exact: aroundBump(centre, far, width, func(u float64) (v float64) {
		m := 0.0
		if of(u) > at {
			m = high
		}
		for _, x := range y {
			v += normalLog(x, m, 1)
		}
		return v
	})}
}

// bumpTwice has a bump in the mean and in the scale of the data.
func bumpTwice(w *writer) *problem {
	centre, far, width, of := aUserBump(w)
	high, more := w.uniform(5, 12), w.uniform(0.2, 1)
	y := w.normals(w.within(1, 4), high, 1)
	w.vector("y", y)
	if w.coin() {
		w.line("y ~ normal(%s * bump(t), 1 + %s * bump(t));", num(high), num(more))
	} else {
		w.define("real m = %s * bump(t)", num(high))
		w.define("real s = 1 + %s * bump(t)", num(more))
		w.line("y ~ normal(m, s);")
	}
	return &problem{Exact: aroundBump(centre, far, width, func(u float64) (v float64) {
		for _, x := range y {
			v += normalLog(x, high*of(u), 1+more*of(u))
		}
		return v
	})}
}

// betweenTwo are numbers whose data have another mean where the number is in an interval.
func betweenTwo(w *writer) *problem {
	d, how := w.within(1, 5), w.r.IntN(4)
	y, out := make([]float64, d), []moment{}
	lo, hi, high := make([]float64, d), make([]float64, d), w.uniform(4, 10)
	for i := range y {
		lo[i] = w.uniform(-3, 3)
		hi[i] = lo[i] + w.scale(0.02, 0.5)
		y[i] = rounded(w.normal([]float64{0, high}[w.r.IntN(2)], 1), 6)
		out = append(out, line(fmt.Sprintf("x.%d", i+1), func(x float64) float64 {
			m := 0.0
			if x > lo[i] && x < hi[i] {
				m = high
			}
			return normalLog(x, 0, 1) + normalLog(y[i], m, 1)
		}, -9, 9, peak{0, 1}, peak{lo[i], 0.01}, peak{hi[i], 0.01})...)
	}
	w.vector("y", y)
	w.param("vector[%d] x", d)
	w.line("x ~ std_normal();")
	w.line("array[%d] real lo = {%s}; array[%d] real hi = {%s};", d, list(lo...), d, list(hi...))
	w.line("for (n in 1:%d) { %s }", d, []string{
		"if (x[n] > lo[n] && x[n] < hi[n]) { y[n] ~ normal(%[1]s, 1); } else { y[n] ~ normal(0, 1); }",
		"real m = 0; if (x[n] > lo[n]) { if (x[n] < hi[n]) { m = %[1]s; } } y[n] ~ normal(m, 1);",
		"y[n] ~ normal(%[1]s * (x[n] > lo[n]) * (x[n] < hi[n]), 1);",
		"y[n] ~ normal(x[n] < lo[n] ? 0 : x[n] < hi[n] ? %[1]s : 0, 1);",
	}[how])
	w.body[len(w.body)-1] = strings.ReplaceAll(w.body[len(w.body)-1], "%[1]s", num(high))
	return &problem{Exact: out}
}

// window is a series that is higher inside a window whose place is unknown, by a vector of transformed parameters.
func window(w *writer) *problem {
	n, s, high, wide, sd := w.within(5, 25), w.scale(0.5, 1.5), w.uniform(2, 5), w.scale(0.1, 1), w.scale(1, 3)
	x, y, c := w.normals(n, 0, sd), make([]float64, n), w.normal(0, sd)
	slices.Sort(x)
	level := func(x, c float64) float64 {
		if x > c && x < c+wide {
			return high
		}
		return 0
	}
	var peaks []peak
	for i := range y {
		y[i] = rounded(w.normal(level(x[i], c), s), 6)
		peaks = append(peaks, peak{x[i], 0.05}, peak{x[i] - wide, 0.05})
	}
	w.vector("x", x)
	w.vector("y", y)
	w.real("c", gaussian(0, sd))
	if w.coin() {
		w.define("vector[N_y] m = rep_vector(0, N_y); for (n in 1:N_y) { if (x[n] > c && x[n] < c + %s) { m[n] = %s; } }", num(wide), num(high))
		w.transformed[len(w.transformed)-1] = strings.TrimSuffix(w.transformed[len(w.transformed)-1], ";")
	} else {
		w.define("vector[N_y] m")
		w.transformed = append(w.transformed, fmt.Sprintf("for (n in 1:N_y) { m[n] = x[n] > c ? (x[n] < c + %s ? %s : 0) : 0; }", num(wide), num(high)))
	}
	w.line("y ~ normal(m, %s);", num(s))
	return levelled(x, y, level, s, sd, peaks)
}

// levelsCounted picks a level by how many bounds a number is above.
func levelsCounted(w *writer) *problem {
	d, k, s := w.within(1, 4), w.within(3, 8), w.scale(0.3, 1)
	level, y, out := w.normals(k+1, 0, 4), make([]float64, d), []moment{}
	sd, peaks := float64(k)/2, []peak{}
	for j := range k {
		peaks = append(peaks, peak{float64(j+1) / 2, 0.02})
	}
	for i := range y {
		y[i] = rounded(w.normal(level[w.r.IntN(k+1)], s), 6)
		out = append(out, line(fmt.Sprintf("x.%d", i+1), func(x float64) float64 {
			at := min(max(int(math.Ceil(2*x))-1, 0), k)
			return normalLog(x, 0, sd) + normalLog(y[i], level[at], s)
		}, -10*sd, 10*sd, peaks...)...)
	}
	w.vector("y", y)
	w.vector("level", level)
	w.param("vector[%d] x", d)
	w.prior("x", gaussian(0, sd))
	w.line("for (n in 1:%d) { int k = 1; for (j in 1:%d) { if (x[n] > j / 2.0) { k += 1; } } y[n] ~ normal(level[k], %s); }", d, k, num(s))
	return &problem{Exact: out}
}

// bentPairs are many numbers of which each second one depends on the square of the one before.
func bentPairs(w *writer) *problem {
	k, b, s, t := w.within(3, 25), w.scale(0.3, 2), w.scale(0.7, 1.5), w.scale(0.1, 1)
	w.param("vector[%d] x", k)
	w.param("vector[%d] z", k)
	w.line("x ~ normal(0, %s);", num(s))
	w.line("z ~ normal(%s * square(x), %s);", num(b), num(t))
	mean := append(same(k, 0), same(k, b*s*s)...)
	variance := append(same(k, s*s), same(k, t*t+2*b*b*s*s*s*s)...)
	return &problem{Exact: of(append(indexed("x", k), indexed("z", k)...), mean, variance)}
}

// ridgeMany are many numbers of which the sum is told to a thousandth.
func ridgeMany(w *writer) *problem { return ridgeIn(w, w.within(5, 50), w.scale(1e-4, 1e-2)) }

func ridgeIn(w *writer, d int, s float64) *problem {
	x := mat.NewDense(1, d, same(d, 1))
	y := w.normal(0, math.Sqrt(float64(d)))
	w.vars["y"] = y
	w.data = append(w.data, "real y;")
	w.param("vector[%d] x", d)
	w.line("x ~ std_normal();")
	w.line("y ~ normal(sum(x), %s);", num(s))
	post, _ := independent(same(d, 0), same(d, 1)).given(x, []float64{y}, []float64{s})
	mean, variance := post.parts()
	return &problem{Exact: of(indexed("x", d), mean, variance)}
}

// doubleWell has two modes along one number, near which all others are.
func doubleWell(w *writer) *problem { return wellIn(w, w.within(2, 39)) }

func wellIn(w *writer, others int) *problem {
	k, a, tilt, s := w.scale(0.1, 1), w.uniform(2, 8), rounded(w.normal(0, 0.2), 3), w.scale(0.3, 1)
	w.param("real a")
	w.param("vector[%d] x", others)
	w.line("target += -%s * square(a * a - %s) + %s * a;", num(k), num(a), num(tilt))
	w.line("x ~ normal(a, %s);", num(s))
	out := line("a", func(x float64) float64 { return -k*(x*x-a)*(x*x-a) + tilt*x }, -12, 12, peak{0, 1}, peak{math.Sqrt(a), 0.1}, peak{-math.Sqrt(a), 0.1})
	for _, name := range indexed("x", others) {
		out = append(out, moment{Name: name, Mean: out[0].Mean, SD: math.Hypot(out[0].SD, s)})
	}
	return &problem{Exact: out}
}

// shell is a density around a sphere.
func shell(w *writer) *problem { return shellIn(w, w.within(3, 15), w.scale(0.02, 0.2)) }

func shellIn(w *writer, d int, thin float64) *problem {
	r := w.scale(1, 10)
	w.param("vector[%d] x", d)
	w.line("target += normal_lpdf(sqrt(dot_self(x)) | %s, %s);", num(r), num(rounded(thin*r, 3)))
	thin = rounded(thin*r, 3)
	var m mixture
	along(0, 4*r+40*thin, []peak{{r, thin}}, func(x, logw float64) {
		m.add(logw+normalLog(x, r, thin)+float64(d-1)*math.Log(x), []float64{0}, []float64{x * x / float64(d)})
	})
	return &problem{Exact: of(indexed("x", d), same(d, 0), same(d, math.Pow(m.moments("x")[0].SD, 2)))}
}

// stiff is a normal of very unequal scales along axes that are turned.
func stiff(w *writer) *problem { return stiffIn(w, w.within(3, 12), 100) }

func stiffIn(w *writer, d int, most float64) *problem {
	v := w.direction(d, 1)
	turn := func(i, j int) float64 { return map[bool]float64{true: 1}[i == j] - 2*v[i]*v[j] }
	sd, mean, rows := make([]float64, d), make([]float64, d), make([][]float64, d)
	for i := range sd {
		sd[i], mean[i] = w.scale(1/most, most), rounded(w.normal(0, 1), 3)
	}
	variance := make([]float64, d)
	for i := range d {
		for j := range d {
			rows[i] = append(rows[i], turn(i, j)/sd[i])
			variance[i] += turn(i, j) * turn(i, j) * sd[j] * sd[j]
		}
	}
	w.matrix("a", rows)
	w.vector("m", mean)
	w.param("vector[%d] x", d)
	w.line("a * (x - m) ~ std_normal();")
	return &problem{Exact: of(indexed("x", d), mean, variance)}
}

// cauchySeen are numbers of Cauchy priors, with a normal datum each.
func cauchySeen(w *writer) *problem {
	d, s, out := w.within(1, 10), w.scale(0.3, 2), []moment{}
	y, scale := make([]float64, d), w.scale(0.05, 1)
	for i := range y {
		y[i] = rounded(w.normal([]float64{0, 5, 30}[w.r.IntN(3)]*s, s), 6)
		out = append(out, line(fmt.Sprintf("x.%d", i+1), func(x float64) float64 {
			return normalLog(y[i], x, s) - math.Log1p(x*x/(scale*scale))
		}, y[i]-15*s, y[i]+15*s, peak{0, scale}, peak{y[i], s})...)
	}
	w.vector("y", y)
	w.param("vector[%d] x", d)
	w.prior("x", cauchy(0, scale))
	w.observe("y", "normal", "x[n]", num(s))
	return &problem{Exact: out}
}

// horseshoe are coefficients whose scales are half Cauchy; those of the scales themselves are not compared.
func horseshoe(w *writer) *problem {
	d, s, tau, out := w.within(2, 8), w.scale(0.5, 1.5), w.scale(0.05, 1), []moment{}
	y := make([]float64, d)
	for i := range y {
		y[i] = rounded(w.normal([]float64{0, 0, 6}[w.r.IntN(3)]*s, s), 6)
		var m mixture
		lattice([]axis{positive(1e-6, 1e7)}, func(q []float64) float64 {
			return normalLog(y[i], 0, math.Hypot(s, tau*q[0])) - math.Log1p(q[0]*q[0])
		}, func(q []float64, logw float64) {
			v := tau * tau * q[0] * q[0]
			m.add(logw, []float64{y[i] * v / (v + s*s)}, []float64{v * s * s / (v + s*s)})
		})
		out = append(out, m.moments(fmt.Sprintf("b.%d", i+1))...)
	}
	w.vector("y", y)
	w.param("vector<lower=0>[%d] lambda", d)
	w.line("lambda ~ cauchy(0, 1);")
	if w.coin() {
		w.param("vector[%d] b", d)
		w.line("b ~ normal(0, %s * lambda);", num(tau))
	} else {
		w.param("vector[%d] e", d)
		w.define("vector[%d] b = %s * lambda .* e", d, num(tau))
		w.line("e ~ std_normal();")
	}
	w.observe("y", "normal", "b[n]", num(s))
	return &problem{Exact: out}
}

// threeWidths are three modes, written in one of the ways that people write.
func threeWidths(w *writer) *problem { return widthsIn(w, w.within(2, 6)) }

func widthsIn(w *writer, d int) *problem {
	p, s := []float64{w.uniform(0.1, 0.5), w.uniform(0.1, 0.4), 0}, []float64{w.scale(0.05, 2), w.scale(0.05, 2), w.scale(0.05, 2)}
	p[2] = rounded(1-p[0]-p[1], 6)
	at, parts := make([][]float64, 3), make([]string, 3)
	m := mixture{}
	for k := range 3 {
		at[k] = w.normals(d, 0, 4)
		m.add(math.Log(p[k]), at[k], same(d, s[k]*s[k]))
		parts[k] = fmt.Sprintf("normal_lpdf(x | [%s]', %s)", list(at[k]...), num(s[k]))
	}
	w.param("vector[%d] x", d)
	switch w.r.IntN(3) {
	case 0:
		w.line("vector[3] lp = log([%s]'); lp[1] += %s; lp[2] += %s; lp[3] += %s; target += log_sum_exp(lp);", list(p...), parts[0], parts[1], parts[2])
	case 1:
		w.line("target += log(%s * exp(%s) + %s * exp(%s) + %s * exp(%s));", num(p[0]), parts[0], num(p[1]), parts[1], num(p[2]), parts[2])
	case 2:
		w.functions = append(w.functions, fmt.Sprintf("real three_lpdf(vector x) { array[3] real lp = {log(%s) + %s, log(%s) + %s, log(%s) + %s}; return log_sum_exp(lp); }",
			num(p[0]), parts[0], num(p[1]), parts[1], num(p[2]), parts[2]))
		w.line("x ~ three();")
	}
	return &problem{Exact: m.moments(indexed("x", d)...)}
}

// labelsUnlike is a mixture of two spreads with unequal shares: labels are told by these.
func labelsUnlike(w *writer) *problem {
	n, sd, p := w.within(4, 10), w.scale(1, 4), w.uniform(0.2, 0.5)
	s := []float64{w.scale(0.3, 1), w.scale(0.3, 1)}
	y, truth := make([]float64, n), w.normals(2, 0, sd)
	for i := range y {
		k := w.binomial(1, 1-p)
		y[i] = rounded(w.normal(truth[k], s[k]), 6)
	}
	w.vector("y", y)
	w.param("vector[2] mu")
	w.prior("mu", gaussian(0, sd))
	w.each("y", fmt.Sprintf("log_mix(%s, normal_lpdf(y[n] | mu[1], %s), normal_lpdf(y[n] | mu[2], %s))", num(p), num(s[0]), num(s[1])))
	var m mixture
	assign(n, 2, func(z []int) {
		logw, mean, variance := 0.0, make([]float64, 2), make([]float64, 2)
		for k := range 2 {
			precision, sum := 1/(sd*sd), 0.0
			for i, v := range z {
				if v == k {
					precision, sum = precision+1/(s[k]*s[k]), sum+y[i]/(s[k]*s[k])
					logw += math.Log([]float64{p, 1 - p}[k]) + normalLog(y[i], 0, s[k])
				}
			}
			mean[k], variance[k] = sum/precision, 1/precision
			logw += sum*sum/precision/2 - math.Log(precision)/2
		}
		m.add(logw, mean, variance)
	})
	return &problem{Exact: m.moments("mu.1", "mu.2")}
}
