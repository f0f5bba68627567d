// The flow of numbers that are not finite: where it shows in a graph's roots that a number on the way to them is not finite.

package nonfinite

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/internal/graph"
	"github.com/seed-12b88e03/ppl/autodiff/internal/loop"
)

// A NonFiniteFlow knows of numbers of a graph whether it shows when they are not finite: some root is
// then not finite either, or the run fails. So what makes such a number needs no check by
// itself. NaN shows through most operations; an infinite number only through those that do
// not make a finite one of it, as an exponential does.
type NonFiniteFlow struct {
	g     *graph.Graph
	Whole []flowBits                // of all elements of a node
	parts map[graph.Node][]flowBits // of single ones
	loops map[graph.Node][]bool     // of a scan: operations whose NaN shows
	made  map[graph.Node]bool       // of nodes: whether all that they are made of shows
}

// flowBits say what of a number shows.
type flowBits uint8

const (
	NanReachesRoot flowBits = 1 << iota
	InfReachesRoot
	allReachesRoot = NanReachesRoot | InfReachesRoot
)

// A NonFiniteRejecter is an Opaque that fails for some inputs that are NaN or infinite.
type NonFiniteRejecter interface {
	// RejectsNonFinite reports whether NaN among the numbers of input k makes the function fail,
	// and whether an infinite one does.
	RejectsNonFinite(k int) (nan, inf bool)
}

// A RootTest is which of the roots' numbers are inspected after a run.
type RootTest uint8

const (
	RootsUntested RootTest = iota
	RootsTestedForNaN
	RootsTestedForNonFinite
)

// NewNonFiniteFlow finds for each node that roots or effects need whether a NaN or an infinity in it shows in a root.
func NewNonFiniteFlow(g *graph.Graph, roots, effects []graph.Node, look RootTest) *NonFiniteFlow {
	s := &NonFiniteFlow{g: g, Whole: make([]flowBits, g.Size()), parts: map[graph.Node][]flowBits{}, loops: map[graph.Node][]bool{}, made: map[graph.Node]bool{}}
	for _, x := range roots {
		s.mark(x, [...]flowBits{0, NanReachesRoot, allReachesRoot}[look])
	}
	live := g.Ancestors(slices.Concat(roots, effects)...)
	for x := graph.Node(g.Size()) - 1; x >= 0; x-- {
		if live[x] {
			s.visit(x, g.At(x))
		}
	}
	return s
}

// NaN reports whether a NaN among the elements of x makes a root NaN or infinite.
func (s *NonFiniteFlow) NaN(x graph.Node) bool { return s.has(x, NanReachesRoot) || s.NotFinite(x) }

// NotFinite reports whether a root becomes NaN or infinite where an element of x is NaN, or is
// infinite without an overflow. Where algebra has taken a sum or a product apart nothing needs x
// itself: then the operands of x decide.
func (s *NonFiniteFlow) NotFinite(x graph.Node) bool {
	if s.has(x, allReachesRoot) {
		return true
	}
	if yes, ok := s.made[x]; ok {
		return yes
	}
	n, yes := s.g.At(x), false
	switch n.Kind {
	case graph.KindConst:
		yes = true
	case graph.KindMap:
		yes = (n.Op == graph.Add || n.Op == graph.Sub || n.Op == graph.Mul || n.Op == graph.Neg || n.Op == graph.Square) && s.allNotFinite(n.In())
	case graph.KindView, graph.KindGather, graph.KindSum, graph.KindDot, graph.KindMatVec:
		yes = s.allNotFinite(n.In())
	}
	s.made[x] = yes
	return yes
}

func (s *NonFiniteFlow) allNotFinite(list []graph.Node) bool {
	return !slices.ContainsFunc(list, func(y graph.Node) bool { return !s.NotFinite(y) })
}

func (s *NonFiniteFlow) has(x graph.Node, what flowBits) bool {
	parts := s.parts[x]
	if parts == nil {
		return s.Whole[x]&what == what
	}
	return !slices.ContainsFunc(parts, func(p flowBits) bool { return (p|s.Whole[x])&what != what })
}

func (s *NonFiniteFlow) mark(x graph.Node, what flowBits) { s.Whole[x] |= what }

// markOne is mark of element i, or of the only one.
func (s *NonFiniteFlow) markOne(x graph.Node, i int, what flowBits) {
	n := s.g.At(x).Len()
	if n == 1 {
		s.mark(x, what)
		return
	}
	if what&^s.Whole[x] == 0 {
		return
	}
	if s.parts[x] == nil {
		s.parts[x] = make([]flowBits, n)
	}
	s.parts[x][i] |= what
}

// Of is what shows of element i of x.
func (s *NonFiniteFlow) Of(x graph.Node, i int) flowBits {
	if p := s.parts[x]; p != nil {
		return s.Whole[x] | p[i]
	}
	return s.Whole[x]
}

// any is what shows of some element.
func (s *NonFiniteFlow) any(x graph.Node) flowBits {
	what := s.Whole[x]
	for _, p := range s.parts[x] {
		what |= p
	}
	return what
}

// visit propagates the flow of a node to its operands.
func (s *NonFiniteFlow) visit(x graph.Node, n *graph.NodeDef) {
	in := n.In()
	switch n.Kind {
	case graph.KindMap:
		for k, y := range in {
			s.copy(x, y, 0, passes(n.Op, k))
		}
	case graph.KindView:
		s.copy(x, in[0], int(n.Off), allReachesRoot)
	case graph.KindGather:
		for i, r := range n.Refs {
			s.markOne(in[r.Node], int(r.Elem), s.Of(x, i))
		}
	case graph.KindSum, graph.KindDot:
		for _, y := range in {
			s.mark(y, s.Whole[x])
		}
	case graph.KindMatVec, graph.KindMatTVec: // a row or column for each element
		s.mark(in[0], s.Whole[x])
		s.mark(in[1], s.any(x))
	case graph.KindCheck:
		s.mark(in[0], rejections(true, n.Data[0] >= -math.MaxFloat64 && n.Data[1] <= math.MaxFloat64))
	case graph.KindGuard: // the numbers that it asks for are finite, or it never holds
		s.mark(in[0], allReachesRoot)
	case graph.KindOpaque:
		s.visitCall(x, n)
	}
}

// copy carries what shows of the elements of x to those of y from off on, as far as it passes.
func (s *NonFiniteFlow) copy(x, y graph.Node, off int, passing flowBits) {
	if passing == 0 {
		return
	}
	from, to := s.g.At(x), s.g.At(y)
	if s.parts[x] == nil && (from.Kind != graph.KindView || from.N == to.N) {
		s.mark(y, s.Whole[x]&passing)
		return
	}
	for i := range from.Len() {
		s.markOne(y, off+i, s.Of(x, i)&passing)
	}
}

// passes reports what of argument k of an operation shows in its result.
func passes(op *graph.Op, k int) flowBits {
	switch op.Code {
	case graph.CodeAdd, graph.CodeSub, graph.CodeMul, graph.CodeNeg, graph.CodeSquare, graph.CodeSqrt, graph.CodeLog, graph.CodeLog1p: // infinite or NaN, whatever another argument is
		return allReachesRoot
	case graph.CodeInv, graph.CodeExp, graph.CodeLog1pExp, graph.CodeInvLogit:
		return NanReachesRoot
	case graph.CodeShift:
		return 0
	}
	switch {
	case op.F1 != nil:
		nan, low, high := op.F1(math.NaN()), op.F1(math.Inf(-1)), op.F1(math.Inf(1))
		return rejections(nan != nan, nan != nan && low-low != 0 && high-high != 0)
	case op == graph.Div:
		return rejections(true, k == 0)
	}
	return 0
}

func rejections(nan, inf bool) flowBits {
	var what flowBits
	if nan {
		what |= NanReachesRoot
	}
	if inf {
		what |= InfReachesRoot
	}
	return what
}

// visitCall is for functions: what they refuse shows, whatever becomes of their results.
func (s *NonFiniteFlow) visitCall(x graph.Node, n *graph.NodeDef) {
	if scan, ok := loop.ScanOf(n); ok {
		s.visitScan(x, n, scan)
		return
	}
	d, ok := n.Fn.(NonFiniteRejecter)
	if !ok {
		return
	}
	for k, y := range n.In() {
		nan, inf := d.RejectsNonFinite(k)
		s.mark(y, rejections(nan, inf))
	}
}

// NaNAt reports whether it shows when a number at a place is NaN.
func (s *NonFiniteFlow) NaNAt(p loop.Place) bool {
	if p.Op < 0 {
		return s.NaN(p.Node)
	}
	ops := s.loops[p.Node]
	return ops != nil && ops[p.Op]
}

// NotFiniteAt reports whether it shows when a number at a place is infinite or NaN.
func (s *NonFiniteFlow) NotFiniteAt(p loop.Place) bool { return p.Op < 0 && s.NotFinite(p.Node) }
