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
	// Distance is the difference between the observed statistic and the mean of the simulated ones, in standard deviations of these.
	Distance draws.Number `json:"distance"`
	// Calibrated is the two-sided p-value of the distance among those of data sets from the model; nil where there are none.
	Calibrated *draws.Number  `json:"calibrated,omitempty"`
	Simulated  []draws.Number `json:"simulated,omitempty"` // statistics of the simulated data sets
	Reference  []draws.Number `json:"reference,omitempty"` // distances of data sets from the model

	sims  int     // simulated data sets
	among int     // how many values the p-value is taken among
	tail  float64 // two-sided p-value
}

// Label is the statistic in words.
func (c *PredictiveCheck) Label() string {
	if c.Name == "" {
		return c.Statistic
	}
	return c.Statistic + " of " + c.Name
}

// A DataStatistic is a statistic of the numbers of a variable.
type DataStatistic struct {
	Name string
	At   func(x []float64) float64
}

// Statistics are those that are compared of a variable of n numbers. A single number is its own only statistic.
func Statistics(n int) []DataStatistic {
	if n == 1 {
		return []DataStatistic{{"value", func(x []float64) float64 { return x[0] }}}
	}
	return []DataStatistic{
		{"mean", func(x []float64) float64 { return draws.Mean([][]float64{x}) }},
		{"sd", func(x []float64) float64 { return draws.SD([][]float64{x}) }},
		{"min", slices.Min[[]float64]},
		{"median", func(x []float64) float64 { return draws.Quantile(draws.Sorted([][]float64{x}), 0.5) }},
		{"max", slices.Max[[]float64]},
	}
}

// ComparePredictive compares a variable with its replications, each of its length.
func ComparePredictive(name string, observed []float64, replicated [][]float64) []PredictiveCheck {
	var out []PredictiveCheck
	for _, s := range Statistics(len(observed)) {
		sims := make([]float64, len(replicated))
		for i, x := range replicated {
			sims[i] = s.At(x)
		}
		out = append(out, NewPredictiveCheck(name, s.Name, []float64{s.At(observed)}, sims))
	}
	return out
}

// NewPredictiveCheck compares a statistic: its observed value, or one value for each simulated data set where parameters take part
// in it, and the simulated values.
func NewPredictiveCheck(name, statistic string, observed, simulated []float64) PredictiveCheck {
	t, sims, larger := observed[0], simulated, 0.0
	if len(observed) > 1 { // differences are compared with 0
		t, sims = 0, make([]float64, len(simulated))
		for i := range sims {
			sims[i] = simulated[i] - observed[i]
		}
	}
	for _, x := range sims {
		switch {
		case x > t:
			larger++
		case x == t:
			larger += 0.5
		}
	}
	// A statistic of parameters alone is the same with either data: nothing of the data has been compared.
	same := len(observed) > 1 && !slices.ContainsFunc(sims, func(d float64) bool { return d != 0 })
	if n := float64(len(sims)); n > 0 && !math.IsNaN(t) && !same {
		larger /= n
	} else {
		larger = math.NaN()
	}
	far := distance(t, sims)
	if same {
		far = math.NaN()
	}
	sorted := draws.Sorted([][]float64{simulated})
	all := [][]float64{simulated}
	return PredictiveCheck{
		Name: name, Statistic: statistic, Observed: draws.Number(draws.Mean([][]float64{observed})), Mean: draws.Number(draws.Mean(all)),
		Q5: draws.Number(draws.Quantile(sorted, 0.05)), Q95: draws.Number(draws.Quantile(sorted, 0.95)), P: draws.Number(larger),
		Distance: draws.Number(far),
		sims:     len(sims), among: len(sims), tail: tailProbability(draws.Sorted([][]float64{sims}), t, larger),
	}
}

// mostDistance stands for that from values which are all the same.
const mostDistance = 1e6

// distance is that of t from the mean of values, in standard deviations of these.
func distance(t float64, values []float64) float64 {
	d, sd := t-draws.Mean([][]float64{values}), draws.SD([][]float64{values})
	if d == 0 {
		return 0
	}
	return min(max(d/sd, -mostDistance), mostDistance)
}

// Calibrate judges by the distances of data sets from the model.
func (c *PredictiveCheck) Calibrate(reference []float64) {
	reference = slices.DeleteFunc(slices.Clone(reference), math.IsNaN)
	d, larger := float64(c.Distance), 0.0
	for _, x := range reference {
		switch {
		case x > d:
			larger++
		case x == d:
			larger += 0.5
		}
	}
	c.tail = tailProbability(draws.Sorted([][]float64{reference}), d, larger/float64(len(reference)))
	p := draws.Number(c.tail)
	c.Calibrated, c.among = &p, min(c.sims, len(reference))
}

// Keep keeps what a picture shows.
func (c *PredictiveCheck) Keep(simulated, reference []float64) {
	for _, x := range simulated {
		c.Simulated = append(c.Simulated, draws.Number(x))
	}
	for _, x := range reference {
		c.Reference = append(c.Reference, draws.Number(x))
	}
}

// The tail beyond all values is extrapolated from this share of them, or at least from leastTail where they are a tenth or less.
const (
	tailShare = 0.05
	leastTail = 10
)

// tailProbability is the two-sided p-value of t among sorted values, of which the share p is
// larger. Beyond all of them it goes on as an exponential tail does, whose mean excess is that of the last values:
// a further excess x has the predictive probability (1 + x/(k mean))^-k given k of them. That it begins there at all has
// probability 1/(n+1).
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
	k := min(max(int(tailShare*float64(n)), min(leastTail, n/10), 1), n-1)
	from, sum := far[max(n-k-1, 0)], 0.0
	for _, x := range far[n-k:] {
		sum += x - from
	}
	if sum <= 0 {
		return 2 / float64(n+1)
	}
	beyond := libm.Exp(-float64(k) * libm.Log1p((t-from)/sum))
	return 2 * min(1/float64(n+1), float64(k)/float64(n)*beyond)
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
		m := Measure{Value: p[i], Values: c.among, Least: LeastPredictive}
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
		parts = append(parts, fmt.Sprintf("%s is %s, where 90 %% of simulated data sets have %s to %s", c.Label(), short(c.Observed), short(c.Q5), short(c.Q95)))
	}
	text := strings.Join(parts, "; ")
	if from == "prior" {
		return fmt.Sprintf("The prior does not expect data like these: %s (smallest adjusted %s).", text, PValue(p))
	}
	return fmt.Sprintf("The fitted model does not produce data like these: %s (smallest adjusted %s).", text, PValue(p))
}

func predictiveTable(checks []PredictiveCheck) Table {
	t := Table{Header: []string{"", "observed", "mean", "5%", "95%", "p"}}
	calibrated := slices.ContainsFunc(checks, func(c PredictiveCheck) bool { return c.Calibrated != nil })
	if calibrated {
		t.Header = append(t.Header, "distance", "calibrated p")
	}
	for _, c := range checks {
		row := []string{c.Label(), short(c.Observed), short(c.Mean), short(c.Q5), short(c.Q95), strconv.FormatFloat(float64(c.P), 'f', 3, 64)}
		if calibrated {
			row = append(row, strconv.FormatFloat(float64(c.Distance), 'f', 2, 64), strconv.FormatFloat(float64(*c.Calibrated), 'g', 2, 64))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
