// The solvers of initial value problems against closed forms and the reference solver.

package solve

import (
	"fmt"
	"math"
	"testing"
)

// A model is an initial value problem with its derivatives written by hand.
type model struct {
	name string
	f    func(t float64, y, p []float64) []float64
	// jac returns df/dy and df/dp, row by row: n + len(p) numbers each.
	jac func(t float64, y, p []float64) [][]float64
	t0  float64
	y0  []float64
	p   []float64
	ts  []float64
	// abs is the absolute tolerance per relative tolerance
	abs []float64
}

// system is a model at work.
type system struct {
	*model
	p []float64
}

func (s system) Rate(t float64, y, dy []float64) error {
	copy(dy, s.f(t, y, s.p))
	return nil
}

func (s system) Gradients(t float64, y, dy []float64) ([][]float64, error) {
	copy(dy, s.f(t, y, s.p))
	return s.jac(t, y, s.p), nil
}

var lotkaVolterra = &model{
	name: "Lotka-Volterra",
	f: func(_ float64, y, p []float64) []float64 {
		return []float64{(p[0] - p[1]*y[1]) * y[0], (p[3]*y[0] - p[2]) * y[1]}
	},
	jac: func(_ float64, y, p []float64) [][]float64 {
		return [][]float64{{p[0] - p[1]*y[1], -p[1] * y[0], y[0], -y[1] * y[0], 0, 0},
			{p[3] * y[1], p[3]*y[0] - p[2], 0, 0, -y[1], y[0] * y[1]}}
	},
	y0: []float64{30, 4}, p: []float64{0.55, 0.028, 0.84, 0.026}, ts: []float64{0.5, 1, 2, 5, 10, 20},
}

var sir = &model{
	name: "SIR",
	f: func(_ float64, y, p []float64) []float64 {
		i := p[0] * y[0] * y[1] / 763
		return []float64{-i, i - p[1]*y[1], p[1] * y[1]}
	},
	jac: func(_ float64, y, p []float64) [][]float64 {
		s, i := p[0]*y[1]/763, p[0]*y[0]/763
		return [][]float64{{-s, -i, 0, -y[0] * y[1] / 763, 0},
			{s, i - p[1], 0, y[0] * y[1] / 763, -y[1]},
			{0, p[1], 0, 0, y[1]}}
	},
	y0: []float64{762, 1, 0}, p: []float64{1.7, 0.5}, ts: []float64{1, 2, 3, 5, 8, 14},
}

// One compartment with first-order absorption: y' = (-ka y1, ka y1 - k y2).
var compartment = &model{
	name: "one compartment",
	f: func(_ float64, y, p []float64) []float64 {
		return []float64{-p[0] * y[0], p[0]*y[0] - p[1]*y[1]}
	},
	jac: func(_ float64, y, p []float64) [][]float64 {
		return [][]float64{{-p[0], 0, -y[0], 0}, {p[0], -p[1], y[0], -y[1]}}
	},
	y0: []float64{100, 0}, p: []float64{1.2, 0.15}, ts: []float64{0.25, 0.5, 1, 2, 4, 8, 12, 24},
}

var robertson = &model{
	name: "Robertson",
	f: func(_ float64, y, p []float64) []float64 {
		a, b := -p[0]*y[0]+p[1]*y[1]*y[2], p[2]*y[1]*y[1]
		return []float64{a, -a - b, b}
	},
	jac: func(_ float64, y, p []float64) [][]float64 {
		b, c := p[1]*y[2], p[1]*y[1]
		d := 2 * p[2] * y[1]
		return [][]float64{{-p[0], b, c, -y[0], y[1] * y[2], 0},
			{p[0], -b - d, -c, y[0], -y[1] * y[2], -y[1] * y[1]},
			{0, d, 0, 0, 0, y[1] * y[1]}}
	},
	y0: []float64{1, 0, 0}, p: []float64{0.04, 1e4, 3e7}, ts: []float64{0.4, 4, 40, 400, 4000, 4e4, 1e5},
	abs: []float64{1e-2, 1e-6, 1e-2}, // the second state is about 1e-5
}

var vanDerPol = &model{
	name: "Van der Pol",
	f: func(_ float64, y, p []float64) []float64 {
		return []float64{y[1], p[0]*(1-y[0]*y[0])*y[1] - y[0]}
	},
	jac: func(_ float64, y, p []float64) [][]float64 {
		return [][]float64{{0, 1, 0}, {-2*p[0]*y[0]*y[1] - 1, p[0] * (1 - y[0]*y[0]), (1 - y[0]*y[0]) * y[1]}}
	},
	y0: []float64{2, 0}, p: []float64{1000}, ts: []float64{1, 100, 400, 600, 1000, 1200, 1400},
	abs: []float64{1, 1e-3}, // the velocity is about 1e-3 between the jumps
}

// tolerance returns the model's tolerance at a relative tolerance.
func (m *model) tolerance(rel float64) Tolerance {
	abs := []float64{rel}
	if m.abs != nil {
		abs = make([]float64, len(m.abs))
		for i, a := range m.abs {
			abs[i] = rel * a
		}
	}
	return Tolerance{Rel: rel, Abs: abs, MaxSteps: 1000000}
}

// collect is a Sink that keeps what it gets.
type collect [][]float64

func (c *collect) At(_ int, y []float64) error {
	*c = append(*c, append([]float64(nil), y...))
	return nil
}

// solution solves a model; with sensitivities those with respect to the initial state
// come first.
func (m *model) solution(t *testing.T, method Method, tol Tolerance, p []float64, sens bool) [][]float64 {
	t.Helper()
	n := len(m.y0)
	size := Size{States: n}
	if sens {
		size.Free, size.Params = n, len(p)
	}
	y := make([]float64, size.Len())
	copy(y, m.y0)
	if sens {
		for i := range n {
			y[n+i*(n+len(p))+i] = 1
		}
	}
	var out collect
	if err := NewIntegrator(method, system{m, p}, size, tol).Integrate(m.t0, y, m.ts, &out); err != nil {
		t.Fatalf("%s: %v", m.name, err)
	}
	return out
}

// reference solves a model with the reference solver.
func (m *model) reference(t *testing.T) [][]float64 {
	r := newRadau(m.t0, m.y0, 1e-12, func(t float64, y []float64) []float64 { return m.f(t, y, m.p) },
		func(t float64, y []float64) []float64 {
			var out []float64
			for _, row := range m.jac(t, y, m.p) {
				out = append(out, row[:len(y)]...)
			}
			return out
		})
	var out [][]float64
	for _, s := range m.ts {
		out = append(out, r.to(t, s))
	}
	return out
}

// deviation is the greatest error in units of the tolerance.
func deviation(got, want [][]float64, tol Tolerance) float64 {
	worst := 0.0
	for i, y := range want {
		for j, v := range y {
			worst = math.Max(worst, math.Abs(got[i][j]-v)/(tol.Rel*math.Abs(v)+tol.abs(j)))
		}
	}
	return worst
}

var methods = []struct {
	name   string
	method Method
	stiff  bool
}{{"rk45", DormandPrince, false}, {"ckrk", CashKarp, false}, {"bdf", BDF, true}, {"adams", Adams, false}}

// TestAccuracy asks for solutions within 100 times the tolerance, and that a tighter
// tolerance returns a smaller error.
func TestAccuracy(t *testing.T) {
	for _, m := range []*model{lotkaVolterra, sir, compartment, robertson, vanDerPol} {
		want := m.reference(t)
		for _, method := range methods {
			stiff := m == robertson || m == vanDerPol
			if stiff && !method.stiff {
				continue
			}
			t.Run(fmt.Sprintf("%s %s", m.name, method.name), func(t *testing.T) {
				before := math.Inf(1)
				for _, rel := range []float64{1e-4, 1e-6, 1e-8, 1e-10} {
					tol := m.tolerance(rel)
					d := deviation(m.solution(t, method.method, tol, m.p, false), want, tol)
					t.Logf("tolerance %g: error %.3g tolerances", rel, d)
					if !(d <= 100) {
						t.Errorf("tolerance %g: error %g tolerances", rel, d)
					}
					if !(d*rel < before) {
						t.Errorf("tolerance %g: the error %g is not smaller than %g", rel, d*rel, before)
					}
					before = d * rel
				}
			})
		}
	}
}

// TestDenseOutput asks for many times between steps.
func TestDenseOutput(t *testing.T) {
	m := *lotkaVolterra
	m.ts = nil
	for i := range 400 {
		m.ts = append(m.ts, 0.05*float64(i+1))
	}
	want := m.reference(t)
	for _, method := range methods {
		tol := m.tolerance(1e-7)
		if d := deviation(m.solution(t, method.method, tol, m.p, false), want, tol); !(d <= 100) {
			t.Errorf("%s: error %g tolerances", method.name, d)
		}
	}
}

// TestReferenceSolver holds the reference against a closed form.
func TestReferenceSolver(t *testing.T) {
	for i, y := range compartment.reference(t) {
		s, ka, k := compartment.ts[i], 1.2, 0.15
		want := []float64{100 * math.Exp(-ka*s), 100 * ka / (ka - k) * (math.Exp(-k*s) - math.Exp(-ka*s))}
		for j, w := range want {
			if math.Abs(y[j]-w) > 1e-11*(1+w) {
				t.Errorf("at %g: y%d is %v, want %v", s, j+1, y[j], w)
			}
		}
	}
}

// TestJumps integrates rates that jump: dy/dt = k(t) - y with k = 0, 1, 0, 1, ...
// changing at every unit of time, as doses do.
func TestJumps(t *testing.T) {
	k := func(t float64) float64 { return math.Mod(math.Floor(t), 2) }
	m := &model{
		f:   func(t float64, y, _ []float64) []float64 { return []float64{k(t) - y[0]} },
		jac: func(float64, []float64, []float64) [][]float64 { return [][]float64{{-1}} },
		y0:  []float64{1},
		ts:  []float64{0.7, 1.3, 4.9, 20.5},
	}
	for _, method := range methods {
		tol := Tolerance{Rel: 1e-10, Abs: []float64{1e-10}, MaxSteps: 100000}
		got := m.solution(t, method.method, tol, nil, false)
		y, at := 1.0, 0.0
		for i, s := range m.ts {
			for at < s {
				next := math.Min(s, math.Floor(at)+1)
				y = k(at) + (y-k(at))*math.Exp(at-next)
				at = next
			}
			if !(math.Abs(got[i][0]-y) < 1e-7) {
				t.Errorf("%s at %g: %v, want %v", method.name, s, got[i][0], y)
			}
		}
	}
}
