// The engine's optimisations by name, each of which can be switched off.

package graph

import (
	"fmt"
	"slices"
)

// An Optimisation is something that is done only because programs are faster with it.
type Optimisation struct {
	Name string // by which it is switched off
	Doc  string // one line: what it does
}

// Switches is a set of the engine's optimisations.
type Switches uint32

const (
	optShare Switches = 1 << iota
	optAlgebra
	OptRoots
	optLogs
	optReciprocals
	optSums
	optElements
	OptDots
	OptSLP
	OptLoopFusion
	OptSegments
	OptFMA
	OptNative
	OptLanes
	OptLogSums
	optDistinct
)

// optimisations in the order of their bits.
var optimisations = []Optimisation{
	{"share", "equal operations are done once"},
	{"algebra", "signs, factors and neutral elements are put together"},
	{"roots", "the square of a square root is the number itself"},
	{"logs", "logarithms of exponentials, roots and reciprocals are simplified"},
	{"reciprocals", "division is multiplication by a reciprocal, which derivatives share"},
	{"sums", "factors are moved out of sums, and sums of products are dot products"},
	{"elements", "operations on short vectors of scalars are done one by one, to run together with others"},
	{"dots", "dot products of many constant vectors with the same one are a matrix product"},
	{"pack", "isomorphic scalar operations, such as those of an unrolled loop, are one on vectors"},
	{"strips", "operations on long vectors are fused into one loop over tiles, which stay in the cache"},
	{"segments", "what goes to the same element from neighbours is added before it goes there"},
	{"fma", "a product that only one sum uses is rounded together with it"},
	{"native", "machine code"},
	{"lanes", "several points are evaluated in one pass, in the lanes of registers"},
	{"logsums", "a sum of exponentials that a loop carries on the log scale is made of operations on vectors"},
	{"distinct", "an operation on a vector that repeats few numbers is done to these"},
}

// Optimisations lists what Disable can switch off.
func Optimisations() []Optimisation { return slices.Clone(optimisations) }

// Disable switches optimisations off, by name, for nodes added and programs compiled from now on. It fails
// on an unknown name.
func (g *Graph) Disable(names ...string) error {
	for _, name := range names {
		k := slices.IndexFunc(optimisations, func(o Optimisation) bool { return o.Name == name })
		if k < 0 {
			return fmt.Errorf("autodiff: there is no optimisation %q", name)
		}
		g.Off |= 1 << k
	}
	return nil
}

// Does reports whether an optimisation is on.
func (g *Graph) Does(o Switches) bool { return g.Off&o == 0 }
