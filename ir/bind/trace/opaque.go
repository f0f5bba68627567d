// Library kernels and transforms as opaque functions of the engine.

package trace

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A KernelCall is one call of a library kernel: its known arguments (constants with their numbers, which
// all machines share), and which arguments come from the graph.
type KernelCall struct {
	at     source.Span
	Fn     *stdlib.Function
	Args   []stdlib.Tensor // X of active ones is at the point of recording
	Active []int           // positions in args of what the graph supplies
	want   []bool          // of a fused call: which of active need a derivative
	counts bool            // there are integers among active, which the size of the result may depend on

	written string // the name in the source, where it is another
}

func NewKernelCall(at source.Span, fn *stdlib.Function, args []*eval.Value) *KernelCall {
	k := &KernelCall{at: at, Fn: fn}
	for i, a := range args {
		k.Args = append(k.Args, stdlib.Tensor{Rank: eval.RankOf(a.T), Dims: a.Dims, X: a.X})
		if a.Active() {
			k.Active = append(k.Active, i)
			k.counts = k.counts || a.T.Base == types.IntBase
		}
	}
	return k
}

// mostShared is how many numbers of an argument are compared: longer ones are equal where they are the same piece of memory.
const mostShared = 16

// A callKey is equal for calls that return equal values for the same nodes.
type callKey struct {
	fn   *stdlib.Function
	args string
}

// key returns the key of a call; false where it draws.
func (k *KernelCall) key() (callKey, bool) {
	if k.Fn.Draw != nil {
		return callKey{}, false
	}
	args := ""
	for i, a := range k.Args {
		args += fmt.Sprint(";", a.Rank, a.Dims)
		if slices.Contains(k.Active, i) {
			continue
		}
		if len(a.X) > mostShared {
			args += fmt.Sprintf(" %p", &a.X[0])
			continue
		}
		for _, x := range a.X {
			args += fmt.Sprintf(" %x", math.Float64bits(x))
		}
	}
	return callKey{k.Fn, args}, true
}

// At is the place of the call.
func (k *KernelCall) At() source.Span { return k.at }

// Work counts the numbers that go in.
func (k *KernelCall) Work() int {
	n := 0
	for _, a := range k.Args {
		n += len(a.X)
	}
	return n
}

func (k *KernelCall) ActiveArgs(args []*eval.Value) []*eval.Value {
	out := make([]*eval.Value, len(k.Active))
	for i, p := range k.Active {
		out[i] = args[p]
	}
	return out
}

// Fused returns the value-and-gradient form of a density.
func (k *KernelCall) Fused(want []bool) (autodiff.Opaque, bool) {
	if k.Fn.Kernel.ValueGrad == nil {
		return nil, false
	}
	f := *k
	f.want = want
	return &f, true
}

// Instance makes the argument list and scratch memory of one machine.
func (k *KernelCall) Instance() autodiff.Instance {
	i := &kernelInstance{call: k, in: append([]stdlib.Tensor(nil), k.Args...), din: make([][]float64, len(k.Args))}
	if w := k.Fn.Kernel.Work; w != nil {
		i.work = make([]float64, w(k.Args))
	}
	return i
}

type kernelInstance struct {
	call *KernelCall
	in   []stdlib.Tensor
	din  [][]float64
	work []float64
}

func (i *kernelInstance) load(in [][]float64) {
	for k, p := range i.call.Active {
		i.in[p].X = in[k]
	}
}

// Value runs the kernel; with want set it fills in the partial derivatives, too.
func (i *kernelInstance) Value(in [][]float64, out []float64) error {
	i.load(in)
	k := i.call.Fn.Kernel
	if i.call.want == nil {
		if i.call.counts && !i.fits(out) {
			return errRange
		}
		if err := k.Value(i.in, out, i.work); err != nil {
			return i.call.Located(err)
		}
		return nil
	}
	clear(out[1:])
	off := 1
	for j, p := range i.call.Active {
		i.din[p] = nil
		if i.call.want[j] {
			n := len(in[j])
			i.din[p] = out[off : off+n : off+n]
			off += n
		}
	}
	v, err := k.ValueGrad(i.in, i.din, i.work)
	if err != nil {
		return i.call.Located(err)
	}
	out[0] = v
	return nil
}

// fits reports whether the result has the size that it had in the recording.
func (i *kernelInstance) fits(out []float64) bool {
	dims, err := i.call.Fn.Kernel.Dims(i.in)
	n := 1
	for _, d := range dims {
		n *= d
	}
	return err == nil && n == len(out)
}

// VJP runs the kernel's reverse rule; functions without one have derivative zero.
func (i *kernelInstance) VJP(in [][]float64, out, adj []float64, din [][]float64) {
	k := i.call.Fn.Kernel
	if k.VJP == nil {
		return
	}
	i.load(in)
	for j, p := range i.call.Active {
		i.din[p] = din[j]
	}
	k.VJP(i.in, out, adj, i.din, i.work)
}

// Located adds to a library error the place of the call.
func (k *KernelCall) Located(err error) error {
	reject := false
	if r, ok := err.(interface{ Recoverable() bool }); ok {
		reject = r.Recoverable()
	}
	text := err.Error()
	if k.written != "" {
		text = strings.Replace(text, k.Fn.Name, k.written, 1)
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
func (k *KernelCall) String() string {
	if k.want != nil {
		return k.Fn.Name + " with partials"
	}
	return k.Fn.Name
}

// String names the transform for dumps.
func (t *transformCall) String() string { return t.tr.Name + " transform" }

// String names the check for dumps.
func (v *validation) String() string { return v.tr.Name + " check of " + v.name }
