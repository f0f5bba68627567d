package play

// This file has the chains of a run moved by several hands: those of other workers, and until these are ready one's own.

import (
	"context"
	"sync"
	"time"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/lang"
)

// An Errand is the way of a chain of a question's method.
type Errand struct {
	Question Question
	Method   int // in the order of the answer's fits
	Leg      infer.Leg
}

// A Hand moves chains. It has one errand at a time.
type Hand interface {
	Move(ctx context.Context, e *Errand) (*infer.Passage, error)
}

// A Pool shares the chains of a run among hands, in stretches that are short enough that what is stopped keeps its draws. Which hand
// moves a chain, and how far, does not show in the draws.
//
// Concurrency. Join may be called at any time. Runs are made one after the other.
type Pool struct {
	Own Hand // moves chains itself until enough others have joined; nil: it does not

	mu     sync.Mutex
	enough int
	joined int
	idle   chan Hand
}

// stretch is about how long a chain is with one hand.
const stretch = 300 * time.Millisecond

// NewPool is a pool that enough hands will join.
func NewPool(own Hand, enough int) *Pool {
	c := &Pool{Own: own, enough: enough, idle: make(chan Hand, enough+1)}
	if own != nil {
		c.idle <- own
	}
	return c
}

// Join adds a hand.
func (c *Pool) Join(h Hand) {
	c.mu.Lock()
	c.joined++
	c.mu.Unlock()
	c.idle <- h
}

// put has a hand wait for the next errand; the pool's own goes where there are enough of others.
func (c *Pool) put(h Hand) {
	c.mu.Lock()
	done := h == c.Own && c.joined >= c.enough
	c.mu.Unlock()
	if !done {
		c.idle <- h
	}
}

// A relay is a pool on one method of a question. It implements infer.Relay.
type relay struct {
	*Pool
	errand Errand
}

// Advance implements infer.Relay.
func (r *relay) Advance(run context.Context, legs []infer.Leg, arrived func(int, *infer.Passage) error) error {
	ctx, cancel := context.WithCancelCause(run)
	defer cancel(nil)
	var all sync.WaitGroup
	var mu sync.Mutex // arrivals come one at a time
	for i := range legs {
		all.Go(func() {
			err := r.along(ctx, legs[i], func(p *infer.Passage) error {
				mu.Lock()
				defer mu.Unlock()
				return arrived(i, p)
			})
			if err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	if run.Err() != nil {
		return infer.ErrInterrupted
	}
	return context.Cause(ctx)
}

// along takes a chain to the end of its leg, stretch by stretch.
func (r *relay) along(ctx context.Context, leg infer.Leg, arrived func(*infer.Passage) error) error {
	to, draws := leg.Draws, 50
	for {
		var hand Hand
		select {
		case hand = <-r.idle:
		case <-ctx.Done():
			return infer.ErrInterrupted
		}
		from := leg.From.Rows
		leg.Draws = min(to, from+draws)
		e := r.errand
		e.Leg = leg
		began := time.Now()
		p, err := hand.Move(ctx, &e)
		took := time.Since(began)
		r.put(hand)
		if err == nil {
			next := *p.At
			next.WarmupTime, next.SamplingTime = 0, 0
			leg.From = &next
			err = arrived(p)
		}
		if err != nil || leg.Draws == to || !leg.Warm {
			return err
		}
		draws = max(1, int(float64(leg.Draws-from)*float64(stretch)/float64(max(took, time.Millisecond))))
	}
}

// A Mover moves chains here. It keeps the model of the last question.
type Mover struct {
	Watch infer.Observer // sees the steps

	question Question
	model    *lang.Model
	methods  []*lang.Method
}

// Move implements Hand.
func (m *Mover) Move(ctx context.Context, e *Errand) (*infer.Passage, error) {
	if m.model == nil || m.question != e.Question {
		p, methods, set, err := e.Question.read()
		if err != nil {
			return nil, err
		}
		model, err := e.Question.bind(ctx, p, set, func(string) {})
		if err != nil {
			return nil, err
		}
		m.question, m.model, m.methods = e.Question, model, methods
	}
	fit, err := m.model.Run(ctx, m.methods[e.Method], lang.RunOptions{Seed: e.Question.Seed, Observer: m.Watch, Leg: &e.Leg})
	if err != nil {
		return nil, err
	}
	return fit.Posterior.Passage, nil
}

// adopt gives the model that a question's answer has begun with, so that it is not made a second time.
func (m *Mover) adopt(q Question, model *lang.Model, methods []*lang.Method) {
	m.question, m.model, m.methods = q, model, methods
}

// read compiles the program of a question.
func (q Question) read() (*lang.Program, []*lang.Method, *data.Set, error) {
	p, err := lang.Compile("model", q.Model, lang.Options{})
	if err != nil {
		return nil, nil, nil, err
	}
	methods, err := p.Methods()
	if q.Method != "" {
		var m *lang.Method
		m, err = p.Method(q.Method)
		methods = []*lang.Method{m}
	}
	var set *data.Set
	if err == nil && q.hasData() {
		set, err = data.ReadBytes([]byte(q.Data), "data", nil)
	}
	return p, methods, set, err
}
