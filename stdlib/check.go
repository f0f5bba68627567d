// Checks of arguments that several families share.

package stdlib

import "math"

// checkEach rejects an argument of which some element does not satisfy ok.
func checkEach(fn, name string, t Tensor, ok func(float64) bool, must string) error {
	for i, v := range t.X {
		if !ok(v) {
			return argumentError(fn, name, t, i, must)
		}
	}
	return nil
}

func isNumber(x float64) bool { return x == x }

func isFinite(x float64) bool { return !math.IsInf(x, 0) && x == x }

func isAboveZero(x float64) bool { return x > 0 }

func isPositiveFinite(x float64) bool {
	return x > 0 && !math.IsInf(x, 1)
}

func isCount(x float64) bool { return x >= 0 }
