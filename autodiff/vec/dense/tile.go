// The tile, as defined in Go.

package dense

import (
	"math"
	"unsafe"
)

func fma(x, y, z float64) float64 { return math.FMA(x, y, z) }

// tilePortable adds A B to 12 rows and 4 columns of C, whose columns are stride apart. A
// holds k columns of 12 numbers, B k rows of 4.
func tilePortable(k int, a, b, c *float64, stride int) {
	as, bs := unsafe.Slice(a, k*tileRows), unsafe.Slice(b, k*tileCols)
	var sums [tileCols][tileRows]float64
	for p := range k {
		x, y := (*[tileRows]float64)(as[p*tileRows:]), (*[tileCols]float64)(bs[p*tileCols:])
		for j, v := range y {
			s := &sums[j]
			for i, u := range x {
				s[i] = math.FMA(u, v, s[i])
			}
		}
	}
	out := unsafe.Slice(c, (tileCols-1)*stride+tileRows)
	for j := range sums {
		for i, s := range sums[j] {
			out[j*stride+i] += s
		}
	}
}
