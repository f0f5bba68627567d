// Portable forms of kernels that stand nowhere else.

package vec

import "unsafe"

func binaryPortable(f Binary, dst, x, y []float64) {
	switch f {
	case AddVV:
		for i := range dst {
			dst[i] = add(x[i], y[i])
		}
	case AddVS:
		for i := range dst {
			dst[i] = add(x[i], y[0])
		}
	case SubVV:
		for i := range dst {
			dst[i] = sub(x[i], y[i])
		}
	case SubVS:
		for i := range dst {
			dst[i] = sub(x[i], y[0])
		}
	case SubSV:
		for i := range dst {
			dst[i] = sub(x[0], y[i])
		}
	case MulVV:
		for i := range dst {
			dst[i] = mul(x[i], y[i])
		}
	case MulVS:
		for i := range dst {
			dst[i] = mul(x[i], y[0])
		}
	case DivVV:
		for i := range dst {
			dst[i] = div(x[i], y[i])
		}
	case DivVS:
		for i := range dst {
			dst[i] = div(x[i], y[0])
		}
	case PowVV:
		for i := range dst {
			dst[i] = pow(x[i], y[i])
		}
	case PowVS:
		for i := range dst {
			dst[i] = pow(x[i], y[0])
		}
	case PowSV:
		for i := range dst {
			dst[i] = pow(x[0], y[i])
		}
	case LbetaVV:
		for i := range dst {
			dst[i] = lbeta(x[i], y[i])
		}
	case LbetaVS:
		for i := range dst {
			dst[i] = lbeta(x[i], y[0])
		}
	case LargerVV:
		for i := range dst {
			dst[i] = larger(x[i], y[i])
		}
	case LargerVS:
		for i := range dst {
			dst[i] = larger(x[i], y[0])
		}
	case SmallerVV:
		for i := range dst {
			dst[i] = smaller(x[i], y[i])
		}
	case SmallerVS:
		for i := range dst {
			dst[i] = smaller(x[i], y[0])
		}
	case EqualVV:
		for i := range dst {
			dst[i] = equal(x[i], y[i])
		}
	case EqualVS:
		for i := range dst {
			dst[i] = equal(x[i], y[0])
		}
	case DivSV:
		for i := range dst {
			dst[i] = div(x[0], y[i])
		}
	case ShiftVV:
		for i := range dst {
			dst[i] = shift(x[i], y[i])
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
