// This file checks the building blocks of densities against values from arithmetic of
// 60 digits and more (mpmath, from the definitions), in testdata/dist_values.jsonl.

package special

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"testing"
)

var distFunctions = map[string]func(x []float64) float64{
	"StirlingError":      func(x []float64) float64 { return StirlingError(x[0]) },
	"PsiError":           func(x []float64) float64 { return PsiError(x[0]) },
	"Psi":                func(x []float64) float64 { return Psi(x[0]) },
	"Log1pmx":            func(x []float64) float64 { return Log1pmx(x[0]) },
	"Deviance":           func(x []float64) float64 { return Deviance(x[0], x[1]) },
	"Lbeta":              func(x []float64) float64 { return Lbeta(x[0], x[1]) },
	"LgammaShift":        func(x []float64) float64 { return LgammaShift(x[0], x[1]) },
	"PsiShift":           func(x []float64) float64 { return PsiShift(x[0], x[1]) },
	"LgammaHalf":         func(x []float64) float64 { v, _ := LgammaHalf(x[0]); return v },
	"LgammaHalf slope":   func(x []float64) float64 { _, dv := LgammaHalf(x[0]); return dv },
	"Erfcx":              func(x []float64) float64 { return Erfcx(x[0]) },
	"NormalLogCDF":       func(x []float64) float64 { v, _ := NormalLogCDF(x[0]); return v },
	"NormalLogCDF slope": func(x []float64) float64 { _, dv := NormalLogCDF(x[0]); return dv },
	"Mills":              func(x []float64) float64 { return Mills(x[0]) },
	"MillsSlope":         func(x []float64) float64 { return MillsSlope(x[0]) },
}

func TestDistributionBlocks(t *testing.T) {
	file, err := os.Open("testdata/dist_values.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	seen := map[string]bool{}
	for sc := bufio.NewScanner(file); sc.Scan(); {
		var line struct {
			F    string
			X    []float64
			Want float64
		}
		if err := json.Unmarshal(sc.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		seen[line.F] = true
		got := distFunctions[line.F](line.X)
		if e := math.Abs(got - line.Want); !(e <= 3e-12*math.Abs(line.Want)+1e-15*math.Min(1, 1e3*math.Abs(line.Want))) {
			t.Errorf("%s%v: got %.17g, want %.17g, error %.1e", line.F, line.X, got, line.Want, e/math.Abs(line.Want))
		}
	}
	for name := range distFunctions {
		if !seen[name] {
			t.Errorf("no values for %s", name)
		}
	}
}
