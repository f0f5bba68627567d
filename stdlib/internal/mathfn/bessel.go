// This file holds Bessel functions, Lambert's W and hypergeometric functions.

package mathfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

func besselFunctions() []*catalogue.Function {
	return []*catalogue.Function{
		catalogue.Elementwise(catalogue.SectionReal, "the Bessel function of the first kind of integer order v", catalogue.Binary("bessel_first_kind",
			func(v, z float64) float64 { return special.BesselJ(int(v), z) },
			func(v, z, f float64) (float64, float64) {
				return 0, (special.BesselJ(int(v)-1, z) - special.BesselJ(int(v)+1, z)) / 2
			}), "I v", "T z"),
		catalogue.Elementwise(catalogue.SectionReal, "the Bessel function of the second kind of integer order v", catalogue.Binary("bessel_second_kind",
			func(v, z float64) float64 { return special.BesselY(int(v), z) },
			func(v, z, f float64) (float64, float64) {
				return 0, (special.BesselY(int(v)-1, z) - special.BesselY(int(v)+1, z)) / 2
			}), "I v", "T z"),
		catalogue.Elementwise(catalogue.SectionReal, "the modified Bessel function of the first kind of integer order v",
			catalogue.Binary("modified_bessel_first_kind",
				func(v, z float64) float64 { return special.BesselI(int(v), z) },
				func(v, z, _ float64) (float64, float64) {
					return 0, special.BesselISlope(int(v), z)
				}), "I v", "T z"),
		catalogue.Elementwise(catalogue.SectionReal, "the modified Bessel function of the second kind of integer order v",
			catalogue.Binary("modified_bessel_second_kind",
				func(v, z float64) float64 { return special.BesselK(int(v), z) },
				func(v, z, _ float64) (float64, float64) {
					return 0, -(special.BesselK(int(v)-1, z) + special.BesselK(int(v)+1, z)) / 2
				}), "I v", "T z"),
		catalogue.Elementwise(catalogue.SectionReal, "the logarithm of the modified Bessel function of the first kind of order v",
			catalogue.Binary("log_modified_bessel_first_kind",
				func(v, z float64) float64 { f, _, _ := special.LogBesselI(v, z); return f },
				func(v, z, _ float64) (float64, float64) { _, dv, dz := special.LogBesselI(v, z); return dv, dz }), "T v", "T z").
			Where(0, "v", func(v float64) bool { return v >= -1 }, "at least -1").
			Where(1, "z", func(z float64) bool { return z >= 0 }, "nonnegative"),
		lambert("lambert_w0", "the principal branch of Lambert's W, the inverse of w exp(w)", special.LambertW0, special.LambertW0s, math.Inf(1)),
		lambert("lambert_wm1", "the lower branch of Lambert's W, for negative z", special.LambertWm1, nil, 0),
		catalogue.Scalar(catalogue.SectionReal, "the hypergeometric function 1F0: (1 - z)^(-a)", catalogue.Binary("hypergeometric_1F0",
			func(a, z float64) float64 { return libm.Exp(-a * libm.Log1p(-z)) },
			func(a, z, f float64) (float64, float64) { return -libm.Log1p(-z) * f, a * f / (1 - z) }), "real a", "real z").
			Where(1, "z", func(z float64) bool { return math.Abs(z) < 1 }, "between -1 and 1"),
		{
			Name: "hypergeometric_2F1", Signatures: []string{"real hypergeometric_2F1(real a1, real a2, real b1, real z)"},
			Doc: "Gauss's hypergeometric function 2F1", Section: catalogue.SectionReal, Kernel: gaussKernel(),
		},
		{
			Name: "hypergeometric_3F2", Signatures: seriesSignatures("hypergeometric_3F2"),
			Doc: "the hypergeometric function 3F2", Section: catalogue.SectionReal, Kernel: hypergeometricKernel("hypergeometric_3F2", 3, 2),
		},
		{
			Name: "hypergeometric_pFq", Signatures: seriesSignatures("hypergeometric_pFq"),
			Doc: "the generalised hypergeometric function pFq", Section: catalogue.SectionReal,
			Kernel: hypergeometricKernel("hypergeometric_pFq", -1, -1),
		},
	}
}

// seriesSignatures take the parameters of a hypergeometric series in containers of any kind.
func seriesSignatures(name string) []string {
	var all []string
	kinds := []string{"vector", "row_vector", "array[] real"}
	for _, a := range kinds {
		for _, b := range kinds {
			all = append(all, catalogue.Signature("real", name, a+" a", b+" b", "real z"))
		}
	}
	return all
}

func lambert(name, doc string, f func(z float64) float64, many func(dst, z []float64), top float64) *catalogue.Function {
	op := catalogue.Unary(name, f, func(z, w float64) float64 {
		if z == 0 {
			return 1 / (1 + w)
		}
		return w / (z * (1 + w))
	})
	op.Vector = many
	return catalogue.Elementwise(catalogue.SectionReal, doc, op).Where(0, "the argument", func(z float64) bool { return !(z < -1/math.E || z > top) }, "in the range of w exp(w) on the branch")
}

func gaussKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: catalogue.ScalarDims,
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			var d [4]float64
			out[0] = special.Gauss2F1(in[0].X[0], in[1].X[0], in[2].X[0], in[3].X[0], &d)
			if math.IsNaN(out[0]) {
				return catalogue.DomainErrorf("hypergeometric_2F1", "the series does not converge at z = %v", in[3].X[0])
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			var d [4]float64
			special.Gauss2F1(in[0].X[0], in[1].X[0], in[2].X[0], in[3].X[0], &d)
			for i := range d {
				if din[i] != nil {
					din[i][0] += float64(adj[0] * d[i])
				}
			}
		},
	}
}

// hypergeometricKernel is the series pFq; p and q are -1 where any number goes.
func hypergeometricKernel(name string, p, q int) *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			if p >= 0 && (len(in[0].X) != p || len(in[1].X) != q) {
				return nil, catalogue.DomainErrorf(name, "there are %d upper and %d lower parameters, but there must be %d and %d",
					len(in[0].X), len(in[1].X), p, q)
			}
			return nil, nil
		},
		Work: func(in []catalogue.Tensor) int { return len(in[0].X) + len(in[1].X) },
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			a, b, z := in[0].X, in[1].X, in[2].X[0]
			if len(a) > len(b)+1 && z != 0 || len(a) == len(b)+1 && !(math.Abs(z) <= 1) {
				return catalogue.DomainErrorf(name, "the series does not converge at z = %v", z)
			}
			out[0], _ = special.Hypergeometric(a, b, z, nil, nil)
			if math.IsNaN(out[0]) {
				return catalogue.DomainErrorf(name, "the series does not converge at z = %v", z)
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			p := len(in[0].X)
			_, dz := special.Hypergeometric(in[0].X, in[1].X, in[2].X[0], work[:p], work[p:])
			if din[0] != nil {
				addScaled(din[0], adj[0], work[:p])
			}
			if din[1] != nil {
				addScaled(din[1], adj[0], work[p:])
			}
			if din[2] != nil {
				din[2][0] += float64(adj[0] * dz)
			}
		},
	}
}
