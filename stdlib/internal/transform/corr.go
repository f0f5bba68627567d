// Transforms to correlation and covariance matrices and their Cholesky factors.
//
// Correlations are built from canonical partial correlations tanh(y) (Lewandowski,
// Kurowicka and Joe 2009): row i of the Cholesky factor is
//
//	L[i,j] = tanh(y[i,j]) prod_{k<j} Sech(y[i,k]),   L[i,i] = prod_{k<i} Sech(y[i,k]),
//
// which holds to full accuracy however close to 1 the correlations are. The free
// numbers of cholesky_factor_corr, cov_matrix and cholesky_factor_cov go row by row,
// those of corr_matrix column by column of the strict lower triangle, as in Stan.

package transform

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// A CPCOrder says where the free number of row i and column j < i stands.
type CPCOrder func(k, i, j int) int

func RowOrder(_, i, j int) int    { return i*(i-1)/2 + j }
func ColumnOrder(k, i, j int) int { return j*(k-1) - j*(j-1)/2 + i - j - 1 }

// corrFactor writes the Cholesky factor of a correlation matrix to l.
func corrFactor(k int, free []float64, order CPCOrder, l []float64) {
	clear(l[:k*k])
	for i := 0; i < k; i++ {
		p := 1.0
		for j := 0; j < i; j++ {
			y := free[order(k, i, j)]
			l[i+j*k] = libm.Tanh(y) * p
			p *= Sech(y)
		}
		l[i+i*k] = p
	}
}

// addCorrFactorVJP adds the derivative of sum(adj*L) to dfree; work holds k numbers.
func addCorrFactorVJP(k int, free []float64, order CPCOrder, adj, dfree, work []float64) {
	for i := 1; i < k; i++ {
		p := 1.0
		for j := 0; j < i; j++ {
			work[j] = p
			p *= Sech(free[order(k, i, j)])
		}
		up := adj[i+i*k] // derivative with respect to the product of all sech so far
		for j := i - 1; j >= 0; j-- {
			at := order(k, i, j)
			t, s := libm.Tanh(free[at]), Sech(free[at])
			a := adj[i+j*k]
			dfree[at] += float64(work[j] * s * (float64(a*s) - float64(up*t)))
			up = float64(a*t) + float64(up*s)
		}
	}
}

// corrFreeSize is the Free of correlation matrices and their factors.
func corrFreeSize(dims []int) (int, error) {
	if err := checkSquare(dims); err != nil {
		return 0, err
	}
	return dims[0] * (dims[0] - 1) / 2, nil
}

func checkSquare(dims []int) error {
	if dims[0] != dims[1] {
		return violationf(" has size %d by %d, but must be square", dims[0], dims[1])
	}
	return nil
}

// corrJacobian is the log Jacobian of the maps from free numbers, where weight gives
// the power of sech^2; with a non-nil dfree its derivative times adjLog is added.
func corrJacobian(k int, free []float64, order CPCOrder, weight func(k, i, j int) float64, adjLog float64, dfree []float64) float64 {
	lj := 0.0
	for i := 1; i < k; i++ {
		for j := 0; j < i; j++ {
			at := order(k, i, j)
			w := weight(k, i, j)
			if dfree != nil {
				dfree[at] -= float64(2 * w * adjLog * libm.Tanh(free[at]))
			} else {
				lj += float64(w * LogSech2(free[at]))
			}
		}
	}
	return lj
}

func FactorWeight(_, i, j int) float64 { return 1 + float64(0.5*float64(i-1-j)) }
func CorrWeight(k, _, j int) float64   { return 0.5 * float64(k-j) }

// corrFree writes the free numbers that give the Cholesky factor l.
func corrFree(k int, l []float64, order CPCOrder, free []float64) {
	for i := 1; i < k; i++ {
		rest := math.Abs(l[i+i*k]) // length of the row from column j+1 on
		for j := i - 1; j >= 0; j-- {
			v := l[i+j*k]
			free[order(k, i, j)] = libm.Asinh(v / rest)
			rest = libm.Hypot(rest, v)
		}
	}
}

func CholeskyCorrTransform() *Transform {
	t := &Transform{
		Name: "cholesky_factor_corr",
		Free: corrFreeSize,
		Work: func(dims []int) int { return dims[0] },
	}
	t.Constrain = func(dims []int, free []float64, _ [][]float64, x, _ []float64) (float64, error) {
		k := dims[0]
		corrFactor(k, free, RowOrder, x)
		return corrJacobian(k, free, RowOrder, FactorWeight, 0, nil), nil
	}
	t.VJP = func(dims []int, free []float64, _ [][]float64, _, adj []float64, adjLog float64, dfree []float64, _ [][]float64, work []float64) {
		k := dims[0]
		addCorrFactorVJP(k, free, RowOrder, adj, dfree, work)
		corrJacobian(k, free, RowOrder, FactorWeight, adjLog, dfree)
	}
	t.Check = func(dims []int, x []float64, _ [][]float64) error {
		if err := CheckCholeskyFactor(dims, x); err != nil {
			return err
		}
		n := dims[0]
		for i := 0; i < n; i++ {
			square := 0.0
			for j := 0; j <= i; j++ {
				square += float64(x[i+j*n] * x[i+j*n])
			}
			if !(math.Abs(square-1) <= CheckTolerance) {
				return violationf(" row %d has squared length %v, but must have 1", i+1, square)
			}
		}
		return checkSquare(dims)
	}
	t.Unconstrain = func(dims []int, x []float64, args [][]float64, free []float64) error {
		if err := t.Check(dims, x, args); err != nil {
			return rejectUnless(t.Name, err)
		}
		corrFree(dims[0], x, RowOrder, free)
		return nil
	}
	return t
}

// CheckCholeskyFactor checks that x is lower triangular with a positive diagonal and
// no fewer rows than columns.
func CheckCholeskyFactor(dims []int, x []float64) error {
	rows, cols := dims[0], dims[1]
	if rows < cols {
		return violationf(" has size %d by %d, but must not have fewer rows than columns", rows, cols)
	}
	for j := 0; j < cols; j++ {
		for i := 0; i < j; i++ {
			if x[i+j*rows] != 0 {
				return violationf("[%d, %d] is %v, but must be 0 (lower triangular)", i+1, j+1, x[i+j*rows])
			}
		}
		if !(x[j+j*rows] > 0) {
			return violationf("[%d, %d] is %v, but must be positive", j+1, j+1, x[j+j*rows])
		}
		for i := j; i < rows; i++ {
			if math.IsNaN(x[i+j*rows]) {
				return violationf("[%d, %d] is not a number", i+1, j+1)
			}
		}
	}
	return nil
}

func CorrMatrixTransform() *Transform {
	t := &Transform{
		Name: "corr_matrix",
		Free: corrFreeSize,
		Work: func(dims []int) int { return dims[0]*dims[0]*2 + dims[0] },
	}
	t.Constrain = func(dims []int, free []float64, _ [][]float64, x, work []float64) (float64, error) {
		k := dims[0]
		l := work[:k*k]
		corrFactor(k, free, ColumnOrder, l)
		SelfTranspose(k, k, l, x)
		for i := 0; i < k; i++ {
			x[i+i*k] = 1
		}
		return corrJacobian(k, free, ColumnOrder, CorrWeight, 0, nil), nil
	}
	t.VJP = func(dims []int, free []float64, _ [][]float64, _, adj []float64, adjLog float64, dfree []float64, _ [][]float64, work []float64) {
		k := dims[0]
		l, dl := work[:k*k], work[k*k:2*k*k]
		corrFactor(k, free, ColumnOrder, l)
		clear(dl)
		AddSelfTransposeVJP(k, k, l, adj, dl)
		for i := 0; i < k; i++ { // the diagonal of x is constant
			for j := 0; j <= i; j++ {
				dl[i+j*k] -= float64(2 * adj[i+i*k] * l[i+j*k])
			}
		}
		addCorrFactorVJP(k, free, ColumnOrder, dl, dfree, work[2*k*k:])
		corrJacobian(k, free, ColumnOrder, CorrWeight, adjLog, dfree)
	}
	t.Check = func(dims []int, x []float64, _ [][]float64) error {
		if err := CheckSymmetric(dims, x); err != nil {
			return err
		}
		n := dims[0]
		for i := 0; i < n; i++ {
			if !(math.Abs(x[i+i*n]-1) <= CheckTolerance) {
				return violationf("[%d, %d] is %v, but must be 1", i+1, i+1, x[i+i*n])
			}
		}
		return checkPositiveDefinite(n, x, make([]float64, n*n))
	}
	t.Unconstrain = t.unconstrainFactor(func(k int, l, free []float64) { corrFree(k, l, ColumnOrder, free) })
	return t
}

func CheckSymmetric(dims []int, x []float64) error {
	if err := checkSquare(dims); err != nil {
		return err
	}
	n := dims[0]
	if i, j := dense.Asymmetry(dense.Of(n, n, x), CheckTolerance); i >= 0 {
		return violationf(" is not symmetric: [%d, %d] is %v, but [%d, %d] is %v", i+1, j+1, x[i+j*n], j+1, i+1, x[j+i*n])
	}
	return nil
}

// unconstrainFactor makes Unconstrain of a transform of symmetric matrices from the function that
// maps a Cholesky factor to the free numbers.
func (t *Transform) unconstrainFactor(free func(k int, l, out []float64)) func(dims []int, x []float64, args [][]float64, out []float64) error {
	return func(dims []int, x []float64, args [][]float64, out []float64) error {
		if err := t.Check(dims, x, args); err != nil {
			return rejectUnless(t.Name, err)
		}
		k := dims[0]
		l := make([]float64, k*k)
		catalogue.Cholesky(k, x, l)
		free(k, l, out)
		return nil
	}
}

// checkPositiveDefinite needs room for a Cholesky factor.
func checkPositiveDefinite(n int, x, work []float64) error {
	if n > 0 && !catalogue.Cholesky(n, x, work) {
		return violationf(" is not positive definite")
	}
	return nil
}

// SelfTranspose writes L L' (rows by rows) to x, for a lower triangular L with rows
// and cols.
func SelfTranspose(rows, cols int, l, x []float64) {
	clear(x[:rows*rows])
	out := dense.Of(rows, rows, x)
	dense.AddSelfLower(out, dense.Of(rows, cols, l))
	dense.MirrorLower(out)
}

// AddSelfTransposeVJP adds the derivative of sum(adj * (L L')) to the lower triangle
// of dl: tril((A + A') L).
func AddSelfTransposeVJP(rows, cols int, l, adj, dl []float64) {
	dense.AddSelfReverse(dense.Of(rows, cols, dl), dense.Of(rows, rows, adj), dense.Of(rows, cols, l))
}

// covFactor writes the Cholesky factor with rows and cols whose free numbers go row
// by row, the diagonal as logarithms.
func covFactor(rows, cols int, free, l []float64) {
	clear(l[:rows*cols])
	at := 0
	for i := 0; i < rows; i++ {
		for j := 0; j <= i && j < cols; j++ {
			if v := free[at]; i == j {
				l[i+j*rows] = libm.Exp(v)
			} else {
				l[i+j*rows] = v
			}
			at++
		}
	}
}

// covFree is the inverse of covFactor.
func covFree(rows, cols int, l, free []float64) {
	at := 0
	for i := 0; i < rows; i++ {
		for j := 0; j <= i && j < cols; j++ {
			if v := l[i+j*rows]; i == j {
				free[at] = libm.Log(v)
			} else {
				free[at] = v
			}
			at++
		}
	}
}

// addCovFactorVJP adds the derivative of sum(adj*L) + adjLog*sum_i weight(i) log L[i,i].
func addCovFactorVJP(rows, cols int, free, adj []float64, adjLog float64, weight func(i int) float64, dfree []float64) {
	at := 0
	for i := 0; i < rows; i++ {
		for j := 0; j <= i && j < cols; j++ {
			if a := adj[i+j*rows]; i == j {
				dfree[at] += float64(a*libm.Exp(free[at])) + float64(adjLog*weight(i))
			} else {
				dfree[at] += a
			}
			at++
		}
	}
}

// DiagonalAt is the place of the logarithm of L[i,i] among the free numbers.
func DiagonalAt(i int) int { return i*(i+1)/2 + i }

func CholeskyCovTransform() *Transform {
	t := &Transform{Name: "cholesky_factor_cov"}
	t.Free = func(dims []int) (int, error) {
		rows, cols := dims[0], dims[1]
		if rows < cols {
			return 0, violationf(" has size %d by %d, but must not have fewer rows than columns", rows, cols)
		}
		return cols*(cols+1)/2 + (rows-cols)*cols, nil
	}
	t.Constrain = func(dims []int, free []float64, _ [][]float64, x, _ []float64) (float64, error) {
		covFactor(dims[0], dims[1], free, x)
		lj := 0.0
		for i := 0; i < dims[1]; i++ {
			lj += free[DiagonalAt(i)]
		}
		return lj, nil
	}
	t.VJP = func(dims []int, free []float64, _ [][]float64, _, adj []float64, adjLog float64, dfree []float64, _ [][]float64, _ []float64) {
		addCovFactorVJP(dims[0], dims[1], free, adj, adjLog, func(int) float64 { return 1 }, dfree)
	}
	t.Check = func(dims []int, x []float64, _ [][]float64) error { return CheckCholeskyFactor(dims, x) }
	t.Unconstrain = func(dims []int, x []float64, args [][]float64, free []float64) error {
		if err := t.Check(dims, x, args); err != nil {
			return rejectUnless(t.Name, err)
		}
		covFree(dims[0], dims[1], x, free)
		return nil
	}
	return t
}

func CovMatrixTransform() *Transform {
	t := &Transform{
		Name: "cov_matrix",
		Work: func(dims []int) int { return 2 * dims[0] * dims[0] },
	}
	t.Free = func(dims []int) (int, error) {
		if err := checkSquare(dims); err != nil {
			return 0, err
		}
		return dims[0] * (dims[0] + 1) / 2, nil
	}
	t.Constrain = func(dims []int, free []float64, _ [][]float64, x, work []float64) (float64, error) {
		k := dims[0]
		l := work[:k*k]
		covFactor(k, k, free, l)
		SelfTranspose(k, k, l, x)
		lj := float64(k) * math.Ln2
		for i := 0; i < k; i++ {
			lj += float64(float64(k-i+1) * free[DiagonalAt(i)])
		}
		return lj, nil
	}
	t.VJP = func(dims []int, free []float64, _ [][]float64, _, adj []float64, adjLog float64, dfree []float64, _ [][]float64, work []float64) {
		k := dims[0]
		l, dl := work[:k*k], work[k*k:2*k*k]
		covFactor(k, k, free, l)
		clear(dl)
		AddSelfTransposeVJP(k, k, l, adj, dl)
		addCovFactorVJP(k, k, free, dl, adjLog, func(i int) float64 { return float64(k - i + 1) }, dfree)
	}
	t.Check = func(dims []int, x []float64, _ [][]float64) error {
		if err := CheckSymmetric(dims, x); err != nil {
			return err
		}
		return checkPositiveDefinite(dims[0], x, make([]float64, dims[0]*dims[0]))
	}
	t.Unconstrain = t.unconstrainFactor(func(k int, l, free []float64) { covFree(k, k, l, free) })
	return t
}
