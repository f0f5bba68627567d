// Which classes of scalar operations are worth a vector.

package opt

import "github.com/seed-12b88e03/ppl/autodiff/internal/graph"

// About what a number costs, in operations of the interpreter: with the derivative, which
// goes back over whatever is copied.
const (
	costOperation = 2 // saved by a vector operation
	costGather    = 3 // an operand that must be collected
	costView      = 1 // a result that a scalar operation uses
)

// minGathered is the least number of scalar operations that are worth a vector where an
// operand must be collected: what is the same for a few of them each.
const minGathered = 4 * minIsomorphic

// choose drops the groups that do not pay, and reports whether any are left.
//
// A group with several operands to collect, and none that lies ready, is better begun one
// operation later. Of the rest, groups that use each other's vectors are kept or dropped together.
func (p *slpVectorizer) choose() bool {
	w := costModel{slpVectorizer: p, parent: make([]int32, len(p.groups)), gain: make([]int, len(p.groups))}
	for c, gr := range p.groups { // what members are made of comes first
		w.parent[c] = int32(c)
		if gr != nil && !w.weigh(int32(c), gr) {
			p.groups[c] = nil
		}
	}
	w.views()
	for c := range p.groups {
		if root := w.root(int32(c)); int(root) != c {
			w.gain[root] += w.gain[c]
		}
	}
	left := false
	for c := range p.groups {
		if w.gain[w.root(int32(c))] <= 0 {
			p.groups[c] = nil
		}
		left = left || p.groups[c] != nil
	}
	return left
}

// costModel knows what groups gain, and which use each other's vectors: sets of classes, each
// a tree.
type costModel struct {
	*slpVectorizer
	parent []int32
	gain   []int
}

func (w *costModel) root(c int32) int32 {
	for w.parent[c] != c {
		w.parent[c] = w.parent[w.parent[c]]
		c = w.parent[c]
	}
	return c
}

// weigh computes the gain and the cost of a group from its operands, and joins it with their groups; false
// where it should be dropped.
func (w *costModel) weigh(c int32, gr *group) bool {
	size := len(gr.members)
	gain, collected, ready := costOperation*size, 0, false
	var from []int32
	for k := range gr.op.Arity() {
		first := w.g.At(gr.members[0]).Few[k]
		switch w.form(gr, k) {
		case aligned:
			ready = true
			from = append(from, w.class[first])
		case scattered:
			if w.neighbours(gr, k) {
				ready = true
				continue
			}
			collected++
			gain -= costGather * size
		}
	}
	if collected > 1 && !ready || collected > 0 && size < minGathered {
		return false
	}
	w.gain[c] = gain
	for _, d := range from {
		w.parent[w.root(d)] = w.root(c)
	}
	return true
}

// neighbours reports whether operand k of a group is a run of elements of a vector.
func (w *costModel) neighbours(gr *group, k int) bool {
	first := w.g.At(w.g.At(gr.members[0]).Few[k])
	for i, x := range gr.members {
		n := w.g.At(w.g.At(x).Few[k])
		if n.Kind != graph.KindView || n.Few[0] != first.Few[0] || n.Off != first.Off+int32(i) {
			return false
		}
	}
	return first.Kind == graph.KindView
}

// views subtracts the cost of views: scalar operations that read elements of groups need them.
func (w *costModel) views() {
	for x := range graph.Node(w.g.Size()) {
		if !w.scalar(x) || w.group(x) != nil {
			continue
		}
		for _, y := range w.g.At(x).In() {
			if w.group(y) != nil {
				w.gain[w.class[y]] -= costView
			}
		}
	}
}
