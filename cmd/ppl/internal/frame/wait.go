package frame

// This file ends commands early: at an interrupt, a time limit, or with work left that does not end.

import (
	"context"
	"errors"
	"os/signal"
	"runtime/debug"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/system"
)

// ErrTimeLimit is the cause of a run that --time-limit ended.
var ErrTimeLimit = errors.New("time limit")

// UntilInterrupt is a context that ends at the first interrupt, or after limit where
// there is one; a second interrupt kills the program at once. say is called at the
// first.
func UntilInterrupt(limit *time.Duration, say func()) (context.Context, func()) {
	ctx, cancel := signal.NotifyContext(context.Background(), system.Endings()...)
	silence := context.AfterFunc(ctx, func() { cancel(); say() })
	end := func() { silence(); cancel() }
	if limit == nil {
		return ctx, end
	}
	limited, cancelLimit := context.WithTimeoutCause(ctx, *limit, ErrTimeLimit)
	return limited, func() { cancelLimit(); end() }
}

// EndedEarly is the error of a command that ctx ended before it had begun to write.
func EndedEarly(ctx context.Context) error {
	if errors.Is(context.Cause(ctx), ErrTimeLimit) {
		return &Exit{Code: ExitFailed, Err: errors.New("the time limit was reached before the first draw; nothing was written")}
	}
	return &Exit{Code: ExitInterrupted, Err: errors.New("interrupted; nothing was written")}
}

// Stopping is what is said at the first interrupt.
func (a *App) Stopping(quiet bool) func() {
	return func() {
		a.Stderr.Home()
		if !quiet {
			a.Say("stopping; a second interrupt stops at once")
		}
	}
}

// StopGrace is how long what is at work when a command is to stop may take to end by itself; fitGrace is that of fits,
// and judgeGrace that of diagnoses, which judge what was done before they end.
const (
	StopGrace  = 300 * time.Millisecond
	FitGrace   = 500 * time.Millisecond
	JudgeGrace = 3 * time.Second
)

// A leftError is that of a command which ctx ended while its work, which was left, still goes on.
type leftError struct{ error }

func (e leftError) Unwrap() error { return e.error }

func IsLeft(err error) bool {
	_, left := errors.AsType[leftError](err)
	return left
}

// WhileWaiting is what work returns, or the error of ctx if that ends StopGrace before: a pipe may never end, a large
// file takes its time, and one call of a library, such as the eigenvalues of a large matrix, cannot be left half-way.
// What is still at work then ends with the program, so what it writes must be such as outlasts a kill.
func WhileWaiting[T any](ctx context.Context, work func() (T, error)) (T, error) {
	return WithGrace(ctx, StopGrace, Never, work)
}

func Never() bool { return false }

// WithGrace is whileWaiting with another grace, and waits where stays says after it that there are results to wait for.
func WithGrace[T any](ctx context.Context, grace time.Duration, stays func() bool, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
		fault *Fault
	}
	done := make(chan outcome, 1)
	go func() {
		var out outcome
		defer func() {
			if v := recover(); v != nil { // is of the command, which reports it
				out.fault = &Fault{v, debug.Stack()}
			}
			done <- out
		}()
		out.value, out.err = work()
	}()
	late := make(chan struct{})
	defer context.AfterFunc(ctx, func() {
		if time.Sleep(grace); !stays() {
			close(late)
		}
	})()
	select {
	case out := <-done:
		if out.fault != nil {
			panic(out.fault)
		}
		return out.value, out.err
	case <-late:
		var none T
		return none, leftError{EndedEarly(ctx)}
	}
}

// A Fault is a panic of another goroutine, and where it was.
type Fault struct {
	Value any
	Stack []byte
}

// Asked is the error of a question about a model that takes its time, without an answer.
func Asked(ctx context.Context, question func() error) error {
	_, err := WhileWaiting(ctx, func() (struct{}, error) { return struct{}{}, question() })
	return err
}

// OrEnded is the error of a question about a model: that of ctx, where it has ended.
func OrEnded(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return EndedEarly(ctx)
	}
	return Wrong(err)
}
