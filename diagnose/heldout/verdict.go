// This file turns scores into a verdict.

package heldout

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Figures are the scores, for scripts.
type Figures struct {
	Rows   int      `json:"rows"`     // of the data
	Held   int      `json:"held_out"` // in each split
	Splits int      `json:"splits"`   // that were scored
	Scores []Figure `json:"scores"`
}

// A Figure is one score over the splits.
type Figure struct {
	Name   string         `json:"name"`
	Mean   draws.Number   `json:"mean"`
	Error  draws.Number   `json:"error"` // standard deviation over the root of the number of splits
	Values []draws.Number `json:"values"`
}

// The scores' names.
const (
	logDensity = "log predictive density of a row"
	rmse       = "root mean square error"
)

// verdict is of the splits that were scored: numbers to compare methods and models by.
func (d *Diagnosis) verdict(done []*unit) *diagnose.Verdict {
	v := &diagnose.Verdict{Kind: d.Name(), Severity: diagnose.None, Incomplete: len(done) < d.Units()}
	scores := make([][]float64, 2)
	failed, cause, why := 0, "", ""
	for _, u := range done {
		switch {
		case u == nil:
			v.Incomplete = true
		case u.Failed != nil:
			if failed++; failed == 1 {
				cause = *u.Failed
			}
		default:
			for k, x := range u.Scores {
				scores[k] = append(scores[k], x)
			}
			why = u.Why
		}
	}
	figures := Figures{Rows: d.options.Rows, Held: d.held(), Splits: len(scores[0])}
	if failed > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("The method failed on %d splits, which were left out; the first time: %s.", failed, cause))
	}
	if figures.Splits == 0 {
		v.Summary = "No split was scored."
		v.Figures = figures
		return v
	}
	table := diagnose.Table{Header: []string{"", "mean", "standard error", "least", "greatest"}}
	for k, name := range []string{logDensity, rmse} {
		if k == 1 && why != "" {
			v.Notes = append(v.Notes, fmt.Sprintf("There is no error of predictions: %s.", why))
			continue
		}
		f := figure(name, scores[k])
		figures.Scores = append(figures.Scores, f)
		least, greatest := math.Inf(1), math.Inf(-1)
		for _, x := range scores[k] {
			least, greatest = min(least, x), max(greatest, x)
		}
		table.Rows = append(table.Rows, []string{name, digits(float64(f.Mean)), digits(float64(f.Error)), digits(least), digits(greatest)})
	}
	in := fmt.Sprintf("each of %d splits", figures.Splits)
	if figures.Splits == 1 {
		in = "one split"
	}
	v.Summary = fmt.Sprintf("Of rows that were held out, %d of %d in %s, the mean log predictive density is %s", figures.Held, figures.Rows, in, digits(float64(figures.Scores[0].Mean)))
	if len(figures.Scores) > 1 {
		v.Summary += fmt.Sprintf(", and the root mean square error %s", digits(float64(figures.Scores[1].Mean)))
	}
	v.Summary += ": numbers to compare methods and models by, and no verdict."
	if figures.Splits > 1 {
		v.Notes = append(v.Notes, "Splits share rows: the standard errors are over splits of these data, and too small for other data.")
	}
	v.Tables, v.Figures = []diagnose.Table{table}, figures
	return v
}

func figure(name string, x []float64) Figure {
	f := Figure{Name: name, Values: draws.Numbers(x)}
	n := float64(len(x))
	mean, square := 0.0, 0.0
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		square += float64((v - mean) * (v - mean))
	}
	f.Mean, f.Error = draws.Number(mean), draws.Number(math.NaN())
	if n > 1 {
		f.Error = draws.Number(math.Sqrt(square / (n - 1) / n))
	}
	return f
}

func digits(x float64) string { return fmt.Sprintf("%.4g", x) }
