// Programs for any observations: rebound models share recordings in which the
// observations are numbers that can be exchanged.
//
// Such a recording holds for other observations as long as nothing but arithmetic
// depends on them. Where an index or a condition does, the recording guards it, and the model
// records for its observations alone. The last digits of the two kinds of recordings differ, so
// which one a model runs depends on the model and its observations, never on which models came
// before.

package bind

import (
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/eval"
)

// A supply is the observations of a rebound model as one vector.
type supply struct {
	values  []Named
	numbers []float64
	general bool // recordings take the numbers as given
}

// newSupply is nil where an observation is a tuple.
func newSupply(values []Named) *supply {
	s := &supply{values: values}
	for _, v := range values {
		if v.Value.Fields != nil || v.Value.Elems != nil {
			return nil
		}
		s.numbers = append(s.numbers, v.Value.X...)
	}
	return s
}

// shelfSize is how many recordings of a piece rebound models share.
const shelfSize = 4

// A shelf keeps the recordings of one piece that rebound models share.
type shelf struct {
	mu       sync.Mutex
	programs []*autodiff.Program
}

// shelf gives the shelf of a piece.
func (s *simulator) shelf(name string) *shelf {
	s.shelfLock.Lock()
	defer s.shelfLock.Unlock()
	if s.shelves == nil {
		s.shelves = map[string]*shelf{}
	}
	x := s.shelves[name]
	if x == nil {
		x = &shelf{}
		s.shelves[name] = x
	}
	return x
}

// piece makes a traced piece of the model.
func (m *Model) piece(name string, record func(*Model, []float64) (*autodiff.Program, error)) *traced {
	t := &traced{record: func(q []float64) (*autodiff.Program, error) { return record(m, q) }}
	if m.supply == nil || len(m.supply.numbers) == 0 {
		return t
	}
	t.shelf, t.numbers = m.simulator.shelf(name), m.supply.numbers
	t.general = func(q []float64) (*autodiff.Program, error) {
		n := m.sibling()
		n.known = m.known
		s := *m.supply
		s.general = true
		n.supply = &s
		return record(n, q)
	}
	return t
}

// recording makes an evaluator that reports to a recorder.
func (m *Model) recording(rec *recorder) *eval.Machine { return m.recordingOf(m.prog, rec) }

// recordingOf is the same for the program after the passes.
func (m *Model) recordingOf(prog *ir.Program, rec *recorder) *eval.Machine {
	em := m.machineOf(prog)
	em.Rec = rec
	if m.supply == nil || !m.supply.general {
		return em
	}
	em.Supplied = true
	given := rec.g.RuntimeConstants(m.supply.numbers)
	off := 0
	for _, v := range m.supply.values {
		x := v.Value.Shared()
		if n := len(x.X); n > 0 {
			x.Node = rec.g.View(given, off, n)
			off += n
		}
		em.Set(v.Var, x)
	}
	return em
}

// take adds the shelf's programs, with the observations at hand, to the piece's own.
func (t *traced) take() {
	if t.shelf == nil || t.taken {
		return
	}
	t.taken = true
	t.shelf.mu.Lock()
	defer t.shelf.mu.Unlock()
	for _, p := range t.shelf.programs {
		t.programs = append(t.programs, p.WithConstants(t.numbers))
	}
}

// make records at q: for any observations where nothing but arithmetic depends on them.
func (t *traced) make(q []float64) (*autodiff.Program, error) {
	if t.shelf == nil {
		return t.record(q)
	}
	p, err := t.general(q)
	if err != nil {
		return nil, err
	}
	if p.GuardsUseConstants() {
		return t.record(q)
	}
	t.shelf.mu.Lock()
	defer t.shelf.mu.Unlock()
	if len(t.shelf.programs) < shelfSize {
		t.shelf.programs = append(t.shelf.programs, p)
	}
	return p, nil
}
