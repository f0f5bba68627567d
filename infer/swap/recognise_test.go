package swap

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/rng"
)

// around are draws whose coordinates are normal with the given means and standard
// deviations, and not independent.
func around(r *rand.Rand, mean, sd []float64) [][]float64 {
	out := make([][]float64, 2*formDraws)
	for i := range out {
		x := make([]float64, len(mean))
		z := 0.0
		for k := range x {
			z = 0.3*z + r.NormFloat64()
			x[k] = mean[k] + sd[k]*z
		}
		out[i] = x
	}
	return out
}

func softplus(x float64) float64 { return math.Log1p(math.Exp(x)) }

// dirichlet is the log density, Jacobian included, of the coordinates of three numbers.
func dirichlet(y []float64, a, b, c float64) float64 {
	u, v := y[0]/math.Sqrt2, y[1]/math.Sqrt(6)
	logs := [3]float64{u + v, -u + v, -2 * v}
	total := math.Log(math.Exp(logs[0]) + math.Exp(logs[1]) + math.Exp(logs[2]))
	return a*(logs[0]-total) + b*(logs[1]-total) + c*(logs[2]-total)
}

// logDensities are log densities on the unconstrained scale, up to constants.
var logDensities = map[string]struct {
	mean, sd []float64
	terms    int // of the form; 0 where none is to be found
	lp       func(x []float64) float64
}{
	"normal": {[]float64{1, -2, 0}, []float64{1, 0.1, 5}, 9, func(x []float64) float64 {
		return 3*x[0] - x[0]*x[0] - x[1]*x[1] + 0.5*x[0]*x[1] - x[2]*x[2]/50
	}},
	"beta, none of ten":      {[]float64{-3}, []float64{1.1}, 2, func(x []float64) float64 { return x[0] - 12*softplus(x[0]) }},
	"beta, a million of two": {[]float64{0}, []float64{1.4e-3}, 2, func(x []float64) float64 { return 1e6*x[0] - 2e6*softplus(x[0]) }},
	"gamma":                  {[]float64{0.5}, []float64{0.7}, 2, func(x []float64) float64 { return 2*x[0] - math.Exp(x[0]) }},
	"inverse gamma and gamma and beta": {[]float64{0.5, 1, -1}, []float64{0.7, 0.5, 0.6}, 6, func(x []float64) float64 {
		return -2*x[0] - 3*math.Exp(-x[0]) + 4*x[1] - 1.5*math.Exp(x[1]) + 3*x[2] - 10*softplus(x[2])
	}},
	"log-normal prior, counts": {[]float64{1}, []float64{0.4}, 3, func(x []float64) float64 { return 5*x[0] - 2*math.Exp(x[0]) - x[0]*x[0]/8 }},
	"normal with a scale": {[]float64{1, 0.3}, []float64{0.4, 0.2}, 7, func(x []float64) float64 { // ten observations
		s := math.Exp(-2 * x[1])
		return -9*x[1] - s*(8+10*(x[0]-1)*(x[0]-1))/2 - x[0]*x[0]/200 - math.Exp(2*x[1])/50
	}},
	"two Dirichlets": {[]float64{0, 0.3, 0.2, -0.1}, []float64{0.5, 0.4, 0.5, 0.4}, 6, func(x []float64) float64 {
		return dirichlet(x[:2], 2, 3, 4) + dirichlet(x[2:], 1, 8, 2)
	}},
	"logistic regression": {[]float64{0, 1}, []float64{0.8, 0.7}, 0, func(x []float64) float64 {
		return -softplus(x[0]+x[1]) - softplus(-x[0]+2*x[1]) + 2*x[1] - x[0]*x[0]/2 - x[1]*x[1]/2
	}},
	"Student": {[]float64{0}, []float64{1}, 0, func(x []float64) float64 { return -2 * math.Log1p(x[0]*x[0]/3) }},
}

// TestRecognised: the form gives the log density where no draw is, the smallest form that
// does is taken, and its gradient is that of differences.
func TestRecognised(t *testing.T) {
	r := rng.New(1, "recognise test", 0, 0)
	for name, c := range logDensities {
		points := around(r, c.mean, c.sd)
		values := make([]float64, len(points))
		for i, x := range points {
			values[i] = c.lp(x)
		}
		f := recognised(points, values)
		if f == nil || c.terms == 0 {
			if (f == nil) != (c.terms == 0) {
				t.Errorf("%s: form %v", name, f)
			}
			continue
		}
		if len(f.terms) != c.terms {
			t.Errorf("%s: %d terms %v, expected %d", name, len(f.terms), f.terms, c.terms)
		}
		a, b := make([]float64, len(c.mean)), make([]float64, len(c.mean))
		for k := range a {
			a[k], b[k] = c.mean[k]+4*c.sd[k], c.mean[k]-4*c.sd[k]
		}
		got, want := f.LogDensity(a)-f.LogDensity(b), c.lp(a)-c.lp(b)
		t.Logf("%s: off by %.2g, stated %.2g", name, got-want, f.errorAt(a)+f.errorAt(b))
		if math.Abs(got-want) > farError {
			t.Errorf("%s: difference %.10g between points without draws, should be %.10g", name, got, want)
		}
		grad := make([]float64, len(a))
		f.LogDensityGrad(a, grad)
		for k, h := range c.sd {
			h *= 1e-3
			up, down := append([]float64(nil), a...), append([]float64(nil), a...)
			up[k], down[k] = a[k]+h, a[k]-h
			if d := (f.LogDensity(up) - f.LogDensity(down)) / (2 * h); math.Abs(d-grad[k]) > 1e-4*(1+math.Abs(d)) {
				t.Errorf("%s: derivative %d is %g, differences give %g", name, k, grad[k], d)
			}
		}
		for i := range values {
			values[i] += 1e-3 * r.NormFloat64()
		}
		if recognised(points, values) != nil {
			t.Errorf("%s: recognised in values with noise", name)
		}
	}
}

// TestNotRecognised: few draws, and values that are no numbers.
func TestNotRecognised(t *testing.T) {
	r := rng.New(2, "recognise test", 0, 0)
	points := around(r, []float64{0}, []float64{1})
	values := make([]float64, len(points))
	for i, x := range points {
		values[i] = -x[0] * x[0]
	}
	if recognised(points[:100], values[:100]) != nil {
		t.Error("a form from 100 draws")
	}
	values[3] = math.NaN()
	if recognised(points, values) != nil {
		t.Error("a form from NaN")
	}
}
