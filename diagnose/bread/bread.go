// This file holds the options and the run over data sets.

package bread

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/ais"
	"github.com/seed-12b88e03/ppl/infer/anneal"
)

// Where the data that the chains run on come from.
const (
	Simulated = "simulated" // from the model, with their exact posterior draw
	Given     = "given"     // the data at hand
	Fitted    = "fitted"    // from the model with hyperparameters fitted to the data at hand
)

// Options are the settings of the diagnosis.
type Options struct {
	Method   infer.Method // that is judged, for what is said of its own draws
	Kernel   infer.Markov // whose kernel moves the chains
	Fit      infer.Markov // of the data at hand, by the same method; nil is Kernel
	From     infer.Method // whose density the chains start from; nil: the prior
	Steps    []int        // lengths of the chains, each at least 1; 1 in reverse is added
	Chains   int          // for each length and direction, at least 1
	Schedule string       // one of the names of package anneal
	Datasets int          // simulated, at least 1; 1 where data are given
	Data     string       // Simulated, Given or Fitted
	Hyper    []string     // hyperparameters, where data are Fitted
	Settle   int          // moves that the start of the reverse chains makes there, at least 0
	// Start are exact posterior draws that came with the given data, on the unconstrained
	// scale: reverse chain c starts at draw c, counted around. Without them the chains
	// start from draws of a run of Kernel's method.
	Start [][]float64
	// LogEvidence is log p(y) of the given data where it is known; nil where it is not.
	LogEvidence  *float64
	Bad, Warning float64   // bounds on the divergence beyond which the verdict is that, in nats
	Pilot        ais.Pilot // the zero value: what goes with the chains, see ais.Pilot.Beside
}

// DefaultOptions are the documented defaults of the language, around a Markov method.
func DefaultOptions(kernel infer.Markov) Options {
	return Options{
		Method: kernel, Kernel: kernel, Steps: []int{10, 100, 1000}, Chains: 100, Schedule: anneal.Adaptive,
		Datasets: 10, Data: Simulated, Settle: 100, Bad: 10, Warning: 1,
	}
}

// The p-values of a violated bound below which the verdict is bad or a warning.
const (
	pBad     = 0.001
	pWarning = 0.01
)

// Diagnosis implements diagnose.Diagnosis.
type Diagnosis struct {
	options Options
	rungs   []int // lengths of the chains, increasing, 1 among them
}

// New checks the options.
func New(o Options) (*Diagnosis, error) {
	var err error
	switch {
	case o.Kernel == nil || o.Method == nil:
		err = errors.New("a Markov method must lend its kernel")
	case len(o.Steps) == 0 || slices.Min(o.Steps) < 1:
		err = fmt.Errorf("steps must be a list of numbers of at least 1, found %v", o.Steps)
	case o.Chains < 1:
		err = fmt.Errorf("chains must be at least 1, found %d", o.Chains)
	case o.Datasets < 1:
		err = fmt.Errorf("datasets must be at least 1, found %d", o.Datasets)
	case !slices.Contains([]string{Simulated, Given, Fitted}, o.Data):
		err = fmt.Errorf("data must be %s, %s or %s, found %q", Simulated, Given, Fitted, o.Data)
	case o.Settle < 0:
		err = fmt.Errorf("settle must be at least 0, found %d", o.Settle)
	case o.Data == Fitted && len(o.Hyper) == 0:
		err = errors.New("the hyperparameters to be fitted must be named")
	case o.LogEvidence != nil && (o.Data != Given || math.IsNaN(*o.LogEvidence) || math.IsInf(*o.LogEvidence, 0)):
		err = fmt.Errorf("log_evidence must be a number, and belongs to data = %q, whose log p(y) it is", Given)
	case !(o.Warning > 0 && o.Bad > 0):
		err = fmt.Errorf("bounds must be positive, found bad = %g, warning = %g", o.Bad, o.Warning)
	case o.Bad < o.Warning:
		err = fmt.Errorf("bad must not be below warning, found bad = %g, warning = %g", o.Bad, o.Warning)
	default:
		err = anneal.CheckSchedule(o.Schedule)
	}
	if err != nil {
		return nil, fmt.Errorf("bread: %w", err)
	}
	if o.Fit == nil {
		o.Fit = o.Kernel
	}
	rungs := append([]int{1}, o.Steps...)
	slices.Sort(rungs)
	if o.Data == Given {
		o.Datasets = 1
	}
	d := &Diagnosis{options: o, rungs: slices.Compact(rungs)}
	if o.Pilot == (ais.Pilot{}) {
		forward, reverse := d.steps()
		d.options.Pilot = ais.DefaultPilot().Beside(forward + reverse)
	}
	return d, nil
}

// Name implements diagnose.Diagnosis.
func (d *Diagnosis) Name() string { return "bread" }

// Units implements diagnose.Diagnosis: data sets, and the one at hand where they are fitted to it.
func (d *Diagnosis) Units() int {
	if d.options.Data == Fitted {
		return d.options.Datasets + 1
	}
	return d.options.Datasets
}

// forwardAt reports whether there are forward chains of n steps. From an approximation one
// step is the approximation itself, and costs nothing.
func (d *Diagnosis) forwardAt(n int) bool {
	return n > 1 || d.options.From != nil || slices.Contains(d.options.Steps, 1)
}

// Diagnose implements diagnose.Diagnosis.
func (d *Diagnosis) Diagnose(ctx context.Context, m infer.Model, o infer.Options) (*diagnose.Verdict, error) {
	if m.Dim() == 0 {
		return d.noParameters(), nil
	}
	count, err := diagnose.NewCounter(o.Observer, d.Name(), d.work(o.Share))
	if err != nil {
		return nil, err
	}
	o.Observer, o.SaveWarmup, o.KeepUnconstrained = nil, false, false
	share := o.Share
	o.Share = infer.Share{}
	done, real, err := d.all(ctx, m, o, share, count)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	if share.Divided() {
		return diagnose.Unjudged(d), nil
	}
	return d.verdict(done, real), nil
}

// all runs the data sets of a share in order, and the data at hand, the last unit, where they are
// compared. The first data set is then needed for all others, in each share.
func (d *Diagnosis) all(ctx context.Context, m infer.Model, o infer.Options, share infer.Share, count *diagnose.Counter) (done []*dataset, real *dataset, err error) {
	var fitted []float64
	if d.options.Data == Fitted {
		point, err := diagnose.Part(count, "fitted", func(q diagnose.Floats) bool { return len(q) == m.Dim() }, func() (diagnose.Floats, error) { return d.fit(ctx, m, o) })
		if err != nil {
			return nil, nil, fmt.Errorf("bread: %w", err)
		}
		fitted = point
	}
	var first *dataset
	for i := range d.options.Datasets {
		if !d.needs(share, i) {
			continue
		}
		set, err := d.part(count, fmt.Sprintf("data set %d", i+1), func() (*dataset, error) { return d.dataset(ctx, m, o, i, fitted, first, count) })
		if err != nil {
			return done, nil, d.located(i, err)
		}
		done = append(done, set)
		first = done[0]
	}
	if d.options.Data == Fitted && share.Has(d.options.Datasets) {
		if real, err = d.part(count, dataAtHand, func() (*dataset, error) { return d.real(ctx, m, o, first, count) }); err != nil {
			return done, nil, fmt.Errorf("bread: %w", err)
		}
	}
	return done, real, nil
}

// needs reports whether a share needs data set i.
func (d *Diagnosis) needs(share infer.Share, i int) bool {
	return share.Has(i) || i == 0 && d.options.Data == Fitted
}

// located says at which data set an error was met.
func (d *Diagnosis) located(i int, err error) error {
	if _, ok := errors.AsType[*infer.MissingError](err); ok {
		return err
	}
	if d.options.Data == Given {
		return fmt.Errorf("bread: %w", err)
	}
	return fmt.Errorf("bread: simulated data set %d: %w", i+1, err)
}

// steps are the numbers of kernel steps of a data set, in either direction.
func (d *Diagnosis) steps() (forward, reverse int) {
	for _, steps := range d.rungs {
		if d.forwardAt(steps) {
			forward += steps * d.options.Chains
		}
		reverse += steps * d.reverseChains(steps)
	}
	return forward, reverse
}

// work is the number of kernel steps of a share.
func (d *Diagnosis) work(share infer.Share) int {
	forward, reverse := d.steps()
	n := 0
	for i := range d.options.Datasets {
		if d.needs(share, i) {
			n += forward + reverse
		}
	}
	if d.options.Data == Fitted && share.Has(d.options.Datasets) {
		n += forward
	}
	return n
}

// reverseChains is how many reverse chains of n steps a data set has: without a move,
// chains from one start are all the same.
func (d *Diagnosis) reverseChains(n int) int {
	switch {
	case n > 1 || d.options.Data == Given && len(d.options.Start) == 0:
		return d.options.Chains
	}
	return min(d.options.Chains, max(1, len(d.options.Start)))
}

// meanOf is the mean of f over data sets with its standard error, which for one data set
// is not a number.
func meanOf(sets []*dataset, f func(*dataset) float64) infer.Estimate {
	n := float64(len(sets))
	sum, squares := 0.0, 0.0
	for _, s := range sets {
		sum += f(s)
	}
	mean := sum / n
	if math.IsInf(mean, 0) || math.IsNaN(mean) {
		return infer.Estimate{Value: mean, Error: math.NaN()}
	}
	for _, s := range sets {
		squares += float64((f(s) - mean) * (f(s) - mean))
	}
	return infer.Estimate{Value: mean, Error: math.Sqrt(squares / (n - 1) / n)}
}

var _ diagnose.Diagnosis = (*Diagnosis)(nil)
