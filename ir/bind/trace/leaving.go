// Evaluations that are left when nobody waits for them any more.

package trace

import (
	"runtime/debug"
	"slices"
	"time"

	"github.com/seed-12b88e03/ppl/autodiff"
)

const (
	slowEvaluation = 20 * time.Millisecond // what takes longer is made where it can be left
	leaveLook      = 50 * time.Millisecond // between looks at whether the run has ended
	timedEach      = 64                    // of so many evaluations that are not slow one is timed
)

// A leaver knows whether the evaluations of a runner are slow. One call of the library, such as the
// eigenvalues of a large matrix, cannot be stopped half-way: slow evaluations are made by another
// goroutine, which is left to itself where it must be.
type leaver struct {
	calls uint32
	slow  bool
	lost  error // why an evaluation was left: the machines are still at work
}

// direct reports whether the next evaluation is made without a look at the time.
func (l *leaver) direct() bool {
	l.calls++
	return l.calls%timedEach != 1 && !l.slow
}

// patiently is run where that may take long.
func (r *Runner) patiently(q []float64) (m *autodiff.Machine, err error) {
	switch {
	case r.traced.Stop == nil:
		return r.run(q)
	case r.lost != nil:
		return nil, r.lost
	}
	began := time.Now()
	if r.calls > 1 && !r.slow {
		m, err = r.run(q)
	} else {
		var made *autodiff.Machine
		at := slices.Clone(q)
		err, r.lost = Leave(r.traced.Stop, func() (err error) { made, err = r.run(at); return err })
		if r.lost != nil {
			r.slow = true
			return nil, r.lost
		}
		m = made
	}
	r.slow = time.Since(began) > slowEvaluation
	return m, err
}

// Leave is what work returns, or why it was left: stop says that nobody waits for it. What it writes then is nobody's.
func Leave(stop, work func() error) (err, left error) {
	type outcome struct {
		err   error
		fault *fault
	}
	done := make(chan outcome, 1)
	go func() {
		var out outcome
		defer func() {
			if v := recover(); v != nil {
				out.fault = &fault{v, debug.Stack()}
			}
			done <- out
		}()
		out.err = work()
	}()
	look := time.NewTicker(leaveLook)
	defer look.Stop()
	for {
		select {
		case out := <-done:
			if out.fault != nil {
				panic(out.fault)
			}
			return out.err, nil
		case <-look.C:
			if left := stop(); left != nil {
				return nil, left
			}
		}
	}
}

// A fault is a panic of another goroutine.
type fault struct {
	value any
	stack []byte
}

// Panicked is the panic and where it was.
func (f *fault) Panicked() (value any, stack []byte) { return f.value, f.stack }
