// This file holds quantile functions of distributions and Owen's T.

package stdlib

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

func quantileFunctions() []*Function {
	probability := func(p float64) bool { return p >= 0 && p <= 1 }
	quantile := func(name, doc string) *Function {
		return elementwise(sectionReal, doc, sloped(name, vec.InvPhi,
			func(_, z float64) float64 { return libm.Exp(-special.NormalLogDensity(z)) },
			func(b formula, _, z autodiff.Node) autodiff.Node { // the reciprocal of the density
				return b.mul(b.num(math.Sqrt(2*math.Pi)), b.map1(autodiff.Exp, b.mul(b.num(0.5), b.square(z))))
			})).
			where(0, "the probability", probability, "between 0 and 1")
	}
	return []*Function{
		quantile("inv_Phi", "the inverse of Phi"),
		quantile("std_normal_qf", "the quantile function of the standard normal distribution"),
		elementwise(sectionReal, "the standard normal quantile of the probability exp(x)",
			unary("std_normal_log_qf", special.NormalLogQuantile,
				func(l, z float64) float64 { return libm.Exp(l - special.NormalLogDensity(z)) })).
			where(0, "the log probability", func(l float64) bool { return l <= 0 }, "at most 0"),
		elementwise(sectionReal, "the inverse of erfc", unary("inv_erfc",
			func(x float64) float64 { return -vec.InvPhi.At(x/2) / math.Sqrt2 },
			func(_, f float64) float64 { return -math.SqrtPi / 2 * libm.Exp(f*f) })),
		elementwise(sectionReal, "Owen's T function: the probability of X > h and 0 < Y < aX for standard normal X and Y",
			binary("owens_t", special.OwensT, func(h, a, _ float64) (dh, da float64) {
				s := 1 + float64(a*a)
				return -0.5 * special.NormalDensity(h) * libm.Erf(a*h/math.Sqrt2), libm.Exp(-0.5*h*h*s) / (2 * math.Pi * s)
			}), "T h", "T a"),
		{
			Name: "student_t_qf", Signatures: []string{"real student_t_qf(real p, real nu, real mu, real sigma)",
				"vector student_t_qf(reals p, reals nu, reals mu, reals sigma)"},
			Doc: "the quantile function of Student's t distribution", Section: sectionReal,
			Kernel: &Kernel{Dims: studentQuantileDims, Value: studentQuantiles, VJP: studentQuantilesVJP},
		},
	}
}

var studentQuantileArgs = parseArgs("reals p, reals nu, reals mu, reals sigma")

// studentQuantileDims is a number of scalars, or a vector as long as the containers.
func studentQuantileDims(in []Tensor) ([]int, error) {
	if err := consistentSizes(studentQuantileArgs, in); err != nil {
		return nil, err
	}
	for j := range in {
		if len(in[j].Dims) > 0 {
			return []int{len(in[j].X)}, nil
		}
	}
	return nil, nil
}

func studentQuantiles(in []Tensor, out, _ []float64) error {
	var x [4]float64
	for i := range out {
		gather(in, i, x[:])
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
		return domainErrorf("student_t_qf", "p is %v, but must be between 0 and 1", p)
	case !(nu > 0):
		return domainErrorf("student_t_qf", "nu is %v, but must be positive", nu)
	case math.IsInf(mu, 0) || math.IsNaN(mu):
		return domainErrorf("student_t_qf", "mu is %v, but must be finite", mu)
	case !(sigma > 0):
		return domainErrorf("student_t_qf", "sigma is %v, but must be positive", sigma)
	}
	return nil
}

func studentQuantilesVJP(in []Tensor, out, adj []float64, din [][]float64, _ []float64) {
	var x [4]float64
	for i := range out {
		gather(in, i, x[:])
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
