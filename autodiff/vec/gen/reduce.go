//go:build ignore

package main

// This file writes the accumulators of kernels that sum or multiply. There are 8 a term:
// one register of AVX-512, or two of AVX2, which change places after every vector.

// accumulators loads them from R10.
func (e *emitter) accumulators() {
	if len(e.terms) > 0 && !e.isa.wide {
		e.line("XORL BX, BX")
	}
	for i := range e.terms {
		var regs []int
		for j := range 8 / e.isa.lanes {
			v := &value{}
			v.reg = e.take(v)
			e.line("VMOVUPD %d(R10), %s", 64*i+32*j, e.name(v))
			regs = append(regs, v.reg)
		}
		e.acc = append(e.acc, regs)
	}
}

// gather adds or multiplies the terms of a vector, or those of its first lanes, into the
// accumulators.
func (e *emitter) gather(part bool) {
	for i, term := range e.terms {
		op := map[byte]string{'+': "VADDPD", '*': "VMULPD"}[e.kernel.reduce[i]]
		acc, t := e.name(&value{reg: e.acc[i][0]}), e.name(term)
		switch {
		case e.isa.wide && part:
			e.line("%s %s, %s, K7, %s", op, t, acc, acc)
			continue
		case e.isa.wide:
			e.line("%s %s, %s, %s", op, t, acc, acc)
			continue
		}
		next := e.name(&value{reg: e.acc[i][1]})
		e.line("%s %s, %s, %s", op, t, acc, t)
		if part {
			e.line("VBLENDVPD Y15, %s, %s, %s", t, acc, t)
		}
		e.line("VMOVAPD %s, %s", next, acc)
		e.line("VMOVAPD %s, %s", t, next)
	}
	if len(e.terms) > 0 && !e.isa.wide {
		e.line("XORQ $32, BX")
	}
}

// finish stores the accumulators and ends the function.
func (e *emitter) finish() {
	if len(e.terms) > 0 {
		e.label("gathered")
		for i, regs := range e.acc {
			first := e.name(&value{reg: regs[0]})
			if e.isa.wide {
				e.line("VMOVUPD %s, %d(R10)", first, 64*i)
				continue
			}
			if i == 0 {
				e.line("LEAQ (R10)(BX*1), AX") // where the next vector would have gone
				e.line("XORQ $32, BX")
				e.line("ADDQ BX, R10")
			}
			e.line("VMOVUPD %s, %d(AX)", first, 64*i)
			e.line("VMOVUPD %s, %d(R10)", e.name(&value{reg: regs[1]}), 64*i)
		}
	}
	e.label("done")
	e.line("VZEROUPPER")
	e.line("RET")
}
