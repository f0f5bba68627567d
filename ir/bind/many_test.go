// Several points at once against the same points alone, to the last bit: random programs
// and those of the corpus, with rejections and guards among them.

package bind_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// manyEqualOne compares evaluations at a number of points.
func manyEqualOne(m infer.Model, r *rand.Rand) error {
	const n = 11
	several, alone := m.NewEvaluator(), m.NewEvaluator()
	bind.CompileLanesAtOnce(several)
	q, grad, want := make([][]float64, n), make([][]float64, n), make([]float64, m.Dim())
	for i := range q {
		q[i], grad[i] = make([]float64, m.Dim()), make([]float64, m.Dim())
		for k := range q[i] {
			q[i][k] = 2 * r.NormFloat64()
		}
	}
	lp, errs := make([]float64, n), make([]error, n)
	for range 2 { // the first recording is made at a single point
		infer.Gradients(several, q, grad, lp, errs)
	}
	for i := range q {
		x, err := alone.LogDensityGrad(q[i], want)
		if !sameFailure(err, errs[i]) || err == nil && !close64(x, lp[i], 0) {
			return fmt.Errorf("at %v: %v, %v among others; %v, %v alone", q[i], lp[i], errs[i], x, err)
		}
		for k := range want {
			if err == nil && !close64(want[k], grad[i][k], 0) {
				return fmt.Errorf("at %v: entry %d of the gradient is %v among others, %v alone", q[i], k, grad[i][k], want[k])
			}
		}
	}
	for range 2 {
		infer.Densities(several, q, lp, errs)
	}
	for i := range q {
		x, err := alone.LogDensity(q[i])
		if !sameFailure(err, errs[i]) || err == nil && !close64(x, lp[i], 0) {
			return fmt.Errorf("at %v: value %v, %v among others; %v, %v alone", q[i], lp[i], errs[i], x, err)
		}
	}
	return nil
}

func TestManyEqualOneOnRandomPrograms(t *testing.T) {
	lib := stdlib.New()
	for seed := range uint64(seeds) {
		text := randomProgram(seed)
		p, err := bindtest.Compile("random.stan", text, "", lib)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(seed, 79))
		in, err := randomData(p, lib, r)
		if err != nil {
			t.Fatal(err)
		}
		m, err := bind.Bind(p, lib, in, bind.Options{Seed: seed, LeastIterations: int(seed % 3)}) // loops kept or not
		if err != nil {
			continue // a size that does not fit
		}
		if err := errors.Join(manyEqualOne(m, r), manyEqualOne(m.Joint(), r)); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
		}
	}
}
