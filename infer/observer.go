// This file defines observers, and the two that every run can use: a fan-out
// and a progress report limited by time.

package infer

import (
	"errors"
	"sync"
	"time"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Observer watches a run as it happens. Calls for one chain come one after
// the other; different chains call at the same time. An error stops the run.
type Observer interface {
	// Begin is called once, before anything else.
	Begin(plan draws.Plan) error
	// Step is called after every transition, recorded or not.
	Step(s Step)
	// Draw is called for each draw as it is made. Warm-up draws come only if
	// the plan says so.
	Draw(r draws.Row) error
	// Adapted is called once for each chain, between warm-up and the draws.
	Adapted(chain int, a draws.Adaptation) error
	// End is called once for each chain that began, also when it was cut
	// short.
	End(chain int, e draws.ChainEnd) error
}

// Step reports how far a chain is.
type Step = draws.Step

// Ignore is an Observer that does nothing; embed it to implement a part.
type Ignore struct{}

// Begin does nothing.
func (Ignore) Begin(draws.Plan) error { return nil }

// Step does nothing.
func (Ignore) Step(Step) {}

// Draw does nothing.
func (Ignore) Draw(draws.Row) error { return nil }

// Adapted does nothing.
func (Ignore) Adapted(int, draws.Adaptation) error { return nil }

// End does nothing.
func (Ignore) End(int, draws.ChainEnd) error { return nil }

// Observers calls each of its members in turn. An error of one does not hide
// the event from the others.
type Observers []Observer

// Begin implements Observer.
func (os Observers) Begin(p draws.Plan) error {
	return os.each(func(o Observer) error { return o.Begin(p) })
}

// Step implements Observer.
func (os Observers) Step(s Step) {
	for _, o := range os {
		o.Step(s)
	}
}

// Draw implements Observer.
func (os Observers) Draw(r draws.Row) error {
	var err error
	for _, o := range os {
		if e := o.Draw(r); e != nil {
			err = errors.Join(err, e)
		}
	}
	return err
}

// Adapted implements Observer.
func (os Observers) Adapted(chain int, a draws.Adaptation) error {
	return os.each(func(o Observer) error { return o.Adapted(chain, a) })
}

// End implements Observer.
func (os Observers) End(chain int, e draws.ChainEnd) error {
	return os.each(func(o Observer) error { return o.End(chain, e) })
}

func (os Observers) each(f func(Observer) error) error {
	var errs []error
	for _, o := range os {
		errs = append(errs, f(o))
	}
	return errors.Join(errs...)
}

// Progress reports how far a run is, at most once in an interval and once at
// the end of each chain.
type Progress struct {
	Ignore
	every  time.Duration
	report func(ProgressReport)

	mu   sync.Mutex
	last time.Time
	now  ProgressReport
}

// ProgressReport is the state of all chains.
type ProgressReport struct {
	Chains []Step // the latest step of each
}

// Divergences are those after warm-up, over all chains.
func (r ProgressReport) Divergences() int {
	n := 0
	for _, c := range r.Chains {
		n += c.Divergences
	}
	return n
}

// Fraction is the part of all transitions that is done, in [0, 1].
func (r ProgressReport) Fraction() float64 {
	done, total := 0, 0
	for _, c := range r.Chains {
		done += c.Done
		total += c.Total
	}
	if total == 0 {
		return 1
	}
	return float64(done) / float64(total)
}

// NewProgress returns an observer that calls report at most once per interval.
// Calls of report never overlap; report must not keep the slice.
func NewProgress(every time.Duration, report func(ProgressReport)) *Progress {
	return &Progress{every: every, report: report}
}

// Begin implements Observer.
func (p *Progress) Begin(plan draws.Plan) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	total := plan.Warmup + plan.Draws*max(1, plan.Thin)
	p.now = ProgressReport{Chains: make([]Step, plan.Chains)}
	for i := range p.now.Chains {
		p.now.Chains[i] = Step{Chain: i, Total: total, Warmup: plan.Warmup > 0}
	}
	p.last = time.Now()
	return nil
}

// Step implements Observer.
func (p *Progress) Step(s Step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.Chains[s.Chain] = s
	if t := time.Now(); s.Done == s.Total || t.Sub(p.last) >= p.every {
		p.last = t
		p.report(p.now)
	}
}
