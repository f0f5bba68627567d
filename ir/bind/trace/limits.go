// Limits: what calls require of numbers, for who reads a density off its graph.

package trace

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A Limit is an interval that a call requires the numbers of a node to be in.
type Limit struct {
	X         autodiff.Node
	Low, High float64
	By        string // the function
	At        source.Span
}

// asked is the first call that has a bound.
type asked struct {
	by string
	at source.Span
}

// Endless is what every number is less than that is not tested against the ends of the floating-point numbers.
const Endless = 1e100

// Limits lists what calls of the finished recording require; ok is false where a loop does not keep the numbers, and
// the recording must be made without loops.
func (r *Recorder) Limits() (list []Limit, ok bool) {
	done := make([]bool, len(r.checks.bounds))
	for i := range r.checks.obligations {
		k := &r.checks.obligations[i]
		for _, p := range k.preconditions {
			d := r.checks.bounds[p.bound]
			if done[p.bound] || d.low < -Endless && d.high > Endless || r.Graph.Constant(d.x) {
				continue
			}
			done[p.bound] = true
			nodes := []autodiff.Node{d.x}
			if k.body != nil && k.body.Depends(d.x) {
				if nodes = r.outside(k.body, d.x); nodes == nil {
					return nil, false
				}
			}
			for _, x := range nodes {
				list = append(list, Limit{x, d.low, d.high, r.checks.from[p.bound].by, r.checks.from[p.bound].at})
			}
		}
	}
	return list, true
}

// outside are the numbers of a node of an iteration in all iterations, a node for each; nil where they are not kept.
func (r *Recorder) outside(body *autodiff.LoopBody, x autodiff.Node) (all []autodiff.Node) {
	for e := range r.Graph.Len(x) {
		v := body.VectorOutside(autodiff.Ref{Node: x, Elem: int32(e)})
		if v == autodiff.None {
			return nil
		}
		all = append(all, v)
	}
	return all
}

// proportions are the functions whose argument, by its place, is of proportions, which are not otherwise demanded one by one.
var proportions = map[string]int{"categorical_lpmf": 1, "multinomial_lpmf": 1, "log_mix": 0}

// proportioned is what a call requires of proportions, one by one; nil where it has none.
func (c *checks) proportioned(r *Recorder, at source.Span, fn *stdlib.Function, args []*eval.Value) []precondition {
	j, ok := proportions[fn.Name]
	if !ok || !r.Full || !args[j].Active() {
		return nil
	}
	return []precondition{{c.number(bound{r.Node(args[j]), 0, 1}, asked{fn.Name, at}), stdlib.Unseen}}
}
