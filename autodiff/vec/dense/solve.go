// Triangular systems.

package dense

import "github.com/seed-12b88e03/ppl/autodiff/vec"

// base is up to what size triangular matrices are not split; solutionBase and inverseBase are
// that for solving with them and for inverting them.
const (
	base         = 16
	solutionBase = 32
	inverseBase  = 32
)

// SolveLower solves L X = B in the place of B; of L only the lower triangle is read.
// X L' = B is solved by SolveLower(l, b.T()).
func SolveLower(l, b Matrix) {
	n := l.Rows
	if n <= solutionBase {
		solveBase(&l, &b, false)
		return
	}
	h := half(n)
	l11, l21, l22 := l.quarters(h)
	b1, b2 := b.Block(0, 0, h, b.Cols), b.Block(h, 0, n-h, b.Cols)
	SolveLower(l11, b1)
	SubMul(b2, l21, b1)
	SolveLower(l22, b2)
}

// SolveLowerT solves L' X = B in the place of B; of L only the lower triangle is read.
// X L = B is solved by SolveLowerT(l, b.T()).
func SolveLowerT(l, b Matrix) {
	n := l.Rows
	if n <= solutionBase {
		t := l.T()
		solveBase(&t, &b, true)
		return
	}
	h := half(n)
	l11, l21, l22 := l.quarters(h)
	b1, b2 := b.Block(0, 0, h, b.Cols), b.Block(h, 0, n-h, b.Cols)
	SolveLowerT(l22, b2)
	SubMul(b1, l21.T(), b2)
	SolveLowerT(l11, b1)
}

// solveBase solves T X = B for a triangular T of at most solutionBase rows.
func solveBase(t, b *Matrix, upper bool) {
	const narrow = 4
	switch {
	case b.Rows == 0 || b.Cols == 0:
	case b.Down != 1:
		solveRows(t, b, upper)
	case b.Cols > narrow:
		solveCopied(t, b, upper)
	default:
		for j := range b.Cols {
			solveVector(t, b.column(j), upper)
		}
	}
}

// solveVector is substitution with one right-hand side: by columns of T where these are
// contiguous, else by its rows.
func solveVector(t *Matrix, x []float64, upper bool) {
	n := t.Rows
	for s := range n {
		i, lo, hi := s, 0, s
		if upper {
			i, lo, hi = n-1-s, n-s, n
		}
		at := i * (t.Down + t.Right)
		if t.Down != 1 {
			row := t.X[i*t.Down:]
			x[i] = (x[i] - dot(row[lo:hi], x[lo:hi])) / t.X[at]
			continue
		}
		x[i] /= t.X[at]
		col := t.X[i*t.Right:]
		if upper {
			addScaled(x[:i], -x[i], col)
		} else {
			addScaled(x[i+1:], -x[i], col[i+1:])
		}
	}
}

// solveCopied solves for some columns of B at a time in a copy with contiguous rows. Where
// B has fewer columns there are zeros up to a multiple of a vector register: instructions
// are faster on them than on odd lengths.
func solveCopied(t, b *Matrix, upper bool) {
	const width, register = 64, 8
	var space [solutionBase * width]float64
	for j := 0; j < b.Cols; j += width {
		cols := min(width, b.Cols-j)
		x := Matrix{X: space[:], Rows: b.Rows, Cols: (cols + register - 1) / register * register, Down: width, Right: 1}
		for c := range cols {
			for i, v := range b.column(j + c) {
				x.X[i*width+c] = v
			}
		}
		solveRows(t, &x, upper)
		for c := range cols {
			col := b.column(j + c)
			for i := range col {
				col[i] = x.X[i*width+c]
			}
		}
	}
}

// solveRows is substitution with contiguous rows of B.
func solveRows(t, b *Matrix, upper bool) {
	var coef [solutionBase]float64
	for s := range t.Rows {
		i, lo, hi := s, 0, s
		if upper {
			i = t.Rows - 1 - s
			lo, hi = i+1, t.Rows
		}
		row := b.X[i*b.Down:][:b.Cols]
		for k := lo; k < hi; k++ {
			coef[k-lo] = -t.At(i, k)
		}
		if hi > lo {
			vec.AddMatVec(row, b.X[lo*b.Down:], b.Down, coef[:hi-lo])
		}
		divide(row, t.At(i, i))
	}
}

// InvertLower writes the inverse of a lower triangular matrix in its place. The columns
// must be contiguous, with zeros above the diagonal.
func InvertLower(l Matrix) {
	n := l.Rows
	if n <= inverseBase {
		invertBase(&l)
		return
	}
	// The inverse is [X 0; -Y L21 X Y], with X and Y those of the quarters.
	l11, l21, l22 := l.quarters(half(n))
	SolveLower(l22, l21)
	SolveLowerT(l11, l21.T())
	for j := range l21.Cols {
		col := l21.column(j)
		vec.Neg.Map(col, col)
	}
	InvertLower(l11)
	InvertLower(l22)
}

// invertBase inverts column by column from the last, using the columns inverted before.
func invertBase(l *Matrix) {
	var space [inverseBase]float64
	for j := l.Cols - 1; j >= 0; j-- {
		col := l.column(j)[j:]
		d := 1 / col[0]
		col[0] = d
		x := space[:len(col)-1]
		for i, v := range col[1:] {
			x[i] = -v * d
		}
		if len(x) > 0 {
			clear(col[1:])
			vec.AddMatVec(col[1:], l.X[(j+1)*(l.Right+1):], l.Right, x)
		}
	}
}

// AddGramLower adds the lower triangle of W'W to that of C, for a lower triangular W with
// zeros above the diagonal: L'^-1 L^-1 is the inverse of L L'.
func AddGramLower(c, w Matrix) {
	const rows = 4 * tileRows
	for k, end := 0, 0; k < w.Rows; k = end {
		if end = k + rows; end+tileRows > w.Rows {
			end = w.Rows
		}
		part := w.Block(k, 0, end-k, end)
		AddMulLower(c.Block(0, 0, end, end), part.T(), part)
	}
}
