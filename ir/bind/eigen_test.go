// Decompositions of symmetric matrices within programs.

package bind_test

import (
	"math"
	"strings"
	"testing"
)

// Of a quadratic form that is written with eigenvalues, most of which agree to ten digits, and with a solution of a linear
// system, value and gradient are the same; and the program decomposes the matrix once.
func TestCloseEigenvalues(t *testing.T) {
	const head = `transformed data { array[12] real x; vector[12] y; for (i in 1:12) { x[i] = 0.09 * i; y[i] = sin(3.0 * i); } }
parameters { real a; real r; } model { matrix[12, 12] S = add_diag(gp_exp_quad_cov(x, exp(a), exp(r)), 1e-6); target += -square(a) - square(r); `
	eigen := bound(t, head+"target += -sum(square(eigenvectors_sym(S)' * y) ./ (1 + eigenvalues_sym(S))); }", "{}")
	solved := bound(t, head+"target += -y' * (add_diag(S, 1) \\ y); }", "{}")
	for _, q := range [][]float64{{0, 0}, {0.4, -0.7}, {-0.3, 0.5}} {
		got, want := make([]float64, 2), make([]float64, 2)
		lp, err := eigen.NewEvaluator().LogDensityGrad(q, got)
		if err != nil {
			t.Fatal(err)
		}
		exact, err := solved.NewEvaluator().LogDensityGrad(q, want)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(lp-exact) > 1e-9 || math.Abs(got[0]-want[0]) > 1e-7 || math.Abs(got[1]-want[1]) > 1e-7 {
			t.Errorf("at %v: %v %v, by a linear system %v %v", q, lp, got, exact, want)
		}
	}
	dump, err := eigen.DumpGraph([]float64{0, 0})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(dump, "call eigenvectors_sym") || strings.Contains(dump, "call eigenvalues_sym") {
		t.Errorf("the matrix is decomposed again:\n%s", dump)
	}
}
