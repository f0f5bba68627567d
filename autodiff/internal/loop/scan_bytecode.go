// Iterations of scans without machine code: the interpreter's small instructions.

package loop

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
)

// A bodyBytecode is an iteration as instructions on one line of numbers: the streams' elements,
// then the arena, then results. Operations of a variant that do not wait for each other are one
// instruction.
type bodyBytecode struct {
	code  []codegen.Instr
	idx   []int32
	calls []bytecodeCall
	from  []int32 // for each stream that an iteration writes, the first ones, where its number is
	size  int     // of the line
}

// A bytecodeCall is an operation that the machine does not know by heart, on n numbers from
// the addresses at in on.
type bytecodeCall struct {
	op  *graph.Op
	dst int
	in  [3][]int32
}

// bytecode writes an iteration.
func (b *planner) bytecode() *bodyBytecode {
	s := &bodyBytecode{size: b.base() + len(b.p.Arena)}
	b.home = make([]int, len(b.ops))
	level := make([]int, len(b.ops))
	var levels [][]int
	for i := range b.ops {
		if b.done(i) {
			continue
		}
		for _, a := range b.ops[i].Args() {
			if a.From == FromOp {
				level[i] = max(level[i], level[a.K]+1)
			}
		}
		for len(levels) <= level[i] {
			levels = append(levels, nil)
		}
		levels[level[i]] = append(levels[level[i]], i)
	}
	for _, list := range levels {
		for len(list) > 0 {
			var same, rest []int
			for _, i := range list {
				if b.ops[i].Op == b.ops[list[0]].Op {
					same = append(same, i)
				} else {
					rest = append(rest, i)
				}
			}
			s.run(b, b.ops[same[0]].Op, same)
			list = rest
		}
	}
	for _, a := range b.body.Carries {
		s.from = append(s.from, int32(b.at(a)))
	}
	for _, j := range b.body.Kept {
		s.from = append(s.from, int32(b.home[j]))
	}
	return s
}

// at is where an argument's number is in a line.
func (b *planner) at(a Argument) int {
	if a.From == FromOp {
		return b.home[a.K]
	}
	return b.fixedSlot(a)
}

// run adds the instruction of operations of one variant.
func (s *bodyBytecode) run(b *planner, op *graph.Op, list []int) {
	n := len(list)
	ins := codegen.Instr{N: int32(n), Dst: int32(s.size)}
	var in [3][]int32
	for k := range op.Arity() {
		for _, i := range list {
			in[k] = append(in[k], int32(b.at(b.ops[i].In[k])))
		}
	}
	for _, i := range list {
		b.home[i] = s.size
		s.size++
	}
	at := func(list []int32) int32 {
		s.idx = append(s.idx, list...)
		return int32(len(s.idx) - n)
	}
	switch {
	case op.Code == graph.CodeNone:
		ins.Code, ins.A = codegen.IcodeCall, int32(len(s.calls))
		s.calls = append(s.calls, bytecodeCall{op, s.size - n, in})
	case codegen.Fused(op):
		ins.Code, ins.A = codegen.IMulAdd+codegen.Icode(op.Code-graph.CodeMulAdd), at(in[0])
		at(in[1])
		at(in[2])
	case op.Arity() == 1 && n == 1:
		ins.Code, ins.A = codegen.UnaryCode(op.Code, codegen.ModeS), in[0][0]
	case op.Arity() == 1:
		ins.Code, ins.A = codegen.UnaryCode(op.Code, codegen.ModeI), at(in[0])
	case n == 1:
		ins.Code, ins.A, ins.B = codegen.BinaryCode(op.Code, codegen.ModeSS), in[0][0], in[1][0]
	default:
		ins.Code, ins.A, ins.B = codegen.BinaryCode(op.Code, codegen.ModeII), at(in[0]), at(in[1])
	}
	s.code = append(s.code, ins)
}

// run1 runs an iteration on a line that holds what it reads.
func (s *bodyBytecode) run1(line []float64) {
	for code := s.code; ; {
		at := codegen.RunArithmetic(code, s.idx, line)
		if at == len(code) {
			return
		}
		s.calls[code[at].A].run(line)
		code = code[at+1:]
	}
}

// run applies the operation.
func (c *bytecodeCall) run(line []float64) {
	out := line[c.dst:][:len(c.in[0])]
	for i := range out {
		x := line[c.in[0][i]]
		switch op := c.op; {
		case op.F1 != nil:
			out[i] = op.F1(x)
		case op.F2 != nil:
			out[i] = op.F2(x, line[c.in[1][i]])
		default:
			out[i] = op.F3(x, line[c.in[1][i]], line[c.in[2][i]])
		}
	}
}

// affine reports whether an iteration is one multiply-add and writes nothing else, as in an
// autoregression.
func (s *bodyBytecode) affine() bool {
	if len(s.code) != 1 || s.code[0].Code != codegen.IMulAdd || s.code[0].N != 1 {
		return false
	}
	return !slices.ContainsFunc(s.from, func(at int32) bool { return at != s.code[0].Dst })
}

// A term is an operand in all iterations: a stream, or one number, of which each iteration takes
// element t & mask.
type term struct {
	x    []float64
	mask int
}

// term is what an iteration finds at an address of its line.
func (m *scanInstance) term(at int32) term {
	if int(at) < len(m.streams) {
		return term{m.streams[at], -1}
	}
	return term{m.line[at:][:1], 0}
}

// multiplyAdd runs iterations t, t + step and so on of a body that is a multiply-add.
func (m *scanInstance) multiplyAdd(s *bodyBytecode, t, step, iterations int) {
	x, y, z := m.term(s.idx[0]), m.term(s.idx[1]), m.term(s.idx[2])
	outs := m.written(s)
	for range iterations {
		v := math.FMA(x.x[t&x.mask], y.x[t&y.mask], z.x[t&z.mask])
		for _, out := range outs {
			out[t] = v
		}
		t += step
	}
}
