// The tape recorder: gradients of the reference interpreter.

package eval

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A TapeRecorder notes operations on a tape. Control flow needs no guard, since a
// tape serves one point only.
type TapeRecorder struct{ Tape *autodiff.Tape }

// Guard does nothing.
func (t TapeRecorder) Guard(*Value) {}

// Elementwise records an operation with its numeric derivatives.
func (t TapeRecorder) Elementwise(_ source.Span, fn *stdlib.Function, args []*Value, out *Value) autodiff.Node {
	op := fn.Op
	if !op.Differentiable() {
		return autodiff.None
	}
	at := func(k, i int) int {
		if len(args[k].X) == 1 {
			return 0
		}
		return i
	}
	return t.Tape.Record(len(out.X), func(adj []float64, add func(autodiff.Ref, float64)) {
		var d [3]float64
		for i, a := range adj {
			switch len(args) {
			case 1:
				d[0], a = op.Back1(a, args[0].X[at(0, i)], out.X[i]), 1
			case 2:
				d[0], d[1] = op.Back2(a, args[0].X[at(0, i)], args[1].X[at(1, i)], out.X[i])
				a = 1
			default:
				d[0], d[1], d[2] = op.D3(args[0].X[at(0, i)], args[1].X[at(1, i)], args[2].X[at(2, i)], out.X[i])
			}
			for k, v := range args {
				if r := v.Ref(at(k, i)); r.Node != autodiff.None && adj[i] != 0 {
					add(r, a*d[k])
				}
			}
		}
	})
}

// Kernel records a library function with its reverse rule.
func (t TapeRecorder) Kernel(_ source.Span, fn *stdlib.Function, args []*Value, out *Value) autodiff.Node {
	k := fn.Kernel
	if k.VJP == nil && k.ValueGrad == nil {
		return autodiff.None
	}
	return t.Tape.Record(len(out.X), func(adj []float64, add func(autodiff.Ref, float64)) {
		in, din := tensors(args), buffers(args)
		var work []float64
		if k.Work != nil {
			work = make([]float64, k.Work(in))
		}
		if k.VJP != nil {
			k.VJP(in, out.X, adj, din, work)
		} else {
			if _, err := k.ValueGrad(in, din, work); err != nil {
				return // the value was computed before, so this cannot fail
			}
			for _, d := range din {
				for i := range d {
					d[i] *= adj[0]
				}
			}
		}
		spread(args, din, add)
	})
}

// buffers makes room for the adjoints of the active arguments.
func buffers(args []*Value) [][]float64 {
	din := make([][]float64, len(args))
	for i, a := range args {
		if a.Active() {
			din[i] = make([]float64, len(a.X))
		}
	}
	return din
}

// spread adds adjoints to what the arguments depend on.
func spread(args []*Value, din [][]float64, add func(autodiff.Ref, float64)) {
	for k, d := range din {
		for i, a := range d {
			add(args[k].Ref(i), a)
		}
	}
}

// Transform records a constraint transform. The result and the log Jacobian are two
// records; each runs the reverse rule for its own part.
func (t TapeRecorder) Transform(tr *stdlib.Transform, dims []int, free *Value, args []*Value, out *Value, _ float64) (autodiff.Node, autodiff.Node) {
	all := append([]*Value{free}, args...)
	bounds := make([][]float64, len(args))
	for i, a := range args {
		bounds[i] = a.X
	}
	back := func(adj []float64, adjLog float64, add func(autodiff.Ref, float64)) {
		din := buffers(all)
		if din[0] == nil {
			din[0] = make([]float64, len(free.X))
		}
		var work []float64
		if tr.Work != nil {
			work = make([]float64, tr.Work(dims))
		}
		tr.VJP(dims, free.X, bounds, out.X, adj, adjLog, din[0], din[1:], work)
		spread(all, din, add)
	}
	x := t.Tape.Record(len(out.X), func(adj []float64, add func(autodiff.Ref, float64)) { back(adj, 0, add) })
	logJ := t.Tape.Record(1, func(adj []float64, add func(autodiff.Ref, float64)) {
		back(make([]float64, len(out.X)), adj[0], add)
	})
	return x, logJ
}

// Opaque records a function with its own reverse rule.
func (t TapeRecorder) Opaque(fn autodiff.Opaque, args []*Value, out *Value) autodiff.Node {
	return t.Tape.Record(len(out.X), func(adj []float64, add func(autodiff.Ref, float64)) {
		in := make([][]float64, len(args))
		for i, a := range args {
			in[i] = a.X
		}
		inst := fn.Instance()
		x := make([]float64, len(out.X))
		if inst.Value(in, x) != nil {
			return // the value was computed before, so this cannot fail
		}
		din := buffers(args)
		inst.VJP(in, x, adj, din)
		spread(args, din, add)
	})
}
