// Checks: what calls of the library require of numbers that depend on parameters.
//
// The reference interpreter makes every call, and rejects a point where one is not given what it
// takes. A program drops what nothing uses, and calls that were expanded check nothing. So
// each call that may be rejected leaves an obligation here, and when the recording is complete the
// obligations are discharged (checks_discharge.go): most hold because the program fails or has no finite result
// where the call is rejected, for which the reference interpreter is asked then; for the others
// checks are added to the program's effects.

package trace

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// checks are the obligations of a recording.
type checks struct {
	obligations []obligation
	bounds      []bound
	from        []asked // of each bound
	known       map[bound]int32
	calls       []callCheck

	valid map[autodiff.Node]bool // simplexes and Cholesky factors that transforms and softmax made
	taken map[taken]int32        // what calls take as such, and the check of it
}

// An obligation is what one call requires, until it is discharged.
type obligation struct {
	out           autodiff.Node // its value
	selfChecking  bool          // whatever is wrong makes the node itself fail, if it is in the program
	sign          stdlib.Sign   // what its value is where what call says does not hold
	check         int32         // of calls; -1 for none
	preconditions []precondition
	body          *autodiff.LoopBody // in which it was made, if it differs between iterations
	places        []autodiff.Place   // where its value then is; nil if nothing needs it
}

// A precondition is a bound that a call requires, and what the call's value is where it is not met.
type precondition struct {
	bound int32
	sign  stdlib.Sign
}

// A bound is that numbers are in an interval.
type bound struct {
	x         autodiff.Node
	low, high float64
}

// callCheck are a function that is rejected where a call is.
type callCheck struct {
	fn   autodiff.Opaque
	size int
	in   []autodiff.Node
}

// taken is a simplex or a Cholesky factor, and the function that takes it.
type taken struct {
	x  autodiff.Node
	by string
}

func newChecks() checks {
	return checks{known: map[bound]int32{}, valid: map[autodiff.Node]bool{}, taken: map[taken]int32{}}
}

// made notes what the named transform made.
func (c *checks) made(transform string, x autodiff.Node) {
	switch transform {
	case "simplex", "cholesky_factor_corr", "cholesky_factor_cov":
		c.valid[x] = true
	}
}

// call notes a call that is a node of its own.
func (c *checks) call(x autodiff.Node) {
	c.obligations = append(c.obligations, obligation{out: x, selfChecking: true, check: -1})
}

// pointwise notes a call whose value is NaN where it is rejected.
func (c *checks) pointwise(x autodiff.Node) {
	c.obligations = append(c.obligations, obligation{out: x, sign: stdlib.IsNaN, check: -1})
}

// whole notes a call that was expanded as x, and fn, which is rejected where the call is.
func (c *checks) whole(x autodiff.Node, fn autodiff.Opaque, size int, in []autodiff.Node, sign stdlib.Sign) {
	c.calls = append(c.calls, callCheck{fn, size, in})
	c.obligations = append(c.obligations, obligation{out: x, sign: sign, check: int32(len(c.calls) - 1)})
}

// written notes a call that was expanded as x.
func (c *checks) written(r *Recorder, at source.Span, fn *stdlib.Function, args []*eval.Value, x autodiff.Node) {
	if list := stdlib.Demands(fn, len(args), r.Full); list != nil {
		c.obligations = append(c.obligations, obligation{out: x, sign: stdlib.IsNaN, check: -1, preconditions: c.needs(r, asked{fn.Name, at}, list, args)})
		return
	}
	if j, d, ok := stdlib.NaNExcept(fn, r.Full); ok {
		c.pointwise(x)
		if needs := c.needs(r, asked{fn.Name, at}, []stdlib.Demand{d}, args[j:j+1]); needs != nil {
			c.obligations = append(c.obligations, obligation{out: x, sign: d.Below, check: -1, preconditions: needs})
		}
		return
	}
	if fn.Op != nil {
		k := NewKernelCall(at, fn, args)
		c.whole(x, &validity{k}, 0, r.Nodes(k.ActiveArgs(args)), stdlib.SignOf(fn))
		return
	}
	if needs := c.proportioned(r, at, fn, args); needs != nil {
		c.obligations = append(c.obligations, obligation{out: x, check: -1, preconditions: needs})
	}
	reduced := *fn
	kernel, only := stdlib.Precondition(fn)
	reduced.Kernel = kernel
	if only != nil {
		some := make([]*eval.Value, len(only))
		for i, j := range only {
			some[i] = args[j]
		}
		args = some
	}
	k := NewKernelCall(at, &reduced, args)
	dims, err := kernel.Dims(k.Args)
	if err != nil || len(k.Active) == 0 {
		return
	}
	in, size := r.Nodes(k.ActiveArgs(args)), 1
	for _, d := range dims {
		size *= d
	}
	if takesConstrained[fn.Name] {
		c.constrained(x, k, in)
		return
	}
	c.whole(x, k, size, in, stdlib.SignOf(fn))
}

// takesConstrained are the functions that take a simplex or a Cholesky factor, and require nothing else.
var takesConstrained = map[string]bool{"categorical_lpmf": true, "log_mix": true, "lkj_corr_cholesky_lpdf": true}

// constrained notes a call that takes a simplex or a Cholesky factor; calls of one function on the same one share a check.
// Functions that make such do so for all finite arguments: then only NaN and infinity are left.
func (c *checks) constrained(x autodiff.Node, k *KernelCall, in []autodiff.Node) {
	sign := stdlib.Unseen
	if c.valid[in[0]] {
		sign = stdlib.NotFinite
	}
	key := taken{in[0], k.Fn.Name}
	i, ok := c.taken[key]
	if !ok {
		c.whole(x, k, 0, in, sign)
		c.taken[key] = int32(len(c.calls) - 1)
		return
	}
	c.obligations = append(c.obligations, obligation{out: x, sign: sign, check: i})
}

// needs are the bounds of a call that are not known to be met.
func (c *checks) needs(r *Recorder, by asked, list []stdlib.Demand, args []*eval.Value) []precondition {
	var out []precondition
	for j, a := range args {
		if !a.Active() || a.T.Base == types.IntBase {
			continue
		}
		d := bound{r.Node(a), list[j].Low, list[j].High}
		sign := stdlib.IsNaN
		below, above := r.Graph.Bounds(d.x, d.low, d.high)
		if !below {
			sign = min(sign, list[j].Below)
		}
		if !above {
			sign = min(sign, list[j].Above)
		}
		if !(below && above) && !r.Full && r.Graph.FromExponent(d.x) { // their logarithms are taken off again
			sign, d = stdlib.Unseen, d.ofExponent(r.Graph)
		}
		out = append(out, precondition{c.number(d, by), sign})
	}
	return out
}

// ofExponent is the bound on what an exponential is taken of, where it is one. Close to the
// ends the reference interpreter decides.
func (d bound) ofExponent(g *autodiff.Graph) bound {
	u, ok := g.Exponent(d.x)
	if !ok {
		return d
	}
	const margin = 1e-6
	e := bound{u, math.Inf(-1), math.Inf(1)}
	if d.low > 0 {
		e.low = libm.Log(d.low) + margin
	}
	if d.high < math.Inf(1) {
		e.high = libm.Log(d.high) - margin
	}
	return e
}

// number returns the number of a bound; equal ones have one.
func (c *checks) number(d bound, by asked) int32 {
	i, ok := c.known[d]
	if !ok {
		i = int32(len(c.bounds))
		c.known[d] = i
		c.bounds, c.from = append(c.bounds, d), append(c.from, by)
	}
	return i
}

// end places the obligations from number from on that are of an iteration that is closed. It reports
// whether they can be kept: functions of their own that nothing in the iteration needs cannot.
func (c *checks) end(g *autodiff.Graph, iteration *autodiff.LoopBody, from int) bool {
	for i := from; i < len(c.obligations); i++ {
		k := &c.obligations[i]
		if !iteration.Depends(k.out) {
			continue
		}
		if k.selfChecking {
			return false
		}
		k.body = iteration
		for e := range g.Len(k.out) {
			ref := autodiff.Ref{Node: k.out, Elem: int32(e)}
			p, ok := iteration.Place(ref)
			if !ok { // it may have been computed outside, of what the iterations left
				if all := iteration.VectorOutside(ref); all != autodiff.None {
					p, ok = autodiff.PlaceAt(all), true
				}
			}
			if !ok {
				k.places = nil
				break
			}
			k.places = append(k.places, p)
		}
	}
	return true
}

// A validity is a function of single numbers that does nothing but look whether its arguments
// are valid.
type validity struct{ *KernelCall }

// Fused reports that there is no fused form.
func (v *validity) Fused([]bool) (autodiff.Opaque, bool) { return nil, false }

// Instance makes the argument list of one machine.
func (v *validity) Instance() autodiff.Instance {
	in := append([]stdlib.Tensor(nil), v.Args...)
	return &validityInstance{kernelInstance: kernelInstance{call: v.KernelCall, in: in}, x: make([]float64, len(in))}
}

type validityInstance struct {
	kernelInstance
	x []float64 // one call's arguments
}

// Value fails where arguments are not valid.
func (i *validityInstance) Value(in [][]float64, _ []float64) error {
	i.load(in)
	n := 1
	for _, a := range i.in {
		n = max(n, len(a.X))
	}
	for e := range n {
		for k, a := range i.in {
			i.x[k] = a.X[min(e, len(a.X)-1)]
		}
		if err := i.call.Fn.Valid(i.x); err != nil {
			return i.call.Located(err)
		}
	}
	return nil
}

// VJP has nothing to add.
func (i *validityInstance) VJP([][]float64, []float64, []float64, [][]float64) {}
