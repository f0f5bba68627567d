// The choice of instructions on amd64.

package vec

import "unsafe"

func cpuid(leaf, sub uint32) (a, b, c, d uint32)

// xgetbv returns the low half of the register that says which vector registers the
// operating system saves.
func xgetbv() uint32

//go:noescape
func sumAVX2(x *float64, n int) float64

//go:noescape
func dotAVX2(x, y *float64, n int) float64

//go:noescape
func sumAVX512(x *float64, n int) float64

//go:noescape
func dotAVX512(x, y *float64, n int) float64

// sets lists what this processor can run, the best first.
func sets() []*set {
	narrow, wide := features()
	switch {
	case wide:
		return []*set{setAVX512, setAVX2, portable}
	case narrow:
		return []*set{setAVX2, portable}
	}
	return []*set{portable}
}

// features reports whether AVX2 with FMA, and AVX-512 F, DQ and VL, are there and usable
// (Intel's manual, volume 1, sections 14.3 and 15.2).
func features() (narrow, wide bool) {
	const (
		fma, osxsave, avx     = 1 << 12, 1 << 27, 1 << 28
		avx2, avx512f         = 1 << 5, 1 << 16
		avx512dq, avx512vl    = 1 << 17, 1 << 31
		saveYMM, saveZMM      = 0x6, 0xe6
		needs1, needs7, wide7 = fma | osxsave | avx, avx2, avx512f | avx512dq | avx512vl
	)
	top, _, _, _ := cpuid(0, 0)
	if top < 7 {
		return false, false
	}
	_, _, c, _ := cpuid(1, 0)
	if c&needs1 != needs1 {
		return false, false
	}
	saved := xgetbv()
	_, b, _, _ := cpuid(7, 0)
	narrow = b&needs7 == needs7 && saved&saveYMM == saveYMM
	return narrow, narrow && b&wide7 == wide7 && saved&saveZMM == saveZMM
}

var (
	setAVX2   = newSet("AVX2", entriesAVX2(), 32, 32)
	setAVX512 = newSet("AVX-512", entriesAVX512(), 64, 0)
)

// newSet reads a table of entries: those of Funcs, of Binaries, of Terms.
func newSet(name string, table *uintptr, vector, half int) *set {
	s := &set{name: name, vector: vector, half: half}
	entries := unsafe.Slice(table, int(numFuncs)+int(numBinaries)+int(numTerms))
	copy(s.unary[:], entries)
	copy(s.binary[:], entries[numFuncs:])
	copy(s.terms[:], entries[int(numFuncs)+int(numBinaries):])
	return s
}
