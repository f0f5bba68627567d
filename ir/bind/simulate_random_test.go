// Random programs as simulators: whatever they are, simulating ends with a data set or
// a reason; and what was simulated has a density that the rebound model agrees on.

package bind_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/stdlib"
)

func FuzzSimulate(f *testing.F) {
	for s := range uint64(seeds) {
		f.Add(s)
	}
	lib := stdlib.New()
	f.Fuzz(func(t *testing.T, seed uint64) {
		text := randomProgram(seed)
		if err := simulateRandom(seed, text, lib); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
		}
	})
}

func simulateRandom(seed uint64, text string, lib *stdlib.Library) error {
	p, err := bindtest.Compile("random.stan", text, "", lib)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(seed, 78))
	in, err := randomData(p, lib, r)
	if err != nil {
		return err
	}
	m, err := bind.Bind(p, lib, in, bind.Options{Seed: seed})
	if err != nil {
		return nil // a size that does not fit
	}
	q := make([]float64, m.Dim())
	if err := m.NewEvaluator().(infer.PriorSampler).DrawPrior(r, q); !explainedError(err) {
		return fmt.Errorf("a draw from the prior: %w", err)
	}
	s, err := m.Simulate(r)
	if err != nil {
		if !explainedError(err) {
			return fmt.Errorf("a simulation: %w", err)
		}
		return nil
	}
	other, err := m.Rebind(s.Observations)
	if err != nil {
		return err
	}
	lp, _, err := other.PlainDensity(s.Point, true)
	if err != nil {
		if infer.IsReject(err) || errors.As(err, new(*eval.Error)) {
			return nil
		}
		return err
	}
	got, err := other.NewEvaluator().LogDensity(s.Point)
	if err != nil || math.Abs(got-lp) > 1e-8*(1+math.Abs(lp)) && !(math.IsInf(got, 0) || math.IsNaN(got)) {
		return fmt.Errorf("the rebound model has log density %v (%v), the reference interpreter says %v", got, err, lp)
	}
	return nil
}

// explainedError reports whether an error is none, a reason against simulating, or a failure
// of the program with a place.
func explainedError(err error) bool {
	return err == nil || errors.As(err, new(*graph.NotGenerative)) || errors.As(err, new(*infer.MissingError)) || errors.As(err, new(*eval.Error))
}
