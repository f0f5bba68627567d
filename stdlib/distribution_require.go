// This file holds the conditions on arguments of distributions, and their messages.

package stdlib

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

const (
	maxFinite     = math.MaxFloat64
	leastPositive = math.SmallestNonzeroFloat64
	leastNormal   = 0x1p-1022
)

// negInf is the logarithm of zero.
var negInf = math.Inf(-1)

var (
	notNaN            = within(math.Inf(-1), math.Inf(1), "a number")
	finite            = within(-maxFinite, maxFinite, "finite")
	positive          = within(leastPositive, math.Inf(1), "positive")
	positiveFinite    = within(leastPositive, maxFinite, "positive and finite")
	nonnegative       = within(0, math.Inf(1), "at least 0")
	nonnegativeFinite = within(0, maxFinite, "at least 0 and finite")
	probability       = within(0, 1, "in the interval [0, 1]")
	openProbability   = within(leastPositive, belowOne, "in the open interval (0, 1)")
	zeroOrOne         = within(0, 1, "0 or 1") // it is an integer by its type
	anyInt            = within(math.Inf(-1), math.Inf(1), "an integer")
	countInt          = within(0, math.Inf(1), "at least 0")
)

// within is the condition to lie in a closed interval.
func within(low, high float64, text string) Requirement { return Requirement{low, high, text} }

// OK reports whether a number meets the condition; NaN never does.
func (r *Requirement) OK(x float64) bool { return x >= r.Low && x <= r.High }

// outside finds the first element outside the closed interval.
func outside(x []float64, lo, hi float64) int {
	if vec.Within(x, lo, hi) {
		return -1
	}
	return slices.IndexFunc(x, func(v float64) bool { return !(v >= lo && v <= hi) })
}

// firstBad is the index of the first element of x that fails, -1 where all pass.
func (r *Requirement) firstBad(x []float64) int { return outside(x, r.Low, r.High) }

// argumentError makes the message about element i of an argument.
func argumentError(fn, arg string, t Tensor, i int, must string) error {
	return &DomainError{Func: fn, Text: argumentText(arg, t, i, must)}
}

// argumentText is what argumentError says.
func argumentText(arg string, t Tensor, i int, must string) string {
	return arg + elementIndex(t, i) + " is " + numberText(t.X[i]) + ", but must be " + must
}

// elementIndex is "[i]" for containers (from 1), nothing for scalars.
func elementIndex(t Tensor, i int) string {
	if len(t.Dims) == 0 {
		return ""
	}
	if len(t.Dims) == 1 {
		return "[" + strconv.Itoa(i+1) + "]"
	}
	idx := make([]string, len(t.Dims))
	for k := len(t.Dims) - 1; k >= 0; k-- {
		idx[k] = strconv.Itoa(i%t.Dims[k] + 1)
		i /= t.Dims[k]
	}
	return "[" + strings.Join(idx, ",") + "]"
}

// numberText writes a number for a message.
func numberText(x float64) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return strconv.FormatFloat(x, 'g', 8, 64)
}

// belowOne is the number before 1.
const belowOne = 1 - 0x1p-53
