package vec

// This file holds the sums of terms against their definition and against finite
// differences.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// A termCase has ranges of arguments and parameters for which a term is defined.
type termCase struct {
	term   Term
	args   [][2]float64
	params []float64
}

func termCases() []termCase {
	location, scale, chance := [2]float64{-3, 3}, [2]float64{0.2, 4}, [2]float64{0.1, 0.9}
	return []termCase{
		{NormalTerm, [][2]float64{location, location}, []float64{0.7, 1.3}},
		{NormalScaleTerm, [][2]float64{location, location, scale}, []float64{1.3}},
		{StudentTerm, [][2]float64{location, location, scale}, []float64{4.5, 1 / 4.5, 1.3, 1.3 * 5.5}},
		{LognormalTerm, [][2]float64{scale, location}, []float64{0.7, 1.3, 1.3 * 0.7}},
		{LogisticTerm, [][2]float64{location, location}, []float64{0.7, 1.3 * 0.7}},
		{DoubleExponentialTerm, [][2]float64{location, location}, []float64{0.7, 1.3 * 0.7}},
		{WeibullTerm, [][2]float64{scale, scale}, []float64{1.7, 1.3}},
		{ExponentialTerm, [][2]float64{scale, scale}, []float64{1.3}},
		{GammaTerm, [][2]float64{scale, scale}, []float64{2.5, 1 / 2.5, 1.3}},
		{BernoulliTerm, [][2]float64{chance, {0, 1}}, []float64{1.3}},
		{BinomialTerm, [][2]float64{chance, {0, 10}, {10, 20}}, []float64{1.3}},
		{BinomialLogitTerm, [][2]float64{location, {0, 10}, {10, 20}}, []float64{1.3}},
		{PoissonTerm, [][2]float64{scale, {0, 10}}, []float64{1.3}},
		{PoissonLogTerm, [][2]float64{location, {0, 10}}, []float64{1.3}},
		{NegBinomialTerm, [][2]float64{location, {0, 10}}, []float64{2.5, math.Log(2.5), 1.3}},
		{NegBinomialPhiTerm, [][2]float64{location, scale, {0, 10}}, []float64{1.3}},
		{OrderedLogitTerm, [][2]float64{{-4, 0}, {0, 4}}, []float64{1.3}},
	}
}

// arguments makes n variates; those of which shape has the bit set are vectors.
func (c *termCase) arguments(n, shape int, r *rand.Rand) []Arg {
	args := make([]Arg, len(c.args))
	for j, limits := range c.args {
		a := &args[j]
		a.X = make([]float64, n)
		for i := range a.X {
			a.X[i] = limits[0] + (limits[1]-limits[0])*r.Float64()
		}
		if a.Vector = shape>>j&1 != 0; a.Vector && j < termInfos[c.term].outs && r.IntN(3) > 0 {
			a.D = make([]float64, n)
			for i := range a.D {
				a.D[i] = r.NormFloat64()
			}
		}
	}
	return args
}

// TestTerms compares all implementations, for all lengths up to several vectors and
// some beyond what one call of a kernel does.
func TestTerms(t *testing.T) {
	sizes := []int{99, 1000, 1001, 8*factors + 13}
	for n := 1; n <= 40; n++ {
		sizes = append(sizes, n)
	}
	for _, c := range termCases() {
		for _, n := range sizes {
			for shape := range 1 << len(c.args) {
				var want string
				for _, s := range sets() {
					use(t, s)
					args := c.arguments(n, shape, rand.New(rand.NewChaCha8([32]byte{byte(n), byte(shape)})))
					got := c.term.Run(n, args, c.params...)
					text := fmt.Sprint(got)
					for _, a := range args {
						text += fmt.Sprint(a.D)
					}
					if want == "" {
						want = text
					} else if text != want {
						t.Fatalf("term %d, %d variates, shape %b: %s gives %s, the first gave %s", c.term, n, shape, s.name, text, want)
					}
				}
			}
		}
	}
}

// value is the log density that a term's sums make, up to what does not depend on arguments.
func (c *termCase) value(t Terms) float64 {
	s, p := &t.Sum, c.params
	switch c.term {
	case NormalTerm:
		return -0.5 * s[0]
	case NormalScaleTerm, LognormalTerm:
		return -0.5*s[0] - s[1]
	case StudentTerm:
		return -0.5*(p[0]+1)*s[1] - s[2]
	case LogisticTerm:
		return -s[0] - 2*s[1]
	case DoubleExponentialTerm:
		return -s[0]
	case ExponentialTerm:
		return s[1] - s[0]
	case GammaTerm:
		return p[0]*s[0] - s[2]
	}
	return s[0] // the log mass, and that of Weibull
}

// TestTermDerivatives compares derivatives of one variate with central differences. The
// error of these is some h^2 and 1e-16/h.
func TestTermDerivatives(t *testing.T) {
	const h, slope = 1e-5, 1.3
	for _, c := range termCases() {
		r := rand.New(rand.NewChaCha8([32]byte{2}))
		for range 50 {
			args := c.arguments(1, 0, r)
			got := c.term.Run(1, args, c.params...)
			for j := range termInfos[c.term].outs {
				x := args[j].X[0]
				args[j].X[0] = x + h
				up := c.value(c.term.Run(1, args, c.params...))
				args[j].X[0] = x - h
				down := c.value(c.term.Run(1, args, c.params...))
				args[j].X[0] = x
				d := got.D[j] / slope
				if c.term == NormalTerm {
					d = got.D[j] / c.params[1] * c.params[0]
				}
				if want := (up - down) / (2 * h); math.Abs(d-want) > 1e-6*(1+math.Abs(want)) {
					t.Errorf("term %d, argument %d: derivative %v, by differences %v", c.term, j, d, want)
				}
			}
		}
	}
}

// TestLgammaPsi compares with the library and with differences, and implementations with
// each other.
func TestLgammaPsi(t *testing.T) {
	var x []float64
	for v := 1e-300; v < 1e299; v *= 1.3 {
		x = append(x, v)
	}
	for v := 0.01; v < 20; v += 0.01 {
		x = append(x, v)
	}
	lg, psi := make([]float64, len(x)), make([]float64, len(x))
	for _, s := range sets() {
		use(t, s)
		LgammaPsi(lg, psi, x)
		for i, v := range x {
			a, b := lgammaPsi(v)
			if !same(lg[i], a) || !same(psi[i], b) {
				t.Fatalf("%s: %v gives %v and %v, want %v and %v", s.name, v, lg[i], psi[i], a, b)
			}
			if want, _ := math.Lgamma(v); math.Abs(a-want) > 1e-15*(math.Abs(want)+8) {
				t.Errorf("lgamma(%v) is %v, want %v", v, a, want)
			}
			// digamma(x+1) is digamma(x) + 1/x, and digamma(2x) is the mean of those at x and
			// x + 1/2, plus log(2).
			_, next := lgammaPsi(v + 1)
			_, half := lgammaPsi(v + 0.5)
			_, twice := lgammaPsi(2 * v)
			if math.Abs(next-b-1/v) > 1e-15*(math.Abs(b)+8) || math.Abs((b+half)/2+math.Ln2-twice) > 1e-15*(math.Abs(b)+8) {
				t.Errorf("digamma(%v) is %v, but at x+1 %v, x+1/2 %v, 2x %v", v, b, next, half, twice)
			}
		}
	}
}

// TestTermsDoNotAllocate holds for all implementations.
func TestTermsDoNotAllocate(t *testing.T) {
	for _, c := range termCases() {
		withKernels(t, func(s *set) {
			args := c.arguments(100, 3, rand.New(rand.NewChaCha8([32]byte{1})))
			if a := testing.AllocsPerRun(10, func() { c.term.Run(100, args, c.params...) }); a != 0 {
				t.Errorf("%s, term %d: %v allocations", s.name, c.term, a)
			}
		})
	}
}
