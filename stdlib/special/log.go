package special

import "math"

// Log is the natural logarithm, also of subnormal numbers: Go's own is wrong there on amd64.
func Log(x float64) float64 {
	if x < 0x1p-1022 {
		return logBelow(x)
	}
	return math.Log(x)
}

// logBelow is the logarithm of a subnormal number, or of none that is positive.
func logBelow(x float64) float64 {
	if !(x > 0) {
		return math.Log(x)
	}
	const shift = 54
	return math.Log(x*(1<<shift)) - shift*math.Ln2
}
