// This file has the draws of the wrapped method themselves, weighted by new over old priors.

package swap

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/psis"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// fromWeights takes the draws of a posterior as they are, with weights: new over old priors
// and, where they have some already or are an approximation's, times those.
func (f *falsePosterior) fromWeights(p *infer.Posterior, priors Priors) error {
	f.from, f.coords = p, priors.Coords()
	f.sample = slices.Concat(p.Unconstrained...)
	if len(f.sample) == 0 || len(f.sample) != p.Draws.Total() {
		return errors.New("the wrapped method gave no draws to weight")
	}
	f.dim = len(f.sample[0])
	var columns [][]float64
	for _, name := range whole(priors) {
		x := p.Draws.Column(name)
		if x == nil {
			return fmt.Errorf("the wrapped method draws no values of %s", name)
		}
		columns = append(columns, slices.Concat(x...))
	}
	d := priors.Difference()
	q := make([]float64, d.Dim())
	for k, point := range f.sample {
		n := copy(q, point[:len(q)-len(columns)])
		for i, x := range columns {
			q[n+i] = x[k]
		}
		lw, err := infer.FiniteLogDensity(d, q)
		if err != nil {
			return err
		}
		f.logw = append(f.logw, lw)
	}
	own := slices.Concat(p.LogWeights...)
	target, fitted := slices.Concat(p.Draws.Column(draws.LogTargetColumn)...), slices.Concat(p.Draws.Column(draws.LogApproximationColumn)...)
	for k := range f.logw {
		switch {
		case len(own) == len(f.logw):
			f.logw[k] += own[k]
		case len(target) == len(f.logw) && len(fitted) == len(f.logw):
			f.logw[k] += target[k] - fitted[k]
		}
	}
	f.effect = 1
	if len(own) == 0 && len(target) == 0 {
		f.effect = efficiency(p.Unconstrained, allCoords(f.dim))
	}
	return nil
}

// weighted is the posterior of draws with weights. lp__ is the wrapped method's, plus log new
// priors less log old ones.
func (f *falsePosterior) weighted(priors Priors, report *infer.SwapReport, o infer.Options) (*infer.Posterior, error) {
	smooth := psis.Smooth(f.logw, f.effect)
	report.ParetoK, report.Draws = smooth.K, len(f.sample)
	report.ESS, report.Share = smooth.ESS()*f.effect, smooth.Share()
	report.Shift, report.ShiftError = 0, math.Sqrt(1/report.ESS)
	e := newEmitter(f, o, "", Draws)
	plan := f.from.Plan
	plan.Stats = []string{draws.LogWeightColumn}
	plan.Method, plan.Seed, plan.Config = "prior_swap", o.Seed, e.config()
	out := &infer.Posterior{
		Plan: plan, Draws: draws.New(plan.Chains, plan.Stats, plan.Columns), Chains: slices.Clone(f.from.Chains), Swap: report,
		Unconstrained: f.from.Unconstrained, LogWeights: make([][]float64, plan.Chains), Incomplete: f.from.Incomplete, Cause: f.from.Cause,
	}
	if err := e.outer.Begin(plan); err != nil {
		return nil, err
	}
	next := 0
	for c := range plan.Chains {
		for i := range f.from.Draws.Len(c) {
			x := f.from.Draws.Row(c, i)
			row := draws.Row{
				Chain: c, Iteration: i, LogDensity: x[0] + f.logw[next], Stats: []float64{smooth.LogWeights[next]},
				Values: x[len(x)-len(plan.Columns):],
			}
			out.LogWeights[c] = append(out.LogWeights[c], smooth.LogWeights[next])
			out.Draws.Append(row)
			if err := e.outer.Draw(row); err != nil {
				return nil, err
			}
			next++
		}
		if err := e.outer.End(c, out.Chains[c].End); err != nil {
			return nil, err
		}
	}
	lost := f.lost
	if whole(priors) != nil {
		lost = f.lostWhole
	}
	if err := lost(report, priors, out, o); err != nil {
		return nil, err
	}
	if !o.KeepUnconstrained {
		out.Unconstrained = nil
	}
	return out, nil
}

// lostWhole is lost for priors of discrete parameters: a step gives one of these another value
// of its range.
func (f *falsePosterior) lostWhole(report *infer.SwapReport, priors Priors, p *infer.Posterior, o infer.Options) error {
	j, ok := priors.Model().(interface{ Joint() infer.Model })
	cut, can := priors.Difference().(Cut)
	if !ok || !can {
		return nil
	}
	target := j.Joint().NewEvaluator()
	mixed, ok := infer.Capability[infer.Mixed](target)
	if !ok {
		return nil
	}
	names, ranges := whole(priors), mixed.Whole()
	points, columns := slices.Concat(p.Unconstrained...), make([][]float64, len(names))
	for i, name := range names {
		columns[i] = slices.Concat(p.Draws.Column(name)...)
	}
	r := rng.New(o.Seed, "prior_swap/lost", 0, o.Replicate)
	q, n := make([]float64, target.Dim()), target.Dim()-len(names)
	sum := 0.0
	for probe := range probes {
		k, i := probe*len(points)/probes, probe%len(names)
		copy(q, points[k][:n])
		for l, x := range columns {
			q[n+l] = x[k]
		}
		from, err := infer.FiniteLogDensity(target, q)
		if err != nil {
			return err
		}
		q[n+i] = ranges[i].Low + float64(variate.IntN(r, int(ranges[i].High-ranges[i].Low)+1))
		outside, err := cut.OldZero(q)
		if infer.IsReject(err) || err == nil && !outside {
			continue
		}
		if err != nil {
			return err
		}
		to, err := infer.FiniteLogDensity(target, q)
		if err != nil {
			return err
		}
		if !math.IsInf(to, -1) {
			sum += libm.Exp(min(0, to-from))
		}
	}
	report.Lost = sum / probes
	return nil
}

// The bounds within which importance weights are taken for the truth.
const (
	weightsHold = 0.5 // Pareto k: up to it weights have a variance, so that their error can be believed
	leastESS    = 100
	mostShift   = 0.2 // standard deviations
	looked      = 1000
)

// holding are smoothed weights and how many draws they count as; ok is false where they are too
// uneven to be evidence.
func holding(logw []float64, efficiency float64) (r psis.Result, ess float64, ok bool) {
	r = psis.Smooth(logw, efficiency)
	ess = r.ESS() * efficiency
	return r, ess, (r.K <= weightsHold || r.Share() >= psis.Even) && ess >= leastESS
}

// refuted reports whether the density that stands for the posterior under the old priors gives
// another answer than weights on the draws p do, and these hold. The density's answer is known
// before it is sampled, from weighted draws of the normal that it is whitened by.
func (f *falsePosterior) refuted(p *infer.Posterior, priors Priors, o infer.Options) bool {
	if len(f.sample) != p.Draws.Total() || len(p.LogWeights) > 0 {
		return false
	}
	right, ess, ok := holding(f.logw, f.effect)
	if !ok {
		return false
	}
	own, logw, err := f.swappedDraws(priors, rng.New(o.Seed, "prior_swap/refuted", 0, o.Replicate))
	if err != nil {
		return false
	}
	wrong, effective, ok := holding(logw, 1)
	if !ok {
		return false
	}
	noise := 3 * math.Sqrt(1/ess+1/effective)
	draws := make([][]float64, len(f.sample[0]), len(own))
	for i := range draws {
		draws[i] = column([][][]float64{f.sample}, i)[0]
	}
	if len(own) > len(draws) {
		draws = append(draws, f.columns...)
	}
	for i, x := range draws {
		if d := apart(x, right.LogWeights, own[i], wrong.LogWeights); d > mostShift && d > noise {
			return true
		}
	}
	return false
}

// swappedDraws are draws from the normal that whitens, column by column: the coordinates, and the
// parameters where these are known of the sample, with the log weights that make them ones of
// the prior swap function.
func (f *falsePosterior) swappedDraws(priors Priors, r *rand.Rand) (own [][]float64, logw []float64, err error) {
	rows, _ := f.model.(interface {
		ParameterRow(q, out []float64) error
	})
	row := make([]float64, len(f.columns))
	if rows == nil {
		row = nil
	}
	d := priors.Difference()
	own = make([][]float64, f.dim+len(row))
	z, s, q := make([]float64, len(f.coords)), make([]float64, len(f.coords)), make([]float64, f.dim)
	var donors []float64
	if f.carrier != nil {
		donors = make([]float64, len(f.carrier.donors))
	}
	for at := range looked {
		for k := range z {
			z[k] = variate.Normal(r)
		}
		f.complete(z, at, r, donors, q)
		for k, i := range f.coords {
			s[k] = q[i]
		}
		lw, err := infer.FiniteLogDensity(d, q[:d.Dim()])
		if err != nil {
			return nil, nil, err
		}
		logw = append(logw, lw+f.density.LogDensity(s)-f.white.LogDensity(s))
		if len(row) > 0 {
			if err := rows.ParameterRow(q, row); err != nil {
				return nil, nil, err
			}
		}
		for i, v := range q {
			own[i] = append(own[i], v)
		}
		for i, v := range row {
			own[f.dim+i] = append(own[f.dim+i], v)
		}
	}
	return own, logw, nil
}

// apart is how far means and standard deviations of two weighted samples are from each other, in
// standard deviations of the first.
func apart(a, logA, b, logB []float64) float64 {
	meanA, sdA, _ := moments([][]float64{a}, [][]float64{logA})
	meanB, sdB, _ := moments([][]float64{b}, [][]float64{logB})
	if !(sdA > constant*math.Abs(meanA)) {
		return 0
	}
	return max(math.Abs(meanA-meanB), math.Abs(sdA-sdB)) / sdA
}
