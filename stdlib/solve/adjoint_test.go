// Adjoint sensitivities against forward ones.

package solve

import (
	"math"
	"testing"
)

func TestAdjoint(t *testing.T) {
	for _, m := range []*model{lotkaVolterra, sir, compartment, robertson} {
		n, k := len(m.y0), len(m.p)
		forward := m.solution(t, BDF, m.tolerance(1e-10), m.p, true)
		// the derivatives of a function of the solution, any will do
		adj := make([]float64, n*len(m.ts))
		for i := range adj {
			adj[i] = math.Sin(float64(i + 1))
		}
		want := make([]float64, n+k)
		for i := range m.ts {
			for j := range n {
				for c := range want {
					want[c] += adj[i*n+j] * forward[i][n+j*(n+k)+c]
				}
			}
		}
		for _, method := range []Method{BDF, Adams} {
			if m == robertson && method == Adams {
				continue
			}
			tol := Tolerance{Rel: 1e-9, Abs: []float64{1e-10}, MaxSteps: 100000}
			back := Backward{method, tol, tol}
			a := NewAdjointIntegrator(method, system{m, m.p}, Size{States: n, Params: k}, m.tolerance(1e-10), back)
			var out collect
			if err := a.Integrate(m.t0, m.y0, m.ts, &out); err != nil {
				t.Fatal(err)
			}
			got := make([]float64, n+k)
			if err := a.Gradient(m.t0, m.ts, adj, got[:n], got[n:]); err != nil {
				t.Fatal(err)
			}
			for c, w := range want {
				if !(math.Abs(got[c]-w) <= 1e-5*math.Abs(w)+1e-7) {
					t.Errorf("%s: derivative %d is %g, forward sensitivities give %g", m.name, c, got[c], w)
				}
			}
		}
	}
}
