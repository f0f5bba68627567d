// This file is the iteration: directions, stopping rules.

package optimize

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/infer"
)

// Settings say how far to go.
type Settings struct {
	MaxIterations int     // at least 1
	History       int     // pairs that H is made from, at least 1
	TolObj        float64 // change of the log density, in nats
	TolRelObj     float64 // the same over its size
	TolGrad       float64 // norm of the gradient
	TolRelGrad    float64 // g'Hg over the log density's size
	TolParam      float64 // norm of the step
	// Finish is the rise of the log density, in nats, that may still be expected
	// (g'Hg/2) where a rule stops the search; with more it goes on for up to
	// twenty iterations. 0 stops at once.
	Finish float64
}

// DefaultSettings are CmdStan's, and Finish.
func DefaultSettings() Settings {
	const eps = 0x1p-52
	return Settings{
		MaxIterations: 2000, History: 5,
		TolObj: 1e-12, TolRelObj: 1e4 * eps, TolGrad: 1e-8, TolRelGrad: 1e7 * eps, TolParam: 1e-8,
		Finish: 1e-7,
	}
}

// Validate checks the ranges.
func (s Settings) Validate() error {
	if s.MaxIterations < 1 {
		return fmt.Errorf("iterations must be at least 1, found %d", s.MaxIterations)
	}
	if s.History < 1 {
		return fmt.Errorf("history must be at least 1, found %d", s.History)
	}
	for _, tol := range []float64{s.TolObj, s.TolRelObj, s.TolGrad, s.TolRelGrad, s.TolParam, s.Finish} {
		if !(tol >= 0) {
			return fmt.Errorf("a tolerance must not be negative, found %g", tol)
		}
	}
	return nil
}

// Stop is the rule that ended a search.
type Stop string

// The rules, as reports name them.
const (
	StopObj        Stop = "the log density changed by less than tol_obj"
	StopRelObj     Stop = "the relative change of the log density fell below tolerance"
	StopGrad       Stop = "the gradient is zero up to tol_grad"
	StopRelGrad    Stop = "the relative gradient fell below tol_rel_grad"
	StopParam      Stop = "the parameters changed by less than tol_param"
	StopRounding   Stop = "the log density resolves no further improvement"
	StopLineSearch Stop = "the line search found no better point"
	StopIterations Stop = "the iteration limit was reached"
	StopObserver   Stop = "stopped from outside"
)

// Converged reports whether the rule means that a mode was found.
func (s Stop) Converged() bool {
	return s != StopLineSearch && s != StopIterations && s != StopObserver && s != ""
}

// Point is an iterate. Its slices belong to the optimiser.
type Point struct {
	Iteration  int // 0 is the start
	X          []float64
	Grad       []float64 // of the log density
	LogDensity float64
	// Step is how far along the direction the search went to get here, and FirstStep the
	// first distance tried; both are 0 at the start.
	Step, FirstStep float64
	Moved           float64 // norm of the last step
	Evaluations     int     // of density and gradient together, up to here
}

// Result is where a search ended; its slices are the caller's.
type Result struct {
	Point
	Stop Stop
}

// Maximize climbs from x0, where density and gradient must be finite. observe,
// if not nil, sees each iterate, the start included, and ends the search by
// returning false. After an error, which is the target's own, the result is the
// best point so far.
func Maximize(t infer.Target, x0 []float64, s Settings, observe func(Point) bool) (Result, error) {
	o := newOptimizer(t, x0, s)
	if err := o.evaluate(o.now.x, &o.now); err != nil {
		return o.result(""), err
	}
	stop, err := o.iterate(observe)
	return o.result(stop), err
}

// place is a point of the search with the negative log density there.
type place struct {
	x, g []float64 // g is the gradient of f
	f    float64
}

func newPlace(n int) place { return place{x: make([]float64, n), g: make([]float64, n)} }

type optimizer struct {
	target      infer.Target
	settings    Settings
	now, next   place
	dir         []float64
	history     *history
	iteration   int
	evaluations int
	slopes      slopes

	first, reached      float64 // of a line search: distance tried first, and looked at last
	tried, taken, moved float64 // FirstStep, Step and Moved of the present point
}

func newOptimizer(t infer.Target, x0 []float64, s Settings) *optimizer {
	n := len(x0)
	o := &optimizer{
		target: t, settings: s, now: newPlace(n), next: newPlace(n),
		dir: make([]float64, n), history: newHistory(n, s.History),
	}
	copy(o.now.x, x0)
	return o
}

func (o *optimizer) result(stop Stop) Result {
	p := o.point()
	p.X, p.Grad = append([]float64(nil), p.X...), append([]float64(nil), p.Grad...)
	return Result{Point: p, Stop: stop}
}

// point turns the present place into an iterate; the gradient's sign is turned
// in next's memory, which holds nothing of value between two iterations.
func (o *optimizer) point() Point {
	g := o.next.g
	for i, v := range o.now.g {
		g[i] = -v
	}
	return Point{Iteration: o.iteration, X: o.now.x, Grad: g, LogDensity: -o.now.f,
		Step: o.taken, FirstStep: o.tried, Moved: o.moved, Evaluations: o.evaluations}
}

// evaluate fills p at x. A rejected point has f = +Inf and no gradient.
func (o *optimizer) evaluate(x []float64, p *place) error {
	o.evaluations++
	lp, err := o.target.LogDensityGrad(x, p.g)
	if err != nil && !infer.IsReject(err) {
		return err
	}
	p.f = -lp
	if err != nil || math.IsNaN(lp) || math.IsInf(lp, 0) || !allFinite(p.g) {
		p.f = math.Inf(1)
	}
	for i := range p.g {
		p.g[i] = -p.g[i]
	}
	return nil
}

func allFinite(x []float64) bool {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

func (o *optimizer) iterate(observe func(Point) bool) (Stop, error) {
	const extra = 20
	if math.IsInf(o.now.f, 1) {
		return StopLineSearch, nil
	}
	var fired Stop // the first rule that held, while the search is being finished
	var until int
	for {
		if observe != nil && !observe(o.point()) {
			return StopObserver, nil
		}
		switch {
		case fired == "" && mat.Norm2(o.now.g) <= o.settings.TolGrad:
			fired, until = StopGrad, min(o.iteration+extra, o.settings.MaxIterations)
		case fired == "" && o.iteration >= o.settings.MaxIterations:
			return StopIterations, nil
		}
		if fired != "" && (o.settings.Finish == 0 || o.iteration >= until || o.predicted() <= o.settings.Finish) {
			return fired, nil
		}
		found, err := o.step()
		switch {
		case err != nil:
			return "", err
		case !found && fired != "":
			return fired, nil
		case !found && o.predicted() <= 1e-10*max(1, math.Abs(o.now.f)):
			return StopRounding, nil
		case !found:
			return StopLineSearch, nil
		}
		if stop := o.move(); fired == "" && stop != "" {
			fired, until = stop, min(o.iteration+extra, o.settings.MaxIterations)
		}
	}
}

// step searches along the direction and, failing that, straight down.
func (o *optimizer) step() (found bool, err error) {
	for {
		first := 1.0
		o.history.multiply(o.now.g, o.dir)
		floats.Scale(-1, o.dir)
		if o.history.len() == 0 {
			first = min(1, 1/mat.Norm2(o.now.g))
		}
		if vec.Dot(o.dir, o.now.g) < 0 {
			if found, err = o.lineSearch(first); found || err != nil {
				return found, err
			}
		}
		if o.history.len() == 0 {
			return false, nil
		}
		o.history.reset()
	}
}

// predicted is the decrease that a Newton step with the implied Hessian
// promises: g'Hg/2.
func (o *optimizer) predicted() float64 {
	o.history.multiply(o.now.g, o.dir)
	return vec.Dot(o.dir, o.now.g) / 2
}

// move goes to the point that was found and says which rule holds there.
func (o *optimizer) move() Stop {
	o.history.push(&o.now, &o.next)
	step := mat.Distance(o.now.x, o.next.x)
	o.moved = step
	old := o.now.f
	o.now, o.next = o.next, o.now
	o.iteration++
	o.taken, o.tried = o.reached, o.first
	s, f := o.settings, o.now.f
	change, size := math.Abs(old-f), max(math.Abs(old), math.Abs(f), 1)
	switch {
	case mat.Norm2(o.now.g) <= s.TolGrad:
		return StopGrad
	case change < s.TolObj:
		return StopObj
	case change/size < s.TolRelObj:
		return StopRelObj
	case step < s.TolParam:
		return StopParam
	case 2*o.predicted()/max(math.Abs(f), 1) < s.TolRelGrad:
		return StopRelGrad
	}
	return ""
}
