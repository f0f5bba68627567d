// Explicit Runge-Kutta methods of order 5 with an embedded error estimate.
//
// The step size is controlled by the estimate alone, as in Hairer, Norsett and Wanner,
// Solving Ordinary Differential Equations I (2nd edition), section II.4; the first
// step is that of their section II.4 as well. Both methods are written with seven
// stages, the last of which is the rate at the new point and the first of the next
// step. A step ends at the first output time that is within its reach. Where there are
// many, Dormand and Prince's method steps to the last of them, since it has a continuous
// extension of order 4 (section II.6) for those that it passes.

package solve

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// Stages is the number of stages.
const Stages = 7

// strict is how much smaller than the tolerance a local error must be, so that errors of
// solutions, which are sums of local ones, stay below those of Stan at the same tolerance.
const strict = 5

// A Tableau has the coefficients of a method.
type Tableau struct {
	C [Stages]float64
	A [Stages][Stages]float64 // the last row has the weights of the solution
	E [Stages]float64         // weights of the error estimate
	d [Stages]float64         // weights of the continuous extension, if there is one
}

// dense reports whether there is a continuous extension.
func (t *Tableau) dense() bool { return t.d[0] != 0 }

// J. R. Dormand and P. J. Prince, J. Comp. Appl. Math. 6 (1980).
var dormandPrince = Tableau{
	C: [Stages]float64{0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1},
	A: [Stages][Stages]float64{
		{},
		{1. / 5},
		{3. / 40, 9. / 40},
		{44. / 45, -56. / 15, 32. / 9},
		{19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
		{9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
		{35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
	},
	E: [Stages]float64{71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40},
	d: [Stages]float64{-12715105075. / 11282082432, 0, 87487479700. / 32700410799, -10690763975. / 1880347072,
		701980252875. / 199316789632, -1453857185. / 822651844, 69997945. / 29380423},
}

// J. R. Cash and A. H. Karp, ACM TOMS 16 (1990), has no continuous extension.
var cashKarp = Tableau{
	C: [Stages]float64{0, 1. / 5, 3. / 10, 3. / 5, 1, 7. / 8, 1},
	A: [Stages][Stages]float64{
		{},
		{1. / 5},
		{3. / 40, 9. / 40},
		{3. / 10, -9. / 10, 6. / 5},
		{-11. / 54, 5. / 2, -70. / 27, 35. / 27},
		{1631. / 55296, 175. / 512, 575. / 13824, 44275. / 110592, 253. / 4096},
		{37. / 378, 0, 250. / 621, 125. / 594, 0, 512. / 1771},
	},
	E: [Stages]float64{37./378 - 2825./27648, 0, 250./621 - 18575./48384, 125./594 - 13525./55296,
		-277. / 14336, 512./1771 - 1./4},
}

// rungeKutta is a solver at work.
type rungeKutta struct {
	tab     *Tableau
	sys     System
	stepper Stepper // nil where steps are made stage by stage
	size    Size
	tol     Tolerance
	y, next []float64
	k       [Stages][]float64 // rates at the stages
	rates   []float64         // the same numbers, stage by stage
	between []float64         // the solution between steps, or the error of one
	made    [][]float64       // what the stepper gave for the present step
	count   int               // steps since the last output
}

func newRungeKutta(tab *Tableau, sys System, size Size, tol Tolerance) *rungeKutta {
	r := &rungeKutta{tab: tab, sys: sys, size: size, tol: tol}
	n := size.Len()
	r.rates = make([]float64, Stages*n)
	for i := range r.k {
		r.k[i] = r.rates[i*n : (i+1)*n]
	}
	r.y, r.next, r.between = make([]float64, n), make([]float64, n), make([]float64, n)
	r.stepper, _ = sys.(Stepper)
	return r
}

// derivative evaluates the rates of the states and their sensitivities.
func (r *rungeKutta) derivative(t float64, y, dy []float64) error {
	n, cols := r.size.States, r.size.columns()
	if cols == 0 {
		return r.sys.Rate(t, y, dy)
	}
	rows, err := r.sys.Gradients(t, y[:n], dy[:n])
	if err != nil {
		return err
	}
	product(rows, n, cols, y[n:], dy[n:])
	return nil
}

// Integrate solves from y at t to the times ts.
func (r *rungeKutta) Integrate(t float64, y, ts []float64, sink Sink) error {
	copy(r.y, y)
	r.count = 0
	next := 0
	for ; next < len(ts) && ts[next] <= t; next++ {
		if err := sink.At(next, r.y); err != nil {
			return err
		}
	}
	if next == len(ts) {
		return nil
	}
	if err := r.derivative(t, r.y, r.k[0]); err != nil {
		return err
	}
	h, err := r.firstStep(t, ts[len(ts)-1])
	if err != nil {
		return err
	}
	for next < len(ts) {
		var step float64
		end := r.reach(ts[next:], t+h)
		if step, h, err = r.advance(t, end, h); err != nil {
			if err == errSteps {
				err = tooManySteps(ts[next], r.tol.MaxSteps)
			}
			return err
		}
		from := t
		if t += step; math.Abs(end-t) <= 1e-15*math.Abs(end) {
			t = end
		}
		for ; next < len(ts) && ts[next] <= t; next++ {
			if err := sink.At(next, r.at(from, step, ts[next], t)); err != nil {
				return err
			}
			r.count = 0
		}
		r.y, r.next = r.next, r.y
		copy(r.k[0], r.rate(Stages-1))
	}
	return nil
}

// rate returns the rates at a stage of the present step.
func (r *rungeKutta) rate(i int) []float64 {
	if r.made != nil && i > 0 {
		return r.made[i]
	}
	return r.k[i]
}

// crowd is the greatest number of output times within one step at which steps end: ending a step
// at a time is more accurate than the continuous extension.
const crowd = 4

// reach returns the output time at which the next step ends, which would otherwise end at end: the
// first, or the last before end where there are more than crowd.
func (r *rungeKutta) reach(ts []float64, end float64) float64 {
	if !r.tab.dense() || len(ts) <= crowd || ts[crowd] > end {
		return ts[0]
	}
	last := ts[crowd]
	for _, t := range ts[crowd:] {
		if t > end {
			break
		}
		last = t
	}
	return last
}

// errSteps reports that the step limit was reached.
var errSteps = &Error{"too many steps"}

// advance makes one accepted step towards end, from y to next. It gives the step and
// the size to try for the one after it.
func (r *rungeKutta) advance(t, end, h float64) (step, after float64, err error) {
	for n := 0; ; n++ {
		if r.count++; r.count > r.tol.MaxSteps {
			return 0, 0, errSteps
		}
		step = math.Min(h, end-t)
		if t+step == t {
			return 0, 0, stepTooSmall(t)
		}
		norm, err := r.try(t, step)
		if err != nil {
			return 0, 0, err
		}
		factor := 5.0
		if norm > 0 {
			factor = math.Min(5, math.Max(0.2, 0.9*libm.Exp(-0.2*libm.Log(norm))))
		}
		if norm <= 1 {
			if n > 0 {
				factor = math.Min(factor, 1)
			}
			if step < h { // cut short by end: the size tried before is still good
				return step, math.Max(h, step*factor), nil
			}
			return step, step * factor, nil
		}
		h = step * math.Min(factor, 0.9)
	}
}

// try makes one step into next and gives its error in units of the tolerance, the
// greatest of all numbers.
func (r *rungeKutta) try(t, h float64) (float64, error) {
	if r.stepper != nil {
		out, err := r.stepper.Step(t, h, r.y, r.k[0])
		if err != nil {
			return 0, err
		}
		if r.made = out; out != nil {
			copy(r.next, out[0])
			return r.worst(out[Stages]), nil
		}
	}
	for i := 1; i < Stages; i++ {
		copy(r.next, r.y)
		r.add(r.next, h, r.tab.A[i][:i])
		if err := r.derivative(t+float64(r.tab.C[i]*h), r.next, r.k[i]); err != nil {
			return 0, err
		}
	}
	clear(r.between)
	r.add(r.between, h, r.tab.E[:])
	return r.worst(r.between), nil
}

// add adds h times the rates with their weights to out.
func (r *rungeKutta) add(out []float64, h float64, weights []float64) {
	var by [Stages]float64
	for i, w := range weights {
		by[i] = h * w
	}
	vec.AddMatVec(out, r.rates, len(out), by[:len(weights)])
}

// worst is the greatest error, of those that estimate has, in units of the tolerance.
func (r *rungeKutta) worst(estimate []float64) float64 {
	n, cols := r.size.States, r.size.columns()
	worst := 0.0
	for i := range n {
		worst = r.worstOf(worst, i, estimate, i, i+1)
		worst = r.worstOf(worst, i, estimate, n+i*cols, n+(i+1)*cols)
	}
	return worst
}

// worstOf is the greatest of worst and the errors of the numbers from..to, which are state i or
// its sensitivities. It divides only by what may make it greater.
func (r *rungeKutta) worstOf(worst float64, i int, estimate []float64, from, to int) float64 {
	abs, rel := r.tol.abs(i), r.tol.Rel
	y, next := r.y[from:to], r.next[from:to]
	for k, e := range estimate[from:to] {
		size, end := math.Abs(y[k]), math.Abs(next[k])
		if end > size {
			size = end
		}
		e, scale := strict*math.Abs(e), abs+float64(rel*size)
		if !(e <= worst*scale) || e > math.MaxFloat64 {
			worst = worse(worst, e/scale)
		}
	}
	return worst
}

// scale is the error that state i of the given size may have.
func (r *rungeKutta) scale(i int, size float64) float64 {
	return r.tol.abs(i) + float64(r.tol.Rel*size)
}

// firstStep chooses the first step from the sizes of the solution and of its first two
// derivatives.
func (r *rungeKutta) firstStep(t, end float64) (float64, error) {
	d0, d1 := 0.0, 0.0
	for i := range r.size.States {
		scale := r.scale(i, math.Abs(r.y[i]))
		d0 = math.Max(d0, math.Abs(r.y[i])/scale)
		d1 = math.Max(d1, math.Abs(r.k[0][i])/scale)
	}
	h := 1e-6
	if d0 > 1e-5 && d1 > 1e-5 {
		h = 0.01 * d0 / d1
	}
	h = math.Min(h, end-t)
	n := r.size.States
	copy(r.next, r.y)
	axpy(r.next[:n], h, r.k[0][:n])
	if err := r.sys.Rate(t+h, r.next[:n], r.k[1][:n]); err != nil {
		return 0, err
	}
	d2 := 0.0
	for i := range n {
		d2 = math.Max(d2, math.Abs(r.k[1][i]-r.k[0][i])/r.scale(i, math.Abs(r.y[i]))/h)
	}
	h1 := math.Max(1e-6, h*1e-3)
	if m := math.Max(d1, d2); m > 1e-15 {
		h1 = libm.Pow(0.01/m, 0.2)
	}
	if h1 = math.Min(100*h, h1); !(h1 > 0) { // a rate that is no number: let the step control see to it
		h1 = h
	}
	return math.Min(h1, end-t), nil
}

// at returns the solution at s, where the step of size h from time from has just led to
// t.
func (r *rungeKutta) at(from, h, s, t float64) []float64 {
	if s == t || !r.tab.dense() {
		return r.next
	}
	for i, k := range r.k {
		copy(k, r.rate(i))
	}
	x := (s - from) / h
	var weights [Stages]float64
	for i, b := range r.tab.A[Stages-1] {
		first, last := 0.0, 0.0
		switch i {
		case 0:
			first = 1
		case Stages - 1:
			last = 1
		}
		bend := first - b
		weights[i] = x * (b + float64((1-x)*(bend+float64(x*(b-last-bend+float64((1-x)*r.tab.d[i]))))))
	}
	copy(r.between, r.y)
	r.add(r.between, h, weights[:])
	return r.between
}
