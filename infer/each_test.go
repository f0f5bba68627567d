package infer_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/nuts"
)

// related is a normal distribution around its data.
type related struct {
	*several
	family *family
}

// family counts how many models were evaluated together.
type family struct {
	mu     sync.Mutex
	passes map[int]int // by the number of models
}

func newRelated(f *family, mean float64) *related {
	m := normals(true)
	m.Model = infertest.FromFunc(2, func(q, grad []float64) (float64, error) {
		lp := 0.0
		for i, x := range q {
			lp -= (x - mean) * (x - mean) / 2
			if grad != nil {
				grad[i] = mean - x
			}
		}
		return lp, nil
	})
	return &related{m, f}
}

func (m *related) NewBatchEvaluator() infer.BatchEvaluator {
	if m.family == nil {
		return nil
	}
	return m.family
}

// LogDensityGrads implements infer.BatchEvaluator.
func (f *family) LogDensityGrads(of []infer.Target, q, grad [][]float64, lp []float64, err []error) {
	f.mu.Lock()
	f.passes[len(of)]++
	f.mu.Unlock()
	for i, t := range of {
		lp[i], err[i] = t.LogDensityGrad(q[i], grad[i])
	}
}

// eachRun runs a method on models with means 0, 1, and so on.
func eachRun(t *testing.T, f *family, jobs, models, chains int) []*infer.Posterior {
	t.Helper()
	o := nuts.DefaultOptions()
	o.MarkovOptions = infer.MarkovOptions{Chains: chains, Warmup: 30, Draws: 20, Thin: 1, Init: infer.Init{Radius: 1}}
	method, err := nuts.New(o)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]*infer.Posterior, models)
	err = infer.Each(context.Background(), jobs, models, func(ctx context.Context, i int) (err error) {
		out[i], err = method.Run(ctx, newRelated(f, float64(i)), infer.Options{Seed: 5, Replicate: uint64(i)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Runs that wait for each other make the draws that they make alone. They do not where they have
// more chains to wait for each other than there are runs in a goroutine.
func TestRunsWaitForEachOther(t *testing.T) {
	for _, c := range []struct{ jobs, models, chains, most int }{
		{1, 7, 1, 4}, {2, 6, 1, 3}, {3, 6, 3, 0}, {1, 6, 3, 4}, {6, 6, 1, 0}, {0, 2, 1, 2}, {1, 1, 2, 0}, {1, 0, 1, 0},
	} {
		f := &family{passes: map[int]int{}}
		together, alone := eachRun(t, f, c.jobs, c.models, c.chains), eachRun(t, nil, max(c.models, 1), c.models, c.chains)
		for i := range together {
			if !reflect.DeepEqual(together[i].Draws, alone[i].Draws) {
				t.Errorf("%+v: other draws from model %d than by itself", c, i)
			}
		}
		most := 0
		for n := range f.passes {
			most = max(most, n)
		}
		if most != c.most {
			t.Errorf("%+v: passes of up to %d models: %v", c, most, f.passes)
		}
	}
}

// Each does all of the work, on runs within runs, too, and ends early with the first error or panic.
func TestEach(t *testing.T) {
	var mu sync.Mutex
	var seen []int
	err := infer.Each(context.Background(), 2, 5, func(ctx context.Context, i int) error {
		return infer.Each(ctx, 1, 3, func(_ context.Context, k int) error {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, 3*i+k)
			return nil
		})
	})
	slices.Sort(seen)
	if err != nil || !slices.Equal(seen, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}) {
		t.Errorf("%v, error %v", seen, err)
	}
	broken := errors.New("no")
	calls := 0
	if err := infer.Each(context.Background(), 1, 9, func(_ context.Context, i int) error {
		if calls++; i == 2 {
			return broken
		}
		return nil
	}); err != broken || calls != 3 {
		t.Errorf("error %v after %d calls", err, calls)
	}
	var bug *infer.PanicError
	if err := infer.Each(context.Background(), 1, 2, func(context.Context, int) error { panic("out of range") }); !errors.As(err, &bug) {
		t.Errorf("error %v", err)
	}
}
