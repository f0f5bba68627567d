package examples

// This file compares ADAM's steps with the optimisation of the same objectives at fixed points.

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/lang"
)

// TestAdam: the optimum of each objective, which the optimisation at fixed points finds to many digits (its own
// tests hold it against closed forms), by steps of ADAM on batches of a tenth of the data. At the end of a cosine
// the iterates stand still up to some hundredths of an sd; seeds are fixed.
func TestAdam(t *testing.T) {
	vars, _, _ := meansData(100)
	for _, c := range []struct{ method, options string }{
		{"gvi", "divergence = kl(1)"},
		{"gvi", "divergence = kl(0.25)"},
		{"gvi", "divergence = renyi(2)"},
		{"gvi", "divergence = renyi(0.5)"},
		{"gvi", "divergence = alpha(0.5)"},
		{"gvi", "divergence = beta(1.2)"},
		{"gvi", "divergence = gamma(1.2)"},
		{"gvi", "divergence = [a: renyi(2), b: kl(1)]"},
		{"gvi", `divergence = renyi(0.5), family = "fullrank"`},
		{"gvi", `divergence = renyi(2), family = "lowrank"`},
		{"gvi", "loss = beta(1.3)"},
		{"gvi", "loss = gamma(1.3), divergence = renyi(0.5)"},
		{"fvi", "divergence = alpha(0.5)"},
	} {
		exact := meansFit(t, means, c.method+"("+c.options+")", vars)
		adam := meansFit(t, means, c.method+`(batch = 10, epochs = 200, rate = 0.02, schedule = "cosine", samples = 20, `+c.options+")", vars)
		nearNormal(t, c.method+" "+c.options, adam, exact, 0.12, 0.06)
	}
}

// Without batches the objective of fvi is that of fixed points, too.
func TestAdamOfAllTerms(t *testing.T) {
	vars, _, _ := meansData(60)
	for _, c := range []struct{ method, options string }{{"gvi", "divergence = renyi(0.5)"}, {"fvi", "divergence = renyi(0.5)"}} {
		exact := meansFit(t, means, c.method+"("+c.options+")", vars)
		adam := meansFit(t, means, c.method+`(epochs = 2000, rate = 0.02, schedule = "cosine", samples = 20, `+c.options+")", vars)
		nearNormal(t, c.method+" "+c.options, adam, exact, 0.12, 0.06)
	}
}

// TestAdamOfPoints: a noise estimated by a point beside the approximation of the others: at the optimum for kl(1)
// s^2 is the mean of the expected squares, a fixed point that is iterated here.
func TestAdamOfPoints(t *testing.T) {
	const n = 400
	vars, sumY, sumXY := meansData(n)
	text := strings.NewReplacer("real b; }", "real b; real<lower=0> s; }", "x, 1)", "x, s)", "(0, 2)", "(0, 0.05)").Replace(means)
	s2, v := 1.0, 0.0
	var a, b float64
	for range 100 {
		v = 1 / (n/s2 + 400)
		a, b = sumY/s2*v, sumXY/s2*v
		square := 0.0
		x, y := vars["x"].([]float64), vars["y"].([]float64)
		for i := range y {
			d := y[i] - a - b*x[i]
			square += d*d + 2*v
		}
		s2 = square / n
	}
	for _, expr := range []string{
		`gvi(point = [s], batch = 40, epochs = 300, rate = 0.02, schedule = "cosine", samples = 20)`,
		`gvi(point = [s])`,
		`fvi(point = [s], divergence = renyi(1), epochs = 3000, rate = 0.02, schedule = "cosine", samples = 20)`,
		`fvi(point = [s], divergence = renyi(1))`,
	} {
		d := meansFit(t, text, expr, vars).Posterior.Draws
		got := d.Column("s")[0][0]
		mean := 0.0
		for _, x := range d.Column("a")[0] {
			mean += x / 1000
		}
		if math.Abs(got*got/s2-1) > 0.01 || math.Abs(mean-a) > 0.25*math.Sqrt(v) {
			t.Errorf("%s: s^2 %.4f, should be %.4f; mean of a %.4f, should be %.4f", expr, got*got, s2, mean, a)
		}
	}
}

func meansFit(t *testing.T, text, expr string, vars map[string]any) *lang.Fit {
	t.Helper()
	fit, err := fitMeans(t, text, expr, vars)
	if err != nil {
		t.Fatalf("%s: %s", expr, lang.ErrorText(err))
	}
	return fit
}

// nearNormal compares means, in sds, and sds, as ratios.
func nearNormal(t *testing.T, name string, a, b *lang.Fit, shift, ratio float64) {
	t.Helper()
	x, y := a.Posterior.Density.(*normal.Normal), b.Posterior.Density.(*normal.Normal)
	for i := range x.Mean() {
		sx, sy := x.ConditionalSD()[i], y.ConditionalSD()[i]
		off, wide := (x.Mean()[i]-y.Mean()[i])/sy, sx/sy
		t.Logf("%-50s %d: mean off by %+.3f sd, sd %.3f of the optimum's", name, i, off, wide)
		if math.Abs(off) > shift || math.Abs(wide-1) > ratio {
			t.Errorf("%s, %d: mean off by %+.3f sd, sd %.3f of the optimum's", name, i, off, wide)
		}
	}
	if !a.Posterior.Fit.Converged {
		t.Errorf("%s: not converged: %s", name, a.Posterior.Fit.Stop)
	}
}

// TestSamplesAreObeyed: a step at fresh points evaluates as many as samples says, two for each pair of a point and its mirror
// image, however many coordinates there are; for an odd number one more.
func TestSamplesAreObeyed(t *testing.T) {
	vars, _, _ := meansData(100)
	steps := 0
	evaluations := func(samples int) int {
		f := meansFit(t, means, fmt.Sprintf("gvi(batch = 10, epochs = 5, samples = %d)", samples), vars).Posterior.Fit
		steps = f.Iterations
		return f.Evaluations
	}
	for _, samples := range []int{2, 10, 11, 100} {
		points := samples + samples%2
		if got := evaluations(samples); got != 50*points || steps != 50 {
			t.Errorf("samples = %d: %d evaluations in %d steps, want %d in 50", samples, got, steps, 50*points)
		}
	}
}
