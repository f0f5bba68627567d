// Machines for several points.

package autodiff

import "github.com/seed-12b88e03/ppl/autodiff/native"

// A LaneMachine runs a program at up to Lanes points in one pass, each with the results
// that a Machine gives, to the bit. It belongs to one goroutine.
type LaneMachine struct {
	source  *Program // of one point
	machine *Machine
	form    *batchProgram
	failed  [Lanes]error
	active  int         // how many lanes the run at hand needs
	sound   [Lanes]bool // what a lane holds is a run that did not fail
	fixed   [Lanes]bool // what does not depend on a lane's input has been computed
}

// NewLaneMachine makes a machine for several points; nil where the program has none: it
// has no machine code, or is so long that several arenas do not fit the processor's cache. The
// first call for a program compiles what all such machines of it share.
func (p *Program) NewLaneMachine() *LaneMachine {
	form := p.batchProgram()
	if form == nil {
		return nil
	}
	arena := native.NewArena(form.prog.slots)
	for s, v := range p.init[:min(len(p.init), p.slots)] {
		for l := range Lanes {
			arena[form.address(s, l)] = v
		}
	}
	for _, f := range form.fill {
		arena[f.at] = f.v
	}
	return &LaneMachine{source: p, machine: form.prog.machineOn(arena), form: form}
}

// Runs reports whether BindConstants takes p: it is the machine's program, or differs from it in the runtime
// constants alone.
func (m *LaneMachine) Runs(p *Program) bool { return p.SameCode(m.source) }

// BindConstants has lane l compute with the runtime constants of p. The lanes start with those of
// the program that made the machine.
func (m *LaneMachine) BindConstants(l int, p *Program) {
	first := p.runtimeConsts.off
	for k, v := range p.init[first:][:p.runtimeConsts.n] {
		m.machine.mem[m.form.address(first+k, l)] = v
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
	m.machine.mem[m.form.wanted] = float64(m.active)
	m.write(inputs)
	for l := range m.active {
		m.failed[l] = m.source.outside(inputs[min(l, len(inputs)-1)])
	}
	m.runFixed()
	m.run(&m.form.moving[m.active])
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
		m.run(&m.form.fixedOf[last])
	default:
		m.run(&m.form.fixed)
	}
	for l := range m.fixed {
		m.fixed[l] = m.fixed[l] || m.failed[l] == nil
	}
}

// run executes instructions. A lane that has failed is left alone from then on, unless a
// guard may still tell that its path does not apply.
func (m *LaneMachine) run(c *laneCode) {
	p, code := m.form.prog, c.code
	for start := 0; ; start++ {
		start += runArithmetic(code[start:], p.idx, m.machine.mem)
		if start == len(code) {
			return
		}
		at := int(code[start].a)
		if code[start].code == icodeNative {
			p.native.Run(at, m.machine.mem)
			continue
		}
		l := c.lane[start]
		if l != allLanes && m.failed[l] != nil && (!p.guards || m.failed[l] == ErrGuard) {
			continue
		}
		if err := m.machine.step(at); err != nil && (m.failed[l] == nil || err == ErrGuard) {
			m.failed[l] = err
		}
	}
}

// write copies the inputs into their lanes, and the last one into those that do the same.
func (m *LaneMachine) write(inputs [][]float64) {
	n := m.form.prog.dim
	var in [Lanes][]float64
	for l := range in {
		in[l] = inputs[min(l, len(inputs)-1)][:n]
	}
	if n == 0 {
		return
	}
	switch f, mem := m.form, m.machine.mem; {
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
				mem[f.address(s, l)] = v
			}
		}
	}
}

// Err is why the run failed at point l; nil where it did not.
func (m *LaneMachine) Err(l int) error { return m.failed[l] }

// Root copies the value of root i at each point to dst, which may be nil where it is not
// wanted, or as much of it as there is room for.
func (m *LaneMachine) Root(i int, dst [][]float64) {
	o, f, mem := m.form.prog.roots[i], m.form, m.machine.mem
	where := f.outputs[i]
	for l, out := range dst {
		out = out[:min(o.n, len(out))]
		switch {
		case o.ext != nil:
			copy(out, o.ext)
		case where.strided:
			copy(out, mem[where.at+l*where.step:])
		case where.interleaved && len(out) > 0:
			for k, four := 0, mem[where.at+l:]; k < len(out); k++ {
				out[k] = four[Lanes*k]
			}
		default:
			for k := range out {
				out[k] = mem[f.address(o.off+k, l)]
			}
		}
	}
}

// Number is the value of root i, which has one element, at point l.
func (m *LaneMachine) Number(i, l int) float64 {
	o := m.form.prog.roots[i]
	if o.ext != nil {
		return o.ext[0]
	}
	return m.machine.mem[m.form.address(o.off, l)]
}
