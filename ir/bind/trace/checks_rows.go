// Checks of calls in a loop, for all iterations at once.

package trace

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// mostEach is how many numbers an iteration may pass to a call that is made for each iteration. It may pass more where
// all iterations together pass fewer than mostNumbers.
const mostEach, mostNumbers = 64, 1 << 20

// callEach adds a call, for what rejects it, with the numbers of each iteration.
func (s *discharger) callEach(body *autodiff.LoopBody, p *callCheck) {
	e := &eachIteration{fn: p.fn, size: p.size, n: body.N}
	var in []autodiff.Node
	for _, x := range p.in {
		n := s.r.Graph.Len(x)
		e.lengths = append(e.lengths, n)
		for i := range n {
			all := autodiff.None
			if len(in) < mostEach || len(in)*body.N < mostNumbers {
				all = body.VectorOutside(autodiff.Ref{Node: x, Elem: int32(i)})
			}
			if all == autodiff.None {
				s.ok = false
				return
			}
			in = append(in, all)
		}
	}
	s.leaveOutEqual(e, in)
	var fn autodiff.Opaque = e
	if v, ok := e.fn.(*validity); ok && e.scalars(v.Args) {
		fn = v // which goes through the elements by itself
	}
	s.r.Effects = append(s.r.Effects, s.r.Graph.Opaque(fn, 0, in...))
}

// leaveOutEqual leaves iterations out whose calls are given the same numbers as others.
func (s *discharger) leaveOutEqual(e *eachIteration, in []autodiff.Node) {
	if !s.r.opts.Does(optRepeats) {
		return
	}
	of, ok := s.r.Graph.EqualRows(e.n, 2, in)
	if !ok {
		return
	}
	first := firsts(of)
	for i, x := range in {
		if s.r.Graph.Len(x) > 1 {
			in[i] = s.r.Graph.Pick(x, first)
		}
	}
	e.n = len(first)
}

// firsts are the places where a number occurs first; numbers are given in their order.
func firsts(of []int32) (first []int) {
	for i, k := range of {
		if int(k) == len(first) {
			first = append(first, i)
		}
	}
	return first
}

// An eachIteration makes a call n times. Its inputs are the numbers of the call's arguments, one after the other: of each
// a vector with an element for each iteration, or one number for all. It fails where the call does.
type eachIteration struct {
	fn      autodiff.Opaque
	size    int   // of the call's result
	lengths []int // of its arguments
	n       int
}

// scalars reports whether each argument, of data ones too, is one number in an iteration.
func (e *eachIteration) scalars(args []stdlib.Tensor) bool {
	return !slices.ContainsFunc(e.lengths, func(n int) bool { return n != 1 }) &&
		!slices.ContainsFunc(args, func(a stdlib.Tensor) bool { return len(a.X) > 1 })
}

// Fused reports that there is no fused form.
func (e *eachIteration) Fused([]bool) (autodiff.Opaque, bool) { return nil, false }

// Instance makes the argument list of one machine.
func (e *eachIteration) Instance() autodiff.Instance {
	i := &eachInstance{call: e, one: e.fn.Instance(), out: make([]float64, e.size)}
	for _, n := range e.lengths {
		i.in = append(i.in, make([]float64, n))
	}
	return i
}

type eachInstance struct {
	call *eachIteration
	one  autodiff.Instance
	in   [][]float64
	out  []float64
}

// Value makes the calls.
func (i *eachInstance) Value(in [][]float64, _ []float64) error {
	for t := range i.call.n {
		k := 0
		for _, arg := range i.in {
			for j := range arg {
				arg[j] = in[k][min(t, len(in[k])-1)]
				k++
			}
		}
		if err := i.one.Value(i.in, i.out); err != nil {
			return err
		}
	}
	return nil
}

// VJP has nothing to add.
func (i *eachInstance) VJP([][]float64, []float64, []float64, [][]float64) {}

// String names the call for dumps.
func (e *eachIteration) String() string { return "in each iteration a check" }
