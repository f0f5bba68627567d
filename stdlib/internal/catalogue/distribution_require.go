// This file holds the conditions on arguments of distributions, and their messages.

package catalogue

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

const (
	MaxFinite     = math.MaxFloat64
	LeastPositive = math.SmallestNonzeroFloat64
	LeastNormal   = 0x1p-1022
)

// NegInf is the logarithm of zero.
var NegInf = math.Inf(-1)

var (
	NotNaN            = Within(math.Inf(-1), math.Inf(1), "a number")
	Finite            = Within(-MaxFinite, MaxFinite, "finite")
	Positive          = Within(LeastPositive, math.Inf(1), "positive")
	PositiveFinite    = Within(LeastPositive, MaxFinite, "positive and finite")
	Nonnegative       = Within(0, math.Inf(1), "at least 0")
	NonnegativeFinite = Within(0, MaxFinite, "at least 0 and finite")
	Probability       = Within(0, 1, "in the interval [0, 1]")
	OpenProbability   = Within(LeastPositive, BelowOne, "in the open interval (0, 1)")
	ZeroOrOne         = Within(0, 1, "0 or 1") // it is an integer by its type
	AnyInt            = Within(math.Inf(-1), math.Inf(1), "an integer")
	CountInt          = Within(0, math.Inf(1), "at least 0")
)

// Within is the condition to lie in a closed interval.
func Within(low, high float64, text string) Requirement { return Requirement{low, high, text} }

// OK reports whether a number meets the condition; NaN never does.
func (r *Requirement) OK(x float64) bool { return x >= r.Low && x <= r.High }

// Outside finds the first element outside the closed interval.
func Outside(x []float64, lo, hi float64) int {
	const few = 8 // are looked at before a call is made
	if len(x) >= few && vec.Within(x, lo, hi) {
		return -1
	}
	return slices.IndexFunc(x, func(v float64) bool { return !(v >= lo && v <= hi) })
}

// FirstBad is the index of the first element of x that fails, -1 where all pass.
func (r *Requirement) FirstBad(x []float64) int { return Outside(x, r.Low, r.High) }

// ArgumentError makes the message about element i of an argument.
func ArgumentError(fn, arg string, t Tensor, i int, must string) error {
	return &DomainError{Func: fn, Text: ArgumentText(arg, t, i, must)}
}

// ArgumentText is what argumentError says.
func ArgumentText(arg string, t Tensor, i int, must string) string {
	return arg + ElementIndex(t, i) + " is " + NumberText(t.X[i]) + ", but must be " + must
}

// ElementIndex is "[i]" for containers (from 1), nothing for scalars.
func ElementIndex(t Tensor, i int) string {
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

// NumberText writes a number for a message.
func NumberText(x float64) string {
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

// BelowOne is the number before 1.
const BelowOne = 1 - 0x1p-53
