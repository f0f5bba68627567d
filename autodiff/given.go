// Given numbers: constants of a program that can be exchanged without compiling anew.

package autodiff

import "fmt"

// Given makes the node of numbers that are fixed while a machine runs, but may be
// others in another copy of the program, see Program.With. No derivative is taken by
// them, and what depends on nothing else is computed once by a machine. A graph has at
// most one such node.
func (g *Graph) Given(data []float64) Node {
	if g.given != None {
		panic("autodiff: a graph has one node of given numbers")
	}
	g.given = g.add(node{kind: kindGiven, n: int32(len(data)), extra: &extra{data: data}})
	return g.given
}

// With is the program with other given numbers. It shares everything else.
func (p *Program) With(data []float64) *Program {
	if len(data) != p.given.n {
		panic(fmt.Sprintf("autodiff: the program has %d given numbers, got %d", p.given.n, len(data)))
	}
	q := *p
	q.init = append([]float64(nil), p.init...)
	copy(q.init[p.given.off:], data)
	return &q
}

// Alike says whether programs are equal but for their given numbers, as far as is known: they
// are if one was made of the other by With, and there is machine code.
func (p *Program) Alike(q *Program) bool {
	return p == q || q != nil && p.lanes != nil && p.lanes == q.lanes
}

// GuardsGiven says whether the program may not apply for other given numbers where it does for
// these.
func (p *Program) GuardsGiven() bool { return p.guardsGiven }

// guardsGiven says whether a guard among effects depends on given numbers.
func (g *Graph) guardsGiven(effects []Node) bool {
	if g.given == None {
		return false
	}
	var stack []Node
	for _, x := range effects {
		if g.at(x).kind == kindGuard {
			stack = append(stack, x)
		}
	}
	seen := map[Node]bool{}
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if x == g.given {
			return true
		}
		if !seen[x] {
			seen[x] = true
			stack = append(stack, g.at(x).in()...)
		}
	}
	return false
}

// apart splits runs into those that do not depend on the input, which come first, and
// the others.
func (c *compiler) apart(runs []run) (fixed, moving []run) {
	for _, r := range runs {
		var still, live run
		for _, x := range r {
			if c.g.at(x).active {
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
