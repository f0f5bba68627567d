// This file holds vector forms and written derivatives of operations against those of single
// numbers.

package stdlib

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/mathfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

// vectorOps are the operations of functions that have a vector form.
func vectorOps() (list []*autodiff.Op) {
	seen := map[*autodiff.Op]bool{}
	for _, f := range mathfn.Functions() {
		if op := f.Op; op != nil && !seen[op] && (op.Vector != nil || op.Vector2 != nil) {
			list, seen[op] = append(list, op), true
		}
	}
	return list
}

// vectorPoints are n numbers of the kind that functions take: everyday ones of both signs,
// probabilities, and those of every size.
func vectorPoints(n int, r *rand.Rand, wild bool) []float64 {
	edges := []float64{0, 1, -1, 0.5, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, 1e300, -1e300, 1e-300}
	x := make([]float64, n)
	for i := range x {
		switch k := r.IntN(4); {
		case wild && k == 0:
			x[i] = edges[r.IntN(len(edges))]
		case wild && k == 1:
			x[i] = math.Exp(600 * r.NormFloat64())
		case k == 2:
			x[i] = r.Float64()
		default:
			x[i] = 3 * r.NormFloat64()
		}
	}
	return x
}

func sameNumber(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// TestVectorForms has the same bits in both forms, also in place and where one of two
// arguments is one number.
func TestVectorForms(t *testing.T) {
	r := testRand(41)
	for _, op := range vectorOps() {
		for _, n := range []int{1, 2, 3, 7, 64, 65, 300} {
			for _, wild := range []bool{false, true} {
				x, y := vectorPoints(n, r, wild), vectorPoints(n, r, wild)
				if op.Vector != nil {
					dst := append([]float64(nil), x...)
					op.Vector(dst, dst)
					for i, v := range x {
						if want := op.F1(v); !sameNumber(dst[i], want) {
							t.Fatalf("%s(%v) of %d is %v, alone %v", op.Name, v, n, dst[i], want)
						}
					}
					continue
				}
				if !wild {
					for i := range x { // shapes, and log_diff_exp in order
						x[i], y[i] = math.Abs(x[i])+2, math.Abs(y[i])
					}
				}
				for _, form := range [][2][]float64{{x, y}, {x[:1], y}, {x, y[:1]}} {
					compareVector2(t, op, n, form[0], form[1])
				}
			}
		}
	}
}

func compareVector2(t *testing.T, op *autodiff.Op, n int, x, y []float64) {
	t.Helper()
	dst, dx, dy := make([]float64, n), make([]float64, n), make([]float64, n)
	op.Vector2(dst, x, y)
	for i, v := range dst {
		if want := op.F2(transform.ArgAt(x, i), transform.ArgAt(y, i)); !sameNumber(v, want) {
			t.Fatalf("%s(%v, %v) of %d is %v, alone %v", op.Name, transform.ArgAt(x, i), transform.ArgAt(y, i), n, v, want)
		}
	}
	if op.Partials2 == nil {
		return
	}
	op.Partials2(dx, dy, x, y, dst)
	for i, f := range dst {
		a, b := op.D2(transform.ArgAt(x, i), transform.ArgAt(y, i), f)
		if !sameNumber(dx[i], a) || !sameNumber(dy[i], b) {
			t.Fatalf("%s at %v, %v of %d: derivatives %v and %v, alone %v and %v", op.Name, transform.ArgAt(x, i), transform.ArgAt(y, i), n, dx[i], dy[i], a, b)
		}
	}
}

// TestWrittenDerivatives compares derivatives as nodes with those of single numbers.
func TestWrittenDerivatives(t *testing.T) {
	r := testRand(42)
	for _, op := range vectorOps() {
		if op.Slope == nil && op.Slopes == nil {
			continue
		}
		for range 300 {
			x := []float64{3 * r.NormFloat64(), 3 * r.NormFloat64()}
			switch op.Name {
			case "inv_Phi", "std_normal_qf":
				x[0] = r.Float64()
			case "log1m_exp":
				x[0] = -math.Abs(x[0])
			case "log_diff_exp":
				x[0] = x[1] + math.Abs(x[0])
			case "pow", "lgamma":
				x[0] = math.Abs(x[0])
			}
			compareWritten(t, op, x[:op.Arity()])
		}
	}
}

func compareWritten(t *testing.T, op *autodiff.Op, x []float64) {
	t.Helper()
	g := autodiff.NewGraph(len(x))
	in := make([]autodiff.Node, len(x))
	for i := range x {
		in[i] = g.Elem(g.Input(), i)
	}
	m := autodiff.Compile(g, []autodiff.Node{autodiff.Gradient(g, g.Map(op, 1, in...))}, nil).NewMachine()
	if err := m.Run(x); err != nil {
		t.Fatal(err)
	}
	want := make([]float64, len(x))
	if len(x) == 1 {
		want[0] = op.D1(x[0], op.F1(x[0]))
	} else {
		want[0], want[1] = op.D2(x[0], x[1], op.F2(x[0], x[1]))
	}
	for i, w := range want {
		// The factor 3 is for the inexact argument of an exponential.
		if got := m.Root(0)[i]; math.Abs(got-w) > 3e-15*(1+math.Abs(math.Log(math.Abs(w))))*math.Abs(w) {
			t.Errorf("%s at %v: derivative %v is %v, want %v", op.Name, x, i, got, w)
		}
	}
}
