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
)

const stages = 7

// strict is how much smaller than the tolerance a local error must be, so that errors of
// solutions, which are sums of local ones, stay below those of Stan at the same tolerance.
const strict = 5

// A tableau has the coefficients of a method.
type tableau struct {
	c     [stages]float64
	a     [stages][stages - 1]float64 // the last row has the weights of the solution
	e     [stages]float64             // weights of the error estimate
	d     [stages]float64             // weights of the continuous extension
	dense bool                        // whether there is one
}

// J. R. Dormand and P. J. Prince, J. Comp. Appl. Math. 6 (1980).
var dormandPrince = tableau{
	c: [stages]float64{0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1},
	a: [stages][stages - 1]float64{
		{},
		{1. / 5},
		{3. / 40, 9. / 40},
		{44. / 45, -56. / 15, 32. / 9},
		{19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
		{9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
		{35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
	},
	e: [stages]float64{71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40},
	d: [stages]float64{-12715105075. / 11282082432, 0, 87487479700. / 32700410799, -10690763975. / 1880347072,
		701980252875. / 199316789632, -1453857185. / 822651844, 69997945. / 29380423},
	dense: true,
}

// J. R. Cash and A. H. Karp, ACM TOMS 16 (1990).
var cashKarp = tableau{
	c: [stages]float64{0, 1. / 5, 3. / 10, 3. / 5, 1, 7. / 8, 1},
	a: [stages][stages - 1]float64{
		{},
		{1. / 5},
		{3. / 40, 9. / 40},
		{3. / 10, -9. / 10, 6. / 5},
		{-11. / 54, 5. / 2, -70. / 27, 35. / 27},
		{1631. / 55296, 175. / 512, 575. / 13824, 44275. / 110592, 253. / 4096},
		{37. / 378, 0, 250. / 621, 125. / 594, 0, 512. / 1771},
	},
	e: [stages]float64{37./378 - 2825./27648, 0, 250./621 - 18575./48384, 125./594 - 13525./55296,
		-277. / 14336, 512./1771 - 1./4},
}

// rungeKutta is a solver at work.
type rungeKutta struct {
	tab     *tableau
	sys     System
	size    Size
	tol     Tolerance
	y, next []float64
	k       [stages][]float64
	between []float64 // the solution between steps
	count   int       // steps since the last output
}

func newRungeKutta(tab *tableau, sys System, size Size, tol Tolerance) *rungeKutta {
	r := &rungeKutta{tab: tab, sys: sys, size: size, tol: tol}
	n := size.Len()
	for i := range r.k {
		r.k[i] = make([]float64, n)
	}
	r.y, r.next, r.between = make([]float64, n), make([]float64, n), make([]float64, n)
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
		r.k[0], r.k[stages-1] = r.k[stages-1], r.k[0]
	}
	return nil
}

// crowd is how many output times a step may end at where it could pass them all: to
// step to a time is more accurate than the continuous extension.
const crowd = 4

// reach is the output time at which a step to the time end must end: the first, or the
// last that it does not pass where there are very many.
func (r *rungeKutta) reach(ts []float64, end float64) float64 {
	if !r.tab.dense || len(ts) <= crowd || ts[crowd] > end {
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
			factor = math.Min(5, math.Max(0.2, 0.9*libm.Pow(norm, -0.2)))
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
	for i := 1; i < stages; i++ {
		r.combine(r.next, r.y, h, r.tab.a[i][:i])
		if err := r.derivative(t+float64(r.tab.c[i]*h), r.next, r.k[i]); err != nil {
			return 0, err
		}
	}
	clear(r.between)
	r.combine(r.between, r.between, h, r.tab.e[:])
	return r.worst(), nil
}

// combine sets out to y and h times the rates with their weights, added one after the
// other. Rates are taken three at a time, which saves passes over the numbers.
func (r *rungeKutta) combine(out, y []float64, h float64, weights []float64) {
	var at [stages]int
	n := 0
	for j, w := range weights {
		if w != 0 {
			at[n] = j
			n++
		}
	}
	for i := 0; i < n; i += 3 {
		j := at[i]
		switch n - i {
		case 1:
			plus1(out, y, h*weights[j], r.k[j])
		case 2:
			k := at[i+1]
			plus2(out, y, h*weights[j], r.k[j], h*weights[k], r.k[k])
		default:
			k, l := at[i+1], at[i+2]
			plus3(out, y, h*weights[j], r.k[j], h*weights[k], r.k[k], h*weights[l], r.k[l])
		}
		y = out
	}
}

// worst is the greatest error, of those between has, in units of the tolerance.
func (r *rungeKutta) worst() float64 {
	n, cols := r.size.States, r.size.columns()
	worst := 0.0
	for i := range n {
		worst = r.worstOf(worst, i, i, i+1)
		worst = r.worstOf(worst, i, n+i*cols, n+(i+1)*cols)
	}
	return worst
}

// worstOf is the greatest of worst and the errors of the numbers from..to, which are state i or
// its sensitivities.
func (r *rungeKutta) worstOf(worst float64, i, from, to int) float64 {
	abs, rel := r.tol.abs(i), r.tol.Rel
	y, next := r.y[from:to], r.next[from:to]
	for k, e := range r.between[from:to] {
		worst = worse(worst, strict*math.Abs(e)/(abs+float64(rel*max(math.Abs(y[k]), math.Abs(next[k])))))
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
	if s == t || !r.tab.dense {
		return r.next
	}
	x := (s - from) / h
	k0, k6 := r.k[0], r.k[stages-1]
	for i := range r.between {
		rise := r.next[i] - r.y[i]
		bend := float64(h*k0[i]) - rise
		top := 0.0
		for j, d := range r.tab.d {
			top += float64(d * r.k[j][i])
		}
		r.between[i] = r.y[i] + float64(x*(rise+float64((1-x)*(bend+float64(x*(rise-float64(h*k6[i])-bend+float64((1-x)*h*top)))))))
	}
	return r.between
}
