// Graphs as text, for "ppl check --dump=graph" and golden tests.

package autodiff

import (
	"fmt"
	"strconv"
	"strings"
)

var kindNames = [...]string{
	kindConst: "const", kindInput: "input", kindRuntimeConst: "given", kindMap: "map", kindPartials: "partials", kindView: "view",
	kindGather: "gather", kindAccumulate: "accumulate", kindSum: "sum", kindDot: "dot", kindMatVec: "matvec",
	kindMatTVec: "mattvec", kindOpaque: "call", kindOpaqueVJP: "vjp", kindCheck: "check", kindGuard: "guard",
	kindPlaceholder: "placeholder",
}

// shown is how many numbers of a list are written before it is cut short.
const shown = 8

// Dump writes the graph, one node a line in the order they were made: name, length,
// what it is, and its inputs. Lines of nodes that do not depend on the input end in
// "fixed".
func (g *Graph) Dump() string {
	var b strings.Builder
	fmt.Fprintf(&b, "graph, input of length %d: %d nodes\n", g.dims, g.Size())
	for x := range Node(g.Size()) {
		n := g.at(x)
		fmt.Fprintf(&b, "n%d[%d] = %s", x, n.n, g.describe(n))
		if !n.active && n.kind != kindConst {
			b.WriteString(" fixed")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// describe writes what a node is.
func (g *Graph) describe(n *node) string {
	in := make([]string, len(n.in()))
	for i, x := range n.in() {
		in[i] = "n" + strconv.Itoa(int(x))
	}
	head := kindNames[n.kind]
	switch n.kind {
	case kindConst:
		return "const " + numbers(n.data)
	case kindInput:
		return "input"
	case kindRuntimeConst:
		return "given " + numbers(n.data)
	case kindMap:
		head = n.op.Name
	case kindPartials:
		head = "partials of " + n.op.Name
	case kindView:
		return fmt.Sprintf("view %s from %d", in[0], n.off)
	case kindGather:
		return "gather " + list(len(n.refs), func(i int) string {
			return in[n.refs[i].Node] + "." + strconv.Itoa(int(n.refs[i].Elem))
		})
	case kindAccumulate:
		return "accumulate " + list(len(n.parts), func(i int) string { return in[n.parts[i].src] + n.parts[i].String() })
	case kindOpaque, kindOpaqueVJP:
		head += " " + opaqueName(n.fn)
	case kindGuard:
		return "guard " + in[0] + " is " + numbers(n.data)
	}
	return strings.TrimSpace(head + " " + strings.Join(in, ", "))
}

// String writes where a part goes, and from which elements it comes.
func (p *part) String() string {
	if p.at == nil {
		return fmt.Sprintf(" to %d..", p.off)
	}
	return " to " + list(len(p.at), func(i int) string { return fmt.Sprintf("%d<-%d", p.at[i], p.from[i]) })
}

// opaqueName is the name of an Opaque that has one, else its Go type.
func opaqueName(fn Opaque) string {
	if s, ok := fn.(fmt.Stringer); ok {
		return s.String()
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", fn), "*")
}

func numbers(x []float64) string {
	return list(len(x), func(i int) string { return strconv.FormatFloat(x[i], 'g', 6, 64) })
}

// list joins n items with blanks, leaving out what is beyond the first few.
func list(n int, item func(i int) string) string {
	var parts []string
	for i := range min(n, shown) {
		parts = append(parts, item(i))
	}
	if n > shown {
		parts = append(parts, fmt.Sprintf("... (%d)", n))
	}
	return strings.Join(parts, " ")
}
