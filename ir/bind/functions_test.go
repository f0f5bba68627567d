// Library functions that do more than return a value.

package bind_test

import (
	"math"
	"testing"
)

// TestConstraintFunctionsAddTheirJacobian writes a simplex by hand: the density must be
// that of the declared one.
func TestConstraintFunctionsAddTheirJacobian(t *testing.T) {
	declared := bound(t, `parameters { simplex[3] x; } model { x ~ dirichlet([2, 3, 4]'); }`, `{}`)
	byHand := bound(t, `parameters { vector[2] u; }
transformed parameters { simplex[3] x = simplex_jacobian(u); }
model { x ~ dirichlet([2, 3, 4]'); }`, `{}`)
	sameDensity(t, byHand, declared, byHand.NewEvaluator().LogDensityGrad)
	q := []float64{0.3, -0.2}
	with, _, err := byHand.PlainDensity(q, true)
	if err != nil {
		t.Fatal(err)
	}
	without, _, err := byHand.PlainDensity(q, false)
	if err != nil {
		t.Fatal(err)
	}
	if with == without {
		t.Error("the log Jacobian counts even where it is not wanted, or never")
	}
}

func TestTupleFunctions(t *testing.T) {
	m := bound(t, `
transformed data {
  matrix[2, 2] A = [[2, 1], [1, 2]];
  tuple(matrix[2, 2], vector[2]) e = eigendecompose_sym(A);
}
parameters { real<lower=0> s; }
transformed parameters { vector[2] values = eigendecompose_sym(s * A).2; }
model { values ~ normal(0, 1); }`, `{}`)
	q := []float64{0.2}
	lp, err := m.NewEvaluator().LogDensity(q)
	if err != nil {
		t.Fatal(err)
	}
	s := math.Exp(q[0])
	want := -0.5*(s*s+9*s*s) - math.Log(2*math.Pi) + q[0]
	if math.Abs(lp-want) > 1e-12 {
		t.Errorf("log density %v, want %v", lp, want)
	}
}
