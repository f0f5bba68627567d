// This file has the family of mixtures of normals with independent coordinates.
//
// An expectation is the sum over components of weight times expectation (strata): the
// points of noise are placed once in each component, where they move with its means
// and scales, and the derivative by the weights is by enumeration: the objective is
// differentiated by the share that each point has. log q is that of the mixture, so
// entropy and divergences are from these points.
//
// Components start at approximations of Pathfinder paths, of which there are several for
// each: the one with the greatest evidence lower bound first, then those in other places
// by theirs. With no other places left components start around the first one. Modes that
// no path has led to are not found; wider starting values help.

package gvi

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// mixture is a family whose points carry their component as last number of the noise.
// Its parameters are those of each component, and then the logs of the weights, but for
// a constant.
type mixture struct {
	d      int
	parts  []*meanField
	logW   []float64 // log weights now
	x      []float64 // scratch: the point
	slope  []float64
	shares []float64 // of the components in q at a point
}

func newMixture(starts []*normal.Normal) *mixture {
	d := starts[0].Dim()
	f := &mixture{d: d, logW: make([]float64, len(starts)), x: make([]float64, d), slope: make([]float64, d), shares: make([]float64, len(starts))}
	for _, s := range starts {
		f.parts = append(f.parts, newMeanField(s))
	}
	return f
}

// pathsEach is how many paths there are for each component.
const pathsEach = 5

// mixture chooses the starts of the components; first is that of path 0.
func (r *run) mixture(first *normal.Normal) (*mixture, error) {
	type candidate struct {
		*meanField
		start *normal.Normal
		bound float64
	}
	all := []candidate{{newMeanField(first), first, math.Inf(-1)}}
	for k := 1; k < pathsEach*r.fit.Components; k++ {
		n, bound, _, err := r.path(r.place(r.began) + k)
		if err != nil {
			return nil, err
		}
		all = append(all, candidate{newMeanField(n), n, bound})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.bound, a.bound) })
	chosen := []candidate{all[0]}
	for _, c := range all {
		known := slices.ContainsFunc(chosen, func(o candidate) bool { return c.near(o.meanField) })
		if !known && len(chosen) < r.fit.Components {
			chosen = append(chosen, c)
		}
	}
	var starts []*normal.Normal
	for k := range r.fit.Components {
		starts = append(starts, chosen[k%len(chosen)].start)
	}
	return newMixture(starts), nil
}

func (f *mixture) params() int  { return len(f.parts) * (2*f.d + 1) }
func (f *mixture) noise() int   { return f.d }
func (f *mixture) simple() bool { return false }

// origin moves components apart that start at the same place: with equal parameters
// they would have equal gradients.
func (f *mixture) origin(p []float64) {
	clear(p)
	r := rng.New(1, "gvi/mixture", 0, 0)
	for k, part := range f.parts {
		if slices.ContainsFunc(f.parts[:k], part.near) {
			for i := range f.d {
				f.own(p, k)[i] = variate.Normal(r)
			}
		}
	}
}

// near reports whether two starts are closer than half a standard deviation.
func (f *meanField) near(g *meanField) bool {
	var sum float64
	for i, u := range f.unit {
		d := (f.at[i] - g.at[i]) / u
		sum += float64(d * d)
	}
	return sum < 0.25*float64(f.d)
}

// own are the parameters of component k.
func (f *mixture) own(p []float64, k int) []float64 { return p[2*f.d*k : 2*f.d*(k+1)] }

func (f *mixture) narrow(p []float64) {
	for k, part := range f.parts {
		part.narrow(f.own(p, k))
	}
}

func (f *mixture) set(p []float64) {
	for k, part := range f.parts {
		part.set(f.own(p, k))
	}
	copy(f.logW, p[2*f.d*len(f.parts):])
	total := infer.LogSumExp(f.logW)
	for k := range f.logW {
		f.logW[k] -= total
	}
}

// component is that of a point's noise.
func (f *mixture) component(e []float64) int { return int(e[f.d]) }

// share is the weight of a point's stratum.
func (f *mixture) share(e []float64) float64 { return libm.Exp(f.logW[f.component(e)]) }

func (f *mixture) place(e, x []float64) { f.parts[f.component(e)].place(e[:f.d], x) }

func (f *mixture) logDensity(e []float64) float64 {
	f.place(e, f.x)
	for k, part := range f.parts {
		f.shares[k] = f.logW[k] + part.logAt(f.x)
	}
	return infer.LogSumExp(f.shares)
}

// logAt is the log density at a point.
func (f *meanField) logAt(x []float64) float64 {
	sum := -f.sumLog
	for i, s := range f.s {
		z := (x[i] - f.m[i]) / s
		sum -= float64(z*z/2) + normal.LogRoot2Pi
	}
	return sum
}

// pull adds to the derivative along the noise that by the components' own parameters
// where the point stays.
func (f *mixture) pull(e, gx []float64, gl float64, grad []float64) {
	copy(f.slope, gx)
	if gl != 0 {
		f.logDensity(e)
		infer.Weights(f.shares, f.shares)
		weights := grad[2*f.d*len(f.parts):]
		for k, part := range f.parts {
			r := float64(gl * f.shares[k])
			own := f.own(grad, k)
			for i, s := range part.s {
				z := (f.x[i] - part.m[i]) / s
				f.slope[i] -= r * z / s
				own[i] += r * part.unit[i] * z / s
				own[f.d+i] += float64(r * (float64(z*z) - 1))
			}
			weights[k] += r - float64(gl*libm.Exp(f.logW[k]))
		}
	}
	k := f.component(e)
	f.parts[k].pull(e[:f.d], f.slope, 0, f.own(grad, k))
}

// pullShare adds the gradient of gw times the log of the share of the point's stratum.
func (f *mixture) pullShare(e []float64, gw float64, grad []float64) {
	weights := grad[2*f.d*len(f.parts):]
	for k := range weights {
		weights[k] -= float64(gw * libm.Exp(f.logW[k]))
	}
	weights[f.component(e)] += gw
}

func (f *mixture) approximation() infer.Approximation {
	parts, weights := make([]*normal.Normal, len(f.parts)), make([]float64, len(f.parts))
	for k, p := range f.parts {
		parts[k], weights[k] = p.normal(), libm.Exp(f.logW[k])
	}
	return normal.NewMixture(parts, weights)
}

// strata repeats the nodes for each component.
func (n *nodes) strata(components int) *nodes {
	out := &nodes{exact: n.exact}
	for k := range components {
		for i, e := range n.e {
			out.e = append(out.e, append(append(make([]float64, 0, len(e)+1), e...), float64(k)))
			out.w = append(out.w, n.w[i])
		}
	}
	return out
}

// stratified is a family with strata.
type stratified interface {
	family
	share(e []float64) float64
	pullShare(e []float64, gw float64, grad []float64)
}

var _ stratified = (*mixture)(nil)
