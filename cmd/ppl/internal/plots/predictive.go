// This file shows predictive checks: replicated data beside the data at hand.

package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"

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
	if lo, hi, ok := counted(append(slices.Clone(rep), p.Y)...); ok {
		return panel.countedReplications(p, rep, lo, hi)
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
