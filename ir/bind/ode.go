// Initial value problems by the Runge-Kutta method of Dormand and Prince, order 5
// with an embedded error estimate of order 4 (J. Comp. Appl. Math. 6, 1980; step
// size control as in Hairer, Norsett and Wanner, Solving Ordinary Differential
// Equations I, section II.4), with forward sensitivities.
//
// The step size is chosen from the error of the states alone, so that value and
// gradient evaluations take the same steps and the gradient is that of the value
// which is returned.

package bind

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// An odeProblem is one call of a solver; as an autodiff.Opaque its inputs are the
// initial state, the initial time, the times, and the active arguments of the
// right-hand side. Its output has the states at each time, time by time.
type odeProblem struct {
	name   string
	tol    tolerances
	states int
	times  int
	params int // numbers in the active arguments
	rhs    *traced
	active []bool // of a fused call: which inputs need sensitivities
}

// Fused gives the solver that returns the solution and its Jacobian together.
func (p *odeProblem) Fused(active []bool) (autodiff.Opaque, bool) {
	f := *p
	f.active = active
	return &f, true
}

// Instance makes the working memory of one machine.
func (p *odeProblem) Instance() autodiff.Instance {
	s := &odeSolver{p: p, rhs: p.rhs.runner(), z: make([]float64, 1+p.states+p.params)}
	if p.active != nil {
		s.columns = p.states + p.params
	}
	n := p.states * (1 + s.columns)
	for i := range s.k {
		s.k[i] = make([]float64, n)
	}
	s.y, s.next = make([]float64, n), make([]float64, n)
	return s
}

// An odeSolver integrates states and, with columns > 0, their derivatives with
// respect to the initial state and the active arguments: y holds the states, then
// one column of that length for each.
type odeSolver struct {
	p       *odeProblem
	rhs     *runner
	columns int
	z       []float64
	y, next []float64
	k       [7][]float64
	steps   int
}

// The coefficients of the method.
var (
	dpC = [7]float64{0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1}
	dpA = [7][6]float64{
		{},
		{1. / 5},
		{3. / 40, 9. / 40},
		{44. / 45, -56. / 15, 32. / 9},
		{19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
		{9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
		{35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
	}
	// Difference of the two solutions' weights.
	dpE = [7]float64{71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40}
)

// Value integrates from time to time.
func (s *odeSolver) Value(in [][]float64, out []float64) error {
	p := s.p
	y0, t, ts := in[0], in[1][0], in[2]
	at := 1 + p.states
	for _, a := range in[3:] {
		at += copy(s.z[at:], a)
	}
	clear(s.y)
	copy(s.y, y0)
	for j := range min(p.states, s.columns) { // d y / d y0 is the identity
		s.y[(1+j)*p.states+j] = 1
	}
	if err := s.derivative(t, s.y, s.k[0]); err != nil {
		return err
	}
	start := append([]float64(nil), s.startRate()...)
	h := s.firstStep(t, ts)
	for n, end := range ts {
		s.steps = 0
		var err error
		if t, h, err = s.advance(t, end, h); err != nil {
			return err
		}
		s.report(n, start, in, out)
	}
	return nil
}

// startRate is dy/dt at the initial time, which the derivative with respect to that
// time needs.
func (s *odeSolver) startRate() []float64 {
	if s.columns == 0 || !s.p.active[1] {
		return nil
	}
	return s.k[0][:s.p.states]
}

// derivative evaluates the right-hand side and, for the sensitivities, the
// variational equation dS/dt = J_y S + J_args.
func (s *odeSolver) derivative(t float64, y, dy []float64) error {
	n := s.p.states
	s.z[0] = t
	copy(s.z[1:1+n], y[:n])
	m, err := s.rhs.run(s.z)
	if err != nil {
		return err
	}
	copy(dy[:n], m.Root(0))
	if s.columns == 0 {
		return nil
	}
	for i := range n {
		row := m.Root(1 + i)[1:]
		for c := range s.columns {
			sens := y[(1+c)*n : (2+c)*n]
			sum := 0.0
			if c >= n {
				sum = row[c]
			}
			for j, v := range sens {
				sum += float64(row[j] * v)
			}
			dy[(1+c)*n+i] = sum
		}
	}
	return nil
}

// firstStep chooses a first step from the size of the solution and its rate.
func (s *odeSolver) firstStep(t float64, ts []float64) float64 {
	if len(ts) == 0 {
		return 0
	}
	d0, d1 := 0.0, 0.0
	for i := range s.p.states {
		scale := s.p.tol.abs + s.p.tol.rel*math.Abs(s.y[i])
		d0 = math.Max(d0, math.Abs(s.y[i])/scale)
		d1 = math.Max(d1, math.Abs(s.k[0][i])/scale)
	}
	h := 1e-6
	if d0 > 1e-5 && d1 > 1e-5 {
		h = 0.01 * d0 / d1
	}
	return math.Min(h, math.Max(ts[len(ts)-1]-t, 0))
}

// advance integrates to end, where k[0] holds the rate at t; h is the step size to
// try first, and the one returned that to try next.
func (s *odeSolver) advance(t, end, h float64) (float64, float64, error) {
	for t < end {
		if s.steps++; s.steps > s.p.tol.maxSteps {
			return t, h, &stdlib.DomainError{Func: s.p.name, Text: fmt.Sprintf(
				"time %g was not reached in max_num_steps = %d steps", end, s.p.tol.maxSteps)}
		}
		step := math.Min(h, end-t)
		last := step >= end-t
		if t+step == t {
			return t, h, &stdlib.DomainError{Func: s.p.name, Text: fmt.Sprintf("the step size became too small at time %g", t)}
		}
		errNorm, err := s.try(t, step)
		if err != nil {
			return t, h, err
		}
		factor := 5.0
		if errNorm > 0 {
			factor = math.Min(5, math.Max(0.2, 0.9*math.Pow(errNorm, -0.2)))
		}
		if !(errNorm <= 1) { // NaN as well
			if math.IsNaN(errNorm) {
				factor = 0.2
			}
			h = step * math.Min(factor, 1)
			continue
		}
		t += step
		if last {
			t = end
		}
		s.y, s.next = s.next, s.y
		s.k[0], s.k[6] = s.k[6], s.k[0] // the last stage is the next step's first
		if !last || step*factor > h {
			h = step * factor
		}
	}
	return t, h, nil
}

// try makes one step into next and gives its error in units of the tolerance.
func (s *odeSolver) try(t, h float64) (float64, error) {
	for i := 1; i < 7; i++ {
		copy(s.next, s.y)
		for j := range i {
			a := h * dpA[i][j]
			if a == 0 {
				continue
			}
			for c, k := range s.k[j] {
				s.next[c] += float64(a * k)
			}
		}
		if err := s.derivative(t+dpC[i]*h, s.next, s.k[i]); err != nil {
			return 0, err
		}
	}
	worst := 0.0
	for c := range s.p.states {
		e := 0.0
		for i := range s.k {
			e += float64(dpE[i] * s.k[i][c])
		}
		scale := s.p.tol.abs + s.p.tol.rel*math.Max(math.Abs(s.y[c]), math.Abs(s.next[c]))
		e = math.Abs(h*e) / scale
		if !(e <= worst) {
			worst = e
		}
	}
	return worst, nil
}

// report writes the solution at time n and, in a fused call, its row of the
// Jacobian: column-major after the values, one column for each active number.
func (s *odeSolver) report(n int, start []float64, in [][]float64, out []float64) {
	p := s.p
	k := p.states
	copy(out[n*k:(n+1)*k], s.y[:k])
	if p.active == nil {
		return
	}
	rows := k * p.times
	col := 1 // columns of out, the values being number 0
	put := func(c int, v func(i int) float64) {
		for i := range k {
			out[c*rows+n*k+i] = v(i)
		}
	}
	sens := func(c, i int) float64 { return s.y[(1+c)*k+i] }
	if p.active[0] {
		for c := range k {
			put(col, func(i int) float64 { return sens(c, i) })
			col++
		}
	}
	if p.active[1] { // starting later moves the initial state back along the flow
		put(col, func(i int) float64 {
			v := 0.0
			for c := range k {
				v -= float64(sens(c, i) * start[c])
			}
			return v
		})
		col++
	}
	if p.active[2] {
		for c := range p.times {
			put(col, func(i int) float64 {
				if c == n {
					return s.k[0][i]
				}
				return 0
			})
			col++
		}
	}
	at := k
	for j := 3; j < len(in); j++ {
		for range in[j] {
			if p.active[j] {
				put(col, func(i int) float64 { return sens(at, i) })
				col++
			}
			at++
		}
	}
}

// VJP multiplies with the Jacobian of the fused form; the tape uses it.
func (s *odeSolver) VJP(in [][]float64, out, adj []float64, din [][]float64) {
	active := make([]bool, len(din))
	size := len(out)
	for i, d := range din {
		active[i] = d != nil
		size += len(out) * len(d)
	}
	fused, _ := s.p.Fused(active)
	all := make([]float64, size)
	if fused.Instance().Value(in, all) != nil {
		return // it was solved before, so this cannot fail
	}
	col := all[len(out):]
	for _, d := range din {
		for j := range d {
			for i, a := range adj {
				d[j] += float64(a * col[i])
			}
			col = col[len(out):]
		}
	}
}
