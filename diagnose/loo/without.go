package loo

// This file is about fits that leave observations out in truth, where weights cannot.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/psis"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// An ObservedModel is a model whose likelihood is a product over observations.
type ObservedModel interface {
	infer.Model
	infer.Observed
}

// Powered is a model with the factor of each observation raised to a power: 0 leaves it out. The error says
// why the likelihood is no product, or that there are not as many powers as observations.
func Powered(m ObservedModel, powers []float64) (infer.Model, error) {
	factors, err := m.NewObservations(0)
	if err != nil {
		return nil, err
	}
	if factors.Len() != len(powers) {
		return nil, fmt.Errorf("there are %d powers for %d observations", len(powers), factors.Len())
	}
	p := &powered{ObservedModel: m}
	for i, x := range powers {
		if x != 1 {
			p.terms, p.less = append(p.terms, i), append(p.less, x-1)
		}
	}
	return p, nil
}

// powered implements infer.Model.
type powered struct {
	ObservedModel
	terms []int     // whose power is not 1
	less  []float64 // their powers less 1
}

// factors are those whose power is not 1 or, where these cannot be had alone, all, with the powers less 1.
func (m *powered) factors() (infer.Observations, []float64, error) {
	all, err := m.NewObservations(0)
	if err != nil {
		return nil, nil, err
	}
	if s, ok := all.(infer.Selected); ok {
		if some := s.Select(m.terms); some != nil {
			return some, m.less, nil
		}
	}
	less := make([]float64, all.Len())
	for k, i := range m.terms {
		less[i] = m.less[k]
	}
	return all, less, nil
}

// NewEvaluator implements infer.Model.
func (m *powered) NewEvaluator() infer.Evaluator {
	factors, less, err := m.factors()
	if err != nil {
		return failing{m.ObservedModel.NewEvaluator(), err} // Powered has made them once
	}
	e := &poweredEvaluator{base: m.ObservedModel.NewEvaluator(), factors: factors, l: make([]float64, factors.Len()), less: less}
	e.added = m.addition(e.base)
	return e
}

// An addition is the density as the prior times the factors that are not left out. It costs more than what is left of the whole
// density without the others, but has its digits where these are so small that the difference has none.
type addition struct {
	parts    infer.Tempered
	kept     infer.Observations
	powers   []float64
	l        []float64
	constant float64 // what factors that do not depend on parameters add
}

// addition is nil where the parts cannot be had.
func (m *powered) addition(base infer.Evaluator) *addition {
	a := &addition{}
	all, err := m.NewObservations(0)
	if err != nil {
		return nil
	}
	some, ok1 := all.(infer.Selected)
	parts, ok2 := base.(infer.Tempered)
	if !ok1 || !ok2 {
		return nil
	}
	powers := slices.Repeat([]float64{1}, all.Len())
	for k, i := range m.terms {
		powers[i] = 1 + m.less[k]
	}
	var kept []int
	for i, p := range powers {
		if p != 0 {
			kept, a.powers = append(kept, i), append(a.powers, p)
		}
	}
	a.parts = parts
	if a.kept = some.Select(kept); a.kept == nil {
		return nil
	}
	a.l = make([]float64, len(kept))
	l, q := make([]float64, all.Len()), make([]float64, base.Dim())
	r := rng.New(0, "loo", 0, 0)
	for range tries {
		_, likelihood, err := parts.LogDensityParts(q)
		if err == nil && all.LogTerms(q, l, nil) == nil {
			for _, x := range l {
				likelihood -= x
			}
			if a.constant = likelihood; !math.IsNaN(likelihood) && !math.IsInf(likelihood, 0) {
				return a
			}
		}
		for i := range q {
			q[i] = variate.Normal(r)
		}
	}
	return nil
}

// tries is at how many points it is tried to tell the constant.
const tries = 20

// at evaluates the density, and its gradient where grad is not nil.
func (a *addition) at(q, grad []float64) (lp float64, err error) {
	if grad == nil {
		lp, _, err = a.parts.LogDensityParts(q)
	} else {
		lp, _, err = a.parts.LogDensityPartsGrad(q, 0, grad)
	}
	if err == nil {
		err = a.kept.LogTerms(q, a.l, nil)
	}
	if err == nil && grad != nil {
		err = a.kept.PullTerms(q, a.powers, nil, grad)
	}
	if err != nil {
		return math.NaN(), err
	}
	for i, x := range a.l {
		lp += float64(a.powers[i] * x)
	}
	return lp + a.constant, nil
}

// failing is an evaluator that only fails.
type failing struct {
	infer.Evaluator
	err error
}

// LogDensity implements infer.Target.
func (f failing) LogDensity([]float64) (float64, error) { return math.NaN(), f.err }

// LogDensityGrad implements infer.Target.
func (f failing) LogDensityGrad(_, _ []float64) (float64, error) { return math.NaN(), f.err }

// A poweredEvaluator implements infer.Evaluator, and no more than that: what else the model can do holds for all
// observations.
type poweredEvaluator struct {
	base    infer.Evaluator
	factors infer.Observations
	l, less []float64 // at hand, and the powers less 1
	added   *addition // nil where that is not known
}

// Dim implements infer.Target.
func (e *poweredEvaluator) Dim() int { return e.base.Dim() }

// LogDensity implements infer.Target.
func (e *poweredEvaluator) LogDensity(q []float64) (float64, error) {
	lp, err := e.base.LogDensity(q)
	if err != nil {
		return lp, err
	}
	return e.change(q, lp, nil)
}

// LogDensityGrad implements infer.Target.
func (e *poweredEvaluator) LogDensityGrad(q, grad []float64) (float64, error) {
	lp, err := e.base.LogDensityGrad(q, grad)
	if err != nil {
		return lp, err
	}
	return e.change(q, lp, grad)
}

// lostDigits is the largest change of a log density that leaves it three digits behind the point.
const lostDigits = 1e12

// change puts the powers in place. Where a factor is zero, or so small that nothing is left of the others' digits, they are added
// up anew.
func (e *poweredEvaluator) change(q []float64, lp float64, grad []float64) (float64, error) {
	if math.IsInf(lp, -1) {
		if e.added == nil {
			return lp, nil
		}
		return e.added.at(q, grad)
	}
	if err := e.factors.LogTerms(q, e.l, nil); err != nil {
		return math.NaN(), err
	}
	more := 0.0
	for i, w := range e.less {
		if w != 0 {
			more += float64(w * e.l[i])
		}
	}
	if math.Abs(more) > lostDigits && e.added != nil {
		return e.added.at(q, grad)
	}
	if grad != nil {
		if err := e.factors.PullTerms(q, e.less, nil, grad); err != nil {
			return math.NaN(), err
		}
	}
	return lp + more, nil
}

// Write implements infer.Evaluator.
func (e *poweredEvaluator) Write(q []float64, r *rand.Rand, out []float64) error {
	return e.base.Write(q, r, out)
}

// Replace puts the log predictive density of an observation, from fits without it, in the place of that by weights.
func (r *Result) Replace(i int, elpd float64) {
	r.replace(i, elpd)
	r.LOO.Terms[i].Refit = true
}

// Move puts the log predictive density of an observation, from draws that were moved, in the place of that by weights.
func (r *Result) Move(i int, elpd float64) {
	r.replace(i, elpd)
	r.LOO.Terms[i].Moved = true
}

func (r *Result) replace(i int, elpd float64) {
	t := &r.LOO.Terms[i]
	t.P += t.ELPD - elpd // lpd, their sum, stays
	t.ELPD = elpd
	r.LOO.sum()
}

// A Rung has the log density of an observation at draws of the model with its factor raised to a power.
type Rung func(power float64) (logs []float64, err error)

// mostRungs is how many fits one observation may take.
const mostRungs = 12

// Ladder is the log predictive density of an observation given the others, log E[p(y_i | theta)] over draws without it. Where
// the observation is so far away that no draw says what the mean is, fits with its factor raised to powers between 0
// and 1 lie between, and the ratios multiply (stepping-stone sampling; Xie, Lewis, Fan, Kuo and Chen 2011). The first rung may
// be known; nil is not.
func Ladder(first []float64, at Rung) (float64, error) {
	total, power := 0.0, 0.0
	logs := first
	for range mostRungs {
		if logs == nil {
			var err error
			if logs, err = at(power); err != nil {
				return 0, err
			}
		}
		next := reach(logs, 1-power)
		total += stepMean(logs, next)
		if power += next; power >= 1 {
			return total, nil
		}
		logs = nil
	}
	return 0, fmt.Errorf("%d fits with powers of the observation between 0 and 1 do not reach from the posterior without it to its place", mostRungs)
}

// reach is the largest step up to most under which weights of the draws hold.
func reach(logs []float64, most float64) float64 {
	const least = 0.1 // effective share of the draws
	for step := most; ; step /= 2 {
		if w := stepWeights(logs, step); w.Trusted() && w.Share() > least || step < most/1024 {
			return step
		}
	}
}

func stepWeights(logs []float64, step float64) psis.Result {
	ratios := make([]float64, len(logs))
	for i, l := range logs {
		ratios[i] = float64(step * l)
	}
	return psis.Smooth(ratios, 1)
}

// stepMean is log E[p^step].
func stepMean(logs []float64, step float64) float64 {
	scaled := make([]float64, len(logs))
	for i, l := range logs {
		scaled[i] = float64(step * l)
	}
	return logMean(slices.Repeat([]float64{-libm.Log(float64(len(logs)))}, len(logs)), scaled)
}
