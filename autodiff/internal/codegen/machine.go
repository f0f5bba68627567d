// The run-grouped interpreter.

package codegen

import (
	"errors"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// ErrGuard reports that a program does not apply at the given point: a comparison or
// integer that was fixed when the program was recorded has another value there.
var ErrGuard = errors.New("autodiff: the recorded control flow does not apply at this point")

// A Machine runs a Program in an arena of its own. It belongs to one goroutine.
type Machine struct {
	prog  *Program
	Mem   []float64
	fixed bool   // what does not depend on the input has been computed
	calls []call // one for each call instruction; empty where it calls no Opaque

	// Undefined reports that a call which rejects its arguments has no value, NaN, and does not end the run.
	Undefined bool
}

// A call is an Opaque's instance with its arguments' slices.
type call struct {
	inst graph.Instance
	in   [][]float64
	out  []float64
	adj  []float64
	din  [][]float64
}

// NewMachine makes a machine for the program.
func (p *Program) NewMachine() *Machine {
	arena := make([]float64, p.size)
	copy(arena, p.Init)
	return p.MachineOn(arena)
}

// MachineOn makes a machine with a given arena.
func (p *Program) MachineOn(arena []float64) *Machine {
	m := &Machine{prog: p, Mem: arena, calls: make([]call, len(p.CallInsts))}
	for i := range p.CallInsts {
		ins := &p.CallInsts[i]
		switch ins.Kind {
		case graph.KindOpaque:
			m.calls[i] = call{inst: ins.Fn.Instance(), in: m.slices(ins.In), out: m.Mem[ins.Dst : ins.Dst+ins.N]}
		case graph.KindOpaqueVJP:
			m.calls[i] = m.vjpCall(ins)
		}
	}
	return m
}

func (m *Machine) vjpCall(ins *CallInst) call {
	k := len(ins.In) - 2
	c := call{inst: ins.Fn.Instance(), in: m.slices(ins.In[:k]), din: make([][]float64, k)}
	c.out = m.slices(ins.In[k:])[0]
	c.adj = m.slices(ins.In[k:])[1]
	off := ins.Dst
	for i := range k {
		if ins.Want[i] {
			c.din[i] = m.Mem[off : off+ins.In[i].N : off+ins.In[i].N]
			off += ins.In[i].N
		}
	}
	return c
}

func (m *Machine) slices(in []Operand) [][]float64 {
	out := make([][]float64, len(in))
	for i, o := range in {
		out[i] = m.vec(o)
	}
	return out
}

// Instances returns those of the program's functions that compute values.
func (m *Machine) Instances(yield func(graph.Instance) bool) {
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
	copy(m.Mem[:m.prog.Dim], input)
	code := m.prog.Code
	var failure error
	if m.prog.checks != nil {
		if failure = m.prog.Outside(input); failure != nil && !m.prog.Guards {
			return failure
		}
	}
	start := 0
	if m.fixed {
		start = m.prog.Start
	}
	for {
		at := RunArithmetic(code[start:], m.prog.Idx, m.Mem)
		if at += start; at == len(code) {
			m.fixed = m.fixed || failure == nil
			return failure
		}
		start = at + 1
		if code[at].Code == IcodeNative {
			m.prog.Native.Run(int(code[at].A), m.Mem)
			continue
		}
		err := m.Step(int(code[at].A))
		if err == nil {
			continue
		}
		if !m.prog.Guards || err == ErrGuard {
			return err
		}
		if failure == nil {
			failure = err
		}
	}
}

// Root returns the value of root i after Run. It is overwritten by the next Run.
func (m *Machine) Root(i int) []float64 {
	return m.vec(m.prog.Roots[i])
}

func (m *Machine) Step(i int) error {
	ins := &m.prog.CallInsts[i]
	mem := m.Mem
	out := mem[ins.Dst : ins.Dst+ins.N]
	switch ins.Kind {
	case graph.KindMap:
		if ins.indexed {
			mapIndexed(ins.Op, out, ins.In, mem)
		} else {
			m.mapDirect(ins, out)
		}
	case graph.KindPartials:
		m.partials(ins, out)
	case graph.KindGather:
		gather(out, ins.In[0], mem)
	case graph.KindAccumulate:
		m.accumulate(ins, out)
	case graph.KindSum:
		out[0] = vec.Sum(m.vec(ins.In[0]))
	case graph.KindDot:
		out[0] = vec.Dot(m.vec(ins.In[0]), m.vec(ins.In[1]))
	case graph.KindMatVec:
		matVec(out, m.vec(ins.In[0]), m.vec(ins.In[1]))
	case graph.KindMatTVec:
		matTVec(out, m.vec(ins.In[0]), m.vec(ins.In[1]))
	case graph.KindOpaque:
		return m.call(&m.calls[i], out)
	case graph.KindOpaqueVJP:
		clear(out)
		c := &m.calls[i]
		c.inst.VJP(c.in, c.out, c.adj, c.din)
	case graph.KindCheck:
		return within(m.vec(ins.In[0]), ins.Data[0], ins.Data[1])
	case graph.KindGuard:
		return guard(ins, m.vec(ins.In[0]))
	}
	return nil
}

func (m *Machine) call(c *call, out []float64) error {
	err := c.inst.Value(c.in, out)
	if err == nil || !m.Undefined || !rejects(err) {
		return err
	}
	for k := range out {
		out[k] = math.NaN()
	}
	return nil
}

func rejects(err error) bool {
	var r interface{ Recoverable() bool }
	return errors.As(err, &r) && r.Recoverable()
}

func (m *Machine) vec(o Operand) []float64 {
	if o.Ext != nil {
		return o.Ext
	}
	return m.Mem[o.Off : o.Off+o.N : o.Off+o.N]
}

func guard(ins *CallInst, x []float64) error {
	for i, v := range ins.Data {
		if x[i] != v {
			return ErrGuard
		}
	}
	return nil
}

func (m *Machine) mapDirect(ins *CallInst, out []float64) {
	switch len(ins.In) {
	case 1:
		MapUnary(ins.Op, out, m.vec(ins.In[0]))
	case 2:
		MapBinary(ins.Op, out, m.vec(ins.In[0]), m.vec(ins.In[1]))
	default:
		MapTernary(ins.Op, out, m.vec(ins.In[0]), m.vec(ins.In[1]), m.vec(ins.In[2]))
	}
}

// partials fills one block of derivatives for each argument of op.
func (m *Machine) partials(ins *CallInst, out []float64) {
	k := len(ins.In) - 1
	n := ins.N / k
	f := m.vec(ins.In[k])
	x := m.vec(ins.In[0])
	switch k {
	case 1:
		for i := range n {
			out[i] = ins.Op.D1(pickAt(x, i), f[i])
		}
	case 2:
		y := m.vec(ins.In[1])
		if ins.Op.Partials2 != nil {
			ins.Op.Partials2(out[:n], out[n:], x, y, f)
			return
		}
		for i := range n {
			out[i], out[n+i] = ins.Op.D2(pickAt(x, i), pickAt(y, i), f[i])
		}
	default:
		y, z := m.vec(ins.In[1]), m.vec(ins.In[2])
		for i := range n {
			out[i], out[n+i], out[2*n+i] = ins.Op.D3(pickAt(x, i), pickAt(y, i), pickAt(z, i), f[i])
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
