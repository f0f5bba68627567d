// This file evaluates several points at once.

package infer

// Many is a target that evaluates several points faster than one after the other. What
// it gives for a point is what LogDensity and LogDensityGrad give, to the last bit, and
// independent of the other points; so methods use it wherever they have several points
// that do not depend on each other.
type Many interface {
	Target
	// LogDensityMany evaluates the log density at each point: lp and err get the two
	// results of LogDensity. All slices have the same length.
	LogDensityMany(q [][]float64, lp []float64, err []error)
	// LogDensityGradMany also fills the gradients.
	LogDensityGradMany(q, grad [][]float64, lp []float64, err []error)
}

// Densities evaluates the log density at each point, at once where the target can.
func Densities(t Target, q [][]float64, lp []float64, err []error) {
	if m, ok := t.(Many); ok {
		m.LogDensityMany(q, lp, err)
		return
	}
	for i := range q {
		lp[i], err[i] = t.LogDensity(q[i])
	}
}

// Gradients evaluates the log density and its gradient at each point, at once where the
// target can.
func Gradients(t Target, q, grad [][]float64, lp []float64, err []error) {
	if m, ok := t.(Many); ok {
		m.LogDensityGradMany(q, grad, lp, err)
		return
	}
	for i := range q {
		lp[i], err[i] = t.LogDensityGrad(q[i], grad[i])
	}
}
