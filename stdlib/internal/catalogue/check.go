// Checks of arguments that several families share.

package catalogue

import "math"

// CheckEach rejects an argument of which some element does not satisfy ok.
func CheckEach(fn, name string, t Tensor, ok func(float64) bool, must string) error {
	for i, v := range t.X {
		if !ok(v) {
			return ArgumentError(fn, name, t, i, must)
		}
	}
	return nil
}

func IsNumber(x float64) bool { return x == x }

func IsFinite(x float64) bool { return !math.IsInf(x, 0) && x == x }

func IsAboveZero(x float64) bool { return x > 0 }

func IsPositiveFinite(x float64) bool {
	return x > 0 && !math.IsInf(x, 1)
}

func IsCount(x float64) bool { return x >= 0 }
