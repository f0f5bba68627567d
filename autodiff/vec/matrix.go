// Products of a matrix and a vector.

package vec

import (
	"math"
	"unsafe"
)

const (
	// blockRows and blockCols bound the part of a matrix that is worked on at a time: the
	// results stay in the first-level cache, and the columns read are few enough streams
	// for the processor to fetch ahead.
	blockRows = 512
	blockCols = 16
)

// AddMatVec adds A*x to z, A being len(z) x len(x) in column-major order with columns
// stride apart: column after column, each addition one FMA.
func AddMatVec(z, a []float64, stride int, x []float64) {
	if len(z) == 0 || len(x) == 0 {
		return
	}
	_ = a[(len(x)-1)*stride+len(z)-1]
	for lo := 0; lo < len(z); lo += blockRows {
		rows := min(blockRows, len(z)-lo)
		for j := 0; j < len(x); j += blockCols {
			gemv(&z[lo], &a[j*stride+lo], rows, &x[j], min(blockCols, len(x)-j), stride)
		}
	}
}

// AddScaled adds a*x to dst, each addition one FMA. Panics if x is shorter than dst.
func AddScaled(dst []float64, a float64, x []float64) {
	x = x[:len(dst)]
	if len(dst) != 0 {
		addScaled(&dst[0], &a, &x[0], &dst[0], len(dst))
	}
}

// MatTVec sets out to the transpose of A times x, A being len(x) x len(out) in
// column-major order with columns stride apart: each element is the Dot of a column.
func MatTVec(out, a []float64, stride int, x []float64) {
	n := len(x)
	if n == 0 || len(out) == 0 {
		clear(out)
		return
	}
	_ = a[(len(out)-1)*stride+n-1]
	j := 0
	for ; j+4 <= len(out); j += 4 {
		dots(&out[j], &a[j*stride], stride, &x[0], n)
	}
	for ; j < len(out); j++ {
		out[j] = dot(&a[j*stride], &x[0], n)
	}
}

func gemvPortable(z, a *float64, rows int, x *float64, cols, stride int) {
	out, m := unsafe.Slice(z, rows), unsafe.Slice(a, (cols-1)*stride+rows)
	for j, v := range unsafe.Slice(x, cols) {
		column := m[j*stride:][:rows]
		for i, c := range column {
			out[i] = math.FMA(c, v, out[i])
		}
	}
}

func dotsPortable(out, a *float64, stride int, x *float64, n int) {
	columns := unsafe.Slice(a, 3*stride+n)
	four := unsafe.Slice(out, 4)
	for j := range four {
		four[j] = dotPortable(&columns[j*stride], x, n)
	}
}
