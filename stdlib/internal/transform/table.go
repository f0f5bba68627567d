// The table of constraint transforms.

package transform

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// CheckTolerance is how far sums, norms and symmetric entries may be off, as in Stan.
const CheckTolerance = 1e-8

// Transforms returns the rows, in the order of the Stan Reference Manual's chapter.
func Transforms() []*Transform {
	return []*Transform{
		lowerTransform(),
		upperTransform(),
		lowerUpperTransform(),
		offsetMultiplierTransform(),
		OrderedTransform(),
		PositiveOrderedTransform(),
		SumToZeroVectorTransform(),
		SumToZeroMatrixTransform(),
		SimplexTransform(),
		ColumnStochasticTransform(),
		RowStochasticTransform(),
		UnitVectorTransform(),
		CorrMatrixTransform(),
		CovMatrixTransform(),
		CholeskyCorrTransform(),
		CholeskyCovTransform(),
	}
}

// violationf makes the error of a Check; the text begins after the variable's name.
func violationf(format string, args ...any) error { return violation(fmt.Sprintf(format, args...)) }

type violation string

func (v violation) Error() string { return string(v) }

// rejectUnless turns a failed Check into the *DomainError of an Unconstrain.
func rejectUnless(name string, err error) error {
	if err == nil {
		return nil
	}
	return catalogue.DomainErrorf(name+"_unconstrain", "x%s", err)
}

// indexText writes the position of flat element i of a variable with these sizes, from
// 1: "" for a scalar, "[2]", "[1, 2]" (matrices are column-major).
func indexText(dims []int, i int) string {
	switch len(dims) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("[%d]", i+1)
	}
	rows := dims[len(dims)-2]
	return fmt.Sprintf("[%d, %d]", i%rows+1, i/rows+1)
}

// ArgAt reads element i of a bound that is one number for all, or one for each.
func ArgAt(arg []float64, i int) float64 {
	if len(arg) == 1 {
		return arg[0]
	}
	return arg[i]
}

// AddArgAt adds to the derivative of such a bound.
func AddArgAt(darg []float64, i int, v float64) {
	v = float64(v) // rounded, should it be a product
	if len(darg) == 1 {
		darg[0] += v
	} else {
		darg[i] += v
	}
}

// SizeOf is the number of elements of a container with these sizes.
func SizeOf(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// LogSech2 is log(1 - tanh(y)^2), accurate for all y.
func LogSech2(y float64) float64 {
	a := math.Abs(y)
	return 2 * (math.Ln2 - a - libm.Log1p(libm.Exp(-2*a)))
}

// Sech is 1/cosh(y) = sqrt(1 - tanh(y)^2), without overflow.
func Sech(y float64) float64 {
	e := libm.Exp(-math.Abs(y))
	return 2 * e / (1 + float64(e*e))
}
