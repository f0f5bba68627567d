// Graphs as text, for "ppl check --dump=graph" and golden tests.

package graph

import (
	"fmt"
	"strconv"
	"strings"
)

var KindNames = [...]string{
	KindConst: "const", KindInput: "input", KindRuntimeConst: "given", KindMap: "map", KindPartials: "partials", KindView: "view",
	KindGather: "gather", KindAccumulate: "accumulate", KindSum: "sum", KindDot: "dot", KindMatVec: "matvec",
	KindMatTVec: "mattvec", KindOpaque: "call", KindOpaqueVJP: "vjp", KindCheck: "check", KindGuard: "guard",
	KindPlaceholder: "placeholder",
}

// shown is how many numbers of a list are written before it is cut short.
const shown = 8

// Dump writes the graph, one node a line in the order they were made: name, length,
// what it is, and its inputs. Lines of nodes that do not depend on the input end in
// "fixed".
func (g *Graph) Dump() string {
	var b strings.Builder
	fmt.Fprintf(&b, "graph, input of length %d: %d nodes\n", g.Dims, g.Size())
	for x := range Node(g.Size()) {
		n := g.At(x)
		fmt.Fprintf(&b, "n%d[%d] = %s", x, n.N, g.Describe(n))
		if !n.Active && n.Kind != KindConst {
			b.WriteString(" fixed")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Describe writes what a node is.
func (g *Graph) Describe(n *NodeDef) string {
	in := make([]string, len(n.In()))
	for i, x := range n.In() {
		in[i] = "n" + strconv.Itoa(int(x))
	}
	head := KindNames[n.Kind]
	switch n.Kind {
	case KindConst:
		return "const " + Numbers(n.Data)
	case KindInput:
		return "input"
	case KindRuntimeConst:
		return "given " + Numbers(n.Data)
	case KindMap:
		head = n.Op.Name
	case KindPartials:
		head = "partials of " + n.Op.Name
	case KindView:
		return fmt.Sprintf("view %s from %d", in[0], n.Off)
	case KindGather:
		return "gather " + List(len(n.Refs), func(i int) string {
			return in[n.Refs[i].Node] + "." + strconv.Itoa(int(n.Refs[i].Elem))
		})
	case KindAccumulate:
		return "accumulate " + List(len(n.Parts), func(i int) string { return in[n.Parts[i].Src] + n.Parts[i].String() })
	case KindOpaque, KindOpaqueVJP:
		head += " " + OpaqueName(n.Fn)
	case KindGuard:
		return "guard " + in[0] + " is " + Numbers(n.Data)
	}
	return strings.TrimSpace(head + " " + strings.Join(in, ", "))
}

// String writes where a part goes, and from which elements it comes.
func (p *Part) String() string {
	if p.At == nil {
		return fmt.Sprintf(" to %d..", p.Off)
	}
	return " to " + List(len(p.At), func(i int) string { return fmt.Sprintf("%d<-%d", p.At[i], p.From[i]) })
}

// OpaqueName is the name of an Opaque that has one, else its Go type.
func OpaqueName(fn Opaque) string {
	if s, ok := fn.(fmt.Stringer); ok {
		return s.String()
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", fn), "*")
}

func Numbers(x []float64) string {
	return List(len(x), func(i int) string { return strconv.FormatFloat(x[i], 'g', 6, 64) })
}

// List joins n items with blanks, leaving out what is beyond the first few.
func List(n int, item func(i int) string) string {
	var parts []string
	for i := range min(n, shown) {
		parts = append(parts, item(i))
	}
	if n > shown {
		parts = append(parts, fmt.Sprintf("... (%d)", n))
	}
	return strings.Join(parts, " ")
}
