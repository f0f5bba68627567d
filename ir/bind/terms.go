// The likelihood as a sum of terms of which a few can be evaluated alone.
//
// The model is recorded once, with densities of many observations split into a term for each
// (terms_call.go). The terms are evaluated on demand: a batch costs what its terms depend on. Prior,
// Jacobian and checks are a program of their own, which runs in full.

package bind

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// A splitting is a recorder that takes densities of several observations apart.
type splitting struct {
	*trace.Recorder
	em     *eval.Machine
	single map[autodiff.Node]bool // univariate densities of one observation
	many   map[autodiff.Node]bool // densities taken apart
	joint  map[autodiff.Node]bool // multivariate densities of one observation
	shared bool                   // there are discrete parameters, which observations may share
}

// Kernel implements eval.Recorder.
func (s *splitting) Kernel(at source.Span, fn *stdlib.Function, args []*eval.Value, out *eval.Value) autodiff.Node {
	if !isDensity(fn) || fn.Kernel.ValueGrad == nil || args[0].Active() && !s.em.InLikelihood() {
		return s.Recorder.Kernel(at, fn, args, out)
	}
	if call, ok := newSplitCall(at, fn, args); ok {
		terms := s.Graph.Opaque(call, call.n, s.Nodes(call.ActiveArgs(args))...)
		s.many[terms] = true
		return s.Graph.Sum(terms)
	}
	x := s.Recorder.Kernel(at, fn, args, out)
	if fn.Density != nil {
		s.single[x] = true
	} else {
		s.joint[x] = true
	}
	return x
}

// whole reports whether a node is the density of one observation.
func (s *splitting) whole(x autodiff.Node) bool { return s.single[x] || s.joint[x] }

// A statementTerms gathers what the runs of one statement add to the likelihood.
type statementTerms struct {
	at      source.Span
	vectors []autodiff.Node // nodes whose elements are terms
	scalars []autodiff.Node // terms that are not divided further
}

// termsRecording is a model recorded for evaluation by terms.
type termsRecording struct {
	rest      *autodiff.Program // value and gradient of all that is no term
	selection *autodiff.DemandEval
	rec       *trace.Recorder
	lp, whole autodiff.Node // what is no term; the terms, where they are one node

	mu   sync.Mutex
	wide []wideRows // by the size of a batch
}

// recordTerms records the model at q.
func (m densityRecorder) recordTerms(q []float64) (*termsRecording, error) {
	rec := m.newRecorder(m.dim)
	em := m.recording(rec)
	s := &splitting{Recorder: rec, single: map[autodiff.Node]bool{}, many: map[autodiff.Node]bool{}, joint: map[autodiff.Node]bool{}, shared: len(m.discrete) > 0}
	em.Rec, em.Jacobian, s.em = s, true, em
	if err := m.walkDensity(em, rec, trace.Point(q, rec.Graph.Input())); err != nil {
		return nil, err
	}
	terms, err := trace.SumOut(em)
	if err != nil {
		return nil, err
	}
	refs, rest, err := s.sort(terms)
	if err != nil {
		return nil, err
	}
	if len(refs) == 0 {
		return nil, errors.New("no statement gives observations a density that depends on parameters, with ~ or a call such as normal_lpdf(y | ...)")
	}
	g := rec.Graph
	selection, err := autodiff.NewDemandEval(g, g.Gather(refs))
	if err != nil {
		return nil, err
	}
	t := &termsRecording{selection: selection, rec: rec, whole: autodiff.None}
	if rec.Guards == 0 {
		t.whole = oneNode(g, refs)
	}
	// What is no term: the prior, and what statements have beside their sums.
	lp := g.Map(autodiff.Add, 1, rec.Total(terms, func(t eval.Term) bool { return !trace.Likelihood(t) || !active(t) }), g.Sum(g.Gather(append(rest, autodiff.Ref{Node: g.Scalar(0)}))))
	t.lp = lp
	t.rest = autodiff.Compile(g, []autodiff.Node{lp, autodiff.Gradient(g, lp)}, rec.Effects)
	return t, nil
}

// oneNode is the node whose elements the terms are, in their order.
func oneNode(g *autodiff.Graph, refs []autodiff.Ref) autodiff.Node {
	for i, r := range refs {
		if r.Node != refs[0].Node || int(r.Elem) != i {
			return autodiff.None
		}
	}
	if g.Len(refs[0].Node) != len(refs) {
		return autodiff.None
	}
	return refs[0].Node
}

func active(t eval.Term) bool { return t.Value.Ref(0).Node != autodiff.None }

// sort returns the likelihood's terms, and what belongs to none of them.
func (s *splitting) sort(terms []eval.Term) (refs, rest []autodiff.Ref, err error) {
	var order []*statementTerms
	byPlace := map[source.Span]*statementTerms{}
	for _, t := range terms {
		if !trace.Likelihood(t) || !active(t) {
			continue
		}
		ref := t.Value.Ref(0)
		x := s.Graph.Elem(ref.Node, int(ref.Elem))
		st := byPlace[t.At]
		if st == nil {
			st = &statementTerms{at: t.At}
			byPlace[t.At] = st
			order = append(order, st)
		}
		vectors, scalars := s.Graph.Summands(x, s.whole, func(y autodiff.Node) bool { return s.many[y] })
		if len(vectors) == 0 {
			st.scalars = append(st.scalars, x)
			continue
		}
		st.vectors = append(st.vectors, s.merged(vectors)...)
		for _, y := range scalars {
			rest = append(rest, autodiff.Ref{Node: y})
		}
	}
	for _, st := range order {
		own, other, err := s.termsOf(st)
		if err != nil {
			return nil, nil, err
		}
		refs, rest = append(refs, own...), append(rest, other...)
	}
	return refs, rest, nil
}

// merged adds up vectors of equal length: they are about the same observations.
func (s *splitting) merged(vectors []autodiff.Node) []autodiff.Node {
	var out []autodiff.Node
	for _, v := range vectors {
		found := false
		for i, w := range out {
			if n := s.Graph.Len(w); n == s.Graph.Len(v) {
				out[i], found = s.Graph.Map(autodiff.Add, n, w, v), true
				break
			}
		}
		if !found {
			out = append(out, v)
		}
	}
	return out
}

// termsOf is what one statement contributes.
func (s *splitting) termsOf(st *statementTerms) (refs, rest []autodiff.Ref, err error) {
	scalars := scalarRefs(st.scalars)
	switch {
	case len(st.vectors) == 1 && len(scalars) == s.Graph.Len(st.vectors[0]):
		// A truncated statement with one normaliser for each observation.
		st.vectors[0] = s.Graph.Map(autodiff.Add, len(scalars), st.vectors[0], s.Graph.Gather(scalars))
	case len(st.vectors) > 0:
		rest = scalars
	case len(scalars) == 1 && !s.single[st.scalars[0]]:
		return s.takeApart(st)
	default:
		return scalars, nil, nil
	}
	return s.elements(st.vectors), rest, nil
}

// takeApart looks for a sum in what a statement that ran once has added.
func (s *splitting) takeApart(st *statementTerms) (refs, rest []autodiff.Ref, err error) {
	vectors, parts := s.Graph.Summands(st.scalars[0], s.whole, func(autodiff.Node) bool { return true })
	for _, x := range parts {
		switch ref := (autodiff.Ref{Node: x}); {
		case s.single[x]:
			refs = append(refs, ref)
		case !s.Graph.Active(x) || len(vectors) > 0:
			rest = append(rest, ref)
		default:
			return nil, nil, &eval.Error{Span: st.at, Text: s.noSum()}
		}
	}
	return append(refs, s.elements(s.merged(vectors))...), rest, nil
}

func (s *splitting) elements(vectors []autodiff.Node) (refs []autodiff.Ref) {
	for _, v := range vectors {
		for i := range s.Graph.Len(v) {
			refs = append(refs, autodiff.Ref{Node: v, Elem: int32(i)})
		}
	}
	return refs
}

// noSum reports why a statement has no terms.
func (s *splitting) noSum() string {
	const all = "use a method that takes all data at once (nuts; advi or gvi without batch)"
	if s.shared {
		return "the observations of this statement share a discrete parameter: with that summed out they are one term, not a sum over them; " + all
	}
	return "what this statement adds is one term for all of its observations, not a sum over them; " + all +
		", or write it as a loop over observations that are independent given the parameters"
}

func scalarRefs(nodes []autodiff.Node) []autodiff.Ref {
	refs := make([]autodiff.Ref, len(nodes))
	for i, x := range nodes {
		refs[i] = autodiff.Ref{Node: x}
	}
	return refs
}

// subsampling holds a model's recordings by terms. It is safe for concurrent use.
type subsampling struct {
	mu   sync.Mutex
	kept []*termsRecording
	next int // which to replace once there are maxTraces
}

// terms returns the first recording, made where a point has a density.
func (m *Model) terms() (*termsRecording, error) {
	s := &m.subsampling
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.kept) > 0 {
		return s.kept[0], nil
	}
	const tries = 20
	r := rng.New(m.opts.Seed, "terms", 0, 0)
	q := make([]float64, m.dim)
	var t *termsRecording
	var err error
	for range tries {
		if t, err = (densityRecorder{m}).recordTerms(q); err == nil || !infer.IsReject(err) {
			break
		}
		for i := range q {
			q[i] = variate.Normal(r)
		}
	}
	if err == nil {
		s.kept = append(s.kept, t)
	}
	return t, err
}

// termsAt returns recording i, made at q where there are not so many.
func (m *Model) termsAt(i int, q []float64) (*termsRecording, error) {
	s := &m.subsampling
	s.mu.Lock()
	defer s.mu.Unlock()
	if i < len(s.kept) {
		return s.kept[i], nil
	}
	t, err := densityRecorder{m}.recordTerms(q)
	if err != nil {
		return nil, err
	}
	if n := s.kept[0].selection.Len(); t.selection.Len() != n {
		return nil, fmt.Errorf("the likelihood has %d terms here and %d elsewhere: their number must not depend on parameters", t.selection.Len(), n)
	}
	if len(s.kept) < trace.MaxTraces {
		s.kept = append(s.kept, t)
	} else {
		s.kept[s.next] = t
		s.next = (s.next + 1) % trace.MaxTraces
	}
	return t, nil
}

// keptSizes is how many programs by size are kept.
const keptSizes = 8

// wideFor is the program for batches of a size; nil where there is none. What a batch of a size is
// evaluated by must not depend on what other goroutines have evaluated.
func (t *termsRecording) wideFor(m *Model, size int) *rowsProgram {
	if size == 0 || t.whole == autodiff.None {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.wide, func(w wideRows) bool { return w.size == size })
	if i < 0 {
		if len(t.wide) == keptSizes {
			t.wide = slices.Delete(t.wide, 0, 1)
		}
		i = len(t.wide)
		t.wide = append(t.wide, wideRows{size, t.rows(m, size)})
	}
	return t.wide[i].program
}

// wideRows is the program for batches of a size; nil where there is none.
type wideRows struct {
	size    int
	program *rowsProgram
}

// batchRunner evaluates batches of terms in one goroutine.
type batchRunner struct {
	of       *termsRecording
	rest     *autodiff.Machine
	selector *autodiff.DemandState
	wide     map[int]*rowsMachine // by the size of a batch
}

func (t *termsRecording) runner() *batchRunner {
	return &batchRunner{t, t.rest.NewMachine(), t.selection.NewState(), map[int]*rowsMachine{}}
}

// rows is the machine for batches of a size; nil where there is none.
func (b *batchRunner) rows(m *Model, size int) *rowsMachine {
	r, ok := b.wide[size]
	if !ok {
		if len(b.wide) == keptSizes {
			clear(b.wide)
		}
		if p := b.of.wideFor(m, size); p != nil {
			r = p.machine()
		}
		b.wide[size] = r
	}
	return r
}

// Terms implements infer.Subsampled.
func (e *evaluator) Terms() (int, error) {
	t, err := e.model.terms()
	if err != nil {
		return 0, err
	}
	if e.batches == nil {
		e.batches = t.runner()
	}
	return t.selection.Len(), nil
}

// LogDensityGradTerms implements infer.Subsampled.
func (e *evaluator) LogDensityGradTerms(q []float64, terms []int, grad []float64) (float64, error) {
	if e.batches == nil {
		if _, err := e.Terms(); err != nil {
			return math.NaN(), err
		}
	}
	if r := e.batches.rows(e.model, len(terms)); r != nil && r.run(q, terms) == nil && trace.Finite(r.Root(0)) && trace.Finite(r.Root(1)) {
		copy(grad, r.Root(1))
		return r.Root(0)[0], nil
	}
	if err := e.runRest(q); err != nil {
		return math.NaN(), err
	}
	b := e.batches
	copy(grad, b.rest.Root(1))
	scale := float64(b.of.selection.Len()) / float64(max(len(terms), 1))
	sum, err := b.selector.Sum(q, terms, scale, grad)
	if err != nil {
		return math.NaN(), err
	}
	return e.explained(q, b.rest.Root(0)[0]+float64(scale*sum))
}

// runRest runs the program of all that is no term, of a recording that applies at q.
func (e *evaluator) runRest(q []float64) error {
	err := e.batches.rest.Run(q)
	for i := 0; err == autodiff.ErrGuard; i++ {
		t, failure := e.model.termsAt(i, q)
		if failure != nil {
			return failure
		}
		e.batches = t.runner()
		if err = e.batches.rest.Run(q); err == autodiff.ErrGuard && i > trace.MaxTraces {
			return err // recorded at this very point
		}
	}
	return err
}

var _ infer.Subsampled = (*evaluator)(nil)
