package bind_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
)

func TestSmoke(t *testing.T) {
	shared := os.Getenv("PPL_SHARED")
	if shared == "" {
		shared = "../../../shared"
	}
	dirs, _ := filepath.Glob(shared + "/posteriors/*/data.json")
	for _, d := range dirs {
		name := filepath.Base(filepath.Dir(d))
		start := time.Now()
		m, err := bindtest.Model("../../examples/posteriors/"+name+".stan", d)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		bound := time.Since(start)
		e := m.NewEvaluator()
		r := rand.New(rand.NewPCG(1, 2))
		q := make([]float64, m.Dim())
		for i := range q {
			q[i] = r.Float64() - 0.5
		}
		grad := make([]float64, m.Dim())
		lp, err := e.LogDensityGrad(q, grad)
		ready := time.Since(start)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		plp, pgrad, err := m.PlainDensity(q, true)
		worst := 0.0
		for i := range grad {
			worst = math.Max(worst, math.Abs(grad[i]-pgrad[i])/(1+math.Abs(pgrad[i])))
		}
		n := 0
		t0 := time.Now()
		for time.Since(t0) < 100*time.Millisecond {
			e.LogDensityGrad(q, grad)
			n++
		}
		per := time.Since(t0) / time.Duration(n)
		al := testing.AllocsPerRun(3, func() { e.LogDensityGrad(q, grad) })
		fmt.Printf("%-50s dim %4d bind %v ready %v lp %.6f plain diff %.2g grad %.2g  %v/gradient %v allocs %v\n", name, m.Dim(), bound, ready, lp, plp-lp, worst, per, al, err)
		out := make([]float64, len(m.Columns()))
		if err := e.Write(q, r, out); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
