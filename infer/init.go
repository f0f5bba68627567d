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

// InitError reports that no starting point was found. It wraps the reason why the
// last one failed, which for a model error names the statement.
type InitError struct {
	Chain  int       // from 0
	Tries  int       // how many points were tried
	Radius float64   // of the random ones
	Last   error     // why the last one failed
	Point  []float64 // the last one
	Same   bool      // all tries, of several, failed with the same words
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
	// ErrZeroDensity is the reason to leave a point where the log density is -Inf and no
	// statement of the model has rejected it.
	ErrZeroDensity = errors.New("the log density is -Inf, the log of zero")
	// ErrNaNDensity is the reason to leave a point where the log density is NaN.
	ErrNaNDensity = errors.New("the log density is NaN")
	// ErrInfiniteDensity is the reason to leave a point where the log density is +Inf: a
	// parameter is so near the edge of its support that its value has rounded to it. A chain
	// that went there could never leave.
	ErrInfiniteDensity = errors.New("the log density is +Inf")

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

// propose writes a starting point into q and reports whether chance had a part.
func (in Init) propose(chain int, r *rand.Rand, q []float64) (random bool) {
	point := in.point(chain)
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

// point is the one given for a chain, NaN where a coordinate is left to chance; nil if
// there is none.
func (in Init) point(chain int) []float64 {
	switch len(in.Points) {
	case 0:
		return nil
	case 1:
		return in.Points[0]
	}
	return in.Points[chain]
}

// start puts s at the first proposed point where the kernel can begin: where
// the density and, for kernels that use it, its gradient are finite.
func (in Init) start(k Kernel, chain int, r *rand.Rand, s *State) error {
	var last error
	same := true
	for try := 1; ; try++ {
		random := in.propose(chain, r, s.Q)
		err := begin(k, s)
		if zero(err) && random {
			err = in.redraw(k, chain, r, s, err)
		}
		if err == nil {
			return nil
		}
		if !startable(err) {
			return err
		}
		same = same && (last == nil || last.Error() == err.Error())
		last = err
		if !random || try == InitTries {
			return &InitError{Chain: chain, Tries: try, Radius: in.Radius, Last: last, Point: slices.Clone(s.Q), Same: same && try > 1}
		}
	}
}

// redraw begins once more with whole numbers drawn given the rest, unless the last of them,
// the last coordinate, was given. It returns err where that cannot be done.
func (in Init) redraw(k Kernel, chain int, r *rand.Rand, s *State, err error) error {
	d, ok := k.(WholeDrawer)
	point := in.point(chain)
	if !ok || len(point) > 0 && !math.IsNaN(point[len(point)-1]) {
		return err
	}
	if drawn, failed := d.DrawWhole(r, s.Q); failed != nil {
		return failed
	} else if !drawn {
		return err
	}
	return begin(k, s)
}

// begin starts a kernel; its error is the reason why the kernel cannot run from there.
func begin(k Kernel, s *State) error {
	if err := k.Start(s); err != nil {
		return err
	}
	return CheckStart(s)
}

// zero reports whether the density is zero, or not known to be anything else.
func zero(err error) bool {
	return IsReject(err) || err == ErrZeroDensity || err == ErrNaNDensity || err == ErrInfiniteDensity
}

// startable reports whether another point might do.
func startable(err error) bool {
	return zero(err) || err == errInitGradient
}

// CheckStart reports why a chain cannot start at s, which has been evaluated; nil if it can.
func CheckStart(s *State) error {
	switch {
	case math.IsInf(s.LogDensity, -1):
		return ErrZeroDensity
	case math.IsInf(s.LogDensity, 1):
		return ErrInfiniteDensity
	case math.IsNaN(s.LogDensity):
		return ErrNaNDensity
	}
	for _, g := range s.Grad {
		if math.IsNaN(g) || math.IsInf(g, 0) {
			return errInitGradient
		}
	}
	return nil
}
