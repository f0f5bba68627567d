// Draws of a simulation: from a density's call to values of its first argument.

package eval

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A place is one number of a source.
type place struct {
	l   *leaf
	off int
}

func (p place) known() bool    { return !placeholder(p.l.x.X[p.off]) }
func (p place) set(x float64)  { p.l.x.X[p.off] = x }
func (p place) given() float64 { return p.l.given[p.off] }
func (p place) name() string   { return p.l.name(p.off) }

// A drawing is a density's call under way.
type drawing struct {
	s       *Simulation
	f       *frame
	exprs   []ir.Expr // the call's arguments, the variate first
	at      source.Span
	variate *Value
	to      []place
	args    []*Value
	lo, hi  *Value // of a truncation; nil where open
	sampler *stdlib.Sampler
	fn      *stdlib.Function
	size    int // numbers of one variate
	own     []bool
	y       stdlib.Tensor
	in      []stdlib.Tensor
	out     []float64
	point   []float64
}

// generates draws what the summands of "target +=" give a distribution.
func (f *frame) generates(t *ir.TargetAdd) {
	densities, rest := graph.Terms(t.X)
	for _, d := range densities {
		f.generate(t.Loc, d, nil, nil)
	}
	for _, x := range rest { // a function that adds to the target may draw
		f.expr(x)
	}
}

// generate draws the first argument of a density where it is not known yet. from is the
// statement, nil for "target +=".
func (f *frame) generate(at source.Span, density ir.Expr, tr *ir.Truncation, from *ir.Sample) {
	s := f.m.sim
	switch d := density.(type) {
	case *ir.Call:
		fn := d.Fn.(*stdlib.Function)
		g := f.drawing(at, d.Args, tr)
		if g == nil {
			return
		}
		g.fn = fn
		if n, ok := s.gen.Counts[from]; ok && n != len(g.to) {
			g.problem(graph.HintBounds, "%s has %d numbers, and the normaliser of its truncation is subtracted %d times", g.to[0].l.v.Name, len(g.to), n)
		}
		if g.sampler = s.sampler(fn); g.sampler == nil {
			g.problem(graph.HintBlock, "the library cannot draw from the distribution of %s", fn.Name)
		}
		g.events()
	case *ir.UserCall:
		if g := f.drawing(at, d.Args, tr); g != nil {
			g.twin(d.Fn)
		}
	}
}

// drawing evaluates the arguments and notes what has a distribution; nil where nothing
// is to be drawn.
func (f *frame) drawing(at source.Span, args []ir.Expr, tr *ir.Truncation) *drawing {
	s := f.m.sim
	g := &drawing{s: s, f: f, exprs: args, at: at, variate: f.exprs(args[:1])[0]}
	if len(g.variate.X) == 0 || !g.identify() {
		return nil
	}
	unwanted := s.priorOnly && g.all(func(p place) bool { return p.l.data })
	g.mark(unwanted)
	if unwanted {
		return nil
	}
	g.args = f.exprs(args[1:]) // after the variate is marked: they may be what the statement is put off for
	if tr != nil {
		g.lo, g.hi = f.bound(tr.Lo), f.bound(tr.Hi)
	}
	return g
}

func (g *drawing) all(ok func(place) bool) bool {
	for _, p := range g.to {
		if !ok(p) {
			return false
		}
	}
	return true
}

// identify finds out which numbers the variate consists of.
func (g *drawing) identify() bool {
	v := g.variate
	g.to = make([]place, len(v.X))
	for i := range v.X {
		r := v.Ref(i)
		if r.Node == autodiff.None || r.Node == derived {
			if g.s.priorOnly {
				return false // the likelihood of something that is no observation
			}
			g.problem(graph.HintBlock, "what has the distribution is neither a parameter nor an observation, nor a part of one")
		}
		l := g.s.leaves[r.Node-1]
		g.to[i] = place{l, int(r.Elem)}
	}
	return true
}

// mark notes that the variate has a distribution, its only one.
func (g *drawing) mark(unwanted bool) {
	for _, p := range g.to {
		if p.l.seen[p.off] == g.s.pass && !unwanted {
			g.problem("leave one of them out, or write a simulate block", "%s has a distribution already, from %s", p.name(), p.l.by[p.off])
		}
		p.l.seen[p.off], p.l.by[p.off] = g.s.pass, g.at
	}
}

// problem stops the run: the model is not generative.
func (g *drawing) problem(hint, format string, args ...any) {
	p := problemf(g.at, hint, format, args...)
	for _, t := range g.to {
		if t.l != nil {
			p.Prior, p.Data = p.Prior || !t.l.data, p.Data || t.l.data
		}
	}
	panic(stop{p})
}

func (s *Simulation) sampler(fn *stdlib.Function) *stdlib.Sampler {
	if x, ok := s.gen.Samplers[fn]; ok {
		return x
	}
	return s.m.Lib.Sampler(fn)
}

// events draws the variates one after the other.
func (g *drawing) events() {
	dims := g.variate.Dims
	k := g.sampler.Event
	if k > len(dims) {
		g.problem(graph.HintBlock, "the library cannot draw from the distribution of %s in this form", g.fn.Name)
	}
	event := dims[len(dims)-k:]
	g.size = product(event)
	count := len(g.to) / g.size
	g.y = stdlib.Tensor{Dims: event}
	g.out = make([]float64, g.size)
	g.in = make([]stdlib.Tensor, len(g.args))
	g.own = make([]bool, len(g.args))
	for i, a := range g.args {
		g.own[i] = g.divides(i, a, count)
	}
	for e := range count {
		g.event(e)
	}
}

// divides reports whether each variate has a part of argument i to itself.
func (g *drawing) divides(i int, a *Value, count int) bool {
	u := g.sampler.Units[i]
	if len(a.Dims) <= u.Rank {
		return false
	}
	parts := len(a.X)
	if n := product(a.Dims[len(a.Dims)-u.Rank:]); u.Rank > 0 && n > 0 {
		parts /= n
	}
	if u.Rows {
		parts = a.Dims[0]
	}
	switch {
	case parts == count:
		return true
	case count == 1:
		g.problem(graph.HintBlock, "%s has %d distributions at once", g.to[0].name(), parts)
	}
	fail(g.at, "%s: sizes do not fit: %d variates and %d parameters", g.fn.Name, count, parts)
	return false
}

// part is what variate e sees of an argument, the place of its first number in the
// argument, and the distance to the next.
func (g *drawing) part(i, e int) (from, step, n int, dims []int) {
	a, u := g.args[i], g.sampler.Units[i]
	if !g.own[i] {
		return 0, 1, len(a.X), a.Dims
	}
	if u.Rows {
		return e, a.Dims[0], a.Dims[1], a.Dims[1:]
	}
	dims = a.Dims[len(a.Dims)-u.Rank:]
	n = product(dims)
	return e * n, 1, n, dims
}

// gather collects the arguments of variate e; false where some are not known yet.
func (g *drawing) gather(e int) bool {
	known := true
	for i, a := range g.args {
		from, step, n, dims := g.part(i, e)
		t := &g.in[i]
		t.Dims = dims
		if step == 1 {
			t.X = a.X[from : from+n]
		} else {
			t.X = make([]float64, n)
			for k := range n {
				t.X[k] = a.X[from+k*step]
			}
		}
		if !a.Active() {
			continue
		}
		for k := range n {
			known = known && !unknown(a, from+k*step)
		}
	}
	return known
}

// active reports whether the arguments of the distribution depend on parameters.
func (g *drawing) active() bool { return anyActive(g.args) }

// event draws variate e where it is not known and can be.
func (g *drawing) event(e int) {
	to := g.to[e*g.size : (e+1)*g.size]
	if g.fixed(to) {
		return
	}
	if !g.gather(e) && !g.refreshed(e) {
		g.wait()
		return
	}
	if g.sampler.Total {
		g.totals(to)
	}
	if g.sampler.Dist != nil {
		g.univariate(to[0], e)
		return
	}
	g.draw()
	for i, p := range to {
		g.within(p, g.out[i])
		p.set(g.out[i])
	}
	g.s.drawn++
}

// refreshed evaluates the arguments of variate e anew where the variate before it was
// drawn just now, on which they may depend: without that, a series written as one
// vectorised statement would take a pass for each of its numbers.
func (g *drawing) refreshed(e int) bool {
	if g.sampler.Dist == nil || e == 0 || !g.to[e-1].known() {
		return false
	}
	for i := range g.args {
		if !g.own[i] || !g.args[i].Active() {
			if g.s.awaitsAny(g.args[i : i+1]) {
				return false
			}
			continue
		}
		v := g.f.expr(element(g.exprs[i+1], literal(e+1)))
		if anyUnknown(v) {
			return false
		}
		g.in[i].X = v.X
	}
	return true
}

// fixed reports whether the numbers of a variate have their values.
func (g *drawing) fixed(to []place) bool {
	known := to[0].known()
	for _, p := range to {
		if p.known() != known {
			g.problem(graph.HintBlock, "%s is to be drawn given other numbers of the same variate", p.name())
		}
	}
	return known
}

func (g *drawing) wait() { g.s.deferred = append(g.s.deferred, g.at) }

// totals passes the sampler the counts of the data, whose total is fixed.
func (g *drawing) totals(to []place) {
	g.y.X = make([]float64, len(to))
	for i, p := range to {
		if p.l.given == nil {
			g.problem("give data that hold it: its total is taken from there", "%s needs its total before it can be drawn", p.l.v.Name)
		}
		g.y.X[i] = p.given()
	}
}

// draw draws from the distribution as it is.
func (g *drawing) draw() {
	err := g.sampler.Draw(g.s.m.Rand, g.y, g.in, g.out)
	switch d := g.sampler.Dist; {
	case err == nil:
	case d != nil && d.Drawable != nil && d.Drawable(g.point) != nil:
		// The density is positive here: drawing anew is another prior, which whoever does it
		// must count.
		panic(stop{&Error{Span: g.at, Text: err.Error(), Undrawable: true}})
	default:
		failWith(g.at, err)
	}
}

// within stops where declared bounds of a parameter cut off a distribution of which
// nobody knows by how much.
func (g *drawing) within(p place, x float64) {
	if p.l.data {
		return
	}
	lo, hi, known := g.s.bounds(p)
	if !known || x >= lo && x <= hi {
		return
	}
	g.problem(graph.HintBlock, "the bounds of %s cut its distribution off, by an amount that is not known", p.l.v.Name)
}

// twin draws by the user's _rng function.
func (g *drawing) twin(density *ir.Function) {
	rng := g.s.gen.Twins[density]
	if rng == nil {
		g.problem(graph.HintBlock, "%s has no twin to draw with", density.Name)
	}
	if g.fixed(g.to) {
		return
	}
	if g.s.awaitsAny(g.args) {
		g.wait()
		return
	}
	lo, hi := g.truncation()
	const tries = 100_000
	for range tries {
		v := g.f.userCall(g.at, rng, g.args, dropping{})
		if !sameDims(v.Dims, g.variate.Dims) {
			fail(g.at, "%s gave a value of size %s; the variate has size %s", rng.Name, sizes(v.Dims), sizes(g.variate.Dims))
		}
		if !inside(v, lo, hi) {
			continue
		}
		for i, p := range g.to {
			if g.within(p, v.X[i]); p.constraint() != "" && grouped[p.constraint()] && v.T.Rank() == 0 {
				g.problem(graph.HintBlock, "%s is of a type whose elements cannot be drawn one by one", p.l.v.Name)
			}
			p.set(v.X[i])
		}
		g.s.drawn++
		return
	}
	fail(g.at, "%s gave no value within the truncation in %d tries", rng.Name, tries)
}

// truncation returns the bounds of T[,], known ones.
func (g *drawing) truncation() (lo, hi *Value) {
	for _, b := range []*Value{g.lo, g.hi} {
		if b != nil && anyUnknown(b) {
			panic(blocked{})
		}
	}
	return g.lo, g.hi
}

func inside(v, lo, hi *Value) bool {
	for i, x := range v.X {
		for _, b := range []*Value{lo, hi} {
			if b == nil {
				continue
			}
			k := 0
			if len(b.Dims) > 0 {
				k = i
			}
			if b == lo && x < b.X[k] || b == hi && x > b.X[k] {
				return false
			}
		}
	}
	return true
}
