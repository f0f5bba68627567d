// This file estimates the error of the evidence.

package smc

import "math"

// count adds to the excess of each prior draw what its descendants' share in
// the weights of this round exceeds their share in the points. A weight that is
// no number (all are zero) leaves the error unknown.
func (e *engine) count() {
	share := 1 / float64(len(e.w))
	for i, w := range e.w {
		e.excess[e.eve[i]] += w - share
	}
}

// variance is the estimated variance of the log evidence so far: that of the
// sum of the excesses, which are 0 on average and come from independent draws.
func (e *engine) variance() float64 {
	n := float64(len(e.excess))
	if n < 2 {
		return math.NaN()
	}
	var squares float64
	for _, x := range e.excess {
		squares += float64(x * x)
	}
	return squares * n / (n - 1)
}
