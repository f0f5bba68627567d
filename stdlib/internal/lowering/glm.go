// Sufficient statistics: normal regressions on data, whose log density needs the data
// only once, when the program is recorded.

package lowering

import (
	"math"
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/glm"
)

// expandNormalGLM handles y ~ normal_id_glm(x, alpha, beta, sigma) with constant y and
// x and one alpha and sigma. With z = (1, x) and its QR decomposition the sum of
// squared residuals at b = (alpha, beta) is RSS + |R (b - b_hat)|^2, exact up to
// rounding and better conditioned than the sum over the data; a gradient costs d^2
// operations in place of n d. Where alpha is the number 0, z is x. Where z is not clearly of full rank the kernel serves.
func expandNormalGLM(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	y, x, alpha, beta, sigma := in[0], in[1], in[2], in[3], in[4]
	if y.Active || x.Active || len(y.Dims) != 1 || len(x.Dims) != 2 || len(alpha.Dims) != 0 || len(sigma.Dims) != 0 {
		return autodiff.None, false
	}
	n, d := x.Dims[0], x.Dims[1]
	if d == 0 || n < 2*(d+1) {
		return autodiff.None, false
	}
	var refs []autodiff.Ref
	if alpha.Active || alpha.X[0] != 0 {
		refs = append(refs, autodiff.Ref{Node: alpha.Node})
	}
	fit, ok := leastSquares(y.X, x.X, n, len(refs), d)
	if !ok {
		return autodiff.None, false
	}
	for j := range d {
		refs = append(refs, autodiff.Ref{Node: beta.Node, Elem: int32(j)})
	}
	b := catalogue.Formula{G: g}
	u := g.MatVec(g.Const(fit.r), b.Sub(g.Gather(refs), g.Const(fit.estimate)), len(refs))
	squares := b.Add(b.Num(fit.rss), g.Dot(u, u))
	scaled := b.Mul(squares, b.Square(b.Map1(autodiff.Inv, sigma.Node)))
	rest := b.Add(b.Mul(b.Num(float64(n)), b.Log(sigma.Node)), b.Num(float64(n)*logSqrt2Pi))
	return b.Sub(b.Mul(b.Num(-0.5), scaled), rest), true
}

// expandCategoricalGLM writes the predictors of few categories as a vector each.
func expandCategoricalGLM(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	y, x, alpha, beta := in[0], in[1], in[2], in[3]
	if len(y.Dims) != 1 || len(x.Dims) != 2 || len(y.X) < 2 || len(alpha.X) > maxTree || x.Dims[1] == 0 {
		return autodiff.None, false
	}
	n, d := x.Dims[0], x.Dims[1]
	b := catalogue.Formula{G: g}
	eta := make([]autodiff.Node, len(alpha.X))
	for c := range eta {
		eta[c] = b.Add(g.MatVec(x.Node, g.View(beta.Node, c*d, d), n), g.Elem(alpha.Node, c))
	}
	seen := make([]autodiff.Ref, n)
	for i, c := range y.X {
		seen[i] = autodiff.Ref{Node: eta[int(c)-1], Elem: int32(i)}
	}
	return b.Sub(g.Sum(g.Gather(seen)), g.Sum(logSumExpNodes(g, n, eta))), true
}

// PredictorForm returns the function f(y | x, alpha, beta) that equals the named one at
// (y | alpha + x*beta), nil where there is none. It goes through x once for the
// predictors and, while they are in the cache, the gradient.
func PredictorForm(name string) *catalogue.Function { return predictorForms()[name] }

var predictorForms = sync.OnceValue(func() map[string]*catalogue.Function {
	forms := map[string]*catalogue.Function{}
	for _, f := range glm.Functions() {
		if f.Name == "bernoulli_logit_glm_lpmf" {
			forms["bernoulli_logit_lpmf"] = f
		}
	}
	return forms
})

// A fitted regression: the triangular factor (column-major), the least-squares
// estimate, and the residual sum of squares.
type fitted struct {
	r, estimate []float64
	rss         float64
}

// leastSquares regresses y on the n x d matrix x (column-major), behind so many constants.
func leastSquares(y, x []float64, n, constants, d int) (fitted, bool) {
	k := constants + d
	z := mat.NewDense(n, k, nil)
	for i := range n {
		for j := range constants {
			z.Set(i, j, 1)
		}
		for j := range d {
			z.Set(i, constants+j, x[j*n+i])
		}
	}
	var qr mat.QR
	qr.Factorize(z)
	if c := qr.Cond(); !(c < 1e6) {
		return fitted{}, false
	}
	var b mat.VecDense
	if err := qr.SolveVecTo(&b, mat.NewVecDense(n, y)); err != nil {
		return fitted{}, false
	}
	var residual mat.VecDense
	residual.MulVec(z, &b)
	f := fitted{r: make([]float64, k*k), estimate: make([]float64, k)}
	for i, v := range y {
		e := v - residual.AtVec(i)
		f.rss += float64(e * e)
	}
	var r mat.TriDense
	qr.RTo(&r)
	for j := range k {
		f.estimate[j] = b.AtVec(j)
		for i := range j + 1 {
			f.r[j*k+i] = r.At(i, j)
		}
	}
	return f, !math.IsNaN(f.rss) && !math.IsInf(f.rss, 0)
}
