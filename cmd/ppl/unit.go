package main

// This file is the process in which a worker has units done: it reads shares and answers with their parts.

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"runtime/debug"
	"sync"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/cluster"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/system"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/disk"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// unitCmd is for ppl work. A process of its own can be ended, whatever a model does.
type unitCmd struct {
	Spec   string `arg:"" help:"File of a workSpec."`
	Data   string `arg:"" optional:"" help:"List of its data files."`
	Memory int64  `help:"Most bytes."`
}

// A unitTask is what is to be done next.
type unitTask struct {
	Share string `json:"share"`           // which of the job's tasks it is
	Input string `json:"input,omitempty"` // file of what it is given
	Ask   []byte `json:"ask,omitempty"`   // a request, where the task is held
}

// A unitFunc does a task. A *cluster.Failure is passed on as it is.
type unitFunc func(unitTask) ([]byte, error)

// A unitAnswer is what a task gave, or why there is nothing.
type unitAnswer struct {
	Result  []byte           `json:"result,omitempty"`
	Failure *cluster.Failure `json:"failure,omitempty"`
}

// Run answers each task on standard input until that ends, as it does when the worker dies.
func (c *unitCmd) Run(a *frame.App) error {
	if c.Memory > 0 {
		if err := system.LimitMemory(c.Memory); err != nil {
			return err
		}
		debug.SetMemoryLimit(c.Memory * 85 / 100)
	}
	tasks := make(chan unitTask)
	go func() {
		for in := json.NewDecoder(a.Stdin); ; {
			var task unitTask
			if in.Decode(&task) != nil {
				os.Exit(0)
			}
			tasks <- task
		}
	}()
	var spec workSpec
	text, err := disk.ReadInput(c.Spec, disk.MostRecord)
	if err == nil {
		err = json.Unmarshal(text, &spec)
	}
	var do unitFunc
	switch prepare, ok := unitKinds[spec.Kind]; {
	case err == nil && spec.Version != a.Build():
		err = errors.New("the worker's program is another one since it was started; start the worker again")
	case err == nil && !ok:
		err = frame.Wrongf("the job is of no kind that there is: %q", spec.Kind)
	case err == nil:
		do, err = prepare(&spec, a, c.Data)
	}
	out := json.NewEncoder(a.Raw)
	for task := range tasks {
		answer := unitAnswer{Failure: failureOf(err)}
		if err == nil {
			var failed error
			answer.Result, failed = do(task)
			answer.Failure = failureOf(failed)
		}
		if err := out.Encode(answer); err != nil {
			return err
		}
	}
	return nil
}

// failureOf says what went wrong as it would be said here.
func failureOf(err error) *cluster.Failure {
	if err == nil {
		return nil
	}
	if f, ok := errors.AsType[*cluster.Failure](err); ok {
		return f
	}
	var bug *infer.PanicError
	another := errors.Is(err, stdlib.ErrMemory) || errors.As(err, &bug) // may do better
	return &cluster.Failure{Text: lang.ErrorText(err), Code: frame.CodeOf(err), Final: !another}
}

// unit does a share of diagnosis i. The result has lines as in a file of parts.
func (s *diagnosing) unit(i int, text string) ([]byte, error) {
	share, err := infer.ParseShare(text)
	if err != nil {
		return nil, err
	}
	d, seed := s.asked[i], s.seed
	if own, ok := d.Seed(); ok {
		seed = own
	}
	var parts partLines
	v, err := s.model.Diagnose(context.Background(), d, lang.RunOptions{Seed: seed, Jobs: 1, Observer: diagnose.WithStore(nil, &parts), Share: share})
	if err == nil && !v.Incomplete { // see concludeShare
		err = &cluster.Failure{Text: "the method fails: " + v.Summary, Final: true}
	}
	return parts.lines, err
}

// partLines are parts as a file of them has them. It implements diagnose.Store.
type partLines struct {
	mu    sync.Mutex
	lines []byte
}

// Part implements diagnose.Store.
func (*partLines) Part(string) ([]byte, error) { return nil, nil }

// Keep implements diagnose.Store.
func (p *partLines) Keep(name string, value []byte) error {
	line, err := partLine(name, value)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines = append(p.lines, line...)
	return err
}
