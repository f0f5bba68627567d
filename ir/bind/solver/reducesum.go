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

// perRowInput is the least work of a part of a statement for each number that it depends on: those grow with the
// data, and parts are for other processes, too.
const perRowInput = 10

// SumRows divides the term of a statement, a function of the first and the last row. It gives nil where that does not pay.
func (m *Host) SumRows(em *eval.Machine, call *eval.HigherCall, rows int) (*eval.Value, error) {
	if rows < 2*maxSlices || !m.divides(em, call) {
		return nil, nil
	}
	part := func(k, count int) []*eval.Value {
		return append([]*eval.Value{eval.Int(k*rows/count + 1), eval.Int((k + 1) * rows / count)}, call.Args[1:]...)
	}
	// Of data that fill the memory no copy is made to count their work: it grows by the row.
	one := m.newPart(em, call, part(0, 2*maxSlices))
	few, _, err := one.work()
	if err != nil {
		return nil, err
	}
	more, _, err := m.newPart(em, call, part(0, maxSlices)).work()
	if err != nil {
		return nil, err
	}
	whole := more + (2*maxSlices-2)*(more-few)
	count := min(maxSlices, whole*9/10/m.splitPolicy().part) // rows are not divided evenly, and the first part is not to be too small
	if count < 2 || one.dim*count*perRowInput > whole {
		return nil, nil
	}
	args := make([][]*eval.Value, count)
	for k := range args {
		args[k] = part(k, count)
	}
	s, err := m.newSliced(em, call, args, whole)
	if s == nil || err != nil {
		return nil, err
	}
	return s.record(em, call), nil
}
