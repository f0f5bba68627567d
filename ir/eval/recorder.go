// The interface between the evaluator and what records its operations.

package eval

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A Recorder records every operation with an argument that depends on its input. Each method
// returns the node of the result, or None where the result does not depend on the input.
type Recorder interface {
	// Elementwise applies fn.Op; the result out has n numbers, arguments have n or one.
	Elementwise(at source.Span, fn *stdlib.Function, args []*Value, out *Value) autodiff.Node
	// Kernel applies a library function to whole arguments.
	Kernel(at source.Span, fn *stdlib.Function, args []*Value, out *Value) autodiff.Node
	// Transform applies a constraint transform: free numbers to constrained ones. The
	// second node is the log Jacobian.
	Transform(tr *stdlib.Transform, dims []int, free *Value, args []*Value, out *Value, logJacobian float64) (x, logJ autodiff.Node)
	// Opaque applies a function that the evaluator made, such as an ODE's solution.
	Opaque(fn autodiff.Opaque, args []*Value, out *Value) autodiff.Node
	// Guard reports that the walk relied on the numbers of v.
	Guard(v *Value)
}

// A DrawRecorder is a Recorder that records random draws, too.
type DrawRecorder interface {
	Recorder
	// Draw records a draw by an _rng function.
	Draw(at source.Span, fn *stdlib.Function, args []*Value, out *Value) autodiff.Node
	// Ints requires the numbers of v to be within the range of ints.
	Ints(v *Value)
}
