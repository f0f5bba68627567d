// The posteriors with real data: compiled against plain evaluation, and the gradient
// of a differential equation against differences.

package bind_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

const posteriors = "../../examples/posteriors/"

// sharedFolder is the folder of shared test material; without it a test is skipped.
func sharedFolder(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("PPL_SHARED")
	if root == "" {
		root = "../../../shared"
	}
	dir := filepath.Join(root, name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("SKIPPED: the shared folder %s is not there; set PPL_SHARED", dir)
	}
	return dir
}

// slack is how far values may differ that were solved with and without sensitivities,
// given the model's tolerances.
var slack = map[string]float64{"hudson_lynx_hare-lotka_volterra": 1e-3}

func TestPosteriorsCompiledAgreesWithPlain(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(sharedFolder(t, "posteriors"), "*", "data.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no data (%v)", err)
	}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		model := posteriors + name + ".stan"
		if _, err := os.Stat(model); err != nil {
			t.Logf("no model for %s", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			m, err := bindtest.Model(model, file)
			if err != nil {
				t.Fatal(err)
			}
			agreeAtRandomPoints(t, m, rand.New(rand.NewPCG(11, 12)), 4, slack[name])
			if err := manyEqualOne(m, rand.New(rand.NewPCG(13, 14))); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestDifferentialEquationGradient takes the predator-prey model near its posterior
// mean. With the model's own tolerances (1e-5, 1e-3) differences see the solver's
// changes of step size, so they are compared loosely; with small tolerances closely.
func TestDifferentialEquationGradient(t *testing.T) {
	const name = "hudson_lynx_hare-lotka_volterra"
	in, err := data.ReadFile(filepath.Join(sharedFolder(t, "posteriors"), name, "data.json"), func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(posteriors + name + ".stan")
	if err != nil {
		t.Fatal(err)
	}
	tight := strings.Replace(string(text), "1e-5, 1e-3, 500", "1e-12, 1e-12, 100000", 1)
	if tight == string(text) {
		t.Fatal("the model's tolerances were not found")
	}
	near := odeGradient(t, in, string(text), 0.02)
	exact := odeGradient(t, in, tight, 1e-7)
	for i := range near {
		if !close64(near[i], exact[i], 0.02*norm(exact)) {
			t.Errorf("gradient[%d] is %v, with small tolerances %v", i, near[i], exact[i])
		}
	}
}

// odeGradient returns the gradient of the predator-prey model at one point, after
// comparing it with differences to a relative tolerance.
func odeGradient(t *testing.T, in *data.Set, text string, tol float64) []float64 {
	t.Helper()
	lib := stdlib.New()
	p, err := bindtest.Compile("lotka_volterra.stan", text, "", lib)
	if err != nil {
		t.Fatal(err)
	}
	m, err := bind.Bind(p, lib, in, bind.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	q := []float64{0.55, 0.028, 0.8, 0.024, 33, 6.2, 0.25, 0.3} // theta, z_init, sigma; all positive
	for i := range q {
		q[i] = math.Log(q[i])
	}
	if err := agree(m, q, tol); err != nil {
		t.Error(err)
	}
	e, grad := m.NewEvaluator(), make([]float64, m.Dim())
	if _, err := e.LogDensityGrad(q, grad); err != nil {
		t.Fatal(err)
	}
	for i := range q {
		d, ok := difference(e, q, i, 1e-3)
		if !ok || !close64(grad[i], d, tol*norm(grad)) {
			t.Errorf("gradient[%d] is %v, differences say %v", i, grad[i], d)
		}
	}
	return grad
}

func norm(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v * v
	}
	return math.Sqrt(s)
}
