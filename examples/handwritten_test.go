package examples

// The files handwritten_*_test.go have the log densities of the benchmark workloads with their
// gradients, as a Go programmer writes them for one model: plain loops and the
// functions of package math. They are the yardstick of the benchmarks.
//
// Each type is a workload with its data. Gradient takes an unconstrained point in the
// order of the model's parameters, fills grad and returns the log density with the log
// Jacobian of the constraint transforms and all constants. What depends on the data
// only is computed once by the constructor; algebra that a person sees is done (no
// square root that is squared again, emissions and logarithms outside inner loops).
//
// A value has scratch memory and belongs to one goroutine.

import "math"

// halfLog2Pi is minus the constant of the standard normal log density.
const halfLog2Pi = 0.91893853320467274178032973640562

// logistic returns p = 1/(1+exp(-y)) and log(p(1-p)), the log Jacobian of a parameter
// between two bounds.
func logistic(y float64) (p, logJacobian float64) {
	e := math.Exp(-math.Abs(y))
	p = 1 / (1 + e)
	if y < 0 {
		p = e / (1 + e)
	}
	return p, -math.Abs(y) - 2*math.Log1p(e)
}
