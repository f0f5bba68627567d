// This file estimates the bound of a result with less noise than its draws
// would give.

package vi

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

const (
	sharpDraws = 4000 // points of the sharpened estimate
	sharpDim   = 300  // largest dimension for which a matrix pays
	sharpError = 0.02 // standard error in nats that is good enough as it is

	sharpTogether = 20 // points that are evaluated together
)

// sharpen estimates E_q[r], r = log p - log q, with the quadratic part of r
// taken out: in the standard normal coordinates e of q, the gradient g of r
// has E[g] = b and E[g e'] = M, the first and second derivatives of r on
// average (Stein's identity), so r - b'e - (e'Me - tr M)/2 has the same mean
// and no quadratic part. Each half of the points has b and M from the other
// half, which keeps the estimate unbiased. It returns nil where a point has no
// density.
func sharpen(t infer.Target, q *normal.Normal, r *rand.Rand) (*infer.Estimate, error) {
	d := q.Dim()
	e := make([][]float64, sharpDraws)
	ratios := make([]float64, sharpDraws)
	var halves [2]quadratic
	for h := range halves {
		halves[h] = quadratic{b: make([]float64, d), m: make([]float64, d*d)}
	}
	g := make([]float64, d)
	points := infer.NewPoints(sharpTogether, d)
	for from := 0; from < sharpDraws; from += sharpTogether {
		for k, x := range points.Q {
			z := make([]float64, d)
			for i := range z {
				z[i] = variate.Normal(r)
			}
			e[from+k] = z
			q.Place(z, x)
		}
		points.Gradients(t, sharpTogether)
		for i, x := range points.Q {
			k := from + i
			lp, err := points.LogDensity[i], points.Err[i]
			if err != nil && !infer.IsReject(err) {
				return nil, err
			}
			ratios[k] = lp - q.LogDensity(x)
			if err != nil || math.IsNaN(ratios[k]) || math.IsInf(ratios[k], 0) {
				return nil, nil
			}
			q.Pull(points.Grad[i], g)
			for i := range g {
				g[i] += e[k][i]
			}
			halves[k%2].add(g, e[k], sharpDraws/2)
		}
	}
	for k := range ratios {
		ratios[k] -= halves[1-k%2].at(e[k])
	}
	return approx.Bound(ratios), nil
}

// quadratic is b'e + (e'Me - tr M)/2.
type quadratic struct{ b, m []float64 }

// add takes a gradient at e, one of n.
func (c *quadratic) add(g, e []float64, n int) {
	for i, v := range g {
		v /= float64(n)
		c.b[i] += v
		row := c.m[i*len(e) : (i+1)*len(e)]
		for j, w := range e {
			row[j] += float64(v * w)
		}
	}
}

func (c *quadratic) at(e []float64) float64 {
	var s float64
	for i, v := range e {
		row := c.m[i*len(e) : (i+1)*len(e)]
		var p float64
		for j, w := range e {
			p += float64(row[j] * w)
		}
		s += float64(c.b[i]*v) + float64((float64(p*v)-row[i])/2)
	}
	return s
}
