// This file moves the population; annealed importance sampling uses it as its
// pilot run.

package smc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// Settings shape a population run.
type Settings struct {
	Kernel    infer.Markov // whose kernel moves the particles
	Particles int          // N, at least 2
	Threshold float64      // share of N that the effective sample size may fall to, in (0, 1)
	Moves     int          // kernel steps of a particle in a round, at least 1
	Tune      int          // kernel steps that tune it in a round
	Alone     int          // further ones that tune a step size, of kernels that have one
	WasteFree bool         // the points after all Moves count, not only after the last
	Limit     int          // evaluations of the density or its gradient after which no further round begins; 0 for none
	Final     int          // rounds at the posterior after the one that reaches it
	// Small is how many kernel steps of all particles are made in steps of temperature that the threshold bounds; 0: all. After
	// that each is twice as long as the one before, the steps that tune the kernel move the particles, too, so that they
	// follow, and LogEvidence means nothing.
	Small int
}

// Streams separates the random numbers of runs.
type Streams struct {
	Seed, Replicate uint64
	Prefix          string // of the purposes
}

// Stream is the stream of a purpose, and of one of several things that have it.
func (s Streams) Stream(purpose string, i int) *rand.Rand {
	return rng.New(s.Seed, rng.Purpose(s.Prefix+purpose), uint64(i), s.Replicate)
}

// Population is where a run stands. All points weigh the same at Beta. With
// WasteFree there are Moves points of each particle, one after the other.
type Population struct {
	Q           [][]float64 // point, coordinate
	Prior       []float64   // log prior of each
	Likelihood  []float64   // log likelihood of each
	Ancestor    []int       // draw of the prior that each descends from
	Beta        float64     // 1 at the end of a run
	LogEvidence float64     // log normalising constant at Beta
	Variance    float64     // its estimated variance
	Ladder      anneal.Ladder
	Tuning      anneal.Tuning // a knot for each temperature after the first
}

// ErrNoSupport reports that all draws of the prior have likelihood zero.
var ErrNoSupport = errors.New("the likelihood is zero at every draw from the prior")

// maxRounds bounds the number of temperatures.
const maxRounds = 100000

// Temper runs a population from the prior to the posterior, or until ctx is
// done: then the population is the last complete one, or what there is of the first, and
// nil if there is nothing, without an error. progress, which may be nil, is told each beta.
func Temper(ctx context.Context, pool *anneal.WorkerPool, set Settings, streams Streams, progress func(beta float64)) (*Population, error) {
	e := newEngine(pool, set, streams)
	err := e.begin()
	complete := err == nil
	for left := set.Final; err == nil && !e.spent() && (e.Beta < 1 || left > 0); {
		if e.Beta == 1 {
			left--
		}
		if progress != nil {
			progress(e.Beta)
		}
		if len(e.Tuning.Knots) == maxRounds {
			return nil, fmt.Errorf("beta is %g after %d temperatures", e.Beta, maxRounds)
		}
		err = infer.Guarded(e.round)
	}
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	if !complete {
		return e.begun(), nil
	}
	e.Variance, e.Ancestor = e.variance(), e.eve
	return &e.Population, nil
}

// A limited run goes on to overspend times its limit where that will do, and, from rounds on, ends where hopeless times would not do.
const (
	overspend = 1.5
	hopeless  = 3
	rounds    = 3
)

// spent reports whether the evaluations that the settings allow have been made, or will not do. Temperatures grow by about
// one factor a round, that of the last rounds, so that what is left of the way is known.
func (e *engine) spent() bool {
	limit, made, n := float64(e.set.Limit), float64(e.pool.Evaluations()), len(e.Ladder.Beta)-1
	if limit == 0 || e.Beta == 1 || n < rounds {
		return limit > 0 && made >= limit
	}
	factor := libm.Log(e.Beta/e.Ladder.Beta[n-rounds+1]) / (rounds - 1)
	whole := made * (1 - libm.Log(e.Beta)/(factor*float64(n)))
	return made >= limit && whole > overspend*limit || whole > hopeless*limit
}

// engine is a run under way.
type engine struct {
	Population
	next    Population // where the points of a round go
	pool    *anneal.WorkerPool
	set     Settings
	tune    *rand.Rand
	choice  *rand.Rand   // resampling
	streams []*rand.Rand // of the points; a particle moves with that of its first
	keep    int          // points of each particle: 1, or Moves
	parent  []int        // point that each particle starts from
	from    [][]float64  // its coordinates
	eve     []int        // prior draw that each point descends from
	excess  []float64    // see variance, of each prior draw
	accept  []float64    // of each particle, summed over its moves
	logw, w []float64    // of the points, in the round under way
	stretch float64      // of the step that the threshold allows to that of the round under way, at least 1; see Settings.Small
	drawn   []bool       // which points begin has made
}

func newEngine(pool *anneal.WorkerPool, set Settings, streams Streams) *engine {
	e := &engine{pool: pool, set: set, tune: streams.Stream("tune", 0), choice: streams.Stream("resample", 0), keep: 1, stretch: 1}
	if set.WasteFree {
		e.keep = set.Moves
	}
	n := set.Particles * e.keep
	dim := pool.Any().Source.Dim()
	e.Population, e.next = newPopulation(n, dim), newPopulation(n, dim)
	e.Ladder = anneal.Ladder{Beta: []float64{0}, Length: []float64{0}}
	e.from = make([][]float64, set.Particles)
	e.parent, e.accept = make([]int, set.Particles), make([]float64, set.Particles)
	e.eve, e.excess = make([]int, n), make([]float64, n)
	e.logw, e.w = make([]float64, n), make([]float64, n)
	for i := range n {
		e.eve[i] = i
		e.streams = append(e.streams, streams.Stream("particle", i))
	}
	return e
}

func newPopulation(n, dim int) Population {
	p := Population{Q: make([][]float64, n), Prior: make([]float64, n), Likelihood: make([]float64, n)}
	block := make([]float64, n*dim)
	for i := range p.Q {
		p.Q[i] = block[i*dim : (i+1)*dim : (i+1)*dim]
	}
	return p
}

// begin draws from the prior.
func (e *engine) begin() error {
	e.drawn = make([]bool, len(e.Q))
	return e.pool.Each(len(e.Q), func(m *anneal.Mover, i int) error {
		if err := m.Source.DrawPrior(e.streams[i], e.Q[i]); err != nil {
			return err
		}
		var err error
		e.Prior[i], e.Likelihood[i], err = m.Path.Parts(e.Q[i])
		e.drawn[i] = err == nil
		return err
	})
}

// begun is the population of the draws from the prior that there are when begin was cut
// short, nil for fewer than two.
func (e *engine) begun() *Population {
	p := &Population{Ladder: e.Ladder}
	for i, ok := range e.drawn {
		if ok {
			p.Q, p.Prior, p.Likelihood = append(p.Q, e.Q[i]), append(p.Prior, e.Prior[i]), append(p.Likelihood, e.Likelihood[i])
		}
	}
	if len(p.Q) < 2 {
		return nil
	}
	return p
}

// round takes the population to the next temperature.
func (e *engine) round() error {
	beta, length, err := e.temperature()
	if err != nil {
		return err
	}
	for i, l := range e.Likelihood {
		e.logw[i] = (beta - e.Beta) * l
	}
	infer.Weights(e.logw, e.w)
	infer.ResampleSystematic(e.choice, e.w, e.parent)
	for i, p := range e.parent {
		e.from[i] = e.Q[p]
	}
	if done := len(e.Tuning.Knots) * (e.set.Particles*e.set.Moves + e.set.Tune); e.set.Small > 0 && done >= e.set.Small {
		e.stretch *= 2
		beta, length = min(1, e.Beta+float64(e.stretch*(beta-e.Beta))), e.stretch*length
	}
	tuned, err := e.adapt(beta)
	if err != nil {
		return err
	}
	if err := e.move(anneal.Tuning{Knots: []anneal.Knot{{Beta: beta, Adaptation: tuned}}}, beta); err != nil {
		return err
	}
	e.commit(beta, length, tuned)
	return nil
}

// commit makes the moved points the population. Nothing before it changes
// the population, so that a round that is cut short leaves the last one.
func (e *engine) commit(beta, length float64, tuned draws.Adaptation) {
	if e.stretch > 1 {
		length = pathLength(beta-e.Beta, e.Likelihood, e.next.Likelihood, length)
	}
	e.count()
	e.LogEvidence += infer.LogSumExp(e.logw) - libm.Log(float64(len(e.logw)))
	old := append([]int(nil), e.eve...)
	for i := range e.eve {
		e.eve[i] = old[e.parent[i/e.keep]]
	}
	var accept float64
	for _, a := range e.accept {
		accept += a
	}
	e.Q, e.next.Q = e.next.Q, e.Q
	e.Prior, e.next.Prior = e.next.Prior, e.Prior
	e.Likelihood, e.next.Likelihood = e.next.Likelihood, e.Likelihood
	e.Beta = beta
	last := len(e.Ladder.Length) - 1
	e.Ladder.Beta = append(e.Ladder.Beta, beta)
	e.Ladder.Length = append(e.Ladder.Length, e.Ladder.Length[last]+length)
	e.Tuning.Knots = append(e.Tuning.Knots, anneal.Knot{
		Beta: beta, Adaptation: tuned, Accept: accept / float64(len(e.accept)*e.set.Moves),
	})
}

// pathLength is the length of a long step, in the units of anneal.StepLength: the root of the symmetrised divergence between
// its ends, which is the change of beta times that of the mean log likelihood. Where that is not to be had it is otherwise.
func pathLength(step float64, before, after []float64, otherwise float64) float64 {
	rise := draws.Mean([][]float64{after}) - draws.Mean([][]float64{before})
	if !(rise > 0) || math.IsInf(rise, 0) {
		return otherwise
	}
	return math.Sqrt(step * rise)
}

// temperature finds the next beta and the length of the step to it.
func (e *engine) temperature() (beta, length float64, err error) {
	if e.Beta == 1 { // the points settle
		return 1, 0, nil
	}
	alive := 0
	for _, l := range e.Likelihood {
		if !math.IsInf(l, -1) {
			alive++
		}
	}
	if alive == 0 {
		return 0, 0, ErrNoSupport
	}
	// Particles of likelihood zero fall out at the first step, whatever its
	// size, so the threshold counts the others.
	want := e.set.Threshold * float64(alive)
	ess := func(step float64) float64 {
		for i, l := range e.Likelihood {
			e.logw[i] = step * l
		}
		return infer.ESSWeights(e.logw)
	}
	low, high := 0.0, 1-e.Beta
	if ess(high) < want {
		more, less := bracket(func(step float64) float64 { return libm.Log(ess(step) / want) }, high)
		for high-low > 1e-10*high {
			// The effective size falls with the step: 2 K(s) - K(2 s) with a convex K.
			if mid := (low + high) / 2; mid >= less || mid >= more && ess(mid) < want {
				high = mid
			} else {
				low = mid
			}
		}
		beta = e.Beta + high
	} else {
		beta = 1
	}
	if !(beta > e.Beta) {
		return 0, 0, fmt.Errorf("no temperature after beta = %g is near enough: log likelihoods of the particles differ without bound", e.Beta)
	}
	return beta, anneal.StepLength(ess(beta-e.Beta) / float64(alive)), nil
}

// bracket finds two places below high, close to each other, between which f, which falls and is negative at high, is
// zero; 0 and high where it does not. Steps are by false positions in the log of the place, with the Illinois rule.
func bracket(f func(float64) float64, high float64) (low, up float64) {
	const least, close, tries = 1e-10, 1e-12, 30
	a, b := libm.Log(least*high), libm.Log(high)
	fa, fb := f(libm.Exp(a)), f(high)
	if !(fa > 0 && fb < 0) || math.IsInf(fa, 0) || math.IsInf(fb, 0) {
		return 0, high
	}
	up = high
	for side, k := 0, 0; k < tries && up-low > close*up; k++ {
		mid := (a + b) / 2
		if k > 0 {
			mid = b - float64(fb*(b-a))/(fb-fa)
		}
		x := libm.Exp(mid)
		switch v := f(x); {
		case !(x > low && x < up):
			return low, up
		case v > 0:
			if a, fa, low = mid, v, x; side > 0 {
				fb /= 2
			}
			side = 1
		default:
			if b, fb, up = mid, v, x; side < 0 {
				fa /= 2
			}
			side = -1
		}
	}
	return low, up
}

// adapt tunes a kernel at beta on the resampled particles.
func (e *engine) adapt(beta float64) (draws.Adaptation, error) {
	var a draws.Adaptation
	if knots := e.Tuning.Knots; len(knots) > 0 {
		a = knots[len(knots)-1].Adaptation
	}
	a, err := e.warm(beta, e.set.Tune, a)
	if err == nil && a.Delta > 0 && e.set.Alone > 0 {
		return e.warm(beta, e.set.Alone, a)
	}
	return a, err
}

// warm is a warm-up of n steps at beta, each from a resampled particle, from an earlier tuning if that has a step size.
func (e *engine) warm(beta float64, n int, from draws.Adaptation) (a draws.Adaptation, err error) {
	path := e.pool.Any().Path
	path.SetBeta(beta)
	kernel, tuner, err := e.set.Kernel.NewKernel(path, n)
	if err != nil {
		return a, err
	}
	if len(e.Tuning.Knots) > 0 || from.StepSize > 0 {
		if err := tuner.Adopt(from); err != nil {
			return a, err
		}
	}
	s := infer.State{Q: make([]float64, path.Dim())}
	at := 0 // the particle that moves
	info := infer.Info{Stats: make([]float64, len(e.set.Kernel.Stats()))}
	pick := func() error {
		at = variate.IntN(e.tune, len(e.parent))
		copy(s.Q, e.from[at])
		return kernel.Start(&s)
	}
	if err := pick(); err != nil {
		return a, err
	}
	if err := tuner.Begin(e.tune, &s); err != nil {
		return a, err
	}
	for i := range n {
		if err := pick(); err != nil {
			return a, err
		}
		if err := kernel.Step(e.tune, &s, &info); err != nil {
			return a, err
		}
		if err := tuner.Update(e.tune, i, &s, &info); err != nil {
			return a, err
		}
		if e.stretch > 1 {
			e.from[at] = slices.Clone(s.Q)
		}
	}
	if err := tuner.End(); err != nil { // it settles what Adaptation gives
		return a, err
	}
	return tuner.Adaptation(), nil
}

// move takes every particle through its steps.
func (e *engine) move(tuning anneal.Tuning, beta float64) error {
	e.pool.Freeze(tuning)
	return e.pool.Each(len(e.parent), func(m *anneal.Mover, i int) error {
		if err := m.SetBeta(beta); err != nil {
			return err
		}
		copy(m.State.Q, e.from[i])
		if _, err := m.Start(); err != nil {
			return err
		}
		e.accept[i] = 0
		for k := range e.set.Moves {
			if err := m.Step(e.streams[i*e.keep]); err != nil {
				return err
			}
			e.accept[i] += m.Info.AcceptStat
			// Without WasteFree, keep is 1 and only the last step is kept.
			if at := k - e.set.Moves + e.keep; at >= 0 {
				if err := e.put(m, i*e.keep+at); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// put stores a mover's state as a point of the next population.
func (e *engine) put(m *anneal.Mover, i int) error {
	copy(e.next.Q[i], m.State.Q)
	var err error
	e.next.Prior[i], e.next.Likelihood[i], err = m.Path.Parts(m.State.Q)
	return err
}
