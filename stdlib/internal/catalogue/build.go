// The constructors that the rows of scalar functions share.

package catalogue

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// Elementwise makes a row for an Op that goes over containers of any kind: "R name(T
// x, T y)" for two arguments.
func Elementwise(section, doc string, op *autodiff.Op, args ...string) *Function {
	if len(args) == 0 {
		args = []string{"T x", "T y", "T z"}[:op.Arity()]
	}
	return &Function{Name: op.Name, Signatures: []string{Signature("R", op.Name, args...)}, Doc: doc, Section: section, Op: op}
}

// Scalar makes a row for an Op that takes scalars alone.
func Scalar(section, doc string, op *autodiff.Op, args ...string) *Function {
	return &Function{Name: op.Name, Signatures: []string{Signature("real", op.Name, args...)}, Doc: doc, Section: section, Op: op}
}

// Unary makes an Op of one argument.
func Unary(name string, f func(x float64) float64, d func(x, f float64) float64) *autodiff.Op {
	return &autodiff.Op{Name: name, F1: f, D1: d}
}

// vectorised makes an Op of one argument that has a vector kernel.
func vectorised(name string, f vec.Func, d func(x, f float64) float64) *autodiff.Op {
	return &autodiff.Op{Name: name, F1: f.At, Vector: f.Map, D1: d}
}

// Sloped makes an Op of one argument that has a vector kernel, and whose derivative is written
// as nodes.
func Sloped(name string, f vec.Func, d func(x, f float64) float64, slope func(b Formula, x, f autodiff.Node) autodiff.Node) *autodiff.Op {
	op := vectorised(name, f, d)
	op.Slope = func(g *autodiff.Graph, x, f autodiff.Node) autodiff.Node { return slope(Formula{g}, x, f) }
	return op
}

// Binary makes an Op of two arguments.
func Binary(name string, f func(x, y float64) float64, d func(x, y, f float64) (dx, dy float64)) *autodiff.Op {
	return &autodiff.Op{Name: name, F2: f, D2: d}
}

// Signature writes a signature line.
func Signature(result, name string, args ...string) string {
	s := result + " " + name + "("
	for i, a := range args {
		if i > 0 {
			s += ", "
		}
		s += a
	}
	return s + ")"
}

// Where adds a condition on one argument to an elementwise row.
func (f *Function) Where(arg int, name string, ok func(x float64) bool, text string) *Function {
	before := f.Valid
	f.Valid = func(x []float64) error {
		if before != nil {
			if err := before(x); err != nil {
				return err
			}
		}
		if ok(x[arg]) {
			return nil
		}
		return DomainErrorf(f.Name, "%s is %v, but must be %s", name, x[arg], text)
	}
	return f
}

// Also adds signatures to a row.
func (f *Function) Also(signatures ...string) *Function {
	f.Signatures = append(f.Signatures, signatures...)
	return f
}

// Containers are the argument types of reductions.
var Containers = []string{"array[] real", "vector", "row_vector", "matrix"}

// Over writes one signature for each argument type.
func Over(result, name string, args []string, more ...string) []string {
	all := make([]string, len(args))
	for i, a := range args {
		all[i] = Signature(result, name, append([]string{a + " x"}, more...)...)
	}
	return all
}

// ScalarDims is the Dims of a kernel with a scalar result.
func ScalarDims([]Tensor) ([]int, error) { return nil, nil }

// SameDims is the Dims of a kernel whose result is shaped as its first argument.
func SameDims(in []Tensor) ([]int, error) { return in[0].Dims, nil }

// NotEmpty is the Dims of a reduction that needs at least one element.
func NotEmpty(name string) func(in []Tensor) ([]int, error) {
	return func(in []Tensor) ([]int, error) {
		if len(in[0].X) == 0 {
			return nil, DomainErrorf(name, "the argument is empty")
		}
		return nil, nil
	}
}

// Agree is the Dims of a scalar function of two vectors of equal length.
func Agree(name string) func(in []Tensor) ([]int, error) {
	return func(in []Tensor) ([]int, error) {
		if m, n := len(in[0].X), len(in[1].X); m != n {
			return nil, fmt.Errorf("%s: the sizes %d and %d of the arguments differ", name, m, n)
		}
		return nil, nil
	}
}

// Sections of the Stan Functions Reference.
const (
	SectionReal     = "Real-Valued Basic Functions"
	SectionInteger  = "Integer-Valued Basic Functions"
	SectionComplex  = "Complex-Valued Basic Functions"
	SectionArray    = "Array Operations"
	SectionMatrix   = "Matrix Operations"
	SectionCMatrix  = "Complex Matrix Operations"
	SectionOperator = "Arithmetic and Logical Operators"
)
