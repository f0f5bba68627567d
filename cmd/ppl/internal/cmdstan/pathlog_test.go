package cmdstan

// This file reads the JSON files of pathfinder's paths.

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// A file has a record for each iterate. Of a normal target the last approximation has the mean
// and, with fewer parameters than it has steps to learn from (full matrices), the variances;
// with more it is of low rank.
func TestPathLog(t *testing.T) {
	for _, n := range []int{2, 15} {
		dir := t.TempDir()
		model := filepath.Join(dir, "gauss.stan")
		text := fmt.Sprintf("parameters { vector[%d] x; }\nmodel { for (i in 1:%d) x[i] ~ normal(1, 1 + i / 20.0); }\n", n, n)
		if err := os.WriteFile(model, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		exe := executableOf(t, model)
		file := filepath.Join(dir, "out.csv")
		for _, paths := range []string{"1", "2"} {
			if code, _, errs := run(t, exe, "pathfinder", "save_single_paths=1", "num_paths="+paths, "history_size=4", "random", "seed=1", "output", "file="+file); code != 0 {
				t.Fatal(errs)
			}
		}
		for _, name := range []string{"out.json", "out_path_1.json", "out_path_2.json"} {
			checkPathLog(t, filepath.Join(dir, name), n)
		}
	}
}

// A pathRecord is a record as readers have it.
type pathRecord struct {
	Iteration int       `json:"iter"`
	Point     []float64 `json:"unconstrained_parameters"`
	Gradient  []float64 `json:"grads"`
	History   *int      `json:"history_size"`
	Search    bool      `json:"lbfgs_success"`
	Usable    bool      `json:"pathfinder_success"`
	normalRecord
}

func checkPathLog(t *testing.T, path string, n int) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]pathRecord
	if err := json.Unmarshal(text, &all); err != nil || len(all) < 3 {
		t.Fatalf("%s: %d iterates, %v", path, len(all), err)
	}
	for i := range len(all) {
		r, ok := all[fmt.Sprint(i)]
		if !ok || r.Iteration != i || len(r.Point) != n || len(r.Gradient) != n || (r.History == nil) != (i == 0) {
			t.Fatalf("%s: iterate %d is %+v", path, i, r)
		}
	}
	last := all[fmt.Sprint(len(all)-1)]
	if !last.Search || !last.Usable || last.Full != (n <= 8) {
		t.Fatalf("%s: %+v", path, last)
	}
	cov := covarianceOf(&last.normalRecord)
	var chol mat.Cholesky
	if !chol.Factorize(cov) || math.Abs(chol.LogDet()/2-last.LogDet) > 1e-9 {
		t.Errorf("%s: half the log determinant is %v, want %v", path, chol.LogDet()/2, last.LogDet)
	}
	for i := range n {
		sd := math.Sqrt(cov.At(i, i))
		if math.Abs(last.Mean[i]-1) > 0.05 || last.Full && math.Abs(sd-(1+float64(i+1)/20)) > 0.05 {
			t.Errorf("%s: coordinate %d has mean %v and sd %v", path, i, last.Mean[i], sd)
		}
	}
	if norm := floats.Norm(last.Gradient, 2); norm > 0.01 {
		t.Errorf("%s: it ends where the gradient is %v", path, last.Gradient)
	}
}

// covarianceOf puts the parts of an approximation together.
func covarianceOf(r *normalRecord) *mat.SymDense {
	matrix := func(rows [][]float64) *mat.Dense {
		m := mat.NewDense(len(rows), len(rows[0]), nil)
		for i, row := range rows {
			m.SetRow(i, row)
		}
		return m
	}
	l := matrix(r.L)
	var out mat.Dense
	out.Mul(l.T(), l)
	if !r.Full {
		root := make([]float64, len(r.Alpha))
		for i, a := range r.Alpha {
			root[i] = math.Sqrt(a)
		}
		for i := range len(r.L) {
			out.Set(i, i, out.At(i, i)-1)
		}
		var spread mat.Dense
		spread.Product(matrix(r.Q), &out, matrix(r.Q).T())
		for i := range root {
			spread.Set(i, i, spread.At(i, i)+1)
		}
		out.Reset()
		out.Product(mat.NewDiagDense(len(root), root), &spread, mat.NewDiagDense(len(root), root))
	}
	n, _ := out.Dims()
	sym := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			sym.SetSym(i, j, out.At(i, j))
		}
	}
	return sym
}
