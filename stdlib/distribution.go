package stdlib

import "math/rand/v2"

// A Distribution is one row of the table of univariate distributions. The catalogue
// derives from it the functions NAME_lpdf (or _lpmf), NAME_cdf, NAME_lcdf,
// NAME_lccdf and NAME_rng, vectorised over all arguments as the Stan Functions
// Reference says: the result is the sum (for _cdf the product) over elements,
// scalars are broadcast, containers must agree in size, empty ones give 0 (1).
//
// All functions of one variate take x = (variate, parameters...). Where d is not
// nil it has room for one partial derivative for each of them and is overwritten;
// entries of integer arguments are left alone.
type Distribution struct {
	Name     string
	Args     string // "reals y | reals mu, reals sigma", "ints n | reals theta"
	Discrete bool
	Doc      string
	Section  string

	// Requires gives, for each argument in order (variate first), what it must
	// satisfy or else the call is rejected.
	Requires []Requirement
	// Valid rejects combinations of arguments; nil where none is needed.
	Valid func(x []float64) error

	Log     func(x, d []float64) float64 // log density or log mass, all constants included
	CDF     func(x, d []float64) float64 // probability of values <= the variate
	LogCDF  func(x, d []float64) float64
	LogCCDF func(x, d []float64) float64

	// Draw gives a random variate; p holds the parameters (no variate).
	Draw func(r *rand.Rand, p []float64) float64
}

// A Drawer is the kernel of an _rng function.
type Drawer struct {
	Dims func(in []Tensor) ([]int, error)
	Draw func(r *rand.Rand, in []Tensor, out []float64) error
}

// A Requirement is a condition on one argument, with the words for the message
// "ARG is VALUE, but must be TEXT".
type Requirement struct {
	OK   func(x float64) bool
	Text string
}
