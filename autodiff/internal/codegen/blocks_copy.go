// Gathers and accumulations within blocks.

package codegen

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// inPlace reports whether what a gather picks lies next to each other already; the gather is
// then there.
func (c *Compiler) inPlace(x graph.Node, n *graph.NodeDef) bool {
	off := 0
	for i, r := range n.Refs {
		y := n.In()[r.Node]
		if c.class[y] != classFree && c.blocks.here(y) {
			return false
		}
		at := c.slot[y] + int(r.Elem)
		if i == 0 {
			off = at
		}
		if at != off+i {
			return false
		}
	}
	c.slot[x] = off
	return true
}

// placeInGather lets the scalars of the block that a gather picks be stored there.
func (c *Compiler) placeInGather(n *graph.NodeDef, slot int) {
	for i, r := range n.Refs {
		y := n.In()[r.Node]
		if c.blocks.here(y) && c.at(y).N == 1 && c.slot[y] == native.NoSlot {
			c.slot[y] = slot + i
		}
	}
}

// copies makes a gather, four numbers at a time where they are the same or lie next to
// each other.
func (c *Compiler) copies(n *graph.NodeDef, slot int32) {
	b := c.blocks
	for i := 0; i < n.Len(); i++ {
		if i+Lanes <= n.Len() {
			if v, ok := c.together(n, i); ok {
				b.add(native.Inst{Op: native.Copy, Wide: true, A: v, Slot: slot + int32(i)})
				i += Lanes - 1
				continue
			}
		}
		r := n.Refs[i]
		y := n.In()[r.Node]
		if b.here(y) && c.at(y).N == 1 && c.slot[y] == int(slot)+i {
			continue // stored there when it was computed
		}
		b.add(native.Inst{Op: native.Copy, A: c.element(y, int(r.Elem)), Slot: slot + int32(i)})
	}
}

// together returns elements i to i+3 of a gather where that takes one instruction at most.
func (c *Compiler) together(n *graph.NodeDef, i int) (native.Value, bool) {
	var v [Lanes]native.Value
	same, next := true, true
	for k := range v {
		r := n.Refs[i+k]
		v[k] = c.element(n.In()[r.Node], int(r.Elem))
		same = same && v[k] == v[0]
		next = next && v[k] < 0 && ^v[k] == ^v[0]+native.Value(k)
	}
	switch {
	case same:
		return c.blocks.splat(v[0]), true
	case next:
		return v[0], true
	}
	return 0, false
}

// scatter makes an Accumulate node: each element starts from 0 and has what it gets added
// in the order of the parts.
func (c *Compiler) scatter(n *graph.NodeDef, slot int32) {
	b := c.blocks
	to, from := contributionsOf(c.g, n)
	order := make([]int32, len(to))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int { return int(to[i]) - int(to[j]) })
	k := 0
	for i := range n.Len() {
		acc := native.InSlot(b.zero)
		if k == len(order) || int(to[order[k]]) != i {
			b.add(native.Inst{Op: native.Copy, A: acc, Slot: slot + int32(i)})
			continue
		}
		for ; k < len(order) && int(to[order[k]]) == i; k++ {
			r := from[order[k]]
			acc = b.apply(native.Add, false, acc, c.element(n.In()[r.Node], int(r.Elem)))
		}
		b.list[acc].Slot = slot + int32(i)
	}
}

// contributionsOf lists where the contributions to an Accumulate node go, and what they
// are, the node being an index of its inputs.
func contributionsOf(g *graph.Graph, n *graph.NodeDef) (to []int32, from []graph.Ref) {
	for k := range n.Parts {
		p := &n.Parts[k]
		size := g.At(n.In()[p.Src]).Len()
		if p.At == nil {
			for i := range size {
				to, from = append(to, int32(p.Off+i)), append(from, graph.Ref{Node: graph.Node(p.Src), Elem: int32(i)})
			}
			continue
		}
		for i, a := range p.At {
			r := graph.Ref{Node: graph.Node(p.Src), Elem: 0}
			if size > 1 {
				r.Elem = p.From[i]
			}
			to, from = append(to, a), append(from, r)
		}
	}
	return to, from
}
