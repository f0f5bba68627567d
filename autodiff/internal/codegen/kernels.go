// The loops of the interpreter.

package codegen

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// MapUnary fills out with op of x (of equal length, or a scalar).
func MapUnary(op *graph.Op, out, x []float64) {
	if len(x) == 1 && len(out) != 1 {
		v := op.F1(x[0])
		for i := range out {
			out[i] = v
		}
		return
	}
	x = x[:len(out)]
	if f, ok := Vector(op); ok {
		f.Map(out, x)
		return
	}
	if op.Vector != nil {
		op.Vector(out, x)
		return
	}
	for i, v := range x {
		out[i] = op.F1(v)
	}
}

// Vector returns the vector form of a core operation of one argument.
func Vector(op *graph.Op) (f vec.Func, ok bool) {
	switch op.Code {
	case graph.CodeNeg:
		return vec.Neg, true
	case graph.CodeInv:
		return vec.Inv, true
	case graph.CodeSquare:
		return vec.Square, true
	case graph.CodeSqrt:
		return vec.Sqrt, true
	case graph.CodeExp:
		return vec.Exp, true
	case graph.CodeLog:
		return vec.Log, true
	case graph.CodeLog1p:
		return vec.Log1p, true
	case graph.CodeLog1pExp:
		return vec.Log1pExp, true
	case graph.CodeInvLogit:
		return vec.InvLogit, true
	}
	return 0, false
}

// MapBinary fills out with op of x and y, either of which may be a scalar.
func MapBinary(op *graph.Op, out, x, y []float64) {
	switch {
	case op.Code == graph.CodeAdd && len(x) == 1:
		x, y = y, x
	case op.Code == graph.CodeMul && len(x) == 1:
		x, y = y, x
	}
	f, ok := vectors(op, len(x) == len(out), len(y) == len(out))
	if ok {
		f.Map(out, x, y)
		return
	}
	if op.Vector2 != nil {
		op.Vector2(out, x, y)
		return
	}
	for i := range out {
		out[i] = op.F2(pickAt(x, i), pickAt(y, i))
	}
}

// vectors returns the vector form of a core operation of two arguments, given which of
// them are vectors; a scalar is the second one where the order does not matter.
func vectors(op *graph.Op, x, y bool) (f vec.Binary, ok bool) {
	switch op.Code {
	case graph.CodeAdd:
		return choose(x, y, vec.AddVV, vec.AddVS, vec.AddVS)
	case graph.CodeSub:
		return choose(x, y, vec.SubVV, vec.SubVS, vec.SubSV)
	case graph.CodeMul:
		return choose(x, y, vec.MulVV, vec.MulVS, vec.MulVS)
	case graph.CodeShift:
		return vec.ShiftVV, x && y
	}
	return 0, false
}

func choose(x, y bool, vv, vs, sv vec.Binary) (vec.Binary, bool) {
	switch {
	case x && y:
		return vv, true
	case x:
		return vs, true
	}
	return sv, y
}

func MapTernary(op *graph.Op, out, x, y, z []float64) {
	for i := range out {
		out[i] = op.F3(pickAt(x, i), pickAt(y, i), pickAt(z, i))
	}
}

// mapIndexed runs a group of scalar operations with operands by address.
func mapIndexed(op *graph.Op, out []float64, in []Operand, mem []float64) {
	ix := in[0].Idx[:len(out)]
	if len(in) == 1 {
		for i, a := range ix {
			out[i] = mem[a]
		}
		MapUnary(op, out, out)
		return
	}
	iy := in[1].Idx[:len(out)]
	switch op.Code {
	case graph.CodeAdd:
		for i, a := range ix {
			out[i] = mem[a] + mem[iy[i]]
		}
	case graph.CodeSub:
		for i, a := range ix {
			out[i] = mem[a] - mem[iy[i]]
		}
	case graph.CodeMul:
		for i, a := range ix {
			out[i] = mem[a] * mem[iy[i]]
		}
	default:
		indexedCalls(op, out, in, mem)
	}
}

func indexedCalls(op *graph.Op, out []float64, in []Operand, mem []float64) {
	ix, iy := in[0].Idx, in[1].Idx
	if op.F2 != nil {
		for i := range out {
			out[i] = op.F2(mem[ix[i]], mem[iy[i]])
		}
		return
	}
	iz := in[2].Idx
	for i := range out {
		out[i] = op.F3(mem[ix[i]], mem[iy[i]], mem[iz[i]])
	}
}

func gather(out []float64, from Operand, mem []float64) {
	if from.Idx == nil { // one number for all
		v := mem[from.Off]
		for i := range out {
			out[i] = v
		}
		return
	}
	idx := from.Idx[:len(out)]
	for i, a := range idx {
		out[i] = mem[a]
	}
}

// accumulate adds parts in their order.
func (m *Machine) accumulate(ins *CallInst, out []float64) {
	clear(out)
	for k := range ins.Parts {
		p := &ins.Parts[k]
		x := m.vec(ins.In[p.Src])
		switch {
		case p.At == nil:
			part := out[p.Off : p.Off+len(x)]
			vec.AddVV.Map(part, part, x)
		case len(x) == 1:
			for _, a := range p.At {
				out[a] += x[0]
			}
		case p.Ends != nil:
			vec.AddSegments(out, p.Places, p.Ends, x[p.From[0]:])
		default:
			from := p.From[:len(p.At)]
			for i, a := range p.At {
				out[a] += x[from[i]]
			}
		}
	}
}

// segmented finds runs of neighbours that go to the same place. On average they must be
// long enough to repay a sum for each, and longer where all are few, which a block of machine operations may add one by one.
func segmented(parts []graph.Part) []graph.Part {
	const long, longer, few = 4, 16, 1024
	out, total := slices.Clone(parts), 0
	for k := range parts {
		total += len(parts[k].At)
	}
	for k := range out {
		p := &out[k]
		for i := range p.At {
			if p.From == nil || p.From[i] != p.From[0]+int32(i) {
				p.Places, p.Ends = nil, nil
				break
			}
			if i == 0 || p.At[i] != p.At[i-1] {
				p.Places, p.Ends = append(p.Places, p.At[i]), append(p.Ends, 0)
			}
			p.Ends[len(p.Ends)-1] = int32(i + 1)
		}
		if len(p.At) < long*len(p.Ends) || total <= few && len(p.At) < longer*len(p.Ends) {
			p.Places, p.Ends = nil, nil
		}
	}
	return out
}

// matVec fills out with A*x, A being len(out) x len(x) in column-major order.
func matVec(out, a, x []float64) {
	clear(out)
	vec.AddMatVec(out, a, len(out), x)
}

// matTVec fills out with the transpose of A times x, A being len(x) x len(out).
func matTVec(out, a, x []float64) { vec.MatTVec(out, a, len(x), x) }
