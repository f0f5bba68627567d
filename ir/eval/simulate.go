// Simulation: statements run as a program that draws.
//
// Parameters and observations are sources: variables whose numbers are not known at
// first. A density's call with elements of a source as its first argument gives them
// their values as soon as its other arguments are known. The statements are run in
// passes until nothing is missing: the dependency order that package ir/graph found
// makes one pass the rule; data of which an element depends on others of the same
// variable, or elements without a distribution, may take more.
//
// The simulation is the machine's Recorder, so that it sees which numbers depend on
// sources: an element of a source carries its place as its Ref, everything computed
// from sources the node derived. A number that is not known yet is NaN (in integers the
// smallest one) and depends on a source. Where control flow, an index or a size would
// rely on such a number, the statement is put off to the next pass, and what it would
// have assigned is not known.

package eval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// derived is the node of everything computed from sources; source i has node i + 1.
const derived autodiff.Node = 0

// A Simulation draws parameters, and observations given them. It is made for one
// machine and one run.
type Simulation struct {
	// Normalise reports that LogConstant is wanted, parts of which take some time.
	Normalise bool

	gen       *graph.Generative
	priorOnly bool
	m         *Machine
	leaves    []*leaf
	byVar     map[*ir.Var]*Value

	pass     int32
	drawn    int           // numbers that got their values in this pass
	deferred []source.Span // of what was put off in this pass
	hidden   map[*ir.Var]bool
	groups   map[groupKey]*group

	logConstant float64
	depends     []*graph.Problem
}

// A leaf is a source without tuples inside: a parameter or an observation, or a field
// of one.
type leaf struct {
	v     *ir.Var
	node  autodiff.Node
	shape *Shape
	x     *Value
	data  bool
	size  int       // numbers of an element of the base type
	given []float64 // of data: the values at hand; nil where there are none
	seen  []int32   // the last pass in which a statement gave the number a distribution
	by    []source.Span
	lo    *Value // declared bounds, while they are known; see bounds
	hi    *Value
	ready bool
}

// NewSimulation prepares a machine that knows all data but observations. With priorOnly
// the observations stay unknown, and only parameters are drawn.
func NewSimulation(m *Machine, gen *graph.Generative, r *rand.Rand, priorOnly bool) *Simulation {
	s := &Simulation{gen: gen, priorOnly: priorOnly, m: m,
		byVar: map[*ir.Var]*Value{}, hidden: map[*ir.Var]bool{}, groups: map[groupKey]*group{}}
	m.sim, m.Rec, m.Rand, m.Jacobian = s, s, r, false
	return s
}

// Add makes a variable a source. given are the values of an observation at hand, which
// keep those of its elements that no statement gives a distribution; nil where there
// are none.
func (s *Simulation) Add(v *ir.Var, shape *Shape, given *Value) {
	x := s.source(v, shape, given)
	s.byVar[v] = x
	s.m.Set(v, x)
}

func (s *Simulation) source(v *ir.Var, shape *Shape, given *Value) *Value {
	x := Undefined(shape)
	if shape.Type.Base != types.TupleBase {
		l := &leaf{v: v, node: autodiff.Node(len(s.leaves) + 1), shape: shape, x: x, data: v.Kind != ir.Parameter,
			size: product(shape.Dims[shape.Type.Dims:]) * unit(shape.Type), seen: make([]int32, len(x.X)), by: make([]source.Span, len(x.X))}
		if given != nil {
			l.given = given.X
		}
		x.Node = l.node
		s.leaves = append(s.leaves, l)
		return x
	}
	part := func(e *Value, i int) *Value {
		switch {
		case e == nil:
			return nil
		default:
			return e.Fields[i]
		}
	}
	tuple := func(e, from *Value) {
		for i := range e.Fields {
			e.Fields[i] = s.source(v, shape.Fields[i], part(from, i))
		}
	}
	if shape.Type.Dims == 0 {
		tuple(x, given)
		return x
	}
	for i, e := range x.Elems {
		var from *Value
		if given != nil {
			from = given.Elems[i]
		}
		tuple(e, from)
	}
	return x
}

// Fix sets a source's value: what depends on it is drawn given that.
func (s *Simulation) Fix(v *ir.Var, x *Value) { fix(s.byVar[v], x) }

func fix(to, x *Value) {
	copy(to.X, x.X)
	for i := range to.Fields {
		fix(to.Fields[i], x.Fields[i])
	}
	for i := range to.Elems {
		fix(to.Elems[i], x.Elems[i])
	}
}

// Value is a source's value after Run.
func (s *Simulation) Value(v *ir.Var) *Value { return plain(s.byVar[v]) }

// plain copies a value without its dependencies.
func plain(v *Value) *Value {
	w := v.clone().constant()
	for i := range w.Fields {
		w.Fields[i] = plain(w.Fields[i])
	}
	for i := range w.Elems {
		w.Elems[i] = plain(w.Elems[i])
	}
	return w
}

// LogConstant is what normalises the drawn parameters' priors beyond the density's
// terms, in nats: what declared constraints cut off, and uniform densities. The error
// is a *graph.Problem where the amount depends on parameters.
func (s *Simulation) LogConstant() (float64, error) {
	if err := s.Depends(); err != nil {
		return 0, err
	}
	return s.logConstant, nil
}

// Depends reports where the normaliser of a prior depends on parameters.
func (s *Simulation) Depends() error {
	if len(s.depends) > 0 {
		return &graph.NotGenerative{Problems: s.depends}
	}
	return nil
}

// maxPasses bounds the passes of one run.
const maxPasses = 100_000

// Run runs the statements until all sources are known. The error is a *graph.Problem
// where the model turns out not to be generative, else one like those of Machine.Run.
func (s *Simulation) Run() error {
	for _, l := range s.leaves {
		if s.gen.Loose[l.v] {
			if err := guarded(func() { s.completeLeaf(l, false) }); err != nil {
				return err
			}
		}
	}
	body := s.gen.Body
	if s.priorOnly && !s.Normalise {
		body = s.gen.PriorBody
	}
	for s.pass = 1; s.pass < maxPasses; s.pass++ {
		s.drawn, s.deferred = 0, s.deferred[:0]
		clear(s.hidden)
		clear(s.groups)
		s.m.Reset()
		if err := s.m.Run(body); err != nil {
			return err
		}
		if err := guarded(s.completeAll); err != nil {
			return err
		}
		switch {
		case s.complete():
			return nil
		case s.drawn == 0:
			return s.stuck()
		}
	}
	return s.stuck()
}

// complete reports whether all that is wanted is known.
func (s *Simulation) complete() bool {
	for _, l := range s.leaves {
		if l.data && s.priorOnly {
			continue
		}
		if slices.ContainsFunc(l.x.X, placeholder) {
			return false
		}
	}
	return true
}

func (s *Simulation) stuck() error {
	p := &graph.Problem{Text: "the statement waits for values that depend on its own", Hint: graph.HintBlock, Prior: true, Data: true}
	if len(s.deferred) > 0 {
		p.At = s.deferred[0]
	}
	return p
}

// placeholder reports whether a number that depends on a source stands for an unknown one.
func placeholder(x float64) bool { return x != x || x == math.MinInt32 }

// unknown reports whether number i of v is not known yet.
func unknown(v *Value, i int) bool { return placeholder(v.X[i]) && v.Ref(i).Node != autodiff.None }

func anyUnknown(v *Value) bool {
	if !v.Active() {
		return unknownInside(v)
	}
	for i := range v.X {
		if unknown(v, i) {
			return true
		}
	}
	return false
}

func unknownInside(v *Value) bool {
	if slices.ContainsFunc(v.Fields, anyUnknown) {
		return true
	}
	return slices.ContainsFunc(v.Elems, anyUnknown)
}

// awaits reports whether element i of elementwise arguments is not known yet.
func (s *Simulation) awaits(args []*Value, i int) bool {
	if s == nil {
		return false
	}
	for _, a := range args {
		k := i
		if len(a.Dims) == 0 {
			k = 0
		}
		if unknown(a, k) {
			return true
		}
	}
	return false
}

// awaitsAny reports whether something in the arguments is not known yet.
func (s *Simulation) awaitsAny(args []*Value) bool {
	if s == nil {
		return false
	}
	return slices.ContainsFunc(args, anyUnknown)
}

// unknownOf makes a value none of whose numbers is known.
func unknownOf(t types.Type, dims []int) *Value {
	v := NewValue(t, dims, make([]float64, product(dims)*unit(t)))
	forget(v)
	return v
}

// forget makes all numbers of a value unknown.
func forget(v *Value) {
	fill := math.NaN()
	if v.T.Base == types.IntBase {
		fill = math.MinInt32
	}
	for i := range v.X {
		v.X[i] = fill
	}
	v.Node, v.Refs = derived, nil
	for _, f := range v.Fields {
		forget(f)
	}
	for _, e := range v.Elems {
		forget(e)
	}
}

// blocked is how the evaluation of a statement ends that needs an unknown number.
type blocked struct{}

// step runs a statement at the top level and puts it off where it cannot be run yet.
func (s *Simulation) step(f *frame, x ir.Stmt) (fl flow) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case blocked:
			s.putOff(f, x)
		default:
			panic(r)
		}
	}()
	return f.stmt(x)
}

// putOff makes unknown what the statement would have assigned, and notes what its parts would have
// given a distribution.
func (s *Simulation) putOff(f *frame, x ir.Stmt) {
	s.deferred = append(s.deferred, x.Span())
	lose := func(v *ir.Var) {
		if v.Slot < len(f.vars) && f.vars[v.Slot].v != nil && s.byVar[v] == nil {
			w := f.vars[v.Slot].v.clone()
			forget(w)
			f.vars[v.Slot] = slot{v: w, owned: true}
		}
	}
	ir.Inspect([]ir.Stmt{x}, func(n any) bool {
		switch n := n.(type) {
		case *ir.Declare:
			if shape, err := s.m.Shape(n.Var); err == nil {
				f.vars[n.Var.Slot] = slot{v: Undefined(shape), owned: true}
				forget(f.vars[n.Var.Slot].v)
			}
		case *ir.Assign:
			lose(n.To.Var)
		case *ir.Unpack:
			unpacked(n.To, lose)
		case *ir.Sample:
			s.expect(f, n)
		case *ir.Ref:
			s.hidden[n.Var] = true
		}
		return true
	})
}

// expect notes that the variate of a statement that is put off will have a distribution, where it is known which numbers these are.
func (s *Simulation) expect(f *frame, x *ir.Sample) {
	var args []ir.Expr
	switch d := x.Density.(type) {
	case *ir.Call:
		args = d.Args
	case *ir.UserCall:
		args = d.Args
	}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(blocked); !ok {
				panic(r)
			}
		}
	}()
	g := &drawing{s: s, f: f, at: x.Loc, variate: f.exprs(args[:1])[0]}
	if len(g.variate.X) > 0 && g.identify() {
		for _, p := range g.to {
			p.l.seen[p.off], p.l.by[p.off] = s.pass, g.at
		}
	}
}

func unpacked(to []ir.UnpackTo, visit func(*ir.Var)) {
	for i := range to {
		if to[i].Place != nil {
			visit(to[i].Place.Var)
		}
		unpacked(to[i].Nested, visit)
	}
}

// Elementwise implements Recorder.
func (s *Simulation) Elementwise(_ source.Span, _ *stdlib.Function, args []*Value, out *Value) autodiff.Node {
	fill := math.NaN()
	if out.T.Base == types.IntBase {
		fill = math.MinInt32
	}
	for i := range out.X {
		if s.awaits(args, i) {
			out.X[i] = fill
		}
	}
	return derived
}

// Kernel implements Recorder.
func (s *Simulation) Kernel(source.Span, *stdlib.Function, []*Value, *Value) autodiff.Node {
	return derived
}

// Transform implements Recorder.
func (s *Simulation) Transform(_ *stdlib.Transform, _ []int, _ *Value, _ []*Value, _ *Value, _ float64) (x, logJ autodiff.Node) {
	return derived, derived
}

// Opaque implements Recorder.
func (s *Simulation) Opaque(autodiff.Opaque, []*Value, *Value) autodiff.Node { return derived }

// Guard implements Recorder: the statement is put off where v is not known.
func (s *Simulation) Guard(v *Value) {
	if anyUnknown(v) {
		panic(blocked{})
	}
}

// name writes a number of a leaf, as in "theta[2]".
func (l *leaf) name(off int) string {
	if len(l.shape.Dims) == 0 {
		return l.v.Name
	}
	dims := l.shape.Dims
	step := strides(l.shape.Type, dims)
	text := ""
	for k, d := range dims {
		text += fmt.Sprintf(",%d", off/step[k]%d+1)
	}
	return l.v.Name + "[" + text[1:] + "]"
}

var _ Recorder = (*Simulation)(nil)
