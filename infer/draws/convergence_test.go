package draws

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func stream(seed byte) *rand.Rand { return rand.New(rand.NewChaCha8([32]byte{seed})) }

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %.10g, want %.10g", what, got, want)
	}
}

// ar1 makes stationary chains x' = phi*x + e with unit variance.
func ar1(r *rand.Rand, chains, n int, phi float64) [][]float64 {
	x := make([][]float64, chains)
	for c := range x {
		x[c] = make([]float64, n)
		v := r.NormFloat64()
		for i := range x[c] {
			x[c][i] = v
			v = phi*v + math.Sqrt(1-phi*phi)*r.NormFloat64()
		}
	}
	return x
}

// The integrated autocorrelation time of an AR(1) process is
// (1+phi)/(1-phi). With 4 x 20,000 draws the estimate has a relative sd of
// about 3 %; bound 15 %.
func TestESSOfAutoregression(t *testing.T) {
	for _, phi := range []float64{-0.5, 0, 0.5, 0.9} {
		x := ar1(stream(1), 4, 20000, phi)
		want := 80000 * (1 - phi) / (1 + phi)
		for name, got := range map[string]float64{"mean": ESSMean(x), "bulk": ESSBulk(x)} {
			if r := got / want; math.Abs(r-1) > 0.15 {
				t.Errorf("phi %g: ESS (%s) %.0f, exactly %.0f", phi, name, got, want)
			}
		}
	}
}

// Indicator of a symmetric threshold: for the median of a Gaussian AR(1) the
// lag-t autocorrelation is (2/pi) asin(phi^t).
func TestESSOfMedianOfAutoregression(t *testing.T) {
	const phi = 0.7
	tau := 1.0
	for lag := 1; lag < 200; lag++ {
		tau += 2 * 2 / math.Pi * math.Asin(math.Pow(phi, float64(lag)))
	}
	x := ar1(stream(2), 4, 20000, phi)
	got, want := essQuantile(x, Sorted(x), 0.5), 80000/tau
	if r := got / want; math.Abs(r-1) > 0.15 {
		t.Errorf("ESS of the median %.0f, exactly %.0f", got, want)
	}
}

// Two chains 1 2 3 and 2 3 4: within 1, between 3 * 1/2, so
// sqrt((1.5 + 2) / 3).
func TestRHatByHand(t *testing.T) {
	near(t, "R-hat", rhat([][]float64{{1, 2, 3}, {2, 3, 4}}), math.Sqrt(3.5/3), 1e-15)
}

func TestRHatSeesShiftAndScale(t *testing.T) {
	x := ar1(stream(3), 4, 1000, 0)
	if r := RHat(x); !(r < 1.01) {
		t.Errorf("R-hat of independent draws: %.4f", r)
	}
	// The folded part sees chains that differ in spread alone.
	for i := range x[3] {
		x[3][i] *= 3
	}
	if r := RHat(x); !(r > 1.05) {
		t.Errorf("R-hat with one chain three times as wide: %.4f", r)
	}
	// Halves of one chain with different means.
	y := ar1(stream(4), 1, 1000, 0)
	for i := range 500 {
		y[0][i] += 2
	}
	if r := RHat(y); !(r > 1.3) {
		t.Errorf("R-hat of a chain that moved: %.4f", r)
	}
}

// Rank normalisation makes R-hat and bulk ESS invariant under increasing maps.
func TestRanksAreInvariant(t *testing.T) {
	x := ar1(stream(5), 4, 500, 0.3)
	y := apply(x, func(v float64) float64 { return math.Exp(5 * v) })
	near(t, "ESSBulk", ESSBulk(y), ESSBulk(x), 0)
	near(t, "R-hat, bulk part", rhat(zScale(split(y))), rhat(zScale(split(x))), 0)
	near(t, "ESSTail", ESSTail(y), ESSTail(x), 1e-9*ESSTail(x))
}

// Ties share the average rank: 1, 2.5, 2.5, 4 of 4, scores at
// (rank - 3/8)/(4 + 1/4).
func TestZScaleWithTies(t *testing.T) {
	z := zScale([][]float64{{2, 1}, {3, 2}})
	q := distuv.UnitNormal.Quantile
	want := [][]float64{{0, q(0.625 / 4.25)}, {q(3.625 / 4.25), 0}}
	for i := range want {
		for j := range want[i] {
			near(t, "score", z[i][j], want[i][j], 1e-14)
		}
	}
}

func TestSplitDropsTheMiddle(t *testing.T) {
	got := split([][]float64{{1, 2, 3, 4, 5}})
	if len(got) != 2 || got[0][0] != 1 || got[0][1] != 2 || got[1][0] != 4 || got[1][1] != 5 {
		t.Errorf("split of five draws: %v", got)
	}
}

// The autocovariances, direct and by transform, against the sum that defines them.
func TestAutocovariance(t *testing.T) {
	x := ar1(stream(6), 3, 77, 0.6)
	means := make([]float64, len(x))
	for i, c := range x {
		means[i] = Mean([][]float64{c})
	}
	direct := newAutocovariances(x, means)
	transformed := direct.transform()
	for lag := range 77 {
		var want float64
		for _, c := range x {
			m := Mean([][]float64{c})
			for i := range 77 - lag {
				want += (c[i] - m) * (c[i+lag] - m) / 77 / 3
			}
		}
		near(t, "autocovariance", direct.at(lag), want, 1e-14)
		near(t, "autocovariance by transform", transformed[lag], want, 1e-14)
	}
}

// Geyer's sequences on given autocorrelations.
func TestIntegratedTime(t *testing.T) {
	geometric := func(phi float64) func(int) float64 {
		return func(lag int) float64 { return math.Pow(phi, float64(lag)) }
	}
	near(t, "tau of 0.5^t", integratedTime(200, geometric(0.5)), 3, 1e-12)
	near(t, "tau of (-0.5)^t", integratedTime(200, geometric(-0.5)), 1.0/3, 1e-12)
	// 1, .5 | .4, .3 | -.2, .1 | ...: the third pair is negative and ends the
	// sum: -1 + 2*(1 + .5 + .4 + .3) = 3.4; its even part is no bonus.
	rho := []float64{1, 0.5, 0.4, 0.3, -0.2, 0.1, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9}
	near(t, "tau, cut", integratedTime(len(rho), func(i int) float64 { return rho[i] }), 3.4, 1e-14)
	// A positive even part of the pair that ends the sum counts once, and the
	// pair (.9, .9) is capped to the (.4, .3) before it: with 12 lags
	// -1 + 2*(1.5 + .7 + .7) + .2 = 5.
	rho = []float64{1, 0.5, 0.4, 0.3, 0.9, 0.9, 0.2, -0.3, 0, 0, 0, 0}
	near(t, "tau, capped", integratedTime(len(rho), func(i int) float64 { return rho[i] }), 5, 1e-14)
}

// Independent normals: the errors are sd/sqrt(n) and sd/sqrt(2n). ESS at this size has a relative sd of
// about 3 %.
func TestMonteCarloErrors(t *testing.T) {
	x := ar1(stream(7), 4, 5000, 0)
	n := 20000.0
	for _, c := range []struct {
		name      string
		got, want float64
		tol       float64
	}{
		{"mean", MCSEMean(x), 1 / math.Sqrt(n), 0.1},
		{"sd", MCSESD(x), 1 / math.Sqrt(2*n), 0.1},
	} {
		if math.Abs(c.got/c.want-1) > c.tol {
			t.Errorf("MCSE of the %s: %.5f, exactly %.5f", c.name, c.got, c.want)
		}
	}
	near(t, "ESS of the sd", ESSSD(x)/n, 1, 0.1)
}

// R: quantile(c(1, 3, 4, 8), c(0, .3, .5, .95, 1)) and quantile(1:10, .05).
func TestQuantileType7(t *testing.T) {
	x := []float64{1, 3, 4, 8}
	for p, want := range map[float64]float64{0: 1, 0.3: 2.8, 0.5: 3.5, 0.95: 7.4, 1: 8} {
		near(t, "quantile", Quantile(x, p), want, 1e-14)
	}
	near(t, "quantile", Quantile([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0.05), 1.45, 1e-14)
	inf := math.Inf(1)
	near(t, "quantile below infinity", Quantile([]float64{-inf, 0, 0, inf}, 0.5), 0, 0)
	if q := Quantile([]float64{0, inf}, 1); !math.IsInf(q, 1) {
		t.Errorf("largest of 0 and infinity: %g", q)
	}
	if !math.IsNaN(Quantile(nil, 0.5)) || !math.IsNaN(Quantile(x, 1.1)) {
		t.Error("a quantile that does not exist is not NaN")
	}
}

// What has no meaning is NaN, as in posterior.
func TestNoMeaning(t *testing.T) {
	constant := [][]float64{{2, 2, 2, 2, 2, 2, 2, 2}, {2, 2, 2, 2, 2, 2, 2, 2}}
	rounding := [][]float64{{1, 1 + 0x1p-52, 1, 1, 1, 1, 1, 1}}
	nan := [][]float64{{1, 2, 3, math.NaN(), 5, 6, 7, 8}}
	infinite := [][]float64{{1, 2, 3, math.Inf(1), 5, 6, 7, 8}}
	short := [][]float64{{1, 2, 3, 4}}
	stats := map[string]func([][]float64) float64{
		"RHat": RHat, "ESSBulk": ESSBulk, "ESSTail": ESSTail, "ESSMean": ESSMean, "MCSEMean": MCSEMean,
	}
	for name, f := range stats {
		for what, x := range map[string][][]float64{"constant": constant, "NaN": nan} {
			if v := f(x); !math.IsNaN(v) {
				t.Errorf("%s of a column with %s: %g", name, what, v)
			}
		}
		if name == "RHat" {
			continue
		}
		if v := f(short); !math.IsNaN(v) {
			t.Errorf("%s of four draws: %g", name, v)
		}
	}
	for what, v := range map[string]float64{
		"ESSMean of rounding errors": ESSMean(rounding), "ESSMean with an infinity": ESSMean(infinite),
		"ESSTail with an infinity": ESSTail(infinite), "E-BFMI of a constant": EBFMI(constant[0]), "SD of one draw": SD([][]float64{{1}}),
	} {
		if !math.IsNaN(v) {
			t.Errorf("%s: %g", what, v)
		}
	}
	s := Summarize("x", nan)
	if !math.IsNaN(s.Mean) || !math.IsNaN(s.Q50) {
		t.Errorf("summary of a column with NaN: %+v", s)
	}
	text, err := s.MarshalJSON()
	if want := `{"name":"x","mean":null,"mcse":null,"sd":null,"q5":null,"q50":null,"q95":null,"ess_bulk":null,"ess_tail":null,"rhat":null}`; err != nil || string(text) != want {
		t.Errorf("JSON %s, %v", text, err)
	}
}

// Independent energies change by twice their variance; an AR(1) by
// 2*(1-phi) of it. Relative sd below 1.5 % at this length.
func TestEBFMI(t *testing.T) {
	for _, phi := range []float64{0, 0.9} {
		near(t, "E-BFMI", EBFMI(ar1(stream(8), 1, 50000, phi)[0])/(2*(1-phi)), 1, 0.08)
	}
	// 1, 2, 4: changes 1 + 4; squares about 7/3 sum to 42/9.
	near(t, "E-BFMI by hand", EBFMI([]float64{1, 2, 4}), 5/(42.0/9), 1e-14)
}

func TestMeanAndSD(t *testing.T) {
	x := [][]float64{{1e9 + 1, 1e9 + 2}, {1e9 + 3, 1e9 + 4}}
	near(t, "mean", Mean(x), 1e9+2.5, 0)
	near(t, "sd", SD(x), math.Sqrt(5.0/3), 1e-9)
	if m := Mean([][]float64{{math.Inf(1), 1}}); !math.IsInf(m, 1) {
		t.Errorf("mean with an infinity: %g", m)
	}
}

func TestSummaries(t *testing.T) {
	d := New(2, []string{"energy__"}, []string{"a", "b"})
	for c := range 2 {
		for i := range 6 - c { // the second chain was cut short
			d.Append(Row{Chain: c, LogDensity: -1, Stats: []float64{9}, Values: []float64{float64(i), float64(c)}})
		}
	}
	s := d.Summaries()
	if len(s) != 3 || s[0].Name != "lp__" || s[1].Name != "a" || s[2].Name != "b" {
		t.Fatalf("summaries %+v", s)
	}
	near(t, "mean of a", s[1].Mean, 2, 0)
	near(t, "mean of b", s[2].Mean, 0.5, 0)
}

func TestBalancedLeavesOutShortChains(t *testing.T) {
	d := New(3, nil, []string{"a"})
	for c, n := range []int{10, 4, 7} {
		for range n {
			d.Append(Row{Chain: c, Values: []float64{float64(c)}})
		}
	}
	b := d.Balanced()
	if b.Chains() != 2 || b.Len(0) != 7 || b.Len(1) != 7 || b.Column("a")[1][0] != 2 {
		t.Errorf("balanced: %d chains of %d and %d", b.Chains(), b.Len(0), b.Len(1))
	}
	if e := New(2, nil, nil).Balanced(); e.Chains() != 0 || len(e.Summaries()) != 1 {
		t.Error("an empty table has chains")
	}
}

// TestUnequalChains: columns of chains of any lengths have figures. Mean, standard deviation
// and quantiles are of all draws; what compares chains is of the balanced ones.
func TestUnequalChains(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for trial := range 300 {
		x := make([][]float64, 1+r.IntN(5))
		d := New(len(x), nil, []string{"x"})
		for c := range x {
			for range r.IntN(2) * r.IntN(300) {
				x[c] = append(x[c], r.NormFloat64())
				d.Append(Row{Chain: c, Values: x[c][len(x[c])-1:]})
			}
		}
		b := d.Balanced().Column("x")
		s := Summarize("x", x)
		for name, got := range map[string][2]float64{
			"R-hat": {s.RHat, RHat(x)}, "bulk": {s.ESSBulk, ESSBulk(b)}, "mean": {ESSMean(x), ESSMean(b)}, "bulk of x": {ESSBulk(x), ESSBulk(b)},
		} {
			if got[0] != got[1] && !(math.IsNaN(got[0]) && math.IsNaN(got[1])) {
				t.Fatalf("trial %d: %s is %v, of the balanced chains %v", trial, name, got[0], got[1])
			}
		}
		all := 0.0
		for _, v := range slices.Concat(x...) {
			all += v / float64(count(x))
		}
		if count(x) > 0 && math.Abs(s.Mean-all) > 1e-12 {
			t.Fatalf("trial %d: the mean is %v, expected %v", trial, s.Mean, all)
		}
		_, _, _ = ESSTail(x), ESSSD(x), MCSESD(x)
		if of := d.Summaries()[1]; len(b) > 0 && of.ESSBulk != ESSBulk(x) && !math.IsNaN(of.ESSBulk) {
			t.Fatalf("trial %d: the table has %+v, the column %+v", trial, of, s)
		}
	}
}
