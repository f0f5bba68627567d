// This file defines what coordinate ascent needs of a model: its log joint density as a
// sum of products of functions of single blocks.

package infer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Factorisable is a Model whose parameters fall into blocks such that the log joint
// density is a sum of products, with one statistic of each of some blocks in a product.
// A block's full conditional then has natural parameters that are multilinear in the
// other blocks' statistics, and the expected log density needs the expectations of
// statistics only.
type Factorisable interface {
	Model
	// Factorise returns the blocks and the terms. The error is a *MissingError where the log
	// density is no such sum, and a *GroupError where that of a group's numbers has no known form.
	Factorise(b Blocking) (*Factorisation, error)
}

// How parameters are put into blocks where the model leaves a choice: vectors and
// arrays of unconstrained parameters whose full conditional is normal.
const (
	ByParameter = "parameter" // a block for each declared parameter
	ByElement   = "element"   // a block for each number
	Jointly     = "joint"     // as gibbs draws them: parameters together where jointly normal, or discrete and dependent
)

// BlockChoices are the choices, the default first.
func BlockChoices() []string { return []string{ByParameter, ByElement, Jointly} }

// A Blocking says which numbers share a block.
type Blocking struct {
	Choice string     // one of BlockChoices, for parameters in no group
	Groups [][]string // parameters, by name, of which all numbers share a block
}

// Check reports a choice that there is not, and a parameter in two places.
func (b Blocking) Check() error {
	if len(b.Groups) == 0 && !slices.Contains(BlockChoices(), b.Choice) {
		return fmt.Errorf("blocks must be one of %s, or groups of parameters, found %q", strings.Join(BlockChoices(), ", "), b.Choice)
	}
	seen := map[string]bool{}
	for _, name := range slices.Concat(b.Groups...) {
		if seen[name] {
			return fmt.Errorf("blocks has %s in two places", name)
		}
		seen[name] = true
	}
	return nil
}

// Group is the place of the group that a parameter is in, or -1.
func (b Blocking) Group(parameter string) int {
	return slices.IndexFunc(b.Groups, func(names []string) bool { return slices.Contains(names, parameter) })
}

// String writes a blocking as in the language: "joint", or "x, y; z".
func (b Blocking) String() string {
	groups := make([]string, len(b.Groups))
	for i, names := range b.Groups {
		groups[i] = strings.Join(names, ", ")
	}
	return cmp.Or(strings.Join(groups, "; "), b.Choice)
}

// A GroupError says that the numbers of a group have no joint full conditional of a known form.
type GroupError struct {
	Group  int // its place among the groups
	Reason string
}

// Error implements error.
func (e *GroupError) Error() string {
	return "this block has no full conditional of a known form: " + e.Reason
}

// A Factorisation is a model's log joint density, all constants included, on the
// declared scale, that is without the log Jacobian of the constraint transforms. It is
// immutable.
type Factorisation struct {
	Blocks []FactorBlock
	Terms  []FactorTerm
}

// A FactorTerm is a coefficient times one statistic of each of some blocks; without
// statistics it is a constant. The coefficient of a statistic that cannot occur is -Inf.
type FactorTerm struct {
	Coef float64
	Of   []BlockStatistic // by ascending block
}

// A BlockStatistic names a statistic of a block by their positions.
type BlockStatistic struct{ Block, Statistic int32 }

// A Support is what values a block's numbers have.
type Support uint8

// The supports.
const (
	Line     Support = iota // real numbers
	Positive                // one number above 0; its free coordinate is the logarithm
	Unit                    // one number between 0 and 1; its free coordinate is the logit
	Bounded                 // one number with other bounds
	Simplex                 // positive numbers that add up to 1
	Definite                // a symmetric positive definite matrix, by columns
	Scaled                  // real numbers, then one above 0 that all their products are multiplied or all divided by
	Whole                   // one whole number from Low to Low + Size - 1
	Wholes                  // several whole numbers, with Counts[i] values from Lows[i] on
)

// Discrete reports whether the numbers are whole.
func (s Support) Discrete() bool { return s >= Whole }

// A FactorBlock is a set of numbers that get a factor of their own.
type FactorBlock struct {
	Name       string
	Support    Support
	Size       int      // numbers on the declared scale; of Whole and Wholes: values, of all numbers together
	Low        int      // of Whole
	Lows       []int    // of Wholes
	Counts     []int    // of Wholes
	Coords     []int    // positions of its free coordinates among the model's
	Map        BlockMap // of Bounded, Simplex, Definite and Scaled, and of Line where numbers and free coordinates differ; else nil
	Statistics []Statistic
	// Functions returns what evaluates the functions of one number that its statistics
	// have; each call makes one for one goroutine. nil if there are none.
	Functions func() BlockFunctions
}

// BlockFunctions fills out with the values of a block's functions at t.
type BlockFunctions func(t float64, out []float64) error

// A Statistic is a product of functions of a block's numbers. Of a Whole block it is
// one Indicator, of a Wholes block one of each of some numbers.
type Statistic []StatisticFactor

// A StatisticFactor is one function of one number, to a power.
type StatisticFactor struct {
	Func  StatisticFunc
	Index int     // which number of the block; of Indicator: which value, from 0, those of a Wholes block's numbers one after the other; of Function: which function
	Power float64 // 1 of all but Number and OneMinus
}

// A StatisticFunc is a function of one number t.
type StatisticFunc uint8

// The functions.
const (
	Number         StatisticFunc = iota // t
	OneMinus                            // 1 - t
	LogNumber                           // log t
	LogOneMinus                         // log(1 - t)
	Indicator                           // 1 where the value is the one named, else 0
	Function                            // one of the block's Functions
	LogDeterminant                      // of a Definite block
	Inverse                             // an element of the inverse of a Definite block, by Index
)

// A BlockMap takes a block's free coordinates to its numbers. It may be used from
// several goroutines.
type BlockMap interface {
	// Constrain fills x and returns the log Jacobian.
	Constrain(free, x []float64) (logJacobian float64, err error)
	// Pull adds the derivative of sum(adj*x) + logJacobian by the free coordinates.
	Pull(free, x, adj, dfree []float64)
	// Unconstrain is the inverse.
	Unconstrain(x, free []float64) error
}

// Duality is what the duality formula says of a model's blocks and of a factorised
// approximation (Lee, "Gibbs sampler and coordinate ascent variational inference", 2021).
type Duality struct {
	// LogEvidence is log p(y): by quadrature, without error, where Exact is set, else
	// from importance weights. NaN of a sampler, which has no factors to compare with.
	LogEvidence Estimate
	Exact       bool
	Improper    string // the block whose marginal has no finite integral; empty where none was found
	// Unresolved is a block whose marginal is so much wider than its full conditional that
	// rounding errors alone decide whether its integral is finite; empty where there is none.
	Unresolved string
	// Joinable reports whether two factors could be one: their blocks stand in products with
	// each other and are jointly normal given the rest, as BlockChoices' Jointly has them.
	Joinable bool
	Factors  []FactorReport
}

// A FactorReport is what is known of one factor q_i of an approximation and of the
// posterior's marginal of the same block. What is not known is NaN.
type FactorReport struct {
	Name string
	Form string // "normal", "gamma", "enumerated", "quadrature", "laplace", ...
	// Squashing is the constant R with R q_i <= marginal: at a fixed point with exact
	// factors exp(ELBO - log evidence), the same for all.
	Squashing Estimate
	// Bound is -log R, an upper bound of KL(q_i || marginal) in nats.
	Bound Estimate
	// Divergence is KL(q_i || marginal) itself.
	Divergence Estimate
	// Information is the mutual information of the block with all others under the
	// posterior, in nats.
	Information Estimate
}
