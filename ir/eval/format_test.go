// What print writes, against what Stan's reference manual and the C++ stream it uses
// (%g with six digits) give.

package eval_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
)

func TestFormat(t *testing.T) {
	pair := eval.NewValue(types.TupleOf(types.Int, types.Vector), nil, nil)
	pair.Fields = []*eval.Value{eval.Int(2), eval.NewValue(types.Vector, []int{2}, []float64{0.5, 1})}
	for _, c := range []struct {
		v    *eval.Value
		want string
	}{
		{eval.Int(12345678), "12345678"},
		{eval.Int(-3), "-3"},
		{eval.Real(3), "3"},
		{eval.Real(1234567), "1.23457e+06"},
		{eval.Real(100000), "100000"},
		{eval.Real(0.1 + 0.2), "0.3"},
		{eval.Real(1e-5), "1e-05"},
		{eval.Real(-2.5), "-2.5"},
		{eval.Real(math.NaN()), "nan"},
		{eval.Real(math.Inf(-1)), "-inf"},
		{eval.NewValue(types.Complex, nil, []float64{1, -2}), "(1,-2)"},
		{eval.NewValue(types.Vector, []int{0}, nil), "[]"},
		{eval.NewValue(types.Matrix, []int{2, 3}, []float64{1, 4, 2, 5, 3, 6}), "[[1,2,3],[4,5,6]]"},
		{eval.NewValue(types.ArrayOf(types.Int, 2), []int{2, 2}, []float64{1, 2, 3, 4}), "[[1,2],[3,4]]"},
		{eval.NewValue(types.ArrayOf(types.Vector, 1), []int{2, 2}, []float64{1, 2, 3, 4}), "[[1,2],[3,4]]"},
		{eval.NewValue(types.ComplexVector, []int{2}, []float64{1, 2, 3, 4}), "[(1,2),(3,4)]"},
		{pair, "(2,[0.5,1])"},
	} {
		if got := eval.Format(c.v); got != c.want {
			t.Errorf("%v of type %s: got %q, want %q", c.v.X, c.v.T, got, c.want)
		}
	}
}
