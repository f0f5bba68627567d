// The portable implementation: the definitions, element by element.

package vec

import "unsafe"

var portable = &set{
	name: "portable Go",
	unary: [numFuncs]kernel1{
		Exp: each(exp), Expm1: each(expm1), Log: each(log), Log1p: each(log1p), Log1pExp: each(log1pExp),
		InvLogit: each(invLogit), Tanh: each(tanh), Sqrt: each(sqrt), Inv: each(inv), Neg: each(neg), Square: each(square),
	},
	binary: [numBinaries]kernel2{
		AddVV: pairs(add, 1, 1), AddVS: pairs(add, 1, 0),
		SubVV: pairs(sub, 1, 1), SubVS: pairs(sub, 1, 0), SubSV: pairs(sub, 0, 1),
		MulVV: pairs(mul, 1, 1), MulVS: pairs(mul, 1, 0),
		DivVV: pairs(div, 1, 1), DivVS: pairs(div, 1, 0), DivSV: pairs(div, 0, 1),
	},
}

func each(f func(float64) float64) kernel1 {
	return func(dst, x *float64, n int) {
		out, xs := unsafe.Slice(dst, n), unsafe.Slice(x, n)
		for i := range out {
			out[i] = f(xs[i])
		}
	}
}

// pairs makes a loop with steps of 1, or of 0 for a scalar.
func pairs(f func(x, y float64) float64, stepX, stepY int) kernel2 {
	return func(dst, x, y *float64, n int) {
		out, xs, ys := unsafe.Slice(dst, n), unsafe.Slice(x, 1+(n-1)*stepX), unsafe.Slice(y, 1+(n-1)*stepY)
		for i := range out {
			out[i] = f(xs[i*stepX], ys[i*stepY])
		}
	}
}

func withinPortable(x *float64, n int, lo, hi float64) bool {
	for _, v := range unsafe.Slice(x, n) {
		if !(v >= lo && v <= hi) {
			return false
		}
	}
	return true
}

func axpyPortable(dst, a, x, y *float64, n int) {
	out, xs, ys := unsafe.Slice(dst, n), unsafe.Slice(x, n), unsafe.Slice(y, n)
	for i := range out {
		out[i] = axpy(*a, xs[i], ys[i])
	}
}
