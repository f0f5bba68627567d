#include "textflag.h"

// The address of the arena is in R0, that of the inputs' addresses in R1, that of the output
// in R2, the first round in R3, in bytes from the start of a stream, and how many there are in
// R4. The code may change R1 to R17, R19 to R26, the flags and all vector registers.

// func call(code uintptr, arena *float64)
TEXT ·call(SB), NOSPLIT, $0-16
	MOVD code+0(FP), R16
	MOVD arena+8(FP), R0
	CALL (R16)
	RET

// func loop(code uintptr, arena *float64, inputs **float64, output *float64, from, rounds int)
TEXT ·loop(SB), NOSPLIT, $0-48
	MOVD code+0(FP), R16
	MOVD arena+8(FP), R0
	MOVD inputs+16(FP), R1
	MOVD output+24(FP), R2
	MOVD from+32(FP), R3
	LSL  $3, R3
	MOVD rounds+40(FP), R4
	CALL (R16)
	RET

// A line of the data cache has 4 << CTR_EL0[19:16] bytes, one of the instruction cache
// 4 << CTR_EL0[3:0], for the smallest of them.

// func synchronise(code unsafe.Pointer, size uintptr)
TEXT ·synchronise(SB), NOSPLIT, $0-16
	MOVD code+0(FP), R0
	MOVD size+8(FP), R1
	ADD  R0, R1, R1 // the end
	MRS  CTR_EL0, R2
	UBFX $16, R2, $4, R3
	MOVD $4, R4
	LSL  R3, R4, R3
	SUB  $1, R3, R5
	BIC  R5, R0, R6

clean:
	DC  CVAU, R6
	ADD R3, R6
	CMP R1, R6
	BLO clean
	DSB $11 // of the inner shareable domain
	AND $15, R2, R3
	LSL R3, R4, R3
	SUB $1, R3, R5
	BIC R5, R0, R6

invalidate:
	WORD $0xd50b7526 // ic ivau, x6
	ADD  R3, R6
	CMP  R1, R6
	BLO  invalidate
	DSB  $11
	ISB  $15
	RET
