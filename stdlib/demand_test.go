// What expansions show of calls that are rejected, and functions that never are.

package stdlib

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/lowering"
)

// Each demand holds of the expansion: with one argument outside of its interval and the others
// inside, the value is what the demand says or worse; with NaN it is NaN.
func TestExpansionsShowRejections(t *testing.T) {
	lib := New()
	tables := []struct {
		name  string
		table map[string]lowering.Expander
		full  bool
	}{{"short", lowering.Expansions, false}, {"full", lowering.FullExpansions, true}, {"each", lowering.EachExpansions, false}, {"count", lowering.CountExpansions, false},
		{"formula", formulaExpanders(), false}}
	for _, tab := range tables {
		for name, expand := range tab.table {
			fn := lib.Function(name)
			if fn == nil || fn.Density == nil || fn.Density.Rows != nil {
				continue
			}
			if tab.name == "each" {
				fn = lowering.PerElement(fn)
			}
			n := len(law(fn).Requires)
			list := Demands(fn, n, tab.full)
			if list == nil { // of several arguments together: the call is made again
				continue
			}
			if !subset.Has(name+tab.name, 2) {
				continue
			}
			if err := showsAll(fn, expand, list); err != nil {
				t.Errorf("%s (%s): %v", name, tab.name, err)
			}
		}
	}
}

func formulaExpanders() map[string]lowering.Expander {
	out := map[string]lowering.Expander{}
	for name, f := range lowering.DensityFormulas {
		out[name] = f.ByElement
	}
	return out
}

// trials are numbers of which arguments are made.
var trials = []float64{math.NaN(), math.Inf(-1), math.Inf(1), 0, -1, -0.7, 2, 3, 0.5, 1}

// showsAll goes through all combinations of trials of which one is not what is demanded.
func showsAll(fn *catalogue.Function, expand lowering.Expander, list []Demand) error {
	x := make([]float64, len(list))
	var visit func(k int) error
	visit = func(k int) error {
		if k == len(x) {
			return shows(fn, expand, list, x)
		}
		for _, v := range trials {
			x[k] = v
			if err := visit(k + 1); err != nil {
				return err
			}
		}
		return nil
	}
	return visit(0)
}

func shows(fn *catalogue.Function, expand lowering.Expander, list []Demand, x []float64) error {
	bad := -1
	for j, v := range x {
		if !(v >= list[j].Low && v <= list[j].High) {
			if bad >= 0 {
				return nil
			}
			bad = j
		}
	}
	if bad < 0 {
		return nil
	}
	for j, a := range catalogue.ParseArgs(law(fn).Args) { // integers are known, and looked at, when a call is recorded
		if strings.HasPrefix(a.Type, "int") && (j == bad || x[j] != math.Trunc(x[j])) {
			return nil
		}
	}
	want := IsNaN
	switch {
	case x[bad] < list[bad].Low:
		want = list[bad].Below
	case x[bad] > list[bad].High:
		want = list[bad].Above
	}
	y, ok := expanded(fn, expand, x, bad)
	switch {
	case !ok || want == Unseen:
	case want == IsNaN && !math.IsNaN(y), want == NotFinite && y-y == 0:
		return fmt.Errorf("%v at %v, argument %d of which is not in [%g, %g]", y, x, bad, list[bad].Low, list[bad].High)
	}
	return nil
}

// expanded is the value of an expansion in which one argument is a parameter, or all are; false
// where there is none.
func expanded(fn *catalogue.Function, expand lowering.Expander, x []float64, moving int) (y float64, ok bool) {
	for _, all := range []bool{true, false} {
		g := autodiff.NewGraph(len(x))
		in := make([]lowering.Operand, len(x))
		for i := range x {
			in[i] = lowering.Operand{Tensor: catalogue.Tensor{X: x[i : i+1]}, Node: g.Elem(g.Input(), i), Active: true}
			if i != moving && !all || i == 0 && law(fn).Discrete {
				in[i].Node, in[i].Active = g.Scalar(x[i]), false
			}
		}
		node, ok := expand(g, 1, in)
		if !ok {
			continue
		}
		m := autodiff.Compile(g, []autodiff.Node{node}, nil).NewMachine()
		if m.Run(x) == nil {
			return m.Root(0)[0], true
		}
	}
	return 0, false
}

func TestInfallibleFunctions(t *testing.T) {
	lib, r := New(), rand.New(rand.NewPCG(1, 2))
	for _, name := range infallible {
		if lib.Function(name) == nil {
			t.Errorf("there is no %s", name)
		}
		for _, s := range lib.Signatures(name) {
			fn := lib.Row(s)
			if fn.Kernel == nil || CanReject(fn) {
				continue
			}
			for range 60 {
				if err := tryAny(fn, s, r); err != nil {
					t.Errorf("%s: %v", name, err)
					break
				}
			}
		}
	}
}

// tryAny calls a function with any numbers, if it takes arguments of two elements.
func tryAny(fn *catalogue.Function, s *types.Signature, r *rand.Rand) error {
	in := make([]catalogue.Tensor, len(s.Params))
	for i, p := range s.Params {
		in[i] = anyTensor(p.Type, r)
	}
	dims, err := fn.Kernel.Dims(in)
	if err != nil {
		return nil
	}
	size := 2
	for _, d := range dims {
		size *= d
	}
	var work []float64
	if fn.Kernel.Work != nil {
		work = make([]float64, fn.Kernel.Work(in))
	}
	return fn.Kernel.Value(in, make([]float64, size), work)
}

func anyTensor(typ types.Type, r *rand.Rand) catalogue.Tensor {
	t := catalogue.Tensor{Rank: catalogue.Rank{Array: typ.Dims, Row: typ.Base == types.RowVectorBase}, Dims: slices.Repeat([]int{2}, typ.Dims)}
	name := fmt.Sprint(typ)
	switch {
	case strings.Contains(name, "vector"):
		t.Dims = append(t.Dims, 2)
	case strings.Contains(name, "matrix"):
		t.Dims = append(t.Dims, 2, 2)
	}
	n := 1
	if typ.Base.IsComplex() {
		n = 2
	}
	for _, d := range t.Dims {
		n *= d
	}
	for range n {
		v := trials[r.IntN(len(trials))]
		switch {
		case typ.Base == types.IntBase:
			v = float64(r.IntN(3))
		case r.IntN(2) == 0:
			v = r.NormFloat64() * 1e200
		}
		t.X = append(t.X, v)
	}
	return t
}

// Operations that are said to be NaN where their arguments are not valid are, and so are their
// expansions.
func TestOperationsShowRejections(t *testing.T) {
	lib := New()
	for _, name := range []string{"log1m", "log1p", "log_mix", "Phi", "acosh", "atanh"} {
		fn := lib.Function(name)
		if fn == nil || fn.Op == nil || fn.Valid == nil || SignOf(fn) != IsNaN {
			t.Fatalf("%s: no operation that is said to show what is not valid", name)
		}
		n := fn.Op.Arity()
		for c := range int(math.Pow(float64(len(trials)), float64(n))) {
			x := make([]float64, n)
			for i := range x {
				x[i] = trials[c%len(trials)]
				c /= len(trials)
			}
			if fn.Valid(x) == nil {
				continue
			}
			g := autodiff.NewGraph(n)
			in, nodes := make([]lowering.Operand, n), make([]autodiff.Node, n)
			for i := range x {
				nodes[i] = g.Elem(g.Input(), i)
				in[i] = lowering.Operand{Tensor: catalogue.Tensor{X: x[i : i+1]}, Node: nodes[i], Active: true}
			}
			roots := []autodiff.Node{g.Map(fn.Op, 1, nodes...)}
			if e := Lowering(name, ForEvaluation); e != nil {
				if y, ok := e(g, 1, in); ok {
					roots = append(roots, y)
				}
			}
			m := autodiff.Compile(g, roots, nil).NewMachine()
			if err := m.Run(x); err != nil {
				t.Fatal(err)
			}
			for k := range roots {
				if y := m.Root(k)[0]; !math.IsNaN(y) {
					t.Errorf("%s at %v is %v", name, x, y)
				}
			}
		}
	}
}

// Beside the one demand that NaNExcept gives, expansions of normal vectors are NaN where the call
// is rejected; where the demand is not met, they are as it says.
func TestNormalVectorsShowRejections(t *testing.T) {
	lib, r := New(), rand.New(rand.NewPCG(5, 6))
	for _, name := range []string{"multi_normal_lpdf", "multi_normal_cholesky_lpdf"} {
		fn := lib.Function(name)
		arg, demand, ok := NaNExcept(fn, false)
		if !ok {
			t.Fatalf("%s: no demand", name)
		}
		rejected := 0
		for range 4_000 {
			in := []catalogue.Tensor{{Dims: []int{2}}, {Dims: []int{2}}, {Dims: []int{2, 2}}}
			for i, n := range []int{2, 2, 4} {
				in[i].X = make([]float64, n)
				for j := range in[i].X {
					in[i].X[j] = trials[len(trials)-1-r.IntN(4)]
					if r.IntN(6) == 0 {
						in[i].X[j] = trials[r.IntN(len(trials))]
					}
				}
			}
			if r.IntN(2) == 0 {
				in[2].X[2] = in[2].X[1]
			}
			if fn.Kernel.Value(in, make([]float64, 1), make([]float64, fn.Kernel.Work(in))) == nil {
				continue
			}
			rejected++
			y := expandedVectors(t, name, in)
			met := !slices.ContainsFunc(in[arg].X, func(v float64) bool { return v < demand.Low || v > demand.High })
			if met && !math.IsNaN(y) || y-y == 0 {
				t.Fatalf("%s of %v is rejected, and its expansion is %v", name, in, y)
			}
		}
		if rejected < 500 {
			t.Errorf("%s: only %d calls are rejected", name, rejected)
		}
	}
}

// expandedVectors is the value of an expansion of which all arguments are parameters.
func expandedVectors(t *testing.T, name string, in []catalogue.Tensor) float64 {
	t.Helper()
	var x []float64
	for _, a := range in {
		x = append(x, a.X...)
	}
	g := autodiff.NewGraph(len(x))
	operands, from := make([]lowering.Operand, len(in)), 0
	for i, a := range in {
		operands[i] = lowering.Operand{Tensor: a, Node: g.View(g.Input(), from, len(a.X)), Active: true}
		from += len(a.X)
	}
	node, ok := Lowering(name, ForEvaluation)(g, 1, operands)
	if !ok {
		t.Fatalf("%s has no expansion", name)
	}
	m := autodiff.Compile(g, []autodiff.Node{node}, nil).NewMachine()
	if err := m.Run(x); err != nil {
		t.Fatal(err)
	}
	return m.Root(0)[0]
}
