// This file has a run end without chains that are in an evaluation which takes long.

package infer

import (
	"sync"
	"time"
)

// leaveGrace is how long chains at work when the context ends may take to come to an end by themselves.
const leaveGrace = 250 * time.Millisecond

// A turn is a chain's right to change what it shares with its run. It has that but while it evaluates the
// model: an evaluation cannot be stopped half-way, one of a large matrix may take minutes, and a run that is to
// end does not wait for it.
type turn struct {
	mu    sync.Mutex
	ended bool // the chain is at the end of the pass
	left  bool // the run has gone on without the chain
}

// aside does work that changes nothing of the run's.
func (t *turn) aside(work func() error) error {
	t.mu.Unlock()
	defer t.mu.Lock()
	return work()
}

// aside is that of the chain's turn; where the chain was left nobody waits for it.
func (c *chain) aside(work func() error) error {
	err := c.turn.aside(work)
	if c.turn.left {
		return ErrInterrupted
	}
	return err
}

// inTurn does work on chain c, unless the run has gone on without it.
func (r *run) inTurn(c int, work func(t *turn)) {
	t := r.turns[c]
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.left {
		work(t)
	}
}

// waitFor waits until work has come to an end, or, where chains may be left, the context to its own and the chains have had
// leaveGrace.
func (r *run) waitFor(work func()) {
	if !r.options.Leave {
		work()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	select {
	case <-done:
		return
	case <-r.ctx.Done():
	}
	select {
	case <-done:
	case <-time.After(leaveGrace):
		r.leave()
	}
}

// leave has the run end without the chains that are still at work. What they have recorded stays.
func (r *run) leave() {
	for c := range r.turns {
		r.inTurn(c, func(t *turn) {
			if t.left = !t.ended; !t.left {
				return
			}
			r.posterior.Chains[c].End.Incomplete = true
			if ch := r.chains[c]; ch != nil {
				ch.tick()
			}
		})
	}
}
