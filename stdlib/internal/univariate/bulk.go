// This file holds what the tight loops of densities share.

package univariate

import (
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// A Column reads an argument element by element, a scalar again and again.
type Column struct {
	x    []float64
	step int
}

// NewColumn makes a column of elements of x, which are step apart: 1, or 0 for one that stands for all.
func NewColumn(x []float64, step int) Column { return Column{x, step} }

// ColumnOf is the column of an argument.
func ColumnOf(t catalogue.Tensor) Column {
	if len(t.Dims) == 0 {
		return Column{t.X, 0}
	}
	return Column{t.X, 1}
}

func (c Column) at(i int) float64 { return c.x[i*c.step] }

// piece is how many elements the loops handle at a time, so that what they put aside
// fits the first-level cache and the stack.
const piece = 256

// A Gradient adds partial derivatives of one argument, if they are wanted at all.
type Gradient struct {
	d    []float64
	step int
}

// NewGradient makes a place for derivatives, which are step apart.
func NewGradient(d []float64, step int) Gradient { return Gradient{d, step} }

func gradientOf(din [][]float64, in []catalogue.Tensor, j int) Gradient {
	if len(din) == 0 || din[j] == nil {
		return Gradient{}
	}
	return Gradient{din[j], ColumnOf(in[j]).step}
}

// termArg is argument j of a sum of terms.
func termArg(in []catalogue.Tensor, din [][]float64, j int) vec.Arg {
	a := vec.Arg{X: in[j].X, Vector: len(in[j].Dims) > 0}
	if len(din) > 0 {
		a.D = din[j]
	}
	return a
}

// addSingles adds the derivatives in those of the first arguments that are single numbers.
func addSingles(in []catalogue.Tensor, din [][]float64, d []float64) {
	for j, v := range d {
		addSingle(in, din, j, v)
	}
}

func addSingle(in []catalogue.Tensor, din [][]float64, j int, v float64) {
	if len(din) > 0 && din[j] != nil && len(in[j].Dims) == 0 {
		din[j][0] += float64(v) // which may be a product
	}
}

func (g Gradient) add(i int, v float64) {
	if g.d != nil {
		g.d[i*g.step] += float64(v) // which may be a product
	}
}

// addAll adds the derivatives of variates from lo on.
func (g Gradient) addAll(lo int, v []float64) {
	switch {
	case g.d == nil:
	case g.step == 0:
		g.d[0] += vec.Sum(v)
	default:
		part := g.d[lo : lo+len(v)]
		vec.AddVV.Map(part, part, v)
	}
}

// logFactorials are log(n!) for n < 256, correctly rounded or nearly.
var logFactorials = func() (t [256]float64) {
	for n := range t {
		t[n], _ = libm.Lgamma(float64(n) + 1)
	}
	return t
}()

// LogFactorial is log(n!) for 0 <= n < 256.
func LogFactorial(n float64) float64 { return logFactorials[uint8(n)] }

// ManyCounts is the greatest count of the tight loops: of larger ones, the log factorials would cost
// digits of the sum.
const ManyCounts = 1e5

// LogFactorialOf is log(n!) for 0 <= n <= ManyCounts, by Stirling's series where there is no table.
func LogFactorialOf(n float64) float64 {
	if n < float64(len(logFactorials)) {
		return LogFactorial(n)
	}
	inv := 1 / n
	series := inv * (1.0/12 - float64(inv*inv*(1.0/360-float64(inv*inv/1260))))
	return float64((n+0.5)*vec.Log.At(n)) - n + HalfLogTwoPi + float64(series)
}
