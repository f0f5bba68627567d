// The constructors that the rows of scalar functions share.

package stdlib

import (
	"fmt"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// elementwise makes a row for an Op that goes over containers of any kind: "R name(T
// x, T y)" for two arguments.
func elementwise(section, doc string, op *autodiff.Op, args ...string) *Function {
	if len(args) == 0 {
		args = []string{"T x", "T y", "T z"}[:op.Arity()]
	}
	return &Function{Name: op.Name, Signatures: []string{signature("R", op.Name, args...)}, Doc: doc, Section: section, Op: op}
}

// scalar makes a row for an Op that takes scalars alone.
func scalar(section, doc string, op *autodiff.Op, args ...string) *Function {
	return &Function{Name: op.Name, Signatures: []string{signature("real", op.Name, args...)}, Doc: doc, Section: section, Op: op}
}

// unary makes an Op of one argument.
func unary(name string, f func(x float64) float64, d func(x, f float64) float64) *autodiff.Op {
	return &autodiff.Op{Name: name, F1: f, D1: d}
}

// vectorised makes an Op of one argument that has a vector kernel.
func vectorised(name string, f vec.Func, d func(x, f float64) float64) *autodiff.Op {
	return &autodiff.Op{Name: name, F1: f.At, Vector: f.Map, D1: d}
}

// sloped makes an Op of one argument that has a vector kernel, and whose derivative is written
// as nodes.
func sloped(name string, f vec.Func, d func(x, f float64) float64, slope func(b formula, x, f autodiff.Node) autodiff.Node) *autodiff.Op {
	op := vectorised(name, f, d)
	op.Slope = func(g *autodiff.Graph, x, f autodiff.Node) autodiff.Node { return slope(formula{g}, x, f) }
	return op
}

// binary makes an Op of two arguments.
func binary(name string, f func(x, y float64) float64, d func(x, y, f float64) (dx, dy float64)) *autodiff.Op {
	return &autodiff.Op{Name: name, F2: f, D2: d}
}

// signature writes a signature line.
func signature(result, name string, args ...string) string {
	s := result + " " + name + "("
	for i, a := range args {
		if i > 0 {
			s += ", "
		}
		s += a
	}
	return s + ")"
}

// where adds a condition on one argument to an elementwise row.
func (f *Function) where(arg int, name string, ok func(x float64) bool, text string) *Function {
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
		return domainErrorf(f.Name, "%s is %v, but must be %s", name, x[arg], text)
	}
	return f
}

// also adds signatures to a row.
func (f *Function) also(signatures ...string) *Function {
	f.Signatures = append(f.Signatures, signatures...)
	return f
}

// containers are the argument types of reductions.
var containers = []string{"array[] real", "vector", "row_vector", "matrix"}

// over writes one signature for each argument type.
func over(result, name string, args []string, more ...string) []string {
	all := make([]string, len(args))
	for i, a := range args {
		all[i] = signature(result, name, append([]string{a + " x"}, more...)...)
	}
	return all
}

// scalarDims is the Dims of a kernel with a scalar result.
func scalarDims([]Tensor) ([]int, error) { return nil, nil }

// sameDims is the Dims of a kernel whose result is shaped as its first argument.
func sameDims(in []Tensor) ([]int, error) { return in[0].Dims, nil }

// notEmpty is the Dims of a reduction that needs at least one element.
func notEmpty(name string) func(in []Tensor) ([]int, error) {
	return func(in []Tensor) ([]int, error) {
		if len(in[0].X) == 0 {
			return nil, domainErrorf(name, "the argument is empty")
		}
		return nil, nil
	}
}

// agree is the Dims of a scalar function of two vectors of equal length.
func agree(name string) func(in []Tensor) ([]int, error) {
	return func(in []Tensor) ([]int, error) {
		if m, n := len(in[0].X), len(in[1].X); m != n {
			return nil, fmt.Errorf("%s: the sizes %d and %d of the arguments differ", name, m, n)
		}
		return nil, nil
	}
}

// Sections of the Stan Functions Reference.
const (
	sectionReal     = "Real-Valued Basic Functions"
	sectionInteger  = "Integer-Valued Basic Functions"
	sectionComplex  = "Complex-Valued Basic Functions"
	sectionArray    = "Array Operations"
	sectionMatrix   = "Matrix Operations"
	sectionCMatrix  = "Complex Matrix Operations"
	sectionOperator = "Arithmetic and Logical Operators"
)
