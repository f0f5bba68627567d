// Products of matrices.

package dense

import "sync"

const (
	tileRows = 12 // of a tile: 3 registers of 4 numbers
	tileCols = 4
	depth    = 256 // rows of B that are packed at a time; a strip of A then fits the first-level cache
	breadth  = 192 // columns of B that are packed at a time; they fit the second-level cache
)

// few is up to how many multiplications packing does not pay, fewer up to how many a call
// for a column does not.
const (
	few   = 8 * 8 * 8
	fewer = 4 * 4 * 4
)

// AddMul adds A B to C.
func AddMul(c, a, b Matrix) { product(&c, &a, &b, 1, false) }

// SubMul subtracts A B from C.
func SubMul(c, a, b Matrix) { product(&c, &a, &b, -1, false) }

// AddMulLower adds the lower triangle of A B to that of the square matrix C.
func AddMulLower(c, a, b Matrix) { product(&c, &a, &b, 1, true) }

// SubMulLower subtracts the lower triangle of A B from that of the square matrix C.
func SubMulLower(c, a, b Matrix) { product(&c, &a, &b, -1, true) }

// product adds sign times A B to C, or to C's lower triangle.
func product(c, a, b *Matrix, sign float64, lower bool) {
	k := a.Cols
	switch total := c.Rows * c.Cols * k; {
	case total == 0:
	case total <= fewer:
		tiny(c, a, b, sign, lower)
	case c.Down != 1 && !lower:
		ct, at, bt := c.T(), a.T(), b.T()
		product(&ct, &bt, &at, sign, false)
	case total <= few, c.Rows < tileCols, c.Cols < tileCols, k < tileCols && a.Down == 1:
		small(c, a, b, sign, lower)
	default:
		packed(*c, *a, *b, sign, lower)
	}
}

// A workspace holds packed parts of A and B.
type workspace struct {
	a [tileRows * depth]float64
	b [breadth * depth]float64
}

// workspaces are lent to one call at a time; what they hold before does not matter.
var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// packed is product by tiles: for each strip of 12 rows of A, all tiles of the columns of
// B that are packed.
func packed(c, a, b Matrix, sign float64, lower bool) {
	w := workspaces.Get().(*workspace)
	defer workspaces.Put(w)
	for j := 0; j < c.Cols; j += breadth {
		cols := min(breadth, c.Cols-j)
		for p := 0; p < a.Cols; p += depth {
			k := min(depth, a.Cols-p)
			packCols(w.b[:], b.Block(p, j, k, cols), sign)
			first := 0
			if lower {
				first = j / tileRows * tileRows
			}
			for i := first; i < c.Rows; i += tileRows {
				rows := min(tileRows, c.Rows-i)
				packRows(w.a[:], a.Block(i, p, rows, k))
				w.row(c.Block(i, j, rows, cols), k, i-j, lower)
			}
		}
	}
}

// row adds the products of the packed strip of A to a strip of C. The strip begins shift
// rows below the diagonal.
func (w *workspace) row(c Matrix, k, shift int, lower bool) {
	for j := 0; j < c.Cols; j += tileCols {
		cols := min(tileCols, c.Cols-j)
		if lower && shift+c.Rows <= j {
			return // above the diagonal, as all that follow
		}
		b := &w.b[j*k]
		if c.Rows == tileRows && cols == tileCols && c.Down == 1 && (!lower || shift >= j+cols-1) {
			tile(k, &w.a[0], b, &c.X[j*c.Right], c.Right)
			continue
		}
		var t [tileRows * tileCols]float64
		tile(k, &w.a[0], b, &t[0], tileRows)
		for q := range cols {
			from := 0
			if lower {
				from = max(0, j+q-shift)
			}
			for i := from; i < c.Rows; i++ {
				c.X[i*c.Down+(j+q)*c.Right] += t[q*tileRows+i]
			}
		}
	}
}

// packRows writes a strip of A column by column, filled up to 12 rows with zeros.
func packRows(dst []float64, a Matrix) {
	if a.Rows == tileRows && a.Down == 1 {
		for p := range a.Cols {
			*(*[tileRows]float64)(dst[p*tileRows:]) = [tileRows]float64(a.X[p*a.Right:])
		}
		return
	}
	if a.Rows < tileRows {
		clear(dst[:tileRows*a.Cols])
	}
	if a.Down == 1 {
		for p := range a.Cols {
			copy(dst[p*tileRows:], a.column(p))
		}
		return
	}
	for i := range a.Rows {
		at := i * a.Down
		for p := range a.Cols {
			dst[p*tileRows+i] = a.X[at]
			at += a.Right
		}
	}
}

// packCols writes sign times B in panels of 4 columns, each row by row, the last filled
// up with zeros.
func packCols(dst []float64, b Matrix, sign float64) {
	j := 0
	for ; j+tileCols <= b.Cols; j += tileCols {
		out := dst[j*b.Rows : (j+tileCols)*b.Rows]
		at, r := j*b.Right, b.Right
		for len(out) >= tileCols {
			x := b.X[at:]
			out[0], out[1], out[2], out[3] = sign*x[0], sign*x[r], sign*x[2*r], sign*x[3*r]
			out, at = out[tileCols:], at+b.Down
		}
	}
	if j == b.Cols {
		return
	}
	out := dst[j*b.Rows : (j+tileCols)*b.Rows]
	clear(out)
	for ; j < b.Cols; j++ {
		for p := range b.Rows {
			out[p*tileCols+j%tileCols] = sign * b.At(p, j)
		}
	}
}
