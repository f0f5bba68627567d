// Densities of one variate as operations of the engine: what a loop's one iteration does with
// data that are not known one by one.

package stdlib

import (
	"math"
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff"
)

// pointwise makes the operation of a function of one variate. Its arguments are held against
// the requirements of the row; what these reject is NaN, as in compiled programs that carry
// no checks.
func (v *variates) pointwise() *autodiff.Op {
	op := &autodiff.Op{Name: v.fn}
	p := &points{v: v}
	switch len(v.args) {
	case 1:
		op.F1 = func(x float64) float64 { return p.value([maxPoint]float64{x}) }
		op.D1 = func(x, f float64) float64 { return p.slopes([maxPoint]float64{x}, f)[0] }
	case 2:
		op.F2 = func(x, y float64) float64 { return p.value([maxPoint]float64{x, y}) }
		op.D2 = func(x, y, f float64) (dx, dy float64) {
			d := p.slopes([maxPoint]float64{x, y}, f)
			return d[0], d[1]
		}
	case 3:
		op.F3 = func(x, y, z float64) float64 { return p.value([maxPoint]float64{x, y, z}) }
		op.D3 = func(x, y, z, f float64) (dx, dy, dz float64) {
			d := p.slopes([maxPoint]float64{x, y, z}, f)
			return d[0], d[1], d[2]
		}
	default:
		return nil
	}
	return op
}

// maxPoint is the greatest number of arguments of an operation.
const maxPoint = 3

// points evaluates a function of one variate. Its scratch memory is used again and again.
type points struct {
	v    *variates
	pool sync.Pool
}

// room takes scratch memory from the pool.
func (p *points) room() *[]float64 {
	if w, ok := p.pool.Get().(*[]float64); ok {
		return w
	}
	w := make([]float64, p.v.scratch())
	return &w
}

func (p *points) value(x [maxPoint]float64) float64 {
	w := p.room()
	defer p.pool.Put(w)
	m := len(p.v.args)
	at := (*w)[:m]
	copy(at, x[:])
	for j, a := range at {
		if !p.v.requirement(j).OK(a) {
			return math.NaN()
		}
	}
	if p.v.violation(at) != nil {
		return math.NaN()
	}
	return p.v.one(at, nil, *w)
}

// slopes returns the derivatives where the value is f; 0 where that is the logarithm of 0.
func (p *points) slopes(x [maxPoint]float64, f float64) (d [maxPoint]float64) {
	if math.IsInf(f, -1) {
		return d
	}
	w := p.room()
	defer p.pool.Put(w)
	m := len(p.v.args)
	at, out := (*w)[:m], (*w)[m:2*m]
	copy(at, x[:])
	clear(out)
	p.v.one(at, out, *w)
	copy(d[:], out)
	return d
}

// countExpansions are those of ForCounts.
var countExpansions = map[string]Expander{
	"bernoulli_lpmf":       countBernoulli,
	"bernoulli_logit_lpmf": countBernoulliLogit,
	"poisson_lpmf":         countPoisson,
	"poisson_log_lpmf":     countPoissonLog,
}

func countBernoulli(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	return g.Map(bernoulliMass, 1, in[0].Node, in[1].Node), true
}

// bernoulliMass is the log mass of an outcome; NaN for chances outside of [0, 1].
var bernoulliMass = &autodiff.Op{Name: "bernoulli_mass",
	F2: func(y, p float64) float64 {
		if y == 1 {
			return logProbability.F1(p)
		}
		return log1mProbability.F1(p)
	},
	D2: func(y, p, _ float64) (dy, dp float64) {
		if y == 1 {
			return 0, 1 / p
		}
		return 0, 1 / (p - 1)
	}}

func countBernoulliLogit(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := formula{g}
	sign := b.sub(b.num(1), b.mul(b.num(2), in[0].Node))
	return b.neg(b.map1(autodiff.Log1pExp, b.mul(sign, in[1].Node))), true
}

func countPoisson(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := formula{g}
	n, rate := in[0].Node, in[1].Node
	return b.sub(b.sub(g.Map(countTimesLog, 1, n, rate), rate), b.logFactorial(n)), true
}

func countPoissonLog(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	b := formula{g}
	n, eta := in[0].Node, in[1].Node
	return b.sub(b.sub(b.mul(n, eta), b.map1(autodiff.Exp, eta)), b.logFactorial(n)), true
}

// logFactorial is log n!.
func (b formula) logFactorial(n autodiff.Node) autodiff.Node {
	return b.lgamma(b.add(n, b.num(1)))
}

// countTimesLog is n*log(x), and 0 where both are 0; NaN for negative x.
var countTimesLog = &autodiff.Op{Name: "count_times_log",
	F2: func(n, x float64) float64 {
		if n == 0 && x >= 0 {
			return 0
		}
		return n * autodiff.Log.F1(x)
	},
	D2: func(n, x, _ float64) (dn, dx float64) {
		if n == 0 {
			return autodiff.Log.F1(x), 0
		}
		return autodiff.Log.F1(x), n / x
	}}
