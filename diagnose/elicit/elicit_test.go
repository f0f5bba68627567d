package elicit_test

import (
	"context"
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/elicit"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// normals draws sets of 5 numbers N(mu, 1) with mu ~ N(m, s), by the same random numbers for all m and s.
func normals(_ context.Context, values []float64, n int, seed uint64) (elicit.Sets, int, error) {
	sets := make([][]float64, n)
	for i := range sets {
		r := rng.New(seed, "test", 0, uint64(i))
		mu := values[0] + values[1]*r.NormFloat64()
		for range 5 {
			sets[i] = append(sets[i], mu+r.NormFloat64())
		}
	}
	return elicit.Sets{sets}, 0, nil
}

func question(q elicit.Quantity, sets int, seed uint64) elicit.Options {
	inf := math.Inf(1)
	return elicit.Options{
		Quantities: []elicit.Quantity{q}, Sets: sets, Seed: seed, Simulate: normals, Fixed: []bool{false, false},
		Numbers: []elicit.Number{
			{Line: 3, Statement: "mu ~ normal(0, 2);", Name: "0", At: 12, Value: 0, Low: -inf, High: inf, Step: 2},
			{Line: 3, Statement: "mu ~ normal(0, 2);", Name: "2", At: 15, Value: 2, Low: 0, High: inf, Step: 1},
		},
	}
}

func answer(t *testing.T, o elicit.Options) (*diagnose.Verdict, *elicit.Figures) {
	t.Helper()
	v, err := elicit.Judge(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return v, v.Figures.(*elicit.Figures)
}

// Numbers of the prior predictive distribution N(m, s^2 + 1) by two of its quantiles: m is their middle and s^2 + 1 is given by their
// distance. With 2,000 sets standard errors of either quantile are below 4 % of the distance, so that 4 of them are 0.16 of it at most in m, and less
// in s.
func TestOracleMatchedNormal(t *testing.T) {
	const z = 1.6448536269514722
	for _, c := range []struct{ m, s float64 }{{10, 4}, {-3, 2}, {0.5, 8}} {
		half := z * math.Sqrt(c.s*c.s+1)
		v, f := answer(t, question(elicit.Quantity{Name: "y", Want: []elicit.Wanted{{0.05, c.m - half}, {0.95, c.m + half}}}, 2000, 1))
		if v.Severity != diagnose.Good || len(f.Found) != 2 || math.Abs(f.Found[0].To-c.m) > 0.08*half || math.Abs(f.Found[1].To/c.s-1) > 0.12 {
			t.Errorf("m = %g, s = %g: %s, %+v", c.m, c.s, v.Summary, f.Found)
		}
	}
	// No s makes the spread smaller than that of y itself.
	v, _ := answer(t, question(elicit.Quantity{Name: "y", Want: []elicit.Wanted{{0.05, -0.5}, {0.95, 0.5}}}, 2000, 1))
	if v.Severity != diagnose.Warning {
		t.Errorf("impossible quantiles: %s", v.Summary)
	}
	// What is fixed stays.
	o := question(elicit.Quantity{Name: "y", Want: []elicit.Wanted{{0.5, 3}}}, 500, 1)
	o.Fixed[1] = true
	if _, f := answer(t, o); len(f.Found) != 1 || math.Abs(f.Found[0].To-3) > 0.4 {
		t.Errorf("the median alone: %+v", f.Found)
	}
}

// The share of N(0, 5) outside a range is exactly the bound of 5 %, and the verdict must not be a warning more often than 1 in 100: of 100 verdicts at
// most 4, of 1,000 with PPL_ALL at most 22, which are 4 sd. Where it is 8 % nearly all are.
func TestOracleOutsideFalseAlarms(t *testing.T) {
	n, most := subset.Of(100, 1000), subset.Of(4, 22)
	for _, c := range []struct{ z float64 }{{1.959963984540054}, {1.7506860712521692}} { // two-sided 5 % and 8 %
		warned, good := 0, 0
		for i := range n {
			half := c.z * math.Sqrt(5)
			o := question(elicit.Quantity{Name: "y", Plausible: &[2]float64{-half, half}}, 1000, uint64(i))
			o.Numbers = o.Numbers[:0]
			o.Simulate = func(ctx context.Context, _ []float64, n int, seed uint64) (elicit.Sets, int, error) {
				return normals(ctx, []float64{0, 2}, n, seed)
			}
			switch v, _ := answer(t, o); v.Severity {
			case diagnose.Warning:
				warned++
			case diagnose.Good:
				good++
			}
		}
		t.Logf("z = %.2f: of %d verdicts %d are warnings, %d good", c.z, n, warned, good)
		if exact := c.z > 1.9; exact && (warned > most || good > n/10) || !exact && warned < 8*n/10 {
			t.Errorf("z = %.2f: of %d verdicts %d are warnings, %d good", c.z, n, warned, good)
		}
	}
}

// Few data sets give no verdict.
func TestFewSets(t *testing.T) {
	if v, _ := answer(t, question(elicit.Quantity{Name: "y", Plausible: &[2]float64{-100, 100}}, 50, 1)); v.Severity != diagnose.None {
		t.Errorf("50 data sets: %s", v.Severity)
	}
	if v, _ := answer(t, question(elicit.Quantity{Name: "y", Plausible: &[2]float64{100, 200}}, 50, 1)); v.Severity != diagnose.None {
		t.Errorf("50 data sets outside: %s", v.Severity)
	}
}

// What follows a slider is the distribution N(m, s^2 + 1), and a step is the same up and down. With 4,000 sets standard errors of the quantiles at 5 % and
// 95 % are below 4 % of the standard deviation.
func TestOracleSliders(t *testing.T) {
	s := elicit.NewSliders(question(elicit.Quantity{Name: "y"}, 4000, 3))
	for _, step := range []struct {
		number int
		by     float64
		text   string
		m, s   float64
	}{
		{1, 1, "mu ~ normal(0, 4);", 0, 4}, {1, 0.5, "mu ~ normal(0, 5.66);", 0, 5.66}, {0, 2, "mu ~ normal(4, 5.66);", 4, 5.66}, {1, -1.5, "mu ~ normal(4, 2);", 4, 2}, {0, -2, "mu ~ normal(0, 2);", 0, 2},
	} {
		s.Move(step.number, step.by)
		if got := s.Statement(step.number); got != step.text {
			t.Errorf("the statement is %s, want %s", got, step.text)
		}
		header, rows, err := s.Quantiles(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		spread := math.Sqrt(step.s*step.s + 1)
		for column, z := range map[string]float64{"5%": -1.6448536269514722, "50%": 0, "95%": 1.6448536269514722} {
			got, err := strconv.ParseFloat(rows[0][slices.Index(header, column)], 64)
			if want := step.m + z*spread; err != nil || math.Abs(got-want) > 0.16*spread {
				t.Errorf("after %+v: quantile %s is %v, want %.3f (%v)", step, column, got, want, err)
			}
		}
	}
	if s.Away(0) != 0 || s.Away(1) != 0 {
		t.Errorf("numbers are %v and %v steps away from where they are written", s.Away(0), s.Away(1))
	}
	// A positive number stays so.
	for range 100 {
		s.Move(1, -1)
	}
	if x := s.Values[1]; !(x > 0) {
		t.Errorf("the standard deviation has become %v", x)
	}
}
