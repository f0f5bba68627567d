// Domain checks: numbers that must lie in an interval, or the run fails.

package codegen

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// A CheckError says that a domain check failed.
type CheckError struct {
	Value     float64
	Low, High float64 // the interval that it must lie in
}

// Error returns the message.
func (e *CheckError) Error() string {
	return fmt.Sprintf("domain check failed: %v is not in [%v, %v]", e.Value, e.Low, e.High)
}

// Recoverable reports that the error is a rejection.
func (e *CheckError) Recoverable() bool { return true }

// within is the check.
func within(x []float64, low, high float64) error {
	if vec.Within(x, low, high) {
		return nil
	}
	for _, v := range x {
		if !(v >= low && v <= high) {
			return &CheckError{v, low, high}
		}
	}
	return nil
}

// An inputCheck is a check of n elements of the input from off on. Such checks take no
// instruction and are made before a run.
type inputCheck struct {
	off, n    int
	low, high float64
}

// Outside reports which of the checks of the input fails.
func (p *Program) Outside(input []float64) error {
	for i := range p.checks {
		c := &p.checks[i]
		if c.n == 1 {
			if v := input[c.off]; !(v >= c.low && v <= c.high) {
				return &CheckError{v, c.low, c.high}
			}
			continue
		}
		if err := within(input[c.off:c.off+c.n], c.low, c.high); err != nil {
			return err
		}
	}
	return nil
}

// inputChecks takes those of the input out of a list of effects.
func inputChecks(g *graph.Graph, effects []graph.Node) (checks []inputCheck, rest []graph.Node) {
	for _, x := range effects {
		if c := g.At(x); c.Kind == graph.KindCheck {
			if own, ok := inputRuns(g, c.In()[0]); ok {
				for _, r := range own {
					r.low, r.high = c.Data[0], c.Data[1]
					checks = append(checks, r)
				}
				continue
			}
		}
		rest = append(rest, x)
	}
	return checks, rest
}

// inputRuns returns the runs of consecutive input elements that a node gathers; false for a node that is
// not a gather of the input.
func inputRuns(g *graph.Graph, x graph.Node) (runs []inputCheck, ok bool) {
	if off, ok := g.FromInput(x); ok {
		return []inputCheck{{off: off, n: g.Len(x)}}, true
	}
	n := g.At(x)
	if n.Kind != graph.KindGather {
		return nil, false
	}
	for _, r := range n.Refs {
		r = g.Resolve(graph.Ref{Node: n.In()[r.Node], Elem: r.Elem})
		if r.Node != g.InputNode {
			return nil, false
		}
		if k := len(runs) - 1; k >= 0 && runs[k].off+runs[k].n == int(r.Elem) {
			runs[k].n++
		} else {
			runs = append(runs, inputCheck{off: int(r.Elem), n: 1})
		}
	}
	return runs, true
}
