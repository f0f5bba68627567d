package main

// This file holds classes of conditions: half of the mass in a small region that a program tests for.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"
)

// regions are classes of a normal prior and a bonus inside a region that it hardly meets.
func regions() []*class {
	return []*class{
		{"region_ball", "a bonus in a ball or an ellipsoid, by a condition", false, regionBall},
		{"region_box", "a bonus in a box, by conditions on each number", false, regionBox},
		{"region_side", "a bonus beyond a plane, or between two", false, regionSide},
		{"region_far", "a tenth of the mass in a box far out", false, regionFar},
	}
}

// bonus adds h where a condition on the parameters holds, in one of the ways to write it.
func (w *writer) bonus(cond string, h float64) {
	x := num(h)
	switch w.r.IntN(9) {
	case 0:
		w.line("if (%s) target += %s;", cond, x)
	case 1:
		w.line("target += (%s) ? %s : 0;", cond, x)
	case 2:
		w.line("{ int within = %s; target += %s * within; }", cond, x)
	case 3:
		w.line("if (!(%s)) { target += 0; } else { target += %s; }", cond, x)
	case 4:
		w.functions = append(w.functions, fmt.Sprintf("real bonus(vector x) { if (%s) return %s; return 0; }", cond, x))
		w.line("target += bonus(x);")
	case 5:
		w.functions = append(w.functions, fmt.Sprintf("int within(vector x) { return %s; }", cond))
		w.line("if (within(x)) target += %s;", x)
	case 6:
		w.define("real extra = (%s) ? %s : 0", cond, x)
		w.line("target += extra;")
	case 7:
		w.line("{ vector[2] table = [0, %s]'; target += table[1 + (%s)]; }", x, cond)
	default:
		w.line("{ real extra = 0; for (i in 1:1) { if (%s) { extra += %s; } } target += extra; }", cond, x)
	}
}

// regionBall is a normal prior with a bonus in an ellipsoid whose axes are as the prior's: a ball in units of it.
func regionBall(w *writer) *problem { return ballOf(w, w.within(1, 5), 0.02, 0.4) }

// ballOf has a ball in d dimensions with a radius between two numbers.
func ballOf(w *writer, d int, least, most float64) *problem {
	sd, c := make([]float64, d), make([]float64, d)
	one := w.coin()
	for i := range sd {
		if sd[i] = w.scale(0.3, 4); one {
			sd[i] = sd[0]
		}
	}
	radius, size := w.scale(least, most), w.uniform(0.3, 2.2)
	length := 0.0
	for i := range c {
		c[i] = w.normal(0, 1)
		length += c[i] * c[i]
	}
	for i := range c {
		c[i] *= size / math.Sqrt(length)
	}
	var part mixture // along the centre, its square, the square of the distance beside it
	inside := 0.0
	gd, _ := math.Lgamma(float64(d-1) / 2)
	along(size-radius, size+radius, []peak{{size, radius}, {size - radius, radius / 9}, {size + radius, radius / 9}}, func(z, lz float64) {
		most := math.Sqrt(math.Max(radius*radius-(z-size)*(z-size), 0))
		lz += distuv.UnitNormal.LogProb(z)
		if d == 1 {
			inside += math.Exp(lz)
			part.add(lz, []float64{z, z * z, 0}, nil)
			return
		}
		along(0, most, []peak{{0, most / 4}}, func(rho, lr float64) { // the density of a chi of d-1 degrees
			l := lz + lr + math.Log(2)*(1-float64(d-1)/2) - gd + float64(d-2)*math.Log(rho) - rho*rho/2
			inside += math.Exp(l)
			part.add(l, []float64{z, z * z, rho * rho}, nil)
		})
	})
	in := part.moments("z", "zz", "rr")
	h := rounded(math.Log1p(w.scale(0.5, 3)/inside), 6)
	w.vector("c", c)
	w.vector("s", sd)
	w.param("vector[%d] x", d)
	if one {
		w.prior("x", gaussian(0, sd[0]))
	} else {
		w.line("x ~ normal(0, s);")
	}
	list := make([]string, d)
	for i := range list {
		list[i] = num(c[i] * sd[i])
	}
	at, scale := "["+strings.Join(list, ", ")+"]'", make([]string, d)
	for i := range scale {
		scale[i] = num(sd[i] * radius)
	}
	z := fmt.Sprintf("(x - %s) ./ [%s]'", at, strings.Join(scale, ", "))
	w.bonus([]string{
		fmt.Sprintf("dot_self(%s) < 1", z), fmt.Sprintf("norm2(%s) < 1", z), fmt.Sprintf("sum(square(%s)) <= 1", z), fmt.Sprintf("1 > squared_distance(x ./ [%s]', %s ./ [%[1]s]')", strings.Join(scale, ", "), at),
		fmt.Sprintf("dot_self(%s) - 1 < 0", z), fmt.Sprintf("step(1 - dot_self(%s)) > 0.5", z), fmt.Sprintf("int_step(1 - norm2(%s))", z), fmt.Sprintf("log(dot_self(%s)) < 0", z),
		fmt.Sprintf("exp(-dot_self(%s)) > exp(-1)", z), fmt.Sprintf("distance(x ./ [%s]', %s ./ [%[1]s]') < 1", strings.Join(scale, ", "), at),
	}[w.r.IntN(10)], h)
	mass := math.Expm1(h) * inside
	p := mass / (1 + mass)
	var mean, variance []float64
	for i, v := range c {
		e := v / size
		m, beside := p*e*in[0].Mean, 0.0
		if d > 1 {
			beside = (1 - e*e) * in[2].Mean / float64(d-1)
		}
		second := (1 - p) + p*(e*e*in[1].Mean+beside)
		mean, variance = append(mean, sd[i]*m), append(variance, sd[i]*sd[i]*(second-m*m))
	}
	return &problem{Exact: of(indexed("x", d), mean, variance)}
}

// cut are the probability of a normal between two values, and its mean and mean square there.
func cut(sd, lo, hi float64) (p, mean, square float64) {
	var m mixture
	n := distuv.Normal{Sigma: sd}
	along(math.Max(lo, -40*sd), math.Min(hi, 40*sd), []peak{{0, sd}, {lo, (hi - lo) / 8}}, func(x, logw float64) {
		l := logw + n.LogProb(x)
		p += math.Exp(l)
		m.add(l, []float64{x, x * x}, nil)
	})
	out := m.moments("x", "xx")
	return p, out[0].Mean, out[1].Mean
}

// regionBox is a normal prior with a bonus in a box.
func regionBox(w *writer) *problem { return boxOf(w, w.within(1, 5), 0.02, 0.4) }

// boxOf has a box in d dimensions, half as wide as between two numbers.
func boxOf(w *writer, d int, least, most float64) *problem {
	sd := w.scale(0.5, 3)
	lo, hi, inside := make([]float64, d), make([]float64, d), 1.0
	first, second := make([]float64, d), make([]float64, d)
	for i := range lo {
		half, at := sd*w.scale(least, most), sd*w.uniform(-1.6, 1.6)
		lo[i], hi[i] = rounded(at-half, 6), rounded(at+half, 6)
		p, m, s := cut(sd, lo[i], hi[i])
		inside *= p
		first[i], second[i] = m, s
	}
	h := rounded(math.Log1p(w.scale(0.5, 3)/inside), 6)
	w.vector("lo", lo)
	w.vector("hi", hi)
	w.param("vector[%d] x", d)
	w.prior("x", gaussian(0, sd))
	var each, far []string
	for i := range lo {
		each = append(each, fmt.Sprintf("x[%d] > %s && x[%[1]d] < %[3]s", i+1, num(lo[i]), num(hi[i])))
		far = append(far, fmt.Sprintf("abs(x[%d] - %s) < %s", i+1, num((lo[i]+hi[i])/2), num((hi[i]-lo[i])/2)))
	}
	switch w.r.IntN(7) {
	case 0:
		w.line("{ int within = 1; for (i in 1:%d) if (x[i] < lo[i] || x[i] > hi[i]) within = 0; if (within) target += %s; }", d, num(h))
	case 1:
		w.line("{ int count = 0; for (i in 1:%d) count += x[i] > lo[i] && x[i] < hi[i]; if (count == %[1]d) target += %s; }", d, num(h))
	case 2:
		nested := fmt.Sprintf("target += %s;", num(h))
		for i := range lo {
			nested = fmt.Sprintf("if (x[%d] > lo[%[1]d]) { if (x[%[1]d] < hi[%[1]d]) { %s } }", i+1, nested)
		}
		w.line("%s", nested)
	case 3:
		w.line("{ int within = 1; for (i in 1:%d) within *= int_step(x[i] - lo[i]) * int_step(hi[i] - x[i]); target += %s * within; }", d, num(h))
	case 4:
		w.line("target += %s * prod(%s);", num(h), "to_vector({"+strings.ReplaceAll(strings.Join(far, ", "), " && ", " * ")+"})")
	case 5:
		w.bonus(strings.Join(far, " && "), h)
	default:
		w.bonus(strings.Join(each, " && "), h)
	}
	if mentions := strings.Join(w.functions, ""); strings.Contains(mentions, "lo[") {
		panic("a function knows no data")
	}
	mass := math.Expm1(h) * inside
	p := mass / (1 + mass)
	var mean, variance []float64
	for i := range lo {
		m := p * first[i]
		mean, variance = append(mean, m), append(variance, (1-p)*sd*sd+p*second[i]-m*m)
	}
	return &problem{Exact: of(indexed("x", d), mean, variance)}
}

// regionSide is a normal prior with a bonus beyond a plane, or between two that are close together.
func regionSide(w *writer) *problem {
	d, sd := w.within(1, 5), w.scale(0.5, 3)
	a, length := w.normals(d, 0, 1), 0.0
	for _, v := range a {
		length += v * v
	}
	for i := range a {
		a[i] /= math.Sqrt(length)
	}
	lo, hi := rounded(sd*w.uniform(2.5, 5), 5), math.Inf(1)
	slab := w.coin()
	if slab {
		lo = rounded(sd*w.uniform(0.3, 3), 5)
		hi = lo + rounded(sd*w.scale(0.002, 0.1), 5)
	}
	inside, first, second := cut(sd, lo, math.Min(hi, 40*sd))
	h := rounded(math.Log1p(w.scale(0.5, 3)/inside), 6)
	w.param("vector[%d] x", d)
	w.prior("x", gaussian(0, sd))
	list := make([]string, d)
	for i, v := range a {
		list[i] = num(v)
	}
	u := fmt.Sprintf("dot_product([%s]', x)", strings.Join(list, ", "))
	if d == 1 && a[0] > 0 {
		u = "x[1]"
	}
	cond := fmt.Sprintf("%s > %s", u, num(lo))
	if slab {
		cond += fmt.Sprintf(" && %s < %s", u, num(hi))
		if w.coin() {
			cond = fmt.Sprintf("abs(%s - %s) < %s", u, num((lo+hi)/2), num((hi-lo)/2))
		}
	}
	w.bonus(cond, h)
	mass := math.Expm1(h) * inside
	p := mass / (1 + mass)
	m := p * first
	v := (1-p)*sd*sd + p*second - m*m
	var mean, variance []float64
	for _, e := range a {
		mean, variance = append(mean, e*m), append(variance, e*e*v+(1-e*e)*sd*sd)
	}
	return &problem{Exact: of(indexed("x", d), slices.Clip(mean), variance)}
}

// regionFar is a normal prior with a bonus in a box that is 3 to 6 standard deviations out along the first number.
func regionFar(w *writer) *problem {
	d, sd := w.within(1, 4), w.scale(0.5, 3)
	inside, first, second, each := 1.0, make([]float64, d), make([]float64, d), make([]string, d)
	for i := range each {
		half, at := sd*w.scale(0.03, 0.4), sd*w.uniform(-1.6, 1.6)
		if i == 0 {
			at = sd * w.uniform(3, 6)
		}
		lo, hi := rounded(at-half, 6), rounded(at+half, 6)
		p, m, s := cut(sd, lo, hi)
		inside *= p
		first[i], second[i], each[i] = m, s, fmt.Sprintf("x[%d] > %s && x[%[1]d] < %[3]s", i+1, num(lo), num(hi))
	}
	h := rounded(math.Log1p(w.scale(0.08, 0.4)/inside), 6)
	w.param("vector[%d] x", d)
	w.prior("x", gaussian(0, sd))
	w.bonus(strings.Join(each, " && "), h)
	mass := math.Expm1(h) * inside
	p := mass / (1 + mass)
	var mean, variance []float64
	for i := range each {
		m := p * first[i]
		mean, variance = append(mean, m), append(variance, (1-p)*sd*sd+p*second[i]-m*m)
	}
	return &problem{Exact: of(indexed("x", d), mean, variance)}
}
