//go:build ignore

package main

// This file writes assembly.

import (
	"fmt"
	"strings"
)

// An isa is one set of instructions.
type isa struct {
	name  string
	lanes int
	reg   string // of vectors
	regs  int
	wide  bool
}

var (
	avx2   = &isa{name: "AVX2", lanes: 4, reg: "Y", regs: 16}
	avx512 = &isa{name: "AVX512", lanes: 8, reg: "Z", regs: 32, wide: true}
)

// constants is the table of all kernels' constants, four copies each.
type constants struct {
	at   map[uint64]int
	list []uint64
}

func (c *constants) offset(bits uint64) int {
	i, ok := c.at[bits]
	if !ok {
		i = len(c.list)
		c.at[bits] = i
		c.list = append(c.list, bits)
	}
	return 32 * i
}

// table writes the constants, and the masks of AVX2: 4 lanes at 8*(4-n) for the first n.
func (c *constants) table() string {
	var b strings.Builder
	for i, bits := range c.list {
		for j := range 4 {
			fmt.Fprintf(&b, "DATA consts<>+%d(SB)/8, $%#016x\n", 32*i+8*j, bits)
		}
	}
	fmt.Fprintf(&b, "GLOBL consts<>(SB), RODATA|NOPTR, $%d\n\n", 32*len(c.list))
	for i := range 8 {
		bits := uint64(0)
		if i < 4 {
			bits = 1<<64 - 1
		}
		fmt.Fprintf(&b, "DATA masks<>+%d(SB)/8, $%#016x\n", 8*i, bits)
	}
	b.WriteString("GLOBL masks<>(SB), RODATA|NOPTR, $64\n")
	return b.String()
}

// mnemonics of operations with two operands, the second of which may be memory.
var mnemonics = map[string][2]string{ // AVX2, AVX-512
	"+": {"VADDPD", "VADDPD"}, "-": {"VSUBPD", "VSUBPD"}, "*": {"VMULPD", "VMULPD"}, "/": {"VDIVPD", "VDIVPD"},
	"u+": {"VPADDQ", "VPADDQ"}, "u-": {"VPSUBQ", "VPSUBQ"}, "u&": {"VPAND", "VPANDQ"},
	"u|": {"VPOR", "VPORQ"}, "u^": {"VPXOR", "VPXORQ"}, "neg": {"VPXOR", "VPXORQ"}, "scale": {"", "VSCALEFPD"},
	"min": {"VMINPD", "VMINPD"}, "max": {"VMAXPD", "VMAXPD"},
}

var commutes = map[string]bool{"+": true, "*": true, "u+": true, "u&": true, "u|": true, "u^": true}

var pointers = []string{"SI", "DX", "R8"}

// compile writes the kernel.
func compile(src *source, k kernel, isa *isa, consts *constants) (out string, err error) {
	defer func() {
		if e, ok := recover().(error); ok {
			err = e
		}
	}()
	r := &reader{src: src, wide: isa.wide, seen: map[string]*value{}}
	args := make([]*value, len(k.args))
	for i := range args {
		args[i] = r.add(&value{op: "arg", count: i, float: true})
	}
	results := r.call(k.fn, args)
	e := &emitter{isa: isa, kernel: k, consts: consts, code: simplify(r.code, results)}
	if len(results) > len(k.reduce) {
		e.result, results = results[0], results[1:]
	}
	e.terms = results
	for i, v := range results {
		if k.reduce[i] == '+' && v.op == "*" && !v.rounded {
			panic(fmt.Errorf("result %d is a product that is added: write float64(x*y)", i+1))
		}
	}
	e.function(args)
	return e.b.String(), nil
}

// An emitter writes one kernel.
type emitter struct {
	isa    *isa
	kernel kernel
	consts *constants
	code   []*value
	inputs []string // registers of the arguments
	result *value   // to be stored, or nil
	terms  []*value // to be gathered
	acc    [][]int  // registers of the accumulators of each term
	b      strings.Builder
	free   []bool // vector registers
	masks  []bool // mask registers of AVX-512
	temps  []int  // registers that hold constants for one instruction
	labels int
	skips  map[*value]string
	pinned map[*value]bool
}

func (e *emitter) line(format string, args ...any) {
	fmt.Fprintf(&e.b, "\t"+format+"\n", args...)
}

func (e *emitter) label(name string) { fmt.Fprintf(&e.b, "\n%s:\n", name) }

// function writes the loop around the body. The last, partial vector goes the same way
// with masked loads and stores, so nothing beyond the slices is touched.
func (e *emitter) function(args []*value) {
	e.start()
	e.entry(len(args))
	for i, a := range args {
		a.reg = e.take(a)
		e.inputs = append(e.inputs, e.name(a))
		if e.kernel.args[i] == 's' {
			e.pinned[a] = true
			e.line("VBROADCASTSD (%s), %s", pointers[i], e.name(a))
		}
	}
	e.accumulators()
	e.label("loop")
	e.line("CMPQ CX, $%d", e.isa.lanes)
	e.line("JLT part")
	e.load(false)
	e.label("body")
	e.body()
	e.line("CMPQ CX, $%d", e.isa.lanes)
	e.line("JLT last")
	if e.result != nil {
		e.line("VMOVUPD %s, (DI)", e.name(e.result))
		e.line("ADDQ $%d, DI", 8*e.isa.lanes)
	}
	e.gather(false)
	for i := range args {
		if e.kernel.args[i] == 'v' {
			e.line("ADDQ $%d, %s", 8*e.isa.lanes, pointers[i])
		}
	}
	e.line("SUBQ $%d, CX", e.isa.lanes)
	e.line("JNE loop")
	e.finish()
	e.label("part")
	e.partMask()
	e.load(true)
	e.line("JMP body")
	e.label("last")
	if !e.isa.wide {
		e.line("VMOVUPD (R9), Y15")
	}
	switch {
	case e.result == nil:
	case e.isa.wide:
		e.line("VMOVUPD %s, K7, (DI)", e.name(e.result))
	default:
		e.line("VMASKMOVPD %s, Y15, (DI)", e.name(e.result))
	}
	e.gather(true)
	if len(e.terms) > 0 {
		e.line("JMP gathered")
		return
	}
	e.line("VZEROUPPER")
	e.line("RET")
}

// entry writes the function's head and loads the arguments.
func (e *emitter) entry(inputs int) {
	names := []string{"x SI", "y DX", "z R8"}[:inputs]
	if e.kernel.stores() {
		names = append([]string{"dst DI"}, names...)
	}
	names = append(names, "n CX")
	if e.kernel.reduce != "" {
		names = append(names, "acc R10")
	}
	symbol := "·" + e.kernel.name + e.isa.name
	if e.kernel.listed() {
		symbol = local(e.kernel.name, e.isa)
	}
	fmt.Fprintf(&e.b, "\n// %s\nTEXT %s(SB), NOSPLIT, $0-%d\n", e.kernel.signature(e.isa), symbol, 8*len(names))
	for i, arg := range names {
		name, reg, _ := strings.Cut(arg, " ")
		e.line("MOVQ %s+%d(FP), %s", name, 8*i, reg)
	}
	e.line("TESTQ CX, CX")
	e.line("JLE done")
}

// partMask makes the mask of the first CX lanes: K7, or memory at R9.
func (e *emitter) partMask() {
	if e.isa.wide {
		e.line("MOVQ $-1, AX")
		e.line("SHLQ CX, AX")
		e.line("NOTQ AX")
		e.line("KMOVW AX, K7")
		return
	}
	e.line("LEAQ masks<>+32(SB), R9")
	e.line("MOVQ CX, AX")
	e.line("SHLQ $3, AX")
	e.line("SUBQ AX, R9")
	e.line("VMOVUPD (R9), Y15")
}

func (e *emitter) load(part bool) {
	for i, name := range e.inputs {
		switch {
		case e.kernel.args[i] == 's':
		case !part:
			e.line("VMOVUPD (%s), %s", pointers[i], name)
		case e.isa.wide:
			e.line("VMOVUPD.Z (%s), K7, %s", pointers[i], name)
		default:
			e.line("VMASKMOVPD (%s), Y15, %s", pointers[i], name)
		}
	}
}

// body writes the values in their order.
func (e *emitter) body() {
	for at, v := range e.code {
		switch {
		case v.op == "const", v.op == "arg":
		case v.op == "rare":
			e.rare(at, v)
		case v.op == "end":
			fmt.Fprintf(&e.b, "\n%s:\n", e.skips[v.args[0]])
		case v.op == "keep":
			e.keep(at, v)
		case v.mask:
			e.mask(at, v)
		case strings.HasPrefix(v.op, "VF"):
			e.fma(at, v)
		default:
			e.plain(at, v)
		}
	}
}

// rare jumps unless some lane has the mask's condition.
func (e *emitter) rare(at int, v *value) {
	e.labels++
	e.skips[v] = fmt.Sprintf("usual%d", e.labels)
	m := e.name(v.args[0])
	if e.isa.wide {
		e.line("KORTESTW %s, %s", m, m)
	} else {
		e.line("VMOVMSKPD %s, AX", m)
		e.line("TESTL AX, AX")
	}
	e.line("JEQ %s", e.skips[v])
	e.drop(at, v.args[0])
}

// keep writes new over old in the lanes of the mask, in old's register.
func (e *emitter) keep(at int, v *value) {
	m, x, old := v.args[0], v.args[1], v.args[2]
	e.inherit(v, old)
	from := e.operand(x)
	if e.isa.wide {
		e.line("VMOVAPD %s, %s, %s", from, e.name(m), e.name(v))
	} else {
		e.line("VBLENDVPD %s, %s, %s, %s", e.name(m), from, e.name(v), e.name(v))
	}
	e.drop(at, m, x)
	e.release()
}

func (e *emitter) mask(at int, v *value) {
	x, y := v.args[0], v.args[1]
	switch {
	case v.op == "compare":
		a := e.operand(x)
		b, suffix := e.source(y)
		e.drop(at, x, y)
		v.reg = e.take(v)
		e.line("VCMPPD%s $%#x, %s, %s, %s", suffix, v.pred, b, a, e.name(v))
		e.release()
	case e.isa.wide:
		op := map[string]string{"mask and": "KANDW", "mask or": "KORW"}[v.op]
		e.drop(at, x, y)
		v.reg = e.take(v)
		e.line("%s %s, %s, %s", op, e.name(x), e.name(y), e.name(v))
	default:
		op := map[string]string{"mask and": "VPAND", "mask or": "VPOR"}[v.op]
		e.drop(at, x, y)
		v.reg = e.take(v)
		e.line("%s %s, %s, %s", op, e.name(x), e.name(y), e.name(v))
	}
}

// fma chooses the form of the instruction by which operand is memory and which dies.
func (e *emitter) fma(at int, v *value) {
	a, b, c := v.args[0], v.args[1], v.args[2]
	if a.op == "const" {
		a, b = b, a
	}
	if b.op == "const" && c.op == "const" && a.op != "const" {
		v.reg = e.take(v)
		e.fill(v, c)
		mem, suffix := e.source(b)
		e.line("%s231PD%s %s, %s, %s", v.op, suffix, mem, e.name(a), e.name(v))
		e.drop(at, a)
		return
	}
	ra := e.operand(a)
	dies := func(x *value) bool { return e.dies(at, x) }
	switch {
	case b.op == "const": // a times memory, plus c
		rc := e.operand(c)
		mem, suffix := e.source(b)
		if dies(c) && c != a {
			e.inherit(v, c)
			e.line("%s231PD%s %s, %s, %s", v.op, suffix, mem, ra, rc)
			break
		}
		d := e.overwrite(at, v, a)
		e.line("%s132PD%s %s, %s, %s", v.op, suffix, mem, rc, d)
	case c.op == "const" || !dies(c) || c == a || c == b: // a times b, plus c
		rb := e.operand(b)
		src, suffix := e.source(c)
		if dies(b) && !dies(a) {
			a, b, ra, rb = b, a, rb, ra
		}
		d := e.overwrite(at, v, a)
		e.line("%s213PD%s %s, %s, %s", v.op, suffix, src, rb, d)
	default:
		rb := e.operand(b)
		rc := e.name(c)
		e.inherit(v, c)
		e.line("%s231PD %s, %s, %s", v.op, rb, ra, rc)
	}
	e.drop(at, v.args...)
	e.release()
}

func (e *emitter) plain(at int, v *value) {
	x := v.args[0]
	switch v.op {
	case "select":
		e.choose(at, v)
		return
	case "copy":
		v.reg = e.take(v)
		if x.op == "const" {
			e.fill(v, x)
		} else {
			e.line("VMOVAPD %s, %s", e.name(x), e.name(v))
			e.drop(at, x)
		}
		return
	case "sqrt":
		e.drop(at, x)
		v.reg = e.take(v)
		e.line("VSQRTPD %s, %s", e.name(x), e.name(v))
		return
	case "<<", ">>":
		a := e.operand(x)
		e.drop(at, x)
		v.reg = e.take(v)
		e.line("%s $%d, %s, %s", map[string]string{"<<": "VPSLLQ", ">>": "VPSRLQ"}[v.op], v.count, a, e.name(v))
		e.release()
		return
	}
	y := v.args[1]
	if x.op == "const" && commutes[v.op] {
		x, y = y, x
	}
	a := e.operand(x)
	b, suffix := e.source(y)
	e.drop(at, x, y)
	v.reg = e.take(v)
	i := 0
	if e.isa.wide {
		i = 1
	}
	e.line("%s%s %s, %s, %s", mnemonics[v.op][i], suffix, b, a, e.name(v))
	e.release()
}

// choose selects between two values.
func (e *emitter) choose(at int, v *value) {
	m, x, y := v.args[0], v.args[1], v.args[2]
	b := e.operand(y)
	a, suffix := e.source(x)
	name := e.name(m)
	e.drop(at, m, x, y)
	v.reg = e.take(v)
	if e.isa.wide {
		e.line("VBLENDMPD%s %s, %s, %s, %s", suffix, a, b, name, e.name(v))
	} else {
		e.line("VBLENDVPD %s, %s, %s, %s", name, a, b, e.name(v))
	}
	e.release()
}
