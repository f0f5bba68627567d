// The inner loop of the interpreter: small instructions.

package autodiff

import "math"

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
)

// runArithmetic executes instructions up to the first heavy one and returns its
// position, or the number of instructions where there is none.
func runArithmetic(code []instr, idx []int32, mem []float64) int {
	for i := range code {
		ins := &code[i]
		switch ins.code {
		case icodeHeavy:
			return i
		case iAddSS:
			mem[ins.dst] = mem[ins.a] + mem[ins.b]
		case iAddVV:
			out, x, y := ins.out(mem), ins.vector(ins.a, mem), ins.vector(ins.b, mem)
			for k := range out {
				out[k] = x[k] + y[k]
			}
		case iAddVS:
			out, x, y := ins.out(mem), ins.vector(ins.a, mem), mem[ins.b]
			for k := range out {
				out[k] = x[k] + y
			}
		case iAddSV:
			out, x, y := ins.out(mem), mem[ins.a], ins.vector(ins.b, mem)
			for k := range out {
				out[k] = x + y[k]
			}
		case iAddII:
			out, ia, ib := ins.out(mem), ins.list(ins.a, idx), ins.list(ins.b, idx)
			for k := range out {
				out[k] = mem[ia[k]] + mem[ib[k]]
			}
		case iSubSS:
			mem[ins.dst] = mem[ins.a] - mem[ins.b]
		case iSubVV:
			out, x, y := ins.out(mem), ins.vector(ins.a, mem), ins.vector(ins.b, mem)
			for k := range out {
				out[k] = x[k] - y[k]
			}
		case iSubVS:
			out, x, y := ins.out(mem), ins.vector(ins.a, mem), mem[ins.b]
			for k := range out {
				out[k] = x[k] - y
			}
		case iSubSV:
			out, x, y := ins.out(mem), mem[ins.a], ins.vector(ins.b, mem)
			for k := range out {
				out[k] = x - y[k]
			}
		case iSubII:
			out, ia, ib := ins.out(mem), ins.list(ins.a, idx), ins.list(ins.b, idx)
			for k := range out {
				out[k] = mem[ia[k]] - mem[ib[k]]
			}
		case iMulSS:
			mem[ins.dst] = mem[ins.a] * mem[ins.b]
		case iMulVV:
			out, x, y := ins.out(mem), ins.vector(ins.a, mem), ins.vector(ins.b, mem)
			for k := range out {
				out[k] = x[k] * y[k]
			}
		case iMulVS:
			out, x, y := ins.out(mem), ins.vector(ins.a, mem), mem[ins.b]
			for k := range out {
				out[k] = x[k] * y
			}
		case iMulSV:
			out, x, y := ins.out(mem), mem[ins.a], ins.vector(ins.b, mem)
			for k := range out {
				out[k] = x * y[k]
			}
		case iMulII:
			out, ia, ib := ins.out(mem), ins.list(ins.a, idx), ins.list(ins.b, idx)
			for k := range out {
				out[k] = mem[ia[k]] * mem[ib[k]]
			}
		case iShiftSS:
			mem[ins.dst] = shift(mem[ins.a], mem[ins.b])
		case iShiftVV:
			out, x, y := ins.out(mem), ins.vector(ins.a, mem), ins.vector(ins.b, mem)
			for k := range out {
				out[k] = shift(x[k], y[k])
			}
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
			out, x := ins.out(mem), ins.vector(ins.a, mem)
			for k, v := range x {
				out[k] = -v
			}
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
			out, x := ins.out(mem), ins.vector(ins.a, mem)
			for k, v := range x {
				out[k] = 1 / v
			}
		case iInvI:
			out, ia := ins.out(mem), ins.list(ins.a, idx)
			for k, at := range ia {
				v := mem[at]
				out[k] = 1 / v
			}
		case iSquareS:
			x := mem[ins.a]
			mem[ins.dst] = x * x
		case iSquareV:
			out, x := ins.out(mem), ins.vector(ins.a, mem)
			for k, v := range x {
				out[k] = v * v
			}
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
			out, x := ins.out(mem), ins.vector(ins.a, mem)
			for k, v := range x {
				out[k] = math.Sqrt(v)
			}
		case iSqrtI:
			out, ia := ins.out(mem), ins.list(ins.a, idx)
			for k, at := range ia {
				v := mem[at]
				out[k] = math.Sqrt(v)
			}
		case iExpS:
			x := mem[ins.a]
			mem[ins.dst] = math.Exp(x)
		case iExpV:
			out, x := ins.out(mem), ins.vector(ins.a, mem)
			for k, v := range x {
				out[k] = math.Exp(v)
			}
		case iExpI:
			out, ia := ins.out(mem), ins.list(ins.a, idx)
			for k, at := range ia {
				v := mem[at]
				out[k] = math.Exp(v)
			}
		case iLogS:
			x := mem[ins.a]
			mem[ins.dst] = math.Log(x)
		case iLogV:
			out, x := ins.out(mem), ins.vector(ins.a, mem)
			for k, v := range x {
				out[k] = math.Log(v)
			}
		case iLogI:
			out, ia := ins.out(mem), ins.list(ins.a, idx)
			for k, at := range ia {
				v := mem[at]
				out[k] = math.Log(v)
			}
		case iLog1pS:
			x := mem[ins.a]
			mem[ins.dst] = math.Log1p(x)
		case iLog1pV:
			out, x := ins.out(mem), ins.vector(ins.a, mem)
			for k, v := range x {
				out[k] = math.Log1p(v)
			}
		case iLog1pI:
			out, ia := ins.out(mem), ins.list(ins.a, idx)
			for k, at := range ia {
				v := mem[at]
				out[k] = math.Log1p(v)
			}
		case iLog1pExpS:
			x := mem[ins.a]
			mem[ins.dst] = log1pExp(x)
		case iLog1pExpV:
			out, x := ins.out(mem), ins.vector(ins.a, mem)
			for k, v := range x {
				out[k] = log1pExp(v)
			}
		case iLog1pExpI:
			out, ia := ins.out(mem), ins.list(ins.a, idx)
			for k, at := range ia {
				v := mem[at]
				out[k] = log1pExp(v)
			}
		case iInvLogitS:
			x := mem[ins.a]
			mem[ins.dst] = invLogit(x)
		case iInvLogitV:
			out, x := ins.out(mem), ins.vector(ins.a, mem)
			for k, v := range x {
				out[k] = invLogit(v)
			}
		case iInvLogitI:
			out, ia := ins.out(mem), ins.list(ins.a, idx)
			for k, at := range ia {
				v := mem[at]
				out[k] = invLogit(v)
			}
		case iSum:
			mem[ins.dst] = sum(ins.vector(ins.a, mem))
		case iDot:
			mem[ins.dst] = dot(ins.vector(ins.a, mem), ins.vector(ins.b, mem))
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
