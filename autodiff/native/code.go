// Code: blocks in executable memory.

package native

import (
	"errors"
	"runtime"
	"unsafe"
)

// errRefused reports that the system has no executable memory for us.
var errRefused = errors.New("the system refuses executable memory")

// A Code is some blocks of machine code. It is immutable.
type Code struct {
	mem     []byte // readable and executable
	entries []uintptr
	scratch int
}

// Build makes code of blocks for an arena of slots numbers, to which it adds the slots
// that it needs for itself (Slots). It fails where there is no native code (Reason), or
// the system refuses the memory.
func Build(blocks [][]Inst, slots int) (*Code, error) {
	if r := Reason(); r != "" {
		return nil, errors.New(r)
	}
	buf, starts, end := assemble(blocks, slots)
	mem, err := executable(buf)
	if err != nil {
		return nil, err
	}
	return newCode(mem, starts, end), nil
}

// newCode makes a Code of executable memory.
func newCode(mem []byte, starts []int, scratch int) *Code {
	c := &Code{mem: mem, scratch: scratch, entries: make([]uintptr, len(starts))}
	base := uintptr(unsafe.Pointer(&mem[0]))
	for i, s := range starts {
		c.entries[i] = base + uintptr(s)
	}
	runtime.AddCleanup(c, release, mem)
	return c
}

// assemble writes the blocks one after the other, and returns where each starts and how
// many slots they need.
func assemble(blocks [][]Inst, slots int) (buf []byte, starts []int, end int) {
	total := 0
	for _, b := range blocks {
		total += len(b)
	}
	a := newAllocator(Streams{}, slots, total)
	for _, b := range blocks {
		starts = append(starts, len(a.proc.code()))
		a.write(b)
	}
	return a.proc.code(), starts, a.arena()
}

// Slots is the length that the arena must have.
func (c *Code) Slots() int { return c.scratch }

// Size is the length of the machine code in bytes.
func (c *Code) Size() int { return len(c.mem) }

// Run executes a block on an arena of at least Slots numbers.
func (c *Code) Run(block int, arena []float64) {
	if len(arena) < c.scratch {
		panic("native: the arena is too short")
	}
	call(c.entries[block], unsafe.SliceData(arena))
	runtime.KeepAlive(c)
}

// NewArena makes an arena of that many zeros. It starts at a multiple of 64 bytes, so
// that four lanes of a slot whose number is a multiple of four lie in one line of the
// processor's cache, and eight numbers from a multiple of eight on.
func NewArena(slots int) []float64 {
	const line = 64 // bytes
	mem := make([]float64, slots+line/8)
	skip := -uintptr(unsafe.Pointer(unsafe.SliceData(mem))) % line / 8
	return mem[skip:][:slots:slots]
}
