// The flow of numbers that are not finite: where it shows in a graph's roots that a number on the way to them is not finite.

package autodiff

import (
	"math"
	"slices"
)

// A NonFiniteFlow knows of numbers of a graph whether it shows when they are not finite: some root is
// then not finite either, or the run fails. So what makes such a number needs no check by
// itself. NaN shows through most operations; an infinite number only through those that do
// not make a finite one of it, as an exponential does.
type NonFiniteFlow struct {
	g     *Graph
	whole []flowBits          // of all elements of a node
	parts map[Node][]flowBits // of single ones
	loops map[Node][]bool     // of a scan: operations whose NaN shows
	made  map[Node]bool       // of nodes: whether all that they are made of shows
}

// flowBits say what of a number shows.
type flowBits uint8

const (
	nanReachesRoot flowBits = 1 << iota
	infReachesRoot
	allReachesRoot = nanReachesRoot | infReachesRoot
)

// A NonFiniteRejecter Opaque fails where an input is not what it must be.
type NonFiniteRejecter interface {
	// RejectsNonFinite reports whether NaN among the numbers of input k makes the function fail,
	// and whether an infinite one does.
	RejectsNonFinite(k int) (nan, inf bool)
}

// A RootTest says what of the roots' numbers is looked at after a run.
type RootTest uint8

const (
	RootsUntested RootTest = iota
	RootsTestedForNaN
	RootsTestedForNonFinite
)

// NonFiniteFlow looks from the roots and from effects.
func (g *Graph) NonFiniteFlow(roots, effects []Node, look RootTest) *NonFiniteFlow {
	s := &NonFiniteFlow{g: g, whole: make([]flowBits, g.Size()), parts: map[Node][]flowBits{}, loops: map[Node][]bool{}, made: map[Node]bool{}}
	for _, x := range roots {
		s.mark(x, [...]flowBits{0, nanReachesRoot, allReachesRoot}[look])
	}
	live := g.Ancestors(slices.Concat(roots, effects)...)
	for x := Node(g.Size()) - 1; x >= 0; x-- {
		if live[x] {
			s.visit(x, g.at(x))
		}
	}
	return s
}

// NaN reports whether it shows when an element of x is NaN.
func (s *NonFiniteFlow) NaN(x Node) bool { return s.has(x, nanReachesRoot) || s.NotFinite(x) }

// NotFinite reports whether it shows when an element of x is NaN, or is infinite and has not
// become so by overflow. Algebra may have taken apart what x is a sum or product of: then
// nothing needs x, but it shows if what it is made of is not finite.
func (s *NonFiniteFlow) NotFinite(x Node) bool {
	if s.has(x, allReachesRoot) {
		return true
	}
	if yes, ok := s.made[x]; ok {
		return yes
	}
	n, yes := s.g.at(x), false
	switch n.kind {
	case kindConst:
		yes = true
	case kindMap:
		yes = (n.op == Add || n.op == Sub || n.op == Mul || n.op == Neg || n.op == Square) && s.allNotFinite(n.in())
	case kindView, kindGather, kindSum, kindDot:
		yes = s.allNotFinite(n.in())
	}
	s.made[x] = yes
	return yes
}

func (s *NonFiniteFlow) allNotFinite(list []Node) bool {
	return !slices.ContainsFunc(list, func(y Node) bool { return !s.NotFinite(y) })
}

func (s *NonFiniteFlow) has(x Node, what flowBits) bool {
	parts := s.parts[x]
	if parts == nil {
		return s.whole[x]&what == what
	}
	return !slices.ContainsFunc(parts, func(p flowBits) bool { return (p|s.whole[x])&what != what })
}

func (s *NonFiniteFlow) mark(x Node, what flowBits) { s.whole[x] |= what }

// markOne is mark of element i, or of the only one.
func (s *NonFiniteFlow) markOne(x Node, i int, what flowBits) {
	n := s.g.at(x).len()
	if n == 1 {
		s.mark(x, what)
		return
	}
	if what&^s.whole[x] == 0 {
		return
	}
	if s.parts[x] == nil {
		s.parts[x] = make([]flowBits, n)
	}
	s.parts[x][i] |= what
}

// of is what shows of element i of x.
func (s *NonFiniteFlow) of(x Node, i int) flowBits {
	if p := s.parts[x]; p != nil {
		return s.whole[x] | p[i]
	}
	return s.whole[x]
}

// any is what shows of some element.
func (s *NonFiniteFlow) any(x Node) flowBits {
	what := s.whole[x]
	for _, p := range s.parts[x] {
		what |= p
	}
	return what
}

// visit carries what shows of a node to what it is made of.
func (s *NonFiniteFlow) visit(x Node, n *node) {
	in := n.in()
	switch n.kind {
	case kindMap:
		for k, y := range in {
			s.copy(x, y, 0, passes(n.op, k))
		}
	case kindView:
		s.copy(x, in[0], int(n.off), allReachesRoot)
	case kindGather:
		for i, r := range n.refs {
			s.markOne(in[r.Node], int(r.Elem), s.of(x, i))
		}
	case kindSum, kindDot:
		for _, y := range in {
			s.mark(y, s.whole[x])
		}
	case kindMatVec, kindMatTVec: // a row or column for each element
		s.mark(in[0], s.whole[x])
		s.mark(in[1], s.any(x))
	case kindCheck:
		s.mark(in[0], rejections(true, n.data[0] >= -math.MaxFloat64 && n.data[1] <= math.MaxFloat64))
	case kindGuard: // the numbers that it asks for are finite, or it never holds
		s.mark(in[0], allReachesRoot)
	case kindOpaque:
		s.visitCall(x, n)
	}
}

// copy carries what shows of the elements of x to those of y from off on, as far as it passes.
func (s *NonFiniteFlow) copy(x, y Node, off int, passing flowBits) {
	if passing == 0 {
		return
	}
	from, to := s.g.at(x), s.g.at(y)
	if s.parts[x] == nil && (from.kind != kindView || from.n == to.n) {
		s.mark(y, s.whole[x]&passing)
		return
	}
	for i := range from.len() {
		s.markOne(y, off+i, s.of(x, i)&passing)
	}
}

// passes reports what of argument k of an operation shows in its result.
func passes(op *Op, k int) flowBits {
	switch op.code {
	case codeAdd, codeSub, codeMul, codeNeg, codeSquare, codeSqrt, codeLog, codeLog1p: // infinite or NaN, whatever another argument is
		return allReachesRoot
	case codeInv, codeExp, codeLog1pExp, codeInvLogit:
		return nanReachesRoot
	case codeShift:
		return 0
	}
	switch {
	case op.F1 != nil:
		nan, low, high := op.F1(math.NaN()), op.F1(math.Inf(-1)), op.F1(math.Inf(1))
		return rejections(nan != nan, nan != nan && low-low != 0 && high-high != 0)
	case op == Div:
		return rejections(true, k == 0)
	}
	return 0
}

func rejections(nan, inf bool) flowBits {
	var what flowBits
	if nan {
		what |= nanReachesRoot
	}
	if inf {
		what |= infReachesRoot
	}
	return what
}

// visitCall is for functions: what they refuse shows, whatever becomes of their results.
func (s *NonFiniteFlow) visitCall(x Node, n *node) {
	if loop, ok := n.scan(); ok {
		s.visitScan(x, n, loop)
		return
	}
	d, ok := n.fn.(NonFiniteRejecter)
	if !ok {
		return
	}
	for k, y := range n.in() {
		nan, inf := d.RejectsNonFinite(k)
		s.mark(y, rejections(nan, inf))
	}
}

// NaNAt reports whether it shows when a number at a place is NaN.
func (s *NonFiniteFlow) NaNAt(p Place) bool {
	if p.op < 0 {
		return s.NaN(p.Node)
	}
	ops := s.loops[p.Node]
	return ops != nil && ops[p.op]
}

// NotFiniteAt reports whether it shows when a number at a place is infinite or NaN.
func (s *NonFiniteFlow) NotFiniteAt(p Place) bool { return p.op < 0 && s.NotFinite(p.Node) }
