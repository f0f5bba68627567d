// What declared constraints mean to a simulation: bounds, vectors that are drawn as a
// whole, and parameters without a distribution, which are uniform.

package eval

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// lgamma is the log of the gamma function of a positive number.
func lgamma(x float64) float64 {
	v, _ := libm.Lgamma(x)
	return v
}

func problemf(at source.Span, hint, format string, args ...any) *graph.Problem {
	return &graph.Problem{At: at, Hint: hint, Text: fmt.Sprintf(format, args...)}
}

// constraint is the name of a parameter's constraint; empty for none and for data.
func (p place) constraint() string {
	if p.l.data || p.l.shape.Decl.Constraint == nil {
		return ""
	}
	return p.l.shape.Decl.Constraint.Name
}

// bounds returns the declared bounds of a parameter's number, infinite where there are
// none; known is false where they depend on something that is not known yet.
func (s *Simulation) bounds(p place) (lo, hi float64, known bool) {
	lo, hi = math.Inf(-1), math.Inf(1)
	l := p.l
	switch p.constraint() {
	case "lower", "upper", "lower_upper":
	default:
		return lo, hi, true
	}
	if !l.ready || l.active() {
		s.evaluateBounds(l)
	}
	at := func(v *Value, open float64) float64 {
		if v == nil {
			return open
		}
		i := 0
		if len(v.Dims) > 0 {
			i = p.off
		}
		if unknown(v, i) {
			known = false
		}
		return v.X[i]
	}
	known = true
	return at(l.lo, lo), at(l.hi, hi), known
}

// active reports whether declared bounds depend on parameters.
func (l *leaf) active() bool { return l.lo != nil && l.lo.Active() || l.hi != nil && l.hi.Active() }

func (s *Simulation) evaluateBounds(l *leaf) {
	con := l.shape.Decl.Constraint
	args := make([]*Value, len(con.Args))
	for i, x := range con.Args {
		args[i] = s.m.global.expr(x)
	}
	l.ready = true
	switch con.Name {
	case "lower":
		l.lo = args[0]
	case "upper":
		l.hi = args[0]
	case "lower_upper":
		l.lo, l.hi = args[0], args[1]
	}
}

// grouped are the constraints whose vectors are drawn as a whole, though each number has
// a distribution.
var grouped = map[string]bool{"ordered": true, "positive_ordered": true, "sum_to_zero_vector": true}

type groupKey struct {
	l    *leaf
	elem int
}

// A group collects the distributions of the numbers of such a vector.
type group struct {
	key    groupKey
	dist   []*stdlib.Distribution
	point  [][]float64
	filled int
	active bool
}

// join adds a number to its group, and draws the group once it is full.
func (g *drawing) join(p place, con string) {
	if g.lo != nil || g.hi != nil {
		g.problem(graph.HintBlock, "%s is %s; a truncation of its elements has no simulator", p.l.v.Name, con)
	}
	key := groupKey{p.l, p.off / p.l.size}
	v := g.s.groups[key]
	if v == nil {
		n := p.l.size
		v = &group{key: key, dist: make([]*stdlib.Distribution, n), point: make([][]float64, n)}
		g.s.groups[key] = v
	}
	i := p.off % p.l.size
	v.dist[i], v.point[i] = g.sampler.Dist, slices.Clone(g.point)
	v.active = v.active || g.active()
	if v.filled++; v.filled < len(v.dist) {
		return
	}
	var x []float64
	if con == "sum_to_zero_vector" {
		x = g.sumToZero(v)
	} else {
		x = g.ordered(v, con == "positive_ordered")
	}
	copy(p.l.x.X[key.elem*p.l.size:], x)
	g.s.drawn++
}

// same reports whether all numbers have one distribution.
func (v *group) same() bool {
	for i := range v.dist {
		if v.dist[i] != v.dist[0] || !slices.Equal(v.point[i], v.point[0]) {
			return false
		}
	}
	return true
}

// ordered draws the numbers of an ordered vector: of n independent ones with the same
// distribution each order has probability 1/n!.
func (g *drawing) ordered(v *group, positive bool) []float64 {
	name, n := v.key.l.v.Name, len(v.dist)
	lo := math.Inf(-1)
	if positive {
		lo = 0
	}
	if !v.same() {
		return g.orderedUnlike(v, lo)
	}
	d := v.dist[0]
	mass := 0.0
	if least, _ := stdlib.RangeOf(d, v.point[0]); lo > least {
		if v.active {
			g.s.depend(g.at, "%s is positive, which cuts %s off by an amount that depends on parameters, and the density does not count it", name, d.Name)
		} else {
			mass = stdlib.LogMass(d, v.point[0], lo, math.Inf(1))
		}
	}
	g.s.logConstant += lgamma(float64(n)+1) - float64(float64(n)*mass)
	x := make([]float64, n)
	for i := range x {
		g.number(place{v.key.l, v.key.elem * n}, lo, math.Inf(1))
		x[i] = g.out[0]
	}
	slices.Sort(x)
	return x
}

// orderedUnlike draws ordered numbers with different distributions: until they come in
// order.
func (g *drawing) orderedUnlike(v *group, lo float64) []float64 {
	name, n := v.key.l.v.Name, len(v.dist)
	if v.active {
		g.s.depend(g.at, "%s is ordered, and its elements have different priors: their normaliser depends on parameters, and the density does not count it", name)
	}
	xs := make([]stdlib.Variate, n)
	for i := range xs {
		xs[i] = stdlib.Variate{Dist: v.dist[i], Params: v.point[i]}
	}
	if !v.active && g.s.Normalise {
		p := stdlib.LogOrderProbability(xs, lo)
		if math.IsNaN(p) || math.IsInf(p, -1) {
			g.problem(graph.HintBlock, "%s is ordered, and its elements have different priors: their normaliser is not known", name)
		}
		g.s.logConstant -= p
	}
	x := make([]float64, n)
	const tries = 1_000_000
	for range tries {
		inOrder := true
		for i := range x {
			x[i] = v.dist[i].Draw(g.s.m.Rand, v.point[i])
			inOrder = inOrder && x[i] > lo && (i == 0 || x[i] > x[i-1])
		}
		if inOrder {
			return x
		}
	}
	fail(g.at, "the elements of %s did not come in order in %d tries: their priors stand in the opposite order", name, tries)
	return nil
}

// sumToZero draws independent normal numbers given that their sum is zero.
func (g *drawing) sumToZero(v *group) []float64 {
	name, n := v.key.l.v.Name, len(v.dist)
	if !v.same() || v.dist[0].Name != "normal" && v.dist[0].Name != "std_normal" {
		g.problem(graph.HintBlock, "%s sums to zero, and can be drawn under one normal prior of all elements only", name)
	}
	mu, sigma := 0.0, 1.0
	if len(v.point[0]) == 2 {
		mu, sigma = v.point[0][0], v.point[0][1]
	}
	if v.active {
		g.s.depend(g.at, "%s sums to zero: the normaliser of its prior depends on parameters, and the density does not count it", name)
	}
	// The density of the sum at zero, with distances along the diagonal.
	z := math.Sqrt(float64(n)) * mu / sigma
	g.s.logConstant += float64(0.5*libm.Log(2*math.Pi)) + libm.Log(sigma) + float64(0.5*z*z)
	x := make([]float64, n)
	mean := 0.0
	for i := range x {
		x[i] = sigma * variate.Normal(g.s.m.Rand)
		mean += x[i] / float64(n)
	}
	for i := range x {
		x[i] -= mean
	}
	return x
}

// completeAll sets numbers that no statement gives a distribution: data keep
// theirs, parameters are uniform. Variables that occur in statements that were put off
// have to wait, unless everything does.
func (s *Simulation) completeAll() {
	for _, force := range []bool{false, true} {
		for _, l := range s.leaves {
			if force || !s.hidden[l.v] {
				s.completeLeaf(l, true)
			}
		}
		if s.drawn > 0 || s.complete() {
			return
		}
	}
}

// completeLeaf is completeAll for one leaf; with passed only numbers that this pass did not see
// a distribution of.
func (s *Simulation) completeLeaf(l *leaf, passed bool) {
	for i, x := range l.x.X {
		if !placeholder(x) || passed && l.seen[i] == s.pass {
			continue
		}
		p := place{l, i}
		switch {
		case !l.data:
			s.uniform(p)
		case s.priorOnly && l.given == nil:
			continue
		case l.given == nil:
			panic(stop{&Error{Span: l.v.Loc, Text: fmt.Sprintf("%s has no distribution, and no value in the data", p.name())}})
		default:
			p.set(p.given())
			s.drawn++
		}
	}
}

// uniform draws a number, or the vector or matrix that it belongs to, uniformly from a
// support of finite volume.
func (s *Simulation) uniform(p place) {
	l := p.l
	elem := p.off / max(l.size, 1)
	x := l.x.X[elem*l.size : (elem+1)*l.size]
	inner := l.shape.Dims[l.shape.Type.Dims:]
	switch p.constraint() {
	case "lower_upper":
		s.uniformNumber(p)
	case "simplex":
		s.simplex(x, 0, 1, len(x))
	case "row_stochastic_matrix":
		for i := range inner[0] {
			s.simplex(x, i, inner[0], inner[1])
		}
	case "column_stochastic_matrix":
		for j := range inner[1] {
			s.simplex(x, j*inner[0], 1, inner[0])
		}
	case "unit_vector":
		s.unitVector(x)
	case "corr_matrix":
		s.correlation(x, inner[0])
	case "cholesky_factor_corr":
		s.correlationFactor(x, inner[0])
	default:
		q := problemf(l.v.Loc, graph.HintPrior, "%s has no prior, and its support is not bounded: a uniform one would be improper", p.name())
		q.Prior = true
		panic(stop{q})
	}
	s.drawn++
}

func (s *Simulation) uniformNumber(p place) {
	lo, hi, known := s.bounds(p)
	if !known {
		s.deferred = append(s.deferred, p.l.v.Loc)
		s.drawn-- // uniform counts it
		return
	}
	width, r := hi-lo, s.m.Rand
	x := lo + float64(width*r.Float64())
	if p.l.x.T.HasInts() {
		width++
		x = lo + float64(variate.IntN(r, int64(width)))
	}
	if math.IsInf(width, 0) || math.IsNaN(width) {
		q := problemf(p.l.v.Loc, graph.HintPrior, "%s has no prior, and is unbounded: a uniform one would be improper", p.name())
		q.Prior = true
		panic(stop{q})
	}
	if p.l.active() {
		s.depend(p.l.v.Loc, "%s has no prior, and bounds that depend on parameters: its uniform density depends on them, too", p.l.v.Name)
	}
	s.logConstant -= libm.Log(width)
	p.set(x)
}

// simplex draws n numbers of x, step apart, uniformly among those that sum to 1.
func (s *Simulation) simplex(x []float64, from, step, n int) {
	sum := 0.0
	for k := range n {
		e := variate.Exponential(s.m.Rand)
		x[from+k*step] = e
		sum += e
	}
	for k := range n {
		x[from+k*step] /= sum
	}
	s.logConstant += lgamma(float64(n))
}

// unitVector draws a direction. The free vector's radius is that of a standard normal
// one, whose density lacks its constant in the transform's Jacobian.
func (s *Simulation) unitVector(x []float64) {
	sum := 0.0
	for i := range x {
		x[i] = variate.Normal(s.m.Rand)
		sum += float64(x[i] * x[i])
	}
	for i := range x {
		x[i] /= math.Sqrt(sum)
	}
	s.logConstant -= float64(0.5 * float64(len(x)) * libm.Log(2*math.Pi))
}

// correlation draws a correlation matrix, uniformly: the LKJ distribution with shape 1.
func (s *Simulation) correlation(x []float64, n int) {
	density := s.m.Lib.Function("lkj_corr_lpdf")
	sampler := s.sampler(density)
	y := stdlib.Tensor{Dims: []int{n, n}, X: x}
	one := stdlib.Tensor{X: []float64{1}}
	if err := sampler.Draw(s.m.Rand, y, []stdlib.Tensor{one}, x); err != nil {
		failWith(source.Span{}, err)
	}
	// The density with shape 1 is constant.
	identity := make([]float64, n*n)
	for i := range n {
		identity[i*(n+1)] = 1
	}
	in := []stdlib.Tensor{{Dims: []int{n, n}, X: identity}, one}
	out := []float64{0}
	work := make([]float64, 0)
	if density.Kernel.Work != nil {
		work = make([]float64, density.Kernel.Work(in))
	}
	if err := density.Kernel.Value(in, out, work); err != nil {
		failWith(source.Span{}, err)
	}
	s.logConstant += out[0]
}

// correlationFactor draws the Cholesky factor of a correlation matrix: row i is a point
// of the unit ball of i - 1 dimensions, and what makes its length 1.
func (s *Simulation) correlationFactor(x []float64, n int) {
	r := s.m.Rand
	for i := range n {
		sum := 0.0
		for j := range n {
			if x[i+j*n] = 0; j < i {
				x[i+j*n] = variate.Normal(r)
				sum += float64(x[i+j*n] * x[i+j*n])
			}
		}
		square := 0.0
		if i > 0 {
			radius := libm.Pow(r.Float64(), 1/float64(i))
			for j := range i {
				x[i+j*n] *= radius / math.Sqrt(sum)
			}
			square = radius * radius
		}
		x[i*(n+1)] = math.Sqrt(1 - square)
		half := float64(0.5 * float64(i))
		s.logConstant -= float64(half*libm.Log(math.Pi)) - lgamma(half+1)
	}
}
