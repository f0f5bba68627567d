//go:build ignore

package main

// This file removes what is not needed and hands out registers.

import (
	"fmt"
	"slices"
)

// simplify turns clamps into min and max, drops what the results
// do not need, and notes last uses.
func simplify(code []*value, results []*value) []*value {
	for _, v := range code {
		clamp(v)
	}
	used := map[*value]bool{}
	for _, v := range results {
		used[v] = true
	}
	for i := len(code) - 1; i >= 0; i-- {
		v := code[i]
		if v.op == "rare" || v.op == "end" {
			used[v] = true
		}
		if used[v] {
			for _, a := range v.args {
				used[a] = true
			}
		}
	}
	code = slices.DeleteFunc(code, func(v *value) bool { return !used[v] })
	for i, v := range code {
		v.last = -1
		for _, a := range v.args {
			a.last = i
		}
	}
	for _, v := range results {
		v.last = len(code)
	}
	for i, v := range code {
		if v.op == "keep" && v.args[2].last > i {
			panic(fmt.Errorf("a value that a rare branch replaces is used after the branch"))
		}
	}
	return code
}

// clamp recognises "if x > c { x = c }" and the like: min(c, x) of the processor is c
// where c < x and x otherwise, NaN included.
func clamp(v *value) {
	if v.op != "select" || v.args[0].op != "compare" {
		return
	}
	m, c, x := v.args[0], v.args[1], v.args[2]
	if m.args[0] != x || m.args[1].op != "const" || c.op != "const" || m.args[1].bits != c.bits || m.args[1].param != c.param {
		return
	}
	switch m.pred {
	case 0x1e:
		v.op, v.args = "min", []*value{c, x}
	case 0x11:
		v.op, v.args = "max", []*value{c, x}
	}
}

func (e *emitter) start() {
	e.free = slices.Repeat([]bool{true}, e.isa.regs)
	e.masks = slices.Repeat([]bool{true}, 7) // K7 is the mask of the last vector
	e.masks[0] = false                       // K0 means no mask
	e.skips = map[*value]string{}
	e.pinned = map[*value]bool{}
}

// take returns a free register for v.
func (e *emitter) take(v *value) int {
	pool := e.free
	if v.mask && e.isa.wide {
		pool = e.masks
	}
	i := slices.Index(pool, true)
	if i < 0 {
		panic(fmt.Errorf("no register left for %s", v.op))
	}
	pool[i] = false
	return i
}

// drop frees the registers of values that are not used after at.
func (e *emitter) drop(at int, vs ...*value) {
	for _, v := range vs {
		if v.op == "const" || v.last > at || v.reg < 0 || e.pinned[v] {
			continue
		}
		if v.mask && e.isa.wide {
			e.masks[v.reg] = true
		} else {
			e.free[v.reg] = true
		}
	}
}

func (e *emitter) name(v *value) string {
	if v.mask && e.isa.wide {
		return fmt.Sprintf("K%d", v.reg)
	}
	return fmt.Sprintf("%s%d", e.isa.reg, v.reg)
}

// dies reports whether v's register is free after at.
func (e *emitter) dies(at int, v *value) bool {
	return v.op != "const" && v.last == at && !e.pinned[v]
}

// inherit gives v the register of x, which dies.
func (e *emitter) inherit(v, x *value) {
	v.reg, x.reg = x.reg, -1
}

// overwrite gives v a register that holds x.
func (e *emitter) overwrite(at int, v, x *value) string {
	if e.dies(at, x) {
		e.inherit(v, x)
		return e.name(v)
	}
	from := e.operand(x)
	v.reg = e.take(v)
	e.line("VMOVAPD %s, %s", from, e.name(v))
	return e.name(v)
}

// operand returns the register of v; a constant gets one until release.
func (e *emitter) operand(v *value) string {
	if v.op != "const" {
		return e.name(v)
	}
	t := &value{reg: e.take(v)}
	e.temps = append(e.temps, t.reg)
	e.fill(t, v)
	return e.name(t)
}

// fill loads a constant into v's register.
func (e *emitter) fill(v, constant *value) {
	load := "VMOVUPD"
	if e.isa.wide {
		load = "VBROADCASTSD"
	}
	e.line("%s %s, %s", load, e.memory(constant), e.name(v))
}

// memory returns the address of a constant, or of a term's parameter.
func (e *emitter) memory(v *value) string {
	if v.param > 0 {
		return fmt.Sprintf("%d(R13)", blockParams+32*(v.param-1))
	}
	return fmt.Sprintf("consts<>+%d(SB)", e.consts.offset(v.bits))
}

// source returns the operand that may be memory, and the instruction's suffix for it.
func (e *emitter) source(v *value) (operand, suffix string) {
	switch {
	case v.op != "const":
		return e.name(v), ""
	case e.isa.wide:
		return e.memory(v), ".BCST"
	}
	return e.memory(v), ""
}

func (e *emitter) release() {
	for _, i := range e.temps {
		e.free[i] = true
	}
	e.temps = e.temps[:0]
}
