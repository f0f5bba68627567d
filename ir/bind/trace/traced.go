// Recorded programs, looked up by whether their guards hold.

package trace

import (
	"math/rand/v2"
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff"
)

// MaxTraces is how many recordings of one piece are kept; more control-flow
// signatures than that are recorded anew each time they come back.
const MaxTraces = 32

// A Traced piece of a model is compiled at the points where it is needed. It is safe
// for concurrent use.
type Traced struct {
	Record func(q []float64) (*autodiff.Program, error)
	Limit  int // recordings kept; 0 for maxTraces

	// Of a rebound model: how to record for any observations, where such recordings
	// are kept, and the observations.
	General   func(q []float64) (*autodiff.Program, error)
	Shared    *SharedTraces
	Constants []float64
	adopted   bool // the shared programs are among programs

	mu       sync.Mutex
	programs []*autodiff.Program
	next     int // which to replace once there are as many as are kept
}

// kept is how many recordings are kept.
func (t *Traced) kept() int {
	if t.Limit > 0 {
		return t.Limit
	}
	return MaxTraces
}

// Known returns recording i, nil where there is none (yet).
func (t *Traced) Known(i int) *autodiff.Program {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.adopt()
	if i < len(t.programs) {
		return t.programs[i]
	}
	return nil
}

// at records at q and keeps the result. Two goroutines that come first at the same
// time wait for each other and share it.
func (t *Traced) at(q []float64, first bool) (*autodiff.Program, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if first && len(t.programs) > 0 {
		return t.programs[0], nil
	}
	p, err := t.make(q)
	if err != nil {
		return nil, err
	}
	if len(t.programs) < t.kept() {
		t.programs = append(t.programs, p)
	} else {
		t.programs[t.next] = p
		t.next = (t.next + 1) % t.kept()
	}
	return p, nil
}

// A Runner runs a traced piece in one goroutine.
type Runner struct {
	traced   *Traced
	machines map[*autodiff.Program]*autodiff.Machine
	Last     *autodiff.Machine                           // whose guards held last time
	several  map[*autodiff.Machine]*autodiff.LaneMachine // of machines' programs, nil where one has none
	Random   *rand.Rand                                  // what programs draw from; nil where they draw nothing
	Eager    bool                                        // several is not left empty until it pays: for tests
}

func (t *Traced) Runner() *Runner {
	return &Runner{traced: t, machines: map[*autodiff.Program]*autodiff.Machine{}}
}

// Run evaluates the piece at q and gives the machine that holds its roots.
func (r *Runner) Run(q []float64) (*autodiff.Machine, error) {
	if r.Last != nil {
		if err := r.Last.Run(q); err != autodiff.ErrGuard {
			return r.Last, err
		}
	}
	tried := r.Last
	for i := 0; ; i++ {
		p := r.traced.Known(i)
		if p == nil {
			break
		}
		m := r.machine(p)
		if m == tried {
			continue
		}
		if err := m.Run(q); err != autodiff.ErrGuard {
			r.Last = m
			return m, err
		}
	}
	for first := r.Last == nil; ; first = false {
		p, err := r.traced.at(q, first)
		if err != nil {
			return nil, err
		}
		m := r.machine(p)
		if err := m.Run(q); err != autodiff.ErrGuard || !first {
			r.Last = m
			return m, err
		}
	}
}

func (r *Runner) machine(p *autodiff.Program) *autodiff.Machine {
	m, ok := r.machines[p]
	if !ok {
		if len(r.machines) >= 2*r.traced.kept() {
			clear(r.machines)
			clear(r.several)
		}
		m = p.NewMachine()
		for inst := range m.Instances {
			if d, ok := inst.(*drawInstance); ok {
				d.random = r.Random
			}
		}
		r.machines[p] = m
	}
	return m
}

// maxSharedTraces is how many recordings of a piece rebound models share.
const maxSharedTraces = 4

// A SharedTraces keeps the recordings of one piece that rebound models share.
type SharedTraces struct {
	mu       sync.Mutex
	programs []*autodiff.Program
}

// adopt adds the shared programs, with the observations at hand, to the piece's own.
func (t *Traced) adopt() {
	if t.Shared == nil || t.adopted {
		return
	}
	t.adopted = true
	t.Shared.mu.Lock()
	defer t.Shared.mu.Unlock()
	for _, p := range t.Shared.programs {
		t.programs = append(t.programs, p.WithConstants(t.Constants))
	}
}

// make records at q: for any observations where nothing but arithmetic depends on them.
func (t *Traced) make(q []float64) (*autodiff.Program, error) {
	if t.Shared == nil {
		return t.Record(q)
	}
	p, err := t.General(q)
	if err != nil {
		return nil, err
	}
	if p.GuardsUseConstants() {
		return t.Record(q)
	}
	t.Shared.mu.Lock()
	defer t.Shared.mu.Unlock()
	if len(t.Shared.programs) < maxSharedTraces {
		t.Shared.programs = append(t.Shared.programs, p)
	}
	return p, nil
}
