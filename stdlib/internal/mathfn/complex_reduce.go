// This file holds sums and products of complex containers.

package mathfn

import (
	"github.com/seed-12b88e03/ppl/autodiff/libm/cmplx"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

func complexReductions() []*catalogue.Function {
	containers := []string{"array[] complex", "complex_vector", "complex_row_vector", "complex_matrix"}
	vectors := []string{"complex_vector", "complex_row_vector"}
	var dots []string
	for _, x := range vectors {
		for _, y := range vectors {
			dots = append(dots, catalogue.Signature("complex", "dot_product", x+" x", y+" y"))
		}
	}
	var cumulative []string
	for _, t := range containers[:3] {
		cumulative = append(cumulative, catalogue.Signature(t, "cumulative_sum", t+" x"))
	}
	return []*catalogue.Function{
		{Name: "sum", Signatures: catalogue.Over("complex", "sum", containers), Section: catalogue.SectionCMatrix,
			Doc: "the sum of the elements, 0 of none", Kernel: complexTotal()},
		{Name: "prod", Signatures: catalogue.Over("complex", "prod", containers), Section: catalogue.SectionCMatrix,
			Doc: "the product of the elements, 1 of none", Kernel: complexProduct()},
		{Name: "cumulative_sum", Signatures: cumulative, Section: catalogue.SectionCMatrix,
			Doc: "the sums of the first 1, 2, ... elements", Kernel: complexCumulativeSum()},
		{Name: "dot_product", Signatures: dots, Section: catalogue.SectionCMatrix,
			Doc: "the inner product: the sum of conj(x) * y over the elements", Kernel: complexDot("dot_product")},
		{Name: "dot_self", Signatures: catalogue.Over("complex", "dot_self", vectors), Section: catalogue.SectionCMatrix,
			Doc: "the inner product with itself: the sum of squared absolute values", Kernel: complexDotSelf()},
	}
}

func complexTotal() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.ScalarDims,
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			var s complex128
			for i := range len(in[0].X) / 2 {
				s += Pairs(in[0].X).At(i)
			}
			Pairs(out).Set(0, s)
			return nil
		},
		VJP: func(_ []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			for i := range len(din[0]) / 2 {
				Pairs(din[0]).Add(i, Pairs(adj).At(0))
			}
		},
	}
}

func complexProduct() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.ScalarDims,
		Work: func(in []catalogue.Tensor) int { return len(in[0].X) },
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			p := complex128(1)
			for i := range len(in[0].X) / 2 {
				p = cmplx.Mul(p, Pairs(in[0].X).At(i))
			}
			Pairs(out).Set(0, p)
			return nil
		},
		// As for real numbers: the product before each element times that after it.
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			if din[0] == nil {
				return
			}
			x := Pairs(in[0].X)
			n := len(x) / 2
			p := complex128(1)
			for i := range n {
				Pairs(work).Set(i, p)
				p = cmplx.Mul(p, x.At(i))
			}
			p = 1
			for i := n - 1; i >= 0; i-- {
				Pairs(din[0]).Add(i, cmplx.Mul(cmplx.Conj(cmplx.Mul(Pairs(work).At(i), p)), Pairs(adj).At(0)))
				p = cmplx.Mul(p, x.At(i))
			}
		},
	}
}

func complexCumulativeSum() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.SameDims,
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			var s complex128
			for i := range len(out) / 2 {
				s += Pairs(in[0].X).At(i)
				Pairs(out).Set(i, s)
			}
			return nil
		},
		VJP: func(_ []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			var s complex128
			for i := len(din[0])/2 - 1; i >= 0; i-- {
				s += Pairs(adj).At(i)
				Pairs(din[0]).Add(i, s)
			}
		},
	}
}

func complexDot(name string) *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.Agree(name),
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			var s complex128
			for i := range len(in[0].X) / 2 {
				s += cmplx.Mul(cmplx.Conj(Pairs(in[0].X).At(i)), Pairs(in[1].X).At(i))
			}
			Pairs(out).Set(0, s)
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			a := Pairs(adj).At(0)
			for i := range len(in[0].X) / 2 {
				addAdjoint(din[0], in[0], i, cmplx.Mul(cmplx.Conj(a), Pairs(in[1].X).At(i)))
				addAdjoint(din[1], in[1], i, cmplx.Mul(a, Pairs(in[0].X).At(i)))
			}
		},
	}
}

func complexDotSelf() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.ScalarDims,
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			out[0], out[1] = catalogue.Dot(in[0].X, in[0].X), 0
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			addScaled(din[0], 2*adj[0], in[0].X)
		},
	}
}
