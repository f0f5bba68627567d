// This file defines factors and chooses the one that fits a block.

package cavi

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
)

// A factor is the approximation of one block. It is set before anything is asked of it.
type factor interface {
	// form is the factor's name in reports.
	form() string
	// set makes it proportional to the exponential of the block's statistics times their
	// natural parameters.
	set(natural []float64) error
	// expect fills out with the expectations of the statistics.
	expect(out []float64)
	// entropy is that on the declared scale, in nats.
	entropy() float64
	// moments fills mean and sd of each number, or of each indicator with an sd of 1.
	moments(mean, sd []float64)
	// density is the factor as it is now, on the free scale. It is immutable and may be
	// used from several goroutines.
	density() blockDensity
}

// A blockDensity is a normalised density of a block's free coordinates.
type blockDensity interface {
	// logDensity also writes the gradient where grad is not nil.
	logDensity(free, grad []float64) float64
	draw(r *rand.Rand, free []float64)
}

// An ImproperError says that a factor is no distribution.
type ImproperError struct {
	Block string // its name
	Form  string
	What  string // is wrong
}

// Error implements error.
func (e *ImproperError) Error() string {
	return fmt.Sprintf("cavi: the factor of %s, %s, is improper: %s; a proper prior would mend it", e.Block, e.Form, e.What)
}

func improperError(b *infer.FactorBlock, form, what string, args ...any) error {
	return &ImproperError{b.Name, form, fmt.Sprintf(what, args...)}
}

// newFactor chooses the family for a block. laplace is for those without a form.
func newFactor(b *infer.FactorBlock, laplace bool) (factor, error) {
	switch {
	case b.Support == infer.Whole:
		return newEnumerated(b), nil
	case b.Support == infer.Wholes:
		return newJoint(b)
	case b.Support == infer.Simplex:
		if !only(b, key{infer.LogNumber, 1}) {
			return nil, fmt.Errorf("cavi: the full conditional of %s is not Dirichlet", b.Name)
		}
		return newDirichlet(b), nil
	case b.Support == infer.Definite:
		inverse := only(b, key{infer.LogDeterminant, 1}, key{infer.Inverse, 1})
		if !inverse && !only(b, key{infer.LogDeterminant, 1}, key{infer.Number, 1}) {
			return nil, fmt.Errorf("cavi: the full conditional of %s is not Wishart", b.Name)
		}
		return newWishart(b, inverse), nil
	case b.Support == infer.Line && quadratic(b):
		if f := newSparse(b); f != nil {
			return f, nil
		}
		return newNormal(b), nil
	case b.Support == infer.Scaled:
		return newScaled(b)
	case b.Size != 1:
		return nil, fmt.Errorf("cavi: %s has %d numbers and no full conditional of a known form", b.Name, b.Size)
	case b.Support == infer.Positive && only(b, key{infer.Number, 1}, key{infer.LogNumber, 1}):
		return newGamma(b, false), nil
	case b.Support == infer.Positive && only(b, key{infer.Number, -1}, key{infer.LogNumber, 1}):
		return newGamma(b, true), nil
	case b.Support == infer.Unit && only(b, key{infer.LogNumber, 1}, key{infer.LogOneMinus, 1}):
		return newBeta(b), nil
	}
	return newGrid(b, laplace), nil
}

// A key is a function with its power.
type key struct {
	f     infer.StatisticFunc
	power float64
}

// only reports whether all statistics are single functions among keys.
func only(b *infer.FactorBlock, keys ...key) bool {
	for _, s := range b.Statistics {
		if len(s) != 1 || !slices.Contains(keys, key{s[0].Func, s[0].Power}) {
			return false
		}
	}
	return true
}

// quadratic reports whether all statistics are numbers and products of two.
func quadratic(b *infer.FactorBlock) bool {
	for _, s := range b.Statistics {
		degree := 0.0
		for _, f := range s {
			if f.Func != infer.Number || f.Power != 1 && f.Power != 2 {
				return false
			}
			degree += f.Power
		}
		if degree > 2 {
			return false
		}
	}
	return true
}

// logNormalizer is the log of the integral of the exponential of statistics times
// natural parameters, for a factor that was set to these and is exact.
func logNormalizer(f factor, natural, scratch []float64) float64 {
	if j, ok := f.(*jointFactor); ok {
		return j.state.LogNormalizer()
	}
	f.expect(scratch)
	return f.entropy() + dot(natural, scratch)
}

// dot is the inner product, where 0 times infinity is 0.
func dot(natural, expected []float64) float64 {
	var s sum
	for k, c := range natural {
		if expected[k] != 0 {
			s.add(c * expected[k])
		}
	}
	return s.value()
}

// A sum adds up with Neumaier's compensation, so that bounds which differ by rounding
// only do not differ much.
type sum struct{ total, lost float64 }

func (s *sum) add(x float64) {
	x = float64(x) // rounded, should it be a product
	t := s.total + x
	if t-t == 0 { // finite
		if abs(s.total) >= abs(x) {
			s.lost += (s.total - t) + x
		} else {
			s.lost += (x - t) + s.total
		}
	}
	s.total = t
}

func (s *sum) value() float64 { return s.total + s.lost }

func abs(x float64) float64 { return max(x, -x) }
