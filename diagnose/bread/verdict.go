// This file turns what the chains gave into a verdict: figures and words.

package bread

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/psis"
)

// Figures are the verdict's figures. Values of a rung stand data set by data set, the
// same number for each.
type Figures struct {
	LogEvidence Evidence  `json:"log_evidence"`
	Jeffreys    Bound     `json:"jeffreys"`
	Trimmed     Trimmed   `json:"trimmed"` // that bound without the worst chains
	Ladder      []Rung    `json:"ladder"`
	Violation   Violation `json:"violation"`
	Ranks       Ranks     `json:"ranks"`
	// Contradiction is the smallest adjusted p-value of all tests that forward and reverse
	// chains fit together; NaN where none applies.
	Contradiction draws.Number     `json:"contradiction"`
	Flat          bool             `json:"flat"`     // the likelihood is the same for all parameters
	Datasets      int              `json:"datasets"` // how many there are
	ByDataset     []OfDataset      `json:"by_dataset"`
	Likelihood    Likelihood       `json:"log_likelihood"`
	ParetoK       []draws.Extended `json:"pareto_k,omitempty"` // of the weights of one step from an approximation, by data set; NaN of too few chains
	Real          *Real            `json:"real,omitempty"`     // the data at hand beside simulated ones
	Path          []PathPoint      `json:"path"`               // the kernel along the longest chains
	OneSided      *OneSided        `json:"one_sided,omitempty"`
}

// Evidence is the sandwich of log p(y) by the longest chains, means over the data sets.
type Evidence struct {
	Lower    draws.Number `json:"lower"`
	Upper    draws.Number `json:"upper"`
	Estimate draws.Number `json:"estimate"` // acceptance ratio
	Error    draws.Number `json:"error"`    // of the estimate: its standard error, data sets as units, and what its bias may be
}

// Bound is the bound on the Jeffreys divergence of the longest chains, in nats.
type Bound struct {
	Bound    draws.Number `json:"bound"`
	Error    draws.Number `json:"error"`    // standard error, data sets as units
	Interval Interval     `json:"interval"` // bootstrap, 95 %, likewise
}

// Rung is what chains of one length gave.
type Rung struct {
	Steps   int            `json:"steps"`
	Forward []draws.Number `json:"forward"` // single-chain values, below log p(y) on average
	Reverse []draws.Number `json:"reverse"` // single-chain values, above it on average
	Seconds draws.Number   `json:"seconds"` // of a chain, on average
	Gap     draws.Number   `json:"gap"`     // mean over the data sets
	Error   draws.Number   `json:"error"`   // its standard error
	Trimmed draws.Number   `json:"trimmed"` // the gap without the worst hundredth of forward chains
	Pairs   draws.Number   `json:"pairs"`   // p-value of the pair test
	Slope   Slope          `json:"slope"`

	Interval         Interval  `json:"interval"` // of the gap
	ForwardQuartiles Quartiles `json:"forward_quartiles"`
	ReverseQuartiles Quartiles `json:"reverse_quartiles"`
}

// Violation is the test that forward and reverse values of all lengths fit together.
type Violation struct {
	Statistic draws.Number `json:"statistic"` // largest log e-value of a data set
	P         draws.Number `json:"p"`         // bound on its p-value
}

// OfDataset is the sandwich of one data set.
type OfDataset struct {
	Lower     draws.Number `json:"lower"`
	Upper     draws.Number `json:"upper"`
	Estimate  draws.Number `json:"estimate"`
	Error     draws.Number `json:"error"` // all chains taken as independent, at most the distance to the farther bound
	LogEValue draws.Number `json:"log_e_value"`
}

// Likelihood are mean log likelihoods on the first data set.
type Likelihood struct {
	Annealed draws.Number `json:"annealed"` // at the ends of the longest forward chains
	Own      draws.Number `json:"own"`      // of the method's own draws
}

// verdict judges what was done; without a complete data set there is nothing to say.
func (d *Diagnosis) verdict(sets []*dataset, real *dataset) *diagnose.Verdict {
	v := &diagnose.Verdict{Kind: d.Name(), Incomplete: len(sets) < d.options.Datasets || d.options.Data == Fitted && real == nil}
	if len(sets) == 0 {
		v.Severity, v.Summary = diagnose.None, "No data set was completed, so there is no verdict."
		v.Figures = Figures{Ladder: []Rung{}, ByDataset: []OfDataset{}, LogEvidence: unknown, Jeffreys: noBound, Trimmed: noTrim, Violation: Violation{nan, nan}, Ranks: noRanks, Contradiction: nan, Likelihood: Likelihood{nan, nan}, Path: []PathPoint{}}
		return v
	}
	f := d.figures(sets)
	if real != nil {
		f.Real = d.compare(sets, real)
	}
	broken, p := d.judgeViolation(f, len(sets))
	f.Contradiction, f.Flat = draws.Number(p), same(sets)
	v.Figures = f
	if f.Flat {
		v.Severity, v.Summary = broken, "The likelihood is the same for all parameters, so that there is nothing to anneal and nothing to judge."
		if broken == diagnose.Good {
			v.Severity = diagnose.None
		}
		return v
	}
	v.Severity, v.Summary = d.conclude(f, broken, p)
	v.Notes = d.notes(f, sets)
	v.Tables = []diagnose.Table{ladderTable(f)}
	if t := pathTable(f); len(t.Rows) > 0 {
		v.Tables = append(v.Tables, t)
	}
	if f.Real != nil {
		v.Tables = append(v.Tables, realTable(f.Real))
	}
	return v
}

var (
	nan     = draws.Number(math.NaN())
	unknown = Evidence{nan, nan, nan, nan}
	noRanks = Ranks{nan, nan, nan}
	noBound = Bound{nan, nan, Interval{nan, nan}}
	noTrim  = Trimmed{nan, nan, nan, [2]draws.Number{nan, nan}}
)

func (d *Diagnosis) figures(sets []*dataset) Figures {
	f := Figures{Datasets: len(sets)}
	last := len(d.rungs) - 1
	for i, n := range d.rungs {
		f.Ladder = append(f.Ladder, rungOf(sets, i, n))
	}
	estimate := meanOf(sets, func(s *dataset) float64 { return s.estimate.Value })
	gap := meanOf(sets, func(s *dataset) float64 { return s.gap(last) })
	if len(sets) == 1 {
		estimate.Error, gap.Error = sets[0].estimateError(), sets[0].gapError(last)
	} else {
		estimate.Error = libm.Hypot(estimate.Error, meanOf(sets, (*dataset).estimateBias).Value)
	}
	f.LogEvidence = Evidence{
		Lower:    draws.Number(meanOf(sets, func(s *dataset) float64 { return mean(s.forward[last]) }).Value),
		Upper:    draws.Number(meanOf(sets, func(s *dataset) float64 { return mean(s.reverse[last]) }).Value),
		Estimate: draws.Number(estimate.Value), Error: draws.Number(estimate.Error),
	}
	f.Jeffreys = Bound{draws.Number(gap.Value), draws.Number(gap.Error), f.Ladder[last].Interval}
	f.Trimmed = trim(sets, last)
	f.Path = pathOf(sets)
	f.OneSided = d.oneSided(sets[0], last)
	statistic, p := violation(sets)
	f.Violation, f.Ranks = Violation{draws.Number(statistic), draws.Number(p)}, ranksOf(sets)
	for _, s := range sets {
		f.ByDataset = append(f.ByDataset, OfDataset{
			Lower: draws.Number(mean(s.forward[last])), Upper: draws.Number(mean(s.reverse[last])),
			Estimate: draws.Number(s.estimate.Value), Error: draws.Number(s.estimateError()), LogEValue: draws.Number(logEValue(s)),
		})
		if d.options.From != nil {
			f.ParetoK = append(f.ParetoK, draws.Extended(shapeOf(s.forward[0])))
		}
	}
	f.Likelihood = Likelihood{draws.Number(sets[0].annealed), draws.Number(sets[0].own)}
	return f
}

// shapeOf is the Pareto shape of weights; NaN of too few for one.
func shapeOf(logw []float64) float64 {
	r := psis.Smooth(slices.Clone(logw), 1)
	if r.Tail < psis.MinTail {
		return math.NaN()
	}
	return r.K
}

func rungOf(sets []*dataset, i, n int) Rung {
	r := Rung{Steps: n, Forward: []draws.Number{}, Reverse: []draws.Number{}, Gap: nan, Error: nan, Trimmed: trim(sets, i).Bound, Interval: Interval{nan, nan},
		Pairs: draws.Number(pairs(sets, i)), Slope: slope(sets, i)}
	for _, s := range sets {
		r.Forward = append(r.Forward, draws.Numbers(s.forward[i])...)
		r.Reverse = append(r.Reverse, draws.Numbers(s.reverse[i])...)
	}
	r.Seconds = draws.Number(meanOf(sets, func(s *dataset) float64 { return s.seconds[i] }).Value)
	r.ForwardQuartiles, r.ReverseQuartiles = quartiles(r.Forward), quartiles(r.Reverse)
	if len(r.Forward) == 0 {
		return r
	}
	r.Interval = gapInterval(sets, i)
	gap := meanOf(sets, func(s *dataset) float64 { return s.gap(i) })
	if len(sets) == 1 {
		gap.Error = sets[0].gapError(i)
	}
	r.Gap, r.Error = draws.Number(gap.Value), draws.Number(gap.Error)
	return r
}

// gap is the mean distance between reverse and forward values of a rung.
func (s *dataset) gap(rung int) float64 { return mean(s.reverse[rung]) - mean(s.forward[rung]) }

// gapError is the standard error of the gap with all chains taken as independent.
func (s *dataset) gapError(rung int) float64 {
	total := 0.0
	if len(s.forward[rung]) < 2 {
		return math.NaN()
	}
	for _, x := range [][]float64{s.forward[rung], s.reverse[rung]} {
		if len(x) > 1 {
			sd := draws.SD([][]float64{x})
			total += sd * sd / float64(len(x))
		}
	}
	return math.Sqrt(total)
}

// same reports whether all values of all chains are one number.
func same(sets []*dataset) bool {
	first := sets[0].reverse[0][0]
	for _, s := range sets {
		for _, list := range slices.Concat(s.forward, s.reverse) {
			for _, v := range list {
				if v != first {
					return false
				}
			}
		}
	}
	return true
}

// conclude puts what was found into a severity and a sentence, the gravest first.
func (d *Diagnosis) conclude(f Figures, broken diagnose.Severity, p float64) (diagnose.Severity, string) {
	if s, text := d.contradiction(f); s != diagnose.None {
		return s, text
	}
	if broken == diagnose.Bad || broken == diagnose.Warning {
		start := ""
		if len(d.options.Start) > 0 {
			start = ", the draws of the start file are none of the posterior"
		}
		return broken, fmt.Sprintf("Forward and reverse chains contradict each other (p %s), which correct ones cannot: the kernel does not leave its target unchanged, the simulator does not match the density%s, or the density is wrong.", pText(p), start)
	}
	s, text := d.judgeBound(f)
	if f.Real != nil && !f.Real.Agree {
		return diagnose.Worse(s, diagnose.Warning), d.disagreement(f, f.Ladder[len(f.Ladder)-1].Steps)
	}
	return d.withOwn(f, s, text)
}

// pText writes a p-value behind "p".
func pText(p float64) string {
	const least = 1e-300
	if p < least {
		return fmt.Sprintf("< %g", least)
	}
	return "= " + short(p)
}

// contradiction holds a log p(y) that was given against the chains: the exponentials of
// forward values less it have mean 1, and so have those of it less reverse values where the
// starts are exact, so that by Markov's inequality one over their mean bounds a p-value.
// None where they go together or nothing was given.
func (d *Diagnosis) contradiction(f Figures) (diagnose.Severity, string) {
	o := f.OneSided
	if o == nil {
		return diagnose.None, ""
	}
	p := math.Min(1, 2*math.Min(float64(o.Above), float64(o.Below)))
	s := diagnose.Judge(p, len(f.Ladder[len(f.Ladder)-1].Forward)+1, pBad, pWarning)
	if s == diagnose.Good || s == diagnose.None {
		return diagnose.None, ""
	}
	where := "above what forward chains say"
	if o.Above < o.Below {
		where = "below what forward chains reach, which is beyond chance"
	} else if len(d.options.Start) == 0 {
		where = "above what reverse chains from the draws of a run reach"
	} else {
		where = "above what reverse chains from exact draws reach, which is beyond chance"
	}
	return s, fmt.Sprintf("The given log p(y) = %g contradicts the chains (p %s), whose values are %s forward and %s in reverse: it lies %s. It, the data, the density or the start is wrong.",
		float64(o.LogEvidence), pText(p), place(f.LogEvidence.Lower, 0), place(f.LogEvidence.Upper, 0), where)
}

// withOwn adds what an approximation itself is worth, the chain of one step.
func (d *Diagnosis) withOwn(f Figures, s diagnose.Severity, text string) (diagnose.Severity, string) {
	if d.options.From == nil {
		return s, text
	}
	one := f.Ladder[0]
	own := diagnose.Measure{Value: float64(one.Gap), Error: float64(one.Error), Values: len(one.Forward)}
	name, judged := d.options.From.Name(), own.AtMost(d.options.Warning, d.options.Bad)
	verdict := fmt.Sprintf("%s itself is within %s nats of the posterior", name, withError(Bound{Bound: one.Gap, Error: one.Error}))
	switch {
	case judged == diagnose.None:
		verdict = fmt.Sprintf("%s itself cannot be judged, since %s", name, own.Missing())
	case judged != diagnose.Good:
		verdict = fmt.Sprintf("%s itself is %s nats from the posterior (Jeffreys divergence)", name, withError(Bound{Bound: one.Gap, Error: one.Error}))
	}
	if s == diagnose.None && judged == diagnose.Good {
		return judged, verdict + ". " + text
	}
	return diagnose.Worse(s, judged), verdict + ". Of the chains that start from it: " + text
}

// sandwich is the sentence on the bound.
func (d *Diagnosis) sandwich(f Figures) string {
	top := f.Ladder[len(f.Ladder)-1].Steps
	if d.options.Data == Given && len(d.options.Start) == 0 {
		return fmt.Sprintf("Forward and reverse chains of %d steps on the data at hand agree within %s nats", top, withError(f.Jeffreys))
	}
	where := fmt.Sprintf("over %d simulated data sets", f.Datasets)
	switch {
	case d.options.Data == Given:
		where = "on the data at hand"
	case f.Datasets == 1:
		where = "on one simulated data set"
	}
	end := fmt.Sprintf("within %s nats of the posterior in Jeffreys divergence", withError(f.Jeffreys))
	if f.Jeffreys.Bound < 0 {
		end = fmt.Sprintf("where no distance from the posterior is seen (Jeffreys divergence %s nats, below 0 by chance)", withError(f.Jeffreys))
	}
	return fmt.Sprintf("log p(y) %s on average %s, and annealed chains of %d steps end %s",
		between(f.LogEvidence.Lower, f.LogEvidence.Upper, f.Jeffreys.Error), where, top, end)
}

// notes are what must be said beside the summary.
func (d *Diagnosis) notes(f Figures, sets []*dataset) []string {
	start := "the prior"
	if d.options.From != nil {
		start = fmt.Sprintf("the approximation that %s gave", d.options.From.Name())
	}
	notes := []string{fmt.Sprintf(
		"The bound is on the law of the last state of an annealed chain with the kernel of %s, started at %s, in expectation; it is not a statement about %s's own long chain.",
		d.options.Kernel.Name(), start, d.options.Method.Name())}
	if d.options.From != nil {
		notes[0] = fmt.Sprintf("The bound is on the law of the last state of an annealed chain with the kernel of %s, started at %s, in expectation; %s itself is the chain of one step, whose gap estimates its own Jeffreys divergence.",
			d.options.Kernel.Name(), start, d.options.From.Name())
	}
	if t := f.Trimmed; d.carriedByFew(f) && t.Starts[0] < t.Starts[1] {
		notes = append(notes, d.startsNote(t))
	}
	switch {
	case d.options.Data == Given && len(d.options.Start) == 0:
		notes = append(notes, "The reverse chains started at draws of a run, not at exact posterior draws, so this is no rigorous bound and the upper value may be too low.")
	case d.options.Data == Given:
		notes = append(notes, "The verdict is conditional on the data at hand and on the exact draws that came with them.")
	case d.options.Data == Fitted:
		notes = append(notes, realNotes(d.options.Hyper, f.Real)...)
	case f.Datasets == 1:
		notes = append(notes, "The verdict is conditional on one simulated data set and its exact posterior draw; the errors leave out how they vary.")
	}
	if o := f.OneSided; o != nil {
		notes = append(notes, fmt.Sprintf("With log p(y) = %g, KL(q||p) is below %s and KL(p||q) below %s, in expectation, q being the law of the last state and p the posterior.",
			float64(o.LogEvidence), withError(o.Forward), withError(o.Reverse)))
	}
	if r := f.Ranks; slices.Min(r.list()) < pWarning {
		notes = append(notes, fmt.Sprintf("The exact draws do not lie among the forward chains as draws of the posterior do: ranked by the log density that the path starts from p %s, by the likelihood p %s, by single parameters p %s.", pText(float64(r.Prior)), pText(float64(r.Likelihood)), pText(float64(r.Parameters))))
	}
	if dead := deadChains(sets); dead > 0 {
		notes = append(notes, fmt.Sprintf("%d forward chains met density zero; their values are -inf.", dead))
	}
	if k := f.ParetoK; len(k) > 0 && float64(slices.Max(k)) > psis.Threshold(d.options.Chains) {
		notes = append(notes, fmt.Sprintf("The weights of the approximation have a heavy tail (Pareto k up to %s): its divergence may be infinite, and the gap of one step has no reliable error.", short(float64(slices.Max(k)))))
	}
	if l := f.Likelihood; !math.IsNaN(float64(l.Own)) {
		on := "On the first data set"
		if d.options.Data == Given {
			on = "On the data at hand"
		}
		notes = append(notes, fmt.Sprintf("%s the log likelihood is %s at annealed draws and %s at %s's own, on average.",
			on, strconv.FormatFloat(float64(l.Annealed), 'f', 2, 64), strconv.FormatFloat(float64(l.Own), 'f', 2, 64), d.options.Method.Name()))
	}
	return notes
}

func deadChains(sets []*dataset) int {
	n := 0
	for _, s := range sets {
		for _, f := range s.forward {
			for _, v := range f {
				if math.IsInf(v, -1) {
					n++
				}
			}
		}
	}
	return n
}

func ladderTable(f Figures) diagnose.Table {
	t := diagnose.Table{Header: []string{"steps", "forward", "reverse", "gap", "error", "95 % interval", "gap of 99 %", "slope", "s/chain"}}
	for _, r := range f.Ladder {
		row := []string{strconv.Itoa(r.Steps), "", place(meanNumber(r.Reverse), 0), "", "", "", "", "", short(float64(r.Seconds))}
		if len(r.Forward) > 0 {
			row[1], row[3], row[4] = place(meanNumber(r.Forward), 0), place(r.Gap, 0), place(r.Error, 0)
			row[5] = place(r.Interval[0], 0) + " to " + place(r.Interval[1], 0)
			if float64(len(r.Forward))*leftOut >= 1 {
				row[6] = place(r.Trimmed, 0)
			}
		}
		if e := float64(r.Slope.Error); e < 10 { // otherwise it says nothing
			row[7] = fmt.Sprintf("%.2f +- %s", float64(r.Slope.Value), short(e))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func pathTable(f Figures) diagnose.Table {
	t := diagnose.Table{Title: "The kernel along the longest chains", Header: []string{"up to beta", "accepted forward", "in reverse", "step size"}}
	if !slices.ContainsFunc(f.Path, func(p PathPoint) bool { return !math.IsNaN(float64(p.Forward)) }) {
		return diagnose.Table{} // a kernel that accepts all, and has no step size
	}
	for _, p := range f.Path {
		row := []string{fmt.Sprintf("%.3f", float64(p.Beta)), place(p.Forward, 0), "", short(float64(p.StepSize))}
		if !math.IsNaN(float64(p.Reverse)) { // a stretch of the last step has no reverse move
			row[2] = place(p.Reverse, 0)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func realTable(r *Real) diagnose.Table {
	t := diagnose.Table{Title: "Forward medians below the best one", Header: []string{"steps", "simulated", "data at hand", "spread"}}
	for _, p := range r.Rungs {
		t.Rows = append(t.Rows, []string{strconv.Itoa(p.Steps), place(p.Simulated, 0), place(p.Real, 0), place(p.Spread, 0)})
	}
	return t
}

// list joins names.
func list(names []string) string { return strings.Join(names, ", ") }

func (d *Diagnosis) noParameters() *diagnose.Verdict {
	return &diagnose.Verdict{
		Kind: d.Name(), Severity: diagnose.None, Summary: "The model has no parameters, so there is nothing to approximate, and nothing to judge.",
		Figures: Figures{Ladder: []Rung{}, ByDataset: []OfDataset{}, LogEvidence: unknown, Trimmed: noTrim, Violation: Violation{nan, 1}, Ranks: noRanks, Contradiction: nan, Likelihood: Likelihood{nan, nan}, Path: []PathPoint{}},
	}
}

func withError(b Bound) string {
	if math.IsNaN(float64(b.Error)) {
		return short(float64(b.Bound))
	}
	return fmt.Sprintf("%s (standard error %s)", place(b.Bound, b.Error), short(float64(b.Error)))
}

// longNumber is where numbers are written with an exponent, so that tables stay narrow.
const longNumber = 1e5

// place writes x with as many decimals as its error deserves, at least two.
func place(x, err draws.Number) string {
	if math.Abs(float64(x)) >= longNumber {
		return strconv.FormatFloat(float64(x), 'g', 3, 64)
	}
	decimals := 2
	if e := float64(err); e > 0 && e < 0.1 {
		decimals = min(6, 1-int(math.Floor(libm.Log10(e))))
	}
	text := strconv.FormatFloat(float64(x), 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" { // no negative zero
		return strings.TrimPrefix(text, "-")
	}
	return text
}

func short(x float64) string { return strconv.FormatFloat(x, 'g', 2, 64) }

func meanNumber(x []draws.Number) draws.Number {
	s := 0.0
	for _, v := range x {
		s += float64(v)
	}
	return draws.Number(s / float64(len(x)))
}

func mean(x []float64) float64 { return sum(x) / float64(len(x)) }

func sum(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s
}
