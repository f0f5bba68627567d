// Functions that programs cannot name, by which control flow that depends on values becomes calls.

package stdlib

import (
	"errors"

	"github.com/seed-12b88e03/ppl/autodiff"
)

// Choice is its second argument where the first, which is 0 or 1, is not 0, and otherwise the third.
var Choice = &Function{Name: "choice", Op: &autodiff.Op{Name: "choice", F3: func(test, x, y float64) float64 {
	if test != 0 {
		return x
	}
	return y
}, D3: func(test, _, _, _ float64) (dtest, dx, dy float64) {
	if test != 0 {
		return 0, 1, 0
	}
	return 0, 0, 1
}}}

// Pick is the element of a container of one dimension at an index that depends on values.
var Pick = &Function{Name: "pick", Kernel: &Kernel{
	Dims: func([]Tensor) ([]int, error) { return nil, nil },
	Value: func(in []Tensor, out, _ []float64) error {
		i := in[1].X[0]
		if !(i >= 1 && i <= float64(len(in[0].X))) {
			return errOutside
		}
		out[0] = in[0].X[int(i)-1]
		return nil
	}}}

// errOutside leaves the message to the program as it was written.
var errOutside = errors.New("stdlib: an index is out of range")
