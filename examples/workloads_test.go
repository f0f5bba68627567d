package examples

// This file prepares the workloads: six beside their hand-written gradients, which it holds
// against each other, and those that are matrix factorisations for the most part.

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/lang"
)

// A workload is a model with its data, compiled by us and written by hand.
type workload struct {
	name  string
	model *lang.Model
	hand  func(q, grad []float64) float64
	point []float64 // near the mode of the posterior, where the gradient is timed
}

// A matrixWorkload is a model and a data set of a given size, as its name ends.
type matrixWorkload struct{ name, model, data string }

// matrixWorkloads finds those of up to a size.
func matrixWorkloads(t testing.TB, size int) []matrixWorkload {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("workloads", "*-*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []matrixWorkload
	for _, f := range files {
		path, n, _ := strings.Cut(strings.TrimSuffix(f, ".json"), "-")
		if k, err := strconv.Atoi(n); err != nil {
			t.Fatalf("%s has no size in its name", f)
		} else if k <= size {
			all = append(all, matrixWorkload{filepath.Base(path) + "-" + n, path + ".stan", f})
		}
	}
	return all
}

// workloads prepares the six that are written by hand.
func workloads(t testing.TB) []workload {
	t.Helper()
	return []workload{workloadA(t), workloadB(t), workloadC(t), workloadD1(t), workloadD2(t), workloadE(t)}
}

// readWorkload loads a workload's model, and its data also into vars.
func readWorkload(t testing.TB, name string, vars any) *lang.Model {
	t.Helper()
	path := filepath.Join("workloads", name)
	text, err := os.ReadFile(path + ".json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, vars); err != nil {
		t.Fatal(err)
	}
	return load(t, path+".stan", path+".json")
}

func workloadA(t testing.TB) workload {
	var d struct{ Y, Sigma []float64 }
	model := readWorkload(t, "a_eight_schools", &d)
	q := append(point(len(d.Y), 0.3, 0), 4.4, 1)
	return workload{"A_eight_schools", model, newEightSchools(d.Y, d.Sigma).Gradient, q}
}

// workloadB makes its data: X and beta standard normal, y from the model.
func workloadB(t testing.TB) workload {
	const n, d = 10_000, 20
	r := rng.New(1, "workload", 0, 0)
	beta := make([]float64, d)
	for k := range beta {
		beta[k] = r.NormFloat64()
	}
	x, y := make([][]float64, n), make([]int, n)
	for i := range x {
		x[i] = make([]float64, d)
		eta := 0.0
		for k := range x[i] {
			x[i][k] = r.NormFloat64()
			eta += x[i][k] * beta[k]
		}
		if r.Float64() < 1/(1+math.Exp(-eta)) {
			y[i] = 1
		}
	}
	prog := compile(t, filepath.Join("workloads", "b_logistic.stan"))
	model := bind(t, prog, map[string]any{"N": n, "D": d, "X": x, "y": y})
	return workload{"B_logistic", model, newLogistic(x, y).Gradient, beta}
}

func workloadC(t testing.TB) workload {
	var d struct{ Y []float64 }
	model := readWorkload(t, "c_stochvol", &d)
	q := append(point(len(d.Y), 0.1, 2), math.Log(11))
	return workload{"C_stochvol", model, newStochVol(d.Y).Gradient, q}
}

func workloadD1(t testing.TB) workload {
	var d struct {
		Y      []float64
		Sigma1 float64
	}
	model := readWorkload(t, "d1_garch", &d)
	return workload{"D1_garch", model, newGARCH(d.Y, d.Sigma1).Gradient, []float64{5, 0.4, 0.3, 0.6}}
}

func workloadD2(t testing.TB) workload {
	var d struct{ Y []float64 }
	model := readWorkload(t, "d2_hmm", &d)
	q := append(point(12, 1, 4), -3.5, 1, 0.9, 1, -0.3)
	return workload{"D2_hmm", model, newHMM(d.Y).Gradient, q}
}

func workloadE(t testing.TB) workload {
	var d struct {
		J     int
		Group []int
		X, Y  []float64
	}
	model := readWorkload(t, "e_radon", &d)
	q := append(point(d.J, 1, 5), -0.7, 1.5, -1.1, -0.3)
	return workload{"E_radon", model, newRadon(d.Group, d.X, d.Y, d.J).Gradient, q}
}

// TestHandWritten checks that the hand-written code, which the benchmarks measure ours
// by, computes the same function.
func TestHandWritten(t *testing.T) {
	for _, w := range workloads(t) {
		t.Run(w.name, func(t *testing.T) {
			e := w.model.Bound().NewEvaluator()
			points := [][]float64{w.point, point(len(w.point), 0.5, 7), point(len(w.point), 2, 8)}
			for _, q := range points {
				ours, hand := make([]float64, len(q)), make([]float64, len(q))
				lp, err := e.LogDensityGrad(q, ours)
				if err != nil {
					t.Fatal(err)
				}
				if want := w.hand(q, hand); !near(lp, want, 1e-9) {
					t.Errorf("log density %.15g, by hand %.15g", lp, want)
				}
				scale := maxAbs(hand) // rounding errors are shared by all coordinates
				for i := range q {
					if math.Abs(ours[i]-hand[i]) > 1e-9*math.Max(math.Abs(hand[i]), 1e-3*scale) {
						t.Errorf("derivative %s is %.15g, by hand %.15g", w.model.UnconstrainedNames()[i], ours[i], hand[i])
					}
				}
			}
		})
	}
}

// near reports whether two numbers agree to a relative error, absolute below 1.
func near(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

func maxAbs(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		m = math.Max(m, math.Abs(v))
	}
	return m
}
