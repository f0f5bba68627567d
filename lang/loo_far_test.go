// Fits without observations whose factor is zero, or beyond all digits of the others, where there is mass without them.

package lang

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose/loo"
)

// The largest of uniform outcomes rules out what the others allow: given those, theta is Pareto distributed with shape a from b on,
// and the predictive density of y beyond b is a b^a / ((a + 1) y^(a+1)).
func TestLeftOutBound(t *testing.T) {
	y := []float64{0.31, 0.62, 0.47, 0.9, 0.55, 0.7}
	m := mustBind(t, "data { int N; vector[N] y; } parameters { real<lower=0.5> theta; } model { theta ~ pareto(0.5, 1); y ~ uniform(0, theta); }",
		map[string]any{"N": len(y), "y": y})
	out := m.Without(context.Background(), LeftOut{Observations: []int{3}, Unweighed: true}, RefitOptions{Seed: 1, Jobs: 2})
	const a, b = 6, 0.7
	want := math.Log(a) + a*math.Log(b) - math.Log(a+1) - (a+1)*math.Log(0.9)
	if out.Err != nil || math.Abs(out.ELPD[0]-want) > 0.1 {
		t.Errorf("%v, exactly %.4f", out, want)
	}
}

// Without the second count a[2] has its prior, however improbable the count makes the place.
func TestLeftOutDigits(t *testing.T) {
	m := mustBind(t, "data { array[2] int y; } parameters { vector[2] a; } model { a ~ normal(0, 1); y ~ poisson_log(a); }", map[string]any{"y": []int{3, 4}})
	less, err := loo.Powered(m.bound, []float64{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	e := less.NewEvaluator()
	grad := make([]float64, 2)
	var lps []float64
	for _, x := range []float64{2, 40, 60, 800} {
		lp, err := e.LogDensityGrad([]float64{0.5, x}, grad)
		again, err2 := e.LogDensity([]float64{0.5, x})
		want := -0.125 - x*x/2 - math.Log(2*math.Pi) + 3*0.5 - math.Exp(0.5) - math.Log(6)
		lps = append(lps, lp)
		if err != nil || err2 != nil || math.Abs(lp-want) > 1e-3 || math.Abs(again-want) > 1e-3 || math.Abs(grad[1]+x) > 1e-3 || math.Abs(grad[0]-(-0.5+3-math.Exp(0.5))) > 1e-9 {
			t.Errorf("at %v: %v and %v, gradient %v, exactly %v (%v, %v)", x, lp, again, grad, want, err, err2)
		}
	}
	if !slices.IsSortedFunc(lps, func(a, b float64) int { return int(math.Copysign(1, b-a)) }) {
		t.Errorf("not falling: %v", lps)
	}
}
