// Triangular systems.

package dense

import "github.com/seed-12b88e03/ppl/autodiff/vec"

// base is up to what size triangular matrices are not split.
const base = 16

// SolveLower solves L X = B in the place of B; of L only the lower triangle is read.
// X L' = B is solved by SolveLower(l, b.T()).
func SolveLower(l, b Matrix) {
	n := l.Rows
	if n <= base {
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
	if n <= base {
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

// solveBase solves T X = B for a triangular T of at most base rows.
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

// solveCopied solves for some columns of B at a time in a copy with contiguous rows.
func solveCopied(t, b *Matrix, upper bool) {
	const width = 32
	var space [base * width]float64
	for j := 0; j < b.Cols; j += width {
		part := b.Block(0, j, b.Rows, min(width, b.Cols-j))
		x := Matrix{X: space[:], Rows: b.Rows, Cols: part.Cols, Down: width, Right: 1}
		copyMatrix(&x, &part)
		solveRows(t, &x, upper)
		copyMatrix(&part, &x)
	}
}

func copyMatrix(dst, src *Matrix) {
	for j := range src.Cols {
		for i := range src.Rows {
			dst.X[i*dst.Down+j*dst.Right] = src.X[i*src.Down+j*src.Right]
		}
	}
}

// solveRows is substitution with contiguous rows of B.
func solveRows(t, b *Matrix, upper bool) {
	var coef [base]float64
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

// InvertLower writes the inverse of a lower triangular matrix in its place. The upper
// triangle is neither read nor written. The columns must be contiguous.
func InvertLower(l Matrix) {
	n := l.Rows
	if n <= base {
		invertBase(&l)
		return
	}
	// The inverse is [X 0; -Y L21 X Y], with X and Y those of the quarters.
	l11, l21, l22 := l.quarters(half(n))
	SolveLower(l22, l21)
	SolveLowerT(l11, l21.T())
	for j := range l21.Cols {
		for i := range l21.Rows {
			l21.X[i*l21.Down+j*l21.Right] *= -1
		}
	}
	InvertLower(l11)
	InvertLower(l22)
}

// invertBase inverts column by column from the last, using the columns inverted before.
func invertBase(l *Matrix) {
	var space [base]float64
	for j := l.Cols - 1; j >= 0; j-- {
		col := l.column(j)[j:]
		d := 1 / col[0]
		x := space[:len(col)-1]
		clear(x)
		for k := range x {
			addScaled(x[k:], col[k+1], l.column(j + k + 1)[j+k+1:])
		}
		col[0] = d
		for i, v := range x {
			col[i+1] = -v * d
		}
	}
}

// AddGramLower adds the lower triangle of W'W to that of C, for a lower triangular W of
// which only that triangle is read: L'^-1 L^-1 is the inverse of L L'. The columns of both
// must be contiguous.
func AddGramLower(c, w Matrix) {
	n := w.Rows
	if n <= base {
		gramBase(&c, &w)
		return
	}
	h := half(n)
	c11, c21, c22 := c.quarters(h)
	w11, w21, w22 := w.quarters(h)
	AddGramLower(c11, w11)
	AddMulLower(c11, w21.T(), w21)
	addUpperMul(c21, w22.T(), w21)
	AddGramLower(c22, w22)
}

func gramBase(c, w *Matrix) {
	for j := range w.Cols {
		out, x := c.column(j), w.column(j)
		for i := j; i < w.Rows; i++ {
			out[i] += dot(w.column(i)[i:], x[i:])
		}
	}
}

// addUpperMul adds U B to C, for an upper triangular U of which only that triangle is
// read.
func addUpperMul(c, u, b Matrix) {
	n := u.Rows
	if n <= base {
		for i := range n {
			AddMul(c.Block(i, 0, 1, c.Cols), u.Block(i, i, 1, n-i), b.Block(i, 0, n-i, b.Cols))
		}
		return
	}
	h := half(n)
	top, rest := b.Block(0, 0, h, b.Cols), b.Block(h, 0, n-h, b.Cols)
	c1, c2 := c.Block(0, 0, h, c.Cols), c.Block(h, 0, n-h, c.Cols)
	addUpperMul(c1, u.Block(0, 0, h, h), top)
	AddMul(c1, u.Block(0, h, h, n-h), rest)
	addUpperMul(c2, u.Block(h, h, n-h, n-h), rest)
}
