// This file defines what a family of approximations is to the optimiser.

package vi

import (
	"math"

	"github.com/seed-12b88e03/ppl/infer/normal"
)

// family is a normal approximation whose parameters are moved. A noise vector
// e has noise() standard normal coordinates.
type family interface {
	noise() int
	// refresh prepares for the present parameters; all methods below but set
	// want it called after the parameters changed.
	refresh()
	// place writes the points of several e into q.
	place(e, q [][]float64)
	// logDensity returns log q at the point of e.
	logDensity(e []float64) float64
	// covariance writes C h into out.
	covariance(h, out []float64)
	// collect adds what the points of e and -e say to the scales' direction: g is the
	// difference of their gradients of log p. It may keep e until the next move.
	collect(g, e []float64)
	// move makes a step: the mean by step, the scales along what was
	// collected from n points, which is then forgotten.
	move(step []float64, rate float64, n int)
	// forget drops what was collected.
	forget()
	// shrink multiplies all scales.
	shrink(factor float64)
	// params views the parameters as one vector, the mean first; set copies one in.
	params() []float64
	set(p []float64)
	// normal is the present approximation, as a copy.
	normal() *normal.Normal
}

// The names of the families.
const (
	MeanField = "meanfield"
	FullRank  = "fullrank"
	LowRank   = "lowrank"
)

// newFamily makes a family that starts at a normal approximation.
func newFamily(name string, start *normal.Normal, rank int) family {
	switch name {
	case FullRank:
		return newFullRank(start)
	case LowRank:
		return newLowRank(start, rank)
	}
	return newMeanField(start)
}

// cut is the factor that brings a direction with n coordinates of the given
// squared length to a root mean square of at most most.
func cut(square float64, n int, most float64) float64 {
	if limit := most * most * float64(n); square > limit {
		return math.Sqrt(limit / square)
	}
	return 1
}
