package main

// This file holds the random numbers of the simulated data sets, as JSON wants them.

import (
	"math"
	"math/rand/v2"
)

// A source draws what data sets are made of.
type source struct{ *rand.Rand }

// fill makes n values.
func fill[T any](n int, value func(i int) T) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = value(i)
	}
	return all
}

// normals are n draws of a standard normal distribution times scale.
func (s source) normals(n int, scale float64) []float64 {
	return fill(n, func(int) float64 { return scale * s.NormFloat64() })
}

// matrix has standard normal entries.
func (s source) matrix(rows, cols int) [][]float64 {
	return fill(rows, func(int) []float64 { return s.normals(cols, 1) })
}

// levels are n indices from 1 to k.
func (s source) levels(n, k int) []int {
	return fill(n, func(int) int { return 1 + s.IntN(k) })
}

func (s source) bernoulli(p float64) int {
	if s.Float64() < p {
		return 1
	}
	return 0
}

func (s source) binomial(n int, p float64) int {
	x := 0
	for range n {
		x += s.bernoulli(p)
	}
	return x
}

// poisson counts arrivals in a time of mean; a normal approximation serves for large ones.
func (s source) poisson(mean float64) int {
	if mean > 500 {
		return int(mean + math.Sqrt(mean)*s.NormFloat64())
	}
	n := 0
	for t := s.ExpFloat64(); t < mean; t += s.ExpFloat64() {
		n++
	}
	return n
}

// choose is an index from 1, with chances in proportion to weights.
func (s source) choose(weights []float64) int {
	u := s.Float64() * sum(weights)
	for i, w := range weights {
		if u -= w; u < 0 {
			return i + 1
		}
	}
	return len(weights)
}

// likely is a level of 1 to k that is right with the given chance.
func (s source) likely(right, k int, chance float64) int {
	if s.Float64() < chance {
		return right
	}
	return 1 + s.IntN(k)
}

func sum(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total
}

func dot(x, y []float64) float64 {
	total := 0.0
	for i := range x {
		total += float64(x[i] * y[i])
	}
	return total
}

func logistic1(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// exps are the exponentials of scale times x.
func exps(x []float64, scale float64) []float64 {
	return fill(len(x), func(i int) float64 { return math.Exp(scale * x[i]) })
}
