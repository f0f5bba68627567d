// The list of multivariate densities and their random numbers, and what they share.

package multivariate

import (
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// Functions returns the rows of multivariate distributions.
func Functions() []*catalogue.Function {
	var all []*catalogue.Function
	for _, table := range [][]*catalogue.Function{
		multiNormalFunctions(), dirichletFunctions(), MultinomialFunctions(), lkjFunctions(),
		wishartFunctions(), hmmFunctions(), dlmFunctions(), poissonBinomialFunctions(),
	} {
		all = append(all, table...)
	}
	return all
}

// A logDensity is a function of scalar value that gives its value and adds adj times its
// gradient to the entries of din that are not nil; din may be nil altogether.
type logDensity func(in []catalogue.Tensor, adj float64, din [][]float64, work []float64) (float64, error)

// DensityKernel makes a kernel of a log density.
func DensityKernel(dims func(in []catalogue.Tensor) error, work func(in []catalogue.Tensor) int, f logDensity) *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) { return nil, dims(in) },
		Work: work,
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			v, err := f(in, 0, nil, work)
			out[0] = v
			return err
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			_, _ = f(in, adj[0], din, work) // errors show in Value
		},
		ValueGrad: func(in []catalogue.Tensor, din [][]float64, work []float64) (float64, error) {
			return f(in, 1, din, work)
		},
	}
}

// Into is where the gradient of argument i goes, nil for nowhere.
func Into(din [][]float64, i int) []float64 {
	if i < len(din) {
		return din[i]
	}
	return nil
}

// A sequence is an argument of the pattern `vectors`: n vectors of size k, or one that
// stands for all.
type sequence struct {
	x    []float64
	n, k int
	one  bool
}

func sequenceOf(t catalogue.Tensor) sequence {
	if t.Rank.Array == 0 {
		return sequence{t.X, 1, t.Dims[0], true}
	}
	return sequence{t.X, t.Dims[0], t.Dims[1], false}
}

// at is vector i of x, or of a slice like it.
func (s sequence) at(x []float64, i int) []float64 {
	if s.one {
		return x
	}
	return x[i*s.k : (i+1)*s.k]
}

// sequenceSize returns how many vectors two sequences have together, and the size of the
// vectors; an error where they do not fit.
func sequenceSize(fn, name1 string, a catalogue.Tensor, name2 string, b catalogue.Tensor) (n, k int, err error) {
	s, t := sequenceOf(a), sequenceOf(b)
	n, k = s.n, s.k
	if s.one {
		n = t.n
	} else if !t.one && s.n != t.n {
		return 0, 0, container.SizeError(fn, "the number of vectors in "+name1, s.n, "that in "+name2, t.n)
	}
	if s.n > 0 && t.n > 0 && s.k != t.k {
		return 0, 0, container.SizeError(fn, "the size of "+name1, s.k, "the size of "+name2, t.k)
	}
	if n == 0 {
		return 0, 0, nil
	}
	return n, k, nil
}

// Normals fills x with independent standard normal variates.
func Normals(r *rand.Rand, x []float64) {
	for i := range x {
		x[i] = variate.Normal(r)
	}
}

// AddLowerTimes adds L x to y, for the lower triangle of l.
func AddLowerTimes(n int, l, x, y []float64) {
	for j := 0; j < n; j++ {
		catalogue.Axpy(x[j], l[j*n+j:(j+1)*n], y[j:n])
	}
}
