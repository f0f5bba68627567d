// This file chooses the numbers of priors by wanted quantiles.

package elicit

import (
	"context"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// What matching takes: steps at most, and the difference that derivatives are taken by, in large steps of a number.
const (
	mostSteps  = 30
	difference = 0.05
	// enough is the sum of squares, in units of the wanted range, below which there is nothing to gain.
	enough = 1e-6
)

// match finds numbers by which quantities have the wanted quantiles, and looks at them with other random numbers.
func (f *Figures) match(ctx context.Context, o Options) error {
	m := &matcher{Options: o, ctx: ctx}
	for k := range o.Numbers {
		if !o.Fixed[k] {
			m.moved = append(m.moved, k)
		}
	}
	u := make([]float64, len(m.moved))
	for i, k := range m.moved {
		u[i] = o.Numbers[k].free(o.Numbers[k].Value)
	}
	u, err := m.minimise(u)
	if err != nil {
		return err
	}
	values := m.values(u)
	for _, k := range m.moved {
		f.Found = append(f.Found, Moved{Number: o.Numbers[k], To: values[k]})
	}
	sets, undrawn, err := o.Simulate(ctx, values, 2*o.Sets, o.Seed+1)
	if err != nil {
		return err
	}
	f.Undrawn = max(f.Undrawn, undrawn)
	for i, q := range o.Quantities {
		f.Quantities[i].found(q, sets[i])
	}
	return nil
}

// A matcher minimises.
type matcher struct {
	Options
	ctx   context.Context
	moved []int // numbers that are chosen
}

// values are those of all numbers, rounded to what is shown.
func (m *matcher) values(u []float64) []float64 {
	out := valuesOf(m.Numbers)
	for i, k := range m.moved {
		out[k] = rounded(m.Numbers[k].back(u[i]))
	}
	return out
}

// residuals are simulated less wanted quantiles, in units of the range of what is wanted of a quantity.
func (m *matcher) residuals(u []float64) ([]float64, error) {
	values := valuesOf(m.Numbers)
	for i, k := range m.moved {
		values[k] = m.Numbers[k].back(u[i])
	}
	sets, _, err := m.Simulate(m.ctx, values, m.Sets, m.Seed)
	if err != nil {
		return nil, err
	}
	var out []float64
	for i, q := range m.Quantities {
		if len(q.Want) == 0 {
			continue
		}
		x, unit := spread(pooled(sets[i])), wantedRange(q.Want)
		for _, w := range q.Want {
			out = append(out, (draws.Quantile(x, w.Share)-w.Value)/unit)
		}
	}
	return out, nil
}

// spread distributes equal whole numbers, sorted, over the interval of length 1 about them, so that quantiles change with the distribution.
func spread(x []float64) []float64 {
	for _, v := range x {
		if v != math.Trunc(v) {
			return x
		}
	}
	for i := 0; i < len(x); {
		n := 1
		for i+n < len(x) && x[i+n] == x[i] {
			n++
		}
		v := x[i]
		for k := range n {
			x[i+k] = v - 0.5 + (float64(k)+0.5)/float64(n)
		}
		i += n
	}
	return x
}

func wantedRange(want []Wanted) float64 {
	low, high := want[0].Value, want[0].Value
	for _, w := range want {
		low, high = min(low, w.Value), max(high, w.Value)
	}
	switch {
	case high > low:
		return high - low
	case high != 0:
		return math.Abs(high)
	}
	return 1
}

// squares is the sum of squares; infinite where a number is none.
func squares(x []float64) (sum float64) {
	for _, v := range x {
		sum += float64(v * v)
	}
	if math.IsNaN(sum) {
		return math.Inf(1)
	}
	return sum
}

// minimise goes down from u by Levenberg and Marquardt's method.
func (m *matcher) minimise(u []float64) ([]float64, error) {
	r, err := m.residuals(u)
	if err != nil {
		return nil, err
	}
	damping := 1e-2
	for range mostSteps {
		if squares(r) < enough {
			break
		}
		jacobian, err := m.jacobian(u, r)
		if err != nil {
			return nil, err
		}
		gained := false
		for damping < 1e6 && !gained {
			next := stepDown(u, r, jacobian, damping)
			other, err := m.residuals(next)
			if err != nil {
				return nil, err
			}
			if gained = squares(other) < squares(r)*(1-1e-4); gained {
				u, r = next, other
				damping /= 10
			} else {
				damping *= 5
			}
		}
		if !gained {
			break
		}
	}
	return u, nil
}

// jacobian has the derivatives of residuals by each number, by forward differences.
func (m *matcher) jacobian(u, r []float64) ([][]float64, error) {
	out := make([][]float64, len(u))
	for i := range u {
		v := append([]float64(nil), u...)
		v[i] += difference
		other, err := m.residuals(v)
		if err != nil {
			return nil, err
		}
		out[i] = make([]float64, len(r))
		for k := range r {
			if d := (other[k] - r[k]) / difference; d-d == 0 {
				out[i][k] = d
			}
		}
	}
	return out, nil
}

// largest is the longest step of a number, in large steps.
const largest = 3

// stepDown is a damped step.
func stepDown(u, r []float64, jacobian [][]float64, damping float64) []float64 {
	n := len(u)
	a, b := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			sum := 0.0
			for k := range r {
				sum += float64(jacobian[i][k] * jacobian[j][k])
			}
			if i == j {
				sum += damping
			}
			a.SetSym(i, j, sum)
		}
		sum := 0.0
		for k := range r {
			sum -= float64(jacobian[i][k] * r[k])
		}
		b.SetVec(i, sum)
	}
	next := append([]float64(nil), u...)
	var c mat.Cholesky
	var x mat.VecDense
	if !c.Factorize(a) || c.SolveVecTo(&x, b) != nil {
		return next
	}
	for i := range next {
		next[i] += min(max(x.AtVec(i), -largest), largest)
	}
	return next
}
