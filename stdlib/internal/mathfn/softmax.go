// This file holds softmax, log_softmax and the mixture of many components.

package mathfn

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

func softmaxFunctions() []*catalogue.Function {
	return []*catalogue.Function{
		{Name: "softmax", Signatures: groupedSignatures("softmax"), Section: catalogue.SectionMatrix,
			Doc: "the exponentials of the elements, scaled to sum to 1; of an array, for each of its elements", Kernel: softmax()},
		{Name: "log_softmax", Signatures: groupedSignatures("log_softmax"), Section: catalogue.SectionMatrix,
			Doc: "the logarithm of softmax(x)", Kernel: logSoftmax()},
		{Name: "log_mix", Signatures: mixSignatures(), Section: catalogue.SectionReal,
			Doc:    "the log of the mixture of components with log densities lps in the proportions theta (summed over an array of them)",
			Kernel: logMix()},
	}
}

// groupedSignatures returns the signatures of a function of a vector, a row vector or arrays of these
// whose result has the type of its argument.
func groupedSignatures(name string) []string {
	var all []string
	for _, array := range []string{"", "array[] ", "array[,] ", "array[,,] "} {
		for _, kind := range []string{"vector", "row_vector"} {
			all = append(all, catalogue.Signature(array+kind, name, array+kind+" x"))
		}
	}
	return all
}

// grouped makes a kernel that treats each vector of an array by itself: value computes the
// result, pull adds the derivatives, with as much scratch as the vector has elements.
func grouped(value func(x, out []float64), pull func(out, adj, dx, work []float64)) *catalogue.Kernel {
	size := func(in []catalogue.Tensor) int {
		if d := in[0].Dims; len(d) > 1 {
			return max(1, d[len(d)-1])
		}
		return max(1, len(in[0].X))
	}
	return &catalogue.Kernel{
		Dims: catalogue.SameDims,
		Work: size,
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			n := size(in)
			for at := 0; at < len(in[0].X); at += n {
				value(in[0].X[at:at+n], out[at:at+n])
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, work []float64) {
			if din[0] == nil {
				return
			}
			n := size(in)
			for at := 0; at < len(in[0].X); at += n {
				pull(out[at:at+n], adj[at:at+n], din[0][at:at+n], work[:n])
			}
		},
	}
}

func softmax() *catalogue.Kernel {
	return grouped(func(x, out []float64) {
		top := math.Inf(-1)
		for _, v := range x {
			top = max(top, v)
		}
		expShifted(out, x, top)
		if math.IsInf(top, 0) || math.IsNaN(top) {
			return
		}
		total := sum(out) // and not exp(x - log_sum_exp(x)), which has the rounding error of large x in its exponent
		for i := range out {
			out[i] /= total
		}
	}, func(out, adj, dx, work []float64) {
		mean := catalogue.Dot(adj, out)
		for i, p := range out {
			dx[i] += float64(p * (adj[i] - mean))
		}
	})
}

func logSoftmax() *catalogue.Kernel {
	return grouped(func(x, out []float64) {
		l := logSumExpAll(x, out)
		for i, v := range x {
			out[i] = v - l
		}
	}, func(out, adj, dx, work []float64) {
		total := sum(adj)
		expShifted(work, out, 0)
		for i, p := range work {
			dx[i] += adj[i] - float64(total*p)
		}
	})
}

func mixSignatures() []string {
	var all []string
	kinds := []string{"vector", "row_vector", "array[] real"}
	for _, theta := range kinds {
		for _, lps := range append(kinds, "array[] vector", "array[] row_vector") {
			all = append(all, catalogue.Signature("real", "log_mix", theta+" theta", lps+" lps"))
		}
	}
	return all
}

// RequireProportions rejects mixing proportions that are not between 0 and 1.
func RequireProportions(theta []float64) error {
	for _, t := range theta {
		if !(t >= 0 && t <= 1) {
			return catalogue.DomainErrorf("log_mix", "a mixing proportion is %v, but must be between 0 and 1", t)
		}
	}
	return nil
}

// logMix is the sum over rows r of lps of log(sum_k theta[k] exp(lps[r,k])).
func logMix() *catalogue.Kernel {
	one := func(theta, lp []float64) float64 {
		top := math.Inf(-1)
		for k, v := range lp {
			if theta[k] > 0 {
				top = math.Max(top, v)
			}
		}
		if math.IsInf(top, 0) {
			return top
		}
		s := 0.0
		for k, v := range lp {
			if theta[k] > 0 {
				s += float64(theta[k] * libm.Exp(v-top))
			}
		}
		return top + libm.Log(s)
	}
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			k := in[0].Dims[0]
			if d := in[1].Dims; len(in[1].X) > 0 && d[len(d)-1] != k {
				return nil, fmt.Errorf("log_mix: there are %d mixing proportions, but %d log densities", k, d[len(d)-1])
			}
			return nil, nil
		},
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			if err := RequireProportions(in[0].X); err != nil {
				return err
			}
			out[0] = 0
			k := len(in[0].X)
			for x := in[1].X; len(x) > 0; x = x[k:] {
				out[0] += one(in[0].X, x[:k])
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			theta := in[0].X
			k := len(theta)
			for r := 0; r < len(in[1].X); r += k {
				lp := in[1].X[r : r+k]
				f := one(theta, lp)
				if math.IsInf(f, -1) {
					continue
				}
				for j, v := range lp {
					e := float64(adj[0] * libm.Exp(v-f))
					if din[0] != nil {
						din[0][j] += e
					}
					if din[1] != nil {
						din[1][r+j] += float64(e * theta[j])
					}
				}
			}
		},
	}
}
