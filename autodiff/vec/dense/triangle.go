// Passes over the triangles of square matrices.

package dense

import "math"

// strip is the width of the bands that these passes go through, so that the lines of
// memory that they jump between stay in the first-level cache.
const strip = 16

// MirrorLower copies the lower triangle of a square matrix to the upper. Its columns must
// be contiguous.
func MirrorLower(m Matrix) {
	for lo := 0; lo < m.Rows; lo += strip {
		for i := lo + 1; i < m.Rows; i++ {
			from := m.X[lo*m.Right+i:]
			above := m.X[i*m.Right+lo : i*m.Right+min(lo+strip, i)]
			for j := range above {
				above[j] = from[j*m.Right]
			}
		}
	}
}

// Asymmetry returns the place of some pair of elements of a square matrix that differ by
// more than a tolerance, or are NaN, with i > j; or -1, -1. Its columns must be contiguous.
func Asymmetry(m Matrix, tolerance float64) (i, j int) {
	for lo := 0; lo < m.Rows; lo += strip {
		for i := lo + 1; i < m.Rows; i++ {
			from := m.X[lo*m.Right+i:]
			for j, v := range m.X[i*m.Right+lo : i*m.Right+min(lo+strip, i)] {
				if !(math.Abs(from[j*m.Right]-v) <= tolerance) {
					return i, lo + j
				}
			}
		}
	}
	return -1, -1
}
