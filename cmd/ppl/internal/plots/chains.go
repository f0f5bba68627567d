// This file shows how chains moved: traces, ranks, autocorrelation.

package plots

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// lineWidth is that of curves.
const lineWidth = 1.4

// Trace shows the draws in their order; nil where draws have none.
func (f *Fit) Trace(c Choice) *Figure {
	if !f.Markov {
		return nil
	}
	fig := &Figure{Name: "trace", Title: "Trace", Note: note("Chains that have converged move over the same range without drift.", c), Legend: f.chainKeys()}
	divergent := f.divergent()
	var when []float64
	for _, d := range divergent {
		for _, i := range d {
			when = append(when, float64(i+1))
		}
	}
	if len(when) > 0 {
		fig.Legend = append(fig.Legend, Key{"divergent transition, on the axis", Alert, LineShape})
	}
	for _, name := range c.Columns {
		p := &Panel{Title: name, Note: f.figures(name), X: Axis{Label: "draw", Whole: true}, Y: Axis{Label: name}}
		for i, x := range f.column(name) {
			at, v := envelope(x)
			for k := range at {
				at[k] = float64((at[k]-1)*float64(f.step)) + 1
			}
			p.add(line{at, v, stroke{color: Series(i), width: 0.7, alpha: 0.8}})
		}
		fig.Panels = append(fig.Panels, p.add(rug{thinned(when, 200), Alert}))
	}
	return fig
}

// envelopeBins is how many pieces a long trace is cut into; each shows its extremes.
const envelopeBins = 150

// envelope leaves out of a trace what could not be seen.
func envelope(x []float64) (at, v []float64) {
	n := len(x)
	if n <= 2*envelopeBins {
		at = float(n)
		for i := range at {
			at[i]++
		}
		return at, x
	}
	for b := range envelopeBins {
		from, to := b*n/envelopeBins, (b+1)*n/envelopeBins
		lo, hi := from, from
		for i := from; i < to; i++ {
			if x[i] < x[lo] {
				lo = i
			}
			if x[i] > x[hi] {
				hi = i
			}
		}
		for _, i := range []int{min(lo, hi), max(lo, hi)} {
			at, v = append(at, float64(i+1)), append(v, x[i])
		}
	}
	return at, v
}

// rankBins is the number of bins of ranks.
const rankBins = 20

// Rank shows the ranks of each chain's draws among all (Vehtari et al. 2021, section 4);
// nil for a single chain.
func (f *Fit) Rank(c Choice) *Figure {
	if !f.Markov || f.table.Chains() < 2 {
		return nil
	}
	fig := &Figure{
		Name: "rank", Title: "Ranks", Legend: append(f.chainKeys(), Key{"99 % of bins, if chains agree", series + 5, BandShape}),
		Note: note("The ranks of each chain's draws among all draws, by bin; the band allows for autocorrelation. A chain that leaves it in more than 1 bin of 100 has another place or spread than the others.", c),
	}
	for _, name := range c.Columns {
		x := f.column(name)
		n := len(x[0])
		total := n * len(x)
		p := &Panel{Title: name, Note: f.figures(name), X: Axis{Label: "rank of the draw", Range: []float64{0, float64(total)}, Whole: true}, Y: Axis{Label: "draws"}}
		lo, hi := f.rankBand(name, n, total)
		p.add(area{x: []float64{0, float64(total)}, lo: []float64{lo, lo}, hi: []float64{hi, hi}, color: series + 5, alpha: bandAlpha})
		for i, chain := range ranks(x) {
			count := make([]float64, rankBins)
			for _, r := range chain {
				count[min(rankBins-1, int(r*rankBins/float64(total)))]++
			}
			at, v := steps(count, float64(total)/rankBins)
			p.add(line{at, v, stroke{color: Series(i), width: lineWidth}})
		}
		fig.Panels = append(fig.Panels, p)
	}
	return fig
}

// rankBand is where 99 % of the counts of a bin lie: normal, with the variance of a
// sample as large as the effective one.
func (f *Fit) rankBand(name string, n, total int) (lo, hi float64) {
	const share = 1.0 / rankBins
	ess := f.rows[name].ESSBulk
	if !(ess > 0) || ess > float64(total) {
		ess = float64(total)
	}
	// A chain's share of a bin varies as that of its own effective draws; that all
	// chains together have exactly a share of 1/bins takes a part of the variance away.
	chains := float64(total) / float64(n)
	sd := float64(n) * math.Sqrt(share*(1-share)*(1-1/chains)/(ess/chains))
	reach := special.NormalQuantile(0.995) * sd
	return math.Max(0, share*float64(n)-reach), share*float64(n) + reach
}

// steps is the outline of bins.
func steps(count []float64, width float64) (at, v []float64) {
	for i, n := range count {
		at, v = append(at, float64(i)*width, float64(i+1)*width), append(v, n, n)
	}
	return at, v
}

// mostLags is the largest lag shown.
const mostLags = 40

// Autocorrelation shows how draws depend on those before; nil where draws have no order.
func (f *Fit) Autocorrelation(c Choice) *Figure {
	if !f.Markov || f.beginning.Len(0) < 8 {
		return nil
	}
	n := f.beginning.Len(0)
	lags := min(mostLags, n/2)
	fig := &Figure{
		Name: "autocorrelation", Title: "Autocorrelation", Legend: append(f.chainKeys(), Key{"95 % for independent draws", series + 5, BandShape}),
		Note: note("The sooner the curves fall to zero, the more the draws are worth.", c),
	}
	edge := 1.96 / math.Sqrt(float64(n))
	for _, name := range c.Columns {
		p := &Panel{Title: name, Note: fmt.Sprintf("ESS %.0f", f.rows[name].ESSBulk), X: Axis{Label: "lag (draws)", Whole: true, Range: []float64{0, float64(lags)}}, Y: Axis{Label: "autocorrelation"}}
		p.add(area{x: []float64{0, float64(lags)}, lo: []float64{-edge, -edge}, hi: []float64{edge, edge}, color: series + 5, alpha: bandAlpha})
		p.add(rule{at: 0, across: true, stroke: stroke{color: Ink, width: 0.5}})
		for i, x := range f.beginning.Column(name) {
			if slices.Max(x) > slices.Min(x) {
				p.add(line{float(lags + 1), autocorrelation(x, lags), stroke{color: Series(i), width: lineWidth}})
			}
		}
		fig.Panels = append(fig.Panels, p)
	}
	return fig
}

// prefixes is how many beginnings of the chains the R-hat of each is shown of.
const prefixes = 25

// Convergence shows R-hat on growing beginnings of the chains; nil where there are none, or too few draws.
func (f *Fit) Convergence(c Choice) *Figure {
	if !f.Markov || f.table.Chains() < 2 || f.table.Len(0) < 2*prefixes {
		return nil
	}
	fig := &Figure{Name: "convergence", Title: "R-hat by length", Note: note("R-hat of the first draws of all chains. Of chains that converge it falls below the dashed line and stays there.", c)}
	for _, name := range c.Columns {
		x := f.column(name)
		p := &Panel{Title: name, Note: f.figures(name), X: Axis{Label: "draws of each chain", Whole: true}, Y: Axis{Label: "R-hat"}}
		var at, v []float64
		for k := range prefixes {
			n := (k + 1) * len(x[0]) / prefixes
			beginning := make([][]float64, len(x))
			for i := range x {
				beginning[i] = x[i][:n]
			}
			if r := draws.RHat(beginning); n >= 4 && finite(r) {
				at, v = append(at, float64(n*f.step)), append(v, r)
			}
		}
		p.add(rule{at: diagnose.RHatBound, across: true, stroke: stroke{color: Ink, width: 0.7, dash: true}}, line{at, v, stroke{color: Series(0), width: lineWidth}})
		fig.Panels = append(fig.Panels, p)
	}
	return fig
}

// note joins what to look for with how columns were chosen.
func note(text string, c Choice) string {
	if c.Note != "" {
		text += " Shown are " + c.Note
	}
	if c.Draws != "" {
		text += " " + c.Draws
	}
	return text
}
