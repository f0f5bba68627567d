package repl

// This file draws variables with block characters.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

const (
	plotWidth  = 60    // characters
	plotHeight = 8     // lines of a histogram
	mostLines  = 40    // of a variable with many numbers
	fewDraws   = 20000 // fewer draws get bars of two characters
)

// eighths are the blocks of increasing height.
var eighths = []rune(" ▁▂▃▄▅▆▇█")

// plot draws a variable of the last fit, or the values of an expression at its draws.
func (s *Session) plot(ctx context.Context, name string) error {
	if len(s.fits) == 0 {
		return errNoFit
	}
	if name == "" {
		return errors.New(":plot needs the name of a variable, such as theta or theta[2]")
	}
	d := s.column(name)
	if x, err := s.extended.Expression(inputName, name); d == nil && err == nil && x.Parameters {
		s.evaluated++
		if d, err = s.drawsOf(ctx, x); err != nil {
			return err
		}
	}
	if d == nil {
		return fmt.Errorf("the fit has no variable %s; it has %s", name, strings.Join(fitVariables(s.fits[len(s.fits)-1]), ", "))
	}
	weights := weightsOf(d)
	if len(d.Columns()) > 1 {
		text, err := ridges(d, weights)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return s.View.Plot(d, text)
	}
	x := d.Column(d.Columns()[0])
	all := slices.Concat(x...)
	a, err := axisOf(all)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	text := d.Columns()[0] + "\n" + a.tall(a.count(all, weights), plotHeight)
	if d.Kind() == draws.Chains {
		text += "\n" + trace(x)
	}
	return s.View.Plot(d, text)
}

// fitVariables are the variables of a fit, each once.
func fitVariables(f *lang.Fit) []string {
	var out []string
	for _, c := range f.Posterior.Draws.Columns() {
		if base := draws.Base(c); !slices.Contains(out, base) {
			out = append(out, base)
		}
	}
	return out
}

// weightsOf are the weights of all draws in turn, relative to the greatest; nil where
// they weigh the same.
func weightsOf(d *draws.Draws) []float64 {
	w := slices.Concat(d.Column(draws.LogWeightColumn)...)
	if len(w) == 0 {
		return nil
	}
	most := slices.Max(w)
	for i := range w {
		w[i] = libm.Exp(w[i] - most)
	}
	return w
}

// An axis is what a plot shows: columns of characters between low and high. wide columns
// make one bin.
type axis struct {
	low, high     float64
	columns, wide int
	whole         bool // a bin for each whole number
	cut           bool // draws lie outside
}

// axisOf fits an axis to draws, or to the central 99 % of them where the rest is far out.
func axisOf(x []float64) (axis, error) {
	var finite []float64
	whole := true
	for _, v := range x {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			finite = append(finite, v)
			whole = whole && v == math.Trunc(v)
		}
	}
	if len(finite) == 0 {
		return axis{}, errors.New("no draw is finite")
	}
	slices.Sort(finite)
	a := axis{low: finite[0], high: finite[len(finite)-1], columns: plotWidth, wide: 1}
	if len(x) < fewDraws {
		a.wide = 2
	}
	low, high := draws.Quantile(finite, 0.005), draws.Quantile(finite, 0.995)
	if a.high-a.low > 1.5*(high-low) && high > low {
		a.low, a.high, a.cut = low, high, true
	}
	if whole && a.high-a.low < plotWidth {
		a.low, a.high, a.whole = math.Floor(a.low)-0.5, math.Ceil(a.high)+0.5, true
		numbers := int(a.high - a.low)
		a.wide = plotWidth / numbers
		a.columns = numbers * a.wide
	}
	if a.low == a.high {
		half := math.Max(0.5, math.Abs(a.low)*1e-6)
		a.low, a.high = a.low-half, a.high+half
	}
	return a, nil
}

// count returns the number of draws, or their weight unless weights is nil, in the bin of
// each column.
func (a axis) count(x, weights []float64) []float64 {
	out := make([]float64, a.columns)
	for i, v := range x {
		if !(v >= a.low && v <= a.high) {
			continue
		}
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		bin := min(int((v-a.low)/(a.high-a.low)*float64(a.columns)), a.columns-1) / a.wide
		for j := range a.wide {
			out[bin*a.wide+j] += w
		}
	}
	return out
}

// labels are the ends of the axis, spread over its columns, and a line about what it
// leaves out. Each line begins with the given text.
func (a axis) labels(begin string) string {
	low, high := a.low, a.high
	if a.whole {
		low, high = low+0.5, high-0.5
	}
	left, right := figure(low), figure(high)
	out := begin + left + strings.Repeat(" ", max(1, a.columns-len(left)-len(right))) + right + "\n"
	if a.cut {
		out += begin + "the central 99 % of the draws\n"
	}
	return out
}

// tall draws bars over several lines, with their axis.
func (a axis) tall(bars []float64, height int) string {
	most := slices.Max(bars)
	var b strings.Builder
	for line := height - 1; line >= 0; line-- {
		row := make([]rune, len(bars))
		for i, c := range bars {
			filled := c/most*float64(height*8) - float64(line*8)
			row[i] = eighths[int(math.Round(min(8, max(0, filled))))]
		}
		b.WriteString(strings.TrimRight("  "+string(row), " ") + "\n")
	}
	return b.String() + "  " + strings.Repeat("─", len(bars)) + "\n" + a.labels("  ")
}

func figure(x float64) string { return fmt.Sprintf("%.4g", x) }

// sparkline draws numbers as blocks between low and high; NaN is empty.
func sparkline(x []float64, low, high float64) string {
	out := make([]rune, len(x))
	for i, v := range x {
		out[i] = ' '
		if !math.IsNaN(v) && high > low {
			out[i] = eighths[int(math.Round(8*min(1, max(0, (v-low)/(high-low)))))]
		}
	}
	return string(out)
}

// ridges draws the numbers of a variable below one another on one axis.
func ridges(d *draws.Draws, weights []float64) (string, error) {
	names := d.Columns()
	more := max(0, len(names)-mostLines)
	names = names[:len(names)-more]
	var all []float64
	for _, n := range names {
		all = append(all, slices.Concat(d.Column(n)...)...)
	}
	a, err := axisOf(all)
	if err != nil {
		return "", err
	}
	wide := len(slices.MaxFunc(names, func(a, b string) int { return len(a) - len(b) }))
	var b strings.Builder
	for _, n := range names {
		bars := a.count(slices.Concat(d.Column(n)...), weights)
		fmt.Fprintf(&b, "%s\n", strings.TrimRight(fmt.Sprintf("%-*s  %s", wide, n, sparkline(bars, 0, slices.Max(bars))), " "))
	}
	b.WriteString(a.labels(strings.Repeat(" ", wide+2)))
	if more > 0 {
		fmt.Fprintf(&b, "... and %d more; :plot %s[...] shows one\n", more, draws.Base(names[0]))
	}
	return b.String(), nil
}

// trace draws the way of each chain: means of successive draws, on one scale for all.
func trace(x [][]float64) string {
	lines := make([][]float64, len(x))
	low, high := math.Inf(1), math.Inf(-1)
	for c, chain := range x {
		n := min(plotWidth, len(chain))
		for i := range n {
			part := chain[i*len(chain)/n : (i+1)*len(chain)/n]
			m := 0.0
			for _, v := range part {
				m += v / float64(len(part))
			}
			lines[c] = append(lines[c], m)
			if !math.IsNaN(m) {
				low, high = min(low, m), max(high, m)
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "means of successive draws, between %s and %s\n", figure(low), figure(high))
	if !(high > low) {
		low, high = low-1, low+1
	}
	for c, line := range lines {
		// The lowest mean keeps a mark of its own.
		fmt.Fprintf(&b, "chain %-3d %s\n", c+1, sparkline(line, low-(high-low)/7, high))
	}
	return b.String()
}
