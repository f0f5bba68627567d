// This file turns simulated quantities into a verdict.

package elicit

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Figures are the verdict's figures.
type Figures struct {
	Sets       int        `json:"sets"`    // data sets
	Undrawn    int        `json:"undrawn"` // of these, those that could not be drawn
	Quantities []Answered `json:"quantities"`
	Moved      []Moved    `json:"moved"` // each number of the priors by itself
	Found      []Moved    `json:"found"` // by which wanted quantiles are matched, or that were set
}

// Answered is what the priors say of a quantity.
type Answered struct {
	Name      string         `json:"name"`
	Shares    []float64      `json:"shares"`
	Quantiles []draws.Number `json:"quantiles"`
	Set       []draws.Number `json:"set,omitempty"`       // quantiles with other numbers in the priors
	Plausible []draws.Number `json:"plausible,omitempty"` // low and high
	Outside   *Part          `json:"outside,omitempty"`   // of the plausible range
	Want      []Match        `json:"want,omitempty"`
}

// A Part is a share with its standard error.
type Part struct {
	Share draws.Number `json:"share"`
	Error draws.Number `json:"error"`
}

// A Match is a wanted quantile.
type Match struct {
	Share   float64      `json:"share"`
	Wanted  draws.Number `json:"wanted"`
	Written draws.Number `json:"written"` // the quantile with the numbers as they are written
	Found   draws.Number `json:"found"`   // with those that were found
	Below   Part         `json:"below"`   // the share below the wanted value, with those that were found
}

// Moved is a number with another value, and the quantiles of each quantity with it at shares 0.05, 0.5 and 0.95.
type Moved struct {
	Number
	To         float64          `json:"to"`
	Quantities [][]draws.Number `json:"quantities,omitempty"`
}

// Bounds of the verdict: the share outside a plausible range, and the difference of a share from the wanted one; beyond is how many
// standard errors a share must be above its bound.
const (
	mostOutside = 0.05
	mostMissed  = 0.02
	beyond      = 2.33
	unmoved     = 0.01 // less than this part of its central 90 % does not count as moved
)

func numbersOf(x []float64) []draws.Number {
	out := make([]draws.Number, len(x))
	for i, v := range x {
		out[i] = draws.Number(v)
	}
	return out
}

// describe says what the priors, as they are written, say of a quantity.
func describe(q Quantity, sets [][]float64) Answered {
	a := Answered{Name: q.Name, Shares: shown, Quantiles: numbersOf(quantiles(sets, shown))}
	if r := q.Plausible; r != nil {
		mean, err := share(sets, func(x float64) float64 { return holds(x < r[0] || x > r[1]) })
		a.Plausible, a.Outside = numbersOf(r[:]), &Part{draws.Number(mean), draws.Number(err)}
	}
	for _, w := range q.Want {
		a.Want = append(a.Want, Match{Share: w.Share, Wanted: draws.Number(w.Value), Written: draws.Number(draws.Quantile(pooled(sets), w.Share))})
	}
	return a
}

// found adds what the numbers that were found make of a quantity. A value that many numbers are equal to is the quantile at a range of
// shares, of which the one nearest to the wanted one counts.
func (a *Answered) found(q Quantity, sets [][]float64) {
	x := pooled(sets)
	for i, w := range q.Want {
		below, err := share(sets, func(x float64) float64 { return holds(x < w.Value) })
		upTo, _ := share(sets, func(x float64) float64 { return holds(x <= w.Value) })
		m := &a.Want[i]
		m.Found, m.Below = draws.Number(draws.Quantile(x, w.Share)), Part{draws.Number(min(max(w.Share, below), upTo)), draws.Number(err)}
	}
}

func holds(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// judged is the severity of a value that should be at most a bound, as far as its error tells.
func judged(value, err, bound float64, n int) diagnose.Severity {
	s := diagnose.Measure{Value: value, Error: err, Values: n, Least: Least}.AtMost(bound, bound)
	switch {
	case n < Least:
		return diagnose.None
	case s == diagnose.Bad && value-float64(beyond*err) > bound:
		return diagnose.Warning
	case s == diagnose.Bad:
		return diagnose.None
	}
	return s
}

func (f *Figures) verdict() *diagnose.Verdict {
	v := &diagnose.Verdict{Kind: "prior", Severity: diagnose.None, Figures: f}
	var lines []string
	for _, a := range f.Quantities {
		if a.Outside != nil {
			v.Severity = diagnose.Worse(v.Severity, judged(float64(a.Outside.Share), float64(a.Outside.Error), mostOutside, f.Sets-f.Undrawn))
			lines = append(lines, fmt.Sprintf("%s of %s lies outside its range, %s", percent(float64(a.Outside.Share)), a.Name, between(a.Plausible)))
		}
		for _, m := range a.Want {
			missed := math.Abs(float64(m.Below.Share) - m.Share)
			s := judged(missed, float64(m.Below.Error), mostMissed, f.Sets-f.Undrawn)
			v.Severity = diagnose.Worse(v.Severity, s)
			if s == diagnose.Warning {
				lines = append(lines, fmt.Sprintf("%s of %s lies below %s, and %s should", percent(float64(m.Below.Share)), a.Name, short(m.Wanted), percent(m.Share)))
			}
		}
	}
	v.Summary = f.summary(lines)
	if f.Undrawn > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("%d data sets could not be drawn, given what the priors drew: they are left out.", f.Undrawn))
	}
	v.Notes = append(v.Notes, f.movers()...)
	v.Tables = append(v.Tables, f.quantileTable())
	switch {
	case f.isSet():
		v.Tables = append(v.Tables, f.setTable(), f.foundTable())
	case len(f.Found) > 0:
		v.Tables = append(v.Tables, f.wantedTable(), f.foundTable())
	case len(f.Moved) > 0:
		v.Tables = append(v.Tables, f.movedTable())
	}
	return v
}

func (f *Figures) summary(lines []string) string {
	switch {
	case len(f.Found) > 0 && len(lines) == 0 && !f.isSet():
		return "The priors have the wanted quantiles with the numbers below."
	case len(f.Found) > 0 && !f.isSet():
		return "These priors cannot have all wanted quantiles; the numbers below come nearest. " + strings.Join(lines, "; ") + "."
	case len(lines) == 0:
		return fmt.Sprintf("What the priors expect, over %d data sets.", f.Sets-f.Undrawn)
	}
	return "Of what the priors expect, " + strings.Join(lines, "; ") + "."
}

func (f *Figures) quantileTable() diagnose.Table {
	t := diagnose.Table{Title: "quantiles with the priors as they are written", Header: []string{""}}
	for _, p := range shown {
		t.Header = append(t.Header, percent(p))
	}
	outside := false
	for _, a := range f.Quantities {
		outside = outside || a.Outside != nil
	}
	if outside {
		t.Header = append(t.Header, "plausible", "outside")
	}
	for _, a := range f.Quantities {
		row := []string{a.Name}
		for _, q := range a.Quantiles {
			row = append(row, short(q))
		}
		if a.Outside != nil {
			row = append(row, between(a.Plausible), percent(float64(a.Outside.Share)))
		} else if outside {
			row = append(row, "", "")
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// isSet reports whether other numbers were set, not found.
func (f *Figures) isSet() bool { return len(f.Quantities) > 0 && f.Quantities[0].Set != nil }

func (f *Figures) setTable() diagnose.Table {
	t := diagnose.Table{Title: "quantiles with other numbers", Header: f.quantileTable().Header[:1+len(shown)]}
	for _, a := range f.Quantities {
		row := []string{a.Name}
		for _, q := range a.Set {
			row = append(row, short(q))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (f *Figures) movedTable() diagnose.Table {
	t := diagnose.Table{Title: "each number of a prior, moved", Header: []string{"", "line", "statement", "number", "to", "", "5%", "50%", "95%"}}
	for k := range f.Moved {
		m := &f.Moved[k]
		for i, q := range m.Quantities {
			if f.moves(m, i) < unmoved {
				continue
			}
			t.Rows = append(t.Rows, append([]string{strconv.Itoa(k + 1), strconv.Itoa(m.Line), m.Statement, m.Name, number(m.To), f.Quantities[i].Name}, short(q[0]), short(q[1]), short(q[2])))
		}
	}
	return t
}

func (f *Figures) wantedTable() diagnose.Table {
	t := diagnose.Table{Title: "wanted quantiles", Header: []string{"", "", "wanted", "as written", "as found", "below it"}}
	for _, a := range f.Quantities {
		for _, m := range a.Want {
			t.Rows = append(t.Rows, []string{a.Name, percent(m.Share), short(m.Wanted), short(m.Written), short(m.Found), percent(float64(m.Below.Share))})
		}
	}
	return t
}

// foundTable has each statement once; a variable of the data is set in these.
func (f *Figures) foundTable() diagnose.Table {
	t := diagnose.Table{Title: "priors", Header: []string{"line", "as written", "as found"}}
	if f.isSet() {
		t.Header[2] = "as set"
	}
	var data [][]string
	last, shift := -1, 0 // the number before, if it is a literal, and how much longer its statement has become
	for i, m := range f.Found {
		to := number(m.To)
		if m.At < 0 {
			data = append(data, []string{strconv.Itoa(m.Line), fmt.Sprintf("%s = %s in the data", m.Name, number(m.Value)), m.Name + " = " + to})
			continue
		}
		if last < 0 || f.Found[last].Line != m.Line || f.Found[last].Statement != m.Statement {
			t.Rows, shift = append(t.Rows, []string{strconv.Itoa(m.Line), m.Statement, m.Statement}), 0
		}
		text := &t.Rows[len(t.Rows)-1][2]
		*text = (*text)[:m.At+shift] + to + (*text)[m.At+shift+len(m.Name):]
		last, shift = i, shift+len(to)-len(m.Name)
	}
	t.Rows = append(t.Rows, data...)
	return t
}

// moves is how far a number moves a quantity, in units of its central 90 % as it is written.
func (f *Figures) moves(m *Moved, i int) (most float64) {
	a := &f.Quantities[i]
	for j, at := range []int{1, 3, 5} { // the places of movedShares among those shown
		d := math.Abs(float64(m.Quantities[i][j]-a.Quantiles[at])) / float64(a.Quantiles[5]-a.Quantiles[1])
		if d-d == 0 {
			most = max(most, d)
		}
	}
	return most
}

// movers names the number that moves each quantity most.
func (f *Figures) movers() (out []string) {
	for i, a := range f.Quantities {
		most, which := 0.0, -1
		for k := range f.Moved {
			if d := f.moves(&f.Moved[k], i); d > most {
				most, which = d, k
			}
		}
		if which >= 0 {
			m := f.Moved[which]
			out = append(out, fmt.Sprintf("What moves %s most is %s in line %d, %s.", a.Name, m.Name, m.Line, strings.TrimSuffix(m.Statement, ";")))
		}
	}
	return out
}

// between is a range in words.
func between(r []draws.Number) string {
	switch {
	case math.IsInf(float64(r[0]), 0):
		return "up to " + short(r[1])
	case math.IsInf(float64(r[1]), 0):
		return "from " + short(r[0])
	}
	return short(r[0]) + " to " + short(r[1])
}

func percent(p float64) string { return strconv.FormatFloat(100*p, 'g', 3, 64) + "%" }

func short(x draws.Number) string { return number(float64(x)) }

func number(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
