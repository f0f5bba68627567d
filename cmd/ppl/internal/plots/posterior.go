// This file shows what was found: densities, intervals, pairs.

package plots

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Density shows the density of each column, by chain.
func (f *Fit) Density(c Choice) *Figure {
	fig := &Figure{Name: "density", Title: "Densities", Note: note("", c), Legend: f.chainKeys()}
	if f.Markov && f.table.Chains() > 1 {
		fig.Note = note("Chains that agree lie on one another.", c)
	}
	for _, name := range c.Columns {
		r := f.rows[name]
		p := &Panel{Title: name, Note: fmt.Sprintf("mean %.3g, sd %.3g", r.Mean, r.SD), X: axisOf(name, f.pooled(name))}
		p.curves(f.column(name), func(i int) stroke { return stroke{color: Series(i), width: lineWidth} })
		fig.Panels = append(fig.Panels, p)
	}
	return fig
}

// curves shows the density of samples over one another; of whole numbers, their shares.
func (p *Panel) curves(samples [][]float64, look func(i int) stroke) {
	if lo, hi, ok := counted(samples...); ok {
		p.X.Whole, p.Y = true, Axis{Label: "probability"}
		for i, x := range samples {
			at := float(hi - lo + 1)
			for k := range at {
				at[k] += float64(lo)
			}
			s := look(i)
			v := shares(x, lo, hi)
			p.add(line{at, v, s}, dots{x: at, y: v, radius: 1.8, color: s.color})
		}
		return
	}
	p.Y = Axis{Label: "density", Bare: true}
	if p.X.Log {
		samples = logarithms(samples)
	}
	least, top := math.Inf(1), 0.0
	for i, x := range samples {
		lo, hi := ends(x, samples...)
		at, v := smooth(within(x, lo, hi), lo, hi)
		if len(at) == 0 {
			continue
		}
		if p.X.Log { // the density of the logarithm
			for k := range at {
				at[k] = libm.Exp(at[k])
			}
		}
		least, top = math.Min(least, slices.Max(v)), math.Max(top, slices.Max(v))
		p.add(line{at, v, look(i)}, rule{at: 0, across: true, stroke: stroke{color: Faint, width: 0.5}})
	}
	if top > mostPeak*least {
		p.Y.Range = []float64{0, mostPeak * least}
		p.Y.Label = "density (cut off)"
	}
}

func logarithms(samples [][]float64) [][]float64 {
	out := make([][]float64, len(samples))
	for i, x := range samples {
		for _, v := range x {
			out[i] = append(out[i], libm.Log(v))
		}
	}
	return out
}

// PriorAndPosterior shows the density of each column beside that of its prior draws; nil where there are none.
func (f *Fit) PriorAndPosterior(c Choice, prior map[string][]float64) *Figure {
	fig := &Figure{
		Name: "prior", Title: "Prior and posterior", Note: "Where the two densities agree, the data say nothing about the quantity.",
		Legend: []Key{{"prior", series + 1, DashedShape}, {"posterior", series, LineShape}},
	}
	for _, name := range c.Columns {
		before := slices.DeleteFunc(slices.Clone(prior[name]), func(v float64) bool { return !finite(v) })
		if len(before) < 2 {
			continue
		}
		after := f.pooled(name)
		p := &Panel{Title: name, X: axisOf(name, after)}
		p.X.Log = p.X.Log && slices.Min(before) > 0
		if !p.X.Log {
			p.X.Label = name
		}
		p.curves([][]float64{before, after}, func(i int) stroke {
			if i == 0 {
				return stroke{color: Series(1), width: lineWidth, dash: true}
			}
			return stroke{color: Series(0), width: lineWidth}
		})
		fig.Panels = append(fig.Panels, p)
	}
	return fig
}

// mostPeak is how much higher than the lowest curve the highest may be, so that the
// lowest is seen.
const mostPeak = 6

// Sizes of the forest.
const (
	forestRows   = 25 // of a panel
	forestPanels = 12
	rowHeight    = 17.0
)

// Forest shows intervals, a panel a variable, scalars together: of the columns chosen, or
// of all but those of the variables to leave out.
func (f *Fit) Forest(c Choice, without []string, all bool) *Figure {
	fig := &Figure{
		Name: "forest", Title: "Intervals", Note: "Median, 50 % interval (thick) and 90 % interval (thin), from all chains.",
		Legend: []Key{{"median", series + 1, DotShape}},
	}
	columns := c.Columns
	if all {
		columns = slices.DeleteFunc(slices.Clone(f.table.Columns()), func(name string) bool {
			return !f.varies(name) || slices.Contains(without, draws.Base(name))
		})
	}
	var scalars []string
	var groups [][]string
	for _, v := range draws.Variables(columns) {
		if names := draws.Picked(columns, v.Columns); len(names) == 1 {
			scalars = append(scalars, names...)
		} else {
			groups = append(groups, names)
		}
	}
	if len(scalars) > 0 {
		groups = append(byScale(f, scalars), groups...)
	}
	if hidden := len(groups) - forestPanels; hidden > 0 {
		groups = groups[:forestPanels]
		fig.Note += fmt.Sprintf(" %d more variables are not shown.", hidden)
	}
	for _, names := range groups {
		fig.Panels = append(fig.Panels, f.intervals(names))
	}
	return fig
}

// byScale keeps scalars together whose intervals can be shown on one axis.
func byScale(f *Fit, names []string) [][]string {
	var groups [][]string
	var widest []float64
next:
	for _, name := range names {
		r := f.rows[name]
		size := math.Max(math.Abs(r.Q5), math.Abs(r.Q95))
		for i := range groups {
			if size < 20*widest[i] && widest[i] < 20*math.Max(size, 1e-300) && r.Q95-r.Q5 > widest[i]/100 {
				groups[i] = append(groups[i], name)
				continue next
			}
		}
		groups, widest = append(groups, []string{name}), append(widest, size)
	}
	return groups
}

func (f *Fit) intervals(names []string) *Panel {
	p := &Panel{X: Axis{Label: "value"}, Title: names[0]}
	if len(names) > 1 {
		p.Title = draws.Base(names[0])
		if draws.Base(names[len(names)-1]) != p.Title {
			p.Title = "scalars"
		}
	}
	if len(names) > forestRows {
		p.Note = fmt.Sprintf("%d of %d elements", forestRows, len(names))
		names = thinned(names, forestRows)
	}
	p.Y.Names = names
	if pooled := f.pooledOf(names); axisOf("", pooled).Log {
		p.X = Axis{Label: "value (log scale)", Log: true}
	}
	var mid, row []float64
	for i, name := range names {
		x, y := draws.Sorted(f.column(name)), float64(i)
		if len(x) == 0 {
			continue
		}
		q := func(p float64) float64 { return draws.Quantile(x, p) }
		across := func(lo, hi, width float64) line {
			return line{[]float64{lo, hi}, []float64{y, y}, stroke{color: Series(0), width: width}}
		}
		p.add(across(q(0.05), q(0.95), 1.4), across(q(0.25), q(0.75), 4.5))
		mid, row = append(mid, q(0.5)), append(row, y)
	}
	p.add(dots{x: mid, y: row, radius: 3.8, color: Ink}, dots{x: mid, y: row, radius: 2.6, color: Series(1)})
	p.Height = 62 + rowHeight*float64(len(names))
	return p
}

// pooledOf are all draws of several columns.
func (f *Fit) pooledOf(names []string) []float64 {
	var out []float64
	for _, name := range names {
		out = append(out, f.pooled(name)...)
	}
	return out
}

// Bounds of the scatter plots.
const (
	pairColumns = 4
	pairDots    = 800
)

// Pairs shows pairs of columns and where transitions diverged; nil for a single column.
func (f *Fit) Pairs(c Choice) *Figure {
	columns := f.pairwise(c.Columns)
	if len(columns) < 2 {
		return nil
	}
	fig := &Figure{Name: "pairs", Title: "Pairs", Legend: []Key{{"draw", series, DotShape}}}
	divergent := f.divergent()
	fig.Note = "Narrow necks, curved ridges and several heaps are what makes sampling hard."
	if anyDivergent(divergent) {
		fig.Legend = append(fig.Legend, Key{"divergent transition", Alert, DotShape})
		fig.Note = "Where transitions diverged, there may be posterior mass that the draws miss; a heap of them at the end of a neck asks for a reparameterisation."
	}
	if len(columns) < len(c.Columns) || c.Note != "" {
		fig.Note += fmt.Sprintf(" Shown are %d columns, those least to be trusted first, and other variables before other elements.", len(columns))
	}
	for i, a := range columns {
		for _, b := range columns[i+1:] {
			fig.Panels = append(fig.Panels, f.scatter(a, b, divergent))
		}
	}
	return fig
}

// pairwise picks columns to be held against each other: each variable once, then more. Of columns that are
// functions of each other there is one.
func (f *Fit) pairwise(columns []string) []string {
	ordered := slices.Clone(columns)
	slices.SortStableFunc(ordered, func(a, b string) int { return slices.Index(f.order, a) - slices.Index(f.order, b) })
	var first, more []string
	seen := map[string]bool{}
	for _, c := range ordered {
		switch base := draws.Base(c); {
		case !f.varies(c):
		case seen[base]:
			more = append(more, c)
		default:
			seen[base] = true
			first = append(first, c)
		}
	}
	var out []string
	var taken [][]float64
	for _, c := range append(first, more...) {
		x := slices.Concat(ranks(f.column(c))...)
		if slices.ContainsFunc(taken, func(y []float64) bool { return determined(x, y) }) {
			continue
		}
		if out, taken = append(out, c), append(taken, x); len(out) == pairColumns {
			break
		}
	}
	return out
}

// determined reports whether ranks x rise or fall with ranks y throughout, so that one is a function of the other.
func determined(x, y []float64) bool {
	if len(x) == 0 {
		return false
	}
	ends, up, down := slices.Min(x)+slices.Max(x), true, true
	for i := range x {
		up, down = up && math.Abs(x[i]-y[i]) <= rankSlack, down && math.Abs(x[i]+y[i]-ends) <= rankSlack
	}
	return up || down
}

// rankSlack is by how many places rounded figures may be out of order.
const rankSlack = 2

func (f *Fit) scatter(a, b string, divergent [][]int) *Panel {
	x, y := f.column(a), f.column(b)
	var good, bad [][2]float64
	for chain := range x {
		for i := range x[chain] {
			if _, diverged := slices.BinarySearch(divergent[chain], i*f.step); !diverged {
				good = append(good, [2]float64{x[chain][i], y[chain][i]})
			}
		}
		for _, i := range divergent[chain] {
			row := f.whole.Row(chain, i)
			bad = append(bad, [2]float64{row[f.whole.Index(a)], row[f.whole.Index(b)]})
		}
	}
	// A figure would be too large with every draw in it; all divergences are kept.
	good, bad = thinned(good, pairDots), thinned(bad, pairDots)
	p := &Panel{Title: b + " against " + a, X: axisOf(a, slices.Concat(x...)), Y: axisOf(b, slices.Concat(y...)), Height: 260}
	scattered := func(at [][2]float64, radius float64, c Color, alpha float64) dots {
		d := dots{radius: radius, color: c, alpha: alpha}
		for _, v := range at {
			d.x, d.y = append(d.x, v[0]), append(d.y, v[1])
		}
		return d
	}
	return p.add(scattered(good, 1.3, Series(0), 0.55), scattered(bad, 2.4, Alert, 1))
}

// axisOf is logarithmic where a positive quantity spreads over orders of magnitude.
func axisOf(name string, x []float64) Axis {
	sorted := draws.Sorted([][]float64{x})
	if len(sorted) > 0 && sorted[0] > 0 && draws.Quantile(sorted, 0.95) > 25*draws.Quantile(sorted, 0.05) {
		return Axis{Label: name + " (log scale)", Log: true}
	}
	return Axis{Label: name}
}
