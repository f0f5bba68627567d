// The cost of each statement of the log density: its share of the recording, as a program of its own.

package bind

import (
	"context"
	"slices"
	"time"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// A Cost is what a statement, or the constraint of a declared variable, costs in one
// evaluation of the log density and its gradient.
type Cost struct {
	At       source.Span // not set of what belongs to no statement: the sum of the terms, discrete parameters summed out
	Declared bool        // it is the constraint of a variable, whose name is at At
	Seconds  float64     // of its program, which computes what others take from it, and the derivatives
	Runs     int         // how often it was recorded: more than once in a loop that was run iteration by iteration
	InTheWay source.Span // what kept that loop from being recorded as one; not set where nothing did
	Loop     source.Span // that loop
	autodiff.Makeup

	program *autodiff.Program
	point   []float64
}

// Costs are those of all statements.
type Costs struct {
	List  []Cost  // in the order of the program
	Whole float64 // seconds of the log density and its gradient
}

// owners tell which statement made which nodes of a recording. It implements eval.Watcher.
type owners struct {
	rec      *trace.Recorder
	places   []source.Span
	from     []autodiff.Node // the first node of each
	of       map[source.Span]int
	declared map[source.Span]bool // places of declared names
	list     []Cost
	refused  map[source.Span]source.Span // what was in the way of loops
}

// watch begins a recording.
func (o *owners) watch(em *eval.Machine, rec *trace.Recorder) {
	if o == nil {
		return
	}
	*o = owners{rec: rec, of: map[source.Span]int{}, declared: map[source.Span]bool{}, refused: map[source.Span]source.Span{}}
	for _, v := range slices.Concat(em.Prog.Parameters, em.Prog.TransformedParameters.Vars) {
		o.declared[v.Loc] = true
	}
	em.Watch = o
}

// At implements eval.Watcher.
func (o *owners) At(at source.Span) {
	i, ok := o.of[at]
	if !ok {
		i = len(o.list)
		o.of[at] = i
		o.list = append(o.list, Cost{At: at, Declared: o.declared[at]})
	}
	o.list[i].Runs++
	o.places, o.from = append(o.places, at), append(o.from, autodiff.Node(o.rec.Graph.Size()))
}

// Refused implements eval.Watcher.
func (o *owners) Refused(loop, at source.Span) { o.refused[loop] = at }

// owner is the statement that made a node.
func (o *owners) owner(x autodiff.Node) int {
	k, found := slices.BinarySearch(o.from, x)
	if found {
		for k+1 < len(o.from) && o.from[k+1] == x { // those before it made none
			k++
		}
		return o.of[o.places[k]]
	}
	return o.of[o.places[max(k-1, 0)]]
}

// NewCosts compiles what each statement makes at q of the log density, log Jacobian and constants included,
// as a program by itself. The errors are those of a density.
func NewCosts(m *Model, q []float64) (*Costs, error) {
	o, rec, shares, err := densityRecorder{m}.shares(q)
	if err != nil {
		return nil, err
	}
	c := &Costs{}
	for i := range shares {
		x := &o.list[i]
		if err := x.compile(rec.Graph, &shares[i], q); err != nil {
			return nil, err
		}
		if x.Single+x.Vectors+len(x.Calls)+x.Guards > 0 { // others compute nothing
			o.explain(x)
			c.List = append(c.List, *x)
		}
	}
	return c, nil
}

// shares divides the recording of the density at q among the statements.
func (m densityRecorder) shares(q []float64) (*owners, *trace.Recorder, []autodiff.Share, error) {
	o := &owners{}
	rec, roots, err := m.densityGraph(q, standard, densityForm{owners: o})
	if err != nil {
		return nil, nil, nil, err
	}
	return o, rec, rec.Graph.Divide(o.owner, len(o.list), roots, rec.Effects), nil
}

// explain finds the innermost loop that was run iteration by iteration though it might have been kept.
func (o *owners) explain(c *Cost) {
	if c.Runs == 1 || c.At.IsZero() {
		return
	}
	for loop, at := range o.refused {
		if loop.File == c.At.File && loop.Start <= c.At.Start && c.At.End <= loop.End && (c.Loop.IsZero() || loop.Start > c.Loop.Start) {
			c.Loop, c.InTheWay = loop, at
		}
	}
}

// compile makes the program of a share.
func (c *Cost) compile(g *autodiff.Graph, s *autodiff.Share, q []float64) error {
	taken, err := autodiff.Evaluate(g, q, s.In)
	if err != nil {
		return err
	}
	h, nodes := autodiff.Vectorize(s.Graph, slices.Concat([]autodiff.Node{s.Sum}, s.Values, s.Effects))
	c.Makeup = h.Makeup(nodes[1:])
	c.point = slices.Concat(taken...)
	for len(c.point) < h.Dims {
		c.point = append(c.point, 1)
	}
	roots, effects := []autodiff.Node{nodes[0], autodiff.Gradient(h, nodes[0])}, nodes[1+len(s.Values):]
	c.program = autodiff.Compile(h, roots, effects)
	if err := c.program.NewMachine().Run(c.point); err == autodiff.ErrGuard { // a comparison that is closer than rounding
		c.program = autodiff.Compile(h, roots, nil)
	}
	return nil
}

// Measure times each program and the density of the model at q, for about so long in all: the least
// mean time of short windows, which take turns. Each turn has machines of its own, since where one lies in memory may
// make it half as fast; the first is not counted, in which programs are made.
func (c *Costs) Measure(ctx context.Context, m *Model, q []float64, total time.Duration) error {
	turns := 0
	for began := time.Now(); turns <= leastTurns || time.Since(began) < total; turns++ {
		if turns == 1 {
			c.forget()
		}
		if err := c.turn(m, q); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	return nil
}

// turn times everything once.
func (c *Costs) turn(m *Model, q []float64) error {
	e, grad := m.NewEvaluator(), make([]float64, len(q))
	t, err := window(func() error { _, err := e.LogDensityGrad(q, grad); return err })
	c.Whole = lesser(c.Whole, t)
	for i := range c.List {
		if err != nil {
			return err
		}
		x := &c.List[i]
		machine := x.program.NewMachine()
		t, err = window(func() error { return machine.Run(x.point) })
		x.Seconds = lesser(x.Seconds, t)
	}
	return err
}

// leastTurns is how many turns count at least.
const leastTurns = 3

// forget drops the times so far.
func (c *Costs) forget() {
	c.Whole = 0
	for i := range c.List {
		c.List[i].Seconds = 0
	}
}

// windowLength is how long one thing is timed before its turn is over.
const windowLength = time.Millisecond

// window is the mean time of f, in seconds, over some runs.
func window(f func() error) (float64, error) {
	if err := f(); err != nil { // memory is touched for the first time
		return 0, err
	}
	n := 0
	began := time.Now()
	for n == 0 || time.Since(began) < windowLength {
		for range 4 { // the clock is read seldom enough not to count
			if err := f(); err != nil {
				return 0, err
			}
			n++
		}
	}
	return time.Since(began).Seconds() / float64(n), nil
}

func lesser(old, t float64) float64 {
	if old == 0 {
		return t
	}
	return min(old, t)
}
