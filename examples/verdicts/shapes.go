package main

// This file holds posteriors whose shape is hard: bent, heavy tails, edges, constraints.

import (
	"fmt"
	"math"
)

// banana is a normal that is bent along a parabola.
func banana(w *writer) *problem {
	s, b, s2 := w.scale(0.7, 2), w.uniform(0.2, 1.2), w.scale(0.2, 1)
	m := rounded(w.normal(0, 1), 3)
	w.real("x1", gaussian(0, s))
	w.param("real x2")
	w.prior("x2", dist{name: "normal"}.with(num(m)+" + "+num(b)+" * square(x1)", num(s2)))
	return &problem{Exact: of([]string{"x1", "x2"}, []float64{0, m + b*s*s}, []float64{s * s, s2*s2 + 2*b*b*s*s*s*s})}
}

// heavyTails is a Student t, of which a light one lets its standard deviation be estimated.
func heavyTails(w *writer) *problem {
	nu, m, s := w.uniform(2.2, 9), rounded(w.normal(0, 5), 3), w.scale(0.2, 5)
	w.real("x", student(nu, m, s))
	p := &problem{Exact: of([]string{"x"}, []float64{m}, []float64{s * s * nu / (nu - 2)})}
	if nu < 5 {
		meanOnly(p.Exact)
	}
	return p
}

// conflict is a prior far away from the data, one of the two with heavy tails.
func conflict(w *writer) *problem {
	n, s, sd := w.within(1, 5), w.scale(0.5, 1.5), w.scale(0.5, 1.5)
	apart := w.uniform(5, 14)
	y := w.normals(n, apart, s)
	w.vector("y", y)
	if w.coin() {
		nu := float64(w.within(1, 4))
		w.real("mu", student(nu, 0, sd))
		w.observe("y", "normal", "mu", num(s))
		return &problem{Exact: meanOf("mu", student(nu, 0, sd), y, s, func(y, mu float64) float64 { return normalLog(y, mu, s) })}
	}
	nu := float64(w.within(1, 4))
	w.real("mu", gaussian(0, sd))
	w.observe("y", "student_t", num(nu), "mu", num(s))
	return &problem{Exact: meanOf("mu", gaussian(0, sd), y, s, func(y, mu float64) float64 { return studentLog(nu, y, mu, s) })}
}

// clipped is a location between bounds that the data press against; the bounds are declared,
// or known from the prior alone.
func clipped(w *writer) *problem {
	lo, s := rounded(w.normal(0, 1), 3), w.scale(0.5, 2)
	hi := rounded(lo+w.uniform(1, 4), 3)
	n := w.within(1, 6)
	y := w.normals(n, []float64{lo - 0.5*s, hi + 0.5*s, (lo + hi) / 2}[w.r.IntN(3)], s)
	w.vector("y", y)
	if w.coin() {
		w.param("real<lower=%s, upper=%s> mu", num(lo), num(hi))
	} else {
		w.param("real mu")
	}
	prior := uniformDist(lo, hi)
	w.prior("mu", prior)
	w.observe("y", "normal", "mu", num(s))
	f := func(y, mu float64) float64 { return normalLog(y, mu, s) }
	other := gaussian(rounded((lo+hi)/2, 3), rounded((hi-lo)*w.uniform(0.1, 1.5), 3))
	p := &problem{Exact: meanOf("mu", prior, y, s, f)}
	if m, sd := other.args[0], other.args[1]; w.params[0] == "real mu;" {
		// Without declared bounds the new prior alone is about the whole line.
		p.Swap = &swap{fmt.Sprintf("mu ~ normal(%s, %s);", num(m), num(sd)), meanOf("mu", other, y, s, f)}
	}
	return p
}

// widest is the length of a uniform distribution, whose likelihood has an edge.
func widest(w *writer) *problem {
	n, theta, prior := w.within(2, 15), w.scale(1, 10), gamma(w.uniform(1.5, 4), w.scale(0.2, 1))
	y, most := make([]float64, n), 0.0
	for i := range y {
		y[i] = rounded(theta*w.r.Float64(), 6)
		most = max(most, y[i])
	}
	w.vector("y", y)
	if w.coin() {
		w.param("real<lower=max(y)> theta")
	} else {
		w.param("real<lower=0> theta")
	}
	w.prior("theta", prior)
	w.observe("y", "uniform", "0", "theta")
	return &problem{Exact: line("theta", func(x float64) float64 { return prior.log(x) - float64(n)*math.Log(x) }, most, most+400, peak{most, most / float64(n)})}
}

// atZero is a scale whose posterior has its mode at zero: a half-normal or half-Cauchy prior,
// and groups that do not differ.
func atZero(w *writer) *problem {
	n, s, prior := w.within(3, 10), w.scale(0.5, 2), gaussian(0, w.scale(0.5, 3))
	y := w.normals(n, 0, 0.7*s)
	w.vector("y", y)
	w.param("real<lower=0> tau")
	w.prior("tau", prior)
	w.observe("y", "normal", "0", fmt.Sprintf("sqrt(square(tau) + %s)", num(rounded(s*s, 6))))
	v := rounded(s*s, 6)
	exact := func(d dist) []moment {
		return cube([]string{"tau"}, []axis{positive(1e-9, 1e3)}, func(q []float64) float64 {
			logp := d.log(q[0])
			for _, x := range y {
				logp += normalLog(x, 0, math.Sqrt(q[0]*q[0]+v))
			}
			return logp
		})
	}
	other := gaussian(0, w.scale(0.5, 3))
	return &problem{Exact: exact(prior), Swap: &swap{"tau ~ " + other.String() + ";", exact(other)}}
}

// smallShape is a gamma with a spike at zero, which has a long tail to the left on the
// logarithmic scale.
func smallShape(w *writer) *problem {
	a, b := w.uniform(0.1, 0.6), w.scale(0.2, 5)
	w.positive("x", gamma(a, b))
	return &problem{Exact: of([]string{"x"}, []float64{a / b}, []float64{a / (b * b)})}
}

// smallShares are two beta proportions whose densities are infinite at both ends.
func smallShares(w *writer) *problem {
	a, b := w.uniform(0.3, 0.8), w.uniform(0.3, 0.8)
	w.unit("theta", betaDist(a, b))
	return &problem{Exact: betaMoments("theta", a, b)}
}

// correlation is that of two numbers, or the prior of three.
func correlation(w *writer) *problem {
	eta := w.uniform(1, 4)
	if w.r.IntN(3) == 0 {
		w.param("corr_matrix[3] R")
		w.line("R ~ lkj_corr(%s);", num(eta))
		v := 1 / (2*(eta+0.5) + 1)
		return &problem{Exact: of([]string{"R.1.2", "R.1.3", "R.2.3"}, same(3, 0), same(3, v))}
	}
	n, rho := w.within(3, 25), w.uniform(-0.9, 0.9)
	rows, names := make([][]float64, n), []string{"R.1.2"}
	var xx, xy, yy float64
	for i := range rows {
		x := w.normal(0, 1)
		rows[i] = []float64{rounded(x, 6), rounded(rho*x+w.normal(0, math.Sqrt(1-rho*rho)), 6)}
		xx, xy, yy = xx+rows[i][0]*rows[i][0], xy+rows[i][0]*rows[i][1], yy+rows[i][1]*rows[i][1]
	}
	w.data = append(w.data, fmt.Sprintf("array[%d] vector[2] y;", n))
	w.vars["y"] = rows
	if w.coin() {
		w.param("corr_matrix[2] R")
		w.line("R ~ lkj_corr(%s);", num(eta))
		w.line("y ~ multi_normal([0, 0]', R);")
	} else {
		w.param("cholesky_factor_corr[2] L")
		w.line("L ~ lkj_corr_cholesky(%s);", num(eta))
		w.line("y ~ multi_normal_cholesky([0, 0]', L);")
		names = []string{"L.2.1"}
	}
	exact := func(eta float64) []moment {
		return cube(names, []axis{inside(-1, 1)}, func(q []float64) float64 {
			r := q[0]
			d := 1 - r*r
			return (eta-1)*math.Log(d) - float64(n)/2*math.Log(d) - (xx-2*r*xy+yy)/(2*d)
		})
	}
	p := &problem{Exact: exact(eta)}
	if names[0] == "R.1.2" {
		other := w.uniform(1, 8)
		p.Swap = &swap{"R ~ lkj_corr(" + num(other) + ");", exact(other)}
	}
	return p
}
