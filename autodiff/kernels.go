// The loops of the interpreter.

package autodiff

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// mapUnary fills out with op of x (of equal length, or a scalar).
func mapUnary(op *Op, out, x []float64) {
	if len(x) == 1 && len(out) != 1 {
		v := op.F1(x[0])
		for i := range out {
			out[i] = v
		}
		return
	}
	x = x[:len(out)]
	if f, ok := op.vector(); ok {
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

// vector returns the vector form of a core operation of one argument.
func (op *Op) vector() (f vec.Func, ok bool) {
	switch op.code {
	case codeNeg:
		return vec.Neg, true
	case codeInv:
		return vec.Inv, true
	case codeSquare:
		return vec.Square, true
	case codeSqrt:
		return vec.Sqrt, true
	case codeExp:
		return vec.Exp, true
	case codeLog:
		return vec.Log, true
	case codeLog1p:
		return vec.Log1p, true
	case codeLog1pExp:
		return vec.Log1pExp, true
	case codeInvLogit:
		return vec.InvLogit, true
	}
	return 0, false
}

// mapBinary fills out with op of x and y, either of which may be a scalar.
func mapBinary(op *Op, out, x, y []float64) {
	switch {
	case op.code == codeAdd && len(x) == 1:
		x, y = y, x
	case op.code == codeMul && len(x) == 1:
		x, y = y, x
	}
	f, ok := op.vectors(len(x) == len(out), len(y) == len(out))
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
func (op *Op) vectors(x, y bool) (f vec.Binary, ok bool) {
	switch op.code {
	case codeAdd:
		return choose(x, y, vec.AddVV, vec.AddVS, vec.AddVS)
	case codeSub:
		return choose(x, y, vec.SubVV, vec.SubVS, vec.SubSV)
	case codeMul:
		return choose(x, y, vec.MulVV, vec.MulVS, vec.MulVS)
	case codeShift:
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

func mapTernary(op *Op, out, x, y, z []float64) {
	for i := range out {
		out[i] = op.F3(pickAt(x, i), pickAt(y, i), pickAt(z, i))
	}
}

// mapIndexed runs a group of scalar operations with operands by address.
func mapIndexed(op *Op, out []float64, in []operand, mem []float64) {
	ix := in[0].idx[:len(out)]
	if len(in) == 1 {
		for i, a := range ix {
			out[i] = mem[a]
		}
		mapUnary(op, out, out)
		return
	}
	iy := in[1].idx[:len(out)]
	switch op.code {
	case codeAdd:
		for i, a := range ix {
			out[i] = mem[a] + mem[iy[i]]
		}
	case codeSub:
		for i, a := range ix {
			out[i] = mem[a] - mem[iy[i]]
		}
	case codeMul:
		for i, a := range ix {
			out[i] = mem[a] * mem[iy[i]]
		}
	default:
		indexedCalls(op, out, in, mem)
	}
}

func indexedCalls(op *Op, out []float64, in []operand, mem []float64) {
	ix, iy := in[0].idx, in[1].idx
	if op.F2 != nil {
		for i := range out {
			out[i] = op.F2(mem[ix[i]], mem[iy[i]])
		}
		return
	}
	iz := in[2].idx
	for i := range out {
		out[i] = op.F3(mem[ix[i]], mem[iy[i]], mem[iz[i]])
	}
}

func gather(out []float64, from operand, mem []float64) {
	if from.idx == nil { // one number for all
		v := mem[from.off]
		for i := range out {
			out[i] = v
		}
		return
	}
	idx := from.idx[:len(out)]
	for i, a := range idx {
		out[i] = mem[a]
	}
}

// accumulate adds parts in their order.
func (m *Machine) accumulate(ins *callInst, out []float64) {
	clear(out)
	for k := range ins.parts {
		p := &ins.parts[k]
		x := m.vec(ins.in[p.src])
		switch {
		case p.at == nil:
			part := out[p.off : p.off+len(x)]
			vec.AddVV.Map(part, part, x)
		case len(x) == 1:
			for _, a := range p.at {
				out[a] += x[0]
			}
		case p.ends != nil:
			vec.AddSegments(out, p.places, p.ends, x[p.from[0]:])
		default:
			from := p.from[:len(p.at)]
			for i, a := range p.at {
				out[a] += x[from[i]]
			}
		}
	}
}

// segmented finds runs of neighbours that go to the same place. On average they must be
// long enough to repay a sum for each.
func segmented(parts []part) []part {
	const long = 4
	out := slices.Clone(parts)
	for k := range out {
		p := &out[k]
		for i := range p.at {
			if p.from == nil || p.from[i] != p.from[0]+int32(i) {
				p.places, p.ends = nil, nil
				break
			}
			if i == 0 || p.at[i] != p.at[i-1] {
				p.places, p.ends = append(p.places, p.at[i]), append(p.ends, 0)
			}
			p.ends[len(p.ends)-1] = int32(i + 1)
		}
		if len(p.at) < long*len(p.ends) {
			p.places, p.ends = nil, nil
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
