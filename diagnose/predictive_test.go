package diagnose_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// dataSets are n data sets of independent normal or Cauchy numbers.
func dataSets(seed uint64, n, size int, heavy bool) [][]float64 {
	r := rng.New(seed, "data sets", 0, 0)
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, size)
		for j := range out[i] {
			if out[i][j] = r.NormFloat64(); heavy {
				out[i][j] /= r.NormFloat64()
			}
		}
	}
	return out
}

// TestPredictiveFalseAlarms counts verdicts on data that the simulator itself has drawn, so
// that every p-value is uniform: at most 1 % may be bad and 5 % warned of. Over 400 data sets
// a rate of 0.5 % is exceeded by chance with 6 (1.5 %) once in 100 such tests; the seed is
// fixed.
func TestPredictiveFalseAlarms(t *testing.T) {
	for _, heavy := range []bool{false, true} {
		sims, own := dataSets(1, 500, 10, heavy), dataSets(2, 400, 10, heavy)
		bad, warned := 0, 0
		for _, y := range own {
			switch diagnose.Predictive("posterior", diagnose.ComparePredictive("y", y, sims)).Severity {
			case diagnose.Bad:
				bad++
			case diagnose.Warning:
				warned++
			}
		}
		if bad > 4 || warned > 20 {
			t.Errorf("heavy tails %v: of %d data sets that the model made, %d are bad and %d warned of", heavy, len(own), bad, warned)
		}
	}
}

// TestPredictiveFinds sees data that the simulator cannot have made.
func TestPredictiveFinds(t *testing.T) {
	sims := dataSets(1, 500, 10, false)
	same := dataSets(3, 1, 10, false)[0]
	outlier := append([]float64{30}, same[1:]...)
	for name, c := range map[string]struct {
		y    []float64
		from string
		want diagnose.Severity
	}{
		"an outlier":           {outlier, "posterior", diagnose.Bad},
		"of the prior":         {outlier, "prior", diagnose.Warning},
		"no number":            {[]float64{math.NaN(), 1, 2, 3, 4, 5, 6, 7, 8, 9}, "posterior", diagnose.None},
		"none are simulated":   {same, "none", diagnose.None},
		"what it can have had": {same, "posterior", diagnose.Good},
	} {
		s := sims
		if c.from == "none" {
			s = nil
		}
		if v := diagnose.Predictive(c.from, diagnose.ComparePredictive("y", c.y, s)); v.Severity != c.want {
			t.Errorf("%s: %s, want %s: %s", name, v.Severity, c.want, v.Summary)
		}
	}
}

// TestSpreadByWeights chooses weighted draws as often as they weigh.
func TestSpreadByWeights(t *testing.T) {
	d := draws.New(1, nil, []string{"x"})
	for i := range 4 {
		d.Append(draws.Row{Iteration: i, Values: []float64{float64(i)}})
	}
	p := &infer.Posterior{Draws: d, LogWeights: [][]float64{{0, 1, -1000, 0}}}
	count := make([]int, 4)
	for _, at := range diagnose.Spread(p, 1000) {
		count[at.Draw]++
	}
	// 1 : e : 0 : 1
	for i, want := range []int{212, 576, 0, 212} {
		if d := count[i] - want; d < -2 || d > 2 {
			t.Errorf("draw %d is chosen %d times of 1000, want %d", i, count[i], want)
		}
	}
}
