// Package compare compares models of the same observations: by their evidence p(y), which
// asks how well model and prior foretold the data, and by leave-one-out prediction, which asks how well a model predicts an
// observation once it has seen the others.
//
// The evidence comes by two routes that share nothing but the density: bridge sampling from the
// draws of the fit, which knows nothing of modes without a draw, and sequential Monte Carlo from
// the prior. Where they disagree neither is used. The probability of a model is that
// under equal prior probabilities of those compared (Kass and Raftery 1995).
//
// Leave-one-out prediction, its errors and the stacking weights are those of package
// diagnose/loo. A difference of less than two standard errors, or of less than 4 nats, is not told
// apart (Sivula, Magnusson, Matamoros and Vehtari 2025).
package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/loo"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// An Evidence is an estimate of log p(y) in nats, or why there is none.
type Evidence struct {
	Value, Error float64
	Missing      string
}

// A Model is what is known of one of the models.
type Model struct {
	Name             string
	Bridge, Annealed Evidence
	LOO              *loo.Result // nil where there is none
	NoLOO            string      // why
}

const (
	// surely is how many standard errors two routes, or two models, are apart where the difference counts.
	surely = 3
	// alike is how far, in nats, two routes may be apart whatever their errors.
	alike = diagnose.EvidenceBound
	// clearly is the least difference of log p(y), in nats, that a model is preferred for: a factor of 3.
	clearly = 1.1
	// looErrors and looNats are the bounds below which predictions are not told apart.
	looErrors, looNats = 2, 4
)

// Difference is how far the routes are apart, and its standard error.
func (m Model) Difference() (d, e float64) {
	return math.Abs(m.Bridge.Value - m.Annealed.Value), hypotenuse(m.Bridge.Error, m.Annealed.Error)
}

// hypotenuse is the standard error of a difference.
func hypotenuse(a, b float64) float64 { return math.Sqrt(float64(a*a) + float64(b*b)) }

// Known reports whether there is an estimate of the evidence by both routes.
func (m Model) Known() bool { return m.Bridge.Missing == "" && m.Annealed.Missing == "" }

// agreement judges the two routes.
func (m Model) agreement() diagnose.Severity {
	d, e := m.Difference()
	excess := diagnose.Measure{Value: max(0, d-float64(surely*e)), Values: 2}
	if !m.Known() {
		excess.Void = "there is one route at most"
	}
	if !(e < 2) { // beyond it, factors of ten cannot be told
		excess.Void = "the standard errors are too large"
	}
	return excess.AtMost(alike, 4*alike)
}

// Figures are the comparison for scripts.
type Figures struct {
	Models []ModelFigure `json:"models"`
}

// A ModelFigure has the figures of a model; null stands for what is not known.
type ModelFigure struct {
	Name        string             `json:"name"`
	Bridge      *draws.EstimateRun `json:"log_evidence_bridge"`
	Annealed    *draws.EstimateRun `json:"log_evidence_annealed"`
	NoEvidence  string             `json:"no_evidence,omitempty"`
	Agreement   diagnose.Severity  `json:"agreement"`
	Probability draws.Number       `json:"probability"`
	ELPD        *draws.EstimateRun `json:"elpd_loo"`
	Difference  *draws.EstimateRun `json:"elpd_diff"`
	Stacking    draws.Number       `json:"stacking"`
	High        int                `json:"high_pareto_k"`
	NoLOO       string             `json:"no_loo,omitempty"`
}

// Of compares two models or more. The error says that they have different numbers of observations.
func Of(models []Model) (*diagnose.Verdict, error) {
	v := &diagnose.Verdict{Kind: "compare", Severity: diagnose.None}
	figures := make([]ModelFigure, len(models))
	for i, m := range models {
		figures[i] = ModelFigure{Name: m.Name, Agreement: m.agreement(), Probability: draws.Number(math.NaN()), Stacking: draws.Number(math.NaN()), NoLOO: m.NoLOO}
	}
	unsettled := false
	judge := func(s diagnose.Severity) {
		v.Severity = diagnose.Worse(v.Severity, s)
		unsettled = unsettled || s == diagnose.None
	}
	evidence := byEvidence(models, figures, judge)
	prediction, table, err := byPrediction(models, figures, judge)
	if err != nil {
		return nil, err
	}
	if unsettled && v.Severity == diagnose.Good {
		v.Severity = diagnose.None
	}
	v.Summary, v.Notes = evidence, []string{prediction}
	v.Tables = append(v.Tables, evidenceTable(models, figures))
	if table != nil {
		v.Tables = append(v.Tables, *table)
	}
	for _, m := range models {
		for _, route := range []struct {
			name string
			Evidence
		}{{"bridge sampling", m.Bridge}, {"annealing", m.Annealed}} {
			if route.Missing != "" {
				v.Notes = append(v.Notes, fmt.Sprintf("%s, evidence by %s: %s.", m.Name, route.name, route.Missing))
			}
		}
		if m.NoLOO != "" {
			v.Notes = append(v.Notes, fmt.Sprintf("%s, leave-one-out: %s.", m.Name, m.NoLOO))
		}
	}
	v.Figures = Figures{figures}
	return v, nil
}

// byEvidence fills in probabilities and returns the sentence.
func byEvidence(models []Model, figures []ModelFigure, judge func(diagnose.Severity)) string {
	const asks = "By evidence (which model, with its prior, foretold these data): "
	worst := ""
	settled := true
	for i, m := range models {
		judge(figures[i].Agreement)
		settled = settled && figures[i].Agreement != diagnose.None
		if s := figures[i].Agreement; s == diagnose.Warning || s == diagnose.Bad {
			d, e := m.Difference()
			worst = fmt.Sprintf("the two routes to log p(y) of %s differ by %.1f nats, with standard error %.1f, so that it is not known", m.Name, d, e)
		}
		figures[i].Bridge, figures[i].Annealed = estimate(m.Bridge), estimate(m.Annealed)
		if !m.Known() {
			figures[i].NoEvidence = cmp.Or(m.Bridge.Missing, m.Annealed.Missing)
		}
	}
	switch {
	case worst != "":
		return asks + worst + "."
	case !settled:
		return asks + "it is not known of all the models."
	}
	order := make([]int, len(models))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(models[b].Bridge.Value, models[a].Bridge.Value) })
	best, next := models[order[0]], models[order[1]]
	sum := 0.0
	for _, m := range models {
		sum += libm.Exp(m.Bridge.Value - best.Bridge.Value)
	}
	for i, m := range models {
		figures[i].Probability = draws.Number(libm.Exp(m.Bridge.Value-best.Bridge.Value) / sum)
	}
	d, e := best.Bridge.Value-next.Bridge.Value, hypotenuse(best.Bridge.Error, next.Bridge.Error)
	if d < float64(surely*e) || d < clearly {
		return asks + fmt.Sprintf("%s and %s are not told apart (log Bayes factor %.2f, standard error %.2f).", best.Name, next.Name, d, e)
	}
	return asks + fmt.Sprintf("%s, by a factor of %s over %s (log Bayes factor %.2f, standard error %.2f). It depends on the priors' widths.", best.Name, factor(d), next.Name, d, e)
}

// factor is exp(d) for people.
func factor(d float64) string {
	if d > 12 {
		return fmt.Sprintf("10^%.0f", d/math.Ln10)
	}
	return fmt.Sprintf("%.3g", libm.Exp(d))
}

func estimate(e Evidence) *draws.EstimateRun {
	if e.Missing != "" {
		return nil
	}
	return &draws.EstimateRun{Value: draws.Number(e.Value), Error: draws.Number(e.Error)}
}

func evidenceTable(models []Model, figures []ModelFigure) diagnose.Table {
	t := diagnose.Table{Title: "log p(y) in nats; probabilities are equal before the data", Header: []string{"model", "bridge", "se", "annealed", "se", "routes", "probability"}}
	for i, m := range models {
		row := []string{m.Name}
		for _, e := range []Evidence{m.Bridge, m.Annealed} {
			if e.Missing != "" {
				row = append(row, "", "")
				continue
			}
			row = append(row, fixed(e.Value, 2), fixed(e.Error, 2))
		}
		routes := "agree"
		switch figures[i].Agreement {
		case diagnose.None:
			routes = ""
		case diagnose.Warning, diagnose.Bad:
			routes = "differ"
		}
		t.Rows = append(t.Rows, append(row, routes, fixed(float64(figures[i].Probability), 3)))
	}
	return t
}

// byPrediction compares the models that have leave-one-out predictions.
func byPrediction(models []Model, figures []ModelFigure, judge func(diagnose.Severity)) (string, *diagnose.Table, error) {
	const asks = "By leave-one-out prediction (which model predicts an observation better once it has seen the others): "
	var results []*loo.Result
	var at []int
	for i, m := range models {
		if m.LOO != nil {
			results, at = append(results, m.LOO), append(at, i)
		}
	}
	if len(results) < 2 {
		judge(diagnose.None)
		return asks + "it is not known of two models.", nil, nil
	}
	ranks, err := loo.Compare(results)
	if err != nil {
		return "", nil, err
	}
	t := &diagnose.Table{Title: "leave-one-out prediction, the best first", Header: []string{"model", "elpd_diff", "se_diff", "elpd_loo", "se", "not held", "stacking"}}
	high := 0
	for _, r := range ranks {
		m, f := models[at[r.Fit]], &figures[at[r.Fit]]
		f.High = len(m.LOO.Bad())
		high += f.High
		f.ELPD, f.Difference, f.Stacking = estimateOf(m.LOO.LOO.ELPD), estimateOf(r.Difference), draws.Number(r.Stacking)
		t.Rows = append(t.Rows, []string{m.Name, fixed(r.Difference.Value, 1), fixed(r.Difference.Error, 1), fixed(m.LOO.LOO.ELPD.Value, 1), fixed(m.LOO.LOO.ELPD.Error, 1), strconv.Itoa(f.High), fixed(r.Stacking, 3)})
	}
	judge(diagnose.Measure{Value: float64(high), Values: len(results[0].LOO.Terms)}.AtMost(0, math.Inf(1)))
	best, next := models[at[ranks[0].Fit]].Name, models[at[ranks[1].Fit]].Name
	d, e := -ranks[1].Difference.Value, ranks[1].Difference.Error
	said := fmt.Sprintf("%s, by %.1f nats over %s (standard error %.1f).", best, d, next, e)
	if d < float64(looErrors*e) || d < looNats {
		said = fmt.Sprintf("%s and %s are not told apart (difference %.1f nats, standard error %.1f).", best, next, d, e)
	}
	if high > 0 {
		said += fmt.Sprintf(" The weights of %d of the terms do not hold, and no fit without the observation was made.", high)
	}
	return asks + said, t, nil
}

func estimateOf(e loo.Estimate) *draws.EstimateRun {
	return &draws.EstimateRun{Value: draws.Number(e.Value), Error: draws.Number(e.Error)}
}

// fixed is a number with places; empty for what is not known.
func fixed(x float64, places int) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'f', places, 64)
}
