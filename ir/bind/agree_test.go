// How two evaluators of one model are compared.

package bind_test

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
)

// agree compares the compiled program with the reference interpreter at q: both fail or
// both succeed, values agree to 1e-12 of the sum of the terms' absolute values, and
// gradients to 1e-9 of their largest entry. Programs that call solvers get slack,
// relative: with sensitivities a solver may choose other steps.
func agree(m *bind.Model, q []float64, slack float64) error {
	for _, jacobian := range []bool{true, false} {
		if err := agreeIn(m, q, jacobian, slack); err != nil {
			return fmt.Errorf("jacobian %v: %w", jacobian, err)
		}
	}
	return nil
}

func agreeIn(m *bind.Model, q []float64, jacobian bool, slack float64) error {
	e := m.Density(jacobian, false)
	grad := make([]float64, m.Dim())
	got, err := e.LogDensityGrad(q, grad)
	want, wantGrad, wantErr := m.PlainDensity(q, jacobian)
	if !sameFailure(err, wantErr) {
		return fmt.Errorf("compiled: %v, %v; plain: %v, %v", got, err, want, wantErr)
	}
	if err != nil {
		return nil
	}
	size, err := termSize(m, q, jacobian)
	if err != nil {
		return err
	}
	value, err := e.LogDensity(q)
	if err != nil || !close64(value, got, (1e-12+slack)*size) {
		return fmt.Errorf("value with gradient %v, alone %v (%v)", got, value, err)
	}
	if !close64(got, want, (1e-12+slack)*size) {
		return fmt.Errorf("compiled value %v, plain value %v (terms add up to %g in absolute value)", got, want, size)
	}
	if math.IsInf(want, 0) || math.IsNaN(want) {
		return nil // a gradient has no meaning there
	}
	return closeGradients(grad, wantGrad, 1e-9+slack)
}

// sameFailure reports whether two errors mean the same to a sampler.
func sameFailure(a, b error) bool {
	return (a == nil) == (b == nil) && (a == nil || infer.IsReject(a) == infer.IsReject(b))
}

func closeGradients(got, want []float64, tol float64) error {
	largest := 0.0
	for _, v := range want {
		largest = math.Max(largest, math.Abs(v))
	}
	for i := range want {
		if !close64(got[i], want[i], tol*largest) {
			return fmt.Errorf("compiled gradient[%d] %v, plain %v (largest entry %g)", i, got[i], want[i], largest)
		}
	}
	return nil
}

// close64 reports whether two numbers are equal up to tol; infinities of one sign and
// NaNs count as equal.
func close64(a, b, tol float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tol
}

// termSize is the sum of the absolute values of the log density's terms.
func termSize(m *bind.Model, q []float64, jacobian bool) (float64, error) {
	terms, err := m.PlainTerms(q, jacobian)
	size := 1.0
	for _, t := range terms {
		size += math.Abs(t.Value.X[0])
	}
	return size, err
}
