package main

// This file holds models of several levels: groups, processes in time and space. Given their
// one or two scales all is normal.

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// groups is a hierarchy of means with known errors, centred or not; the first group is far away.
func groups(w *writer, centred bool, far float64) *problem {
	j, sd := w.within(3, 9), w.scale(2, 6)
	se, y := make([]float64, j), make([]float64, j)
	tau, mu := w.scale(0.3, 3), w.normal(0, 2)
	for i := range y {
		se[i] = w.scale(0.5, 2)
		y[i] = rounded(w.normal(mu, math.Hypot(tau, se[i])), 6)
	}
	y[0] += far
	pm, pt := gaussian(0, sd), w.spread(w.scale(1, 3))
	w.vector("y", y)
	w.vector("se", se)
	w.real("mu", pm)
	w.positive("tau", pt)
	switch {
	case centred:
		w.param("vector[N_y] theta")
		w.prior("theta", dist{name: "normal"}.with("mu", "tau"))
	case w.coin() && !w.rates["tau"]: // the declaration must know it
		w.param("vector<offset=mu, multiplier=tau>[N_y] theta")
		w.prior("theta", dist{name: "normal"}.with("mu", "tau"))
	default:
		w.param("vector[N_y] e")
		w.define("vector[N_y] theta = mu + tau * e")
		w.line("e ~ std_normal();")
	}
	w.observe("y", "normal", "theta[n]", "se[n]")
	x := mat.NewDense(j, j+1, nil)
	for i := range j {
		x.Set(i, i+1, 1)
	}
	exact := func(pt dist) []moment {
		var m mixture
		lattice([]axis{positive(1e-4, 1e4)}, func(q []float64) float64 {
			// theta integrated out: y ~ N(mu, se^2 + tau^2), and mu by its normal prior.
			precision, sum, v := 1/(sd*sd), 0.0, pt.log(q[0])
			for i := range y {
				p := 1 / (se[i]*se[i] + q[0]*q[0])
				precision, sum = precision+p, sum+p*y[i]
				v += 0.5*math.Log(p) - 0.5*p*y[i]*y[i]
			}
			return v - 0.5*math.Log(precision) + 0.5*sum*sum/precision
		}, func(q []float64, logw float64) {
			prior := independent(same(j+1, 0), same(j+1, 1))
			for a := range j + 1 {
				for b := a; b <= j; b++ {
					v := sd * sd
					if a == b && a > 0 {
						v += q[0] * q[0]
					}
					prior.cov.SetSym(a, b, v)
				}
			}
			post, _ := prior.given(x, y, se)
			mean, variance := post.parts()
			m.add(logw, append(mean, q[0]), append(variance, 0))
		})
		return m.moments(append(append([]string{"mu"}, indexed("theta", j)...), "tau")...)
	}
	p := &problem{Exact: exact(pt)}
	if !w.rates["tau"] {
		other := w.spread(w.scale(0.7, 3))
		p.Swap = &swap{"tau ~ " + other.String() + ";", exact(other)}
	}
	return p
}

// funnel is a scale and numbers of that scale.
func funnel(w *writer) *problem {
	n, sd := w.within(1, 8), w.scale(0.5, 3)
	w.param("real v")
	w.param("vector[%d] x", n)
	w.prior("v", gaussian(0, sd))
	w.prior("x", dist{name: "normal"}.with("0", "exp(v / 2)"))
	exact := of([]string{"v"}, []float64{0}, []float64{sd * sd})
	if sd < 1.2 {
		exact = append(exact, of(indexed("x", n), same(n, 0), same(n, math.Exp(sd*sd/2)))...)
	}
	return &problem{Exact: exact}
}

// proportions is a hierarchy of binomial proportions.
func proportions(w *writer) *problem {
	j := w.within(3, 6)
	n, y := make([]int, j), make([]int, j)
	for i := range y {
		n[i] = w.within(3, 20)
		y[i] = w.binomial(n[i], w.uniform(0.2, 0.8))
	}
	pa, pb := w.spread(3), w.spread(3)
	w.counts("n", n)
	w.counts("y", y)
	w.positive("a", pa)
	w.positive("b", pb)
	w.param("vector<lower=0, upper=1>[%d] theta", j)
	w.prior("theta", dist{name: "beta"}.with("a", "b"))
	w.line("y ~ binomial(n, theta);")
	lbeta := func(a, b float64) float64 {
		x, _ := math.Lgamma(a)
		y, _ := math.Lgamma(b)
		z, _ := math.Lgamma(a + b)
		return x + y - z
	}
	var m mixture
	lattice([]axis{positive(1e-4, 1e4), positive(1e-4, 1e4)}, func(q []float64) float64 {
		v := pa.log(q[0]) + pb.log(q[1])
		for i := range y {
			v += lbeta(q[0]+float64(y[i]), q[1]+float64(n[i]-y[i])) - lbeta(q[0], q[1])
		}
		return v
	}, func(q []float64, logw float64) {
		mean, variance := []float64{q[0], q[1]}, []float64{0, 0}
		for i := range y {
			a, b := q[0]+float64(y[i]), q[1]+float64(n[i]-y[i])
			mean, variance = append(mean, a/(a+b)), append(variance, a*b/((a+b)*(a+b)*(a+b+1)))
		}
		m.add(logw, mean, variance)
	})
	return &problem{Exact: m.moments(append([]string{"a", "b"}, indexed("theta", j)...)...)}
}

// process is a Gaussian process at a few points, its length scale known or not.
func process(w *writer, known bool) *problem {
	n, s, size := w.within(4, 7), w.scale(0.2, 0.8), w.scale(0.7, 2)
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = rounded(float64(i)+w.uniform(-0.3, 0.3), 4)
		y[i] = rounded(size*math.Sin(x[i])+w.normal(0, s), 6)
	}
	cov := func(length float64) joint {
		j := independent(same(n, 0), same(n, 1))
		for a := range n {
			for b := a; b < n; b++ {
				d := (x[a] - x[b]) / length
				v := size * size * math.Exp(-d*d/2)
				if a == b {
					v += 1e-4
				}
				j.cov.SetSym(a, b, v)
			}
		}
		return j
	}
	w.vector("y", y)
	w.data = append(w.data, fmt.Sprintf("array[%d] real x;", n))
	w.vars["x"] = x
	length := w.scale(0.7, 2)
	prior := gamma(w.uniform(3, 6), w.uniform(2, 4))
	at := num(length)
	if !known {
		w.param("real<lower=0> length")
		w.prior("length", prior)
		at = "length"
	}
	k := fmt.Sprintf("add_diag(gp_exp_quad_cov(x, %s, %s), 1e-4)", num(size), at)
	names := indexed("f", n)
	if w.coin() {
		w.param("vector[%d] f", n)
		w.line("f ~ multi_normal(rep_vector(0, %d), %s);", n, k)
	} else {
		w.param("vector[%d] e", n)
		w.define("vector[%d] f = cholesky_decompose(%s) * e", n, k)
		w.line("e ~ std_normal();")
	}
	w.observe("y", "normal", "f[n]", num(s))
	if known {
		post, _ := cov(length).given(identity(n), y, same(n, s))
		mean, variance := post.parts()
		return &problem{Exact: of(names, mean, variance)}
	}
	var m mixture
	along(math.Log(0.02), math.Log(60), []peak{{0, 0.5}}, func(u, logw float64) {
		l := math.Exp(u)
		post, logy := cov(l).given(identity(n), y, same(n, s))
		mean, variance := post.parts()
		m.add(logw+u+prior.log(l)+logy, append(mean, l), append(variance, 0))
	})
	return &problem{Exact: m.moments(append(names, "length")...)}
}

// autoregression is an AR(1) process with unknown coefficient and scale.
func autoregression(w *writer) *problem {
	n, phi, s := w.within(10, 50), w.uniform(-0.9, 0.95), w.scale(0.5, 2)
	y := make([]float64, n)
	for i := range y {
		y[i] = w.normal(0, s)
		if i > 0 {
			y[i] += phi * y[i-1]
		}
		y[i] = rounded(y[i], 6)
	}
	pf, ps := gaussian(0, w.scale(0.5, 1.5)), w.spread(2)
	w.vector("y", y)
	w.real("phi", pf)
	w.positive("s", ps)
	if w.coin() {
		w.line("y[2:N_y] ~ normal(phi * y[1:N_y - 1], s);")
	} else {
		w.line("for (t in 2:N_y) { y[t] ~ normal(phi * y[t - 1], s); }")
	}
	exact := func(pf dist) []moment {
		return cube([]string{"phi", "s"}, []axis{plain(-12, 12), positive(1e-3, 1e3)}, func(q []float64) float64 {
			v := pf.log(q[0]) + ps.log(q[1])
			for i := 1; i < n; i++ {
				v += normalLog(y[i], q[0]*y[i-1], q[1])
			}
			return v
		})
	}
	other := w.location(rounded(w.normal(0, 0.5), 3), w.scale(0.2, 1), true)
	return &problem{Exact: exact(pf), Swap: &swap{"phi ~ " + other.String() + ";", exact(other)}}
}

// walk is a random walk seen with errors; the scale of its steps is known or not. The
// evidence of the scale is by the Kalman filter, states by conditioning.
func walk(w *writer, known bool) *problem {
	n, q, r := w.within(4, 10), w.scale(0.3, 1.5), w.scale(0.4, 1.5)
	y := make([]float64, n)
	level := w.normal(0, 1)
	for i := range y {
		level += w.normal(0, q)
		y[i] = rounded(w.normal(level, r), 6)
	}
	prior := w.spread(1)
	w.vector("y", y)
	scale := num(q)
	if !known {
		w.positive("q", prior)
		scale = "q"
	}
	w.param("vector[%d] x", n)
	w.line("x[1] ~ normal(0, 2);")
	if w.coin() {
		w.line("x[2:%d] ~ normal(x[1:%d], %s);", n, n-1, scale)
	} else {
		w.line("for (t in 2:%d) { x[t] ~ normal(x[t - 1], %s); }", n, scale)
	}
	w.observe("y", "normal", "x[n]", num(r))
	states := func(q float64) (mean, variance []float64) {
		j := independent(same(n, 0), same(n, 1))
		for a := range n {
			for b := a; b < n; b++ {
				j.cov.SetSym(a, b, 4+q*q*float64(a))
			}
		}
		post, _ := j.given(identity(n), y, same(n, r))
		return post.parts()
	}
	names := indexed("x", n)
	if known {
		mean, variance := states(q)
		return &problem{Exact: of(names, mean, variance)}
	}
	filter := func(q float64) float64 {
		m, v, logp := 0.0, 4.0, 0.0
		for i, x := range y {
			if i > 0 {
				v += q * q
			}
			f := v + r*r
			logp += normalLog(x, m, math.Sqrt(f))
			m, v = m+v/f*(x-m), v*r*r/f
		}
		return logp
	}
	var m mixture
	lattice([]axis{positive(1e-5, 1e3)}, func(x []float64) float64 { return prior.log(x[0]) + filter(x[0]) }, func(x []float64, logw float64) {
		mean, variance := states(x[0])
		m.add(logw, append(mean, x[0]), append(variance, 0))
	})
	return &problem{Exact: m.moments(append(names, "q")...)}
}

// measured is a regression on a covariate that is itself measured with error.
func measured(w *writer) *problem {
	n, sx, sy, sb := w.within(4, 8), w.scale(0.1, 0.4), w.scale(0.3, 1), w.scale(1, 2)
	x, y, b := make([]float64, n), make([]float64, n), w.uniform(0.7, 2)
	for i := range x {
		t := w.normal(0, 1)
		x[i], y[i] = rounded(w.normal(t, sx), 6), rounded(w.normal(b*t, sy), 6)
	}
	w.vector("x", x)
	w.vector("y", y)
	w.real("b", gaussian(1, sb))
	w.param("vector[%d] t", n)
	w.line("t ~ std_normal();")
	w.observe("x", "normal", "t[n]", num(sx))
	w.observe("y", "normal", "b * t[n]", num(sy))
	var m mixture
	along(-20*sb, 20*sb, []peak{{0, 0.2}, {1, 0.2}}, func(b, logw float64) {
		logw += normalLog(b, 1, sb)
		mean, variance := []float64{b}, []float64{0}
		for i := range x {
			post, logp := independent([]float64{0}, []float64{1}).given(mat.NewDense(2, 1, []float64{1, b}), []float64{x[i], y[i]}, []float64{sx, sy})
			logw += logp
			mean, variance = append(mean, post.mean.AtVec(0)), append(variance, post.cov.At(0, 0))
		}
		m.add(logw, mean, variance)
	})
	return &problem{Exact: m.moments(append([]string{"b"}, indexed("t", n)...)...)}
}
