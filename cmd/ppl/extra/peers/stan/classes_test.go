// Gradients of the classes against the reference interpreter and finite differences.

package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// Compiled programs have the value and the gradient of the reference interpreter at points of three
// scales, and gradients are slopes of values.
func TestClasses(t *testing.T) {
	models, err := filepath.Glob("models/*.stan")
	if err != nil || len(models) == 0 {
		t.Fatal("no models: ", err)
	}
	for _, path := range models {
		name := strings.TrimSuffix(filepath.Base(path), ".stan")
		if !subset.Has(name, 8) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			m, err := boundClass(name, path)
			if err != nil {
				t.Fatal(err)
			}
			r, e, seen := rand.New(rand.NewPCG(17, 4)), m.NewEvaluator(), 0
			for _, scale := range []float64{0.05, 0.3, 1} {
				q, v := make([]float64, m.Dim()), make([]float64, m.Dim())
				for i := range q {
					q[i], v[i] = scale*r.NormFloat64(), r.NormFloat64()/math.Sqrt(float64(len(q)))
				}
				ok, err := classAgrees(m, e, q, v)
				if err != nil {
					t.Errorf("scale %g: %v", scale, err)
				}
				if ok {
					seen++
				}
			}
			if seen == 0 {
				t.Error("no point has a density")
			}
		})
	}
}

func boundClass(name, path string) (*bind.Model, error) {
	vars, err := simulated(name, path, 1)
	if err != nil {
		return nil, err
	}
	in, err := data.FromGo(vars)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lib := stdlib.New()
	p, err := bindtest.Compile(path, string(text), "models", lib)
	if err != nil {
		return nil, err
	}
	return bind.Bind(p, lib, in, bind.Options{Seed: 1})
}

// classAgrees compares at q, and along v; ok is false where q is rejected.
func classAgrees(m *bind.Model, e infer.Evaluator, q, v []float64) (ok bool, err error) {
	grad := make([]float64, len(q))
	lp, err := e.LogDensityGrad(q, grad)
	plain, plainGrad, plainErr := m.PlainDensity(q, true)
	if (err != nil) != (plainErr != nil) {
		return false, fmt.Errorf("compiled %v, %v; plain %v, %v", lp, err, plain, plainErr)
	}
	if err != nil || math.IsInf(lp, 0) && lp == plain {
		return false, nil
	}
	if !(math.Abs(lp-plain) <= 1e-9*(1+math.Abs(plain))) {
		return false, fmt.Errorf("value %v, plain %v", lp, plain)
	}
	largest, slope := 1.0, 0.0
	for i, g := range plainGrad {
		largest, slope = max(largest, math.Abs(g)), slope+float64(g*v[i])
	}
	for i, g := range grad {
		if !(math.Abs(g-plainGrad[i]) <= 1e-7*largest) {
			return false, fmt.Errorf("gradient[%d] %v, plain %v (largest %g)", i, g, plainGrad[i], largest)
		}
	}
	d1, d2 := along(e, q, v, 1e-4), along(e, q, v, 2e-4)
	if math.Abs(d1-d2) < 1e-6*largest && !(math.Abs(d1-slope) <= 1e-5*largest) {
		return false, fmt.Errorf("slope %v, differences %v and %v", slope, d1, d2)
	}
	return true, nil
}

// along is the derivative at q in direction v, by differences of order 4.
func along(e infer.Evaluator, q, v []float64, h float64) float64 {
	at := func(d float64) float64 {
		p := make([]float64, len(q))
		for i := range p {
			p[i] = q[i] + float64(d*v[i])
		}
		lp, err := e.LogDensity(p)
		if err != nil {
			return math.NaN()
		}
		return lp
	}
	return (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
}
