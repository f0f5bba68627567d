// The comparisons that a density makes on its way.

package bind

import (
	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// How many comparisons of an evaluation are told of: at one place, as in a loop over data, and in all.
const (
	mostTurns       = 10
	mostComparisons = 40
)

// compares are functions that are one number where the first argument is above the second, or above zero, and another where it is not.
var compares = map[string]bool{"logical_lt": true, "logical_lte": true, "logical_gt": true, "logical_gte": true, "step": true, "int_step": true, "fmax": true, "fmin": true}

// Comparisons returns a function that evaluates a model with the reference interpreter, and gives the comparisons with parameters that
// it meets, up to a number of them. nil where the program has none, or the density is costly.
func Comparisons(m *Model) func(q []float64) ([]infer.Comparison, error) {
	has := func(n any) bool {
		c, ok := n.(*ir.Call)
		return ok && compares[c.Fn.BuiltinName()]
	}
	found := ir.Any(m.prog.TransformedParameters.Body, has) || ir.Any(m.prog.Model, has)
	for _, f := range m.prog.Functions {
		found = found || ir.Any(f.Body, has)
	}
	if !found || len(m.discrete) > 0 {
		return nil
	}
	if w, err := m.GradientWork(make([]float64, m.dim)); err != nil || w > branchedWork {
		return nil
	}
	return func(q []float64) ([]infer.Comparison, error) {
		tape := autodiff.NewTape(m.dim)
		watch := &comparisonWatch{TapeRecorder: eval.TapeRecorder{Tape: tape}, turns: map[source.Span]int{}}
		em := m.machine()
		em.Rec, em.Jacobian, em.Print = watch, true, nil
		if err := m.walkDensity(em, nil, trace.Point(q, 0)); err != nil {
			return nil, err
		}
		out := make([]infer.Comparison, len(watch.met))
		for i, c := range watch.met {
			out[i] = infer.Comparison{Site: c.at.Start, Turn: c.turn, Margin: c.margin, Grad: tape.Gradient(c.difference), Holds: c.holds}
		}
		return out, nil
	}
}

// A comparisonWatch is a tape that notes comparisons.
type comparisonWatch struct {
	eval.TapeRecorder
	turns map[source.Span]int
	met   []comparison
}

type comparison struct {
	at         source.Span
	turn       int
	margin     float64
	holds      bool
	difference autodiff.Ref
}

// Elementwise implements eval.Recorder.
func (w *comparisonWatch) Elementwise(at source.Span, fn *stdlib.Function, args []*eval.Value, out *eval.Value) autodiff.Node {
	for i := 0; compares[fn.Name] && i < len(out.X) && len(w.met) < mostComparisons && w.turns[at] < mostTurns; i++ {
		c := comparison{at: at, turn: w.turns[at]}
		w.turns[at]++
		sides := make([]autodiff.Ref, len(args))
		for k, a := range args {
			j := i
			if len(a.X) == 1 {
				j = 0
			}
			c.margin += [...]float64{1, -1}[k] * a.X[j]
			sides[k] = a.Ref(j)
		}
		if c.holds = out.X[i] != 0; fn.Name == "fmax" || fn.Name == "fmin" {
			c.holds = out.X[i] == args[0].X[min(i, len(args[0].X)-1)]
		}
		c.difference = autodiff.Ref{Node: w.Tape.Record(1, func(adj []float64, add func(autodiff.Ref, float64)) {
			for k, r := range sides {
				add(r, [...]float64{1, -1}[k]*adj[0])
			}
		})}
		w.met = append(w.met, c)
	}
	return w.TapeRecorder.Elementwise(at, fn, args, out)
}
