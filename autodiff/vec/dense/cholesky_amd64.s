// The Cholesky factor of a matrix of at most 16 rows, in blocks of four rows. A block is
// loaded and stored as a whole, so that what one column leaves is there for the next without
// waiting; what lies above the diagonal is stored as it was.

#include "textflag.h"

// For each lane of the diagonal, the permutation that gives its number to all lanes.
DATA spread<>+0(SB)/8, $0x0000000100000000
DATA spread<>+8(SB)/8, $0x0000000100000000
DATA spread<>+16(SB)/8, $0x0000000100000000
DATA spread<>+24(SB)/8, $0x0000000100000000
DATA spread<>+32(SB)/8, $0x0000000300000002
DATA spread<>+40(SB)/8, $0x0000000300000002
DATA spread<>+48(SB)/8, $0x0000000300000002
DATA spread<>+56(SB)/8, $0x0000000300000002
DATA spread<>+64(SB)/8, $0x0000000500000004
DATA spread<>+72(SB)/8, $0x0000000500000004
DATA spread<>+80(SB)/8, $0x0000000500000004
DATA spread<>+88(SB)/8, $0x0000000500000004
DATA spread<>+96(SB)/8, $0x0000000700000006
DATA spread<>+104(SB)/8, $0x0000000700000006
DATA spread<>+112(SB)/8, $0x0000000700000006
DATA spread<>+120(SB)/8, $0x0000000700000006
GLOBL spread<>(SB), RODATA|NOPTR, $128

// Lanes from l on are those at 8*(4-l), the first m lanes those at 8*(8-m).
DATA stairs<>+0(SB)/8, $0
DATA stairs<>+8(SB)/8, $0
DATA stairs<>+16(SB)/8, $0
DATA stairs<>+24(SB)/8, $0
DATA stairs<>+32(SB)/8, $-1
DATA stairs<>+40(SB)/8, $-1
DATA stairs<>+48(SB)/8, $-1
DATA stairs<>+56(SB)/8, $-1
DATA stairs<>+64(SB)/8, $0
DATA stairs<>+72(SB)/8, $0
DATA stairs<>+80(SB)/8, $0
DATA stairs<>+88(SB)/8, $0
GLOBL stairs<>(SB), RODATA|NOPTR, $96

DATA bounds<>+0(SB)/8, $1.0
DATA bounds<>+8(SB)/8, $0x7ff0000000000000 // +Inf
GLOBL bounds<>(SB), RODATA|NOPTR, $16

// func choleskyAVX2(a *float64, n, stride int) bool
TEXT ·choleskyAVX2(SB), NOSPLIT, $0-25
	MOVQ a+0(FP), DI
	MOVQ n+8(FP), CX
	MOVQ stride+16(FP), R8
	SHLQ $3, R8
	MOVQ CX, AX
	ANDQ $3, AX
	LEAQ stairs<>+64(SB), BX
	SHLQ $3, AX
	SUBQ AX, BX
	VMOVUPD (BX), Y15 // the rows of the last block, where it is no whole one
	SHLQ $3, CX       // from here on all counts are in bytes
	VXORPD X14, X14, X14
	VMOVSD bounds<>+0(SB), X13
	VMOVSD bounds<>+8(SB), X12
	MOVQ DI, R9       // column j
	XORQ DX, DX       // j

column:
	CMPQ DX, CX
	JGE good
	MOVQ DX, R10
	ANDQ $-32, R10    // its first block
	MOVQ R10, R11     // the block at work

block:
	LEAQ 32(R11), AX
	CMPQ AX, CX
	JGT partial
	VMOVUPD (R9)(R11*1), Y7
	VMOVAPD Y7, Y0
	MOVQ DI, SI
	XORQ R12, R12

whole:
	CMPQ R12, DX
	JGE scale
	VBROADCASTSD (SI)(DX*1), Y1
	VFNMADD231PD (SI)(R11*1), Y1, Y0
	ADDQ R8, SI
	ADDQ $8, R12
	JMP whole

partial:
	VMASKMOVPD (R9)(R11*1), Y15, Y7
	VMOVAPD Y7, Y0
	MOVQ DI, SI
	XORQ R12, R12

rest:
	CMPQ R12, DX
	JGE scale
	VBROADCASTSD (SI)(DX*1), Y1
	VMASKMOVPD (SI)(R11*1), Y15, Y2
	VFNMADD231PD Y2, Y1, Y0
	ADDQ R8, SI
	ADDQ $8, R12
	JMP rest

scale:
	CMPQ R11, R10
	JNE below
	MOVQ DX, BX
	SUBQ R10, BX      // 8 times the lane of the diagonal
	LEAQ spread<>(SB), R13
	VMOVUPD (R13)(BX*4), Y3
	VPERMD Y0, Y3, Y3
	VUCOMISD X14, X3
	JLS bad
	VUCOMISD X12, X3
	JCC bad
	VSQRTSD X3, X3, X4
	VDIVSD X4, X13, X5
	VBROADCASTSD X4, Y4
	VBROADCASTSD X5, Y5
	LEAQ stairs<>+32(SB), R13
	SUBQ BX, R13
	VMOVUPD (R13), Y8   // from the diagonal on
	VMOVUPD -8(R13), Y9 // below it
	VMULPD Y5, Y0, Y0
	VBLENDVPD Y8, Y4, Y7, Y4
	VBLENDVPD Y9, Y0, Y4, Y0
	JMP store

below:
	VMULPD Y5, Y0, Y0

store:
	LEAQ 32(R11), AX
	CMPQ AX, CX
	JGT storePartial
	VMOVUPD Y0, (R9)(R11*1)
	MOVQ AX, R11
	CMPQ R11, CX
	JLT block
	JMP next

storePartial:
	VMASKMOVPD Y0, Y15, (R9)(R11*1)

next:
	ADDQ R8, R9
	ADDQ $8, DX
	JMP column

good:
	MOVB $1, ret+24(FP)
	VZEROUPPER
	RET

bad:
	MOVB $0, ret+24(FP)
	VZEROUPPER
	RET
