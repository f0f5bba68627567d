// Fused multiply-adds: a product that only one sum uses is rounded together with it.

package codegen

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
)

// The fused operations. Only compiled programs have them, so that they need no
// derivatives.
var (
	MulAdd    = &graph.Op{Name: "multiply_add", Code: graph.CodeMulAdd, F3: math.FMA}
	MulSub    = &graph.Op{Name: "multiply_subtract", Code: graph.CodeMulSub, F3: func(x, y, z float64) float64 { return math.FMA(x, y, -z) }}
	NegMulAdd = &graph.Op{Name: "subtract_product", Code: graph.CodeNegMulAdd, F3: func(x, y, z float64) float64 { return math.FMA(-x, y, z) }}
)

// Fused reports whether an operation is one of these.
func Fused(op *graph.Op) bool { return op.Code >= graph.CodeMulAdd && op.Code <= graph.CodeNegMulAdd }

// fuseWidth is the greatest length of vectors whose products are fused: the interpreter
// has no loop for them, and takes element by element.
const fuseWidth = 4

// fuse replaces sums with products, in the program and not in the graph.
//
// A difference of two products stays as it is: where they are equal it is 0, which
// rounding only one of them would spoil.
func (c *Compiler) fuse() {
	uses := make([]uint8, c.g.Count)
	for x := range graph.Node(c.g.Count) {
		if !c.live[x] {
			continue
		}
		for _, y := range c.g.At(x).In() {
			uses[y] = min(uses[y]+1, 2)
		}
	}
	for x := range graph.Node(c.g.Count) {
		n := c.g.At(x)
		if !c.live[x] || n.Kind != graph.KindMap || n.Op != graph.Add && n.Op != graph.Sub || !c.fusible(n) {
			continue
		}
		first, second := c.product(n, n.Few[0], uses), c.product(n, n.Few[1], uses)
		switch {
		case n.Op == graph.Sub && c.isProduct(n.Few[0]) && c.isProduct(n.Few[1]):
		case second && (!first || n.Few[1] > n.Few[0]): // what is computed last waits least
			op := MulAdd
			if n.Op == graph.Sub {
				op = NegMulAdd
			}
			c.replace(x, op, n.Few[1], n.Few[0])
		case first:
			op := MulAdd
			if n.Op == graph.Sub {
				op = MulSub
			}
			c.replace(x, op, n.Few[0], n.Few[1])
		}
	}
}

// isProduct reports whether a node multiplies.
func (c *Compiler) isProduct(x graph.Node) bool {
	n := c.g.At(x)
	return n.Kind == graph.KindMap && (n.Op == graph.Mul || n.Op == graph.Square)
}

// product reports whether x is a product that is there for the sum n alone.
func (c *Compiler) product(n *graph.NodeDef, x graph.Node, uses []uint8) bool {
	p := c.at(x)
	return c.isProduct(x) && uses[x] == 1 && !c.root[x] && p.N == n.N && p.Active == n.Active && c.fusible(p)
}

// fusible reports whether a node is short, and its inputs are of its length, or scalars.
func (c *Compiler) fusible(n *graph.NodeDef) bool {
	if n.N < 1 || n.N > fuseWidth {
		return false
	}
	for _, y := range n.In() {
		if k := c.g.At(y).N; k != n.N && k != 1 {
			return false
		}
	}
	return true
}

// replace makes node x the fused operation of a product and a summand.
func (c *Compiler) replace(x graph.Node, op *graph.Op, product, summand graph.Node) {
	p := c.g.At(product)
	n := *c.g.At(x)
	n.Op, n.Count, n.Few = op, 3, [3]graph.Node{p.Few[0], p.Few[0], summand}
	if p.Op == graph.Mul {
		n.Few[1] = p.Few[1]
	}
	if c.changed == nil {
		c.changed = make([]int32, c.g.Count)
	}
	c.fusedNodes = append(c.fusedNodes, n)
	c.changed[x] = int32(len(c.fusedNodes))
	c.live[product] = false
}

// at is a node as the program computes it.
func (c *Compiler) at(x graph.Node) *graph.NodeDef {
	if c.changed != nil && c.changed[x] != 0 {
		return &c.fusedNodes[c.changed[x]-1]
	}
	return c.g.At(x)
}

// EmitFused makes the instruction of n fused operations; address gives where element i of
// operand k is.
func (c *Compiler) EmitFused(op *graph.Op, dst, n int, address func(k, i int) int) {
	ins := Instr{Code: IMulAdd + Icode(op.Code-graph.CodeMulAdd), N: int32(n), Dst: int32(dst), A: int32(len(c.Idx))}
	for k := range 3 {
		for i := range n {
			c.Idx = append(c.Idx, int32(address(k, i)))
		}
	}
	c.Code = append(c.Code, ins)
}

// emitFusedRun is emitFused for scalar nodes.
func (c *Compiler) emitFusedRun(r run, op *graph.Op) {
	dst := c.size
	for _, x := range r {
		c.place(x, 1)
	}
	c.EmitFused(op, dst, len(r), func(k, i int) int { return c.slot[c.at(r[i]).Few[k]] })
}

// emitFusedVector is emitFused for the elements of a vector.
func (c *Compiler) emitFusedVector(x graph.Node, n *graph.NodeDef) {
	c.place(x, n.Len())
	c.EmitFused(n.Op, c.slot[x], n.Len(), func(k, i int) int {
		y := n.Few[k]
		if c.at(y).N == 1 {
			i = 0
		}
		return c.slot[y] + i
	})
}

// triple returns the addresses of the three operands of each of an instruction's results.
func (ins *Instr) triple(idx []int32) (a, b, c []int32) {
	n := ins.N
	idx = idx[ins.A:][:3*n]
	return idx[:n], idx[n : 2*n], idx[2*n:]
}
