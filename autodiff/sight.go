// Sight: where it shows in a graph's roots that a number on the way to them is not finite.

package autodiff

import (
	"math"
	"slices"
)

// A Sight knows of numbers of a graph whether it shows when they are not finite: some root is
// then not finite either, or the run fails. So what makes such a number needs no check by
// itself. NaN shows through most operations; an infinite number only through those that do
// not make a finite one of it, as an exponential does.
type Sight struct {
	g     *Graph
	whole []signs          // of all elements of a node
	parts map[Node][]signs // of single ones
	loops map[Node][]bool  // of a scan: operations whose NaN shows
	made  map[Node]bool    // of nodes: whether all that they are made of shows
}

// signs say what of a number shows.
type signs uint8

const (
	nanShows signs = 1 << iota
	infShows
	allShows = nanShows | infShows
)

// A Demanding Opaque fails where an input is not what it must be.
type Demanding interface {
	// Refuses says whether NaN among the numbers of input k makes the function fail, and
	// whether an infinite one does.
	Refuses(k int) (nan, inf bool)
}

// A Look says what of the roots' numbers is looked at after a run.
type Look uint8

const (
	AtNothing Look = iota
	ForNaN
	ForNotFinite
)

// Sight looks from the roots and from effects.
func (g *Graph) Sight(roots, effects []Node, look Look) *Sight {
	s := &Sight{g: g, whole: make([]signs, g.Size()), parts: map[Node][]signs{}, loops: map[Node][]bool{}, made: map[Node]bool{}}
	for _, x := range roots {
		s.mark(x, [...]signs{0, nanShows, allShows}[look])
	}
	live := g.below(slices.Concat(roots, effects)...)
	for x := Node(g.Size()) - 1; x >= 0; x-- {
		if live[x] {
			s.visit(x, g.at(x))
		}
	}
	return s
}

// NaN says whether it shows when an element of x is NaN.
func (s *Sight) NaN(x Node) bool { return s.has(x, nanShows) || s.NotFinite(x) }

// NotFinite says whether it shows when an element of x is NaN, or is infinite and has not
// become so by overflow. Algebra may have taken apart what x is a sum or product of: then
// nothing needs x, but it shows if what it is made of is not finite.
func (s *Sight) NotFinite(x Node) bool {
	if s.has(x, allShows) {
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

func (s *Sight) allNotFinite(list []Node) bool {
	return !slices.ContainsFunc(list, func(y Node) bool { return !s.NotFinite(y) })
}

func (s *Sight) has(x Node, what signs) bool {
	parts := s.parts[x]
	if parts == nil {
		return s.whole[x]&what == what
	}
	return !slices.ContainsFunc(parts, func(p signs) bool { return (p|s.whole[x])&what != what })
}

func (s *Sight) mark(x Node, what signs) { s.whole[x] |= what }

// markOne is mark of element i, or of the only one.
func (s *Sight) markOne(x Node, i int, what signs) {
	n := s.g.at(x).len()
	if n == 1 {
		s.mark(x, what)
		return
	}
	if what&^s.whole[x] == 0 {
		return
	}
	if s.parts[x] == nil {
		s.parts[x] = make([]signs, n)
	}
	s.parts[x][i] |= what
}

// of is what shows of element i of x.
func (s *Sight) of(x Node, i int) signs {
	if p := s.parts[x]; p != nil {
		return s.whole[x] | p[i]
	}
	return s.whole[x]
}

// any is what shows of some element.
func (s *Sight) any(x Node) signs {
	what := s.whole[x]
	for _, p := range s.parts[x] {
		what |= p
	}
	return what
}

// visit carries what shows of a node to what it is made of.
func (s *Sight) visit(x Node, n *node) {
	in := n.in()
	switch n.kind {
	case kindMap:
		for k, y := range in {
			s.copy(x, y, 0, passes(n.op, k))
		}
	case kindView:
		s.copy(x, in[0], int(n.off), allShows)
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
		s.mark(in[0], refusals(true, n.data[0] >= -math.MaxFloat64 && n.data[1] <= math.MaxFloat64))
	case kindGuard: // the numbers that it asks for are finite, or it never holds
		s.mark(in[0], allShows)
	case kindOpaque:
		s.visitCall(x, n)
	}
}

// copy carries what shows of the elements of x to those of y from off on, as far as it passes.
func (s *Sight) copy(x, y Node, off int, passing signs) {
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

// passes says what of argument k of an operation shows in its result.
func passes(op *Op, k int) signs {
	switch op.code {
	case codeAdd, codeSub, codeMul, codeNeg, codeSquare, codeSqrt, codeLog, codeLog1p: // infinite or NaN, whatever another argument is
		return allShows
	case codeInv, codeExp, codeLog1pExp, codeInvLogit:
		return nanShows
	case codeShift:
		return 0
	}
	switch {
	case op.F1 != nil:
		nan, low, high := op.F1(math.NaN()), op.F1(math.Inf(-1)), op.F1(math.Inf(1))
		return refusals(nan != nan, nan != nan && low-low != 0 && high-high != 0)
	case op == Div:
		return refusals(true, k == 0)
	}
	return 0
}

func refusals(nan, inf bool) signs {
	var what signs
	if nan {
		what |= nanShows
	}
	if inf {
		what |= infShows
	}
	return what
}

// visitCall is for functions: what they refuse shows, whatever becomes of their results.
func (s *Sight) visitCall(x Node, n *node) {
	if loop, ok := n.scan(); ok {
		s.visitScan(x, n, loop)
		return
	}
	d, ok := n.fn.(Demanding)
	if !ok {
		return
	}
	for k, y := range n.in() {
		nan, inf := d.Refuses(k)
		s.mark(y, refusals(nan, inf))
	}
}
