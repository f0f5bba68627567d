// How print writes values.

package eval

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/types"
)

// Format writes a value as Stan's print does: integers in full, other numbers with six
// significant digits, containers in brackets, matrices by rows, tuples and complex
// numbers in parentheses.
func Format(v *Value) string {
	var b strings.Builder
	format(&b, v)
	return b.String()
}

func format(b *strings.Builder, v *Value) {
	switch {
	case v.T.Dims > 0:
		list(b, v.Dims[0], func(i int) { format(b, v.element(i)) })
	case v.T.Base == types.TupleBase:
		b.WriteByte('(')
		for i, x := range v.Fields {
			if i > 0 {
				b.WriteByte(',')
			}
			format(b, x)
		}
		b.WriteByte(')')
	case v.T.Base.BaseRank() == 1:
		list(b, v.Dims[0], func(i int) { format(b, v.element(i)) })
	case v.T.Base.BaseRank() == 2:
		rows, cols := v.Dims[0], v.Dims[1]
		list(b, rows, func(i int) {
			list(b, cols, func(j int) { format(b, v.element(i+j*rows)) })
		})
	case v.T.Base == types.ComplexBase:
		fmt.Fprintf(b, "(%s,%s)", number(v.X[0]), number(v.X[1]))
	case v.T.Base == types.IntBase:
		b.WriteString(strconv.FormatFloat(v.X[0], 'f', -1, 64))
	case len(v.X) == 1:
		b.WriteString(number(v.X[0]))
	}
}

func list(b *strings.Builder, n int, item func(int)) {
	b.WriteByte('[')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		item(i)
	}
	b.WriteByte(']')
}

func number(x float64) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}
