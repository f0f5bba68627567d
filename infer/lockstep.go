// This file lets tasks in one goroutine wait for each other, so that what they ask for can
// be done together.

package infer

import "iter"

// LockstepSize is how many tasks share a goroutine at most: as many as there are points in
// one pass of an evaluator.
const LockstepSize = 4

// A Task is one that runs in Lockstep. It calls wait to be answered, which reports whether it was.
// A task that was not is to end.
type Task func(wait func() bool)

// Lockstep runs tasks as coroutines of the calling goroutine. They take turns: each runs
// until it waits, and when all that have not ended do, answer is called with their numbers,
// in ascending order. A panic of a task or of answer comes out of Lockstep, once the other tasks
// have ended.
func Lockstep(tasks []Task, answer func(waiting []int)) {
	turns := make([]func() (struct{}, bool), len(tasks))
	waiting := make([]int, len(tasks))
	for k, task := range tasks {
		next, stop := iter.Pull(func(yield func(struct{}) bool) {
			task(func() bool { return yield(struct{}{}) })
		})
		defer stop()
		turns[k], waiting[k] = next, k
	}
	for len(waiting) > 0 {
		left := waiting[:0]
		for _, k := range waiting {
			if _, waits := turns[k](); waits {
				left = append(left, k)
			}
		}
		if waiting = left; len(waiting) > 0 {
			answer(waiting)
		}
	}
}
