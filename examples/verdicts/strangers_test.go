package main

// This file holds classes of sums of whole and other numbers, tails beyond bounds, scales among outliers, angles, rejections and linked wells.

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// strangers are classes that were written after all others, without a look at the checks.
func strangers() []*class {
	return []*class{
		{"whole_and_part", "a whole number and a part, their sum is seen", false, wholeAndPart},
		{"beyond", "data far beyond a bound", false, beyond},
		{"outlier_scale", "a scale among outliers", false, outlierScale},
		{"narrow_told", "a mean told to a millionth of its prior", true, narrowTold},
		{"years", "a line over years that are not centred", false, years},
		{"cogs", "an angle up to turns of a cog", false, cogs},
		{"one_exception", "logistic regression, parted but for one outcome", false, oneException},
		{"power_law", "height and power of a curve", false, powerLaw},
		{"unequal", "two means without labels, unequal known shares", false, unequal},
		{"seesaw", "what widens numbers narrows their errors", false, seesaw},
		{"whole_freedom", "whole degrees of freedom", false, wholeFreedom},
		{"angle_sum", "the sum of two angles is seen", false, angleSum},
		{"rejecting", "two numbers, rejected beyond a line", false, rejecting},
		{"cured", "survival, a share is cured", false, cured},
		{"shape_groups", "groups of rates with an unknown shape", false, shapeGroups},
		{"shifted", "lognormal data with an unknown shift", false, shifted},
		{"background", "a rate above a known background", false, background},
		{"linked_wells", "double wells in a row, each leans on the next", false, linkedWells},
		{"many_proportions", "3 to 20 proportions", true, manyProportions},
		{"lifetimes", "exponential lifetimes, some cut off", true, lifetimes},
	}
}

// wholeAndPart: y is seen of k + x.
func wholeAndPart(w *writer) *problem {
	most, s, sd := w.within(2, 12), w.scale(0.05, 0.5), w.scale(0.3, 1.5)
	y := w.normals(w.within(1, 4), w.uniform(0, float64(most)), s)
	w.vector("y", y)
	w.param("int<lower=0, upper=%d> k", most)
	w.real("x", gaussian(0, sd))
	w.line("y ~ normal(k + x, %s);", num(s))
	var m mixture
	for k := range most + 1 {
		post, evidence := independent([]float64{0}, []float64{sd}).given(ones(len(y)), minus(y, float64(k)), same(len(y), s))
		mean, variance := post.parts()
		m.add(evidence, []float64{float64(k), mean[0]}, []float64{0, variance[0]})
	}
	out := m.moments("k", "x")
	out[0].MeanOnly = true
	return &problem{Exact: out}
}

func ones(n int) *mat.Dense { return mat.NewDense(n, 1, same(n, 1)) }

func minus(y []float64, x float64) []float64 {
	out := slices.Clone(y)
	for i := range out {
		out[i] -= x
	}
	return out
}

// beyond are numbers above a bound whose data are far below it.
func beyond(w *writer) *problem {
	d, s, at := w.within(1, 5), w.scale(0.2, 2), w.uniform(-3, 3)
	y, out := make([]float64, d), []moment{}
	for i := range y {
		y[i] = rounded(at-s*w.uniform(3, 40), 6)
		rate := (at - y[i]) / s
		out = append(out, line(fmt.Sprintf("x.%d", i+1), func(x float64) float64 { return normalLog(y[i], x, s) }, at, at+45*s/rate, peak{at, s / rate})...)
	}
	w.vector("y", y)
	w.param("vector<lower=%s>[%d] x", num(at), d)
	w.observe("y", "normal", "x[n]", num(s))
	return &problem{Exact: out}
}

// outlierScale is a scale of data some of which are of another, known one.
func outlierScale(w *writer) *problem {
	n, p, wide, prior := w.within(3, 25), w.uniform(0.1, 0.5), w.uniform(5, 30), lognormal(w.uniform(-1, 2), w.uniform(0.5, 2))
	y, s := make([]float64, n), w.scale(0.1, 2)
	for i := range y {
		y[i] = rounded(w.normal(0, s), 6)
		if w.r.Float64() < p {
			y[i] = rounded(w.normal(0, wide), 6)
		}
	}
	w.vector("y", y)
	w.param("real<lower=0> s")
	w.prior("s", prior)
	w.each("y", fmt.Sprintf("log_mix(%s, normal_lpdf(y[n] | 0, %s), normal_lpdf(y[n] | 0, s))", num(p), num(wide)))
	var m mixture
	peaks := []peak{{0, 1}}
	for _, v := range y {
		peaks = append(peaks, peak{math.Log(math.Abs(v) + 1e-9), 0.2})
	}
	along(prior.args[0]-14*prior.args[1], prior.args[0]+14*prior.args[1], peaks, func(u, logw float64) {
		x := math.Exp(u)
		logw += prior.log(x) + u
		for _, v := range y {
			logw += logMix(p, normalLog(v, 0, wide), normalLog(v, 0, x))
		}
		m.add(logw, []float64{x}, nil)
	})
	return &problem{Exact: m.moments("s")}
}

// narrowTold are means that data tell to a millionth of the prior's width.
func narrowTold(w *writer) *problem {
	d, s, sd := w.within(1, 4), w.scale(1e-6, 1e-4), w.scale(0.5, 5)
	y, prior := w.normals(d, 0, sd), w.location(0, sd, true)
	var out []moment
	for i, v := range y {
		out = append(out, line(fmt.Sprintf("mu.%d", i+1), func(x float64) float64 { return prior.log(x) + normalLog(v, x, s) }, v-15*s, v+15*s, peak{v, s})...)
	}
	w.vector("y", y)
	w.param("vector[%d] mu", d)
	w.prior("mu", prior)
	w.observe("y", "normal", "mu[n]", num(s))
	return &problem{Exact: out}
}

// years is a line, the curve too where it bends, over years that begin at 1900 and not at 0.
func years(w *writer) *problem {
	n, s, d := w.within(4, 30), w.scale(0.3, 3), 2
	from := float64(w.within(1900, 2000))
	rows, x, y := make([][]float64, n), mat.NewDense(n, d, nil), make([]float64, n)
	a, b := w.normal(0, 5), w.normal(0, 0.5)
	for i := range rows {
		t := from + float64(i)
		rows[i] = []float64{1, t}
		x.SetRow(i, rows[i])
		y[i] = rounded(w.normal(a+b*(t-from), s), 8)
	}
	w.matrix("x", rows)
	w.vector("y", y)
	sd := []float64{w.scale(100, 5000), w.scale(0.2, 2)}
	w.param("vector[2] b")
	w.line("b ~ normal(0, [%s]');", list(sd...))
	w.line("y ~ normal(x * b, %s);", num(s))
	post, _ := independent(same(2, 0), sd).given(x, y, same(n, s))
	mean, variance := post.parts()
	return &problem{Exact: of(indexed("b", 2), mean, variance)}
}

// cogs is an angle of which the cosine of a multiple is seen.
func cogs(w *writer) *problem {
	k, s := w.within(1, 5), w.scale(0.05, 0.6)
	truth := 2 * math.Pi * w.r.Float64()
	y := make([]float64, w.within(1, 5))
	for i := range y {
		y[i] = rounded(w.normal(math.Cos(float64(k)*truth), s), 6)
	}
	top := 6.28318530718
	w.vector("y", y)
	w.param("real<lower=0, upper=%s> phi", num(top))
	w.observe("y", "normal", fmt.Sprintf("cos(%d * phi)", k), num(s))
	peaks := []peak{{truth, 0.05}}
	for i := range 24 {
		peaks = append(peaks, peak{float64(i) * top / 24, 0.05})
	}
	return &problem{Exact: line("phi", func(x float64) (v float64) {
		for _, u := range y {
			v += normalLog(u, math.Cos(float64(k)*x), s)
		}
		return v
	}, 0, top, peaks...)}
}

// oneException is a logistic regression whose outcomes the covariate parts but for one.
func oneException(w *writer) *problem {
	n, prior := w.within(6, 30), student(float64(w.within(4, 9)), 0, w.uniform(2, 10))
	x, y := w.normals(n, 0, 1), make([]int, n)
	for i, v := range x {
		if v > 0.2 {
			y[i] = 1
		}
	}
	y[w.r.IntN(n)] = w.r.IntN(2)
	w.vector("x", x)
	w.counts("y", y)
	w.real("a", prior)
	w.real("b", prior)
	w.observe("y", "bernoulli_logit", "a + b * x[n]")
	wide := 200 * prior.args[2]
	return &problem{Exact: cube([]string{"a", "b"}, []axis{far(prior.args[2], wide), far(prior.args[2], wide)}, func(q []float64) float64 {
		v := prior.log(q[0]) + prior.log(q[1])
		for i, k := range y {
			v += logLogistic(float64(2*k-1) * (q[0] + q[1]*x[i]))
		}
		return v
	})}
}

// powerLaw is a curve a t^b.
func powerLaw(w *writer) *problem {
	n, s, height, power := w.within(3, 10), w.scale(0.2, 2), lognormal(w.uniform(-0.5, 1), w.uniform(0.5, 1.5)), gaussian(w.uniform(-1, 1), w.uniform(0.5, 1.5))
	t, y := make([]float64, n), make([]float64, n)
	for i := range t {
		t[i] = w.scale(0.2, 5)
		y[i] = rounded(w.normal(1.5*math.Pow(t[i], power.args[0]), s), 6)
	}
	w.vector("t", t)
	w.vector("y", y)
	w.positive("a", height)
	w.real("b", power)
	w.line("for (n in 1:N_y) y[n] ~ normal(a * pow(t[n], b), %s);", num(s))
	return &problem{Exact: cube([]string{"a", "b"}, []axis{positive(1e-5, 1e4), plain(-14, 14)}, func(q []float64) float64 {
		v := height.log(q[0]) + power.log(q[1])
		for i := range t {
			v += normalLog(y[i], q[0]*math.Pow(t[i], q[1]), s)
		}
		return v
	})}
}

// unequal are two means of a mixture whose shares are known and differ.
func unequal(w *writer) *problem {
	n, p, s, sd := w.within(3, 9), w.uniform(0.52, 0.85), w.scale(0.3, 1.2), w.scale(1, 5)
	y := w.twoGroups(n, p, w.normal(0, sd), w.normal(0, sd), s)
	w.vector("y", y)
	w.real("a", gaussian(0, sd))
	w.real("b", gaussian(0, sd))
	w.each("y", fmt.Sprintf("log_mix(%s, normal_lpdf(y[n] | a, %[2]s), normal_lpdf(y[n] | b, %[2]s))", num(p), num(s)))
	var m mixture
	assign(n, 2, func(z []int) {
		design, logw := mat.NewDense(n, 2, nil), 0.0
		for i, k := range z {
			design.Set(i, k, 1)
			logw += math.Log([]float64{p, 1 - p}[k])
		}
		post, evidence := independent(same(2, 0), same(2, sd)).given(design, y, same(n, s))
		mean, variance := post.parts()
		m.add(logw+evidence, mean, variance)
	})
	return &problem{Exact: m.moments("a", "b")}
}

// seesaw are numbers whose spread grows with v as that of their data falls.
func seesaw(w *writer) *problem {
	d, sd, size := w.within(1, 8), w.uniform(0.5, 2), w.scale(0.5, 30)
	y := w.normals(d, 0, size)
	w.vector("y", y)
	w.real("v", gaussian(0, sd))
	w.param("vector[%d] x", d)
	w.line("x ~ normal(0, exp(v));")
	w.line("y ~ normal(x, exp(-v));")
	var m mixture
	along(-12*sd, 12*sd, []peak{{0, sd}, {math.Log(size), 0.3}, {-math.Log(size), 0.3}}, func(v, logw float64) {
		a, b := math.Exp(2*v), math.Exp(-2*v)
		logw += normalLog(v, 0, sd)
		mean, variance := []float64{v}, []float64{0}
		for _, u := range y {
			logw += normalLog(u, 0, math.Sqrt(a+b))
			mean, variance = append(mean, u*a/(a+b)), append(variance, 1/(a+b))
		}
		m.add(logw, mean, variance)
	})
	return &problem{Exact: m.moments(append([]string{"v"}, indexed("x", d)...)...)}
}

// wholeFreedom is a location of Student errors whose degrees of freedom are whole.
func wholeFreedom(w *writer) *problem {
	n, most, sd := w.within(3, 12), w.within(5, 30), w.scale(1, 5)
	y := w.normals(n, 0, 1)
	for range w.within(0, 2) {
		y[w.r.IntN(n)] = rounded(w.normal(0, 12), 6)
	}
	w.vector("y", y)
	w.param("int<lower=1, upper=%d> nu", most)
	w.real("mu", gaussian(0, sd))
	w.line("y ~ student_t(nu, mu, 1);")
	peaks := []peak{{0, sd}}
	for _, v := range y {
		peaks = append(peaks, peak{v, 0.5})
	}
	var m mixture
	for nu := 1; nu <= most; nu++ {
		along(-12*sd, 12*sd, peaks, func(mu, logw float64) {
			logw += normalLog(mu, 0, sd)
			for _, v := range y {
				logw += student(float64(nu), mu, 1).log(v)
			}
			m.add(logw, []float64{float64(nu), mu}, nil)
		})
	}
	return &problem{Exact: m.moments("nu", "mu")}
}

// angleSum are two angles of which directions tell the sum, and weakly the first.
func angleSum(w *writer) *problem {
	kappa, weak, edge := w.uniform(1, 20), w.uniform(0, 2), 3.14159265359
	y := make([]float64, w.within(1, 4))
	for i := range y {
		y[i] = rounded(edge*(2*w.r.Float64()-1), 6)
		if i > 0 {
			y[i] = rounded(math.Remainder(y[0]+w.normal(0, 1/math.Sqrt(kappa)), 2*math.Pi), 6)
		}
	}
	w.vector("y", y)
	w.param("real<lower=-%[1]s, upper=%[1]s> a", num(edge))
	w.param("real<lower=-%[1]s, upper=%[1]s> b", num(edge))
	w.line("target += %s * cos(a - 1);", num(weak))
	w.observe("y", "von_mises", "a + b", num(kappa))
	var m mixture
	const points = 500
	at := func(i int) float64 { return edge * (2*(float64(i)+0.5)/points - 1) }
	for i := range points * points {
		a, b := at(i/points), at(i%points)
		v := weak * math.Cos(a-1)
		for _, u := range y {
			v += kappa * math.Cos(u-a-b)
		}
		m.add(v, []float64{a, b}, nil)
	}
	return &problem{Exact: m.moments("a", "b")}
}

// rejecting are two standard normals that the program rejects beyond a line.
func rejecting(w *writer) *problem {
	c := w.uniform(-2, 1)
	w.param("vector[2] x")
	w.line("x ~ std_normal();")
	w.line("if (sum(x) > %s) reject(\"the sum is \", sum(x));", num(c))
	z := c / math.Sqrt2
	ratio := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) / (math.Erfc(-z/math.Sqrt2) / 2)
	variance := 1 - z*ratio - ratio*ratio // of the sum over the root of 2
	return &problem{Exact: of(indexed("x", 2), same(2, -ratio/math.Sqrt2), same(2, (variance+1)/2))}
}

// cured are times of events that a share never has.
func cured(w *writer) *problem {
	n, end, share, rate := w.within(4, 25), w.uniform(1, 6), betaDist(w.uniform(0.7, 3), w.uniform(0.7, 3)), gamma(w.uniform(1, 3), w.uniform(1, 4))
	t, seen := make([]float64, n), make([]int, n)
	for i := range t {
		t[i] = rounded(-math.Log(w.r.Float64())/0.5, 6)
		if seen[i] = 1; t[i] > end || w.r.Float64() < 0.3 {
			t[i], seen[i] = end, 0
		}
	}
	w.vector("t", t)
	w.counts("seen", seen)
	w.unit("p", share)
	w.param("real<lower=0> r")
	w.prior("r", rate)
	w.line("for (n in 1:N_t) { if (seen[n] == 1) target += log1m(p) + exponential_lpdf(t[n] | r); else target += log_mix(p, 0, exponential_lccdf(t[n] | r)); }")
	return &problem{Exact: cube([]string{"p", "r"}, []axis{inside(0, 1), positive(1e-9, 1e3)}, func(q []float64) float64 {
		v := share.log(q[0]) + rate.log(q[1])
		for i := range t {
			if seen[i] == 1 {
				v += math.Log1p(-q[0]) + math.Log(q[1]) - q[1]*t[i]
			} else {
				v += logMix(q[0], 0, -q[1]*t[i])
			}
		}
		return v
	})}
}

// shapeGroups are Poisson rates of a gamma distribution of known mean and unknown shape.
func shapeGroups(w *writer) *problem {
	d, mean, prior := w.within(2, 10), w.scale(0.5, 10), lognormal(w.uniform(-0.5, 1), w.uniform(0.5, 1.2))
	y := make([]int, d)
	for i := range y {
		y[i] = w.poisson(mean * w.scale(0.2, 3))
	}
	w.counts("y", y)
	w.param("real<lower=0> a")
	w.prior("a", prior)
	w.param("vector<lower=0>[%d] r", d)
	w.line("r ~ gamma(a, a / %s);", num(mean))
	w.line("y ~ poisson(r);")
	var m mixture
	along(prior.args[0]-10*prior.args[1], prior.args[0]+10*prior.args[1], []peak{{prior.args[0], prior.args[1]}}, func(u, logw float64) {
		a := math.Exp(u)
		logw += prior.log(a) + u
		x, v := []float64{a}, []float64{0}
		b := a / mean
		la, _ := math.Lgamma(a)
		for _, k := range y {
			p := a + float64(k)
			lp, _ := math.Lgamma(p)
			logw += lp - la + a*math.Log(b) - p*math.Log(b+1)
			x, v = append(x, p/(b+1)), append(v, p/((b+1)*(b+1)))
		}
		m.add(logw, x, v)
	})
	return &problem{Exact: m.moments(append([]string{"a"}, indexed("r", d)...)...)}
}

// shifted are lognormal data above an unknown place.
func shifted(w *writer) *problem {
	n, s, sd, wide := w.within(2, 15), w.uniform(0.3, 1.2), w.uniform(0.7, 2), w.scale(1, 5)
	y := make([]float64, n)
	for i := range y {
		y[i] = rounded(math.Exp(w.normal(0.3, s))+1, 6)
	}
	w.vector("y", y)
	w.param("real<upper=min(y)> c")
	w.prior("c", gaussian(0, wide))
	w.real("mu", gaussian(0, sd))
	w.line("y - c ~ lognormal(mu, %s);", num(s))
	least := slices.Min(y)
	var m mixture
	along(math.Log(1e-12), math.Log(14*wide+least), []peak{{0, 0.5}}, func(u, logw float64) {
		c := least - math.Exp(u)
		z := make([]float64, n)
		for i := range z {
			z[i] = math.Log(y[i] - least + math.Exp(u))
			logw -= z[i]
		}
		post, evidence := independent([]float64{0}, []float64{sd}).given(ones(n), z, same(n, s))
		mean, variance := post.parts()
		m.add(logw+u+evidence+normalLog(c, 0, wide), []float64{c, mean[0]}, []float64{0, variance[0]})
	})
	return &problem{Exact: m.moments("c", "mu")}
}

// background are counts of a known background and an unknown rate above it.
func background(w *writer) *problem {
	known, prior := w.scale(0.5, 20), gamma(w.uniform(1, 3), w.scale(0.05, 1))
	y := make([]int, w.within(1, 5))
	for i := range y {
		y[i] = w.poisson(known * w.scale(0.4, 1.5))
	}
	w.counts("y", y)
	w.param("real<lower=0> r")
	w.prior("r", prior)
	w.observe("y", "poisson", fmt.Sprintf("%s + r", num(known)))
	return &problem{Exact: line("r", func(x float64) float64 {
		v := prior.log(x)
		for _, k := range y {
			v += float64(k)*math.Log(known+x) - known - x
		}
		return v
	}, 0, 20*known+200/prior.args[1], peak{0, 1})}
}

// linkedWells are numbers in a row, each near 1 or -1 and near its neighbours.
func linkedWells(w *writer) *problem {
	d, deep, link, lean := w.within(2, 6), w.uniform(0.5, 4), w.uniform(0, 2), []float64{0, w.uniform(0, 0.5)}[w.r.IntN(2)]
	w.param("vector[%d] x", d)
	w.line("target += -%s * dot_self(square(x) - 1) + %s * sum(x);", num(deep), num(lean))
	w.line("for (n in 2:%d) target += -%s * square(x[n] - x[n - 1]);", d, num(link))
	const points = 400
	at := func(i int) float64 { return -4 + 8*(float64(i)+0.5)/points }
	own := func(i int) float64 {
		x := at(i)
		return math.Exp(-deep*(x*x-1)*(x*x-1) + lean*x)
	}
	spread := func(v []float64) []float64 {
		out := make([]float64, points)
		for i := range out {
			for k, u := range v {
				out[i] += u * math.Exp(-link*(at(i)-at(k))*(at(i)-at(k)))
			}
		}
		return out
	}
	times := func(v []float64) []float64 {
		out := make([]float64, points)
		for i := range out {
			out[i] = v[i] * own(i)
		}
		return out
	}
	before, after := [][]float64{times(same(points, 1))}, [][]float64{same(points, 1)}
	for range d - 1 {
		before = append(before, times(spread(before[len(before)-1])))
		after = append(after, spread(times(after[len(after)-1])))
	}
	var out []moment
	for t := range d {
		var m mixture
		for i := range points {
			m.add(math.Log(before[t][i]*after[d-1-t][i]+1e-300), []float64{at(i)}, nil)
		}
		out = append(out, m.moments(fmt.Sprintf("x.%d", t+1))...)
	}
	return &problem{Exact: out}
}

// manyProportions are proportions with a common known prior.
func manyProportions(w *writer) *problem {
	d, n, a, b := w.within(3, 20), w.within(5, 60), w.uniform(1.5, 6), w.uniform(1.5, 6)
	y, out := make([]int, d), []moment{}
	for i := range y {
		y[i] = w.binomial(n, a/(a+b))
		out = append(out, betaMoments(fmt.Sprintf("p.%d", i+1), a+float64(y[i]), b+float64(n-y[i]))...)
	}
	w.counts("y", y)
	w.param("vector<lower=0, upper=1>[%d] p", d)
	w.prior("p", betaDist(a, b))
	w.line("y ~ binomial(%d, p);", n)
	return &problem{Exact: out}
}

// lifetimes are exponential, and some are cut off.
func lifetimes(w *writer) *problem {
	n, a, b, end := w.within(8, 40), w.uniform(2, 5), w.uniform(1, 5), w.uniform(0.5, 4)
	t, cut, total, events := []float64{}, []float64{}, 0.0, 0.0
	for range n {
		v := rounded(-math.Log(w.r.Float64())*b/a, 6)
		if v > end {
			cut = append(cut, end)
		} else {
			t = append(t, v)
			events++
		}
		total += min(v, end)
	}
	w.vector("t", t)
	w.vector("late", cut)
	w.param("real<lower=0> r")
	w.prior("r", gamma(a, b))
	w.line("t ~ exponential(r);")
	w.line("target += exponential_lccdf(late | r);")
	p, q := a+events, b+total
	return &problem{Exact: of([]string{"r"}, []float64{p / q}, []float64{p / (q * q)})}
}
