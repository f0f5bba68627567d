package main

// This file holds fresh classes of priors, bounds and discrete parameters: two modes of constrained numbers, mass in rare places, densities
// by hand, and easy problems in unusual words.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"
)

// far is a number of the line whose density may be spread over many orders of magnitude.
func far(scale, most float64) axis {
	u := math.Asinh(most / scale)
	return axis{-u, u, func(u float64) (float64, float64) {
		return scale * math.Sinh(u), math.Log(scale) + math.Abs(u) + math.Log1p(math.Exp(-2*math.Abs(u)))
	}}
}

// priorOrNoise is a location with a heavy prior near zero and data far from it, whose scale may be large or small.
func priorOrNoise(w *writer) *problem { return noiseAt(w, w.scale(5, 50)) }

func noiseAt(w *writer, at float64) *problem {
	scale, s := w.scale(0.1, 2), lognormal(w.uniform(-0.5, 0.5), w.uniform(0.7, 1.5))
	y := w.normals(w.within(1, 4), at, 1)
	w.vector("y", y)
	prior := []dist{cauchy(0, scale), student(3, 0, scale)}[w.r.IntN(2)]
	w.real("mu", prior)
	w.positive("s", s)
	w.observe("y", "normal", "mu", "s")
	return &problem{Exact: cube([]string{"mu", "s"}, []axis{far(scale, 1e5), positive(1e-4, 1e4)}, func(q []float64) float64 {
		v := prior.log(q[0]) + s.log(q[1])
		for _, x := range y {
			v += normalLog(x, q[0], q[1])
		}
		return v
	})}
}

// funnelSeen are numbers whose common log variance is unknown, with a datum each.
func funnelSeen(w *writer) *problem {
	d, m, sd, s := w.within(2, 20), w.uniform(-2, 1), w.scale(1, 3), w.scale(0.5, 2)
	y := w.normals(d, 0, math.Hypot(s, w.scale(0.05, 3)))
	w.vector("y", y)
	w.real("v", gaussian(m, sd))
	w.param("vector[%d] x", d)
	w.line("x ~ normal(0, exp(v / 2));")
	w.observe("y", "normal", "x[n]", num(s))
	var all mixture
	along(m-14*sd, m+14*sd, []peak{{m, sd}, {0, 1}}, func(v, logw float64) {
		t := math.Exp(v)
		k := t / (t + s*s)
		logw += normalLog(v, m, sd)
		mean, variance := []float64{v}, []float64{0}
		for _, x := range y {
			logw += normalLog(x, 0, math.Sqrt(t+s*s))
			mean, variance = append(mean, k*x), append(variance, k*s*s)
		}
		all.add(logw, mean, variance)
	})
	return &problem{Exact: all.moments(append([]string{"v"}, indexed("x", d)...)...)}
}

// orderedModes are two numbers in order, with two modes.
func orderedModes(w *writer) *problem {
	p, s := w.uniform(0.3, 0.7), []float64{w.scale(0.2, 1.5), w.scale(0.2, 1.5)}
	m := [][]float64{w.normals(2, 0, 3), w.normals(2, 0, 3)}
	m[1][1] += 6
	for k := range m {
		slices.Sort(m[k])
	}
	w.param("ordered[2] c")
	w.line("target += log_mix(%s, normal_lpdf(c | [%s]', %s), normal_lpdf(c | [%s]', %s));", num(p), list(m[0]...), num(s[0]), list(m[1]...), num(s[1]))
	return &problem{Exact: columns(indexed("c", 2), []axis{plain(-30, 40), positive(1e-6, 60)}, func(q []float64) ([]float64, float64) {
		c := []float64{q[0], q[0] + q[1]}
		part := func(k int) float64 { return normalLog(c[0], m[k][0], s[k]) + normalLog(c[1], m[k][1], s[k]) }
		return c, logMix(p, part(0), part(1))
	})}
}

// simplexModes are shares with two modes.
func simplexModes(w *writer) *problem {
	k, p := w.within(3, 8), w.uniform(0.3, 0.7)
	var m mixture
	alpha := make([][]float64, 2)
	for c := range alpha {
		total, size := 0.0, w.scale(5, 60)
		var mean, variance []float64
		for range k {
			alpha[c] = append(alpha[c], rounded(1+size*math.Pow(w.r.Float64(), 3), 4))
			total += alpha[c][len(alpha[c])-1]
		}
		for _, a := range alpha[c] {
			mean, variance = append(mean, a/total), append(variance, a*(total-a)/(total*total*(total+1)))
		}
		m.add(math.Log([]float64{p, 1 - p}[c]), mean, variance)
	}
	w.param("simplex[%d] x", k)
	w.line("target += log_mix(%s, dirichlet_lpdf(x | [%s]'), dirichlet_lpdf(x | [%s]'));", num(p), list(alpha[0]...), list(alpha[1]...))
	return &problem{Exact: m.moments(indexed("x", k)...)}
}

// signOfCorrelation is a correlation of pairs, of which some have the second number turned.
func signOfCorrelation(w *writer) *problem {
	n, eta, truth, p := w.within(5, 40), w.uniform(1, 3), w.uniform(0.5, 0.95), []float64{0.5, w.uniform(0.45, 0.55)}[w.r.IntN(2)]
	rows := make([][]float64, n)
	for i := range rows {
		x, sign := w.normal(0, 1), float64(2*w.r.IntN(2)-1)
		rows[i] = []float64{rounded(x, 6), rounded(sign*w.normal(truth*x, math.Sqrt(1-truth*truth)), 6)}
	}
	w.matrix("y", rows)
	name := "R.1.2"
	term := fmt.Sprintf("for (n in 1:%d) target += log_mix(%s, %%[1]s_lpdf(y[n]' | rep_vector(0, 2), %%[2]s), %%[1]s_lpdf([y[n, 1], -y[n, 2]]' | rep_vector(0, 2), %%[2]s));", n, num(p))
	if w.coin() {
		w.param("corr_matrix[2] R")
		w.line("R ~ lkj_corr(%s);", num(eta))
		w.line(term, "multi_normal", "R")
	} else {
		name = "L.2.1"
		w.param("cholesky_factor_corr[2] L")
		w.line("L ~ lkj_corr_cholesky(%s);", num(eta))
		w.line(term, "multi_normal_cholesky", "L")
	}
	return &problem{Exact: line(name, func(r float64) float64 {
		u := 1 - r*r
		v := (eta-1)*math.Log(u) - float64(n)/2*math.Log(u)
		for _, y := range rows {
			v += logMix(p, -(y[0]*y[0]+y[1]*y[1]-2*r*y[0]*y[1])/(2*u), -(y[0]*y[0]+y[1]*y[1]+2*r*y[0]*y[1])/(2*u))
		}
		return v
	}, -1, 1, peak{1, 1e-6}, peak{-1, 1e-6}, peak{truth, 0.1}, peak{-truth, 0.1})}
}

// wishartModes is a covariance matrix with two modes.
func wishartModes(w *writer) *problem {
	d, p := w.within(2, 3), w.uniform(0.3, 0.7)
	parts, names, m := make([]string, 2), []string(nil), mixture{}
	for c := range 2 {
		nu, psi, rho, size := float64(d+w.within(8, 40)), mat.NewSymDense(d, nil), w.uniform(-0.4, 0.9), w.scale(0.2, 5)
		k := nu - float64(d)
		rows := make([]string, d)
		var mean, variance []float64
		for i := range d {
			x := make([]float64, d)
			for j := range d {
				if x[j] = rounded(size*k, 6); i != j {
					x[j] = rounded(rho*size*k, 6)
				}
				psi.SetSym(min(i, j), max(i, j), x[j])
			}
			rows[i] = "[" + list(x...) + "]"
		}
		for i := range d {
			for j := range d {
				mean = append(mean, psi.At(i, j)/(k-1))
				variance = append(variance, ((k+1)*psi.At(i, j)*psi.At(i, j)+(k-1)*psi.At(i, i)*psi.At(j, j))/(k*(k-1)*(k-1)*(k-3)))
				if c == 0 {
					names = append(names, fmt.Sprintf("S.%d.%d", i+1, j+1))
				}
			}
		}
		m.add(math.Log([]float64{p, 1 - p}[c]), mean, variance)
		parts[c] = fmt.Sprintf("inv_wishart_lpdf(S | %s, [%s])", num(nu), strings.Join(rows, ", "))
	}
	w.param("cov_matrix[%d] S", d)
	w.line("target += log_sum_exp(log(%s) + %s, log1m(%s) + %s);", num(p), parts[0], num(p), parts[1])
	return &problem{Exact: m.moments(names...)}
}

// whichLevel is an integer that says at which of several unknown levels data are.
func whichLevel(w *writer) *problem {
	k, n, s, t := w.within(2, 8), w.within(1, 10), w.scale(0.3, 2), w.scale(0.5, 2)
	at := w.normals(k, 0, 4)
	y := w.normals(n, at[w.r.IntN(k)], t)
	w.vector("y", y)
	w.param("int<lower=1, upper=%d> k", k)
	w.param("vector[%d] mu", k)
	w.line("k ~ categorical(rep_vector(1.0 / %d, %d));", k, k)
	w.line("mu ~ normal([%s]', %s);", list(at...), num(t))
	w.line("y ~ normal(mu[k], %s);", num(s))
	var m mixture
	for c := range k {
		x := mat.NewDense(n, k, nil)
		for i := range n {
			x.Set(i, c, 1)
		}
		post, evidence := independent(at, same(k, t)).given(x, y, same(n, s))
		mean, variance := post.parts()
		m.add(evidence, append([]float64{float64(c + 1)}, mean...), append([]float64{0}, variance...))
	}
	out := m.moments(append([]string{"k"}, indexed("mu", k)...)...)
	out[0].MeanOnly = true
	return &problem{Exact: out}
}

// fewBumps are many numbers of which two have a second mode, and some lean on these.
func fewBumps(w *writer) *problem { return bumpsIn(w, w.within(5, 30)) }

func bumpsIn(w *writer, d int) *problem {
	p, s, t, c := w.uniform(0.3, 0.8), w.scale(0.1, 1), w.scale(0.3, 1), w.uniform(-1, 1)
	at := w.direction(2, w.uniform(4, 12))
	var m mixture
	mean, variance := func(x, v float64) []float64 { return []float64{x, v} }, func(v float64) []float64 { return []float64{v, v} }
	zero, one := mean(0, 0), mean(at[0], at[1])
	va, vb := variance(1), variance(s*s)
	for j := 2; j < d; j++ {
		k := c * float64(j%2)
		zero, one = append(zero, 0), append(one, k*at[0])
		va, vb = append(va, k*k+t*t), append(vb, k*k*s*s+t*t)
	}
	m.add(math.Log(p), zero, va)
	m.add(math.Log1p(-p), one, vb)
	w.param("vector[%d] x", d)
	w.line("target += log_mix(%s, std_normal_lpdf(x[1:2]), normal_lpdf(x[1:2] | [%s]', %s));", num(p), list(at...), num(s))
	w.line("for (j in 3:%d) x[j] ~ normal(j %% 2 == 0 ? %s * x[1] : 0, %s);", d, num(c), num(t))
	return &problem{Exact: m.moments(indexed("x", d)...)}
}

// handWritten is a Cauchy location with two clusters of data, all by hand.
func handWritten(w *writer) *problem {
	n, s, sd, unit := w.within(3, 12), w.scale(0.3, 1), w.scale(3, 15), w.scale(1, 20)
	y, at := make([]float64, n), w.normals(2, 0, sd/2)
	var peaks []peak
	for i := range y {
		y[i] = rounded(w.normal(at[w.r.IntN(2)], s), 6)
		peaks = append(peaks, peak{y[i], s / 2})
	}
	w.vector("y", y)
	w.param("real raw")
	w.define("real mu = %s * raw", num(unit))
	switch w.r.IntN(4) {
	case 0:
		w.functions = append(w.functions, "void seen_lp(vector y, real mu, real s) { for (n in 1:size(y)) { real z = (y[n] - mu) / s; target += -log1p(z * z); } }")
		w.line("seen_lp(y, mu, %s); target += -square(mu / %s) / 2;", num(s), num(sd))
	case 1:
		w.functions = append(w.functions, "real part(array[] real y, int a, int b, real mu, real s) { real t = 0; for (v in y) t -= log1p(square((v - mu) / s)); return t; }")
		w.line("target += reduce_sum(part, to_array_1d(y), 1, mu, %s); target += -0.5 * mu * mu / square(%s);", num(s), num(sd))
	case 2:
		w.line("real lik = 1; int n = 1; while (n <= N_y) { lik /= 1 + square((y[n] - mu) / %s); n += 1; } target += log(lik) - square(mu) / (2 * square(%s));", num(s), num(sd))
	case 3:
		w.line("profile(\"all\") { vector[N_y] z = (y - mu) / %s; target += -sum(log1p(z .* z)); mu ~ normal(0, %s); }", num(s), num(sd))
	}
	return &problem{Exact: line("mu", func(mu float64) float64 {
		v := normalLog(mu, 0, sd)
		for _, x := range y {
			v += cauchyLog(x, mu, s)
		}
		return v
	}, -12*sd, 12*sd, append(peaks, peak{0, sd})...)}
}

// byQuantile are numbers that are quantiles of uniform ones, with heavy data each.
func byQuantile(w *writer) *problem {
	d, n, sd, s := w.within(1, 4), w.within(2, 6), w.scale(1, 8), w.scale(0.2, 1)
	rows, out, how := make([][]float64, d), []moment{}, w.r.IntN(2)
	prior := []dist{gaussian(0, sd), logistic(0, sd)}[how]
	for j := range rows {
		at := w.normals(2, 0, 1.2*sd)
		peaks := []peak{{0, sd}}
		for i := range n {
			rows[j] = append(rows[j], rounded(w.normal(at[w.r.IntN(2)], s), 6))
			peaks = append(peaks, peak{rows[j][i], s / 2})
		}
		out = append(out, line(fmt.Sprintf("mu.%d", j+1), func(mu float64) float64 {
			v := prior.log(mu)
			for _, x := range rows[j] {
				v += studentLog(2, x, mu, s)
			}
			return v
		}, -8*sd*float64(1+5*how), 8*sd*float64(1+5*how), peaks...)...)
	}
	w.matrix("y", rows)
	w.param("vector<lower=0, upper=1>[%d] u", d)
	w.define("vector[%d] mu = %s * %s(u)", d, num(sd), []string{"inv_Phi", "logit"}[how])
	w.line("for (j in 1:%d) y[j] ~ student_t(2, mu[j], %s);", d, num(s))
	return &problem{Exact: out}
}

// allZeros are zero-inflated counts of which at most one is not zero.
func allZeros(w *writer) *problem {
	n, a, b, c, rate := w.within(2, 20), w.uniform(0.6, 3), w.uniform(0.6, 3), w.uniform(0.8, 3), w.scale(0.1, 2)
	y := make([]int, n)
	y[0] = w.within(0, 3)
	w.counts("y", y)
	w.unit("p", betaDist(a, b))
	w.param("real<lower=0> lambda")
	w.prior("lambda", gamma(c, rate))
	w.line("for (n in 1:N_y) { if (y[n] == 0) target += log_sum_exp(log(p), log1m(p) - lambda); else target += log1m(p) + poisson_lpmf(y[n] | lambda); }")
	some := 0
	if y[0] > 0 {
		some = 1
	}
	var m mixture
	for k := range n - some + 1 { // so many zeros are of the inflation
		choose := logBeta(1, 1) - logBeta(float64(k+1), float64(n-some-k+1)) - math.Log(float64(n-some+1))
		u, v := a+float64(k), b+float64(n-k)
		x, z := c+float64(y[0]), rate+float64(n-k)
		g, _ := math.Lgamma(x)
		m.add(choose+logBeta(u, v)+g-x*math.Log(z), []float64{u / (u + v), x / z}, []float64{u * v / ((u + v) * (u + v) * (u + v + 1)), x / (z * z)})
	}
	return &problem{Exact: m.moments("p", "lambda")}
}

// outside are numbers whose data are known to be outside an interval.
func outside(w *writer) *problem {
	d, n, s, sd := w.within(1, 4), w.within(1, 6), w.scale(0.3, 1.5), w.scale(1, 4)
	lo, out := make([]float64, d), []moment{}
	wide := w.uniform(1, 6)
	w.param("vector[%d] mu", d)
	w.prior("mu", gaussian(0, sd))
	for j := range lo {
		lo[j] = rounded(w.normal(-wide/2, 0.3), 4)
		hi := lo[j] + wide
		w.line("target += %d * log_sum_exp(normal_lcdf(%s | mu[%d], %s), normal_lccdf(%s | mu[%d], %s));", n, num(lo[j]), j+1, num(s), num(hi), j+1, num(s))
		out = append(out, line(fmt.Sprintf("mu.%d", j+1), func(mu float64) float64 {
			return normalLog(mu, 0, sd) + float64(n)*(math.Ln2+logMix(0.5, normalCDF((lo[j]-mu)/s), normalCDF((mu-hi)/s)))
		}, -12*sd, 12*sd, peak{0, sd}, peak{lo[j], s}, peak{hi, s})...)
	}
	return &problem{Exact: out}
}

// subsetSum are indicators of which numbers are in a sum that is seen.
func subsetSum(w *writer) *problem {
	d, s, p := w.within(4, 10), w.scale(0.1, 2), w.uniform(0.3, 0.6)
	weight, y := make([]float64, d), 0.0
	for i := range weight {
		weight[i] = w.uniform(1, 8)
		y += weight[i] * float64(w.r.IntN(2))
	}
	y = rounded(w.normal(y, s), 6)
	w.vector("weight", weight)
	w.vars["y"], w.data = y, append(w.data, "real y;")
	w.param("array[%d] int<lower=0, upper=1> z", d)
	w.line("z ~ bernoulli(%s);", num(p))
	w.line("y ~ normal(dot_product(to_vector(z), weight), %s);", num(s))
	var m mixture
	assign(d, 2, func(z []int) {
		sum, logw, x := 0.0, 0.0, make([]float64, d)
		for i, in := range z {
			x[i] = float64(in)
			sum += x[i] * weight[i]
			logw += math.Log([]float64{1 - p, p}[in])
		}
		m.add(logw+normalLog(y, sum, s), x, nil)
	})
	return &problem{Exact: meanOnly(m.moments(indexed("z", d)...))}
}

// rareWide is a normal of which a hundredth is far wider.
func rareWide(w *writer) *problem { return wideIn(w, w.within(1, 5), w.uniform(15, 60)) }

func wideIn(w *writer, d int, wide float64) *problem {
	p := w.uniform(0.005, 0.05)
	at := w.normals(d, 0, 2)
	w.param("vector[%d] x", d)
	w.line("target += log_mix(%s, normal_lpdf(x | [%[2]s]', %s), normal_lpdf(x | [%[2]s]', 1));", num(p), list(at...), num(wide))
	return &problem{Exact: of(indexed("x", d), at, same(d, p*wide*wide+1-p))}
}

// rareFar is a normal of which a hundredth is far away.
func rareFar(w *writer) *problem { return farIn(w, w.within(1, 6)) }

func farIn(w *writer, d int) *problem {
	p := w.uniform(0.005, 0.05)
	at, s := w.direction(d, w.uniform(15, 60)), w.scale(0.3, 2)
	w.param("vector[%d] x", d)
	w.line("target += log_sum_exp(log1m(%s) + std_normal_lpdf(x), log(%[1]s) + normal_lpdf(x | [%[2]s]', %[3]s));", num(p), list(at...), num(s))
	var m mixture
	m.add(math.Log1p(-p), same(d, 0), same(d, 1))
	m.add(math.Log(p), at, same(d, s*s))
	return &problem{Exact: m.moments(indexed("x", d)...)}
}

// oddNormal is a linear regression with known noise that is written in unusual ways.
func oddNormal(w *writer) *problem {
	d, n, s, sd := w.within(1, 4), w.within(5, 40), w.scale(0.3, 2), w.scale(0.5, 3)
	rows, x, y, b := make([][]float64, n), mat.NewDense(n, d, nil), make([]float64, n), w.normals(d, 0, sd)
	for i := range rows {
		rows[i] = w.normals(d, 0, 1)
		x.SetRow(i, rows[i])
		y[i] = rounded(w.normal(mat.Dot(x.RowView(i), mat.NewVecDense(d, b)), s), 6)
	}
	w.matrix("x", rows)
	w.vector("y", y)
	w.param("vector[%d] b", d)
	prior := fmt.Sprintf("target += -dot_self(b) / (2 * square(%s));", num(sd))
	switch w.r.IntN(5) {
	case 0:
		w.functions = append(w.functions, "real seen_lpdf(vector y, matrix x, vector b, real s) { return -dot_self(y - x * b) / (2 * s * s) - size(y) * log(s); }")
		w.line("y ~ seen(x, b, %s);", num(s))
	case 1:
		w.functions = append(w.functions, "void add_lp(real r, real s) { target += normal_lpdf(r | 0, s); }")
		w.line("for (n in 1:N_y) { real r = y[n]; for (j in 1:%d) { r -= x[n, j] * b[j]; } add_lp(r, %s); }", d, num(s))
	case 2:
		w.functions = append(w.functions, "real part(array[] int at, int lo, int hi, vector y, matrix x, vector b, real s) { return normal_lpdf(y[at] | x[at] * b, s); }")
		w.line("target += reduce_sum(part, linspaced_int_array(N_y, 1, N_y), 1, y, x, b, %s);", num(s))
	case 3:
		w.define("matrix[%[1]d, %[1]d] P = add_diag(crossprod(x) / square(%[2]s), 1 / square(%[3]s))", d, num(s), num(sd))
		w.define("vector[%d] h = x' * y / square(%s)", d, num(s))
		w.line("target += dot_product(h, b) - quad_form(P, b) / 2;")
		prior = ""
	case 4:
		w.line("vector[N_y] e; { vector[N_y] fitted = x * b; e = y - fitted; } array[N_y] real z = to_array_1d(e / %s); for (v in z) target += std_normal_lpdf(v);", num(s))
		prior = fmt.Sprintf("for (j in 1:%d) { real v = b[j] / %s; target += -v * v * 0.5; }", d, num(sd))
	}
	if prior != "" {
		w.line("%s", prior)
	}
	post, _ := independent(same(d, 0), same(d, sd)).given(x, y, same(n, s))
	mean, variance := post.parts()
	return &problem{Exact: of(indexed("b", d), mean, variance)}
}

// betaConflict are proportions whose priors and data are far apart.
func betaConflict(w *writer) *problem {
	d, trials := w.within(1, 5), w.within(50, 400)
	y, a, b, out := make([]int, d), w.uniform(20, 150), w.uniform(2, 6), []moment{}
	for i := range y {
		y[i] = w.binomial(trials, 0.05+0.2*w.r.Float64())
		out = append(out, betaMoments(fmt.Sprintf("theta.%d", i+1), a+float64(y[i]), b+float64(trials-y[i]))...)
	}
	w.counts("y", y)
	w.param("vector<lower=0, upper=1>[%d] theta", d)
	w.prior("theta", betaDist(a, b))
	w.line("y ~ binomial(%d, theta);", trials)
	return &problem{Exact: out}
}

// negativeBinomial is a regression of overdispersed counts.
func negativeBinomial(w *writer) *problem {
	n, phi, sd := w.within(6, 40), w.scale(0.8, 10), w.scale(0.7, 3)
	x, y, a, b := w.normals(n, 0, 1), make([]int, n), w.uniform(0.5, 2), w.normal(0, 0.6)
	for i := range y {
		y[i] = w.poisson(math.Exp(a+b*x[i]) * distuv.Gamma{Alpha: phi, Beta: phi, Src: w.r}.Rand())
	}
	w.vector("x", x)
	w.counts("y", y)
	w.real("a", gaussian(0, sd))
	w.real("b", gaussian(0, sd))
	w.line("y ~ neg_binomial_2_log(a + b * x, %s);", num(phi))
	return &problem{Exact: cube([]string{"a", "b"}, []axis{plain(-9*sd, 9*sd), plain(-9*sd, 9*sd)}, func(q []float64) float64 {
		v := normalLog(q[0], 0, sd) + normalLog(q[1], 0, sd)
		for i, k := range y {
			eta := q[0] + q[1]*x[i]
			v += float64(k)*eta - (float64(k)+phi)*math.Log(phi+math.Exp(eta))
		}
		return v
	})}
}

// betaData are proportions whose mean is told, on the logit scale.
func betaData(w *writer) *problem {
	n, kappa, sd := w.within(3, 30), w.scale(4, 40), w.scale(0.7, 2)
	y, centre := make([]float64, n), logistic01(w.normal(0, 1))
	for i := range y {
		y[i] = min(max(rounded(distuv.Beta{Alpha: kappa * centre, Beta: kappa * (1 - centre), Src: w.r}.Rand(), 6), 1e-4), 1-1e-4)
	}
	w.vector("y", y)
	w.real("a", gaussian(0, sd))
	w.define("real mu = inv_logit(a)")
	w.line("y ~ %s;", []string{fmt.Sprintf("beta_proportion(mu, %s)", num(kappa)), fmt.Sprintf("beta(mu * %[1]s, (1 - mu) * %[1]s)", num(kappa))}[w.r.IntN(2)])
	return &problem{Exact: lineOf([]string{"a", "mu"}, -9*sd, 9*sd, []peak{{0, sd}, {logOdds(centre), 0.1}}, func(a float64) ([]float64, float64) {
		mu := logistic01(a)
		prior := distuv.Beta{Alpha: kappa * mu, Beta: kappa * (1 - mu)}
		v := normalLog(a, 0, sd)
		for _, x := range y {
			v += prior.LogProb(x)
		}
		return []float64{a, mu}, v
	})}
}

// lineOf are the moments of functions of one number.
func lineOf(names []string, lo, hi float64, peaks []peak, f func(x float64) ([]float64, float64)) []moment {
	var m mixture
	along(lo, hi, peaks, func(x, logw float64) {
		c, v := f(x)
		m.add(v+logw, c, nil)
	})
	return m.moments(names...)
}

// nestedBounds are two numbers between zero and one, the second above the first, with a count each.
func nestedBounds(w *writer) *problem {
	trials, y := w.within(8, 40), []int{0, 0}
	for i, p := range []float64{0.3, 0.6} {
		y[i] = w.binomial(trials, p)
	}
	w.counts("y", y)
	w.param("real<lower=0, upper=1> a")
	w.param("real<lower=a, upper=1> b")
	w.line("y[1] ~ binomial(%[1]d, a); y[2] ~ binomial(%[1]d, b);", trials)
	part := func(k int, p float64) float64 {
		return float64(k)*math.Log(p) + float64(trials-k)*math.Log1p(-p)
	}
	return &problem{Exact: columns([]string{"a", "b"}, []axis{inside(0, 1), inside(0, 1)}, func(q []float64) ([]float64, float64) {
		c := []float64{q[0], q[0] + (1-q[0])*q[1]}
		return c, part(y[0], c[0]) + part(y[1], c[1]) + math.Log1p(-q[0])
	})}
}

// withoutMass has no posterior.
func withoutMass(w *writer) *problem {
	n := w.within(4, 12)
	x, y, k := w.normals(n, 0, 1), w.normals(n, 2, 1), make([]int, n)
	for i := range k {
		if x[i] > 0 {
			k[i] = 1
		}
	}
	w.vector("x", x)
	w.vector("y", y)
	w.counts("k", k)
	switch w.r.IntN(7) {
	case 0: // outcomes parted by x
		w.param("real a")
		w.param("real b")
		w.line("a ~ normal(0, 5); k ~ bernoulli_logit(a + b * x);")
	case 1: // the prior of Haldane, no failure
		w.param("real<lower=0, upper=1> p")
		w.line("target += -log(p) - log1m(p); for (n in 1:N_k) 1 ~ bernoulli(p);")
	case 2: // one value, scale with 1/s
		w.param("real mu")
		w.param("real<lower=0> s")
		w.line("mu ~ normal(0, 10); target += -log(s); y[1] ~ normal(mu, s); mu ~ normal(y[1], s);")
	case 3: // a curve whose half-way point may be beyond all doses
		w.param("real<lower=0> top")
		w.param("real<lower=0> half")
		w.line("y ~ normal(top * exp(x) ./ (half + exp(x)), 1);")
	case 4: // length scale of a process: all long ones are alike
		w.param("real<lower=0> rho")
		w.param("real mu")
		w.line("mu ~ normal(0, 3); y ~ multi_normal(rep_vector(mu, N_y), add_diag(gp_exp_quad_cov(to_array_1d(x), 1.0, rho), 1));")
	case 5: // rate of an exponential tail beyond all data
		w.param("real<lower=0> c")
		w.line("for (n in 1:N_y) target += normal_lcdf(y[n] | c, 1) - normal_lcdf(y[n] + 0 | c, 1); target += -log1p(c);")
	case 6: // hidden by a transform: flat on the log odds
		w.param("real z")
		w.define("real<lower=0, upper=1> p = inv_logit(z)")
		w.line("y ~ normal(p, 1);")
	}
	return &problem{Improper: true}
}

// foldedLine is a line of which the size is seen.
func foldedLine(w *writer) *problem {
	n, s, sd := w.within(2, 15), w.scale(0.2, 1), w.scale(1, 3)
	x, y, b := w.normals(n, 0, 1), make([]float64, n), w.normals(2, 0, sd)
	for i := range y {
		y[i] = rounded(w.normal(math.Abs(b[0]+b[1]*x[i]), s), 6)
	}
	w.vector("x", x)
	w.vector("y", y)
	lean := []float64{0, 0.2}[w.r.IntN(2)]
	w.real("a", gaussian(lean, sd))
	w.real("b", gaussian(0, sd))
	w.observe("y", "normal", []string{"abs(a + b * x[n])", "sqrt(square(a + b * x[n]))"}[w.r.IntN(2)], num(s))
	return &problem{Exact: cube([]string{"a", "b"}, []axis{plain(-9*sd, 9*sd), plain(-9*sd, 9*sd)}, func(q []float64) float64 {
		v := normalLog(q[0], lean, sd) + normalLog(q[1], 0, sd)
		for i, z := range y {
			v += normalLog(z, math.Abs(q[0]+q[1]*x[i]), s)
		}
		return v
	})}
}
