// This file looks at the point that a search ended at: whether it is a mode.

package optimize

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

const (
	mostExact = 50   // coordinates for which the whole Hessian is taken
	outward   = 3    // standard deviations by the curvature that the density is looked at from the point
	unfallen  = 0.05 // nats by which the density must at least fall over them; a normal falls by 4.5
	mostSteps = 1e8  // longest step over the size of the coordinate

	mostShorter = 12 // steps that are tried, each a tenth of the one before

	rounding = 0x1p-50 // of a log density, relative
	// Coordinates of this size have reached the end of the numbers: the exponential of lastScale is 8e307, the square of
	// lastNumber 1e300.
	lastScale, lastNumber = 709, 1e150
)

// Assess reports what is known of the density at the end of a search: the rise that Newton's
// method expects, and whether there is a coordinate along which the density does not fall.
// Both are free of the coordinates' scales. names are of the coordinates and may be nil. It
// takes a few evaluations for each coordinate, and six gradients for each of a small model.
func Assess(t infer.Target, x []float64, names []string) (*draws.ModeRun, error) {
	a := &assessment{t: t, x: append([]float64(nil), x...), grad: make([]float64, len(x)), up: make([]float64, len(x)), down: make([]float64, len(x)), trial: make([]float64, len(x))}
	out := &draws.ModeRun{Decrement: draws.Number(math.NaN())}
	var err error
	if a.lp, err = t.LogDensityGrad(a.x, a.grad); err != nil {
		return nil, err
	}
	total, worst, steepest, at := 0.0, 0.0, 0.0, 0
	direction := make([]float64, len(x))
	for j := range x {
		c, err := a.curvature(j)
		if err != nil {
			return nil, err
		}
		part := math.Inf(1)
		switch {
		case c > 0:
			part = float64(a.grad[j]*a.grad[j]/c) / 2
		case a.grad[j] == 0:
			part = 0
		}
		if total += part; part > steepest {
			steepest, at = part, j
		}
		direction[j] = 1
		slope := 0.0
		if part > 1 { // far from where it would end by its curvature
			slope = math.Abs(a.grad[j])
		}
		rise, open, far, err := a.open(direction, c, slope)
		if direction[j] = 0; err != nil {
			return nil, err
		}
		if a.leaves(j) {
			rise, open, far = math.Inf(1), true, true
		}
		if open && (out.Open == nil || far && !out.Open.Unbounded || far == out.Open.Unbounded && rise > worst) {
			worst, out.Open = rise, opened(j, rise, far)
		}
	}
	out.Decrement = draws.Number(total)
	if len(x) > 0 && len(x) <= mostExact && out.Open == nil {
		if err := a.exact(out); err != nil {
			return nil, err
		}
	}
	if out.Open == nil && float64(out.Decrement) > 1 { // what adds most to it, one by one
		out.Open = opened(at, math.Inf(1), false)
	}
	if o := out.Open; o != nil && names != nil {
		o.Name = names[o.Coordinate]
	}
	return out, nil
}

func opened(j int, rise float64, far bool) *draws.OpenRun {
	return &draws.OpenRun{Coordinate: j, Rises: rise > unfallen, Unbounded: far, Rise: draws.Number(rise)}
}

// assessment is one under way.
type assessment struct {
	t              infer.Target
	x              []float64
	lp             float64
	grad, up, down []float64
	trial          []float64
}

// leaves reports whether a coordinate has reached the end of the numbers and the density rises towards it, for which
// no further step can be asked.
func (a *assessment) leaves(j int) bool {
	x := math.Abs(a.x[j])
	ended := x >= lastNumber || x >= lastScale && x <= lastScale+36 // the least number is exp(-745)
	return ended && a.grad[j]*math.Copysign(a.step(j), a.x[j]) > unfallen
}

// step is the distance from the point to its neighbours along a coordinate.
func (a *assessment) step(j int) float64 { return float64(1e-4 * max(1, math.Abs(a.x[j]))) }

// at is the log density so far along a direction; +Inf where it has left the numbers.
func (a *assessment) at(direction []float64, step float64) (float64, error) {
	for i, d := range direction {
		a.trial[i] = a.x[i] + float64(step*d)
	}
	lp, err := a.t.LogDensity(a.trial)
	if err == nil && math.IsInf(lp, 1) {
		return lp, nil
	}
	return infer.Finite(lp, err)
}

// curvature is minus the second derivative along a coordinate; NaN where the density ends
// right beside the point.
func (a *assessment) curvature(j int) (float64, error) {
	before := a.x[j]
	defer func() { a.x[j] = before }()
	h := a.step(j)
	for _, end := range []struct {
		v    float64
		grad []float64
	}{{before + h, a.up}, {before - h, a.down}} {
		a.x[j] = end.v
		if _, err := a.t.LogDensityGrad(a.x, end.grad); err != nil {
			if infer.IsReject(err) {
				return math.NaN(), nil
			}
			return 0, err
		}
	}
	return (a.down[j] - a.up[j]) / (2 * h), nil
}

// open reports whether the density hardly falls along a direction where its curvature c has it
// fall by several nats, by how much it rises, and whether it goes on rising far away. Shorter steps are tried where
// there is no density, and where the slope promises a greater rise than was found: on the way to a singularity the log
// density is a straight line in the logarithm of a scale, and ends where the other coordinates do not follow.
func (a *assessment) open(direction []float64, c, slope float64) (rise float64, open, far bool, err error) {
	size := 1.0
	for i, d := range direction {
		if d != 0 {
			size = max(size, math.Abs(a.x[i]))
		}
	}
	step := size
	if c > 0 {
		step = min(outward/math.Sqrt(c), mostSteps*size)
	}
	if math.IsNaN(c) {
		return 0, false, false, nil
	}
	rise = math.Inf(-1)
	for range mostShorter {
		r, on, err := a.beyond(direction, step)
		if err != nil {
			return 0, false, false, err
		}
		if r > rise {
			rise, far = r, on
		}
		if step /= 10; !math.IsInf(rise, -1) && float64(step*slope) <= max(rise, unfallen) {
			break
		}
	}
	if noise := math.Abs(a.lp) * rounding; noise > unfallen && math.Abs(rise) <= noise {
		return rise, false, false, nil // a fall by several nats could not be seen
	}
	return rise, rise > -unfallen, far && rise > unfallen, nil
}

// beyond is the greatest rise of the density so far along a direction, either way, and whether
// it goes on rising from there to a thousand times as far.
func (a *assessment) beyond(direction []float64, step float64) (rise float64, far bool, err error) {
	rise = math.Inf(-1)
	for _, side := range []float64{-step, step} {
		lp, err := a.at(direction, side)
		if err != nil {
			return 0, false, err
		}
		if lp-a.lp <= rise {
			continue
		}
		rise, far = lp-a.lp, true
		for before, times := lp, 10.0; far && times <= 1000; times *= 10 {
			if lp, err = a.at(direction, times*side); err != nil {
				return 0, false, err
			}
			far, before = lp > before+unfallen || math.IsInf(lp, 1), lp
		}
	}
	return rise, far, nil
}

// exact takes the decrement g'H^-1 g/2 by the whole Hessian, and looks along the direction in
// which it bends least, in units of the coordinates' own curvatures. The decrement is +Inf where
// the Hessian is not negative definite.
func (a *assessment) exact(out *draws.ModeRun) error {
	n := len(a.x)
	h, err := NewHessian(a.t, a.x)
	if err == errNeighbour {
		out.Decrement = draws.Number(math.Inf(1))
		return nil
	}
	if err != nil {
		return err
	}
	scale := make([]float64, n)
	for i := range n {
		scale[i] = 1 / math.Sqrt(math.Abs(h.At[i*n+i]))
		if math.IsInf(scale[i], 0) {
			scale[i] = 1
		}
	}
	p := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			p.SetSym(i, j, -h.At[i*n+j]*scale[i]*scale[j])
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(p, true) {
		return nil
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values()
	total := 0.0
	for k, v := range values {
		dot := 0.0
		for i := range n {
			dot += float64(vectors.At(i, k) * a.grad[i] * scale[i])
		}
		total += float64(dot * dot / v / 2)
	}
	if values[0] <= 0 {
		total = math.Inf(1)
	}
	out.Decrement = draws.Number(total)
	direction, most := make([]float64, n), 0
	for i := range n {
		direction[i] = vectors.At(i, 0) * scale[i]
		if math.Abs(vectors.At(i, 0)) > math.Abs(vectors.At(most, 0)) {
			most = i
		}
	}
	rise, open, far, err := a.open(direction, values[0], 0)
	if open {
		out.Open = opened(most, rise, far)
	}
	return err
}
