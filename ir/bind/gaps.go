// Elements of data that are missing: which these are in the data at hand, and what holds for a model with them. Package
// missing makes parameters of them.

package bind

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/missing"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// gaps are the data variables of a model of which elements are missing.
type gaps struct {
	list      []*missing.Gap
	undivided []source.Span // statements that cover known and missing elements together
	// written is the model as it was written, which simulates data sets as a whole; nil where nothing is missing.
	written func() (*Model, error)
}

// of is the gap of a variable; nil where it has none.
func (g *gaps) of(v *ir.Var) *missing.Gap {
	if i := slices.IndexFunc(g.list, func(x *missing.Gap) bool { return x.Var == v }); i >= 0 {
		return g.list[i]
	}
	return nil
}

// An ImputeError says that a program has no data variable of a name whose elements may be missing.
type ImputeError struct{ Name string }

// Error says what is wrong.
func (e *ImputeError) Error() string {
	return fmt.Sprintf("the program declares no data variable %s whose elements could be missing", e.Name)
}

// Imputed names the elements of data that are parameters, as in "y[3]", in the order of their columns.
func Imputed(m *Model) []string {
	var out []string
	for _, g := range m.gaps.list {
		out = append(out, g.Param.Part...)
	}
	return out
}

// Completed is the program whose density the model has: that which was bound, with what is missing in the data as parameters.
func Completed(m *Model) *ir.Program { return m.prog }

// Unscaled reports why the density cannot be raised to powers statement by statement: the distribution of missing elements
// is neither prior nor likelihood, and has to stay as it is, which it cannot where a statement is of known elements, too, or where they are summed
// out. It is nil where nothing is missing.
func Unscaled(m *Model) error {
	if len(m.gaps.list) == 0 || len(m.gaps.undivided) == 0 && len(m.discrete) == 0 {
		return nil
	}
	g := m.gaps.list[0]
	return &eval.Error{Span: g.Var.Loc, Text: g.Names()[0] + " is missing: whatever scales priors or likelihood would scale the distribution of missing elements, too",
		Help: "measure a fit of the complete observations"}
}

// OfMissing reports of statements of the prior whether they are the distribution of missing elements.
func OfMissing(m *Model, s Statement) bool {
	return slices.ContainsFunc(m.gaps.list, func(g *missing.Gap) bool { return slices.Contains(s.Parameters, g.Param.Name) })
}

// checkImpute makes sure that the variables which may lack elements are there.
func (m binder) checkImpute() error {
	for _, name := range m.opts.Impute {
		if !slices.ContainsFunc(m.prog.Data, func(v *ir.Var) bool { return v.Name == name }) {
			return &ImputeError{name}
		}
	}
	return nil
}

// read is a data variable's value. Of variables that may lack elements it notes which do.
func (m binder) read(in *data.Set, v *ir.Var, s *eval.Shape) (*eval.Value, error) {
	if in == nil || in.Vars[v.Name] == nil || len(m.opts.Impute) == 0 {
		return convert(in, v, s)
	}
	raw, named := in.Vars[v.Name].ByRow(), slices.Contains(m.opts.Impute, v.Name)
	if k := slices.IndexFunc(raw.X, math.IsNaN); k >= 0 && !named {
		return nil, in.Gap(raw, v.Name, k) // without --impute NaN is a number
	}
	if !named || s.Type.Base == types.TupleBase || s.Type.Base.IsComplex() {
		return convert(in, v, s)
	}
	numbers, err := in.Partial(raw, v.Name, s.Type, s.Dims)
	if err != nil {
		return nil, err
	}
	g := &missing.Gap{Var: v, Dims: s.Dims}
	positions := order(s.Type, s.Dims)
	for k, index := range columnMajor(s.Dims) {
		if math.IsNaN(numbers[positions[k]]) {
			g.At, g.Pos = append(g.At, index), append(g.Pos, positions[k])
		}
	}
	if len(g.At) > 0 {
		numbers = slices.Clone(numbers)
		m.gaps.list = append(m.gaps.list, g)
		err = g.Acceptable(m.prog)
	}
	return eval.NewValue(s.Type, s.Dims, numbers), err
}

// checked compares the elements that are known with the declaration, and evaluates the bounds of the others.
func (m binder) checked(em *eval.Machine, v *ir.Var, x *eval.Value) error {
	g := m.gaps.of(v)
	if g == nil {
		return trace.Validate(em, m.lib, nil, v, v.Name, v.Decl, x)
	}
	within := func(int) float64 { return 0 } // a number within the bounds
	if c := v.Decl.Constraint; c != nil {
		for n, arg := range c.Args {
			b, err := em.Eval(arg)
			if err != nil {
				return err
			}
			bound := func(k int) float64 { return b.X[min(k, len(b.X)-1)] }
			if n == 0 {
				within = bound
			}
			g.AddBound(arg, bound)
		}
	}
	for _, k := range g.Pos {
		x.X[k] = within(k)
	}
	err := trace.Validate(em, m.lib, nil, v, v.Name, v.Decl, x)
	for _, k := range g.Pos {
		if x.X[k] = math.NaN(); v.Type.Base == types.IntBase {
			x.X[k] = math.MinInt32
		}
	}
	return err
}

// complete makes parameters of the missing elements.
func (m binder) complete() {
	if len(m.gaps.list) == 0 {
		return
	}
	prog, known := m.prog, slices.Clone(m.known)
	m.gaps.written = sync.OnceValues(func() (*Model, error) {
		n := newModel(prog, m.lib, m.opts)
		n.cancellation, n.known = m.cancellation, known
		if err := (binder{n}).layOut(); err != nil {
			return nil, err
		}
		err := n.rewrite()
		n.prepare()
		return n, err
	})
	em := m.machine()
	c := missing.Complete(m.prog, m.gaps.list, missing.Asks{
		Elementwise: func(fn *stdlib.Function) bool {
			return fn.Density != nil && fn.Density.Log != nil && sharesOf[fn.Name] == ""
		},
		Value: func(x ir.Expr) ([]float64, bool) {
			v, err := em.Eval(x)
			if err != nil {
				return nil, false
			}
			return v.X, true
		},
	})
	for _, k := range c.Known {
		m.known = append(m.known, binding{k.Var, k.Value})
	}
	m.gaps.undivided = c.Undivided
	m.prog, m.observed, m.roles, m.code = c.Prog, observedData(c.Prog), graph.NewRoles(c.Prog), codeOf(c.Prog)
}

// A variateWatch notes what densities are of.
type variateWatch struct {
	eval.TapeRecorder
	seen map[autodiff.Ref]bool
}

// Kernel implements eval.Recorder.
func (w *variateWatch) Kernel(at source.Span, fn *stdlib.Function, args []*eval.Value, out *eval.Value) autodiff.Node {
	if isDensity(fn) {
		for i := range args[0].X {
			w.seen[args[0].Ref(i)] = true
		}
	}
	return w.TapeRecorder.Kernel(at, fn, args, out)
}

// eachDrawn makes sure that each missing number has a distribution, for which it looks at the densities of the model at one
// point. Integers have bounds, and users' densities and parts of sums may be written in any way.
func (m binder) eachDrawn() error {
	unbounded := func(g *missing.Gap) bool { return g.Var.Type.Base != types.IntBase }
	if !slices.ContainsFunc(m.gaps.list, unbounded) || missing.Unseen(m.prog, m.gaps.list) {
		return nil
	}
	w := &variateWatch{eval.TapeRecorder{Tape: autodiff.NewTape(m.dim)}, map[autodiff.Ref]bool{}}
	em := m.walkSomewhere(w)
	if em == nil {
		return nil // a run says why
	}
	for _, g := range m.gaps.list {
		x := em.Get(g.Param)
		for i, name := range g.Param.Part {
			if unbounded(g) && !w.seen[x.Ref(i)] {
				return &eval.Error{Span: g.Var.Loc, Text: name + " is missing, and the model gives this element no distribution: it is nowhere on the left of ~"}
			}
		}
	}
	return nil
}

// walkSomewhere evaluates the density at the first of some points where there is one; nil where there is none.
func (m binder) walkSomewhere(rec eval.Recorder) *eval.Machine {
	r := rand.New(rand.NewPCG(1, 1))
	q := make([]float64, m.dim)
	for range summableTries {
		em := m.machine()
		em.Rec, em.Print = rec, nil
		if m.walkDensity(em, nil, trace.Point(q, 0)) == nil {
			return em
		}
		for i := range q {
			q[i] = 2*r.Float64() - 1
		}
	}
	return nil
}

// whole simulates a data set by the model as it was written: where elements are missing they are drawn like the others, and
// become the values of their parameters. The point has these, too, where it is wanted.
func (m simulation) whole(r *rand.Rand, point bool, draw func(*Model) (*Simulated, error)) (*Simulated, error) {
	w, err := m.gaps.written()
	if err != nil {
		return nil, err
	}
	s, err := draw(w)
	if err != nil {
		return nil, err
	}
	for _, g := range m.gaps.list {
		i := slices.IndexFunc(s.Observations, func(o Named) bool { return o.Var == g.Var })
		if i < 0 {
			return nil, &eval.Error{Span: g.Var.Loc, Text: g.Names()[0] + " is missing, and " + g.Var.Name + " is not drawn"}
		}
		x := make([]float64, len(g.Pos))
		for k, at := range g.Pos {
			x[k] = s.Observations[i].Value.X[at]
		}
		s.Parameters = append(s.Parameters, Named{g.Param, eval.NewValue(g.Param.Type, []int{len(x)}, x)})
	}
	if !point {
		return s, nil
	}
	return s, m.finish(s, r)
}

// masked is a value of a variable without the elements that are missing of it.
func (g *gaps) masked(v *ir.Var, x *eval.Value) *eval.Value {
	gap := g.of(v)
	if gap == nil {
		return x
	}
	out := eval.NewValue(x.T, x.Dims, slices.Clone(x.X))
	for _, k := range gap.Pos {
		if out.X[k] = math.NaN(); v.Type.Base == types.IntBase {
			out.X[k] = math.MinInt32
		}
	}
	return out
}

// KnownNumbers is Numbers without the elements that are missing in the data of a model.
func KnownNumbers(m *Model, values []Named) (names []string, x []float64) {
	for _, n := range values {
		var all []string
		appendVarNames(&all, n.Var, shapeOf(n.Value))
		g, k := m.gaps.of(n.Var), 0
		eachNumber(n.Value, func(v *eval.Value, i int) {
			if g == nil || !slices.Contains(g.Pos, i) {
				names, x = append(names, all[k]), append(x, v.X[i])
			}
			k++
		})
	}
	return names, x
}

// limit adds to the generative reading what missing elements stand against.
func (g *gaps) limit(reading *graph.Generative) *graph.Generative {
	if len(g.undivided) > 0 {
		reading.Problems = []*graph.Problem{{At: g.undivided[0], Prior: true, Data: true,
			Text: "this statement covers known and missing elements together, so that the missing ones have no prior of their own",
			Hint: "use a method that takes no draws from the prior, such as nuts"}}
	}
	return reading
}

// How many comparisons of an evaluation are told of: at one place, as in a loop over data, and in all.
const (
	mostTurns       = 10
	mostComparisons = 40
)

// compares are functions that are one number where the first argument is above the second, or above zero, and another where it is not.
var compares = map[string]bool{"logical_lt": true, "logical_lte": true, "logical_gt": true, "logical_gte": true, "step": true, "int_step": true, "fmax": true, "fmin": true}

// Comparisons returns a function that evaluates a model with the reference interpreter, and gives the comparisons with parameters that
// it meets, up to a number of them; of discrete parameters with all at their least values, and then with all at their greatest. nil where the
// program has none, or the density is costly.
func Comparisons(m *Model) func(q []float64) ([]infer.Comparison, error) {
	has := func(n any) bool {
		c, ok := n.(*ir.Call)
		return ok && compares[c.Fn.BuiltinName()]
	}
	found := ir.Any(m.prog.TransformedParameters.Body, has) || ir.Any(m.prog.Model, has)
	for _, f := range m.prog.Functions {
		found = found || ir.Any(f.Body, has)
	}
	if !found {
		return nil
	}
	if w, err := m.GradientWork(make([]float64, m.dim)); err != nil || w > branchedWork {
		return nil
	}
	return func(q []float64) (out []infer.Comparison, err error) {
		if len(q) != m.dim {
			return nil, errors.New("the comparisons are known of a point without discrete parameters only")
		}
		for k := range min(1+len(m.discrete), 2) {
			tape := autodiff.NewTape(m.dim)
			watch := &comparisonWatch{TapeRecorder: eval.TapeRecorder{Tape: tape}, turns: map[source.Span]int{}}
			em := m.machine()
			em.Rec, em.Jacobian, em.Print = watch, true, nil
			for _, d := range m.discrete {
				x := make([]float64, len(d.Low))
				for i := range x {
					x[i] = float64([2][]int{d.Low, d.High}[k][i])
				}
				em.Set(d.Var, eval.NewValue(d.Var.Type, d.Shape.Dims, x))
			}
			if err = walkContinuous(m, em, nil, trace.Point(q, 0)); err != nil && len(m.discrete) == 0 {
				return nil, err
			}
			for _, c := range watch.met { // values may be impossible together
				out = append(out, infer.Comparison{Site: c.at.Start, Turn: c.turn + k*mostComparisons, Margin: c.margin, Grad: tape.Gradient(c.difference), Holds: c.holds})
			}
		}
		return out, nil
	}
}

// A comparisonWatch is a tape that notes comparisons.
type comparisonWatch struct {
	eval.TapeRecorder
	turns map[source.Span]int
	met   []comparison
}

type comparison struct {
	at         source.Span
	turn       int
	margin     float64
	holds      bool
	difference autodiff.Ref
}

// Elementwise implements eval.Recorder.
func (w *comparisonWatch) Elementwise(at source.Span, fn *stdlib.Function, args []*eval.Value, out *eval.Value) autodiff.Node {
	for i := 0; compares[fn.Name] && i < len(out.X) && len(w.met) < mostComparisons && w.turns[at] < mostTurns; i++ {
		c := comparison{at: at, turn: w.turns[at]}
		w.turns[at]++
		sides := make([]autodiff.Ref, len(args))
		for k, a := range args {
			j := i
			if len(a.X) == 1 {
				j = 0
			}
			c.margin += float64([...]float64{1, -1}[k] * a.X[j])
			sides[k] = a.Ref(j)
		}
		if c.holds = out.X[i] != 0; fn.Name == "fmax" || fn.Name == "fmin" {
			c.holds = out.X[i] == args[0].X[min(i, len(args[0].X)-1)]
		}
		c.difference = autodiff.Ref{Node: w.Tape.Record(1, func(adj []float64, add func(autodiff.Ref, float64)) {
			for k, r := range sides {
				add(r, [...]float64{1, -1}[k]*adj[0])
			}
		})}
		w.met = append(w.met, c)
	}
	return w.TapeRecorder.Elementwise(at, fn, args, out)
}
