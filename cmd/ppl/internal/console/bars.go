//go:build !(js || wasip1)

package console

// This file draws bars on a terminal.

import (
	"cmp"
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// maxBars is how many chains have a bar each; more chains share one.
const maxBars = 16

// watchBars is an observer of a run that draws bars until end is called.
func (c *Console) watchBars(stage func(infer.ProgressReport) string, chains bool) (o infer.Observer, end func()) {
	b := &bars{console: c, stage: stage, apart: chains}
	return b, b.end
}

// bars is an observer that shows a run on a terminal. Its steps are only written down;
// the picture is made from them at its own pace.
type bars struct {
	infer.Ignore
	console *Console
	stage   func(infer.ProgressReport) string
	apart   bool // a bar for each chain

	mu    sync.Mutex // of what follows; never held in calls of mpb, which come back for it
	plan  draws.Plan
	began time.Time
	now   infer.ProgressReport
	at    []time.Time // of the first step that each chain made in its phase: chains wait for others between warm-up and draws
	from  []float64   // fraction at that step: a resumed chain does not start at 0

	pool *mpb.Progress // nil while there are no bars
	all  []*mpb.Bar
}

// Begin implements infer.Observer.
func (b *bars) Begin(plan draws.Plan) error {
	b.end() // a method may run another one after the first
	b.reset(plan)
	b.pool = mpb.New(mpb.WithOutput(b.console.w), mpb.WithRefreshRate(ProgressEvery), mpb.WithAutoRefresh())
	if !b.apart || plan.Chains > maxBars {
		b.all = []*mpb.Bar{b.bar(b.whole)}
	} else {
		for i := range plan.Chains {
			b.all = append(b.all, b.bar(func() (string, remark, float64) { return b.chain(i) }))
		}
	}
	b.console.showBars(b.pool)
	return nil
}

func (b *bars) reset(plan draws.Plan) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := plan.Chains
	b.plan, b.began = plan, time.Now()
	b.at, b.from = make([]time.Time, n), make([]float64, n)
	b.now = infer.ProgressReport{Chains: make([]infer.Step, n)}
	for i := range n {
		b.now.Chains[i] = infer.Step{Chain: i, Total: plan.Warmup + plan.Draws*max(1, plan.Thin), Warmup: plan.Warmup > 0}
	}
}

// barTotal is the length of a bar in units of its own.
const barTotal = 1000

// leastBar is the width that is kept for a bar on a narrow terminal, spaces included.
const leastBar = 12

// A barText is what stands left and right of a bar, and the fraction that is done.
type barText func() (left string, right remark, done float64)

// bar adds a bar with text on either side, which is asked for when the bar is drawn.
func (b *bars) bar(text barText) *mpb.Bar {
	locked := func() (string, remark, float64) {
		b.mu.Lock()
		defer b.mu.Unlock()
		return text()
	}
	style := mpb.BarStyle().Lbound("").Rbound("").Filler("█").Tip("█").Padding("░")
	filler := func(f mpb.BarFiller) mpb.BarFiller { return drawn{f, locked} }
	return b.pool.New(barTotal, style, mpb.BarWidth(24), mpb.BarFillerMiddleware(filler),
		mpb.PrependDecorators(decor.Any(func(decor.Statistics) string { left, _, _ := locked(); return left }, decor.WCSyncSpaceR)),
		mpb.AppendDecorators(decor.Any(func(s decor.Statistics) string {
			_, right, _ := locked()
			return " " + right.within(s.AvailableWidth-leastBar)
		})),
	)
}

// Step implements infer.Observer.
func (b *bars) Step(s infer.Step) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.at[s.Chain].IsZero() || b.now.Chains[s.Chain].Warmup && !s.Warmup {
		b.at[s.Chain], b.from[s.Chain] = time.Now(), float64(s.Done)/float64(max(1, s.Total))
	}
	b.now.Chains[s.Chain] = s
}

// end takes the bars away. The run is over, or has not begun.
func (b *bars) end() {
	if b.pool == nil {
		return
	}
	for _, bar := range b.all {
		bar.Abort(true)
	}
	b.pool.Wait()
	b.console.showBars(nil)
	b.pool, b.all = nil, nil
}

// chain is the text of one chain's bar.
func (b *bars) chain(i int) (left string, right remark, done float64) {
	s := b.now.Chains[i]
	left = fmt.Sprintf("chain %d", i+1)
	if b.at[i].IsZero() {
		return left, remark{at: "waiting"}, 0
	}
	done = float64(s.Done) / float64(max(1, s.Total))
	right.at = b.count(s)
	if s.StepSize > 0 {
		right.step = fmt.Sprintf(", step size %.3g", s.StepSize)
	}
	if s.Divergences > 0 {
		right.divergences = ", " + Plural(s.Divergences, "divergence")
	}
	if !s.Warmup || s.Done < cmp.Or(s.WarmupTotal, b.plan.Warmup) { // not where it waits for the others
		right.left = TimeLeft(time.Since(b.at[i]), (done-b.from[i])/(1-b.from[i]))
	}
	return left, right, done
}

// count reports how many draws a chain has.
func (b *bars) count(s infer.Step) string {
	if s.Warmup {
		return fmt.Sprintf("warm-up %d/%d", s.Done, cmp.Or(s.WarmupTotal, b.plan.Warmup))
	}
	thin := max(1, b.plan.Thin)
	return fmt.Sprintf("draws %d/%d", (s.Done-s.WarmupTotal)/thin, (s.Total-s.WarmupTotal)/thin)
}

// whole is the text of the bar that stands for all chains.
func (b *bars) whole() (left string, right remark, done float64) {
	done = b.now.Fraction()
	return b.stage(b.now), remark{at: fmt.Sprintf("%3.0f%%", done*100), left: TimeLeft(time.Since(b.began), done)}, done
}

// A remark is the text right of a bar.
type remark struct{ at, step, divergences, left string }

// within is as much of the remark as has room.
func (r remark) within(width int) string {
	text := func() string { return r.at + r.step + r.divergences + r.left }
	for _, part := range []*string{&r.step, &r.left, &r.divergences} {
		if utf8.RuneCountInString(text()) <= width {
			break
		}
		*part = ""
	}
	return text()
}

// drawn is a bar whose length is asked for when it is drawn.
type drawn struct {
	mpb.BarFiller
	text barText
}

// Fill implements mpb.BarFiller.
func (d drawn) Fill(w io.Writer, s decor.Statistics) error {
	_, _, done := d.text()
	s.Current = int64(done * barTotal)
	return d.BarFiller.Fill(w, s)
}
