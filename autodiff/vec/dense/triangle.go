// Passes over the triangles of square matrices.

package dense

import "math"

// strip is the width of the bands that these passes go through, so that the lines of
// memory that they jump between stay in the first-level cache.
const strip = 16

// MirrorLower copies the lower triangle of a square matrix to the upper.
func MirrorLower(m Matrix) {
	for lo := 0; lo < m.Rows; lo += strip {
		for i := lo + 1; i < m.Rows; i++ {
			for j := lo; j < min(lo+strip, i); j++ {
				m.X[j*m.Down+i*m.Right] = m.X[i*m.Down+j*m.Right]
			}
		}
	}
}

// Asymmetry gives the place of some pair of elements of a square matrix that differ by
// more than a tolerance, or are NaN, with i > j; or -1, -1.
func Asymmetry(m Matrix, tolerance float64) (i, j int) {
	for lo := 0; lo < m.Rows; lo += strip {
		for i := lo + 1; i < m.Rows; i++ {
			for j := lo; j < min(lo+strip, i); j++ {
				if !(math.Abs(m.X[i*m.Down+j*m.Right]-m.X[j*m.Down+i*m.Right]) <= tolerance) {
					return i, j
				}
			}
		}
	}
	return -1, -1
}
