// The algebraic solvers against systems with known roots.

package solve

import (
	"math"
	"testing"
)

// equations is a system with a Jacobian by hand.
type equations struct {
	n   int
	f   func(x []float64) []float64
	jac func(x []float64) [][]float64
}

func (e equations) Values(x, f []float64) error {
	copy(f, e.f(x))
	return nil
}

func (e equations) Jacobian(x, f []float64) ([][]float64, error) {
	copy(f, e.f(x))
	return e.jac(x), nil
}

var (
	// Rosenbrock's function as a system; J. J. More et al., ACM TOMS 7 (1981), problem 1.
	rosenbrock = equations{2,
		func(x []float64) []float64 { return []float64{10 * (x[1] - x[0]*x[0]), 1 - x[0]} },
		func(x []float64) [][]float64 { return [][]float64{{-20 * x[0], 10}, {-1, 0}} }}
	// Problem 7 of the same collection, the helical valley.
	helix = equations{3,
		func(x []float64) []float64 {
			angle := math.Atan(x[1]/x[0]) / (2 * math.Pi)
			if x[0] < 0 {
				angle += 0.5
			}
			return []float64{10 * (x[2] - 10*angle), 10 * (math.Hypot(x[0], x[1]) - 1), x[2]}
		},
		func(x []float64) [][]float64 {
			r2 := x[0]*x[0] + x[1]*x[1]
			r, c := math.Sqrt(r2), 100/(2*math.Pi*r2)
			return [][]float64{{c * x[1], -c * x[0], 10}, {10 * x[0] / r, 10 * x[1] / r, 0}, {0, 0, 1}}
		}}
	// An example of the steady state of a pharmacokinetic model has this shape: a
	// badly scaled linear system.
	scaled = equations{2,
		func(x []float64) []float64 { return []float64{1e8*x[0] - 3e8, 1e-3*x[1] - 2 + 1e-4*x[0]} },
		func(x []float64) [][]float64 { return [][]float64{{1e8, 0}, {1e-4, 1e-3}} }}
)

func TestRoots(t *testing.T) {
	for _, c := range []struct {
		name        string
		eq          equations
		start, root []float64
	}{
		{"Rosenbrock", rosenbrock, []float64{-1.2, 1}, []float64{1, 1}},
		{"helix", helix, []float64{-1, 0, 0}, []float64{1, 0, 0}},
		{"scaled", scaled, []float64{0, 0}, []float64{3, 1999.7}},
	} {
		r := NewRootFinder(c.eq, c.eq.n)
		newton := append([]float64(nil), c.start...)
		if err := r.Newton(newton, 1e-3, 1e-6, 200); err != nil {
			t.Errorf("%s by Newton: %v", c.name, err)
		}
		powell := append([]float64(nil), c.start...)
		if err := r.Powell(powell, 1e-10, 1e-6, 200); err != nil {
			t.Errorf("%s by Powell: %v", c.name, err)
		}
		for i, want := range c.root {
			if math.Abs(newton[i]-want) > 1e-9*(1+want) || math.Abs(powell[i]-want) > 1e-9*(1+want) {
				t.Errorf("%s: root %v by Newton, %v by Powell, want %v", c.name, newton, powell, c.root)
			}
		}
	}
}

// TestNoRoot asks for an error where there is none.
func TestNoRoot(t *testing.T) {
	eq := equations{1, func(x []float64) []float64 { return []float64{x[0]*x[0] + 1} },
		func(x []float64) [][]float64 { return [][]float64{{2 * x[0]}} }}
	r := NewRootFinder(eq, 1)
	for name, f := range map[string]func(x []float64) error{
		"Newton": func(x []float64) error { return r.Newton(x, 1e-3, 1e-6, 200) },
		"Powell": func(x []float64) error { return r.Powell(x, 1e-10, 1e-6, 200) },
	} {
		if e, ok := f([]float64{1}).(*Error); !ok || !e.Recoverable() {
			t.Errorf("%s: error %v where there is no root", name, e)
		}
	}
	if err := NewRootFinder(rosenbrock, 2).Newton([]float64{-1.2, 1}, 1e-3, 1e-6, 2); err == nil {
		t.Error("no error after two steps")
	}
}
