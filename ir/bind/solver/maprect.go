// map_rect: a function applied to each row of parallel arrays.

package solver

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// mapRect runs the jobs as programs of their own where that pays, else one after the other
// in the evaluator's walk, so that they become part of the model's own program.
func (m *Host) mapRect(em *eval.Machine, call *eval.HigherCall) (*eval.Value, error) {
	fn, phi, jobs := call.Args[0].Fn, call.Args[1], call.Args[2:]
	n := jobs[0].Dims[0]
	for i, what := range []string{"", "real data", "integer data"} {
		if got := jobs[i].Dims[0]; got != n {
			return nil, &stdlib.DomainError{Func: call.Fn.Name, Text: fmt.Sprintf("there are %d jobs, but %s for %d", n, what, got)}
		}
	}
	args := make([][]*eval.Value, n)
	for j := range args {
		args[j] = []*eval.Value{phi}
		for _, v := range jobs {
			args[j] = append(args[j], element(v, j))
		}
	}
	if m.divides(em, call) && n > 1 && n <= maxJobs {
		s, err := m.newSliced(em, call, args, 0)
		if err != nil {
			return nil, err
		}
		if s != nil {
			return s.record(em, call), nil
		}
	}
	out := eval.NewValue(call.Result, []int{0}, nil)
	active := false
	for j := range n {
		y, err := em.Apply(call.At, fn, args[j])
		if err != nil {
			return nil, err
		}
		out.X = append(out.X, y.X...)
		for i := range y.X {
			out.Refs = append(out.Refs, y.Ref(i))
		}
		active = active || y.Active()
	}
	out.Dims[0] = len(out.X)
	if !active {
		out.Refs = nil
	}
	return out, nil
}

// element is element i of an array of numbers.
func element(v *eval.Value, i int) *eval.Value {
	n := len(v.X) / max(1, v.Dims[0])
	e := eval.NewValue(v.T.Elem(), v.Dims[1:], v.X[i*n:(i+1)*n])
	if v.Active() {
		e.Refs = make([]autodiff.Ref, n)
		for k := range e.Refs {
			e.Refs[k] = v.Ref(i*n + k)
		}
	}
	return e
}
