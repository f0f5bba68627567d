// This file holds sorting, ranks and quantiles.

package mathfn

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
)

func sortFunctions() []*catalogue.Function {
	kinds := []string{"array[] int", "array[] real", "vector", "row_vector"}
	var all []*catalogue.Function
	for _, dir := range []struct {
		name, doc string
		sign      float64
	}{{"asc", "ascending", 1}, {"desc", "descending", -1}} {
		sorted, indices := "sort_"+dir.name, "sort_indices_"+dir.name
		var signatures []string
		for _, k := range kinds {
			signatures = append(signatures, catalogue.Signature(k, sorted, k+" x"))
		}
		all = append(all,
			&catalogue.Function{Name: sorted, Signatures: signatures, Doc: "the elements in " + dir.doc + " order", Section: catalogue.SectionArray,
				Kernel: sortKernel(sorted, dir.sign)},
			&catalogue.Function{Name: indices, Signatures: catalogue.Over("array[] int", indices, kinds), Section: catalogue.SectionArray,
				Doc:    "the indices that put the elements into " + dir.doc + " order; equal ones stay in order",
				Kernel: sortIndices(indices, dir.sign)})
	}
	all = append(all,
		&catalogue.Function{Name: "rank", Signatures: catalogue.Over("int", "rank", kinds, "int s"), Section: catalogue.SectionArray,
			Doc: "the number of elements that are less than element s", Kernel: rankKernel()},
		&catalogue.Function{Name: "quantile", Section: catalogue.SectionArray, Doc: "the sample quantile of probability p, interpolated as R's type 7",
			Signatures: quantileSignatures(), Kernel: quantileKernel()})
	return all
}

// order fills idx with the indices from 0 that sort x, keeping ties in order.
func order(x, idx []float64, sign float64) {
	for i := range idx {
		idx[i] = float64(i)
	}
	slices.SortStableFunc(idx, func(a, b float64) int {
		switch va, vb := sign*x[int(a)], sign*x[int(b)]; {
		case va < vb:
			return -1
		case va > vb:
			return 1
		}
		return 0
	})
}

// noNaN rejects what cannot be ordered.
func noNaN(fn string, x []float64) error {
	for i, v := range x {
		if math.IsNaN(v) {
			return catalogue.DomainErrorf(fn, "element %d is not a number", i+1)
		}
	}
	return nil
}

func sortKernel(name string, sign float64) *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.SameDims,
		Work: func(in []catalogue.Tensor) int { return len(in[0].X) },
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			if err := noNaN(name, in[0].X); err != nil {
				return err
			}
			copy(out, in[0].X)
			slices.Sort(out)
			if sign < 0 {
				slices.Reverse(out)
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			if din[0] == nil {
				return
			}
			order(in[0].X, work, sign)
			for k, i := range work {
				din[0][int(i)] += adj[k]
			}
		},
	}
}

func sortIndices(name string, sign float64) *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.SameDims,
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			if err := noNaN(name, in[0].X); err != nil {
				return err
			}
			order(in[0].X, out, sign)
			addEach(out, 1)
			return nil
		},
	}
}

func rankKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			return nil, container.CheckRange("rank", "the index", container.IntArg(in[1]), 1, len(in[0].X))
		},
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			s := in[0].X[container.IntArg(in[1])-1]
			n := 0.0
			for _, v := range in[0].X {
				n += container.BoolNumber(v < s)
			}
			out[0] = n
			return nil
		},
	}
}

func quantileSignatures() []string {
	var all []string
	for _, x := range []string{"array[] real", "vector", "row_vector"} {
		all = append(all, catalogue.Signature("real", "quantile", "data "+x+" x", "data real p"),
			catalogue.Signature("array[] real", "quantile", "data "+x+" x", "data array[] real p"))
	}
	return all
}

func quantileKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			if len(in[0].X) == 0 {
				return nil, fmt.Errorf("quantile: the sample is empty")
			}
			return in[1].Dims, nil
		},
		Work: func(in []catalogue.Tensor) int { return len(in[0].X) },
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			if err := noNaN("quantile", in[0].X); err != nil {
				return err
			}
			copy(work, in[0].X)
			slices.Sort(work)
			for i, p := range in[1].X {
				if !(p >= 0 && p <= 1) {
					return catalogue.DomainErrorf("quantile", "p is %v, but must be between 0 and 1", p)
				}
				out[i] = quantileSorted(work, p)
			}
			return nil
		},
	}
}

// quantileSorted interpolates between order statistics (Hyndman and Fan, type 7).
func quantileSorted(x []float64, p float64) float64 {
	h := float64(p * float64(len(x)-1))
	i := int(h)
	if i >= len(x)-1 {
		return x[len(x)-1]
	}
	return x[i] + float64((h-float64(i))*(x[i+1]-x[i]))
}
