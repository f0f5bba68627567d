// This file checks the special functions against values from 60-digit arithmetic
// (mpmath, from the definitions), in testdata/values.jsonl.

package special_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// functions names what the lines of the file call, with all results in order.
var functions = map[string]func(x []float64) []float64{
	"IncGamma": func(x []float64) []float64 {
		t := special.IncGamma(x[0], x[1])
		return []float64{t.LogP, t.LogQ, t.LogPA, t.LogQA, t.LogDensity}
	},
	"IncBeta": func(x []float64) []float64 {
		t := special.IncBeta(x[0], x[1], x[2], 1-x[2])
		return []float64{t.LogP, t.LogQ, t.LogPA, t.LogQA, t.LogPB, t.LogQB, t.LogDensity}
	},
	"IncGammaOfShape": func(x []float64) []float64 {
		t := special.IncGammaOfShape(x[0], x[1])
		return []float64{t.LogP, t.LogQ}
	},
	"OwensT": func(x []float64) []float64 { return []float64{special.OwensT(x[0], x[1])} },
	"SkewNormalLower": func(x []float64) []float64 {
		s := special.SkewNormalLower(x[0], x[1])
		return []float64{s.Log, s.DLogZ, s.DLogAlpha}
	},
	"BinomialSide": func(x []float64) []float64 {
		s := special.BinomialSide(x[0], x[1], x[2])
		return []float64{s.Log, s.Slope}
	},
	"PoissonSide": func(x []float64) []float64 {
		s := special.PoissonSide(x[0], x[1])
		return []float64{s.Log, s.Slope}
	},
	"BesselI": func(x []float64) []float64 {
		return []float64{special.BesselI(int(x[0]), x[1]), special.BesselISlope(int(x[0]), x[1])}
	},
	"LogBesselI": func(x []float64) []float64 { f, dv, dz := special.LogBesselI(x[0], x[1]); return []float64{f, dv, dz} },
	"StudentQuantile": func(x []float64) []float64 {
		t, dp, dn := special.StudentQuantile(x[0], x[1])
		return []float64{t, dp, dn}
	},
	"LgammaDiff": func(x []float64) []float64 { return []float64{special.LgammaDiff(x[0], x[1])} },
	"PsiDiff":    func(x []float64) []float64 { return []float64{special.PsiDiff(x[0], x[1])} },
	"BesselK0":   func(x []float64) []float64 { return []float64{special.BesselK(0, x[0])} },
	"BesselK5":   func(x []float64) []float64 { return []float64{special.BesselK(5, x[0])} },

	"LambertW0": func(x []float64) []float64 {
		var dst [1]float64
		special.LambertW0s(dst[:], x)
		return []float64{special.LambertW0(x[0]), dst[0]}
	},
	"Lgamma1p":          one(special.Lgamma1p),
	"Digamma":           one(special.Digamma),
	"Trigamma":          one(special.Trigamma),
	"Tetragamma":        one(special.Tetragamma),
	"NormalLogQuantile": one(special.NormalLogQuantile),
}

func one(f func(float64) float64) func([]float64) []float64 {
	return func(x []float64) []float64 { return []float64{f(x[0])} }
}

func TestValues(t *testing.T) {
	file, err := os.Open("testdata/values.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for sc := bufio.NewScanner(file); sc.Scan(); {
		var line struct {
			F       string
			X, Want []float64
			Rel     float64
		}
		if err := json.Unmarshal(sc.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if line.Rel == 0 {
			line.Rel = 2e-9
		}
		got := functions[line.F](line.X)
		for i, want := range line.Want {
			// Relative as in the line; absolute 2e-14 for logarithms and digamma near their zeros.
			if e := math.Abs(got[i] - want); !(e <= line.Rel*math.Abs(want)+2e-14*math.Min(1, math.Abs(want)*1e8)) {
				t.Errorf("%s%v result %d: got %.17g, want %.17g", line.F, line.X, i, got[i], want)
			}
		}
	}
}

// Edges: ends of the range, NaN, and what is outside the domain.
func TestEdges(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"P(a, 0)", special.IncGamma(2, 0).P, 0},
		{"Q(a, inf)", special.IncGamma(2, inf).Q, 0},
		{"P(-1, 1)", special.IncGamma(-1, 1).P, nan},
		{"P(1, NaN)", special.IncGamma(1, nan).P, nan},
		{"I_0", special.IncBeta(2, 3, 0, 1).P, 0},
		{"I_1", special.IncBeta(2, 3, 1, 0).P, 1},
		{"I_x(0, 1)", special.IncBeta(0, 1, 0.5, 0.5).P, nan},
		{"inverse at 0", special.InvIncBeta(2, 3, 0), 0},
		{"inverse at 1", special.InvIncBeta(2, 3, 1), 1},
		{"inverse of NaN", special.InvIncBeta(2, 3, nan), nan},
		{"normal quantile at 0", special.NormalQuantile(0), -inf},
		{"normal quantile at 1", special.NormalQuantile(1), inf},
		{"normal quantile at 1/2", special.NormalQuantile(0.5), 0},
		{"normal quantile of 2", special.NormalQuantile(2), nan},
		{"log normal quantile at 0", special.NormalLogQuantile(0), inf},
		{"log normal quantile above 0", special.NormalLogQuantile(0.1), nan},
		{"digamma pole", special.Digamma(-2), nan},
		{"trigamma pole", special.Trigamma(-2), inf},
		{"T(h, 0)", special.OwensT(1, 0), 0},
		{"T(0, 1)", special.OwensT(0, 1), 0.125},
		{"T(1, inf)", special.OwensT(1, inf), special.NormalCDF(-1) / 2},
		{"W0(-1)", special.LambertW0(-1), nan},
		{"W0(0)", special.LambertW0(0), 0},
		{"W-1(0)", special.LambertWm1(0), -inf},
		{"K0(0)", special.BesselK(0, 0), inf},
		{"K0(-1)", special.BesselK(0, -1), nan},
		{"2F1 beyond 1", special.Gauss2F1(1, 2, 3, 1.5, new([4]float64)), nan},
	} {
		if math.Abs(c.got-c.want) > 1e-15 || math.IsNaN(c.got) != math.IsNaN(c.want) {
			t.Errorf("%s: got %g, want %g", c.name, c.got, c.want)
		}
	}
}

// Inverses undo what they invert, from tail to tail.
func TestInverses(t *testing.T) {
	for _, l := range []float64{-1e4, -300, -30, -3, -0.5, -1e-3, -1e-12} {
		if got, _ := special.NormalLogCDF(special.NormalLogQuantile(l)); math.Abs(got-l) > 1e-11*math.Abs(l) {
			t.Errorf("log normal cdf of its quantile at %g: %g", l, got)
		}
	}
	for _, z := range []float64{-0.36, -0.1, 1e-9, 0.7, 5, 1e10} {
		if w := special.LambertW0(z); math.Abs(w*math.Exp(w)-z) > 1e-13*math.Abs(z) {
			t.Errorf("W0(%g) = %g", z, w)
		}
	}
	for _, z := range []float64{-0.36, -0.2, -1e-3, -1e-100} {
		if w := special.LambertWm1(z); math.Abs(w*math.Exp(w)-z) > 1e-12*math.Abs(z) {
			t.Errorf("W-1(%g) = %g", z, w)
		}
	}
	for _, ab := range [][2]float64{{0.3, 0.7}, {2, 5}, {40, 0.5}, {300, 200}} {
		for _, p := range []float64{1e-8, 0.1, 0.5, 0.999} {
			x := special.InvIncBeta(ab[0], ab[1], p)
			if got := special.IncBeta(ab[0], ab[1], x, 1-x).P; math.Abs(got-p) > 1e-9*p {
				t.Errorf("I_x(%v) at the inverse of %g: %g", ab, p, got)
			}
		}
	}
}
