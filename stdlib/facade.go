// The package's names that are at home in its internal packages.

package stdlib

import (
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/lowering"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
)

// Rows: package catalogue.
type (
	// A Function is one row of the catalogue.
	Function = catalogue.Function
	// A Kernel computes a result from whole arguments, with its reverse-mode derivative.
	Kernel = catalogue.Kernel
	// A Tensor is an argument as a kernel sees it.
	Tensor = catalogue.Tensor
	// A Rank tells apart containers of equal dimensions.
	Rank = catalogue.Rank
	// A Ref names an element of an argument; Arg -1 stands for the constant 0.
	Ref = catalogue.Ref
	// A Distribution is one row of the table of univariate distributions.
	Distribution = catalogue.Distribution
	// A DomainError says that a function was called with arguments it does not take.
	DomainError = catalogue.DomainError
)

// A Transform maps free (unconstrained) numbers to a constrained variable.
type Transform = transform.Transform

// Expansions: package lowering.
type (
	// An Operand is an argument of an expansion: what a kernel would see of it, and its node.
	Operand = lowering.Operand
	// An Expander writes a call as nodes; n is the number of elements of the result.
	Expander = lowering.Expander
	// A MatrixFunction is a function of one k x k matrix as it stands in an expansion.
	MatrixFunction = lowering.MatrixFunction
)

// The names of matrix functions in expansions.
const (
	InverseSPD        = lowering.InverseSPD
	LogDeterminantSPD = lowering.LogDeterminantSPD
)

// PerElement returns the function that has the log density fn of each element where fn has the
// sum: arguments are numbers or containers of one length, the result has that length. It
// is nil where fn is not a density of single numbers.
func PerElement(fn *Function) *Function { return lowering.PerElement(fn) }

// PredictorForm returns the function f(y | x, alpha, beta) that equals the named one at
// (y | alpha + x*beta), nil where there is none. It goes through x once for the
// predictors and, while they are in the cache, the gradient.
func PredictorForm(name string) *Function { return lowering.PredictorForm(name) }

// MostNumbers is how many numbers the result of one call may hold: 8 GB of them.
const MostNumbers = container.MostNumbers

// CheckNumbers checks the sizes of the result of a call of fn before it is made.
func CheckNumbers(fn string, dims []int) error { return container.CheckNumbers(fn, dims) }

// ErrMemory is what errors of values wrap for which there is no memory.
var ErrMemory = container.ErrMemory

// CheckMemory returns an error that wraps ErrMemory if this machine has no memory for further float64
// numbers. Where it is not known how much it has, it returns nil.
func CheckMemory(numbers float64) error { return container.CheckMemory(numbers) }

// CheckGrowth returns an error that wraps ErrMemory if the memory in use could not grow by half.
func CheckGrowth() error { return container.CheckGrowth() }

// CheckLayout checks that there is memory for an arrangement of all numbers of the arguments.
func CheckLayout(fn string, in []Tensor) error { return container.CheckLayout(fn, in) }

// MachineMemory is the most memory in bytes that this process may have: that of the machine, the limit of its
// control group, or that on its addresses (ulimit -v), whichever is least. It is false where none is known.
func MachineMemory() (bytes float64, ok bool) { return container.MachineMemory() }

// HeapMemory is the most memory in bytes that values may have, asked for when the program begins.
func HeapMemory() (bytes float64, ok bool) { return container.HeapMemory() }

// Powered reports whether LogPower is known for the distribution.
func Powered(d *Distribution) bool { return univariate.Powered(d) }

// LogPower is the log of the integral of density^c over the variate, for a discrete
// one the sum of mass^c, at parameters p. slope, where not nil, takes the derivatives
// by them. c is positive. Powered must hold.
func LogPower(d *Distribution, c float64, p, slope []float64) (float64, error) {
	return univariate.LogPower(d, c, p, slope)
}
