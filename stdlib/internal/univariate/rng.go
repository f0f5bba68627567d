// This file is the driver of _rng functions.

package univariate

import (
	"math"
	"math/rand/v2"
	"sync"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// newDrawer makes the kernel of NAME_rng; args are the parameters.
func newDrawer(d *catalogue.Distribution, name string, args []catalogue.Argument) *catalogue.Drawer {
	points := sync.Pool{New: func() any {
		p := make([]float64, len(args)+1)
		return &p
	}}
	return &catalogue.Drawer{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			if err := catalogue.ConsistentSizes(args, in); err != nil {
				return nil, err
			}
			for j := range in {
				if len(in[j].Dims) > 0 {
					return []int{len(in[j].X)}, nil
				}
			}
			return nil, nil
		},
		Draw: func(r *rand.Rand, in []catalogue.Tensor, out []float64) error {
			point := points.Get().(*[]float64)
			defer points.Put(point)
			return DrawAll(d, name, args, r, in, out, *point)
		},
	}
}

// DrawAll checks the parameters and fills out. point is scratch for the variate
// (not a number here, as it is yet to be drawn) and the parameters.
func DrawAll(d *catalogue.Distribution, name string, args []catalogue.Argument, r *rand.Rand, in []catalogue.Tensor, out, point []float64) error {
	for j := range in {
		req := &d.Requires[j+1]
		if i := req.FirstBad(in[j].X); i >= 0 {
			return catalogue.ArgumentError(name, args[j].Name, in[j], i, req.Text)
		}
	}
	for i := range out {
		point[0] = math.NaN()
		catalogue.Gather(in, i, point[1:])
		if bad := undrawable(d, point); bad != nil {
			j := bad.Arg - 1
			return catalogue.ArgumentError(name, args[j].Name, in[j], i%len(in[j].X), bad.Must)
		}
		out[i] = d.Draw(r, point[1:])
	}
	return nil
}

// undrawable reports what is wrong with the parameters, which follow the variate in
// point.
func undrawable(d *catalogue.Distribution, point []float64) *catalogue.Violation {
	if d.Valid != nil {
		if bad := d.Valid(point); bad != nil {
			return bad
		}
	}
	if d.Drawable != nil {
		return d.Drawable(point[1:])
	}
	return nil
}

// maxMean bounds the mean of counts that are drawn, so that they fit an integer.
const maxMean = 1 << 29

// countable makes a Drawable that bounds the mean of a count.
func countable(arg int, mean func(p []float64) float64) func(p []float64) *catalogue.Violation {
	return func(p []float64) *catalogue.Violation {
		if mean(p) < maxMean {
			return nil
		}
		return &catalogue.Violation{Arg: arg, Must: "such that the mean of the count is below 2^29"}
	}
}
