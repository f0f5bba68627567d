// This file tests ranges, the probabilities of intervals, and draws from them.

package stdlib

import (
	"math"
	"sort"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// quantiles returns the values that the given shares of many draws lie below.
func quantiles(d *catalogue.Distribution, params []float64, shares ...float64) []float64 {
	r := testRand(17)
	draws := make([]float64, 2000)
	for i := range draws {
		draws[i] = d.Draw(r, params)
	}
	sort.Float64s(draws)
	out := make([]float64, len(shares))
	for i, s := range shares {
		out[i] = draws[int(s*float64(len(draws)))]
	}
	return out
}

func TestRangeHoldsDraws(t *testing.T) {
	r := testRand(3)
	eachPoint(t, func(t *testing.T, d *catalogue.Distribution, params []float64) {
		lo, hi := RangeOf(d, params)
		least, most := FixedRange(d)
		if least > lo || most < hi {
			t.Errorf("the fixed range [%v, %v] does not hold [%v, %v]", least, most, lo, hi)
		}
		for range 1000 {
			if x := d.Draw(r, params); x < lo || x > hi {
				t.Fatalf("%v is not in [%v, %v]", x, lo, hi)
			}
		}
		if m := LogMass(d, params, lo, hi); m != 0 {
			t.Errorf("the range has log probability %v", m)
		}
		for _, beyond := range []struct{ x, step float64 }{{lo, -1}, {hi, 1}} {
			if math.IsInf(beyond.x, 0) {
				continue
			}
			if f := d.Log(append([]float64{beyond.x + beyond.step}, params...), nil); d.Support == nil && !math.IsInf(f, -1) && !math.IsNaN(f) && d.Name != "von_mises" && inDomain(d, beyond.x+beyond.step, params) {
				t.Errorf("beyond the range, at %v, the log density is %v", beyond.x+beyond.step, f)
			}
		}
	})
}

// inDomain reports whether the variate passes the checks of the density.
func inDomain(d *catalogue.Distribution, x float64, params []float64) bool {
	return d.Requires[0].OK(x) && (d.Valid == nil || d.Valid(append([]float64{x}, params...)) == nil)
}

// The three parts that two places cut a distribution into have probability one.
func TestLogMassAddsUp(t *testing.T) {
	eachPoint(t, func(t *testing.T, d *catalogue.Distribution, params []float64) {
		q := quantiles(d, params, 0.2, 0.7)
		a, b := q[0], q[1]
		next := b
		if d.Discrete {
			a = math.Min(a, b-1)
			next = b + 1
		}
		inf := math.Inf(1)
		below := math.Exp(LogMass(d, params, -inf, a))
		from := a
		if d.Discrete {
			from = a + 1
		}
		sum := below + math.Exp(LogMass(d, params, from, b)) + math.Exp(LogMass(d, params, next, inf))
		if math.Abs(sum-1) > 1e-10 {
			t.Errorf("the parts below %v, up to %v and above have probability %v", a, b, sum)
		}
	})
}

// Draws from the middle and from a far tail fit the cut distribution.
func TestDrawWithin(t *testing.T) {
	r := testRand(9)
	eachPoint(t, func(t *testing.T, d *catalogue.Distribution, params []float64) {
		q := quantiles(d, params, 0.3, 0.6, 0.9995)
		for _, bounds := range [][2]float64{{q[0], q[1]}, {q[2], math.Inf(1)}} {
			lo, hi := bounds[0], bounds[1]
			if lo >= hi {
				continue
			}
			all := LogMass(d, params, lo, hi)
			if math.IsNaN(all) || !hasCDF(d) && all < -5 {
				continue // such a truncation cannot be written
			}
			const n = 300
			draws := make([]float64, n)
			for i := range draws {
				x, err := DrawWithin(d, r, params, lo, hi)
				if err != nil {
					t.Fatal(err)
				}
				if x < lo || x > hi {
					t.Fatalf("%v is not in [%v, %v]", x, lo, hi)
				}
				draws[i] = x
			}
			sort.Float64s(draws)
			if d.Discrete {
				fitCounts(t, d.Name, draws, func(k float64) float64 {
					return math.Exp(d.Log(append([]float64{k}, params...), nil) - all)
				})
				continue
			}
			distance := 0.0
			for i, y := range draws {
				p := math.Exp(LogMass(d, params, lo, y) - all)
				distance = math.Max(distance, math.Max(p-float64(i)/n, float64(i+1)/n-p))
			}
			if p := kolmogorov(distance, n); p < falseAlarm {
				t.Errorf("%s(%v) in [%v, %v]: Kolmogorov-Smirnov distance %v has chance %v", d.Name, params, lo, hi, distance, p)
			}
		}
	})
}

// Far out the normal distribution is nearly exponential: X - 40 given X > 40 has mean
// 1/40 - 2/40^3 + 10/40^5 - ... (Mills).
func TestDrawWithinFarTail(t *testing.T) {
	d := New().Distribution("normal")
	r := testRand(2)
	const n = 20000
	sum := 0.0
	for range n {
		x, err := DrawWithin(d, r, []float64{0, 1}, 40, math.Inf(1))
		if err != nil {
			t.Fatal(err)
		}
		sum += x - 40
	}
	want := 1/40.0 - 2/math.Pow(40, 3)
	if se := want / math.Sqrt(n); math.Abs(sum/n-want) > 5*se { // fails once in 10^6 other seeds
		t.Errorf("the mean excess is %v, want %v +- %v", sum/n, want, se)
	}
	if _, err := DrawWithin(d, r, []float64{0, 1}, 2, 1); err == nil {
		t.Error("a draw from an empty interval succeeds")
	}
}

// Every density that a program can write left of "~" can be drawn from, but for these.
func TestEveryDensityHasSampler(t *testing.T) {
	without := map[string]bool{"wiener": true, "gaussian_dlm_obs": true, "lkj_cov": true}
	lib := New()
	for _, name := range lib.Names() {
		for _, f := range lib.Functions(name) {
			base, ok := densityName(name)
			if !ok {
				continue
			}
			s := lib.Sampler(f)
			switch {
			case strings.HasPrefix(base, "laplace_marginal"): // an approximation, of no distribution
			case (s == nil) != without[base]:
				t.Errorf("%s: has a sampler: %v", name, s != nil)
			case s != nil && s.Draw == nil:
				t.Errorf("%s: the sampler does not draw", name)
			}
		}
	}
}

func densityName(name string) (string, bool) {
	for _, end := range []string{"_lpdf", "_lpmf"} {
		if n := len(name) - len(end); n > 0 && name[n:] == end {
			return name[:n], true
		}
	}
	return "", false
}
