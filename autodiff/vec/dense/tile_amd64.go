// The choice of the tile on amd64. AVX-512 would gain nothing: the 12 by 4 tile of AVX2
// already runs at the processor's peak where that was measured.

package dense

import "github.com/seed-12b88e03/ppl/autodiff/vec"

// assembly reports whether the processor can run tileAVX2. Only tests change it.
var assembly = !vec.Portable()

//go:noescape
func tileAVX2(k int, a, b, c *float64, stride int)

func tile(k int, a, b, c *float64, stride int) {
	if assembly {
		tileAVX2(k, a, b, c, stride)
		return
	}
	tilePortable(k, a, b, c, stride)
}
