package examples

// This file checks values and gradients of every example model that has data, or needs
// none: against the reference interpreter, and against differences.

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/lang"
)

// rough are models whose density is only piecewise smooth, with the relative error
// allowed to differences. An adaptive solver takes other steps at a point nearby, so
// the value jumps by its tolerance; the gradient is that of the steps taken. Where a
// matrix with condition number c is factored, rounding makes 10 c 2^-53 of difference.
var rough = map[string]float64{"hudson_lynx_hare-lotka_volterra": 5e-3, "fn_passed_on": 1e-4, "g_gp_latent-50": 1e-6}

func TestGradient(t *testing.T) {
	for _, w := range workloads(t) {
		t.Run("workloads/"+w.name, func(t *testing.T) { checkGradients(t, w.model, w.point, 1e-7) })
	}
	for _, w := range matrixWorkloads(t, 50) {
		t.Run("workloads/"+w.name, func(t *testing.T) {
			checkGradients(t, load(t, w.model, w.data), nil, max(1e-7, rough[w.name]))
		})
	}
	t.Run("eight_schools", func(t *testing.T) {
		path := filepath.Join("eight_schools", "eight_schools")
		checkGradients(t, load(t, path+".ppl", path+".json"), nil, 1e-7)
	})
	t.Run("posteriors", func(t *testing.T) {
		found, _ := posteriors(t)
		for _, p := range found {
			t.Run(p.name, func(t *testing.T) {
				checkGradients(t, load(t, p.model, p.data()), nil, max(1e-7, rough[p.name]))
			})
		}
	})
	t.Run("corpus", func(t *testing.T) {
		files, err := filepath.Glob(filepath.Join("corpus", "good", "*.stan"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			t.Run(base(f), func(t *testing.T) { checkCorpusGradients(t, f) })
		}
	})
}

// checkCorpusGradients checks a program of the corpus that needs no data and has
// continuous parameters. (With random data they are checked in package ir/bind.)
func checkCorpusGradients(t *testing.T, path string) {
	prog := compile(t, path)
	if prog.NeedsData() {
		t.Skip("needs data")
	}
	model, err := prog.Bind(nil, lang.BindOptions{Seed: 1})
	if err != nil {
		t.Skip(lang.ErrorText(err))
	}
	if model.Dim() == 0 {
		t.Skip("has no continuous parameters")
	}
	checkGradients(t, model, nil, max(1e-6, rough[base(path)]))
}

// checkGradients compares at a given point and at two random ones.
func checkGradients(t *testing.T, model *lang.Model, q []float64, tolerance float64) {
	t.Helper()
	points := [][]float64{point(model.Dim(), 0.5, 1), point(model.Dim(), 1, 2)}
	if q != nil {
		points = append(points, q)
	}
	evaluated := 0
	for _, q := range points {
		if checkGradient(t, model, q, tolerance) {
			evaluated++
		}
	}
	if evaluated == 0 {
		t.Skip("the density is zero at all points tried")
	}
}

// checkGradient reports whether there was a gradient to check.
func checkGradient(t *testing.T, model *lang.Model, q []float64, tolerance float64) bool {
	t.Helper()
	e := model.Bound().NewEvaluator()
	grad := make([]float64, len(q))
	lp, err := e.LogDensityGrad(q, grad)
	plain, plainGrad, plainErr := model.Bound().PlainDensity(q, true)
	if err != nil || plainErr != nil {
		if !infer.IsReject(err) || !infer.IsReject(plainErr) {
			t.Errorf("compiled: %v; plain: %v", err, plainErr)
		}
		return false
	}
	scale := maxAbs(plainGrad)
	if !near(lp, plain, 1e-10) {
		t.Errorf("log density %.15g, reference interpreter %.15g", lp, plain)
	}
	value, err := e.LogDensity(q)
	if err != nil || !near(value, lp, 1e-12) {
		t.Errorf("log density %.15g with gradient, %.15g without (%v)", lp, value, err)
	}
	names := model.UnconstrainedNames()
	for i := range q {
		if math.Abs(grad[i]-plainGrad[i]) > 1e-9*math.Max(1, scale) {
			t.Errorf("derivative %s is %.12g, reference interpreter %.12g", names[i], grad[i], plainGrad[i])
		}
		if d := nearestDifference(e, q, i, grad[i]); !(math.Abs(grad[i]-d) <= tolerance*math.Max(1, scale)) {
			t.Errorf("derivative %s is %.12g, differences give %.12g", names[i], grad[i], d)
		}
	}
	return true
}

// nearestDifference returns the central difference, of order 4, that comes closest to the
// derivative over several step sizes: long steps suffer from curvature, short ones from
// rounding, and how much depends on the model.
func nearestDifference(e infer.Target, q []float64, i int, derivative float64) float64 {
	x := append([]float64(nil), q...)
	at := func(step float64) float64 {
		x[i] = q[i] + step
		lp, err := e.LogDensity(x)
		if err != nil {
			return math.NaN()
		}
		return lp
	}
	best := math.NaN()
	for _, h := range []float64{1e-2, 1e-3, 1e-4, 1e-5} {
		d := (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
		if !(math.Abs(d-derivative) >= math.Abs(best-derivative)) {
			best = d
		}
	}
	return best
}

// TestNoAllocations checks that a gradient allocates nothing after the first, for every
// posterior and workload.
func TestNoAllocations(t *testing.T) {
	check := func(name string, model *lang.Model) {
		e := model.Bound().NewEvaluator()
		q := point(model.Dim(), 0.5, 0)
		grad := make([]float64, len(q))
		if _, err := e.LogDensityGrad(q, grad); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := testing.AllocsPerRun(20, func() { _, _ = e.LogDensityGrad(q, grad) }); n != 0 {
			t.Errorf("%s: %v allocations a gradient", name, n)
		}
		if n := testing.AllocsPerRun(20, func() { _, _ = e.LogDensity(q) }); n != 0 {
			t.Errorf("%s: %v allocations a value", name, n)
		}
	}
	for _, w := range workloads(t) {
		check(w.name, w.model)
	}
	for _, w := range matrixWorkloads(t, 200) {
		check(w.name, load(t, w.model, w.data))
	}
	found, _ := posteriors(t)
	for _, p := range found {
		check(p.name, load(t, p.model, p.data()))
	}
}
