// Library kernels and transforms as opaque functions of the engine.

package bind

import (
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A kernelCall is one call of a library kernel: what is known of its arguments
// (constants with their numbers, which all machines share) and which of them come
// from the graph.
type kernelCall struct {
	at     source.Span
	fn     *stdlib.Function
	args   []stdlib.Tensor // X of active ones is at the point of recording
	active []int           // positions in args of what the graph supplies
	want   []bool          // of a fused call: which of active need a derivative
	counts bool            // there are integers among active, which the size of the result may depend on

	written string // the name in the source, where it is another
}

func newKernelCall(at source.Span, fn *stdlib.Function, args []*eval.Value) *kernelCall {
	k := &kernelCall{at: at, fn: fn}
	for i, a := range args {
		k.args = append(k.args, stdlib.Tensor{Rank: eval.RankOf(a.T), Dims: a.Dims, X: a.X})
		if a.Active() {
			k.active = append(k.active, i)
			k.counts = k.counts || a.T.Base == types.IntBase
		}
	}
	return k
}

// Work counts the numbers that go in.
func (k *kernelCall) Work() int {
	n := 0
	for _, a := range k.args {
		n += len(a.X)
	}
	return n
}

func (k *kernelCall) activeArgs(args []*eval.Value) []*eval.Value {
	out := make([]*eval.Value, len(k.active))
	for i, p := range k.active {
		out[i] = args[p]
	}
	return out
}

// Fused returns the value-and-gradient form of a density.
func (k *kernelCall) Fused(want []bool) (autodiff.Opaque, bool) {
	if k.fn.Kernel.ValueGrad == nil {
		return nil, false
	}
	f := *k
	f.want = want
	return &f, true
}

// Instance makes the argument list and scratch memory of one machine.
func (k *kernelCall) Instance() autodiff.Instance {
	i := &kernelInstance{call: k, in: append([]stdlib.Tensor(nil), k.args...), din: make([][]float64, len(k.args))}
	if w := k.fn.Kernel.Work; w != nil {
		i.work = make([]float64, w(k.args))
	}
	return i
}

type kernelInstance struct {
	call *kernelCall
	in   []stdlib.Tensor
	din  [][]float64
	work []float64
}

func (i *kernelInstance) load(in [][]float64) {
	for k, p := range i.call.active {
		i.in[p].X = in[k]
	}
}

// Value runs the kernel; with want set it fills in the partial derivatives, too.
func (i *kernelInstance) Value(in [][]float64, out []float64) error {
	i.load(in)
	k := i.call.fn.Kernel
	if i.call.want == nil {
		if i.call.counts && !i.fits(out) {
			return errRange
		}
		if err := k.Value(i.in, out, i.work); err != nil {
			return i.call.located(err)
		}
		return nil
	}
	clear(out[1:])
	off := 1
	for j, p := range i.call.active {
		i.din[p] = nil
		if i.call.want[j] {
			n := len(in[j])
			i.din[p] = out[off : off+n : off+n]
			off += n
		}
	}
	v, err := k.ValueGrad(i.in, i.din, i.work)
	if err != nil {
		return i.call.located(err)
	}
	out[0] = v
	return nil
}

// fits reports whether the result has the size that it had in the recording.
func (i *kernelInstance) fits(out []float64) bool {
	dims, err := i.call.fn.Kernel.Dims(i.in)
	n := 1
	for _, d := range dims {
		n *= d
	}
	return err == nil && n == len(out)
}

// VJP runs the kernel's reverse rule; functions without one have derivative zero.
func (i *kernelInstance) VJP(in [][]float64, out, adj []float64, din [][]float64) {
	k := i.call.fn.Kernel
	if k.VJP == nil {
		return
	}
	i.load(in)
	for j, p := range i.call.active {
		i.din[p] = din[j]
	}
	k.VJP(i.in, out, adj, i.din, i.work)
}

// located adds to a library error the place of the call.
func (k *kernelCall) located(err error) error {
	reject := false
	if r, ok := err.(interface{ Recoverable() bool }); ok {
		reject = r.Recoverable()
	}
	text := err.Error()
	if k.written != "" {
		text = strings.Replace(text, k.fn.Name, k.written, 1)
	}
	return &eval.Error{Span: k.at, Text: text, Reject: reject}
}

// A transformCall is a constraint transform: free numbers and bounds to constrained
// numbers followed by the log Jacobian.
type transformCall struct {
	tr   *stdlib.Transform
	dims []int
	n    int
}

// Fused reports that there is no fused form.
func (t *transformCall) Fused([]bool) (autodiff.Opaque, bool) { return nil, false }

// Instance makes the scratch memory of one machine.
func (t *transformCall) Instance() autodiff.Instance {
	i := &transformInstance{call: t}
	if t.tr.Work != nil {
		i.work = make([]float64, t.tr.Work(t.dims))
	}
	return i
}

type transformInstance struct {
	call *transformCall
	work []float64
	none []float64
}

func (i *transformInstance) Value(in [][]float64, out []float64) error {
	n := i.call.n
	logJ, err := i.call.tr.Constrain(i.call.dims, in[0], in[1:], out[:n], i.work)
	out[n] = logJ
	return err
}

func (i *transformInstance) VJP(in [][]float64, out, adj []float64, din [][]float64) {
	n := i.call.n
	dfree := din[0]
	if dfree == nil { // only the bounds depend on the input
		if i.none == nil {
			i.none = make([]float64, len(in[0]))
		}
		dfree = i.none
	}
	i.call.tr.VJP(i.call.dims, in[0], in[1:], out[:n], adj[:n], adj[n], dfree, din[1:], i.work)
}

// A validation checks the constraint of a declared variable each time the program
// runs.
type validation struct {
	at   source.Span
	name string
	tr   *stdlib.Transform
	dims []int
	args int // how many of the inputs are bounds
}

// Fused reports that there is no fused form.
func (v *validation) Fused([]bool) (autodiff.Opaque, bool) { return nil, false }

// Instance returns the (stateless) check itself.
func (v *validation) Instance() autodiff.Instance { return v }

// Value fails where the constraint does not hold.
func (v *validation) Value(in [][]float64, _ []float64) error {
	if err := v.tr.Check(v.dims, in[0], in[1:]); err != nil {
		return &eval.Error{Span: v.at, Text: violation(v.name, v.tr, err), Reject: true}
	}
	return nil
}

// VJP has nothing to add.
func (v *validation) VJP([][]float64, []float64, []float64, [][]float64) {}

// String names the call for dumps.
func (k *kernelCall) String() string {
	if k.want != nil {
		return k.fn.Name + " with partials"
	}
	return k.fn.Name
}

// String names the transform for dumps.
func (t *transformCall) String() string { return t.tr.Name + " transform" }

// String names the check for dumps.
func (v *validation) String() string { return v.tr.Name + " check of " + v.name }
