//go:build linux || darwin

#include "textflag.h"

// The address of the arena is in DI, that of the inputs' addresses in SI, that of the output
// in BX, the first round in CX, and how many there are in DX. The code may change AX, CX, DX,
// the flags and all vector registers.

// func call(code uintptr, arena *float64)
TEXT ·call(SB), NOSPLIT, $8-16
	MOVQ code+0(FP), AX
	MOVQ arena+8(FP), DI
	CALL AX
	RET

// func loop(code uintptr, arena *float64, inputs **float64, output *float64, from, rounds int)
TEXT ·loop(SB), NOSPLIT, $8-48
	MOVQ code+0(FP), AX
	MOVQ arena+8(FP), DI
	MOVQ inputs+16(FP), SI
	MOVQ output+24(FP), BX
	MOVQ from+32(FP), CX
	MOVQ rounds+40(FP), DX
	CALL AX
	RET

// func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, eax+8(FP)
	MOVL BX, ebx+12(FP)
	MOVL CX, ecx+16(FP)
	MOVL DX, edx+20(FP)
	RET

// func xgetbv() (eax, edx uint32)
TEXT ·xgetbv(SB), NOSPLIT, $0-8
	XORL CX, CX
	XGETBV
	MOVL AX, eax+0(FP)
	MOVL DX, edx+4(FP)
	RET
