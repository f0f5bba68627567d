package cluster

// This file has tasks that are held: who answers, and what happens when nobody does.

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// A holder answers with its name, the task and the request.
type holder struct {
	fake
	name  string
	asked *atomic.Int64
	fails error
}

func (h holder) Answer(_ context.Context, _ *Job, task int, request []byte) ([]byte, error) {
	h.asked.Add(1)
	return fmt.Append(nil, h.name, " ", task, " ", string(request)), h.fails
}

// holding starts a worker with a connection of its own, which is cut when the context ends, as if it was killed.
func holding(t *testing.T, c *Cluster, ctx context.Context, h holder) (ended chan error) {
	t.Helper()
	own, err := Connect(t.Context(), Access{URL: c.url, Say: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	context.AfterFunc(ctx, own.Close)
	w := worker(t, nil)
	w.Slots, w.Idle = 1, 0
	w.Start = func(*Job, func(int) (string, error)) (Runner, error) { return h, nil }
	ended = make(chan error, 1)
	go func() { ended <- w.Run(ctx, own) }()
	return ended
}

// until waits for something.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for began := time.Now(); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

func TestHold(t *testing.T) {
	c := local(t)
	job, files := payload("held", 2)
	job.Held = true
	h, err := c.Hold(t.Context(), job, files, func(text string) { t.Log(text) })
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := h.Ask(t.Context(), 0, []byte("x")); ok || h.Held() != 0 {
		t.Error("a task is held without a worker")
	}
	var asked atomic.Int64
	first, kill := context.WithCancel(t.Context())
	second, leave := context.WithCancel(t.Context())
	defer leave()
	holding(t, c, first, holder{name: "a", asked: &asked})
	until(t, "one holds a task", func() bool { return h.Held() == 1 })
	holding(t, c, second, holder{name: "b", asked: &asked})
	until(t, "both hold tasks", func() bool { return h.Held() == 2 })
	who := map[string]int{}
	for task := range 2 {
		out, ok := h.Ask(t.Context(), task, []byte("x"))
		name, rest, _ := strings.Cut(string(out), " ")
		if !ok || rest != fmt.Sprint(task, " x") {
			t.Errorf("task %d: found %q, %v", task, out, ok)
		}
		who[name] = task
	}
	if len(who) != 2 {
		t.Errorf("the tasks are held by %v", who)
	}
	// One dies: its task has nobody, and the other goes on.
	kill()
	until(t, "the dead worker is not asked", func() bool { _, ok := h.Ask(t.Context(), who["a"], []byte("y")); return !ok })
	if _, ok := h.Ask(t.Context(), who["b"], []byte("y")); !ok {
		t.Error("the other worker is gone, too")
	}
	// Another takes the task when the lease has ended.
	third, leaveThird := context.WithCancel(t.Context())
	defer leaveThird()
	holding(t, c, third, holder{name: "c", asked: &asked})
	until(t, "another holds the task", func() bool { return h.Held() == 2 })
	if out, ok := h.Ask(t.Context(), who["a"], []byte("z")); !ok || !strings.HasPrefix(string(out), "c ") {
		t.Errorf("found %q, %v", out, ok)
	}
	// Nothing is left after the end.
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	until(t, "the tasks are gone", func() bool {
		s, err := c.queue.Info(t.Context())
		return err == nil && s.State.Msgs == 0
	})
	if jobs, err := c.Jobs(t.Context()); err != nil || len(jobs) != 0 {
		t.Errorf("%d jobs are left, %v", len(jobs), err)
	}
}

// A request that nobody answers ends with who asks, and when the holder is silent.
func TestSilentHolder(t *testing.T) {
	c := local(t)
	job, _ := payload("silent", 1)
	h := &Hold{c: c, job: job, alive: make([]time.Time, 1), lost: make([]chan struct{}, 1)}
	deaf, err := c.conn.SubscribeSync(requestsTo + job.ID + ".0")
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Unsubscribe() //nolint:errcheck // of a test
	for _, sign := range []string{"-1", "1", "x", ""} {
		h.sign(sign)
	}
	if h.Held() != 0 {
		t.Error("a sign of no task is taken")
	}
	h.sign("0")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, ok := h.Ask(ctx, 0, []byte("x")); ok || h.Held() != 1 {
		t.Error("who stops asking has an answer")
	}
	time.AfterFunc(50*time.Millisecond, func() { h.drop(0, time.Now()) })
	if _, ok := h.Ask(t.Context(), 0, []byte("x")); ok || h.Held() != 0 {
		t.Error("a silent holder answers")
	}
}

// A worker that cannot answer says so, and who asks does without it.
func TestFailingHolder(t *testing.T) {
	c := local(t)
	job, files := payload("fails", 1)
	job.Held = true
	said := make(chan string, 10)
	h, err := c.Hold(t.Context(), job, files, func(text string) { said <- text })
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close() //nolint:errcheck // of a test
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	ended := holding(t, c, ctx, holder{asked: new(atomic.Int64), fails: &Failure{Text: "no such model", Final: true}})
	next := func() string {
		select {
		case text := <-said:
			return text
		case <-time.After(time.Minute):
			return "nothing"
		}
	}
	if text := next(); text != "task 1 of 1, attempt 1 on w: no such model" {
		t.Errorf("found %q", text)
	}
	if _, err := c.results.Get(t.Context(), job.key(0)); err == nil {
		t.Error("a held task has a result")
	}
	leave()
	<-ended
	w := worker(t, nil) // whose runner answers nothing
	other, files := payload("none", 1)
	other.Held = true
	h2, err := c.Hold(t.Context(), other, files, func(text string) { said <- text })
	if err != nil {
		t.Fatal(err)
	}
	defer h2.Close() //nolint:errcheck // of a test
	if err := w.Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if text := next(); !strings.HasSuffix(text, "such tasks cannot be held") {
		t.Errorf("found %q", text)
	}
}
