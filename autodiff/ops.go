// The core scalar operations, which the machine runs without a function call.

package autodiff

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// opcode numbers the core operations; 0 is none.
type opcode uint8

const (
	codeNone opcode = iota
	codeAdd
	codeSub
	codeMul
	codeShift
	codeNeg
	codeInv
	codeSquare
	codeSqrt
	codeExp
	codeLog
	codeLog1p
	codeLog1pExp
	codeInvLogit
	codeMulAdd
	codeMulSub
	codeNegMulAdd
	codePick
)

// The core operations.
var (
	Add = &Op{Name: "add", code: codeAdd, F2: func(x, y float64) float64 { return x + y },
		D2: func(_, _, _ float64) (float64, float64) { return 1, 1 }}
	Sub = &Op{Name: "subtract", code: codeSub, F2: func(x, y float64) float64 { return x - y },
		D2: func(_, _, _ float64) (float64, float64) { return 1, -1 }}
	Mul = &Op{Name: "multiply", code: codeMul, F2: func(x, y float64) float64 { return x * y },
		D2: func(x, y, _ float64) (float64, float64) { return y, x }}
	Div = &Op{Name: "divide", F2: func(x, y float64) float64 { return x / y },
		D2: func(_, y, f float64) (float64, float64) { return 1 / y, -f / y }}
	// Shift is the greater of two numbers, or 0 where that is not finite: what a sum of
	// exponentials is scaled by, so that exp(-Inf - shift) is 0 and not NaN. The scale
	// cancels, so it has no derivative on purpose.
	Shift = &Op{Name: "shift", code: codeShift, F2: shift}
	Neg   = &Op{Name: "minus", code: codeNeg, F1: func(x float64) float64 { return -x },
		D1: func(_, _ float64) float64 { return -1 }}
	Inv = &Op{Name: "inv", code: codeInv, F1: func(x float64) float64 { return 1 / x },
		D1: func(_, f float64) float64 { return -f * f }}
	Square = &Op{Name: "square", code: codeSquare, F1: func(x float64) float64 { return x * x },
		D1: func(x, _ float64) float64 { return 2 * x }}
	Sqrt = &Op{Name: "sqrt", code: codeSqrt, F1: math.Sqrt,
		D1: func(_, f float64) float64 { return 0.5 / f }}
	Exp = &Op{Name: "exp", code: codeExp, F1: vec.Exp.At,
		D1: func(_, f float64) float64 { return f }}
	Log = &Op{Name: "log", code: codeLog, F1: vec.Log.At,
		D1: func(x, _ float64) float64 { return 1 / x }}
	Log1p = &Op{Name: "log1p", code: codeLog1p, F1: vec.Log1p.At,
		D1: func(x, _ float64) float64 { return 1 / (1 + x) }}
	Log1pExp = &Op{Name: "log1p_exp", code: codeLog1pExp, F1: vec.Log1pExp.At,
		D1: func(x, _ float64) float64 { return vec.InvLogit.At(x) }}
	InvLogit = &Op{Name: "inv_logit", code: codeInvLogit, F1: vec.InvLogit.At,
		D1: func(x, f float64) float64 { return f * vec.InvLogit.At(-x) }} // 1 - f would cancel
)

func shift(x, y float64) float64 {
	if y > x {
		x = y
	}
	if x-x != 0 { // infinite or NaN
		return 0
	}
	return x
}
