// Expansions for Gaussian processes of known locations: distances are computed once, and what is
// left are a few operations on vectors.

package lowering

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/mathfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/matrixfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

// manyPairs is how many numbers about pairs of locations a graph may hold.
const manyPairs = 1 << 18

// A pairing is a call of a covariance function with known locations.
type pairing struct {
	catalogue.Formula
	n       int       // pairs
	squares []float64 // their squared distances, dimension by dimension
	dims    int       // numbers in a location
	params  []autodiff.Node
	scales  int // how many length scales there are, 0 for one that is no array
}

// pairs takes a call apart, whose last arguments are params parameters.
func pairs(g *autodiff.Graph, n int, in []Operand, params int) (p pairing, ok bool) {
	tensors := make([]catalogue.Tensor, len(in))
	for i, x := range in {
		tensors[i] = x.Tensor
	}
	l := matrixfn.Locate(tensors, params)
	if n == 0 || n*l.Dim > manyPairs || in[l.I1].Active || in[l.I2].Active {
		return p, false
	}
	for _, x := range in[len(in)-params:] {
		if !g.NonNegative(x.Node) {
			return p, false // its sign would be lost
		}
		p.params = append(p.params, x.Node)
	}
	if dims := in[len(in)-params+1].Dims; len(dims) > 0 {
		p.scales = dims[0]
	}
	p.Formula, p.n, p.squares, p.dims = catalogue.Formula{G: g}, n, l.Squares(), l.Dim
	return p, true
}

// square is the squared distance of each pair, all dimensions together.
func (p pairing) square() []float64 {
	sum := make([]float64, p.n)
	for d := range p.dims {
		vec.AddVV.Map(sum, sum, p.squares[d*p.n:])
	}
	return sum
}

// scaled is the squared distance in units of the length scale, times factor.
func (p pairing) scaled(factor float64) autodiff.Node {
	inv, known := p.Inv(p.Square(p.params[1])), p.squares
	if p.scales == 0 {
		known = p.square()
	}
	for i := range known {
		known[i] *= factor
	}
	if p.scales == 0 || p.dims == 1 {
		return p.G.Map(autodiff.Mul, p.n, p.G.Const(known), inv)
	}
	return p.G.MatVec(p.G.Const(known), inv, p.n)
}

// expandKernel is sigma^2 times a correlation.
func expandKernel(params int, correlation func(p pairing) (autodiff.Node, bool)) Expander {
	return func(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
		p, ok := pairs(g, n, in, params)
		if !ok {
			return autodiff.None, false
		}
		c, ok := correlation(p)
		if !ok {
			return autodiff.None, false
		}
		return p.Mul(p.Square(p.params[0]), c), true
	}
}

func expQuad(p pairing) (autodiff.Node, bool) { return p.Map1(autodiff.Exp, p.scaled(-0.5)), true }

// exponential is exp(-r), for one length scale only: elsewhere r is a root, whose slope is infinite at 0.
func exponential(p pairing) (autodiff.Node, bool) {
	if p.scales > 1 {
		return autodiff.None, false
	}
	distance := p.square()
	vec.Sqrt.Map(distance, distance)
	vec.Neg.Map(distance, distance)
	return p.Map1(autodiff.Exp, p.Mul(p.G.Const(distance), p.Inv(p.params[1]))), true
}

func matern(op *autodiff.Op) func(p pairing) (autodiff.Node, bool) {
	return func(p pairing) (autodiff.Node, bool) { return p.Map1(op, p.scaled(1)), true }
}

// periodic is exp(-2 sin^2(pi d/period) / scale^2), where d is the distance.
func periodic(p pairing) (autodiff.Node, bool) {
	phase := p.square()
	vec.Sqrt.Map(phase, phase)
	for i := range phase {
		phase[i] *= math.Pi
	}
	sine := p.Map1(mathfn.SinOp, p.G.Map(overPeriod, p.n, p.G.Const(phase), p.params[2]))
	return p.Map1(autodiff.Exp, p.Mul(p.Square(sine), p.Mul(p.Num(-2), p.Inv(p.Square(p.params[1]))))), true
}

// overPeriod is a quotient that keeps its rounding, for a phase may be many turns. Its second argument is one number.
var overPeriod = &autodiff.Op{Name: "over_period", F2: func(x, y float64) float64 { return x / y },
	D2:      func(_, y, f float64) (dx, dy float64) { return 1 / y, -f / y },
	Vector2: vec.DivVS.Map,
	Slopes: func(g *autodiff.Graph, k int, _, y, f autodiff.Node) autodiff.Node {
		b := catalogue.Formula{G: g}
		if k == 0 {
			return b.Inv(y)
		}
		return b.Neg(b.Mul(f, b.Inv(y)))
	}}

// expandAddDiag adds a known diagonal to a matrix that is not large.
func expandAddDiag(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	if in[1].Active || n > manyPairs || n == 0 {
		return autodiff.None, false
	}
	rows, cols := container.MatrixSize(in[0].Tensor)
	diagonal := make([]float64, n)
	for i := range min(rows, cols) {
		diagonal[i*(rows+1)] = transform.ArgAt(in[1].X, i)
	}
	return catalogue.Formula{G: g}.Add(in[0].Node, g.Const(diagonal)), true
}
