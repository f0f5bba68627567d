// This file holds quantile functions of distributions and Owen's T.

package mathfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

func quantileFunctions() []*catalogue.Function {
	probability := func(p float64) bool { return p >= 0 && p <= 1 }
	quantile := func(name, doc string) *catalogue.Function {
		return catalogue.Elementwise(catalogue.SectionReal, doc, catalogue.Sloped(name, vec.InvPhi,
			func(_, z float64) float64 { return libm.Exp(-special.NormalLogDensity(z)) },
			func(b catalogue.Formula, _, z autodiff.Node) autodiff.Node { // the reciprocal of the density
				return b.Mul(b.Num(math.Sqrt(2*math.Pi)), b.Map1(autodiff.Exp, b.Mul(b.Num(0.5), b.Square(z))))
			})).
			Where(0, "the probability", probability, "between 0 and 1")
	}
	return []*catalogue.Function{
		quantile("inv_Phi", "the inverse of Phi"),
		quantile("std_normal_qf", "the quantile function of the standard normal distribution"),
		catalogue.Elementwise(catalogue.SectionReal, "the standard normal quantile of the probability exp(x)",
			catalogue.Unary("std_normal_log_qf", special.NormalLogQuantile,
				func(l, z float64) float64 { return libm.Exp(l - special.NormalLogDensity(z)) })).
			Where(0, "the log probability", func(l float64) bool { return l <= 0 }, "at most 0"),
		catalogue.Elementwise(catalogue.SectionReal, "the inverse of erfc", catalogue.Unary("inv_erfc",
			func(x float64) float64 { return -vec.InvPhi.At(x/2) / math.Sqrt2 },
			func(_, f float64) float64 { return -math.SqrtPi / 2 * libm.Exp(f*f) })),
		catalogue.Elementwise(catalogue.SectionReal, "Owen's T function: the probability of X > h and 0 < Y < aX for standard normal X and Y",
			catalogue.Binary("owens_t", special.OwensT, func(h, a, _ float64) (dh, da float64) {
				s := 1 + float64(a*a)
				return -0.5 * special.NormalDensity(h) * libm.Erf(a*h/math.Sqrt2), libm.Exp(-0.5*h*h*s) / (2 * math.Pi * s)
			}), "T h", "T a"),
		{
			Name: "student_t_qf", Signatures: []string{"real student_t_qf(real p, real nu, real mu, real sigma)",
				"vector student_t_qf(reals p, reals nu, reals mu, reals sigma)"},
			Doc: "the quantile function of Student's t distribution", Section: catalogue.SectionReal,
			Kernel: &catalogue.Kernel{Dims: studentQuantileDims, Value: studentQuantiles, VJP: studentQuantilesVJP},
		},
	}
}

var studentQuantileArgs = catalogue.ParseArgs("reals p, reals nu, reals mu, reals sigma")

// studentQuantileDims is a number of scalars, or a vector as long as the containers.
func studentQuantileDims(in []catalogue.Tensor) ([]int, error) {
	if err := catalogue.ConsistentSizes(studentQuantileArgs, in); err != nil {
		return nil, err
	}
	for j := range in {
		if len(in[j].Dims) > 0 {
			return []int{len(in[j].X)}, nil
		}
	}
	return nil, nil
}

func studentQuantiles(in []catalogue.Tensor, out, _ []float64) error {
	var x [4]float64
	for i := range out {
		catalogue.Gather(in, i, x[:])
		if err := checkStudentQuantile(x[0], x[1], x[2], x[3]); err != nil {
			return err
		}
		t, _, _ := special.StudentQuantile(x[0], x[1])
		out[i] = x[2] + float64(x[3]*t)
	}
	return nil
}

func checkStudentQuantile(p, nu, mu, sigma float64) error {
	switch {
	case !(p >= 0 && p <= 1):
		return catalogue.DomainErrorf("student_t_qf", "p is %v, but must be between 0 and 1", p)
	case !(nu > 0):
		return catalogue.DomainErrorf("student_t_qf", "nu is %v, but must be positive", nu)
	case math.IsInf(mu, 0) || math.IsNaN(mu):
		return catalogue.DomainErrorf("student_t_qf", "mu is %v, but must be finite", mu)
	case !(sigma > 0):
		return catalogue.DomainErrorf("student_t_qf", "sigma is %v, but must be positive", sigma)
	}
	return nil
}

func studentQuantilesVJP(in []catalogue.Tensor, out, adj []float64, din [][]float64, _ []float64) {
	var x [4]float64
	for i := range out {
		catalogue.Gather(in, i, x[:])
		t, dp, dnu := special.StudentQuantile(x[0], x[1])
		for j, d := range [4]float64{x[3] * dp, x[3] * dnu, 1, t} {
			switch {
			case din[j] == nil:
			case len(in[j].Dims) == 0:
				din[j][0] += float64(adj[i] * d)
			default:
				din[j][i] += float64(adj[i] * d)
			}
		}
	}
}
