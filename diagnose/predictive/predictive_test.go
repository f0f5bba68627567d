package predictive_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/predictive"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// normals is theta ~ N(0, 1), y_i ~ N(theta, 1): the posterior is N(sum of y/(n + 1), 1/(n + 1)).
type normals struct {
	*infertest.Model
	y data
}

type data []float64

func (y data) Numbers() []float64 { return y }

func newNormals(y data) *normals {
	return &normals{infertest.FromFunc(1, func([]float64, []float64) (float64, error) { return 0, nil }), y}
}

func (m *normals) DrawJoint(r *rand.Rand, q []float64) (infer.Dataset, error) {
	q[0] = r.NormFloat64()
	return m.DrawData(r, q)
}

func (m *normals) DrawData(r *rand.Rand, q []float64) (infer.Dataset, error) {
	y := make(data, len(m.y))
	for i := range y {
		y[i] = q[0] + r.NormFloat64()
	}
	return y, nil
}

func (m *normals) Rebound(y infer.Dataset) (infer.Model, error) { return newNormals(y.(data)), nil }

// exact draws from the posterior, or fails where the data have a mean above most.
type exact struct {
	most  float64
	draws int
}

func (exact) Name() string { return "exact" }

func (e exact) Run(_ context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	y := model.(*normals).y
	if mean(y) > e.most {
		return nil, errors.New("a failure on purpose")
	}
	p := &infer.Posterior{Draws: draws.New(1, nil, model.Columns()), Unconstrained: make([][][]float64, 1)}
	r := rng.New(o.Seed, "exact", 0, o.Replicate)
	n := float64(len(y))
	for range e.draws {
		theta := mean(y)*n/(n+1) + r.NormFloat64()/math.Sqrt(n+1)
		p.Draws.Append(draws.Row{Values: []float64{theta}})
		p.Unconstrained[0] = append(p.Unconstrained[0], []float64{theta})
	}
	return p, nil
}

func mean(x []float64) float64 { return draws.Mean([][]float64{x}) }

func of(name string, f func(y, row []float64) float64) predictive.Statistic {
	return predictive.Statistic{Name: name, At: func(m infer.Model, row []float64) (float64, error) { return f(m.(*normals).y, row), nil }}
}

var (
	meanOfY = of("mean", func(y, _ []float64) float64 { return mean(y) })
	maxOfY  = of("max", func(y, _ []float64) float64 { return slices.Max(y) })
	squares = of("squares", func(y, _ []float64) float64 { return float64(len(y)-1) * math.Pow(draws.SD([][]float64{y}), 2) })
	// residuals has parameters in it.
	residuals = of("residuals", func(y, row []float64) float64 {
		sum := 0.0
		for _, v := range y {
			sum += (v - row[0]) * (v - row[0])
		}
		return sum
	})
)

func judge(t *testing.T, o predictive.Options, y data, seed uint64) (*diagnose.Verdict, diagnose.PredictiveFigures) {
	t.Helper()
	d, err := predictive.New(o)
	if err != nil {
		t.Fatal(err)
	}
	v, err := d.Diagnose(context.Background(), newNormals(y), infer.Options{Seed: seed, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	return v, v.Figures.(diagnose.PredictiveFigures)
}

func fromModel(seed uint64, n int) data {
	r := rng.New(seed, "data", 0, 0)
	y := make(data, n)
	theta := r.NormFloat64()
	for i := range y {
		y[i] = theta + r.NormFloat64()
	}
	return y
}

func upper(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

// The p-values of the mean and of the sum of squares about it in closed form. Of 8 observations with mean m: mean of replications
// N(8m/9, 1/9 + 1/8) given the posterior, N(0, 1 + 1/8) given the prior; sum of squares chi-square with 7 degrees of freedom (Abramowitz and
// Stegun, 26.4.4) for all parameters, so that distances are monotone in it and their p-value is that, two-sided. Of 1,000 replications and
// data sets 4 standard errors are at most 0.063, and for the calibrated p, which is two-sided, twice that; the distance's own noise adds 0.02.
func TestOraclePredictiveOfNormals(t *testing.T) {
	for _, m := range []float64{-1.5, 0.4} {
		y := data{m - 1, m + 1, m - 0.5, m + 0.5, m, m, m - 1.2*m, m + 1.2*m}
		o := predictive.Options{Method: exact{math.Inf(1), 1000}, Statistics: []predictive.Statistic{meanOfY, squares}, Replications: 1000, Calibration: 1000}
		_, f := judge(t, o, y, 1)
		posterior := upper((m - 8*m/9) / math.Sqrt(1.0/9+1.0/8))
		x := 2.5 + 2*1.44*m*m
		spread := math.Erfc(math.Sqrt(x/2)) + math.Sqrt(2*x/math.Pi)*math.Exp(-x/2)*(1+x/3+x*x/15)
		two := 2 * min(spread, 1-spread)
		if p := float64(f.Checks[0].P); math.Abs(p-posterior) > 0.063 {
			t.Errorf("mean %g: p %.3f, exactly %.3f", m, p, posterior)
		}
		if p, c := float64(f.Checks[1].P), float64(*f.Checks[1].Calibrated); math.Abs(p-spread) > 0.063 || math.Abs(c-two) > 0.147 {
			t.Errorf("squares %g: p %.3f, exactly %.3f; calibrated %.3f, exactly %.3f", x, p, spread, c, two)
		}
		o.Method, o.Calibration = nil, 0
		_, f = judge(t, o, y, 1)
		prior := upper(m / math.Sqrt(1+1.0/8))
		if p := float64(f.Checks[0].P); math.Abs(p-prior) > 0.063 || f.From != "prior" {
			t.Errorf("mean %g: from the %s p %.3f, exactly %.3f", m, f.From, p, prior)
		}
	}
}

// False alarms: over data from the model, calibrated verdicts on three statistics are not good in at most 1 % and p-values
// uniform, where the plain ones of the mean hardly leave the middle. Of 60 verdicts more than 4, or of 400 with PPL_ALL more than 12, would be
// over 4 sd above 1 %; of 60 p-values of each statistic below 0.2 more than 24, or of 400 more than 112.
func TestOraclePredictiveFalseAlarms(t *testing.T) {
	n, most, below := subset.Of(60, 400), subset.Of(4, 12), subset.Of(24, 112)
	o := predictive.Options{Method: exact{math.Inf(1), 100}, Statistics: []predictive.Statistic{meanOfY, maxOfY, residuals}, Replications: 100, Calibration: 100}
	alarms, bad, plain := 0, 0, 0
	low := make([]int, 3)
	for i := range n {
		v, f := judge(t, o, fromModel(uint64(i), 8), uint64(i))
		if v.Severity != diagnose.Good {
			alarms++
		}
		if v.Severity == diagnose.Bad {
			bad++
		}
		for k, c := range f.Checks {
			if *c.Calibrated < 0.2 {
				low[k]++
			}
		}
		if p := float64(f.Checks[0].P); 2*min(p, 1-p) < 0.2 {
			plain++
		}
	}
	t.Logf("of %d verdicts %d were not good, %d bad; calibrated p below 0.2: %v; plain p of the mean below 0.2: %d", n, alarms, bad, low, plain)
	if alarms > most || bad > 2 || slices.Max(low) > below || slices.Min(low) < n/10 {
		t.Errorf("of %d verdicts %d were not good, %d bad; calibrated p below 0.2: %v", n, alarms, bad, low)
	}
	if plain > n/20 {
		t.Errorf("%d of %d plain p-values of the mean are below 0.2: they ought to need a calibration", plain, n)
	}
}

// Data of another spread are found by what shows it, whether the calibration is from the prior or the posterior.
func TestPredictiveFinds(t *testing.T) {
	y := fromModel(3, 20)
	for i := range y {
		y[i] *= 2.5
	}
	for _, posterior := range []bool{false, true} {
		o := predictive.Options{Method: exact{math.Inf(1), 100}, Statistics: []predictive.Statistic{residuals}, Replications: 200, Calibration: 100, Posterior: posterior}
		v, f := judge(t, o, y, 1)
		if v.Severity != diagnose.Bad || !strings.Contains(v.Summary, "residuals is") || len(f.Checks[0].Reference) != 100 || len(f.Checks[0].Simulated) != 200 {
			t.Errorf("posterior %v: %s", posterior, v.Summary)
		}
	}
}

// Few data sets give no verdict, failures are told, and the number of goroutines changes nothing.
func TestPredictiveFewAndFailures(t *testing.T) {
	o := predictive.Options{Method: exact{1.5, 100}, Statistics: []predictive.Statistic{maxOfY}, Replications: 100, Calibration: 200}
	y := fromModel(1, 8)
	v, _ := judge(t, o, y, 1)
	if !strings.Contains(strings.Join(v.Notes, "\n"), "a failure on purpose") || v.Severity != diagnose.Good {
		t.Errorf("%s: %s, %v", v.Severity, v.Summary, v.Notes)
	}
	d, err := predictive.New(o)
	if err != nil {
		t.Fatal(err)
	}
	one, err := d.Diagnose(context.Background(), newNormals(y), infer.Options{Seed: 1, Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(v)
	b, _ := json.Marshal(one)
	if string(a) != string(b) {
		t.Error("two goroutines and one give different verdicts")
	}
	o.Calibration = 50
	if v, _ := judge(t, o, y, 1); v.Severity != diagnose.None {
		t.Errorf("50 data sets: %s", v.Severity)
	}
	if _, err := predictive.New(predictive.Options{}); err == nil {
		t.Error("no replications are no error")
	}
}
