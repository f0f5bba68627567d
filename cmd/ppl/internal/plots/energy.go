// This file shows the energy of Hamiltonian samplers, and the way of optimisers.

package plots

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Bounds of what is shown by chain.
const mostChains = 8

// Energy shows the energies beside their changes from draw to draw (Betancourt 2016,
// arXiv:1604.00695); nil for methods without energy.
func (f *Fit) Energy() *Figure {
	x := f.beginning.Column("energy__")
	if !f.Markov || len(x) == 0 || len(x[0]) < 8 {
		return nil
	}
	fig := &Figure{
		Name: "energy", Title: "Energy", Legend: []Key{{"energy, less its mean", series, LineShape}, {"change from draw to draw", series + 1, DashedShape}},
		Note: fmt.Sprintf("Where the changes are much narrower than the energies (E-BFMI below %.1g), the sampler explores the tails slowly.", 0.3),
	}
	for i, e := range x[:min(mostChains, len(x))] {
		mean := draws.Mean([][]float64{e})
		centred, change := make([]float64, len(e)), make([]float64, len(e)-1)
		for k, v := range e {
			centred[k] = v - mean
			if k > 0 {
				change[k-1] = v - e[k-1]
			}
		}
		p := &Panel{Title: fmt.Sprintf("chain %d", i+1), Note: fmt.Sprintf("E-BFMI %.2f", draws.EBFMI(e)), X: Axis{Label: "energy (nats)"}}
		p.curves([][]float64{centred, change}, func(i int) stroke { return stroke{color: Series(i), width: lineWidth, dash: i == 1} })
		fig.Panels = append(fig.Panels, p)
	}
	if hidden := len(x) - mostChains; hidden > 0 {
		fig.Note += fmt.Sprintf(" %d more chains are not shown.", hidden)
	}
	return fig
}

// Objective shows the way of an optimiser, path by path; nil where there was none.
func Objective(r *draws.FitRun) *Figure {
	if r == nil || len(r.Trace) < 2 {
		return nil
	}
	label, way := "log density (nats)", "rises"
	switch {
	case r.Objective != nil:
		label, way = "objective, which is minimised", "falls"
	case r.ELBO != nil:
		label = "evidence lower bound (nats)"
	}
	p := &Panel{Title: "objective", X: Axis{Label: "iteration", Whole: true}, Y: Axis{Label: label}}
	paths := map[int]*line{}
	last := 0
	for _, t := range r.Trace {
		if paths[t.Path] == nil {
			paths[t.Path] = &line{stroke: stroke{color: Series(t.Path), width: lineWidth}}
			last = max(last, t.Path)
		}
		l := paths[t.Path]
		l.x, l.y = append(l.x, float64(t.Iteration)), append(l.y, float64(t.Objective))
	}
	for i := range last + 1 {
		if l := paths[i]; l != nil {
			p.add(*l)
		}
	}
	// The first steps may come from so far away that nothing else would be seen.
	var seen []float64
	for _, l := range paths {
		seen = append(seen, l.y...)
	}
	note := "A curve that still " + way + " asks for more iterations."
	if lo, hi := reach(seen); hi > lo {
		p.Y.Range = []float64{lo - 0.05*(hi-lo), hi + 0.05*(hi-lo)}
		note += leftOut(seen, p.Y.Range)
	}
	return &Figure{Name: "objective", Title: "The way of the optimiser", Note: note, Panels: []*Panel{p}}
}

// leftOut reports how many values are outside a range, and the one that is farthest from it.
func leftOut(values, within []float64) string {
	count, far, distance := 0, 0.0, 0.0
	for _, v := range values {
		if d := max(within[0]-v, v-within[1]); d > 0 {
			count++
			if d > distance {
				far, distance = v, d
			}
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf(" Not shown: %d of %d values, as far away as %.4g.", count, len(values), far)
}
