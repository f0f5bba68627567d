// Generalised linear models of categories: ordered_logistic_glm and categorical_logit_glm.

package glm

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/matrixfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/multivariate"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

func ordinalFunctions() []*catalogue.Function {
	const ordered, categorical = "ordered_logistic_glm_lpmf", "categorical_logit_glm_lpmf"
	return []*catalogue.Function{
		{
			Name:       ordered,
			Signatures: outcomeSignatures(ordered, "vector beta, vector c"),
			Doc:        "log mass of the ordered logistic distribution with predictor x*beta and cutpoints c",
			Section:    glmSection,
			Kernel: multivariate.DensityKernel(func(in []catalogue.Tensor) error {
				return outcomeSizes(ordered, in, len(in[2].X))
			}, func(in []catalogue.Tensor) int { return 2*glmBlockRows + 1 }, orderedGLMLog),
		},
		{
			Name:       categorical,
			Signatures: outcomeSignatures(categorical, "vector alpha, matrix beta"),
			Doc:        "log mass of the categorical distribution with logits alpha + x*beta",
			Section:    glmSection,
			Kernel: multivariate.DensityKernel(func(in []catalogue.Tensor) error {
				if k := in[3].Dims[1]; k != len(in[2].X) {
					return container.SizeError(categorical, "the number of columns of beta", k, "the size of alpha", len(in[2].X))
				}
				return outcomeSizes(categorical, in, in[3].Dims[0])
			}, func(in []catalogue.Tensor) int { return 2*glmBlockRows*len(in[2].X) + 2*glmBlockRows }, categoricalGLMLog),
		},
	}
}

func outcomeSignatures(name, params string) []string {
	var all []string
	for _, y := range []string{"int", "array[] int"} {
		for _, x := range []string{"row_vector", "matrix"} {
			all = append(all, fmt.Sprintf("real %s(%s y | %s x, %s)", name, y, x, params))
		}
	}
	return all
}

// outcomeSizes checks y and x against each other, and the columns of x.
func outcomeSizes(fn string, in []catalogue.Tensor, cols int) error {
	rows, c := container.MatrixSize(in[1])
	if c != cols {
		return container.SizeError(fn, "the number of columns of x", c, "the number of coefficients", cols)
	}
	if len(in[1].Dims) == 2 && len(in[0].Dims) == 1 && rows != len(in[0].X) {
		return container.SizeError(fn, "the number of rows of x", rows, "the size of y", len(in[0].X))
	}
	return nil
}

// outcomes returns the observations of row i of x: all of them where x is a row vector.
func outcomes(in []catalogue.Tensor, i int) []float64 {
	if len(in[1].Dims) == 1 {
		return in[0].X
	}
	return window(in[0].X, i, i+1)
}

func checkOutcomes(fn string, y catalogue.Tensor, categories int) error {
	for i, v := range y.X {
		if v < 1 || v > float64(categories) {
			return catalogue.ArgumentError(fn, "y", y, i, fmt.Sprintf("between 1 and %d", categories))
		}
	}
	return nil
}

// orderedLogit is log(inv_logit(a) - inv_logit(b)) and its derivatives; a is +Inf for
// the last category, b -Inf for the first.
func orderedLogit(a, b float64) (v, da, db float64) {
	if math.IsInf(b, -1) {
		p := univariate.InverseLogit(-a)
		return -log1pExpOf(-a), p, 0
	}
	if math.IsInf(a, 1) {
		return -log1pExpOf(b), 0, -univariate.InverseLogit(b)
	}
	u := 1 / libm.Expm1(a-b)
	return -log1pExpOf(-a) - log1pExpOf(b) + special.Log1mExp(b-a), u + univariate.InverseLogit(-a), -u - univariate.InverseLogit(b)
}

func log1pExpOf(x float64) float64 { return math.Max(x, 0) + libm.Log1p(libm.Exp(-math.Abs(x))) }

func orderedGLMLog(in []catalogue.Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
	const fn = "ordered_logistic_glm_lpmf"
	c := in[3].X
	if err := checkOutcomes(fn, in[0], len(c)+1); err != nil {
		return 0, err
	}
	for i, v := range c {
		if i > 0 && !(v > c[i-1]) {
			return 0, catalogue.ArgumentError(fn, "c", in[3], i, "greater than the element before it")
		}
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return 0, catalogue.ArgumentError(fn, "c", in[3], i, "finite")
		}
	}
	rows, _ := container.MatrixSize(in[1])
	eta, d := work[:glmBlockRows], work[glmBlockRows:2*glmBlockRows]
	zero := work[2*glmBlockRows : 2*glmBlockRows+1]
	zero[0] = 0
	p := newPredictor(in[1], catalogue.Tensor{X: zero}, in[2])
	p.dx, p.dbeta = multivariate.Into(din, 1), multivariate.Into(din, 2)
	dc := multivariate.Into(din, 3)
	sum := 0.0
	for lo := 0; lo < rows; lo += glmBlockRows {
		e := eta[:min(glmBlockRows, rows-lo)]
		p.predict(lo, e)
		if y := in[0].X; len(in[1].Dims) == 2 {
			k := univariate.NewColumn(y, 0)
			if len(y) > 1 {
				k = univariate.NewColumn(y[lo:], 1)
			}
			clear(d[:len(e)])
			sum += univariate.OrderedLogistics(len(e), k, univariate.NewColumn(e, 1), c, 1, adj, univariate.NewGradient(d, 1), dc)
			if len(din) > 0 {
				p.carryBack(lo, adj, d[:len(e)])
			}
			continue
		}
		for i, v := range e {
			d[i] = 0
			for _, y := range outcomes(in, lo+i) {
				k := int(y) // between cutpoints k-1 and k, from 1
				a, b := math.Inf(1), math.Inf(-1)
				if k <= len(c) {
					a = c[k-1] - v
				}
				if k > 1 {
					b = c[k-2] - v
				}
				l, da, db := orderedLogit(a, b)
				sum += l
				d[i] += univariate.InverseLogit(b) - univariate.InverseLogit(-a)
				if dc != nil && k <= len(c) {
					dc[k-1] += float64(adj * da)
				}
				if dc != nil && k > 1 {
					dc[k-2] += float64(adj * db)
				}
			}
		}
		if len(din) > 0 {
			p.carryBack(lo, adj, d[:len(e)])
		}
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return sum, checkFinite(fn, in, []string{"", "x", "beta"})
	}
	return sum, nil
}

func categoricalGLMLog(in []catalogue.Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
	const fn = "categorical_logit_glm_lpmf"
	alpha, beta := in[2].X, in[3].X
	k := len(alpha)
	if err := checkOutcomes(fn, in[0], k); err != nil {
		return 0, err
	}
	rows, cols := container.MatrixSize(in[1])
	logits, d, row := work[:glmBlockRows*k], work[glmBlockRows*k:2*glmBlockRows*k], work[2*glmBlockRows*k:]
	dx, dalpha, dbeta := multivariate.Into(din, 1), multivariate.Into(din, 2), multivariate.Into(din, 3)
	sum := 0.0
	for lo := 0; lo < rows; lo += glmBlockRows {
		n := min(glmBlockRows, rows-lo)
		for j := 0; j < k; j++ {
			col := logits[j*n : (j+1)*n]
			matrixfn.Fill(col, alpha[j])
			catalogue.AddTimes(transform.From(in[1].X, lo), rows, beta[j*cols:(j+1)*cols], col)
		}
		sum += categoricalBlock(in, lo, n, k, logits, d, row)
		for j := 0; j < k && len(din) > 0; j++ {
			col := d[j*n : (j+1)*n]
			for i := range col {
				col[i] = float64(col[i] * adj)
				if dalpha != nil {
					dalpha[j] += col[i]
				}
			}
			if dbeta != nil {
				catalogue.AddTransposeTimes(transform.From(in[1].X, lo), rows, col, dbeta[j*cols:(j+1)*cols])
			}
			for m := 0; m < cols && dx != nil; m++ {
				catalogue.Axpy(beta[m+j*cols], col, dx[m*rows+lo:m*rows+lo+n])
			}
		}
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return sum, checkFinite(fn, in, []string{"", "x", "alpha", "beta"})
	}
	return sum, nil
}

// categoricalBlock sums the log masses of n rows from lo on with logits n by k and
// writes the derivatives to d; work is scratch for 2 n numbers.
func categoricalBlock(in []catalogue.Tensor, lo, n, k int, logits, d, work []float64) float64 {
	top, totals := work[:n], work[n:2*n]
	matrixfn.Fill(top, math.Inf(-1))
	for j := 0; j < k; j++ {
		for i, v := range logits[j*n : (j+1)*n] {
			if v > top[i] {
				top[i] = v
			}
		}
	}
	clear(totals)
	for j := 0; j < k; j++ {
		e := d[j*n : (j+1)*n]
		vec.SubVV.Map(e, logits[j*n:(j+1)*n], top)
		vec.Exp.Map(e, e)
		vec.AddVV.Map(totals, totals, e)
	}
	sum := 0.0
	for i, total := range totals {
		ys := outcomes(in, lo+i)
		for _, y := range ys {
			sum += logShareOf(logits[i:], n, d[i:], k, int(y)-1, top[i], total)
		}
		scale := float64(len(ys)) / total
		for j := 0; j < k; j++ {
			d[i+j*n] *= -scale
		}
		for _, y := range ys {
			d[i+(int(y)-1)*n]++
		}
	}
	return sum
}

// logShareOf is the logarithm of the share of category c in total, the sum of the k
// exponentials e (exp(logit - top)) with a stride. Where c dominates, it is computed
// from the rest of the sum.
func logShareOf(logits []float64, stride int, e []float64, k, c int, top, total float64) float64 {
	v := logits[c*stride] - top - vec.Log.At(total)
	if v < -0.5 {
		return v
	}
	rest := 0.0
	for j := 0; j < k; j++ {
		if j != c {
			rest += e[j*stride]
		}
	}
	return -libm.Log1p(rest / e[c*stride])
}
