package main

// This file holds classes of posteriors that no other class resembles: latent classes, several
// change points, arms that meet in a corner, a choice between models, two lines in one set of
// data, and shares that bound each other. They were made to measure the checks by.

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

func logBeta(a, b float64) float64 {
	x, _ := math.Lgamma(a)
	y, _ := math.Lgamma(b)
	z, _ := math.Lgamma(a + b)
	return x + y - z
}

// latentClass are yes and no answers to three questions by people of two unseen classes.
func latentClass(w *writer) *problem {
	n, a, b := w.within(5, 9), w.uniform(1, 3), w.uniform(1, 3)
	aw, bw := w.uniform(1, 3), w.uniform(1, 3)
	y, low, high := make([][]float64, n), w.uniform(0.05, 0.4), w.uniform(0.6, 0.95)
	for i := range y {
		p := []float64{low, high}[w.r.IntN(2)]
		for range 3 {
			y[i] = append(y[i], float64(w.binomial(1, p)))
		}
	}
	w.data = append(w.data, fmt.Sprintf("array[%d, 3] int y;", n))
	rows := make([][]int, n)
	for i, r := range y {
		for _, v := range r {
			rows[i] = append(rows[i], int(v))
		}
	}
	w.vars["y"] = rows
	w.unit("w", betaDist(aw, bw))
	w.param("vector<lower=0, upper=1>[3] p")
	w.param("vector<lower=0, upper=1>[3] q")
	w.line("p ~ beta(%s); q ~ beta(%s);", list(a, b), list(a, b))
	if w.coin() {
		w.param("array[%d] int<lower=0, upper=1> z", n)
		w.line("z ~ bernoulli(w);")
		w.line("for (n in 1:%d) { y[n] ~ bernoulli(z[n] == 1 ? p : q); }", n)
	} else {
		w.line("for (n in 1:%d) { target += log_mix(w, bernoulli_lpmf(y[n] | p), bernoulli_lpmf(y[n] | q)); }", n)
	}
	var m mixture
	for bits := range 1 << n {
		var yes, total [2][3]float64
		first := 0.0
		for i, r := range y {
			k := 1 - bits>>i&1 // bit 1 is class p
			first += float64(1 - k)
			for j, v := range r {
				yes[k][j] += v
				total[k][j]++
			}
		}
		var mean, variance []float64
		logw := 0.0
		put := func(a, b float64) {
			logw += logBeta(a, b)
			mean, variance = append(mean, a/(a+b)), append(variance, a*b/((a+b)*(a+b)*(a+b+1)))
		}
		put(aw+first, bw+float64(n)-first)
		for k := range 2 {
			for j := range 3 {
				put(a+yes[k][j], b+total[k][j]-yes[k][j])
			}
		}
		m.add(logw, mean, variance)
	}
	return &problem{Exact: m.moments(append(append([]string{"w"}, indexed("p", 3)...), indexed("q", 3)...)...)}
}

// twoChanges is a series of three levels with two changes in unknown places, either of which is the first.
func twoChanges(w *writer) *problem {
	n, s, sd := w.within(6, 8), w.scale(0.4, 1.2), w.scale(1, 3)
	c, d := w.within(1, n/2), w.within(n/2+1, n-1)
	y, level := w.normals(n, 0, s), w.normals(3, 0, sd)
	for i := range y {
		k := 0
		if i >= c {
			k = 1
		}
		if i >= d {
			k = 2
		}
		y[i] = rounded(y[i]+level[k], 6)
	}
	w.vector("y", y)
	w.param("vector[3] mu")
	w.param("int<lower=1, upper=N_y> c")
	w.param("int<lower=1, upper=N_y> d")
	w.prior("mu", gaussian(0, sd))
	w.line("for (n in 1:N_y) { y[n] ~ normal(mu[1 + (n > c) + (n > d)], %s); }", num(s))
	var m mixture
	for c := 1; c <= n; c++ {
		for d := 1; d <= n; d++ {
			x := mat.NewDense(n, 3, nil)
			for i := range n {
				k := 0
				if i >= c {
					k++
				}
				if i >= d {
					k++
				}
				x.Set(i, k, 1)
			}
			post, logw := independent([]float64{0, 0, 0}, same(3, sd)).given(x, y, same(n, s))
			mean, variance := post.parts()
			m.add(logw, append(mean, float64(c), float64(d)), append(variance, 0, 0))
		}
	}
	return &problem{Exact: m.moments(append(indexed("mu", 3), "c", "d")...)}
}

// largerOf sees the larger of two numbers only: an arm along each axis.
func largerOf(w *writer) *problem {
	n, s, sa, sb := w.within(1, 10), w.scale(0.2, 1), w.scale(1, 3), w.scale(1, 3)
	y := w.normals(n, w.normal(0.5, 1.5), s)
	w.vector("y", y)
	w.real("a", gaussian(0, sa))
	w.real("b", gaussian(0, sb))
	w.line("y ~ normal(fmax(a, b), %s);", num(s))
	return &problem{Exact: cube([]string{"a", "b"}, []axis{plain(-12*sa, 12*sa), plain(-12*sb, 12*sb)}, func(q []float64) float64 {
		v := normalLog(q[0], 0, sa) + normalLog(q[1], 0, sb)
		for _, y := range y {
			v += normalLog(y, max(q[0], q[1]), s)
		}
		return v
	})}
}

// whichModel chooses between three families of the observations, around one centre.
func whichModel(w *writer) *problem {
	n, s, sd := w.within(2, 10), w.scale(0.5, 1.5), w.scale(1, 4)
	y := w.normals(n, 0, s)
	if w.coin() {
		y[0] = rounded(w.normal(6*s, s), 6)
	}
	shares := [][]float64{{0.2, 0.3, 0.5}, {0.6, 0.3, 0.1}, {0.34, 0.33, 0.33}}[w.r.IntN(3)]
	w.vector("y", y)
	w.real("mu", gaussian(0, sd))
	w.param("int<lower=1, upper=3> m")
	w.line("m ~ categorical([%s]');", list(shares...))
	w.line("if (m == 1) { y ~ normal(mu, %s); } else if (m == 2) { y ~ double_exponential(mu, %s); } else { y ~ cauchy(mu, %s); }", num(s), num(s), num(s))
	var m mixture
	families := []func(mu float64) dist{
		func(mu float64) dist { return gaussian(mu, s) }, func(mu float64) dist { return laplace(mu, s) }, func(mu float64) dist { return cauchy(mu, s) },
	}
	for k, f := range families {
		along(-15*sd, 15*sd, []peak{{0, s}}, func(x, logw float64) {
			v := math.Log(shares[k]) + normalLog(x, 0, sd) + logw
			for _, y := range y {
				v += f(x).log(y)
			}
			m.add(v, []float64{x, float64(k + 1)}, nil)
		})
	}
	out := m.moments("mu", "m")
	meanOnly(out[1:])
	return &problem{Exact: out}
}

// twoSlopes is a line through zero with heavy errors whose data come from two lines.
func twoSlopes(w *writer) *problem {
	n, s, sd := w.within(6, 14), w.scale(0.05, 0.4), w.scale(1, 4)
	x, y := w.normals(n, 0, 1), make([]float64, n)
	slope := []float64{w.normal(0, sd), w.normal(0, sd)}
	for i := range y {
		y[i] = rounded(w.normal(slope[w.r.IntN(2)]*x[i], s), 6)
	}
	w.vector("x", x)
	w.vector("y", y)
	w.real("b", gaussian(0, sd))
	w.observe("y", "cauchy", "b * x[n]", num(s))
	var peaks []peak
	for i := range x {
		peaks = append(peaks, peak{y[i] / x[i], s / math.Abs(x[i])})
	}
	return &problem{Exact: line("b", func(b float64) float64 {
		v := normalLog(b, 0, sd)
		for i := range x {
			v += cauchy(b*x[i], s).log(y[i])
		}
		return v
	}, -15*sd, 15*sd, peaks...)}
}

// boundedShares are two shares of a whole, of which only the sum and the first were counted.
func boundedShares(w *writer) *problem {
	n, m := w.within(5, 60), w.within(1, 20)
	u := w.uniform(0.4, 0.99)
	k, first := w.binomial(n, u), w.binomial(m, u*w.uniform(0.02, 0.9))
	a := w.uniform(1, 2)
	w.whole("n", n)
	w.whole("m", m)
	w.whole("k", k)
	w.whole("first", first)
	w.unit("a", betaDist(a, a))
	w.param("real<lower=0, upper=1 - a> b")
	w.line("k ~ binomial(n, a + b);")
	w.line("first ~ binomial(m, a);")
	prior := betaDist(a, a)
	return &problem{Exact: cube2("a", "b", inside(0, 1), inside(0, 1), func(x, share float64) ([]float64, float64) {
		y := share * (1 - x) // share has the derivative (1-x)
		return []float64{x, y}, prior.log(x) + math.Log1p(-x) + float64(k)*math.Log(x+y) + float64(n-k)*math.Log1p(-x-y) + float64(first)*math.Log(x) + float64(m-first)*math.Log1p(-x)
	})}
}
