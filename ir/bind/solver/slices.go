// Sliced calls: the parts of reduce_sum and map_rect as programs of their own, which
// idle cores take over.

package solver

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

const (
	// maxSlices bounds the parts of a sum, each of which has a gradient to be added up.
	maxSlices = 16
	// maxJobs bounds the parts of map_rect.
	maxJobs = 256
)

// A splitPolicy bounds what dividing a call among cores may cost where one core does all the parts.
// Work is counted in operations: an operation takes a nanosecond by itself, and a fifth of that in
// a long vector.
type splitPolicy struct {
	part     int     // the least work of a part
	extra    float64 // how much more work all parts may be than the whole, as a fraction of it
	perInput int     // the least work of a part for each number that it depends on
}

var (
	// conservative keeps the loss of a single core within the noise of a measurement: handing out a
	// part takes two microseconds, and adding up the derivatives by an input some four nanoseconds.
	conservative = splitPolicy{part: 500_000, extra: 0.03, perInput: 800}
	// eager pays where most cores are idle: a part of ten microseconds is worth handing out.
	eager = splitPolicy{part: 10_000, extra: 0.1}
)

// splitPolicy returns the policy of this model.
func (m *Host) splitPolicy() splitPolicy {
	if m.Divide {
		return eager
	}
	return conservative
}

// A sliced call computes one number in each of its parts; its value is their sum or the
// vector of them. What the parts are depends on the program and its data alone, and
// results are added up in the order of the parts, so that the value does not depend on
// how many cores there are.
type sliced struct {
	parts      []*userCode
	values     []float64     // values of the parts at the point where the program was recorded
	inputs     []*eval.Value // what the parts depend on, each once
	from       [][]int       // for each part, the indices in inputs of its leaves
	sum        bool
	cpuLimiter *CPULimiter
	active     []bool     // of a fused call: which inputs need derivatives
	name       *infer.Sum // nil where nobody else knows it
	deputies   *Deputies
}

// A CPULimiter counts the goroutines at work in a model's sliced calls. A call asks for help
// only while they are fewer than the processors: chains that run side by side keep to
// themselves.
type CPULimiter struct{ busy atomic.Int32 }

// admit adds one goroutine if there is a processor for it.
func (t *CPULimiter) admit() bool {
	for procs := int32(runtime.GOMAXPROCS(0)); ; {
		n := t.busy.Load()
		if n >= procs {
			return false
		}
		if t.busy.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// divides reports whether a call may become a sliced one in what is being recorded. A
// function that prints does so once a call.
func (m *Host) divides(em *eval.Machine, call *eval.HigherCall) bool {
	rec, ok := em.Rec.(*trace.Recorder)
	return ok && rec.Sliced && !prints(call.Args[0].Fn, map[*ir.Function]bool{})
}

// prints reports whether a function or one that it calls prints.
func prints(fn *ir.Function, seen map[*ir.Function]bool) bool {
	if seen[fn] {
		return false
	}
	seen[fn] = true
	return ir.Any(fn.Body, func(n any) bool {
		switch n := n.(type) {
		case *ir.Print:
			return n.Kind == ir.PrintOut
		case *ir.UserCall:
			return prints(n.Fn, seen)
		}
		return false
	})
}

// newPart prepares one call of the function.
func (m *Host) newPart(em *eval.Machine, call *eval.HigherCall, args []*eval.Value) *userCode {
	c := m.newUserCode(em, call, call.Args[0].Fn, nil, args, -1)
	c.traceLoops = true
	return c
}

// here is the point at which a function without leading arguments is called.
func (c *userCode) here() []float64 {
	z := make([]float64, 0, c.dim)
	for _, v := range c.leaves {
		z = append(z, v.X...)
	}
	return z
}

// work is about how many operations one call of the function takes, and how many numbers
// it returns.
func (c *userCode) work() (operations, outputs int, err error) {
	z := c.here()
	rec := c.recorder(z)
	out, err := c.apply(rec, z, rec.Graph.Input())
	if err != nil {
		return 0, 0, err
	}
	return rec.Graph.Work(), len(out.X), nil
}

// newSliced divides a call into parts given by their arguments; whole is the work of a sum
// computed in one, and 0 where the parts are not summed. It gives nil where dividing does
// not pay: parts that are small, that repeat each other's work, that return other than one
// number (the gradient of all together is cheaper then), or whose Jacobian would be large
// beside it.
func (m *Host) newSliced(em *eval.Machine, call *eval.HigherCall, args [][]*eval.Value, whole int) (*sliced, error) {
	s := &sliced{sum: whole > 0, cpuLimiter: m.Limiter, deputies: m.Deputies}
	for _, a := range args {
		s.add(m.newPart(em, call, a))
	}
	if len(s.inputs) == 0 {
		return nil, nil
	}
	work, outputs, err := s.parts[0].work()
	p := m.splitPolicy()
	switch total := work * len(args); {
	case err != nil || outputs != 1 || work < p.part:
		return nil, err
	case s.sum && float64(total) > float64(whole)*(1+p.extra), s.derivatives()*p.perInput > total,
		!s.sum && s.size() > work/4:
		return nil, nil
	}
	if rec := em.Rec.(*trace.Recorder); rec.Known != nil { // see divides
		if s.values = rec.Known(len(rec.Divided), len(s.parts)); len(s.values) == len(s.parts) {
			return s, nil
		}
		s.values = nil
	}
	return s.evaluate()
}

// derivatives is how many numbers the gradients of the parts, or the Jacobian, have.
func (s *sliced) derivatives() int {
	if !s.sum {
		return len(s.parts) * s.size()
	}
	n := 0
	for _, p := range s.parts {
		n += p.dim
	}
	return n
}

// evaluate runs the parts as they are now, by the programs that will compute gradients. It
// gives nil where one returns another number of numbers than one.
func (s *sliced) evaluate() (*sliced, error) {
	for _, p := range s.parts {
		run := p.runner()
		copy(run.z, p.here())
		out, _, err := run.runGradient()
		if err != nil || len(out) != 1 {
			return nil, err
		}
		s.values = append(s.values, out[0])
	}
	return s, nil
}

func (s *sliced) add(part *userCode) {
	from := make([]int, len(part.leaves))
	for i, leaf := range part.leaves {
		k := slices.Index(s.inputs, leaf)
		if k < 0 {
			k = len(s.inputs)
			s.inputs = append(s.inputs, leaf)
		}
		from[i] = k
	}
	s.parts, s.from = append(s.parts, part), append(s.from, from)
}

// size is the number of numbers that go in.
func (s *sliced) size() int {
	n := 0
	for _, v := range s.inputs {
		n += len(v.X)
	}
	return n
}

// outputs is the length of the value.
func (s *sliced) outputs() int {
	if s.sum {
		return 1
	}
	return len(s.parts)
}

// Work is about how many operations a call takes, at least.
func (s *sliced) Work() int { return len(s.parts) * eager.part }

// record adds the call to the program being recorded.
func (s *sliced) record(em *eval.Machine, call *eval.HigherCall) *eval.Value {
	var dims []int
	if !s.sum {
		dims = []int{len(s.parts)}
	}
	out := eval.NewValue(call.Result, dims, make([]float64, s.outputs()))
	s.join(s.values, out.X)
	out.Node = em.Rec.Opaque(s, s.inputs, out)
	rec := em.Rec.(*trace.Recorder) // see divides
	rec.Divided = append(rec.Divided, s)
	return out
}

// join makes the value of the values of the parts.
func (s *sliced) join(values, out []float64) {
	if !s.sum {
		copy(out, values)
		return
	}
	out[0] = 0
	for _, v := range values {
		out[0] += v
	}
}

// String names the function for dumps.
func (s *sliced) String() string {
	return fmt.Sprintf("%s in %d parts", s.parts[0].caller, len(s.parts))
}

// Fused returns the call that returns its Jacobian, too.
func (s *sliced) Fused(active []bool) (autodiff.Opaque, bool) {
	f := *s
	f.active = active
	return &f, true
}

// Instance makes the machines of the parts.
func (s *sliced) Instance() autodiff.Instance { return s.instance() }

func (s *sliced) instance() *slicedRun {
	n := len(s.parts)
	r := &slicedRun{sliced: s, runs: make([]*codeRunner, n), values: make([]float64, n), rows: make([][]float64, n), errs: make([]error, n), taken: make([]bool, n)}
	for k, p := range s.parts {
		r.runs[k] = p.runner()
	}
	r.help = func() {
		r.work()
		r.cpuLimiter.busy.Add(-1)
		r.helpers.Done()
	}
	r.leaves = make([][]float64, 0, len(s.inputs)*n)
	return r
}

// A slicedRun is a sliced call at work in one machine.
type slicedRun struct {
	*sliced
	runs    []*codeRunner
	leaves  [][]float64
	next    atomic.Int32 // the part that is to be taken next
	help    func()
	helpers sync.WaitGroup

	// of each part
	values []float64
	rows   [][]float64 // gradients
	errs   []error
	taken  []bool      // evaluated by a deputy
	far    [][]float64 // gradients from a deputy
}

// Value runs the parts that no deputy has evaluated, on other cores, too, where they are idle.
func (r *slicedRun) Value(in [][]float64, out []float64) error {
	r.load(in)
	left := r.delegate(in)
	r.next.Store(0)
	r.cpuLimiter.busy.Add(1)
	for range left - 1 {
		if !r.cpuLimiter.admit() {
			break
		}
		r.helpers.Add(1)
		go r.help()
	}
	r.work()
	r.cpuLimiter.busy.Add(-1)
	r.helpers.Wait()
	for _, err := range r.errs {
		if err != nil {
			return err
		}
	}
	r.collect(in, out)
	return nil
}

// load hands the parts their arguments.
func (r *slicedRun) load(in [][]float64) {
	for k, run := range r.runs {
		r.leaves = r.leaves[:0]
		for _, i := range r.from[k] {
			r.leaves = append(r.leaves, in[i])
		}
		run.load(r.leaves)
	}
}

// work runs parts until none is left.
func (r *slicedRun) work() {
	for {
		k := int(r.next.Add(1)) - 1
		if k >= len(r.runs) {
			return
		}
		if r.errs[k] = nil; !r.taken[k] {
			r.errs[k] = r.part(k, r.active != nil)
		}
	}
}

func (r *slicedRun) part(k int, gradient bool) error {
	if !gradient {
		out, err := r.runs[k].run()
		if err == nil {
			r.values[k] = out[0]
		}
		return err
	}
	out, rows, err := r.runs[k].runGradient()
	if err == nil {
		r.values[k], r.rows[k] = out[0], rows[0]
	}
	return err
}

// collect joins what the parts computed, in their order.
func (r *slicedRun) collect(in [][]float64, out []float64) {
	n := r.outputs()
	r.join(r.values, out[:n])
	if r.active == nil {
		return
	}
	clear(out[n:])
	column := 1 // of the Jacobian, which lies behind the value
	for i, x := range in {
		if !r.active[i] {
			continue
		}
		for k, from := range r.from {
			r.addColumns(out[column*n:], k, i, from, in)
		}
		column += len(x)
	}
}

// addColumns adds the derivatives of part k with respect to input i to the columns.
func (r *slicedRun) addColumns(columns []float64, k, i int, from []int, in [][]float64) {
	n, row := r.outputs(), k
	if r.sum {
		row = 0
	}
	at := 0
	for _, j := range from {
		if j == i {
			for c, d := range r.rows[k][at : at+len(in[i])] {
				columns[c*n+row] += d
			}
		}
		at += len(in[j])
	}
}

// VJP multiplies with the Jacobian of the fused form.
func (r *slicedRun) VJP(in [][]float64, out, adj []float64, din [][]float64) {
	fusedVJP(r.sliced, in, out, adj, din)
}
