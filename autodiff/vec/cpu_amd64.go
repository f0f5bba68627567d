// The choice of instructions on amd64.

package vec

func cpuid(leaf, sub uint32) (a, b, c, d uint32)

// xgetbv gives the low half of the register that says which vector registers the
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

// features says whether AVX2 with FMA, and AVX-512 F, DQ and VL, are there and usable
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

var setAVX2 = &set{
	name: "AVX2",
	unary: [numFuncs]kernel1{
		Exp: expAVX2, Expm1: expm1AVX2, Log: logAVX2, Log1p: log1pAVX2, Log1pExp: log1pExpAVX2,
		InvLogit: invLogitAVX2, Tanh: tanhAVX2, Sqrt: sqrtAVX2, Inv: invAVX2, Neg: negAVX2, Square: squareAVX2,
	},
	binary: [numBinaries]kernel2{
		AddVV: addVVAVX2, AddVS: addVSAVX2, SubVV: subVVAVX2, SubVS: subVSAVX2, SubSV: subSVAVX2,
		MulVV: mulVVAVX2, MulVS: mulVSAVX2, DivVV: divVVAVX2, DivVS: divVSAVX2, DivSV: divSVAVX2,
	},
}

var setAVX512 = &set{
	name: "AVX-512",
	unary: [numFuncs]kernel1{
		Exp: expAVX512, Expm1: expm1AVX512, Log: logAVX512, Log1p: log1pAVX512, Log1pExp: log1pExpAVX512,
		InvLogit: invLogitAVX512, Tanh: tanhAVX512, Sqrt: sqrtAVX512, Inv: invAVX512, Neg: negAVX512, Square: squareAVX512,
	},
	binary: [numBinaries]kernel2{
		AddVV: addVVAVX512, AddVS: addVSAVX512, SubVV: subVVAVX512, SubVS: subVSAVX512, SubSV: subSVAVX512,
		MulVV: mulVVAVX512, MulVS: mulVSAVX512, DivVV: divVVAVX512, DivVS: divVSAVX512, DivSV: divSVAVX512,
	},
}
