// Random graphs: gradients against finite differences, and the value of every root
// against direct evaluation of the same operations.

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

// randomGraph builds a graph of smooth operations and gives its scalar output.
func randomGraph(r *rand.Rand, dim, size int) (*graph.Graph, graph.Node) {
	g := graph.NewGraph(dim)
	return g, randomSum(r, g, g.Const(cycled(dim)), size)
}

// randomSum makes one of the input and of data, a vector as long as it.
func randomSum(r *rand.Rand, g *graph.Graph, data graph.Node, size int) graph.Node {
	dim := g.Dims
	scalars := []graph.Node{g.Elem(g.Input(), 0), g.Scalar(0.7)}
	vectors := []graph.Node{g.Input(), data}
	unary := []*graph.Op{graph.Neg, graph.Square, graph.Exp, graph.Log1pExp, graph.InvLogit, sin}
	binary := []*graph.Op{graph.Add, graph.Sub, graph.Mul}
	damp := func(x graph.Node) graph.Node { return g.Map(graph.InvLogit, g.Len(x), x) }
	for range size {
		s := scalars[r.IntN(len(scalars))]
		v := vectors[r.IntN(len(vectors))]
		w := vectors[r.IntN(len(vectors))]
		switch r.IntN(9) {
		case 0:
			scalars = append(scalars, damp(g.Map(unary[r.IntN(len(unary))], 1, s)))
		case 1:
			scalars = append(scalars, g.Map(binary[r.IntN(3)], 1, s, scalars[r.IntN(len(scalars))]))
		case 2:
			vectors = append(vectors, damp(g.Map(unary[r.IntN(len(unary))], dim, v)))
		case 3:
			vectors = append(vectors, g.Map(binary[r.IntN(3)], dim, v, w))
		case 4:
			vectors = append(vectors, g.Map(binary[r.IntN(3)], dim, v, s))
		case 5:
			scalars = append(scalars, damp(g.Sum(v)), damp(g.Dot(v, w)))
		case 6:
			refs := make([]graph.Ref, dim)
			for i := range refs {
				refs[i] = graph.Ref{Node: v, Elem: int32(r.IntN(dim))}
				if r.IntN(3) == 0 {
					refs[i] = graph.Ref{Node: s, Elem: 0}
				}
			}
			vectors = append(vectors, g.Gather(refs))
		case 7:
			scalars = append(scalars, g.Elem(v, r.IntN(dim)))
		case 8:
			q := damp(g.Map(graph.Div, dim, w, g.Map(graph.Add, dim, g.Scalar(2), g.Map(graph.Square, dim, v))))
			vectors = append(vectors, q)
		}
	}
	out := g.Scalar(0)
	for _, s := range scalars {
		out = g.Map(graph.Add, 1, out, s)
	}
	for _, v := range vectors {
		out = g.Map(graph.Add, 1, out, damp(g.Sum(v)))
	}
	return out
}

// sin has no rule in nodes, so it exercises the numeric derivatives.
var sin = &graph.Op{Name: "sin", F1: math.Sin, D1: func(x, _ float64) float64 { return math.Cos(x) }}

func TestGradientAgainstDifferences(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		g, out := randomGraph(r, 5, 30)
		gradient := grad.Gradient(g, out)
		m := opt.Compile(g, []graph.Node{out, gradient}, nil).NewMachine()
		q := make([]float64, 5)
		for i := range q {
			q[i] = r.NormFloat64() * 0.5
		}
		if err := m.Run(q); err != nil {
			t.Fatal(err)
		}
		got := append([]float64(nil), m.Root(1)...)
		const h = 1e-5
		for i := range q {
			f := func(d float64) float64 {
				p := append([]float64(nil), q...)
				p[i] += d
				if err := m.Run(p); err != nil {
					t.Fatal(err)
				}
				return m.Root(0)[0]
			}
			want := (8*(f(h)-f(-h)) - (f(2*h) - f(-2*h))) / (12 * h)
			if math.Abs(got[i]-want) > 1e-7*(1+math.Abs(want)) {
				t.Fatalf("seed %d: d/dq[%d] = %v, differences say %v", seed, i, got[i], want)
			}
		}
	}
}

// The derivative of inv_logit is e^-|x|/(1 + e^-|x|)^2, to full accuracy in both tails.
func TestInvLogitTails(t *testing.T) {
	g := graph.NewGraph(1)
	out := g.Map(graph.InvLogit, 1, g.Elem(g.Input(), 0))
	m := opt.Compile(g, []graph.Node{out, grad.Gradient(g, out)}, nil).NewMachine()
	for _, x := range []float64{-700, -40, -1, 0, 1, 20, 36, 40, 700} {
		if err := m.Run([]float64{x}); err != nil {
			t.Fatal(err)
		}
		e := math.Exp(-math.Abs(x))
		want := e / ((1 + e) * (1 + e))
		if got := m.Root(1)[0]; math.Abs(got-want) > 1e-15*want {
			t.Errorf("derivative at %g is %v, want %v", x, got, want)
		}
		if got := graph.InvLogit.D1(x, graph.InvLogit.F1(x)); math.Abs(got-want) > 1e-15*want {
			t.Errorf("D1 at %g is %v, want %v", x, got, want)
		}
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	g, out := randomGraph(rand.New(rand.NewPCG(3, 1)), 5, 60)
	m := opt.Compile(g, []graph.Node{out, grad.Gradient(g, out)}, nil).NewMachine()
	q := []float64{0.1, 0.2, 0.3, 0.4, 0.5}
	if n := testing.AllocsPerRun(100, func() { _ = m.Run(q) }); n != 0 {
		t.Errorf("%v allocations per gradient, want 0", n)
	}
}

func TestMatVecGradient(t *testing.T) {
	// d/dx sum(square(A x)) is 2 A'A x.
	a := []float64{1, 2, 3, 4, 5, 6} // 3 x 2
	g := graph.NewGraph(2)
	y := g.MatVec(g.Const(a), g.Input(), 3)
	out := g.Sum(g.Map(graph.Square, 3, y))
	m := opt.Compile(g, []graph.Node{out, grad.Gradient(g, out)}, nil).NewMachine()
	if err := m.Run([]float64{1, -1}); err != nil {
		t.Fatal(err)
	}
	// A x = (-3, -3, -3); A'(A x) = (-18, -45).
	if m.Root(0)[0] != 27 || m.Root(1)[0] != -36 || m.Root(1)[1] != -90 {
		t.Errorf("value %v gradient %v, want 27 and [-36 -90]", m.Root(0), m.Root(1))
	}
}

func TestGuardTakesPrecedence(t *testing.T) {
	g := graph.NewGraph(1)
	positive := &graph.Op{Name: "gt0", F1: func(x float64) float64 {
		if x > 0 {
			return 1
		}
		return 0
	}}
	check := g.Check(g.Map(graph.Exp, 1, g.Input()), 1, math.MaxFloat64)
	guard := g.Guard(g.Map(positive, 1, g.Input()), []float64{1})
	m := opt.Compile(g, []graph.Node{g.Input()}, []graph.Node{check, guard}).NewMachine()
	if err := m.Run([]float64{-1}); err != codegen.ErrGuard {
		t.Errorf("got %v, want ErrGuard", err)
	}
	if err := m.Run([]float64{1}); err != nil {
		t.Error(err)
	}
}

// cycled returns n numbers without a pattern.
func cycled(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = []float64{0.3, -1.2, 0.8, 2, 1.1}[i%5]
	}
	return out
}
