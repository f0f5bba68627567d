package cluster

// This file has jobs whose tasks are held: a worker answers requests for as long as there are any, faster than a queue could.

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// Subjects of held jobs. What goes over them is not kept.
const (
	requestsTo = "ppl.held.ask."   // of a job, then of a task
	signsOf    = "ppl.held.alive." // of a job: numbers of tasks, by who holds them
	wantedOf   = "ppl.held.want."  // of a job, by who asks
)

// patience is how long a side is taken for alive after its last sign of life.
const patience = 3 * heartbeat

// An Answerer is a Runner that answers requests of tasks that are held.
type Answerer interface {
	// Answer is like Do. A first request without bytes asks whether it is ready.
	Answer(ctx context.Context, job *Job, task int, request []byte) ([]byte, error)
}

// A Hold is a job whose tasks workers hold.
type Hold struct {
	c    *Cluster
	job  *Job
	end  context.CancelFunc
	subs []*nats.Subscription

	mu    sync.Mutex
	alive []time.Time // the last sign of life of who holds a task; zero for nobody
	lost  []chan struct{}
}

// Hold submits a job and has its tasks held until Close. say is told what hinders the workers.
func (c *Cluster) Hold(ctx context.Context, job *Job, files map[string][]byte, say func(text string)) (*Hold, error) {
	h := &Hold{c: c, job: job, alive: make([]time.Time, job.Tasks), lost: make([]chan struct{}, job.Tasks)}
	signs, err := c.conn.Subscribe(signsOf+job.ID, func(m *nats.Msg) { h.sign(string(m.Data)) })
	notices, noticesErr := c.conn.Subscribe(noticesOf+job.ID, func(m *nats.Msg) { say(string(m.Data)) })
	if err = errors.Join(err, noticesErr); err != nil {
		return nil, c.explain(err)
	}
	h.subs = []*nats.Subscription{signs, notices}
	if err := c.Submit(ctx, job, files); err != nil {
		return nil, errors.Join(err, h.Close())
	}
	var live context.Context
	live, h.end = context.WithCancel(context.WithoutCancel(ctx))
	go h.keep(live, say)
	return h, nil
}

// sign notes that somebody holds a task.
func (h *Hold) sign(text string) {
	task, err := strconv.Atoi(text)
	if err != nil || task < 0 || task >= h.job.Tasks {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.alive[task].IsZero() {
		h.lost[task] = make(chan struct{})
	}
	h.alive[task] = time.Now()
}

// keep lets workers know that they are wanted, and gives up those that are silent.
func (h *Hold) keep(ctx context.Context, say func(string)) {
	every := time.NewTicker(heartbeat)
	defer every.Stop()
	first := time.After(2 * time.Second)
	for {
		_ = h.c.conn.Publish(wantedOf+h.job.ID, nil) // if the server is away, it is tried again
		select {
		case now := <-every.C:
			for task := range h.alive {
				h.drop(task, now.Add(-patience))
			}
		case <-first:
			h.c.remarkAlone(ctx, say)
		case <-ctx.Done():
			return
		}
	}
}

// drop forgets who holds a task if there has been no sign of life since a time.
func (h *Hold) drop(task int, since time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if at := h.alive[task]; !at.IsZero() && at.Before(since) {
		h.alive[task] = time.Time{}
		close(h.lost[task])
	}
}

// Ask has who holds a task answer a request; false where nobody does, or does any more.
func (h *Hold) Ask(ctx context.Context, task int, request []byte) ([]byte, bool) {
	h.mu.Lock()
	held, lost := !h.alive[task].IsZero(), h.lost[task]
	h.mu.Unlock()
	if !held {
		return nil, false
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-lost:
			cancel()
		case <-ctx.Done():
		}
	}()
	m, err := h.c.conn.RequestWithContext(ctx, requestsTo+h.job.ID+"."+strconv.Itoa(task), request)
	if errors.Is(err, nats.ErrNoResponders) {
		h.drop(task, time.Now())
	}
	if err != nil || len(m.Data) == 0 {
		return nil, false
	}
	return m.Data, true
}

// Held is how many tasks are held.
func (h *Hold) Held() (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, at := range h.alive {
		if !at.IsZero() {
			n++
		}
	}
	return n
}

// Close lets workers go. Nothing of the job stays but its files.
func (h *Hold) Close() error {
	if h.end != nil {
		h.end()
	}
	for _, s := range h.subs {
		_ = s.Unsubscribe() // at worst the connection is closed
	}
	if !h.c.conn.IsConnected() {
		return nil // workers that find nobody let go by themselves
	}
	err := h.c.Stop(h.job)
	ctx, cancel := context.WithTimeout(context.Background(), forRequest)
	defer cancel()
	return errors.Join(err, h.c.explain(h.c.jobs.Purge(ctx, h.job.ID)))
}

// errUnwanted is the end of a task that was held.
var errUnwanted = errors.New("nobody asks any more")

// answer answers requests until ctx ends, or whoever asks is silent.
func (s *slot) answer(ctx context.Context, job *Job, task int) error {
	runner, ok := s.runner.(Answerer)
	if !ok {
		return &Failure{Text: "such tasks cannot be held", Final: true}
	}
	reply := func(request []byte) ([]byte, error) {
		limited, cancel := context.WithTimeoutCause(ctx, s.Limit, errTooLong)
		defer cancel()
		return runner.Answer(limited, job, task, request)
	}
	if _, err := reply(nil); err != nil { // an answer says that it is ready
		return err
	}
	conn := s.c.conn
	requests := make(chan *nats.Msg, 256)
	ask, err := conn.ChanQueueSubscribe(requestsTo+job.ID+"."+strconv.Itoa(task), "holders", requests)
	if err != nil {
		return err
	}
	defer ask.Unsubscribe() //nolint:errcheck // at worst the connection is closed
	wanted := make(chan *nats.Msg, 16)
	want, err := conn.ChanSubscribe(wantedOf+job.ID, wanted)
	if err != nil {
		return err
	}
	defer want.Unsubscribe() //nolint:errcheck // as above
	sign := func() { _ = conn.Publish(signsOf+job.ID, strconv.AppendInt(nil, int64(task), 10)) }
	live, end := context.WithCancel(ctx)
	defer end()
	go func() { // while a request is answered, too
		for every := time.NewTicker(heartbeat); ; {
			sign()
			select {
			case <-every.C:
			case <-live.Done():
				every.Stop()
				return
			}
		}
	}()
	silent := time.NewTimer(presence)
	defer silent.Stop()
	for {
		select {
		case m := <-requests:
			out, err := reply(m.Data)
			if err != nil {
				return err
			}
			_ = m.Respond(out) // who asked may be gone
			silent.Reset(presence)
		case <-wanted:
			silent.Reset(presence)
		case <-silent.C:
			return errUnwanted
		case <-ctx.Done():
			return fmt.Errorf("held no longer: %w", context.Cause(ctx))
		}
	}
}
