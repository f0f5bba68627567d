package main

// This file holds regressions and scales, on lattices of two or three numbers.

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

func logistic01(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// logOdds is log(1 / (1 + exp(-x))).
func logOdds(x float64) float64 {
	if x > 0 {
		return -math.Log1p(math.Exp(-x))
	}
	return x - math.Log1p(math.Exp(x))
}

// normalCDF is log Phi(x).
func normalCDF(x float64) float64 {
	if x > -30 {
		return math.Log(math.Erfc(-x/math.Sqrt2) / 2)
	}
	return -x*x/2 - math.Log(-x) - math.Log(2*math.Pi)/2 // to one part in x^2, where it never matters
}

// twoCoefficients has an intercept and a slope, both with prior N(0, sd); link writes an
// observation for a draw of them and gives its log density.
func twoCoefficients(w *writer, y func(eta float64) int, family, predictor string, logp func(y int, eta float64) float64) *problem {
	n, sa, sb := w.within(6, 40), w.scale(1, 3), w.scale(1, 3)
	x, out := w.normals(n, 0, 1), make([]int, n)
	a, b := w.normal(0, 0.7), w.normal(0, 0.9)
	for i := range out {
		out[i] = y(a + b*x[i])
	}
	w.counts("y", out)
	w.vector("x", x)
	w.real("a", gaussian(0, sa))
	w.real("b", gaussian(0, sb))
	w.observe("y", family, predictor)
	exact := func(da, db dist) []moment {
		return cube([]string{"a", "b"}, []axis{plain(-12*sa, 12*sa), plain(-12*sb, 12*sb)}, func(q []float64) float64 {
			v := da.log(q[0]) + db.log(q[1])
			for i, k := range out {
				v += logp(k, q[0]+q[1]*x[i])
			}
			return v
		})
	}
	other := w.location(rounded(w.normal(0, 0.5), 3), w.scale(0.5, 2), true)
	return &problem{Exact: exact(gaussian(0, sa), gaussian(0, sb)), Swap: &swap{"b ~ " + other.String() + ";", exact(gaussian(0, sa), other)}}
}

func logitLines(w *writer) *problem {
	return twoCoefficients(w, func(eta float64) int { return w.binomial(1, logistic01(eta)) }, "bernoulli_logit", "a + b * x[n]", func(y int, eta float64) float64 {
		return logOdds(float64(2*y-1) * eta)
	})
}

func countLines(w *writer) *problem {
	return twoCoefficients(w, func(eta float64) int { return w.poisson(math.Exp(eta)) }, "poisson_log", "a + b * x[n]", func(y int, eta float64) float64 {
		return float64(y)*eta - math.Exp(eta)
	})
}

func probitLines(w *writer) *problem {
	return twoCoefficients(w, func(eta float64) int { return w.binomial(1, math.Exp(normalCDF(eta))) }, "bernoulli", "Phi(a + b * x[n])", func(y int, eta float64) float64 {
		return normalCDF(float64(2*y-1) * eta)
	})
}

// cauchyMean is the location of a Cauchy whose data are in one cluster, or in two that are far
// apart.
func cauchyMean(w *writer, clusters int) *problem {
	s := w.scale(0.3, 1)
	first, apart := w.normal(0, 1), 0.0
	n := []int{w.within(3, 8), 0}
	if clusters == 2 {
		apart = s * w.scale(10, 60)
		n[1] = n[0] - w.r.IntN(2)
	}
	var y []float64
	for i := range 2 {
		y = append(y, w.normals(n[i], first+float64(i)*apart, s)...)
	}
	prior := gaussian(rounded(apart/2, 3), rounded(2+apart, 3))
	w.vector("y", y)
	w.real("mu", prior)
	w.observe("y", "cauchy", "mu", num(s))
	f := func(y, mu float64) float64 { return cauchyLog(y, mu, s) }
	other := w.location(rounded(prior.args[0]+w.normal(0, 0.3*prior.args[1]), 3), rounded(prior.args[1]*w.scale(0.5, 1.5), 3), true)
	return &problem{Exact: meanOf("mu", prior, y, s, f), Swap: &swap{"mu ~ " + other.String() + ";", meanOf("mu", other, y, s, f)}}
}

// robustLine is a regression with Student errors and some outliers.
func robustLine(w *writer) *problem {
	n, nu, s := w.within(8, 30), float64(w.within(2, 6)), w.scale(0.5, 1.5)
	x, y := w.normals(n, 0, 1), make([]float64, n)
	a, b := w.normal(0, 1), w.normal(0, 1)
	for i := range y {
		y[i] = a + b*x[i] + w.normal(0, s)
		if w.r.IntN(8) == 0 {
			y[i] += w.normal(0, 15*s)
		}
		y[i] = rounded(y[i], 6)
	}
	sa := w.scale(1, 4)
	w.vector("y", y)
	w.vector("x", x)
	w.real("a", gaussian(0, sa))
	w.real("b", gaussian(0, sa))
	w.observe("y", "student_t", num(nu), "a + b * x[n]", num(s))
	exact := func(db dist) []moment {
		return cube([]string{"a", "b"}, []axis{plain(-10*sa, 10*sa), plain(-10*sa, 10*sa)}, func(q []float64) float64 {
			v := gaussian(0, sa).log(q[0]) + db.log(q[1])
			for i := range y {
				v += studentLog(nu, y[i], q[0]+q[1]*x[i], s)
			}
			return v
		})
	}
	other := w.location(rounded(w.normal(0, 0.5), 3), w.scale(0.5, 2), true)
	return &problem{Exact: exact(gaussian(0, sa)), Swap: &swap{"b ~ " + other.String() + ";", exact(other)}}
}

// meanAndScale has a location and a scale with independent priors, and the log density of an
// observation.
func meanAndScale(w *writer, y []float64, logp func(y, mu, s float64) float64) *problem {
	pm, ps := w.location(rounded(w.normal(0, 1), 3), w.scale(2, 6), true), w.spread(w.scale(1, 3))
	w.real("mu", pm)
	w.positive("s", ps)
	exact := func(pm, ps dist) []moment {
		c, width := pm.about()
		return cube([]string{"mu", "s"}, []axis{plain(c-30*width, c+30*width), positive(1e-4, 1e4)}, func(q []float64) float64 {
			v := pm.log(q[0]) + ps.log(q[1])
			for _, x := range y {
				v += logp(x, q[0], q[1])
			}
			return v
		})
	}
	p := &problem{Exact: exact(pm, ps)}
	if other := w.location(rounded(w.normal(0, 1), 3), w.scale(1, 4), true); w.rates["s"] || w.coin() {
		p.Swap = &swap{"mu ~ " + other.String() + ";", exact(other, ps)}
	} else {
		other = w.spread(w.scale(0.7, 3))
		p.Swap = &swap{"s ~ " + other.String() + ";", exact(pm, other)}
	}
	return p
}

func normalScale(w *writer) *problem {
	y := w.normals(w.within(5, 30), w.normal(0, 2), w.scale(0.5, 3))
	w.vector("y", y)
	p := meanAndScale(w, y, normalLog)
	w.observe("y", "normal", "mu", "s")
	return p
}

// roundedData are normal numbers of which whole ones alone are known.
func roundedData(w *writer) *problem {
	y := w.normals(w.within(6, 25), w.normal(0, 2), w.scale(0.7, 3))
	for i := range y {
		y[i] = math.Round(y[i])
	}
	w.vector("y", y)
	p := meanAndScale(w, y, func(y, mu, s float64) float64 {
		a, b := (y-0.5-mu)/s, (y+0.5-mu)/s
		if a > 0 {
			a, b = -b, -a
		}
		fa, fb := normalCDF(a), normalCDF(b)
		return fb + math.Log1p(-math.Exp(fa-fb))
	})
	w.each("y", "log_diff_exp(normal_lcdf(y[n] + 0.5 | mu, s), normal_lcdf(y[n] - 0.5 | mu, s))")
	return p
}

// censored has numbers of which some are only known to be above a bound.
func censored(w *writer) *problem {
	all, m, s := w.within(8, 30), w.normal(0, 2), w.scale(0.5, 2)
	bound := rounded(m+s*w.uniform(-0.3, 1), 3)
	var y []float64
	above := 0
	for _, v := range w.normals(all, m, s) {
		if v < bound {
			y = append(y, v)
		} else {
			above++
		}
	}
	if len(y) < 3 {
		y = append(y, rounded(bound-0.1, 6), rounded(bound-0.7, 6), rounded(bound-1.3, 6))
	}
	w.vector("y", y)
	w.whole("above", above)
	share := float64(above) / float64(len(y))
	p := meanAndScale(w, y, func(y, mu, s float64) float64 {
		v := normalLog(y, mu, s)
		if above > 0 {
			v += share * normalCDF((mu-bound)/s)
		}
		return v
	})
	w.observe("y", "normal", "mu", "s")
	w.line("target += above * normal_lccdf(%s | mu, s);", num(bound))
	return p
}

// zeroInflated counts have zeros of two kinds.
func zeroInflated(w *writer) *problem {
	n, zero, lambda := w.within(10, 40), w.uniform(0.1, 0.6), w.scale(0.7, 6)
	y := make([]int, n)
	for i := range y {
		if w.r.Float64() > zero {
			y[i] = w.poisson(lambda)
		}
	}
	pz, pl := betaDist(w.uniform(1, 3), w.uniform(1, 3)), w.spread(3)
	w.counts("y", y)
	w.unit("p", pz)
	w.positive("lambda", pl)
	w.each("y", "y[n] == 0 ? log_mix(p, 0, poisson_lpmf(0 | lambda)) : log1m(p) + poisson_lpmf(y[n] | lambda)")
	return &problem{Exact: cube([]string{"p", "lambda"}, []axis{inside(0, 1), positive(1e-6, 1e3)}, func(q []float64) float64 {
		v := pz.log(q[0]) + pl.log(q[1])
		for _, k := range y {
			if k == 0 {
				v += math.Log(q[0] + (1-q[0])*math.Exp(-q[1]))
			} else {
				v += math.Log1p(-q[0]) + float64(k)*math.Log(q[1]) - q[1]
			}
		}
		return v
	})}
}

// ordinal has answers in three grades, with two cutpoints and a slope.
func ordinal(w *writer) *problem {
	n := w.within(10, 40)
	x, y := make([]float64, n), make([]int, n)
	b, sd := w.normal(0, 0.8), w.scale(1, 3)
	number := map[[2]int]float64{} // of observations, by covariate and grade
	for i := range y {
		k := w.r.IntN(3) - 1
		x[i] = float64(k)
		y[i] = 1
		for _, cut := range []float64{-0.7, 0.9} {
			if b*x[i]+math.Log(1/(1-w.r.Float64())-1) > cut {
				y[i]++
			}
		}
		number[[2]int{k, y[i]}]++
	}
	w.counts("y", y)
	w.vector("x", x)
	w.param("ordered[2] c")
	w.real("b", gaussian(0, sd))
	w.prior("c", gaussian(0, 2))
	w.observe("y", "ordered_logistic", "b * x[n]", "c")
	logp := func(c1, c2, b float64) float64 {
		v := normalLog(c1, 0, 2) + normalLog(c2, 0, 2) + normalLog(b, 0, sd)
		for k := -1; k <= 1; k++ {
			first, second := logistic01(c1-b*float64(k)), logistic01(c2-b*float64(k))
			v += number[[2]int{k, 1}]*math.Log(first) + number[[2]int{k, 3}]*math.Log1p(-second)
			if m := number[[2]int{k, 2}]; m > 0 {
				v += m * math.Log(second-first)
			}
		}
		return v
	}
	var m mixture
	lattice([]axis{plain(-16, 16), positive(1e-6, 30), plain(-8*sd, 8*sd)}, func(q []float64) float64 {
		return logp(q[0], q[0]+q[1], q[2])
	}, func(q []float64, logw float64) { m.add(logw, []float64{q[0], q[0] + q[1], q[2]}, nil) })
	return &problem{Exact: m.moments("c.1", "c.2", "b")}
}

// survival has waiting times, some of them not at their end, with a Weibull shape.
func survival(w *writer) *problem {
	n, shape, size := w.within(8, 30), w.scale(0.7, 2.5), w.scale(1, 5)
	y, over := make([]float64, n), make([]float64, 0)
	for i := range y {
		y[i] = rounded(size*math.Pow(w.r.ExpFloat64(), 1/shape)+1e-3, 6)
	}
	for range w.r.IntN(6) {
		over = append(over, w.uniform(0.2, 1)*size)
	}
	pk, ps := w.spread(1.5), w.spread(3)
	w.vector("y", y)
	w.vector("over", over)
	w.positive("k", pk)
	w.positive("s", ps)
	w.observe("y", "weibull", "k", "s")
	w.line("target += weibull_lccdf(over | k, s);")
	return &problem{Exact: cube([]string{"k", "s"}, []axis{positive(1e-2, 100), positive(1e-3, 1e4)}, func(q []float64) float64 {
		v := pk.log(q[0]) + ps.log(q[1])
		d := distuv.Weibull{K: q[0], Lambda: q[1]}
		for _, t := range y {
			v += d.LogProb(t)
		}
		for _, t := range over {
			v -= math.Pow(t/q[1], q[0])
		}
		return v
	})}
}
