//go:build ignore

package main

// This file writes the kernels of terms: log densities with their derivatives, which find
// all that they need in a block (terms.go of the package).

import (
	"fmt"
	"slices"
)

// A term is a function of arguments, which are vectors or single numbers as the block's
// steps say, and of parameters, which are single numbers. Its first results are added to
// the block's destinations, the others gathered as reduce says.
type term struct {
	name         string
	args, params int
	outs         int
	reduce       string
}

// terms are in the order of the constants of type Term.
var terms = []term{
	{"normalTerm", 2, 2, 2, "+"},
	{"normalScaleTerm", 3, 1, 3, "+*+"},
	{"studentTerm", 3, 4, 3, "+*+*+"},
	{"lognormalTerm", 2, 3, 2, "++"},
	{"logisticTerm", 2, 2, 2, "+*++"},
	{"doubleExponentialTerm", 2, 2, 2, "+"},
	{"weibullTerm", 2, 2, 2, "++"},
	{"exponentialTerm", 2, 1, 2, "+*+"},
	{"gammaTerm", 2, 3, 2, "++*+"},
	{"bernoulliTerm", 2, 1, 1, "*+"},
	{"binomialTerm", 3, 1, 1, "+"},
	{"binomialLogitTerm", 3, 1, 1, "+"},
	{"poissonTerm", 2, 1, 1, "+"},
	{"poissonLogTerm", 2, 1, 1, "+"},
	{"negBinomialTerm", 2, 3, 1, "+++"},
	{"negBinomialPhiTerm", 3, 1, 2, "+"},
	{"orderedLogitTerm", 2, 1, 2, "+"},
	{"lbetaTerm", 2, 1, 2, "+"},
	{"lgammaTerm", 2, 0, 2, ""},
}

// Offsets in a block.
const (
	blockX      = 8
	blockStep   = blockX + 3*8
	blockOut    = blockStep + 3*8
	blockSkip   = blockOut + 3*8
	blockTurn   = blockSkip + 3*8
	blockParams = blockTurn + 3*8
	blockAcc    = blockParams + 4*32
)

var (
	inPointers  = []string{"SI", "DX", "R8"}
	outPointers = []string{"DI", "R11", "R12"}
)

func (t term) signature(isa *isa) string { return fmt.Sprintf("func %s%s(b *block)", t.name, isa.name) }

// compileTerm writes the kernel of a term.
func compileTerm(src *source, t term, isa *isa, consts *constants) (out string, err error) {
	defer func() {
		if e, ok := recover().(error); ok {
			err = e
		}
	}()
	r := &reader{src: src, wide: isa.wide, seen: map[string]*value{}}
	args := make([]*value, t.args+t.params)
	for i := range args {
		if args[i] = r.add(&value{op: "arg", count: i, float: true}); i >= t.args {
			args[i].op, args[i].param = "const", i-t.args+1
		}
	}
	results := r.call(t.name, args)
	for i, v := range results {
		// Each is overwritten in its register, and so needs one of its own.
		if v.op == "const" || v.op == "arg" || slices.Contains(results[:i], v) {
			results[i] = &value{op: "copy", args: []*value{v}, float: true}
			r.code = append(r.code, results[i])
		}
	}
	e := &emitter{isa: isa, consts: consts, code: simplify(r.code, results)}
	for i, v := range results {
		if (i < t.outs || t.reduce[i-t.outs] == '+') && v.op == "*" && !v.rounded {
			panic(fmt.Errorf("result %d is a product that is added: write float64(x*y)", i+1))
		}
	}
	e.term(t, args[:t.args], results)
	return e.b.String(), nil
}

// term writes the loop around the body.
func (e *emitter) term(t term, args, results []*value) {
	e.start()
	if !e.isa.wide {
		e.free[15] = false // the mask
	}
	fmt.Fprintf(&e.b, "\n// %s\nTEXT %s(SB), NOSPLIT, $0-8\n", t.signature(e.isa), local(t.name, e.isa))
	e.line("MOVQ b+0(FP), R13")
	e.line("MOVQ (R13), CX")
	e.line("TESTQ CX, CX")
	e.line("JLE done")
	for i, a := range args {
		e.line("MOVQ %d(R13), %s", blockX+8*i, inPointers[i])
		a.reg = e.take(a)
		e.inputs = append(e.inputs, e.name(a))
	}
	for i := range t.outs {
		e.line("MOVQ %d(R13), %s", blockOut+8*i, outPointers[i])
	}
	sums := e.termSums(t)
	e.label("loop")
	e.line("CMPQ CX, $%d", e.isa.lanes)
	e.line("JLT part")
	for i, name := range e.inputs {
		e.line("VMOVUPD (%s), %s", inPointers[i], name)
	}
	e.label("body")
	e.body()
	e.line("CMPQ CX, $%d", e.isa.lanes)
	e.line("JLT last")
	for i, v := range results[:t.outs] {
		e.line("VADDPD (%s), %s, %s", outPointers[i], e.name(v), e.name(v))
		e.line("VMOVUPD %s, (%s)", e.name(v), outPointers[i])
		e.line("ADDQ %d(R13), %s", blockSkip+8*i, outPointers[i])
		if !e.isa.wide {
			e.line("MOVQ %d(R13), AX", blockTurn+8*i)
			e.line("SUBQ %d(R13), AX", blockSkip+8*i)
			e.line("MOVQ AX, %d(R13)", blockSkip+8*i)
		}
	}
	e.termGather(t, sums, results[t.outs:], false)
	for i := range args {
		e.line("ADDQ %d(R13), %s", blockStep+8*i, inPointers[i])
	}
	e.line("SUBQ $%d, CX", e.isa.lanes)
	e.line("JNE loop")
	e.line("JMP gathered")
	e.termTail(t, sums, results)
}

// termTail writes the last, partial vector and the end.
func (e *emitter) termTail(t term, sums []string, results []*value) {
	e.label("part")
	e.partMask()
	for i, name := range e.inputs {
		if e.isa.wide {
			e.line("VMOVUPD.Z (%s), K7, %s", inPointers[i], name)
		} else {
			e.line("VMASKMOVPD (%s), Y15, %s", inPointers[i], name)
		}
	}
	e.line("JMP body")
	e.label("last")
	for i, v := range results[:t.outs] {
		if e.isa.wide {
			e.line("VADDPD (%s), %s, K7, %s", outPointers[i], e.name(v), e.name(v))
			e.line("VMOVUPD %s, K7, (%s)", e.name(v), outPointers[i])
			continue
		}
		old := &value{}
		old.reg = e.take(old)
		e.line("VMASKMOVPD (%s), Y15, %s", outPointers[i], e.name(old))
		e.line("VADDPD %s, %s, %s", e.name(old), e.name(v), e.name(v))
		e.line("VMASKMOVPD %s, Y15, (%s)", e.name(v), outPointers[i])
		e.free[old.reg] = true
	}
	e.termGather(t, sums, results[t.outs:], true)
	e.label("gathered")
	for i, acc := range sums {
		e.line("VMOVUPD %s, %d(R13)", acc, blockAcc+64*i)
	}
	e.label("done")
	e.line("VZEROUPPER")
	e.line("RET")
}

// termSums loads the accumulators. AVX2 has too few registers and leaves them in memory.
func (e *emitter) termSums(t term) (regs []string) {
	if !e.isa.wide {
		e.line("MOVQ R13, BX")
		return nil
	}
	for i := range t.reduce {
		v := &value{}
		v.reg = e.take(v)
		e.line("VMOVUPD %d(R13), %s", blockAcc+64*i, e.name(v))
		regs = append(regs, e.name(v))
	}
	return regs
}

// termGather adds or multiplies the terms into the accumulators.
func (e *emitter) termGather(t term, sums []string, terms []*value, part bool) {
	for i, v := range terms {
		op := map[byte]string{'+': "VADDPD", '*': "VMULPD"}[t.reduce[i]]
		at := blockAcc + 64*i
		switch {
		case e.isa.wide && part:
			e.line("%s %s, %s, K7, %s", op, e.name(v), sums[i], sums[i])
		case e.isa.wide:
			e.line("%s %s, %s, %s", op, e.name(v), sums[i], sums[i])
		case part:
			e.line("%s %d(BX), %s, %s", op, at, e.name(v), e.name(v))
			e.line("VMASKMOVPD %s, Y15, %d(BX)", e.name(v), at)
		default:
			e.line("%s %d(BX), %s, %s", op, at, e.name(v), e.name(v))
			e.line("VMOVUPD %s, %d(BX)", e.name(v), at)
		}
	}
	if !e.isa.wide && !part && len(terms) > 0 {
		// The other half of the accumulators is next.
		e.line("LEAQ 32(R13)(R13*1), AX")
		e.line("SUBQ BX, AX")
		e.line("MOVQ AX, BX")
	}
}
