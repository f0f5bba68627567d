// This file shows predictive checks: replicated data beside the data at hand.

package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// A Prediction is a generated quantity that replicates a variable of the data.
type Prediction struct {
	Replicated string
	Observed   string
	Y          []float64 // as observed
}

// replicateForms are what people call replications of x.
var replicateForms = []string{"%s_rep", "%srep", "%s_sim", "%s_pred", "%s_tilde", "%s_new", "%s_ppc", "rep_%s", "sim_%s", "pred_%s"}

// Predictions finds the generated quantities that are named after a variable of the data
// and have as many elements, at least two.
func (f *Fit) Predictions(observed map[string][]float64) []Prediction {
	var out []Prediction
	for _, name := range slices.Sorted(keys(observed)) {
		for _, form := range replicateForms {
			if p, err := f.Prediction(fmt.Sprintf(form, name), name, observed[name]); err == nil {
				out = append(out, p)
			}
		}
	}
	return out
}

func keys(m map[string][]float64) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// Prediction pairs a variable of the fit with observations.
func (f *Fit) Prediction(replicated, observed string, y []float64) (Prediction, error) {
	at, err := draws.Select(f.table.Columns(), []string{replicated})
	switch {
	case err != nil:
		return Prediction{}, err
	case len(at) != len(y):
		return Prediction{}, fmt.Errorf("%s has %d elements and %s in the data has %d; they must be the same number", replicated, len(at), observed, len(y))
	case len(y) < 2:
		return Prediction{}, fmt.Errorf("%s has %d elements; a predictive check needs at least two", observed, len(y))
	case slices.ContainsFunc(y, func(v float64) bool { return !finite(v) }):
		return Prediction{}, fmt.Errorf("%s in the data has elements that are not finite", observed)
	}
	return Prediction{replicated, observed, y}, nil
}

// Replications that are shown as curves, and those that statistics are taken of.
const (
	shownReplications = 40
	mostReplications  = 1000
)

// Predictive shows the distribution of observed and replicated data, and statistics of
// them; nil where there are no predictions.
func (f *Fit) Predictive(predictions []Prediction) *Figure {
	if len(predictions) == 0 {
		return nil
	}
	fig := &Figure{
		Name: "predictive", Title: "Predictive check",
		Note:   "Data replicated by the fitted model beside the data at hand. A statistic of the data far out in that of the replications (p near 0 or 1) is a feature that the model does not have.",
		Legend: []Key{{"data", Alert, LineShape}, {"replications", series, LineShape}},
	}
	banded := false
	for _, p := range predictions {
		rep := f.replications(p.Replicated)
		panel := distributions(p, rep)
		banded = banded || panel.X.Whole // counts are shown with bands
		fig.Panels = append(fig.Panels, panel)
		for _, s := range statistics {
			fig.Panels = append(fig.Panels, s.panel(p, rep))
		}
	}
	if banded {
		fig.Legend = append(fig.Legend, Key{"80 % of replications", series, BandShape})
	}
	return fig
}

// replications are data sets, evenly taken from all chains.
func (f *Fit) replications(name string) [][]float64 {
	at, err := draws.Select(f.table.Columns(), []string{name})
	if err != nil {
		return nil
	}
	skip := 1 + len(f.table.Stats())
	var rows [][]float64
	for chain := range f.table.Chains() {
		for i := range f.table.Len(chain) {
			rows = append(rows, f.table.Row(chain, i))
		}
	}
	var out [][]float64
	for _, r := range thinned(rows, mostReplications) {
		x := draws.Picked(r[skip:], at)
		if !slices.ContainsFunc(x, func(v float64) bool { return !finite(v) }) {
			out = append(out, x)
		}
	}
	return out
}

func distributions(p Prediction, rep [][]float64) *Panel {
	panel := &Panel{Title: p.Replicated + " and " + p.Observed, X: Axis{Label: p.Observed}}
	if whole(p.Y) && whole(slices.Concat(rep...)) {
		if lo, hi, ok := counted(append(slices.Clone(rep), p.Y)...); ok && hi-lo < fewCounts {
			return panel.countedReplications(p, rep, lo, hi)
		}
		return panel.cumulative(p, rep)
	}
	panel.Y = Axis{Label: "density", Bare: true}
	shown := thinned(rep, shownReplications)
	for _, x := range shown {
		lo, hi := ends(x, shown...)
		if at, v := smooth(within(x, lo, hi), lo, hi); len(at) > 0 {
			panel.add(line{at, v, stroke{color: Series(0), width: 0.8, alpha: 0.35}})
		}
	}
	lo, hi := ends(p.Y, shown...)
	if at, v := smooth(within(p.Y, lo, hi), lo, hi); len(at) > 0 {
		panel.add(line{at, v, stroke{color: Alert, width: 2}})
	}
	return panel
}

// fewCounts is up to how many different counts are shown one by one.
const fewCounts = 15

func whole(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return v != math.Trunc(v) || math.IsInf(v, 0) })
}

// cumulative shows the empirical distribution function of counts, with a band in which those of 80 % of the replications
// lie at each count.
func (p *Panel) cumulative(of Prediction, rep [][]float64) *Panel {
	p.X.Whole, p.Y = true, Axis{Label: "share up to the count", Range: []float64{0, 1}}
	lo, hi := reach(append(slices.Clone(rep), of.Y)...)
	steps := min(hi-lo, gridPoints)
	var at, low, mid, high, own []float64
	upTo := func(sorted []float64, v float64) float64 {
		i, _ := slices.BinarySearchFunc(sorted, v, func(e, v float64) int {
			if e <= v {
				return -1
			}
			return 1
		})
		return float64(i) / float64(len(sorted))
	}
	sorted := make([][]float64, len(rep))
	for i, x := range rep {
		sorted[i] = slices.Sorted(slices.Values(x))
	}
	y := slices.Sorted(slices.Values(of.Y))
	for k := 0.0; k <= steps && steps > 0; k++ {
		v := math.Floor(lo + (hi-lo)*k/steps)
		var shares []float64
		for _, x := range sorted {
			shares = append(shares, upTo(x, v))
		}
		slices.Sort(shares)
		q := func(share float64) float64 { return draws.Quantile(shares, share) }
		at, own = append(at, v), append(own, upTo(y, v))
		low, mid, high = append(low, q(0.1)), append(mid, q(0.5)), append(high, q(0.9))
	}
	return p.add(area{at, low, high, Series(0), bandAlpha}, line{at, mid, stroke{color: Series(0), width: 1.2}}, line{at, own, stroke{color: Alert, width: 2}})
}

// countedReplications shows how often each whole number comes.
func (p *Panel) countedReplications(of Prediction, rep [][]float64, lo, hi int) *Panel {
	p.X.Whole, p.Y = true, Axis{Label: "share of observations"}
	count := make([][]float64, hi-lo+1)
	for _, x := range rep {
		for k, v := range shares(x, lo, hi) {
			count[k] = append(count[k], v)
		}
	}
	at := float(hi - lo + 1)
	for k := range at {
		at[k] += float64(lo)
		x := draws.Sorted([][]float64{count[k]})
		q := func(p float64) float64 { return draws.Quantile(x, p) }
		edge := []float64{at[k] - 0.4, at[k] + 0.4}
		p.add(area{edge, []float64{q(0.1), q(0.1)}, []float64{q(0.9), q(0.9)}, Series(0), bandAlpha})
		p.add(line{edge, []float64{q(0.5), q(0.5)}, stroke{color: Series(0), width: 1.5}})
	}
	return p.add(dots{x: at, y: shares(of.Y, lo, hi), radius: 3, color: Alert})
}

// A statistic of a data set.
type statistic struct {
	name string
	of   func(x []float64) float64
}

var statistics = []statistic{
	{"mean", func(x []float64) float64 { return draws.Mean([][]float64{x}) }},
	{"sd", func(x []float64) float64 { return draws.SD([][]float64{x}) }},
	{"minimum", slices.Min[[]float64]},
	{"maximum", slices.Max[[]float64]},
}

// panel shows the statistic of replications as bars and that of the data as a line. p is
// the share of replications whose statistic is at least as large, ties counted half.
func (s statistic) panel(of Prediction, rep [][]float64) *Panel {
	observed, p := s.of(of.Y), 0.0
	var values []float64
	for _, x := range rep {
		v := s.of(x)
		values = append(values, v)
		switch {
		case v > observed:
			p += 1 / float64(len(rep))
		case v == observed:
			p += 0.5 / float64(len(rep))
		}
	}
	panel := &Panel{
		Title: s.name + " of " + of.Observed, Note: fmt.Sprintf("p = %.2f", p),
		X: Axis{Label: s.name + " of " + of.Observed}, Y: Axis{Label: "replications"},
	}
	_, _, panel.X.Whole = counted(values)
	return panel.add(histogram(values, Series(0)), rule{at: observed, stroke: stroke{color: Alert, width: 2}})
}

// predictiveFigures show the statistics of a verdict that keeps them, and the distances that calibrate it.
func predictiveFigures(f *diagnose.PredictiveFigures) []*Figure {
	fig := &Figure{
		Name: f.From + "_predictive", Title: "Statistics of data simulated from the " + f.From,
		Note:   "A statistic of the data far out in that of simulated data sets is a feature that the model does not have. Distances are in standard deviations of simulated statistics; those of data sets from the model, fitted in the same way, make a p-value uniform.",
		Legend: []Key{{"data", Alert, LineShape}, {"simulated", series, BandShape}},
	}
	panel := func(c *diagnose.PredictiveCheck, label, note string, at draws.Number, values []draws.Number) {
		var x []float64
		for _, v := range values {
			if finite(float64(v)) {
				x = append(x, float64(v))
			}
		}
		if len(x) > 0 && finite(float64(at)) && len(fig.Panels) < mostQuantities {
			p := &Panel{Title: c.Label(), Note: note, X: Axis{Label: label}, Y: Axis{Label: "data sets"}}
			fig.Panels = append(fig.Panels, p.add(histogram(x, Series(0)), rule{at: float64(at), stroke: stroke{color: Alert, width: 2}}))
		}
	}
	for i := range f.Checks {
		c := &f.Checks[i]
		panel(c, c.Label(), fmt.Sprintf("p = %.2f", float64(c.P)), c.Observed, c.Simulated)
		if c.Calibrated != nil {
			panel(c, "distance", fmt.Sprintf("calibrated p = %.2g", float64(*c.Calibrated)), c.Distance, c.Reference)
		}
	}
	if len(fig.Panels) == 0 {
		return nil
	}
	return []*Figure{fig}
}

// histogram has bars of one width, for whole numbers one a number.
func histogram(x []float64, c Color) bars {
	if lo, hi, ok := counted(x); ok && len(x) > 0 {
		b := bars{height: shares(x, lo, hi), color: c, alpha: 0.6}
		for k := range b.height {
			b.height[k] = math.Round(b.height[k] * float64(len(x)))
			b.edges = append(b.edges, float64(lo+k)-0.5)
		}
		b.edges = append(b.edges, float64(hi)+0.5)
		return b
	}
	const bins = 24
	lo, hi := reach(x)
	b := bars{edges: make([]float64, bins+1), height: make([]float64, bins), color: c, alpha: 0.6}
	for i := range b.edges {
		b.edges[i] = lo + (hi-lo)*float64(i)/bins
	}
	for _, v := range within(x, lo, hi) {
		b.height[min(bins-1, int(bins*(v-lo)/(hi-lo)))]++
	}
	return b
}

// ParsePair reads REPLICATED=OBSERVED.
func ParsePair(text string) (replicated, observed string, ok bool) {
	replicated, observed, ok = strings.Cut(text, "=")
	return replicated, observed, ok && replicated != "" && observed != ""
}
