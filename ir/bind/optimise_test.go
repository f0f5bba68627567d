// Every optimisation switched off by itself, on all examples, in every executor.

package bind_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// An example is a program with its data.
type example struct {
	name, text string
	prog       *ir.Program
	in         *data.Set
}

// workloadExamples are the workloads, each with its smallest data.
func workloadExamples(t *testing.T) []example {
	t.Helper()
	models, err := filepath.Glob(workloads + "*.stan")
	if err != nil || len(models) == 0 {
		t.Fatalf("no workloads (%v)", err)
	}
	var out []example
	for _, model := range models {
		if strings.HasSuffix(model, "b_logistic.stan") {
			out = append(out, newExample(t, model, logisticData(t)))
			continue
		}
		file := smallest(t, strings.TrimSuffix(model, ".stan")+"*.json")
		out = append(out, newExample(t, model, readData(t, file)))
	}
	return out
}

// posteriorExamples are the posteriors for which there are data.
func posteriorExamples(t *testing.T) []example {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(sharedFolder(t, "posteriors"), "*", "data.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no data (%v)", err)
	}
	var out []example
	for _, file := range files {
		model := posteriors + filepath.Base(filepath.Dir(file)) + ".stan"
		if _, err := os.Stat(model); err == nil {
			out = append(out, newExample(t, model, readData(t, file)))
		}
	}
	return out
}

func newExample(t *testing.T, model string, in *data.Set) example {
	t.Helper()
	text, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := bindtest.Compile(filepath.Base(model), string(text), filepath.Dir(model), stdlib.New())
	if err != nil {
		t.Fatal(err)
	}
	return example{strings.TrimSuffix(filepath.Base(model), ".stan"), string(text), prog, in}
}

func readData(t *testing.T, file string) *data.Set {
	t.Helper()
	in, err := data.ReadFile(file, func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// smallest is the shortest of the files that a pattern names.
func smallest(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no data in %s (%v)", pattern, err)
	}
	size := func(file string) int64 {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	return slices.MinFunc(files, func(a, b string) int { return cmp.Compare(size(a), size(b)) })
}

// logisticData are data of the logistic regression, whose workload has none in a file.
func logisticData(t *testing.T) *data.Set {
	t.Helper()
	const n, d = 400, 5
	r := rand.New(rand.NewPCG(21, 22))
	y, x := make([]int, n), make([][]float64, n)
	for i := range x {
		y[i] = r.IntN(2)
		for range d {
			x[i] = append(x[i], r.NormFloat64())
		}
	}
	in, err := data.FromGo(map[string]any{"N": n, "D": d, "y": y, "X": x})
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// closeness reports how far programs may be from the reference interpreter: values relative to the
// sum of the absolute terms, gradients relative to the largest entry.
type closeness struct{ value, gradient float64 }

func (e *example) closeness(off []string) closeness {
	c := closeness{1e-12, 1e-10}
	if strings.Contains(e.text, "normal_id_glm") && !slices.Contains(off, "statistics") {
		c = closeness{1e-9, 1e-9}
	}
	if s := slack[e.name]; s > 0 { // steps are chosen anew
		c = closeness{s, s}
	}
	return c
}

func TestEveryOptimisationOffWorkloads(t *testing.T) { switchOff(t, workloadExamples(t)) }

func TestEveryOptimisationOffPosteriors(t *testing.T) { switchOff(t, posteriorExamples(t)) }

// switchOff compares the examples with everything on, each optimisation off, and all off.
func switchOff(t *testing.T, examples []example) {
	t.Helper()
	sets := [][]string{nil}
	var all []string
	for _, o := range bind.Optimisations() {
		sets, all = append(sets, []string{o.Name}), append(all, o.Name)
	}
	sets = append(sets, all)
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			plain, err := bind.Bind(e.prog, stdlib.New(), e.in, bind.Options{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			points := e.points(t, plain)
			for _, off := range sets {
				if len(off) == 1 && !subset.Has(e.name+off[0], 3) {
					continue
				}
				if err := e.compare(off, points); err != nil {
					t.Errorf("without %v: %v", off, err)
				}
			}
		})
	}
}

// A known point is one with what the reference interpreter says there.
type knownPoint struct {
	q, grad  []float64
	lp, size float64
	steepest float64 // greatest entry of the gradient
}

func (e *example) points(t *testing.T, m *bind.Model) []knownPoint {
	t.Helper()
	r := rand.New(rand.NewPCG(31, 32))
	var out []knownPoint
	for try := 0; len(out) < 2 && try < 20; try++ {
		q := make([]float64, m.Dim())
		for i := range q {
			q[i] = r.Float64() - 0.5
		}
		lp, grad, err := m.PlainDensity(q, true)
		if infer.IsReject(err) || math.IsInf(lp, 0) {
			continue
		}
		size, err2 := m.AbsoluteTerms(q)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		p := knownPoint{q: q, grad: grad, lp: lp, size: size}
		for _, g := range grad {
			p.steepest = max(p.steepest, math.Abs(g))
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		t.Fatal("the density is not finite at any point")
	}
	return out
}

// compare holds programs without some optimisations, with and without machine code,
// against what is known.
func (e *example) compare(off []string, points []knownPoint) error {
	native, err := bind.Bind(e.prog, stdlib.New(), e.in, bind.Options{Seed: 1, Without: off})
	if err != nil {
		return err
	}
	grouped, err := bind.Bind(e.prog, stdlib.New(), e.in, bind.Options{Seed: 1, Without: off, WithoutNative: true})
	if err != nil {
		return err
	}
	c := e.closeness(off)
	a, b := native.NewEvaluator(), grouped.NewEvaluator()
	for _, p := range points {
		if err := sameBits(a, b, p.q); err != nil {
			return err
		}
		grad := make([]float64, len(p.q))
		lp, err := a.LogDensityGrad(p.q, grad)
		if err != nil {
			return err
		}
		if value, err := a.LogDensity(p.q); err != nil || !(math.Abs(value-p.lp) <= c.value*p.size) {
			return fmt.Errorf("value %v (%v), want %v", value, err, p.lp)
		}
		if d := math.Abs(lp - p.lp); !(d <= c.value*p.size) {
			return fmt.Errorf("value %v differs by %.1e of %.3g", lp, d, p.size)
		}
		for i := range grad {
			if d := math.Abs(grad[i] - p.grad[i]); !(d <= c.gradient*p.steepest) {
				return fmt.Errorf("gradient %d is %v, want %v; it differs by %.1e of %.3g", i, grad[i], p.grad[i], d, p.steepest)
			}
		}
	}
	return nil
}

func TestUnknownOptimisation(t *testing.T) {
	prog, err := bindtest.Compile("none.stan", "parameters { real x; } model { x ~ normal(0, 1); }", "", stdlib.New())
	if err != nil {
		t.Fatal(err)
	}
	_, err = bind.Bind(prog, stdlib.New(), &data.Set{}, bind.Options{Without: []string{"magic"}})
	if err == nil || !strings.Contains(err.Error(), `"magic"`) || !strings.Contains(err.Error(), "fma") {
		t.Errorf("error %v, want one that names what there is", err)
	}
}
