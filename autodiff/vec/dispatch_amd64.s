// Calls of kernels by address.

#include "textflag.h"

// func call1(dst, x *float64, n int, entry uintptr)
TEXT ·call1(SB), NOSPLIT, $0-32
	MOVQ entry+24(FP), AX
	JMP AX

// func call2(dst, x, y *float64, n int, entry uintptr)
TEXT ·call2(SB), NOSPLIT, $0-40
	MOVQ entry+32(FP), AX
	JMP AX

// func callBlock(b *block, entry uintptr)
TEXT ·callBlock(SB), NOSPLIT, $0-16
	MOVQ entry+8(FP), AX
	JMP AX
