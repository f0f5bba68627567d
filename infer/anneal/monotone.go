package anneal

// This file interpolates between rungs.

import "math"

// A monotone is a piecewise cubic through points that rises and falls where they do (Fritsch and
// Butland 1984, "A method for constructing local monotone piecewise cubic interpolants").
type monotone struct{ x, y, slope []float64 }

// newMonotone interpolates three points or more, of increasing x.
func newMonotone(x, y []float64) monotone {
	n := len(x)
	m := monotone{x, y, make([]float64, n)}
	secant := func(i int) float64 { return (y[i+1] - y[i]) / (x[i+1] - x[i]) }
	for i := 1; i < n-1; i++ {
		if l, r := secant(i-1), secant(i); l*r > 0 {
			m.slope[i] = 3 * (x[i+1] - x[i-1]) / ((float64(2*x[i+1])-x[i-1]-x[i])/l + (x[i+1]+x[i]-float64(2*x[i-1]))/r)
		}
	}
	m.slope[0] = endSlope(x[1]-x[0], x[2]-x[1], secant(0), secant(1))
	m.slope[n-1] = endSlope(x[n-1]-x[n-2], x[n-2]-x[n-3], secant(n-2), secant(n-3))
	return m
}

// endSlope is the slope at an end: that of the parabola through three points, at widths and secants from
// the end on, unless the cubic would not be monotone with it.
func endSlope(width, next, secant, secondSecant float64) float64 {
	g := (float64((2*width+next)*secant) - float64(width*secondSecant)) / (width + next)
	switch {
	case g*secant <= 0:
		return 0
	case secant*secondSecant <= 0 && math.Abs(g) > 3*math.Abs(secant):
		return 3 * secant
	}
	return g
}

// at is the value at a place between the first and the last point.
func (m monotone) at(place float64) float64 {
	i := 0
	for i < len(m.x)-2 && place >= m.x[i+1] {
		i++
	}
	h, d := m.x[i+1]-m.x[i], place-m.x[i]
	secant := (m.y[i+1] - m.y[i]) / h
	c := (float64(3*secant) - float64(2*m.slope[i]) - m.slope[i+1]) / h
	e := (m.slope[i] + m.slope[i+1] - float64(2*secant)) / (h * h)
	return m.y[i] + float64(d*(m.slope[i]+float64(d*(c+float64(d*e)))))
}
