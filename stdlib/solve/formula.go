// The coefficients of the multistep formulas in Nordsieck form.
//
// The state of a method of order q at time t is its history z[j] = h^j/j! d^j y/dt^j,
// j = 0..q, of the polynomial that the formula fits to the solution. A step of size h
// first predicts by a Taylor shift and then adds l[j]*e to each z[j], where e is the
// correction of y that makes the new point satisfy the equation. The polynomial l has
// l[0] = 1 and depends on the steps taken before:
//
//   - BDF in the fixed-leading-coefficient form (K. R. Jackson and R. Sacks-Davis, ACM
//     TOMS 6, 1980) has roots at the earlier points, the last of them moved so that
//     l[1] is what it is for constant steps;
//   - Adams in the variable-coefficient form has a derivative with roots there
//     (G. D. Byrne and A. C. Hindmarsh, ACM TOMS 1, 1975).
//
// The error constants are those of the same papers; the notation is that of S. D. Cohen
// and A. C. Hindmarsh, CVODE, Computers in Physics 10 (1996).

package solve

const (
	maxBDF    = 5
	maxAdams  = 12
	maxOrders = maxAdams
)

// A formula has the coefficients for one step.
type formula struct {
	l [maxOrders + 1]float64
	// Error constants: the local error at order q, q-1 and q+1 is error, lower times
	// z[q], and upper times the change of e.
	error, lower, upper float64
	// rise compares e of this step with that of the one before.
	rise float64
}

// history is what the coefficients depend on: the order, the step to be made and the
// steps before it, the latest first (past[1] is the last one).
type history struct {
	q    int
	h    float64
	past [maxOrders + 2]float64
}

// bdf computes the coefficients of the backward differentiation formula.
func (f *formula) bdf(s *history) {
	q := s.q
	l := f.l[:]
	clear(l)
	l[0], l[1] = 1, 1
	leading, hat := -1.0, -1.0 // coefficients of the fixed and the variable form
	last, moved := 1.0, 1.0    // inverses of the last root and of its new place
	sum := s.h
	if q > 1 {
		for j := 2; j < q; j++ {
			sum += s.past[j-1]
			leading -= 1 / float64(j)
			multiply(l[:j+1], s.h/sum)
		}
		leading -= 1 / float64(q)
		moved = -l[1] - leading
		sum += s.past[q-1]
		last = s.h / sum
		hat = -l[1] - last
		multiply(l[:q+1], moved)
	}
	a1 := 1 - hat + leading
	a2 := 1 + float64(float64(q)*a1)
	f.error = abs(a1 / (leading * a2))
	f.rise = abs(a2 * moved / (l[q] * last))
	f.lower = 1
	if q > 1 {
		a3, a4 := leading+1/float64(q), hat+last
		f.lower = abs(moved / l[q] * (1 - a4 + a3) / a3)
	}
	sum += s.past[q]
	last = s.h / sum
	a5, a6 := leading-1/float64(q+1), hat-last
	f.upper = abs((1 - a6 + a5) / a2 / (last * float64(q+2) * a5))
}

// multiply multiplies the polynomial p, whose last coefficient is still 0, by 1 + x/r,
// given 1/r.
func multiply(p []float64, inv float64) {
	for i := len(p) - 1; i >= 1; i-- {
		p[i] += float64(p[i-1] * inv)
	}
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}

// adams computes the coefficients of the Adams-Moulton formula.
func (f *formula) adams(s *history) {
	q := s.q
	clear(f.l[:])
	if q == 1 {
		f.l[0], f.l[1] = 1, 1
		f.error, f.lower, f.upper, f.rise = 0.5, 1, 1./12, 1
		return
	}
	var m [maxOrders + 1]float64 // product of 1 + x/root over the earlier points
	m[0] = 1
	sum := s.h
	for j := 1; j < q; j++ {
		if j == q-1 {
			f.lower = float64(q) * moment(m[:q-1], 2) / m[q-2]
		}
		multiply(m[:j+1], s.h/sum)
		sum += s.past[j]
	}
	inv := 1 / moment(m[:q], 1)
	f.l[0] = 1
	for i := 1; i <= q; i++ {
		f.l[i] = inv * m[i-1] / float64(i)
	}
	last := sum / s.h
	f.error = moment(m[:q], 2) * inv / last
	f.rise = last / f.l[q]
	multiply(m[:q+1], 1/last)
	f.upper = moment(m[:q+1], 2) * inv / float64(q+1)
	f.error, f.lower, f.upper, f.rise = abs(f.error), abs(f.lower), abs(f.upper), abs(f.rise)
}

// moment is the integral from -1 to 0 of x^(k-1) p(x), up to sign.
func moment(p []float64, k int) float64 {
	sum, sign := 0.0, 1.0
	for i, a := range p {
		sum += float64(sign * a / float64(i+k))
		sign = -sign
	}
	return sum
}
