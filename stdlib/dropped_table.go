// This file is the table of summands that "~" may leave out, read off Stan Math 5.4.

package stdlib

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/mathfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/multivariate"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// failures is the logarithm of x[0] + shape - 1 over x[0], of a negative binomial mass.
func failures(shape int) func(x []float64) float64 {
	return func(x []float64) float64 {
		n, a := x[0], x[shape]
		return special.Lgamma(n+a) - special.Lgamma(a) - special.Lgamma(n+1)
	}
}

// minusLogFactorial is minus the logarithm of the factorial of the count.
func minusLogFactorial(x []float64) float64 { return -special.Lgamma(x[0] + 1) }

// summandsOf are the summands of each distribution, by its name. Distributions that are
// not here, and summands of which each argument may keep all, have nothing to leave out
// unless all arguments are data.
var summandsOf = map[string][]summand{
	// On all reals.
	"normal":             {always(-univariate.HalfLogTwoPi), logarithm(2, -1)},
	"std_normal":         {always(-univariate.HalfLogTwoPi)},
	"exp_mod_normal":     {always(-math.Ln2), logarithm(3, 1)},
	"skew_normal":        {always(-univariate.HalfLogTwoPi), logarithm(2, -1), each(halfSquare, 0, 1, 2)},
	"student_t":          {always(-0.5 * libm.Log(math.Pi)), each(studentDegrees, 1), logarithm(3, -1)},
	"cauchy":             {always(-libm.Log(math.Pi)), logarithm(2, -1)},
	"double_exponential": {always(-math.Ln2), logarithm(2, -1)},
	"logistic":           {logarithm(2, -1)},
	"gumbel":             {logarithm(2, -1)},
	"skew_double_exponential": {always(math.Ln2), logarithm(2, -1),
		each(func(x []float64) float64 { return libm.Log(x[3]) + libm.Log1p(-x[3]) }, 3)},

	// On positive reals, or above a bound.
	"lognormal": {logarithm(2, -1), logarithm(0, -1)}, // the rest is kept, in Stan too
	"chi_square": {
		each(func(x []float64) float64 { return float64(-0.5*math.Ln2*x[1]) - special.Lgamma(x[1]/2) }, 1),
		each(func(x []float64) float64 { return -0.5 * x[0] }, 0)},
	"inv_chi_square": {
		each(func(x []float64) float64 { return float64(-0.5*math.Ln2*x[1]) - special.Lgamma(x[1]/2) }, 1),
		each(func(x []float64) float64 { return -0.5 / x[0] }, 0)},
	"scaled_inv_chi_square": {
		each(func(x []float64) float64 { return float64(x[1]/2*libm.Log(x[1]/2)) - special.Lgamma(x[1]/2) }, 1),
		each(func(x []float64) float64 { return x[1] * libm.Log(x[2]) }, 1, 2),
		each(func(x []float64) float64 { return -(float64(x[1]/2) + 1) * libm.Log(x[0]) }, 0, 1)},
	"exponential": {logarithm(1, 1)},
	"gamma": {
		each(func(x []float64) float64 { return -special.Lgamma(x[1]) }, 1),
		each(func(x []float64) float64 { return x[1] * libm.Log(x[2]) }, 1, 2),
		each(func(x []float64) float64 { return (x[1] - 1) * libm.Log(x[0]) }, 0, 1),
		each(func(x []float64) float64 { return -x[2] * x[0] }, 0, 2)},
	"inv_gamma": {
		each(func(x []float64) float64 { return -special.Lgamma(x[1]) }, 1),
		each(func(x []float64) float64 { return x[1] * libm.Log(x[2]) }, 1, 2),
		each(func(x []float64) float64 { return -(x[1] + 1) * libm.Log(x[0]) }, 0, 1),
		each(func(x []float64) float64 { return -x[2] / x[0] }, 0, 2)},
	"weibull": {
		logarithm(1, 1),
		each(func(x []float64) float64 { return (x[1] - 1) * libm.Log(x[0]) }, 0, 1),
		each(func(x []float64) float64 { return -x[1] * libm.Log(x[2]) }, 1, 2)},
	"frechet": {
		logarithm(1, 1),
		each(func(x []float64) float64 { return -(x[1] + 1) * libm.Log(x[0]) }, 0, 1),
		each(func(x []float64) float64 { return x[1] * libm.Log(x[2]) }, 1, 2)},
	"rayleigh": {logarithm(1, -2), logarithm(0, 1)},
	"loglogistic": {each(func(x []float64) float64 {
		return libm.Log(x[2]) - float64(x[2]*libm.Log(x[1]))
	}, 1, 2)},
	"pareto": {
		logarithm(2, 1),
		each(func(x []float64) float64 { return -(x[2] + 1) * libm.Log(x[0]) }, 0, 2),
		each(func(x []float64) float64 { return x[2] * libm.Log(x[1]) }, 1, 2)},
	"pareto_type_2": {logarithm(3, 1), logarithm(2, -1)},

	// On an interval or a circle.
	"beta": {
		each(func(x []float64) float64 { return -special.Lgamma(x[1]) }, 1),
		each(func(x []float64) float64 { return -special.Lgamma(x[2]) }, 2),
		each(func(x []float64) float64 { return special.Lgamma(x[1] + x[2]) }, 1, 2),
		each(func(x []float64) float64 { return (x[1] - 1) * libm.Log(x[0]) }, 0, 1),
		each(func(x []float64) float64 { return (x[2] - 1) * libm.Log1p(-x[0]) }, 0, 2)},
	"beta_proportion": {
		each(func(x []float64) float64 { return special.Lgamma(x[2]) }, 2),
		each(func(x []float64) float64 {
			return -special.Lgamma(x[1]*x[2]) - special.Lgamma(x[2]-float64(x[1]*x[2]))
		}, 1, 2)},
	"uniform": {each(func(x []float64) float64 { return -libm.Log(x[2] - x[1]) }, 1, 2)},
	"von_mises": {always(-libm.Log(2 * math.Pi)), each(func(x []float64) float64 {
		f, _, _ := special.LogBesselI(0, x[2])
		return -f
	}, 2)},

	// Counts.
	"binomial":           {each(chooses)},
	"binomial_logit":     {each(chooses)},
	"beta_binomial":      {each(chooses)},
	"poisson":            {each(minusLogFactorial)},
	"poisson_log":        {each(minusLogFactorial)},
	"neg_binomial":       {each(failures(1), 1)},
	"neg_binomial_2":     {each(failures(2), 2), each(func(x []float64) float64 { return xLogY(x[0], x[1]) }, 1)},
	"neg_binomial_2_log": {each(failures(2), 2), each(func(x []float64) float64 { return x[0] * x[1] }, 1)},
	"beta_neg_binomial":  {each(minusLogFactorial)},
	"yule_simon":         {each(func(x []float64) float64 { return special.Lgamma(x[0]) })},

	// Counts of several kinds, and simplexes.
	"multinomial":       {whole(arrangements)},
	"multinomial_logit": {whole(arrangements)},
	"dirichlet_multinomial": {whole(func(in []catalogue.Tensor) float64 {
		n, total := 0.0, 0.0
		for _, x := range in[0].X {
			if n += x; x > 0 {
				total -= libm.Log(x)
			}
		}
		if n == 0 {
			return 0
		}
		return total + libm.Log(n)
	})},
	"dirichlet": {whole(func(in []catalogue.Tensor) float64 {
		n, k := vectorsOf(in[0], in[1])
		if len(in[1].X) > k { // an array of them
			return dirichletConstants(in[1].X, k)
		}
		return float64(n) * dirichletConstants(in[1].X, k)
	}, 1)},

	// Generalised linear models.
	"normal_id_glm": {
		whole(func(in []catalogue.Tensor) float64 {
			return -univariate.HalfLogTwoPi * float64(observations(in[0], in[1]))
		}),
		whole(func(in []catalogue.Tensor) float64 {
			total := 0.0
			for i := range observations(in[0], in[1]) {
				total -= libm.Log(in[4].X[i%len(in[4].X)])
			}
			return total
		}, 4)},
	"poisson_log_glm": {whole(func(in []catalogue.Tensor) float64 {
		total := 0.0
		for i := range observations(in[0], in[1]) {
			total -= special.Lgamma(in[0].X[i%len(in[0].X)] + 1)
		}
		return total
	})},
	"neg_binomial_2_log_glm": {
		whole(func(in []catalogue.Tensor) float64 {
			total := 0.0
			for i := range observations(in[0], in[1]) {
				total -= special.Lgamma(in[0].X[i%len(in[0].X)] + 1)
			}
			return total
		}),
		whole(func(in []catalogue.Tensor) float64 {
			total, phi := 0.0, in[4].X
			for i := range observations(in[0], in[1]) {
				p := phi[i%len(phi)]
				total += float64(p*libm.Log(p)) - special.Lgamma(p) + special.Lgamma(in[0].X[i%len(in[0].X)]+p)
			}
			return total
		}, 4),
		whole(func(in []catalogue.Tensor) float64 {
			total := 0.0
			predictors(in[0], in[1], in[2], in[3], func(_ int, y, eta float64) { total += float64(y * eta) })
			return total
		}, 1, 2, 3)},
	"binomial_logit_glm": {whole(func(in []catalogue.Tensor) float64 {
		total := 0.0
		for i := range observations(in[0], in[2]) {
			total += univariate.LogChoose(in[1].X[i%len(in[1].X)], in[0].X[i%len(in[0].X)])
		}
		return total
	})},

	// Vectors.
	"multi_normal":          {gaussian(), perVector(func(m catalogue.Tensor) float64 { return -0.5 * logDet(m) }, 2)},
	"multi_normal_prec":     {gaussian(), perVector(func(m catalogue.Tensor) float64 { return 0.5 * logDet(m) }, 2)},
	"multi_normal_cholesky": {gaussian(), perVector(func(m catalogue.Tensor) float64 { return -catalogue.LogDiagonalSum(m.Dims[0], m.X) }, 2)},
	"multi_student_t": {halfLogPis(), studentDegreesOfVectors(),
		perStudent(func(m catalogue.Tensor) float64 { return -0.5 * logDet(m) })},
	"multi_student_t_cholesky": {halfLogPis(), studentDegreesOfVectors(),
		perStudent(func(m catalogue.Tensor) float64 { return -catalogue.LogDiagonalSum(m.Dims[0], m.X) })},
	"multi_gp":          gaussianProcess(func(m catalogue.Tensor) float64 { return -0.5 * logDet(m) }),
	"multi_gp_cholesky": gaussianProcess(func(m catalogue.Tensor) float64 { return -catalogue.LogDiagonalSum(m.Dims[0], m.X) }),
	"gaussian_dlm_obs":  {whole(func(in []catalogue.Tensor) float64 { return -univariate.HalfLogTwoPi * float64(len(in[0].X)) })},

	// Matrices.
	"lkj_corr":          {whole(func(in []catalogue.Tensor) float64 { return lkjNormaliser(in[0], in[1]) }, 1)},
	"lkj_corr_cholesky": {whole(func(in []catalogue.Tensor) float64 { return lkjNormaliser(in[0], in[1]) }, 1)},
	"lkj_cov":           lkjCovSummands(),
	"wishart": {
		whole(func(in []catalogue.Tensor) float64 {
			k, nu := float64(in[0].Dims[0]), in[1].X[0]
			return float64(-0.5*math.Ln2*nu*k) - mathfn.LogMultiGamma(k, nu/2)
		}, 1),
		whole(func(in []catalogue.Tensor) float64 { return -0.5 * in[1].X[0] * logDet(in[2]) }, 1, 2),
		whole(func(in []catalogue.Tensor) float64 { return -0.5 * traceRatio(in[2], in[0]) }, 0, 2),
		whole(func(in []catalogue.Tensor) float64 {
			return 0.5 * (in[1].X[0] - float64(in[0].Dims[0]) - 1) * logDet(in[0])
		}, 0, 1)},
	"inv_wishart": {
		whole(func(in []catalogue.Tensor) float64 {
			return -mathfn.LogMultiGamma(float64(in[0].Dims[0]), in[1].X[0]/2)
		}, 1),
		whole(func(in []catalogue.Tensor) float64 {
			return 0.5 * in[1].X[0] * (logDet(in[2]) - float64(math.Ln2*float64(in[0].Dims[0])))
		}, 1, 2),
		whole(func(in []catalogue.Tensor) float64 { return -0.5 * traceRatio(in[0], in[2]) }, 0, 2)},
	"wishart_cholesky":     {whole(factorConstant, 1)},
	"inv_wishart_cholesky": {whole(factorConstant, 1)},
}

// halfSquare is minus half the square of the standardised variate.
func halfSquare(x []float64) float64 {
	z := (x[0] - x[1]) / x[2]
	return -0.5 * z * z
}

// studentDegrees is what a Student t density has of its degrees of freedom alone.
func studentDegrees(x []float64) float64 {
	return special.Lgamma(float64(x[1]/2)+0.5) - special.Lgamma(x[1]/2) - float64(0.5*libm.Log(x[1]))
}

// xLogY is x log y, 0 where x is 0.
func xLogY(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x * libm.Log(y)
}

// arrangements is the logarithm of the multinomial coefficient.
func arrangements(in []catalogue.Tensor) float64 {
	n, total := 0.0, 0.0
	for _, x := range in[0].X {
		n += x
		total -= special.Lgamma(x + 1)
	}
	return total + special.Lgamma(n+1)
}

// dirichletConstants adds up the normalising constants of Dirichlet densities of k
// components each.
func dirichletConstants(alpha []float64, k int) float64 {
	total := 0.0
	for ; len(alpha) >= k && k > 0; alpha = alpha[k:] {
		sum := 0.0
		for _, a := range alpha[:k] {
			sum += a
			total -= special.Lgamma(a)
		}
		total += special.Lgamma(sum)
	}
	return total
}

// gaussian is -log(2 pi)/2 for each coordinate of multivariate normal vectors.
func gaussian() summand {
	return whole(func(in []catalogue.Tensor) float64 {
		n, k := vectorsOf(in[0], in[1])
		return -univariate.HalfLogTwoPi * float64(n*k)
	})
}

// perVector is a summand of a multivariate normal density that is of argument j alone.
func perVector(f func(m catalogue.Tensor) float64, j int) summand {
	return whole(func(in []catalogue.Tensor) float64 {
		n, _ := vectorsOf(in[0], in[1])
		return float64(n) * f(in[j])
	}, j)
}

// halfLogPis is -log(pi)/2 for each coordinate of multivariate Student t vectors,
// whose arguments are y, nu, mu and the scale.
func halfLogPis() summand {
	return whole(func(in []catalogue.Tensor) float64 {
		n, k := vectorsOf(in[0], in[2])
		return -0.5 * libm.Log(math.Pi) * float64(n*k)
	})
}

// studentDegreesOfVectors is what multivariate Student t densities have of their degrees
// of freedom alone.
func studentDegreesOfVectors() summand {
	return whole(func(in []catalogue.Tensor) float64 {
		n, size := vectorsOf(in[0], in[2])
		nu, k := in[1].X[0], float64(size)
		return float64(n) * (special.Lgamma(0.5*(nu+k)) - special.Lgamma(0.5*nu) - float64(0.5*k*libm.Log(nu)))
	}, 1)
}

// perStudent is a summand of multivariate Student t densities that is of the scale alone.
func perStudent(f func(m catalogue.Tensor) float64) summand {
	return whole(func(in []catalogue.Tensor) float64 {
		n, _ := vectorsOf(in[0], in[2])
		return float64(n) * f(in[3])
	}, 3)
}

// gaussianProcess are the summands of a density of zero-mean normal rows; f is that of
// the covariance for one row.
func gaussianProcess(f func(m catalogue.Tensor) float64) []summand {
	return []summand{
		whole(func(in []catalogue.Tensor) float64 { return -univariate.HalfLogTwoPi * float64(len(in[0].X)) }),
		whole(func(in []catalogue.Tensor) float64 { return float64(in[0].Dims[0]) * f(in[1]) }, 1),
		whole(func(in []catalogue.Tensor) float64 {
			total := 0.0
			for _, w := range in[2].X {
				total += libm.Log(w)
			}
			return 0.5 * float64(in[0].Dims[1]) * total
		}, 2),
	}
}

// lkjNormaliser is the normalising constant of an LKJ density of y with shape eta.
func lkjNormaliser(y, eta catalogue.Tensor) float64 {
	c, _ := multivariate.LkjConstant(eta.X[0], y.Dims[0])
	return c
}

// lkjCovSummands are the summands of lognormal scales, each dropped as a whole where none of its arguments
// varies, and of the correlations.
func lkjCovSummands() []summand {
	scales := func(f func(logSD, mu, sigma float64) float64) func(in []catalogue.Tensor) float64 {
		return func(in []catalogue.Tensor) float64 {
			k, total := in[0].Dims[0], 0.0
			for i := range k {
				total += f(0.5*libm.Log(in[0].X[i+i*k]), in[1].X[i], in[2].X[i])
			}
			return total
		}
	}
	return []summand{
		whole(scales(func(_, _, sigma float64) float64 { return -libm.Log(sigma) }), 2),
		whole(scales(func(logSD, _, _ float64) float64 { return -logSD }), 0),
		whole(scales(func(logSD, mu, sigma float64) float64 {
			return float64(halfSquare([]float64{logSD, mu, sigma})) - univariate.HalfLogTwoPi
		}), 0, 1, 2),
		whole(func(in []catalogue.Tensor) float64 { return lkjNormaliser(in[0], in[3]) }, 3),
		whole(func(in []catalogue.Tensor) float64 {
			k, d := in[0].Dims[0], logDet(in[0])
			for i := range k {
				d -= libm.Log(in[0].X[i+i*k])
			}
			return (in[3].X[0] - 1) * d
		}, 0, 3),
	}
}

// factorConstant is what densities of Cholesky factors of Wishart matrices have of the
// degrees of freedom alone.
func factorConstant(in []catalogue.Tensor) float64 {
	k, nu := float64(in[0].Dims[0]), in[1].X[0]
	return float64(k*math.Ln2*(1-float64(nu/2))) - mathfn.LogMultiGamma(k, nu/2)
}
