// This file makes populations until they settle what is asked.

package population

import (
	"context"
	"errors"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/hmc"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/smc"
)

// Options are the settings of a check.
type Options struct {
	Kernel  infer.Markov // that moves the points
	Allowed int          // evaluations of the log density or its gradient: when so many have been made, no round begins that is not needed to end one
	Most    int          // populations, each twice as large as the one before; at least 1
	Seed    uint64
	Jobs    int
	// Jacobian is the scale on which a method that aims at the mode looked for it.
	Jacobian bool
	// Branches makes models of the same parameters, with one branch each of the mixtures that the program writes out; nil for none.
	Branches func() []infer.Model
	// Comparisons makes a function that gives the comparisons which the density makes at a point; nil, or one that gives nil, for none.
	Comparisons func() func(q []float64) ([]infer.Comparison, error)
}

// A Model writes its parameters without what is computed from them, and reads them back.
type Model interface {
	infer.Model
	// ParameterColumns names the parameters' numbers, discrete ones included.
	ParameterColumns() []string
	// ParameterRow fills out with them at an unconstrained point; NaN for what it does
	// not have.
	ParameterRow(q, out []float64) error
	// UnconstrainRow is the unconstrained point of values in that order.
	UnconstrainRow(values []float64) ([]float64, error)
}

// The first population, and how it moves.
const (
	particles = 200
	moves     = 3
	tuning    = 40
	threshold = 0.5
	scarce    = 20000 // evaluations allowed, below which the first population has half as many
)

// clearlySmall is a difference plus its standard error, in units of a wrong answer, up to
// which no more points are made.
const clearlySmall = 0.8

// Check compares the draws of a posterior with populations. That none could be made is in
// the report; the report is nil where ctx ended first.
func Check(ctx context.Context, m Model, p *infer.Posterior, o Options) (*draws.PopulationRun, error) {
	c := &check{ctx: ctx, model: m, options: o, draws: p.Draws.AtHand(mostDraws), doubted: diagnose.Doubted(p), report: &draws.PopulationRun{Allowed: o.Allowed}}
	if m.Dim() == 0 {
		return c.end(infer.Guarded(c.summed))
	}
	source, err := c.source()
	if err == nil {
		err = c.until(source, o.Allowed)
	}
	// Few lineages weigh nothing, but a mode is held against the highest of their points.
	few := c.report.Ancestors < diagnose.LeastAncestors && c.draws.Kind() != draws.Mode
	if err == nil && (c.report.Beta < 1 || few) {
		err = infer.Guarded(func() error { return c.shortcut(source) })
	} else if err == nil {
		err = infer.Guarded(func() error { return c.again(source) })
	}
	return c.end(err)
}

// end returns the report; an error that is no fault of the search is in it.
func (c *check) end(err error) (*draws.PopulationRun, error) {
	var bug *infer.PanicError
	switch {
	case errors.As(err, &bug):
		return nil, err
	case c.ctx.Err() != nil:
		return nil, nil
	case err != nil:
		c.report.Failed, c.report.Improper = err.Error(), errors.Is(err, hmc.ErrImproper)
	}
	return c.report, nil
}

// summed compares with draws of discrete parameters from the exact posterior, where there are no others: the density is the sum over all
// of their values.
func (c *check) summed() error {
	const n = 3 * particles
	lp, err := c.model.NewEvaluator().LogDensity([]float64{})
	if err != nil {
		return err
	}
	for i := range n {
		row := make([]float64, len(c.model.ParameterColumns()))
		if err := c.model.ParameterRow([]float64{}, row); err != nil {
			return err
		}
		c.rows, c.ancestor = append(c.rows, row), append(c.ancestor, i)
		c.points, c.densities = append(c.points, []float64{}), append(c.densities, lp)
	}
	c.deriveAll(c.points, smc.Streams{Seed: c.options.Seed, Prefix: prefix}.Stream("derived", 0))
	c.report.From, c.report.Beta, c.report.Points, c.report.Evaluations = draws.SummedStart, 1, n, 1
	if t, ok := infer.Capability[infer.Tempered](c.model.NewEvaluator()); ok { // with the prior's own mass taken out, where lp counts a flat one as 1 a value
		prior, likelihood, err := t.LogDensityParts([]float64{})
		if err != nil {
			return err
		}
		c.report.LogEvidence = &draws.EstimateRun{Value: draws.Number(prior + likelihood)}
	}
	c.compare()
	return nil
}

// check is one under way.
type check struct {
	ctx      context.Context
	model    Model
	options  Options
	draws    *draws.Draws
	doubted  bool        // by importance weights, so that a closer look is needed to confirm it
	rows     [][]float64 // of the populations, parameter columns
	ancestor []int
	report   *draws.PopulationRun

	points       [][]float64       // of the populations, unconstrained
	densities    []float64         // log densities of points
	onWay        [][]float64       // points of a population that did not arrive
	fitPoints    [][]float64       // draws of the fit, unconstrained; nil before they are asked for
	fitDensities []float64         // log densities of fitPoints
	arrived      int               // climbs from afar that ended at modes
	units        units             // of climbs
	derived      *derived          // nil for none
	fitted       map[string]fitted // what parameters() gives; nil before
	told         *derived          // the derived quantities that the fit was read for, without rows; nil before
	wideNormal   *normal.Normal    // what wide() gives, once hasWide
	hasWide      bool
}

// until makes populations until they settle what is asked, or have spent what is allowed.
func (c *check) until(source func() (anneal.Source, error), allowed int) error {
	for k := range max(c.options.Most, 1) {
		if err := infer.Guarded(func() error { return c.populate(source, k) }); err != nil || c.report.Beta < 1 {
			return err
		}
		c.compare()
		if c.decided() || c.report.Evaluations >= allowed {
			break
		}
	}
	return nil
}

// again makes the populations anew if they missed modes, from where these are known.
func (c *check) again(source func() (anneal.Source, error)) error {
	s, err := source()
	switch {
	case err != nil:
		return err
	case c.wide() == nil && c.draws.Kind() == draws.Mode:
		return c.atTop(s, nil)
	case c.wide() == nil:
		return nil
	}
	modes, err := c.modes(s)
	if err != nil {
		return err
	}
	if c.draws.Kind() == draws.Mode {
		return c.atTop(s, modes)
	}
	if !conclusive(c.report) {
		c.hidden()
	}
	if c.report.Improper {
		return nil
	}
	if err := c.arbitrate(); err != nil {
		return err
	}
	if err := c.widen(s); err != nil {
		return err
	}
	if !c.missed(modes) {
		return c.far(modes)
	}
	first, report := *c, *c.report
	c.rows, c.ancestor, c.points, c.densities, c.derived, c.report.LogEvidence = nil, nil, nil, nil, nil, nil
	if err := c.until(c.fromModes(modes), c.report.Evaluations+c.options.Allowed); err != nil || c.report.Beta < 1 {
		return err
	}
	heavier, err := c.outweighed(s, modes, first.mass())
	if err != nil {
		return err
	}
	if report.From == draws.PriorStart && conclusive(c.report) && c.report.Largest.Factor > 0 && !conclusive(&report) && !heavier && !c.shared(&first, modes) {
		// It lacks what the fit and the population from the prior have: a start at modes is no evidence of that.
		report.Evaluations = c.report.Evaluations
		*c = first
		*c.report = report
	} else if c.report.Unsure == nil {
		c.report.Unsure = report.Unsure // points of few lineages may be where no climb ended
	}
	return c.far(modes)
}

// atTop judges a mode.
func (c *check) atTop(s anneal.Source, modes []found) error {
	if err := c.higher(s, modes, c.options.Jacobian); err != nil || c.report.Higher != nil {
		return err
	}
	if err := c.unending(); err != nil || c.report.Improper {
		return err
	}
	return c.endless()
}

// conclusive reports whether a population surely has another answer.
func conclusive(r *draws.PopulationRun) bool {
	value, err := r.Largest.Difference()
	return diagnose.Conclusive(value, err, float64(r.Ancestors))
}

// populate makes population k and adds its points.
func (c *check) populate(source func() (anneal.Source, error), k int) error {
	pool, err := anneal.NewWorkerPool(c.options.Jobs, func() (*anneal.Mover, error) {
		s, err := source()
		if err != nil {
			return nil, err
		}
		return anneal.NewMover(c.ctx, s, c.options.Kernel)
	})
	if err != nil {
		return err
	}
	set := smc.Settings{Kernel: c.options.Kernel, Particles: c.size() << k, Threshold: threshold, Moves: moves, Tune: tuning, WasteFree: true}
	if k == 0 { // the cost of the others is known from it
		set.Limit = c.options.Allowed
	}
	pop, err := smc.Temper(c.ctx, pool, set, smc.Streams{Seed: c.options.Seed, Replicate: uint64(k), Prefix: prefix}, nil)
	if err != nil {
		return err
	}
	if pop == nil {
		return context.Cause(c.ctx)
	}
	c.report.Evaluations += pool.Evaluations()
	if c.report.Beta = draws.Number(pop.Beta); pop.Beta < 1 {
		c.onWay = pop.Q
		return nil
	}
	first := len(c.ancestor)
	for i, q := range pop.Q {
		row := make([]float64, len(c.model.ParameterColumns()))
		if err := c.model.ParameterRow(q, row); err != nil {
			return err
		}
		c.rows, c.ancestor = append(c.rows, row), append(c.ancestor, first+pop.Ancestor[i])
		c.points, c.densities = append(c.points, q), append(c.densities, pop.Prior[i]+pop.Likelihood[i])
	}
	c.deriveAll(pop.Q, smc.Streams{Seed: c.options.Seed, Replicate: uint64(k), Prefix: prefix}.Stream("derived", 0))
	c.report.Points = len(c.rows)
	c.evidence(pop, k)
	return nil
}

// size is that of the first population.
func (c *check) size() int {
	if c.options.Allowed < scarce {
		return particles / 2
	}
	return particles
}

// evidence pools the estimates of populations by their sizes.
func (c *check) evidence(pop *smc.Population, k int) {
	if c.report.From != draws.PriorStart && c.report.From != draws.BothStart {
		return
	}
	value, err := pop.LogEvidence, math.Sqrt(pop.Variance)
	if old := c.report.LogEvidence; old != nil {
		before, now := float64(int(1)<<k-1), float64(int(1)<<k)
		parts := []float64{float64(old.Value) + libm.Log(before/(before+now)), value + libm.Log(now/(before+now))}
		value = infer.LogSumExp(parts)
		err = libm.Hypot(libm.Exp(parts[0]-value)*float64(old.Error), libm.Exp(parts[1]-value)*err)
	}
	c.report.LogEvidence = &draws.EstimateRun{Value: draws.Number(value), Error: draws.Number(err)}
}

// compare fills in the report; where the answers differ, it asks whether by the order of
// exchangeable elements alone.
func (c *check) compare() {
	r := c.report
	r.Ancestors, r.Exchanged = draws.Number(effective(c.ancestor)), nil
	raw := c.against(nil)
	c.tail()
	r.Compared, r.Largest, r.Region, r.Unsure = raw.number, raw.largest, raw.region, raw.unsure
	if value, _ := raw.own.Difference(); value <= clearlySmall {
		return
	}
	for _, g := range c.exchangeable() {
		ordered := c.against(g)
		if value, err := ordered.largest.Difference(); value+err <= 1 {
			r.Exchanged, r.Largest, r.Region, r.Unsure = g.names, ordered.largest, ordered.region, nil
			return
		}
	}
}

// differences are what a comparison found.
type differences struct {
	number  int
	own     draws.Compared // the largest of parameters
	largest draws.Compared
	region  draws.Region
	within  column          // that of the region
	unsure  *draws.Compared // the largest that shares do not have
}

// against compares all columns, with the elements of a group in order, and then the parameters
// alone; nil for none.
func (c *check) against(g *group) (out differences) {
	fit := c.parameters()
	if g != nil {
		fit = fittedColumns(c.model.ParameterColumns(), c.draws, g)
	}
	c.each(&out, c.model.ParameterColumns(), fit, g.ordered(c.rows), math.Inf(1))
	out.own = out.largest
	if d := c.derived; d != nil && g == nil {
		c.each(&out, d.names, c.fittedDerived(d), d.rows, mostTailed)
	}
	if out.number > 0 {
		out.region = out.within.described(out.region, c.ancestor)
	}
	return out
}

// each compares columns whose standard deviations are known well enough.
func (c *check) each(out *differences, names []string, fit map[string]fitted, rows [][]float64, mostError float64) {
	for j, name := range names {
		f, ok := fit[name]
		if !ok {
			continue
		}
		col := column{name: name, fit: f, x: make([]float64, len(rows)), all: c.model.Dim() == 0}
		for i, row := range rows {
			col.x[i] = row[j]
		}
		one, ok := col.compared(c.ancestor)
		if !ok {
			continue
		}
		if two := twoValued(col.x, f.values); two {
			one.Factor, one.FactorError = draws.Number(math.NaN()), draws.Number(math.NaN())
		} else if float64(one.FactorError) > mostError {
			continue
		}
		out.number++
		value, _ := one.Difference()
		largest, _ := out.largest.Difference()
		switch {
		case out.largest.Name != "" && value <= largest:
		case value <= clearlySmall || c.draws.Kind() == draws.Mode || col.apart(c.ancestor, float64(c.report.Ancestors), c.report.From == draws.WideStart):
			out.largest = one
		case out.unsure == nil || larger(value, *out.unsure):
			out.unsure = &one
		}
		if region := col.region(); out.number == 1 || region.Share-region.FitShare > out.region.Share-out.region.FitShare {
			out.region, out.within = region, col
		}
	}
}

// effective is the number of ancestors that as many points each would descend from.
func effective(ancestor []int) float64 {
	count := map[int]int{}
	for _, a := range ancestor {
		count[a]++
	}
	square := 0
	for _, n := range count {
		square += n * n
	}
	return float64(len(ancestor)) * float64(len(ancestor)) / float64(square)
}

// decided reports whether more points would change nothing.
func (c *check) decided() bool {
	value, err := c.report.Largest.Difference()
	if c.report.Ancestors < diagnose.LeastAncestors {
		return false
	}
	if r := c.report; (r.Tail != nil || r.Unsure != nil) && value <= clearlySmall {
		return false
	}
	small := value+err <= clearlySmall && (!c.doubted || value+float64(2*err) <= diagnose.MostUnsureWeights || value-float64(2*err) > diagnose.MostUnsureWeights)
	return c.report.Compared == 0 || small || len(c.report.Exchanged) > 0 || conclusive(c.report)
}
