// Execution of scans.

package loop

import (
	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
)

// Instance makes the state of a machine.
func (s *Scan) Instance() graph.Instance {
	p := s.Planned()
	m := &scanInstance{s: s, plan: p, streams: make([][]float64, len(p.Streams)), starts: make([]*float64, p.Scan.Streams)}
	m.line = make([]float64, len(p.Streams)+len(p.Arena))
	if p.Code == nil {
		m.line = make([]float64, p.line)
	}
	m.arena = m.line[len(p.Streams):]
	copy(m.arena, p.Arena)
	return m
}

// Planned returns the scan's plan, which is made when it is first wanted.
func (s *Scan) Planned() *Plan {
	s.making.Do(func() { s.plan = newPlan(s) })
	return s.plan
}

// A scanInstance is the state of a scan in one machine.
type scanInstance struct {
	s       *Scan
	plan    *Plan
	line    []float64 // room for the streams' elements in an iteration, then the arena
	arena   []float64
	streams [][]float64
	starts  []*float64 // the first element of each stream that is an input
	out     []float64
}

// Value runs all iterations.
func (m *scanInstance) Value(in [][]float64, out []float64) error {
	s, p := m.s, m.plan
	for k := range s.Shared {
		m.arena[p.Shared+k] = in[k][0]
	}
	for i := range s.Carries {
		out[s.Initial(i)] = in[s.Shared+i][0]
	}
	for k, at := range p.Streams {
		switch {
		case at.Own != nil:
			m.streams[k] = at.Own
		case at.In >= 0:
			m.streams[k] = in[at.In][:s.Iterations]
		default:
			m.streams[k] = out[at.Off : at.Off+s.Iterations]
		}
	}
	for k := range m.starts {
		m.starts[k] = &m.streams[k][0]
	}
	m.out = out
	m.runAll()
	return nil
}

// LongestCall is about how many instructions machine code may run without a pause for the
// runtime.
const LongestCall = 1 << 17

// runAll runs all of them, those of a variant that follow each other at once.
func (m *scanInstance) runAll() {
	s := m.plan.Scan
	at, step := 0, 1
	if s.Backward {
		at, step = s.Iterations-1, -1
	}
	for left := s.Iterations; left > 0; {
		n := s.RunLength(at)
		m.runVariant(&m.plan.Bodies[s.Body(at)], at, step, n)
		at, left = at+n*step, left-n
	}
}

// runVariant runs n iterations of a body.
func (m *scanInstance) runVariant(b *BodyPlan, at, step, n int) {
	switch {
	case b.bytecode != nil && b.bytecode.affine():
		m.multiplyAdd(b.bytecode, at, step, n)
	case b.bytecode != nil:
		for range n {
			m.interpret(b.bytecode, at)
			at += step
		}
	case b.NoCalls():
		for n > 0 {
			some := min(n, max(1, LongestCall/max(1, b.longest)))
			m.plan.Code.Loop(b.first, m.arena, m.starts, m.out, at, some)
			at, n = at+some*step, n-some
		}
	default:
		for range n {
			m.iteration(b, at)
			at += step
		}
	}
}

// written are the streams that bytecode writes.
func (m *scanInstance) written(s *bodyBytecode) [][]float64 {
	return m.streams[m.s.Streams+m.s.Carries:][:len(s.from)]
}

// interpret runs iteration t of bytecode.
func (m *scanInstance) interpret(s *bodyBytecode, t int) {
	for k, x := range m.streams[:m.s.Streams+m.s.Carries] {
		m.line[k] = x[t]
	}
	s.run1(m.line)
	for k, x := range m.written(s) {
		x[t] = m.line[s.from[k]]
	}
}

// iteration runs iteration t of machine code, a phase after the other.
func (m *scanInstance) iteration(b *BodyPlan, t int) {
	for k := range b.Phases {
		m.plan.Code.Loop(b.first+k, m.arena, m.starts, m.out, t, 1)
		calls := b.Phases[k].Calls
		for i := range calls {
			calls[i].Run(m.arena)
		}
	}
}

// Run applies the operation to its numbers.
func (c *PhaseCall) Run(arena []float64) {
	out := arena[c.Out:][:c.N]
	x := arena[c.In[0]:][:c.N]
	switch {
	case c.Op.F1 != nil:
		codegen.MapUnary(c.Op, out, x)
	case c.Op.F2 != nil:
		codegen.MapBinary(c.Op, out, x, arena[c.In[1]:][:c.N])
	default:
		codegen.MapTernary(c.Op, out, x, arena[c.In[1]:][:c.N], arena[c.In[2]:][:c.N])
	}
}

// VJP is not called: in programs the derivatives of a scan are nodes.
func (m *scanInstance) VJP(_ [][]float64, _, _ []float64, _ [][]float64) {
	panic("autodiff: the derivatives of a scan are nodes")
}
