//go:build !amd64

// The choice of instructions where there is no assembly.

package vec

func sets() []*set { return []*set{portable} }

// call1, call2 and callBlock are for assembly alone.
func call1(dst, x *float64, n int, entry uintptr)    {}
func call2(dst, x, y *float64, n int, entry uintptr) {}
func callBlock(b *block, entry uintptr)              {}

func sum(x *float64, n int) float64 { return sumPortable(x, n) }

func dot(x, y *float64, n int) float64 { return dotPortable(x, y, n) }

func within(x *float64, n int, lo, hi float64) bool { return withinPortable(x, n, lo, hi) }

func addScaled(dst, a, x, y *float64, n int) { axpyPortable(dst, a, x, y, n) }

func bernoulli(slope, y, eta *float64, n int, acc *float64) { bernoulliPortable(slope, y, eta, n, acc) }

func gemv(z, a *float64, rows int, x *float64, cols, stride int) {
	gemvPortable(z, a, rows, x, cols, stride)
}

func dots(out, a *float64, stride int, x *float64, n int) { dotsPortable(out, a, stride, x, n) }

func splitLogs(x *float64, n int, acc *float64) {
	splitLogsPortable(x, n, acc)
}

func segments(out *float64, at, ends *int32, count int, x *float64) {
	segmentsPortable(out, at, ends, count, x)
}
