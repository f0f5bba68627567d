// LKJ distributions of correlation matrices (Lewandowski, Kurowicka and Joe 2009).

package stdlib

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

const (
	correlationSection = "Correlation Matrix Distributions"
	covarianceSection  = "Covariance Matrix Distributions"
)

func lkjFunctions() []*Function {
	return []*Function{
		{
			Name:       "lkj_corr_lpdf",
			Signatures: []string{"real lkj_corr_lpdf(matrix y | real eta)"},
			Doc:        "log density of the LKJ distribution, proportional to det(y)^(eta-1)",
			Section:    correlationSection,
			Kernel:     densityKernel(matrixIsSquare("lkj_corr_lpdf"), squares(3), lkjCorrLog),
		},
		{
			Name:       "lkj_corr_cholesky_lpdf",
			Signatures: []string{"real lkj_corr_cholesky_lpdf(matrix L | real eta)"},
			Doc:        "log density of the Cholesky factor of a correlation matrix with the LKJ distribution",
			Section:    correlationSection,
			Kernel:     densityKernel(matrixIsSquare("lkj_corr_cholesky_lpdf"), nil, lkjCholeskyLog),
		},
		{
			Name:       "lkj_cov_lpdf",
			Signatures: []string{"real lkj_cov_lpdf(matrix y | vector mu, vector sigma, real eta)"},
			Doc:        "log density of a covariance matrix with lognormal scales and an LKJ correlation matrix",
			Section:    covarianceSection,
			Kernel:     densityKernel(lkjCovSizes, squares(4), lkjCovLog),
		},
		lkjRandom("lkj_corr_cholesky_rng", func(k int, l, out []float64) { copy(out, l) }),
		lkjRandom("lkj_corr_rng", func(k int, l, out []float64) {
			selfTranspose(k, k, l, out)
			for i := 0; i < k; i++ {
				out[i+i*k] = 1
			}
		}),
	}
}

func matrixIsSquare(fn string) func(in []Tensor) error {
	return func(in []Tensor) error {
		_, err := squareResult(fn, true)(in)
		return err
	}
}

// lkjConstant is the logarithm of the normalising constant for k dimensions (theorem 5
// of the paper) and its derivative in eta: with m = k-1 the sum over i = 1..m of
//
//	lgamma(eta + m/2) - lgamma(eta + (m-i)/2) - i/2 log(pi).
func lkjConstant(eta float64, k int) (c, dc float64) {
	for i := 1; i < k; i++ {
		shift := 0.5 * float64(i)
		a := eta + float64(0.5*float64(k-1-i))
		c += special.LgammaShift(a, shift) - float64(shift*libm.Log(math.Pi))
		dc += special.PsiDiff(a, shift)
	}
	return c, dc
}

func lkjCorrLog(in []Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
	const fn = "lkj_corr_lpdf"
	k, eta := in[0].Dims[0], in[1].X[0]
	if !(eta > 0) {
		return 0, argumentError(fn, "eta", in[1], 0, "positive")
	}
	if k == 0 {
		return 0, nil
	}
	for i := 0; i < k; i++ {
		if v := in[0].X[i+i*k]; !(math.Abs(v-1) <= checkTolerance) {
			return 0, domainErrorf(fn, "y[%d,%d] is %s, but must be 1, as y is a correlation matrix", i+1, i+1, numberText(v))
		}
	}
	l := work[:k*k]
	if err := factorSPD(fn, "y", in[0], l); err != nil {
		return 0, err
	}
	logDet := 2 * logDiagonalSum(k, l)
	c, dc := lkjConstant(eta, k)
	if dy := into(din, 0); dy != nil && eta != 1 {
		inv := work[k*k : 2*k*k]
		invertFromCholesky(k, l, inv, work[2*k*k:])
		axpy(adj*(eta-1), inv, dy)
	}
	if de := into(din, 1); de != nil {
		de[0] += float64(adj * (dc + logDet))
	}
	return c + float64((eta-1)*logDet), nil
}

func lkjCholeskyLog(in []Tensor, adj float64, din [][]float64, _ []float64) (float64, error) {
	const fn = "lkj_corr_cholesky_lpdf"
	k, eta, l := in[0].Dims[0], in[1].X[0], in[0].X
	if !(eta > 0) {
		return 0, argumentError(fn, "eta", in[1], 0, "positive")
	}
	if k == 0 {
		return 0, nil
	}
	if err := checkCholeskyFactor(in[0].Dims, l); err != nil {
		return 0, domainErrorf(fn, "L%s", err)
	}
	sum, dc := lkjConstant(eta, k)
	logDet := 0.0
	for i := 1; i < k; i++ {
		v := l[i+i*k]
		power := float64(k-i-1) + 2*eta - 2
		sum += float64(power * libm.Log(v))
		logDet += 2 * libm.Log(v)
		if dl := into(din, 0); dl != nil {
			dl[i+i*k] += adj * power / v
		}
	}
	if de := into(din, 1); de != nil {
		de[0] += float64(adj * (dc + logDet))
	}
	return sum, nil
}

func lkjCovSizes(in []Tensor) error {
	k := in[0].Dims[0]
	if err := squareMatrix("lkj_cov_lpdf", "y", in[0], k); err != nil {
		return err
	}
	if n := in[1].Dims[0]; n != k {
		return sizeError("lkj_cov_lpdf", "the size of mu", n, "that of y", k)
	}
	if n := in[2].Dims[0]; n != k {
		return sizeError("lkj_cov_lpdf", "the size of sigma", n, "that of y", k)
	}
	return nil
}

// lkjCovLog is the density of scales sqrt(y[i,i]) and of the correlations; as in Stan
// there is no Jacobian of the decomposition. det(R) = det(y) / prod y[i,i].
func lkjCovLog(in []Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
	const fn = "lkj_cov_lpdf"
	k, y, mu, sigma, eta := in[0].Dims[0], in[0].X, in[1].X, in[2].X, in[3].X[0]
	if !(eta > 0) {
		return 0, argumentError(fn, "eta", in[3], 0, "positive")
	}
	if err := checkEach(fn, "mu", in[1], isFinite, "finite"); err != nil {
		return 0, err
	}
	if err := checkEach(fn, "sigma", in[2], isPositiveFinite, "positive and finite"); err != nil {
		return 0, err
	}
	if k == 0 {
		return 0, nil
	}
	l := work[:k*k]
	if err := factorSPD(fn, "y", in[0], l); err != nil {
		return 0, err
	}
	dy, dmu, dsigma := into(din, 0), into(din, 1), into(din, 2)
	logDet, sum := 2*logDiagonalSum(k, l), 0.0
	for i := 0; i < k; i++ {
		logY := libm.Log(y[i+i*k])
		logDet -= logY
		z := (float64(0.5*logY) - mu[i]) / sigma[i]
		sum -= halfLogTwoPi + libm.Log(sigma[i]) + float64(0.5*logY) + float64(0.5*z*z)
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
		invertFromCholesky(k, l, inv, work[2*k*k:])
		axpy(adj*(eta-1), inv, dy)
	}
	c, dc := lkjConstant(eta, k)
	if de := into(din, 3); de != nil {
		de[0] += float64(adj * (dc + logDet))
	}
	return sum + c + float64((eta-1)*logDet), nil
}

// lkjRandom draws canonical partial correlations, which are independent beta variates on
// (-1, 1); finish makes the result of the Cholesky factor.
func lkjRandom(fn string, finish func(k int, l, out []float64)) *Function {
	doc := "a correlation matrix with the LKJ distribution"
	if fn == "lkj_corr_cholesky_rng" {
		doc = "the Cholesky factor of " + doc
	}
	return &Function{
		Name:       fn,
		Signatures: []string{"matrix " + fn + "(int K, real eta)"},
		Doc:        doc,
		Section:    correlationSection,
		Draw: &Drawer{
			Dims: func(in []Tensor) ([]int, error) {
				k := intArg(in[0])
				return []int{k, k}, checkCount(fn, "K", k)
			},
			Draw: func(r *rand.Rand, in []Tensor, out []float64) error {
				k, eta := intArg(in[0]), in[1].X[0]
				if !(eta > 0) {
					return argumentError(fn, "eta", in[1], 0, "positive")
				}
				l := make([]float64, k*k)
				for i := 0; i < k; i++ {
					p := 1.0
					for j := 0; j < i; j++ {
						b := eta + float64(0.5*float64(k-2-j))
						x, y := betaDraw(r, b, b)
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
