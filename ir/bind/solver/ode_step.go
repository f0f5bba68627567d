// A whole step of an explicit Runge-Kutta method as one program.

package solver

import (
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/stdlib/solve"
)

const (
	// stepProducts is the greatest number of products of nonzero elements of a system's Jacobian with
	// sensitivities for which a step is one program. In larger systems these products take most of the
	// time, and compiling the program would take longer than it saves.
	stepProducts = 1000
	// stepNodes is the greatest size of the right-hand side's graph, which a step has six times.
	stepNodes = 500
	// stepGuards is the greatest number of comparisons that the right-hand side makes: a step that
	// has some of its stages on the other side of one is a program by itself.
	stepGuards = 4
)

// stepPrograms are the steps of a problem, by the sizes of what is integrated.
type stepPrograms struct {
	start []float64 // what the right-hand side is a program of, at the start of the solution

	mu      sync.Mutex
	decided bool
	slopes  int                          // elements of the Jacobian that are not zero
	of      map[solve.Size]*trace.Traced // nil where steps are taken stage by stage
}

// newSteps prepares the steps of a problem of the initial state y0 and time t0.
func (p *odeProblem) newSteps(t0 float64, y0 []float64) *stepPrograms {
	z := append([]float64{t0}, y0...)
	for _, v := range p.leaves {
		z = append(z, v.X...)
	}
	return &stepPrograms{start: z}
}

// get returns the programs of one size; nil where steps are taken stage by stage.
func (s *stepPrograms) get(p *odeProblem, size solve.Size) *trace.Traced {
	cols := size.Free + size.Params
	if p.method.Tableau() == nil || cols == 0 || p.states*cols > stepProducts {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.decided {
		s.decided = true
		c, err := p.graph(s.start, true)
		if err == nil && p.recorder(s.start).Does(trace.OptSteps) && c.graph.Size() <= stepNodes && len(c.effects) <= stepGuards {
			s.of, s.slopes = map[solve.Size]*trace.Traced{}, p.slopes(c)
		}
	}
	if s.of == nil || s.slopes*cols > stepProducts {
		return nil
	}
	if s.of[size] == nil {
		r := &stepRecorder{p: p, size: size, tab: p.method.Tableau()}
		s.of[size] = &trace.Traced{Limit: codeTraces, Record: r.record}
	}
	return s.of[size]
}

// slopes counts the elements of the Jacobian that are not zero everywhere.
func (p *odeProblem) slopes(c *codeGraph) int {
	count := 0
	for _, row := range c.roots[1:] {
		for _, r := range c.graph.Elements(row)[1 : 1+p.states] {
			if !isZero(c.graph, r) {
				count++
			}
		}
	}
	return count
}

// A stepRecorder makes the programs of steps. Their input is the time, the step's size, the state
// with its sensitivities, the rates of these, and the numbers of the function's arguments that
// depend on parameters. Root 0 is the state at the end, root i the rates at stage i, and the
// last one the error estimate.
type stepRecorder struct {
	p    *odeProblem
	size solve.Size
	tab  *solve.Tableau
}

// record makes the step that is taken at w.
func (r *stepRecorder) record(w []float64) (*autodiff.Program, error) {
	n, all := r.p.states, r.size.Len()
	z := make([]float64, r.p.dim)
	copy(z[1+n:], w[2+2*all:])
	run := r.p.runner()
	rates := [][]float64{w[2+all : 2+all+n]} // of the states, stage by stage
	var b *stepGraph
	for i := 1; i < solve.Stages; i++ {
		z[0] = w[0] + float64(r.tab.C[i]*w[1])
		for s := range n {
			z[1+s] = w[2+s]
			for j, k := range rates {
				z[1+s] += float64(w[1] * r.tab.A[i][j] * k[s])
			}
		}
		code, err := r.p.graph(z, true)
		if err != nil {
			return nil, err
		}
		copy(run.z, z)
		rate, err := run.run()
		if err != nil {
			return nil, err
		}
		rates = append(rates, append([]float64(nil), rate...))
		if b == nil {
			b = r.begin(code.graph.Like(len(w)))
		}
		b.stage(i, code)
	}
	roots := append([]autodiff.Node{b.at}, b.rates[1:]...)
	roots = append(roots, b.sum(autodiff.None, r.tab.E[:]))
	return autodiff.Compile(b.Graph, roots, b.JoinGuards(b.effects)), nil
}

// A stepGraph is a step under construction.
type stepGraph struct {
	*autodiff.Graph
	*stepRecorder
	time, h autodiff.Node
	y, at   autodiff.Node   // the state with its sensitivities, at the beginning and at the present stage
	rates   []autodiff.Node // of both, at each stage
	params  autodiff.Node
	effects []autodiff.Node
}

func (r *stepRecorder) begin(g *autodiff.Graph) *stepGraph {
	in, all := g.Input(), r.size.Len()
	b := &stepGraph{Graph: g, stepRecorder: r, time: g.Elem(in, 0), h: g.Elem(in, 1), y: g.View(in, 2, all), params: autodiff.None}
	b.rates = []autodiff.Node{g.View(in, 2+all, all)}
	if r.p.params() > 0 {
		b.params = g.View(in, 2+2*all, r.p.params())
	}
	return b
}

// sum is x (or nothing) and the step's size times the rates with their weights.
func (b *stepGraph) sum(x autodiff.Node, weights []float64) autodiff.Node {
	all := b.size.Len()
	for j, k := range b.rates {
		if weights[j] == 0 {
			continue
		}
		term := b.Map(autodiff.Mul, all, b.Map(autodiff.Mul, 1, b.h, b.Scalar(weights[j])), k)
		if x != autodiff.None {
			term = b.Map(autodiff.Add, all, x, term)
		}
		x = term
	}
	return x
}

// stage adds stage i, at which the function is code.
func (b *stepGraph) stage(i int, code *codeGraph) {
	n := b.p.states
	b.at = b.sum(b.y, b.tab.A[i][:])
	z := []autodiff.Ref{{Node: b.Map(autodiff.Add, 1, b.time, b.Map(autodiff.Mul, 1, b.h, b.Scalar(b.tab.C[i])))}}
	z = appendRefs(z, b.at, n)
	if b.params != autodiff.None {
		z = appendRefs(z, b.params, b.p.params())
	}
	s := autodiff.NewSubstitution(code.graph, b.Graph, b.Gather(z))
	roots := s.Nodes(code.roots)
	b.effects = append(b.effects, s.Nodes(code.effects)...)
	refs := appendRefs(nil, roots[0], n)
	for _, row := range roots[1:] {
		refs = appendRefs(refs, b.sensitivity(b.Elements(row)), b.size.Free+b.size.Params)
	}
	b.rates = append(b.rates, b.Gather(refs))
}

// sensitivity is how the sensitivities of one state change, given the derivatives of its rate.
func (b *stepGraph) sensitivity(row []autodiff.Ref) autodiff.Node {
	n, cols := b.p.states, b.size.Free+b.size.Params
	sum := autodiff.None
	add := func(x autodiff.Node) {
		if sum != autodiff.None {
			x = b.Map(autodiff.Add, cols, sum, x)
		}
		sum = x
	}
	if b.size.Params > 0 {
		var refs []autodiff.Ref
		for range b.size.Free {
			refs = append(refs, autodiff.Ref{Node: b.Scalar(0)})
		}
		add(b.Gather(append(refs, row[1+n:]...)))
	}
	for j, d := range row[1 : 1+n] {
		if !isZero(b.Graph, d) {
			add(b.Map(autodiff.Mul, cols, b.Elem(d.Node, int(d.Elem)), b.View(b.at, n+j*cols, cols)))
		}
	}
	if sum == autodiff.None {
		sum = b.Const(make([]float64, cols))
	}
	return sum
}

func isZero(g *autodiff.Graph, r autodiff.Ref) bool {
	v, ok := g.ScalarValue(g.Elem(r.Node, int(r.Elem)))
	return ok && v == 0
}

func appendRefs(refs []autodiff.Ref, x autodiff.Node, n int) []autodiff.Ref {
	for i := range n {
		refs = append(refs, autodiff.Ref{Node: x, Elem: int32(i)})
	}
	return refs
}

// A stepRunner takes steps in one goroutine.
type stepRunner struct {
	run   *trace.Runner
	in    []float64
	of    *autodiff.Machine // the machine that roots belong to
	roots [][]float64
}

// Step makes a step by one program. It gives nothing where there is none, a stage is rejected or a
// comparison is too close.
func (s *odeSolver) Step(t, h float64, y, rate []float64) ([][]float64, error) {
	r := s.step
	if r == nil {
		return nil, nil
	}
	if err := s.run.stopped(); err != nil {
		return nil, err
	}
	r.in[0], r.in[1] = t, h
	at := 2 + copy(r.in[2:], y)
	at += copy(r.in[at:], rate)
	copy(r.in[at:], s.run.z[1+s.states:])
	m, err := r.run.Run(r.in)
	if err != nil {
		return nil, nil
	}
	if m != r.of {
		r.of, r.roots = m, r.roots[:0]
		for i := range solve.Stages + 1 {
			r.roots = append(r.roots, m.Root(i))
		}
	}
	return r.roots, nil
}
