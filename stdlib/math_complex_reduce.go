// This file holds sums and products of complex containers.

package stdlib

import "github.com/seed-12b88e03/ppl/autodiff/libm/cmplx"

func complexReductions() []*Function {
	containers := []string{"array[] complex", "complex_vector", "complex_row_vector", "complex_matrix"}
	vectors := []string{"complex_vector", "complex_row_vector"}
	var dots []string
	for _, x := range vectors {
		for _, y := range vectors {
			dots = append(dots, signature("complex", "dot_product", x+" x", y+" y"))
		}
	}
	var cumulative []string
	for _, t := range containers[:3] {
		cumulative = append(cumulative, signature(t, "cumulative_sum", t+" x"))
	}
	return []*Function{
		{Name: "sum", Signatures: over("complex", "sum", containers), Section: sectionCMatrix,
			Doc: "the sum of the elements, 0 of none", Kernel: complexTotal()},
		{Name: "prod", Signatures: over("complex", "prod", containers), Section: sectionCMatrix,
			Doc: "the product of the elements, 1 of none", Kernel: complexProduct()},
		{Name: "cumulative_sum", Signatures: cumulative, Section: sectionCMatrix,
			Doc: "the sums of the first 1, 2, ... elements", Kernel: complexCumulativeSum()},
		{Name: "dot_product", Signatures: dots, Section: sectionCMatrix,
			Doc: "the inner product: the sum of conj(x) * y over the elements", Kernel: complexDot("dot_product")},
		{Name: "dot_self", Signatures: over("complex", "dot_self", vectors), Section: sectionCMatrix,
			Doc: "the inner product with itself: the sum of squared absolute values", Kernel: complexDotSelf()},
	}
}

func complexTotal() *Kernel {
	return &Kernel{
		Dims: scalarDims,
		Value: func(in []Tensor, out, _ []float64) error {
			var s complex128
			for i := range len(in[0].X) / 2 {
				s += pairs(in[0].X).at(i)
			}
			pairs(out).set(0, s)
			return nil
		},
		VJP: func(_ []Tensor, _, adj []float64, din [][]float64, _ []float64) {
			for i := range len(din[0]) / 2 {
				pairs(din[0]).add(i, pairs(adj).at(0))
			}
		},
	}
}

func complexProduct() *Kernel {
	return &Kernel{
		Dims: scalarDims,
		Work: func(in []Tensor) int { return len(in[0].X) },
		Value: func(in []Tensor, out, _ []float64) error {
			p := complex128(1)
			for i := range len(in[0].X) / 2 {
				p = cmplx.Mul(p, pairs(in[0].X).at(i))
			}
			pairs(out).set(0, p)
			return nil
		},
		// As for real numbers: the product before each element times that after it.
		VJP: func(in []Tensor, _, adj []float64, din [][]float64, work []float64) {
			if din[0] == nil {
				return
			}
			x := pairs(in[0].X)
			n := len(x) / 2
			p := complex128(1)
			for i := range n {
				pairs(work).set(i, p)
				p = cmplx.Mul(p, x.at(i))
			}
			p = 1
			for i := n - 1; i >= 0; i-- {
				pairs(din[0]).add(i, cmplx.Mul(cmplx.Conj(cmplx.Mul(pairs(work).at(i), p)), pairs(adj).at(0)))
				p = cmplx.Mul(p, x.at(i))
			}
		},
	}
}

func complexCumulativeSum() *Kernel {
	return &Kernel{
		Dims: sameDims,
		Value: func(in []Tensor, out, _ []float64) error {
			var s complex128
			for i := range len(out) / 2 {
				s += pairs(in[0].X).at(i)
				pairs(out).set(i, s)
			}
			return nil
		},
		VJP: func(_ []Tensor, _, adj []float64, din [][]float64, _ []float64) {
			var s complex128
			for i := len(din[0])/2 - 1; i >= 0; i-- {
				s += pairs(adj).at(i)
				pairs(din[0]).add(i, s)
			}
		},
	}
}

func complexDot(name string) *Kernel {
	return &Kernel{
		Dims: agree(name),
		Value: func(in []Tensor, out, _ []float64) error {
			var s complex128
			for i := range len(in[0].X) / 2 {
				s += cmplx.Mul(cmplx.Conj(pairs(in[0].X).at(i)), pairs(in[1].X).at(i))
			}
			pairs(out).set(0, s)
			return nil
		},
		VJP: func(in []Tensor, _, adj []float64, din [][]float64, _ []float64) {
			a := pairs(adj).at(0)
			for i := range len(in[0].X) / 2 {
				addAdjoint(din[0], in[0], i, cmplx.Mul(cmplx.Conj(a), pairs(in[1].X).at(i)))
				addAdjoint(din[1], in[1], i, cmplx.Mul(a, pairs(in[0].X).at(i)))
			}
		},
	}
}

func complexDotSelf() *Kernel {
	return &Kernel{
		Dims: scalarDims,
		Value: func(in []Tensor, out, _ []float64) error {
			out[0], out[1] = dot(in[0].X, in[0].X), 0
			return nil
		},
		VJP: func(in []Tensor, _, adj []float64, din [][]float64, _ []float64) {
			addScaled(din[0], 2*adj[0], in[0].X)
		},
	}
}
