// This file holds sorting, ranks and quantiles.

package stdlib

import (
	"fmt"
	"math"
	"slices"
)

func sortFunctions() []*Function {
	kinds := []string{"array[] int", "array[] real", "vector", "row_vector"}
	var all []*Function
	for _, dir := range []struct {
		name, doc string
		sign      float64
	}{{"asc", "ascending", 1}, {"desc", "descending", -1}} {
		sorted, indices := "sort_"+dir.name, "sort_indices_"+dir.name
		var signatures []string
		for _, k := range kinds {
			signatures = append(signatures, signature(k, sorted, k+" x"))
		}
		all = append(all,
			&Function{Name: sorted, Signatures: signatures, Doc: "the elements in " + dir.doc + " order", Section: sectionArray,
				Kernel: sortKernel(sorted, dir.sign)},
			&Function{Name: indices, Signatures: over("array[] int", indices, kinds), Section: sectionArray,
				Doc:    "the indices that put the elements into " + dir.doc + " order; equal ones stay in order",
				Kernel: sortIndices(indices, dir.sign)})
	}
	all = append(all,
		&Function{Name: "rank", Signatures: over("int", "rank", kinds, "int s"), Section: sectionArray,
			Doc: "the number of elements that are less than element s", Kernel: rankKernel()},
		&Function{Name: "quantile", Section: sectionArray, Doc: "the sample quantile of probability p, interpolated as R's type 7",
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
			return domainErrorf(fn, "element %d is not a number", i+1)
		}
	}
	return nil
}

func sortKernel(name string, sign float64) *Kernel {
	return &Kernel{
		Dims: sameDims,
		Work: func(in []Tensor) int { return len(in[0].X) },
		Value: func(in []Tensor, out, _ []float64) error {
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
		VJP: func(in []Tensor, _, adj []float64, din [][]float64, work []float64) {
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

func sortIndices(name string, sign float64) *Kernel {
	return &Kernel{
		Dims: sameDims,
		Value: func(in []Tensor, out, _ []float64) error {
			if err := noNaN(name, in[0].X); err != nil {
				return err
			}
			order(in[0].X, out, sign)
			addEach(out, 1)
			return nil
		},
	}
}

func rankKernel() *Kernel {
	return &Kernel{
		Dims: func(in []Tensor) ([]int, error) {
			return nil, checkRange("rank", "the index", intArg(in[1]), 1, len(in[0].X))
		},
		Value: func(in []Tensor, out, _ []float64) error {
			s := in[0].X[intArg(in[1])-1]
			n := 0.0
			for _, v := range in[0].X {
				n += boolNumber(v < s)
			}
			out[0] = n
			return nil
		},
	}
}

func quantileSignatures() []string {
	var all []string
	for _, x := range []string{"array[] real", "vector", "row_vector"} {
		all = append(all, signature("real", "quantile", "data "+x+" x", "data real p"),
			signature("array[] real", "quantile", "data "+x+" x", "data array[] real p"))
	}
	return all
}

func quantileKernel() *Kernel {
	return &Kernel{
		Dims: func(in []Tensor) ([]int, error) {
			if len(in[0].X) == 0 {
				return nil, fmt.Errorf("quantile: the sample is empty")
			}
			return in[1].Dims, nil
		},
		Work: func(in []Tensor) int { return len(in[0].X) },
		Value: func(in []Tensor, out, work []float64) error {
			if err := noNaN("quantile", in[0].X); err != nil {
				return err
			}
			copy(work, in[0].X)
			slices.Sort(work)
			for i, p := range in[1].X {
				if !(p >= 0 && p <= 1) {
					return domainErrorf("quantile", "p is %v, but must be between 0 and 1", p)
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
