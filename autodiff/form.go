// Forms: what a node is as a function of some elements of the input, read off the
// graph. Conjugate full conditionals are found this way.

package autodiff

import (
	"maps"
	"slices"
)

// Degree is the total degree of x as a polynomial in the marked elements of the
// input, all others being held fixed; ok is false where it is no polynomial.
func (g *Graph) Degree(x Node, marked []bool) (degree int, ok bool) {
	const none = 1 << 20
	d := make([]int, x+1)
	for y := g.input; y <= x; y++ {
		d[y] = min(none, g.degree(y, marked, d))
	}
	return d[x], d[x] < none
}

func (g *Graph) degree(y Node, marked []bool, d []int) int {
	const none = 1 << 20
	n := g.at(y)
	if !n.active {
		return 0
	}
	most := 0
	for _, in := range n.in() {
		most = max(most, d[in])
	}
	if most == 0 && y != g.input && n.kind != kindView && n.kind != kindGather {
		return 0
	}
	switch n.kind {
	case kindInput:
		return degreeOf(slices.Contains(marked, true))
	case kindView:
		if n.in()[0] == g.input {
			return degreeOf(slices.Contains(marked[n.off:n.off+n.n], true))
		}
		return most
	case kindGather:
		return g.gatherDegree(n, marked, d)
	case kindSum:
		return most
	case kindDot, kindMatVec:
		return d[n.in()[0]] + d[n.in()[1]]
	case kindMap:
		switch n.op {
		case Add, Sub, Neg:
			return most
		case Mul:
			return d[n.in()[0]] + d[n.in()[1]]
		case Square:
			return 2 * most
		}
	}
	return none
}

func degreeOf(marked bool) int {
	if marked {
		return 1
	}
	return 0
}

func (g *Graph) gatherDegree(n *node, marked []bool, d []int) int {
	most := 0
	for _, r := range n.refs {
		if in := n.in()[r.Node]; in == g.input {
			most = max(most, degreeOf(marked[r.Elem]))
		} else {
			most = max(most, d[in])
		}
	}
	return most
}

// A Form is a sum of terms in one element t of the input, with coefficients that do
// not depend on it: powers of t (0 is a constant), log t, and log(1 - t). Of a vector
// it holds the terms of all elements.
type Form struct {
	Powers []float64 // ascending
	Log    bool
	Log1m  bool
	single bool // every element is a multiple of one power, nothing else
}

// Form gives the form of x in element elem of the input; ok is false where it has
// none.
func (g *Graph) Form(x Node, elem int) (f Form, ok bool) {
	fs := make([]*Form, x+1)
	for y := g.input; y <= x; y++ {
		fs[y] = g.form(y, elem, fs)
	}
	if fs[x] == nil {
		return Form{}, false
	}
	return *fs[x], true
}

// Within says whether the form consists of at most the given powers, constants aside,
// and of the logs only as said.
func (f *Form) Within(logs, log1m bool, powers ...float64) bool {
	if f.Log && !logs || f.Log1m && !log1m {
		return false
	}
	for _, p := range f.Powers {
		if p != 0 && !slices.Contains(powers, p) {
			return false
		}
	}
	return true
}

// fixed is the form of what does not depend on the element, linear that of the
// element itself.
var (
	fixed  = &Form{Powers: []float64{0}, single: true}
	linear = &Form{Powers: []float64{1}, single: true}
)

// maxPowers bounds the number of different powers, so that hopeless cases end soon.
const maxPowers = 8

func (g *Graph) form(y Node, elem int, fs []*Form) *Form {
	n := g.at(y)
	switch {
	case !n.active:
		return fixed
	case n.kind == kindInput && g.dims == 1:
		return linear
	case n.kind == kindInput: // the element among others that are fixed
		return &Form{Powers: []float64{0, 1}, single: true}
	case n.kind == kindView && n.in()[0] == g.input:
		return elementForm(int(n.off) <= elem && elem < int(n.off+n.n))
	case n.kind == kindGather:
		return g.gatherForm(n, elem, fs)
	}
	in := make([]*Form, len(n.in()))
	constant := true
	for k, x := range n.in() {
		if in[k] = fs[x]; in[k] == nil {
			return nil
		}
		constant = constant && in[k].isFixed()
	}
	if constant {
		return fixed
	}
	switch n.kind {
	case kindView:
		return in[0]
	case kindSum:
		return in[0].summed()
	case kindDot, kindMatVec:
		return timesForm(in[0], in[1]).summed()
	case kindMap:
		return g.mapForm(n, in)
	}
	return nil
}

func elementForm(is bool) *Form {
	if is {
		return linear
	}
	return fixed
}

func (f *Form) isFixed() bool { return len(f.Powers) == 1 && f.Powers[0] == 0 && !f.Log && !f.Log1m }

// summed is the form of a sum over elements.
func (f *Form) summed() *Form {
	if f == nil || len(f.Powers) == 1 {
		return f
	}
	out := *f
	out.single = false
	return &out
}

func (g *Graph) gatherForm(n *node, elem int, fs []*Form) *Form {
	var out *Form
	for _, r := range n.refs {
		f := fs[n.in()[r.Node]]
		if n.in()[r.Node] == g.input {
			f = elementForm(int(r.Elem) == elem)
		}
		switch {
		case f == nil:
			return nil
		case out == nil:
			out = f
		case f != out:
			single := out.single && f.single
			out = plusForm(out, f)
			if out == nil {
				return nil
			}
			out.single = single
		}
	}
	return out
}

func (g *Graph) mapForm(n *node, in []*Form) *Form {
	switch n.op {
	case Add, Sub:
		return plusForm(in[0], in[1])
	case Neg:
		return in[0]
	case Mul:
		return timesForm(in[0], in[1])
	case Square:
		return timesForm(in[0], in[0])
	case Sqrt:
		return in[0].power(0.5)
	case Inv:
		return in[0].power(-1)
	case Log:
		if in[0].single {
			return &Form{Powers: []float64{0}, Log: true}
		}
		if s := g.at(n.in()[0]); s.op == Sub && g.isScalar(s.in()[0], 1) && g.isElement(s.in()[1]) {
			return &Form{Powers: []float64{0}, Log1m: true}
		}
	case Log1p:
		if s := g.at(n.in()[0]); s.op == Neg && g.isElement(s.in()[0]) {
			return &Form{Powers: []float64{0}, Log1m: true}
		}
	}
	return nil
}

// isElement says whether a node is elements of the input as they are.
func (g *Graph) isElement(x Node) bool {
	n := g.at(x)
	switch n.kind {
	case kindInput:
		return true
	case kindView:
		return n.in()[0] == g.input
	case kindGather:
		return len(n.in()) == 1 && n.in()[0] == g.input
	}
	return false
}

// power raises multiples of single powers.
func (f *Form) power(k float64) *Form {
	if !f.single {
		return nil
	}
	out := &Form{single: true}
	for _, p := range f.Powers {
		out.Powers = append(out.Powers, p*k)
	}
	slices.Sort(out.Powers)
	return out
}

func plusForm(a, b *Form) *Form {
	out := &Form{Log: a.Log || b.Log, Log1m: a.Log1m || b.Log1m}
	set := map[float64]bool{}
	for _, p := range a.Powers {
		set[p] = true
	}
	for _, p := range b.Powers {
		set[p] = true
	}
	out.Powers = slices.Sorted(maps.Keys(set))
	if len(out.Powers) > maxPowers {
		return nil
	}
	// Two multiples of one power are a multiple of it; of different ones they are not.
	out.single = a.single && b.single && len(out.Powers) == 1
	return out
}

func timesForm(a, b *Form) *Form {
	switch {
	case a.isFixed():
		return b
	case b.isFixed():
		return a
	case a.Log || a.Log1m || b.Log || b.Log1m:
		return nil
	}
	set := map[float64]bool{}
	for _, p := range a.Powers {
		for _, q := range b.Powers {
			set[p+q] = true
		}
	}
	if len(set) > maxPowers {
		return nil
	}
	return &Form{Powers: slices.Sorted(maps.Keys(set)), single: a.single && b.single}
}
