// Checks of calls in a loop, for all iterations at once.

package trace

import "github.com/seed-12b88e03/ppl/autodiff"

// mostEach is how many numbers an iteration may give to a call that is made for each of them.
const mostEach = 64

// callEach adds a call, for what rejects it, with the numbers of each iteration.
func (s *discharger) callEach(body *autodiff.LoopBody, p *callCheck) {
	e := &eachIteration{fn: p.fn, size: p.size, n: body.N}
	var in []autodiff.Node
	for _, x := range p.in {
		n := s.r.Graph.Len(x)
		e.lengths = append(e.lengths, n)
		for i := range n {
			all := autodiff.None
			if len(in) < mostEach {
				all = body.VectorOutside(autodiff.Ref{Node: x, Elem: int32(i)})
			}
			if all == autodiff.None {
				s.ok = false
				return
			}
			in = append(in, all)
		}
	}
	s.r.Effects = append(s.r.Effects, s.r.Graph.Opaque(e, 0, in...))
}

// An eachIteration makes a call n times. Its inputs are the numbers of the call's arguments, one after the other: of each
// a vector with an element for each iteration, or one number for all. It fails where the call does.
type eachIteration struct {
	fn      autodiff.Opaque
	size    int   // of the call's result
	lengths []int // of its arguments
	n       int
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
