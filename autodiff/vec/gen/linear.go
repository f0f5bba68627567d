//go:build ignore

package main

// This file writes the kernels of matrices.

import (
	"fmt"
	"strings"
)

// linear returns the assembly and the declarations.
func linear() (text, decl string) {
	var b, d strings.Builder
	b.WriteString("\n// lanes holds at 8*(8-n) a mask of the first n of 8 lanes.\n")
	for i := range 16 {
		bits := 0
		if i < 8 {
			bits = -1
		}
		fmt.Fprintf(&b, "DATA lanes<>+%d(SB)/8, $%d\n", 8*i, bits)
	}
	b.WriteString("GLOBL lanes<>(SB), RODATA|NOPTR, $128\n")
	for _, isa := range []*isa{avx2, avx512} {
		w := &writer{isa: isa}
		for _, f := range []func() string{w.gemv, w.dots, w.within, w.segments} {
			fmt.Fprintf(&d, "\n//go:noescape\n%s\n", f())
		}
		b.WriteString(w.b.String())
	}
	return b.String(), d.String()
}

type writer struct {
	isa *isa
	b   strings.Builder
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.b, "\t"+format+"\n", args...) }
func (w *writer) label(name string)               { fmt.Fprintf(&w.b, "\n%s:\n", name) }
func (w *writer) reg(i int) string                { return fmt.Sprintf("%s%d", w.isa.reg, i) }

func (w *writer) begin(decl string, size int, args ...string) {
	name := strings.TrimPrefix(decl[:strings.Index(decl, "(")], "func ")
	fmt.Fprintf(&w.b, "\n// %s\nTEXT ·%s(SB), NOSPLIT, $0-%d\n", decl, name, size)
	for i, a := range args {
		name, reg, _ := strings.Cut(a, " ")
		w.line("MOVQ %s+%d(FP), %s", name, 8*i, reg)
	}
}

// mask makes the mask of the first lanes: count is a register. It is K1, or Y15 (and
// Y14 for the first half where two registers are used).
func (w *writer) mask(count string, both bool) {
	if w.isa.wide {
		w.line("MOVQ %s, BX", count)
		w.line("MOVQ $-1, AX")
		w.line("XCHGQ BX, CX")
		w.line("SHLQ CX, AX")
		w.line("XCHGQ BX, CX")
		w.line("NOTQ AX")
		w.line("KMOVW AX, K1")
		return
	}
	w.line("LEAQ lanes<>+64(SB), BX")
	w.line("MOVQ %s, AX", count)
	w.line("SHLQ $3, AX")
	w.line("SUBQ AX, BX")
	if both {
		w.line("VMOVUPD (BX), Y14")
		w.line("VMOVUPD 32(BX), Y15")
		return
	}
	w.line("VMOVUPD (BX), Y15")
}

func (w *writer) masked(load bool, address, reg string) {
	switch {
	case w.isa.wide && load:
		w.line("VMOVUPD.Z %s, K1, %s", address, reg)
	case w.isa.wide:
		w.line("VMOVUPD %s, K1, %s", reg, address)
	case load:
		w.line("VMASKMOVPD %s, Y15, %s", address, reg)
	default:
		w.line("VMASKMOVPD %s, Y15, %s", reg, address)
	}
}

// gemv adds a matrix times a vector, column after column: strips of 8 registers of rows
// stay in registers meanwhile, then strips of one.
func (w *writer) gemv() string {
	const strip = 8
	width := 8 * w.isa.lanes
	decl := fmt.Sprintf("func gemv%s(z, a *float64, rows int, x *float64, cols, stride int)", w.isa.name)
	w.begin(decl, 48, "z DI", "a SI", "rows CX", "x DX", "cols R8", "stride R9")
	w.line("SHLQ $3, R9")

	columns := func(label string, step func()) {
		w.line("MOVQ SI, R10")
		w.line("MOVQ DX, R11")
		w.line("MOVQ R8, R12")
		w.label(label)
		w.line("VBROADCASTSD (R11), %s", w.reg(strip))
		step()
		w.line("ADDQ R9, R10")
		w.line("ADDQ $8, R11")
		w.line("DECQ R12")
		w.line("JNE %s", label)
	}
	w.label("wide")
	w.line("CMPQ CX, $%d", strip*w.isa.lanes)
	w.line("JLT narrow")
	for i := range strip {
		w.line("VMOVUPD %d(DI), %s", i*width, w.reg(i))
	}
	columns("wideColumn", func() {
		for i := range strip {
			w.line("VFMADD231PD %d(R10), %s, %s", i*width, w.reg(strip), w.reg(i))
		}
	})
	for i := range strip {
		w.line("VMOVUPD %s, %d(DI)", w.reg(i), i*width)
	}
	w.line("ADDQ $%d, DI", strip*width)
	w.line("ADDQ $%d, SI", strip*width)
	w.line("SUBQ $%d, CX", strip*w.isa.lanes)
	w.line("JMP wide")

	w.label("narrow")
	w.line("TESTQ CX, CX")
	w.line("JLE done")
	w.line("MOVQ $%d, R13", w.isa.lanes)
	w.line("CMPQ CX, R13")
	w.line("CMOVQLT CX, R13")
	w.mask("R13", false)
	w.masked(true, "(DI)", w.reg(0))
	columns("narrowColumn", func() {
		w.masked(true, "(R10)", w.reg(1))
		w.line("VFMADD231PD %s, %s, %s", w.reg(1), w.reg(strip), w.reg(0))
	})
	w.masked(false, "(DI)", w.reg(0))
	w.line("ADDQ $%d, DI", width)
	w.line("ADDQ $%d, SI", width)
	w.line("SUBQ R13, CX")
	w.line("JMP narrow")
	w.label("done")
	w.line("VZEROUPPER")
	w.line("RET")
	return decl
}

// dots returns the dot products of 4 columns with one vector, each with the accumulators
// of dot.
func (w *writer) dots() string {
	const columns = 4
	parts := 8 / w.isa.lanes
	decl := fmt.Sprintf("func dots%s(out, a *float64, stride int, x *float64, n int)", w.isa.name)
	w.begin(decl, 40, "out DI", "a SI", "stride R9", "x DX", "n CX")
	w.line("SHLQ $3, R9")
	w.line("LEAQ (R9)(R9*2), R10")
	addresses := [columns]string{"(SI)", "(SI)(R9*1)", "(SI)(R9*2)", "(SI)(R10*1)"}
	for i := range columns * parts {
		w.line("VXORPD X%d, X%d, X%d", i, i, i)
	}
	w.label("loop")
	w.line("SUBQ $8, CX")
	w.line("JLT part")
	for p := range parts {
		x := w.reg(columns*parts + p)
		w.line("VMOVUPD %d(DX), %s", 32*p, x)
		for c, address := range addresses {
			w.line("VFMADD231PD %d%s, %s, %s", 32*p, address, x, w.reg(c*parts+p))
		}
	}
	w.line("ADDQ $64, SI")
	w.line("ADDQ $64, DX")
	w.line("JMP loop")
	w.label("part")
	w.line("ADDQ $8, CX")
	w.line("JEQ done")
	w.mask("CX", true)
	for p := range parts {
		x, t := w.reg(columns*parts+p), w.reg(columns*parts+2)
		w.maskedPart(p, fmt.Sprintf("%d(DX)", 32*p), x)
		for c, address := range addresses {
			w.maskedPart(p, fmt.Sprintf("%d%s", 32*p, address), t)
			w.line("VFMADD231PD %s, %s, %s", t, x, w.reg(c*parts+p))
		}
	}
	w.label("done")
	for c := range columns {
		w.fold(c, parts)
		w.line("VMOVSD X%d, %d(DI)", c*parts, 8*c)
	}
	w.line("VZEROUPPER")
	w.line("RET")
	return decl
}

// maskedPart loads lanes of the first or second half.
func (w *writer) maskedPart(half int, address, reg string) {
	if w.isa.wide {
		w.masked(true, address, reg)
		return
	}
	w.line("VMASKMOVPD %s, Y%d, %s", address, 14+half, reg)
}

// fold adds up the 8 accumulators of column c in the order of the Go function fold.
func (w *writer) fold(c, parts int) {
	lo, hi := c*parts, c*parts+1
	if w.isa.wide {
		hi = 30
		w.line("VEXTRACTF64X4 $1, Z%d, Y%d", lo, hi)
	}
	w.line("VADDPD Y%d, Y%d, Y%d", hi, lo, lo)
	if w.isa.wide {
		hi = 10
	}
	w.line("VEXTRACTF128 $1, Y%d, X%d", lo, hi)
	w.line("VADDPD X%d, X%d, X%d", hi, lo, lo)
	w.line("VPERMILPD $1, X%d, X%d", lo, hi)
	w.line("VADDSD X%d, X%d, X%d", hi, lo, lo)
}

// within reports whether all elements lie in an interval.
func (w *writer) within() string {
	decl := fmt.Sprintf("func within%s(x *float64, n int, lo, hi float64) bool", w.isa.name)
	w.begin(decl, 33, "x SI", "n CX")
	lo, hi, x := w.reg(0), w.reg(1), w.reg(2)
	w.line("VBROADCASTSD lo+16(FP), %s", lo)
	w.line("VBROADCASTSD hi+24(FP), %s", hi)
	w.line("XORL DX, DX")
	w.label("loop")
	w.line("SUBQ $%d, CX", w.isa.lanes)
	w.line("JLT part")
	w.line("VMOVUPD (SI), %s", x)
	w.outside(lo, hi, x)
	w.line("ADDQ $%d, SI", 8*w.isa.lanes)
	w.line("JMP loop")
	w.label("part")
	w.line("ADDQ $%d, CX", w.isa.lanes)
	w.line("JEQ done")
	w.mask("CX", false)
	if w.isa.wide {
		w.line("VMOVAPD %s, %s", lo, x)
		w.line("VMOVUPD (SI), K1, %s", x)
	} else {
		w.line("VMASKMOVPD (SI), Y15, %s", x)
		w.line("VBLENDVPD Y15, %s, %s, %s", x, lo, x)
	}
	w.outside(lo, hi, x)
	w.label("done")
	w.line("TESTL DX, DX")
	w.line("SETEQ ret+32(FP)")
	w.line("VZEROUPPER")
	w.line("RET")
	return decl
}

// outside notes in DX whether some lane of x is not in the interval, NaN included.
func (w *writer) outside(lo, hi, x string) {
	const notAbove, notBelow = 0x19, 0x16 // not >=, not <=, either true for NaN
	if w.isa.wide {
		w.line("VCMPPD $%d, %s, %s, K2", notAbove, lo, x)
		w.line("VCMPPD $%d, %s, %s, K3", notBelow, hi, x)
		w.line("KORW K2, K3, K2")
		w.line("KMOVW K2, AX")
	} else {
		w.line("VCMPPD $%d, %s, %s, Y3", notAbove, lo, x)
		w.line("VCMPPD $%d, %s, %s, Y4", notBelow, hi, x)
		w.line("VORPD Y3, Y4, Y3")
		w.line("VMOVMSKPD Y3, AX")
	}
	w.line("ORL AX, DX")
}

// segments adds the sum of each of consecutive segments of x to an element of out, in
// the order of sum. ends holds where each segment ends, at the elements' places.
func (w *writer) segments() string {
	decl := fmt.Sprintf("func segments%s(out *float64, at, ends *int32, count int, x *float64)", w.isa.name)
	w.begin(decl, 40, "out DI", "at SI", "ends R8", "count R10", "x DX")
	parts := 8 / w.isa.lanes
	w.line("XORL R9, R9") // start of the segment
	w.label("segment")
	w.line("MOVLQSX (R8), R11")
	w.line("MOVQ R11, CX")
	w.line("SUBQ R9, CX")
	for p := range parts {
		w.line("VXORPD X%d, X%d, X%d", p, p, p)
	}
	w.label("loop")
	w.line("SUBQ $8, CX")
	w.line("JLT part")
	for p := range parts {
		w.line("VADDPD %d(DX), %s, %s", 32*p, w.reg(p), w.reg(p))
	}
	w.line("ADDQ $64, DX")
	w.line("JMP loop")
	w.label("part")
	w.line("ADDQ $8, CX")
	w.line("JEQ add")
	w.mask("CX", true)
	for p := range parts {
		w.maskedPart(p, fmt.Sprintf("%d(DX)", 32*p), w.reg(2+p))
		w.line("VADDPD %s, %s, %s", w.reg(2+p), w.reg(p), w.reg(p))
	}
	w.line("LEAQ (DX)(CX*8), DX")
	w.label("add")
	w.fold(0, parts)
	w.line("MOVLQSX (SI), AX")
	w.line("VADDSD (DI)(AX*8), X0, X0")
	w.line("VMOVSD X0, (DI)(AX*8)")
	w.line("MOVQ R11, R9")
	w.line("ADDQ $4, SI")
	w.line("ADDQ $4, R8")
	w.line("DECQ R10")
	w.line("JNE segment")
	w.line("VZEROUPPER")
	w.line("RET")
	return decl
}
