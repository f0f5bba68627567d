package vec

// This file runs the kernels at the end of a page beyond which nothing may be touched.

import (
	"syscall"
	"testing"
	"unsafe"
)

// beforeGuard returns n numbers that end where an inaccessible page starts; those before
// them lie after one.
func beforeGuard(t *testing.T, n int) []float64 {
	t.Helper()
	page := syscall.Getpagesize()
	mem, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skipf("no memory mapping: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(mem) })
	for _, lo := range []int{0, 2 * page} {
		if err := syscall.Mprotect(mem[lo:lo+page], syscall.PROT_NONE); err != nil {
			t.Skipf("no guard page: %v", err)
		}
	}
	return unsafe.Slice((*float64)(unsafe.Pointer(&mem[2*page-8*n])), n)
}

func TestNothingBeyondTheEnd(t *testing.T) {
	const most = 40
	x, y, out := beforeGuard(t, most), beforeGuard(t, most), beforeGuard(t, most)
	copy(x, points(most, 8))
	copy(y, points(most, 9))
	for _, s := range sets() {
		use(t, s)
		for n := 1; n <= most; n++ {
			xs, ys, dst := x[most-n:], y[most-n:], out[most-n:]
			for f := range numFuncs {
				f.Map(dst, xs)
			}
			for f := range numBinaries {
				px, py := xs, ys
				switch f { // a scalar is the very last number
				case AddVS, SubVS, MulVS, DivVS:
					py = y[most-1:]
				case SubSV, DivSV:
					px = x[most-1:]
				}
				f.Map(dst, px, py)
			}
			_ = sum(&xs[0], n)
			_ = dot(&xs[0], &ys[0], n)
		}
	}
}
