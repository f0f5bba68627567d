// Quadratures against closed forms.

package solve

import (
	"math"
	"testing"
)

// scalar is an integrand with one component.
type scalar func(x, xc float64) float64

func (f scalar) At(x, xc float64, out []float64) error {
	out[0] = f(x, xc)
	return nil
}

var inf = math.Inf(1)

var integrals = []struct {
	name string
	f    scalar
	a, b float64
	want float64
	ends bool // needs the distance from the limits, or has a singularity there
}{
	{"exp", func(x, _ float64) float64 { return math.Exp(x) }, 0, 1, math.E - 1, false},
	{"exp across zero", func(x, _ float64) float64 { return math.Exp(x) }, -2, 3, math.Exp(3) - math.Exp(-2), false},
	{"normal", func(x, _ float64) float64 { return math.Exp(-x * x / 2) }, -inf, inf, math.Sqrt(2 * math.Pi), false},
	{"normal tail", func(x, _ float64) float64 { return math.Exp(-x * x / 2) }, 1.5, inf, math.Sqrt(math.Pi/2) * math.Erfc(1.5/math.Sqrt2), false},
	{"lower tail", func(x, _ float64) float64 { return math.Exp(-x * x / 2) }, -inf, 0.7, math.Sqrt(math.Pi/2) * math.Erfc(-0.7/math.Sqrt2), false},
	{"far normal", func(x, _ float64) float64 { return math.Exp(-(x - 40) * (x - 40) / 2) }, -inf, inf, math.Sqrt(2 * math.Pi), false},
	{"narrow", func(x, _ float64) float64 { return math.Exp(-x * x * 5e3) }, -1, 1, math.Sqrt(math.Pi / 5e3), false},
	{"gamma", func(x, _ float64) float64 { return math.Exp(2.5*math.Log(x) - x) }, 0, inf, math.Gamma(3.5), false},
	{"Cauchy", func(x, _ float64) float64 { return 1 / (1 + x*x) }, -inf, inf, math.Pi, false},
	{"square root", func(x, _ float64) float64 { return math.Sqrt(x) }, 0, 1, 2. / 3, true},
	{"singular at zero", func(x, _ float64) float64 { return 1 / math.Sqrt(x) }, 0, 1, 2, true},
	{"log", func(x, _ float64) float64 { return math.Log(x) }, 0, 1, -1, true},
	// the beta function near 1, which only xc makes accurate (Stan User's Guide)
	{"beta", func(x, xc float64) float64 {
		if x > 0.5 {
			return math.Pow(x, 1.5) * math.Pow(xc, -0.4)
		}
		return math.Pow(x, 1.5) * math.Pow(1-x, -0.4)
	}, 0, 1, math.Gamma(2.5) * math.Gamma(0.6) / math.Gamma(3.1), true},
	{"empty", func(x, _ float64) float64 { return 0 }, 0, 1, 0, false},
}

func TestDoubleExponential(t *testing.T) {
	for _, c := range integrals {
		var out [1]float64
		err := NewDoubleExponential(c.f, 1).Integrate(c.a, c.b, Accuracy{Rel: 1e-8, Levels: 15}, out[:])
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if d := math.Abs(out[0] - c.want); !(d <= 1e-8*math.Abs(c.want)) {
			t.Errorf("%s is %v, want %v", c.name, out[0], c.want)
		}
	}
}

// TestDistance asks for the signs and the precision of xc.
func TestDistance(t *testing.T) {
	seen := 0
	f := scalar(func(x, xc float64) float64 {
		seen++
		if x < 2.5 && (xc > 0 || math.Abs(1-x-xc) > 1e-15) || x > 2.5 && (xc < 0 || math.Abs(4-x-xc) > 1e-15) {
			t.Errorf("at %v the distance is %v", x, xc)
		}
		return 1
	})
	var out [1]float64
	if err := NewDoubleExponential(f, 1).Integrate(1, 4, Accuracy{Rel: 1e-8, Levels: 15}, out[:]); err != nil || math.Abs(out[0]-3) > 1e-13 || seen < 10 {
		t.Errorf("%v, %v after %d values", out[0], err, seen)
	}
	f = func(x, xc float64) float64 {
		if !math.IsNaN(xc) {
			t.Errorf("with an infinite limit the distance is %v at %v", xc, x)
		}
		return math.Exp(-x * x)
	}
	if err := NewDoubleExponential(f, 1).Integrate(-1, inf, Accuracy{Rel: 1e-8, Levels: 15}, out[:]); err != nil {
		t.Error(err)
	}
}

func TestDivergentIntegral(t *testing.T) {
	for name, f := range map[string]scalar{
		"1/x":  func(x, _ float64) float64 { return 1 / x },
		"NaN":  func(x, _ float64) float64 { return math.NaN() },
		"step": func(x, _ float64) float64 { return math.Floor(10.3 * x) },
	} {
		var out [1]float64
		err := NewDoubleExponential(f, 1).Integrate(0, 1, Accuracy{Rel: 1e-8, Levels: 8}, out[:])
		if e, ok := err.(*Error); !ok || !e.Recoverable() {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestGaussKronrod(t *testing.T) {
	for _, c := range integrals {
		if c.ends {
			continue
		}
		var out [1]float64
		err := NewGaussKronrod(c.f, 1).Integrate(c.a, c.b, Accuracy{Rel: 1e-9, Levels: 15}, out[:])
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if d := math.Abs(out[0] - c.want); !(d <= 1e-8*math.Abs(c.want)) {
			t.Errorf("%s is %v, want %v", c.name, out[0], c.want)
		}
	}
}
