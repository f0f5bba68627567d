// Products of small or narrow matrices, without packing.

package dense

import "github.com/seed-12b88e03/ppl/autodiff/vec"

// short is up to what length loops of our own are faster than calls.
const short = 4

// addScaled adds a*x to y, each addition an FMA.
func addScaled(y []float64, a float64, x []float64) {
	if len(y) > short {
		vec.AddScaled(y, a, x)
		return
	}
	x = x[:len(y)]
	for i, v := range x {
		y[i] = fma(a, v, y[i])
	}
}

func dot(x, y []float64) float64 {
	if len(x) > short {
		return vec.Dot(x, y)
	}
	y = y[:len(x)]
	sum := 0.0
	for i, v := range x {
		sum = fma(v, y[i], sum)
	}
	return sum
}

// divide divides all elements, by way of the reciprocal: many divisions would take more
// time than the rest of a solution.
func divide(x []float64, by float64) {
	inv := [1]float64{1 / by}
	if len(x) > short {
		vec.MulVS.Map(x, x, inv[:])
		return
	}
	for i := range x {
		x[i] *= inv[0]
	}
}

// tiny is product by its definition.
func tiny(c, a, b *Matrix, sign float64, lower bool) {
	for j := range c.Cols {
		from := 0
		if lower {
			from = j
		}
		for i := from; i < c.Rows; i++ {
			sum, x, y := 0.0, i*a.Down, j*b.Right
			for range a.Cols {
				sum = fma(a.X[x], b.X[y], sum)
				x += a.Right
				y += b.Down
			}
			c.X[i*c.Down+j*c.Right] += float64(sign * sum)
		}
	}
}

// small is product a column of C at a time, as the sum of A's columns or by dot products,
// whichever are contiguous.
func small(c, a, b *Matrix, sign float64, lower bool) {
	switch {
	case c.Rows == 1 && c.Right == 1 && c.Cols > 1 && !lower:
		row, at, bt := Of(c.Cols, 1, c.X), a.T(), b.T()
		small(&row, &bt, &at, sign, false)
	case c.Down == 1 && a.Down == 1:
		sumColumns(c, a, b, sign, lower)
	case c.Down == 1 && b.Down == 1 && a.Cols >= tileCols:
		dotColumns(c, a, b, sign, lower)
	default:
		tiny(c, a, b, sign, lower)
	}
}

// sumColumns adds up columns of A, each addition an FMA.
func sumColumns(c, a, b *Matrix, sign float64, lower bool) {
	var coef [16]float64
	for j := range c.Cols {
		from := 0
		if lower {
			from = j
		}
		col, at := c.column(j)[from:], j*b.Right
		for p := 0; p < a.Cols; p += len(coef) {
			part := coef[:min(len(coef), a.Cols-p)]
			for q := range part {
				part[q] = sign * b.X[at]
				at += b.Down
			}
			vec.AddMatVec(col, a.X[p*a.Right+from:], a.Right, part)
		}
	}
}

// dotColumns takes dot products of rows of A, which are contiguous, with columns of B.
func dotColumns(c, a, b *Matrix, sign float64, lower bool) {
	var sums [16]float64
	for j := range c.Cols {
		col, x := c.column(j), b.column(j)
		from := 0
		if lower {
			from = j
		}
		for i := from; i < c.Rows; i += len(sums) {
			part := sums[:min(len(sums), c.Rows-i)]
			vec.MatTVec(part, a.X[i*a.Down:], a.Down, x)
			for q, v := range part {
				col[i+q] += float64(sign * v)
			}
		}
	}
}
