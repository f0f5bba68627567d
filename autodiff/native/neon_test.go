// Machine code of arm64 against what an assembler (GNU as) makes of the same instructions.

package native

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

func TestNeonEncoding(t *testing.T) {
	at := func(off int32) place { return place{kind: inArena, off: off} }
	for _, c := range []struct {
		asm, want string
		write     func(e *neon)
	}{
		{"ldr d3, [x0, #8]", "fd400403", func(e *neon) { e.load(3, false, at(8)) }},
		{"ldr d12, [x0, #32760]", "fd7ffc0c", func(e *neon) { e.load(12, false, at(32760)) }},
		{"str d9, [x0, #120]", "fd003c09", func(e *neon) { e.store(at(120), false, 9) }},
		{"ldr q2, [x0, #128]", "3dc02002", func(e *neon) { e.load(2, true, at(128)) }},
		{"str q14, [x0, #32752]", "3d9ffc0e", func(e *neon) { e.store(at(32752), true, 14) }},
		{"add x7, x0, #8; ldr q31, [x7, #16]", "91002007 3dc004ff", func(e *neon) { e.load(31, true, at(24)) }},
		{"add x7, x0, #8, lsl #12; ldr d1, [x7, #8]", "91402007 fd4004e1", func(e *neon) { e.load(1, false, at(32776)) }},
		{"add x7, x0, #4088, lsl #12; add x7, x7, #8; str q1, [x7, #32]", "917fe007 910020e7 3d8008e1", func(e *neon) { e.store(at(4088<<12+40), true, 1) }},
		{"mov x16, #0x8000; movk x16, #0x101, lsl #16; add x7, x0, x16; ldr d1, [x7, #16]", "d2900010 f2a02030 8b100007 fd4008e1", func(e *neon) { e.load(1, false, at(0x1018010)) }},
		{"mov x16, #8; movk x16, #0x7fff, lsl #16; add x7, x0, x16; ldr q1, [x7]", "d2800110 f2affff0 8b100007 3dc000e1", func(e *neon) { e.load(1, true, at(0x7fff0008)) }},
		{"ldr x7, [x1, #24]; ldr d5, [x7, x3]", "f9400c27 fc6368e5", func(e *neon) { e.load(5, false, place{kind: inStream, off: 24}) }},
		{"ldr x7, [x1, #32760]; ldr q5, [x7, x3]", "f97ffc27 3ce368e5", func(e *neon) { e.load(5, true, place{kind: inStream, off: 32760}) }},
		{"add x16, x1, #8, lsl #12; ldr x7, [x16, #8]; ldr q5, [x7, x5]", "91402030 f9400607 3ce568e5", func(e *neon) { e.load(5, true, place{kind: inStream, high: true, off: 32776}) }},
		{"str d6, [x2, x3]", "fc236846", func(e *neon) { e.store(place{kind: inOutput}, false, 6) }},
		{"add x7, x2, #8; str q6, [x7, x5]", "91002047 3ca568e6", func(e *neon) { e.store(place{kind: inOutput, high: true, off: 8}, true, 6) }},
		{"fmov d1, d2", "1e604041", func(e *neon) { e.move(1, 2, false) }},
		{"mov v9.16b, v10.16b", "4eaa1d49", func(e *neon) { e.move(9, 10, true) }},
		{"fadd d8, d9, d10", "1e6a2928", func(e *neon) { e.op(neonAdd[0], 8, 9, 10) }},
		{"fadd v8.2d, v9.2d, v31.2d", "4e7fd528", func(e *neon) { e.op(neonAdd[1], 8, 9, 31) }},
		{"fsub d4, d5, d31", "1e7f38a4", func(e *neon) { e.op(neonSub[0], 4, 5, 31) }},
		{"fsub v4.2d, v5.2d, v6.2d", "4ee6d4a4", func(e *neon) { e.op(neonSub[1], 4, 5, 6) }},
		{"fmul d7, d8, d9", "1e690907", func(e *neon) { e.op(neonMul[0], 7, 8, 9) }},
		{"fmul v7.2d, v8.2d, v9.2d", "6e69dd07", func(e *neon) { e.op(neonMul[1], 7, 8, 9) }},
		{"fdiv d1, d31, d3", "1e631be1", func(e *neon) { e.op(neonDiv[0], 1, 31, 3) }},
		{"fdiv v1.2d, v31.2d, v3.2d", "6e63ffe1", func(e *neon) { e.op(neonDiv[1], 1, 31, 3) }},
		{"fneg d1, d2", "1e614041", func(e *neon) { e.op(neonNeg[0], 1, 2, 0) }},
		{"fneg v1.2d, v2.2d", "6ee0f841", func(e *neon) { e.op(neonNeg[1], 1, 2, 0) }},
		{"fsqrt d1, d2", "1e61c041", func(e *neon) { e.op(neonSqrt[0], 1, 2, 0) }},
		{"fsqrt v1.2d, v2.2d", "6ee1f841", func(e *neon) { e.op(neonSqrt[1], 1, 2, 0) }},
		{"fmov d31, #1.0", "1e6e101f", func(e *neon) { e.op(neonOne[0], 31, 0, 0) }},
		{"fmov v31.2d, #1.0", "6f03f61f", func(e *neon) { e.op(neonOne[1], 31, 0, 0) }},
		{"fcmgt d31, d1, d2", "7ee2e43f", func(e *neon) { e.op(neonMore[0], 31, 1, 2) }},
		{"fcmgt v31.2d, v1.2d, v2.2d", "6ee2e43f", func(e *neon) { e.op(neonMore[1], 31, 1, 2) }},
		{"fcmge d31, d1, d2", "7e62e43f", func(e *neon) { e.op(neonAtLeast[0], 31, 1, 2) }},
		{"fcmge v31.2d, v1.2d, v2.2d", "6e62e43f", func(e *neon) { e.op(neonAtLeast[1], 31, 1, 2) }},
		{"fcmeq d3, d3, d4", "5e64e463", func(e *neon) { e.op(neonSame[0], 3, 3, 4) }},
		{"fcmeq v3.2d, v3.2d, v4.2d", "4e64e463", func(e *neon) { e.op(neonSame[1], 3, 3, 4) }},
		{"cmlt d31, d3, #0", "5ee0a87f", func(e *neon) { e.op(neonSign[0], 31, 3, 0) }},
		{"cmlt v31.2d, v3.2d, #0", "4ee0a87f", func(e *neon) { e.op(neonSign[1], 31, 3, 0) }},
		{"and v1.8b, v2.8b, v31.8b", "0e3f1c41", func(e *neon) { e.op(neonAnd[0], 1, 2, 31) }},
		{"and v1.16b, v2.16b, v31.16b", "4e3f1c41", func(e *neon) { e.op(neonAnd[1], 1, 2, 31) }},
		{"bsl v31.8b, v1.8b, v2.8b", "2e621c3f", func(e *neon) { e.op(neonPick[0], 31, 1, 2) }},
		{"bsl v31.16b, v1.16b, v2.16b", "6e621c3f", func(e *neon) { e.op(neonPick[1], 31, 1, 2) }},
		{"fmla v1.2d, v2.2d, v3.2d", "4e63cc41", func(e *neon) { e.op(neonAddTo, 1, 2, 3) }},
		{"fmls v1.2d, v2.2d, v3.2d", "4ee3cc41", func(e *neon) { e.op(neonSubFrom, 1, 2, 3) }},
		{"fmadd d1, d2, d3, d4", "1f431041", func(e *neon) { e.op(neonFMA|4<<10, 1, 2, 3) }},
		{"fmsub d1, d2, d3, d30", "1f43f841", func(e *neon) { e.op(neonFNMA|30<<10, 1, 2, 3) }},
		{"fnmsub d1, d2, d3, d4", "1f639041", func(e *neon) { e.op(neonFMS|4<<10, 1, 2, 3) }},
		{"faddp d1, v2.2d", "7e70d841", func(e *neon) { e.op(neonAddPair, 1, 2, 0) }},
		{"movi v3.2d, #0", "6f00e403", func(e *neon) { e.op(neonZeros, 3, 0, 0) }},
		{"zip1 v1.2d, v2.2d, v3.2d", "4ec33841", func(e *neon) { e.op(neonFirsts, 1, 2, 3) }},
		{"zip2 v1.2d, v2.2d, v3.2d", "4ec37841", func(e *neon) { e.op(neonSeconds, 1, 2, 3) }},
		{"dup v1.2d, v2.d[0]", "4e080441", func(e *neon) { e.op(neonTwice, 1, 2, 0) }},
		{"dup v1.2d, v2.d[1]", "4e180441", func(e *neon) { e.op(neonTwice1, 1, 2, 0) }},
		{"mov d1, v2.d[1]", "5e180441", func(e *neon) { e.op(neonSecond, 1, 2, 0) }},
		{"str d4, [x0, #8]; mov d31, v4.d[1]; str d31, [x0, #24]", "fd000404 5e18049f fd000c1f", func(e *neon) { e.scatter(4, func(lane int32) place { return at(8 + 16*lane) }) }},
		{"add x3, x3, #8; sub x4, x4, #1; cbnz x4, .-8", "91002063 d1000484 b5ffffc4", func(e *neon) { e.next(1, 0) }},
		{"sub x3, x3, #8; sub x4, x4, #1; cbnz x4, .-8", "d1002063 d1000484 b5ffffc4", func(e *neon) { e.next(-1, 0) }},
		{"ret", "d65f03c0", func(e *neon) { e.ret(true) }},
	} {
		e := newNeon(1)
		c.write(e)
		if got := words(e.buf); got != c.want {
			t.Errorf("%s is %s, want %s", c.asm, got, c.want)
		}
	}
}

// words spells instructions.
func words(code []byte) string {
	var all []string
	for ; len(code) > 0; code = code[4:] {
		all = append(all, fmt.Sprintf("%08x", binary.LittleEndian.Uint32(code)))
	}
	return strings.Join(all, " ")
}
