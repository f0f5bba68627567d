// Runtime constants: constants of a program that can be exchanged without compiling anew.

package codegen

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
)

// WithConstants is the program with other runtime constants. It shares everything else.
func (p *Program) WithConstants(data []float64) *Program {
	if len(data) != p.RuntimeConsts.N {
		panic(fmt.Sprintf("autodiff: the program has %d given numbers, got %d", p.RuntimeConsts.N, len(data)))
	}
	q := *p
	q.Init = append([]float64(nil), p.Init...)
	copy(q.Init[p.RuntimeConsts.Off:], data)
	return &q
}

// BindConstants has the machine compute with other runtime constants.
func (m *Machine) BindConstants(data []float64) {
	copy(m.Mem[m.prog.RuntimeConsts.Off:][:m.prog.RuntimeConsts.N], data)
	m.fixed = false
}

// SameCode reports whether programs are equal but for their runtime constants, as far as is known:
// they are if one was made of the other by WithConstants, and there is machine code.
func (p *Program) SameCode(q *Program) bool {
	return p == q || q != nil && p.Batch != nil && p.Batch == q.Batch
}

// GuardsUseConstants reports whether the program may not apply for other runtime constants where it
// does for these.
func (p *Program) GuardsUseConstants() bool { return p.guardsUseConstants }

// guardsUseConstants reports whether a guard among effects depends on runtime constants.
func guardsUseConstants(g *graph.Graph, effects []graph.Node) bool {
	if g.RuntimeConsts == graph.None {
		return false
	}
	var stack []graph.Node
	for _, x := range effects {
		if g.At(x).Kind == graph.KindGuard {
			stack = append(stack, x)
		}
	}
	seen := map[graph.Node]bool{}
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if x == g.RuntimeConsts {
			return true
		}
		if !seen[x] {
			seen[x] = true
			stack = append(stack, g.At(x).In()...)
		}
	}
	return false
}

// splitFixed splits runs into those that do not depend on the input, which come first, and
// the others.
func (c *Compiler) splitFixed(runs []run) (fixed, moving []run) {
	for _, r := range runs {
		var still, live run
		for _, x := range r {
			if c.g.At(x).Active {
				live = append(live, x)
			} else {
				still = append(still, x)
			}
		}
		if len(still) > 0 {
			fixed = append(fixed, still)
		}
		if len(live) > 0 {
			moving = append(moving, live)
		}
	}
	return fixed, moving
}
