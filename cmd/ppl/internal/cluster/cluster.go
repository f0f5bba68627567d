// Package cluster has the tasks of a job done on many machines, over NATS JetStream.
//
// A job is a payload that this package does not read, with a number of tasks. Whoever submits it (Submit) puts the
// payload into an object store and a message for each task into a work queue. Workers (Worker) lease tasks,
// tell the server that they are alive while they work, and put what a task gives into a key-value bucket under the
// job's hash and the task's number; a task whose worker dies is leased to another. Since jobs are named by a hash of all that
// their results depend on, what was done once is never done again, and two who submit the same job share it.
//
// Ownership. Values that are handed over are read-only from then on.
//
// Concurrency. A Cluster may be used from several goroutines.
package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// What there is on a server.
const (
	queueName   = "PPL_TASKS"
	queuePrefix = "ppl.tasks."
	noticesOf   = "ppl.notices." // of a job, for who waits for it; they are not kept
)

// How long things last.
const (
	kept       = 30 * 24 * time.Hour // jobs, their files and results
	lease      = 6 * time.Second     // of a task, from the last sign of life
	heartbeat  = lease / 4
	presence   = 15 * time.Second // of a worker, from the last sign of life
	forRequest = 10 * time.Second // an answer of the server
)

// Attempts is how often a task is begun before it is given up.
const Attempts = 5

// A Job is what workers are to do.
type Job struct {
	ID      string   `json:"id"`      // a hash of all that the results depend on
	Version string   `json:"version"` // of the program that must do it
	Tasks   int      `json:"tasks"`
	Files   []string `json:"files"`            // by their hashes, in the object store; the first is the payload. Jobs with the same share runners
	Inputs  []string `json:"inputs,omitempty"` // those of what each task is given beside them; none: nothing
	Held    bool     `json:"held,omitempty"`   // who leases a task answers requests; it has no result
	Stopped bool     `json:"stopped,omitempty"`
}

// Hash names a content.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// isHash reports whether a name is one that Hash gives. Names that others have written go into subjects and keys.
func isHash(name string) bool {
	return len(name) == 2*sha256.Size && strings.Trim(name, "0123456789abcdef") == ""
}

// A Failure is why a task cannot be done.
type Failure struct {
	Text  string `json:"text"`
	Code  int    `json:"code,omitempty"`  // exit code that the program would end with
	Final bool   `json:"final,omitempty"` // another attempt would end in the same way
}

// Error implements error.
func (f *Failure) Error() string { return f.Text }

// A Cluster is a server with the queue, the results and the files of jobs.
type Cluster struct {
	url     string
	conn    *nats.Conn
	js      jetstream.JetStream
	queue   jetstream.Stream
	jobs    jetstream.KeyValue
	results jetstream.KeyValue
	workers jetstream.KeyValue
	files   jetstream.ObjectStore
	again   chan struct{} // a connection that was lost is there again
}

// Close ends the connection.
func (c *Cluster) Close() { c.conn.Close() }

// open finds the queue and the buckets on the server, or makes them.
func (c *Cluster) open(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, forRequest)
	defer cancel()
	if c.js, err = jetstream.New(c.conn); err != nil {
		return err
	}
	// One message a subject, and a subject a task: a task that waits or is being done is not queued again.
	c.queue, err = c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: queueName, Subjects: []string{queuePrefix + ">"}, Retention: jetstream.WorkQueuePolicy, MaxAge: kept,
		MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
	})
	buckets := []struct {
		at *jetstream.KeyValue
		jetstream.KeyValueConfig
	}{
		{&c.jobs, jetstream.KeyValueConfig{Bucket: "ppl_jobs", TTL: kept}},
		{&c.results, jetstream.KeyValueConfig{Bucket: "ppl_results", TTL: kept}},
		{&c.workers, jetstream.KeyValueConfig{Bucket: "ppl_workers", TTL: presence, Storage: jetstream.MemoryStorage}},
	}
	for _, b := range buckets {
		if err == nil {
			*b.at, err = c.js.CreateOrUpdateKeyValue(ctx, b.KeyValueConfig)
		}
	}
	if err == nil {
		c.files, err = c.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: "ppl_files", TTL: kept})
	}
	return c.explain(err)
}

// explain says in our words what the server answered.
func (c *Cluster) explain(err error) error {
	var api *jetstream.APIError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount), errors.Is(err, nats.ErrNoResponders):
		return fmt.Errorf("%s: the server has no JetStream, or none for these credentials: %w", c.url, err)
	case errors.As(err, &api) && (strings.Contains(api.Description, "insufficient") || strings.Contains(api.Description, "maximum bytes")):
		return fmt.Errorf("%s: the server's store is full: %w", c.url, err)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, nats.ErrTimeout):
		return fmt.Errorf("%s: the server does not answer: %w", c.url, err)
	}
	return fmt.Errorf("%s: %w", c.url, err)
}

// versionToken is a version as a part of a subject.
func versionToken(version string) string { return Hash([]byte(version))[:16] }

// subject is where the tasks of a job are queued; task may be a wildcard.
func (j *Job) subject(task any) string {
	return fmt.Sprintf("%s%s.%s.%v", queuePrefix, versionToken(j.Version), j.ID, task)
}

// key is where the result of a task is; task may be a wildcard.
func (j *Job) key(task any) string { return fmt.Sprintf("%s.%v", j.ID, task) }

// job reads the record of a job; nil where there is none.
func (c *Cluster) job(ctx context.Context, id string) (*Job, error) {
	e, err := c.jobs.Get(ctx, id)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return jobOf(e, id)
}

func jobOf(e jetstream.KeyValueEntry, id string) (*Job, error) {
	j := &Job{}
	if err := json.Unmarshal(e.Value(), j); err != nil || j.ID != id || len(j.Files) == 0 || len(j.Inputs) != 0 && len(j.Inputs) != j.Tasks {
		return nil, fmt.Errorf("the record of job %.12s cannot be read", id)
	}
	return j, nil
}

// A Standing is a job with how far it is.
type Standing struct {
	Job
	Submitted time.Time // or stopped, the last time
	Done      int       // tasks with a result
	Waiting   int       // tasks in the queue or at work
}

// Jobs lists the jobs on the server.
func (c *Cluster) Jobs(ctx context.Context) ([]Standing, error) {
	ctx, cancel := context.WithTimeout(ctx, forRequest)
	defer cancel()
	waiting := map[string]int{}
	info, err := c.queue.Info(ctx, jetstream.WithSubjectFilter(queuePrefix+">"))
	if err != nil {
		return nil, c.explain(err)
	}
	for subject := range info.State.Subjects {
		if id, _, err := taskOf(subject); err == nil {
			waiting[id]++
		}
	}
	done := map[string]int{}
	keys, err := c.results.ListKeys(ctx)
	if err != nil {
		return nil, c.explain(err)
	}
	for key := range keys.Keys() {
		id, _, _ := strings.Cut(key, ".")
		done[id]++
	}
	names, err := c.jobs.ListKeys(ctx)
	if err != nil {
		return nil, c.explain(err)
	}
	var out []Standing
	for id := range names.Keys() {
		if e, err := c.jobs.Get(ctx, id); err == nil {
			if j, err := jobOf(e, id); err == nil { // else nobody can do anything about it
				out = append(out, Standing{*j, e.Created(), done[id], waiting[id]})
			}
		}
	}
	return out, nil
}

// File is the content of a file of a job.
func (c *Cluster) File(ctx context.Context, hash string) ([]byte, error) {
	text, err := c.files.GetBytes(ctx, hash)
	if err == nil && Hash(text) != hash {
		err = errors.New("a file of the job is not what its hash says")
	}
	return text, c.explain(err)
}

// A Presence is what a worker says of itself.
type Presence struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Slots   int    `json:"slots"`
}

// Workers lists who is at work.
func (c *Cluster) Workers(ctx context.Context) ([]Presence, error) {
	w, err := c.workers.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, c.explain(err)
	}
	defer w.Stop() //nolint:errcheck // the answers are there
	var out []Presence
	for {
		select {
		case e := <-w.Updates():
			var p Presence
			if e == nil { // that was all
				return out, nil
			}
			if json.Unmarshal(e.Value(), &p) == nil {
				out = append(out, p)
			}
		case <-ctx.Done():
			return out, ctx.Err()
		}
	}
}
