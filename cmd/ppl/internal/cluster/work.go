package cluster

// This file is the side of who does tasks.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// inline is the most bytes of a result that is a value of its bucket; larger ones are objects.
const inline = 256 << 10

// A Runner does tasks of jobs with the same files, one at a time.
type Runner interface {
	// Do does a task, given the file of its input, if it has one. An error that is no *Failure, or one that is not final, may
	// be gone at another attempt. The runner of an error is closed.
	Do(ctx context.Context, job *Job, task int, input string) ([]byte, error)
	Close()
}

// A Worker leases tasks and has runners do them.
type Worker struct {
	Presence
	// Start makes a runner. File names what is in the file of an index of job.Files, none of whose names is a sender's.
	Start func(job *Job, file func(index int) (string, error)) (Runner, error)
	Dir   string        // for files of jobs; empty: the system's
	Limit time.Duration // of a task
	Idle  time.Duration // after which a worker without a task ends; 0: never
	Log   *slog.Logger

	done, failed, busy atomic.Int64
	micros             atomic.Int64 // spent in tasks
}

// errTooLong is the cause of a task's end.
var errTooLong = errors.New("too long")

// Run works until ctx ends, or there has been nothing to do for a while.
func (w *Worker) Run(ctx context.Context, c *Cluster) error {
	token := versionToken(w.Version)
	queue, err := c.js.CreateOrUpdateConsumer(ctx, queueName, jetstream.ConsumerConfig{
		Durable: "ppl-" + token, FilterSubject: queuePrefix + token + ".>", AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: lease, MaxDeliver: -1, MaxAckPending: -1,
	})
	if err != nil {
		return c.explain(err)
	}
	var all, slots sync.WaitGroup
	present, leave := context.WithCancel(ctx)
	all.Go(func() { w.announce(present, c) })
	var used atomic.Int64
	used.Store(time.Now().UnixNano())
	for range w.Slots {
		slots.Go(func() {
			s := &slot{Worker: w, c: c}
			defer s.close()
			for ctx.Err() == nil && (w.Idle == 0 || w.busy.Load() > 0 || time.Since(time.Unix(0, used.Load())) < w.Idle) {
				if s.next(ctx, queue) {
					used.Store(time.Now().UnixNano())
				}
			}
		})
	}
	slots.Wait()
	leave()
	all.Wait()
	return nil
}

// announce says who is there.
func (w *Worker) announce(ctx context.Context, c *Cluster) {
	me := Hash(fmt.Append(nil, w.Name, os.Getpid(), time.Now().UnixNano()))[:16]
	text, _ := json.Marshal(w.Presence) // strings and a number
	every := time.NewTicker(presence / 3)
	defer every.Stop()
	for {
		if _, err := c.workers.Put(ctx, me, text); err != nil && ctx.Err() == nil {
			w.Log.Warn("not announced", "error", err)
		}
		select {
		case <-every.C:
		case <-ctx.Done():
			after, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			_ = c.workers.Delete(after, me) // it goes by itself
			return
		}
	}
}

// A slot does one task at a time, and keeps the runner of the job that it was of.
type slot struct {
	*Worker
	c      *Cluster
	files  []string // of the runner
	runner Runner
	dir    string
}

func (s *slot) close() {
	if s.runner != nil {
		s.runner.Close()
	}
	if s.dir != "" {
		_ = os.RemoveAll(s.dir) // of temporary files
	}
	s.files, s.runner, s.dir = nil, nil, ""
}

// next waits for a task and does it; false where there was none.
func (s *slot) next(ctx context.Context, queue jetstream.Consumer) bool {
	wait := 20 * time.Second
	if s.Idle > 0 {
		wait = min(wait, s.Idle)
	}
	fetch, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	batch, err := queue.Fetch(1, jetstream.FetchContext(fetch), jetstream.FetchHeartbeat(min(2*time.Second, wait/3)))
	if err != nil {
		pause(ctx, time.Second)
		return false
	}
	did := false
	for m := range batch.Messages() {
		did = true
		s.busy.Add(1)
		s.lead(ctx, m)
		s.busy.Add(-1)
	}
	if err := batch.Error(); err != nil && !did && fetch.Err() == nil {
		s.Log.Warn("no task could be had", "error", err)
		pause(ctx, time.Second)
	}
	return did
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// lead takes a task from its message to its result. What it does not acknowledge comes again, here or elsewhere.
func (s *slot) lead(ctx context.Context, m jetstream.Msg) {
	id, task, err := taskOf(m.Subject())
	meta, metaErr := m.Metadata()
	if err = errors.Join(err, metaErr); err != nil {
		s.Log.Error("a message that is no task", "error", err)
		_ = m.Term() // else it comes again
		return
	}
	attempt := int(meta.NumDelivered)
	log := s.Log.With("job", id[:12], "task", task+1, "attempt", attempt)
	job, err := s.c.job(ctx, id)
	switch {
	case err != nil:
		log.Error("no record of the job", "error", err)
		_ = m.NakWithDelay(time.Second)
		return
	case job == nil || job.Stopped || job.Version != s.Version || task >= job.Tasks:
		_ = m.Term() // nobody waits for it
		return
	}
	if _, err := s.c.results.Get(ctx, job.key(task)); err == nil {
		_ = m.Ack() // it was done before
		return
	}
	run, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go s.hold(run, cancel, m, job)
	log.Info("begun")
	began := time.Now()
	var result []byte
	if attempt > Attempts {
		err = &Failure{Text: "its worker died each time", Final: true}
	} else {
		result, err = s.do(run, job, task, attempt)
	}
	s.micros.Add(time.Since(began).Microseconds())
	s.conclude(run, m, job, task, attempt, result, err, log.With("seconds", time.Since(began).Seconds()))
}

// taskOf reads a subject.
func taskOf(subject string) (job string, task int, err error) {
	words := strings.Split(subject, ".")
	if len(words) != 5 || !isHash(words[3]) {
		return "", 0, fmt.Errorf("expected a subject of a task, found %q", subject)
	}
	task, err = strconv.Atoi(words[4])
	if err == nil && task < 0 {
		err = errors.New("the number of a task is negative")
	}
	return words[3], task, err
}

// hold keeps the lease of a task until ctx ends, and ends the task of a job that was stopped.
func (s *slot) hold(ctx context.Context, end context.CancelCauseFunc, m jetstream.Msg, job *Job) {
	every := time.NewTicker(heartbeat)
	defer every.Stop()
	for {
		select {
		case <-every.C:
			_ = m.InProgress() // a lost lease is no harm: the task is done twice
			if now, err := s.c.job(ctx, job.ID); err == nil && (now == nil || now.Stopped) {
				end(ErrStopped)
			}
		case <-ctx.Done():
			return
		}
	}
}

// do has the runner do a task. One that takes too long is tried once more, on a machine that has less to do perhaps.
func (s *slot) do(ctx context.Context, job *Job, task, attempt int) ([]byte, error) {
	if !slices.Equal(s.files, job.Files) {
		s.close()
		if err := s.start(ctx, job); err != nil {
			return nil, err
		}
	}
	if job.Held {
		err := s.answer(ctx, job, task)
		s.close() // what it held may be large
		return nil, err
	}
	input := ""
	if job.Inputs != nil {
		var err error
		if input, err = s.bring(ctx, job.Inputs[task], "input"); err != nil {
			return nil, err
		}
		defer os.Remove(input) //nolint:errcheck // it goes with the folder
	}
	limited, cancel := context.WithTimeoutCause(ctx, s.Limit, errTooLong)
	defer cancel()
	out, err := s.runner.Do(limited, job, task, input)
	if err != nil {
		s.close()
	}
	if err != nil && errors.Is(context.Cause(limited), errTooLong) {
		err = &Failure{Text: fmt.Sprintf("it took longer than %s, the --time-limit of %s", s.Limit, s.Name), Final: attempt > 1}
	}
	return out, err
}

// start makes the runner of a job, with the job's files in a folder of its own.
func (s *slot) start(ctx context.Context, job *Job) (err error) {
	if s.dir, err = os.MkdirTemp(s.Dir, "ppl-work-"); err != nil {
		return err
	}
	s.runner, err = s.Start(job, func(i int) (string, error) {
		if i < 0 || i >= len(job.Files) {
			return "", errNoFile
		}
		return s.bring(ctx, job.Files[i], fmt.Sprintf("file-%d", i))
	})
	if err != nil {
		s.runner = nil
		s.close()
		return err
	}
	s.files = job.Files
	return nil
}

var errNoFile = &Failure{Text: "the job lists no such file", Final: true}

// bring puts a file of a job into the folder of the slot, under a name that is none of a sender's.
func (s *slot) bring(ctx context.Context, hash, name string) (string, error) {
	path := filepath.Join(s.dir, name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if !isHash(hash) {
		return "", errNoFile
	}
	err := s.c.explain(s.c.files.GetFile(ctx, hash, path))
	var text []byte
	if err == nil {
		text, err = os.ReadFile(path)
	}
	if err == nil && Hash(text) != hash {
		err = &Failure{Text: "a file of the job is not what its hash says", Final: true}
	}
	if err != nil {
		_ = os.Remove(path) // it would be taken for whole
	}
	return path, err
}

// conclude stores what a task gave, and gives it back where it may be done by another.
func (s *slot) conclude(ctx context.Context, m jetstream.Msg, job *Job, task, attempt int, result []byte, err error, log *slog.Logger) {
	var f *Failure
	switch known := errors.As(err, &f); {
	case errors.Is(context.Cause(ctx), ErrStopped), errors.Is(err, errUnwanted):
		log.Info("stopped")
		_ = m.Term()
		return
	case ctx.Err() != nil:
		log.Info("given back")
		_ = m.Nak()
		return
	case err == nil:
		if err = s.store(ctx, job, task, result); err == nil {
			s.done.Add(1)
			log.Info("done", "bytes", len(result))
			_ = m.Ack() // if it does not arrive, the result will be found
		}
		return
	case !known:
		f = &Failure{Text: err.Error()}
	}
	log.Error("failed", "error", f.Text)
	text := fmt.Sprintf("task %d of %d, attempt %d on %s: %s", task+1, job.Tasks, attempt, s.Name, f.Text)
	if again := !f.Final && attempt < Attempts; again || job.Held {
		_ = s.c.conn.Publish(noticesOf+job.ID, []byte(text))
		if !again { // who asks does without
			s.failed.Add(1)
			_ = m.Term()
			return
		}
		_ = m.NakWithDelay(time.Duration(attempt) * 200 * time.Millisecond)
		return
	}
	s.failed.Add(1)
	if !f.Final || attempt > 1 {
		f.Text = fmt.Sprintf("given up after %d attempts: %s", min(attempt, Attempts), text)
	}
	value, _ := json.Marshal(f) // strings and numbers
	if s.put(ctx, job, task, append([]byte{isFailure}, value...)) == nil {
		_ = m.Ack()
	}
}

// store keeps a result.
func (s *slot) store(ctx context.Context, job *Job, task int, result []byte) error {
	if len(result) <= inline {
		return s.put(ctx, job, task, append([]byte{isResult}, result...))
	}
	err := s.insist(ctx, job, func() error {
		_, err := s.c.files.PutBytes(ctx, job.key(task), result)
		return err
	})
	if err != nil {
		return err
	}
	return s.put(ctx, job, task, []byte{isObject})
}

func (s *slot) put(ctx context.Context, job *Job, task int, value []byte) error {
	return s.insist(ctx, job, func() error {
		_, err := s.c.results.Put(ctx, job.key(task), value)
		return err
	})
}

// insist tries until the server takes what was worked for: it may be away, or its disk full.
func (s *slot) insist(ctx context.Context, job *Job, put func() error) error {
	for wait := 200 * time.Millisecond; ; wait = min(2*wait, 10*time.Second) {
		err := put()
		if err == nil || ctx.Err() != nil {
			return err
		}
		s.Log.Warn("a result could not be stored; trying again", "error", err)
		_ = s.c.conn.Publish(noticesOf+job.ID, fmt.Appendf(nil, "%s cannot store a result and tries again: %v", s.Name, s.c.explain(err)))
		pause(ctx, wait)
	}
}

// Metrics writes counters as Prometheus reads them.
func (w *Worker) Metrics(out io.Writer) error {
	_, err := fmt.Fprintf(out, `# TYPE ppl_worker_slots gauge
ppl_worker_slots %d
# TYPE ppl_worker_busy gauge
ppl_worker_busy %d
# TYPE ppl_worker_tasks_total counter
ppl_worker_tasks_total{outcome="done"} %d
ppl_worker_tasks_total{outcome="failed"} %d
# TYPE ppl_worker_task_seconds_total counter
ppl_worker_task_seconds_total %g
`, w.Slots, w.busy.Load(), w.done.Load(), w.failed.Load(), float64(w.micros.Load())/1e6)
	return err
}
