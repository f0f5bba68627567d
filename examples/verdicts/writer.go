package main

// This file writes programs: the same posterior in one of the ways to write it.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// A writer puts a program and its data together. What is random about a problem comes from r.
type writer struct {
	r     *rand.Rand
	vars  map[string]any
	rates map[string]bool // parameters that are written as transformed ones

	functions, data, params, transformed, body []string
}

func (w *writer) coin() bool { return w.r.IntN(2) == 0 }

// within is a whole number from lo to hi.
func (w *writer) within(lo, hi int) int { return lo + w.r.IntN(hi-lo+1) }

// uniform is a number between lo and hi, of three digits.
func (w *writer) uniform(lo, hi float64) float64 { return rounded(lo+(hi-lo)*w.r.Float64(), 3) }

// scale is like uniform, on the logarithmic scale.
func (w *writer) scale(lo, hi float64) float64 {
	return rounded(lo*math.Pow(hi/lo, w.r.Float64()), 3)
}

// normal draws N(mean, sd).
func (w *writer) normal(mean, sd float64) float64 { return mean + sd*w.r.NormFloat64() }

// normals draws n of them, of six digits.
func (w *writer) normals(n int, mean, sd float64) []float64 {
	y := make([]float64, n)
	for i := range y {
		y[i] = rounded(w.normal(mean, sd), 6)
	}
	return y
}

// poisson draws a count.
func (w *writer) poisson(rate float64) int {
	k, p, limit := 0, w.r.Float64(), math.Exp(-rate)
	for ; p > limit; k++ {
		p *= w.r.Float64()
	}
	return k
}

// binomial draws a count.
func (w *writer) binomial(n int, p float64) int {
	k := 0
	for range n {
		if w.r.Float64() < p {
			k++
		}
	}
	return k
}

// rounded is x to so many significant digits.
func rounded(x float64, digits int) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	return y
}

// num writes a number.
func num(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// list writes numbers with commas between them.
func list(x ...float64) string {
	out := make([]string, len(x))
	for i, v := range x {
		out[i] = num(v)
	}
	return strings.Join(out, ", ")
}

// whole declares an integer of the data.
func (w *writer) whole(name string, n int) {
	w.data = append(w.data, "int "+name+";")
	w.vars[name] = n
}

// size declares the length of a variable of the data.
func (w *writer) size(name string, n int) string {
	size := "N_" + name
	w.whole(size, n)
	return size
}

// vector declares numbers of the data.
func (w *writer) vector(name string, x []float64) {
	w.data = append(w.data, fmt.Sprintf("vector[%s] %s;", w.size(name, len(x)), name))
	w.vars[name] = x
}

// counts declares integers of the data.
func (w *writer) counts(name string, x []int) {
	w.data = append(w.data, fmt.Sprintf("array[%s] int %s;", w.size(name, len(x)), name))
	w.vars[name] = x
}

// matrix declares rows of the data.
func (w *writer) matrix(name string, rows [][]float64) {
	w.data = append(w.data, fmt.Sprintf("matrix[%d, %d] %s;", len(rows), len(rows[0]), name))
	w.vars[name] = rows
}

// param declares a parameter.
func (w *writer) param(format string, args ...any) {
	w.params = append(w.params, fmt.Sprintf(format, args...)+";")
}

// define declares a transformed parameter.
func (w *writer) define(format string, args ...any) {
	w.transformed = append(w.transformed, fmt.Sprintf(format, args...)+";")
}

// line adds to the model block.
func (w *writer) line(format string, args ...any) {
	w.body = append(w.body, fmt.Sprintf(format, args...))
}

// real declares an unbounded parameter with its prior, often with offset and multiplier.
func (w *writer) real(name string, d dist) {
	if m, s := d.about(); w.r.IntN(3) == 0 {
		w.param("real<offset=%s, multiplier=%s> %s", num(m), num(s), name)
	} else {
		w.param("real %s", name)
	}
	w.prior(name, d)
}

// positive declares a parameter above zero with its prior: bounded, or as the exponential of
// one that is not.
func (w *writer) positive(name string, d dist) {
	if w.r.IntN(4) > 0 {
		w.param("real<lower=0> %s", name)
		w.prior(name, d)
		return
	}
	w.rates[name] = true
	w.param("real log_%s", name)
	w.define("real<lower=0> %s = exp(log_%s)", name, name)
	w.line("target += %s_lpdf(%s | %s) + log_%s;", d.name, name, list(d.args...), name)
}

// unit declares a parameter between 0 and 1 with its prior.
func (w *writer) unit(name string, d dist) {
	w.param("real<lower=0, upper=1> %s", name)
	w.prior(name, d)
}

// prior states the prior of a parameter.
func (w *writer) prior(name string, d dist) {
	if w.r.IntN(3) > 0 {
		w.line("%s ~ %s;", name, d)
		return
	}
	w.line("target += %s_lpdf(%s | %s);", d.name, name, d.arguments())
}

// discrete are the families of integers.
var discrete = map[string]bool{
	"poisson": true, "poisson_log": true, "bernoulli": true, "bernoulli_logit": true, "binomial": true,
	"binomial_logit": true, "ordered_logistic": true,
}

// suffix is that of a family's log density.
func suffix(family string) string {
	if discrete[family] {
		return "lpmf"
	}
	return "lpdf"
}

// observe states the distribution of a variable of the data; "[n]" in an argument is the
// element of it that belongs to that observation.
func (w *writer) observe(y, family string, args ...string) {
	loop := strings.Join(args, ", ")
	whole, f := strings.ReplaceAll(loop, "[n]", ""), family+"_"+suffix(family)
	switch w.r.IntN(6) {
	case 0:
		w.line("target += %s(%s | %s);", f, y, whole)
	case 1:
		w.line("for (n in 1:N_%s) { %s[n] ~ %s(%s); }", y, y, family, loop)
	case 2:
		w.line("for (n in 1:N_%s) { target += %s(%s[n] | %s); }", y, f, y, loop)
	case 3:
		w.line("{ real total = %s(%s | %s); target += total; }", f, y, whole)
	default:
		w.line("%s ~ %s(%s);", y, family, whole)
	}
}

// each adds a term of the log density for every observation, as one loop or another.
func (w *writer) each(y, term string) {
	if w.coin() {
		w.line("for (n in 1:N_%s) { target += %s; }", y, term)
		return
	}
	w.line("{ real total = 0; for (n in 1:N_%s) { total += %s; } target += total; }", y, term)
}

// text is the program.
func (w *writer) text() string {
	var b strings.Builder
	block := func(name string, lines []string) {
		if len(lines) == 0 {
			return
		}
		fmt.Fprintf(&b, "%s {\n", name)
		for _, l := range lines {
			fmt.Fprintf(&b, "  %s\n", l)
		}
		b.WriteString("}\n")
	}
	block("functions", w.functions)
	block("data", w.data)
	block("parameters", w.params)
	block("transformed parameters", w.transformed)
	block("model", w.body)
	return b.String()
}
