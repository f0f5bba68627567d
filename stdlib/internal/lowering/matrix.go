// Full expansions of densities with matrices: quadratic forms and traces in the elements
// of a precision matrix, and the log determinant.

package lowering

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/matrixfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/multivariate"
)

// A MatrixFunction is a function of one k x k matrix as it stands in an expansion, so
// that the analysis of a program can tell which it is. Equal ones are the same function.
type MatrixFunction struct {
	Name string // InverseSPD, InverseOfFactor, LogDeterminantSPD or CholeskyFactor
	Size int    // k
}

// The names of matrix functions in expansions.
const (
	InverseSPD        = "inverse_spd"
	InverseOfFactor   = "chol2inv"
	LogDeterminantSPD = "log_determinant_spd"
	CholeskyFactor    = "cholesky_decompose" // NaN where the matrix has none
)

func (f MatrixFunction) kernel() *catalogue.Kernel {
	switch f.Name {
	case InverseSPD:
		return matrixfn.SPD.Part(0)
	case InverseOfFactor:
		return matrixfn.Chol2invKernel()
	case CholeskyFactor:
		return matrixfn.CholeskyKernel()
	}
	return matrixfn.SPD.Part(1)
}

// outputs counts the numbers of the result.
func (f MatrixFunction) outputs() int {
	if f.Name == LogDeterminantSPD {
		return 1
	}
	return f.Size * f.Size
}

// String names the function for dumps.
func (f MatrixFunction) String() string { return f.Name }

// Fused reports that there is no fused form.
func (f MatrixFunction) Fused([]bool) (autodiff.Opaque, bool) { return nil, false }

// Instance makes the scratch memory of one machine.
func (f MatrixFunction) Instance() autodiff.Instance {
	return newMatrixInstance(f.kernel(), f.Size, f.Size, f.Name == CholeskyFactor)
}

type matrixInstance struct {
	kernel   *catalogue.Kernel
	in       []catalogue.Tensor
	work     []float64
	tolerant bool // what is rejected is NaN
}

func newMatrixInstance(k *catalogue.Kernel, rows, cols int, tolerant bool) *matrixInstance {
	i := &matrixInstance{kernel: k, tolerant: tolerant, in: []catalogue.Tensor{{Dims: []int{rows, cols}}}}
	i.in[0].X = make([]float64, rows*cols)
	i.work = make([]float64, k.Work(i.in))
	return i
}

// Value implements autodiff.Instance.
func (i *matrixInstance) Value(in [][]float64, out []float64) error {
	i.in[0].X = in[0]
	err := i.kernel.Value(i.in, out, i.work)
	if err != nil && i.tolerant {
		matrixfn.Fill(out, math.NaN())
		return nil
	}
	return err
}

// VJP implements autodiff.Instance.
func (i *matrixInstance) VJP(in [][]float64, out, adj []float64, din [][]float64) {
	if din[0] == nil {
		return
	}
	i.in[0].X = in[0]
	i.kernel.VJP(i.in, out, adj, din, i.work)
}

// apply makes the function's node, or its value where the matrix is known. False says
// that the known matrix is not in the domain.
func (f MatrixFunction) apply(g *autodiff.Graph, m Operand) (autodiff.Node, bool) {
	if m.Active {
		if c, of, ok := multiple(g, m.Node); ok {
			b, node := catalogue.Formula{G: g}, g.SharedOpaque(f, f, f.outputs(), of)
			switch f.Name {
			case LogDeterminantSPD:
				return b.Add(b.Mul(b.Num(float64(f.Size)), b.Log(c)), node), true
			case InverseSPD:
				return b.Mul(b.Div(b.Num(1), c), node), true
			}
		}
		return g.SharedOpaque(f, f, f.outputs(), m.Node), true
	}
	out := make([]float64, f.outputs())
	if err := f.Instance().Value([][]float64{m.X}, out); err != nil {
		return autodiff.None, false
	}
	return g.Const(out), true
}

// multiple takes a matrix apart that is a positive number times a matrix of several elements, so that
// the conditional of that matrix is seen.
func multiple(g *autodiff.Graph, m autodiff.Node) (c, of autodiff.Node, ok bool) {
	in := g.Operands(m, autodiff.Mul)
	if len(in) != 2 || g.Len(m) == 1 {
		return autodiff.None, autodiff.None, false
	}
	c, of = in[0], in[1]
	if g.Len(c) != 1 {
		c, of = of, c
	}
	if v, known := g.ScalarValue(c); known && v > 0 || !known && g.NonNegative(c) {
		return c, of, g.Len(c) == 1 && g.Len(of) == g.Len(m)
	}
	return autodiff.None, autodiff.None, false
}

// fullMultiNormal writes out the normal density with the matrix given in one of the
// three forms.
func fullMultiNormal(form multivariate.ScaleForm) Expander {
	return func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
		k := in[2].Dims[0]
		n := max(vectorsIn(in[0]), vectorsIn(in[1]))
		if k == 0 || min(vectorsIn(in[0]), vectorsIn(in[1])) == 0 {
			return autodiff.None, false
		}
		precision, logDet, ok := precisionOf(g, form, in[2], k)
		if !ok {
			return autodiff.None, false
		}
		b := catalogue.Formula{G: g}
		total := b.Mul(b.Num(float64(n)), b.Sub(b.Mul(b.Num(0.5), logDet), b.Num(float64(k)*logSqrt2Pi)))
		for i := range n {
			r := b.Sub(vectorNode(g, in[0], k, i), vectorNode(g, in[1], k, i))
			total = b.Sub(total, b.Mul(b.Num(0.5), g.Dot(r, g.MatVec(precision, r, k))))
		}
		return total, true
	}
}

// vectorsIn counts the vectors of an argument.
func vectorsIn(x Operand) int {
	n := 1
	for _, d := range x.Dims[:len(x.Dims)-1] {
		n *= d
	}
	return n
}

// vectorNode is vector i of an argument, which may be a single one.
func vectorNode(g *autodiff.Graph, x Operand, k, i int) autodiff.Node {
	if vectorsIn(x) == 1 {
		i = 0
	}
	return g.View(x.Node, i*k, k)
}

// precisionOf returns the precision matrix and its log determinant.
func precisionOf(g *autodiff.Graph, form multivariate.ScaleForm, m Operand, k int) (precision, logDet autodiff.Node, ok bool) {
	b := catalogue.Formula{G: g}
	if form == multivariate.ByCholesky {
		if precision, ok = (MatrixFunction{InverseOfFactor, k}).apply(g, m); !ok {
			return autodiff.None, autodiff.None, false
		}
		diagonal := make([]autodiff.Ref, k)
		for i := range diagonal {
			diagonal[i] = autodiff.Ref{Node: m.Node, Elem: int32(i * (k + 1))}
		}
		return precision, b.Mul(b.Num(-2), g.Sum(b.Log(g.Gather(diagonal)))), true
	}
	if logDet, ok = (MatrixFunction{LogDeterminantSPD, k}).apply(g, m); !ok {
		return autodiff.None, autodiff.None, false
	}
	if form == multivariate.ByPrecision {
		return m.Node, logDet, true
	}
	precision, ok = (MatrixFunction{InverseSPD, k}).apply(g, m)
	return precision, b.Neg(logDet), ok
}

// fullWishart writes out the densities of W (or its inverse) with nu degrees of freedom
// known.
func fullWishart(inverse bool) Expander {
	return func(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
		k := in[0].Dims[0]
		if k == 0 || in[1].Active || !(in[1].X[0] > float64(k-1)) {
			return autodiff.None, false
		}
		nu := in[1].X[0]
		logW, ok1 := MatrixFunction{LogDeterminantSPD, k}.apply(g, in[0])
		logS, ok2 := MatrixFunction{LogDeterminantSPD, k}.apply(g, in[2])
		inverted, other, sign := in[2], in[0].Node, 1.0
		if inverse {
			inverted, other, sign = in[0], in[2].Node, -1
		}
		inv, ok3 := MatrixFunction{InverseSPD, k}.apply(g, inverted)
		if !ok1 || !ok2 || !ok3 {
			return autodiff.None, false
		}
		b := catalogue.Formula{G: g}
		c, _ := multivariate.WishartConstant(nu, k)
		powers := b.Sub(b.Mul(b.Num(0.5*(float64(sign*nu)-float64(k)-1)), logW), b.Mul(b.Num(0.5*sign*nu), logS))
		return b.Add(b.Num(c), b.Sub(powers, b.Mul(b.Num(0.5), g.Dot(inv, other)))), true
	}
}

// fullNegBinomial writes out the density with beta, so that a probability shows where
// beta is its odds.
func fullNegBinomial(b catalogue.Formula, x []autodiff.Node) autodiff.Node {
	n, alpha, beta := x[0], x[1], x[2]
	one := b.Num(1)
	choose := b.Sub(lgamma(b, b.Add(n, alpha)), b.Add(lgamma(b, alpha), lgamma(b, b.Add(n, one))))
	return b.Add(choose, b.Sub(b.Mul(alpha, b.Log(beta)), b.Mul(b.Add(n, alpha), b.Map1(autodiff.Log1p, beta))))
}

// fullNormalGLM writes out a normal regression with the linear predictor alpha + x*beta.
func fullNormalGLM(g *autodiff.Graph, _ int, in []Operand) (autodiff.Node, bool) {
	y, x, alpha, beta, sigma := in[0], in[1], in[2], in[3], in[4]
	if len(x.Dims) != 2 || x.Dims[0] == 0 || x.Dims[1] == 0 {
		return autodiff.None, false
	}
	b, n := catalogue.Formula{G: g}, x.Dims[0]
	predictor := b.Add(alpha.Node, g.MatVec(x.Node, beta.Node, n))
	each := fullNormal(b, []autodiff.Node{y.Node, predictor, sigma.Node})
	return g.Sum(each), true
}

// A constant sparse matrix of at most mostDense elements, of which at least one in leastFilled is not zero, is multiplied as a
// dense one: vectors take those that are zero along for less than an index costs.
const (
	leastFilled = 10
	mostDense   = 1 << 20
)

// expandSparseProduct is the product with a vector of a sparse matrix that is known.
func expandSparseProduct(g *autodiff.Graph, rows int, in []Operand) (autodiff.Node, bool) {
	if !in[5].Active || rows == 0 {
		return autodiff.None, false
	}
	var known []catalogue.Tensor
	for _, x := range in[:5] {
		if x.Active {
			return autodiff.None, false
		}
		known = append(known, x.Tensor)
	}
	if size := rows * int(in[1].X[0]); size == 0 || size > mostDense || len(in[2].X)*leastFilled < size {
		return autodiff.None, false
	}
	return g.MatVec(g.Const(matrixfn.SparseAsDense(known)), in[5].Node, rows), true
}

// fewColumns is the greatest number of columns for which products of rows are expanded.
const fewColumns = 16

// expandRowsDot adds up products of columns, which are vectors.
func expandRowsDot(g *autodiff.Graph, n int, in []Operand) (autodiff.Node, bool) {
	x, y := in[0], in[1]
	if len(x.Dims) != 2 || len(y.Dims) != 2 || n < 2 || x.Dims[1] == 0 || x.Dims[1] > fewColumns {
		return autodiff.None, false
	}
	b := catalogue.Formula{G: g}
	products := make([]autodiff.Node, x.Dims[1])
	for j := range products {
		products[j] = b.Mul(column(g, x, j), column(g, y, j))
	}
	return inPairs(products, b.Add), true
}

// column is a column of a matrix.
func column(g *autodiff.Graph, x Operand, j int) autodiff.Node {
	refs := make([]autodiff.Ref, x.Dims[0])
	for i := range refs {
		refs[i] = autodiff.Ref{Node: x.Node, Elem: int32(j*len(refs) + i)}
	}
	return g.Gather(refs)
}
