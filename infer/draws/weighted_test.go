package draws

import (
	"math"
	"math/rand/v2"
	"testing"
)

// With equal weights everything is the statistic of plain draws, for which the
// other tests hold.
func TestSummarizeWeightedEqual(t *testing.T) {
	r := rand.New(rand.NewChaCha8([32]byte{1}))
	x, w := make([]float64, 101), make([]float64, 101)
	for i := range x {
		x[i], w[i] = r.NormFloat64(), 1/101.0
	}
	s, plain := SummarizeWeighted("x", x, w), Summarize("x", [][]float64{x})
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"mean", s.Mean, plain.Mean}, {"sd", s.SD, plain.SD},
		{"5%", s.Q5, plain.Q5}, {"50%", s.Q50, plain.Q50}, {"95%", s.Q95, plain.Q95},
		{"ess", s.ESSBulk, 101}, {"mcse", s.MCSE, plain.SD / math.Sqrt(101) * math.Sqrt(100/101.0)},
	} {
		if !(math.Abs(c.got-c.want) < 1e-12*(1+math.Abs(c.want))) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	if !math.IsNaN(s.RHat) || s.Name != "x" {
		t.Errorf("found %+v", s)
	}
}

// Weights 1/2, 1/3, 1/6 of the points 0, 3, 6: mean 2, variance 5, sum of squared
// weights 7/18.
func TestSummarizeWeighted(t *testing.T) {
	s := SummarizeWeighted("x", []float64{3, math.NaN(), 0, 6}, []float64{1 / 3.0, 0, 1 / 2.0, 1 / 6.0})
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"mean", s.Mean, 2}, {"sd", s.SD, math.Sqrt(5 / (11 / 18.0))}, {"ess", s.ESSBulk, 18 / 7.0},
		{"mcse", s.MCSE, math.Sqrt(1/4.0*4 + 1/9.0*1 + 1/36.0*16)},
		// places 0, 1/3 + 2/2 = 4/3, 2: the median, at 1, is 3/4 of the way from 0 to 3
		{"median", s.Q50, 9 / 4.0},
	} {
		if !(math.Abs(c.got-c.want) < 1e-12) {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	// A draw that carries weight and is no number leaves nothing to say.
	if s := SummarizeWeighted("x", []float64{1, math.NaN()}, []float64{0.5, 0.5}); !math.IsNaN(s.Mean) || !math.IsNaN(s.Q50) || !math.IsNaN(s.ESSTail) {
		t.Errorf("found %+v", s)
	}
	// One draw with all the weight.
	if s := SummarizeWeighted("x", []float64{1, 2}, []float64{1, 0}); s.Mean != 1 || s.Q5 != 1 || s.ESSBulk != 1 {
		t.Errorf("found %+v", s)
	}
}

func TestKind(t *testing.T) {
	inf := math.Inf(-1)
	for name, c := range map[string]struct {
		stats []string
		rows  [][]float64
		want  Kind
	}{
		"chain":            {[]string{AcceptColumn}, [][]float64{{1}, {0.5}}, Chains},
		"chain of one":     {[]string{AcceptColumn}, [][]float64{{1}}, Chains},
		"bare columns":     {nil, [][]float64{{}, {}}, Chains},
		"mode":             {nil, [][]float64{{}}, Mode},
		"approximation":    {[]string{LogTargetColumn, LogApproximationColumn}, [][]float64{{1, 2}, {3, 4}}, Independent},
		"path":             {[]string{logPathColumn, "path__"}, [][]float64{{1, 1}, {3, 2}}, Independent},
		"weights":          {[]string{LogWeightColumn}, [][]float64{{-2}, {inf}}, Weighted},
		"equal weights":    {[]string{LogWeightColumn}, [][]float64{{-2}, {-2}}, Weighted},
		"population":       {[]string{LogWeightColumn}, [][]float64{{0}, {0}}, Particles},
		"no weight at all": {[]string{LogWeightColumn}, [][]float64{{inf}, {inf}}, Weighted},
	} {
		d := New(1, c.stats, []string{"x"})
		for i, row := range c.rows {
			d.Append(Row{Stats: row, Values: []float64{float64(i)}})
		}
		if got := d.Kind(); got != c.want {
			t.Errorf("%s: kind %d, want %d", name, got, c.want)
		}
		s := d.Summaries()
		if len(s) != 2 || s[1].Mean < 0 || s[1].Mean > 1 {
			t.Errorf("%s: %+v", name, s)
		}
		if name == "weights" && s[1].Mean != 0 || name == "no weight at all" && s[1].Mean != 0.5 {
			t.Errorf("%s: mean %v", name, s[1].Mean)
		}
	}
}
