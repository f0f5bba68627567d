package sbc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/sbc"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/nuts"
)

// normals is theta_i ~ N(0, 1), y_i ~ N(theta_i, 1): the posterior is N(y_i/2, 1/2), and given several data sets
// N(sum of y_i/(1 + n), 1/(1 + n)).
type normals struct {
	*infertest.Model
	y []data
}

type data []float64

func (y data) Numbers() []float64 { return y }

func newNormals(y ...data) *normals {
	m := infertest.FromFunc(len(y[0]), func(q, grad []float64) (float64, error) {
		lp := 0.0
		for i, v := range q {
			lp -= v * v / 2
			if grad != nil {
				grad[i] = -v
			}
			for _, y := range y {
				lp -= (y[i] - v) * (y[i] - v) / 2
				if grad != nil {
					grad[i] += y[i] - v
				}
			}
		}
		return lp, nil
	})
	return &normals{m, y}
}

func (m *normals) DrawJoint(r *rand.Rand, q []float64) (infer.Dataset, error) {
	y := make(data, m.N)
	for i := range q {
		q[i] = r.NormFloat64()
		y[i] = q[i] + r.NormFloat64()
	}
	return y, nil
}

func (m *normals) DrawData(r *rand.Rand, q []float64) (infer.Dataset, error) {
	y := make(data, m.N)
	for i := range q {
		y[i] = q[i] + r.NormFloat64()
	}
	return y, nil
}

func (m *normals) Rebound(y infer.Dataset) (infer.Model, error) { return newNormals(y.(data)), nil }

func (m *normals) Augmented(y infer.Dataset) (infer.Model, error) {
	return newNormals(append(slices.Clone(m.y), y.(data))...), nil
}

// exact draws from the posterior with its sd scaled and its mean shifted by some sds, and
// fails now and then. The draws of each coordinate are an autoregression with
// coefficient rho.
type exact struct {
	scale, shift, rho, fails float64
	nearZero                 float64 // beyond that mean the sd is half; never where it is 0
	draws                    int     // 150 where it is 0
}

func (exact) Name() string { return "exact" }
func (e exact) Chains() infer.MarkovOptions {
	n := e.draws
	if n == 0 {
		n = 150
	}
	return infer.MarkovOptions{Chains: 1, Draws: n, Thin: 1, Init: infer.Init{Radius: 1}}
}
func (exact) Stats() []string       { return nil }
func (exact) Config() []draws.Entry { return nil }
func (e exact) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	return infer.RunMarkov(ctx, model, e, o)
}
func (e exact) NewKernel(t infer.Target, _ int) (infer.Kernel, infer.Tuner, error) {
	return &kernel{e, t}, infer.Untuned{}, nil
}

type kernel struct {
	exact
	t infer.Target
}

func (k *kernel) Start(s *infer.State) error {
	s.Grad = make([]float64, len(s.Q))
	_, err := k.t.LogDensityGrad(s.Q, s.Grad)
	return err
}

func (k *kernel) Step(r *rand.Rand, s *infer.State, _ *infer.Info) error {
	if r.Float64() < k.fails {
		return errors.New("a failure on purpose")
	}
	at, one := make([]float64, len(s.Q)), make([]float64, len(s.Q))
	if _, err := k.t.LogDensityGrad(at, s.Grad); err != nil { // the gradient at 0 is the sum of y, and linear
		return err
	}
	if _, err := k.t.LogDensityGrad(slices.Repeat([]float64{1}, len(at)), one); err != nil {
		return err
	}
	for i, y := range s.Grad {
		precision := y - one[i]
		sd := k.scale / math.Sqrt(precision)
		mean := y/precision + k.shift/math.Sqrt(precision)
		if k.nearZero > 0 && math.Abs(mean) > k.nearZero {
			sd /= 2
		}
		s.Q[i] = mean + k.rho*(s.Q[i]-mean) + math.Sqrt(1-k.rho*k.rho)*sd*r.NormFloat64()
	}
	return nil
}

func judge(t testing.TB, o sbc.Options, m infer.Model, seed uint64) (*diagnose.Verdict, sbc.Figures) {
	t.Helper()
	d, err := sbc.New(o)
	if err != nil {
		t.Fatal(err)
	}
	v, err := d.Diagnose(context.Background(), m, infer.Options{Seed: seed, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	return v, v.Figures.(sbc.Figures)
}

// False alarms: an exact method is not good at an adjusted p < 0.01 in at most 1 % of
// verdicts. Of 60 verdicts over 3 quantities more than 4, or of 300 with PPL_ALL more than 10, would be over 4 sd above;
// a method of 10 % is then found with probability 0.73, or 1. Few draws keep the test fast; the law of ranks does not depend on it.
// Given data at hand, ranks in the posterior of both are as uniform.
func TestFalseAlarms(t *testing.T) { falseAlarms(t, false) }

func TestOraclePosteriorFalseAlarms(t *testing.T) { falseAlarms(t, true) }

func falseAlarms(t *testing.T, posterior bool) {
	alarms, bad := 0, 0
	verdicts, most := subset.Of(60, 300), subset.Of(4, 10)
	for i := range verdicts {
		o := sbc.DefaultOptions(exact{scale: 1, draws: 40})
		o.Replications, o.Draws, o.Bins, o.Posterior = 100, 19, 10, posterior
		v, _ := judge(t, o, newNormals(data{-1, 0, 4}), uint64(i))
		if v.Severity != diagnose.Good {
			alarms++
		}
		if v.Severity == diagnose.Bad {
			bad++
		}
	}
	t.Logf("%d of %d verdicts were not good, %d were bad", alarms, verdicts, bad)
	if alarms > most || bad > 3 {
		t.Errorf("%d false alarms in %d, %d of them bad", alarms, verdicts, bad)
	}
}

// A method that is wrong where the data at hand are, which the prior does not expect: by data sets from the prior it is
// calibrated, by those from the posterior it is not. A good verdict for the first is wrong in 1 of 100 seeds.
func TestOraclePosteriorFindsWhatThePriorMisses(t *testing.T) {
	o := sbc.DefaultOptions(exact{scale: 1, nearZero: 2.8})
	m := newNormals(data{7})
	if v, _ := judge(t, o, m, 1); v.Severity != diagnose.Good {
		t.Errorf("from the prior: %s", v.Summary)
	}
	o.Posterior = true
	if v, f := judge(t, o, m, 1); v.Severity != diagnose.Bad || f.From != "posterior" || !contains(v.Summary, "q.1 (draws too narrow)") {
		t.Errorf("from the posterior: %s", v.Summary)
	}
}

// Planted errors are found and named, among quantities that are right.
func TestPlantedErrors(t *testing.T) {
	for word, m := range map[string]exact{
		"draws too narrow": {scale: 0.6}, "draws too wide": {scale: 1.7}, "draws too high": {scale: 1, shift: 0.6}, "draws too low": {scale: 1, shift: -0.6},
	} {
		v, f := judge(t, sbc.DefaultOptions(m), newNormals(data{0, 0}), 1)
		if v.Severity != diagnose.Bad {
			t.Errorf("%s: %s", word, v.Summary)
		}
		if want := fmt.Sprintf("q.1 (%s), q.2 (%s)", word, word); !contains(v.Summary, want) {
			t.Errorf("%q does not say %q", v.Summary, want)
		}
		if len(f.Parameters) != 2 || len(f.Parameters[0].Ranks) != 200 {
			t.Errorf("%d parameters", len(f.Parameters))
		}
	}
}

func contains(text, part string) bool {
	for i := range len(text) - len(part) + 1 {
		if text[i:i+len(part)] == part {
			return true
		}
	}
	return false
}

// Chains with autocorrelation are lengthened until ranks are uniform; without that the
// ranks of draws with autocorrelation 0.95 would not be.
func TestThinning(t *testing.T) {
	v, f := judge(t, sbc.DefaultOptions(exact{scale: 1, rho: 0.9}), newNormals(data{0, 0}), 4)
	if v.Severity != diagnose.Good {
		t.Errorf("%s", v.Summary)
	}
	if f.Short > 10 {
		t.Errorf("%d of 200 replications stayed short", f.Short)
	}
}

// NUTS is calibrated.
func TestNUTS(t *testing.T) {
	o := nuts.DefaultOptions()
	o.MarkovOptions.Chains, o.MarkovOptions.Warmup, o.MarkovOptions.Draws = 1, 200, 200
	m, err := nuts.New(o)
	if err != nil {
		t.Fatal(err)
	}
	s := sbc.DefaultOptions(m)
	s.Replications = 100
	if v, _ := judge(t, s, newNormals(data{0, 0}), 1); v.Severity != diagnose.Good {
		t.Error(v.Summary)
	}
}

// answered returns the posterior with its sd scaled and its mean shifted by some sds as a
// density.
type answered struct{ scale, shift float64 }

func (answered) Name() string { return "answered" }

func (a answered) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	e := model.NewEvaluator()
	mean, sd := make([]float64, model.Dim()), make([]float64, model.Dim())
	if _, err := e.LogDensityGrad(make([]float64, model.Dim()), mean); err != nil { // the gradient at 0 is y
		return nil, err
	}
	for i := range sd {
		sd[i] = a.scale / math.Sqrt2
		mean[i] = mean[i]/2 + a.shift/math.Sqrt2
	}
	rec, err := infer.NewRecorder(model, e, o, draws.Plan{Method: "answered", Draws: 99, Stats: approx.Stats}, 0)
	if err != nil {
		return nil, err
	}
	if err := approx.Record(ctx, rec, e, normal.NewDiagonal(mean, sd), 99, rand.New(rand.NewPCG(o.Seed, o.Replicate))); err != nil {
		return nil, err
	}
	return rec.End(nil)
}

// uneven draws from the posterior with log weights of sd 1, so that draws count as e^-1 times as many.
type uneven struct{ draws int }

func (uneven) Name() string                 { return "uneven" }
func (uneven) WithDraws(n int) infer.Method { return uneven{n} }
func (u uneven) Run(_ context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	y := model.(*normals).y[0]
	d := draws.New(1, []string{draws.LogWeightColumn}, model.Columns())
	r := rand.New(rand.NewPCG(o.Seed, o.Replicate))
	logw := make([]float64, u.draws)
	for i := range logw {
		logw[i] = r.NormFloat64()
		row := make([]float64, len(y))
		for k, v := range y {
			row[k] = v/2 + math.Sqrt(0.5)*r.NormFloat64()
		}
		d.Append(draws.Row{Stats: logw[i : i+1], Values: row})
	}
	return &infer.Posterior{Draws: d, Plan: draws.Plan{Method: "uneven", Chains: 1, Draws: u.draws}, LogWeights: [][]float64{logw}}, nil
}

// particles draws from the posterior as a population does whose points weigh the same: without weights.
type particles struct{}

func (particles) Name() string { return "particles" }
func (particles) Run(_ context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	y, r := model.(*normals).y[0], rand.New(rand.NewPCG(o.Seed, o.Replicate))
	d := draws.New(1, []string{draws.LogWeightColumn}, model.Columns())
	for range 200 {
		row := make([]float64, len(y))
		for k, v := range y {
			row[k] = v/2 + math.Sqrt(0.5)*r.NormFloat64()
		}
		d.Append(draws.Row{Stats: []float64{0}, Values: row})
	}
	return &infer.Posterior{Draws: d, Plan: draws.Plan{Method: "particles", Chains: 1, Draws: 200}}, nil
}

// Particles after their last resampling have no weights, and are draws all the same: before, all runs of smc failed.
func TestParticlesWithoutWeights(t *testing.T) {
	o := sbc.DefaultOptions(particles{})
	o.Replications = 100
	if v, f := judge(t, o, newNormals(make([]float64, 2)), 5); f.Failures > 0 || v.Severity == diagnose.Bad {
		t.Errorf("%d failures: %s %s", f.Failures, v.Severity, v.Summary)
	}
}

// Weighted draws that count as too few are made again, twice as many: 100 count as 37, 400 as 147. Without
// doublings all are too few, and the note does not claim that there were any.
func TestWeightedDrawsAreDoubled(t *testing.T) {
	for doublings, want := range map[int]int{5: 0, 0: 40} {
		o := sbc.DefaultOptions(uneven{100})
		o.Replications, o.Draws, o.Doublings = 40, 99, doublings
		v, f := judge(t, o, newNormals(make([]float64, 2)), 5)
		if f.Short != want {
			t.Errorf("%d doublings: %d of 40 replications are short", doublings, f.Short)
		}
		for _, n := range v.Notes {
			if contains(n, "even after") {
				t.Errorf("%d doublings: %s", doublings, n)
			}
		}
	}
}

// The expected symmetrised divergence of normals: for each coordinate
// (s^2 + 1/s^2)/2 - 1 + m^2 (1 + 1/s^2)/2 with s the ratio of sds and m the shift in sds of
// the posterior. 5 standard errors over 200 data sets; 0 without error where q is exact.
func TestDivergence(t *testing.T) {
	for _, c := range []answered{{1, 0}, {0.8, 0}, {1.3, 0.4}} {
		_, f := judge(t, sbc.DefaultOptions(c), newNormals(data{0, 0}), 2)
		s := c.scale * c.scale
		want := 2 * ((s+1/s)/2 - 1 + c.shift*c.shift*(1+1/s)/2)
		if f.Divergence == nil || math.Abs(float64(f.Divergence.Estimate)-want) > 5*float64(f.Divergence.Error)+1e-9 {
			t.Errorf("%+v: %+v, exactly %g", c, f.Divergence, want)
		}
	}
	if _, f := judge(t, sbc.DefaultOptions(exact{scale: 1}), newNormals(data{0}), 2); f.Divergence != nil {
		t.Errorf("a divergence without a density: %+v", f.Divergence)
	}
}

// Runs that fail are counted and judged, and leave no rank; too few replications leave
// no verdict.
func TestFailuresAndFew(t *testing.T) {
	o := sbc.DefaultOptions(exact{scale: 1, fails: 2e-4})
	o.Replications = 120
	v, f := judge(t, o, newNormals(data{0}), 1)
	none := 0
	for _, r := range f.Parameters[0].Ranks {
		if r == nil {
			none++
		}
	}
	if f.Failures == 0 || none != f.Failures || v.Severity != diagnose.Bad || f.Replications != 120 {
		t.Errorf("%d failures, %d without rank, severity %s", f.Failures, none, v.Severity)
	}
	o = sbc.DefaultOptions(exact{scale: 3})
	o.Replications = 99
	if v, _ := judge(t, o, newNormals(data{0}), 1); v.Severity != diagnose.None {
		t.Errorf("a verdict from 99 replications: %s", v.Severity)
	}
}

func TestDeterministic(t *testing.T) {
	var texts []string
	for _, jobs := range []int{1, 3} {
		o := sbc.DefaultOptions(exact{scale: 1})
		o.Replications = 20
		d, _ := sbc.New(o)
		v, err := d.Diagnose(context.Background(), newNormals(data{0}), infer.Options{Seed: 3, Jobs: jobs})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if texts[0] != texts[1] {
		t.Errorf("%s\n%s", texts[0], texts[1])
	}
}

type stopper struct {
	infer.Ignore
	cancel func()
}

func (s *stopper) Step(x infer.Step) {
	if x.Done >= 5 {
		s.cancel()
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	d, _ := sbc.New(sbc.DefaultOptions(exact{scale: 1}))
	v, err := d.Diagnose(ctx, newNormals(data{0}), infer.Options{Seed: 1, Observer: &stopper{cancel: cancel}})
	if err != nil {
		t.Fatal(err)
	}
	if n := v.Figures.(sbc.Figures).Replications; !v.Incomplete || n != 5 || v.Severity != diagnose.None {
		t.Errorf("incomplete %v, %d replications, %s", v.Incomplete, n, v.Severity)
	}
}

func TestMissingParts(t *testing.T) {
	d, _ := sbc.New(sbc.DefaultOptions(exact{scale: 1}))
	var missing *infer.MissingError
	if _, err := d.Diagnose(context.Background(), infertest.Correlated(0).Model, infer.Options{}); !errors.As(err, &missing) {
		t.Errorf("error %v", err)
	}
}

func TestOptionRanges(t *testing.T) {
	for _, change := range []func(*sbc.Options){
		func(o *sbc.Options) { o.Method = nil }, func(o *sbc.Options) { o.Replications = 0 }, func(o *sbc.Options) { o.Draws = 0 },
		func(o *sbc.Options) { o.Bins = 1 }, func(o *sbc.Options) { o.Bins = 101 }, func(o *sbc.Options) { o.Bad = 1 },
	} {
		o := sbc.DefaultOptions(exact{})
		change(&o)
		if _, err := sbc.New(o); err == nil {
			t.Errorf("accepted %+v", o)
		}
	}
}
