package infer_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// A placed error has a place in a program.
type placed struct{ place, text string }

func (p placed) Error() string  { return p.place + ": " + p.text }
func (p placed) Place() string  { return p.place }
func (p placed) Reason() string { return p.text }

// Rejections with the same place and words are one, with the range of each number; a number in
// a name is a part of the name, and an index is not what the message is about.
func TestExplainRejections(t *testing.T) {
	causes := []error{
		placed{"m:1:2", "big x 1.5"},
		placed{"m:1:2", "big x -2e-3"},
		placed{"m:1:2", "big x 10"},
		placed{"m:9:2", "big x 10"},
		placed{"m:3:1", "beta2_lpdf: y[3] is inf, x1 and 4 more"},
		placed{"m:3:1", "beta2_lpdf: y[1] is 7, x1 and 4 more"},
		infer.ErrZeroDensity,
		placed{"m:4:1", "no number"},
		placed{"m:4:1", "no number"},
	}
	p := &infer.Posterior{Chains: make([]infer.ChainReport, 2)}
	for i, c := range causes {
		chain := &p.Chains[i%2]
		chain.Rejections = append(chain.Rejections, infer.Rejection{Cause: c})
	}
	p.ExplainRejections()
	type row struct {
		place, message string
		count          int
		low, high      float64
	}
	inf := math.Inf(1)
	want := map[row]bool{
		{"m:1:2", "big x -2e-3 to 10", 3, -0.002, 10}:                            true,
		{"m:9:2", "big x 10", 1, 10, 10}:                                         true,
		{"m:3:1", "beta2_lpdf: y[1 to 3] is 7 to inf, x1 and 4 more", 2, 7, inf}: true,
		{"", "the log density is -Inf, the log of zero", 1, -inf, -inf}:          true,
		{"m:4:1", "no number", 2, 0, 0}:                                          true,
	}
	if len(p.Rejected) != len(want) {
		t.Errorf("%d groups, want %d", len(p.Rejected), len(want))
	}
	for _, r := range p.Rejected {
		got := row{place: r.Place, message: r.Message, count: r.Count}
		if r.Low != nil {
			got.low, got.high = float64(*r.Low), float64(*r.High)
		}
		if !want[got] {
			t.Errorf("unexpected: %+v", got)
		}
	}
	if p.Rejected[0].Count != 3 {
		t.Errorf("the most frequent reason is not the first: %+v", p.Rejected[0])
	}
}
