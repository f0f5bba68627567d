// This file is the method: options, defaults, paths on goroutines.

package pathfinder

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// Options are the settings of the method. History, of Settings, is also the
// number of pairs that inverse Hessians are made from.
type Options struct {
	optimize.Settings
	Paths   int // at least 1
	Draws   int // draws of the result, and of each path, at least 1
	Samples int // draws for each evidence lower bound, at least 1
	Init    infer.Init
}

// DefaultOptions are those of the language.
func DefaultOptions() Options {
	s := optimize.DefaultSettings()
	s.History = 6
	return Options{Settings: s, Paths: 4, Draws: 1000, Samples: 25, Init: infer.Init{Radius: 2}}
}

// Method implements infer.Method.
type Method struct{ options Options }

// New checks the options and returns the method.
func New(o Options) (*Method, error) {
	if err := o.Settings.Validate(); err != nil {
		return nil, fmt.Errorf("pathfinder: %w", err)
	}
	for _, c := range []struct {
		name  string
		value int
	}{{"paths", o.Paths}, {"draws", o.Draws}, {"samples", o.Samples}} {
		if c.value < 1 {
			return nil, fmt.Errorf("pathfinder: %s must be at least 1, found %d", c.name, c.value)
		}
	}
	return &Method{o}, nil
}

// Name implements infer.Method.
func (m *Method) Name() string { return "pathfinder" }

// Config is the method's settings in CmdStan's tree.
func (m *Method) Config() []draws.Entry {
	o := m.options
	return []draws.Entry{{Name: "algorithm", Value: "pathfinder", Choice: true, Children: []draws.Entry{{
		Name: "pathfinder", Children: append(o.Settings.Config(),
			draws.Entry{Name: "history_size", Value: o.History, Default: o.History == 6},
			draws.Entry{Name: "num_paths", Value: o.Paths, Default: o.Paths == 4},
			draws.Entry{Name: "num_draws", Value: o.Draws, Default: o.Draws == 1000},
			draws.Entry{Name: "num_elbo_draws", Value: o.Samples, Default: o.Samples == 25}),
	}}}}
}

// run is what the paths of one run share.
type run struct {
	ctx     context.Context
	method  *Method
	model   infer.Model
	options infer.Options
	rec     *infer.Recorder
	mu      sync.Mutex // guards rec while paths run
	paths   []*Path
	draws   []*pathDraws
	errs    []error
}

// Run implements infer.Method. Cut short, it gives what the paths that have an
// approximation have.
func (m *Method) Run(ctx context.Context, model infer.Model, o infer.Options) (p *infer.Posterior, err error) {
	ev := model.NewEvaluator()
	if err := approx.Differentiable(m.Name(), ev); err != nil {
		return nil, err
	}
	k := m.options.Paths
	r := &run{
		ctx: ctx, method: m, model: model, options: o,
		paths: make([]*Path, k), draws: make([]*pathDraws, k), errs: make([]error, k),
	}
	r.rec, err = infer.NewRecorder(model, ev, o, draws.Plan{
		Method: m.Name(), Draws: m.options.Draws, Stats: []string{"lp_approx__", "path__"}, Config: m.Config(),
	}, 0)
	if err != nil {
		return nil, err
	}
	err = infer.Guarded(func() error {
		if err := r.all(ev); err != nil {
			return err
		}
		if err := r.combine(); err != nil {
			return err
		}
		p, err = r.rec.End(context.Cause(ctx))
		return err
	})
	return p, err
}

// all follows the paths. It fails if a path met a fatal error, or if all of
// them failed without being interrupted.
func (r *run) all(first infer.Evaluator) error {
	next := make(chan int)
	var wg sync.WaitGroup
	for j := range min(max(r.options.Jobs, 1), len(r.paths)) {
		wg.Go(func() {
			ev := first
			for i := range next {
				r.errs[i] = infer.Guarded(func() error {
					if j > 0 && ev == first {
						ev = r.model.NewEvaluator()
					}
					return r.follow(i, ev)
				})
			}
		})
	}
	for i := range r.paths {
		next <- i
	}
	close(next)
	wg.Wait()
	failed := 0
	for _, err := range r.errs {
		var start *infer.InitError
		switch {
		case err == nil || infer.IsInterrupted(err):
		case errors.Is(err, ErrNoCandidate) || errors.As(err, &start):
			failed++
		default:
			return err
		}
	}
	if failed == len(r.errs) {
		return r.errs[0]
	}
	return nil
}

// follow takes path i to its draws.
func (r *run) follow(i int, ev infer.Evaluator) error {
	o, t := r.method.options, infer.Interruptible(r.ctx, ev)
	state := infer.State{Q: make([]float64, t.Dim())}
	if err := o.Init.Start(t, i, rng.New(r.options.Seed, rng.Init, uint64(i), r.options.Replicate), &state); err != nil {
		return err
	}
	stream := rng.New(r.options.Seed, "pathfinder", uint64(i), r.options.Replicate)
	path, err := Follow(t, stream, state.Q, o.Settings, o.Samples)
	r.paths[i] = path
	if err != nil && !infer.IsInterrupted(err) {
		return err
	}
	if path.Normal == nil {
		return err
	}
	n := o.Draws
	if err != nil {
		n = min(n, approx.CancelledDraws)
	}
	r.draws[i], err = drawPath(ev, path.Normal, stream, n)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rec.Step()
	return err
}
