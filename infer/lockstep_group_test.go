package infer_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/nuts"
)

// several is a model whose evaluators take several points in one pass. It counts how many
// points there were in each.
type several struct {
	*infertest.Model
	pays func(n int) bool
	pass func() error // may fail or panic

	mu     sync.Mutex
	points map[int]int // passes by the number of their points
}

func (m *several) NewEvaluator() infer.Evaluator {
	return &severalEvaluator{Evaluator: m.Model.NewEvaluator(), model: m}
}

type severalEvaluator struct {
	infer.Evaluator
	model *several
}

func (e *severalEvaluator) PrefersBatch(n int) bool { return e.model.pays(n) }

func (e *severalEvaluator) LogDensityMany(q [][]float64, lp []float64, err []error) {
	for i := range q {
		lp[i], err[i] = e.LogDensity(q[i])
	}
}

func (e *severalEvaluator) LogDensityGradMany(q, grad [][]float64, lp []float64, err []error) {
	e.model.mu.Lock()
	e.model.points[len(q)]++
	e.model.mu.Unlock()
	if e.model.pass != nil {
		if fail := e.model.pass(); fail != nil {
			err[0] = fail
			return
		}
	}
	for i := range q {
		lp[i], err[i] = e.LogDensityGrad(q[i], grad[i])
	}
}

// normals is a normal distribution of which too small coordinates are rejected.
func normals(pays bool) *several {
	return &several{
		Model: infertest.FromFunc(3, func(q, grad []float64) (float64, error) {
			if q[0] < -1.5 {
				return 0, infer.Reject("too small")
			}
			lp := 0.0
			for i, x := range q {
				lp -= x * x / 2
				if grad != nil {
					grad[i] = -x
				}
			}
			return lp, nil
		}),
		pays:   func(n int) bool { return pays && n > 1 },
		points: map[int]int{},
	}
}

// lockstepRun runs six short chains in one goroutine or several.
func lockstepRun(ctx context.Context, t *testing.T, m infer.Model, jobs int) (*infer.Posterior, error) {
	t.Helper()
	o := nuts.DefaultOptions()
	o.MarkovOptions = infer.MarkovOptions{Chains: 6, Warmup: 40, Draws: 40, Thin: 1, Init: infer.Init{Radius: 1}}
	method, err := nuts.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return method.Run(ctx, m, infer.Options{Seed: 5, Jobs: jobs})
}

// Chains that wait for each other make the draws that they make alone.
func TestChainsWaitForEachOther(t *testing.T) {
	alone, err := lockstepRun(context.Background(), t, normals(false), 6)
	if err != nil {
		t.Fatal(err)
	}
	for jobs, most := range map[int]int{1: 4, 2: 3, 3: 2, 6: 0} {
		m := normals(true)
		p, err := lockstepRun(context.Background(), t, m, jobs)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(p.Draws, alone.Draws) {
			t.Errorf("%d goroutines: other draws than of chains by themselves", jobs)
		}
		sizes := 0
		for n := range m.points {
			sizes = max(sizes, n)
		}
		if sizes != most {
			t.Errorf("%d goroutines: passes of up to %d points, want %d: %v", jobs, sizes, most, m.points)
		}
	}
}

// Chains that wait for each other share the time that passes: by the clock of the bubble, a
// millisecond in each pass and in nothing else.
func TestWaitingChainsShareTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, passes := normals(true), 0
		m.pass = func() error { passes++; time.Sleep(time.Millisecond); return nil }
		p, err := lockstepRun(t.Context(), t, m, 1)
		if err != nil {
			t.Fatal(err)
		}
		sum := time.Duration(0)
		for _, c := range p.Chains {
			if c.End.WarmupTime <= 0 {
				t.Errorf("a chain took no time: %+v", c.End)
			}
			sum += c.End.WarmupTime + c.End.SamplingTime
		}
		if want := time.Duration(passes) * time.Millisecond; sum > want || sum < want*99/100 {
			t.Errorf("chains took %v in %v", sum, want)
		}
	})
}

// An error, a panic and the end of the context reach all chains that wait.
func TestWaitingChainsEnd(t *testing.T) {
	broken := errors.New("line 3: stop")
	m := normals(true)
	m.pass = func() error { return broken }
	if _, err := lockstepRun(context.Background(), t, m, 1); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	m = normals(true)
	m.pass = func() error { panic("index out of range") }
	var bug *infer.PanicError
	if _, err := lockstepRun(context.Background(), t, m, 1); !errors.As(err, &bug) || !strings.Contains(string(bug.Stack), "LogDensityGradMany") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	m = normals(true)
	m.pass = func() error { cancel(); return nil }
	p, err := lockstepRun(ctx, t, m, 1)
	if err != nil || !p.Incomplete {
		t.Errorf("incomplete %v, error %v", p.Incomplete, err)
	}
}
