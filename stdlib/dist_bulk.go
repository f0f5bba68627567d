// This file holds what the tight loops of densities share.

package stdlib

import "math"

// A logProduct gathers the sum of the logarithms of positive numbers as the
// logarithm of their product, which costs one multiplication a number.
type logProduct struct {
	product float64 // of the factors since the last logarithm
	sum     float64
}

func newLogProduct() logProduct { return logProduct{product: 1} }

// times multiplies in x.
func (l *logProduct) times(x float64) {
	p := l.product * x
	if p > 1e-200 && p < 1e200 {
		l.product = p
		return
	}
	l.sum += math.Log(l.product) + math.Log(x)
	l.product = 1
}

// log is the sum of the logarithms.
func (l *logProduct) log() float64 { return l.sum + math.Log(l.product) }

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
