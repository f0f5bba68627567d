// Programs as text, for "ppl check --dump=program" and golden tests.

package autodiff

import (
	"fmt"
	"strconv"
	"strings"
)

// Dump writes the program: its cost counters, then one instruction a line. Operands
// are m[3] (one number of the arena, for every element where the result has more),
// m[3:8] (neighbours), m{3 7 5} (by address) or const[4] (a vector outside the arena).
// The instruction computes as many numbers as its result has: for scalar operations
// that is the length of their run.
func (p *Program) Dump() string {
	var b strings.Builder
	s := p.Stats()
	fmt.Fprintf(&b, "program, input of length %d: %d instructions, %d operations, %d slots\n",
		p.dim, s.Instructions, s.Operations, s.Slots)
	for i := range p.code {
		if ins := &p.code[i]; ins.code == icodeNative {
			fmt.Fprintf(&b, "block %d: %d machine operations\n", ins.a, ins.n)
			continue
		}
		h := p.spelled(&p.code[i])
		b.WriteString(h.String())
		b.WriteByte('\n')
	}
	for i, r := range p.roots {
		fmt.Fprintf(&b, "root %d: %s\n", i, r.String())
	}
	return b.String()
}

// spelled returns the callInst form of an instruction.
func (p *Program) spelled(ins *instr) *callInst {
	if ins.code == icodeCall {
		return &p.callInsts[ins.a]
	}
	n := int(ins.n)
	h := &callInst{kind: kindMap, dst: int(ins.dst), n: n}
	whole := func(at int32) operand { return operand{off: int(at), n: n} }
	one := func(at int32) operand { return operand{off: int(at), n: 1} }
	listed := func(at int32) operand { return operand{n: n, idx: p.idx[at:][:n]} }
	switch ins.code {
	case iSum:
		return &callInst{kind: kindSum, dst: h.dst, n: 1, in: []operand{whole(ins.a)}}
	case iDot:
		return &callInst{kind: kindDot, dst: h.dst, n: 1, in: []operand{whole(ins.a), whole(ins.b)}}
	case iGather:
		return &callInst{kind: kindGather, dst: h.dst, n: n, in: []operand{listed(ins.a)}}
	}
	if ins.code >= iMulAdd {
		h.op = coreOp(codeMulAdd + opcode(ins.code-iMulAdd))
		h.in = []operand{listed(ins.a), listed(ins.a + ins.n), listed(ins.a + 2*ins.n)}
		return h
	}
	if ins.code >= icodeUnary {
		k := int(ins.code - icodeUnary)
		h.op = coreOp(codeNeg + opcode(k/unModes))
		h.in = []operand{whole(ins.a)}
		if k%unModes == modeI {
			h.in[0] = listed(ins.a)
		}
		return h
	}
	k := int(ins.code - icodeBinary)
	h.op = coreOp(codeAdd + opcode(k/binModes))
	h.in = []operand{whole(ins.a), whole(ins.b)}
	switch k % binModes {
	case modeVS:
		h.in[1] = one(ins.b)
	case modeSV:
		h.in[0] = one(ins.a)
	case modeII:
		h.in = []operand{listed(ins.a), listed(ins.b)}
	}
	return h
}

// coreOp finds a core operation by its code.
func coreOp(code opcode) *Op {
	for _, op := range []*Op{Add, Sub, Mul, Shift, Neg, Inv, Square, Sqrt, Exp, Log, Log1p, Log1pExp, InvLogit, mulAdd, mulSub, negMulAdd} {
		if op.code == code {
			return op
		}
	}
	return nil
}

// String writes one instruction.
func (ins *callInst) String() string {
	in := make([]string, len(ins.in))
	for i := range ins.in {
		in[i] = ins.in[i].String()
	}
	head := kindNames[ins.kind]
	switch ins.kind {
	case kindMap:
		head = ins.op.Name
	case kindPartials:
		head = "partials of " + ins.op.Name
	case kindAccumulate:
		return operand{off: ins.dst, n: ins.n}.String() + " = accumulate " +
			list(len(ins.parts), func(i int) string { return in[ins.parts[i].src] + ins.parts[i].String() })
	case kindOpaque, kindOpaqueVJP:
		head += " " + opaqueName(ins.fn)
	case kindGuard:
		return "guard " + in[0] + " is " + numbers(ins.data)
	case kindCheck:
		return fmt.Sprintf("check %s in [%g, %g]", in[0], ins.data[0], ins.data[1])
	}
	return operand{off: ins.dst, n: ins.n}.String() + " = " + head + " " + strings.Join(in, ", ")
}

// String writes where an operand's numbers are.
func (o operand) String() string {
	switch {
	case o.ext != nil:
		return fmt.Sprintf("const[%d]", len(o.ext))
	case o.idx != nil:
		return "m{" + list(len(o.idx), func(i int) string { return strconv.Itoa(int(o.idx[i])) }) + "}"
	case o.n == 1:
		return fmt.Sprintf("m[%d]", o.off)
	}
	return fmt.Sprintf("m[%d:%d]", o.off, o.off+o.n)
}
