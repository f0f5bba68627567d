// Scans at work.

package autodiff

// Instance makes the state of a machine.
func (s *scan) Instance() Instance {
	p := s.planned()
	m := &scanInstance{s: s, plan: p, streams: make([][]float64, len(p.streams)), starts: make([]*float64, p.scan.streams)}
	m.line = make([]float64, len(p.streams)+len(p.arena))
	if p.code == nil {
		m.line = make([]float64, p.line)
	}
	m.arena = m.line[len(p.streams):]
	copy(m.arena, p.arena)
	return m
}

// planned returns the scan's plan, which is made when it is first wanted.
func (s *scan) planned() *plan {
	s.making.Do(func() { s.plan = newPlan(s) })
	return s.plan
}

// A scanInstance is a scan at work in one machine.
type scanInstance struct {
	s       *scan
	plan    *plan
	line    []float64 // room for the streams' elements in an iteration, then the arena
	arena   []float64
	streams [][]float64
	starts  []*float64 // of those that are inputs
	out     []float64
}

// Value runs all iterations.
func (m *scanInstance) Value(in [][]float64, out []float64) error {
	s, p := m.s, m.plan
	for k := range s.shared {
		m.arena[p.shared+k] = in[k][0]
	}
	for i := range s.carries {
		out[s.initial(i)] = in[s.shared+i][0]
	}
	for k, at := range p.streams {
		switch {
		case at.own != nil:
			m.streams[k] = at.own
		case at.in >= 0:
			m.streams[k] = in[at.in][:s.iterations]
		default:
			m.streams[k] = out[at.off : at.off+s.iterations]
		}
	}
	for k := range m.starts {
		m.starts[k] = &m.streams[k][0]
	}
	m.out = out
	m.runAll()
	return nil
}

// longestCall is about how many instructions machine code may run without a pause for the
// runtime.
const longestCall = 1 << 17

// runAll runs all of them, those of a variant that follow each other at once.
func (m *scanInstance) runAll() {
	s := m.plan.scan
	at, step := 0, 1
	if s.backward {
		at, step = s.iterations-1, -1
	}
	for left := s.iterations; left > 0; {
		n := s.runLength(at)
		m.runVariant(&m.plan.bodies[s.body(at)], at, step, n)
		at, left = at+n*step, left-n
	}
}

// runVariant runs n iterations of a body.
func (m *scanInstance) runVariant(b *bodyPlan, at, step, n int) {
	switch {
	case b.bytecode != nil && b.bytecode.affine():
		m.multiplyAdd(b.bytecode, at, step, n)
	case b.bytecode != nil:
		for range n {
			m.interpret(b.bytecode, at)
			at += step
		}
	case b.noCalls():
		for n > 0 {
			some := min(n, max(1, longestCall/max(1, b.longest)))
			m.plan.code.Loop(b.first, m.arena, m.starts, m.out, at, some)
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
	return m.streams[m.s.streams+m.s.carries:][:len(s.from)]
}

// interpret runs iteration t of bytecode.
func (m *scanInstance) interpret(s *bodyBytecode, t int) {
	for k, x := range m.streams[:m.s.streams+m.s.carries] {
		m.line[k] = x[t]
	}
	s.run1(m.line)
	for k, x := range m.written(s) {
		x[t] = m.line[s.from[k]]
	}
}

// iteration runs iteration t of machine code, a phase after the other.
func (m *scanInstance) iteration(b *bodyPlan, t int) {
	for k := range b.phases {
		m.plan.code.Loop(b.first+k, m.arena, m.starts, m.out, t, 1)
		calls := b.phases[k].calls
		for i := range calls {
			calls[i].run(m.arena)
		}
	}
}

// run applies the operation to its numbers.
func (c *phaseCall) run(arena []float64) {
	out := arena[c.out:][:c.n]
	x := arena[c.in[0]:][:c.n]
	switch {
	case c.op.F1 != nil:
		mapUnary(c.op, out, x)
	case c.op.F2 != nil:
		mapBinary(c.op, out, x, arena[c.in[1]:][:c.n])
	default:
		mapTernary(c.op, out, x, arena[c.in[1]:][:c.n], arena[c.in[2]:][:c.n])
	}
}

// VJP is not called: in programs the derivatives of a scan are nodes.
func (m *scanInstance) VJP(_ [][]float64, _, _ []float64, _ [][]float64) {
	panic("autodiff: the derivatives of a scan are nodes")
}
