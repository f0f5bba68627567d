// This file adds coordinates to the model of an old fit: those of elements that are missing in the new data.

package update

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// halfLogTwoPi is log(2 pi)/2.
var halfLogTwoPi = 0.5 * libm.Log(2*math.Pi)

// Extended is a model with coordinates more, which are independent normals: as the old density of an update it says how points
// of the old fit were completed, whatever the normals are, and weights and particles go on from there.
type Extended struct {
	infer.Model
	To       infer.Model // whose coordinates they are
	Place    []int       // of each coordinate of Model among those of To
	Extra    []int       // the places of the others
	Mean, SD []float64   // of these
}

// wider is the spread of the normals over that of the new density at one point: theirs have to be the longer tails, and the draws' points differ.
const wider = 1.1

// settle steps at most so often, by no more than far standard deviations, and no farther than where the density has no curvature by one.
const (
	settleSteps = 30
	far         = 5
	nudge       = 1e-4
)

// Settle chooses the normals about the mode of the new density in these coordinates, from a point of the old fit on. Where there is none, the
// weights will tell.
func (x *Extended) Settle(point []float64) {
	x.Mean, x.SD = make([]float64, len(x.Extra)), make([]float64, len(x.Extra))
	e, q := x.To.NewEvaluator(), make([]float64, x.To.Dim())
	x.fill(point, q)
	here, there := make([]float64, len(q)), make([]float64, len(q))
	for k := range x.SD {
		x.SD[k] = 1
	}
	for range settleSteps {
		if _, err := e.LogDensityGrad(q, here); err != nil {
			return
		}
		for _, i := range x.Extra {
			q[i] += nudge
		}
		_, err := e.LogDensityGrad(q, there)
		moved := 0.0
		for k, i := range x.Extra {
			q[i] -= nudge
			curvature, step := (here[i]-there[i])/nudge, here[i]
			if x.SD[k] = 1; curvature > 0 {
				x.SD[k], step = 1/math.Sqrt(curvature), here[i]/curvature
			}
			if step = min(max(step, -far*x.SD[k]), far*x.SD[k]); err != nil || math.IsNaN(step) {
				step = 0
			}
			q[i] += step
			x.Mean[k], moved = q[i], max(moved, math.Abs(step)/x.SD[k])
		}
		if err != nil || moved < nudge {
			break
		}
	}
	for k := range x.SD {
		x.SD[k] *= wider
	}
}

// fill writes a point of the old model to its places.
func (x *Extended) fill(point, q []float64) {
	for i, p := range x.Place {
		q[p] = point[i]
	}
}

// Complete is a point with draws for what it lacks.
func (x *Extended) Complete(r *rand.Rand, point []float64) []float64 {
	q := make([]float64, x.To.Dim())
	x.fill(point, q)
	for k, i := range x.Extra {
		q[i] = x.Mean[k] + float64(x.SD[k]*variate.Normal(r))
	}
	return q
}

// Dim implements infer.Model.
func (x *Extended) Dim() int { return x.To.Dim() }

// NewEvaluator implements infer.Model.
func (x *Extended) NewEvaluator() infer.Evaluator {
	n := x.Model.Dim()
	return &extendedEvaluator{x.Model.NewEvaluator(), x, make([]float64, n), make([]float64, n)}
}

type extendedEvaluator struct {
	infer.Evaluator
	of          *Extended
	point, grad []float64
}

// LogDensity implements infer.Evaluator.
func (e *extendedEvaluator) LogDensity(q []float64) (float64, error) {
	lp, err := e.Evaluator.LogDensity(e.own(q))
	return lp + e.normals(q, nil), err
}

// LogDensityGrad implements infer.Evaluator.
func (e *extendedEvaluator) LogDensityGrad(q, grad []float64) (float64, error) {
	lp, err := e.Evaluator.LogDensityGrad(e.own(q), e.grad)
	for i, p := range e.of.Place {
		grad[p] = e.grad[i]
	}
	return lp + e.normals(q, grad), err
}

func (e *extendedEvaluator) own(q []float64) []float64 {
	for i, p := range e.of.Place {
		e.point[i] = q[p]
	}
	return e.point
}

// normals is their log density, whose gradient is written to grad where that is not nil.
func (e *extendedEvaluator) normals(q, grad []float64) (sum float64) {
	for k, i := range e.of.Extra {
		z := (q[i] - e.of.Mean[k]) / e.of.SD[k]
		sum -= float64(float64(z*z)/2) + libm.Log(e.of.SD[k]) + halfLogTwoPi
		if grad != nil {
			grad[i] = -z / e.of.SD[k]
		}
	}
	return sum
}
