// Parts of sums for other processes, and by them.

package solver

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
)

// Deputies is who evaluates parts of a model's sums elsewhere. A nil one is nobody.
type Deputies struct{ now atomic.Pointer[infer.Deputy] }

// Appoint has a deputy asked from now on; nil: nobody.
func (d *Deputies) Appoint(who infer.Deputy) {
	if who == nil {
		d.now.Store(nil)
		return
	}
	d.now.Store(&who)
}

// NameSums gives the divided calls of a recording of the log density at q the names by which an equal model finds them.
func NameSums(rec *trace.Recorder, q []float64, jacobian bool) {
	at := slices.Clone(q)
	for i, o := range rec.Divided {
		s := o.(*sliced) // see record
		s.name = &infer.Sum{At: at, Jacobian: jacobian, Index: i, Values: s.values}
	}
}

// Places says where each divided call of a recording stands, and how many parts it has.
func Places(rec *trace.Recorder) (out []string) {
	for _, o := range rec.Divided {
		s := o.(*sliced) // see record
		out = append(out, fmt.Sprintf("%v in %d parts", s.parts[0].at, len(s.parts)))
	}
	return out
}

// delegate has the deputy evaluate parts, and returns how many are left.
func (r *slicedRun) delegate(in [][]float64) (left int) {
	left = len(r.runs)
	if r.name == nil || r.deputies == nil {
		return left
	}
	who := r.deputies.now.Load()
	clear(r.taken)
	if who == nil {
		return left
	}
	if r.far == nil {
		r.far = make([][]float64, len(r.runs))
	}
	gradient := r.active != nil
	(*who).Parts(r.name, in, gradient, func(k int, value float64, row []float64) {
		if k < 0 || k >= len(r.runs) || r.taken[k] || gradient && len(row) != r.parts[k].dim {
			return
		}
		r.taken[k], r.values[k] = true, value
		if gradient {
			r.far[k] = append(r.far[k][:0], row...)
			r.rows[k] = r.far[k]
		}
		left--
	})
	return left
}

// Parts are those of a sum at work in one goroutine, for a Deputy elsewhere.
type Parts struct {
	run *slicedRun
	in  [][]float64
}

// PartsOf finds the parts of a sum in a recording at the point that its name has. Whether they are the same is for Check to say.
func PartsOf(rec *trace.Recorder, s *infer.Sum) (*Parts, error) {
	if s.Index < 0 || s.Index >= len(rec.Divided) {
		return nil, fmt.Errorf("the program has %d sums in parts, and none of index %d", len(rec.Divided), s.Index)
	}
	call := rec.Divided[s.Index].(*sliced) // see record
	if len(call.parts) != len(s.Values) {
		return nil, fmt.Errorf("the sum has %d parts, not %d", len(call.parts), len(s.Values))
	}
	p := &Parts{run: call.instance()}
	for _, v := range call.inputs {
		p.in = append(p.in, make([]float64, len(v.X)))
	}
	return p, nil
}

// Check evaluates a part where the program was recorded, and compares it with what the sum's name says of it: where other data, another
// program or another processor give another number, the part is not the one that is wanted.
func (p *Parts) Check(part int) error {
	code := p.run.parts[part]
	run := code.runner()
	copy(run.z, code.here())
	out, _, err := run.runGradient()
	if err != nil || len(out) != 1 {
		return errors.Join(err, fmt.Errorf("part %d of the sum has no value", part+1))
	}
	if want := p.run.sliced.values[part]; out[0] != want && !(math.IsNaN(out[0]) && math.IsNaN(want)) {
		return fmt.Errorf("part %d of the sum is %v, not %v: the program, its data or the processor's arithmetic are others", part+1, out[0], want)
	}
	return nil
}

// Load sets the inputs, one after the other.
func (p *Parts) Load(in []float64) error {
	if len(in) != p.run.size() {
		return fmt.Errorf("the sum has %d inputs, not %d", p.run.size(), len(in))
	}
	for _, x := range p.in {
		in = in[copy(x, in):]
	}
	p.run.load(p.in)
	return nil
}

// Evaluate is the value of a part and, where it is asked for, its gradient, which is valid until the next call.
func (p *Parts) Evaluate(part int, gradient bool) (float64, []float64, error) {
	if part < 0 || part >= len(p.run.runs) {
		return 0, nil, fmt.Errorf("the sum has %d parts, and none of index %d", len(p.run.runs), part)
	}
	if err := p.run.part(part, gradient); err != nil {
		return 0, nil, err
	}
	return p.run.values[part], p.run.rows[part], nil
}
