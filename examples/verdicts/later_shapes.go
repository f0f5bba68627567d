package main

// This file holds classes of several modes, of scales and of time that were made after the
// second round of checks, to measure them by.

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// elementwise takes the dot from a division in which an index is written.
func elementwise(line string) string {
	if strings.Contains(line, "[n]") {
		return strings.ReplaceAll(line, "./", "/")
	}
	return line
}

// volatility is a short series whose log variance is an autoregression.
func volatility(w *writer) *problem {
	n, m, phi, s := w.within(2, 8), w.uniform(-1, 1), w.uniform(0.5, 0.97), w.scale(0.2, 1)
	y, h := make([]float64, n), m
	for i := range y {
		h = m + phi*(h-m) + w.normal(0, s)
		y[i] = rounded(w.normal(0, math.Exp(h/2)), 6)
	}
	first := rounded(s/math.Sqrt(1-phi*phi), 6)
	w.vector("y", y)
	w.param("vector[N_y] h")
	w.line("h[1] ~ normal(%s);", list(m, first))
	w.line("for (n in 2:N_y) { h[n] ~ normal(%s + %s * (h[n - 1] - %s), %s); }", num(m), num(phi), num(m), num(s))
	w.observe("y", "normal", "0", "exp(h[n] / 2)")
	// The sums over a chain of points: forward and backward.
	const points = 500
	at := func(i int) float64 { return m + 12*first*(2*float64(i)/(points-1)-1) }
	move := make([]float64, points*points)
	for i := range points {
		for j := range points {
			move[i*points+j] = math.Exp(normalLog(at(j), m+phi*(at(i)-m), s))
		}
	}
	seen := func(t, i int) float64 { return math.Exp(normalLog(y[t], 0, math.Exp(at(i)/2))) }
	forward, backward := make([][]float64, n), make([][]float64, n)
	for t := range n {
		forward[t], backward[n-1-t] = make([]float64, points), same(points, 1)
		for j := range points {
			if t == 0 {
				forward[t][j] = math.Exp(normalLog(at(j), m, first)) * seen(t, j)
				continue
			}
			backward[n-1-t][j] = 0
			for i := range points {
				forward[t][j] += forward[t-1][i] * move[i*points+j] * seen(t, j)
				backward[n-1-t][j] += move[j*points+i] * seen(n-t, i) * backward[n-t][i]
			}
		}
	}
	var out []moment
	for t := range n {
		var m mixture
		for i := range points {
			m.add(math.Log(forward[t][i]*backward[t][i]), []float64{at(i)}, nil)
		}
		out = append(out, m.moments(fmt.Sprintf("h.%d", t+1))...)
	}
	return &problem{Exact: out}
}

// loadings are two tests of one trait: the sign of the trait is told by the prior alone, or not
// at all.
func loadings(w *writer) *problem {
	n, s := w.within(4, 15), w.scale(0.4, 1)
	mean := []float64{0, 0, rounded(0.3*math.Abs(w.normal(0, 1)), 3)}[w.r.IntN(3)]
	rows := make([][]float64, n)
	truth := []float64{w.uniform(0.6, 1.5), w.uniform(0.6, 1.5)}
	var xx, xy, yy float64
	for i := range rows {
		f := w.normal(0, 1)
		rows[i] = []float64{rounded(w.normal(truth[0]*f, s), 6), rounded(w.normal(truth[1]*f, s), 6)}
		xx, xy, yy = xx+rows[i][0]*rows[i][0], xy+rows[i][0]*rows[i][1], yy+rows[i][1]*rows[i][1]
	}
	w.matrix("y", rows)
	w.param("vector[2] a")
	w.param("vector[%d] f", n)
	w.line("a ~ normal(%s, 1);", num(mean))
	w.line("f ~ normal(0, 1);")
	w.line("for (n in 1:%d) { for (j in 1:2) { y[n, j] ~ normal(a[j] * f[n], %s); } }", n, num(s))
	var m mixture
	lattice([]axis{plain(-9, 9), plain(-9, 9)}, func(q []float64) float64 {
		u, v, c := q[0]*q[0]+s*s, q[1]*q[1]+s*s, q[0]*q[1]
		det := u*v - c*c
		return normalLog(q[0], mean, 1) + normalLog(q[1], mean, 1) - float64(n)/2*math.Log(det) - (v*xx-2*c*xy+u*yy)/(2*det)
	}, func(q []float64, logw float64) {
		precision := 1 + (q[0]*q[0]+q[1]*q[1])/(s*s)
		column, variance := []float64{q[0], q[1]}, []float64{0, 0}
		for _, r := range rows {
			column, variance = append(column, (q[0]*r[0]+q[1]*r[1])/(s*s*precision)), append(variance, 1/precision)
		}
		m.add(logw, column, variance)
	})
	return &problem{Exact: m.moments(append(indexed("a", 2), indexed("f", n)...)...)}
}

// shrinkage are sparse means under a horseshoe of light tails with a known global scale.
func shrinkage(w *writer) *problem {
	n, tau, s, nu := w.within(2, 8), w.scale(0.05, 0.5), w.scale(0.5, 1.5), float64(w.within(3, 5))
	y, out := make([]float64, n), []moment{}
	for i := range y {
		if y[i] = rounded(w.normal(0, s), 6); w.r.IntN(3) == 0 {
			y[i] = rounded(w.normal(0, 6), 6)
		}
		var m mixture
		lattice([]axis{positive(1e-6, 1e5)}, func(q []float64) float64 {
			return studentLog(nu, q[0], 0, 1) + normalLog(y[i], 0, math.Hypot(s, tau*q[0]))
		}, func(q []float64, logw float64) {
			v := 1 / (1/(s*s) + 1/(tau*tau*q[0]*q[0]))
			m.add(logw, []float64{v * y[i] / (s * s)}, []float64{v})
		})
		out = append(out, m.moments(fmt.Sprintf("beta.%d", i+1))...)
	}
	w.vector("y", y)
	w.param("vector<lower=0>[N_y] lambda")
	if w.coin() {
		w.param("vector[N_y] beta")
		w.line("beta ~ normal(0, %s * lambda);", num(tau))
	} else {
		w.param("vector[N_y] z")
		w.define("vector[N_y] beta = %s * lambda .* z", num(tau))
		w.line("z ~ std_normal();")
	}
	w.line("lambda ~ student_t(%s, 0, 1);", num(nu))
	w.observe("y", "normal", "beta[n]", num(s))
	return &problem{Exact: out}
}

// nearUnitRoot is a stationary autoregression whose coefficient is near one.
func nearUnitRoot(w *writer) *problem {
	n, phi, s := w.within(5, 30), w.uniform(0.93, 0.999), w.scale(0.5, 2)
	y := make([]float64, n)
	for i := range y {
		if i == 0 {
			y[i] = w.normal(0, s/math.Sqrt(1-phi*phi))
		} else {
			y[i] = phi*y[i-1] + w.normal(0, s)
		}
	}
	for i := range y {
		y[i] = rounded(y[i], 6)
	}
	ps := gamma(w.uniform(1.5, 4), w.uniform(0.8, 2))
	w.vector("y", y)
	w.param("real<lower=-1, upper=1> phi")
	w.positive("s", ps)
	w.line("y[1] ~ normal(0, s / sqrt(1 - square(phi)));")
	w.line("for (n in 2:N_y) { y[n] ~ normal(phi * y[n - 1], s); }")
	return &problem{Exact: cube([]string{"phi", "s"}, []axis{inside(-1, 1), positive(1e-3, 1e3)}, func(q []float64) float64 {
		v := ps.log(q[1]) + normalLog(y[0], 0, q[1]/math.Sqrt((1-q[0])*(1+q[0])))
		for i := 1; i < n; i++ {
			v += normalLog(y[i], q[0]*y[i-1], q[1])
		}
		return v
	})}
}

// direction is a direction in the plane: angles tell it, or only the axis that it lies along.
func direction(w *writer) *problem {
	n, kappa, turns := w.within(1, 8), w.scale(0.4, 5), w.within(1, 2)
	truth := 2 * math.Pi * w.r.Float64()
	y := make([]float64, n)
	for i := range y {
		y[i] = rounded(truth+w.normal(0, 1/math.Sqrt(kappa))/float64(turns), 6)
	}
	lean := w.uniform(0, 0.6)
	w.vector("y", y)
	w.param("unit_vector[2] u")
	w.line("target += %s * u[1];", num(lean))
	if turns == 1 {
		w.each("y", fmt.Sprintf("%s * (cos(y[n]) * u[1] + sin(y[n]) * u[2])", num(kappa)))
	} else {
		w.each("y", fmt.Sprintf("%s * (2 * square(cos(y[n]) * u[1] + sin(y[n]) * u[2]) - 1)", num(kappa)))
	}
	var m mixture
	const points = 4000
	for i := range points {
		a := 2 * math.Pi * float64(i) / points
		v := lean * math.Cos(a)
		for _, k := range y {
			v += kappa * math.Cos(float64(turns)*(a-k))
		}
		m.add(v, []float64{math.Cos(a), math.Sin(a)}, nil)
	}
	return &problem{Exact: m.moments("u.1", "u.2")}
}

// corners has two modes in each coordinate.
func corners(w *writer) *problem {
	d := w.within(2, 3)
	var mean, variance []float64
	w.param("vector[%d] x", d)
	for i := range d {
		p, at, apart, s := w.uniform(0.2, 0.8), rounded(w.normal(0, 2), 3), w.uniform(4, 9), w.scale(0.4, 1)
		w.line("target += log_mix(%s, normal_lpdf(x[%d] | %s), normal_lpdf(x[%d] | %s));", num(p), i+1, list(at, s), i+1, list(at+apart, s))
		mean, variance = append(mean, at+(1-p)*apart), append(variance, s*s+p*(1-p)*apart*apart)
	}
	return &problem{Exact: of(indexed("x", d), mean, variance)}
}

// decays is a sum of two exponentials with known, unequal amplitudes.
func decays(w *writer) *problem {
	n, s, a := w.within(5, 12), w.scale(0.03, 0.2), w.uniform(0.3, 0.7)
	slow, fast := w.scale(0.1, 0.5), w.scale(0.6, 3)
	t, y := make([]float64, n), make([]float64, n)
	for i := range t {
		t[i] = rounded(0.2+4*float64(i)/float64(n), 6)
		y[i] = rounded(w.normal(a*math.Exp(-slow*t[i])+(1-a)*math.Exp(-fast*t[i]), s), 6)
	}
	prior := lognormal(-0.5, w.uniform(0.7, 1.2))
	w.vector("t", t)
	w.vector("y", y)
	w.param("vector<lower=0>[2] k")
	w.prior("k", prior)
	w.observe("y", "normal", fmt.Sprintf("%s * exp(-k[1] * t[n]) + %s * exp(-k[2] * t[n])", num(a), num(rounded(1-a, 6))), num(s))
	return &problem{Exact: cube([]string{"k.1", "k.2"}, []axis{positive(1e-4, 1e3), positive(1e-4, 1e3)}, func(q []float64) float64 {
		v := prior.log(q[0]) + prior.log(q[1])
		for i := range t {
			v += normalLog(y[i], a*math.Exp(-q[0]*t[i])+(1-a)*math.Exp(-q[1]*t[i]), s)
		}
		return v
	})}
}

// frequency is that of a sine of known height: many modes.
func frequency(w *writer) *problem {
	n, s, most := w.within(3, 12), w.scale(0.3, 1), w.uniform(3, 8)
	truth := 0.5 + (most-1)*w.r.Float64()
	t, y := make([]float64, n), make([]float64, n)
	for i := range t {
		t[i] = rounded(4*w.r.Float64(), 6)
		y[i] = rounded(w.normal(math.Sin(truth*t[i]), s), 6)
	}
	w.vector("t", t)
	w.vector("y", y)
	w.param("real<lower=0, upper=%s> omega", num(most))
	w.observe("y", "normal", "sin(omega * t[n])", num(s))
	var peaks []peak
	for i := range 40 {
		peaks = append(peaks, peak{most * float64(i) / 40, 0.1})
	}
	return &problem{Exact: line("omega", func(x float64) (v float64) {
		for i := range t {
			v += normalLog(y[i], math.Sin(x*t[i]), s)
		}
		return v
	}, 0, most, peaks...)}
}

// twoScales has few groups of few values: a scale between groups whose likelihood ends at zero,
// and one within.
func twoScales(w *writer) *problem {
	groups, each, tau, s := w.within(2, 6), w.within(2, 5), w.scale(0.05, 1.5), w.scale(0.5, 1.5)
	var y []float64
	var group []int
	for j := range groups {
		m := w.normal(0, tau)
		for range each {
			y, group = append(y, rounded(w.normal(m, s), 6)), append(group, j+1)
		}
	}
	pt, ps := gaussian(0, w.scale(0.5, 2)), w.spread(1)
	w.vector("y", y)
	w.counts("g", group)
	w.param("real<lower=0> tau")
	w.param("real<lower=0> s")
	w.param("vector[%d] z", groups)
	w.prior("tau", pt)
	w.prior("s", ps)
	w.line("z ~ std_normal();")
	w.line("y ~ normal(tau * z[g], s);")
	x := mat.NewDense(len(y), groups, nil)
	given := func(q []float64) (joint, float64) {
		for i, j := range group {
			x.Set(i, j-1, q[0])
		}
		return independent(same(groups, 0), same(groups, 1)).given(x, y, same(len(y), q[1]))
	}
	var m mixture
	lattice([]axis{positive(1e-4, 1e2), positive(1e-2, 1e2)}, func(q []float64) float64 {
		// Sums of squares within and between suffice.
		v := pt.log(q[0]) + ps.log(q[1])
		for j := range groups {
			mean, square := 0.0, 0.0
			for i, k := range group {
				if k == j+1 {
					mean += y[i] / float64(each)
					square += y[i] * y[i]
				}
			}
			square -= float64(each) * mean * mean
			total := q[1]*q[1] + float64(each)*q[0]*q[0]
			v -= float64(each-1)*math.Log(q[1]) + square/(2*q[1]*q[1]) + math.Log(total)/2 + float64(each)*mean*mean/(2*total)
		}
		return v
	}, func(q []float64, logw float64) {
		post, _ := given(q)
		mean, variance := post.parts()
		m.add(logw, append([]float64{q[0], q[1]}, mean...), append([]float64{0, 0}, variance...))
	})
	return &problem{Exact: m.moments(append([]string{"tau", "s"}, indexed("z", groups)...)...)}
}
