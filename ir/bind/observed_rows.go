// The factors of a likelihood that are no univariate densities: of mixtures, censored and truncated outcomes, ordered
// and categorical ones, generalised linear models.
//
// Discrete parameters are summed out; what shares one is one observation. The model is walked with its loops unrolled, so that factors stand in the order of the observations. A density of
// several observations is taken apart (terms_call.go). Where a loop adds something else than a density of the library,
// all that one iteration adds is one observation: the branches of a condition, a density and its normaliser.

package bind

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// newRows makes observations of what NewObservations could not take apart, for the reason why.
func newRows(m *Model, why error) (*observations, error) {
	if len(m.gaps.undivided) > 0 { // and no factor of what was observed
		return nil, why
	}
	rec := m.newRecorder(m.dim)
	refs, err := observedRows(m, rec, trace.Point(make([]float64, m.dim), rec.Graph.Input()))
	if err != nil {
		return nil, cmp.Or(err, why)
	}
	every := make([]int, len(refs))
	for i := range every {
		every[i] = i
	}
	return someRows(m, every, len(every)), nil
}

// someRows are the observations of the given numbers, among so many.
func someRows(m *Model, terms []int, of int) *observations {
	n := len(terms)
	record := func(in []float64) (*autodiff.Program, error) {
		rec := m.newRecorder(len(in))
		g := rec.Graph
		refs, err := observedRows(m, rec, trace.Point(in[:m.dim], g.View(g.Input(), 0, m.dim)))
		if err == nil && len(refs) != of {
			err = fmt.Errorf("the number of observations depends on parameters")
		}
		if err != nil {
			return nil, err
		}
		roots := []autodiff.Node{g.Gather(pick(g, refs, terms))}
		if len(in) > m.dim {
			roots[0] = autodiff.Gradient(g, g.Sum(g.Map(autodiff.Mul, n, g.View(g.Input(), m.dim, n), roots[0])))
		}
		return autodiff.Compile(g, roots, rec.Effects), nil
	}
	return &observations{dim: m.dim, n: n, model: m, values: &trace.Traced{Record: record}, pull: &trace.Traced{Record: record}, coords: slices.Repeat([][]int{trace.Span(0, m.dim)}, n), terms: terms, of: of}
}

// pick returns some of all refs; of a density taken apart only those observations are computed.
func pick(g *autodiff.Graph, refs []autodiff.Ref, terms []int) []autodiff.Ref {
	if len(terms) == len(refs) {
		return refs
	}
	out := make([]autodiff.Ref, len(terms))
	for i, k := range terms {
		out[i] = refs[k]
		fn, in := g.Function(refs[k].Node)
		if call, ok := fn.(*splitCall); ok {
			one := *call
			one.only = []int{int(refs[k].Elem)}
			out[i] = autodiff.Ref{Node: g.Opaque(&one, 1, in...)}
		}
	}
	return out
}

// Select implements infer.Selected.
func (o *observations) Select(terms []int) infer.Observations {
	lazy := &o.model.factors
	lazy.mu.Lock()
	defer lazy.mu.Unlock()
	for _, s := range lazy.selected {
		if s.of == o.n && slices.Equal(s.terms, terms) {
			return s.fresh()
		}
	}
	if !lazy.divided {
		rec := o.model.newRecorder(o.dim)
		refs, err := observedRows(o.model, rec, trace.Point(make([]float64, o.dim), rec.Graph.Input()))
		if err != nil || len(refs) != o.n || o.powers {
			return nil
		}
		lazy.divided = true
	}
	s := someRows(o.model, slices.Clone(terms), o.n)
	lazy.selected = append(lazy.selected[max(0, len(lazy.selected)-mostSelected+1):], s)
	return s.fresh()
}

// mostSelected is of how many choices of observations the programs are kept: the chains of a fit without some of them share these.
const mostSelected = 4

// A loopBody is a loop of the program: which of its statements begins an iteration, and which iteration of all is at work.
type loopBody struct {
	parent    *loopBody
	iteration int
	other     bool // it adds something that is no density of the library
	adds      bool // it adds to the likelihood
}

// iterations is an eval.Watcher that knows the iteration of the innermost loop in which a term was added.
type iterations struct {
	em     *eval.Machine
	in     map[source.Span]*loopBody
	begins map[source.Span]*loopBody
	n      int
	seen   []visit
}

// A visit is a statement that was run when there were so many terms.
type visit struct {
	terms, iteration int
	loop             *loopBody // nil outside of loops
}

// find looks for loops among statements.
func (w *iterations) find(body []ir.Stmt, loop *loopBody) {
	for _, s := range body {
		if loop != nil {
			w.in[s.Span()] = loop
		}
		switch s := s.(type) {
		case *ir.Block:
			w.find(s.Body, loop)
		case *ir.If:
			w.find(s.Then, loop)
			w.find(s.Else, loop)
		case *ir.For:
			w.loop(s.Body, loop)
		case *ir.ForEach:
			w.loop(s.Body, loop)
		case *ir.While:
			w.loop(s.Body, loop)
		}
	}
}

func (w *iterations) loop(body []ir.Stmt, parent *loopBody) {
	if len(body) > 0 {
		own := &loopBody{parent: parent}
		w.begins[body[0].Span()] = own
		w.find(body, own)
	}
}

// At implements eval.Watcher.
func (w *iterations) At(at source.Span) {
	if loop := w.begins[at]; loop != nil {
		w.n++
		loop.iteration = w.n
	}
	v := visit{terms: len(w.em.Factors()), loop: w.in[at]}
	if v.loop != nil {
		v.iteration = v.loop.iteration
	}
	w.seen = append(w.seen, v)
}

// Refused implements eval.Watcher.
func (w *iterations) Refused(_, _ source.Span) {}

// of is the index of the visit in which term i was added.
func (w *iterations) of(i int) int {
	k, _ := slices.BinarySearchFunc(w.seen, i+1, func(v visit, i int) int { return cmp.Compare(v.terms, i) })
	return k - 1
}

// rowSplitting is a splitting that takes apart probabilities of lying beyond several numbers, too.
type rowSplitting struct {
	splitting
	tails map[autodiff.Node]bool // probabilities of lying beyond each of several numbers
	lone  map[autodiff.Node]bool // univariate densities of one number
}

// Kernel implements eval.Recorder.
func (s *rowSplitting) Kernel(at source.Span, fn *stdlib.Function, args []*eval.Value, out *eval.Value) autodiff.Node {
	if tail := strings.HasSuffix(fn.Name, "_lcdf") || strings.HasSuffix(fn.Name, "_lccdf"); tail && fn.Density != nil && fn.Kernel.ValueGrad != nil && len(args[0].Dims) > 0 {
		if call, ok := newSplitCall(at, fn, args); ok {
			terms := s.Graph.Opaque(call, call.n, s.Nodes(call.ActiveArgs(args))...)
			s.tails[terms] = true
			return s.Graph.Sum(terms)
		}
	}
	x := s.splitting.Kernel(at, fn, args, out)
	if s.single[x] && fn.Density.Log != nil {
		s.lone[x] = true
	}
	return x
}

// A rowTerm is a term of the likelihood as it was added: a sum over the elements of vectors, or one number.
type rowTerm struct {
	at      source.Span
	visit   int
	vectors []autodiff.Node
	scalar  autodiff.Node
}

// observedRows walks the model and gives the log densities of its observations.
func observedRows(m *Model, rec *trace.Recorder, q *eval.Value) ([]autodiff.Ref, error) {
	em := m.recording(rec)
	s := &rowSplitting{splitting{Recorder: rec, em: em, single: map[autodiff.Node]bool{}, many: map[autodiff.Node]bool{}, joint: map[autodiff.Node]bool{}}, map[autodiff.Node]bool{}, map[autodiff.Node]bool{}}
	w := &iterations{em: em, in: map[source.Span]*loopBody{}, begins: map[source.Span]*loopBody{}}
	w.find(m.prog.Model, nil)
	em.Rec, em.Watch = s, w
	if err := m.walkDensity(em, rec, q); err != nil {
		return nil, err
	}
	added := em.Terms()
	summed := len(m.discrete) > 0
	if summed { // what shares a discrete parameter is one observation
		var err error
		if added, err = trace.SumOut(em); err != nil {
			return nil, err
		}
	}
	var terms []rowTerm
	for i, t := range added {
		if !trace.Likelihood(t) || !active(t) {
			continue
		}
		ref := t.Value.Ref(0)
		r := rowTerm{at: t.At, scalar: s.Graph.Elem(ref.Node, int(ref.Elem))}
		vectors, scalars := s.Graph.Summands(r.scalar, s.whole, func(x autodiff.Node) bool { return s.many[x] || s.tails[x] })
		switch part := func(x autodiff.Node) bool { return !s.many[x] && !s.tails[x] }; {
		case len(scalars) == 0 && !slices.ContainsFunc(vectors, part):
			r.vectors = vectors
		case slices.ContainsFunc(vectors, s.normaliser):
			return nil, &eval.Error{Span: t.At, Text: "this is no density of observations, but what others are divided by: write it into one loop with them, or as T[,] behind them"}
		}
		if summed {
			r.visit = len(w.seen)
			w.seen = append(w.seen, visit{iteration: -len(w.seen), loop: &loopBody{other: r.vectors == nil}})
			terms = append(terms, r)
			continue
		}
		r.visit = w.of(i)
		terms = append(terms, r)
		if loop := w.seen[r.visit].loop; loop != nil {
			loop.adds = true
			loop.other = loop.other || r.vectors == nil && !s.single[r.scalar]
		}
	}
	if len(terms) == 0 {
		return nil, fmt.Errorf("no statement gives observations a density that depends on parameters")
	}
	if summed && len(terms) == 1 && terms[0].vectors == nil {
		return nil, oneForAll(terms[0].at)
	}
	if err := w.nested(terms); err != nil {
		return nil, err
	}
	return s.observations(terms, w.seen)
}

// nested refuses loops of which an iteration has observations of its own and others inside.
func (w *iterations) nested(terms []rowTerm) error {
	for _, t := range terms {
		inner := w.seen[t.visit].loop
		for loop := inner; loop != nil && loop.parent != nil; loop = loop.parent {
			if outer := loop.parent; outer.adds && (outer.other || inner.other) {
				return &eval.Error{Span: t.at, Text: "what this loop adds and what the one around it adds may belong to the same observation"}
			}
		}
	}
	return nil
}

// observations adds up the terms of each observation.
func (s *rowSplitting) observations(terms []rowTerm, seen []visit) (refs []autodiff.Ref, err error) {
	g := s.Graph
	for i := 0; i < len(terms); {
		t, v := terms[i], seen[terms[i].visit]
		group := 1
		together := v.loop != nil && v.loop.other
		for i+group < len(terms) && (together && seen[terms[i+group].visit].iteration == v.iteration || terms[i+group].visit == t.visit) {
			group++
		}
		same := terms[i : i+group]
		i += group
		switch {
		case together:
			sum := same[0].scalar
			for _, u := range same[1:] {
				sum = g.Map(autodiff.Add, 1, sum, u.scalar)
			}
			refs = append(refs, autodiff.Ref{Node: sum})
		case len(same) == 1 && t.vectors != nil:
			refs = append(refs, s.elements(s.merged(t.vectors))...)
		case len(same) == 1 && (s.lone[t.scalar] || s.single[t.scalar] && v.loop != nil):
			refs = append(refs, autodiff.Ref{Node: t.scalar})
		case len(same) == 1:
			own, rest, err := s.takeApart(&statementTerms{at: t.at, scalars: []autodiff.Node{t.scalar}})
			if err != nil || len(own) < 2 || slices.ContainsFunc(rest, func(r autodiff.Ref) bool { return g.Active(r.Node) }) {
				return nil, oneForAll(t.at)
			}
			refs = append(refs, own...)
		default:
			own, err := s.truncated(same)
			if err != nil {
				return nil, err
			}
			refs = append(refs, own...)
		}
	}
	return refs, nil
}

// truncated is a statement with its normalisers: one for each observation, or one for all.
func (s *rowSplitting) truncated(same []rowTerm) ([]autodiff.Ref, error) {
	g, first := s.Graph, same[0]
	x := first.scalar
	if len(first.vectors) == 1 {
		x = first.vectors[0]
	}
	n := g.Len(x)
	var z []autodiff.Node
	for _, t := range same[1:] {
		z = append(z, t.scalar)
	}
	switch {
	case len(first.vectors) > 1 || n == 1 && !s.lone[x]:
		return nil, oneForAll(first.at)
	case len(z) == n:
		return s.elements([]autodiff.Node{g.Map(autodiff.Add, n, x, g.Gather(scalarRefs(z)))}), nil
	case len(z) == 1:
		return s.elements([]autodiff.Node{g.Map(autodiff.Add, n, x, g.Map(autodiff.Mul, 1, g.Scalar(1/float64(n)), z[0]))}), nil
	}
	return nil, oneForAll(first.at)
}

// oneForAll is the error of a statement that is no product over observations.
func oneForAll(at source.Span) error {
	return &eval.Error{Span: at, Text: "what this statement adds is one number for all of its observations, not a sum over them"}
}

// normaliser reports probabilities that are subtracted, or counted several times: no factors of observations.
func (s *rowSplitting) normaliser(x autodiff.Node) bool {
	return slices.ContainsFunc(s.Graph.At(x).In(), func(y autodiff.Node) bool { return s.tails[y] })
}

// mostNumbers bounds the observed numbers whose factors are looked for.
const mostNumbers = 20000

// A place is a number of an observed variable.
type place struct{ variable, at int }

// OwnFactors returns for each observed number, in the order of KnownNumbers, the factor of the likelihood that it alone decides, with what
// others there are; -1 where the given other data sets all have the same number there. Each bit of a number's place is set where it
// is replaced at a time, and the factors that change then have that bit in theirs. q is a point with a density. The error says that
// a factor has none or several numbers.
func OwnFactors(m *Model, q []float64, others [][]Named) ([]int, error) {
	observed, _ := m.Data()
	var places []place
	values := make([][]float64, len(observed))
	for v, n := range observed {
		if n.Value.T.Base == types.TupleBase || n.Value.T.Base.IsComplex() {
			return nil, errors.New("tuples and complex numbers are observed")
		}
		values[v] = n.Value.X
		g := m.gaps.of(n.Var)
		eachNumber(n.Value, func(_ *eval.Value, i int) {
			if g == nil || !slices.Contains(g.Pos, i) {
				places = append(places, place{v, i})
			}
		})
	}
	switch {
	case len(places) > mostNumbers:
		return nil, errors.New("there are too many observations to tell which factor of the likelihood belongs to which")
	case len(places) == 0:
		return nil, errors.New("nothing is observed")
	}
	other := make([]float64, len(places))
	for k, p := range places {
		other[k] = math.NaN()
		for _, set := range others {
			i := slices.IndexFunc(set, func(n Named) bool { return n.Var == observed[p.variable].Var })
			if i >= 0 && len(set[i].Value.X) > p.at && set[i].Value.X[p.at] != values[p.variable][p.at] {
				other[k] = set[i].Value.X[p.at]
				break
			}
		}
	}
	before, err := factorsAt(m, q)
	if err != nil {
		return nil, err
	}
	const none, shared = -1, -2
	owner := make([]int, len(before))
	for b := range max(bits.Len(uint(len(places)-1)), 1) {
		var after [2][]float64
		for side := range after {
			changed := slices.Clone(observed)
			for v := range changed {
				own := changed[v].Value.Shared()
				own.X = slices.Clone(own.X)
				for k, p := range places {
					if p.variable == v && k>>b&1 == side && !math.IsNaN(other[k]) {
						own.X[p.at] = other[k]
					}
				}
				changed[v].Value = own
			}
			r, err := m.Rebind(changed)
			if err != nil {
				return nil, err
			}
			if after[side], err = factorsAt(r, q); err != nil {
				return nil, err
			}
			if len(after[side]) != len(before) {
				return nil, errors.New("their number depends on the data")
			}
		}
		for i := range owner {
			zero, one := differ(before[i], after[0][i]), differ(before[i], after[1][i])
			switch {
			case zero && one:
				owner[i] = shared
			case !zero && !one && owner[i] != shared:
				owner[i] = none
			case one && owner[i] >= 0:
				owner[i] |= 1 << b
			}
		}
	}
	out := slices.Repeat([]int{-1}, len(places))
	for i, k := range owner {
		switch {
		case k == shared || k >= len(places) || k >= 0 && out[k] >= 0:
			return nil, errors.New("a factor of the likelihood depends on several observed numbers, or a number has several factors")
		case k >= 0:
			out[k] = i
		}
	}
	return out, nil
}

func differ(a, b float64) bool { return !(math.Abs(a-b) <= 1e-9*(1+math.Abs(a))) }

// factorsAt are the log densities of the observations at a point.
func factorsAt(m *Model, q []float64) ([]float64, error) {
	o, err := m.NewObservations(0)
	if err != nil {
		return nil, err
	}
	l := make([]float64, o.Len())
	return l, o.LogTerms(q, l, nil)
}
