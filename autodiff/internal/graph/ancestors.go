// What nodes are made from.

package graph

// MarkAncestors adds what a node is made from to such marks.
func (g *Graph) MarkAncestors(marks []bool, x Node) {
	for stack := []Node{x}; len(stack) > 0; {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !marks[x] {
			marks[x] = true
			stack = append(stack, g.At(x).In()...)
		}
	}
}

// Ancestors marks what some nodes are made from, themselves included.
func (g *Graph) Ancestors(roots ...Node) []bool {
	live := make([]bool, g.Size())
	for _, x := range roots {
		live[x] = true
	}
	for y := Node(g.Size()) - 1; y >= 0; y-- {
		if live[y] {
			for _, in := range g.At(y).In() {
				live[in] = true
			}
		}
	}
	return live
}
