package frame

// This file lets the garbage collector rest while a model is prepared, and work before memory runs out.

import (
	"os"
	"runtime/debug"
	"sync"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// preparing is the collector's percentage from the start of a command to its first
// gradient: a model's graph is made of many small pieces, most of which stay.
const preparing = 300

// Ballast is the size of a piece of memory that is never written, and so takes no room: the collector, whose
// work comes each time the heap has grown in proportion to what is held, would otherwise run tens of times in
// a fit that holds next to nothing.
const Ballast = 16 << 20

// RelaxGC sets the percentage, unless the environment does. The function that it gives
// restores what was there before; it may be called several times.
func RelaxGC() (restore func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(preparing)
	return sync.OnceFunc(func() { debug.SetGCPercent(before) })
}

// BoundMemory has the collector take back what nobody holds before the memory that the program may have is used
// up, unless the environment sets a bound.
func BoundMemory() {
	if most, ok := stdlib.HeapMemory(); ok && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(0.85 * most)) // the rest is in pieces
	}
}

// A Begun observer calls a function at each step, the first of which follows the first
// gradient.
type Begun struct {
	infer.Ignore
	Call func()
}

// Step implements infer.Observer.
func (b Begun) Step(infer.Step) { b.Call() }

// An Ended observer calls a function when a chain has ended: its draws are there.
type Ended struct {
	infer.Ignore
	Call func()
}

// End implements infer.Observer.
func (e Ended) End(int, draws.ChainEnd) error { e.Call(); return nil }
