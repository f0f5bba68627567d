// This file is the contract of a row of the table of univariate distributions.

package catalogue

import "math/rand/v2"

// A Distribution is one row of the table of univariate distributions. The catalogue
// derives from it the functions NAME_lpdf (or _lpmf), NAME_cdf, NAME_lcdf,
// NAME_lccdf and NAME_rng, vectorised over all arguments as the Stan Functions
// Reference says: the result is the sum (for _cdf the product) over elements,
// scalars are broadcast, containers must agree in size, empty ones give 0 (1).
//
// All functions of one variate take x = (variate, parameters...). Where d is not
// nil it has room for one partial derivative for each of them and is overwritten;
// entries of integer arguments may be left alone. Derivatives are not looked at
// where the value is -Inf.
type Distribution struct {
	Name     string
	Args     string // "reals y | reals mu, reals sigma", "ints n | reals theta"
	Discrete bool
	// Location, where it is not 0, is the argument that the variate is shifted by; the next one is
	// the scale that it is multiplied by. Standard reports that there are neither, but 0 and 1.
	Location int
	Standard bool
	Doc      string
	Section  string

	// Requires returns, for each argument in order (variate first), what it must
	// satisfy or else the call is rejected.
	Requires []Requirement
	// Variate replaces the requirement on the variate in the cdf functions, where
	// Stan is more lenient (or stricter) there; nil for the same.
	Variate *Requirement
	// Valid rejects combinations of arguments; nil where none is needed. In random
	// number generation the variate x[0] is NaN, which must pass.
	Valid func(x []float64) *Violation
	// Support is like Valid, for the density or mass function alone.
	Support func(x []float64) *Violation
	// SupportOfCounts reports that Support looks at integers only.
	SupportOfCounts bool

	// Log is the log density or log mass, all constants included. Of rows with a
	// Hoist it allocates; the kernels do not.
	Log     func(x, d []float64) float64
	CDF     func(x, d []float64) float64 // probability of values <= the variate
	LogCDF  func(x, d []float64) float64
	LogCCDF func(x, d []float64) float64

	// Hoist, where set, is a faster Log for arguments that are partly scalars.
	Hoist *Hoist
	// Bulk, where set, is the log density of n elements in one tight loop. It adds
	// adj times the gradient to the non-nil din (len(din) is 0 where no derivatives
	// are wanted), and gives ok = false for shapes of arguments that it does not do.
	Bulk Bulk

	// Known, where set, returns Bulk for a container of data in[0], with what depends on data alone computed
	// before; ok is false where it does not do these. active are the arguments that are no data.
	Known func(in []Tensor, active []int) (bulk Bulk, ok bool)

	// FiniteImpliesValid reports that a finite result of Bulk shows that all Requires are met, so
	// that they need not be looked at before.
	FiniteImpliesValid bool

	// Draw returns a random variate; p holds the parameters (no variate).
	Draw func(r *rand.Rand, p []float64) float64

	// Drawable rejects parameters that cannot be drawn from (a count that would not
	// fit an integer); nil where all can. Violation.Arg counts the parameters from 1.
	Drawable func(p []float64) *Violation

	// Unlisted reports that Stan's library has no NAME_rng, so that programs may define
	// one; Draw is then for simulation only.
	Unlisted bool

	// Rows, where set, gives the functions instead of all of the above: for
	// distributions whose parameters are not scalars.
	Rows func(d *Distribution) []*Function
}

// A Bulk is the log density of n elements in one loop.
type Bulk func(n int, in []Tensor, adj float64, din [][]float64) (sum float64, ok bool)

// A Hoist splits a log density so that what depends on few arguments is computed
// once where these are scalars.
type Hoist struct {
	Of   []int                           // the arguments that Prep looks at
	Size int                             // how many numbers Prep gives
	Prep func(x, c []float64, grad bool) // fills c; what only derivatives need if grad
	Log  func(x, c, d []float64) float64 // the log density, given c
}

// A Violation says which argument is at fault and what it must be.
type Violation struct {
	Arg  int
	Must string
}

// A Drawer is the kernel of an _rng function.
type Drawer struct {
	Dims func(in []Tensor) ([]int, error)
	Draw func(r *rand.Rand, in []Tensor, out []float64) error
}

// A Requirement is a condition on one argument: that it lies between Low and High, which
// it may be itself. The words are for the message "ARG is VALUE, but must be TEXT".
type Requirement struct {
	Low, High float64
	Text      string
}
