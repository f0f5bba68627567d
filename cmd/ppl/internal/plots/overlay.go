// This file lays verdicts, and fits, over each other.

package plots

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/seed-12b88e03/ppl/diagnose/bread"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// A Source is a verdict and the folder that it stands in.
type Source struct {
	Dir string
	*Verdict
}

// Overlay shows verdicts of bread in one picture: values of single chains, and their gap against
// steps and against seconds. It is nil where there are fewer than two of them; an error names what cannot
// be read.
func Overlay(all []Source) (*Figure, error) {
	all = slices.DeleteFunc(slices.Clone(all), func(s Source) bool { return s.Kind != "bread" })
	if len(all) < 2 {
		return nil, nil
	}
	fig := &Figure{
		Name: "overlay_bread", Title: "Annealed chains of several runs",
		Note: "Solid: forward chains, below log p(y) on average. Dashed: reverse chains, above it. Medians, relative to each run's estimate of log p(y); the run whose gap falls first needs the fewest steps, or seconds.",
	}
	steps := Axis{Label: "steps (log scale)", Log: true}
	gap := Axis{Label: "gap, log scale (nats)", Log: true}
	values := &Panel{Title: "sandwich", X: steps, Y: Axis{Label: "difference from log p(y) (nats)"}, Height: 260}
	bySteps := &Panel{Title: "gap by steps", X: steps, Y: gap, Height: 260}
	bySeconds := &Panel{Title: "gap by seconds", X: Axis{Label: "seconds of one chain (log scale)", Log: true}, Y: gap, Height: 260}
	for i, s := range all {
		var f bread.Figures
		err := json.Unmarshal(s.text, &f)
		if err == nil {
			err = agreeingBread(&f)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: figures of bread: %w", s.Dir, err)
		}
		fig.Legend = append(fig.Legend, Key{sourceName(all, i), Series(i), LineShape})
		values.medians(&f, Series(i))
		bySteps.gaps(f.Ladder, Series(i), func(r bread.Rung) float64 { return float64(r.Steps) })
		bySeconds.gaps(f.Ladder, Series(i), func(r bread.Rung) float64 { return float64(r.Seconds) })
	}
	values.add(rule{at: 0, across: true, stroke: stroke{color: Ink, width: 1, dash: true}})
	fig.Panels = []*Panel{values, bySteps, bySeconds}
	return fig, nil
}

// sourceName tells a run from the others: by its folder, by its directive, or by both.
func sourceName(all []Source, i int) string {
	same := func(f func(Source) string) (n int) {
		for _, s := range all {
			if f(s) == f(all[i]) {
				n++
			}
		}
		return n
	}
	base := func(s Source) string { return filepath.Base(s.Dir) }
	directive := func(s Source) string { return s.Directive }
	switch {
	case same(base) == 1:
		return base(all[i])
	case same(directive) == 1:
		return all[i].Directive
	}
	return all[i].Dir + ": " + all[i].Directive
}

// medians draws those of both sides by steps, relative to the data sets' log p(y).
func (p *Panel) medians(f *bread.Figures, color Color) {
	for side, of := range []func(bread.Rung) []draws.Number{
		func(r bread.Rung) []draws.Number { return r.Forward }, func(r bread.Rung) []draws.Number { return r.Reverse },
	} {
		var n, mid []float64
		for _, r := range f.Ladder {
			if m := draws.Quantile(draws.Sorted([][]float64{relative(of(r), centres(f))}), 0.5); finite(m) {
				n, mid = append(n, float64(r.Steps)), append(mid, m)
			}
		}
		p.add(line{n, mid, stroke{color: color, width: 1.8, dash: side == 1}}, dots{x: n, y: mid, radius: 2.6, color: color})
	}
}

// gaps draws the gap of each rung where it is positive.
func (p *Panel) gaps(ladder []bread.Rung, color Color, at func(bread.Rung) float64) {
	var x, v []float64
	for _, r := range ladder {
		if g := float64(r.Gap); g > 0 && finite(g) && at(r) > 0 && !math.IsInf(at(r), 0) {
			x, v = append(x, at(r)), append(v, g)
		}
	}
	p.add(line{x, v, stroke{color: color, width: 1.8}}, dots{x: x, y: v, radius: 2.6, color: color})
}

// OverlayFits shows the densities of columns that several fits have, under the fits' labels; nil where
// no two fits share one.
func OverlayFits(fits []*Fit, labels []string, c Choice) *Figure {
	fig := &Figure{
		Name: "overlay", Title: "The same quantities in several fits",
		Note: note("Curves of fits that agree lie on each other; of an approximation they show where it is too narrow, too wide, or elsewhere.", c),
	}
	for i, label := range labels {
		fig.Legend = append(fig.Legend, Key{label, Series(i), []Shape{LineShape, DashedShape}[i%2]})
	}
	for _, name := range c.Columns {
		var samples [][]float64
		var of []int
		for i, f := range fits {
			if x := f.pooled(name); x != nil {
				samples, of = append(samples, x), append(of, i)
			}
		}
		if len(of) < 2 {
			continue
		}
		p := &Panel{Title: name, X: Axis{Label: name}}
		p.curves(samples, func(i int) stroke { return stroke{color: Series(of[i]), width: lineWidth, dash: of[i]%2 == 1} })
		fig.Panels = append(fig.Panels, p)
	}
	if len(fig.Panels) == 0 {
		return nil
	}
	return fig
}
