package bread

// This file tests the tests that forward and reverse values fit together.

import (
	"math"
	"testing"
)

// paired returns data sets of one rung with the given differences, reverse minus forward.
func paired(differences ...float64) []*dataset {
	var out []*dataset
	for _, d := range differences {
		out = append(out, &dataset{forward: [][]float64{{-3}}, reverse: [][]float64{{-3 + d}}})
	}
	return out
}

func TestPairs(t *testing.T) {
	up, tie := math.Log(3), 1e-15 // above with probability 3/4
	for _, c := range []struct {
		name string
		sets []*dataset
		want float64
	}{
		{"all above", paired(up, up, up), 2 * 27.0 / 64},
		{"one above", paired(up, -up, -up), 2 * (1.0/64 + 9.0/64)},
		{"rounding is no evidence", paired(tie, tie, tie, -tie, tie, tie, tie, tie, tie, tie, tie, tie), 1},
		{"ties beside others", paired(tie, up, -up, -up), 2 * (1.0/64 + 9.0/64)},
		{"a dead forward chain lies below", paired(math.Inf(1)), 1},
	} {
		if got := pairs(c.sets, 0); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: p = %v, exactly %v", c.name, got, c.want)
		}
	}
	if got := pairs([]*dataset{{forward: [][]float64{nil}, reverse: [][]float64{{1}}}}, 0); !math.IsNaN(got) {
		t.Errorf("without forward chains p = %v, expected none", got)
	}
}
