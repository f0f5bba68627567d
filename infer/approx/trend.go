// This file tells steps that turn back from steps that go on.

package approx

// A Trend averages the cosine between successive steps over about ten of them.
type Trend struct {
	inner, square float64
	n             int
}

// Add takes the inner product of a step with the step before it, and its own square, and returns the
// average, or 0 until there are ten.
func (t *Trend) Add(inner, square float64) float64 {
	const keep = 0.9
	if t.n++; t.n == 1 {
		return 0 // the first inner product is with a step of before
	}
	t.inner = float64(keep*t.inner) + float64((1-keep)*inner)
	t.square = float64(keep*t.square) + float64((1-keep)*square)
	if t.n < 10 || t.square == 0 {
		return 0
	}
	return t.inner / t.square
}
