// Evaluation on demand: single elements of a node, computed on demand.

package demand

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// A DemandEval evaluates some elements of one node of a graph and the gradient of
// their sum, at the cost of what these elements depend on and no more: of a sum over
// observations, a few terms. It is immutable and may be shared.
//
// Each element is found by recursion over what it is made from, and the gradient by a
// sweep back over the elements so found. A matrix-vector product gives single rows, an
// elementwise operation single elements, a PerOutput function single outputs; any
// other function is computed as a whole.
type DemandEval struct {
	nodes []demandNode
	root  int32
	dim   int
	size  int // numbers that a machine keeps
}

// demandNode is a node of a DemandEval.
type demandNode struct {
	kind         graph.Kind
	active       bool
	n            int32
	base         int32 // of its numbers in a machine; a view's lie in what it views
	off          int32 // of a view; rows of a matrix-vector product
	op           *graph.Op
	fn           graph.Opaque
	in           []int32
	refs         []graph.Ref
	data         []float64 // of a constant; of a product with a constant matrix, its transpose
	runtimeConst bool      // nothing is to be computed: a constant, the input or a part of it
}

// A PerOutput function has outputs each of which depends on few numbers of the inputs.
type PerOutput interface {
	graph.Opaque
	// Part returns the elements of input k that output i depends on: n of them from off
	// on, step apart.
	Part(i, k int) (off, n, step int)
	// State makes the state that one machine needs.
	State() PerOutputState
}

// PerOutputState is the state of a PerOutput function in one machine.
type PerOutputState interface {
	// Piece returns output i at the elements in[k] that Part(i, k) names, and fills
	// din[k], which is zero before, with the derivatives.
	Piece(i int, in, din [][]float64) (float64, error)
}

// NewDemandEval prepares a node for evaluation by element. The error says that the node is
// made from what has no elements of its own to compute, such as a gradient.
func NewDemandEval(g *graph.Graph, root graph.Node) (*DemandEval, error) {
	s := &DemandEval{dim: g.Dims, size: g.Dims}
	place := make([]int32, g.Size())
	for i := range place {
		place[i] = -1
	}
	// The input comes first, so that its numbers are the first of a machine's.
	s.nodes = append(s.nodes, demandNode{kind: graph.KindInput, active: true, runtimeConst: true, n: int32(g.Dims)})
	place[g.InputNode] = 0
	live := g.Ancestors(root)
	for x := range graph.Node(g.Size()) {
		if k := g.At(x).Kind; live[x] && !evaluableOnDemand[k] {
			return nil, fmt.Errorf("autodiff: no selection can be made from a node of kind %d", k)
		}
		if live[x] && place[x] < 0 {
			place[x] = int32(len(s.nodes))
			s.nodes = append(s.nodes, s.demandNode(g.At(x), place))
		}
	}
	s.root = place[root]
	return s, nil
}

// evaluableOnDemand are the kinds of nodes that a DemandEval may be made from.
var evaluableOnDemand = map[graph.Kind]bool{
	graph.KindConst: true, graph.KindRuntimeConst: true, graph.KindInput: true, graph.KindMap: true, graph.KindView: true, graph.KindGather: true,
	graph.KindSum: true, graph.KindDot: true, graph.KindMatVec: true, graph.KindMatTVec: true, graph.KindOpaque: true,
}

func (s *DemandEval) demandNode(n *graph.NodeDef, place []int32) demandNode {
	c := demandNode{kind: n.Kind, active: n.Active, n: n.N, off: n.Off, op: n.Op, base: int32(s.size)}
	for _, in := range n.In() {
		c.in = append(c.in, place[in])
	}
	if n.Extra != nil {
		c.refs, c.data = n.Refs, n.Data
		if n.Fn != nil {
			c.fn = withVJP(n.Fn)
		}
	}
	switch n.Kind {
	case graph.KindConst, graph.KindRuntimeConst:
		c.kind, c.runtimeConst = graph.KindConst, true
	case graph.KindView:
		src := &s.nodes[c.in[0]]
		if c.runtimeConst = src.runtimeConst; src.kind == graph.KindConst {
			c.kind, c.data = graph.KindConst, src.data[n.Off:n.Off+n.N]
		} else {
			c.base = src.base + n.Off
		}
	default:
		s.size += int(n.N)
	}
	if n.Kind == graph.KindMatVec && n.N > 0 && s.nodes[c.in[0]].kind == graph.KindConst {
		c.data = transposed(s.nodes[c.in[0]].data, int(n.N))
	}
	return c
}

// transposed returns the rows of a column-major matrix one after the other, so that a
// row lies in one place.
func transposed(a []float64, rows int) []float64 {
	t := make([]float64, len(a))
	cols := len(a) / rows
	for i := range rows {
		for j := range cols {
			t[i*cols+j] = a[j*rows+i]
		}
	}
	return t
}

// Len is the number of elements to choose from.
func (s *DemandEval) Len() int { return int(s.nodes[s.root].n) }

// A DemandState is the state of a DemandEval in one goroutine.
type DemandState struct {
	s        *DemandEval
	val, adj []float64
	stamp    []uint32 // of the run in which a number was computed
	run      uint32
	visited  []visited // in the order computed
	partials []float64 // of the pieces found
	calls    []demandCall
}

// visited is an element that was computed: of a function taken as a whole, all of them.
type visited struct {
	node, elem int32
	partials   int
}

// demandCall is the state of a function.
type demandCall struct {
	ready   bool
	inst    graph.Instance
	in, din [][]float64
	fused   []float64 // value and Jacobian of a fused function
	pieces  PerOutputState
	scratch []float64
}

// NewState makes the state of one goroutine.
func (s *DemandEval) NewState() *DemandState {
	return &DemandState{s: s, val: make([]float64, s.size), adj: make([]float64, s.size), stamp: make([]uint32, s.size), calls: make([]demandCall, len(s.nodes))}
}

// Sum returns the sum of the elements, each counted as often as it is listed, at the
// input, and adds scale times its gradient to grad.
func (m *DemandState) Sum(input []float64, elems []int, scale float64, gradient []float64) (float64, error) {
	m.begin(input)
	sum := 0.0
	for _, i := range elems {
		if err := m.need(m.s.root, int32(i)); err != nil {
			return 0, err
		}
		sum += m.at(m.s.root, int32(i))
	}
	for _, i := range elems {
		m.push(m.s.root, int32(i), scale)
	}
	for k := len(m.visited) - 1; k >= 0; k-- {
		m.pull(&m.visited[k])
	}
	for i, a := range m.adj[:m.s.dim] {
		gradient[i] += a
	}
	return sum, nil
}

func (m *DemandState) begin(input []float64) {
	if m.run++; m.run == 0 { // the counter has wrapped around
		clear(m.stamp)
		m.run = 1
	}
	copy(m.val[:m.s.dim], input)
	clear(m.adj[:m.s.dim])
	m.visited, m.partials = m.visited[:0], m.partials[:0]
}

// at is element i of node x; a node of length 1 stands for any of its elements.
func (m *DemandState) at(x, i int32) float64 {
	n := &m.s.nodes[x]
	if n.n == 1 {
		i = 0
	}
	if n.kind == graph.KindConst {
		return n.data[i]
	}
	return m.val[n.base+i]
}

// push adds to the adjoint of an element.
func (m *DemandState) push(x, i int32, a float64) {
	n := &m.s.nodes[x]
	if n.n == 1 {
		i = 0
	}
	if n.active {
		m.adj[n.base+i] += float64(a) // which may be a product
	}
}

// need computes an element, if that was not done in this run.
func (m *DemandState) need(x, i int32) error {
	n := &m.s.nodes[x]
	if n.n == 1 {
		i = 0
	}
	if n.runtimeConst {
		return nil
	}
	if n.kind == graph.KindView {
		return m.need(n.in[0], n.off+i)
	}
	_, separable := n.fn.(PerOutput)
	if n.fn != nil && !separable {
		i = 0
	}
	at := n.base + i
	if m.stamp[at] == m.run {
		return nil
	}
	if n.fn != nil {
		if separable {
			return m.piece(x, i)
		}
		return m.whole(x)
	}
	if err := m.needInputs(n, i); err != nil {
		return err
	}
	m.val[at] = m.compute(n, i)
	m.note(x, i, at, 1)
	return nil
}

// note marks n numbers as computed.
func (m *DemandState) note(x, i, at, n int32) {
	for k := at; k < at+n; k++ {
		m.stamp[k], m.adj[k] = m.run, 0
	}
	m.visited = append(m.visited, visited{node: x, elem: i, partials: len(m.partials)})
}

// needInputs computes what element i of n needs. Of a gather, which may have a node for each
// observation, only the one that the element comes from is visited.
func (m *DemandState) needInputs(n *demandNode, i int32) error {
	if n.kind == graph.KindGather {
		r := n.refs[i]
		return m.need(n.in[r.Node], r.Elem)
	}
	for k := range n.in {
		if err := m.needInput(n, k, i); err != nil {
			return err
		}
	}
	return nil
}

// needInput computes what element i of n needs of its input k.
func (m *DemandState) needInput(n *demandNode, k int, i int32) error {
	switch n.kind {
	case graph.KindMap:
		return m.need(n.in[k], i)
	case graph.KindMatVec, graph.KindMatTVec:
		if k == 0 {
			from, step, count := m.row(n, i)
			return m.needAll(n.in[0], from, step, count)
		}
	}
	return m.needAll(n.in[k], 0, 1, m.s.nodes[n.in[k]].n)
}

// row reports where the numbers of the matrix lie that element i of a product needs.
func (m *DemandState) row(n *demandNode, i int32) (from, step, count int32) {
	cols := m.s.nodes[n.in[0]].n / max(n.off, 1)
	if n.kind == graph.KindMatTVec {
		return i * n.off, 1, n.off
	}
	return i, n.off, cols
}

// constantRow is the row of a constant matrix that element i of a product needs, and
// the vector.
func (m *DemandState) constantRow(n *demandNode, i int32) (row []float64, x *demandNode, ok bool) {
	x = &m.s.nodes[n.in[1]]
	if n.data == nil || !x.active {
		return nil, nil, false
	}
	return n.data[i*x.n : (i+1)*x.n], x, true
}

func (m *DemandState) needAll(x, from, step, count int32) error {
	if m.s.nodes[x].runtimeConst {
		return nil
	}
	for k := range count {
		if err := m.need(x, from+k*step); err != nil {
			return err
		}
	}
	return nil
}

// compute is element i of a node whose inputs are there.
func (m *DemandState) compute(n *demandNode, i int32) float64 {
	switch n.kind {
	case graph.KindMap:
		switch len(n.in) {
		case 1:
			return n.op.F1(m.at(n.in[0], i))
		case 2:
			return n.op.F2(m.at(n.in[0], i), m.at(n.in[1], i))
		}
		return n.op.F3(m.at(n.in[0], i), m.at(n.in[1], i), m.at(n.in[2], i))
	case graph.KindGather:
		r := n.refs[i]
		return m.at(n.in[r.Node], r.Elem)
	case graph.KindMatVec, graph.KindMatTVec:
		if row, x, ok := m.constantRow(n, i); ok {
			return vec.Dot(row, m.val[x.base:x.base+x.n])
		}
		from, step, count := m.row(n, i)
		sum := 0.0
		for k := range count {
			sum += float64(m.at(n.in[0], from+k*step) * m.at(n.in[1], k))
		}
		return sum
	}
	sum := 0.0 // kindSum and kindDot
	for k := range m.s.nodes[n.in[0]].n {
		v := m.at(n.in[0], k)
		if n.kind == graph.KindDot {
			v *= m.at(n.in[1], k)
		}
		sum += v
	}
	return sum
}

// pull carries the adjoint of an element to its inputs.
func (m *DemandState) pull(f *visited) {
	n := &m.s.nodes[f.node]
	if !n.active {
		return
	}
	if n.fn != nil {
		m.pullCall(n, f)
		return
	}
	i := f.elem
	a := m.adj[n.base+i]
	if a == 0 {
		return
	}
	switch n.kind {
	case graph.KindMap:
		m.pullMap(n, i, a)
	case graph.KindGather:
		r := n.refs[i]
		m.push(n.in[r.Node], r.Elem, a)
	case graph.KindMatVec, graph.KindMatTVec:
		if row, x, ok := m.constantRow(n, i); ok {
			adj := m.adj[x.base : x.base+x.n]
			for k, v := range row {
				adj[k] += float64(a * v)
			}
			return
		}
		from, step, count := m.row(n, i)
		for k := range count {
			x, y := m.at(n.in[0], from+k*step), m.at(n.in[1], k)
			m.push(n.in[0], from+k*step, a*y)
			m.push(n.in[1], k, a*x)
		}
	case graph.KindSum:
		for k := range m.s.nodes[n.in[0]].n {
			m.push(n.in[0], k, a)
		}
	case graph.KindDot:
		for k := range m.s.nodes[n.in[0]].n {
			x, y := m.at(n.in[0], k), m.at(n.in[1], k)
			m.push(n.in[0], k, a*y)
			m.push(n.in[1], k, a*x)
		}
	}
}

func (m *DemandState) pullMap(n *demandNode, i int32, a float64) {
	if !n.op.Differentiable() {
		return
	}
	f := m.val[n.base+i]
	switch len(n.in) {
	case 1:
		m.push(n.in[0], i, n.op.Back1(a, m.at(n.in[0], i), f))
	case 2:
		dx, dy := n.op.Back2(a, m.at(n.in[0], i), m.at(n.in[1], i), f)
		m.push(n.in[0], i, dx)
		m.push(n.in[1], i, dy)
	default:
		dx, dy, dz := n.op.D3(m.at(n.in[0], i), m.at(n.in[1], i), m.at(n.in[2], i), f)
		m.push(n.in[0], i, a*dx)
		m.push(n.in[1], i, a*dy)
		m.push(n.in[2], i, a*dz)
	}
}
