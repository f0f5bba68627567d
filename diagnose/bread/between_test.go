package bread

// This file tests how bounds are written.

import (
	"testing"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// TestBoundsInWords: no interval ends before it begins.
func TestBoundsInWords(t *testing.T) {
	for _, c := range []struct {
		lower, upper, err draws.Number
		want              string
	}{
		{-34, -33, 0.1, "lies between -34.00 and -33.00"},
		{-33.5951, -33.5949, 0.01, "is -33.595"},
		{-33, -34, 0.1, "is about -33.50"},
	} {
		if got := between(c.lower, c.upper, c.err); got != c.want {
			t.Errorf("%v, %v, %v: %q, want %q", c.lower, c.upper, c.err, got, c.want)
		}
	}
}
