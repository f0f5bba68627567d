// This file takes out of a fit what its pictures show.

package plots

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// A Fit is a fit as its pictures need it.
type Fit struct {
	Name, Method string
	Markov       bool         // the draws are chains
	table        *draws.Draws // of a long fit some draws at equal distances
	beginning    *draws.Draws // draws that follow one another
	whole        *draws.Draws
	step         int // from one draw of the table to the next
	rows         map[string]draws.Summary
	order        []string // of the columns, those least to be trusted first
}

// NewFit prepares a fit whose columns have these summaries. It is nil if there is
// nothing to be seen: no draws, or a single point.
func NewFit(name, method string, d *draws.Draws, rows []draws.Summary) *Fit {
	kind := d.Kind()
	if kind == draws.Mode || d.Total() < 2 {
		return nil
	}
	f := &Fit{Name: name, Method: method, Markov: kind == draws.Chains, whole: d.Balanced(), step: 1, rows: map[string]draws.Summary{}}
	if kind == draws.Weighted {
		f.whole = resampled(d)
	}
	f.table, f.beginning = f.whole, f.whole
	if n := f.whole.Total(); n >= draws.Long {
		f.step = (n + mostShown - 1) / mostShown
		f.table, f.beginning = f.whole.Thinned(f.step), f.whole.First(mostShown/f.whole.Chains())
	}
	for _, r := range rows {
		f.rows[r.Name] = r
	}
	for _, c := range d.Columns() {
		if f.varies(c) {
			f.order = append(f.order, c)
		}
	}
	slices.SortStableFunc(f.order, func(a, b string) int {
		x, y := f.worry(a), f.worry(b)
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return f
}

// mostShown is how many draws of a long fit are shown.
const mostShown = 1 << 17

// varies reports whether there is anything to see of a column.
func (f *Fit) varies(column string) bool { return f.rows[column].SD > 0 }

// resampled is a table of equally likely draws, by systematic resampling.
func resampled(d *draws.Draws) *draws.Draws {
	logw := slices.Concat(d.Column(draws.LogWeightColumn)...)
	w := make([]float64, len(logw))
	infer.Weights(logw, w)
	out := draws.New(1, d.Stats(), d.Columns())
	n, i, below := d.Total(), 0, w[0]
	var all [][]float64
	for chain := range d.Chains() {
		for k := range d.Len(chain) {
			all = append(all, d.Row(chain, k))
		}
	}
	for k := range n {
		for place := (float64(k) + 0.5) / float64(n); below < place && i+1 < n; {
			i++
			below += w[i]
		}
		stats := len(d.Stats())
		out.Append(draws.Row{Iteration: k, LogDensity: all[i][0], Stats: all[i][1 : 1+stats], Values: all[i][1+stats:]})
	}
	return out
}

// worry is how far the figures of a column are from what they should be; from 1 on they
// are beyond the bounds of package diagnose.
func (f *Fit) worry(column string) float64 {
	r := f.rows[column]
	worry := 0.0
	if !math.IsNaN(r.RHat) {
		worry = (r.RHat - 1) / (diagnose.RHatBound - 1)
	}
	for _, ess := range []float64{r.ESSBulk, r.ESSTail} {
		if ess > 0 {
			worry = math.Max(worry, diagnose.ESSPerChain*float64(f.table.Chains())/ess)
		}
	}
	return worry
}

// A Choice is the columns that are shown.
type Choice struct {
	Columns []string
	Note    string // how they were chosen; empty if nothing was left out
	Draws   string // which draws are shown; empty for all
}

// Choose returns the named variables or columns; without names all columns but those of
// the variables to leave out, or where there are more than most those least to be
// trusted. The error is a *draws.UnknownVariableError.
func (f *Fit) Choose(names, without []string, most int) (Choice, error) {
	columns := f.table.Columns()
	if len(names) > 0 {
		if slices.Contains(names, draws.LogDensityColumn) {
			columns = append(slices.Clone(columns), draws.LogDensityColumn)
		}
		at, err := selected(columns, names)
		return Choice{Columns: draws.Picked(columns, at), Draws: f.shown()}, err
	}
	order := f.ranked(without)
	if len(order) <= most {
		return Choice{Columns: slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return !slices.Contains(order, c) }), Draws: f.shown()}, nil
	}
	by := "R-hat and effective sample size"
	if !f.Markov {
		by = "effective sample size"
	}
	return Choice{
		Columns: slices.Clone(order[:most]),
		Draws:   f.shown(),
		Note:    fmt.Sprintf("%d of %d columns that vary, those with the worst %s first, and one of each variable before others that are good.", most, len(order), by),
	}, nil
}

// shown tells which draws are shown, if not all.
func (f *Fit) shown() string {
	if f.step == 1 {
		return ""
	}
	return fmt.Sprintf("Of %d draws one of %d is shown, and all that diverged; autocorrelations and energies are of the first %d of each chain.", f.whole.Total(), f.step, f.beginning.Len(0))
}

// ranked puts columns whose figures are bad first, then the worst of each variable, then
// the second, and so on.
func (f *Fit) ranked(without []string) []string {
	turn, taken := map[string]int{}, map[string]int{}
	var out []string
	for _, c := range f.order {
		base := draws.Base(c)
		if slices.Contains(without, base) {
			continue
		}
		if out = append(out, c); f.worry(c) < 1 {
			taken[base]++
			turn[c] = taken[base]
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return turn[a] - turn[b] })
	return out
}

// selected are the places of columns by name, of themselves (theta.3 or theta[3]) or of
// their variable.
func selected(columns, names []string) ([]int, error) {
	var out []int
	for _, name := range names {
		name = strings.TrimSuffix(strings.NewReplacer("[", ".", ",", ".", " ", "").Replace(name), "]")
		if i := slices.Index(columns, name); i >= 0 {
			out = append(out, i)
			continue
		}
		found, err := draws.Select(columns, []string{name})
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// column is a column of the fit, a slice a chain.
func (f *Fit) column(name string) [][]float64 { return f.table.Column(name) }

// pooled are all draws of a column.
func (f *Fit) pooled(name string) []float64 { return slices.Concat(f.column(name)...) }

// chainKeys is the legend of chains.
func (f *Fit) chainKeys() []Key {
	if f.table.Chains() == 1 {
		return nil
	}
	var out []Key
	for i := range f.table.Chains() {
		out = append(out, Key{fmt.Sprintf("chain %d", i+1), Series(i), LineShape})
	}
	return out
}

// figures are R-hat and effective sample size of a column, in short.
func (f *Fit) figures(column string) string {
	r := f.rows[column]
	ess := fmt.Sprintf("ESS %.0f", r.ESSBulk)
	if math.IsNaN(r.RHat) {
		return ess
	}
	return fmt.Sprintf("R-hat %.3f, %s", r.RHat, ess)
}

// divergent are the draws of each chain that ended a divergent transition.
func (f *Fit) divergent() [][]int {
	out := make([][]int, f.table.Chains())
	f.whole.Each("divergent__", func(chain int, x []float64) {
		for i, v := range x {
			if v > 0 {
				out[chain] = append(out[chain], i)
			}
		}
	})
	return out
}

func anyDivergent(d [][]int) bool {
	return slices.ContainsFunc(d, func(x []int) bool { return len(x) > 0 })
}
