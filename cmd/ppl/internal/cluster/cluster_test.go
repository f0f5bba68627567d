package cluster

// This file has jobs of strangers, tasks that kill their workers, and what becomes of results.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// local is a connection to a server of the test's own.
func local(t *testing.T) *Cluster {
	t.Helper()
	s, err := NewServer(ServerConfig{Listen: "127.0.0.1:0", Store: t.TempDir(), Log: slog.New(slog.DiscardHandler)})
	if err == nil {
		err = s.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	c, err := Connect(t.Context(), Access{URL: s.URL(), Say: func(text string) { t.Log(text) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// A fake does tasks with a function.
type fake func(ctx context.Context, task int) ([]byte, error)

func (f fake) Do(ctx context.Context, _ *Job, task int, input string) ([]byte, error) {
	out, err := f(ctx, task)
	if err == nil && input != "" {
		var given []byte
		given, err = os.ReadFile(input)
		out = append(out, given...)
	}
	return out, err
}
func (fake) Close() {}

// worker is one that does tasks with a function, after it has asked for all files of their job.
func worker(t *testing.T, do fake) *Worker {
	return &Worker{
		Presence: Presence{Name: "w", Version: "v", Slots: 2}, Dir: t.TempDir(), Limit: time.Minute, Idle: 300 * time.Millisecond, Log: slog.New(slog.DiscardHandler),
		Start: func(job *Job, file func(int) (string, error)) (Runner, error) {
			for i := range job.Files {
				if _, err := file(i); err != nil {
					return nil, err
				}
			}
			return do, nil
		},
	}
}

// payload is a job with one file.
func payload(text string, tasks int) (*Job, map[string][]byte) {
	id := Hash([]byte(text))
	return &Job{ID: id, Version: "v", Tasks: tasks, Files: []string{id}}, map[string][]byte{id: []byte(text)}
}

// wait is what Wait gives.
func wait(t *testing.T, c *Cluster, job *Job) (map[int]string, error) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	got := map[int]string{}
	err := c.Wait(ctx, job, func(task int, result []byte) error {
		got[task] = string(result)
		return nil
	}, func(string) {})
	return got, err
}

// Results of every size arrive as they were, each task is done once, and not again when the job is submitted again.
func TestResults(t *testing.T) {
	c := local(t)
	job, files := payload("sizes", 30)
	var done atomic.Int64
	w := worker(t, func(_ context.Context, task int) ([]byte, error) {
		done.Add(1)
		return bytes.Repeat([]byte{byte(task)}, task*task*1000), nil // up to 841 kB
	})
	for range 2 {
		if err := c.Submit(t.Context(), job, files); err != nil {
			t.Fatal(err)
		}
		if err := w.Run(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		got, err := wait(t, c, job)
		if err != nil {
			t.Fatal(err)
		}
		for task := range job.Tasks {
			if want := strings.Repeat(string(rune(task)), task*task*1000); got[task] != want {
				t.Errorf("task %d: %d bytes, want %d", task, len(got[task]), len(want))
			}
		}
	}
	if done.Load() != 30 {
		t.Errorf("%d tasks done, want 30", done.Load())
	}
}

// Each task is given its input, and jobs with the same files have one runner.
func TestInputs(t *testing.T) {
	c := local(t)
	base, files := payload("base", 1)
	w := worker(t, func(_ context.Context, task int) ([]byte, error) { return fmt.Append(nil, task, " "), nil })
	w.Slots = 1
	started, start := 0, w.Start
	w.Start = func(job *Job, file func(int) (string, error)) (Runner, error) {
		started++
		return start(job, file)
	}
	var jobs []*Job
	for _, name := range []string{"first", "second"} {
		job := &Job{ID: Hash([]byte(name)), Version: "v", Tasks: 3, Files: base.Files}
		for task := range job.Tasks {
			text := fmt.Append(nil, name, task)
			files[Hash(text)] = text
			job.Inputs = append(job.Inputs, Hash(text))
		}
		jobs = append(jobs, job)
		if err := c.Submit(t.Context(), job, files); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	for k, name := range []string{"first", "second"} {
		got, err := wait(t, c, jobs[k])
		for task := range 3 {
			if want := fmt.Sprintf("%d %s%d", task, name, task); err != nil || got[task] != want {
				t.Errorf("found %q, %v, want %q", got[task], err, want)
			}
		}
	}
	if started != 1 {
		t.Errorf("%d runners were started, want 1", started)
	}
}

// Failures end the job, the final ones at once, and are forgotten for who submits it again.
func TestFailures(t *testing.T) {
	c := local(t)
	for _, one := range []struct {
		err   error
		tries int64
		want  string
	}{
		{&Failure{Text: "no such thing", Final: true}, 1, "no such thing"},
		{errors.New("out of luck"), Attempts, "given up after 5 attempts: task 1 of 1, attempt 5 on w: out of luck"},
	} {
		job, files := payload(one.want, 1)
		var tried atomic.Int64
		w := worker(t, func(context.Context, int) ([]byte, error) { tried.Add(1); return nil, one.err })
		w.Idle = 2 * time.Second // longer than it waits between attempts
		for round := range int64(2) {
			if err := errors.Join(c.Submit(t.Context(), job, files), w.Run(t.Context(), c)); err != nil {
				t.Fatal(err)
			}
			var f *Failure
			if _, err := wait(t, c, job); !errors.As(err, &f) || f.Text != one.want || tried.Load() != one.tries*(round+1) {
				t.Errorf("found %v after %d attempts, want %s after %d", err, tried.Load(), one.want, one.tries*(round+1))
			}
		}
	}
}

// A task whose worker dies each time is given up.
func TestDeadlyTask(t *testing.T) {
	c := local(t)
	job, files := payload("deadly", 1)
	w := worker(t, func(context.Context, int) ([]byte, error) { return nil, nil })
	if err := errors.Join(w.Run(t.Context(), c), c.Submit(t.Context(), job, files)); err != nil { // the first makes the consumer
		t.Fatal(err)
	}
	queue, err := c.js.Consumer(t.Context(), queueName, "ppl-"+versionToken("v"))
	if err != nil {
		t.Fatal(err)
	}
	for range Attempts {
		m, err := queue.Next()
		if err = errors.Join(err, m.Nak()); err != nil { // as if the lease had ended
			t.Fatal(err)
		}
	}
	if err := w.Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if _, err := wait(t, c, job); err == nil || err.Error() != "given up after 5 attempts: task 1 of 1, attempt 6 on w: its worker died each time" {
		t.Errorf("found %v", err)
	}
}

// A job that is stopped leaves its worker and the queue, and who else waits for it is told.
func TestStop(t *testing.T) {
	c := local(t)
	job, files := payload("long", 5)
	begun, ended := make(chan bool, 5), make(chan error, 5)
	w := worker(t, func(ctx context.Context, _ int) ([]byte, error) {
		begun <- true
		<-ctx.Done()
		ended <- context.Cause(ctx)
		return nil, ctx.Err()
	})
	if err := c.Submit(t.Context(), job, files); err != nil {
		t.Fatal(err)
	}
	result := make(chan error, 1)
	go func() { result <- w.Run(t.Context(), c) }()
	<-begun
	if err := c.Stop(job); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, ErrStopped) {
		t.Errorf("the task ended by %v", err)
	}
	if err := <-result; err != nil {
		t.Fatal(err)
	}
	if s, err := c.queue.Info(t.Context()); err != nil || s.State.Msgs != 0 {
		t.Errorf("%d tasks are queued, want none: %v", s.State.Msgs, err)
	}
	if err := c.tend(t.Context(), job, func(string) {}); !errors.Is(err, ErrStopped) {
		t.Errorf("found %v", err)
	}
}

// Tasks that the server has lost are queued again by who waits for them.
func TestLostTasks(t *testing.T) {
	c := local(t)
	job, files := payload("lost", 5)
	if err := errors.Join(c.Submit(t.Context(), job, files), c.queue.Purge(t.Context()), c.jobs.Purge(t.Context(), job.ID)); err != nil {
		t.Fatal(err)
	}
	if err := c.tend(t.Context(), job, func(string) {}); err != nil {
		t.Fatal(err)
	}
	if s, err := c.queue.Info(t.Context()); err != nil || s.State.Msgs != 5 {
		t.Errorf("%d tasks are queued, want 5: %v", s.State.Msgs, err)
	}
}

// What strangers write is no path on a worker, and files are what their hashes say.
func TestStrangers(t *testing.T) {
	c := local(t)
	ctx := t.Context()
	outside := filepath.Join(t.TempDir(), "outside")
	w := worker(t, func(context.Context, int) ([]byte, error) { return []byte("done"), nil })
	good, files := payload("good", 1)
	forged := &Job{ID: Hash([]byte("forged")), Version: "v", Tasks: 1, Files: []string{Hash([]byte("forged"))}}
	path := &Job{ID: Hash([]byte("path")), Version: "v", Tasks: 1, Files: []string{"../../../../../../../.." + outside}}
	input := &Job{ID: Hash([]byte("input")), Version: "v", Tasks: 1, Files: good.Files, Inputs: []string{"../outside"}}
	other := &Job{ID: Hash([]byte("other")), Version: "v", Tasks: 1, Files: good.Files, Inputs: forged.Files}
	for _, j := range []*Job{input, other} {
		if err := errors.Join(c.record(ctx, j, false), c.enqueue(ctx, j)); err != nil {
			t.Fatal(err)
		}
	}
	for _, j := range []*Job{forged, path} {
		_, err := c.files.PutBytes(ctx, j.Files[0], []byte("another content"))
		if err = errors.Join(err, c.record(ctx, j, false), c.enqueue(ctx, j)); err != nil {
			t.Fatal(err)
		}
	}
	for _, subject := range []string{"", ".0", ".x.0", "." + good.ID + ".-1", "." + good.ID + ".x", "." + good.ID + ".7", "." + strings.Repeat("Z", 64) + ".0"} {
		if _, err := c.js.Publish(ctx, queuePrefix+versionToken("v")+".a"+subject, []byte("{")); err != nil && !strings.Contains(err.Error(), "no response") {
			t.Log(subject, err)
		}
	}
	if _, err := c.jobs.Put(ctx, Hash([]byte("odd")), []byte("{")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Submit(ctx, good, files), w.Run(ctx, c)); err != nil {
		t.Fatal(err)
	}
	if got, err := wait(t, c, good); err != nil || got[0] != "done" {
		t.Errorf("found %v, %v", got, err)
	}
	for job, want := range map[*Job]string{forged: "a file of the job is not what its hash says", path: "the job lists no such file", input: "the job lists no such file", other: "a file of the job is not what its hash says"} {
		if _, err := wait(t, c, job); err == nil || err.Error() != want {
			t.Errorf("found %v, want %s", err, want)
		}
	}
	if _, err := os.Stat(outside); err == nil {
		t.Error("a file was written where a sender said")
	}
	if left, err := os.ReadDir(w.Dir); err != nil || len(left) > 0 {
		t.Errorf("files are left: %v %v", left, err)
	}
}

// Servers without JetStream, and results that nobody has written so, are errors.
func TestNotOurs(t *testing.T) {
	c := local(t)
	job, files := payload("odd", 2)
	_, err := c.results.Put(t.Context(), job.key(0), nil)
	if err = errors.Join(err, c.Submit(t.Context(), job, files)); err != nil {
		t.Fatal(err)
	}
	if _, err := wait(t, c, job); err == nil || !strings.Contains(err.Error(), "is empty") {
		t.Errorf("found %v", err)
	}
	for _, err := range []error{jetstream.ErrJetStreamNotEnabled, jetstream.ErrJetStreamNotEnabledForAccount} {
		if text := fmt.Sprint(c.explain(err)); !strings.Contains(text, "the server has no JetStream") {
			t.Error(text)
		}
	}
}
