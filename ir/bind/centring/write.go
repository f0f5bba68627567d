// The change of variables as nodes.

package centring

import (
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff"
)

// An effect has coordinates with a location and a scale each.
type effect struct {
	group
	coords          []int32
	location, scale []autodiff.Ref
	depends         []int32 // coordinates that locations and scales depend on
}

// Effects are those of a model. They are immutable.
type Effects struct {
	graph *autodiff.Graph // of locations and scales, by the coordinates that the program has
	list  []*effect
}

// newEffects copies the part of the recording that locations and scales depend on.
func newEffects(g *autodiff.Graph, list []*effect) *Effects {
	e := &Effects{graph: g.Like(g.Len(g.Input())), list: list}
	s := autodiff.NewSubstitution(g, e.graph, e.graph.Input())
	for _, one := range list {
		for _, refs := range [][]autodiff.Ref{one.location, one.scale} {
			for i, r := range refs {
				refs[i].Node = s.Node(r.Node)
			}
		}
	}
	return e
}

// Len returns the number of effects.
func (e *Effects) Len() int { return len(e.list) }

// Coordinates returns the coordinates of effect i.
func (e *Effects) Coordinates(i int) []int {
	out := make([]int, len(e.list[i].coords))
	for k, c := range e.list[i].coords {
		out[k] = int(c)
	}
	return out
}

// Centred reports whether effect i is centred in the program.
func (e *Effects) Centred(i int) bool { return e.list[i].centred }

// Size returns the number of coordinates of all effects.
func (e *Effects) Size() (n int) {
	for _, one := range e.list {
		n += len(one.coords)
	}
	return n
}

// Places compiles locations and scales of all coordinates of effects, in order, as functions of the
// program's coordinates: two roots.
func (e *Effects) Places() *autodiff.Program {
	g := e.graph.Like(e.graph.Len(e.graph.Input()))
	s := autodiff.NewSubstitution(e.graph, g, g.Input())
	var location, scale []autodiff.Ref
	for _, one := range e.list {
		location, scale = append(location, substituted(s, one.location)...), append(scale, substituted(s, one.scale)...)
	}
	return autodiff.Compile(g, []autodiff.Node{g.Gather(location), g.Gather(scale)}, nil)
}

// Graph makes an empty graph with an input of a given length for Write.
func (e *Effects) Graph(dim int) *autodiff.Graph { return e.graph.Like(dim) }

// Write makes the nodes of the program's coordinates, and of the log Jacobian determinant, from those of
// coordinates z and of lambda, of length Size.
func (e *Effects) Write(g *autodiff.Graph, z, lambda autodiff.Node) (q, logJacobian autodiff.Node) {
	refs := make([]autodiff.Ref, g.Len(z))
	for i := range refs {
		refs[i] = autodiff.Ref{Node: z, Elem: int32(i)}
	}
	q, logJacobian = z, g.Scalar(0)
	off := 0
	for _, one := range e.list {
		n := len(one.coords)
		s := autodiff.NewSubstitution(e.graph, g, q)
		location, scale := g.Gather(substituted(s, one.location)), g.Gather(substituted(s, one.scale))
		own := make([]autodiff.Ref, n)
		for k, c := range one.coords {
			own[k] = refs[c]
		}
		made, logA := one.write(g, g.Gather(own), location, scale, g.View(lambda, off, n))
		logJacobian = g.Map(autodiff.Add, 1, logJacobian, g.Sum(logA))
		for k, c := range one.coords {
			refs[c] = autodiff.Ref{Node: made, Elem: int32(k)}
		}
		off += n
		q = g.Gather(slices.Clone(refs))
	}
	return q, logJacobian
}

// write makes the coordinates of an effect, and the logarithms of what z is multiplied by. With lambda = 0
// they are z to the last bit.
func (e *effect) write(g *autodiff.Graph, z, location, scale, lambda autodiff.Node) (q, logA autodiff.Node) {
	n := len(e.coords)
	logA = g.Map(autodiff.Mul, n, lambda, g.Map(autodiff.Log, n, scale))
	if !e.centred {
		logA = g.Map(autodiff.Neg, n, logA)
	}
	a := g.Map(autodiff.Exp, n, logA)
	factor := g.Map(autodiff.Neg, n, g.Map(autodiff.Mul, n, a, lambda)) // b = -lambda a mu
	if e.centred {                                                      // b = (1 - (1 - lambda) a) mu
		one := g.Scalar(1)
		factor = g.Map(autodiff.Sub, n, one, g.Map(autodiff.Mul, n, a, g.Map(autodiff.Sub, n, one, lambda)))
	}
	return g.Map(autodiff.Add, n, g.Map(autodiff.Mul, n, a, z), g.Map(autodiff.Mul, n, factor, location)), logA
}

// substituted returns the references with their nodes replaced.
func substituted(s *autodiff.Substitution, refs []autodiff.Ref) []autodiff.Ref {
	out := make([]autodiff.Ref, len(refs))
	for i, r := range refs {
		out[i] = autodiff.Ref{Node: s.Node(r.Node), Elem: r.Elem}
	}
	return out
}
