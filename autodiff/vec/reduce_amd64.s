// Sums and dot products with 8 accumulators: two registers of AVX2, or one of AVX-512.

#include "textflag.h"

// masks holds at 8*(8-n) a mask of the first n of 8 lanes.
DATA reduceMasks<>+0(SB)/8, $-1
DATA reduceMasks<>+8(SB)/8, $-1
DATA reduceMasks<>+16(SB)/8, $-1
DATA reduceMasks<>+24(SB)/8, $-1
DATA reduceMasks<>+32(SB)/8, $-1
DATA reduceMasks<>+40(SB)/8, $-1
DATA reduceMasks<>+48(SB)/8, $-1
DATA reduceMasks<>+56(SB)/8, $-1
DATA reduceMasks<>+64(SB)/8, $0
DATA reduceMasks<>+72(SB)/8, $0
DATA reduceMasks<>+80(SB)/8, $0
DATA reduceMasks<>+88(SB)/8, $0
DATA reduceMasks<>+96(SB)/8, $0
DATA reduceMasks<>+104(SB)/8, $0
DATA reduceMasks<>+112(SB)/8, $0
DATA reduceMasks<>+120(SB)/8, $0
GLOBL reduceMasks<>(SB), RODATA|NOPTR, $128

// PARTMASKS sets Y14 and Y15 to the masks of the first CX of 8 lanes.
#define PARTMASKS \
	LEAQ reduceMasks<>+64(SB), R9 \
	MOVQ CX, AX \
	SHLQ $3, AX \
	SUBQ AX, R9 \
	VMOVUPD (R9), Y14 \
	VMOVUPD 32(R9), Y15

// KMASK sets K1 to the first CX of 8 lanes.
#define KMASK \
	MOVQ $-1, AX \
	SHLQ CX, AX \
	NOTQ AX \
	KMOVW AX, K1

// FOLD adds the lanes of Y0 and Y1 in the order of fold.
#define FOLD \
	VADDPD Y1, Y0, Y0 \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPD X1, X0, X0 \
	VPERMILPD $1, X0, X1 \
	VADDSD X1, X0, X0

// func sumAVX2(x *float64, n int) float64
TEXT ·sumAVX2(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1

loop:
	SUBQ $8, CX
	JLT part
	VADDPD (SI), Y0, Y0
	VADDPD 32(SI), Y1, Y1
	ADDQ $64, SI
	JMP loop

part:
	ADDQ $8, CX
	JEQ done
	PARTMASKS
	VMASKMOVPD (SI), Y14, Y2
	VMASKMOVPD 32(SI), Y15, Y3
	VADDPD Y2, Y0, Y0
	VADDPD Y3, Y1, Y1

done:
	FOLD
	VMOVSD X0, ret+16(FP)
	VZEROUPPER
	RET

// func dotAVX2(x, y *float64, n int) float64
TEXT ·dotAVX2(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DX
	MOVQ n+16(FP), CX
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1

loop:
	SUBQ $8, CX
	JLT part
	VMOVUPD (SI), Y2
	VMOVUPD 32(SI), Y3
	VFMADD231PD (DX), Y2, Y0
	VFMADD231PD 32(DX), Y3, Y1
	ADDQ $64, SI
	ADDQ $64, DX
	JMP loop

part:
	ADDQ $8, CX
	JEQ done
	PARTMASKS
	VMASKMOVPD (SI), Y14, Y2
	VMASKMOVPD 32(SI), Y15, Y3
	VMASKMOVPD (DX), Y14, Y4
	VMASKMOVPD 32(DX), Y15, Y5
	VFMADD231PD Y4, Y2, Y0
	VFMADD231PD Y5, Y3, Y1

done:
	FOLD
	VMOVSD X0, ret+24(FP)
	VZEROUPPER
	RET

// func sumAVX512(x *float64, n int) float64
TEXT ·sumAVX512(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	VPXORQ Z0, Z0, Z0

loop:
	SUBQ $8, CX
	JLT part
	VADDPD (SI), Z0, Z0
	ADDQ $64, SI
	JMP loop

part:
	ADDQ $8, CX
	JEQ done
	KMASK
	VADDPD (SI), Z0, K1, Z0

done:
	VEXTRACTF64X4 $1, Z0, Y1
	FOLD
	VMOVSD X0, ret+16(FP)
	VZEROUPPER
	RET

// func dotAVX512(x, y *float64, n int) float64
TEXT ·dotAVX512(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DX
	MOVQ n+16(FP), CX
	VPXORQ Z0, Z0, Z0

loop:
	SUBQ $8, CX
	JLT part
	VMOVUPD (SI), Z2
	VFMADD231PD (DX), Z2, Z0
	ADDQ $64, SI
	ADDQ $64, DX
	JMP loop

part:
	ADDQ $8, CX
	JEQ done
	KMASK
	VMOVUPD.Z (SI), K1, Z2
	VFMADD231PD (DX), Z2, K1, Z0

done:
	VEXTRACTF64X4 $1, Z0, Y1
	FOLD
	VMOVSD X0, ret+24(FP)
	VZEROUPPER
	RET
