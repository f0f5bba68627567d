// This file holds reductions: sum, product, extremes, moments, dot products, norms.

package mathfn

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

func reductions() []*catalogue.Function {
	withInts := append([]string{"array[] int"}, catalogue.Containers...)
	sums := append(catalogue.Over("real", "sum", catalogue.Containers), "int sum(array[] int x)")
	prods := append(catalogue.Over("real", "prod", catalogue.Containers), "int prod(array[] int x)")
	mean := &catalogue.Kernel{Dims: catalogue.NotEmpty("mean"), Value: func(in []catalogue.Tensor, out, _ []float64) error {
		out[0] = sum(in[0].X) / float64(len(in[0].X))
		return nil
	}, VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
		addEach(din[0], adj[0]/float64(len(in[0].X)))
	}}
	return []*catalogue.Function{
		{Name: "sum", Signatures: sums, Doc: "the sum of the elements, 0 of none", Section: catalogue.SectionArray,
			Kernel: &catalogue.Kernel{Dims: catalogue.ScalarDims, Value: func(in []catalogue.Tensor, out, _ []float64) error {
				out[0] = sum(in[0].X)
				return nil
			}, VJP: func(_ []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) { addEach(din[0], adj[0]) }}},
		{Name: "prod", Signatures: prods, Doc: "the product of the elements, 1 of none", Section: catalogue.SectionArray, Kernel: prodKernel()},
		extreme("min", "the smallest element", 1),
		extreme("max", "the largest element", -1),
		extremeOfInts("min", "the smallest element; there must be one", slices.Min[[]float64]),
		extremeOfInts("max", "the largest element; there must be one", slices.Max[[]float64]),
		{Name: "mean", Signatures: catalogue.Over("real", "mean", withInts), Doc: "the mean of the elements", Section: catalogue.SectionArray, Kernel: mean},
		{Name: "variance", Signatures: catalogue.Over("real", "variance", withInts), Section: catalogue.SectionArray,
			Doc: "the sample variance, with the divisor size - 1; 0 of one element", Kernel: variance()},
		{Name: "sd", Signatures: catalogue.Over("real", "sd", withInts), Section: catalogue.SectionArray,
			Doc: "the sample standard deviation, the root of the variance", Kernel: standardDeviation()},
		{Name: "log_sum_exp", Signatures: catalogue.Over("real", "log_sum_exp", catalogue.Containers), Section: catalogue.SectionArray,
			Doc:    "the log of the sum of the exponentials of the elements, without overflow",
			Kernel: logSumExp()},
		{Name: "cumulative_sum", Section: catalogue.SectionArray, Doc: "the sums of the first 1, 2, ... elements",
			Signatures: []string{"array[] int cumulative_sum(array[] int x)", "array[] real cumulative_sum(array[] real x)",
				"vector cumulative_sum(vector x)", "row_vector cumulative_sum(row_vector x)"},
			Kernel: cumulativeSum()},
	}
}

func sum(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}

// addEach adds a number to all elements.
func addEach(x []float64, v float64) {
	for i := range x {
		x[i] += v
	}
}

func prodKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.ScalarDims,
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			p := 1.0
			for _, v := range in[0].X {
				p *= v
			}
			out[0] = p
			return nil
		},
		// The products of all elements before each, times that of all after it; this
		// is exact where elements vanish.
		Work: sameSize,
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			if din[0] == nil {
				return
			}
			p := adj[0]
			for i, v := range in[0].X {
				work[i] = p
				p *= v
			}
			p = 1
			for i := len(work) - 1; i >= 0; i-- {
				din[0][i] += float64(work[i] * p)
				p *= in[0].X[i]
			}
		},
	}
}

// extreme is the row of min (sign 1) or max (sign -1).
func extreme(name, doc string, sign float64) *catalogue.Function {
	at := func(x []float64) int {
		best := 0
		for i, v := range x {
			if v*sign < x[best]*sign || math.IsNaN(v) {
				best = i
			}
			if math.IsNaN(v) {
				break
			}
		}
		return best
	}
	return &catalogue.Function{
		Name: name, Signatures: catalogue.Over("real", name, catalogue.Containers), Doc: doc, Section: catalogue.SectionArray,
		Kernel: &catalogue.Kernel{
			Dims: catalogue.ScalarDims,
			Value: func(in []catalogue.Tensor, out, _ []float64) error {
				if len(in[0].X) == 0 {
					out[0] = math.Inf(int(sign))
					return nil
				}
				out[0] = in[0].X[at(in[0].X)]
				return nil
			},
			VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
				if len(din[0]) > 0 {
					din[0][at(in[0].X)] += adj[0]
				}
			},
		},
	}
}

func extremeOfInts(name, doc string, f func(x []float64) float64) *catalogue.Function {
	return &catalogue.Function{
		Name: name, Signatures: []string{catalogue.Signature("int", name, "array[] int x")}, Doc: doc, Section: catalogue.SectionArray,
		Kernel: &catalogue.Kernel{Dims: catalogue.NotEmpty(name), Value: func(in []catalogue.Tensor, out, _ []float64) error {
			out[0] = f(in[0].X)
			return nil
		}},
	}
}

// squaredDeviations returns the mean and the sum of squared deviations from it.
func squaredDeviations(x []float64) (mean, ss float64) {
	mean = sum(x) / float64(len(x))
	for _, v := range x {
		ss += float64((v - mean) * (v - mean))
	}
	return mean, ss
}

func variance() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.NotEmpty("variance"),
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			out[0] = 0
			if n := len(in[0].X); n > 1 {
				_, ss := squaredDeviations(in[0].X)
				out[0] = ss / float64(n-1)
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			n := len(in[0].X)
			if n > 1 {
				addDeviations(din[0], in[0].X, 2*adj[0]/float64(n-1))
			}
		},
	}
}

// addDeviations adds scale times the deviation from the mean.
func addDeviations(d, x []float64, scale float64) {
	mean := sum(x) / float64(len(x))
	for i := range d {
		d[i] += float64(scale * (x[i] - mean))
	}
}

func standardDeviation() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.NotEmpty("sd"),
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			out[0] = 0
			if n := len(in[0].X); n > 1 {
				_, ss := squaredDeviations(in[0].X)
				out[0] = math.Sqrt(ss / float64(n-1))
			}
			return nil
		},
		// Where all elements are equal there is no derivative; 0 is a subgradient.
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, _ []float64) {
			if out[0] != 0 {
				addDeviations(din[0], in[0].X, adj[0]/(out[0]*float64(len(in[0].X)-1)))
			}
		},
	}
}

// logSumExpAll is the log of the sum of exponentials, -Inf of nothing; work has the length of x.
func logSumExpAll(x, work []float64) float64 {
	top, at := math.Inf(-1), -1
	for i, v := range x {
		if v > top || math.IsNaN(v) {
			top, at = v, i
		}
	}
	if math.IsInf(top, 0) || math.IsNaN(top) {
		return top
	}
	work = work[:len(x)]
	expShifted(work, x, top)
	sum := 0.0
	for i, v := range work {
		if i != at { // its exponential is 1, left to log1p
			sum += v
		}
	}
	return top + libm.Log1p(sum)
}

// expShifted sets dst to exp(x - shift).
func expShifted(dst, x []float64, shift float64) {
	for i, v := range x {
		dst[i] = v - shift
	}
	vec.Exp.Map(dst, dst)
}

// sameSize is as much scratch as the first argument has elements.
func sameSize(in []catalogue.Tensor) int { return len(in[0].X) }

func logSumExp() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.ScalarDims,
		Work: sameSize,
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			out[0] = logSumExpAll(in[0].X, work)
			return nil
		},
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, work []float64) {
			if math.IsInf(out[0], -1) || din[0] == nil {
				return
			}
			work = work[:len(in[0].X)]
			expShifted(work, in[0].X, out[0])
			for i, v := range work {
				din[0][i] += float64(adj[0] * v)
			}
		},
	}
}

func cumulativeSum() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.SameDims,
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			s := 0.0
			for i, v := range in[0].X {
				s += v
				out[i] = s
			}
			return nil
		},
		VJP: func(_ []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			s := 0.0
			for i := len(din[0]) - 1; i >= 0; i-- {
				s += adj[i]
				din[0][i] += s
			}
		},
	}
}
