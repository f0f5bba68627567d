// Loops of several variants against the same loops unrolled.

package autodiff

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/internal/batch"
	"github.com/seed-12b88e03/ppl/autodiff/internal/grad"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/loop"
	"github.com/seed-12b88e03/ppl/autodiff/internal/opt"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// A patchwork is a loop of several variants: on the same carries, a step of parameters and
// one of data, which is NaN in the iterations of all variants but the last.
type patchwork struct {
	carries, shared int
	variants        []recurrence
	variantOf       []uint8
	data            []float64
	backward        bool
}

// randomMixed makes one, of variants that are mostly short. Its second variant may have no calls, keep
// carries or set them anew.
func randomMixed(seed uint64) patchwork {
	r := rand.New(rand.NewPCG(seed, 41))
	m := patchwork{carries: 1 + r.IntN(4), shared: 1 + r.IntN(3), backward: r.IntN(3) == 0}
	for k := range 2 + r.IntN(4) {
		c := randomRecurrence(seed*16 + uint64(k))
		if k == 1 {
			c.iteration = plainIteration(r.IntN(3))
		}
		m.variants = append(m.variants, c)
	}
	iterations := 6 + r.IntN(30)
	last := len(m.variants) - 1
	for t := range iterations {
		k := r.IntN(len(m.variants))
		if t < len(m.variants) {
			k = t
		}
		x := math.NaN()
		if k == last {
			x = r.NormFloat64()
		}
		m.variantOf, m.data = append(m.variantOf, uint8(k)), append(m.data, x)
	}
	r.Shuffle(iterations, func(i, j int) {
		m.variantOf[i], m.variantOf[j], m.data[i], m.data[j] = m.variantOf[j], m.variantOf[i], m.data[j], m.data[i]
	})
	return m
}

// plainIteration is an iteration of arithmetic alone.
func plainIteration(form int) func(g *graph.Graph, carry, step, shared []graph.Node) (next, outs []graph.Node) {
	return func(g *graph.Graph, carry, step, shared []graph.Node) (next, outs []graph.Node) {
		for i, x := range carry {
			switch {
			case form == 0 && i == 0:
				x = g.Scalar(0.25)
			case form == 1 || i > 0:
				x = g.Map(graph.Add, 1, g.Map(graph.Mul, 1, g.Scalar(0.5), x), g.Map(graph.Mul, 1, shared[0], step[0]))
			}
			next = append(next, x)
		}
		return next, []graph.Node{g.Map(graph.Square, 1, carry[0])}
	}
}

// steps are those that a kind sees: of data, the last kind alone.
func (m *patchwork) steps(k int, step []graph.Node) []graph.Node {
	if k == len(m.variants)-1 {
		return step
	}
	return step[:1]
}

func (m *patchwork) dim() int { return m.carries + m.shared + len(m.variantOf) }

// objective adds up with weights what all iterations give.
func (m *patchwork) objective(t *testing.T, g *graph.Graph, rolled bool) graph.Node {
	n := len(m.variantOf)
	var init, shared []graph.Node
	for i := range m.carries {
		init = append(init, g.Map(graph.Exp, 1, g.Elem(g.Input(), i)))
	}
	for i := range m.shared {
		shared = append(shared, g.Elem(g.Input(), m.carries+i))
	}
	step := []graph.Node{g.View(g.Input(), m.carries+m.shared, n), g.Const(m.data)}
	sums := make([]graph.Node, len(m.variants))
	for k := range sums {
		sums[k] = g.Scalar(0)
	}
	add := func(k int, x graph.Node) { sums[k] = g.Map(graph.Add, 1, sums[k], x) }
	var last []graph.Node
	if rolled {
		last = m.rolled(t, g, init, shared, step, add)
	} else {
		last = m.unrolled(g, init, shared, step, add)
	}
	total := g.Scalar(0)
	for i, x := range append(sums, last...) {
		total = g.Map(graph.Add, 1, total, g.Map(graph.Mul, 1, g.Scalar(math.Sin(float64(i+1))), x))
	}
	return total
}

func (m *patchwork) unrolled(g *graph.Graph, carry, shared, step []graph.Node, add func(k int, x graph.Node)) []graph.Node {
	n := len(m.variantOf)
	for i := range n {
		at := i
		if m.backward {
			at = n - 1 - i
		}
		k := int(m.variantOf[at])
		var now, outs []graph.Node
		for _, s := range m.steps(k, step) {
			now = append(now, g.Elem(s, at))
		}
		carry, outs = m.variants[k].iteration(g, carry, now, shared)
		for _, x := range outs {
			add(k, x)
		}
	}
	return carry
}

func (m *patchwork) rolled(t *testing.T, g *graph.Graph, init, shared, step []graph.Node, add func(k int, x graph.Node)) (last []graph.Node) {
	l := loop.NewLoop(g, len(m.variantOf))
	l.Backward = m.backward
	for _, x := range init {
		l.Carry(x)
	}
	refs := func(list []graph.Node) (out []graph.Ref) {
		for _, x := range list {
			out = append(out, graph.Ref{Node: x})
		}
		return out
	}
	var variants []*loop.LoopBody
	var next, outs [][]graph.Ref
	for k, c := range m.variants {
		var at []int32
		for i, kind := range m.variantOf {
			if int(kind) == k {
				at = append(at, int32(i))
			}
		}
		l.Variant(at) // begun in vain
		r := l.Variant(at)
		var carry, now []graph.Node
		for i := range init {
			carry = append(carry, r.CarryIn(i))
		}
		for _, s := range m.steps(k, step) {
			now = append(now, r.Step(r.Part(s, 0)))
		}
		after, wanted := c.iteration(g, carry, now, shared)
		variants, next, outs = append(variants, r), append(next, refs(after)), append(outs, refs(append(wanted, after...)))
	}
	if err := l.Close(variants, next, outs); err != nil {
		t.Fatal(err)
	}
	for k, r := range variants {
		for _, ref := range outs[k][:len(outs[k])-len(init)] {
			v := r.Vector(ref)
			if g.Len(v) == 1 {
				v = (&grad.Reverser{G: g}).Full(v, r.N)
			}
			add(k, g.Sum(v))
		}
	}
	end := len(m.variantOf) - 1
	if m.backward {
		end = 0
	}
	k := m.variantOf[end]
	for _, ref := range next[k] {
		last = append(last, variants[k].Final(ref))
	}
	return last
}

// Every executor has the bits of every other, and the numbers of the loop unrolled.
func TestVariantsAgainstUnrolled(t *testing.T) {
	merged, jumps := 0, 0
	for seed := range uint64(200) {
		m := randomMixed(seed)
		rng := rand.New(rand.NewPCG(seed, 42))
		var points [][]float64
		for range 5 {
			q := make([]float64, m.dim())
			for i := range q {
				q[i] = 0.5 * rng.NormFloat64()
			}
			points = append(points, q)
		}
		var want, first []float64
		for _, form := range []struct {
			rolled bool
			off    []string
		}{{false, nil}, {true, nil}, {true, []string{"native"}}, {true, []string{"fma"}}, {true, []string{"roots", "share", "algebra"}}} {
			g := graph.NewGraph(m.dim())
			if err := g.Disable(form.off...); err != nil {
				t.Fatal(err)
			}
			y := m.objective(t, g, form.rolled)
			p := opt.Compile(g, []graph.Node{y, grad.Gradient(g, y)}, nil)
			machine := p.NewMachine()
			if err := machine.Run(points[0]); err != nil {
				t.Fatal(err)
			}
			got := append(append([]float64(nil), machine.Root(0)...), machine.Root(1)...)
			if !form.rolled {
				want = got
				continue
			}
			for i := range want {
				if !(math.Abs(got[i]-want[i]) <= 1e-11*(1+math.Abs(want[i]))) {
					t.Fatalf("seed %d without %v: number %d is %v, written out %v", seed, form.off, i, got[i], want[i])
				}
			}
			if len(form.off) == 1 && form.off[0] == "native" {
				for i := range first {
					if math.Float64bits(got[i]) != math.Float64bits(first[i]) {
						t.Fatalf("seed %d: number %d is %v without machine code, %v with it", seed, i, got[i], first[i])
					}
				}
			}
			if form.off != nil {
				continue
			}
			first = got
			for k := range p.Code {
				if s, ok := batch.Scan(p.Spelled(&p.Code[k])); ok && s.VariantOf != nil {
					if s.Planned().Scan == s {
						jumps++
					} else {
						merged++
					}
				}
			}
			if batch.BatchProgram(p) != nil {
				compareLanes(t, p, points)
			}
		}
	}
	if native.Reason() == "" && (merged < 20 || jumps < 20) {
		t.Errorf("only %d loops do what all variants do, and %d jump", merged, jumps)
	}
}

// The program of a gradient does not grow with the iterations.
func TestVariantsAreOneLoop(t *testing.T) {
	var sizes [2]string
	for i, n := range []int{400, 4000} {
		m := patchwork{carries: 2, shared: 2, variants: []recurrence{{iteration: plainIteration(0)}, {iteration: plainIteration(1)}}}
		for t := range n {
			m.variantOf, m.data = append(m.variantOf, uint8(t/3%2)), append(m.data, 1)
		}
		g := graph.NewGraph(m.dim())
		y := m.objective(t, g, true)
		p := opt.Compile(g, []graph.Node{y, grad.Gradient(g, y)}, nil)
		sizes[i] = fmt.Sprintf("%d nodes, %d instructions", g.Size(), len(p.Code))
		if text := p.Dump(); !strings.Contains(text, ", 2 variants") {
			t.Errorf("no loop of two variants:\n%s", text)
		}
	}
	if sizes[0] != sizes[1] {
		t.Errorf("%s for 400 iterations, %s for 4000", sizes[0], sizes[1])
	}
}
