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
	notNaN = Requirement{
		OK: func(x float64) bool { return x == x }, Text: "a number",
		bad: func(x []float64) int { return outside(x, math.Inf(-1), math.Inf(1)) },
	}
	finite = Requirement{
		OK: func(x float64) bool { return x-x == 0 }, Text: "finite",
		bad: func(x []float64) int { return outside(x, -maxFinite, maxFinite) },
	}
	positive = Requirement{
		OK: func(x float64) bool { return x > 0 }, Text: "positive",
		bad: func(x []float64) int { return outside(x, leastPositive, math.Inf(1)) },
	}
	positiveFinite = Requirement{
		OK: func(x float64) bool { return x > 0 && x <= maxFinite }, Text: "positive and finite",
		bad: func(x []float64) int { return outside(x, leastPositive, maxFinite) },
	}
	nonnegative = Requirement{
		OK: func(x float64) bool { return x >= 0 }, Text: "at least 0",
		bad: func(x []float64) int { return outside(x, 0, math.Inf(1)) },
	}
	nonnegativeFinite = Requirement{
		OK:   func(x float64) bool { return x >= 0 && x <= maxFinite },
		Text: "at least 0 and finite",
		bad:  func(x []float64) int { return outside(x, 0, maxFinite) },
	}
	probability = Requirement{
		OK:   func(x float64) bool { return x >= 0 && x <= 1 },
		Text: "in the interval [0, 1]",
		bad:  func(x []float64) int { return outside(x, 0, 1) },
	}
	openProbability = Requirement{
		OK:   func(x float64) bool { return x > 0 && x < 1 },
		Text: "in the open interval (0, 1)",
	}
	zeroOrOne = Requirement{
		OK: func(x float64) bool { return x == 0 || x == 1 }, Text: "0 or 1",
		bad: func(x []float64) int { return outside(x, 0, 1) }, // it is an integer by its type
	}
	anyInt   = Requirement{OK: func(x float64) bool { return true }, Text: "an integer", bad: func([]float64) int { return -1 }}
	countInt = Requirement{OK: nonnegative.OK, Text: "at least 0", bad: nonnegative.bad}
)

// outside finds the first element outside the closed interval.
func outside(x []float64, lo, hi float64) int {
	if vec.Within(x, lo, hi) {
		return -1
	}
	return slices.IndexFunc(x, func(v float64) bool { return !(v >= lo && v <= hi) })
}

// firstBad is the index of the first element of x that fails, -1 where all pass.
func (r *Requirement) firstBad(x []float64) int {
	if r.bad != nil {
		return r.bad(x)
	}
	for i, v := range x {
		if !r.OK(v) {
			return i
		}
	}
	return -1
}

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
