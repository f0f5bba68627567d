// Which scalar operations are alike.

package opt

import "github.com/seed-12b88e03/ppl/autodiff/internal/graph"

// An isomorphic is a partition that numbers sets of scalar operations that are isomorphic: each member of a class does the
// same operation to operands of the same labels. An operand's label is its class if it is
// such an operation itself; that of elements of a vector is the vector's; constants share
// one. What many use has a label of its own: in a vector operation it is one number for all.
//
// So the members of a class are made of members of the same classes, and none is made of
// another one; nor can two classes each be made of the other. In a recurrence every iteration
// has classes of its own.
type isomorphic struct {
	keys  []isoKey
	slots []int32 // a hash table of classes, with open addressing; 0 is free
}

// An isoKey is what the members of a class share.
type isoKey struct {
	op *graph.Op
	in [3]int32
}

// anyConstant is the label of constants. Those of classes are greater, all others less.
const anyConstant = 0

// classify finds the class of every scalar operation, and the classes with enough members;
// false where there are none.
func (p *slpVectorizer) classify() bool {
	p.countUses()
	n := p.g.Size()
	p.class, p.place = make([]int32, n), make([]int32, n)
	var all isomorphic
	sizes := []int32{0}
	for x := range graph.Node(n) {
		if !p.scalar(x) {
			continue
		}
		key := isoKey{op: p.g.At(x).Op}
		for k, y := range p.g.At(x).In() {
			key.in[k] = p.label(y)
		}
		c := all.of(key)
		if int(c) == len(sizes) {
			sizes = append(sizes, 0)
		}
		p.class[x], p.place[x] = c, sizes[c]
		sizes[c]++
	}
	p.groups = make([]*group, len(sizes))
	found := false
	for c, size := range sizes {
		if size >= minIsomorphic {
			p.groups[c] = &group{op: all.keys[c-1].op, members: make([]graph.Node, 0, size), vector: graph.None}
			found = true
		}
	}
	if !found {
		return false
	}
	for x := range graph.Node(n) {
		if gr := p.group(x); gr != nil {
			gr.members = append(gr.members, x)
		}
	}
	return true
}

// scalar reports whether a node is an operation on numbers that is needed.
func (p *slpVectorizer) scalar(x graph.Node) bool {
	n := p.g.At(x)
	return p.needed[x] && n.Kind == graph.KindMap && n.N == 1
}

func (p *slpVectorizer) countUses() {
	p.uses = make([]int32, p.g.Size())
	for x := range graph.Node(p.g.Size()) {
		if p.scalar(x) {
			for _, y := range p.g.At(x).In() {
				p.uses[y]++
			}
		}
	}
}

// label is that of an operand of a scalar operation.
func (p *slpVectorizer) label(y graph.Node) int32 {
	n := p.g.At(y)
	switch {
	case n.Kind == graph.KindConst:
		return anyConstant
	case p.uses[y] >= minIsomorphic:
		return ^int32(y)
	case n.Kind == graph.KindView:
		return ^int32(n.Few[0])
	case p.class[y] > 0:
		return p.class[y]
	}
	return ^int32(y)
}

// of returns the class of a key, from 1, in the order in which they came up.
func (c *isomorphic) of(key isoKey) int32 {
	if 2*len(c.keys) >= len(c.slots) {
		c.slots = make([]int32, max(256, 4*len(c.slots)))
		for i := range c.keys {
			c.slots[c.find(&c.keys[i])] = int32(i + 1)
		}
	}
	at := c.find(&key)
	if c.slots[at] == 0 {
		c.keys = append(c.keys, key)
		c.slots[at] = int32(len(c.keys))
	}
	return c.slots[at]
}

// find returns the slot that has a key, or the free one where it would be.
func (c *isomorphic) find(key *isoKey) uint32 {
	h := graph.Mixed(uint64(key.op.Code), uint64(uint32(key.in[0]))<<32|uint64(uint32(key.in[1])))
	h = graph.Mixed(h, uint64(uint32(key.in[2])))
	mask := uint32(len(c.slots) - 1)
	at := uint32(h>>32) & mask
	for c.slots[at] != 0 && c.keys[c.slots[at]-1] != *key {
		at = (at + 1) & mask
	}
	return at
}

// An operandForm is how an operand of a group's members lies.
type operandForm uint8

const (
	same      operandForm = iota // one number for all
	constants                    // constants
	aligned                      // neighbours in the vector of a group
	scattered                    // anywhere
)

// form finds how operand k of a group lies.
func (p *slpVectorizer) form(gr *group, k int) operandForm {
	first := p.g.At(gr.members[0]).Few[k]
	from, start := p.group(first), p.place[first]
	all := [scattered]bool{same: true, constants: true, aligned: from != nil}
	for i, x := range gr.members {
		y := p.g.At(x).Few[k]
		all[same] = all[same] && y == first
		all[constants] = all[constants] && p.g.At(y).Kind == graph.KindConst
		all[aligned] = all[aligned] && p.group(y) == from && p.place[y] == start+int32(i)
	}
	for f, yes := range all {
		if yes {
			return operandForm(f)
		}
	}
	return scattered
}
