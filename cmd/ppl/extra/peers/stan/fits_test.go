package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStanToTarget: independent draws reach an effective sample size of 400 in four chains after about 100 each, and
// are looked at every 10; those of an autoregression of 0.9 are worth 0.1/1.9 each, and 1000 of each chain are too few.
func TestStanToTarget(t *testing.T) {
	for _, c := range []struct {
		keep        float64 // of the value before
		least, most float64
	}{{0, 0.1, 0.3}, {0.9, 1.2, 4}} {
		dir := t.TempDir()
		rng := rand.New(rand.NewPCG(1, 2))
		for chain := range 4 {
			var text strings.Builder
			text.WriteString("lp__,treedepth__,x,constant\n")
			x := rng.NormFloat64()
			for range 1000 {
				x = float64(c.keep*x) + rng.NormFloat64()
				fmt.Fprintf(&text, "%g,3,%g,1\n", -x*x/2, x)
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("draws%d.csv", chain+1)), []byte(text.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var s stanFit
		if err := s.precision(dir); err != nil {
			t.Fatal(err)
		}
		if s.Draws < c.least || s.Draws > c.most {
			t.Errorf("correlation %g: %.3g of the draws, want %g to %g", c.keep, s.Draws, c.least, c.most)
		}
	}
	if err := new(stanFit).precision(t.TempDir()); err == nil {
		t.Error("a folder without draws has no precision")
	}
}
