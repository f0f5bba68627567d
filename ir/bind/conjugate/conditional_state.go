// A point of the sweep with what follows from it.

package conjugate

import (
	"math/rand/v2"
	"sort"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/junction"
	"github.com/seed-12b88e03/ppl/infer/sparse"
)

// A State is an evaluator's copy of the point that the last update was asked
// for. All that is in it follows from q alone, so that results never depend on earlier
// calls; only what changed is computed anew.
type State struct {
	m      *Host
	e      Evaluator
	b      *blocks
	q      []float64
	x      []float64 // constrained numbers
	stat   []float64 // of the products
	known  bool      // the above have been filled
	stale  bool      // a coordinate has moved that has no number of its own
	drawn  bool      // discrete parameters have moved
	others []float64 // values of atoms that need a machine, by atom
	values []float64 // of products, while discrete numbers are drawn one at a time

	constrain *trace.Runner
	logJ      float64   // of parameters without links, simplexes apart; computed by constrain
	simplexes []float64 // log Jacobian of each simplex
	moved     []int32   // simplexes that have moved
	hasMoved  []bool
	tables    map[*table]*tableState
	machines  map[*evaluation]*autodiff.Machine
	factors   map[*conditional]*sparse.Factor
	sets      map[*conditional]*junction.State
	checks    *autodiff.Machine
	along     *section // that LogSection is along
	scratch   []float64
	free      []float64 // scratch of unconstrain
}

// A tableState is a table's memory: the powers, what is held fixed, and the sums.
type tableState struct{ power, rest, sum []float64 }

// NewState makes the state of one goroutine, whose evaluator is e, for parameters put into blocks thus.
func (m *Host) NewState(e Evaluator, by infer.Blocking) (*State, error) {
	b, err := m.sharedBlocks(by)
	if err != nil {
		return nil, err
	}
	return newState(m, e, b), nil
}

func newState(m *Host, e Evaluator, b *blocks) *State {
	s := &State{
		m: m, e: e, b: b, q: make([]float64, m.Dim+trace.Numbers(m.Discrete)), x: make([]float64, b.size),
		constrain: b.constrain.Runner(), simplexes: make([]float64, len(b.simplexes)), hasMoved: make([]bool, len(b.simplexes)),
		tables: map[*table]*tableState{}, machines: map[*evaluation]*autodiff.Machine{},
		factors: map[*conditional]*sparse.Factor{}, sets: map[*conditional]*junction.State{},
	}
	if p := b.products; p != nil {
		s.stat = make([]float64, len(p.list))
		s.others = make([]float64, len(p.atoms))
	}
	if b.checks != nil {
		s.checks = b.checks.NewMachine()
	}
	return s
}

// load makes q the point that the state is at.
func (s *State) load(q []float64) error {
	if !s.known {
		s.moved = s.moved[:0]
		for j := range s.hasMoved { // those of one number, too, which has no coordinate
			s.moved, s.hasMoved[j] = append(s.moved, int32(j)), true
		}
	}
	for i, v := range q {
		if v != s.q[i] || !s.known {
			s.move(i, v)
		}
	}
	return s.refresh()
}

// move sets coordinate i; refresh completes what follows from it.
func (s *State) move(i int, v float64) {
	s.q[i] = v
	if i >= s.m.Dim {
		s.drawn = true
		return
	}
	if s.b.products == nil {
		return // nothing follows
	}
	k := s.b.valueOf[i]
	if k < 0 {
		if j := s.b.simplexOf[i]; j < 0 {
			s.stale = true
		} else if !s.hasMoved[j] {
			s.moved, s.hasMoved[j] = append(s.moved, j), true
		}
		return
	}
	s.x[k], _ = s.b.transforms[k].constrain(v)
}

// refresh brings everything up to date after moves.
func (s *State) refresh() error {
	if s.stale {
		if err := s.constrainAll(); err != nil {
			s.known = false
			return err
		}
	}
	for len(s.moved) > 0 {
		j := s.moved[len(s.moved)-1]
		if err := s.constrainSimplex(j); err != nil {
			s.known = false
			return err
		}
		s.moved, s.hasMoved[j] = s.moved[:len(s.moved)-1], false
	}
	if s.drawn || !s.known {
		s.count()
	}
	s.known, s.stale, s.drawn = true, false, false
	return nil
}

// A simplex is one element of a parameter.
type simplex struct {
	at, free int // its first number, and its first coordinate
	dims     []int
}

// constrainSimplex computes the numbers of one.
func (s *State) constrainSimplex(j int32) error {
	p := &s.b.simplexes[j]
	k := p.dims[0]
	t := s.m.Lib.Transform("simplex")
	var work []float64
	if t.Work != nil {
		work = room(&s.free, t.Work(p.dims))
	}
	var err error
	s.simplexes[j], err = t.Constrain(p.dims, s.q[p.free:p.free+k-1], nil, s.x[p.at:p.at+k], work)
	return err
}

// constrainAll computes the other numbers without coordinates of their own.
func (s *State) constrainAll() error {
	m, err := s.constrain.Run(s.q[:s.m.Dim])
	if err != nil {
		return err
	}
	s.logJ = m.Root(1)[0]
	for k, v := range m.Root(0) {
		if s.b.transforms[k].kind == notScalar && !s.b.inSimplex(k) {
			s.x[k] = v
		}
	}
	return nil
}

// inSimplex reports whether a number is one of a simplex.
func (b *blocks) inSimplex(k int) bool {
	i := sort.Search(len(b.simplexes), func(i int) bool { return b.simplexes[i].at > k }) - 1
	return i >= 0 && k < b.simplexes[i].at+b.simplexes[i].dims[0]
}

// count adds up the statistics at the values of the discrete parameters.
func (s *State) count() {
	p := s.b.products
	if p == nil {
		return
	}
	copy(s.stat, p.constant)
	if len(p.start) == 1 {
		return
	}
	sel := s.b.sel
	z := s.q[s.m.Dim:]
	for f := range sel.vars {
		k := sel.entry(f, z)
		for _, c := range p.share[p.start[k]:p.start[k+1]] {
			s.stat[c.Product] += c.Coef
		}
	}
}

// power evaluates an atom to its exponent.
func (s *State) power(p *power) float64 {
	v := 0.0
	switch p.kind {
	case autodiff.Element:
		v = s.x[p.at] - s.b.centre[p.at]
	case autodiff.Complement:
		v = 1 - s.x[p.at]
	case autodiff.LogElement:
		v = libm.Log(s.x[p.at])
	case autodiff.LogComplement:
		v = libm.Log1p(-s.x[p.at])
	default:
		v = s.others[p.at]
	}
	switch p.exp {
	case 1:
		return v
	case 2:
		return v * v
	case -1:
		return 1 / v
	case -2:
		return 1 / (v * v)
	}
	return libm.Pow(v, p.exp)
}

func (s *State) product(powers []power) float64 {
	v := 1.0
	for i := range powers {
		v *= s.power(&powers[i])
	}
	return v
}

// evaluate computes atoms that need a machine. An atom that only other values of discrete parameters have need not be defined.
func (s *State) evaluate(e *evaluation) error {
	if e == nil {
		return nil
	}
	m, ok := s.machines[e]
	if !ok {
		m = e.program.NewMachine()
		m.Undefined = trace.Numbers(s.m.Discrete) > 0
		s.machines[e] = m
	}
	if err := m.Run(s.x); err != nil {
		return err
	}
	for i, v := range m.Root(0) {
		s.others[e.atoms[i]] = v
	}
	return nil
}

// sums evaluates a table. The result is overwritten by the next call with that table.
func (s *State) sums(t *table) ([]float64, error) {
	if err := s.evaluate(t.others); err != nil {
		return nil, err
	}
	to, ok := s.tables[t]
	if !ok {
		to = &tableState{
			power: make([]float64, len(t.power)), rest: make([]float64, len(t.rest)), sum: make([]float64, t.size),
		}
		s.tables[t] = to
	}
	for i := range t.power {
		to.power[i] = s.power(&t.power[i])
	}
	for i, r := range t.rest {
		v := 1.0
		for _, f := range t.factor[r.from:r.to] {
			v *= to.power[f]
		}
		to.rest[i] = v
	}
	clear(to.sum)
	for i := range t.entry {
		e := &t.entry[i]
		if stat := s.stat[e.product]; stat != 0 { // else the rest need not be finite
			to.sum[e.sum] += float64(e.scale * stat * to.rest[e.rest])
		}
	}
	return to.sum, nil
}

// maxTries bounds the draws of a block of which constraints on transformed parameters
// leave only part.
const maxTries = 10000

// drawChecked draws until the constraints on transformed parameters hold: given that
// they do, the draw has the block's full conditional.
func (s *State) drawChecked(c *conditional, rng *rand.Rand) error {
	for range maxTries {
		if err := c.draw(s, c, rng); err != nil {
			return err
		}
		if err := s.refresh(); err != nil {
			return err
		}
		err := s.checks.Run(s.x)
		if err == nil || !infer.IsReject(err) {
			return err
		}
	}
	return improper(c, "constraints on transformed parameters rejected %d draws from it", maxTries)
}
