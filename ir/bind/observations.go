// The factors of a likelihood one by one, with their power integrals.

package bind

import (
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// observing is a recorder that notes the densities of observations.
type observing struct {
	*trace.Recorder
	seen map[autodiff.Node]observedCall // by node: statements that say the same share it, and any of them stands for the others
}

// observedCall is a vectorised density of observations, whose sum is node.
type observedCall struct {
	at   source.Span
	fn   *stdlib.Function
	args []*eval.Value
	node autodiff.Node
}

// Kernel implements eval.Recorder.
func (o *observing) Kernel(at source.Span, fn *stdlib.Function, args []*eval.Value, out *eval.Value) autodiff.Node {
	node := o.Recorder.Kernel(at, fn, args, out)
	density := strings.HasSuffix(fn.Name, "_lpdf") || strings.HasSuffix(fn.Name, "_lpmf")
	if density && fn.Density != nil && !args[0].Active() {
		if _, ok := o.seen[node]; !ok {
			o.seen[node] = observedCall{at, fn, args, node}
		}
	}
	return node
}

// observedCalls walks the model and gives the densities that the likelihood is the
// product of; each of its terms must be one, or not depend on parameters.
func (m *Model) observedCalls(rec *trace.Recorder, q *eval.Value) ([]observedCall, error) {
	em := m.recording(rec)
	o := &observing{Recorder: rec, seen: map[autodiff.Node]observedCall{}}
	em.Rec = o
	if err := m.walkDensity(em, rec, q); err != nil {
		return nil, err
	}
	var calls []observedCall
	for _, t := range em.Terms() {
		if !trace.Likelihood(t) {
			continue
		}
		if t.Value == nil {
			return nil, &eval.Error{Span: t.At, Text: "this statement has discrete parameters in it"}
		}
		ref := t.Value.Ref(0)
		if ref.Node == autodiff.None {
			continue
		}
		call, ok := o.seen[ref.Node]
		if !ok {
			return nil, &eval.Error{Span: t.At, Text: "this statement is no univariate density of observations, without truncation, of the library"}
		}
		calls = append(calls, call)
	}
	return calls, nil
}

// observations implements infer.Observations: a program of q with the terms and their powers, and one of (q, byL, byPowers)
// with the gradient of what they are weighed to.
type observations struct {
	dim, n         int
	powers         bool
	order          float64 // of the power integrals
	model          *Model
	values, pull   *trace.Traced
	valuer, puller *trace.Runner
	point          []float64
	coords         [][]int // that each depends on
	terms          []int   // of those chosen by Select, which they are, and of how many; nil: all
	of             int
}

// fresh are the same observations for another goroutine; they share programs.
func (o *observations) fresh() *observations {
	own := *o
	own.valuer, own.puller, own.point = o.values.Runner(), o.pull.Runner(), make([]float64, o.dim+2*o.n)
	return &own
}

// lazyFactors are the observations of a model by the order of their power integrals, made when they are first wanted. A copy of a model starts without.
type lazyFactors struct {
	mu       sync.Mutex
	by       map[float64]*madeFactors
	selected []*observations // those of a few observations that were asked for last
	divided  bool            // observedRows takes the likelihood apart into as many
}

type madeFactors struct {
	of  *observations
	err error
}

// NewObservations implements infer.Observed.
func (m *Model) NewObservations(c float64) (infer.Observations, error) {
	m.factors.mu.Lock()
	defer m.factors.mu.Unlock()
	made := m.factors.by[c]
	if made == nil {
		made = &madeFactors{}
		if made.of, made.err = newObservations(m, c); m.factors.by == nil {
			m.factors.by = map[float64]*madeFactors{}
		}
		m.factors.by[c] = made
	}
	if made.err != nil {
		return nil, made.err
	}
	return made.of.fresh(), nil
}

func newObservations(m *Model, c float64) (*observations, error) {
	switch why := fmt.Errorf("it has discrete parameters"); {
	case len(m.discrete) > 0 && c == 0:
		return newRows(m, why)
	case len(m.discrete) > 0:
		return nil, why
	}
	// Once to count, at the origin, where a rejection would say nothing of the rest.
	count := 0
	rec := m.newRecorder(m.dim)
	calls, err := m.observedCalls(rec, trace.Point(make([]float64, m.dim), rec.Graph.Input()))
	for _, k := range calls {
		if k.fn.Density.Log == nil {
			err = &eval.Error{Span: k.at, Text: fmt.Sprintf("%s is not univariate", k.fn.Name)}
		}
	}
	switch {
	case err != nil && c == 0:
		return newRows(m, err)
	case err != nil:
		return nil, err
	}
	for _, k := range calls {
		if c != 0 && !stdlib.Powered(k.fn.Density) {
			return nil, &eval.Error{Span: k.at, Text: fmt.Sprintf("the power integral of %s is not known", k.fn.Density.Name)}
		}
		count += factors(k.args)
	}
	if count == 0 {
		return nil, fmt.Errorf("no statement gives observations a density that depends on parameters")
	}
	record := func(in []float64) (*autodiff.Program, error) {
		return densityRecorder{m}.recordObservations(in, c, count)
	}
	o := &observations{dim: m.dim, n: count, powers: c != 0, order: c, model: m, values: &trace.Traced{Record: record}, pull: &trace.Traced{Record: record}}
	o.coords = callCoords(rec, calls, m.dim)
	return o, nil
}

// callCoords are the coordinates that each observation depends on: all where control
// flow depends on parameters.
func callCoords(rec *trace.Recorder, calls []observedCall, dim int) [][]int {
	depends := rec.Graph.Dependence()
	var out [][]int
	for _, k := range calls {
		for i := range factors(k.args) {
			if rec.Guards > 0 {
				out = append(out, trace.Span(0, dim))
				continue
			}
			out = append(out, wholeNumbers(elementCoords(depends, k.args, i)))
		}
	}
	return out
}

// factors is the number of observations of a call.
func factors(args []*eval.Value) int {
	n := 1
	for _, a := range args {
		if len(a.Dims) > 0 {
			n = len(a.X)
		}
	}
	return n
}

// recordObservations is the program of the terms and powers, where in is no more than the coordinates, or that of the gradient.
func (m densityRecorder) recordObservations(in []float64, c float64, n int) (*autodiff.Program, error) {
	rec := m.newRecorder(len(in))
	g := rec.Graph
	calls, err := m.observedCalls(rec, trace.Point(in[:m.dim], g.View(g.Input(), 0, m.dim)))
	if err != nil {
		return nil, err
	}
	var logs, powers, parts []autodiff.Ref
	off := 0
	for _, k := range calls {
		size := factors(k.args)
		if off+size > n {
			return nil, &eval.Error{Span: k.at, Text: "the number of observations depends on parameters"}
		}
		orders := []float64{0}
		if c != 0 {
			orders = append(orders, c)
		}
		for j, order := range orders {
			x := k.node // of one observation: computed with those of other iterations, where a call for each would take many times as long
			if order != 0 || size > 1 {
				call := newDensityTerms(k, order, size)
				x = g.Opaque(call, size, rec.Nodes(call.ActiveArgs(k.args))...)
			}
			if pull := len(in) > m.dim; pull {
				weights := g.View(g.Input(), m.dim+j*n+off, size)
				parts = append(parts, autodiff.Ref{Node: g.Sum(g.Map(autodiff.Mul, size, weights, x))})
				continue
			}
			for i := range size {
				ref := autodiff.Ref{Node: x, Elem: int32(i)}
				if j == 0 {
					logs = append(logs, ref)
				} else {
					powers = append(powers, ref)
				}
			}
		}
		off += size
	}
	if off != n {
		return nil, fmt.Errorf("the number of observations depends on parameters")
	}
	if len(in) > m.dim {
		return autodiff.Compile(g, []autodiff.Node{autodiff.Gradient(g, g.Sum(g.Gather(parts)))}, rec.Effects), nil
	}
	return autodiff.Compile(g, []autodiff.Node{g.Gather(logs), g.Gather(powers)}, rec.Effects), nil
}

// Len implements infer.Observations.
func (o *observations) Len() int { return o.n }

// Coords implements infer.Located.
func (o *observations) Coords() [][]int { return o.coords }

// LogTerms implements infer.Observations.
func (o *observations) LogTerms(q, l, powers []float64) error {
	mach, err := o.valuer.Run(q)
	if err != nil {
		return err
	}
	copy(l, mach.Root(0))
	if o.powers {
		copy(powers, mach.Root(1))
	}
	return nil
}

// PullTerms implements infer.Observations.
func (o *observations) PullTerms(q, byL, byPowers, grad []float64) error {
	if o.n == 0 { // a fit without the only observation
		return nil
	}
	clear(o.point)
	copy(o.point, q)
	copy(o.point[o.dim:], byL)
	if o.powers {
		copy(o.point[o.dim+o.n:], byPowers)
	}
	mach, err := o.puller.Run(o.point)
	if err != nil {
		return err
	}
	for i, g := range mach.Root(0)[:o.dim] {
		grad[i] += g
	}
	return nil
}

// densityTerms is the log density of each element of a call, or with an order its
// log power integral, as an opaque function.
type densityTerms struct {
	*trace.KernelCall
	order float64
	n     int
}

func newDensityTerms(k observedCall, order float64, n int) *densityTerms {
	return &densityTerms{trace.NewKernelCall(k.at, k.fn, k.args), order, n}
}

// Fused reports that there is no fused form.
func (t *densityTerms) Fused([]bool) (autodiff.Opaque, bool) { return nil, false }

// Instance makes the scratch memory of one machine.
func (t *densityTerms) Instance() autodiff.Instance {
	return &densityTermsInstance{
		densityTerms: t, in: append([]stdlib.Tensor(nil), t.Args...), din: make([][]float64, len(t.Args)),
		x: make([]float64, len(t.Args)), d: make([]float64, len(t.Args)),
	}
}

type densityTermsInstance struct {
	*densityTerms
	in   []stdlib.Tensor
	din  [][]float64
	x, d []float64
}

// element fills x with the arguments of element i.
func (t *densityTermsInstance) element(i int) {
	for k, a := range t.in {
		t.x[k] = a.X[0]
		if len(a.Dims) > 0 {
			t.x[k] = a.X[i]
		}
	}
}

// Value implements autodiff.Instance.
func (t *densityTermsInstance) Value(in [][]float64, out []float64) error {
	for j, p := range t.Active {
		t.in[p].X = in[j]
	}
	dist := t.Fn.Density
	for i := range out {
		t.element(i)
		for k, r := range dist.Requires {
			if !r.OK(t.x[k]) {
				return t.Located(&stdlib.DomainError{Func: t.Fn.Name, Text: fmt.Sprintf("argument %d is %g, but must be %s", k+1, t.x[k], r.Text)})
			}
		}
		if t.order == 0 {
			out[i] = dist.Log(t.x, nil)
			continue
		}
		v, err := stdlib.LogPower(dist, t.order, t.x[1:], nil)
		if err != nil {
			return t.Located(err)
		}
		out[i] = v
	}
	return nil
}

// VJP implements autodiff.Instance.
func (t *densityTermsInstance) VJP(in [][]float64, _, adj []float64, din [][]float64) {
	for j, p := range t.Active {
		t.in[p].X, t.din[p] = in[j], din[j]
	}
	dist := t.Fn.Density
	for i, a := range adj {
		if a == 0 {
			continue
		}
		t.element(i)
		if t.order == 0 {
			dist.Log(t.x, t.d)
		} else if _, err := stdlib.LogPower(dist, t.order, t.x[1:], t.d[1:]); err != nil {
			t.d[1] = math.NaN()
		}
		for k, d := range t.din {
			switch {
			case d == nil:
			case len(t.in[k].Dims) > 0:
				d[i] += float64(a * t.d[k])
			default:
				d[0] += float64(a * t.d[k])
			}
		}
	}
}

// Batch implements infer.Batched: batches of one size have a program in which data are runtime constants.
func (o *observations) Batch(size int) infer.ObservationBatch {
	rec := o.model.newRecorder(o.dim)
	calls, err := o.model.observedCalls(rec, trace.Point(make([]float64, o.dim), rec.Graph.Input()))
	if err != nil || len(calls) != 1 || rec.Guards > 0 {
		return nil
	}
	k := calls[0]
	r := &rowsRecorder{Recorder: o.model.newRecorder(o.dim + 2*size), n: o.n, size: size}
	r.Slicer = autodiff.NewSlicer(rec.Graph, r.Graph, o.n, size)
	r.Call = r.call
	args := make([]*eval.Value, len(k.args))
	for i, a := range k.args {
		own := argument{Tensor: stdlib.Tensor{Rank: eval.RankOf(a.T), Dims: a.Dims, X: a.X}, t: a.T}
		if len(a.Dims) > 0 {
			own.dims, own.rows = []int{size}, autodiff.Rows{Step: 1, Cols: 1}
		}
		active, nodes := -1, []autodiff.Node(nil)
		if a.Active() {
			active, nodes = 0, []autodiff.Node{rec.Node(a)}
		}
		ok := false
		if args[i], ok = r.value(own, active, nodes); !ok {
			return nil
		}
	}
	k.args = args
	p := r.weighted(k, o.order, o.dim)
	return &observationBatch{of: o, rows: (&rowsProgram{p, r.Slicer}).machine(), point: make([]float64, o.dim+2*size)}
}

// weighted is the program of (q, byL, byPowers) of one call.
func (r *rowsRecorder) weighted(k observedCall, order float64, dim int) *autodiff.Program {
	g := r.Graph
	roots, parts := []autodiff.Node{}, []autodiff.Ref{}
	for j, c := range []float64{0, order} {
		call := newDensityTerms(k, c, r.size)
		x := g.Opaque(call, r.size, r.Nodes(call.ActiveArgs(k.args))...)
		roots = append(roots, x)
		if j == 0 || order != 0 {
			parts = append(parts, autodiff.Ref{Node: g.Dot(g.View(g.Input(), dim+j*r.size, r.size), x)})
		}
	}
	return autodiff.Compile(g, append(roots, autodiff.Gradient(g, g.Sum(g.Gather(parts)))), r.Effects)
}

// observationBatch implements infer.ObservationBatch.
type observationBatch struct {
	of    *observations
	rows  *rowsMachine
	terms []int
	point []float64
}

// Len implements infer.Observations.
func (b *observationBatch) Len() int { return b.rows.of.slicer.Size() }

// Choose implements infer.ObservationBatch.
func (b *observationBatch) Choose(terms []int) { b.terms = append(b.terms[:0], terms...) }

// LogTerms implements infer.Observations.
func (b *observationBatch) LogTerms(q, l, powers []float64) error {
	if err := b.run(q, nil, nil); err != nil {
		return err
	}
	copy(l, b.rows.Root(0))
	if b.of.powers {
		copy(powers, b.rows.Root(1))
	}
	return nil
}

// PullTerms implements infer.Observations.
func (b *observationBatch) PullTerms(q, byL, byPowers, grad []float64) error {
	if err := b.run(q, byL, byPowers); err != nil {
		return err
	}
	for i, g := range b.rows.Root(2)[:b.of.dim] {
		grad[i] += g
	}
	return nil
}

func (b *observationBatch) run(q, byL, byPowers []float64) error {
	clear(b.point)
	copy(b.point, q)
	copy(b.point[b.of.dim:], byL)
	if b.of.powers {
		copy(b.point[b.of.dim+b.Len():], byPowers)
	}
	return b.rows.run(b.point, b.terms)
}

var (
	_ infer.Observed = (*Model)(nil)
	_ infer.Batched  = (*observations)(nil)
	_ infer.Selected = (*observations)(nil)
	_ infer.Named    = (*Model)(nil)
)
