// This file has the terms that closed forms are made of.

package swap

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
)

// A term is a function of a point on the unconstrained scale: a product of at most two
// coordinates and a shape of a third one, or the shape of a simplex.
type term struct {
	left, right int // coordinates that are factors; none for no such factor
	of          int // coordinate that the shape is of
	shape       shape
	simplex     int // coordinates, from of on, of a simplex; the other fields do not count; 0 for none
}

const none = -1

// A shape is a function of one coordinate.
type shape struct {
	rate float64 // exp(rate x); 1 where the rate is 0
	soft bool    // log(1 + exp(x)) in its place
}

func (s shape) value(x float64) float64 {
	switch {
	case s.soft:
		return max(x, 0) + libm.Log1p(libm.Exp(-math.Abs(x)))
	case s.rate == 0:
		return 1
	}
	return libm.Exp(s.rate * x)
}

func (s shape) slope(x float64) float64 {
	if s.soft {
		return 1 / (1 + libm.Exp(-x))
	}
	return s.rate * s.value(x)
}

// linear, square, product and shaped are the terms x_i, x_i^2, x_i x_j and s(x_i).
func linear(i int) term                  { return term{left: i, right: none} }
func square(i int) term                  { return term{left: i, right: i} }
func product(i, j int) term              { return term{left: i, right: j} }
func shaped(i int, s shape) term         { return term{left: none, right: none, of: i, shape: s} }
func (t term) times(i int, s shape) term { t.of, t.shape = i, s; return t }

// at is a coordinate, 1 for none.
func at(x []float64, i int) float64 {
	if i == none {
		return 1
	}
	return x[i]
}

func (t term) value(x []float64) float64 {
	if t.simplex > 0 {
		return logSum(x[t.of:t.of+t.simplex], nil)
	}
	return at(x, t.left) * at(x, t.right) * t.shape.value(x[t.of])
}

// addGrad adds c times the gradient.
func (t term) addGrad(x []float64, c float64, grad []float64) {
	if t.simplex > 0 {
		slope := make([]float64, t.simplex)
		logSum(x[t.of:t.of+t.simplex], slope)
		for k, v := range slope {
			grad[t.of+k] += float64(c * v)
		}
		return
	}
	a, b := at(x, t.left), at(x, t.right)
	s := t.shape.value(x[t.of])
	if t.left != none {
		grad[t.left] += float64(c * b * s)
	}
	if t.right != none {
		grad[t.right] += float64(c * a * s)
	}
	grad[t.of] += float64(c * a * b * t.shape.slope(x[t.of]))
}

// The shapes of logs of densities of a positive number or of one between 0 and 1, in the
// coordinate that is its logarithm or logit.
var (
	rising   = shape{rate: 1}    // of a gamma distribution
	falling  = shape{rate: -1}   // of an inverse gamma distribution
	steep    = shape{rate: 2}    // of a half-normal distribution
	dropping = shape{rate: -2}   // of a standard deviation by normal observations
	soft     = shape{soft: true} // of a beta distribution
)

// richest are the terms of all families of one coordinate beside the linear one.
func richest(i int) []term {
	return []term{square(i), shaped(i, rising), shaped(i, falling), shaped(i, soft), shaped(i, steep), shaped(i, dropping)}
}

// families are those of one coordinate by their terms beside the linear one, the smaller
// ones first: exponential, normal, gamma, ..., and what products of two of them make.
func families(i int) [][]term {
	q := square(i)
	of := func(s shape) term { return shaped(i, s) }
	return [][]term{
		{}, {q}, {of(rising)}, {of(falling)}, {of(soft)}, {of(steep)}, {of(dropping)},
		{q, of(rising)}, {q, of(falling)}, {q, of(soft)}, {q, of(steep)}, {q, of(dropping)},
		{of(rising), of(falling)}, {of(rising), of(dropping)}, {of(falling), of(steep)}, {of(steep), of(dropping)}, {of(rising), of(steep)},
	}
}

// simplexes are the terms of independent Dirichlet distributions of simplexes of size
// coordinates each, d in all: the logs of a simplex's numbers are linear in the coordinates,
// up to one function.
func simplexes(size, d int) []term {
	var out []term
	for i := range d {
		out = append(out, linear(i))
		if i%size == 0 {
			out = append(out, term{of: i, simplex: size})
		}
	}
	return out
}

// logSum is log sum exp(V y), where V y are the logs of a simplex's numbers up to a constant:
// column n of V, from 1, holds 1/sqrt(n(n+1)) in its first n rows and -n times that in the
// next. slope, if any, is filled with the gradient.
func logSum(y, slope []float64) float64 {
	logs := make([]float64, len(y)+1)
	for n, v := range y {
		w := v / math.Sqrt(float64((n+1)*(n+2)))
		for k := range n + 1 {
			logs[k] += w
		}
		logs[n+1] -= float64(float64(n+1) * w)
	}
	total := infer.LogSumExp(logs)
	if slope == nil {
		return total
	}
	var before float64 // sum of the shares so far
	for n := range slope {
		before += libm.Exp(logs[n] - total)
		slope[n] = (before - float64(float64(n+1)*libm.Exp(logs[n+1]-total))) / math.Sqrt(float64((n+1)*(n+2)))
	}
	return total
}
