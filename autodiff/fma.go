// Fused multiply-adds: a product that only one sum uses is rounded together with it.

package autodiff

import "math"

// The fused operations. Only compiled programs have them, so that they need no
// derivatives.
var (
	mulAdd    = &Op{Name: "multiply_add", code: codeMulAdd, F3: math.FMA}
	mulSub    = &Op{Name: "multiply_subtract", code: codeMulSub, F3: func(x, y, z float64) float64 { return math.FMA(x, y, -z) }}
	negMulAdd = &Op{Name: "subtract_product", code: codeNegMulAdd, F3: func(x, y, z float64) float64 { return math.FMA(-x, y, z) }}
)

// fused reports whether an operation is one of these.
func (op *Op) fused() bool { return op.code >= codeMulAdd && op.code <= codeNegMulAdd }

// fuseWidth is the greatest length of vectors whose products are fused: the interpreter
// has no loop for them, and takes element by element.
const fuseWidth = 4

// fuse replaces sums with products, in the program and not in the graph.
//
// A difference of two products stays as it is: where they are equal it is 0, which
// rounding only one of them would spoil.
func (c *compiler) fuse() {
	uses := make([]uint8, c.g.size)
	for x := range Node(c.g.size) {
		if !c.live[x] {
			continue
		}
		for _, y := range c.g.at(x).in() {
			uses[y] = min(uses[y]+1, 2)
		}
	}
	for x := range Node(c.g.size) {
		n := c.g.at(x)
		if !c.live[x] || n.kind != kindMap || n.op != Add && n.op != Sub || !c.fusible(n) {
			continue
		}
		first, second := c.product(n, n.few[0], uses), c.product(n, n.few[1], uses)
		switch {
		case n.op == Sub && c.isProduct(n.few[0]) && c.isProduct(n.few[1]):
		case second && (!first || n.few[1] > n.few[0]): // what is computed last waits least
			op := mulAdd
			if n.op == Sub {
				op = negMulAdd
			}
			c.replace(x, op, n.few[1], n.few[0])
		case first:
			op := mulAdd
			if n.op == Sub {
				op = mulSub
			}
			c.replace(x, op, n.few[0], n.few[1])
		}
	}
}

// isProduct reports whether a node multiplies.
func (c *compiler) isProduct(x Node) bool {
	n := c.g.at(x)
	return n.kind == kindMap && (n.op == Mul || n.op == Square)
}

// product reports whether x is a product that is there for the sum n alone.
func (c *compiler) product(n *node, x Node, uses []uint8) bool {
	p := c.at(x)
	return c.isProduct(x) && uses[x] == 1 && !c.root[x] && p.n == n.n && p.active == n.active && c.fusible(p)
}

// fusible reports whether a node is short, and its inputs are of its length, or scalars.
func (c *compiler) fusible(n *node) bool {
	if n.n < 1 || n.n > fuseWidth {
		return false
	}
	for _, y := range n.in() {
		if k := c.g.at(y).n; k != n.n && k != 1 {
			return false
		}
	}
	return true
}

// replace makes node x the fused operation of a product and a summand.
func (c *compiler) replace(x Node, op *Op, product, summand Node) {
	p := c.g.at(product)
	n := *c.g.at(x)
	n.op, n.count, n.few = op, 3, [3]Node{p.few[0], p.few[0], summand}
	if p.op == Mul {
		n.few[1] = p.few[1]
	}
	if c.changed == nil {
		c.changed = make([]int32, c.g.size)
	}
	c.fusedNodes = append(c.fusedNodes, n)
	c.changed[x] = int32(len(c.fusedNodes))
	c.live[product] = false
}

// at is a node as the program computes it.
func (c *compiler) at(x Node) *node {
	if c.changed != nil && c.changed[x] != 0 {
		return &c.fusedNodes[c.changed[x]-1]
	}
	return c.g.at(x)
}

// emitFused makes the instruction of n fused operations; address gives where element i of
// operand k is.
func (c *compiler) emitFused(op *Op, dst, n int, address func(k, i int) int) {
	ins := instr{code: iMulAdd + icode(op.code-codeMulAdd), n: int32(n), dst: int32(dst), a: int32(len(c.idx))}
	for k := range 3 {
		for i := range n {
			c.idx = append(c.idx, int32(address(k, i)))
		}
	}
	c.code = append(c.code, ins)
}

// emitFusedRun is emitFused for scalar nodes.
func (c *compiler) emitFusedRun(r run, op *Op) {
	dst := c.size
	for _, x := range r {
		c.place(x, 1)
	}
	c.emitFused(op, dst, len(r), func(k, i int) int { return c.slot[c.at(r[i]).few[k]] })
}

// emitFusedVector is emitFused for the elements of a vector.
func (c *compiler) emitFusedVector(x Node, n *node) {
	c.place(x, n.len())
	c.emitFused(n.op, c.slot[x], n.len(), func(k, i int) int {
		y := n.few[k]
		if c.at(y).n == 1 {
			i = 0
		}
		return c.slot[y] + i
	})
}

// triple returns the addresses of the three operands of each of an instruction's results.
func (ins *instr) triple(idx []int32) (a, b, c []int32) {
	n := ins.n
	idx = idx[ins.a:][:3*n]
	return idx[:n], idx[n : 2*n], idx[2*n:]
}
