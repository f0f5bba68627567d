// Lowering: how a call becomes nodes of the engine's graph, by what these are for.

package stdlib

import (
	"strings"

	"github.com/seed-12b88e03/ppl/stdlib/internal/lowering"
)

// A LoweringMode is what the nodes of a call are for.
type LoweringMode uint8

const (
	// ForEvaluation is for programs that are run: as fast as is known.
	ForEvaluation LoweringMode = iota
	// ForEachRow is ForEvaluation without counting rows that repeat once.
	ForEachRow
	// ForAnalysis also expands densities of containers, for what is read off the graph.
	ForAnalysis
	// ForIteration is for calls whose arguments differ between iterations of a loop that is
	// recorded once: all in operations on single numbers.
	ForIteration
	// ForCounts is for calls of single numbers whose first argument is an integer that is not
	// known while the graph is made.
	ForCounts
)

// Lowering returns the expansion of a function in a mode, nil where it has none.
func Lowering(name string, mode LoweringMode) lowering.Expander {
	switch mode {
	case ForIteration:
		return lowering.IterationExpansions[name]
	case ForCounts:
		return lowering.CountExpansions[name]
	case ForAnalysis:
		if e, ok := lowering.FullExpansions[name]; ok {
			return e
		}
		return lowering.Expansions[name]
	}
	if of, ok := strings.CutSuffix(name, lowering.ElementSuffix); ok {
		return lowering.EachElement(of)
	}
	return lowering.Evaluation(name, mode == ForEvaluation)
}

// TransformLowering returns the expansion of a constraint transform, nil where it has none.
func TransformLowering(name string) lowering.TransformExpander {
	return lowering.TransformExpansions[name]
}

// SufficientConstants returns how many arguments of a density, from the first, enter it by sums over the
// observations that share the others; ok is false where it has no sufficient statistics.
func SufficientConstants(name string) (n int, ok bool) { return lowering.SufficientConstants(name) }

// TakesCounts reports whether ForIteration has an expansion of a mass of n counts that may differ between iterations.
func TakesCounts(name string, n int) bool { return lowering.TakesCounts(name, n) }
