// The factors of a likelihood that are no univariate densities: of mixtures, censored and truncated outcomes, ordered
// and categorical ones, generalised linear models.
//
// The model is walked with its loops unrolled, so that factors stand in the order of the observations. A density of
// several observations is taken apart (terms_call.go). Where a loop adds something else than a density of the library,
// all that one iteration adds is one observation: the branches of a condition, a density and its normaliser.

package bind

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// newRows makes observations of what NewObservations could not take apart, for the reason why.
func (m *Model) newRows(why error) (*observations, error) {
	rec := m.newRecorder(m.dim)
	refs, err := m.rows(rec, trace.Point(make([]float64, m.dim), rec.Graph.Input()))
	if err != nil {
		return nil, cmp.Or(err, why)
	}
	every := make([]int, len(refs))
	for i := range every {
		every[i] = i
	}
	return m.someRows(every, len(every)), nil
}

// someRows are the observations of the given numbers, among so many.
func (m *Model) someRows(terms []int, of int) *observations {
	n := len(terms)
	o := &observations{dim: m.dim, n: n, model: m, point: make([]float64, m.dim+2*n), coords: slices.Repeat([][]int{trace.Span(0, m.dim)}, n)}
	t := &trace.Traced{Record: func(in []float64) (*autodiff.Program, error) {
		rec := m.newRecorder(len(in))
		g := rec.Graph
		refs, err := m.rows(rec, trace.Point(in[:m.dim], g.View(g.Input(), 0, m.dim)))
		if err == nil && len(refs) != of {
			err = fmt.Errorf("the number of observations depends on parameters")
		}
		if err != nil {
			return nil, err
		}
		logs := g.Gather(pick(g, refs, terms))
		weighted := g.Sum(g.Map(autodiff.Mul, n, g.View(g.Input(), m.dim, n), logs))
		return autodiff.Compile(g, []autodiff.Node{logs, g.Gather(nil), autodiff.Gradient(g, weighted)}, rec.Effects), nil
	}}
	o.run = t.Runner()
	return o
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
	rec := o.model.newRecorder(o.dim)
	refs, err := o.model.rows(rec, trace.Point(make([]float64, o.dim), rec.Graph.Input()))
	if err != nil || len(refs) != o.n || o.powers {
		return nil
	}
	return o.model.someRows(terms, o.n)
}

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

// rows walks the model and gives the log densities of its observations.
func (m *Model) rows(rec *trace.Recorder, q *eval.Value) ([]autodiff.Ref, error) {
	em := m.recording(rec)
	s := &rowSplitting{splitting{Recorder: rec, em: em, single: map[autodiff.Node]bool{}, many: map[autodiff.Node]bool{}}, map[autodiff.Node]bool{}, map[autodiff.Node]bool{}}
	w := &iterations{em: em, in: map[source.Span]*loopBody{}, begins: map[source.Span]*loopBody{}}
	w.find(m.prog.Model, nil)
	em.Rec, em.Watch = s, w
	if err := m.walkDensity(em, rec, q); err != nil {
		return nil, err
	}
	var terms []rowTerm
	for i, t := range em.Terms() {
		if !trace.Likelihood(t) || !active(t) {
			continue
		}
		ref := t.Value.Ref(0)
		r := rowTerm{at: t.At, visit: w.of(i), scalar: s.Graph.Elem(ref.Node, int(ref.Elem))}
		vectors, scalars := s.Graph.Summands(r.scalar, func(x autodiff.Node) bool { return s.single[x] }, func(x autodiff.Node) bool { return s.many[x] || s.tails[x] })
		switch part := func(x autodiff.Node) bool { return !s.many[x] && !s.tails[x] }; {
		case len(scalars) == 0 && !slices.ContainsFunc(vectors, part):
			r.vectors = vectors
		case slices.ContainsFunc(vectors, s.normaliser):
			return nil, &eval.Error{Span: t.At, Text: "this is no density of observations, but what others are divided by: write it into one loop with them, or as T[,] behind them"}
		}
		terms = append(terms, r)
		if loop := w.seen[r.visit].loop; loop != nil {
			loop.adds = true
			loop.other = loop.other || r.vectors == nil && !s.single[r.scalar]
		}
	}
	if len(terms) == 0 {
		return nil, fmt.Errorf("no statement gives observations a density that depends on parameters")
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
