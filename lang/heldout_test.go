// This file tests scores of rows that are held out.

package lang

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/diagnose/heldout"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// heldRows are the rows that split i leaves out, in the order that they were drawn in.
func heldRows(seed uint64, i, n, held int) []int {
	order := make([]int, n)
	for k := range order {
		order[k] = k
	}
	variate.Shuffle(rng.New(seed, "held out/split", 0, uint64(i)), n, func(a, b int) { order[a], order[b] = order[b], order[a] })
	return order[:held]
}

// heldLine is a regression through the origin with known noise 0.5 and prior N(0, 4).
const heldLine = `data { int N; int K; matrix[N, 2] X; array[N] real y; vector[K] unused; }
parameters { vector[2] b; }
transformed parameters { vector[N] f = X * b; }
model { b ~ normal(0, 2); y ~ normal(f, 0.5); }`

func heldLineData(n int) (map[string]any, [][]float64, []float64) {
	r := rand.New(rand.NewPCG(8, 8))
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		x[i] = []float64{1, r.NormFloat64()}
		y[i] = 0.7 - 1.3*x[i][1] + 0.5*r.NormFloat64()
	}
	return map[string]any{"N": n, "K": 3, "X": x, "y": y, "unused": []float64{1, 2, 3}}, x, y
}

// heldScore is that of one split, in closed form: the posterior is normal.
func heldScore(x [][]float64, y []float64, test []int) (logDensity, rmse float64) {
	var p11, p12, p22, h1, h2 = 0.25, 0.0, 0.25, 0.0, 0.0
	for i := range y {
		if slices.Contains(test, i) {
			continue
		}
		p11, p12, p22 = p11+4*x[i][0]*x[i][0], p12+4*x[i][0]*x[i][1], p22+4*x[i][1]*x[i][1]
		h1, h2 = h1+4*x[i][0]*y[i], h2+4*x[i][1]*y[i]
	}
	det := p11*p22 - p12*p12
	m1, m2 := (p22*h1-p12*h2)/det, (p11*h2-p12*h1)/det
	for _, i := range test {
		v := 0.25 + (p22*x[i][0]*x[i][0]-2*p12*x[i][0]*x[i][1]+p11*x[i][1]*x[i][1])/det
		e := y[i] - m1*x[i][0] - m2*x[i][1]
		logDensity -= (math.Log(2*math.Pi*v) + e*e/v) / 2 / float64(len(test))
		rmse += e * e / float64(len(test))
	}
	return logDensity, math.Sqrt(rmse)
}

func judge(t *testing.T, m *Model, directive string, seed uint64) (heldout.Figures, error) {
	t.Helper()
	d, err := m.Program.Diagnosis(directive)
	if err != nil {
		return heldout.Figures{}, err
	}
	if err := m.Judges(d); err != nil {
		return heldout.Figures{}, err
	}
	v, err := m.Diagnose(t.Context(), d, RunOptions{Seed: seed, Jobs: 2})
	if err != nil {
		return heldout.Figures{}, err
	}
	return v.Figures.(heldout.Figures), nil
}

// TestHeldOut compares each split's scores with the closed form: by independent draws of the posterior, with a
// prediction and without one, and for an approximation that is exact here.
func TestHeldOut(t *testing.T) {
	data, x, y := heldLineData(40)
	m := boundTo(t, heldLine, data)
	for directive, within := range map[string]float64{
		`held_out(nuts(draws = 1000), splits = 4, share = 0.2, prediction = f)`:                          0.01,
		`held_out(laplace(draws = 4000), splits = 4, share = 0.2, rows = N)`:                             0.03, // the noise of simulated data: 0.5/sqrt(4000) each
		`held_out(advi(family = "fullrank", draws = 4000), splits = 4, share = 0.2, prediction = X * b)`: 0.02,
	} {
		got, err := judge(t, m, directive, 5)
		if err != nil {
			t.Fatal(err)
		}
		if got.Rows != 40 || got.Held != 8 || got.Splits != 4 || len(got.Scores) != 2 {
			t.Fatalf("%+v", got)
		}
		var sum float64
		for i := range got.Splits {
			test := heldRows(5, i, 40, 8)
			logDensity, rmse := heldScore(x, y, test)
			if d := float64(got.Scores[0].Values[i]) - logDensity; math.Abs(d) > within {
				t.Errorf("%s, split %d: log density %g, exact %g", directive, i, float64(got.Scores[0].Values[i]), logDensity)
			}
			if d := float64(got.Scores[1].Values[i]) - rmse; math.Abs(d) > within {
				t.Errorf("%s, split %d: error %g, exact %g", directive, i, float64(got.Scores[1].Values[i]), rmse)
			}
			sum += float64(got.Scores[1].Values[i]) / 4
		}
		if mean := float64(got.Scores[1].Mean); math.Abs(mean-sum) > 1e-12 {
			t.Errorf("mean %g of values whose mean is %g", mean, sum)
		}
	}
}

// TestHeldOutShapes: rows of arrays of vectors, of whole numbers and of matrices stay together, and weighted
// draws count by their weights. A model that is right has the log density of a Bernoulli.
func TestHeldOutShapes(t *testing.T) {
	const program = `data { int n; array[n] vector[2] a; array[n, 2] int k; matrix[2, 2] c; array[n] int<lower=0, upper=1> z; }
transformed data { for (i in 1:n) { if (k[i, 1] != a[i][1] || k[i, 2] != 10 * k[i, 1] || c[1, 2] != 3) fatal_error("rows were mixed"); } }
parameters { real<lower=0, upper=1> p; }
model { z ~ bernoulli(p); }`
	n := 30
	var a [][]float64
	var k [][]int
	var z []int
	for i := range n {
		a, k, z = append(a, []float64{float64(i), -1}), append(k, []int{i, 10 * i}), append(z, i%3/2)
	}
	m := boundTo(t, program, map[string]any{"n": n, "a": a, "k": k, "c": [][]float64{{1, 3}, {2, 4}}, "z": z})
	for _, method := range []string{"nuts(draws = 1000)", "smc(nuts(), particles = 2000)", "cavi(draws = 2000)"} {
		got, err := judge(t, m, `held_out(`+method+`, splits = 3, share = 0.34)`, 1)
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		for i := range got.Splits {
			ones := 0
			test := heldRows(1, i, n, 10)
			for _, j := range test {
				ones += z[j]
			}
			p := float64(10-ones+1) / 22 // of a one, 10 of all 30 being ones: by the uniform prior
			want := (float64(ones)*math.Log(p) + float64(10-ones)*math.Log(1-p)) / 10
			if v := float64(got.Scores[0].Values[i]); math.Abs(v-want) > 0.01 {
				t.Errorf("%s, split %d: %g, exact %g", method, i, v, want)
			}
		}
	}
}

// TestWrongHeldOut: what cannot be held out is told, at its place.
func TestWrongHeldOut(t *testing.T) {
	data, _, _ := heldLineData(12)
	m := boundTo(t, heldLine, data)
	local := boundTo(t, `data { int N; vector[N] y; } parameters { vector[N] u; } model { u ~ normal(0, 1); y ~ normal(u, 1); }`, map[string]any{"N": 3, "y": []float64{1, 2, 3}})
	square := boundTo(t, `data { int N; vector[N] y; matrix[2, N] D; } parameters { real u; } model { u ~ normal(0, 1); y ~ normal(u, 1); }`,
		map[string]any{"N": 2, "y": []float64{1, 2}, "D": [][]float64{{1, 2}, {3, 4}}})
	mean := boundTo(t, `data { int N; vector[N] y; vector[N] x; } transformed data { vector[N] z = (x - mean(x)) / sd(x); } parameters { real u; } model { u ~ normal(0, 1); y ~ normal(u * z, 1); }`,
		map[string]any{"N": 8, "y": []float64{1, 2, 0, 3, 2, 4, 1, 1}, "x": []float64{1, 5, 2, 7, 3, 1, 9, 2}})
	past := boundTo(t, `data { int N; vector[N] y; } parameters { real u; } model { u ~ normal(0, 1); y[1] ~ normal(0, 1); for (i in 2:N) y[i] ~ normal(u * y[i - 1], 1); }`,
		map[string]any{"N": 8, "y": []float64{1, 2, 0, 3, 2, 4, 1, 1}})
	joint := boundTo(t, `data { int N; vector[N] y; } parameters { real u; } model { u ~ normal(0, 1); y ~ multi_normal(rep_vector(u, N), identity_matrix(N)); }`,
		map[string]any{"N": 3, "y": []float64{1, 2, 0}})
	const depend = ":1:1: error: the log likelihoods of the rows that are left out and of the others do not add up to that of all: rows depend on each other"
	for _, c := range []struct {
		m               *Model
		directive, want string
	}{
		{m, `held_out(nuts(), rows = y)`, "diagnosis:1:25: error: rows must be a variable of the data that counts rows"},
		{m, `held_out(nuts(), rows = b)`, "rows must be a variable of the data that counts rows"},
		{m, `held_out(nuts(), prediction = b[1])`, "prediction must have a number for each row, found b[1], which is a real"},
		{m, `held_out(nuts(draws = 10, warmup = 10), splits = 1, prediction = b)`, "prediction = b has 2 numbers for 1 observations"},
		{m, `held_out(nuts(), share = 1)`, "share must be more than 0 and less than 1, found 1"},
		{m, `held_out()`, "wraps a method"},
		{m, `held_out(nuts(), splits = 0)`, "splits must be at least 1, found 0"},
		{local, `held_out(nuts())`, "m.ppl:1:53: error: the size of the parameter u depends on N: a fit to some rows says nothing of it in the others"},
		{mean, `held_out(nuts(draws = 10, warmup = 10), splits = 2, share = 0.4)`, depend},
		{mean, `held_out(nuts(draws = 10, warmup = 10), splits = 2)`, depend},
		{past, `held_out(nuts(draws = 10, warmup = 10), splits = 2)`, depend},
		{joint, `held_out(nuts())`, "held_out needs a likelihood that is a product over observations"},
		{square, `held_out(nuts())`, "D has N in a size that is not its first alone"},
	} {
		_, err := judge(t, c.m, c.directive, 1)
		if err == nil || !strings.Contains(ErrorText(err), c.want) {
			t.Errorf("%s: %v", c.directive, err)
		}
	}
}

// Loops without end in models of parts of the rows are left when the context ends.
func TestHeldOutStops(t *testing.T) {
	m := mustBind(t, `data { int N; vector[N] y; }
parameters { real x; }
model { x ~ normal(0, 1); y ~ normal(x, 1); }
generated quantities { real z = 0; while (1) z += x; }`, map[string]any{"N": 4, "y": []float64{1, 2, 3, 4}})
	d, err := m.Program.Diagnosis("held_out(laplace())")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	bind.Within(ctx, m.Bound())
	done := make(chan error, 1)
	go func() {
		_, err := m.Diagnose(ctx, d, RunOptions{Seed: 1, Jobs: 1})
		done <- err
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Error("20 s after the end of the context the diagnosis still goes on")
	}
}
