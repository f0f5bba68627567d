package lang

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose"
)

// shrunk is one observation under a prior of light tails whose scale is unknown: a twentieth of the mass of beta has most
// of its variance, and the prior hardly any mass there.
const shrunk = `parameters { real<lower=0> lambda; real beta; }
model { lambda ~ student_t(5, 0, 1); beta ~ normal(0, 0.0907 * lambda); 4.04736 ~ normal(beta, 1.01); }`

// shrunkSD is the standard deviation of its beta, by sums over points of log lambda and beta.
func shrunkSD() float64 {
	var total, first, second float64
	for u := -9.0; u < 9; u += 0.01 {
		l := math.Exp(u)
		v := 1 / (1/(1.01*1.01) + 1/(0.0907*0.0907*l*l))
		m := v * 4.04736 / (1.01 * 1.01)
		s := 1.01*1.01 + 0.0907*0.0907*l*l
		w := l * math.Pow(1+l*l/5, -3) * math.Exp(-4.04736*4.04736/(2*s)) / math.Sqrt(s)
		total, first, second = total+w, first+w*m, second+w*(v+m*m)
	}
	return math.Sqrt(second/total - first*first/total/total)
}

// TestParticlesReachTails: what a few rounds from the prior do not reach is reached by the moves that follow. The root mean
// square error of the log of the standard deviation over these seeds was 0.34; that of 1,000 independent draws is about 0.12.
func TestParticlesReachTails(t *testing.T) {
	m := boundTo(t, shrunk, nil)
	method, err := m.Program.Method(`smc(nuts(), check = "none")`)
	if err != nil {
		t.Fatal(err)
	}
	square, exact := 0.0, shrunkSD()
	for seed := uint64(1); seed <= 8; seed++ {
		fit, err := m.Run(t.Context(), method, RunOptions{Seed: seed, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range fit.Summaries {
			if s.Name == "beta" {
				square += math.Pow(math.Log(s.SD/exact), 2) / 8
			}
		}
	}
	if got := math.Sqrt(square); got > 0.25 {
		t.Errorf("standard deviations are off by %.2f in the log", got)
	}
}

// TestNarrowApproximationIsNotGood: where a hundredth of the mass that lies far out has most of the variance, neither the
// draws of a normal approximation nor the points of a small population are there, and wider draws with weights are.
// The exact moments are those of the two parts, each conjugate.
func TestNarrowApproximationIsNotGood(t *testing.T) {
	const text = `data { real y; real<lower=0> s; } parameters { real b; }
model { target += log_mix(0.638, normal_lpdf(b | 0, 0.0785), normal_lpdf(b | 0, 3.87)); y ~ normal(b, s); }`
	wrong, good := 0, 0
	for i := range 12 {
		y, s := -0.25-0.05*float64(i%2), 0.291
		m := boundTo(t, text, map[string]any{"y": y, "s": s})
		method, err := m.Program.Method("laplace()")
		if err != nil {
			t.Fatal(err)
		}
		fit, err := m.Run(t.Context(), method, RunOptions{Seed: uint64(i), Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		var total, first, second float64
		for _, part := range [][2]float64{{0.638, 0.0785}, {0.362, 3.87}} {
			sum := math.Hypot(part[1], s)
			w := part[0] * math.Exp(-y*y/(2*sum*sum)) / sum
			v := 1 / (1/(s*s) + 1/(part[1]*part[1]))
			mean := v * y / (s * s)
			total, first, second = total+w, first+w*mean, second+w*(v+mean*mean)
		}
		exact := math.Sqrt(second/total - first*first/total/total)
		at := slices.IndexFunc(fit.Findings, func(f diagnose.Finding) bool { return strings.Contains(f.Meaning, "reach further") })
		for _, row := range fit.Summaries {
			if row.Name == "b" && math.Abs(math.Log(row.SD/exact)) > math.Log(1.43) {
				if wrong++; diagnose.Worst(fit.Findings) == diagnose.Good {
					good++
				}
				t.Logf("y = %g: sd %.3g, exactly %.3g: %s, wider draws: %v", y, row.SD, exact, diagnose.Worst(fit.Findings), at >= 0)
			}
		}
	}
	if wrong < 3 || good > 0 {
		t.Errorf("%d wrong answers, of which %d are called good", wrong, good)
	}
}

// TestModesDoNotRefuteTheFit: two changes in unknown places, either of which is the first, have modes and a shoulder where mu[3]
// is as wide as its prior. Climbs stand for the modes alone, and a population from there lacked the shoulder: right
// fits were called bad at two of these seeds. Moments are exact, by enumeration of both places (examples/verdicts,
// two_changes 62000).
func TestModesDoNotRefuteTheFit(t *testing.T) {
	m := boundTo(t, `data { int N; vector[N] y; } parameters { vector[3] mu; int<lower=1, upper=N> c; int<lower=1, upper=N> d; }
model { mu ~ normal(0, 2.1); for (n in 1:N) { y[n] ~ normal(mu[1 + (n > c) + (n > d)], 0.409); } }`, map[string]any{
		"N": 7, "y": []float64{2.48303, 2.88451, 2.41337, -2.28592, -2.13402, -2.39994, -1.33068}})
	method, err := m.Program.Method("nuts()")
	if err != nil {
		t.Fatal(err)
	}
	exact, right := map[string][2]float64{"mu.2": {-1.458560, 1.621543}, "mu.3": {-1.123276, 1.433246}}, 0
	for _, seed := range []uint64{5, 6, 62001} {
		fit, err := m.Run(t.Context(), method, RunOptions{Seed: seed, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		ok := true
		for _, s := range fit.Summaries {
			if e, known := exact[s.Name]; known {
				ok = ok && math.Abs(s.Mean-e[0]) < 0.35*e[1] && math.Abs(math.Log(s.SD/e[1])) < math.Log(1.43)
			}
		}
		if !ok {
			continue
		}
		right++
		if diagnose.Worst(fit.Findings) == diagnose.Bad {
			t.Errorf("seed %d: a right fit is called bad: %+v", seed, fit.Posterior.Population.Largest)
		}
	}
	if right == 0 {
		t.Error("no fit is right")
	}
}

// TestTailsThatChainsHardlyVisit: a hundredth of the mass has most of the variance, and chains go there a few times. The exact
// standard deviation is that of two normals with one mean. Before wider draws were weighted, 4 of the wrong ones were good.
func TestTailsThatChainsHardlyVisit(t *testing.T) {
	m := boundTo(t, `parameters { real x; } model { target += log_mix(0.99, normal_lpdf(x | 0, 1), normal_lpdf(x | 0, 15)); }`, nil)
	method, err := m.Program.Method("nuts()")
	if err != nil {
		t.Fatal(err)
	}
	exact, wrong, good := math.Sqrt(0.99+0.01*225), 0, 0
	for seed := uint64(1); seed <= 8; seed++ {
		fit, err := m.Run(t.Context(), method, RunOptions{Seed: seed, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range fit.Summaries {
			if s.Name == "x" && math.Abs(math.Log(s.SD/exact)) > math.Log(1.43) {
				if wrong++; diagnose.Worst(fit.Findings) == diagnose.Good {
					good++
				}
			}
		}
	}
	if wrong < 4 || good > 1 {
		t.Errorf("%d wrong answers, of which %d are called good", wrong, good)
	}
}
