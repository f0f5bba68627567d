// The tile of AVX2 and FMA: 12 sums in registers, 3 for a column of A, 1 for a number of B.

#include "textflag.h"

#define COLUMN(from, s0, s1, s2) \
	VBROADCASTSD from, Y15 \
	VFMADD231PD Y12, Y15, s0 \
	VFMADD231PD Y13, Y15, s1 \
	VFMADD231PD Y14, Y15, s2

#define STEP(a, b) \
	VMOVUPD a+0(SI), Y12 \
	VMOVUPD a+32(SI), Y13 \
	VMOVUPD a+64(SI), Y14 \
	COLUMN(b+0(DX), Y0, Y1, Y2) \
	COLUMN(b+8(DX), Y3, Y4, Y5) \
	COLUMN(b+16(DX), Y6, Y7, Y8) \
	COLUMN(b+24(DX), Y9, Y10, Y11)

#define STORE(s0, s1, s2) \
	VADDPD 0(DI), s0, s0 \
	VADDPD 32(DI), s1, s1 \
	VADDPD 64(DI), s2, s2 \
	VMOVUPD s0, 0(DI) \
	VMOVUPD s1, 32(DI) \
	VMOVUPD s2, 64(DI) \
	ADDQ R8, DI

// func tileAVX2(k int, a, b, c *float64, stride int)
TEXT ·tileAVX2(SB), NOSPLIT, $0-40
	MOVQ k+0(FP), CX
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ c+24(FP), DI
	MOVQ stride+32(FP), R8
	SHLQ $3, R8
	PREFETCHT0 (DI)
	PREFETCHT0 (DI)(R8*1)
	PREFETCHT0 (DI)(R8*2)
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7
	VXORPD Y8, Y8, Y8
	VXORPD Y9, Y9, Y9
	VXORPD Y10, Y10, Y10
	VXORPD Y11, Y11, Y11

four:
	SUBQ $4, CX
	JLT rest
	STEP(0, 0)
	STEP(96, 32)
	STEP(192, 64)
	STEP(288, 96)
	ADDQ $384, SI
	ADDQ $128, DX
	JMP four

rest:
	ADDQ $4, CX
	JEQ store

one:
	STEP(0, 0)
	ADDQ $96, SI
	ADDQ $32, DX
	DECQ CX
	JNE one

store:
	STORE(Y0, Y1, Y2)
	STORE(Y3, Y4, Y5)
	STORE(Y6, Y7, Y8)
	STORE(Y9, Y10, Y11)
	VZEROUPPER
	RET
