package main

// This file holds classes of bumps, quotients and kinks inside the location of data. They were made after the short way, to measure the checks by.

import (
	"fmt"
	"math"
)

// bumps are 1 where the squared distance u is zero, and 0 far away.
var bumps = []struct {
	text string
	of   func(u float64) float64
}{
	{"exp(-%s)", func(u float64) float64 { return math.Exp(-u) }},
	{"1 / square(1 + %s)", func(u float64) float64 { return 1 / ((1 + u) * (1 + u)) }},
	{"(%s < 1 ? 1.0 : 0.0)", func(u float64) float64 { return map[bool]float64{true: 1}[u < 1] }},
	{"fmax(0, 1 - %s)", func(u float64) float64 { return max(0, 1-u) }},
}

// bumpSeen has a narrow bump inside the location of its data: t is anywhere, or in it.
func bumpSeen(w *writer) *problem {
	d, n, high, width, far, b := w.within(1, 6), w.within(1, 4), w.uniform(4, 12), w.scale(0.01, 0.3), w.uniform(0.5, 3), bumps[w.r.IntN(len(bumps))]
	centre, norm := w.normals(d, 0, 1), 0.0
	for _, x := range centre {
		norm += x * x
	}
	for i, x := range centre {
		centre[i] = far * x / math.Sqrt(norm)
	}
	u := fmt.Sprintf("squared_distance(t, [%s]') / %s", list(centre...), num(width))
	w.param("vector[%d] t", d)
	if w.coin() {
		w.line("real u = %s;", u)
		u = "u"
	}
	w.line("t ~ std_normal();")
	y := w.normals(n, high, 1)
	w.vector("y", y)
	w.line("y ~ normal(%s * "+b.text+", 1);", num(high), u)
	seen := func(u float64) (v float64) {
		for _, x := range y {
			v += normalLog(x, high*b.of(u), 1)
		}
		return v
	}
	return &problem{Exact: aroundBump(centre, far, width, seen)}
}

// aroundBump are the moments of a standard normal t that is seen through its squared distance from centre over width: along the way to
// centre, and by the distance r from that way.
func aroundBump(centre []float64, far, width float64, seen func(u float64) float64) []moment {
	var m mixture
	r, d := math.Sqrt(width), len(centre)
	along(-12, 12, []peak{{0, 1}, {far, r}, {far - r, r / 8}, {far + r, r / 8}}, func(a, logw float64) {
		across, square := math.Inf(-1), 0.0
		put := func(r, logw float64) {
			logw += seen(((a-far)*(a-far)+r*r)/width) - a*a/2
			most := max(across, logw)
			old, one := math.Exp(across-most), math.Exp(logw-most)
			across, square = most+math.Log(old+one), (square*old+r*r*one)/(old+one)
		}
		edge := math.Sqrt(max(width-(a-far)*(a-far), 0))
		if d == 1 {
			put(0, logw)
		} else {
			along(0, 12, []peak{{0, r}, {edge, r}}, func(r, more float64) { put(r, logw+more-r*r/2+float64(d-2)*math.Log(r)) })
		}
		mean, variance := make([]float64, d), make([]float64, d)
		for i, c := range centre {
			mean[i] = a * c / far
			if d > 1 {
				variance[i] = square / float64(d-1) * (1 - c*c/(far*far))
			}
		}
		m.add(across, mean, variance)
	})
	return m.moments(indexed("t", d)...)
}

// quotientSeen sees the quotient of two numbers.
func quotientSeen(w *writer) *problem {
	n, s, lean := w.within(1, 6), w.scale(0.3, 1), []float64{0, 0, w.uniform(0.3, 2)}[w.r.IntN(3)]
	y := w.normals(n, w.normal(0, 2), s)
	w.vector("y", y)
	w.real("a", gaussian(lean, 1))
	w.real("b", gaussian(lean, 1))
	w.line("y ~ normal(a / b, %s);", num(s))
	return &problem{Exact: cube([]string{"a", "b"}, []axis{plain(-8, 8), plain(-8, 8)}, func(q []float64) float64 {
		v := normalLog(q[0], lean, 1) + normalLog(q[1], lean, 1)
		for _, y := range y {
			v += normalLog(y, q[0]/q[1], s)
		}
		return v
	})}
}

// manySigns are a hundred thousand values that tell a number up to its sign.
func manySigns(w *writer) *problem {
	s, lean, truth := w.scale(0.5, 3), rounded(w.normal(0, 0.3), 3), w.uniform(0.5, 3)
	y, sum := w.normals(100_000, truth*truth, s), 0.0
	for _, v := range y {
		sum += v
	}
	w.vector("y", y)
	w.real("x", gaussian(lean, 1))
	w.observe("y", "normal", "square(x)", num(s))
	n := float64(len(y))
	wide := s / math.Sqrt(n) / (2 * truth)
	return &problem{Exact: line("x", func(x float64) float64 {
		return normalLog(x, lean, 1) + (x*x*sum-n*x*x*x*x/2)/(s*s)
	}, -8, 8, peak{truth, wide}, peak{-truth, wide})}
}

// kinked are numbers that are seen through a function with a kink, from either side of it.
func kinked(w *writer) *problem {
	d, s, slope, sd := w.within(1, 4), w.scale(0.1, 0.6), w.scale(0.5, 4), w.scale(1, 3)
	y := make([]float64, d)
	w.param("vector[%d] x", d)
	w.prior("x", gaussian(0, sd))
	w.line("for (n in 1:%d) { real m; if (x[n] > 0) m = x[n]; else m = -%s * x[n]; y[n] ~ normal(m, %s); }", d, num(slope), num(s))
	var out []moment
	for i := range y {
		y[i] = rounded(math.Abs(w.normal(0, sd)), 6)
		out = append(out, line(fmt.Sprintf("x.%d", i+1), func(x float64) float64 {
			return normalLog(x, 0, sd) + normalLog(y[i], max(x, -slope*x), s)
		}, -15*sd, 15*sd, peak{0, s}, peak{y[i], s}, peak{-y[i] / slope, s / slope})...)
	}
	w.vector("y", y)
	return &problem{Exact: out}
}
