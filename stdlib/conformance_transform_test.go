// This file runs the constraint transforms on their conformance vectors.

package stdlib_test

import (
	"fmt"
	"math"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// transformName maps the prefix of a constraint function to a Transform's name.
func transformName(prefix string, c *vectorCase) string {
	switch prefix {
	case "sum_to_zero":
		if c.types[0].Base == types.MatrixBase {
			return "sum_to_zero_matrix"
		}
		return "sum_to_zero_vector"
	case "stochastic_column":
		return "column_stochastic_matrix"
	case "stochastic_row":
		return "row_stochastic_matrix"
	}
	return strings.TrimSuffix(prefix, "_bound")
}

func runTransform(tr *stdlib.Transform, c *vectorCase, run func(*stdlib.Transform, *vectorCase) string) (string, bool) {
	if tr == nil {
		return "", false
	}
	miss := run(tr, c)
	if c.Error {
		if miss == errRejected {
			return "", true
		}
		return "accepted where an error is due", true
	}
	return miss, true
}

const errRejected = "unexpected error"

func rejected(err error) string {
	if err != nil {
		return errRejected
	}
	return ""
}

// constrainedDims derives the sizes of the constrained variable from the free one
// and the integer arguments of the _jacobian function.
func constrainedDims(tr *stdlib.Transform, c *vectorCase) []int {
	var dims []int
	for i, a := range c.args[1:] {
		if c.types[i+1].Base == types.IntBase {
			dims = append(dims, int(a.X[0]))
		}
	}
	free := c.args[0].Dims
	switch {
	case len(dims) == 1:
		return []int{dims[0], dims[0]}
	case len(dims) == 2:
		return dims
	case tr.Elementwise:
		return free
	}
	dims = append(dims, free...)
	switch tr.Name {
	case "simplex":
		dims[0]++
	case "sum_to_zero_vector", "sum_to_zero_matrix":
		for i := range dims {
			dims[i]++
		}
	case "column_stochastic_matrix":
		dims[0]++
	case "row_stochastic_matrix":
		dims[1]++
	}
	return dims
}

func transformArgs(tr *stdlib.Transform, c *vectorCase) [][]float64 {
	if !tr.Elementwise {
		return nil
	}
	var args [][]float64
	for _, a := range c.args[1:] {
		args = append(args, a.X)
	}
	return args
}

func runJacobian(tr *stdlib.Transform, c *vectorCase) string {
	dims, args, free := constrainedDims(tr, c), transformArgs(tr, c), c.args[0].X
	n, err := tr.Free(dims)
	if err != nil {
		return rejected(err)
	}
	if n != len(free) {
		if c.Error {
			return errRejected
		}
		return fmt.Sprintf("Free(%v) is %d, want %d", dims, n, len(free))
	}
	x := make([]float64, product(dims))
	lj, err := tr.Constrain(dims, free, args, x, transformWork(tr, dims))
	if err != nil {
		return rejected(err)
	}
	if c.Error {
		return ""
	}
	ret, err := parseTestType(c.Ret)
	if err != nil {
		return err.Error()
	}
	want, err := readTensor(c.Value, ret)
	if err != nil {
		return err.Error()
	}
	if miss := compare("value", x, want.X, c.Tol, ret, nil); miss != "" {
		return miss
	}
	if c.LogJacobian != nil {
		w, _ := readTensor(c.LogJacobian, types.Real)
		if !closeTo(lj, w.X[0], c.LJTol) {
			return fmt.Sprintf("log Jacobian is %.17g, want %.17g (tolerance %.2g)", lj, w.X[0], c.LJTol)
		}
	}
	if c.Grad != nil {
		if miss := transformGradient(tr, c, dims, args, x, weights(c, ret, len(x))); miss != "" {
			return miss
		}
	}
	return roundTrip(tr, c, dims, args, x)
}

func transformGradient(tr *stdlib.Transform, c *vectorCase, dims []int, args [][]float64, x, adj []float64) string {
	dfree := make([]float64, len(c.args[0].X))
	dargs := make([][]float64, len(args))
	for i := range args {
		dargs[i] = make([]float64, len(args[i]))
	}
	tr.VJP(dims, c.args[0].X, args, x, adj, 1, dfree, dargs, transformWork(tr, dims))
	for i, g := range c.Grad {
		got := dfree
		if i > 0 {
			if i-1 >= len(dargs) {
				continue
			}
			got = dargs[i-1]
		}
		if miss := compareGradient(c, i, g, got); miss != "" {
			return miss
		}
	}
	return ""
}

// roundTrip checks the constraint on the result and, in ordinary cases, the inverse.
func roundTrip(tr *stdlib.Transform, c *vectorCase, dims []int, args [][]float64, x []float64) string {
	if !c.tagged("ordinary") {
		return ""
	}
	if err := tr.Check(dims, x, args); err != nil {
		return fmt.Sprintf("Check rejects the transform's own result: %v", err)
	}
	if tr.Name == "unit_vector" { // its inverse is not unique
		return ""
	}
	back := make([]float64, len(c.args[0].X))
	if err := tr.Unconstrain(dims, x, args, back); err != nil {
		return fmt.Sprintf("Unconstrain rejects the transform's own result: %v", err)
	}
	for i, v := range c.args[0].X {
		if !closeTo(back[i], v, 1e-5*(1+math.Abs(v))) {
			return fmt.Sprintf("the inverse gives %g, want %g", back[i], v)
		}
	}
	return ""
}

func runUnconstrain(tr *stdlib.Transform, c *vectorCase) string {
	dims, args := c.args[0].Dims, transformArgs(tr, c)
	n, err := tr.Free(dims)
	if err != nil {
		return rejected(err)
	}
	free := make([]float64, n)
	if err := tr.Unconstrain(dims, c.args[0].X, args, free); err != nil {
		return rejected(err)
	}
	if c.Error {
		return ""
	}
	ret, err := parseTestType(c.Ret)
	if err != nil {
		return err.Error()
	}
	if ret.Base == types.MatrixBase {
		ret = types.Matrix
	}
	want, err := readTensor(c.Value, ret)
	if err != nil {
		return err.Error()
	}
	return compare("free", free, want.X, c.Tol, ret, nil)
}

func transformWork(tr *stdlib.Transform, dims []int) []float64 {
	if tr.Work == nil {
		return nil
	}
	w := make([]float64, tr.Work(dims))
	for i := range w {
		w[i] = math.NaN()
	}
	return w
}
