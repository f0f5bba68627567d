package infer_test

import (
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
)

// BenchmarkLockstep times one wait of a task: from the task to the next, and its share of
// the answer's call.
func BenchmarkLockstep(b *testing.B) {
	tasks := make([]infer.Task, infer.LockstepSize)
	for k := range tasks {
		tasks[k] = func(wait func() bool) {
			for range b.N / infer.LockstepSize {
				wait()
			}
		}
	}
	infer.Lockstep(tasks, func([]int) {})
}
