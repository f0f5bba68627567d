package main

// This file holds classes of weakly told products, of labels, of chains of states and of edges.

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// productThree sees the product of three numbers.
func productThree(w *writer) *problem {
	n, s, sd := w.within(1, 5), w.scale(0.3, 1), w.scale(0.8, 1.5)
	lean := []float64{0, 0, w.uniform(0.2, 1)}[w.r.IntN(3)]
	y := w.normals(n, w.normal(0, 1.5), s)
	w.vector("y", y)
	w.param("vector[3] a")
	w.line("a ~ normal(%s, %s);", num(lean), num(sd))
	w.line("y ~ normal(a[1] * a[2] * a[3], %s);", num(s))
	side := plain(-7*sd, 7*sd)
	return &problem{Exact: cube(indexed("a", 3), []axis{side, side, side}, func(q []float64) (v float64) {
		for _, x := range q {
			v += normalLog(x, lean, sd)
		}
		for _, x := range y {
			v += normalLog(x, q[0]*q[1]*q[2], s)
		}
		return v
	})}
}

// assign calls each with every way to put n things into k places.
func assign(n, k int, each func(z []int)) {
	z := make([]int, n)
	for {
		each(z)
		i := 0
		for ; i < n && z[i] == k-1; i++ {
			z[i] = 0
		}
		if i == n {
			return
		}
		z[i]++
	}
}

// places are the moments of means of normal data in places, summed over the ways to put them there.
func places(y []float64, k int, s, sd float64, logw func(z []int) float64) []moment {
	var m mixture
	x := mat.NewDense(len(y), k, nil)
	assign(len(y), k, func(z []int) {
		x.Zero()
		for i, j := range z {
			x.Set(i, j, 1)
		}
		post, evidence := independent(same(k, 0), same(k, sd)).given(x, y, same(len(y), s))
		mean, variance := post.parts()
		m.add(evidence+logw(z), mean, variance)
	})
	return m.moments(indexed("mu", k)...)
}

// manyLabels is a mixture of three or four normals with free means.
func manyLabels(w *writer) *problem { return labelsOf(w, w.within(3, 4)) }

func labelsOf(w *writer, k int) *problem {
	s, sd := w.scale(0.3, 1), w.scale(2, 4)
	n := 9 - k
	share := same(k, 1/float64(k))
	if w.coin() {
		share = [][]float64{{0.6, 0.4}, {0.5, 0.3, 0.2}, {0.4, 0.3, 0.2, 0.1}}[k-2]
	}
	centres, y := w.normals(k, 0, sd), make([]float64, n)
	for i := range y {
		y[i] = rounded(w.normal(centres[i%k], s), 6)
	}
	w.vector("y", y)
	w.param("vector[%d] mu", k)
	w.prior("mu", gaussian(0, sd))
	w.line("for (n in 1:N_y) { vector[%d] lp = log([%s]'); for (j in 1:%d) { lp[j] += normal_lpdf(y[n] | mu[j], %s); } target += log_sum_exp(lp); }", k, list(share...), k, num(s))
	return &problem{Exact: places(y, k, s, sd, func(z []int) (v float64) {
		for _, j := range z {
			v += math.Log(share[j])
		}
		return v
	})}
}

// forward is a chain of two or three hidden states with free levels, summed out by the forward
// algorithm.
func forward(w *writer) *problem {
	k, s, sd, stay := w.within(2, 3), w.scale(0.3, 1.2), w.scale(1, 3), w.uniform(0.5, 0.95)
	n, level := map[int]int{2: 10, 3: 7}[k], w.normals(k, 0, sd)
	y, state := make([]float64, n), 0
	for i := range y {
		if w.r.Float64() > stay {
			state = w.r.IntN(k)
		}
		y[i] = rounded(w.normal(level[state], s), 6)
	}
	first := [][]float64{{0.5, 0.5}, {0.4, 0.3, 0.3}}[k-2]
	if w.coin() {
		first = [][]float64{{0.9, 0.1}, {0.8, 0.1, 0.1}}[k-2]
	}
	other := (1 - stay) / float64(k-1)
	w.vector("y", y)
	w.param("vector[%d] mu", k)
	w.prior("mu", gaussian(0, sd))
	w.line("vector[%d] f = log([%s]');", k, list(first...))
	w.line("for (j in 1:%d) { f[j] += normal_lpdf(y[1] | mu[j], %s); }", k, num(s))
	w.line("for (n in 2:N_y) { vector[%d] g; for (j in 1:%d) { vector[%d] t; for (i in 1:%d) { t[i] = f[i] + log(i == j ? %s : %s); } g[j] = log_sum_exp(t) + normal_lpdf(y[n] | mu[j], %s); } f = g; }",
		k, k, k, k, num(stay), num(other), num(s))
	w.line("target += log_sum_exp(f);")
	decl := slices.IndexFunc(w.body, func(l string) bool { return l[:6] == "vector" })
	w.body = slices.Insert(slices.Delete(w.body, decl, decl+1), 0, fmt.Sprintf("vector[%d] f = log([%s]');", k, list(first...)))
	return &problem{Exact: places(y, k, s, sd, func(z []int) float64 {
		v := math.Log(first[z[0]])
		for i := 1; i < n; i++ {
			if z[i] == z[i-1] {
				v += math.Log(stay)
			} else {
				v += math.Log(other)
			}
		}
		return v
	})}
}

// manyStates is an integer of 20 to 60 values, with levels that have two likely regions.
func manyStates(w *writer) *problem {
	k, n, s, sd := w.within(20, 60), w.within(1, 5), w.scale(0.2, 1), w.scale(0.2, 1)
	level := make([]float64, k)
	for i := range level {
		level[i] = rounded(3*math.Cos(4*math.Pi*float64(i)/float64(k)+0.3), 6)
	}
	y := w.normals(n, level[w.r.IntN(k)], s)
	w.vector("level", level)
	w.vector("y", y)
	w.real("mu", gaussian(0, sd))
	w.param("int<lower=1, upper=%d> k", k)
	w.line("k ~ discrete_range(1, %d);", k)
	w.line("y ~ normal(level[k] + mu, %s);", num(s))
	var m mixture
	for i := range level {
		x, rest := mat.NewDense(n, 1, same(n, 1)), make([]float64, n)
		for j := range y {
			rest[j] = y[j] - level[i]
		}
		post, logw := independent([]float64{0}, []float64{sd}).given(x, rest, same(n, s))
		m.add(logw, []float64{post.mean.AtVec(0), float64(i + 1)}, []float64{post.cov.At(0, 0), 0})
	}
	return &problem{Exact: m.moments("mu", "k")}
}

// magnets are states that like to be the same, which change one at a time only with luck.
func magnets(w *writer) *problem {
	n, j, s, lean := w.within(4, 8), w.uniform(0.5, 4), w.scale(0.5, 2), w.uniform(-0.3, 0.3)
	w.param("array[%d] int<lower=0, upper=1> z", n)
	w.param("real x")
	w.line("for (i in 2:%d) { target += %s * (z[i] == z[i - 1]); }", n, num(j))
	w.line("target += %s * sum(z);", num(lean))
	w.line("x ~ normal(sum(z), %s);", num(s))
	var m mixture
	assign(n, 2, func(z []int) {
		column, variance, v, total := []float64{}, []float64{}, 0.0, 0.0
		for i, b := range z {
			column, variance, total = append(column, float64(b)), append(variance, 0), total+float64(b)
			if i > 0 && z[i-1] == b {
				v += j
			}
		}
		m.add(v+lean*total, append(column, total), append(variance, s*s))
	})
	out := m.moments(append(indexed("z", n), "x")...)
	meanOnly(out[:n])
	return &problem{Exact: out}
}

// latentScale sees products of a loading and latent numbers whose scale is unknown, too.
func latentScale(w *writer) *problem {
	n, s, a, b := w.within(3, 12), w.scale(0.2, 1), w.uniform(0.5, 1.5), w.uniform(0.5, 1.5)
	y := w.normals(n, 0, w.uniform(1, 3))
	pl, pt := lognormal(0, a), lognormal(0, b)
	w.vector("y", y)
	w.param("real<lower=0> lambda")
	w.param("real<lower=0> tau")
	w.param("vector[%d] f", n)
	w.prior("lambda", pl)
	w.prior("tau", pt)
	w.line("f ~ normal(0, tau);")
	w.observe("y", "normal", "lambda * f[n]", num(s))
	var m mixture
	lattice([]axis{positive(1e-4, 1e4), positive(1e-4, 1e4)}, func(q []float64) float64 {
		v, sd := pl.log(q[0])+pt.log(q[1]), math.Hypot(s, q[0]*q[1])
		for _, x := range y {
			v += normalLog(x, 0, sd)
		}
		return v
	}, func(q []float64, logw float64) {
		precision := 1/(q[1]*q[1]) + q[0]*q[0]/(s*s)
		column, variance := []float64{q[0], q[1]}, []float64{0, 0}
		for _, x := range y {
			column, variance = append(column, q[0]*x/(s*s*precision)), append(variance, 1/precision)
		}
		m.add(logw, column, variance)
	})
	return &problem{Exact: m.moments(append([]string{"lambda", "tau"}, indexed("f", n)...)...)}
}

// nearlyOne are groups that hardly differ, centred, under a prior of their scale over orders of magnitude.
func nearlyOne(w *writer) *problem {
	n, s, sd := w.within(3, 8), w.scale(0.3, 1), w.scale(1, 3)
	y, prior := w.normals(n, 0, s), lognormal(w.uniform(-3, -1), w.uniform(0.8, 1.5))
	w.vector("y", y)
	w.real("mu", gaussian(0, sd))
	w.param("real<lower=0> tau")
	w.param("vector[%d] theta", n)
	w.prior("tau", prior)
	w.line("theta ~ normal(mu, tau);")
	w.observe("y", "normal", "theta[n]", num(s))
	var m mixture
	one := mat.NewDense(n, 1, same(n, 1))
	lattice([]axis{positive(1e-6, 1e3)}, func(q []float64) float64 {
		_, v := independent([]float64{0}, []float64{sd}).given(one, y, same(n, math.Hypot(s, q[0])))
		return prior.log(q[0]) + v
	}, func(q []float64, logw float64) {
		post, _ := independent([]float64{0}, []float64{sd}).given(one, y, same(n, math.Hypot(s, q[0])))
		m.add(logw, []float64{q[0], post.mean.AtVec(0)}, []float64{0, post.cov.At(0, 0)})
	})
	return &problem{Exact: m.moments("tau", "mu")}
}

// cutTails are Cauchy numbers cut off far out, which have most of their variance there.
func cutTails(w *writer) *problem {
	d := w.within(1, 4)
	var out []moment
	for i := range d {
		s, lo, hi := w.scale(0.3, 2), 0.0, w.scale(15, 200)
		if w.coin() {
			lo = -hi / 4
		}
		prior := cauchy(0, s)
		w.param("real<lower=%s, upper=%s> x%d", num(lo), num(hi), i+1)
		w.prior(fmt.Sprintf("x%d", i+1), prior)
		out = append(out, line(fmt.Sprintf("x%d", i+1), prior.log, lo, hi, peak{0, s})...)
	}
	return &problem{Exact: out}
}

// edges have their mass at both bounds of every number.
func edges(w *writer) *problem {
	d := w.within(1, 5)
	w.param("vector<lower=0, upper=1>[%d] x", d)
	var out []moment
	for i := range d {
		p, k := w.uniform(0.2, 0.8), w.scale(4, 40)
		w.line("target += log_mix(%s, -%s * x[%d], -%s * (1 - x[%d]));", num(p), num(k), i+1, num(k), i+1)
		out = append(out, line(fmt.Sprintf("x.%d", i+1), func(x float64) float64 { return logMix(p, -k*x, -k*(1-x)) }, 0, 1, peak{0, 1 / k}, peak{1, 1 / k})...)
	}
	return &problem{Exact: out}
}

// changedSpread is a series whose standard deviation changes at a place that is summed out.
func changedSpread(w *writer) *problem {
	n, prior := w.within(6, 20), lognormal(0, w.uniform(0.7, 1.5))
	at := w.within(1, n-1)
	y := append(w.normals(at, 0, w.scale(0.2, 4)), w.normals(n-at, 0, w.scale(0.2, 4))...)
	w.vector("y", y)
	w.param("vector<lower=0>[2] s")
	w.prior("s", prior)
	w.line("vector[N_y - 1] lp;")
	w.line("for (c in 1:N_y - 1) { lp[c] = normal_lpdf(y[1:c] | 0, s[1]) + normal_lpdf(y[c + 1:N_y] | 0, s[2]); }")
	w.line("target += log_sum_exp(lp);")
	slices.SortStableFunc(w.body, func(a, b string) int {
		return map[bool]int{true: 1}[a[:6] != "vector"] - map[bool]int{true: 1}[b[:6] != "vector"]
	})
	return &problem{Exact: cube(indexed("s", 2), []axis{positive(1e-3, 1e3), positive(1e-3, 1e3)}, func(q []float64) float64 {
		a := make([]float64, n+1) // up to a place with the first
		total := 0.0
		for i, x := range y {
			a[i+1] = a[i] + normalLog(x, 0, q[0]) - normalLog(x, 0, q[1])
			total += normalLog(x, 0, q[1])
		}
		most := slices.Max(a[1:n])
		sum := 0.0
		for _, v := range a[1:n] {
			sum += math.Exp(v - most)
		}
		return prior.log(q[0]) + prior.log(q[1]) + total + most + math.Log(sum)
	})}
}

// outlyingLines is a line with heavy errors, a part of whose data belongs to another line.
func outlyingLines(w *writer) *problem {
	n, s, nu, sd := w.within(6, 20), w.scale(0.1, 0.5), float64(w.within(1, 4)), w.scale(1, 4)
	out := w.within(1, n/2)
	x, y := w.normals(n, 0, 1), make([]float64, n)
	for i := range y {
		y[i] = rounded(w.normal(1+x[i], s), 6)
		if i < out {
			y[i] = rounded(w.normal(-3-x[i], s), 6)
		}
	}
	w.vector("x", x)
	w.vector("y", y)
	w.real("a", gaussian(0, sd))
	w.real("b", gaussian(0, sd))
	w.observe("y", "student_t", num(nu), "a + b * x[n]", num(s))
	side := plain(-8*sd, 8*sd)
	return &problem{Exact: cube([]string{"a", "b"}, []axis{side, side}, func(q []float64) float64 {
		v := normalLog(q[0], 0, sd) + normalLog(q[1], 0, sd)
		for i := range y {
			v += studentLog(nu, y[i], q[0]+q[1]*x[i], s)
		}
		return v
	})}
}
