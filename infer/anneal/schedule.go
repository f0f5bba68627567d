// This file lays out schedules: the inverse temperatures of a path.

package anneal

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// The schedules, as the language names them.
const (
	Sigmoidal = "sigmoidal"
	Linear    = "linear"
	Geometric = "geometric"
	Adaptive  = "adaptive" // steps of equal difficulty, measured in a pilot run
)

// Schedules are their names.
func Schedules() []string { return []string{Sigmoidal, Linear, Geometric, Adaptive} }

// CheckSchedule returns an error that lists the names if kind is none of them.
func CheckSchedule(kind string) error {
	if slices.Contains(Schedules(), kind) {
		return nil
	}
	return fmt.Errorf("schedule must be one of %s, found %q", strings.Join(Schedules(), ", "), kind)
}

const (
	sigmoidDelta  = 4    // Grosse, Ancha and Roy's setting
	geometricLast = 1e-4 // ratio of the first positive beta, extended to i = 0, to the last
)

// Betas are n+1 inverse temperatures from 0 to 1, increasing, n at least 1. For
// Adaptive it gives the sigmoidal ones; a Ladder knows better.
//
//	linear:    i/n
//	sigmoidal: (s(d (2i/n - 1)) - s(-d)) / (s(d) - s(-d)), s logistic, d = 4
//	geometric: 0, then e^(1 - i/n), e = 1e-4
func Betas(kind string, n int) []float64 {
	b := make([]float64, n+1)
	for i := 1; i < n; i++ {
		x := float64(i) / float64(n)
		switch kind {
		case Linear:
			b[i] = x
		case Geometric:
			b[i] = libm.Pow(geometricLast, 1-x)
		default:
			low := logistic(-sigmoidDelta)
			b[i] = (logistic(sigmoidDelta*(2*x-1)) - low) / (1 - 2*low)
		}
	}
	b[n] = 1
	return b
}

func logistic(x float64) float64 { return 1 / (1 + libm.Exp(-x)) }

// Ladder is a schedule that was measured: betas from 0 to 1 and the length of
// the path up to each, in units in which all steps are equally hard.
type Ladder struct {
	Beta   []float64 // increasing, from 0 to 1
	Length []float64 // increasing, from 0
}

// Betas are n+1 inverse temperatures that cut the ladder's length into equal
// parts. Between rungs beta is a monotone cubic of the length (Fritsch and
// Butland 1984), but for the first one, up to which it is a square: no rung
// was measured there, and where the likelihood has a heavy tail under the
// prior the hard part of the way is next to 0.
func (l Ladder) Betas(n int) []float64 {
	b := make([]float64, n+1)
	b[n] = 1
	if len(l.Beta) < 3 {
		return Betas(Linear, n)
	}
	curve, total := newMonotone(l.Length, l.Beta), l.Length[len(l.Length)-1]
	for i := 1; i < n; i++ {
		at := total * float64(i) / float64(n)
		if share := at / l.Length[1]; share < 1 {
			b[i] = l.Beta[1] * share * share
			continue
		}
		b[i] = min(max(curve.at(at), b[i-1]), 1)
	}
	return b
}

// StepLength is the length of a step whose conditional effective sample size is
// that share of the particles, in (0, 1]: sqrt(-log(share)). For small steps
// that is the change of beta times the standard deviation of the log
// likelihood, so lengths add up.
func StepLength(share float64) float64 { return math.Sqrt(-libm.Log(math.Min(share, 1))) }
