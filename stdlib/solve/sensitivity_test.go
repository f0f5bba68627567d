// Forward sensitivities against differences of solutions, and the memory of solvers.

package solve

import (
	"math"
	"testing"
)

// differences returns the derivatives of the solution with respect to the initial state
// and the parameters by central differences of solutions at a tight tolerance.
func (m *model) differences(t *testing.T, method Method) [][]float64 {
	tol := m.tolerance(1e-11)
	n, k := len(m.y0), len(m.p)
	out := make([][]float64, len(m.ts))
	for i := range out {
		out[i] = make([]float64, n*(n+k))
	}
	for c := range n + k {
		var at [2][][]float64
		size := 0.0
		for side, sign := range []float64{1, -1} {
			moved := *m
			moved.y0, moved.p = append([]float64(nil), m.y0...), append([]float64(nil), m.p...)
			x := &moved.p[max(0, c-n)]
			if c < n {
				x = &moved.y0[c]
			}
			size = 1e-4 * math.Max(math.Abs(*x), 1e-2)
			*x += sign * size
			at[side] = moved.solution(t, method, tol, moved.p, false)
		}
		for i := range out {
			for j := range n {
				out[i][j*(n+k)+c] = (at[0][i][j] - at[1][i][j]) / (2 * size)
			}
		}
	}
	return out
}

func TestSensitivities(t *testing.T) {
	for _, m := range []*model{lotkaVolterra, sir, compartment, robertson} {
		n := len(m.y0)
		for _, method := range methods {
			if m == robertson && !method.stiff {
				continue
			}
			oracle := DormandPrince
			if m == robertson {
				oracle = BDF
			}
			want := m.differences(t, oracle)
			got := m.solution(t, method.method, m.tolerance(1e-9), m.p, true)
			for i := range want {
				for k, w := range want[i] {
					c := k % (n + len(m.p))
					scale := 0.0 // of the column
					for j := range n {
						scale = math.Max(scale, math.Abs(want[i][j*(n+len(m.p))+c]))
					}
					if g := got[i][n+k]; !(math.Abs(g-w) <= 1e-5*scale+1e-9) {
						t.Errorf("%s by %s at %g: sensitivity %d is %g, differences %g", m.name, method.name, m.ts[i], k, g, w)
					}
				}
			}
		}
	}
}

// TestEquilibrium starts at a fixed point of a stable system, where the states do not
// move but their sensitivities do: they must be part of the error control.
func TestEquilibrium(t *testing.T) {
	// dy/dt = p0 - p1*y at y = p0/p1
	turnover := &model{
		name: "turnover",
		f:    func(_ float64, y, p []float64) []float64 { return []float64{p[0] - p[1]*y[0]} },
		jac:  func(_ float64, y, p []float64) [][]float64 { return [][]float64{{-p[1], 1, -y[0]}} },
		y0:   []float64{2}, p: []float64{10, 5}, ts: []float64{0.1, 1, 100},
	}
	for _, method := range methods {
		got := turnover.solution(t, method.method, turnover.tolerance(1e-8), turnover.p, true)
		for i, s := range turnover.ts {
			decay := math.Exp(-5 * s)
			for k, want := range []float64{2, decay, (1 - decay) / 5, -2 * (1 - decay) / 5} {
				if math.Abs(got[i][k]-want) > 1e-5 {
					t.Errorf("%s at %g: number %d is %g, want %g", method.name, s, k, got[i][k], want)
				}
			}
		}
	}
}

// quiet is a system without allocations and a Sink.
type quiet struct{ rows [][]float64 }

func (q *quiet) Rate(_ float64, y, dy []float64) error {
	dy[0], dy[1] = y[1], -2*y[0]-0.5*y[1]
	return nil
}

func (q *quiet) Gradients(t float64, y, dy []float64) ([][]float64, error) {
	q.rows[0][1], q.rows[1][0], q.rows[1][1], q.rows[1][2] = 1, -2, -0.5, -y[0]
	return q.rows, q.Rate(t, y, dy)
}

func (q *quiet) At(int, []float64) error { return nil }

func TestNoAllocations(t *testing.T) {
	q := &quiet{rows: [][]float64{make([]float64, 3), make([]float64, 3)}}
	size := Size{States: 2, Free: 2, Params: 1}
	ts := []float64{1, 2, 5}
	for _, method := range methods {
		s := NewIntegrator(method.method, q, size, Tolerance{Rel: 1e-6, Abs: []float64{1e-6}, MaxSteps: 1e6})
		y := make([]float64, size.Len())
		y[0], y[2], y[6] = 1, 1, 1
		run := func() {
			if err := s.Integrate(0, y, ts, q); err != nil {
				t.Fatal(err)
			}
		}
		if n := testing.AllocsPerRun(20, run); n != 0 {
			t.Errorf("%s: %v allocations", method.name, n)
		}
	}
}

func TestStepLimit(t *testing.T) {
	for _, method := range methods {
		tol := Tolerance{Rel: 1e-8, Abs: []float64{1e-8}, MaxSteps: 5}
		err := NewIntegrator(method.method, system{lotkaVolterra, lotkaVolterra.p}, Size{States: 2}, tol).
			Integrate(0, lotkaVolterra.y0, lotkaVolterra.ts, new(collect))
		if e, ok := err.(*Error); !ok || !e.Recoverable() {
			t.Errorf("%s: error %v after 5 steps", method.name, err)
		}
	}
}
