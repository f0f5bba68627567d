// This file finds the starting point of a chain, as Stan does.

package infer

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// InitTries is how many random starting points are tried before giving up.
const InitTries = 100

// InitError says that no starting point was found. It wraps the reason why the
// last one failed, which for a model error names the statement.
type InitError struct {
	Chain  int       // from 0
	Tries  int       // how many points were tried
	Radius float64   // of the random ones
	Last   error     // why the last one failed
	Point  []float64 // the last one
}

// Error implements error.
func (e *InitError) Error() string {
	if e.Tries == 1 {
		return fmt.Sprintf("chain %d cannot start at its initial point: %v", e.Chain+1, e.Last)
	}
	return fmt.Sprintf("chain %d found no initial point in %d tries between -%g and %g on the unconstrained scale; the last try: %v",
		e.Chain+1, e.Tries, e.Radius, e.Radius, e.Last)
}

// Unwrap returns the reason why the last try failed.
func (e *InitError) Unwrap() error { return e.Last }

// Recoverable is false: there is nothing to go on with.
func (e *InitError) Recoverable() bool { return false }

var (
	errInitDensity  = errors.New("the log density is -Inf, the log of zero")
	errInitNaN      = errors.New("the log density is NaN")
	errInitInfinite = errors.New("the log density is +Inf")
	errInitGradient = errors.New("the gradient of the log density is not finite")
)

// validate checks the given points against the model and the chains.
func (in Init) validate(dim, chains int) error {
	if math.IsNaN(in.Radius) || in.Radius < 0 || math.IsInf(in.Radius, 0) {
		return fmt.Errorf("init: the radius must be finite and not negative, found %g", in.Radius)
	}
	if n := len(in.Points); n > 1 && n != chains {
		return fmt.Errorf("init: %d points for %d chains; give one, or one for each chain", n, chains)
	}
	for i, p := range in.Points {
		if len(p) != dim {
			return fmt.Errorf("init: point %d has %d unconstrained coordinates, the model has %d", i+1, len(p), dim)
		}
	}
	return nil
}

// propose writes a starting point into q and says whether chance had a part.
func (in Init) propose(chain int, r *rand.Rand, q []float64) (random bool) {
	var point []float64
	switch {
	case len(in.Points) == 1:
		point = in.Points[0]
	case len(in.Points) > 1:
		point = in.Points[chain]
	}
	for i := range q {
		switch {
		case point != nil && !math.IsNaN(point[i]):
			q[i] = point[i]
		case in.Radius == 0:
			q[i] = 0
		default:
			q[i] = in.Radius * (2*r.Float64() - 1)
			random = true
		}
	}
	return random
}

// start puts s at the first proposed point where the kernel can begin: where
// the density and, for kernels that use it, its gradient are finite.
func (in Init) start(k Kernel, chain int, r *rand.Rand, s *State) error {
	var last error
	for try := 1; ; try++ {
		random := in.propose(chain, r, s.Q)
		err := k.Start(s)
		if err != nil && !IsReject(err) {
			return err
		}
		if err == nil {
			err = checkStart(s)
		}
		if err == nil {
			return nil
		}
		last = err
		if !random || try == InitTries {
			return &InitError{Chain: chain, Tries: try, Radius: in.Radius, Last: last, Point: slices.Clone(s.Q)}
		}
	}
}

func checkStart(s *State) error {
	switch {
	case math.IsInf(s.LogDensity, -1):
		return errInitDensity
	case math.IsInf(s.LogDensity, 1):
		return errInitInfinite
	case math.IsNaN(s.LogDensity):
		return errInitNaN
	}
	for _, g := range s.Grad {
		if math.IsNaN(g) || math.IsInf(g, 0) {
			return errInitGradient
		}
	}
	return nil
}
