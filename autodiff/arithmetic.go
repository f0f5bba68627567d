// The inner loop of the interpreter: small instructions.

package autodiff

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// The small instructions by name.
const (
	iAddSS icode = iota + icodeBinary
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
	iSum
	iDot
	iGather
	iMulAdd
	iMulSub
	iNegMulAdd
)

// runArithmetic executes instructions up to the first call or native one and returns
// its position, or the number of instructions where there is none.
func runArithmetic(code []instr, idx []int32, mem []float64) int {
	for i := range code {
		ins := &code[i]
		switch ins.code {
		case icodeCall, icodeNative:
			return i
		case iAddSS:
			mem[ins.dst] = mem[ins.a] + mem[ins.b]
		case iAddVV:
			vec.AddVV.Map(ins.out(mem), ins.vector(ins.a, mem), ins.vector(ins.b, mem))
		case iAddVS:
			vec.AddVS.Map(ins.out(mem), ins.vector(ins.a, mem), mem[ins.b:])
		case iAddSV:
			vec.AddVS.Map(ins.out(mem), ins.vector(ins.b, mem), mem[ins.a:])
		case iAddII:
			out, ia, ib := ins.out(mem), ins.list(ins.a, idx), ins.list(ins.b, idx)
			for k := range out {
				out[k] = mem[ia[k]] + mem[ib[k]]
			}
		case iSubSS:
			mem[ins.dst] = mem[ins.a] - mem[ins.b]
		case iSubVV:
			vec.SubVV.Map(ins.out(mem), ins.vector(ins.a, mem), ins.vector(ins.b, mem))
		case iSubVS:
			vec.SubVS.Map(ins.out(mem), ins.vector(ins.a, mem), mem[ins.b:])
		case iSubSV:
			vec.SubSV.Map(ins.out(mem), mem[ins.a:], ins.vector(ins.b, mem))
		case iSubII:
			out, ia, ib := ins.out(mem), ins.list(ins.a, idx), ins.list(ins.b, idx)
			for k := range out {
				out[k] = mem[ia[k]] - mem[ib[k]]
			}
		case iMulSS:
			mem[ins.dst] = mem[ins.a] * mem[ins.b]
		case iMulVV:
			vec.MulVV.Map(ins.out(mem), ins.vector(ins.a, mem), ins.vector(ins.b, mem))
		case iMulVS:
			vec.MulVS.Map(ins.out(mem), ins.vector(ins.a, mem), mem[ins.b:])
		case iMulSV:
			vec.MulVS.Map(ins.out(mem), ins.vector(ins.b, mem), mem[ins.a:])
		case iMulII:
			out, ia, ib := ins.out(mem), ins.list(ins.a, idx), ins.list(ins.b, idx)
			for k := range out {
				out[k] = mem[ia[k]] * mem[ib[k]]
			}
		case iShiftSS:
			mem[ins.dst] = shift(mem[ins.a], mem[ins.b])
		case iShiftVV:
			vec.ShiftVV.Map(ins.out(mem), ins.vector(ins.a, mem), ins.vector(ins.b, mem))
		case iShiftVS:
			out, x, y := ins.out(mem), ins.vector(ins.a, mem), mem[ins.b]
			for k := range out {
				out[k] = shift(x[k], y)
			}
		case iShiftSV:
			out, x, y := ins.out(mem), mem[ins.a], ins.vector(ins.b, mem)
			for k := range out {
				out[k] = shift(x, y[k])
			}
		case iShiftII:
			out, ia, ib := ins.out(mem), ins.list(ins.a, idx), ins.list(ins.b, idx)
			for k := range out {
				out[k] = shift(mem[ia[k]], mem[ib[k]])
			}
		case iNegS:
			x := mem[ins.a]
			mem[ins.dst] = -x
		case iNegV:
			vec.Neg.Map(ins.out(mem), ins.vector(ins.a, mem))
		case iNegI:
			out, ia := ins.out(mem), ins.list(ins.a, idx)
			for k, at := range ia {
				v := mem[at]
				out[k] = -v
			}
		case iInvS:
			x := mem[ins.a]
			mem[ins.dst] = 1 / x
		case iInvV:
			vec.Inv.Map(ins.out(mem), ins.vector(ins.a, mem))
		case iInvI:
			x := ins.collect(idx, mem)
			vec.Inv.Map(x, x)
		case iSquareS:
			x := mem[ins.a]
			mem[ins.dst] = x * x
		case iSquareV:
			vec.Square.Map(ins.out(mem), ins.vector(ins.a, mem))
		case iSquareI:
			out, ia := ins.out(mem), ins.list(ins.a, idx)
			for k, at := range ia {
				v := mem[at]
				out[k] = v * v
			}
		case iSqrtS:
			x := mem[ins.a]
			mem[ins.dst] = math.Sqrt(x)
		case iSqrtV:
			vec.Sqrt.Map(ins.out(mem), ins.vector(ins.a, mem))
		case iSqrtI:
			x := ins.collect(idx, mem)
			vec.Sqrt.Map(x, x)
		case iExpS:
			x := mem[ins.a]
			mem[ins.dst] = vec.Exp.At(x)
		case iExpV:
			vec.Exp.Map(ins.out(mem), ins.vector(ins.a, mem))
		case iExpI:
			x := ins.collect(idx, mem)
			vec.Exp.Map(x, x)
		case iLogS:
			x := mem[ins.a]
			mem[ins.dst] = vec.Log.At(x)
		case iLogV:
			vec.Log.Map(ins.out(mem), ins.vector(ins.a, mem))
		case iLogI:
			x := ins.collect(idx, mem)
			vec.Log.Map(x, x)
		case iLog1pS:
			x := mem[ins.a]
			mem[ins.dst] = vec.Log1p.At(x)
		case iLog1pV:
			vec.Log1p.Map(ins.out(mem), ins.vector(ins.a, mem))
		case iLog1pI:
			x := ins.collect(idx, mem)
			vec.Log1p.Map(x, x)
		case iLog1pExpS:
			x := mem[ins.a]
			mem[ins.dst] = vec.Log1pExp.At(x)
		case iLog1pExpV:
			vec.Log1pExp.Map(ins.out(mem), ins.vector(ins.a, mem))
		case iLog1pExpI:
			x := ins.collect(idx, mem)
			vec.Log1pExp.Map(x, x)
		case iInvLogitS:
			x := mem[ins.a]
			mem[ins.dst] = vec.InvLogit.At(x)
		case iInvLogitV:
			vec.InvLogit.Map(ins.out(mem), ins.vector(ins.a, mem))
		case iInvLogitI:
			x := ins.collect(idx, mem)
			vec.InvLogit.Map(x, x)
		case iSum:
			mem[ins.dst] = vec.Sum(ins.vector(ins.a, mem))
		case iDot:
			mem[ins.dst] = vec.Dot(ins.vector(ins.a, mem), ins.vector(ins.b, mem))
		case iMulAdd:
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
		case iGather:
			out := ins.out(mem)
			for k, at := range ins.list(ins.a, idx) {
				out[k] = mem[at]
			}
		}
	}
	return len(code)
}

func (ins *instr) out(mem []float64) []float64 { return mem[ins.dst:][:ins.n] }

func (ins *instr) vector(at int32, mem []float64) []float64 { return mem[at:][:ins.n] }

func (ins *instr) list(at int32, idx []int32) []int32 { return idx[at:][:ins.n] }

// collect copies the elements picked by address to the place of the result.
func (ins *instr) collect(idx []int32, mem []float64) []float64 {
	out := ins.out(mem)
	for k, at := range ins.list(ins.a, idx) {
		out[k] = mem[at]
	}
	return out
}
