// Programs as text, for "ppl check --dump=program" and golden tests.

package codegen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
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
		p.Dim, s.Instructions, s.Operations, s.Slots)
	for i := range p.Code {
		if ins := &p.Code[i]; ins.Code == IcodeNative {
			fmt.Fprintf(&b, "block %d: %d machine operations\n", ins.A, ins.N)
			continue
		}
		h := p.Spelled(&p.Code[i])
		b.WriteString(h.String())
		b.WriteByte('\n')
	}
	for i, r := range p.Roots {
		fmt.Fprintf(&b, "root %d: %s\n", i, r.String())
	}
	return b.String()
}

// Spelled returns the callInst form of an instruction.
func (p *Program) Spelled(ins *Instr) *CallInst {
	if ins.Code == IcodeCall {
		return &p.CallInsts[ins.A]
	}
	n := int(ins.N)
	h := &CallInst{Kind: graph.KindMap, Dst: int(ins.Dst), N: n}
	whole := func(at int32) Operand { return Operand{Off: int(at), N: n} }
	one := func(at int32) Operand { return Operand{Off: int(at), N: 1} }
	listed := func(at int32) Operand { return Operand{N: n, Idx: p.Idx[at:][:n]} }
	switch ins.Code {
	case ISum:
		return &CallInst{Kind: graph.KindSum, Dst: h.Dst, N: 1, In: []Operand{whole(ins.A)}}
	case IDot:
		return &CallInst{Kind: graph.KindDot, Dst: h.Dst, N: 1, In: []Operand{whole(ins.A), whole(ins.B)}}
	case IGather:
		return &CallInst{Kind: graph.KindGather, Dst: h.Dst, N: n, In: []Operand{listed(ins.A)}}
	}
	if ins.Code >= IMulAdd {
		h.Op = coreOp(graph.CodeMulAdd + graph.Opcode(ins.Code-IMulAdd))
		h.In = []Operand{listed(ins.A), listed(ins.A + ins.N), listed(ins.A + 2*ins.N)}
		return h
	}
	if ins.Code >= icodeUnary {
		k := int(ins.Code - icodeUnary)
		h.Op = coreOp(graph.CodeNeg + graph.Opcode(k/unModes))
		h.In = []Operand{whole(ins.A)}
		if k%unModes == ModeI {
			h.In[0] = listed(ins.A)
		}
		return h
	}
	k := int(ins.Code - icodeBinary)
	h.Op = coreOp(graph.CodeAdd + graph.Opcode(k/binModes))
	h.In = []Operand{whole(ins.A), whole(ins.B)}
	switch k % binModes {
	case modeVS:
		h.In[1] = one(ins.B)
	case modeSV:
		h.In[0] = one(ins.A)
	case ModeII:
		h.In = []Operand{listed(ins.A), listed(ins.B)}
	}
	return h
}

// coreOp finds a core operation by its code.
func coreOp(code graph.Opcode) *graph.Op {
	for _, op := range []*graph.Op{graph.Add, graph.Sub, graph.Mul, graph.Shift, graph.Neg, graph.Inv, graph.Square, graph.Sqrt, graph.Exp, graph.Log, graph.Log1p, graph.Log1pExp, graph.InvLogit, MulAdd, MulSub, NegMulAdd} {
		if op.Code == code {
			return op
		}
	}
	return nil
}

// String writes one instruction.
func (ins *CallInst) String() string {
	in := make([]string, len(ins.In))
	for i := range ins.In {
		in[i] = ins.In[i].String()
	}
	head := graph.KindNames[ins.Kind]
	switch ins.Kind {
	case graph.KindMap:
		head = ins.Op.Name
	case graph.KindPartials:
		head = "partials of " + ins.Op.Name
	case graph.KindAccumulate:
		return Operand{Off: ins.Dst, N: ins.N}.String() + " = accumulate " +
			graph.List(len(ins.Parts), func(i int) string { return in[ins.Parts[i].Src] + ins.Parts[i].String() })
	case graph.KindOpaque, graph.KindOpaqueVJP:
		head += " " + graph.OpaqueName(ins.Fn)
	case graph.KindGuard:
		return "guard " + in[0] + " is " + graph.Numbers(ins.Data)
	case graph.KindCheck:
		return fmt.Sprintf("check %s in [%g, %g]", in[0], ins.Data[0], ins.Data[1])
	}
	return Operand{Off: ins.Dst, N: ins.N}.String() + " = " + head + " " + strings.Join(in, ", ")
}

// String writes where an operand's numbers are.
func (o Operand) String() string {
	switch {
	case o.Ext != nil:
		return fmt.Sprintf("const[%d]", len(o.Ext))
	case o.Idx != nil:
		return "m{" + graph.List(len(o.Idx), func(i int) string { return strconv.Itoa(int(o.Idx[i])) }) + "}"
	case o.N == 1:
		return fmt.Sprintf("m[%d]", o.Off)
	}
	return fmt.Sprintf("m[%d:%d]", o.Off, o.Off+o.N)
}
