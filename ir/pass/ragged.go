// Loops inside loops whose bounds differ from iteration to iteration.

package pass

import (
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// ownersFunction returns for all iterations of inner loops, of which lo and hi are the bounds, one loop after the
// other, the position of the loop that they are of, from 1.
var ownersFunction = &stdlib.Function{Name: "loop_owners", Kernel: raggedKernel(func(owner, _ int) int { return owner })}

// valuesFunction returns for all of these iterations what the loop's variable is.
var valuesFunction = &stdlib.Function{Name: "loop_values", Kernel: raggedKernel(func(_, value int) int { return value })}

// raggedKernel visits the iterations of loops with bounds in two arrays.
func raggedKernel(of func(owner, value int) int) *stdlib.Kernel {
	visit := func(in []stdlib.Tensor, see func(owner, value int)) {
		for k, lo := range in[0].X {
			for v := int(lo); v <= int(in[1].X[k]); v++ {
				see(k+1, v)
			}
		}
	}
	return &stdlib.Kernel{
		Dims: func(in []stdlib.Tensor) ([]int, error) {
			n := 0
			for k, lo := range in[0].X {
				n += max(int(in[1].X[k])-int(lo)+1, 0)
			}
			return []int{n}, nil
		},
		Value: func(in []stdlib.Tensor, out, _ []float64) error {
			k := 0
			visit(in, func(owner, value int) {
				out[k] = float64(of(owner, value))
				k++
			})
			return nil
		}}
}

// ragged writes a loop inside whose bounds, known from data, differ from lane to lane: an iteration of it in a lane
// becomes a lane.
func (l *lanes) ragged(s *ir.For) bool {
	list := flat(s.Body)
	b := newBody(append(slices.Clone(l.body.loops), s), list)
	if !l.data(s.Lo) || !l.data(s.Hi) || !b.dependences().inOrder() {
		return false
	}
	lo, ok1 := l.full(s.Lo, ints)
	hi, ok2 := l.full(s.Hi, ints)
	if !ok1 || !ok2 {
		return false
	}
	bounds := []ir.Expr{l.ref(l.declare("lo", ints, l.count, lo)), l.ref(l.declare("hi", ints, l.count, hi))}
	owners := l.call(ownersFunction, ints, bounds...)
	owner := l.ref(l.declare("owner", ints, l.named("size", owners), owners))
	inner := &lanes{maker: l.maker, frame: l.frame, body: b, local: map[*ir.Var]*ir.Var{}, values: map[*ir.Var]ir.Expr{}}
	inner.total = l.named("size", owner)
	inner.count = inner.total
	spread := func(v *ir.Var) *ir.Var {
		x := l.variable(v)
		return inner.declare(v.Name, x.Type(), inner.total, &ir.Index{Node: l.node(x.Type()), X: x, Indices: []ir.IndexArg{{Kind: ir.Multi, Lo: owner}}})
	}
	for _, f := range l.body.loops {
		if mentions(list, f.Var) {
			inner.values[f.Var] = l.ref(spread(f.Var))
		}
	}
	for _, v := range l.locals(list) {
		if isVector(v.Type) {
			return false
		}
		inner.local[v] = spread(v)
	}
	inner.values[s.Var] = l.ref(inner.declare(s.Var.Name, ints, inner.total, l.call(valuesFunction, ints, bounds...)))
	if !inner.stmts(list) {
		return false
	}
	some := l.named("logical_gt", inner.total, l.int(0))
	l.out = append(l.out, &ir.If{At: ir.At{Loc: s.Span()}, Test: some, Then: inner.out})
	return true
}

// locals are the variables that each lane has and that are read in a list, in the order of their slots.
func (l *lanes) locals(list []ir.Stmt) (out []*ir.Var) {
	for v := range l.local {
		if mentions(list, v) {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b *ir.Var) int { return a.Slot - b.Slot })
	return out
}
