package journal_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/journal"
	"github.com/seed-12b88e03/ppl/infer/nuts"
)

// precise is a method whose run ends by itself.
func precise(t *testing.T, ess float64, starts ...[]float64) infer.Method {
	t.Helper()
	o := nuts.DefaultOptions()
	o.Chains, o.Warmup, o.Settle = 4, infer.MostSettling, true
	o.Draws, o.Precision = 2000, &infer.Precision{ESS: ess, RHat: 1.01}
	o.Metric, o.Init.Points = draws.MetricLowRank, starts
	m, err := nuts.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A run that ends by itself has the same draws on any number of goroutines, and when it is cut
// anywhere, at and around the stops too, and goes on.
func TestStagesAreResumed(t *testing.T) {
	m := precise(t, 600)
	want := infertest.Fit(t, m, model, infer.Options{Seed: 3})
	if s := want.Stopping; s == nil || !s.Reached || want.Plan.Draws == 2000 || want.Plan.Warmup == infer.MostSettling {
		t.Fatalf("the run ended at %d draws after %d of warm-up: %+v", want.Plan.Draws, want.Plan.Warmup, s)
	}
	for _, name := range append([]string{draws.LogDensityColumn}, want.Draws.Columns()...) {
		if ess := draws.ESSBulk(want.Draws.Column(name)); ess < 600 {
			t.Errorf("the bulk of %s has an effective sample size of %g", name, ess)
		}
	}
	for _, jobs := range []int{2, 3, 8} {
		if got := infertest.Fit(t, m, model, infer.Options{Seed: 3, Jobs: jobs}); !infertest.SameDraws(want, got) {
			t.Errorf("%d goroutines give other draws", jobs)
		}
	}
	elsewhere := &infertest.Elsewhere{Method: m, Model: model, Options: infer.Options{Seed: 3, SaveWarmup: true}}
	o := elsewhere.Options
	o.Relay = elsewhere
	infertest.SameRun(t, "chains that move elsewhere", infertest.Fit(t, m, model, o), want)
	if stops := len(want.Stopping.Stops); elsewhere.Passes < stops+2 {
		t.Errorf("%d passes, and there are %d stops and two of warm-up or more", elsewhere.Passes, stops)
	}
	for _, at := range []int{1, 40, 74, 75, 76, 150, 224, 225, 226, 300, 374, 375, 376, 500} {
		for _, chain := range []int{0, 2} {
			t.Run(fmt.Sprint(at, chain), func(t *testing.T) {
				dir := t.TempDir()
				ctx, stop := context.WithCancel(context.Background())
				every := []time.Duration{0, time.Hour}[at%2] // all checkpoints are written, or those that chains end with
				o := infer.Options{Seed: 3, Jobs: 2, Observer: infer.WithJournal(infertest.CutAt{Chain: chain, At: at, Stop: stop}, journal.New(disk.Disk{}, dir, every))}
				if _, err := m.Run(ctx, model, o); err != nil {
					t.Fatal(err)
				}
				o.Observer = infer.WithJournal(infer.Ignore{}, journal.New(disk.Disk{}, dir, 0))
				got, err := m.Run(context.Background(), model, o)
				if err != nil || !infertest.SameDraws(want, got) || !slices.Equal(want.Stopping.Stops, got.Stopping.Stops) {
					t.Errorf("the resumed run has other draws: %v", err)
				}
			})
		}
	}
}

// A finished run that is resumed stays as it is, and one asked for more precision goes on.
func TestPrecisionIsRaised(t *testing.T) {
	dir := t.TempDir()
	run := func(ess float64) *infer.Posterior {
		p, err := precise(t, ess).Run(context.Background(), model, infer.Options{
			Seed: 5, Observer: infer.WithJournal(infer.Ignore{}, journal.New(disk.Disk{}, dir, 0)),
		})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	first := run(200)
	if again := run(200); !infertest.SameDraws(first, again) {
		t.Error("a finished run has changed")
	}
	more := run(1500)
	if more.Plan.Draws <= first.Plan.Draws || !more.Stopping.Reached {
		t.Errorf("%d draws became %d", first.Plan.Draws, more.Plan.Draws)
	}
	for c := range first.Draws.Chains() {
		for i := range first.Draws.Len(c) {
			if !slices.Equal(first.Draws.Row(c, i), more.Draws.Row(c, i)) {
				t.Fatalf("draw %d of chain %d is another one", i, c)
			}
		}
	}
}

// minor is a target with a mode of mass exp(-200) beside the one that counts.
type minor struct{}

func (minor) Dim() int                        { return 1 }
func (minor) Columns() []string               { return []string{"x"} }
func (m minor) NewEvaluator() infer.Evaluator { return m }

func (minor) parts(x float64) (major, other float64) {
	return -x * x / 2 / 0.01, -200 - float64((x-4)*(x-4))/2/0.01
}

func (m minor) LogDensity(q []float64) (float64, error) {
	a, b := m.parts(q[0])
	return max(a, b) + math.Log1p(math.Exp(-math.Abs(a-b))), nil
}

func (m minor) LogDensityGrad(q, grad []float64) (float64, error) {
	a, b := m.parts(q[0])
	share := 1 / (1 + math.Exp(b-a))
	grad[0] = -float64(share*q[0])/0.01 - float64((1-share)*(q[0]-4))/0.01
	return m.LogDensity(q)
}

func (minor) Write(q []float64, _ *rand.Rand, out []float64) error {
	out[0] = q[0]
	return nil
}

// Chains in a mode without mass go on from where others are, also when the run is cut there.
func TestLostChainsAreReplaced(t *testing.T) {
	m := precise(t, 400, []float64{0.1}, []float64{4.1}, []float64{-0.2}, []float64{3.9})
	want, err := m.Run(context.Background(), minor{}, infer.Options{Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	replaced := 0
	for c, r := range want.Chains {
		if r.ReplacedAt > 0 {
			replaced++
		}
		if mean := draws.Mean([][]float64{want.Draws.Column("x")[c]}); math.Abs(mean) > 0.05 {
			t.Errorf("chain %d has the mean %g", c, mean)
		}
	}
	if replaced == 0 || !want.Stopping.Reached {
		t.Fatalf("%d chains were replaced, %+v", replaced, want.Stopping)
	}
	elsewhere := &infertest.Elsewhere{Method: m, Model: minor{}, Options: infer.Options{Seed: 4}}
	relayed := infertest.Fit(t, m, minor{}, infer.Options{Seed: 4, Relay: elsewhere})
	infertest.SameRun(t, "chains that move elsewhere", relayed, want)
	for c := range want.Chains {
		if relayed.Chains[c].ReplacedAt != want.Chains[c].ReplacedAt {
			t.Errorf("elsewhere, chain %d was replaced at %d, not %d", c, relayed.Chains[c].ReplacedAt, want.Chains[c].ReplacedAt)
		}
	}
	for _, at := range []int{74, 75, 76, 100, 225, 300} {
		for chain := range 4 {
			dir := t.TempDir()
			ctx, stop := context.WithCancel(context.Background())
			o := infer.Options{Seed: 4, Observer: infer.WithJournal(infertest.CutAt{Chain: chain, At: at, Stop: stop}, journal.New(disk.Disk{}, dir, 0))}
			if _, err := m.Run(ctx, minor{}, o); err != nil {
				t.Fatal(err)
			}
			o.Observer = infer.WithJournal(infer.Ignore{}, journal.New(disk.Disk{}, dir, 0))
			got, err := m.Run(context.Background(), minor{}, o)
			if err != nil || !infertest.SameDraws(want, got) {
				t.Errorf("cut at step %d of chain %d, the run has other draws: %v", at, chain, err)
				continue
			}
			for c := range got.Chains {
				if got.Chains[c].ReplacedAt != want.Chains[c].ReplacedAt {
					t.Errorf("cut at step %d of chain %d: chain %d was replaced at %d, not %d", at, chain, c, got.Chains[c].ReplacedAt, want.Chains[c].ReplacedAt)
				}
			}
		}
	}
}
