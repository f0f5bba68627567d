// The log density term by term, with the coordinates that each term depends on.

package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// dissecting is a recorder that notes all univariate densities, so that vectorised ones
// can be taken apart.
type dissecting struct {
	*trace.Recorder
	calls map[autodiff.Node]observedCall // by the node of their sum
}

// Kernel implements eval.Recorder.
func (s *dissecting) Kernel(at source.Span, fn *stdlib.Function, args []*eval.Value, out *eval.Value) autodiff.Node {
	node := s.Recorder.Kernel(at, fn, args, out)
	density := strings.HasSuffix(fn.Name, "_lpdf") || strings.HasSuffix(fn.Name, "_lpmf")
	if density && fn.Density != nil && fn.Density.Log != nil {
		s.calls[node] = observedCall{at, fn, args, node}
	}
	return node
}

// additive implements infer.Terms.
type additive struct {
	coords     [][]int
	likelihood []bool
	run        *trace.Runner
}

// NewTerms implements infer.Additive. Terms are the statements that add to the log
// density and the log Jacobians of the parameters; vectorised densities of the library
// are taken apart into those of their elements.
func (m *Model) NewTerms() (infer.Terms, error) {
	if len(m.discrete) > 0 {
		return nil, fmt.Errorf("it has discrete parameters")
	}
	a := &additive{}
	q := make([]float64, m.dim)
	rec, refs, err := densityRecorder{m}.recordAdditive(q, a)
	if err != nil {
		return nil, err
	}
	if rec.Guards > 0 {
		return nil, fmt.Errorf("a condition, an index or a truncation depends on parameters")
	}
	n := len(refs)
	t := &trace.Traced{Record: func(q []float64) (*autodiff.Program, error) {
		rec, refs, err := densityRecorder{m}.recordAdditive(q, nil)
		if err != nil {
			return nil, err
		}
		if len(refs) != n {
			return nil, fmt.Errorf("the number of terms depends on parameters")
		}
		return autodiff.Compile(rec.Graph, []autodiff.Node{rec.Graph.Gather(refs)}, rec.Effects), nil
	}}
	a.run = t.Runner()
	return a, nil
}

// recordAdditive records the model at q and gives the terms; into describes them, if it is
// not nil.
func (m densityRecorder) recordAdditive(q []float64, into *additive) (*trace.Recorder, []autodiff.Ref, error) {
	rec := m.newRecorder(m.dim)
	em := m.recording(rec)
	em.Jacobian = true
	s := &dissecting{rec, map[autodiff.Node]observedCall{}}
	em.Rec = s
	if err := m.walkDensity(em, rec, trace.Point(q, rec.Graph.Input())); err != nil {
		return nil, nil, err
	}
	var depends *autodiff.Dependence
	if into != nil {
		depends = rec.Graph.Dependence()
	}
	var refs []autodiff.Ref
	add := func(ref autodiff.Ref, likelihood bool, coords []int32) {
		refs = append(refs, ref)
		if into != nil {
			into.coords, into.likelihood = append(into.coords, wholeNumbers(coords)), append(into.likelihood, likelihood)
		}
	}
	for _, t := range em.Terms() {
		ref := t.Value.Ref(0)
		call, known := s.calls[ref.Node]
		switch {
		case ref.Node == autodiff.None:
			add(autodiff.Ref{Node: rec.Graph.Scalar(t.Value.X[0])}, trace.Likelihood(t), nil)
		case known && factors(call.args) > 1:
			node := elementTerms(rec, call)
			for i := range rec.Graph.Len(node) {
				var coords []int32
				if into != nil {
					coords = elementCoords(depends, call.args, i)
				}
				add(autodiff.Ref{Node: node, Elem: int32(i)}, trace.Likelihood(t), coords)
			}
		default:
			var coords []int32
			if into != nil {
				coords = depends.Of(ref.Node, int(ref.Elem))
			}
			add(ref, trace.Likelihood(t), coords)
		}
	}
	if c, err := m.priorConstant(); err == nil && c != 0 {
		add(autodiff.Ref{Node: rec.Graph.Scalar(c)}, false, nil)
	}
	return rec, refs, nil
}

// elementTerms is the node of a vectorised density's values one by one.
func elementTerms(r *trace.Recorder, k observedCall) autodiff.Node {
	size := factors(k.args)
	call := newDensityTerms(k, 0, size)
	return r.Graph.Opaque(call, size, r.Nodes(call.ActiveArgs(k.args))...)
}

// elementCoords are the coordinates that element i of a density's arguments depends on.
func elementCoords(d *autodiff.Dependence, args []*eval.Value, i int) []int32 {
	var out []int32
	for _, a := range args {
		if !a.Active() {
			continue
		}
		at := i
		if len(a.Dims) == 0 {
			at = 0
		}
		if ref := a.Ref(at); ref.Node != autodiff.None {
			out = append(out, d.Of(ref.Node, int(ref.Elem))...)
		}
	}
	return out
}

// wholeNumbers sorts a set; it is never nil.
func wholeNumbers(set []int32) []int {
	out := make([]int, len(set))
	for i, x := range set {
		out[i] = int(x)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Coords implements infer.Terms.
func (a *additive) Coords() [][]int { return a.coords }

// Likelihood implements infer.Terms.
func (a *additive) Likelihood() []bool { return a.likelihood }

// LogTerms implements infer.Terms.
func (a *additive) LogTerms(q, out []float64) error {
	if len(out) == 0 {
		return nil
	}
	m, err := a.run.Run(q)
	if err != nil {
		return err
	}
	copy(out, m.Root(0))
	return nil
}

var _ infer.Additive = (*Model)(nil)
