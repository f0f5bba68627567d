// The dependences between the statements of a loop's body, and the groups of statements
// that must share a loop.
//
// A statement depends on another where both touch one element of a variable and one of
// them writes it. Where two subscripts are the loop's variable plus constants, c in
// statement a and d in b, the element that a touches in iteration i is touched by b in iteration
// i+c-d. So a comes first where c > d, b where c < d; where c = d the iterations do not meet
// and the order of the text decides. Of everything else nothing is known, and the two
// stay in one loop (Allen and Kennedy, Optimizing Compilers for Modern Architectures,
// chapter 2 and section 5.2, with direction vectors of length one).

package pass

import "github.com/seed-12b88e03/ppl/ir"

// relation says in which order two accesses must stay.
type relation uint8

const (
	apart   relation = iota // never the same element
	aligned                 // the same element in the same iteration only
	forward                 // the first touches it in an earlier iteration
	back                    // the second does
	unknown
)

// dependences of a body.
type dependences struct {
	n       int
	before  [][]bool // before[a][b]: a must run before b
	carried []bool   // a statement has a dependence of its own from iteration to iteration
}

// A body is what a loop, or a nest of loops around one body, repeats.
type body struct {
	loops   []*ir.For // outermost first
	stmts   []ir.Stmt
	private map[*ir.Var]bool // declared inside: each iteration has its own
	changed map[*ir.Var]bool // written or declared inside, the loops' variables included
}

func newBody(loops []*ir.For, stmts []ir.Stmt) *body {
	b := &body{loops: loops, stmts: stmts, private: map[*ir.Var]bool{}, changed: map[*ir.Var]bool{}}
	for _, l := range loops {
		b.private[l.Var], b.changed[l.Var] = true, true
	}
	for _, s := range stmts {
		for _, a := range accesses(s) {
			if a.write {
				b.changed[a.v] = true
			}
		}
	}
	ir.Inspect(stmts, func(n any) bool {
		switch n := n.(type) {
		case *ir.Declare:
			b.private[n.Var] = true
		case *ir.For:
			b.private[n.Var] = true
		case *ir.ForEach:
			b.private[n.Var] = true
		}
		return true
	})
	return b
}

// variant reports whether a variable's value changes while the loops run.
func (b *body) variant(v *ir.Var) bool { return b.changed[v] }

// relate compares two accesses to one variable, in different statements or in one.
func (b *body) relate(p, q access) relation {
	if p.indices == nil || q.indices == nil {
		return unknown
	}
	if len(b.loops) > 1 {
		for _, l := range b.loops {
			switch b.along(l.Var, p, q) {
			case aligned:
			case apart:
				return apart
			default:
				return unknown
			}
		}
		return aligned
	}
	return b.along(b.loops[0].Var, p, q)
}

// along compares two accesses over the iterations of one loop.
func (b *body) along(l *ir.Var, p, q access) relation {
	out := unknown
	for k := range min(len(p.indices), len(q.indices)) {
		x, y := p.indices[k], q.indices[k]
		if x.Kind != ir.Single || y.Kind != ir.Single {
			continue
		}
		if c, ok := x.Lo.(*ir.Const); ok {
			if d, ok := y.Lo.(*ir.Const); ok && c.X != d.X {
				return apart
			}
		}
		c, ok1 := offsetOf(x.Lo, l, b.variant)
		d, ok2 := offsetOf(y.Lo, l, b.variant)
		switch {
		case !ok1 || !ok2 || c.rest != d.rest:
		case c.n == d.n:
			return aligned
		case c.n > d.n:
			out = forward
		default:
			out = back
		}
	}
	return out
}

// dependences compares all statements with each other.
func (b *body) dependences() *dependences {
	d := &dependences{n: len(b.stmts), carried: make([]bool, len(b.stmts))}
	d.before = make([][]bool, d.n)
	lists := make([][]access, d.n)
	for i, s := range b.stmts {
		d.before[i] = make([]bool, d.n)
		lists[i] = accesses(s)
	}
	for i := range lists {
		for j := i; j < d.n; j++ {
			for _, p := range lists[i] {
				for _, q := range lists[j] {
					if p.v == q.v && (p.write || q.write) {
						d.add(i, j, b.relation(p, q))
					}
				}
			}
		}
	}
	d.acting(b.stmts)
	return d
}

// relation is how two accesses to one variable are ordered.
func (b *body) relation(p, q access) relation {
	if b.private[p.v] {
		return aligned
	}
	return b.relate(p, q)
}

// add notes a relation of statement i with a later one, or with itself.
func (d *dependences) add(i, j int, r relation) {
	switch {
	case r == apart:
	case i == j:
		d.carried[i] = d.carried[i] || r != aligned
	case r == aligned || r == forward:
		d.before[i][j] = true
	case r == back:
		d.before[j][i] = true
	default:
		d.tie(i, j)
	}
}

// tie keeps two statements in one loop.
func (d *dependences) tie(i, j int) { d.before[i][j], d.before[j][i] = true, true }

// inOrder reports that nothing depends on another iteration, nor on what stands below.
func (d *dependences) inOrder() bool {
	for i := range d.n {
		if d.carried[i] {
			return false
		}
		for j := range i {
			if d.before[i][j] {
				return false
			}
		}
	}
	return true
}

// acting keeps statements that print or draw in one loop, so that their order stays.
func (d *dependences) acting(stmts []ir.Stmt) {
	last := -1
	for i, s := range stmts {
		if !prints(s) && !random(stmts[i:i+1]) {
			continue
		}
		d.carried[i] = true
		if last >= 0 {
			d.tie(last, i)
		}
		last = i
	}
}

// prints reports whether a statement may print, in functions of the user's, too.
func prints(s ir.Stmt) bool {
	seen := map[*ir.Function]bool{}
	var found func(n any) bool
	in := func(fn *ir.Function) bool {
		if seen[fn] {
			return false
		}
		seen[fn] = true
		return ir.Any(fn.Body, found)
	}
	found = func(n any) bool {
		switch n := n.(type) {
		case *ir.Print:
			return n.Kind == ir.PrintOut
		case *ir.UserCall:
			return in(n.Fn)
		case *ir.FuncRef:
			return in(n.Fn)
		}
		return false
	}
	return ir.Any([]ir.Stmt{s}, found)
}

// groups returns the statements that depend on each other in circles, such circles
// together, in an order that keeps all dependences; within a group in that of the text.
func (d *dependences) groups() [][]int {
	reach := d.closure()
	var out [][]int
	done := make([]bool, d.n)
	for left := d.n; left > 0; {
		for i := range d.n {
			if done[i] || !d.ready(i, reach, done) {
				continue
			}
			var g []int
			for j := range d.n {
				if j == i || reach[i][j] && reach[j][i] {
					g = append(g, j)
					done[j] = true
				}
			}
			out = append(out, g)
			left -= len(g)
			break
		}
	}
	return out
}

// ready reports whether all that must run before statement i's group is done.
func (d *dependences) ready(i int, reach [][]bool, done []bool) bool {
	for j := range d.n {
		if !done[j] && reach[j][i] && !reach[i][j] {
			return false
		}
	}
	return true
}

// closure is which statements must directly or indirectly run before which.
func (d *dependences) closure() [][]bool {
	reach := make([][]bool, d.n)
	for i := range reach {
		reach[i] = append([]bool(nil), d.before[i]...)
	}
	for k := range reach {
		for i := range reach {
			if !reach[i][k] {
				continue
			}
			for j, r := range reach[k] {
				reach[i][j] = reach[i][j] || r
			}
		}
	}
	return reach
}
