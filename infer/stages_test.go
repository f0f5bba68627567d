package infer

// This file tests what chains decide at the end of a stage of warm-up.

import (
	"math"
	"slices"
	"testing"
)

// A chain far below the others is lost. Where one has gone so far that its moments overflow none is, since there must be one
// that the lost ones can follow.
func TestLostChains(t *testing.T) {
	at := func(logDensity, square float64) stage {
		quarter := []float64{10, logDensity, 10, 0, square}
		return stage{moments: slices.Concat(quarter, quarter)}
	}
	climbing := at(-1000, 10)
	climbing.moments[1] = -1200
	for _, c := range []struct {
		name   string
		chains []stage
		want   []bool
		climbs []bool
	}{
		{"alike", []stage{at(-1, 10), at(-2, 10)}, []bool{false, false}, []bool{false, false}},
		{"one far below", []stage{at(-1, 10), at(-1000, 10)}, []bool{false, true}, []bool{false, false}},
		{"one that climbs", []stage{at(-1, 10), climbing}, []bool{false, false}, []bool{false, true}},
		{"one that stands still", []stage{at(-1, 10), at(-1, 0)}, []bool{false, true}, []bool{false, false}},
		{"one that overflows", []stage{at(-1, 10), at(-1, math.Inf(1))}, []bool{false, false}, []bool{false, false}},
		{"all that overflow", []stage{at(-1, math.NaN()), at(-1, math.Inf(1))}, []bool{false, false}, []bool{false, false}},
	} {
		if got, climbs := lost(c.chains); !slices.Equal(got, c.want) || !slices.Equal(climbs, c.climbs) {
			t.Errorf("%s: %v and %v, want %v and %v", c.name, got, climbs, c.want, c.climbs)
		}
	}
}
