// Random draws of generated quantities as functions of a graph.

package bind

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
	*kernelCall
	try byte // in which it was recorded
}

// Fused reports that there is no derivative.
func (drawCall) Fused([]bool) (autodiff.Opaque, bool) { return nil, false }

// Instance makes the argument list of one machine.
func (d drawCall) Instance() autodiff.Instance {
	return &drawInstance{call: d, in: slices.Clone(d.args)}
}

// A drawInstance is a drawCall at work in a machine.
type drawInstance struct {
	call   drawCall
	in     []stdlib.Tensor
	random *rand.Rand // the stream; nil where a recording only wants to see some numbers
}

// Value draws.
func (i *drawInstance) Value(in [][]float64, out []float64) error {
	for k, p := range i.call.active {
		i.in[p].X = in[k]
	}
	if i.random == nil {
		i.random = someNumbers(i.call.try)
	}
	if err := i.call.fn.Draw.Draw(i.random, i.in, out); err != nil {
		return i.call.located(err)
	}
	return nil
}

// VJP adds nothing.
func (*drawInstance) VJP([][]float64, []float64, []float64, [][]float64) {}

// someNumbers is a stream for recordings, in which the numbers drawn do not matter.
func someNumbers(try byte) *rand.Rand { return rand.New(rand.NewChaCha8([32]byte{try})) }

// mostDraws is how many calls a program may have.
const mostDraws = 1 << 17

// errPlainRows reports that rows are for the reference interpreter.
var errPlainRows = errors.New("bind: rows have no program")

// drawing is what a recorder knows of random draws.
type drawing struct {
	try     byte // what the numbers depend on that a recording sees
	calls   int
	last    autodiff.Node // the call before
	inLoop  int           // calls of the iteration at work
	refused bool          // that iteration cannot be kept
}

// Draw implements eval.DrawRecorder.
func (r *recorder) Draw(at source.Span, fn *stdlib.Function, args []*eval.Value, out *eval.Value) autodiff.Node {
	r.draws.calls++
	if r.tracing {
		x, ok := r.drawAll(at, fn, args)
		r.draws.refused = r.draws.refused || !ok
		return x
	}
	call := newKernelCall(at, fn, args)
	x := r.draw(call, len(out.X), r.nodes(call.activeArgs(args)))
	r.note(x, true, args)
	return x
}

// draw adds a call after the one before.
func (r *recorder) draw(call *kernelCall, n int, in []autodiff.Node) autodiff.Node {
	before := r.draws.last
	if before == autodiff.None {
		before = r.g.Input() // what depends on nothing is computed once
	}
	r.draws.last = r.g.Opaque(drawCall{call, r.draws.try}, n, append(in, before)...)
	return r.draws.last
}

// drawsKept is how many draws an iteration has that is kept.
const drawsKept = 1

// drawAll adds a call for all iterations of a loop, and returns the placeholder of its result. That
// is the order of the program where an iteration has no other call, and it can be done where the
// arguments do not depend on the iteration before.
func (r *recorder) drawAll(at source.Span, fn *stdlib.Function, args []*eval.Value) (autodiff.Node, bool) {
	if r.draws.inLoop++; r.draws.inLoop > drawsKept || !scalars(args) || len(args) == 0 {
		return autodiff.None, false
	}
	n := r.body.Iterations()
	call, nodes := newKernelCall(at, fn, args), make([]autodiff.Node, len(args))
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
	call.repeat(r.g, nodes, n)
	dims, err := fn.Draw.Dims(call.args)
	if err != nil || !slices.Equal(dims, []int{n}) {
		return autodiff.None, false
	}
	in := slices.DeleteFunc(nodes, func(x autodiff.Node) bool { return x == autodiff.None })
	return r.body.Step(r.draw(call, n, in)), true
}

// repeat makes vectors of the arguments that are another number in each of n iterations, and of
// the first in any case. nodes are those of active arguments.
func (k *kernelCall) repeat(g *autodiff.Graph, nodes []autodiff.Node, n int) {
	for i, x := range nodes {
		long := x != autodiff.None && g.Len(x) > 1
		if i > 0 && !long {
			continue
		}
		switch {
		case x == autodiff.None:
			k.args[i].X = slices.Repeat(k.args[i].X, n)
		case !long:
			nodes[i] = g.Gather(slices.Repeat([]autodiff.Ref{{Node: x}}, n))
			fallthrough
		default:
			k.args[i].X = make([]float64, n)
		}
		k.args[i].Rank, k.args[i].Dims = stdlib.Rank{Array: 1}, []int{n}
	}
}

// Ints implements eval.DrawRecorder.
func (r *recorder) Ints(v *eval.Value) {
	if r.draws.calls > 0 {
		r.effects = append(r.effects, r.g.Opaque(inRange{}, 0, r.node(v)))
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

// keepDraws makes the calls part of the program, results used or not. Where control flow relies on
// numbers, rows are for the reference interpreter: which program applies would be known after some
// of the draws.
func (r *recorder) keepDraws() error {
	if r.guards > 0 || r.draws.calls > mostDraws {
		return errPlainRows
	}
	if r.draws.calls > 0 {
		r.effects = append(r.effects, r.draws.last)
	}
	return nil
}
