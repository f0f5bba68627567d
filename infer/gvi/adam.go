// This file follows gradients at fresh points, of all terms of the likelihood or of minibatches of
// them, by ADAM (Kingma and Ba, "Adam: a method for stochastic optimization", 2015) with its usual
// settings: the papers' optimiser, and the one for data and models that are too large for
// the optimisation at fixed points. The objectives are the same. An epoch takes as many terms as
// there are, each of them once; batches go on from one epoch to the next, so that all have one
// size. The likelihood of a batch counts n/B times.
//
// Means start at the starting point, standard deviations at 1/128. With batches and divergences other
// than KLD fvi's objective is biased, as in the papers: it is not linear in the likelihood.
// The result is the last point. The fit has converged if the mean of the objective over the last
// tenth of the steps differs by less than Tolerance relative to its size, and two standard errors,
// from that over the tenth before, and if the means of the parameters over both are approximations that hardly differ, and lie closer
// together than steps that all go one way: the noise of an objective from few terms hides a long way, and a few steps are a short one.

package gvi

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// The schedules of ADAM's rate.
const (
	ConstantRate = "constant"
	CosineRate   = "cosine" // falls to 0 with half a cosine
)

// Adam are the settings of ADAM; the zero value is none.
type Adam struct {
	Epochs   int     // passes over the likelihood's terms; 0: the optimisation at fixed points
	Rate     float64 // of the parameters, which are means and log standard deviations; positive
	Schedule string  // ConstantRate or CosineRate
	Batch    int     // terms of the likelihood in each step; 0: all
}

func (a Adam) checkAdam(method string, f Fit) error {
	switch {
	case a.Batch < 0:
		return fmt.Errorf("%s: batch must be at least 1, found %d", method, a.Batch)
	case a.Epochs < 0:
		return fmt.Errorf("%s: epochs must be at least 1, found %d", method, a.Epochs)
	case a.Epochs == 0:
		return nil
	case !(a.Rate > 0) || math.IsInf(a.Rate, 0):
		return fmt.Errorf("%s: rate must be positive, found %g", method, a.Rate)
	case a.Schedule != ConstantRate && a.Schedule != CosineRate:
		return fmt.Errorf("%s: schedule must be %s or %s, found %q", method, ConstantRate, CosineRate, a.Schedule)
	case f.Family != MeanField && f.Family != FullRank && f.Family != LowRank:
		return fmt.Errorf("%s: epochs need a family that is one normal, found %s", method, f.Family)
	}
	return nil
}

func (a Adam) adamConfig() []draws.Entry {
	if a.Epochs == 0 {
		return []draws.Entry{{Name: "batch", Value: a.Batch, Default: a.Batch == 0}}
	}
	return []draws.Entry{{Name: "batch", Value: a.Batch, Default: a.Batch == 0}, {Name: "epochs", Value: a.Epochs}, {Name: "rate", Value: a.Rate}, {Name: "schedule", Value: a.Schedule}}
}

// The usual settings, and how far the start is narrowed.
const (
	firstKept, secondKept = 0.9, 0.999 // of the moments
	leastRoot             = 1e-8
	startHalvings         = 7
	// farMoved is how far the approximation may move from one tenth of the steps to the next, as moved has it, and oneWay which part
	// of the way that its parameters would take if all steps went one way.
	farMoved = 0.5
	oneWay   = 0.5
)

// adam is the state of a fit.
type adam struct {
	Adam
	o       *objective
	r       *rand.Rand
	batches *batches // nil: all terms
	steps   int
	p       []float64
	seen    []float64 // the last parameters with an objective
	grad    []float64
	m, v    []float64 // moments of the gradient
	first   float64   // powers of what is kept of them
	second  float64
	lost    int // successive steps without an objective
	// tolerance is that of the report.
	tolerance float64
	values    []float64
	tenths    [2][]float64 // sums of the parameters over the last tenths of the steps
	rates     float64      // sum of the rates over these
	report    *infer.FitReport
	onStep    func()
}

// byAdam fits a normal to the energy that the function makes.
func (r *run) byAdam(rec *infer.Recorder, a Adam, make func(r *run) (energy, error)) (infer.Approximation, error) {
	if a.Batch > 0 {
		sub, n, err := infer.Minibatches(r.name+" with batch", r.ev)
		if err != nil {
			return nil, err
		}
		a.Batch = min(a.Batch, n)
		r.src.batches = newBatches(sub, n, a.Batch, r.stream("/batches"))
	}
	e, err := make(r)
	if err != nil {
		return nil, err
	}
	if g, ok := e.(*generalised); ok && g.fromPoints() {
		return nil, &infer.MissingError{Method: r.name + " with epochs",
			Needs: "a prior from which the divergence has a closed form, as kl(w) has from all, and all have from a normal one (scale = \"unconstrained\" takes it where the parameters are moved; without epochs it is estimated at points)"}
	}
	p := rec.Posterior()
	state := infer.State{Q: newVector(r.ev.Dim())}
	if err := r.fit.Init.Start(r.src.stopping, 0, rng.New(r.options.Seed, rng.Init, 0, r.options.Replicate), &state); err != nil {
		return nil, err
	}
	p.Chains[0].Init = state.Q
	fam, err := r.family(normal.NewDiagonal(state.Q, same(len(state.Q), 1)))
	if err != nil || r.ev.Dim() == 0 {
		return nil, err
	}
	f := newAdam(a, e, fam, r)
	f.report, f.onStep = p.Fit, rec.Step
	err = f.run()
	f.o.batch.fam.set(f.seen)
	return fam.approximation(), err
}

func newVector(n int) []float64 { return make([]float64, n) }

func newAdam(a Adam, e energy, fam family, r *run) *adam {
	n := fam.params()
	f := &adam{Adam: a, r: r.stream(""), batches: r.src.batches, tolerance: r.fit.Tolerance, p: newVector(n), grad: newVector(n), m: newVector(n), v: newVector(n), first: 1, second: 1}
	fam.origin(f.p)
	for range startHalvings {
		fam.narrow(f.p)
	}
	f.seen = append(f.seen, f.p...)
	f.o = newObjective(e, fam, newPairs(fam.noise(), (r.fit.Samples+1)/2), r.ev.Dim())
	f.tenths = [2][]float64{newVector(n), newVector(n)}
	f.steps = a.Epochs
	if b := f.batches; b != nil {
		f.steps = max(1, int(float64(a.Epochs)*float64(b.n)/float64(len(b.terms))))
	}
	return f
}

// newPairs makes room for pairs of points.
func newPairs(dim, pairs int) *nodes {
	n := &nodes{e: infer.NewRows(2*pairs, dim)}
	for range n.e {
		n.w = append(n.w, 1/float64(2*pairs))
	}
	return n
}

// redraw draws the points anew: pairs of a point and its mirror image.
func (n *nodes) redraw(r *rand.Rand) {
	for k := 0; k < len(n.e); k += 2 {
		for i := range n.e[k] {
			v := variate.Normal(r)
			n.e[k][i], n.e[k+1][i] = v, -v
		}
	}
}

// run makes the steps. On an error, interruption included, seen is what there is.
func (f *adam) run() error {
	f.report.Stop = "interrupted"
	for k := range f.steps {
		if f.batches != nil {
			f.batches.next()
		}
		f.o.nodes.redraw(f.r)
		value, err := f.o.LogDensityGrad(f.p, f.grad)
		if err != nil && !infer.IsReject(err) {
			return err
		}
		f.report.Iterations, f.report.Evaluations = k+1, f.report.Evaluations+len(f.o.nodes.e)
		f.onStep()
		if err != nil || !finite(f.grad) {
			if f.lost++; f.lost > mostLost {
				return errNowhere
			}
			copy(f.p, f.seen)
			f.note(k, 0)
			continue
		}
		f.lost = 0
		copy(f.seen, f.p)
		f.values = append(f.values, -value)
		if each := max(1, f.steps/1000); (k+1)%each == 0 {
			e := averageOf(f.values[max(0, len(f.values)-each):])
			f.report.Trace = append(f.report.Trace, infer.TracePoint{Iteration: k + 1, Objective: e.value, Error: e.error})
		}
		f.note(k, f.move(float64(k)/float64(f.steps)))
	}
	copy(f.seen, f.p)
	f.judge()
	return nil
}

func finite(x []float64) bool {
	for _, v := range x {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// move makes the step that the gradient, of minus the objective, asks for, and returns its rate; done is the part of
// the way.
func (f *adam) move(done float64) (rate float64) {
	rate = f.Rate
	if f.Schedule == CosineRate {
		rate *= (1 + libm.Cos(math.Pi*done)) / 2
	}
	f.first, f.second = float64(f.first*firstKept), float64(f.second*secondKept)
	unbiased := rate * math.Sqrt(1-f.second) / (1 - f.first)
	least := float64(leastRoot * math.Sqrt(1-f.second))
	for i, g := range f.grad {
		f.m[i] = float64(firstKept*f.m[i]) + float64((1-firstKept)*g)
		f.v[i] = float64(secondKept*f.v[i]) + float64((1-secondKept)*g*g)
		f.p[i] += float64(unbiased * f.m[i] / (math.Sqrt(f.v[i]) + least))
	}
	return rate
}

// judge completes the report.
func (f *adam) judge() {
	n := len(f.values)
	tenth := n / 10
	if tenth < 2 {
		f.report.Stop = fmt.Sprintf("%d steps are too few to tell whether the objective stands still", f.steps)
		return
	}
	before, last := averageOf(f.values[n-2*tenth:n-tenth]), averageOf(f.values[n-tenth:])
	f.report.Objective = &infer.Estimate{Value: last.value, Error: last.error}
	fell := before.value - last.value
	f.report.Converged = math.Abs(fell) <= float64(f.tolerance*max(1, math.Abs(last.value)))+2*libm.Hypot(before.error, last.error)
	f.report.Stop = fmt.Sprintf("the objective stood still over the last fifth of %d steps", f.steps)
	if !f.report.Converged {
		f.report.Stop = fmt.Sprintf("the objective still changed by %.3g over the last fifth of %d steps", fell, f.steps)
		return
	}
	if far, part := f.drift(); !(far <= farMoved) || !(part <= oneWay) {
		f.report.Converged = false
		f.report.Stop = fmt.Sprintf("over the last fifth of %d steps the objective hardly changed, but the approximation still moved by %.3g of its standard deviations", f.steps, far)
	}
}

// note adds where step k began, and its rate, to the sums over the last tenths of the steps.
func (f *adam) note(k int, rate float64) {
	if ago := f.steps - 1 - k; ago < 2*(f.steps/10) {
		floats.Add(f.tenths[1-ago/(f.steps/10)], f.seen)
		f.rates += rate
	}
}

// drift is how far the approximation moved from one of the last tenths of the steps to the other, and which part of the way that
// steps in one direction take that is, as the root mean square over the parameters.
func (f *adam) drift() (far, part float64) {
	var at [2]infer.Approximation
	for i, sum := range f.tenths {
		floats.Scale(1/float64(f.steps/10), sum)
		f.o.batch.fam.set(sum)
		at[i] = f.o.batch.fam.approximation()
	}
	floats.Sub(f.tenths[1], f.tenths[0])
	way := mat.Norm2(f.tenths[1]) / math.Sqrt(float64(len(f.p)))
	return moved(at[0], at[1]), way / (f.rates / 2)
}

// averageOf is the mean of values with its standard error.
func averageOf(x []float64) estimate {
	mean, sum := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		d := v - mean
		sum += float64(d * d)
	}
	return estimate{mean, math.Sqrt(sum/float64(max(1, len(x)-1))) / math.Sqrt(float64(len(x)))}
}

// batches are minibatches of the likelihood's terms. They implement infer.Tempered for the model's
// prior and the likelihood as estimated by the present batch.
type batches struct {
	infer.Subsampled
	n     int
	terms []int // of the present batch
	order []int
	used  int // of order
	r     *rand.Rand
	rest  []float64 // scratch: gradient of the prior
	// choose hands the terms on to the observations, if those are evaluated one by one.
	choose func(terms []int)
}

func newBatches(sub infer.Subsampled, n, size int, r *rand.Rand) *batches {
	b := &batches{Subsampled: sub, n: n, terms: make([]int, size), order: make([]int, n), used: n, r: r, rest: newVector(sub.Dim())}
	for i := range b.order {
		b.order[i] = i
	}
	return b
}

// next takes the next terms of a permutation, and then of another one.
func (b *batches) next() {
	for i := range b.terms {
		if b.used == b.n {
			for k := b.n - 1; k > 0; k-- {
				j := variate.IntN(b.r, k+1)
				b.order[k], b.order[j] = b.order[j], b.order[k]
			}
			b.used = 0
		}
		b.terms[i] = b.order[b.used]
		b.used++
	}
	if b.choose != nil {
		b.choose(b.terms)
	}
}

// LogDensityParts implements infer.Tempered.
func (b *batches) LogDensityParts(q []float64) (prior, likelihood float64, err error) {
	return b.LogDensityPartsGrad(q, 1, newVector(len(q)))
}

// LogDensityPartsGrad implements infer.Tempered.
func (b *batches) LogDensityPartsGrad(q []float64, beta float64, grad []float64) (prior, likelihood float64, err error) {
	if beta == 0 {
		prior, err = b.LogDensityGradTerms(q, nil, grad)
		return prior, 0, err
	}
	if prior, err = b.LogDensityGradTerms(q, nil, b.rest); err != nil {
		return 0, 0, err
	}
	all, err := b.LogDensityGradTerms(q, b.terms, grad)
	for i, r := range b.rest {
		grad[i] = r + float64(beta*(grad[i]-r))
	}
	return prior, all - prior, err
}

// observations are those of the present batch, and what one of them counts. Nil batches are of all.
func (b *batches) observations(o infer.Observations) (infer.Observations, float64, error) {
	if b == nil {
		return o, 1, nil
	}
	if o.Len() != b.n {
		return nil, 0, fmt.Errorf("gvi: batch needs as many terms of the likelihood (%d) as observations with a density of their own (%d)", b.n, o.Len())
	}
	scale := float64(b.n) / float64(len(b.terms))
	if divisible, ok := o.(infer.Batched); ok {
		if some := divisible.Batch(len(b.terms)); some != nil {
			b.choose = some.Choose
			return some, scale, nil
		}
	}
	return &someObservations{o, b, newVector(b.n), newVector(b.n), newVector(b.n), newVector(b.n)}, scale, nil
}

// someObservations are the observations of the present batch among all, which are evaluated.
type someObservations struct {
	infer.Observations
	b                      *batches
	l, powers, byL, byPows []float64
}

// Len implements infer.Observations.
func (s *someObservations) Len() int { return len(s.b.terms) }

// LogTerms implements infer.Observations.
func (s *someObservations) LogTerms(q, l, powers []float64) error {
	if err := s.Observations.LogTerms(q, s.l, s.powers); err != nil {
		return err
	}
	for k, i := range s.b.terms {
		l[k] = s.l[i]
		if powers != nil {
			powers[k] = s.powers[i]
		}
	}
	return nil
}

// PullTerms implements infer.Observations.
func (s *someObservations) PullTerms(q, byL, byPowers, grad []float64) error {
	clear(s.byL)
	clear(s.byPows)
	for k, i := range s.b.terms {
		s.byL[i] += byL[k]
		if byPowers != nil {
			s.byPows[i] += byPowers[k]
		}
	}
	return s.Observations.PullTerms(q, s.byL, s.byPows, grad)
}
