// This file is the normal-inverse-gamma density as an approximation on the
// unconstrained scale.

package gvi

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// NormalInverseGamma is s ~ inverse gamma(A, B) with coordinate At = log(s)/Power,
// and the other coordinates, in order, independent normal(Mean_j, variance s V_j).
// It implements infer.Approximation.
type NormalInverseGamma struct {
	A, B    float64
	Mean, V []float64
	At      int
	Power   float64
}

// Dim implements infer.Approximation.
func (n *NormalInverseGamma) Dim() int { return len(n.Mean) + 1 }

// LogDensity implements infer.Density.
func (n *NormalInverseGamma) LogDensity(q []float64) float64 { return n.evaluate(q, nil) }

// LogDensityGrad implements infer.Approximation.
func (n *NormalInverseGamma) LogDensityGrad(q, grad []float64) float64 { return n.evaluate(q, grad) }

func (n *NormalInverseGamma) evaluate(q, grad []float64) float64 {
	logS := n.Power * q[n.At]
	inverse := libm.Exp(-logS)
	k := float64(len(n.Mean))
	lg, _ := libm.Lgamma(n.A)
	lp := float64(n.A*libm.Log(n.B)) - lg - float64((n.A+float64(k/2))*logS) - float64(n.B*inverse) - float64(k*normal.LogRoot2Pi) + libm.Log(math.Abs(n.Power))
	byLog := -(n.A + float64(k/2)) + float64(n.B*inverse)
	for j, m := range n.Mean {
		i := n.coord(j)
		z := (q[i] - m) / n.V[j]
		square := float64(z * (q[i] - m) * inverse / 2)
		lp -= square + libm.Log(n.V[j])/2
		byLog += square
		if grad != nil {
			grad[i] = -z * inverse
		}
	}
	if grad != nil {
		grad[n.At] = n.Power * byLog
	}
	return lp
}

// coord is the coordinate of normal j.
func (n *NormalInverseGamma) coord(j int) int { return coordinateBeside(n.At, j) }

// coordinateBeside is the j-th coordinate other than at.
func coordinateBeside(at, j int) int {
	if j >= at {
		return j + 1
	}
	return j
}

// Draw implements infer.Approximation.
func (n *NormalInverseGamma) Draw(r *rand.Rand, q []float64) {
	logS := libm.Log(n.B) - variate.LogGamma(r, n.A)
	s := libm.Exp(logS)
	q[n.At] = logS / n.Power
	for j, m := range n.Mean {
		q[n.coord(j)] = m + float64(math.Sqrt(s*n.V[j])*variate.Normal(r))
	}
}

var _ infer.Approximation = (*NormalInverseGamma)(nil)
