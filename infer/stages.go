// This file ends warm-up and sampling where the chains of a run are good enough.

package infer

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Precision is what every column and the log density must reach before a run ends. It is
// looked at when all chains have made the same number of draws, and these numbers follow from the
// draws alone, so that the same seed gives the same draws on any number of threads.
//
// A run that stops when an estimate of its precision is good enough overstates that precision
// a little, since it stops where the estimate errs upwards (Glynn and Whitt 1992).
type Precision struct {
	ESS  float64 // effective sample size, of bulk and tails (Vehtari et al. 2021)
	RHat float64 // rank-normalised, the larger of bulk and folded (ibid.)
}

// Stops of sampling, in draws a chain: the first; the factors between which the next lies;
// and after how many draws a run may end because the precision is out of reach.
const (
	firstStop             = 150
	leastGrowth, mostGrow = 1.25, 1.6
	growthMargin          = 1.1
	leastBeforeGivingUp   = 1000
	hopeless              = 4 // times the most draws would be needed
)

// Warm-up that ends when it has settled comes in stages, each of which begins from the
// adaptation of the one before. In the first, chains look for the typical set, and in the second those
// that then climb from far below the others: with all effort they may cost many times what these do. Then a stage is twice as long
// as the one before, until the chains have settled: split R-hat, over the second half of a
// stage, of each unconstrained coordinate and the log density is at most settledRHat.
const (
	searchStage  = 75
	firstStage   = 150
	stageGrowth  = 2
	settledRHat  = 1.2
	leastBehind  = 20  // nats by which a chain's estimate of the evidence may be lower, see lost,
	behindPerDim = 0.5 // and those for each coordinate
	climbing     = 8   // quarters of a stage within which a chain that climbs as before would be where the others are
)

// MostSettling is the length of a warm-up of all stages.
const MostSettling = searchStage + firstStage*(1+stageGrowth+stageGrowth*stageGrowth)

// Searcher is a Kernel that makes less effort at a point as long as its chain looks for the typical
// set, where most effort is lost.
type Searcher interface {
	// Search is called before the first step of a stage in which the chain looks, again where it has done so before.
	Search(again bool)
}

// Keeper is a Kernel that makes more effort at a point once its chain is warm, whose points are then kept.
type Keeper interface {
	// Keep is called once tuning has ended, before the first draw.
	Keep()
}

// schedule is what chains are to do until they wait for each other.
type schedule struct {
	stages bool // chains wait for each other
	warmup int  // transitions up to the end of the stage of warm-up
	warm   bool // that stage is the last
	draws  int  // draws up to the next stop
}

func newSchedule(o MarkovOptions) schedule {
	s := schedule{warmup: o.Warmup, warm: true, draws: o.Draws}
	if o.Settle && o.Warmup > searchStage {
		s.stages, s.warm, s.warmup = true, false, searchStage
	}
	if o.Precision != nil && o.Draws > firstStop {
		s.stages, s.draws = true, firstStop
	}
	return s
}

// stoppingOf is the record that a run begins with; nil where its lengths are fixed.
func stoppingOf(o MarkovOptions) *draws.StoppingRun {
	if !newSchedule(o).stages {
		return nil
	}
	s := &draws.StoppingRun{}
	if p := o.Precision; p != nil {
		s.ESS, s.RHat = draws.Number(p.ESS), draws.Number(p.RHat)
	}
	return s
}

// stage is a part of a chain's warm-up with a tuner of its own.
type stage struct {
	begin, end int
	search     bool // the chain looks for the typical set
	// moments are count, means and sums of squared deviations of log density and
	// coordinates, over the third quarter of the stage and then over the fourth; nil where nothing needs
	// them.
	moments []float64
	// centring are the moments that lambda is learned from, over the second half of the stage; nil where there
	// are no effects.
	centring []float64
}

// firstStage is the stage that a new chain begins with.
func (r *run) firstStage() stage {
	s := stage{end: r.plan.warmup}
	if r.markov.Settle && r.plan.stages {
		s.end, s.search = min(searchStage, r.markov.Warmup), true
		s.moments = make([]float64, 2*momentsLen(r.model.Dim()))
		if r.effects != nil {
			s.centring = newCentring(r.effects, r.model.Dim()).newMoments()
		}
	}
	return s
}

func momentsLen(dim int) int { return 1 + 2*(dim+1) }

// enter makes kernel and tuner for a stage.
func (c *chain) enter(s stage) error {
	kernel, tuner, err := c.method.NewKernel(c.target, s.end-s.begin)
	if err != nil {
		return err
	}
	if k, ok := kernel.(Searcher); ok && s.search {
		k.Search(s.begin > 0)
	}
	c.stage, c.kernel, c.tuner = s, kernel, tuner
	c.keeps.retuned(tuner)
	return nil
}

// nextStage begins another stage of warm-up from what was learned so far.
func (c *chain) nextStage(learned draws.Adaptation, search bool) error {
	next := stage{begin: c.stage.end, end: c.plan.warmup, search: search, moments: c.stage.moments, centring: c.stage.centring}
	clear(next.moments)
	clear(next.centring)
	c.centred.adjust(&learned)
	if err := c.enter(next); err != nil {
		return err
	}
	if learned.StepSize > 0 {
		if err := c.tuner.Adopt(learned); err != nil {
			return err
		}
	}
	if err := c.kernel.Start(&c.state); err != nil {
		return err
	}
	return c.tuner.Begin(c.stream.Rand, &c.state)
}

// add takes up the state after transition i.
func (s *stage) add(i int, at *State) {
	if s.moments == nil {
		return
	}
	n := s.end - s.begin
	quarter := (i - s.begin) * 4 / n
	if quarter < 2 {
		return
	}
	width := len(s.moments) / 2
	m := s.moments[(quarter-2)*width : (quarter-1)*width]
	m[0]++
	one := func(k int, x float64) {
		mean, square := &m[1+2*k], &m[2+2*k]
		d := x - *mean
		*mean += d / m[0]
		*square += float64(d * (x - *mean))
	}
	one(0, at.LogDensity)
	for k, x := range at.Q {
		one(1+k, x)
	}
}

// settled reports whether the chains agree at the end of a stage.
func (r *run) settled() bool {
	width := momentsLen(r.model.Dim())
	var parts [][]float64
	for _, c := range r.chains {
		parts = append(parts, c.stage.moments[:width], c.stage.moments[width:])
	}
	for k := 1; k < width; k += 2 {
		if !(rhatOfMoments(parts, k) <= settledRHat) {
			return false
		}
	}
	return true
}

// replace has the chains that are lost at the end of a stage begin the next one from where others
// are, and those that climb at the end of the first go on looking. A chain that a resumed run finds beyond that end was neither, or
// this has been done.
func (r *run) replace(lost, climb []bool, errs []error) {
	for c, ch := range r.chains {
		if climb[c] && ch.stage.begin == 0 {
			errs[c] = Guarded(ch.climb)
		}
		if !lost[c] {
			continue
		}
		from := c
		for lost[from] || r.chains[from].stage.end != ch.stage.end {
			from = (from + 1) % len(lost)
		}
		errs[c] = Guarded(func() error { return ch.follow(r.chains[from]) })
	}
}

// climb begins the next stage as one in which the chain still looks for the typical set; for the checkpoint see follow.
func (c *chain) climb() error {
	if err := c.nextStage(c.tuner.Adaptation(), true); err != nil {
		return c.at("warm-up", c.done, err)
	}
	return c.checkpoint(true)
}

// follow begins the next stage from where another chain is, with what that has learned. The
// checkpoint comes before any chain goes on, so that a resumed run finds the same decision.
func (c *chain) follow(other *chain) error {
	c.state.Q, c.state.LogDensity, c.state.Grad = slices.Clone(other.state.Q), other.state.LogDensity, slices.Clone(other.state.Grad)
	c.report.ReplacedAt = c.done
	if err := c.nextStage(other.tuner.Adaptation(), false); err != nil {
		return c.at("warm-up", c.done, err)
	}
	return c.checkpoint(true)
}

// lostChains reports which of the chains at the end of a stage are lost, whether any is, and which of the others climb.
func (r *run) lostChains() (out []bool, any bool, climb []bool) {
	out, climb = make([]bool, len(r.chains)), make([]bool, len(r.chains))
	var stages []stage
	var index []int
	for c, ch := range r.chains {
		if ch.stage.moments != nil && ch.done == ch.stage.end {
			stages, index = append(stages, ch.stage), append(index, c)
		}
	}
	gone, climbing := lost(stages)
	for k, l := range gone {
		out[index[k]], climb[index[k]] = l, climbing[k]
		any = any || l
	}
	return out, any, climb
}

// lost reports which chains are at a place that can hold next to no mass, whether they stand still
// there or go round in a mode. If the target were a normal around a chain's place, log Z would be the mean
// of the log density plus the entropy, which is estimated as that of independent coordinates
// over the last quarter of the stage. A chain that will soon have climbed to the others is not lost, but climbs; and a place with a low density and a large volume, such as the wide part of a funnel, is
// not lost.
func lost(stages []stage) (out, climb []bool) {
	width := len(stages[0].moments) / 2
	evidence, best := make([]float64, len(stages)), math.Inf(-1)
	for c, s := range stages {
		m := s.moments[width:]
		sum := m[1]
		for k := 3; k < width; k += 2 {
			sum += float64(0.5 * libm.Log(m[k+1]/m[0]))
		}
		evidence[c], best = sum, max(best, sum)
	}
	out, climb = make([]bool, len(stages)), make([]bool, len(stages))
	if slices.ContainsFunc(evidence, func(e float64) bool { return !(e < math.Inf(1)) }) {
		return out, climb // a chain has gone so far that this cannot be told
	}
	dim := float64((width - 3) / 2)
	for c, e := range evidence {
		behind := best - e
		gained := stages[c].moments[width+1] - stages[c].moments[1] // log density, over a quarter of the stage
		if !(behind <= leastBehind+float64(behindPerDim*dim)) && best > math.Inf(-1) {
			climb[c] = behind <= float64(climbing*gained)
			out[c] = !climb[c]
		}
	}
	return out, climb
}

// rhatOfMoments is R-hat of sequences with one length, given count, mean and sum of squared deviations of
// each; 1 where all values are equal.
func rhatOfMoments(parts [][]float64, k int) float64 {
	n, m := parts[0][0], float64(len(parts))
	var mean, within, between float64
	for _, p := range parts {
		mean += p[k] / m
		within += p[k+1] / (n - 1) / m
	}
	for _, p := range parts {
		between += float64((p[k]-mean)*(p[k]-mean)) / (m - 1)
	}
	if within == 0 && between == 0 {
		return 1
	}
	return math.Sqrt((n-1)/n + between/within)
}

// bringBack makes chain c as its checkpoint has it.
func (r *run) bringBack(c int) error {
	ch, err := r.newChain(c, r.newEvaluator())
	if err != nil {
		return err
	}
	r.chains[c], ch.since = ch, time.Now()
	return ch.begin()
}

// reopen brings back the chains of a run that is resumed, and what they had decided together:
// a chain can only be beyond a stop that all had reached.
func (r *run) reopen(errs []error) {
	if r.journal == nil {
		return
	}
	for c := range r.chains {
		errs[c] = Guarded(func() (err error) {
			r.inTurn(c, func(*turn) { err = r.bringBack(c) })
			return err
		})
		if errs[c] != nil {
			return
		}
	}
	first := r.plan.warmup
	for _, ch := range r.chains {
		r.plan.warmup = max(r.plan.warmup, ch.stage.end)
		r.plan.warm = r.plan.warm || ch.tuned
	}
	if !r.plan.warm && r.plan.warmup > first { // the decision at the last stop may be half carried out
		r.recentreBehind(errs)
		lost, _, climb := r.lostChains()
		for c, ch := range r.chains {
			behind := ch.stage.end < r.plan.warmup
			lost[c], climb[c] = lost[c] && behind, climb[c] && behind
		}
		r.replace(lost, climb, errs)
	}
}

// goOn decides, when all chains have reached a stop, what they do next; false: nothing.
func (r *run) goOn(errs []error) bool {
	switch p := &r.plan; {
	case !p.stages:
		return false
	case !p.warm:
		r.settle(errs)
		return true
	case r.markov.Precision == nil:
		return false
	}
	return r.precise()
}

// settle ends the warm-up, or sets the next stage.
func (r *run) settle(errs []error) {
	p, last := &r.plan, r.chains[0].stage
	lost, any, climb := r.lostChains()
	lambda, gain := r.learnLambda(last.begin > 0)
	settled := !any && last.begin > 0 && r.settled()
	if p.warm = p.warmup >= r.markov.Warmup || settled && gain == 0; p.warm {
		return
	}
	length := firstStage
	if last.begin > 0 && !settled {
		length = stageGrowth * (last.end - last.begin)
	}
	p.warmup = min(p.warmup+length, r.markov.Warmup)
	if gain > 0 {
		r.recentre(lambda, errs)
	}
	r.replace(lost, climb, errs)
}

// precise looks at the draws so far and sets the next stop; false: the run ends here.
func (r *run) precise() bool {
	p := &r.plan
	s := r.posterior.Stopping
	need, slowest := r.shortfall()
	s.Stops, s.Slowest, s.Reached = append(s.Stops, p.draws), slowest, need <= 1
	if s.Reached || p.draws >= r.markov.Draws || p.draws >= leastBeforeGivingUp && need*float64(p.draws) > hopeless*float64(r.markov.Draws) {
		return false
	}
	factor := min(max(growthMargin*need, leastGrowth), mostGrow)
	p.draws = min(int(math.Ceil(float64(p.draws)*factor/10))*10, r.markov.Draws)
	return true
}

// A wanting is a column with the factor by which it needed more draws when it was last looked at.
type wanting struct {
	column string
	need   float64
}

// enoughLacking is how many columns that need more draws settle that the run goes on.
const enoughLacking = 5

// shortfall is by what factor more draws are needed, and the column that needs most. Columns that
// needed most the last time are looked at first, and the others only where these need no more: most of
// the work is saved, since most stops are not the last. Where nothing varies no number of draws is enough.
func (r *run) shortfall() (need float64, slowest string) {
	if r.columns == nil {
		if _, ok := r.method.(Estimator); !ok {
			r.columns = append(r.columns, wanting{draws.LogDensityColumn, 0})
		}
		for _, name := range r.judged() {
			r.columns = append(r.columns, wanting{name, 0})
		}
	}
	lacking, moving, mixing := 0, r.model.Dim() == 0, draws.NewMixing(len(r.chains), r.plan.draws)
	for k := range r.columns {
		c := &r.columns[k]
		x := r.posterior.Draws.Column(c.column)
		for i := range x {
			x[i] = x[i][:r.plan.draws]
		}
		var varies bool
		c.need, varies = r.markov.Precision.shortfall(mixing.Of(x))
		moving = moving || varies
		if c.need > need {
			need, slowest = c.need, c.column
		}
		if c.need > 1 {
			lacking++
		}
		if lacking >= enoughLacking && len(r.posterior.Stopping.Stops) > 0 {
			break
		}
	}
	slices.SortStableFunc(r.columns, func(a, b wanting) int { return cmp.Compare(b.need, a.need) })
	if !moving {
		return math.Inf(1), slowest
	}
	return need, slowest
}

// judged are the columns that must be precise: all, as the findings have it, or where these
// are very many the parameters alone.
func (r *run) judged() []string {
	const mostColumns = 2000
	all := r.model.Columns()
	if m, ok := r.model.(interface{ ParameterColumns() []string }); ok && len(all) > mostColumns {
		return m.ParameterColumns()
	}
	return all
}

// shortfall is by what factor more draws are needed: the effective sample size grows with
// their number, and the excess of R-hat over 1 shrinks with it. Columns that do not vary need none, and varies is
// false; those that vary between chains alone are never known.
func (p Precision) shortfall(rhat, bulk, tail float64) (need float64, varies bool) {
	if math.IsNaN(rhat) {
		return 0, false
	}
	need = (rhat - 1) / (p.RHat - 1)
	for _, ess := range []float64{bulk, tail} {
		if lack := p.ESS / ess; lack > need { // of NaN it does not know: a rare value has no part in tails of 5 %
			need = lack
		}
	}
	return need, true
}
