// Transforms to vectors and matrices that sum to zero, to simplexes and stochastic
// matrices, and to unit vectors.
//
// All but the last rest on the isometric log-ratio basis (Egozcue and others 2003, as
// in Stan 2.36 and later): the matrix V with K rows and K-1 orthonormal columns that
// are orthogonal to the constant vector. Column n (from 1) holds c in its first n rows
// and -n c in row n+1, c = 1/sqrt(n(n+1)), so V y and V' z take one pass. Vectors
// may lie in memory with a stride, for the rows of matrices.

package transform

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// BasisScale is the c of column n.
func BasisScale(n int) float64 {
	f := float64(n)
	return 1 / math.Sqrt(f*(f+1))
}

// applyBasis writes V y (k numbers) to x. y and x may be the same memory.
func applyBasis(k int, y []float64, yStride int, x []float64, xStride int) {
	sum := 0.0 // of the later columns' c*y
	for n := k - 1; n >= 0; n-- {
		w := 0.0
		if n > 0 {
			w = y[(n-1)*yStride] * BasisScale(n)
		}
		x[n*xStride] = sum - float64(float64(n)*w)
		sum += w
	}
}

// addBasisTranspose adds V' z (k-1 numbers) to y.
func addBasisTranspose(k int, z []float64, zStride int, y []float64, yStride int) {
	sum := 0.0
	for n := 1; n < k; n++ {
		sum += z[(n-1)*zStride]
		y[(n-1)*yStride] += float64(BasisScale(n) * (sum - float64(float64(n)*z[n*zStride])))
	}
}

// softmaxBasis writes the simplex softmax(V y) to x and gives its log Jacobian,
// sum(log x) + log(k)/2, computed from sum(V y) = 0.
func softmaxBasis(k int, y []float64, yStride int, x []float64, xStride int) float64 {
	applyBasis(k, y, yStride, x, xStride)
	top := math.Inf(-1)
	for i := 0; i < k; i++ {
		top = math.Max(top, x[i*xStride])
	}
	sum := 0.0
	for i := 0; i < k; i++ {
		e := libm.Exp(x[i*xStride] - top)
		x[i*xStride] = e
		sum += e
	}
	for i := 0; i < k; i++ {
		x[i*xStride] /= sum
	}
	f := float64(k)
	return float64(-f*(top+libm.Log(sum))) + float64(0.5*libm.Log(f))
}

// addSoftmaxBasisVJP adds the derivative of adj*x + adjLog*logJacobian to dy.
func addSoftmaxBasisVJP(k int, x, adj []float64, stride int, adjLog float64, dy []float64, dyStride int) {
	dot := 0.0
	for i := 0; i < k; i++ {
		dot += float64(adj[i*stride] * x[i*stride])
	}
	grad := func(i int) float64 { // with respect to element i of V y
		return float64(x[i*stride]*(adj[i*stride]-dot-float64(float64(k)*adjLog))) + adjLog
	}
	sum := 0.0
	for n := 1; n < k; n++ {
		sum += grad(n - 1)
		dy[(n-1)*dyStride] += float64(BasisScale(n) * (sum - float64(float64(n)*grad(n))))
	}
}

// logRatios writes the free numbers of a simplex, V' log(x).
func logRatios(k int, x []float64, xStride int, y []float64, yStride int) {
	sum := 0.0
	for n := 1; n < k; n++ {
		sum += libm.Log(x[(n-1)*xStride])
		y[(n-1)*yStride] = BasisScale(n) * (sum - float64(float64(n)*libm.Log(x[n*xStride])))
	}
}

// checkSimplex checks the k numbers of one simplex; place and at locate it and its
// elements for the message.
func checkSimplex(k int, x []float64, stride int, place string, at func(i int) string) error {
	sum := 0.0
	for i := 0; i < k; i++ {
		v := x[i*stride]
		if !(v >= 0) {
			return violationf("%s is %v, but must be greater than or equal to 0", at(i), v)
		}
		sum += v
	}
	if !(math.Abs(sum-1) <= CheckTolerance) {
		return violationf("%s sums to %v, but must sum to 1", place, sum)
	}
	return nil
}

func SimplexTransform() *Transform {
	t := &Transform{Name: "simplex", Free: freeOfVector(1, 1)}
	t.Constrain = func(dims []int, free []float64, _ [][]float64, x, _ []float64) (float64, error) {
		return softmaxBasis(dims[0], free, 1, x, 1), nil
	}
	t.VJP = func(dims []int, _ []float64, _ [][]float64, x, adj []float64, adjLog float64, dfree []float64, _ [][]float64, _ []float64) {
		addSoftmaxBasisVJP(dims[0], x, adj, 1, adjLog, dfree, 1)
	}
	t.Check = func(dims []int, x []float64, _ [][]float64) error {
		return checkSimplex(len(x), x, 1, "", func(i int) string { return indexText(dims, i) })
	}
	t.Unconstrain = func(dims []int, x []float64, args [][]float64, free []float64) error {
		if err := t.Check(dims, x, args); err != nil {
			return rejectUnless("simplex", err)
		}
		logRatios(len(x), x, 1, free, 1)
		return nil
	}
	return t
}

// ColumnStochasticTransform makes every column a simplex; the free numbers are the
// matrix with one row less.
func ColumnStochasticTransform() *Transform {
	return stochasticTransform("column_stochastic_matrix", false)
}

// RowStochasticTransform makes every row a simplex; the free numbers are the matrix
// with one column less.
func RowStochasticTransform() *Transform { return stochasticTransform("row_stochastic_matrix", true) }

func stochasticTransform(name string, byRow bool) *Transform {
	// layout returns how many simplexes of what size there are, where each begins in x and
	// in the free numbers, and the stride inside.
	layout := func(dims []int) (count, k, xNext, freeNext, stride int) {
		if byRow {
			return dims[0], dims[1], 1, 1, dims[0]
		}
		return dims[1], dims[0], dims[0], dims[0] - 1, 1
	}
	t := &Transform{Name: name}
	t.Free = func(dims []int) (int, error) {
		count, k, _, _, _ := layout(dims)
		if k < 1 {
			return 0, violationf(" has simplexes of size %d, but they must have at least 1", k)
		}
		return count * (k - 1), nil
	}
	t.Constrain = func(dims []int, free []float64, _ [][]float64, x, _ []float64) (float64, error) {
		count, k, xNext, freeNext, stride := layout(dims)
		lj := 0.0
		for c := 0; c < count; c++ {
			lj += softmaxBasis(k, From(free, c*freeNext), stride, x[c*xNext:], stride)
		}
		return lj, nil
	}
	t.VJP = func(dims []int, _ []float64, _ [][]float64, x, adj []float64, adjLog float64, dfree []float64, _ [][]float64, _ []float64) {
		count, k, xNext, freeNext, stride := layout(dims)
		for c := 0; c < count; c++ {
			addSoftmaxBasisVJP(k, x[c*xNext:], adj[c*xNext:], stride, adjLog, From(dfree, c*freeNext), stride)
		}
	}
	t.Check = func(dims []int, x []float64, _ [][]float64) error {
		count, k, xNext, _, stride := layout(dims)
		for c := 0; c < count; c++ {
			place := " column " + formatNumber(float64(c+1))
			if byRow {
				place = " row " + formatNumber(float64(c+1))
			}
			at := func(i int) string { return indexText(dims, c*xNext+i*stride) }
			if err := checkSimplex(k, x[c*xNext:], stride, place, at); err != nil {
				return err
			}
		}
		return nil
	}
	t.Unconstrain = func(dims []int, x []float64, args [][]float64, free []float64) error {
		if err := t.Check(dims, x, args); err != nil {
			return rejectUnless(name, err)
		}
		count, k, xNext, freeNext, stride := layout(dims)
		for c := 0; c < count; c++ {
			logRatios(k, x[c*xNext:], stride, From(free, c*freeNext), stride)
		}
		return nil
	}
	return t
}

// From is s[i:], or nothing where s ends before (simplexes of size 1 have no free numbers).
func From(s []float64, i int) []float64 {
	if i >= len(s) {
		return nil
	}
	return s[i:]
}

func checkSumToZero(dims []int, x []float64, _ [][]float64) error {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	if !(math.Abs(sum) <= CheckTolerance) {
		return violationf(" sums to %v, but must sum to 0", sum)
	}
	return nil
}

// SumToZeroVectorTransform is x = V y; it keeps lengths, so the Jacobian is 1.
func SumToZeroVectorTransform() *Transform {
	return &Transform{
		Name: "sum_to_zero_vector",
		Free: freeOfVector(1, 1),
		Constrain: func(dims []int, free []float64, _ [][]float64, x, _ []float64) (float64, error) {
			applyBasis(dims[0], free, 1, x, 1)
			return 0, nil
		},
		VJP: func(dims []int, _ []float64, _ [][]float64, _, adj []float64, _ float64, dfree []float64, _ [][]float64, _ []float64) {
			addBasisTranspose(dims[0], adj, 1, dfree, 1)
		},
		Check: checkSumToZero,
		Unconstrain: func(dims []int, x []float64, _ [][]float64, free []float64) error {
			if err := checkSumToZero(dims, x, nil); err != nil {
				return rejectUnless("sum_to_zero", err)
			}
			clear(free)
			addBasisTranspose(dims[0], x, 1, free, 1)
			return nil
		},
	}
}

// SumToZeroMatrixTransform is X = V Y V', with zero row and column sums.
func SumToZeroMatrixTransform() *Transform {
	return &Transform{
		Name: "sum_to_zero_matrix",
		Free: func(dims []int) (int, error) {
			if dims[0] < 1 || dims[1] < 1 {
				return 0, violationf(" has size %d by %d, but must have at least 1 row and column", dims[0], dims[1])
			}
			return (dims[0] - 1) * (dims[1] - 1), nil
		},
		Work: func(dims []int) int { return dims[0] * dims[1] },
		Constrain: func(dims []int, free []float64, _ [][]float64, x, _ []float64) (float64, error) {
			n, m := dims[0], dims[1]
			for j := 0; j < m-1; j++ {
				applyBasis(n, From(free, j*(n-1)), 1, x[j*n:], 1)
			}
			for i := 0; i < n; i++ {
				applyBasis(m, x[i:], n, x[i:], n)
			}
			return 0, nil
		},
		VJP: func(dims []int, _ []float64, _ [][]float64, _, adj []float64, _ float64, dfree []float64, _ [][]float64, work []float64) {
			foldSumToZero(dims[0], dims[1], adj, dfree, work)
		},
		Check: checkSumToZeroMatrix,
		Unconstrain: func(dims []int, x []float64, _ [][]float64, free []float64) error {
			if err := checkSumToZeroMatrix(dims, x, nil); err != nil {
				return rejectUnless("sum_to_zero", err)
			}
			clear(free)
			foldSumToZero(dims[0], dims[1], x, free, make([]float64, len(x)))
			return nil
		},
	}
}

func checkSumToZeroMatrix(dims []int, x []float64, _ [][]float64) error {
	n, m := dims[0], dims[1]
	for j := 0; j < m; j++ {
		if err := checkSumToZero(nil, x[j*n:(j+1)*n], nil); err != nil {
			return violationf(" column %d%s", j+1, err)
		}
	}
	for i := 0; i < n; i++ {
		sum := 0.0
		for j := 0; j < m; j++ {
			sum += x[i+j*n]
		}
		if !(math.Abs(sum) <= CheckTolerance) {
			return violationf(" row %d sums to %v, but must sum to 0", i+1, sum)
		}
	}
	return nil
}

// foldSumToZero adds V' Z V to y, for Z with n rows and m columns.
func foldSumToZero(n, m int, z, y, work []float64) {
	half := work[:n*(m-1)] // Z V
	clear(half)
	for i := 0; i < n && m > 1; i++ {
		addBasisTranspose(m, z[i:], n, half[i:], n)
	}
	for j := 0; j < m-1; j++ {
		addBasisTranspose(n, half[j*n:], 1, From(y, j*(n-1)), 1)
	}
}

// UnitVectorTransform is x = y/|y|. The free vector has one dimension more than the
// sphere; a standard normal density on it (the "Jacobian" -|y|^2/2) makes it proper and
// x uniform.
func UnitVectorTransform() *Transform {
	t := &Transform{Name: "unit_vector", Free: freeOfVector(0, 1)}
	t.Constrain = func(_ []int, free []float64, _ [][]float64, x, _ []float64) (float64, error) {
		square := catalogue.Dot(free, free)
		if !(square > 0) || math.IsInf(square, 1) {
			return 0, catalogue.DomainErrorf("unit_vector_constrain", "squared length of the free vector is %v, but must be positive and finite", square)
		}
		scale := 1 / math.Sqrt(square)
		for i, y := range free {
			x[i] = y * scale
		}
		return -0.5 * square, nil
	}
	t.VJP = func(_ []int, free []float64, _ [][]float64, x, adj []float64, adjLog float64, dfree []float64, _ [][]float64, _ []float64) {
		scale := 1 / math.Sqrt(catalogue.Dot(free, free))
		along := catalogue.Dot(adj, x)
		for i, y := range free {
			dfree[i] += float64((adj[i]-float64(along*x[i]))*scale) - float64(adjLog*y)
		}
	}
	t.Check = func(_ []int, x []float64, _ [][]float64) error {
		square := catalogue.Dot(x, x)
		if !(math.Abs(square-1) <= CheckTolerance) {
			return violationf(" has squared length %v, but must have 1", square)
		}
		return nil
	}
	t.Unconstrain = func(dims []int, x []float64, args [][]float64, free []float64) error {
		if err := t.Check(dims, x, args); err != nil {
			return rejectUnless("unit_vector", err)
		}
		copy(free, x)
		return nil
	}
	return t
}
