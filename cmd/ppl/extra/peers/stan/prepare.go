package main

// This file writes the models that are compared: the workloads and the posteriors whose
// data are in the folder of shared material.

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// prepare writes BENCH/NAME/{model.stan,data.json}. It is run in the module's root.
func prepare(bench string) error {
	models, err := filepath.Glob("examples/posteriors/*.stan")
	if err != nil {
		return err
	}
	shared := os.Getenv("PPL_SHARED")
	if shared == "" {
		shared = "../shared"
	}
	for _, m := range models {
		name := strings.TrimSuffix(filepath.Base(m), ".stan")
		data, err := os.ReadFile(filepath.Join(shared, "posteriors", name, "data.json"))
		if err != nil {
			return err
		}
		if err := put(bench, name, m, data); err != nil {
			return err
		}
	}
	if models, err = filepath.Glob("examples/workloads/*.stan"); err != nil {
		return err
	}
	for _, m := range models {
		if err := workload(bench, m); err != nil {
			return err
		}
	}
	return nil
}

// prepareClasses writes the models of models/ with simulated data; scale multiplies the first
// size of those that declare their data. It is run in the module's root.
func prepareClasses(bench string, scale float64) error {
	models, err := filepath.Glob("cmd/ppl/extra/peers/stan/models/*.stan")
	if err != nil {
		return err
	}
	for _, m := range models {
		name := strings.TrimSuffix(filepath.Base(m), ".stan")
		d, err := simulated(name, m, scale)
		if err != nil {
			return fmt.Errorf("%s: %w", m, err)
		}
		data, err := json.Marshal(d)
		if err != nil {
			return err
		}
		if err := put(bench, name, m, data); err != nil {
			return err
		}
	}
	return nil
}

// largest is up to what size workloads with matrices are sampled from: Stan would take
// hours for the largest.
const largest = 50

// workload writes one workload for each of its data sets, which are named after the model
// or after the model and a size; B's are generated.
func workload(bench, model string) error {
	base := strings.TrimSuffix(model, ".stan")
	sized, err := filepath.Glob(base + "-*.json")
	if err != nil {
		return err
	}
	if len(sized) == 0 {
		data, err := os.ReadFile(base + ".json")
		if os.IsNotExist(err) {
			data, err = logistic()
		}
		if err != nil {
			return err
		}
		return put(bench, "w_"+filepath.Base(base), model, data)
	}
	for _, f := range sized {
		_, size, _ := strings.Cut(strings.TrimSuffix(filepath.Base(f), ".json"), "-")
		if n, err := strconv.Atoi(size); err != nil || n > largest {
			continue
		}
		data, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		if err := put(bench, "w_"+strings.TrimSuffix(filepath.Base(f), ".json"), model, data); err != nil {
			return err
		}
	}
	return nil
}

func put(bench, name, model string, data []byte) error {
	dir := filepath.Join(bench, name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	text, err := os.ReadFile(model)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "model.stan"), text, 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "data.json"), data, 0o666)
}

// logistic makes the data of workload B.
func logistic() ([]byte, error) {
	const rows, cols = 10_000, 20
	rng := rand.New(rand.NewPCG(3, 4))
	beta := make([]float64, cols)
	for j := range beta {
		beta[j] = rng.NormFloat64() / 2
	}
	x := make([][]float64, rows)
	y := make([]int, rows)
	for i := range x {
		x[i] = make([]float64, cols)
		eta := 0.0
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
			eta += float64(x[i][j] * beta[j])
		}
		if rng.Float64() < 1/(1+math.Exp(-eta)) {
			y[i] = 1
		}
	}
	return json.Marshal(map[string]any{"N": rows, "D": cols, "X": x, "y": y})
}
