// Machine code against what an assembler (GNU as) makes of the same instructions.

package native

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"
)

func TestVexEncoding(t *testing.T) {
	reg := func(r xreg) place { return place{reg: r} }
	at := func(off int32) place { return place{kind: inArena, off: off} }
	for _, c := range []struct {
		asm, want string
		write     func(e *vex)
	}{
		{"vmovsd xmm3, [rdi+8]", "c5 fb 10 5f 08", func(e *vex) { e.load(3, false, at(8)) }},
		{"vmovsd xmm12, [rdi+1024]", "c5 7b 10 a7 00 04 00 00", func(e *vex) { e.load(12, false, at(1024)) }},
		{"vmovsd [rdi+120], xmm9", "c5 7b 11 4f 78", func(e *vex) { e.store(at(120), false, 9) }},
		{"vmovupd ymm2, [rdi+128]", "c5 fd 10 97 80 00 00 00", func(e *vex) { e.load(2, true, at(128)) }},
		{"vmovupd [rdi+65536], ymm14", "c5 7d 11 b7 00 00 01 00", func(e *vex) { e.store(at(65536), true, 14) }},
		{"vmovapd xmm1, xmm2", "c5 f9 28 ca", func(e *vex) { e.move(1, 2, false) }},
		{"vmovapd ymm9, ymm10", "c4 41 7d 28 ca", func(e *vex) { e.move(9, 10, true) }},
		{"vaddsd xmm0, xmm1, xmm2", "c5 f3 58 c2", func(e *vex) { e.op(packed(codeAdd, false), false, 0, 1, reg(2)) }},
		{"vaddsd xmm8, xmm9, xmm10", "c4 41 33 58 c2", func(e *vex) { e.op(packed(codeAdd, false), false, 8, 9, reg(10)) }},
		{"vaddsd xmm1, xmm15, [rdi+16]", "c5 83 58 4f 10", func(e *vex) { e.op(packed(codeAdd, false), false, 1, 15, at(16)) }},
		{"vaddpd ymm1, ymm2, ymm3", "c5 ed 58 cb", func(e *vex) { e.op(packed(codeAdd, true), true, 1, 2, reg(3)) }},
		{"vsubsd xmm4, xmm5, [rdi+800]", "c5 d3 5c a7 20 03 00 00", func(e *vex) { e.op(packed(codeSub, false), false, 4, 5, at(800)) }},
		{"vsubpd ymm11, ymm5, ymm13", "c4 41 55 5c dd", func(e *vex) { e.op(packed(codeSub, true), true, 11, 5, reg(13)) }},
		{"vmulsd xmm7, xmm7, xmm7", "c5 c3 59 ff", func(e *vex) { e.op(packed(codeMul, false), false, 7, 7, reg(7)) }},
		{"vdivsd xmm1, xmm15, xmm3", "c5 83 5e cb", func(e *vex) { e.op(packed(codeDiv, false), false, 1, 15, reg(3)) }},
		{"vdivpd ymm1, ymm15, ymm3", "c5 85 5e cb", func(e *vex) { e.op(packed(codeDiv, true), true, 1, 15, reg(3)) }},
		{"vmaxsd xmm1, xmm2, xmm3", "c5 eb 5f cb", func(e *vex) { e.op(packed(codeMax, false), false, 1, 2, reg(3)) }},
		{"vsqrtsd xmm1, xmm2, xmm2", "c5 eb 51 ca", func(e *vex) { e.op(packed(codeSqrt, false), false, 1, 2, reg(2)) }},
		{"vsqrtsd xmm1, xmm0, [rdi+64]", "c5 fb 51 4f 40", func(e *vex) { e.op(packed(codeSqrt, false), false, 1, 0, at(64)) }},
		{"vsqrtpd ymm1, ymm2", "c5 fd 51 ca", func(e *vex) { e.op(packed(codeSqrt, true), true, 1, 0, reg(2)) }},
		{"vcmpordsd xmm15, xmm15, xmm15", "c4 41 03 c2 ff 07", func(e *vex) { e.opImm(packed(codeCmp, false), false, 15, 15, reg(15), 7) }},
		{"vandpd xmm1, xmm1, xmm15", "c4 c1 71 54 cf", func(e *vex) { e.op(opAnd, false, 1, 1, reg(15)) }},
		{"vxorpd ymm1, ymm2, ymm3", "c5 ed 57 cb", func(e *vex) { e.op(opXor, true, 1, 2, reg(3)) }},
		{"vbroadcastsd ymm4, xmm12", "c4 c2 7d 19 e4", func(e *vex) { e.op(opBroadcast, true, 4, 0, reg(12)) }},
		{"vbroadcastsd ymm4, [rdi+24]", "c4 e2 7d 19 67 18", func(e *vex) { e.op(opBroadcast, true, 4, 0, at(24)) }},
		{"vextractf128 xmm15, ymm3, 1", "c4 c3 7d 19 df 01", func(e *vex) { e.opImm(opExtract, true, 3, 0, reg(15), 1) }},
		{"vpermilpd xmm15, xmm2, 1", "c4 63 79 05 fa 01", func(e *vex) { e.opImm(opPermute, false, 15, 0, reg(2), 1) }},
		{"vmaskmovpd ymm6, ymm15, [rdi+4000]", "c4 e2 05 2d b7 a0 0f 00 00", func(e *vex) { e.op(opMaskLoad, true, 6, 15, at(4000)) }},
		{"vmovhpd [rdi+4000], xmm12", "c5 79 17 a7 a0 0f 00 00", func(e *vex) { e.op(opStoreHigh, false, 12, 0, at(4000)) }},
		{"vunpcklpd ymm1, ymm2, ymm3", "c5 ed 14 cb", func(e *vex) { e.op(packed(codeEven, true), true, 1, 2, reg(3)) }},
		{"vunpckhpd ymm1, ymm12, [rdi+8]", "c5 9d 15 4f 08", func(e *vex) { e.op(packed(codeOdd, true), true, 1, 12, at(8)) }},
		{"vperm2f128 ymm1, ymm2, ymm13, 0x31", "c4 c3 6d 06 cd 31", func(e *vex) { e.opImm(opHalves, true, 1, 2, reg(13), 0x31) }},
		{"vblendvpd xmm1, xmm2, xmm13, xmm4", "c4 c3 69 4b cd 40", func(e *vex) { e.opImm(opBlend, false, 1, 2, reg(13), 4<<4) }},
		{"vblendvpd ymm1, ymm12, [rdi+8], ymm14", "c4 e3 1d 4b 4f 08 e0", func(e *vex) { e.opImm(opBlend, true, 1, 12, at(8), 14<<4) }},
		{"vpermpd ymm1, ymm13, 0xaa", "c4 c3 fd 01 cd aa", func(e *vex) { e.opImm(opPermuteLanes, true, 1, 0, reg(13), 0xaa) }},
		{"vaddpd xmm2, xmm3, xmm15", "c4 c1 61 58 d7", func(e *vex) { e.op(opAddPairs, false, 2, 3, reg(15)) }},
		{"vfmadd231sd xmm1, xmm2, xmm3", "c4 e2 e9 b9 cb", func(e *vex) { e.op(fma(FMA, 231, false), false, 1, 2, reg(3)) }},
		{"vfmadd231sd xmm9, xmm10, xmm11", "c4 42 a9 b9 cb", func(e *vex) { e.op(fma(FMA, 231, false), false, 9, 10, reg(11)) }},
		{"vfmadd213sd xmm1, xmm2, xmm3", "c4 e2 e9 a9 cb", func(e *vex) { e.op(fma(FMA, 213, false), false, 1, 2, reg(3)) }},
		{"vfmadd132sd xmm1, xmm2, [rdi+8]", "c4 e2 e9 99 4f 08", func(e *vex) { e.op(fma(FMA, 132, false), false, 1, 2, at(8)) }},
		{"vfmadd231pd ymm1, ymm2, ymm3", "c4 e2 ed b8 cb", func(e *vex) { e.op(fma(FMA, 231, true), true, 1, 2, reg(3)) }},
		{"vfmadd213pd ymm1, ymm12, ymm3", "c4 e2 9d a8 cb", func(e *vex) { e.op(fma(FMA, 213, true), true, 1, 12, reg(3)) }},
		{"vfmsub213sd xmm1, xmm2, xmm3", "c4 e2 e9 ab cb", func(e *vex) { e.op(fma(FMS, 213, false), false, 1, 2, reg(3)) }},
		{"vfmsub231sd xmm1, xmm2, [rdi+8]", "c4 e2 e9 bb 4f 08", func(e *vex) { e.op(fma(FMS, 231, false), false, 1, 2, at(8)) }},
		{"vfmsub132pd ymm1, ymm2, ymm3", "c4 e2 ed 9a cb", func(e *vex) { e.op(fma(FMS, 132, true), true, 1, 2, reg(3)) }},
		{"vfnmadd213sd xmm1, xmm2, xmm3", "c4 e2 e9 ad cb", func(e *vex) { e.op(fma(FNMA, 213, false), false, 1, 2, reg(3)) }},
		{"vfnmadd132sd xmm1, xmm2, [rdi+8]", "c4 e2 e9 9d 4f 08", func(e *vex) { e.op(fma(FNMA, 132, false), false, 1, 2, at(8)) }},
		{"vfnmadd231pd ymm1, ymm12, ymm3", "c4 e2 9d bc cb", func(e *vex) { e.op(fma(FNMA, 231, true), true, 1, 12, reg(3)) }},
		{"vzeroupper; ret", "c5 f8 77 c3", func(e *vex) { e.ret(true) }},
		{"ret", "c3", func(e *vex) { e.ret(false) }},
	} {
		var e vex
		c.write(&e)
		want, err := hex.DecodeString(strings.ReplaceAll(c.want, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(e.buf, want) {
			t.Errorf("%s is % x, want %s", c.asm, e.buf, c.want)
		}
	}
}

// A constant is addressed from the end of the instruction: vmovsd xmm15, [rip-0x48] is 8
// bytes long, and after a pool of poolSize bytes it reads offset poolSize+8-0x48.
func TestConstantsAreRelative(t *testing.T) {
	e := vex{buf: newPool(0)}
	e.load(15, false, place{kind: inPool, off: poolSize + 8 - 0x48})
	want := []byte{0xc5, 0x7b, 0x10, 0x3d, 0xb8, 0xff, 0xff, 0xff}
	if got := e.buf[poolSize:]; !bytes.Equal(got, want) {
		t.Errorf("got % x, want % x", got, want)
	}
}
