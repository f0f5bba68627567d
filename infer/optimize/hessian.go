// This file takes the Hessian of a log density by differences of gradients.

package optimize

import (
	"errors"
	"math"

	"github.com/seed-12b88e03/ppl/infer"
)

const (
	levels      = 3    // distances of one extrapolation
	goodColumn  = 1e-7 // relative error at which no other distance is tried
	GoodHessian = 1e-5 // relative error up to which a Hessian counts as exact
)

// Hessian is a symmetric matrix of second derivatives, row by row.
type Hessian struct {
	At          []float64 // dim*dim numbers
	Error       float64   // greatest estimated error of an entry over the geometric mean of its row's and column's curvatures
	Evaluations int       // gradients that it took
}

// errNeighbour reports that there is no room for differences.
var errNeighbour = errors.New("the log density is rejected right beside the mode")

// differences has the memory of one Hessian.
type differences struct {
	target   infer.Target
	x        []float64
	up, down []float64
	table    [levels][]float64 // columns, extrapolated in place
	change   []float64         // what the last extrapolation did
	best     []float64
	bestErr  []float64
	count    int
}

// NewHessian differentiates the gradient of t at x.
func NewHessian(t infer.Target, x []float64) (*Hessian, error) {
	n := len(x)
	d := &differences{
		target: t, x: append([]float64(nil), x...), up: make([]float64, n), down: make([]float64, n),
		change: make([]float64, n), best: make([]float64, n), bestErr: make([]float64, n),
	}
	for l := range d.table {
		d.table[l] = make([]float64, n)
	}
	scales, err := d.scales()
	if err != nil {
		return nil, err
	}
	h := &Hessian{At: make([]float64, n*n)}
	errs := make([]float64, n*n)
	for j := range n {
		if err := d.column(j, scales); err != nil {
			return nil, err
		}
		for i := range n {
			h.At[i*n+j] = d.best[i]
			errs[i*n+j] = d.bestErr[i]
		}
	}
	h.finish(errs, n)
	h.Evaluations = d.count
	return h, nil
}

// finish symmetrises and sums up the errors.
func (h *Hessian) finish(errs []float64, n int) {
	for i := range n {
		for j := range i + 1 {
			a, b := h.At[i*n+j], h.At[j*n+i]
			size := math.Sqrt(math.Abs(h.At[i*n+i] * h.At[j*n+j]))
			e := max(errs[i*n+j], errs[j*n+i], math.Abs(a-b)/2)
			if size > 0 {
				h.Error = max(h.Error, e/size)
			}
			h.At[i*n+j], h.At[j*n+i] = (a+b)/2, (a+b)/2
		}
	}
}

// scales are the coordinates' conditional standard deviations, roughly: from a
// one-step difference each, at a distance of less than one of them.
func (d *differences) scales() ([]float64, error) {
	s := make([]float64, len(d.x))
	for j := range s {
		size := max(1, math.Abs(d.x[j]))
		h := 1e-4 * size
		for try := 0; ; try++ {
			ok, err := d.central(j, h, d.change)
			if err != nil {
				return nil, err
			}
			s[j] = min(1/math.Sqrt(math.Abs(d.change[j])), 10*size)
			if ok && s[j] >= h {
				break
			}
			if try == 20 {
				return nil, errNeighbour
			}
			h /= 8
		}
	}
	return s, nil
}

// central writes the central difference of the gradient in coordinate j at
// distance h; ok is false where an end is rejected.
func (d *differences) central(j int, h float64, out []float64) (ok bool, err error) {
	at := d.x[j]
	defer func() { d.x[j] = at }()
	high, low := at+h, at-h // h as the floating-point numbers have it
	for _, end := range []struct {
		x    float64
		grad []float64
	}{{high, d.up}, {low, d.down}} {
		d.x[j] = end.x
		d.count++
		if _, err := d.target.LogDensityGrad(d.x, end.grad); err != nil {
			if infer.IsReject(err) {
				return false, nil
			}
			return false, err
		}
	}
	for i := range out {
		out[i] = (d.up[i] - d.down[i]) / (high - low)
		if math.IsNaN(out[i]) || math.IsInf(out[i], 0) {
			return false, nil
		}
	}
	return true, nil
}

// column fills best and bestErr with column j.
func (d *differences) column(j int, scales []float64) error {
	least := math.Inf(1)
	for _, factor := range []float64{0.1, 0.025, 0.4, 0.005, 0.001} {
		ok, err := d.extrapolate(j, factor*scales[j])
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		var e float64
		for i, c := range d.change {
			e = max(e, math.Abs(c)*scales[i]*scales[j])
		}
		if e < least {
			least = e
			copy(d.best, d.table[0])
			for i, c := range d.change {
				d.bestErr[i] = math.Abs(c)
			}
		}
		if least <= goodColumn {
			break
		}
	}
	if math.IsInf(least, 1) {
		return errNeighbour
	}
	return nil
}

// extrapolate leaves the column at distance zero in table[0] and the last
// change in change. Central differences have an error in even powers of h.
func (d *differences) extrapolate(j int, h float64) (ok bool, err error) {
	for l := range d.table {
		if ok, err := d.central(j, h, d.table[l]); !ok || err != nil {
			return false, err
		}
		h /= 2
	}
	weight := 1.0
	for depth := 1; depth < levels; depth++ {
		weight = float64(weight * 4)
		for l := range levels - depth {
			for i := range d.change {
				d.change[i] = (d.table[l+1][i] - d.table[l][i]) / (weight - 1)
				d.table[l][i] = d.table[l+1][i] + d.change[i]
			}
		}
	}
	return true, nil
}
