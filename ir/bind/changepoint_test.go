// Discrete numbers with many values that are compared with something: change points.

package bind_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// changePoints are models by name; the number in question is s, from 1 to T.
var changePoints = [][2]string{
	{"a choice", `for (t in 1 : T) n[t] ~ poisson(t < s ? e : l);`},
	{"a choice, the other way round", `for (t in 1 : T) n[t] ~ poisson(s > t ? e : l); s ~ poisson(9);`},
	{"a condition", `for (t in 1 : T) { if (t <= s) n[t] ~ poisson(e); else { n[t] ~ poisson(l); target += -0.1 * e; } }`},
	{"conditions in conditions", `for (t in 1 : T) {
    if (t <= s) { if (s >= 2 * t) n[t] ~ poisson(e); } else if (s == 7) target += l * 0.1; else { if (s != 3) n[t] ~ poisson(l + 0.1 * (s > 5)); }
  }`},
	{"rates first", `vector[T] r; for (t in 1 : T) r[t] = t >= s ? l : e; n ~ poisson(r);`},
	{"rates under a condition", `for (t in 1 : T) { real r = e; if (s < t) { r = l; } y[t] ~ normal(r, 1); }`},
	{"near it", `for (t in 1 : T) y[t] ~ normal(s == t ? e : s != t && t < s && c[t] > 1 ? l : e * l, 1);`},
	{"far from it", `for (t in 1 : T) { if (s > 4 || t == 3) y[t] ~ normal(e, 1); if (t == s) target += l * t; target += t <= s ? 0.01 * s : l; }`},
	{"impossible on one side", `for (t in 1 : T) target += (t > s && n[t] < 2 && t < T - 20) ? negative_infinity() : (t < s ? normal_lpdf(y[t] | e, 1) : normal_lpdf(y[t] | l, 1));`},
	{"another bound", `for (t in 1 : T) n[t] ~ poisson(s <= c[t] * 10 ? e : l);`},
	{"not of integers", `for (t in 1 : T) n[t] ~ poisson(s < t + 0.5 ? e : l);`},
}

const changePointText = `data { int T; int K; vector[T] y; array[T] int c; array[T] int n; }
parameters { real<lower=0> e; real<lower=0> l; %s }
model { e ~ exponential(1); l ~ exponential(1); %s }
`

// TestChangePoints compares with the sum over all values of the number, each given as data.
func TestChangePoints(t *testing.T) {
	const iterations = 45
	in, err := recurrenceData(iterations)
	if err != nil {
		t.Fatal(err)
	}
	lib := stdlib.New()
	q := []float64{0.3, -0.4}
	for _, m := range changePoints {
		t.Run(m[0], func(t *testing.T) {
			var values []float64
			var grads [][]float64
			for s := 1; s <= iterations; s++ {
				given := fmt.Sprintf(changePointText, "", fmt.Sprintf("int s = %d; ", s)+m[1])
				p, err := bindtest.Compile("given.stan", given, "", lib)
				if err != nil {
					t.Fatal(err)
				}
				one, err := bind.Bind(p, lib, in, bind.Options{})
				if err != nil {
					t.Fatal(err)
				}
				lp, grad, err := one.PlainDensity(q, true)
				if err != nil {
					t.Fatal(err)
				}
				values, grads = append(values, lp), append(grads, grad)
			}
			want, grad := mixture(values, grads)
			p, err := bindtest.Compile("point.stan", fmt.Sprintf(changePointText, "int<lower=1, upper=T> s;", m[1]), "", lib)
			if err != nil {
				t.Fatal(err)
			}
			for _, off := range [][]string{nil, {"pack"}, {"expand"}, {"strips"}} {
				model, err := bind.Bind(p, lib, in, bind.Options{Without: off})
				if err != nil {
					t.Fatal(err)
				}
				got := make([]float64, len(q))
				lp, err := model.NewEvaluator().LogDensityGrad(q, got)
				if err != nil {
					t.Fatal(err)
				}
				plain, plainGrad, err := model.PlainDensity(q, true)
				if err != nil {
					t.Fatal(err)
				}
				if !close64(lp, want, 1e-12*math.Abs(want)) || !close64(plain, want, 1e-12*math.Abs(want)) {
					t.Errorf("without %v: %v, plainly %v, want %v", off, lp, plain, want)
				}
				for i := range grad {
					if most := 1e-10 * (math.Abs(grad[0]) + math.Abs(grad[1])); !close64(got[i], grad[i], most) || !close64(plainGrad[i], grad[i], most) {
						t.Errorf("without %v: gradient %v, plainly %v, want %v", off, got, plainGrad, grad)
					}
				}
			}
		})
	}
}

// mixture is the log of the sum of exponentials, and its gradient.
func mixture(values []float64, grads [][]float64) (float64, []float64) {
	top := math.Inf(-1)
	for _, x := range values {
		top = max(top, x)
	}
	sum, grad := 0.0, make([]float64, len(grads[0]))
	for k, x := range values {
		w := math.Exp(x - top)
		if w == 0 {
			continue
		}
		sum += w
		for i, g := range grads[k] {
			grad[i] += w * g
		}
	}
	for i := range grad {
		grad[i] /= sum
	}
	return top + math.Log(sum), grad
}

// TestChangePointsAreLinear holds what is recorded of a change point to a size in proportion to
// the observations.
func TestChangePointsAreLinear(t *testing.T) {
	lib := stdlib.New()
	for _, m := range changePoints[:6] {
		if m[0] == "conditions in conditions" {
			continue
		}
		p, err := bindtest.Compile("point.stan", fmt.Sprintf(changePointText, "int<lower=1, upper=T> s;", m[1]), "", lib)
		if err != nil {
			t.Fatal(err)
		}
		var nodes [2]int
		for i, iterations := range []int{400, 1600} {
			in, err := recurrenceData(iterations)
			if err != nil {
				t.Fatal(err)
			}
			model, err := bind.Bind(p, lib, in, bind.Options{Without: []string{"pack"}})
			if err != nil {
				t.Fatal(err)
			}
			if nodes[i], err = model.RecordedNodes([]float64{0, 0}); err != nil {
				t.Fatal(err)
			}
		}
		if nodes[1] > 5*nodes[0] {
			t.Errorf("%s: %d nodes for 400 observations, %d for 1600", m[0], nodes[0], nodes[1])
		}
	}
}
