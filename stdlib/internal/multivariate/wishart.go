// Wishart and inverse Wishart distributions, of matrices and of their Cholesky factors.
//
// With Cholesky factors L_W and L_S of the variate and the scale, the trace in the
// density is |X|^2 with X = inverse(L_S) L_W (Wishart) or inverse(L_W) L_S (inverse
// Wishart), and all determinants are products of the diagonals.

package multivariate

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/matrixfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
	"github.com/seed-12b88e03/ppl/stdlib/special"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// A wishart is one of the four distributions.
type wishart struct {
	name    string
	fn      string // the density's name
	inverse bool
	factor  bool // of Cholesky factors
}

func wishartFunctions() []*catalogue.Function {
	var all []*catalogue.Function
	for _, w := range []wishart{
		{name: "wishart"}, {name: "inv_wishart", inverse: true},
		{name: "wishart_cholesky", factor: true}, {name: "inv_wishart_cholesky", inverse: true, factor: true},
	} {
		all = append(all, w.density(), w.random())
	}
	return all
}

func (w wishart) doc() string {
	s := "Wishart distribution with nu degrees of freedom and scale matrix Sigma"
	if w.inverse {
		s = "inverse " + s
	}
	if w.factor {
		s = "Cholesky factor of a matrix with the " + s + ", of which L_S is the factor"
	} else {
		s = "the " + s
	}
	return s
}

func (w wishart) names() (variate, scale string) {
	if w.factor {
		return "L_W", "L_S"
	}
	return "W", "Sigma"
}

func (w wishart) density() *catalogue.Function {
	variate, scale := w.names()
	fn := w.name + "_lpdf"
	w.fn = fn
	return &catalogue.Function{
		Name:       fn,
		Signatures: []string{fmt.Sprintf("real %s(matrix %s | real nu, matrix %s)", fn, variate, scale)},
		Doc:        "log density of " + w.doc(),
		Section:    covarianceSection,
		Kernel: DensityKernel(func(in []catalogue.Tensor) error {
			if err := matrixfn.SquareMatrix(fn, variate, in[0], in[0].Dims[0]); err != nil {
				return err
			}
			return matrixfn.SquareMatrix(fn, scale, in[2], in[0].Dims[0])
		}, matrixfn.Squares(6), w.log),
	}
}

// factors writes the Cholesky factor of a matrix argument to l.
func (w wishart) factors(fn, name string, t catalogue.Tensor, l []float64) error {
	if !w.factor {
		return matrixfn.FactorSPD(fn, name, t, l)
	}
	if err := transform.CheckCholeskyFactor(t.Dims, t.X); err != nil {
		return catalogue.DomainErrorf(fn, "%s%s", name, err)
	}
	copy(l, t.X)
	return nil
}

func (w wishart) log(in []catalogue.Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
	k, nu := in[0].Dims[0], in[1].X[0]
	variate, scale := w.names()
	if !(nu > float64(k-1)) {
		return 0, catalogue.DomainErrorf(w.fn, "nu is %v, but must be greater than the size of the matrix minus 1, %d", nu, k-1)
	}
	if k == 0 {
		return 0, nil
	}
	kk := k * k
	lw, ls, x := work[:kk], work[kk:2*kk], work[2*kk:3*kk]
	if err := w.factors(w.fn, variate, in[0], lw); err != nil {
		return 0, err
	}
	if err := w.factors(w.fn, scale, in[2], ls); err != nil {
		return 0, err
	}
	num, den := lw, ls // X = inverse(den) num
	if w.inverse {
		num, den = ls, lw
	}
	copy(x, num)
	catalogue.SolveLower(k, k, den, x)
	powerW, powerS := w.powers(nu, k)
	constant, dConstant := WishartConstant(nu, k)
	sum := constant + float64(powerS*catalogue.LogDiagonalSum(k, ls)) - float64(0.5*catalogue.Dot(x, x))
	for i := 0; i < k; i++ {
		sum += float64((powerW + w.jacobianPower(k, i)) * libm.Log(lw[i+i*k]))
	}
	if w.factor {
		sum += float64(float64(k) * math.Ln2)
	}
	if d := Into(din, 1); d != nil {
		d[0] += float64(adj * (dConstant + float64(w.sign()*(catalogue.LogDiagonalSum(k, lw)-catalogue.LogDiagonalSum(k, ls)))))
	}
	if Into(din, 0) != nil || Into(din, 2) != nil {
		w.addGradient(k, nu, adj, work, Into(din, 0), Into(din, 2))
	}
	return sum, nil
}

func (w wishart) sign() float64 {
	if w.inverse {
		return -1
	}
	return 1
}

// powers returns those of the diagonals of L_W and L_S in the density of W.
func (w wishart) powers(nu float64, k int) (powerW, powerS float64) {
	return float64(w.sign()*nu) - float64(k) - 1, -w.sign() * nu
}

// jacobianPower is that of element i of the diagonal in the Jacobian of W = L_W L_W'.
func (w wishart) jacobianPower(k, i int) float64 {
	if w.factor {
		return float64(k - i)
	}
	return 0
}

// addGradient adds the derivative with respect to the matrices; work holds L_W, L_S and X
// of log and room for three more.
func (w wishart) addGradient(k int, nu, adj float64, work, dw, ds []float64) {
	kk := k * k
	lw, ls, x, y := work[:kk], work[kk:2*kk], work[2*kk:3*kk], work[3*kk:4*kk]
	dlw, dls := work[4*kk:5*kk], work[5*kk:6*kk]
	clear(dlw)
	clear(dls)
	copy(y, x)
	if w.inverse {
		catalogue.SolveLowerTranspose(k, k, lw, y)
		addFrobeniusVJP(k, x, y, dls, dlw)
	} else {
		catalogue.SolveLowerTranspose(k, k, ls, y)
		addFrobeniusVJP(k, x, y, dlw, dls)
	}
	powerW, powerS := w.powers(nu, k)
	for i := 0; i < k; i++ {
		at := i + i*k
		dlw[at] += (powerW + w.jacobianPower(k, i)) / lw[at]
		dls[at] += powerS / ls[at]
	}
	w.addFactor(k, adj, lw, dlw, dw)
	w.addFactor(k, adj, ls, dls, ds)
}

// addFrobeniusVJP adds the derivative of -|X|^2/2 to those of numerator and denominator
// of X = inverse(den) num, given y = inverse(den') X.
func addFrobeniusVJP(k int, x, y, dnum, dden []float64) {
	for j := 0; j < k; j++ {
		catalogue.Axpy(-1, y[j*k+j:(j+1)*k], dnum[j*k+j:(j+1)*k])
		for c := 0; c < k; c++ {
			catalogue.Axpy(x[j+c*k], y[c*k+j:(c+1)*k], dden[j*k+j:(j+1)*k])
		}
	}
}

// addFactor adds adj times the derivative dl with respect to a Cholesky factor to the
// argument's.
func (w wishart) addFactor(k int, adj float64, l, dl, d []float64) {
	if d == nil {
		return
	}
	for i := range dl {
		dl[i] *= adj
	}
	if w.factor {
		catalogue.Axpy(1, dl, d)
		return
	}
	catalogue.CholeskyReverse(k, l, dl)
	catalogue.AddLowerAsSymmetric(k, dl, d)
}

// WishartConstant is -nu k/2 log 2 - log Gamma_k(nu/2) and its derivative in nu.
func WishartConstant(nu float64, k int) (c, dc float64) {
	d := float64(k)
	c = float64(-0.5*nu*d*math.Ln2) - float64(0.25*d*(d-1)*libm.Log(math.Pi))
	dc = -0.5 * d * math.Ln2
	for i := 0; i < k; i++ {
		a := 0.5 * (nu - float64(i))
		c -= special.Lgamma(a)
		dc -= float64(0.5 * special.Digamma(a))
	}
	return c, dc
}

func (w wishart) random() *catalogue.Function {
	_, scale := w.names()
	fn := w.name + "_rng"
	return &catalogue.Function{
		Name:       fn,
		Signatures: []string{fmt.Sprintf("matrix %s(real nu, matrix %s)", fn, scale)},
		Doc:        "a variate of " + w.doc(),
		Section:    covarianceSection,
		Draw: &catalogue.Drawer{
			Dims: func(in []catalogue.Tensor) ([]int, error) {
				return in[1].Dims, matrixfn.SquareMatrix(fn, scale, in[1], in[1].Dims[0])
			},
			Draw: func(r *rand.Rand, in []catalogue.Tensor, out []float64) error {
				k, nu := in[1].Dims[0], in[0].X[0]
				if !(nu > float64(k-1)) {
					return catalogue.DomainErrorf(fn, "nu is %v, but must be greater than the size of the matrix minus 1, %d", nu, k-1)
				}
				l := make([]float64, k*k)
				if err := w.factors(fn, scale, in[1], l); err != nil {
					return err
				}
				w.draw(r, nu, k, l, out)
				return nil
			},
		},
	}
}

// draw uses Bartlett's decomposition: a standard Wishart variate is A A' with standard
// normals below the diagonal of A and roots of chi-square variates with nu, nu-1, ...
// degrees of freedom on it; in reverse order on the diagonal it is A' A, whose inverse
// has the Cholesky factor inverse(A).
func (w wishart) draw(r *rand.Rand, nu float64, k int, l, out []float64) {
	a := make([]float64, k*k)
	for i := 0; i < k; i++ {
		df := nu - float64(i)
		if w.inverse {
			df = nu - float64(k-1-i)
		}
		a[i+i*k] = math.Sqrt(2 * univariate.GammaDraw(r, 0.5*df))
		for j := 0; j < i; j++ {
			a[i+j*k] = variate.Normal(r)
		}
	}
	factor := make([]float64, k*k)
	if w.inverse {
		copy(factor, l)
		catalogue.SolveRightLower(k, k, a, factor)
	} else {
		catalogue.MulAdd(k, k, k, l, a, factor)
	}
	if w.factor {
		copy(out, factor)
		return
	}
	transform.SelfTranspose(k, k, factor, out)
}
