// Views of matrices.

package dense

// A Matrix is a view of numbers: element (i, j) is X[i*Down+j*Right]. One of Down and
// Right is 1, as Of, T and Block make it.
type Matrix struct {
	X           []float64
	Rows, Cols  int
	Down, Right int
}

// Of views x as a matrix in column-major order.
func Of(rows, cols int, x []float64) Matrix {
	return Matrix{X: x, Rows: rows, Cols: cols, Down: 1, Right: rows}
}

// T is the transpose.
func (m Matrix) T() Matrix {
	return Matrix{X: m.X, Rows: m.Cols, Cols: m.Rows, Down: m.Right, Right: m.Down}
}

// Block is the part of m that begins at row i and column j.
func (m Matrix) Block(i, j, rows, cols int) Matrix {
	if rows == 0 || cols == 0 {
		return Matrix{Rows: rows, Cols: cols, Down: m.Down, Right: m.Right}
	}
	from := i*m.Down + j*m.Right
	m.X = m.X[from : from+(rows-1)*m.Down+(cols-1)*m.Right+1]
	m.Rows, m.Cols = rows, cols
	return m
}

// At is element (i, j).
func (m Matrix) At(i, j int) float64 { return m.X[i*m.Down+j*m.Right] }

// column is column j, of a matrix whose columns are contiguous.
func (m *Matrix) column(j int) []float64 { return m.X[j*m.Right : j*m.Right+m.Rows] }

// quarters splits a square matrix after the first h rows and columns; the quarter at the
// upper right is not needed by anything here.
func (m Matrix) quarters(h int) (m11, m21, m22 Matrix) {
	k := m.Rows - h
	return m.Block(0, 0, h, h), m.Block(h, 0, k, h), m.Block(h, h, k, k)
}

// half is where a matrix of size n is split: near the middle, at a multiple of the tile.
func half(n int) int { return max((n/2+tileRows/2)/tileRows, 1) * tileRows }
