// The core scalar operations, which the machine runs without a function call.

package graph

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// Opcode numbers the core operations; 0 is none.
type Opcode uint8

const (
	CodeNone Opcode = iota
	CodeAdd
	CodeSub
	CodeMul
	CodeShift
	CodeNeg
	CodeInv
	CodeSquare
	CodeSqrt
	CodeExp
	CodeLog
	CodeLog1p
	CodeLog1pExp
	CodeInvLogit
	CodeMulAdd
	CodeMulSub
	CodeNegMulAdd
)

// The core operations.
var (
	Add = &Op{Name: "add", Code: CodeAdd, F2: func(x, y float64) float64 { return x + y },
		D2: func(_, _, _ float64) (float64, float64) { return 1, 1 }}
	Sub = &Op{Name: "subtract", Code: CodeSub, F2: func(x, y float64) float64 { return x - y },
		D2: func(_, _, _ float64) (float64, float64) { return 1, -1 }}
	Mul = &Op{Name: "multiply", Code: CodeMul, F2: func(x, y float64) float64 { return x * y },
		D2: func(x, y, _ float64) (float64, float64) { return y, x }}
	Div = &Op{Name: "divide", F2: func(x, y float64) float64 { return x / y },
		D2: func(_, y, f float64) (float64, float64) { return 1 / y, -f / y }}
	// Shift is the greater of two numbers, or 0 where that is not finite: what a sum of
	// exponentials is scaled by, so that exp(-Inf - shift) is 0 and not NaN. The scale
	// cancels, so it has no derivative on purpose.
	Shift = &Op{Name: "shift", Code: CodeShift, F2: ShiftOf}
	Neg   = &Op{Name: "minus", Code: CodeNeg, F1: func(x float64) float64 { return -x },
		D1: func(_, _ float64) float64 { return -1 }}
	Inv = &Op{Name: "inv", Code: CodeInv, F1: func(x float64) float64 { return 1 / x },
		D1: func(_, f float64) float64 { return -f * f }, Adjoint: func(a, _, f float64) float64 { return -(a * f) * f }}
	Square = &Op{Name: "square", Code: CodeSquare, F1: func(x float64) float64 { return x * x },
		D1: func(x, _ float64) float64 { return 2 * x }}
	Sqrt = &Op{Name: "sqrt", Code: CodeSqrt, F1: math.Sqrt,
		D1: func(_, f float64) float64 { return 0.5 / f }}
	Exp = &Op{Name: "exp", Code: CodeExp, F1: vec.Exp.At,
		D1: func(_, f float64) float64 { return f }}
	Log = &Op{Name: "log", Code: CodeLog, F1: vec.Log.At,
		D1: func(x, _ float64) float64 { return 1 / x }}
	Log1p = &Op{Name: "log1p", Code: CodeLog1p, F1: vec.Log1p.At,
		D1: func(x, _ float64) float64 { return 1 / (1 + x) }}
	Log1pExp = &Op{Name: "log1p_exp", Code: CodeLog1pExp, F1: vec.Log1pExp.At,
		D1: func(x, _ float64) float64 { return vec.InvLogit.At(x) }}
	InvLogit = &Op{Name: "inv_logit", Code: CodeInvLogit, F1: vec.InvLogit.At,
		D1: func(x, f float64) float64 { return f * vec.InvLogit.At(-x) }} // 1 - f would cancel
)

// Comparisons, which have no derivative, and choices: blocks of machine code have instructions for them.
var (
	// More is 1 where the first of two numbers is greater, and AtLeast where it is not less; else, of NaN, too, they are 0.
	More    = &Op{Name: "more", F2: func(x, y float64) float64 { return truth(x > y) }}
	AtLeast = &Op{Name: "at_least", F2: func(x, y float64) float64 { return truth(x >= y) }}
	// PickBySign is its first argument where the third has a minus sign, and otherwise the second.
	PickBySign = &Op{Name: "pick", F3: func(x, y, sign float64) float64 {
		if math.Signbit(sign) {
			return x
		}
		return y
	}, D3: func(_, _, sign, _ float64) (dx, dy, dsign float64) {
		if math.Signbit(sign) {
			return 1, 0, 0
		}
		return 0, 1, 0
	}}
)

func truth(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

func ShiftOf(x, y float64) float64 {
	if y > x {
		x = y
	}
	if x-x != 0 { // infinite or NaN
		return 0
	}
	return x
}
