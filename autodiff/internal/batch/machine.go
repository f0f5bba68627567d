// Machines for several points.

package batch

import (
	"github.com/seed-12b88e03/ppl/autodiff/internal/codegen"
	"github.com/seed-12b88e03/ppl/autodiff/native"
)

// A LaneMachine runs a program at up to Lanes points in one pass, each with the results
// that a Machine gives, to the bit. It belongs to one goroutine.
type LaneMachine struct {
	source  *codegen.Program // of one point
	machine *codegen.Machine
	Form    *batchProgram
	failed  [Lanes]error
	active  int         // how many lanes the run at hand needs
	sound   [Lanes]bool // what a lane holds is a run that did not fail
	fixed   [Lanes]bool // what does not depend on a lane's input has been computed
}

// NewLaneMachine makes a machine for several points; nil where the program has none: it
// has no machine code, or is so long that several arenas do not fit the processor's cache. The
// first call for a program compiles what all such machines of it share.
func NewLaneMachine(p *codegen.Program) *LaneMachine {
	form := BatchProgram(p)
	if form == nil {
		return nil
	}
	arena := native.NewArena(form.Prog.Slots)
	for s, v := range p.Init[:min(len(p.Init), p.Slots)] {
		for l := range Lanes {
			arena[form.Address(s, l)] = v
		}
	}
	for _, f := range form.fill {
		arena[f.at] = f.v
	}
	return &LaneMachine{source: p, machine: form.Prog.MachineOn(arena), Form: form}
}

// Runs reports whether BindConstants takes p: it is the machine's program, or differs from it in the runtime
// constants alone.
func (m *LaneMachine) Runs(p *codegen.Program) bool { return p.SameCode(m.source) }

// BindConstants has lane l compute with the runtime constants of p. The lanes start with those of
// the program that made the machine.
func (m *LaneMachine) BindConstants(l int, p *codegen.Program) {
	first := p.RuntimeConsts.Off
	for k, v := range p.Init[first:][:p.RuntimeConsts.N] {
		m.machine.Mem[m.Form.Address(first+k, l)] = v
	}
	m.fixed[l] = false
}

// Run evaluates the program at the inputs, at most Lanes of them, of which Err and Root
// give the results.
//
// The last lanes are idle where they are not needed: they keep the numbers of an earlier
// run, with which instructions for all lanes are as quick as with others. Where they have
// none they do what the last point does.
func (m *LaneMachine) Run(inputs [][]float64) {
	m.failed = [Lanes]error{}
	m.active = Lanes
	for m.active > len(inputs) && m.sound[m.active-1] {
		m.active--
	}
	m.machine.Mem[m.Form.wanted] = float64(m.active)
	m.write(inputs)
	for l := range m.active {
		m.failed[l] = m.source.Outside(inputs[min(l, len(inputs)-1)])
	}
	m.runFixed()
	m.run(&m.Form.moving[m.active])
	for l := range m.active {
		m.sound[l] = m.failed[l] == nil
	}
}

// runFixed computes what does not depend on the input, for lanes that lack it.
func (m *LaneMachine) runFixed() {
	lacks, last := 0, 0
	for l, done := range m.fixed {
		if !done {
			lacks, last = lacks+1, l
		}
	}
	switch lacks {
	case 0:
		return
	case 1:
		m.run(&m.Form.fixedOf[last])
	default:
		m.run(&m.Form.fixed)
	}
	for l := range m.fixed {
		m.fixed[l] = m.fixed[l] || m.failed[l] == nil
	}
}

// run executes instructions. A lane that has failed is left alone from then on, unless a
// guard may still tell that its path does not apply.
func (m *LaneMachine) run(c *laneCode) {
	p, code := m.Form.Prog, c.code
	for start := 0; ; start++ {
		start += codegen.RunArithmetic(code[start:], p.Idx, m.machine.Mem)
		if start == len(code) {
			return
		}
		at := int(code[start].A)
		if code[start].Code == codegen.IcodeNative {
			p.Native.Run(at, m.machine.Mem)
			continue
		}
		l := c.lane[start]
		if l != allLanes && m.failed[l] != nil && (!p.Guards || m.failed[l] == codegen.ErrGuard) {
			continue
		}
		if err := m.machine.Step(at); err != nil && (m.failed[l] == nil || err == codegen.ErrGuard) {
			m.failed[l] = err
		}
	}
}

// write copies the inputs into their lanes, and the last one into those that do the same.
func (m *LaneMachine) write(inputs [][]float64) {
	n := m.Form.Prog.Dim
	var in [Lanes][]float64
	for l := range in {
		in[l] = inputs[min(l, len(inputs)-1)][:n]
	}
	if n == 0 {
		return
	}
	switch f, mem := m.Form, m.machine.Mem; {
	case f.input.interleaved && m.active == Lanes:
		mem = mem[f.input.at:]
		a, b, c, d := in[0], in[1][:n], in[2][:n], in[3][:n]
		for s, v := range a {
			four := mem[Lanes*s:][:Lanes]
			four[0], four[1], four[2], four[3] = v, b[s], c[s], d[s]
		}
	case f.input.strided:
		for l, x := range in[:m.active] {
			copy(mem[f.input.at+l*f.input.step:], x)
		}
	default:
		for l, x := range in[:m.active] {
			for s, v := range x {
				mem[f.Address(s, l)] = v
			}
		}
	}
}

// Err is why the run failed at point l; nil where it did not.
func (m *LaneMachine) Err(l int) error { return m.failed[l] }

// Root copies the value of root i at each point to dst, which may be nil where it is not
// wanted, or as much of it as there is room for.
func (m *LaneMachine) Root(i int, dst [][]float64) {
	o, f, mem := m.Form.Prog.Roots[i], m.Form, m.machine.Mem
	where := f.outputs[i]
	for l, out := range dst {
		out = out[:min(o.N, len(out))]
		switch {
		case o.Ext != nil:
			copy(out, o.Ext)
		case where.strided:
			copy(out, mem[where.at+l*where.step:])
		case where.interleaved && len(out) > 0:
			for k, four := 0, mem[where.at+l:]; k < len(out); k++ {
				out[k] = four[Lanes*k]
			}
		default:
			for k := range out {
				out[k] = mem[f.Address(o.Off+k, l)]
			}
		}
	}
}

// Number is the value of root i, which has one element, at point l.
func (m *LaneMachine) Number(i, l int) float64 {
	o := m.Form.Prog.Roots[i]
	if o.Ext != nil {
		return o.Ext[0]
	}
	return m.machine.Mem[m.Form.Address(o.Off, l)]
}
