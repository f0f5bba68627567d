// Package catalogue is the contract of the library's rows, functions and univariate distributions, with
// what all families share: requirements and their messages, constructors of rows, formulas as nodes, and
// small linear algebra. It has no rows itself.
//
// Kernels are pure: they keep no state between calls and write only to the buffers they are handed.
package catalogue

import "github.com/seed-12b88e03/ppl/autodiff"

// A Function is one row of the catalogue. Exactly one of Op, Layout, Kernel, Draw
// and Higher says what it computes.
type Function struct {
	Name       string
	Signatures []string // in the form that types.ParseSignature reads
	Doc        string   // one line: what it is, in our own words
	Section    string   // of the Stan Functions Reference, such as "Real-Valued Basic Functions"

	// Op is set for scalar functions that apply elementwise.
	Op *autodiff.Op
	// Valid, with Op, rejects arguments outside the domain; nil where any will do.
	Valid func(x []float64) error

	// Pointwise, for a density or distribution function that sums over variates, is that
	// of one variate as an operation; NaN where the arguments are rejected. It is nil where
	// there are more arguments than operations have.
	Pointwise *autodiff.Op

	// Layout is set where every element of the result is a copy of one element of
	// an argument (head, append_row, to_vector, rep_matrix, transpose, ...).
	Layout func(in []Tensor) (dims []int, from []Ref, err error)

	// Kernel is set for all other deterministic functions.
	Kernel *Kernel

	// Sums, for a density that sums over variates, returns a function of the same arguments but for the first, which are
	// data, of which it is given statistics or that it knows; false where that is no less work. active are the arguments that
	// are no data. It may be nil.
	Sums func(in []Tensor, active []int) (fn *Function, statistics Tensor, ok bool)

	// Draw is set for _rng functions.
	Draw *Drawer

	// Higher names the solver of a function of functions (ode_rk45, ...); package
	// ir/bind runs those, as they call the user's code.
	Higher string

	// Parts, for a function that gives a tuple, names the functions of the same
	// arguments that give its fields; it has none of the fields above then.
	Parts []string

	// Numbers, beside Parts, are constant fields that follow those of the parts.
	Numbers []float64

	// Design, where it is not 0, is the argument of which a vector stands for a matrix of
	// one column; the kernel never sees the vector.
	Design int

	// Jacobian, for a _jacobian function, is the function of the same arguments whose
	// value a call adds to the target.
	Jacobian *Function

	// Density is the distribution that a _lpdf, _lpmf, _cdf, _lcdf, _lccdf or _rng
	// row belongs to; nil for the rest.
	Density *Distribution

	// ElementsOf is the distribution of a density that is given element by element.
	ElementsOf *Distribution
}

// BuiltinName is the function's name; it lets the IR refer to the row.
func (f *Function) BuiltinName() string { return f.Name }

// A Tensor is an argument as a kernel sees it. Ints are stored as float64, complex
// numbers as two numbers (real, imaginary). Array dimensions come first in Dims and
// are outermost and row-major in X; a matrix (the last two of Dims) is
// column-major inside. The result of a function is laid out in the same way.
// Kernels must not write to X or keep it.
type Tensor struct {
	Rank Rank
	Dims []int
	X    []float64
}

// Rank tells apart containers of equal dimensions.
type Rank struct {
	Array int  // how many of Dims are array dimensions
	Row   bool // the base is a row vector
}

// A Ref names an element of an argument; Arg -1 stands for the constant 0.
type Ref struct {
	Arg, Elem int32
}

// A Kernel computes a result from whole arguments, with its reverse-mode derivative.
type Kernel struct {
	// Dims returns the sizes of the result, or an error where sizes do not fit or an
	// integer argument is out of range. It may look at sizes and at integer
	// arguments only.
	Dims func(in []Tensor) ([]int, error)

	// SizesOnly reports that the value depends on nothing but the sizes of arguments.
	SizesOnly bool
	// Work is how many scratch numbers Value and VJP need; nil for none.
	Work func(in []Tensor) int

	// Value fills out. The error, if any, is a *DomainError.
	Value func(in []Tensor, out, work []float64) error

	// VJP adds, for every i with a non-nil din[i], the vector-Jacobian product
	// sum_k adj[k] * d out[k] / d in[i] to din[i]. out is what Value gave. It is
	// nil where the function has no derivatives (integer results, steps).
	VJP func(in []Tensor, out, adj []float64, din [][]float64, work []float64)

	// ValueGrad, where it is set, computes a scalar result and adds its gradient to
	// the non-nil din in one pass; it must agree with Value and VJP. Densities have it.
	ValueGrad func(in []Tensor, din [][]float64, work []float64) (float64, error)

	// OneByOne, where it is set, is the same function computed element by element, where
	// this one has a loop for many.
	OneByOne *Kernel
}
