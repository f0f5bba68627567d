// Numbers of messages that tell two places apart.

package diagnose

import (
	"testing"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// TestPlaced: a number far from zero is written so that its distance from another shows.
func TestPlaced(t *testing.T) {
	for want, c := range map[string][2]draws.Number{
		"1000.52": {1000.5249, 0.04},
		"1.9992":  {1.99923, 7e-4},
		"0.25":    {0.25, 3},
		"-2.39":   {-2.391, 1.1},
		"41.2":    {41.21, 0.9 * 41},
		"7":       {7, 0},
	} {
		if got := placed(c[0], c[1]); got != want {
			t.Errorf("%v beside a distance of %v: %s, want %s", c[0], c[1], got, want)
		}
	}
}
