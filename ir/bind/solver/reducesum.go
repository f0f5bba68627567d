// reduce_sum: the sum of a function over slices of an array.

package solver

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// reduceSum applies the function to all of the array in one slice or, where that pays, to
// a few; the manual allows any partition.
func (m *Host) reduceSum(em *eval.Machine, call *eval.HigherCall) (*eval.Value, error) {
	x := call.Args[1]
	n := x.Dims[0]
	grain := call.Args[2].X[0]
	if grain < 1 {
		return nil, &stdlib.DomainError{Func: call.Fn.Name, Text: fmt.Sprintf("the grainsize is %g, but must be positive", grain)}
	}
	if n == 0 {
		return eval.Real(0), nil
	}
	whole := []*eval.Value{x, eval.Int(1), eval.Int(n)}
	whole = append(whole, call.Args[3:]...)
	if m.divides(em, call) && float64(n) >= 2*grain {
		s, err := m.slicedSum(em, call, whole, int(float64(n)/grain))
		if err != nil {
			return nil, err
		}
		if s != nil {
			return s.record(em, call), nil
		}
	}
	return em.ApplySlice(call, whole)
}

// slicedSum divides the array into at most limit slices. It gives nil where the sum is
// better computed in one.
func (m *Host) slicedSum(em *eval.Machine, call *eval.HigherCall, whole []*eval.Value, limit int) (*sliced, error) {
	work, _, err := m.newPart(em, call, whole).work()
	count := min(maxSlices, limit, work/m.splitPolicy().part)
	if err != nil || count < 2 {
		return nil, err
	}
	x := whole[0]
	n := x.Dims[0]
	args := make([][]*eval.Value, count)
	for k := range args {
		from, end := k*n/count, (k+1)*n/count
		args[k] = append([]*eval.Value{x.Section(from, end-from), eval.Int(from + 1), eval.Int(end)}, whole[3:]...)
	}
	return m.newSliced(em, call, args, work)
}
