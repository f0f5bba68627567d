// Giving up: walks of the evaluator end when nobody waits for them any more.

package bind

import (
	"context"
	"sync"

	"github.com/seed-12b88e03/ppl/infer"
)

// cancellation knows the contexts of the runs that use a model.
type cancellation struct {
	mu      sync.Mutex
	runs    map[*context.Context]context.Context
	between context.Context // where there are no runs; nil: nobody leaves off
}

// Within makes calls of m outside of runs, such as Generative and draws from the prior, end when ctx ends.
func Within(ctx context.Context, m *Model) {
	m.cancellation.mu.Lock()
	defer m.cancellation.mu.Unlock()
	m.cancellation.between = ctx
}

// TrackRun reports that a run with this context uses the model, until leave is called. A
// loop of the program that never ends is given up, with infer.ErrInterrupted, once all
// such contexts have ended.
func (m *Model) TrackRun(ctx context.Context) (leave func()) {
	w := m.cancellation
	key := &ctx
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.runs == nil {
		w.runs = map[*context.Context]context.Context{}
	}
	w.runs[key] = ctx
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.runs, key)
	}
}

// stop reports whether everybody who waited has left off.
func (w *cancellation) stop() error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, ctx := range w.runs {
		if ctx.Err() == nil {
			return nil
		}
	}
	if len(w.runs) == 0 && (w.between == nil || w.between.Err() == nil) {
		return nil
	}
	return infer.ErrInterrupted
}
