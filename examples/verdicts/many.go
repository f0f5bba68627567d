package main

// This file holds classes of modes in several dimensions, whose volume decides, not their height.

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// mixed are the moments of p N(m1, v1) + (1-p) N(m2, v2) in one number.
func mixed(p, m1, v1, m2, v2 float64) (mean, variance float64) {
	return p*m1 + (1-p)*m2, p*v1 + (1-p)*v2 + p*(1-p)*(m1-m2)*(m1-m2)
}

// narrowMany is a narrow normal beside a wide one, in several dimensions.
func narrowMany(w *writer) *problem { return narrowIn(w, w.within(4, 10)) }

func narrowIn(w *writer, d int) *problem {
	p, s := w.uniform(0.3, 0.7), w.scale(0.05, 0.3)
	var mean, variance, at []float64
	far := []float64{0, 1, 5}[w.r.IntN(3)]
	for range d {
		at = append(at, rounded(far*w.normal(0, 1), 3))
		m, v := mixed(p, 0, 1, at[len(at)-1], s*s)
		mean, variance = append(mean, m), append(variance, v)
	}
	w.param("vector[%d] x", d)
	w.line("target += log_mix(%s, std_normal_lpdf(x), normal_lpdf(x | [%s]', %s));", num(p), list(at...), num(s))
	return &problem{Exact: of(indexed("x", d), mean, variance)}
}

// volumes are two modes of equal height, the wider of which has the mass.
func volumes(w *writer) *problem {
	d, s := w.within(3, 9), w.uniform(1.1, 1.8)
	p := 1 / (1 + math.Pow(s, float64(d)))
	apart := rounded((4+w.uniform(2, 6))/math.Sqrt(float64(d))*s, 3)
	w.param("vector[%d] x", d)
	w.line("target += log_sum_exp(-0.5 * dot_self(x), -0.5 * dot_self(x - %s) / %s);", num(apart), num(rounded(s*s, 12)))
	m, v := mixed(p, 0, 1, apart, s*s)
	return &problem{Exact: of(indexed("x", d), same(d, m), same(d, v))}
}

// cross are two long normals at right angles, with one centre.
func cross(w *writer) *problem {
	d, p, long, thin := w.within(2, 5), w.uniform(0.2, 0.8), w.scale(2, 10), w.scale(0.02, 0.2)
	var a, b, variance []float64
	for i := range d {
		s, t := long, thin
		if i%2 == 1 {
			s, t = t, s
		}
		a, b, variance = append(a, s), append(b, t), append(variance, p*s*s+(1-p)*t*t)
	}
	w.param("vector[%d] x", d)
	w.line("target += log_mix(%s, normal_lpdf(x | 0, [%s]'), normal_lpdf(x | 0, [%s]'));", num(p), list(a...), list(b...))
	return &problem{Exact: of(indexed("x", d), same(d, 0), variance)}
}

// groupSpike are coefficients that are all near zero or all not, with one observation of each.
func groupSpike(w *writer) *problem { return spikeIn(w, w.within(3, 8)) }

func spikeIn(w *writer, d int) *problem {
	p, spike, slab, s := w.uniform(0.3, 0.7), w.scale(0.02, 0.1), w.scale(1, 3), w.scale(0.5, 1.5)
	y := w.normals(d, 0, w.uniform(0.8, 1.6)*s)
	w.vector("y", y)
	w.param("vector[%d] b", d)
	w.line("target += log_mix(%s, normal_lpdf(b | 0, %s), normal_lpdf(b | 0, %s));", num(p), num(spike), num(slab))
	w.observe("y", "normal", "b[n]", num(s))
	var m mixture
	for k, sd := range []float64{spike, slab} {
		post, logw := independent(same(d, 0), same(d, sd)).given(identity(d), y, same(d, s))
		mean, variance := post.parts()
		m.add(math.Log([]float64{p, 1 - p}[k])+logw, mean, variance)
	}
	return &problem{Exact: m.moments(indexed("b", d)...)}
}

// opinions are coordinates whose prior and datum have heavy tails and are far from each other.
func opinions(w *writer) *problem {
	d := w.within(2, 5)
	w.param("vector[%d] x", d)
	var out []moment
	for i := range d {
		a, b := float64(w.within(2, 5)), float64(w.within(2, 5))
		s, t, far := w.scale(0.3, 1), w.scale(0.3, 1), w.uniform(5, 12)
		prior, other := student(a, 0, s), student(b, far, t)
		w.line("x[%d] ~ %s; target += student_t_lpdf(%s | %s, x[%d], %s);", i+1, prior, num(far), num(b), i+1, num(t))
		out = append(out, line(fmt.Sprintf("x.%d", i+1), func(x float64) float64 { return prior.log(x) + other.log(x) }, -1e4, 1e4, peak{0, s}, peak{far, t})...)
	}
	return &problem{Exact: out}
}

// bent are several numbers that depend on the square of one.
func bent(w *writer) *problem {
	d, s := w.within(2, 6), w.scale(0.7, 1.5)
	w.param("real x")
	w.param("vector[%d] y", d)
	w.line("x ~ normal(0, %s);", num(s))
	mean, variance := []float64{0}, []float64{s * s}
	for i := range d {
		b, t := rounded(w.normal(0, 1), 3), w.scale(0.1, 1)
		w.line("y[%d] ~ normal(%s * square(x), %s);", i+1, num(b), num(t))
		mean, variance = append(mean, b*s*s), append(variance, t*t+2*b*b*s*s*s*s)
	}
	return &problem{Exact: of(append([]string{"x"}, indexed("y", d)...), mean, variance)}
}

// unitsModes are two modes in units of a millionth or of a million.
func unitsModes(w *writer) *problem {
	unit := []float64{1e-6, 1e6}[w.r.IntN(2)]
	d, p, s := w.within(1, 4), w.uniform(0.25, 0.75), rounded(unit*w.scale(0.5, 2), 3)
	var at, mean, variance []float64
	for range d {
		at = append(at, rounded(unit*w.normal(0, 8), 3))
		m, v := mixed(p, 0, unit*unit, at[len(at)-1], s*s)
		mean, variance = append(mean, m), append(variance, v)
	}
	w.param("vector[%d] x", d)
	w.line("target += log_mix(%s, normal_lpdf(x | 0, %s), normal_lpdf(x | [%s]', %s));", num(p), num(unit), list(at...), num(s))
	return &problem{Exact: of(indexed("x", d), mean, variance)}
}

// farPrior is a normal prior that the data contradict by ten to a thousand standard deviations.
func farPrior(w *writer) *problem {
	d, sd, s, far := w.within(1, 4), w.scale(0.5, 2), w.scale(0.3, 1), w.scale(10, 1000)
	y, out := w.normals(d, far*sd, s), []moment{}
	for i := range y {
		v := 1 / (1/(sd*sd) + 1/(s*s))
		out = append(out, moment{Name: fmt.Sprintf("mu.%d", i+1), Mean: v * y[i] / (s * s), SD: math.Sqrt(v)})
	}
	w.vector("y", y)
	w.param("vector[%d] mu", d)
	w.prior("mu", gaussian(0, sd))
	w.observe("y", "normal", "mu[n]", num(s))
	return &problem{Exact: out}
}

// wideLines is a regression on 20 to 50 columns.
func wideLines(w *writer) *problem {
	d, s, sd := w.within(20, 50), w.scale(0.5, 2), w.scale(0.5, 3)
	n := 2*d + w.within(0, 50)
	rows, y := make([][]float64, n), make([]float64, n)
	b := w.normals(d, 0, sd)
	for i := range rows {
		rows[i] = w.normals(d, 0, 1)
		for j := range b {
			y[i] += b[j] * rows[i][j]
		}
		y[i] = rounded(w.normal(y[i], s), 6)
	}
	return regressed(w, rows, y, sd, s)
}

// regressed is the regression of y on rows, with coefficients of this spread and this noise.
func regressed(w *writer, rows [][]float64, y []float64, sd, s float64) *problem {
	n, d := len(rows), len(rows[0])
	x := mat.NewDense(n, d, nil)
	for i, row := range rows {
		x.SetRow(i, row)
	}
	w.matrix("x", rows)
	w.vector("y", y)
	w.param("vector[%d] b", d)
	w.prior("b", gaussian(0, sd))
	w.line("y ~ normal(x * b, %s);", num(s))
	post, _ := independent(same(d, 0), same(d, sd)).given(x, y, same(n, s))
	mean, variance := post.parts()
	return &problem{Exact: of(indexed("b", d), mean, variance)}
}
