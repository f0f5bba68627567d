// Calls of kernels by name. The compiler then knows that arguments stay where they are,
// so that they may lie on the caller's stack; through a set it could not.

package vec

// call1 and call2 jump to a kernel, which finds its arguments in their place.

//go:noescape
func call1(dst, x *float64, n int, entry uintptr)

//go:noescape
func call2(dst, x, y *float64, n int, entry uintptr)

// callBlock is the same for terms.
//
//go:noescape
func callBlock(b *block, entry uintptr)

func sum(x *float64, n int) float64 {
	switch kernels {
	case setAVX512:
		return sumAVX512(x, n)
	case setAVX2:
		return sumAVX2(x, n)
	}
	return sumPortable(x, n)
}

func dot(x, y *float64, n int) float64 {
	switch kernels {
	case setAVX512:
		return dotAVX512(x, y, n)
	case setAVX2:
		return dotAVX2(x, y, n)
	}
	return dotPortable(x, y, n)
}

func within(x *float64, n int, lo, hi float64) bool {
	switch kernels {
	case setAVX512:
		return withinAVX512(x, n, lo, hi)
	case setAVX2:
		return withinAVX2(x, n, lo, hi)
	}
	return withinPortable(x, n, lo, hi)
}

func addScaled(dst, a, x, y *float64, n int) {
	switch kernels {
	case setAVX512:
		axpyAVX512(dst, a, x, y, n)
	case setAVX2:
		axpyAVX2(dst, a, x, y, n)
	default:
		axpyPortable(dst, a, x, y, n)
	}
}

func bernoulli(slope, y, eta *float64, n int, acc *float64) {
	switch kernels {
	case setAVX512:
		bernoulliLogitAVX512(slope, y, eta, n, acc)
	case setAVX2:
		bernoulliLogitAVX2(slope, y, eta, n, acc)
	default:
		bernoulliPortable(slope, y, eta, n, acc)
	}
}

func gemv(z, a *float64, rows int, x *float64, cols, stride int) {
	switch kernels {
	case setAVX512:
		gemvAVX512(z, a, rows, x, cols, stride)
	case setAVX2:
		gemvAVX2(z, a, rows, x, cols, stride)
	default:
		gemvPortable(z, a, rows, x, cols, stride)
	}
}

func dots(out, a *float64, stride int, x *float64, n int) {
	switch kernels {
	case setAVX512:
		dotsAVX512(out, a, stride, x, n)
	case setAVX2:
		dotsAVX2(out, a, stride, x, n)
	default:
		dotsPortable(out, a, stride, x, n)
	}
}

func splitLogs(x *float64, n int, acc *float64) {
	switch kernels {
	case setAVX512:
		splitLogAVX512(x, n, acc)
	case setAVX2:
		splitLogAVX2(x, n, acc)
	default:
		splitLogsPortable(x, n, acc)
	}
}

func segments(out *float64, at, ends *int32, count int, x *float64) {
	switch kernels {
	case setAVX512:
		segmentsAVX512(out, at, ends, count, x)
	case setAVX2:
		segmentsAVX2(out, at, ends, count, x)
	default:
		segmentsPortable(out, at, ends, count, x)
	}
}
