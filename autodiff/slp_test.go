// Packed graphs against the ones they came from.

package autodiff

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/grad"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
)

// A randomRow says what is done for each row of some data: operations on numbers of the row,
// on numbers for all rows, and on results of the row.
type randomRow struct {
	ops  []*graph.Op
	args [][]rowArgument
}

type rowArgument struct {
	from rowOrigin
	k    int
}

type rowOrigin int

const (
	rowResult rowOrigin = iota // of operation k of the row
	rowBefore                  // of operation k of the row before
	rowData                    // a constant of the row, seldom that of another one
	rowNumber                  // a constant
	rowShared                  // element k of the input
	rowOwn                     // element of the input of the row's number
	rowAny                     // any element of the input
)

// rowOrigins are drawn from; what must be gathered is rare.
var rowOrigins = []rowOrigin{rowResult, rowBefore, rowData, rowData, rowNumber, rowShared, rowShared, rowOwn, rowAny}

func newRandomRow(r *rand.Rand, size, dim int, recurs bool) *randomRow {
	row := &randomRow{}
	for i := range size {
		op := []*graph.Op{graph.Add, graph.Sub, graph.Mul, graph.Shift, graph.Neg, graph.Square, graph.Exp, graph.Log1pExp, graph.InvLogit, sin, graph.Inv}[r.IntN(11)]
		args := make([]rowArgument, op.Arity())
		for j := range args {
			a := rowArgument{rowOrigins[r.IntN(len(rowOrigins))], r.IntN(dim)}
			if a.from == rowBefore && !recurs || i > 0 && (j == 0 || r.IntN(2) == 0) {
				a.from = rowResult
			}
			if a.from == rowResult || a.from == rowBefore {
				a.k = max(0, i-1-r.IntN(3)*r.IntN(2))
			}
			if i == 0 && j == 0 || i == 0 && a.from <= rowBefore {
				a.from = rowData // so that rows differ
			}
			args[j] = a
		}
		row.ops, row.args = append(row.ops, op), append(row.args, args)
	}
	return row
}

// graph applies the row n times, and returns a number made of all results.
func (row *randomRow) graph(r *rand.Rand, dim, n int) (*graph.Graph, graph.Node) {
	g := graph.NewGraph(dim)
	before := make([]graph.Node, len(row.ops))
	for i := range before {
		before[i] = g.Scalar(0.5)
	}
	var refs []graph.Ref
	out := g.Scalar(0)
	data := cycled(5)
	for t := range n {
		at := make([]graph.Node, len(row.ops))
		y := r.NormFloat64()
		if r.IntN(9) == 0 {
			y = data[t%5]
		}
		for i, op := range row.ops {
			in := make([]graph.Node, op.Arity())
			for j, a := range row.args[i] {
				switch a.from {
				case rowResult:
					in[j] = at[a.k]
				case rowBefore:
					in[j] = before[a.k]
				case rowData:
					in[j] = g.Scalar(y)
				case rowNumber:
					in[j] = g.Scalar(0.7)
				case rowShared:
					in[j] = g.Elem(g.Input(), a.k)
				case rowOwn:
					in[j] = g.Elem(g.Input(), t%dim)
				default:
					in[j] = g.Elem(g.Input(), r.IntN(dim))
				}
			}
			at[i] = g.Map(graph.InvLogit, 1, g.Map(op, 1, in...))
		}
		before = at
		for i, x := range at {
			if i == len(at)-1 || r.IntN(50) == 0 {
				refs = append(refs, graph.Ref{Node: x})
			}
		}
		if t%37 == 0 {
			out = g.Map(graph.Add, 1, out, at[r.IntN(len(at))])
		}
	}
	v := g.Gather(refs)
	if r.IntN(2) == 0 {
		v = g.Map(graph.Square, len(refs), v)
	}
	return g, g.Map(graph.Add, 1, out, g.Sum(v))
}

func TestSLPIsEqual(t *testing.T) {
	packed := 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 11))
		dim := 1 + r.IntN(8)
		if r.IntN(3) == 0 {
			dim = 40 + r.IntN(100)
		}
		g, out := newRandomRow(r, 1+r.IntN(12), dim, seed%4 == 0).graph(r, dim, 20+r.IntN(300))
		h, to := opt.VectorizeSLP(g, []graph.Node{out})
		if h != g {
			packed++
		}
		q := make([]float64, dim)
		for i := range q {
			q[i] = r.NormFloat64()
		}
		a, b := opt.Compile(g, []graph.Node{out, grad.Gradient(g, out)}, nil), opt.Compile(h, []graph.Node{to(out), grad.Gradient(h, to(out))}, nil)
		ma, mb := a.NewMachine(), b.NewMachine()
		if ma.Run(q) != nil || mb.Run(q) != nil {
			t.Fatal("a run failed")
		}
		size := 1.0 // the summands are of this order
		for i := range 2 {
			for k, v := range ma.Root(i) {
				size = max(size, math.Abs(v))
				if w := mb.Root(i)[k]; math.Abs(v-w) > 1e-11*size {
					t.Fatalf("seed %d, root %d element %d: %v packed, %v as it was", seed, i, k, w, v)
				}
			}
		}
		compareWays(t, h, []graph.Node{to(out), grad.Gradient(h, to(out))}, q)
	}
	if packed < 150 {
		t.Errorf("only %d graphs were packed", packed)
	}
}

// mixture is the log density of a mixture of three normal distributions, unrolled.
func mixture(n int) (*graph.Graph, graph.Node) {
	g := graph.NewGraph(9)
	var refs []graph.Ref
	for t := range n {
		var terms []graph.Node
		for k := range 3 {
			mu, weight := g.Elem(g.Input(), k), g.Elem(g.Input(), 3+k)
			scale := g.Map(graph.Exp, 1, g.Elem(g.Input(), 6+k))
			z := g.Map(graph.Div, 1, g.Map(graph.Sub, 1, g.Scalar(math.Sin(float64(t))), mu), scale)
			d := g.Map(graph.Sub, 1, g.Map(graph.Mul, 1, g.Scalar(-0.5), g.Map(graph.Square, 1, z)), g.Map(graph.Log, 1, scale))
			terms = append(terms, g.Map(graph.Add, 1, weight, d))
		}
		top := g.Map(graph.Shift, 1, terms[0], g.Map(graph.Shift, 1, terms[1], terms[2]))
		sum := g.Scalar(0)
		for _, x := range terms {
			sum = g.Map(graph.Add, 1, sum, g.Map(graph.Exp, 1, g.Map(graph.Sub, 1, x, top)))
		}
		refs = append(refs, graph.Ref{Node: g.Map(graph.Add, 1, top, g.Map(graph.Log, 1, sum))})
	}
	return g, g.Sum(g.Gather(refs))
}

// The cost of a mixture is that of its rows, and the number of its instructions is not.
func TestSLPMixture(t *testing.T) {
	const few, many = 100, 300
	count := func(n int) codegen.Stats {
		g, out := mixture(n)
		h, to := opt.VectorizeSLP(g, []graph.Node{out})
		h.Interpret()
		return opt.Compile(h, []graph.Node{to(out), grad.Gradient(h, to(out))}, nil).Stats()
	}
	a, b := count(few), count(many)
	if a.Instructions != b.Instructions || a.Instructions > 150 {
		t.Errorf("%d instructions for %d rows, %d for %d", a.Instructions, few, b.Instructions, many)
	}
	if per := float64(b.Operations-a.Operations) / (many - few); per > 75 {
		t.Errorf("%g operations a row", per)
	}
}

// Where a number of a group does not count, it must not matter: here it is infinite.
func TestSLPLeavesOthersOut(t *testing.T) {
	g := graph.NewGraph(1)
	x := g.Elem(g.Input(), 0)
	var refs []graph.Ref
	all := g.Scalar(0)
	for i := range 64 {
		y := g.Map(graph.Inv, 1, g.Map(graph.Square, 1, g.Map(graph.Sub, 1, g.Scalar(float64(i)), x)))
		if i != 5 {
			refs = append(refs, graph.Ref{Node: y})
		}
		all = g.Map(graph.Add, 1, all, g.Map(graph.Inv, 1, y))
	}
	out := g.Map(graph.Add, 1, all, g.Sum(g.Gather(refs)))
	h, to := opt.VectorizeSLP(g, []graph.Node{out})
	m := opt.Compile(h, []graph.Node{to(out)}, nil).NewMachine()
	if err := m.Run([]float64{5}); err != nil || math.IsInf(m.Root(0)[0], 0) || math.IsNaN(m.Root(0)[0]) {
		t.Errorf("%v, %v: what is not in the sum matters", m.Root(0), err)
	}
}

// Operations on the same number that are not shared are one number, and what is made of them
// is, too.
func TestSLPUnshared(t *testing.T) {
	g := graph.NewGraph(41)
	if err := g.Disable("share"); err != nil {
		t.Fatal(err)
	}
	x := g.Elem(g.Input(), 0)
	var refs []graph.Ref
	for i := range 40 {
		scale := g.Map(graph.Exp, 1, g.Map(graph.InvLogit, 1, x))
		refs = append(refs, graph.Ref{Node: g.Map(graph.Log1p, 1, g.Map(graph.Mul, 1, scale, g.Map(graph.Exp, 1, g.Elem(g.Input(), 1+i))))})
	}
	out := g.Sum(g.Gather(refs))
	q := make([]float64, 41)
	want := make([]float64, 41) // the derivatives
	q[0] = 0.3
	p := 1 / (1 + math.Exp(-0.3))
	for i := range 40 {
		q[1+i] = math.Sin(float64(i))
		y := math.Exp(p + q[1+i])
		want[1+i] = y / (1 + y)
		want[0] += p * (1 - p) * want[1+i]
	}
	h, to := opt.VectorizeSLP(g, []graph.Node{out})
	if h == g {
		t.Fatal("nothing was packed")
	}
	m := opt.Compile(h, []graph.Node{to(out), grad.Gradient(h, to(out))}, nil).NewMachine()
	if err := m.Run(q); err != nil {
		t.Fatal(err)
	}
	for i, v := range m.Root(1) {
		if math.Abs(v-want[i]) > 1e-13*(1+math.Abs(want[i])) {
			t.Errorf("derivative %d is %v, want %v", i, v, want[i])
		}
	}
}

// Constants that differ in the sign of zero are not one number.
func TestSLPSignsOfZero(t *testing.T) {
	angle := &graph.Op{Name: "angle", F2: math.Atan2}
	g := graph.NewGraph(40)
	var refs []graph.Ref
	for i := range 40 {
		zero := g.Scalar(math.Copysign(0, float64(i%2)-0.5))
		refs = append(refs, graph.Ref{Node: g.Map(angle, 1, zero, g.Map(graph.Exp, 1, g.Elem(g.Input(), i)))})
	}
	out := g.Gather(refs)
	h, to := opt.VectorizeSLP(g, []graph.Node{out})
	if h == g {
		t.Fatal("nothing was packed")
	}
	m := opt.Compile(h, []graph.Node{to(out)}, nil).NewMachine()
	if err := m.Run(make([]float64, 40)); err != nil {
		t.Fatal(err)
	}
	for i, v := range m.Root(0) {
		if math.Signbit(v) != (i%2 == 0) {
			t.Errorf("element %d is %v", i, v)
		}
	}
}
