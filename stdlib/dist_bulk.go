// This file holds what the tight loops of densities share.

package stdlib

import (
	"math"

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

// part is elements lo to hi, or the scalar.
func (c column) part(lo, hi int) column {
	if c.step == 0 {
		return c
	}
	return column{c.x[lo:hi], 1}
}

func (c column) vector() bool { return c.step == 1 }

// piece is how many elements the loops handle at a time, so that what they put aside
// fits the first-level cache and the stack.
const piece = 256

// standardise sets z to (y - mu) * inv.
func standardise(z []float64, y, mu, inv column) {
	switch {
	case y.vector() && mu.vector():
		vec.SubVV.Map(z, y.x, mu.x)
	case y.vector():
		vec.SubVS.Map(z, y.x, mu.x)
	case mu.vector():
		vec.SubSV.Map(z, y.x, mu.x)
	default:
		for i := range z {
			z[i] = y.x[0] - mu.x[0]
		}
	}
	times(z, z, inv)
}

// times sets dst to x * c.
func times(dst, x []float64, c column) {
	if c.vector() {
		vec.MulVV.Map(dst, x, c.x)
	} else {
		vec.MulVS.Map(dst, x, c.x)
	}
}

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

// addScaled adds a*v to elements lo and following, or a times the sum of v to a scalar's.
func (g gradient) addScaled(lo int, a float64, v []float64) {
	switch {
	case g.d == nil:
	case g.step == 0:
		g.d[0] += a * vec.Sum(v)
	default:
		vec.AddScaled(g.d[lo:lo+len(v)], a, v)
	}
}

func (g gradient) add(i int, v float64) {
	if g.d != nil {
		g.d[i*g.step] += v
	}
}

// logFactorials are log(n!) for n < 256, correctly rounded or nearly.
var logFactorials = func() (t [256]float64) {
	for n := range t {
		t[n], _ = math.Lgamma(float64(n) + 1)
	}
	return t
}()

// logFactorial is log(n!) for 0 <= n < 256.
func logFactorial(n float64) float64 { return logFactorials[uint8(n)] }
