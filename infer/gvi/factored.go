// This file has divergences from a prior under which all coordinates are
// independent, for a family in which they are, too: log G(a, b) is a sum over
// coordinates, each in closed form or by quadrature in one dimension.

package gvi

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// factored is a sum of divergences of groups of coordinates.
type factored struct {
	src    *source
	axis   *nodes
	coords []coordinate
	groups []group
	x, gp  []float64
}

// coordinate is a coordinate's prior: normal, or known by evaluation.
type coordinate struct {
	exact *divergence.Exponential
	mean  float64
	sd    float64
	pair  *divergence.Sampled
	shift float64 // added to the log prior along the coordinate
}

// group is the coordinates that share a divergence.
type group struct {
	div    divergence.Divergence
	coords []int
	pair   divergence.Product
	grad   []float64
}

// newFactored returns nil if the prior's coordinates are not independent, as far
// as random points tell: the derivative by each must be the same, to nine digits,
// where all others have moved.
func newFactored(s *source) (*factored, error) {
	const points, mixes, digits = 6, 10, 1e-9
	d := s.dim()
	r := rng.New(1, "gvi/factored", 0, 0)
	xs, gs := make([][]float64, points), make([][]float64, points)
	for k := range xs {
		xs[k], gs[k] = make([]float64, d), make([]float64, d)
		for i := range xs[k] {
			xs[k][i] = variate.Normal(r) * libm.Exp(float64(k-3)/2)
		}
		if _, err := s.prior(xs[k], gs[k]); err != nil {
			return nil, notReject(err)
		}
	}
	x, g, from := make([]float64, d), make([]float64, d), make([]int, d)
	for range mixes {
		for i := range x {
			from[i] = variate.IntN(r, points)
			x[i] = xs[from[i]][i]
		}
		if _, err := s.prior(x, g); err != nil {
			return nil, notReject(err)
		}
		for i, k := range from {
			if !(math.Abs(g[i]-gs[k][i]) <= digits*(1+math.Abs(g[i]))) {
				return nil, nil
			}
		}
	}
	f := &factored{src: s, axis: quadrature(1), coords: make([]coordinate, d), x: make([]float64, d), gp: make([]float64, d)}
	for i := range f.coords {
		f.coords[i] = f.recognise(i, xs, gs)
	}
	return f, f.normalise()
}

// recognise finds out from derivatives at points whether a coordinate's prior is
// normal.
func (f *factored) recognise(i int, xs, gs [][]float64) coordinate {
	precision := (gs[0][i] - gs[1][i]) / (xs[1][i] - xs[0][i])
	mean := xs[0][i] + gs[0][i]/precision
	normal := precision > 0
	for k := range xs {
		want := float64(precision * (mean - xs[k][i]))
		normal = normal && math.Abs(gs[k][i]-want) <= 1e-9*(1+math.Abs(want))
	}
	if normal {
		sd := 1 / math.Sqrt(precision)
		return coordinate{exact: divergence.NewExponential(divergence.Normal{}, []float64{mean, libm.Log(sd)}), mean: mean, sd: sd}
	}
	n := len(f.axis.w)
	return coordinate{pair: &divergence.Sampled{Weights: f.axis.w, LogQ: make([]float64, n), LogPi: make([]float64, n)}}
}

// normalise shares out the log prior at 0 such that the parts add up to the whole.
func (f *factored) normalise() error {
	clear(f.x)
	whole, err := f.src.prior(f.x, f.gp)
	if err != nil {
		return notReject(err)
	}
	others := 0
	rest := whole
	for _, c := range f.coords {
		if c.exact == nil {
			others++
			continue
		}
		z := c.mean / c.sd
		rest -= float64(-z*z/2) - normal.LogRoot2Pi - libm.Log(c.sd)
	}
	for i := range f.coords {
		if c := &f.coords[i]; c.exact == nil {
			c.shift = rest/float64(others) - whole
		}
	}
	return nil
}

// add makes a group of coordinates with a divergence.
func (f *factored) add(d divergence.Divergence, coords []int) {
	g := group{div: d, coords: coords}
	size := 0
	for _, i := range coords {
		n := 2
		var p divergence.Pair = f.coords[i].exact
		if f.coords[i].exact == nil {
			p, n = f.coords[i].pair, 2*len(f.axis.w)
		}
		g.pair.Parts, g.pair.Params = append(g.pair.Parts, p), append(g.pair.Params, n)
		size += n
	}
	g.grad = make([]float64, size)
	f.groups = append(f.groups, g)
}

// setPrior has the function give log G(0, b) of the whole prior.
func (f *factored) setPrior(whole func(b float64) float64) {
	for i := range f.coords {
		if f.coords[i].exact != nil {
			continue
		}
		f.coords[i].pair.Prior = func(b float64) float64 {
			v := whole(b)
			for _, c := range f.coords {
				if c.exact != nil {
					v -= c.exact.LogPower(0, b)
				}
			}
			return v
		}
		return
	}
}

// at returns the sum and adds its derivatives by the family's parameters.
func (f *factored) at(b *batch) (float64, error) {
	fam := b.fam.(*meanField)
	var sum float64
	for _, g := range f.groups {
		for _, i := range g.coords {
			if err := f.move(i, fam); err != nil {
				return 0, err
			}
		}
		clear(g.grad)
		sum += g.div.Gradient(g.pair, g.grad)
		grad := g.grad
		for j, i := range g.coords {
			if err := f.pull(i, fam, grad[:g.pair.Params[j]], b.grad); err != nil {
				return 0, err
			}
			grad = grad[g.pair.Params[j]:]
		}
	}
	return sum, nil
}

// along evaluates the log prior with one coordinate at x, and its derivative.
func (f *factored) along(i int, x float64) (lp, slope float64, err error) {
	clear(f.x)
	f.x[i] = x
	lp, err = f.src.prior(f.x, f.gp)
	return lp + f.coords[i].shift, f.gp[i], err
}

func (f *factored) move(i int, fam *meanField) error {
	c := &f.coords[i]
	logS := libm.Log(fam.s[i])
	if c.exact != nil {
		c.exact.Move([]float64{fam.m[i], logS})
		return nil
	}
	for k, e := range f.axis.e {
		var err error
		if c.pair.LogPi[k], _, err = f.along(i, fam.m[i]+float64(fam.s[i]*e[0])); err != nil {
			return err
		}
		c.pair.LogQ[k] = normal.StandardLog(e) - logS
	}
	return nil
}

// pull adds the gradient by the coordinate's mean and log sd.
func (f *factored) pull(i int, fam *meanField, by, grad []float64) error {
	if f.coords[i].exact != nil {
		grad[i] += float64(fam.unit[i] * by[0])
		grad[fam.d+i] += by[1]
		return nil
	}
	n := len(f.axis.w)
	for k, e := range f.axis.e {
		_, slope, err := f.along(i, fam.m[i]+float64(fam.s[i]*e[0]))
		if err != nil {
			return err
		}
		grad[i] += float64(fam.unit[i] * by[n+k] * slope)
		grad[fam.d+i] += float64(by[n+k]*slope*fam.s[i]*e[0]) - by[k]
	}
	return nil
}
