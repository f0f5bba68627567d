// Functions inside selections: as a whole, or piece by piece.

package demand

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// call is the state of a function, made when it is first needed.
func (m *DemandState) call(x int32) *demandCall {
	c := &m.calls[x]
	if c.ready {
		return c
	}
	n := &m.s.nodes[x]
	c.ready = true
	c.in, c.din = make([][]float64, len(n.in)), make([][]float64, len(n.in))
	if s, ok := n.fn.(PerOutput); ok {
		c.pieces = s.State()
		return c
	}
	active := make([]bool, len(n.in))
	numbers := 0
	for k, in := range n.in {
		src := &m.s.nodes[in]
		if c.in[k] = src.data; src.kind != graph.KindConst {
			c.in[k] = m.val[src.base : src.base+src.n : src.base+src.n]
		}
		if active[k] = src.active; src.active {
			c.din[k] = m.adj[src.base : src.base+src.n : src.base+src.n]
			numbers += int(src.n)
		}
	}
	if f, ok := n.fn.Fused(active); ok && n.active {
		c.inst, c.fused = f.Instance(), make([]float64, int(n.n)*(1+numbers))
	} else {
		c.inst = n.fn.Instance()
	}
	return c
}

// whole computes all outputs of a function.
func (m *DemandState) whole(x int32) error {
	n := &m.s.nodes[x]
	for _, in := range n.in {
		if err := m.needAll(in, 0, 1, m.s.nodes[in].n); err != nil {
			return err
		}
	}
	c := m.call(x)
	out := m.val[n.base : n.base+n.n : n.base+n.n]
	if c.fused != nil {
		if err := c.inst.Value(c.in, c.fused); err != nil {
			return err
		}
		copy(out, c.fused)
	} else if err := c.inst.Value(c.in, out); err != nil {
		return err
	}
	m.note(x, 0, n.base, n.n)
	return nil
}

// piece computes one output of a PerOutput function, with its derivatives.
func (m *DemandState) piece(x, i int32) error {
	n := &m.s.nodes[x]
	fn := n.fn.(PerOutput)
	total := 0
	for k, in := range n.in {
		off, count, step := fn.Part(int(i), k)
		if err := m.needAll(in, int32(off), int32(step), int32(count)); err != nil {
			return err
		}
		total += count
	}
	c := m.call(x)
	if len(c.scratch) < total {
		c.scratch = make([]float64, total)
	}
	m.note(x, i, n.base+i, 1)
	at := len(m.partials)
	m.partials = slices.Grow(m.partials, total)[:at+total]
	clear(m.partials[at:])
	p := 0
	for k, in := range n.in {
		off, count, step := fn.Part(int(i), k)
		c.in[k], c.din[k] = c.scratch[p:p+count:p+count], m.partials[at+p:at+p+count:at+p+count]
		for j := range count {
			c.in[k][j] = m.at(in, int32(off+j*step))
		}
		p += count
	}
	v, err := c.pieces.Piece(int(i), c.in, c.din)
	m.val[n.base+i] = v
	return err
}

// pullCall carries the adjoint of a function to its inputs.
func (m *DemandState) pullCall(n *demandNode, f *visited) {
	if fn, ok := n.fn.(PerOutput); ok {
		m.pullPiece(n, fn, f)
		return
	}
	c := m.call(f.node)
	adj := m.adj[n.base : n.base+n.n : n.base+n.n]
	if c.fused == nil {
		c.inst.VJP(c.in, m.val[n.base:n.base+n.n:n.base+n.n], adj, c.din)
		return
	}
	columns := c.fused[n.n:]
	for _, din := range c.din {
		for j := range din {
			din[j] += vec.Dot(columns[:n.n], adj)
			columns = columns[n.n:]
		}
	}
}

func (m *DemandState) pullPiece(n *demandNode, fn PerOutput, f *visited) {
	a := m.adj[n.base+f.elem]
	if a == 0 {
		return
	}
	p := f.partials
	for k, in := range n.in {
		off, count, step := fn.Part(int(f.elem), k)
		for j := range count {
			m.push(in, int32(off+j*step), a*m.partials[p+j])
		}
		p += count
	}
}
