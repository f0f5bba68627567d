// The inner loop of the interpreter: small instructions.

package codegen

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// The small instructions by name.
const (
	iAddSS Icode = iota + icodeBinary
	iAddVV
	iAddVS
	iAddSV
	iAddII
	iSubSS
	iSubVV
	iSubVS
	iSubSV
	iSubII
	iMulSS
	iMulVV
	iMulVS
	iMulSV
	iMulII
	iShiftSS
	iShiftVV
	iShiftVS
	iShiftSV
	iShiftII
	iNegS
	iNegV
	iNegI
	iInvS
	iInvV
	iInvI
	iSquareS
	iSquareV
	iSquareI
	iSqrtS
	iSqrtV
	iSqrtI
	iExpS
	iExpV
	iExpI
	iLogS
	iLogV
	iLogI
	iLog1pS
	iLog1pV
	iLog1pI
	iLog1pExpS
	iLog1pExpV
	iLog1pExpI
	iInvLogitS
	iInvLogitV
	iInvLogitI
	ISum
	IDot
	IGather
	IMulAdd
	iMulSub
	iNegMulAdd
)

// RunArithmetic executes instructions up to the first call or native one and returns
// its position, or the number of instructions where there is none.
func RunArithmetic(code []Instr, idx []int32, mem []float64) int {
	for i := range code {
		ins := &code[i]
		switch ins.Code {
		case IcodeCall, IcodeNative:
			return i
		case iAddSS:
			mem[ins.Dst] = mem[ins.A] + mem[ins.B]
		case iAddVV:
			vec.AddVV.Map(ins.out(mem), ins.vector(ins.A, mem), ins.vector(ins.B, mem))
		case iAddVS:
			vec.AddVS.Map(ins.out(mem), ins.vector(ins.A, mem), mem[ins.B:])
		case iAddSV:
			vec.AddVS.Map(ins.out(mem), ins.vector(ins.B, mem), mem[ins.A:])
		case iAddII:
			out, ia, ib := ins.out(mem), ins.list(ins.A, idx), ins.list(ins.B, idx)
			for k := range out {
				out[k] = mem[ia[k]] + mem[ib[k]]
			}
		case iSubSS:
			mem[ins.Dst] = mem[ins.A] - mem[ins.B]
		case iSubVV:
			vec.SubVV.Map(ins.out(mem), ins.vector(ins.A, mem), ins.vector(ins.B, mem))
		case iSubVS:
			vec.SubVS.Map(ins.out(mem), ins.vector(ins.A, mem), mem[ins.B:])
		case iSubSV:
			vec.SubSV.Map(ins.out(mem), mem[ins.A:], ins.vector(ins.B, mem))
		case iSubII:
			out, ia, ib := ins.out(mem), ins.list(ins.A, idx), ins.list(ins.B, idx)
			for k := range out {
				out[k] = mem[ia[k]] - mem[ib[k]]
			}
		case iMulSS:
			mem[ins.Dst] = mem[ins.A] * mem[ins.B]
		case iMulVV:
			vec.MulVV.Map(ins.out(mem), ins.vector(ins.A, mem), ins.vector(ins.B, mem))
		case iMulVS:
			vec.MulVS.Map(ins.out(mem), ins.vector(ins.A, mem), mem[ins.B:])
		case iMulSV:
			vec.MulVS.Map(ins.out(mem), ins.vector(ins.B, mem), mem[ins.A:])
		case iMulII:
			out, ia, ib := ins.out(mem), ins.list(ins.A, idx), ins.list(ins.B, idx)
			for k := range out {
				out[k] = mem[ia[k]] * mem[ib[k]]
			}
		case iShiftSS:
			mem[ins.Dst] = graph.ShiftOf(mem[ins.A], mem[ins.B])
		case iShiftVV:
			vec.ShiftVV.Map(ins.out(mem), ins.vector(ins.A, mem), ins.vector(ins.B, mem))
		case iShiftVS:
			out, x, y := ins.out(mem), ins.vector(ins.A, mem), mem[ins.B]
			for k := range out {
				out[k] = graph.ShiftOf(x[k], y)
			}
		case iShiftSV:
			out, x, y := ins.out(mem), mem[ins.A], ins.vector(ins.B, mem)
			for k := range out {
				out[k] = graph.ShiftOf(x, y[k])
			}
		case iShiftII:
			out, ia, ib := ins.out(mem), ins.list(ins.A, idx), ins.list(ins.B, idx)
			for k := range out {
				out[k] = graph.ShiftOf(mem[ia[k]], mem[ib[k]])
			}
		case iNegS:
			x := mem[ins.A]
			mem[ins.Dst] = -x
		case iNegV:
			vec.Neg.Map(ins.out(mem), ins.vector(ins.A, mem))
		case iNegI:
			out, ia := ins.out(mem), ins.list(ins.A, idx)
			for k, at := range ia {
				v := mem[at]
				out[k] = -v
			}
		case iInvS:
			x := mem[ins.A]
			mem[ins.Dst] = 1 / x
		case iInvV:
			vec.Inv.Map(ins.out(mem), ins.vector(ins.A, mem))
		case iInvI:
			x := ins.collect(idx, mem)
			vec.Inv.Map(x, x)
		case iSquareS:
			x := mem[ins.A]
			mem[ins.Dst] = x * x
		case iSquareV:
			vec.Square.Map(ins.out(mem), ins.vector(ins.A, mem))
		case iSquareI:
			out, ia := ins.out(mem), ins.list(ins.A, idx)
			for k, at := range ia {
				v := mem[at]
				out[k] = v * v
			}
		case iSqrtS:
			x := mem[ins.A]
			mem[ins.Dst] = math.Sqrt(x)
		case iSqrtV:
			vec.Sqrt.Map(ins.out(mem), ins.vector(ins.A, mem))
		case iSqrtI:
			x := ins.collect(idx, mem)
			vec.Sqrt.Map(x, x)
		case iExpS:
			x := mem[ins.A]
			mem[ins.Dst] = vec.Exp.At(x)
		case iExpV:
			vec.Exp.Map(ins.out(mem), ins.vector(ins.A, mem))
		case iExpI:
			x := ins.collect(idx, mem)
			vec.Exp.Map(x, x)
		case iLogS:
			x := mem[ins.A]
			mem[ins.Dst] = vec.Log.At(x)
		case iLogV:
			vec.Log.Map(ins.out(mem), ins.vector(ins.A, mem))
		case iLogI:
			x := ins.collect(idx, mem)
			vec.Log.Map(x, x)
		case iLog1pS:
			x := mem[ins.A]
			mem[ins.Dst] = vec.Log1p.At(x)
		case iLog1pV:
			vec.Log1p.Map(ins.out(mem), ins.vector(ins.A, mem))
		case iLog1pI:
			x := ins.collect(idx, mem)
			vec.Log1p.Map(x, x)
		case iLog1pExpS:
			x := mem[ins.A]
			mem[ins.Dst] = vec.Log1pExp.At(x)
		case iLog1pExpV:
			vec.Log1pExp.Map(ins.out(mem), ins.vector(ins.A, mem))
		case iLog1pExpI:
			x := ins.collect(idx, mem)
			vec.Log1pExp.Map(x, x)
		case iInvLogitS:
			x := mem[ins.A]
			mem[ins.Dst] = vec.InvLogit.At(x)
		case iInvLogitV:
			vec.InvLogit.Map(ins.out(mem), ins.vector(ins.A, mem))
		case iInvLogitI:
			x := ins.collect(idx, mem)
			vec.InvLogit.Map(x, x)
		case ISum:
			mem[ins.Dst] = vec.Sum(ins.vector(ins.A, mem))
		case IDot:
			mem[ins.Dst] = vec.Dot(ins.vector(ins.A, mem), ins.vector(ins.B, mem))
		case IMulAdd:
			out := ins.out(mem)
			x, y, z := ins.triple(idx)
			for k := range out {
				out[k] = math.FMA(mem[x[k]], mem[y[k]], mem[z[k]])
			}
		case iMulSub:
			out := ins.out(mem)
			x, y, z := ins.triple(idx)
			for k := range out {
				out[k] = math.FMA(mem[x[k]], mem[y[k]], -mem[z[k]])
			}
		case iNegMulAdd:
			out := ins.out(mem)
			x, y, z := ins.triple(idx)
			for k := range out {
				out[k] = math.FMA(-mem[x[k]], mem[y[k]], mem[z[k]])
			}
		case IGather:
			out := ins.out(mem)
			for k, at := range ins.list(ins.A, idx) {
				out[k] = mem[at]
			}
		}
	}
	return len(code)
}

func (ins *Instr) out(mem []float64) []float64 { return mem[ins.Dst:][:ins.N] }

func (ins *Instr) vector(at int32, mem []float64) []float64 { return mem[at:][:ins.N] }

func (ins *Instr) list(at int32, idx []int32) []int32 { return idx[at:][:ins.N] }

// collect copies the elements picked by address to the place of the result.
func (ins *Instr) collect(idx []int32, mem []float64) []float64 {
	out := ins.out(mem)
	for k, at := range ins.list(ins.A, idx) {
		out[k] = mem[at]
	}
	return out
}
