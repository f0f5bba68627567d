// Random draws of generated quantities as functions of a graph.

package trace

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A drawCall is one call of an _rng function, or the same call in all iterations of a loop. The
// result of the call before is a further input: all calls read one stream of random numbers,
// and this keeps them in the order of the program.
type drawCall struct {
	*KernelCall
	try  byte // in which it was recorded
	each bool // a number for each iteration of a loop, of active arguments that are given by elements, an input each
}

// Fused reports that there is no derivative.
func (drawCall) Fused([]bool) (autodiff.Opaque, bool) { return nil, false }

// Instance makes the argument list of one machine.
func (d drawCall) Instance() autodiff.Instance {
	i := &drawInstance{call: d, in: slices.Clone(d.Args)}
	if d.each {
		for _, p := range d.Active {
			i.in[p].X = slices.Clone(d.Args[p].X)
		}
	}
	return i
}

// A drawInstance is the state of a drawCall in a machine.
type drawInstance struct {
	call   drawCall
	in     []stdlib.Tensor
	random *rand.Rand // the stream; nil where a recording only wants to see some numbers
}

// Value draws.
func (i *drawInstance) Value(in [][]float64, out []float64) error {
	if i.random == nil {
		i.random = SomeNumbers(i.call.try)
	}
	if i.call.each {
		return i.drawEach(in, out)
	}
	for k, p := range i.call.Active {
		i.in[p].X = in[k]
	}
	if err := i.call.Fn.Draw.Draw(i.random, i.in, out); err != nil {
		return i.call.Located(err)
	}
	return nil
}

// drawEach draws a number for each iteration.
func (i *drawInstance) drawEach(in [][]float64, out []float64) error {
	for t := range out {
		rest := in
		for _, p := range i.call.Active {
			x := i.in[p].X
			for e := range x {
				x[e] = rest[e][min(t, len(rest[e])-1)]
			}
			rest = rest[len(x):]
		}
		if err := i.call.Fn.Draw.Draw(i.random, i.in, out[t:t+1]); err != nil {
			return i.call.Located(err)
		}
	}
	return nil
}

// VJP adds nothing.
func (*drawInstance) VJP([][]float64, []float64, []float64, [][]float64) {}

// SomeNumbers is a stream for recordings, in which the numbers drawn do not matter.
func SomeNumbers(try byte) *rand.Rand { return rand.New(rand.NewChaCha8([32]byte{try})) }

// mostDraws is how many calls a program may have.
const mostDraws = 1 << 17

// ErrPlainRows reports that rows are for the reference interpreter.
var ErrPlainRows = errors.New("bind: rows have no program")

// drawing is what a recorder knows of random draws.
type drawing struct {
	Try     byte // what the numbers depend on that a recording sees
	calls   int
	last    autodiff.Node  // the call before
	inLoop  int            // calls of the traced iteration
	refused bool           // that iteration cannot be kept
	ints    []autodiff.Ref // that are to be within their range
}

// Draw implements eval.DrawRecorder.
func (r *Recorder) Draw(at source.Span, fn *stdlib.Function, args []*eval.Value, out *eval.Value) autodiff.Node {
	r.Draws.calls++
	if r.tracing {
		x, ok := r.drawAll(at, fn, args)
		r.Draws.refused = r.Draws.refused || !ok
		return x
	}
	call := NewKernelCall(at, fn, args)
	x := r.draw(call, len(out.X), r.Nodes(call.ActiveArgs(args)), false)
	r.note(x, true, args)
	return x
}

// draw adds a call after the one before.
func (r *Recorder) draw(call *KernelCall, n int, in []autodiff.Node, each bool) autodiff.Node {
	before := r.Draws.last
	if before == autodiff.None {
		before = r.Graph.Input() // what depends on nothing is computed once
	}
	r.Draws.last = r.Graph.Opaque(drawCall{call, r.Draws.Try, each}, n, append(in, before)...)
	return r.Draws.last
}

// drawsKept is how many draws an iteration has that is kept.
const drawsKept = 1

// drawAll adds a call for all iterations of a loop, and returns the placeholder of its result. That
// is the order of the program where an iteration has no other call, and it can be done where the
// arguments do not depend on the iteration before.
func (r *Recorder) drawAll(at source.Span, fn *stdlib.Function, args []*eval.Value) (autodiff.Node, bool) {
	r.Draws.inLoop++
	switch {
	case r.Draws.inLoop > drawsKept || len(args) == 0:
		return autodiff.None, false
	case !scalars(args):
		return r.drawElements(at, fn, args)
	}
	n := r.body.Iterations()
	call, nodes := NewKernelCall(at, fn, args), make([]autodiff.Node, len(args))
	for k, a := range args {
		if !a.Active() {
			nodes[k] = autodiff.None
			continue
		}
		x, ok := r.body.VectorEarly(a.Ref(0))
		if !ok {
			return autodiff.None, false
		}
		nodes[k] = x
	}
	call.repeat(r.Graph, nodes, n)
	dims, err := fn.Draw.Dims(call.Args)
	if err != nil || !slices.Equal(dims, []int{n}) {
		return autodiff.None, false
	}
	in := slices.DeleteFunc(nodes, func(x autodiff.Node) bool { return x == autodiff.None })
	return r.body.Step(r.draw(call, n, in, false)), true
}

// drawElements is drawAll for a number from a distribution with containers as arguments.
func (r *Recorder) drawElements(at source.Span, fn *stdlib.Function, args []*eval.Value) (autodiff.Node, bool) {
	call := NewKernelCall(at, fn, args)
	const most = 64 // numbers that a draw has as arguments
	if dims, err := fn.Draw.Dims(call.Args); err != nil || len(dims) > 0 || numbers(args) > most {
		return autodiff.None, false
	}
	var in []autodiff.Node
	for _, a := range call.ActiveArgs(args) {
		for e := range a.X {
			x := r.Graph.Scalar(a.X[e])
			if ref := a.Ref(e); ref.Node != autodiff.None {
				var ok bool
				if x, ok = r.body.VectorEarly(ref); !ok {
					return autodiff.None, false
				}
			}
			in = append(in, x)
		}
	}
	return r.body.Step(r.draw(call, r.body.Iterations(), in, true)), true
}

// numbers is how many values consist of.
func numbers(values []*eval.Value) (n int) {
	for _, v := range values {
		n += len(v.X)
	}
	return n
}

// repeat makes vectors of the arguments that are another number in each of n iterations, and of
// the first in any case. nodes are those of active arguments.
func (k *KernelCall) repeat(g *autodiff.Graph, nodes []autodiff.Node, n int) {
	for i, x := range nodes {
		long := x != autodiff.None && g.Len(x) > 1
		if i > 0 && !long {
			continue
		}
		switch {
		case x == autodiff.None:
			k.Args[i].X = slices.Repeat(k.Args[i].X, n)
		case !long:
			nodes[i] = g.Gather(slices.Repeat([]autodiff.Ref{{Node: x}}, n))
			fallthrough
		default:
			k.Args[i].X = make([]float64, n)
		}
		k.Args[i].Rank, k.Args[i].Dims = stdlib.Rank{Array: 1}, []int{n}
	}
}

// Ints implements eval.DrawRecorder.
func (r *Recorder) Ints(v *eval.Value) {
	switch {
	case r.Draws.calls == 0:
	case r.tracing:
		r.Effects = append(r.Effects, r.Graph.Opaque(inRange{}, 0, r.Node(v)))
	default: // one check of all
		for i := range v.X {
			if ref := v.Ref(i); ref.Node != autodiff.None {
				r.Draws.ints = append(r.Draws.ints, ref)
			}
		}
	}
}

// inRange is the check that integers are in their range.
type inRange struct{}

// errRange leaves the message to the reference interpreter.
var errRange = errors.New("bind: an integer is out of range")

// Instance returns the (stateless) check itself.
func (c inRange) Instance() autodiff.Instance { return c }

// Fused reports that there is no derivative.
func (inRange) Fused([]bool) (autodiff.Opaque, bool) { return nil, false }

// Value makes the check.
func (inRange) Value(in [][]float64, _ []float64) error {
	for _, x := range in[0] {
		if x > math.MaxInt32 || x < math.MinInt32 {
			return errRange
		}
	}
	return nil
}

// VJP adds nothing.
func (inRange) VJP([][]float64, []float64, []float64, [][]float64) {}

// KeepDraws makes the calls part of the program, results used or not. Where control flow relies on
// numbers, rows are for the reference interpreter: which program applies would be known after some
// of the draws.
func (r *Recorder) KeepDraws() error {
	if r.Guards > 0 || r.Draws.calls > mostDraws {
		return ErrPlainRows
	}
	if r.Draws.calls > 0 {
		r.Effects = append(r.Effects, r.Draws.last)
	}
	if len(r.Draws.ints) > 0 {
		r.Effects = append(r.Effects, r.Graph.Opaque(inRange{}, 0, r.Graph.Gather(r.Draws.ints)))
	}
	return nil
}
