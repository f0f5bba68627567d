// Recorded programs, looked up by whether their guards hold.

package bind

import (
	"math/rand/v2"
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff"
)

// maxTraces is how many recordings of one piece are kept; more control-flow
// signatures than that are recorded anew each time they come back.
const maxTraces = 32

// A traced piece of a model is compiled at the points where it is needed. It is safe
// for concurrent use.
type traced struct {
	record func(q []float64) (*autodiff.Program, error)
	limit  int // recordings kept; 0 for maxTraces

	// Of a rebound model: how to record for any observations, where such recordings
	// are kept, and the observations.
	general func(q []float64) (*autodiff.Program, error)
	shared  *sharedTraces
	numbers []float64
	adopted bool // the shared programs are among programs

	mu       sync.Mutex
	programs []*autodiff.Program
	next     int // which to replace once there are as many as are kept
}

// kept is how many recordings are kept.
func (t *traced) kept() int {
	if t.limit > 0 {
		return t.limit
	}
	return maxTraces
}

// known returns recording i, nil where there is none (yet).
func (t *traced) known(i int) *autodiff.Program {
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
func (t *traced) at(q []float64, first bool) (*autodiff.Program, error) {
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

// A runner runs a traced piece in one goroutine.
type runner struct {
	traced   *traced
	machines map[*autodiff.Program]*autodiff.Machine
	last     *autodiff.Machine                           // whose guards held last time
	several  map[*autodiff.Machine]*autodiff.LaneMachine // of machines' programs, nil where one has none
	random   *rand.Rand                                  // what programs draw from; nil where they draw nothing
	eager    bool                                        // several is not left empty until it pays: for tests
}

func (t *traced) runner() *runner {
	return &runner{traced: t, machines: map[*autodiff.Program]*autodiff.Machine{}}
}

// run evaluates the piece at q and gives the machine that holds its roots.
func (r *runner) run(q []float64) (*autodiff.Machine, error) {
	if r.last != nil {
		if err := r.last.Run(q); err != autodiff.ErrGuard {
			return r.last, err
		}
	}
	tried := r.last
	for i := 0; ; i++ {
		p := r.traced.known(i)
		if p == nil {
			break
		}
		m := r.machine(p)
		if m == tried {
			continue
		}
		if err := m.Run(q); err != autodiff.ErrGuard {
			r.last = m
			return m, err
		}
	}
	for first := r.last == nil; ; first = false {
		p, err := r.traced.at(q, first)
		if err != nil {
			return nil, err
		}
		m := r.machine(p)
		if err := m.Run(q); err != autodiff.ErrGuard || !first {
			r.last = m
			return m, err
		}
	}
}

func (r *runner) machine(p *autodiff.Program) *autodiff.Machine {
	m, ok := r.machines[p]
	if !ok {
		if len(r.machines) >= 2*r.traced.kept() {
			clear(r.machines)
			clear(r.several)
		}
		m = p.NewMachine()
		for inst := range m.Instances {
			if d, ok := inst.(*drawInstance); ok {
				d.random = r.random
			}
		}
		r.machines[p] = m
	}
	return m
}

// maxSharedTraces is how many recordings of a piece rebound models share.
const maxSharedTraces = 4

// A sharedTraces keeps the recordings of one piece that rebound models share.
type sharedTraces struct {
	mu       sync.Mutex
	programs []*autodiff.Program
}

// adopt adds the shared programs, with the observations at hand, to the piece's own.
func (t *traced) adopt() {
	if t.shared == nil || t.adopted {
		return
	}
	t.adopted = true
	t.shared.mu.Lock()
	defer t.shared.mu.Unlock()
	for _, p := range t.shared.programs {
		t.programs = append(t.programs, p.WithConstants(t.numbers))
	}
}

// make records at q: for any observations where nothing but arithmetic depends on them.
func (t *traced) make(q []float64) (*autodiff.Program, error) {
	if t.shared == nil {
		return t.record(q)
	}
	p, err := t.general(q)
	if err != nil {
		return nil, err
	}
	if p.GuardsUseConstants() {
		return t.record(q)
	}
	t.shared.mu.Lock()
	defer t.shared.mu.Unlock()
	if len(t.shared.programs) < maxSharedTraces {
		t.shared.programs = append(t.shared.programs, p)
	}
	return p, nil
}
