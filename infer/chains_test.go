package infer_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

var _ infer.Observer = (*draws.CSVWriter)(nil)

// walk is the smallest Markov method: it adds a standard normal to every
// coordinate, whatever the target says, and counts what the tuner is told.
type walk struct {
	infer.MarkovOptions
	fail func(step int) error
	seen *[]string
}

func (walk) Name() string { return "walk" }
func (w walk) Run(ctx context.Context, m infer.Model, o infer.Options) (*infer.Posterior, error) {
	return infer.RunMarkov(ctx, m, w, o)
}
func (w walk) Chains() infer.MarkovOptions { return w.MarkovOptions }
func (walk) Stats() []string               { return []string{"steps__"} }
func (walk) Config() []draws.Entry         { return nil }
func (w walk) NewKernel(t infer.Target, warmup int) (infer.Kernel, infer.Tuner, error) {
	k := &walkKernel{target: t, fail: w.fail}
	return k, &walkTuner{k: k, seen: w.seen}, nil
}

type walkKernel struct {
	target infer.Target
	fail   func(step int) error
	steps  int
}

func (k *walkKernel) Start(s *infer.State) (err error) {
	s.LogDensity, err = k.target.LogDensity(s.Q)
	return err
}

func (k *walkKernel) Step(r *rand.Rand, s *infer.State, info *infer.Info) error {
	k.steps++
	if k.fail != nil {
		if err := k.fail(k.steps); err != nil {
			return err
		}
	}
	for i := range s.Q {
		s.Q[i] += r.NormFloat64()
	}
	info.AcceptStat, info.Divergence = 1, nil
	info.Stats[0] = float64(k.steps)
	return nil
}

type walkTuner struct {
	k    *walkKernel
	seen *[]string
}

func (t *walkTuner) note(format string, args ...any) {
	if t.seen != nil {
		*t.seen = append(*t.seen, fmt.Sprintf(format, args...))
	}
}
func (t *walkTuner) Begin(*rand.Rand, *infer.State) error { t.note("begin"); return nil }
func (t *walkTuner) Update(_ *rand.Rand, i int, _ *infer.State, _ *infer.Info) error {
	t.note("update %d after step %d", i, t.k.steps)
	return nil
}
func (t *walkTuner) End() error { t.note("end"); return nil }
func (t *walkTuner) Adaptation() draws.Adaptation {
	return draws.Adaptation{StepSize: float64(t.k.steps)}
}
func (t *walkTuner) Adopt(draws.Adaptation) error { return nil }

func flat(n int) *infertest.Model {
	return infertest.FromFunc(n, func(_, _ []float64) (float64, error) { return 0, nil })
}

func small() infer.MarkovOptions {
	return infer.MarkovOptions{Chains: 2, Warmup: 2, Draws: 3, Thin: 2}
}

func TestTunerIsDrivenDuringWarmupOnly(t *testing.T) {
	var seen []string
	o := small()
	o.Chains = 1
	if _, err := (walk{MarkovOptions: o, seen: &seen}).Run(context.Background(), flat(1), infer.Options{}); err != nil {
		t.Fatal(err)
	}
	want := []string{"begin", "update 0 after step 1", "update 1 after step 2", "end"}
	if !slices.Equal(seen, want) {
		t.Errorf("calls %q, want %q", seen, want)
	}
}

// events writes down all calls of one chain.
type events struct {
	mu   sync.Mutex
	list map[int][]string
	plan draws.Plan
}

func (e *events) add(chain int, format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list[chain] = append(e.list[chain], fmt.Sprintf(format, args...))
}
func (e *events) Begin(p draws.Plan) error { e.plan, e.list = p, map[int][]string{}; return nil }
func (e *events) Step(s infer.Step) {
	e.add(s.Chain, "step %d of %d, warm-up %v", s.Done, s.Total, s.Warmup)
}
func (e *events) Draw(r draws.Row) error {
	e.add(r.Chain, "draw %d, warm-up %v, step %g", r.Iteration, r.Warmup, r.Stats[0])
	return nil
}
func (e *events) Adapted(c int, a draws.Adaptation) error {
	e.add(c, "adapted %g", a.StepSize)
	return nil
}
func (e *events) End(c int, x draws.ChainEnd) error {
	e.add(c, "end, incomplete %v", x.Incomplete)
	return nil
}

func TestObserverSeesAChainInOrder(t *testing.T) {
	e := &events{}
	p, err := walk{MarkovOptions: small()}.Run(context.Background(), flat(1), infer.Options{
		Jobs: 2, SaveWarmup: true, KeepUnconstrained: true, Observer: infer.Observers{e, infer.Ignore{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"step 1 of 8, warm-up true", "draw 0, warm-up true, step 1", "step 2 of 8, warm-up true", "adapted 2",
		"step 3 of 8, warm-up false", "step 4 of 8, warm-up false", "draw 0, warm-up false, step 4",
		"step 5 of 8, warm-up false", "step 6 of 8, warm-up false", "draw 1, warm-up false, step 6",
		"step 7 of 8, warm-up false", "step 8 of 8, warm-up false", "draw 2, warm-up false, step 8",
		"end, incomplete false",
	}
	for c := range 2 {
		if !slices.Equal(e.list[c], want) {
			t.Errorf("chain %d:\n%s\nwant\n%s", c, strings.Join(e.list[c], "\n"), strings.Join(want, "\n"))
		}
		if p.Draws.Len(c) != 3 || len(p.Unconstrained[c]) != 3 || !slices.Equal(p.Last(c), p.Draws.Row(c, 2)[2:]) {
			t.Errorf("chain %d: %d draws, last %v and %v", c, p.Draws.Len(c), p.Last(c), p.Draws.Row(c, 2))
		}
	}
	if !reflect.DeepEqual(e.plan, p.Plan) || e.plan.Stats[0] != "steps__" || e.plan.Columns[0] != "q.1" {
		t.Errorf("plan %+v", e.plan)
	}
}

func TestObserverErrorStopsTheRun(t *testing.T) {
	full := errors.New("disk full")
	_, err := walk{MarkovOptions: small()}.Run(context.Background(), flat(1), infer.Options{Observer: infer.Observers{drawFails{err: full}, &events{list: map[int][]string{}}}})
	if !errors.Is(err, full) || !strings.Contains(err.Error(), "chain 1, sampling iteration 2") {
		t.Errorf("error %v", err)
	}
}

type drawFails struct {
	infer.Ignore
	err error
}

func (d drawFails) Draw(draws.Row) error { return d.err }

func TestPanicIsABugReport(t *testing.T) {
	o := small()
	_, err := walk{MarkovOptions: o, fail: func(step int) error {
		if step == 3 {
			panic("index out of range")
		}
		return nil
	}}.Run(context.Background(), flat(1), infer.Options{Jobs: 2})
	var bug *infer.PanicError
	if !errors.As(err, &bug) || bug.Value != "index out of range" || !strings.Contains(string(bug.Stack), "walkKernel") {
		t.Errorf("error %v", err)
	}
}

func TestRowWithoutQuantitiesIsKept(t *testing.T) {
	m := flat(1)
	m.Names = []string{"a", "b"}
	m.Writer = func(q []float64, _ *rand.Rand, out []float64) error {
		out[0] = q[0]
		return infer.Reject("y: rate is negative")
	}
	p, err := walk{MarkovOptions: small()}.Run(context.Background(), m, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	row := p.Draws.Row(0, 0)
	if math.IsNaN(row[2]) || !math.IsNaN(row[3]) {
		t.Errorf("row %v", row)
	}
	if c := p.Chains[1]; c.QuantityErrors != 3 || c.QuantityError.Error() != "y: rate is negative" {
		t.Errorf("report %+v", c)
	}
	m.Writer = func([]float64, *rand.Rand, []float64) error { return errors.New("line 3: stop") }
	if _, err := (walk{MarkovOptions: small()}).Run(context.Background(), m, infer.Options{}); err == nil || !strings.Contains(err.Error(), "line 3: stop") {
		t.Errorf("error %v", err)
	}
}

// The clock of the bubble moves on in the steps of chains only.
func TestDeadlineMarksIncomplete(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := small()
		o.Draws = 1 << 30
		e := &events{}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		slow := func(int) error { time.Sleep(time.Millisecond); return nil }
		p, err := walk{MarkovOptions: o, fail: slow}.Run(ctx, flat(1), infer.Options{Jobs: 1, Observer: e})
		if err != nil {
			t.Fatal(err)
		}
		if !p.Incomplete || !errors.Is(p.Cause, context.DeadlineExceeded) || !p.Chains[1].End.Incomplete {
			t.Errorf("incomplete %v, cause %v", p.Incomplete, p.Cause)
		}
		if last := e.list[0][len(e.list[0])-1]; last != "end, incomplete true" {
			t.Errorf("last event %q", last)
		}
	})
}

func TestMarkovOptionsAreChecked(t *testing.T) {
	for _, o := range []infer.MarkovOptions{
		{Chains: 0}, {Chains: 1, Warmup: -1}, {Chains: 1, Draws: -1},
		{Chains: 1, Init: infer.Init{Radius: -1}}, {Chains: 1, Init: infer.Init{Radius: math.Inf(1)}},
		{Chains: 3, Init: infer.Init{Points: [][]float64{{1}, {2}}}}, {Chains: 1, Init: infer.Init{Points: [][]float64{{1, 2}}}},
	} {
		if _, err := (walk{MarkovOptions: o}).Run(context.Background(), flat(1), infer.Options{}); err == nil {
			t.Errorf("accepted %+v", o)
		}
	}
}

func TestProgressIsLimitedByTime(t *testing.T) {
	o := small()
	o.Draws = 2000
	calls, last := 0, infer.ProgressReport{}
	p := infer.NewProgress(time.Hour, func(r infer.ProgressReport) {
		calls++
		last.Chains = slices.Clone(r.Chains)
	})
	if _, err := (walk{MarkovOptions: o}).Run(context.Background(), flat(1), infer.Options{Jobs: 2, Observer: p}); err != nil {
		t.Fatal(err)
	}
	if calls != 2 || last.Fraction() != 1 {
		t.Errorf("%d reports for 2 chains within the interval, the last at %g", calls, last.Fraction())
	}
}

type shouter struct{ infer.Target }

func (s shouter) Unwrap() infer.Target { return s.Target }

type counter interface{ Count() int }

type countingTarget struct{ infer.Target }

func (countingTarget) Count() int { return 7 }

func TestCapabilityLooksThroughWrappers(t *testing.T) {
	inner := countingTarget{flat(1).NewEvaluator()}
	if c, ok := infer.Capability[counter](shouter{shouter{inner}}); !ok || c.Count() != 7 {
		t.Error("capability not found")
	}
	if _, ok := infer.Capability[counter](shouter{flat(1).NewEvaluator()}); ok {
		t.Error("found a capability that is not there")
	}
}

func TestIsReject(t *testing.T) {
	if !infer.IsReject(infer.Reject("x")) || !infer.IsReject(fmt.Errorf("line 3: %w", infer.Reject("x"))) {
		t.Error("a rejection is not recognised")
	}
	if infer.IsReject(nil) || infer.IsReject(errors.New("x")) || infer.IsReject(&infer.InitError{Last: infer.Reject("x")}) {
		t.Error("recognised as a rejection what is none")
	}
}

// TestLeft: a run that ends while an evaluation of it does not has the draws before, and what comes of the
// evaluation later changes nothing of it.
func TestLeft(t *testing.T) {
	for _, at := range []int{0, 25, 60} { // in the start, warm-up, sampling
		for _, chains := range []int{1, 3} {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				release := make(chan struct{})
				w := walk{MarkovOptions: infer.MarkovOptions{Chains: chains, Warmup: 40, Draws: 100}}
				w.fail = func(step int) error {
					if step == at {
						cancel()
						<-release
					}
					return nil
				}
				m := infertest.FromFunc(2, func(_, _ []float64) (float64, error) {
					if at == 0 {
						return 0, w.fail(0)
					}
					return 0, nil
				})
				post, err := w.Run(ctx, m, infer.Options{Seed: 1, Jobs: 1, Leave: true})
				if err != nil || !post.Incomplete {
					t.Fatalf("incomplete: %v, error: %v", post.Incomplete, err)
				}
				if want := max(at-41, 0); post.Draws.Len(0) != want {
					t.Errorf("stuck at step %d: %d draws, want %d", at, post.Draws.Len(0), want)
				}
				before := fmt.Sprintf("%+v", post.Chains)
				close(release)
				synctest.Wait()
				if after := fmt.Sprintf("%+v", post.Chains); after != before || post.Draws.Len(0) != max(at-41, 0) {
					t.Errorf("a chain that was left changes the run from\n%s to\n%s", before, after)
				}
			})
		}
	}
}
