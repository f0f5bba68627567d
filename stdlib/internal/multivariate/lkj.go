// LKJ distributions of correlation matrices (Lewandowski, Kurowicka and Joe 2009).

package multivariate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/matrixfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

const (
	correlationSection = "Correlation Matrix Distributions"
	covarianceSection  = "Covariance Matrix Distributions"
)

func lkjFunctions() []*catalogue.Function {
	return []*catalogue.Function{
		{
			Name:       "lkj_corr_lpdf",
			Signatures: []string{"real lkj_corr_lpdf(matrix y | real eta)"},
			Doc:        "log density of the LKJ distribution, proportional to det(y)^(eta-1)",
			Section:    correlationSection,
			Kernel:     DensityKernel(matrixIsSquare("lkj_corr_lpdf"), matrixfn.Squares(3), lkjCorrLog),
		},
		{
			Name:       "lkj_corr_cholesky_lpdf",
			Signatures: []string{"real lkj_corr_cholesky_lpdf(matrix L | real eta)"},
			Doc:        "log density of the Cholesky factor of a correlation matrix with the LKJ distribution",
			Section:    correlationSection,
			Kernel:     DensityKernel(matrixIsSquare("lkj_corr_cholesky_lpdf"), nil, lkjCholeskyLog),
		},
		{
			Name:       "lkj_cov_lpdf",
			Signatures: []string{"real lkj_cov_lpdf(matrix y | vector mu, vector sigma, real eta)"},
			Doc:        "log density of a covariance matrix with lognormal scales and an LKJ correlation matrix",
			Section:    covarianceSection,
			Kernel:     DensityKernel(lkjCovSizes, matrixfn.Squares(4), lkjCovLog),
		},
		LkjRandom("lkj_corr_cholesky_rng", func(k int, l, out []float64) { copy(out, l) }),
		LkjRandom("lkj_corr_rng", func(k int, l, out []float64) {
			transform.SelfTranspose(k, k, l, out)
			for i := 0; i < k; i++ {
				out[i+i*k] = 1
			}
		}),
	}
}

func matrixIsSquare(fn string) func(in []catalogue.Tensor) error {
	return func(in []catalogue.Tensor) error {
		_, err := matrixfn.SquareResult(fn, true)(in)
		return err
	}
}

// LkjConstant is the logarithm of the normalising constant for k dimensions (theorem 5
// of the paper) and its derivative in eta: with m = k-1 the sum over i = 1..m of
//
//	lgamma(eta + m/2) - lgamma(eta + (m-i)/2) - i/2 log(pi).
func LkjConstant(eta float64, k int) (c, dc float64) {
	for i := 1; i < k; i++ {
		shift := 0.5 * float64(i)
		a := eta + float64(0.5*float64(k-1-i))
		c += special.LgammaShift(a, shift) - float64(shift*libm.Log(math.Pi))
		dc += special.PsiDiff(a, shift)
	}
	return c, dc
}

func lkjCorrLog(in []catalogue.Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
	const fn = "lkj_corr_lpdf"
	k, eta := in[0].Dims[0], in[1].X[0]
	if !(eta > 0) {
		return 0, catalogue.ArgumentError(fn, "eta", in[1], 0, "positive")
	}
	if k == 0 {
		return 0, nil
	}
	for i := 0; i < k; i++ {
		if v := in[0].X[i+i*k]; !(math.Abs(v-1) <= transform.CheckTolerance) {
			return 0, catalogue.DomainErrorf(fn, "y[%d,%d] is %s, but must be 1, as y is a correlation matrix", i+1, i+1, catalogue.NumberText(v))
		}
	}
	l := work[:k*k]
	if err := matrixfn.FactorSPD(fn, "y", in[0], l); err != nil {
		return 0, err
	}
	logDet := 2 * catalogue.LogDiagonalSum(k, l)
	c, dc := LkjConstant(eta, k)
	if dy := Into(din, 0); dy != nil && eta != 1 {
		inv := work[k*k : 2*k*k]
		catalogue.InvertFromCholesky(k, l, inv, work[2*k*k:])
		catalogue.Axpy(adj*(eta-1), inv, dy)
	}
	if de := Into(din, 1); de != nil {
		de[0] += float64(adj * (dc + logDet))
	}
	return c + float64((eta-1)*logDet), nil
}

func lkjCholeskyLog(in []catalogue.Tensor, adj float64, din [][]float64, _ []float64) (float64, error) {
	const fn = "lkj_corr_cholesky_lpdf"
	k, eta, l := in[0].Dims[0], in[1].X[0], in[0].X
	if !(eta > 0) {
		return 0, catalogue.ArgumentError(fn, "eta", in[1], 0, "positive")
	}
	if k == 0 {
		return 0, nil
	}
	if err := transform.CheckCholeskyFactor(in[0].Dims, l); err != nil {
		return 0, catalogue.DomainErrorf(fn, "L%s", err)
	}
	sum, dc := LkjConstant(eta, k)
	logDet := 0.0
	for i := 1; i < k; i++ {
		v := l[i+i*k]
		power := float64(k-i-1) + 2*eta - 2
		sum += float64(power * libm.Log(v))
		logDet += 2 * libm.Log(v)
		if dl := Into(din, 0); dl != nil {
			dl[i+i*k] += adj * power / v
		}
	}
	if de := Into(din, 1); de != nil {
		de[0] += float64(adj * (dc + logDet))
	}
	return sum, nil
}

func lkjCovSizes(in []catalogue.Tensor) error {
	k := in[0].Dims[0]
	if err := matrixfn.SquareMatrix("lkj_cov_lpdf", "y", in[0], k); err != nil {
		return err
	}
	if n := in[1].Dims[0]; n != k {
		return container.SizeError("lkj_cov_lpdf", "the size of mu", n, "that of y", k)
	}
	if n := in[2].Dims[0]; n != k {
		return container.SizeError("lkj_cov_lpdf", "the size of sigma", n, "that of y", k)
	}
	return nil
}

// lkjCovLog is the density of scales sqrt(y[i,i]) and of the correlations; as in Stan
// there is no Jacobian of the decomposition. det(R) = det(y) / prod y[i,i].
func lkjCovLog(in []catalogue.Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
	const fn = "lkj_cov_lpdf"
	k, y, mu, sigma, eta := in[0].Dims[0], in[0].X, in[1].X, in[2].X, in[3].X[0]
	if !(eta > 0) {
		return 0, catalogue.ArgumentError(fn, "eta", in[3], 0, "positive")
	}
	if err := catalogue.CheckEach(fn, "mu", in[1], catalogue.IsFinite, "finite"); err != nil {
		return 0, err
	}
	if err := catalogue.CheckEach(fn, "sigma", in[2], catalogue.IsPositiveFinite, "positive and finite"); err != nil {
		return 0, err
	}
	if k == 0 {
		return 0, nil
	}
	l := work[:k*k]
	if err := matrixfn.FactorSPD(fn, "y", in[0], l); err != nil {
		return 0, err
	}
	dy, dmu, dsigma := Into(din, 0), Into(din, 1), Into(din, 2)
	logDet, sum := 2*catalogue.LogDiagonalSum(k, l), 0.0
	for i := 0; i < k; i++ {
		logY := libm.Log(y[i+i*k])
		logDet -= logY
		z := (float64(0.5*logY) - mu[i]) / sigma[i]
		sum -= univariate.HalfLogTwoPi + libm.Log(sigma[i]) + float64(0.5*logY) + float64(0.5*z*z)
		if dy != nil {
			dy[i+i*k] -= adj * (0.5 + 0.5*z/sigma[i] + eta - 1) / y[i+i*k]
		}
		if dmu != nil {
			dmu[i] += adj * z / sigma[i]
		}
		if dsigma != nil {
			dsigma[i] += adj * (float64(z*z) - 1) / sigma[i]
		}
	}
	if dy != nil && eta != 1 {
		inv := work[k*k : 2*k*k]
		catalogue.InvertFromCholesky(k, l, inv, work[2*k*k:])
		catalogue.Axpy(adj*(eta-1), inv, dy)
	}
	c, dc := LkjConstant(eta, k)
	if de := Into(din, 3); de != nil {
		de[0] += float64(adj * (dc + logDet))
	}
	return sum + c + float64((eta-1)*logDet), nil
}

// LkjRandom draws canonical partial correlations, which are independent beta variates on
// (-1, 1); finish makes the result of the Cholesky factor.
func LkjRandom(fn string, finish func(k int, l, out []float64)) *catalogue.Function {
	doc := "a correlation matrix with the LKJ distribution"
	if fn == "lkj_corr_cholesky_rng" {
		doc = "the Cholesky factor of " + doc
	}
	return &catalogue.Function{
		Name:       fn,
		Signatures: []string{"matrix " + fn + "(int K, real eta)"},
		Doc:        doc,
		Section:    correlationSection,
		Draw: &catalogue.Drawer{
			Dims: func(in []catalogue.Tensor) ([]int, error) {
				k := container.IntArg(in[0])
				return []int{k, k}, container.CheckCount(fn, "K", k)
			},
			Draw: func(r *rand.Rand, in []catalogue.Tensor, out []float64) error {
				k, eta := container.IntArg(in[0]), in[1].X[0]
				if !(eta > 0) {
					return catalogue.ArgumentError(fn, "eta", in[1], 0, "positive")
				}
				l := make([]float64, k*k)
				for i := 0; i < k; i++ {
					p := 1.0
					for j := 0; j < i; j++ {
						b := eta + float64(0.5*float64(k-2-j))
						x, y := univariate.BetaDraw(r, b, b)
						l[i+j*k] = (x - y) * p
						p *= 2 * math.Sqrt(x*y)
					}
					l[i+i*k] = p
				}
				finish(k, l, out)
				return nil
			},
		},
	}
}
