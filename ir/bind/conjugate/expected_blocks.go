// The blocks of a factorisation and their statistics.

package conjugate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"
	"github.com/seed-12b88e03/ppl/ir/eval"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// group puts discrete numbers, then the others, into blocks.
func (e *expansion) group() error {
	if err := e.discrete(); err != nil {
		return err
	}
	e.whole = len(e.blocks)
	e.members = make([][]int, e.whole)
	for _, c := range e.candidates() {
		switch first, last := e.numbers[c[0]].support, e.numbers[c[len(c)-1]].support; {
		case first == infer.Simplex, first == infer.Definite, first != last:
			e.block(c)
		default:
			for _, part := range e.parts(c) {
				e.block(part)
			}
		}
	}
	if err := e.simplexes(); err != nil {
		return err
	}
	return e.matrices()
}

// candidates are sets of numbers that may make a block together: those of a parameter,
// or single ones, or all of a group, or of no group, that are jointly normal with those before.
func (e *expansion) candidates() [][]int {
	var out [][]int
	for i := range e.numbers {
		n := &e.numbers[i]
		last := len(out) - 1
		if i > 0 {
			before := &e.numbers[i-1]
			same := before.p == n.p && before.support == n.support
			if same && ((n.support == infer.Simplex || n.support == infer.Definite) && before.element == n.element || n.support == infer.Line && e.blocking.Choice != infer.ByElement) {
				out[last] = append(out[last], i)
				continue
			}
		}
		out = append(out, []int{i})
	}
	var joined [][]int
	normal := map[int]int{} // the place of each group's last set of normal numbers
	for _, c := range out {
		group := e.blocking.Group(e.numbers[c[0]].p.Var.Name)
		if (group >= 0 || e.blocking.Choice == infer.Jointly) && e.numbers[c[0]].support == infer.Line && e.quadratic(c) {
			if at, ok := normal[group]; ok {
				if all := append(slices.Clone(joined[at]), c...); e.quadratic(all) {
					joined[at] = all
					continue
				}
			}
			normal[group] = len(joined)
		}
		joined = append(joined, c)
	}
	return e.scaled(joined)
}

// scaled puts a precision or a variance to the jointly normal numbers of its group where these stand in
// products with it alone.
func (e *expansion) scaled(sets [][]int) [][]int {
	var out [][]int
	for _, c := range sets {
		own := &e.numbers[c[0]]
		at := slices.IndexFunc(out, func(with []int) bool {
			first := &e.numbers[with[0]]
			group := e.blocking.Group(own.p.Var.Name)
			return group >= 0 && group == e.blocking.Group(first.p.Var.Name) && first.support == infer.Line && e.isScale(with, c[0])
		})
		if own.support != infer.Positive || at < 0 {
			out = append(out, c)
			continue
		}
		out[at] = append(slices.Clone(out[at]), c[0])
	}
	return out
}

// isScale reports whether all products of these real numbers have one and the same power of number t, 1 or
// -1, and no more, while the others have that power or its logarithm.
func (e *expansion) isScale(set []int, t int) bool {
	if e.numbers[set[len(set)-1]].support != infer.Line || !e.quadratic(set) {
		return false
	}
	in := e.marked(set)
	power := 0.0
	for _, powers := range e.poly.Products {
		reals, number, log := false, 0.0, 0.0
		for _, p := range powers {
			switch k := e.elem[p.Atom]; {
			case k < 0:
			case in[k]:
				reals = true
			case k != t:
			case e.poly.Atoms[p.Atom].Kind == autodiff.Element:
				number += p.Exp
			case e.poly.Atoms[p.Atom].Kind == autodiff.LogElement:
				log += p.Exp
			default:
				return false
			}
		}
		if number != 0 && power == 0 {
			power = number
		}
		if number != 0 && number != power || number != 0 && log != 0 || log != 0 && log != 1 || reals && number == 0 {
			return false
		}
	}
	return power == 1 || power == -1
}

// quadratic reports whether the density is of degree 2 at most in these real numbers.
func (e *expansion) quadratic(set []int) bool {
	in := e.marked(set)
	for _, powers := range e.poly.Products {
		degree := 0.0
		for _, p := range powers {
			if k := e.elem[p.Atom]; k < 0 || !in[k] {
				continue
			}
			if e.poly.Atoms[p.Atom].Kind != autodiff.Element || p.Exp != 1 && p.Exp != 2 {
				return false
			}
			degree += p.Exp
		}
		if degree > 2 {
			return false
		}
	}
	return true
}

func (e *expansion) marked(set []int) []bool {
	in := make([]bool, len(e.at))
	for _, k := range set {
		in[k] = true
	}
	return in
}

// parts takes a set apart into those numbers that stand in products with each other,
// which alone depend on each other given the rest; where the density is no polynomial of
// degree 2 in all of them, each number is by itself.
func (e *expansion) parts(set []int) [][]int {
	if len(set) == 1 {
		return [][]int{set}
	}
	together := e.quadratic(set)
	root := make(map[int]int, len(set))
	var find func(k int) int
	find = func(k int) int {
		if root[k] != k {
			root[k] = find(root[k])
		}
		return root[k]
	}
	for _, k := range set {
		root[k] = k
	}
	in := e.marked(set)
	for _, powers := range e.poly.Products {
		first := -1
		for _, p := range powers {
			k := e.elem[p.Atom]
			if !together || k < 0 || !in[k] {
				continue
			}
			if first < 0 {
				first = find(k)
			}
			root[find(k)] = first
		}
	}
	place := map[int]int{}
	var out [][]int
	for _, k := range set {
		r := find(k)
		if _, ok := place[r]; !ok {
			place[r] = len(out)
			out = append(out, nil)
		}
		out[place[r]] = append(out[place[r]], k)
	}
	return out
}

// block makes a block of these numbers.
func (e *expansion) block(set []int) {
	n := &e.numbers[set[0]]
	b := infer.FactorBlock{Name: e.blockName(set), Support: n.support, Size: len(set), Map: n.m}
	switch {
	case n.support == infer.Simplex:
		b.Coords = trace.Span(n.free, len(set)-1)
	case n.support == infer.Definite:
		b.Coords = trace.Span(n.free, (len(set)+n.p.Shape.Dims[len(n.p.Shape.Dims)-1])/2)
	case n.support == infer.Line && len(set) > 1:
		b.Map = e.maps(set)
		if e.numbers[set[len(set)-1]].support == infer.Positive {
			b.Support = infer.Scaled
		}
		fallthrough
	default:
		for _, k := range set {
			b.Coords = append(b.Coords, e.numbers[k].free)
		}
	}
	for _, k := range set {
		e.numbers[k].block = len(e.blocks)
	}
	e.add(b, n.p.Var.Name)
	e.members = append(e.members, set)
}

// add adds a block with numbers of a parameter and perhaps others of its group.
func (e *expansion) add(b infer.FactorBlock, parameter string) {
	e.blocks = append(e.blocks, b)
	if len(e.blocking.Groups) > 0 {
		e.named = append(e.named, e.blocking.Group(parameter))
	}
}

// maps are those of real numbers; nil where none differs from its coordinate.
func (e *expansion) maps(set []int) infer.BlockMap {
	maps, some := make(sideBySide, len(set)), false
	for i, k := range set {
		maps[i] = shift(0)
		switch m := e.numbers[k].m; {
		case m != nil:
			maps[i], some = m, true
		case e.numbers[k].support == infer.Positive:
			maps[i], some = exponential{}, true
		}
	}
	if !some {
		return nil
	}
	return maps
}

// blockName names the parameters in a block, and single numbers where it has not all of
// a parameter's.
func (e *expansion) blockName(set []int) string {
	var names []string
	for i := 0; i < len(set); {
		p, from := e.numbers[set[i]].p, i
		for i < len(set) && e.numbers[set[i]].p == p {
			i++
		}
		switch size := len(eval.Undefined(p.Shape).X); {
		case i-from == size:
			names = append(names, p.Var.Name)
		case e.numbers[set[from]].support == infer.Simplex:
			dims := p.Shape.Dims
			names = append(names, trace.ElementName(p.Var.Name, dims[:len(dims)-1], e.numbers[set[from]].element))
		case e.numbers[set[from]].support == infer.Definite:
			dims := p.Shape.Dims
			names = append(names, trace.ElementName(p.Var.Name, dims[:len(dims)-2], e.numbers[set[from]].element))
		case i-from > 3:
			names = append(names, fmt.Sprintf("%s and %d others", e.nameOf(set[from]), i-from-1))
		default:
			for _, k := range set[from:i] {
				names = append(names, e.nameOf(k))
			}
		}
	}
	return strings.Join(names, ", ")
}

// simplexes checks that simplexes occur only in logarithms.
func (e *expansion) simplexes() error {
	for i, used := range e.usedAtoms() {
		k := e.elem[i]
		if !used || k < 0 || e.numbers[k].support != infer.Simplex {
			continue
		}
		if e.poly.Atoms[i].Kind != autodiff.LogElement {
			return notFactorised("the simplex %s occurs other than in logarithms of its elements", e.numbers[k].p.Var.Name)
		}
	}
	for _, powers := range e.poly.Products {
		logs := map[int]float64{}
		for _, p := range powers {
			if k := e.elem[p.Atom]; k >= 0 && e.numbers[k].support == infer.Simplex {
				b := e.numbers[k].block
				if logs[b] += p.Exp; logs[b] > 1 {
					return notFactorised("logarithms of the simplex %s are multiplied", e.numbers[k].p.Var.Name)
				}
			}
		}
	}
	return nil
}

// matrices makes sure that a covariance matrix stands, once in each product, in its log determinant
// and either in its elements or in those of its inverse.
func (e *expansion) matrices() error {
	role := make([]matrixRole, len(e.blocks))
	for _, powers := range e.poly.Products {
		seen := -1
		for _, p := range powers {
			k := e.elem[p.Atom]
			if k < 0 || e.numbers[k].support != infer.Definite {
				continue
			}
			b, name := e.numbers[k].block, e.numbers[k].p.Var.Name
			r := e.role[p.Atom]
			if e.poly.Atoms[p.Atom].Kind == autodiff.Element {
				r = elementOf
			}
			switch {
			case r == noRole || p.Exp != 1:
				return notFactorised("the matrix %s occurs other than in its elements, in those of its inverse and in its log determinant%s", name, e.place(int(p.Atom)))
			case seen == b:
				return notFactorised("elements of the matrix %s are multiplied%s", name, e.place(int(p.Atom)))
			case r != logDeterminant && role[b] != noRole && role[b] != r:
				return notFactorised("the matrix %s stands in its elements and in those of its inverse%s", name, e.place(int(p.Atom)))
			case r != logDeterminant:
				role[b] = r
			}
			seen = b
		}
	}
	return nil
}

// blockMap is a transform of the library between a block's free coordinates and
// numbers. It implements infer.BlockMap.
type blockMap struct {
	tr   *stdlib.Transform
	dims []int
	args [][]float64
}

func (b *blockMap) work() []float64 {
	if b.tr.Work == nil {
		return nil
	}
	return make([]float64, b.tr.Work(b.dims))
}

// Constrain implements infer.BlockMap.
func (b *blockMap) Constrain(free, x []float64) (float64, error) {
	return b.tr.Constrain(b.dims, free, b.args, x, b.work())
}

// Pull implements infer.BlockMap.
func (b *blockMap) Pull(free, x, adj, dfree []float64) {
	b.tr.VJP(b.dims, free, b.args, x, adj, 1, dfree, nil, b.work())
}

// Unconstrain implements infer.BlockMap.
func (b *blockMap) Unconstrain(x, free []float64) error {
	return b.tr.Unconstrain(b.dims, x, b.args, free)
}

// A shift counts a number from a centre.
type shift float64

// Constrain implements infer.BlockMap.
func (s shift) Constrain(free, x []float64) (float64, error) {
	x[0] = free[0] - float64(s)
	return 0, nil
}

// Pull implements infer.BlockMap.
func (s shift) Pull(_, _, adj, dfree []float64) { dfree[0] += adj[0] }

// Unconstrain implements infer.BlockMap.
func (s shift) Unconstrain(x, free []float64) error {
	free[0] = x[0] + float64(s)
	return nil
}

// shifted counts a number with a map of its own from a centre.
type shifted struct {
	of infer.BlockMap
	by float64
}

// Constrain implements infer.BlockMap.
func (s shifted) Constrain(free, x []float64) (float64, error) {
	logJacobian, err := s.of.Constrain(free, x)
	x[0] -= s.by
	return logJacobian, err
}

// Pull implements infer.BlockMap.
func (s shifted) Pull(free, x, adj, dfree []float64) {
	s.of.Pull(free, []float64{x[0] + s.by}, adj, dfree)
}

// Unconstrain implements infer.BlockMap.
func (s shifted) Unconstrain(x, free []float64) error {
	return s.of.Unconstrain([]float64{x[0] + s.by}, free)
}

// exponential takes a logarithm to its number.
type exponential struct{}

// Constrain implements infer.BlockMap.
func (exponential) Constrain(free, x []float64) (float64, error) {
	x[0] = libm.Exp(free[0])
	return free[0], nil
}

// Pull implements infer.BlockMap.
func (exponential) Pull(_, x, adj, dfree []float64) { dfree[0] += float64(adj[0]*x[0]) + 1 }

// Unconstrain implements infer.BlockMap.
func (exponential) Unconstrain(x, free []float64) error {
	free[0] = libm.Log(x[0])
	return nil
}

// sideBySide maps each number by itself.
type sideBySide []infer.BlockMap

// Constrain implements infer.BlockMap.
func (s sideBySide) Constrain(free, x []float64) (logJacobian float64, err error) {
	for i, m := range s {
		j, err := m.Constrain(free[i:i+1], x[i:i+1])
		if err != nil {
			return 0, err
		}
		logJacobian += j
	}
	return logJacobian, nil
}

// Pull implements infer.BlockMap.
func (s sideBySide) Pull(free, x, adj, dfree []float64) {
	for i, m := range s {
		m.Pull(free[i:i+1], x[i:i+1], adj[i:i+1], dfree[i:i+1])
	}
}

// Unconstrain implements infer.BlockMap.
func (s sideBySide) Unconstrain(x, free []float64) error {
	for i, m := range s {
		if err := m.Unconstrain(x[i:i+1], free[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}
