// This file shows a swapped posterior beside the one that it came from.

package plots

// Swap shows the densities of columns under the old priors and under the new ones.
func Swap(old, swapped *Fit, c Choice) *Figure {
	fig := &Figure{
		Name: "prior_swap", Title: "Posterior under the old priors and under the new ones",
		Note:   note("Where the new posterior lies beyond the draws of the old one, it rests on the form assumed for its tails.", c),
		Legend: []Key{{"under the new priors: " + swapped.Name, series, LineShape}, {"under the old priors: " + old.Name, series + 1, DashedShape}},
	}
	for _, name := range c.Columns {
		before := old.pooled(name)
		if before == nil {
			continue
		}
		p := &Panel{Title: name, X: Axis{Label: name}}
		p.curves([][]float64{swapped.pooled(name), before}, func(i int) stroke {
			return stroke{color: Series(i), width: lineWidth, dash: i == 1}
		})
		fig.Panels = append(fig.Panels, p)
	}
	if len(fig.Panels) == 0 {
		return nil
	}
	return fig
}
