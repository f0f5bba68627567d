package cluster

// This file is the side of who wants a job done.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A value of the bucket of results begins with one of these.
const (
	isResult  = 'r' // the result follows
	isObject  = 'o' // the result is the object of the key's name
	isFailure = 'f' // a Failure follows, as JSON
)

// ErrStopped is the error of a job that somebody else has stopped.
var ErrStopped = errors.New("the job was stopped by another who had submitted it")

// Submit queues the tasks of a job that have no results yet. files are the contents of job.Files and job.Inputs, by their hashes.
func (c *Cluster) Submit(ctx context.Context, job *Job, files map[string][]byte) error {
	if err := c.acceptable(ctx, job.Version); err != nil {
		return err
	}
	for _, name := range slices.Concat(job.Files, job.Inputs) {
		_, err := c.files.GetInfo(ctx, name)
		if errors.Is(err, jetstream.ErrObjectNotFound) {
			_, err = c.files.PutBytes(ctx, name, files[name])
		}
		if err != nil {
			return c.explain(err)
		}
	}
	if err := c.record(ctx, job, false); err != nil {
		return err
	}
	return c.enqueue(ctx, job)
}

// acceptable refuses a version that no worker has, where there are workers.
func (c *Cluster) acceptable(ctx context.Context, version string) error {
	present, err := c.Workers(ctx)
	if err != nil || len(present) == 0 || slices.ContainsFunc(present, func(p Presence) bool { return p.Version == version }) {
		return err
	}
	var others []string
	for _, p := range present {
		others = append(others, fmt.Sprintf("%s: %s", p.Name, p.Version))
	}
	slices.Sort(others)
	return fmt.Errorf("%s: the workers are of other versions, which may give other bytes\n  here: %s\n  %s", c.url, version, strings.Join(slices.Compact(others), "\n  "))
}

func (c *Cluster) record(ctx context.Context, job *Job, stopped bool) error {
	j := *job
	j.Stopped = stopped
	text, err := json.Marshal(j)
	if err == nil {
		_, err = c.jobs.Put(ctx, j.ID, text)
	}
	return c.explain(err)
}

// enqueue queues tasks without results; those that are queued already stay as they are.
func (c *Cluster) enqueue(ctx context.Context, job *Job) error {
	keys, err := c.results.ListKeysFiltered(ctx, job.key("*"))
	if err != nil {
		return c.explain(err)
	}
	done := map[string]bool{}
	for k := range keys.Keys() {
		done[k] = true
	}
	var sent []jetstream.PubAckFuture
	for i := range job.Tasks {
		if done[job.key(i)] {
			continue
		}
		f, err := c.js.PublishMsgAsync(&nats.Msg{Subject: job.subject(i)})
		if err != nil {
			return c.explain(err)
		}
		sent = append(sent, f)
	}
	for _, f := range sent {
		select {
		case <-f.Ok():
		case err := <-f.Err():
			if !strings.Contains(err.Error(), "per subject") { // it is queued
				return c.explain(err)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Stop takes the tasks of a job out of the queue and has workers let go of them. Results stay.
func (c *Cluster) Stop(job *Job) error {
	ctx, cancel := context.WithTimeout(context.Background(), forRequest)
	defer cancel()
	return errors.Join(c.record(ctx, job, true), c.explain(c.queue.Purge(ctx, jetstream.WithPurgeSubject(job.subject("*")))))
}

// Wait calls each with the results of the tasks, in the order in which they come, until all are there. An error is a *Failure,
// that of each, the server's, or the context's. say is told what hinders the work.
func (c *Cluster) Wait(ctx context.Context, job *Job, each func(task int, result []byte) error, say func(text string)) error {
	notices, err := c.conn.Subscribe(noticesOf+job.ID, func(m *nats.Msg) { say(string(m.Data)) })
	if err != nil {
		return c.explain(err)
	}
	defer notices.Unsubscribe() //nolint:errcheck // at worst the connection is closed
	w, err := c.results.Watch(ctx, job.key("*"), jetstream.IgnoreDeletes())
	if err != nil {
		return c.explain(err)
	}
	defer func() { _ = w.Stop() }() // as above
	look := time.NewTicker(presence)
	defer look.Stop()
	first := time.After(2 * time.Second)
	got := map[int]bool{}
	var retry <-chan time.Time
	for len(got) < job.Tasks {
		select {
		case e := <-w.Updates():
			if e == nil { // what was there has come
				continue
			}
			task, err := strconv.Atoi(strings.TrimPrefix(e.Key(), job.ID+"."))
			if err != nil || got[task] || task < 0 || task >= job.Tasks {
				continue // of no task, or done twice
			}
			result, err := c.result(ctx, e)
			if err == nil {
				err = each(task, result)
			}
			if err != nil {
				return err
			}
			got[task] = true
		case <-c.again: // a server that was started again does not know who watched
			retry = time.After(time.Second)
		case <-retry:
			if next, err := c.results.Watch(ctx, job.key("*"), jetstream.IgnoreDeletes()); err == nil {
				_ = w.Stop() // what it watched may be gone
				w, retry = next, nil
			} else {
				retry = time.After(time.Second)
			}
		case <-first:
			c.remarkAlone(ctx, say)
		case <-look.C:
			if err := c.tend(ctx, job, say); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// result reads an entry. A failure is forgotten, so that who submits the job again has the task tried again.
func (c *Cluster) result(ctx context.Context, e jetstream.KeyValueEntry) ([]byte, error) {
	if len(e.Value()) == 0 {
		return nil, fmt.Errorf("%s: the result %s is empty", c.url, e.Key())
	}
	switch kind, rest := e.Value()[0], e.Value()[1:]; kind {
	case isFailure:
		f := &Failure{}
		if err := json.Unmarshal(rest, f); err != nil {
			f.Text = "a task failed"
		}
		return nil, errors.Join(f, c.explain(c.results.Delete(ctx, e.Key())))
	case isObject:
		out, err := c.files.GetBytes(ctx, e.Key())
		return out, c.explain(err)
	default:
		return rest, nil
	}
}

// tend looks after a job that is waited for: it may have been stopped, and its tasks may have been lost with the
// server's disk.
func (c *Cluster) tend(ctx context.Context, job *Job, say func(string)) error {
	if !c.conn.IsConnected() {
		return nil // it is tried again
	}
	ctx, cancel := context.WithTimeout(ctx, forRequest)
	defer cancel()
	now, err := c.job(ctx, job.ID)
	switch {
	case err != nil:
		return nil // the connection's handlers tell
	case now == nil:
		err = c.record(ctx, job, false)
	case now.Stopped:
		return ErrStopped
	}
	if err == nil {
		err = c.enqueue(ctx, job)
	}
	if err != nil && ctx.Err() == nil {
		say(err.Error())
	}
	c.remarkAlone(ctx, say)
	return nil
}

// remarkAlone says that there is nobody to do the work.
func (c *Cluster) remarkAlone(ctx context.Context, say func(string)) {
	if present, err := c.Workers(ctx); err == nil && len(present) == 0 {
		say(fmt.Sprintf("%s: there is no worker; ppl work %[1]s on some machine is one", c.url))
	}
}
