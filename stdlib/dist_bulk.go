// This file holds what the tight loops of densities share.

package stdlib

import (
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// A column reads an argument element by element, a scalar again and again.
type column struct {
	x    []float64
	step int
}

func columnOf(t Tensor) column {
	if len(t.Dims) == 0 {
		return column{t.X, 0}
	}
	return column{t.X, 1}
}

func (c column) at(i int) float64 { return c.x[i*c.step] }

// piece is how many elements the loops handle at a time, so that what they put aside
// fits the first-level cache and the stack.
const piece = 256

// A gradient adds partial derivatives of one argument, if they are wanted at all.
type gradient struct {
	d    []float64
	step int
}

func gradientOf(din [][]float64, in []Tensor, j int) gradient {
	if len(din) == 0 || din[j] == nil {
		return gradient{}
	}
	return gradient{din[j], columnOf(in[j]).step}
}

// termArg is argument j of a sum of terms.
func termArg(in []Tensor, din [][]float64, j int) vec.Arg {
	a := vec.Arg{X: in[j].X, Vector: len(in[j].Dims) > 0}
	if len(din) > 0 {
		a.D = din[j]
	}
	return a
}

// addSingles adds the derivatives in those of the first arguments that are single numbers.
func addSingles(in []Tensor, din [][]float64, d []float64) {
	for j, v := range d {
		addSingle(in, din, j, v)
	}
}

func addSingle(in []Tensor, din [][]float64, j int, v float64) {
	if len(din) > 0 && din[j] != nil && len(in[j].Dims) == 0 {
		din[j][0] += float64(v) // which may be a product
	}
}

func (g gradient) add(i int, v float64) {
	if g.d != nil {
		g.d[i*g.step] += float64(v) // which may be a product
	}
}

// addAll adds the derivatives of variates from lo on.
func (g gradient) addAll(lo int, v []float64) {
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

// logFactorial is log(n!) for 0 <= n < 256.
func logFactorial(n float64) float64 { return logFactorials[uint8(n)] }
