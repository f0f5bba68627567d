// This file defines approximations: densities that can be drawn from, and what
// is known of how they were fitted.

package infer

import (
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Approximation is a normalised density on the unconstrained scale with all
// that wrappers ask of it. It is immutable and safe for concurrent use. The
// Density of a Posterior is one wherever the method can draw from it.
type Approximation interface {
	Density
	// Dim is the number of coordinates.
	Dim() int
	// LogDensityGrad also fills grad with the gradient at q.
	LogDensityGrad(q, grad []float64) float64
	// Draw writes an independent draw into q.
	Draw(r *rand.Rand, q []float64)
}

// Approximation is the posterior's density if it can be drawn from.
func (p *Posterior) Approximation() (Approximation, bool) {
	a, ok := p.Density.(Approximation)
	return a, ok
}

// FitReport describes the run of an optimising method.
type FitReport struct {
	Iterations  int          // steps of the optimiser, over all paths
	Evaluations int          // gradients of the log density
	Converged   bool         // a stopping rule other than the iteration limit held
	Stop        string       // the rule that ended the fit, in words
	Trace       []TracePoint // the objective along the way, in order
	Bounds      bool         // the objectives are evidence lower bounds, not log densities
	ELBO        *Estimate    // evidence lower bound of the approximation in nats, all constants included; nil without one
	Objective   *Estimate    // what a method other than by the ELBO has minimised, at the approximation; nil of others
	Starts      []float64    // objectives that several starts have ended at, the least of which is Objective; NaN of one that got nowhere
	Elsewhere   bool         // what was minimised has its optimum at another density than the posterior, however rich the approximation
	ParetoK     float64      // Pareto shape of the ratios p/q over the draws; NaN without a density
	Excluded    float64      // share of the discrete values drawn given the continuous ones of draws to which the approximation gives no probability; 0 where it is not known
	WeightShare float64      // effective share of the draws weighted by these ratios; 0 where it is not known

	Normal      *draws.NormalRun // the approximation; nil where it is none, or of too many coordinates
	Mode        *draws.ModeRun   // of searches for a mode: what its end looks like; nil where it is not known
	Understated *Understatement  // of an approximation with independent factors; nil where it is not known
}

// Understatement is how much too small the standard deviations of an approximation are by
// the curvature of the posterior, averaged over it.
type Understatement struct {
	Ratio      float64 // the greatest one of a coordinate's standard deviation by the curvature to the approximation's
	Coordinate int     // that coordinate, from 0
	Name       string  // its name; empty where the model has none
}

// TracePoint is the objective at one place of a fit: the log density of an
// optimiser, or the estimated evidence lower bound of a variational method.
type TracePoint struct {
	Path      int     // from 0, for methods with several paths
	Iteration int     // steps taken before
	Objective float64 // in nats
	Error     float64 // its Monte Carlo standard error; 0 if it is exact
}

// Normalized is a Model whose log density lacks a constant that log p(y) counts,
// such as that of a prior which a declared bound cuts.
type Normalized interface {
	// LogConstant is what is to be added; 0 if it is not known.
	LogConstant() float64
}

// addConstant makes bounds of a log density bounds of log p(y).
func (f *FitReport) addConstant(c float64) {
	if f.ELBO != nil {
		f.ELBO = &Estimate{Value: f.ELBO.Value + c, Error: f.ELBO.Error}
	}
	for i := range f.Trace {
		if f.Bounds {
			f.Trace[i].Objective += c
		}
	}
}

// Unadjusted is a Model that also returns its density without the log Jacobian
// of the constraint transforms, or without the constants that "~" may drop.
type Unadjusted interface {
	// Density returns a target for one goroutine.
	Density(jacobian, propto bool) Target
}
