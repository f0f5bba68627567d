// The run-grouped interpreter.

package autodiff

import (
	"errors"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// ErrGuard reports that a program does not apply at the given point: a comparison or
// integer that was fixed when the program was recorded has another value there.
var ErrGuard = errors.New("autodiff: the recorded control flow does not apply at this point")

// A Machine runs a Program in an arena of its own. It belongs to one goroutine.
type Machine struct {
	prog  *Program
	mem   []float64
	fixed bool   // what does not depend on the input has been computed
	calls []call // one for each call instruction; empty where it calls no Opaque
}

// A call is an Opaque's instance with its arguments' slices.
type call struct {
	inst Instance
	in   [][]float64
	out  []float64
	adj  []float64
	din  [][]float64
}

// NewMachine makes a machine for the program.
func (p *Program) NewMachine() *Machine {
	arena := make([]float64, p.size)
	copy(arena, p.init)
	return p.machineOn(arena)
}

// machineOn makes a machine with a given arena.
func (p *Program) machineOn(arena []float64) *Machine {
	m := &Machine{prog: p, mem: arena, calls: make([]call, len(p.callInsts))}
	for i := range p.callInsts {
		ins := &p.callInsts[i]
		switch ins.kind {
		case kindOpaque:
			m.calls[i] = call{inst: ins.fn.Instance(), in: m.slices(ins.in), out: m.mem[ins.dst : ins.dst+ins.n]}
		case kindOpaqueVJP:
			m.calls[i] = m.vjpCall(ins)
		}
	}
	return m
}

func (m *Machine) vjpCall(ins *callInst) call {
	k := len(ins.in) - 2
	c := call{inst: ins.fn.Instance(), in: m.slices(ins.in[:k]), din: make([][]float64, k)}
	c.out = m.slices(ins.in[k:])[0]
	c.adj = m.slices(ins.in[k:])[1]
	off := ins.dst
	for i := range k {
		if ins.want[i] {
			c.din[i] = m.mem[off : off+ins.in[i].n : off+ins.in[i].n]
			off += ins.in[i].n
		}
	}
	return c
}

func (m *Machine) slices(in []operand) [][]float64 {
	out := make([][]float64, len(in))
	for i, o := range in {
		out[i] = m.vec(o)
	}
	return out
}

// Instances returns those of the program's functions that compute values.
func (m *Machine) Instances(yield func(Instance) bool) {
	for i := range m.calls {
		if c := &m.calls[i]; c.inst != nil && c.adj == nil && !yield(c.inst) {
			return
		}
	}
}

// Program returns the program that the machine runs.
func (m *Machine) Program() *Program { return m.prog }

// Run evaluates the program at the input, which it copies. After an error the roots'
// values are undefined; ErrGuard takes precedence over other errors, since those may
// come from a path that does not apply.
func (m *Machine) Run(input []float64) error {
	copy(m.mem[:m.prog.dim], input)
	code := m.prog.code
	var failure error
	if m.prog.checks != nil {
		if failure = m.prog.outside(input); failure != nil && !m.prog.guards {
			return failure
		}
	}
	start := 0
	if m.fixed {
		start = m.prog.start
	}
	for {
		at := runArithmetic(code[start:], m.prog.idx, m.mem)
		if at += start; at == len(code) {
			m.fixed = m.fixed || failure == nil
			return failure
		}
		start = at + 1
		if code[at].code == icodeNative {
			m.prog.native.Run(int(code[at].a), m.mem)
			continue
		}
		err := m.step(int(code[at].a))
		if err == nil {
			continue
		}
		if !m.prog.guards || err == ErrGuard {
			return err
		}
		if failure == nil {
			failure = err
		}
	}
}

// Root returns the value of root i after Run. It is overwritten by the next Run.
func (m *Machine) Root(i int) []float64 {
	return m.vec(m.prog.roots[i])
}

func (m *Machine) step(i int) error {
	ins := &m.prog.callInsts[i]
	mem := m.mem
	out := mem[ins.dst : ins.dst+ins.n]
	switch ins.kind {
	case kindMap:
		if ins.indexed {
			mapIndexed(ins.op, out, ins.in, mem)
		} else {
			m.mapDirect(ins, out)
		}
	case kindPartials:
		m.partials(ins, out)
	case kindGather:
		gather(out, ins.in[0], mem)
	case kindAccumulate:
		m.accumulate(ins, out)
	case kindSum:
		out[0] = vec.Sum(m.vec(ins.in[0]))
	case kindDot:
		out[0] = vec.Dot(m.vec(ins.in[0]), m.vec(ins.in[1]))
	case kindMatVec:
		matVec(out, m.vec(ins.in[0]), m.vec(ins.in[1]))
	case kindMatTVec:
		matTVec(out, m.vec(ins.in[0]), m.vec(ins.in[1]))
	case kindOpaque:
		return m.calls[i].inst.Value(m.calls[i].in, out)
	case kindOpaqueVJP:
		clear(out)
		c := &m.calls[i]
		c.inst.VJP(c.in, c.out, c.adj, c.din)
	case kindCheck:
		return within(m.vec(ins.in[0]), ins.data[0], ins.data[1])
	case kindGuard:
		return guard(ins, m.vec(ins.in[0]))
	}
	return nil
}

func (m *Machine) vec(o operand) []float64 {
	if o.ext != nil {
		return o.ext
	}
	return m.mem[o.off : o.off+o.n : o.off+o.n]
}

func guard(ins *callInst, x []float64) error {
	for i, v := range ins.data {
		if x[i] != v {
			return ErrGuard
		}
	}
	return nil
}

func (m *Machine) mapDirect(ins *callInst, out []float64) {
	switch len(ins.in) {
	case 1:
		mapUnary(ins.op, out, m.vec(ins.in[0]))
	case 2:
		mapBinary(ins.op, out, m.vec(ins.in[0]), m.vec(ins.in[1]))
	default:
		mapTernary(ins.op, out, m.vec(ins.in[0]), m.vec(ins.in[1]), m.vec(ins.in[2]))
	}
}

// partials fills one block of derivatives for each argument of op.
func (m *Machine) partials(ins *callInst, out []float64) {
	k := len(ins.in) - 1
	n := ins.n / k
	f := m.vec(ins.in[k])
	x := m.vec(ins.in[0])
	switch k {
	case 1:
		for i := range n {
			out[i] = ins.op.D1(pickAt(x, i), f[i])
		}
	case 2:
		y := m.vec(ins.in[1])
		if ins.op.Partials2 != nil {
			ins.op.Partials2(out[:n], out[n:], x, y, f)
			return
		}
		for i := range n {
			out[i], out[n+i] = ins.op.D2(pickAt(x, i), pickAt(y, i), f[i])
		}
	default:
		y, z := m.vec(ins.in[1]), m.vec(ins.in[2])
		for i := range n {
			out[i], out[n+i], out[2*n+i] = ins.op.D3(pickAt(x, i), pickAt(y, i), pickAt(z, i), f[i])
		}
	}
}

// pickAt is x[i], or x[0] where x has one element.
func pickAt(x []float64, i int) float64 {
	if len(x) == 1 {
		return x[0]
	}
	return x[i]
}
