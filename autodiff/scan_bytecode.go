// Iterations of scans without machine code: the interpreter's small instructions.

package autodiff

import (
	"math"
	"slices"
)

// A bodyBytecode is an iteration as instructions on one line of numbers: the streams' elements,
// then the arena, then results. Operations of a variant that do not wait for each other are one
// instruction.
type bodyBytecode struct {
	code  []instr
	idx   []int32
	calls []bytecodeCall
	from  []int32 // for each stream that an iteration writes, the first ones, where its number is
	size  int     // of the line
}

// A bytecodeCall is an operation that the machine does not know by heart, on n numbers from
// the addresses at in on.
type bytecodeCall struct {
	op  *Op
	dst int
	in  [3][]int32
}

// bytecode writes an iteration.
func (b *planner) bytecode() *bodyBytecode {
	s := &bodyBytecode{size: b.base() + len(b.p.arena)}
	b.home = make([]int, len(b.ops))
	level := make([]int, len(b.ops))
	var levels [][]int
	for i := range b.ops {
		if b.done(i) {
			continue
		}
		for _, a := range b.ops[i].args() {
			if a.from == fromOp {
				level[i] = max(level[i], level[a.k]+1)
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
				if b.ops[i].op == b.ops[list[0]].op {
					same = append(same, i)
				} else {
					rest = append(rest, i)
				}
			}
			s.run(b, b.ops[same[0]].op, same)
			list = rest
		}
	}
	for _, a := range b.body.carries {
		s.from = append(s.from, int32(b.at(a)))
	}
	for _, j := range b.body.kept {
		s.from = append(s.from, int32(b.home[j]))
	}
	return s
}

// at is where an argument's number is in a line.
func (b *planner) at(a argument) int {
	if a.from == fromOp {
		return b.home[a.k]
	}
	return b.fixedSlot(a)
}

// run adds the instruction of operations of one variant.
func (s *bodyBytecode) run(b *planner, op *Op, list []int) {
	n := len(list)
	ins := instr{n: int32(n), dst: int32(s.size)}
	var in [3][]int32
	for k := range op.Arity() {
		for _, i := range list {
			in[k] = append(in[k], int32(b.at(b.ops[i].in[k])))
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
	case op.code == codeNone:
		ins.code, ins.a = icodeCall, int32(len(s.calls))
		s.calls = append(s.calls, bytecodeCall{op, s.size - n, in})
	case op.fused():
		ins.code, ins.a = iMulAdd+icode(op.code-codeMulAdd), at(in[0])
		at(in[1])
		at(in[2])
	case op.Arity() == 1 && n == 1:
		ins.code, ins.a = unaryCode(op.code, modeS), in[0][0]
	case op.Arity() == 1:
		ins.code, ins.a = unaryCode(op.code, modeI), at(in[0])
	case n == 1:
		ins.code, ins.a, ins.b = binaryCode(op.code, modeSS), in[0][0], in[1][0]
	default:
		ins.code, ins.a, ins.b = binaryCode(op.code, modeII), at(in[0]), at(in[1])
	}
	s.code = append(s.code, ins)
}

// run1 runs an iteration on a line that holds what it reads.
func (s *bodyBytecode) run1(line []float64) {
	for code := s.code; ; {
		at := runArithmetic(code, s.idx, line)
		if at == len(code) {
			return
		}
		s.calls[code[at].a].run(line)
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

// affine reports whether an iteration is a multiply-add and writes nothing else, as it is of
// autoregressions and what is like them.
func (s *bodyBytecode) affine() bool {
	if len(s.code) != 1 || s.code[0].code != iMulAdd || s.code[0].n != 1 {
		return false
	}
	return !slices.ContainsFunc(s.from, func(at int32) bool { return at != s.code[0].dst })
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

// multiplyAdd runs so many iterations from one on that are a multiply-add.
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
