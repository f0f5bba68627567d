// This file takes a family to the optimum of an energy, on more and more nodes.

package gvi

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

var errNowhere = errors.New("the objective is not finite around the approximation that the fit starts from, however narrow; other starting values or tighter priors may help")

const (
	growth    = 4       // nodes of a stage over those of the one before
	mostNodes = 1 << 16 // at which a fit ends, converged or not
	narrowing = 30      // halvings of the starting scales
	// unresolved is the part of the objective by which denser points may change it.
	unresolved = 1e-3
)

// fitter runs the stages of a fit.
type fitter struct {
	energy     energy
	warm       energy // taken to its optimum first, if not nil
	pairs      int    // of points in the first stage, at least
	fam        family
	src        *source
	r          *rand.Rand
	dim        int
	samples    int
	iterations int
	tolerance  float64
	onStep     func()
	report     *infer.FitReport

	way []energy // whose optima are gone to one after the other before the first stage

	p     []float64
	best  infer.Approximation // result of the last stage, or its last iterate
	value float64             // the objective there
	stage int
}

// run makes stages until the result stands still. On an error, interruption
// included, best is what there is.
func (f *fitter) run() error {
	f.p = make([]float64, f.fam.params())
	f.fam.origin(f.p)
	f.fam.set(f.p)
	f.best, f.value = f.fam.approximation(), math.NaN()
	exact := f.fam.noise() <= mostExact
	pairs := max((f.samples+1)/2, 2*f.fam.noise(), 10, f.pairs)
	var safe []float64
	dense := false
	for {
		n := &nodes{}
		if exact && dense {
			n = trapezoid(f.fam.noise())
		} else if exact {
			n = quadrature(f.fam.noise())
		} else {
			n = sample(f.r, f.fam.noise(), pairs)
		}
		if m, ok := f.fam.(*mixture); ok {
			n = n.strata(len(m.parts))
		}
		if err := f.walk(n); err != nil {
			return err
		}
		if f.warm != nil && safe == nil {
			if _, err := f.climb(f.warm, n); err != nil {
				return err
			}
			safe = append(safe, f.p...)
		}
		last, err := f.climb(f.energy, n)
		if err != nil {
			return err
		}
		if f.stage++; f.stage == 1 {
			last = nil // that was the warm one
		}
		gone := f.gone()
		if gone {
			last = nil
			copy(f.p, safe)
			f.fam.set(f.p)
			f.best = f.fam.approximation()
		}
		switch {
		case exact && !dense && (gone || !f.resolved()):
			dense = true
			continue
		case exact && !gone:
			return nil
		case gone && (exact || 2*growth*pairs > mostNodes):
			f.report.Converged, f.report.Stop = false, "the divergence rested on fewer than five points; this is the optimum with KLD in its place"
			return nil
		case last != nil && moved(last, f.best)/math.Sqrt(1+growth) <= 2*f.tolerance:
			f.report.Converged, f.report.Stop = true, "the approximation stands still when points are added"
			return nil
		case f.report.Iterations >= f.iterations:
			f.report.Converged, f.report.Stop = false, "the iteration limit was reached"
			return nil
		case 2*growth*pairs > mostNodes:
			f.report.Converged, f.report.Stop = false, fmt.Sprintf("the approximation still moved with %d points", 2*pairs)
			return nil
		}
		pairs *= growth
	}
}

// walk goes to the optima on the way, once.
func (f *fitter) walk(n *nodes) error {
	for _, e := range f.way {
		if _, err := f.climb(e, n); err != nil && !infer.IsReject(err) {
			return err
		}
	}
	f.way = nil
	return nil
}

// resolved reports whether the points of the quadrature integrate the loss at the optimum: on
// points ten times as dense the objective is the same. A loss with features much narrower
// than the approximation slips through wide points.
func (f *fitter) resolved() bool {
	if _, ok := f.fam.(*mixture); ok {
		return true
	}
	n := trapezoid(f.fam.noise())
	v, err := newObjective(f.energy, f.fam, n, f.dim).LogDensity(f.p)
	f.fam.set(f.p)
	return err != nil || math.Abs(-v-f.value) <= unresolved*(1+math.Abs(f.value))
}

// gone reports that the last climb has left the optimum.
func (f *fitter) gone() bool {
	e, ok := f.energy.(interface{ escaped() bool })
	return ok && f.warm != nil && e.escaped()
}

// moved is the root of the Jeffreys divergence per coordinate, between mixtures
// estimated from draws.
func moved(a, b infer.Approximation) float64 {
	d := float64(a.Dim())
	if from, ok := a.(*withPoints); ok {
		to := b.(*withPoints)
		return math.Sqrt((normal.KL(from.normal, to.normal) + normal.KL(to.normal, from.normal) + from.apart(to)) / d)
	}
	from, ok := a.(*normal.Normal)
	if ok {
		to := b.(*normal.Normal)
		return math.Sqrt((normal.KL(from, to) + normal.KL(to, from)) / d)
	}
	const draws = 1000
	r, x, sum := rng.New(1, "gvi/moved", 0, 0), make([]float64, a.Dim()), 0.0
	for range draws { // E_a[(b/a - 1) log(b/a)], of which no term is negative
		a.Draw(r, x)
		l := b.LogDensity(x) - a.LogDensity(x)
		sum += libm.Expm1(l) * l / draws
	}
	return math.Sqrt(sum / d)
}

// climb goes to the optimum of an energy on the nodes and returns the result of
// before, if any.
func (f *fitter) climb(e energy, n *nodes) (last infer.Approximation, err error) {
	f.report.Stop = "interrupted"
	o := newObjective(e, f.fam, n, f.dim)
	if err := f.enter(o); err != nil {
		return nil, err
	}
	before, steps := f.best, f.report.Iterations
	s := optimize.DefaultSettings()
	s.History, s.MaxIterations = 10, max(1, f.iterations-steps)
	s.TolRelObj = 1e-9
	if n.exact {
		s.TolRelObj, s.TolRelGrad = 1e-13, 1e-14
	}
	r, err := optimize.Maximize(o, f.p, s, func(p optimize.Point) bool {
		f.report.Iterations, f.report.Evaluations = steps+p.Iteration, f.src.count
		f.report.Trace = append(f.report.Trace, infer.TracePoint{Path: 0, Iteration: steps + p.Iteration, Objective: -p.LogDensity})
		f.onStep()
		return e != f.energy || !f.gone()
	})
	if len(r.X) == len(f.p) && !math.IsInf(r.LogDensity, 0) && !math.IsNaN(r.LogDensity) {
		copy(f.p, r.X)
		f.value = -r.LogDensity
	}
	f.fam.set(f.p)
	f.best = f.fam.approximation()
	f.report.Evaluations = f.src.count
	if err == nil {
		f.report.Converged, f.report.Stop = r.Stop.Converged(), string(r.Stop)
	}
	return before, err
}

// enter narrows the scales until the objective is finite.
func (f *fitter) enter(o *objective) error {
	grad := make([]float64, len(f.p))
	for range narrowing {
		_, err := o.LogDensityGrad(f.p, grad)
		finite := err == nil
		for _, g := range grad {
			finite = finite && !math.IsNaN(g) && !math.IsInf(g, 0)
		}
		if finite {
			return nil
		}
		if err != nil && !infer.IsReject(err) {
			return err
		}
		f.fam.narrow(f.p)
	}
	return errNowhere
}
