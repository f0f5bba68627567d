package loo

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// observations are those of the normal model in these tests.
var observations = []float64{-1.3, 0.2, 0.4, 0.9, 1.1, 1.6, 2.0, 2.2, 3.5, 0.7}

func normalLog(x, mean, variance float64) float64 {
	return -0.5*math.Log(2*math.Pi*variance) - (x-mean)*(x-mean)/(2*variance)
}

// exact is the leave-one-out predictive density of y ~ normal(mu, 1) under a flat prior:
// normal with the mean of the others and variance 1 + 1/(n - 1).
func exact() (elpd float64, terms []float64) {
	n, sum := float64(len(observations)), 0.0
	for _, y := range observations {
		sum += y
	}
	for _, y := range observations {
		terms = append(terms, normalLog(y, (sum-y)/(n-1), 1+1/(n-1)))
		elpd += terms[len(terms)-1]
	}
	return elpd, terms
}

// table has n draws of mu in each of four chains from normal(centre, variance), with the
// log density of each observation.
func table(r *rand.Rand, n int, stats []string, draw func() (mu float64, stats []float64)) *draws.Draws {
	columns := []string{"mu"}
	for i := range observations {
		columns = append(columns, "log_lik."+string(rune('0'+i)))
	}
	d := draws.New(4, stats, columns)
	for c := range 4 {
		for range n {
			mu, s := draw()
			row := []float64{mu}
			for _, y := range observations {
				row = append(row, normalLog(y, mu, 1))
			}
			d.Append(draws.Row{Chain: c, Stats: s, Values: row})
		}
	}
	return d
}

func posterior() (mean, variance float64) {
	for _, y := range observations {
		mean += y / float64(len(observations))
	}
	return mean, 1 / float64(len(observations))
}

// The bounds are ten times the error seen over seeds: a term's is about 0.003 with 40,000
// draws, and less than 1 in 1e6 goes beyond.
func TestAgainstExact(t *testing.T) {
	r := rng.New(1, "test", 0, 0)
	mean, variance := posterior()
	want, terms := exact()
	for _, c := range []struct {
		name  string
		stats []string
		draw  func() (float64, []float64)
	}{
		{"posterior", nil, func() (float64, []float64) { return mean + math.Sqrt(variance)*r.NormFloat64(), nil }},
		{"weighted", []string{draws.LogWeightColumn}, func() (float64, []float64) {
			mu := mean + 0.1 + 1.5*math.Sqrt(variance)*r.NormFloat64()
			return mu, []float64{normalLog(mu, mean, variance) - normalLog(mu, mean+0.1, 2.25*variance) + 7}
		}},
		{"approximation", []string{draws.LogTargetColumn, draws.LogApproximationColumn}, func() (float64, []float64) {
			mu := mean + 0.1 + 1.5*math.Sqrt(variance)*r.NormFloat64()
			return mu, []float64{normalLog(mu, mean, variance) - 3, normalLog(mu, mean+0.1, 2.25*variance)}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Of(table(r, 10000, c.stats, c.draw), "log_lik")
			if err != nil {
				t.Fatal(err)
			}
			if e := got.LOO.ELPD; math.Abs(e.Value-want) > 0.03 {
				t.Errorf("elpd %v, want %v", e.Value, want)
			}
			for i, term := range got.LOO.Terms {
				if math.Abs(term.ELPD-terms[i]) > 0.03 {
					t.Errorf("%s: %v, want %v", term.Name, term.ELPD, terms[i])
				}
				if term.K > got.Threshold {
					t.Errorf("%s: k = %v", term.Name, term.K)
				}
			}
			within := 0.0 // the log density with the observation left in
			for _, y := range observations {
				within += normalLog(y, mean, 1+variance)
			}
			if p := got.LOO.P.Value; math.Abs(p-(within-want)) > 0.03 {
				t.Errorf("p_loo %v, want %v", p, within-want)
			}
			if math.Abs(got.WAIC.ELPD.Value-want) > 0.2 {
				t.Errorf("WAIC %v, want about %v", got.WAIC.ELPD, want)
			}
		})
	}
}

// The variance of the log density under the exact posterior, in closed form: with
// mu = m + s*z, d = y - m it is s^2 d^2 + s^4/2.
func TestWAICPenalty(t *testing.T) {
	r := rng.New(2, "test", 0, 0)
	mean, variance := posterior()
	got, err := Of(table(r, 10000, nil, func() (float64, []float64) { return mean + math.Sqrt(variance)*r.NormFloat64(), nil }), "log_lik")
	if err != nil {
		t.Fatal(err)
	}
	for i, y := range observations {
		want := variance*(y-mean)*(y-mean) + variance*variance/2
		if p := got.WAIC.Terms[i].P; math.Abs(p-want) > 0.05*want+1e-3 {
			t.Errorf("%d: p_waic %v, want %v", i, p, want)
		}
	}
}

func TestCompare(t *testing.T) {
	fit := func(elpd ...float64) *Result {
		r := &Result{}
		for _, e := range elpd {
			r.LOO.Terms = append(r.LOO.Terms, Term{ELPD: e})
		}
		r.LOO.sum()
		return r
	}
	ranks, err := Compare([]*Result{fit(-2, -4, -3), fit(-1, -2, -3)})
	if err != nil || ranks[0].Fit != 1 || ranks[1].Fit != 0 {
		t.Fatalf("%v, %v", ranks, err)
	}
	// differences -1, -2, 0: sum -3, standard deviation 1, standard error sqrt(3)
	if d := ranks[1].Difference; d.Value != -3 || math.Abs(d.Error-math.Sqrt(3)) > 1e-15 || ranks[0].Difference != (Estimate{}) {
		t.Errorf("differences %v", ranks)
	}
	if _, err := Compare([]*Result{fit(1, 2), fit(1)}); err == nil {
		t.Error("no error for other numbers of observations")
	}
}

func TestWrongUse(t *testing.T) {
	r := rng.New(3, "test", 0, 0)
	good := table(r, 100, nil, func() (float64, []float64) { return r.NormFloat64(), nil })
	var missing *MissingError
	if _, err := Of(good, "ll"); !errors.As(err, &missing) {
		t.Errorf("error %v", err)
	}
	if _, err := Of(table(r, 2, nil, func() (float64, []float64) { return 0, nil }), "log_lik"); err == nil || !strings.Contains(err.Error(), "too few") {
		t.Errorf("error %v", err)
	}
	bad := table(r, 100, nil, func() (float64, []float64) { return math.Inf(1), nil })
	if _, err := Of(bad, "log_lik"); err == nil || !strings.HasPrefix(err.Error(), "log_lik.0 is -Inf at draw 1 of chain 1") {
		t.Errorf("error %v", err)
	}
	one := draws.New(1, nil, []string{"log_lik"})
	one.Append(draws.Row{Values: []float64{1}})
	if _, err := Of(one, "log_lik"); err == nil {
		t.Error("no error for a mode")
	}
	same, err := Of(table(r, 100, nil, func() (float64, []float64) { return 1, nil }), "log_lik")
	if err != nil || math.Abs(same.LOO.P.Value) > 1e-9 || len(same.Bad()) != 0 {
		t.Errorf("draws that are all alike: %+v, %v", same, err)
	}
}

// TestLongFit: of a fit too long to be held in memory draws at equal distances are used, and the estimate is the exact one:
// under a posterior N(0, 1) and an observation 0 from N(mu, 2) it is -log E[1/p] = -log(2 sqrt(2 pi)) + log(3/4)/2, with a
// standard deviation of 1/p over its mean of sqrt(1.5/sqrt(2) - 1) = 0.25.
func TestLongFit(t *testing.T) {
	const chains, n = 2, draws.Long/2 + 100
	d := draws.New(chains, nil, []string{"log_lik.1"})
	for c := range chains {
		r := rand.New(rand.NewPCG(4, uint64(c)))
		for range n {
			mu := r.NormFloat64()
			d.Append(draws.Row{Chain: c, Values: []float64{-math.Log(2*math.Sqrt(2*math.Pi)) - mu*mu/8}})
		}
	}
	r, err := Of(d, "log_lik")
	if err != nil {
		t.Fatal(err)
	}
	if r.Of != chains*n || r.Draws > MostDraws || 3*r.Draws < MostDraws {
		t.Errorf("%d of %d draws", r.Draws, r.Of)
	}
	want := -math.Log(2*math.Sqrt(2*math.Pi)) + math.Log(0.75)/2
	if got := r.LOO.Terms[0].ELPD; !(math.Abs(got-want) < 5*0.25/math.Sqrt(float64(r.Draws))) {
		t.Errorf("elpd %v, want %v", got, want)
	}
}
