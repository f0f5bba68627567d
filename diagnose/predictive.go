// This file compares statistics of data with those of simulated data sets.

package diagnose

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// The bounds of p-values of predictive checks, two-sided and adjusted for the number of
// statistics.
const (
	predictiveBad     = 0.001
	predictiveWarning = 0.01
	// LeastPredictive is how many data sets a predictive check needs.
	LeastPredictive = 100
)

// A PredictiveCheck compares one statistic of an observed variable.
type PredictiveCheck struct {
	Name      string       `json:"name"`
	Statistic string       `json:"statistic"`
	Observed  draws.Number `json:"observed"`
	Mean      draws.Number `json:"mean"` // over the simulated data sets, as the quantiles
	Q5        draws.Number `json:"q5"`
	Q95       draws.Number `json:"q95"`
	// P is the share of simulated data sets whose statistic is larger than the observed
	// one; of those where it is equal half counts.
	P draws.Number `json:"p"`

	sims int     // simulated data sets
	tail float64 // two-sided p-value
}

// statistics are those that are compared, over all numbers of a variable.
var statistics = []struct {
	name string
	of   func(x []float64) float64
}{
	{"mean", func(x []float64) float64 { return draws.Mean([][]float64{x}) }},
	{"sd", func(x []float64) float64 { return draws.SD([][]float64{x}) }},
	{"min", slices.Min[[]float64]},
	{"median", func(x []float64) float64 { return draws.Quantile(draws.Sorted([][]float64{x}), 0.5) }},
	{"max", slices.Max[[]float64]},
}

// ComparePredictive compares a variable with its replications, each of its length. A single
// number is its own only statistic.
func ComparePredictive(name string, observed []float64, replicated [][]float64) []PredictiveCheck {
	var out []PredictiveCheck
	for _, s := range statistics {
		of, label := s.of, s.name
		if len(observed) == 1 {
			of, label = func(x []float64) float64 { return x[0] }, "value"
		}
		t, sims := of(observed), make([]float64, len(replicated))
		larger := 0.0
		for i, x := range replicated {
			sims[i] = of(x)
			switch {
			case sims[i] > t:
				larger++
			case sims[i] == t:
				larger += 0.5
			}
		}
		if n := float64(len(sims)); n > 0 && !math.IsNaN(t) {
			larger /= n
		} else {
			larger = math.NaN()
		}
		sorted := draws.Sorted([][]float64{sims})
		out = append(out, PredictiveCheck{
			Name: name, Statistic: label, Observed: draws.Number(t), Mean: draws.Number(draws.Mean([][]float64{sims})),
			Q5: draws.Number(draws.Quantile(sorted, 0.05)), Q95: draws.Number(draws.Quantile(sorted, 0.95)), P: draws.Number(larger),
			sims: len(sims), tail: tailProbability(sorted, t, larger),
		})
		if len(observed) == 1 {
			break
		}
	}
	return out
}

// tailShare is the share of values that the tail beyond them is extrapolated from.
const tailShare = 0.05

// tailProbability is the two-sided p-value of t among sorted values, of which the share p is
// larger. Beyond all of them it goes on as an exponential tail does, whose mean excess is that
// of the last twentieth; that it begins there at all has probability 1/(n+1).
func tailProbability(sorted []float64, t, p float64) float64 {
	n := len(sorted)
	if n == 0 || math.IsNaN(p) || math.IsNaN(sorted[0]) || math.IsNaN(sorted[n-1]) {
		return math.NaN()
	}
	if t >= sorted[0] && t <= sorted[n-1] {
		return min(1, 2*max(min(p, 1-p), 1/float64(n+1)))
	}
	far := sorted
	if t < sorted[0] { // the lower tail, turned round
		far = make([]float64, n)
		for i, x := range sorted {
			far[n-1-i] = -x
		}
		t = -t
	}
	k := max(int(tailShare*float64(n)), 1)
	from, excess := far[n-k], 0.0
	for _, x := range far[n-k:] {
		excess += x - from
	}
	excess /= float64(k)
	if excess <= 0 {
		return 2 / float64(n+1)
	}
	return 2 * min(1/float64(n+1), tailShare*libm.Exp(-(t-from)/excess))
}

// PredictiveFigures are the figures of a predictive check.
type PredictiveFigures struct {
	From         string            `json:"from"` // "prior" or "posterior"
	Replications int               `json:"replications"`
	P            draws.Number      `json:"p"` // smallest of the statistics, two-sided and adjusted for their number
	Checks       []PredictiveCheck `json:"checks"`
}

// Predictive judges checks against data sets that were simulated from the posterior or from
// the prior. What the prior does not expect is at most a warning: the posterior may be right
// all the same.
func Predictive(from string, checks []PredictiveCheck) *Verdict {
	p := make([]float64, len(checks))
	n := 0
	for i, c := range checks {
		p[i], n = c.tail, c.sims
	}
	p = Holm(p)
	worst := math.NaN()
	var odd []PredictiveCheck
	v := &Verdict{Kind: from + "_predictive", Severity: None}
	for i, c := range checks {
		if math.IsNaN(worst) || p[i] < worst {
			worst = p[i]
		}
		m := Measure{Value: p[i], Values: n, Least: LeastPredictive}
		s := m.AtLeast(predictiveWarning, predictiveBad)
		if from == "prior" && s == Bad {
			s = Warning
		}
		v.Severity = Worse(v.Severity, s)
		if s == Warning || s == Bad {
			odd = append(odd, c)
		}
	}
	v.Figures = PredictiveFigures{From: from, Replications: n, P: draws.Number(worst), Checks: append([]PredictiveCheck{}, checks...)}
	v.Summary = predictiveSummary(from, n, v.Severity, odd, worst)
	v.Tables = []Table{predictiveTable(checks)}
	return v
}

func predictiveSummary(from string, n int, s Severity, odd []PredictiveCheck, p float64) string {
	switch {
	case s == None:
		return fmt.Sprintf("Too little could be compared with data sets simulated from the %s.", from)
	case len(odd) == 0:
		return fmt.Sprintf("The data are like %d data sets simulated from the %s (smallest adjusted %s).", n, from, PValue(p))
	}
	var parts []string
	for _, c := range odd[:min(len(odd), 3)] {
		parts = append(parts, fmt.Sprintf("%s of %s is %s, where 90 %% of simulated data sets have %s to %s", c.Statistic, c.Name, short(c.Observed), short(c.Q5), short(c.Q95)))
	}
	text := strings.Join(parts, "; ")
	if from == "prior" {
		return fmt.Sprintf("The prior does not expect data like these: %s (smallest adjusted %s).", text, PValue(p))
	}
	return fmt.Sprintf("The fitted model does not produce data like these: %s (smallest adjusted %s).", text, PValue(p))
}

func predictiveTable(checks []PredictiveCheck) Table {
	t := Table{Header: []string{"", "observed", "mean", "5%", "95%", "p"}}
	for _, c := range checks {
		t.Rows = append(t.Rows, []string{c.Statistic + " of " + c.Name, short(c.Observed), short(c.Mean), short(c.Q5), short(c.Q95), strconv.FormatFloat(float64(c.P), 'f', 3, 64)})
	}
	return t
}
