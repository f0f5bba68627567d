// What the rows of pure rearrangement share: rows whose result holds copies of
// elements of the arguments.

package container

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

// ContainerFunctions returns the rows that build, join, cut and reshape containers.
func ContainerFunctions() []*catalogue.Function {
	var all []*catalogue.Function
	for _, table := range [][]*catalogue.Function{
		shapeFunctions(), sliceFunctions(), joinFunctions(), buildFunctions(),
	} {
		all = append(all, table...)
	}
	return all
}

// A layoutFunc is the Layout field of a Function.
type layoutFunc = func(in []catalogue.Tensor) (dims []int, from []catalogue.Ref, err error)

// pick makes the references of a result of n elements, the k-th a copy of element
// at(k) of argument arg.
func pick(n, arg int, at func(k int) int) []catalogue.Ref {
	from := make([]catalogue.Ref, n)
	for k := range from {
		from[k] = catalogue.Ref{Arg: int32(arg), Elem: int32(at(k))}
	}
	return from
}

// inOrder picks all n elements of an argument as they stand.
func inOrder(n, arg int) []catalogue.Ref { return pick(n, arg, func(k int) int { return k }) }

// MatrixSize returns the rows and columns of a scalar, vector, row vector or matrix.
// Element (i,j) is number i + j*rows in all four.
func MatrixSize(t catalogue.Tensor) (rows, cols int) {
	switch {
	case len(t.Dims) == 0:
		return 1, 1
	case len(t.Dims) == 2:
		return t.Dims[0], t.Dims[1]
	case t.Rank.Row:
		return 1, t.Dims[0]
	}
	return t.Dims[0], 1
}

// IntArg is the value of an integer argument.
func IntArg(t catalogue.Tensor) int { return int(t.X[0]) }

// RangeError reports that an index or a size is outside its range.
func RangeError(fn, what string, got, low, high int) error {
	if low > high {
		return fmt.Errorf("%s: %s is %d, but there is nothing to index", fn, what, got)
	}
	return fmt.Errorf("%s: %s is %d, but must be between %d and %d", fn, what, got, low, high)
}

// CheckRange checks an integer argument; the bounds are included.
func CheckRange(fn, what string, got, low, high int) error {
	if got < low || got > high {
		return RangeError(fn, what, got, low, high)
	}
	return nil
}

// SizeError reports that two sizes that must agree do not.
func SizeError(fn, what1 string, n1 int, what2 string, n2 int) error {
	return fmt.Errorf("%s: %s is %d and %s is %d, but they must be equal", fn, what1, n1, what2, n2)
}

// CheckCount checks a size argument.
func CheckCount(fn, what string, n int) error {
	if n < 0 {
		return fmt.Errorf("%s: %s is %d, but must not be negative", fn, what, n)
	}
	return nil
}

// MostNumbers is how many numbers the result of one call may hold: 8 GB of them.
const MostNumbers = 1 << 30

// CheckNumbers checks the sizes of the result of a call of fn before it is made.
func CheckNumbers(fn string, dims []int) error { return checkNumbers(fn, dims, MostNumbers, 1) }

// checkNumbers is CheckNumbers with another bound, where each number takes the memory of several.
func checkNumbers(fn string, dims []int, most, each float64) error {
	numbers := 1.0
	for _, n := range dims {
		numbers *= float64(n)
	}
	if numbers > most {
		return fmt.Errorf("%s: the result would hold %.3g numbers, and can hold at most %.0f", fn, numbers, most)
	}
	if err := CheckMemory(each * numbers); err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	return nil
}

// Functions that only arrange numbers hold for each where it comes from as well, in a list that grows.
const (
	mostLaidOut = MostNumbers / 4
	laidOut     = 8 // numbers of memory for each
)

// CheckLayout checks that there is memory for an arrangement of all numbers of the arguments.
func CheckLayout(fn string, in []catalogue.Tensor) error {
	numbers := 0.0
	for _, t := range in {
		numbers += float64(transform.SizeOf(t.Dims))
	}
	if err := CheckMemory(laidOut * numbers); err != nil {
		return fmt.Errorf("%s: %w", fn, err)
	}
	return nil
}

// ArrayPrefix writes "array[,] " for two dimensions.
func ArrayPrefix(n int) string {
	if n == 0 {
		return ""
	}
	s := "array["
	for ; n > 1; n-- {
		s += ","
	}
	return s + "] "
}

// widths returns each signature also in its complex form, where real, vector,
// row_vector and matrix (outside of integer arguments) are complex.
func withComplex(signatures ...string) []string {
	all := append([]string(nil), signatures...)
	for _, s := range signatures {
		all = append(all, complexForm(s))
	}
	return all
}
