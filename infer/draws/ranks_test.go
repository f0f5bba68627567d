package draws

import (
	"fmt"
	"math"
	"testing"
)

// TestSummaryFollowsItsDefinition: what is read off one sort is what the single figures,
// each with sorts of its own, give, for columns with and without ties and of any length.
func TestSummaryFollowsItsDefinition(t *testing.T) {
	value := map[string]func(float64) float64{
		"continuous": func(v float64) float64 { return v },
		"far away":   func(v float64) float64 { return 1e9 + v },
		"counts":     func(v float64) float64 { return math.Round(3 * v) },
		"two values": func(v float64) float64 { return math.Copysign(1, v) },
		"zeros":      func(v float64) float64 { return math.Copysign(0, v) },
		"mostly one": func(v float64) float64 { return math.Max(v, 0) },
		"infinite":   func(v float64) float64 { return math.Exp(1000 * v) },
		"no numbers": func(v float64) float64 { return math.Log(v) },
		"huge":       func(v float64) float64 { return v * 1e300 },
	}
	for name, f := range value {
		for _, chains := range []int{1, 2, 4} {
			for _, n := range []int{1, 2, 3, 4, 5, 10, 99, 500} {
				x := apply(ar1(stream(9), chains, n, 0.7), f)
				got, sorted := Summarize(name, x), Sorted(x)
				want := Summary{
					Name: name, Mean: Mean(x), MCSE: MCSEMean(x), SD: SD(x),
					Q5: Quantile(sorted, 0.05), Q50: Quantile(sorted, 0.5), Q95: Quantile(sorted, 0.95),
					ESSBulk: ESSBulk(x), ESSTail: ESSTail(x), RHat: RHat(x),
				}
				if rHat, bulk, tail := NewMixing(chains, n).Of(x); fmt.Sprint(rHat, bulk, tail) != fmt.Sprint(want.RHat, want.ESSBulk, want.ESSTail) {
					t.Errorf("%s, %d chains of %d: mixing %v, %v, %v, want %v", name, chains, n, rHat, bulk, tail, want)
				}
				for _, s := range []*Summary{&got, &want} { // a zero's sign is left open
					s.Q5, s.Q50, s.Q95 = s.Q5+0, s.Q50+0, s.Q95+0
				}
				if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
					t.Errorf("%s, %d chains of %d: %s, want %s", name, chains, n, g, w)
				}
			}
		}
	}
}

// BenchmarkSummarize is the summary of a column of four chains of 1000 draws.
func BenchmarkSummarize(b *testing.B) {
	x := ar1(stream(1), 4, 1000, 0.3)
	scores := normalScores(count(split(x)))
	r := newRanking(scores)
	b.ReportAllocs()
	for b.Loop() {
		summarize("x", x, r)
	}
}
