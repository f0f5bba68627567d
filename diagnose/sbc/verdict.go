// This file turns ranks into a verdict: figures and words.

package sbc

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Figures are the verdict's figures.
type Figures struct {
	From         string      `json:"from"` // where true parameters come from: "prior" or "posterior"
	Replications int         `json:"replications"`
	Draws        int         `json:"draws"` // L; ranks are from 0 to L
	Bins         int         `json:"bins"`
	Failures     int         `json:"failures"` // replications whose run failed
	Short        int         `json:"short"`    // with fewer effective draws than L
	Redrawn      int         `json:"redrawn"`  // draws from the prior that were replaced, since there were no data given them
	Parameters   []Parameter `json:"parameters"`
	Bands        *Bands      `json:"bands"`      // null where no replication has ranks
	Divergence   *Divergence `json:"divergence"` // null where the method has no density
}

// Parameter is a ranked quantity.
type Parameter struct {
	Name      string       `json:"name"`
	P         draws.Number `json:"p"`          // adjusted over the quantities
	ECDF      draws.Number `json:"p_ecdf"`     // of the distribution function alone
	ChiSquare draws.Number `json:"p_chi2"`     // of the bins alone
	Ranks     []*int       `json:"ranks"`      // by replication; null where there is none
	Histogram []int        `json:"histogram"`  // by bin
	Outside   int          `json:"outside"`    // bins beyond their band
	Coverage  []Coverage   `json:"coverage"`   // of central intervals
	Mean      draws.Number `json:"mean_rank"`  // divided by L: 0.5 if exact
	Spread    draws.Number `json:"rank_ratio"` // sd of the ranks over that of uniform ones: above 1 the draws are too narrow
}

// The share of failed replications above which the verdict is bad.
const mostFailures = 0.01

func (d *Diagnosis) verdict(from origin, names []string, runs []*replication) *diagnose.Verdict {
	f := Figures{From: d.from(), Replications: len(runs), Draws: d.options.Draws, Bins: d.options.Bins, Parameters: []Parameter{}}
	var cause error
	for _, r := range runs {
		if r.failed != nil {
			f.Failures++
			if cause == nil {
				cause = r.failed
			}
		}
		if r.short {
			f.Short++
		}
		f.Redrawn += r.redrawn
	}
	d.judgeQuantities(&f, names, runs)
	f.Divergence = expected(runs)
	v := &diagnose.Verdict{Kind: d.Name(), Severity: diagnose.None, Figures: f, Incomplete: len(runs) < d.options.Replications}
	worst := math.Inf(1)
	var suspects []Parameter
	for _, p := range f.Parameters {
		v.Severity = diagnose.Worse(v.Severity, diagnose.Judge(float64(p.P), len(runs)-f.Failures, d.options.Bad, d.options.Warning))
		worst = min(worst, float64(p.P))
		if float64(p.P) < d.options.Warning {
			suspects = append(suspects, p)
		}
	}
	if f.Failures > 0 {
		v.Severity = diagnose.Worse(v.Severity, diagnose.Warning)
		if float64(f.Failures) > mostFailures*float64(len(runs)) {
			v.Severity = diagnose.Bad
		}
		v.Notes = append(v.Notes, fmt.Sprintf("%d of %d runs failed; the first: %v.", f.Failures, len(runs), cause))
	}
	if f.Redrawn > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("%d draws from the prior were replaced, since no data could be drawn given them.", f.Redrawn))
	}
	if e := f.Divergence; e != nil {
		v.Notes = append(v.Notes, e.text())
	}
	if f.Short > 0 {
		after := ""
		_, grows := d.options.Method.(infer.Markov)
		if _, more := d.options.Method.(weighted); (grows || more) && d.options.Doublings > 0 {
			after = " even after " + count(d.options.Doublings, "doubling", "doublings")
		}
		v.Notes = append(v.Notes, fmt.Sprintf("In %d of %d replications the draws counted as fewer than %d%s, so their ranks may be uneven for that reason alone.",
			f.Short, len(runs), d.options.Draws, after))
	}
	if from.short {
		v.Notes = append(v.Notes, fmt.Sprintf("The draws of the fit of the data at hand count as fewer than %d, so that the true parameters depend on each other.", len(from.truth)))
	}
	for k, name := range names {
		if k >= len(names)-d.options.Named && len(runs) > 0 && !varies(runs, k) {
			v.Notes = append(v.Notes, fmt.Sprintf("%s is the same in all draws from the "+d.from()+", and was left out.", name))
		}
	}
	v.Summary = d.summary(len(f.Parameters), len(runs), f.Failures, worst, suspects)
	switch {
	case f.Failures == len(runs) && len(runs) > 0:
		v.Severity = diagnose.Bad
		v.Summary = fmt.Sprintf("%s failed on all of %d simulated data sets; the first time: %v.", d.options.Method.Name(), len(runs), cause)
	case len(runs) < LeastReplications:
		v.Severity = diagnose.None
		v.Summary = fmt.Sprintf("%d replications are too few for a verdict; at least %d are needed.", len(runs), LeastReplications)
	case len(f.Parameters) == 0:
		v.Severity, v.Summary = diagnose.None, "No quantity varies over the simulated data sets, so there is nothing to rank."
	}
	v.Tables = []diagnose.Table{table(f)}
	return v
}

// judgeQuantities fills in the quantities that vary.
func (d *Diagnosis) judgeQuantities(f *Figures, names []string, runs []*replication) {
	tests, bands := map[int]*stepsTest{}, map[int]*Bands{} // by number of ranks
	var p []float64
	for k, name := range names {
		if !varies(runs, k) {
			continue
		}
		one := Parameter{Name: name}
		var ranks []int
		for _, r := range runs {
			if r.rank[k] < 0 {
				one.Ranks = append(one.Ranks, nil)
				continue
			}
			one.Ranks = append(one.Ranks, &r.rank[k])
			ranks = append(ranks, r.rank[k])
		}
		if len(ranks) == 0 {
			continue
		}
		if tests[len(ranks)] == nil {
			tests[len(ranks)] = newStepsTest(len(ranks), d.options.Draws)
			bands[len(ranks)] = newBands(tests[len(ranks)], d.options.Bins)
		}
		one.ECDF, one.ChiSquare = draws.Number(tests[len(ranks)].p(ranks)), draws.Number(chiSquare(ranks, d.options.Draws, d.options.Bins))
		one.Histogram, _ = histogram(ranks, d.options.Draws, d.options.Bins)
		one.Coverage = coverage(ranks, d.options.Draws)
		own := bands[len(ranks)]
		one.Outside = own.outside(one.Histogram)
		if f.Bands == nil || own.N > f.Bands.N {
			f.Bands = own
		}
		one.Mean, one.Spread = moments(ranks, d.options.Draws)
		p = append(p, min(1, 2*min(float64(one.ECDF), float64(one.ChiSquare))))
		f.Parameters = append(f.Parameters, one)
	}
	for k, v := range diagnose.Holm(p) {
		f.Parameters[k].P = draws.Number(v)
	}
}

// varies reports whether a quantity's true values differ.
func varies(runs []*replication, k int) bool {
	for _, r := range runs {
		if r.truth[k] != runs[0].truth[k] {
			return true
		}
	}
	return false
}

// moments are the mean rank over l, and the sd over that of uniform ranks.
func moments(ranks []int, l int) (mean, ratio draws.Number) {
	x := make([]float64, len(ranks))
	for i, r := range ranks {
		x[i] = float64(r)
	}
	n := float64(l + 1)
	return draws.Number(draws.Mean([][]float64{x}) / float64(l)), draws.Number(draws.SD([][]float64{x}) / math.Sqrt((float64(n*n)-1)/12))
}

// from names where true parameters come from.
func (d *Diagnosis) from() string {
	if d.options.Posterior {
		return "posterior"
	}
	return "prior"
}

func (d *Diagnosis) summary(quantities, runs, failures int, worst float64, suspects []Parameter) string {
	name, sets := d.options.Method.Name(), "simulated data sets"
	if d.options.Posterior {
		sets = "data sets simulated from the posterior"
	}
	if len(suspects) == 0 && failures > 0 {
		return fmt.Sprintf("%s failed on %d of %d %s; on the others the ranks of %s are as uniform as those of an exact method (smallest adjusted p = %s).", name, failures, runs, sets, count(quantities, "quantity", "quantities"), short(worst))
	}
	if len(suspects) == 0 {
		return fmt.Sprintf("The ranks of %s are as uniform over %d %s as those of an exact method (smallest adjusted p = %s).", count(quantities, "quantity", "quantities"), runs, sets, short(worst))
	}
	var parts []string
	for i, p := range suspects {
		if i == 3 {
			parts = append(parts, fmt.Sprintf("%d more", len(suspects)-i))
			break
		}
		parts = append(parts, p.Name+" ("+shape(p)+")")
	}
	text := ""
	if failures > 0 {
		text = fmt.Sprintf("%s failed on %d of %d %s; on the others it ", name, failures, runs, sets)
	} else {
		text = name + " "
	}
	return fmt.Sprintf("%sis not calibrated for this model: the ranks of %s are not uniform over %d %s (smallest adjusted p = %s).", text, strings.Join(parts, ", "), runs-failures, sets, short(worst))
}

// shape says in words what the ranks look like.
func shape(p Parameter) string {
	switch {
	case p.Mean > 0.56:
		return "draws too low"
	case p.Mean < 0.44:
		return "draws too high"
	case p.Spread > 1.06:
		return "draws too narrow"
	case p.Spread < 0.94:
		return "draws too wide"
	}
	return "uneven"
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func table(f Figures) diagnose.Table {
	t := diagnose.Table{Header: []string{"", "p", "p ECDF", "p chi2", "mean rank", "sd ratio", "50 %", "90 %", "out", "ranks"}}
	for _, p := range f.Parameters {
		t.Rows = append(t.Rows, []string{
			p.Name, short(float64(p.P)), short(float64(p.ECDF)), short(float64(p.ChiSquare)),
			strconv.FormatFloat(float64(p.Mean), 'f', 3, 64), strconv.FormatFloat(float64(p.Spread), 'f', 3, 64),
			covered(p, 0.5), covered(p, 0.9), strconv.Itoa(p.Outside), bars(p.Histogram),
		})
	}
	return t
}

// covered is the coverage of the interval nearest to a probability.
func covered(p Parameter, want float64) string {
	best := Coverage{Nominal: draws.Number(math.Inf(1))}
	for _, c := range p.Coverage {
		if math.Abs(float64(c.Nominal)-want) < math.Abs(float64(best.Nominal)-want) {
			best = c
		}
	}
	if math.IsInf(float64(best.Nominal), 0) {
		return ""
	}
	return strconv.FormatFloat(float64(best.Covered), 'f', 2, 64)
}

// bars draws a histogram in one line.
func bars(count []int) string {
	top := 1
	for _, c := range count {
		top = max(top, c)
	}
	levels := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, c := range count {
		b.WriteRune(levels[c*(len(levels)-1)/top])
	}
	return b.String()
}

func short(x float64) string { return strconv.FormatFloat(x, 'g', 2, 64) }
