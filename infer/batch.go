// This file evaluates several points at once.

package infer

// BatchTarget is a target that evaluates several points faster than one after the other. What
// it gives for a point is what LogDensity and LogDensityGrad give, to the last bit, and
// independent of the other points; so methods use it wherever they have several points
// that do not depend on each other.
type BatchTarget interface {
	Target
	// LogDensityMany evaluates the log density at each point: lp and err get the two
	// results of LogDensity. All slices have the same length.
	LogDensityMany(q [][]float64, lp []float64, err []error)
	// LogDensityGradMany also fills the gradients.
	LogDensityGradMany(q, grad [][]float64, lp []float64, err []error)
	// PrefersBatch reports whether so much is gained by evaluating n gradients together that
	// chains may wait for each other; false until the target was evaluated.
	PrefersBatch(n int) bool
}

// BatchTempered is Many for prior and likelihood apart.
type BatchTempered interface {
	Tempered
	// PrefersBatchParts is Together for LogDensityPartsGradMany.
	PrefersBatchParts(n int) bool
	// LogDensityPartsGradMany does LogDensityPartsGrad at each point with a beta of its own.
	LogDensityPartsGradMany(q [][]float64, beta []float64, grad [][]float64, prior, likelihood []float64, err []error)
}

// Batchable is a Model of which there are others that differ in their data alone, such as a rebound
// one.
type Batchable interface {
	Model
	// NewBatchEvaluator makes what evaluates targets of such models together, for one goroutine; nil
	// where they have nothing in common.
	NewBatchEvaluator() BatchEvaluator
}

// A BatchEvaluator evaluates targets of related models faster than one after the other.
type BatchEvaluator interface {
	// LogDensityGrads does LogDensityGrad of each target at its point, with the same results
	// to the last bit. All slices have the same length, and no target is there twice.
	LogDensityGrads(of []Target, q, grad [][]float64, lp []float64, err []error)
}

// Densities evaluates the log density at each point, at once where the target can.
func Densities(t Target, q [][]float64, lp []float64, err []error) {
	if m, ok := t.(BatchTarget); ok {
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
	if m, ok := t.(BatchTarget); ok {
		m.LogDensityGradMany(q, grad, lp, err)
		return
	}
	for i := range q {
		lp[i], err[i] = t.LogDensityGrad(q[i], grad[i])
	}
}

// Points is room for several points with what is evaluated there. It belongs to one
// goroutine.
type Points struct {
	Q, Grad    [][]float64
	LogDensity []float64
	Err        []error
}

// NewPoints makes room for n points with dim coordinates.
func NewPoints(n, dim int) *Points {
	return &Points{Q: NewRows(n, dim), Grad: NewRows(n, dim), LogDensity: make([]float64, n), Err: make([]error, n)}
}

// NewRows makes n vectors in one slice.
func NewRows(n, dim int) [][]float64 {
	all, out := make([]float64, n*dim), make([][]float64, n)
	for i := range out {
		out[i], all = all[:dim:dim], all[dim:]
	}
	return out
}

// Densities evaluates the log density at the first n points.
func (p *Points) Densities(t Target, n int) { Densities(t, p.Q[:n], p.LogDensity[:n], p.Err[:n]) }

// Gradients evaluates log density and gradient at the first n points.
func (p *Points) Gradients(t Target, n int) {
	Gradients(t, p.Q[:n], p.Grad[:n], p.LogDensity[:n], p.Err[:n])
}

// Finite returns the log density of point i, as FiniteLogDensity does.
func (p *Points) Finite(i int) (float64, error) { return Finite(p.LogDensity[i], p.Err[i]) }

// LogDensityMany implements Many.
func (t *interruptible) LogDensityMany(q [][]float64, lp []float64, err []error) {
	m, ok := t.Target.(BatchTarget)
	if ok && t.ctx.Err() == nil {
		m.LogDensityMany(q, lp, err)
		return
	}
	for i := range q {
		lp[i], err[i] = t.LogDensity(q[i])
	}
}

// LogDensityGradMany implements Many.
func (t *interruptible) LogDensityGradMany(q, grad [][]float64, lp []float64, err []error) {
	m, ok := t.Target.(BatchTarget)
	if ok && t.ctx.Err() == nil {
		m.LogDensityGradMany(q, grad, lp, err)
		return
	}
	for i := range q {
		lp[i], err[i] = t.LogDensityGrad(q[i], grad[i])
	}
}
