// This file shows the figures of the diagnoses that wrap methods.

package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/diagnose/bread"
	"github.com/seed-12b88e03/ppl/diagnose/gibbsprior"
	"github.com/seed-12b88e03/ppl/diagnose/sbc"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// mostQuantities bounds the panels of one figure of a verdict.
const mostQuantities = 12

// breadFigures show the sandwich against the number of steps, on data sets side by side:
// values are taken relative to the estimate of their data set.
func breadFigures(f *bread.Figures) []*Figure {
	fig := &Figure{
		Name: "bread", Title: "Annealed chains from both sides of log p(y)",
		Note: "Medians and quartiles of single chains. Forward chains lie below log p(y) on average and reverse chains above it; the closer they come, the closer annealed chains end to the posterior.",
		Legend: []Key{
			{"forward", series, LineShape}, {"reverse", series + 1, DashedShape},
			{"quartiles, forward", series, BandShape}, {"quartiles, reverse", series + 1, BandShape},
			{"estimate of log p(y)", Ink, DashedShape},
		},
	}
	centre := make([]float64, max(1, f.Datasets))
	label := "log p(y) (nats)"
	if f.Datasets > 1 {
		label = "difference from log p(y) (nats)"
		centre = centres(f)
	}
	p := &Panel{
		Title: "sandwich", X: Axis{Label: "steps (log scale)", Log: true}, Y: Axis{Label: label},
		Note: fmt.Sprintf("%d data sets", f.Datasets), Height: 260,
	}
	if f.Datasets == 1 {
		p.Note = "one data set"
	}
	p.sandwich(f.Ladder, centre)
	zero := float64(f.LogEvidence.Estimate)
	if f.Datasets > 1 {
		zero = 0
	}
	p.add(rule{at: zero, across: true, stroke: stroke{color: Ink, width: 1, dash: true}})
	fig.Panels = append(fig.Panels, p, gapPanel(f.Ladder))
	if len(f.Ladder) == 0 {
		return nil
	}
	if f.Real != nil {
		fig.Panels = append(fig.Panels, realPanel(f))
	}
	return []*Figure{fig}
}

// centres are the estimates of log p(y) by data set.
func centres(f *bread.Figures) []float64 {
	if f.Datasets < 2 {
		return []float64{float64(f.LogEvidence.Estimate)}
	}
	out := make([]float64, f.Datasets)
	for i, s := range f.ByDataset {
		out[i] = float64(s.Estimate)
	}
	return out
}

// relative are values that stand data set by data set, as many of each, minus that one's centre.
func relative(x []draws.Number, centre []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		// Chains that met density zero stand as null: minus infinity.
		if math.IsNaN(float64(v)) {
			v = draws.Number(math.Inf(-1))
		}
		out[i] = float64(v) - centre[i*len(centre)/len(x)]
	}
	return out
}

// sandwich draws both sides. Quartiles far from all medians are cut off.
func (p *Panel) sandwich(ladder []bread.Rung, centre []float64) {
	medians, all := nothing, nothing
	for side, values := range []func(bread.Rung) []draws.Number{
		func(r bread.Rung) []draws.Number { return r.Forward }, func(r bread.Rung) []draws.Number { return r.Reverse },
	} {
		var n, low, mid, high []float64
		for _, r := range ladder {
			sorted := draws.Sorted([][]float64{relative(values(r), centre)})
			if len(sorted) == 0 || !finite(draws.Quantile(sorted, 0.25)) {
				continue
			}
			n = append(n, float64(r.Steps))
			medians.add(draws.Quantile(sorted, 0.5))
			all.add(draws.Quantile(sorted, 0.25))
			all.add(draws.Quantile(sorted, 0.75))
			low, mid, high = append(low, draws.Quantile(sorted, 0.25)), append(mid, draws.Quantile(sorted, 0.5)), append(high, draws.Quantile(sorted, 0.75))
		}
		p.add(area{n, low, high, Series(side), bandAlpha},
			line{n, mid, stroke{color: Series(side), width: 1.8, dash: side == 1}}, dots{x: n, y: mid, radius: 2.6, color: Series(side)})
	}
	if far := medians.hi - medians.lo; far > 0 {
		p.Y.Range = []float64{math.Max(all.lo, medians.lo-2*far) - 0.05*far, math.Min(all.hi, medians.hi+2*far) + 0.05*far}
	}
}

// gapPanel shows the mean gap, the bound on the Jeffreys divergence.
func gapPanel(ladder []bread.Rung) *Panel {
	p := &Panel{Title: "gap", X: Axis{Label: "steps (log scale)", Log: true}, Y: Axis{Label: "gap, log scale (nats)", Log: true}, Height: 260}
	var n, v []float64
	for _, r := range ladder {
		g, e := float64(r.Gap), float64(r.Error)
		if !(g > 0) || !finite(g) {
			continue
		}
		n, v = append(n, float64(r.Steps)), append(v, g)
		if low := g - e; finite(e) {
			if low <= 0 {
				low = g / 10
			}
			at := float64(r.Steps)
			p.add(line{[]float64{at, at}, []float64{low, g + e}, stroke{color: Series(2), width: 1.2}})
		}
	}
	if len(n) > 0 {
		p.Note = fmt.Sprintf("last: %.3g nats", v[len(v)-1])
	}
	return p.add(line{n, v, stroke{color: Series(2), width: 1.8}}, dots{x: n, y: v, radius: 2.6, color: Series(2)})
}

// realPanel shows how forward chains improve with their length on simulated data and on the data at hand:
// medians, each curve shifted by its best one.
func realPanel(f *bread.Figures) *Panel {
	p := &Panel{Title: "data at hand (dashed) and simulated", Note: "they agree", X: Axis{Label: "steps (log scale)", Log: true}, Y: Axis{Label: "forward, shifted by the best (nats)"}, Height: 260}
	if !f.Real.Agree {
		p.Note = "they do not agree"
	}
	for i, of := range []func(bread.RealPoint) draws.Number{
		func(r bread.RealPoint) draws.Number { return r.Simulated }, func(r bread.RealPoint) draws.Number { return r.Real },
	} {
		var n, v []float64
		for _, r := range f.Real.Rungs {
			if finite(float64(of(r))) {
				n, v = append(n, float64(r.Steps)), append(v, float64(of(r)))
			}
		}
		p.add(line{n, v, stroke{color: Series(3 * i), width: 1.8, dash: i == 1}}, dots{x: n, y: v, radius: 2.6, color: Series(3 * i)})
	}
	return p
}

// gibbsPriorFigures show the stated prior beside the one that the method behaves by.
func gibbsPriorFigures(f *gibbsprior.Figures) []*Figure {
	fig := &Figure{
		Name: "gibbs_prior", Title: "Stated prior and Gibbs prior",
		Note:   "Of an exact method the curves are the same. Densities are smoothed from quantiles.",
		Legend: []Key{{"stated prior", series, LineShape}, {"Gibbs prior", series + 1, DashedShape}},
	}
	if float64(f.RHat) > gibbsprior.MostRHat || float64(f.ESS) < gibbsprior.LeastESS {
		fig.Note += fmt.Sprintf(" The Gibbs chains have not converged (R-hat %.3f, effective draws %.0f): the second curves may still move.", float64(f.RHat), float64(f.ESS))
	}
	for _, s := range f.Statistics {
		if len(s.Quantiles.Prior) == 0 || len(s.Quantiles.Gibbs) == 0 || len(fig.Panels) == mostQuantities {
			continue
		}
		p := &Panel{Title: s.Name, Note: fmt.Sprintf("p = %.2g", float64(s.P)), X: Axis{Label: s.Name}}
		p.curves([][]float64{floats(s.Quantiles.Prior), floats(s.Quantiles.Gibbs)}, func(i int) stroke {
			return stroke{color: Series(i), width: 1.8, dash: i == 1}
		})
		fig.Panels = append(fig.Panels, p)
	}
	if len(fig.Panels) == 0 {
		return nil
	}
	fig.shown(len(f.Statistics))
	return []*Figure{fig}
}

// shown reports how many panels of all are there.
func (f *Figure) shown(all int) {
	if all > len(f.Panels) {
		f.Note += fmt.Sprintf(" Shown are %d of %d quantities.", len(f.Panels), all)
	}
}

func floats(x []draws.Number) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

// sbcFigures show the ranks' histogram and the difference of their distribution function
// from that of uniform ranks (Säilynoja, Bürkner and Vehtari 2022), smallest p first.
func sbcFigures(f *sbc.Figures) []*Figure {
	ranks := &Figure{
		Name: "sbc_ranks", Title: "Ranks of true values among draws",
		Note:   "Of an exact method the ranks are uniform. A heap in the middle: the draws are too wide; heaps at the ends: too narrow; a slope: they lie to one side.",
		Legend: []Key{{"replications", series, BandShape}, {"99 % of bins, if exact", series + 5, BandShape}},
	}
	ecdf := &Figure{
		Name: "sbc_ecdf", Title: "Distribution of the ranks, less that of uniform ones",
		Note:   "If the method is exact, a curve stays within the band all along with a probability of 99 %.",
		Legend: []Key{{"difference", series, LineShape}, {"99 % of whole curves, if exact", series + 5, BandShape}},
	}
	for _, q := range smallestFirst(f.Parameters) {
		if len(ranks.Panels) == mostQuantities {
			break
		}
		var seen []float64
		for _, r := range q.Ranks {
			if r != nil {
				seen = append(seen, float64(*r))
			}
		}
		if len(seen) == 0 {
			continue
		}
		ranks.Panels = append(ranks.Panels, rankPanel(q, len(seen), f.Draws))
		ecdf.Panels = append(ecdf.Panels, ecdfPanel(q, seen, f))
	}
	if len(ranks.Panels) == 0 {
		return nil
	}
	ranks.shown(len(f.Parameters))
	ecdf.shown(len(f.Parameters))
	return []*Figure{ranks, ecdf}
}

func smallestFirst(all []sbc.Parameter) []sbc.Parameter {
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b sbc.Parameter) int { return cmp.Compare(float64(a.P), float64(b.P)) })
	return out
}

// rankPanel shows the bins of a quantity; the band is binomial.
func rankPanel(q sbc.Parameter, n, most int) *Panel {
	p := &Panel{Title: q.Name, Note: fmt.Sprintf("p = %.2g", float64(q.P)), X: Axis{Label: "rank", Whole: true}, Y: Axis{Label: "replications"}}
	b := bars{color: Series(0), alpha: 0.6}
	bins := len(q.Histogram)
	for i, v := range q.Histogram {
		b.edges, b.height = append(b.edges, float64(i)*float64(most+1)/float64(bins)), append(b.height, float64(v))
	}
	b.edges = append(b.edges, float64(most+1))
	lo, hi := binomialQuantile(n, 1/float64(bins), 0.005), binomialQuantile(n, 1/float64(bins), 0.995)
	edge := []float64{0, float64(most + 1)}
	return p.add(area{edge, []float64{lo, lo}, []float64{hi, hi}, series + 5, bandAlpha}, b,
		line{edge, []float64{lo, lo}, stroke{color: Ink, width: 0.7, dash: true}}, line{edge, []float64{hi, hi}, stroke{color: Ink, width: 0.7, dash: true}})
}

// binomialQuantile is the least count of successes among n that is not exceeded with probability p.
func binomialQuantile(n int, success, p float64) float64 {
	k := 0
	for below := special.BinomialMass(0, n, success); k < n && below < p; below += special.BinomialMass(k, n, success) {
		k++
	}
	return float64(k)
}

// ecdfPanel shows the curve of a quantity with the band for as many ranks, which is not there for
// one that some replications have no rank of.
func ecdfPanel(q sbc.Parameter, seen []float64, f *sbc.Figures) *Panel {
	p := &Panel{Title: q.Name, Note: fmt.Sprintf("p = %.2g", float64(q.ECDF)), X: Axis{Label: "rank", Whole: true}, Y: Axis{Label: "difference"}}
	count := make([]float64, f.Draws+1)
	for _, r := range seen {
		count[int(r)]++
	}
	var at, v []float64
	below := 0.0
	for k := range f.Draws {
		below += count[k]
		at, v = append(at, float64(k)), append(v, below/float64(len(seen))-float64(k+1)/float64(f.Draws+1))
	}
	if b := f.Bands; b != nil && b.N == len(seen) {
		p.add(area{at, floats(b.ECDF.Low), floats(b.ECDF.High), series + 5, bandAlpha})
	}
	return p.add(rule{at: 0, across: true, stroke: stroke{color: Ink, width: 0.5}}, line{at, v, stroke{color: Series(0), width: lineWidth}})
}
