// This file has the chains of a run learn, in warm-up, how far effects are to be centred.

package infer

import (
	"errors"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// A lambda is changed at the end of a stage of warm-up for at least so many nats, see learn: in the stage that
// looks for the typical set, and later, where another stage must follow to adapt to it.
const leastGain, leastLateGain = 0.05, 0.1

// findEffects asks the model for effects where warm-up comes in stages.
func (r *run) findEffects() {
	if m, ok := r.model.(Centrable); ok && r.plan.stages && r.markov.Settle {
		r.effects = m.Effects()
	}
}

// newEvaluator makes an evaluator for a chain.
func (r *run) newEvaluator() Evaluator {
	if r.effects == nil {
		return r.model.NewEvaluator()
	}
	return r.model.(Centrable).NewCentredEvaluator()
}

// recentring is what a chain keeps of its coordinates. A nil one belongs to a chain that moves
// in those of the model.
type recentring struct {
	ev       CentredEvaluator
	learner  *centring
	stretch  []float64 // ratios of the coordinates' variances by the last change of lambda; nil: none so far
	pending  bool      // the metric has not taken them up
	scratchQ []float64
}

func newRecentring(effects []Effect, ev Evaluator) *recentring {
	if effects == nil {
		return nil
	}
	return &recentring{ev: ev.(CentredEvaluator), learner: newCentring(effects, ev.Dim()), scratchQ: make([]float64, ev.Dim())}
}

// begin takes a starting point to the coordinates that the chain begins with.
func (c *recentring) begin(k Kernel, s *State) error {
	if c == nil {
		return nil
	}
	if err := c.move(c.learner.first(), nil, s); err != nil {
		return err
	}
	c.pending = false
	return k.Start(s)
}

// lambda is the present one; nil of a chain that has none.
func (c *recentring) lambda() []float64 {
	if c == nil {
		return nil
	}
	return c.ev.Lambda()
}

// lastStretch are the ratios by the last change of lambda.
func (c *recentring) lastStretch() []float64 {
	if c == nil {
		return nil
	}
	return c.stretch
}

// add learns from the state after transition i of a stage.
func (c *recentring) add(s *stage, i int, at *State) error {
	if c == nil || s.centring == nil || 2*(i-s.begin) < s.end-s.begin {
		return nil
	}
	if err := c.learner.add(s.centring, c.ev, at); err != nil && !IsReject(err) {
		return err
	}
	return nil
}

// original is a position in the coordinates of the model; nil where it has none.
func (c *recentring) original(z []float64) []float64 {
	if c == nil || z == nil {
		return z
	}
	q := make([]float64, len(z))
	if _, err := c.ev.Original(z, q); err != nil {
		return nil
	}
	return q
}

// point is a state in the coordinates of the model, until the next call, and what its log density has more than there.
func (c *recentring) point(s *State) (q []float64, logJacobian float64, err error) {
	if c == nil {
		return s.Q, 0, nil
	}
	logJacobian, err = c.ev.Original(s.Q, c.scratchQ)
	return c.scratchQ, logJacobian, err
}

// move takes a state to the coordinates of another lambda. Log density and gradient are those of the old ones
// until the kernel starts again.
func (c *recentring) move(lambda, stretch []float64, s *State) error {
	q := make([]float64, len(s.Q))
	if _, err := c.ev.Original(s.Q, q); err != nil {
		return err
	}
	l := c.learner
	if err := c.ev.Places(q, l.location, l.scale); err != nil {
		return err
	}
	l.each(func(k, i int, e *Effect) {
		_, a, b := affine(e.Centred, lambda[k], l.location[k], l.scale[k])
		q[i] = (q[i] - b) / a
	})
	s.Q = q
	c.ev.SetLambda(slices.Clone(lambda))
	c.stretch, c.pending = stretch, true
	return nil
}

// adjust has what was learned before a change of lambda serve after it: scales are those of the new coordinates,
// and directions are forgotten.
func (c *recentring) adjust(learned *draws.Adaptation) {
	if c == nil || !c.pending {
		return
	}
	if n := c.ev.Dim(); len(learned.InvMetric) == n {
		learned.InvMetric = slices.Clone(learned.InvMetric)
		c.learner.each(func(k, i int, _ *Effect) { learned.InvMetric[i] *= c.stretch[k] })
		learned.Stretch, learned.Directions = nil, nil
	}
	c.pending = false
}

// restore goes back to the coordinates of a checkpoint.
func (c *recentring) restore(at *Checkpoint) error {
	switch {
	case c == nil && len(at.Lambda) == 0:
		return nil
	case c == nil || len(at.Lambda) != c.learner.size:
		return errOtherCoordinates
	}
	c.ev.SetLambda(slices.Clone(at.Lambda))
	c.stretch = slices.Clone(at.Stretch)
	return nil
}

// learnLambda learns from the stage of all chains that has ended; gain is 0 where nothing is to change. Chains that
// a resumed run finds beyond its end have decided already.
func (r *run) learnLambda(late bool) (lambda []float64, gain float64) {
	if r.effects == nil {
		return nil, 0
	}
	var moments [][]float64
	for _, ch := range r.chains {
		moments = append(moments, ch.stage.centring)
	}
	least := leastGain
	if late {
		least = leastLateGain
	}
	l := r.chains[0].centred.learner
	return l.learn(l.pool(moments), r.chains[0].centred.lambda(), least)
}

// recentre takes all chains to the coordinates of another lambda.
func (r *run) recentre(lambda []float64, errs []error) {
	var moments [][]float64
	for _, ch := range r.chains {
		moments = append(moments, ch.stage.centring)
	}
	l := r.chains[0].centred.learner
	stretch := l.stretches(l.pool(moments), r.chains[0].centred.lambda(), lambda)
	for c, ch := range r.chains {
		if err := ch.centred.move(lambda, stretch, &ch.state); err != nil && errs[c] == nil {
			errs[c] = ch.at("warm-up", ch.done, err)
		}
	}
}

// recentreBehind takes the chains of a resumed run that are behind others to the lambda that all had decided on. No
// checkpoint comes between that decision and the next stage.
func (r *run) recentreBehind(errs []error) {
	if r.effects == nil {
		return
	}
	ahead := slices.MaxFunc(r.chains, func(a, b *chain) int { return a.stage.end - b.stage.end })
	for c, ch := range r.chains {
		if ch.stage.end < ahead.stage.end && !slices.Equal(ch.centred.lambda(), ahead.centred.lambda()) {
			errs[c] = ch.centred.move(ahead.centred.lambda(), ahead.centred.stretch, &ch.state)
		}
	}
}

// centringRun is the record of how effects were sampled.
func (r *run) centringRun() []draws.CentringRun {
	if r.effects == nil || r.chains[0] == nil {
		return nil
	}
	return centringOf(r.effects, r.chains[0].centred.lambda())
}

// AsWritten is the record of effects that are sampled as they are written, since the length of warm-up was given.
func AsWritten(effects []Effect) []draws.CentringRun {
	size := 0
	for _, e := range effects {
		size += len(e.Coordinates)
	}
	out := centringOf(effects, make([]float64, size))
	for i := range out {
		out[i].Fixed = true
	}
	return out
}

// centringOf is a record of lambdas, those of a parameter as one.
func centringOf(effects []Effect, lambda []float64) (out []draws.CentringRun) {
	for _, e := range effects {
		own := lambda[:len(e.Coordinates)]
		lambda = lambda[len(own):]
		one := draws.CentringRun{Name: e.Name, Written: e.Written(), Least: draws.Number(slices.Min(own)), Most: draws.Number(slices.Max(own))}
		if e.Centred {
			one.Least, one.Most = 1-one.Most, 1-one.Least
		}
		same := func(o draws.CentringRun) bool { return o.Name == one.Name && o.Written == one.Written }
		if i := slices.IndexFunc(out, same); i >= 0 {
			out[i].Least, out[i].Most = min(out[i].Least, one.Least), max(out[i].Most, one.Most)
			continue
		}
		out = append(out, one)
	}
	return out
}

// errOtherCoordinates reports that a checkpoint is of a chain in other coordinates.
var errOtherCoordinates = errors.New("it was sampled in other coordinates: with --disable centring, or by another version")

// remarks say what CmdStan's settings have no words for.
func (r *run) remarks() (out []string) {
	if r.markov.Settle && r.plan.stages {
		out = append(out, "warm-up came in stages whose lengths follow from the chains: init_buffer, term_buffer and window do not apply")
	}
	if len(r.effects) > 0 {
		var names []string
		for _, e := range r.effects {
			if !slices.Contains(names, e.Name) {
				names = append(names, e.Name)
			}
		}
		out = append(out, "step size and inverse mass matrix belong to coordinates in which these are partly centred: "+strings.Join(names, ", ")+"; run.json has how far")
	}
	return out
}
