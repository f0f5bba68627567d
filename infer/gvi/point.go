// This file has likelihood parameters that are estimated by a point, such as a noise
// variance: the objective is minimised over them together with the parameters of q, which
// is a density of the others only. The divergence does not count them, so they must have
// no prior, and no other prior may depend on them; both is tried at random points.

package gvi

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// checkPoints refuses what points do not go together with.
func (o Options) checkPoints() error {
	switch {
	case len(o.Point) == 0:
		return nil
	case o.Family == Mixture || o.Family == Conjugate:
		return fmt.Errorf("gvi: point takes family = %s, %s or %s, found %s", MeanField, FullRank, LowRank, o.Family)
	case o.Estimator != Reparametrised:
		return fmt.Errorf("gvi: point takes estimator = %q, found %q", Reparametrised, o.Estimator)
	case len(o.ByParameter) > 0:
		return fmt.Errorf("gvi: point takes one divergence for all parameters")
	case !o.invariant() && o.Scale == Declared:
		return fmt.Errorf("gvi: point takes divergence %s with scale = %q only", o.divergences(), Unconstrained)
	}
	return nil
}

// points are the coordinates of a source that are estimated by a point.
type points struct {
	kept, fixed []int     // coordinates of the others, and of the points
	x, grad     []float64 // scratch: all coordinates
	constant    float64   // what the points' Jacobian adds to the log prior where they are 0
}

// newPoints finds the coordinates by name.
func newPoints(r *run, names []string) (*points, error) {
	method := r.name + " with point"
	named, ok := r.model.(infer.Named)
	if !ok {
		return nil, &infer.MissingError{Method: method, Needs: "names of its parameters"}
	}
	d := r.ev.Dim()
	p := &points{x: make([]float64, d), grad: make([]float64, d)}
	seen := map[string]bool{}
	for i, name := range named.UnconstrainedNames() {
		name, _, _ = strings.Cut(name, ".")
		if slices.Contains(names, name) {
			p.fixed, seen[name] = append(p.fixed, i), true
		} else {
			p.kept = append(p.kept, i)
		}
	}
	for _, name := range names {
		if !seen[name] {
			return nil, fmt.Errorf("%s: point names %s, which is no parameter with coordinates", r.name, name)
		}
	}
	if len(p.kept) == 0 {
		return nil, fmt.Errorf("%s: point names all parameters; map finds the point that is best for all", r.name)
	}
	if err := p.flat(r, method); err != nil {
		return nil, err
	}
	return p, p.normalise(r.model)
}

// flat refuses priors that change with the points: all but the log Jacobian.
func (p *points) flat(r *run, method string) error {
	jacobian := func([]float64, []float64) (float64, error) { return 0, nil }
	if u, ok := r.model.(infer.Unadjusted); ok {
		s := *r.src
		s.bare = u.Density(false, false)
		jacobian = s.jacobian
	}
	stream, j := rng.New(1, "gvi/point", 0, 0), make([]float64, len(p.x))
	for range 4 {
		for i := range p.x {
			p.x[i] = variate.Normal(stream)
		}
		_, _, err := r.src.parts.LogDensityPartsGrad(p.x, 0, p.grad)
		if err == nil {
			_, err = jacobian(p.x, j)
		}
		if err != nil {
			return notReject(err)
		}
		for _, i := range p.fixed {
			if !(math.Abs(p.grad[i]-j[i]) <= 1e-8*(1+math.Abs(j[i]))) {
				return &infer.MissingError{Method: method, Needs: "parameters that are estimated by a point to have no prior, and no other parameter's prior to depend on them (leave these priors out)"}
			}
		}
	}
	return nil
}

// normalise finds the constant where the model's terms are known; otherwise it stays in
// the objective, which it does not move.
func (p *points) normalise(model infer.Model) error {
	a, ok := model.(infer.Additive)
	if !ok {
		return nil
	}
	terms, err := a.NewTerms()
	if err != nil {
		return nil
	}
	clear(p.x)
	values := make([]float64, len(terms.Coords()))
	if err := terms.LogTerms(p.x, values); err != nil {
		return notReject(err)
	}
	for i, c := range terms.Coords() {
		if !terms.Likelihood()[i] && len(c) > 0 && !slices.ContainsFunc(c, func(k int) bool { return !slices.Contains(p.fixed, k) }) {
			p.constant += values[i]
		}
	}
	return nil
}

// gather and scatter copy between all coordinates and those that are no points; with
// points nil both are the same.
func (p *points) gather(all, kept []float64) {
	if p == nil {
		copy(kept, all)
		return
	}
	for j, i := range p.kept {
		kept[j] = all[i]
	}
}

func (p *points) scatter(kept, all []float64) {
	if p == nil {
		copy(all, kept)
		return
	}
	for j, i := range p.kept {
		all[i] = kept[j]
	}
}

// addScaled adds scale times a vector of the coordinates that are no points.
func (p *points) addScaled(all []float64, scale float64, kept []float64) {
	for j, v := range kept {
		if p != nil {
			j = p.kept[j]
		}
		all[j] += float64(scale * v)
	}
}

// pointed is a family over the coordinates that are no points, and the points. Its
// parameters are the family's and then the points, about and in units of a start.
type pointed struct {
	gaussian
	*points
	at, unit, now []float64
	own           []float64 // scratch
}

func newPointed(name string, start *normal.Normal, rank int, p *points) *pointed {
	mean, sd := make([]float64, len(p.kept)), make([]float64, len(p.kept))
	p.gather(start.Mean(), mean)
	p.gather(start.ConditionalSD(), sd)
	f := &pointed{gaussian: newFamily(name, normal.NewDiagonal(mean, sd), rank), points: p, now: make([]float64, len(p.fixed)), own: make([]float64, len(p.kept))}
	for _, i := range p.fixed {
		f.at, f.unit = append(f.at, start.Mean()[i]), append(f.unit, start.ConditionalSD()[i])
	}
	return f
}

func (f *pointed) params() int { return f.gaussian.params() + len(f.fixed) }

// split are the family's parameters and the points.
func (f *pointed) split(p []float64) (own, rest []float64) {
	n := f.gaussian.params()
	return p[:n], p[n:]
}

func (f *pointed) origin(p []float64) {
	own, rest := f.split(p)
	f.gaussian.origin(own)
	clear(rest)
}

func (f *pointed) narrow(p []float64) {
	own, _ := f.split(p)
	f.gaussian.narrow(own)
}

func (f *pointed) set(p []float64) {
	own, rest := f.split(p)
	f.gaussian.set(own)
	for j, v := range rest {
		f.now[j] = f.at[j] + float64(f.unit[j]*v)
	}
}

func (f *pointed) place(e, x []float64) {
	f.gaussian.place(e, f.own)
	f.scatter(f.own, x)
	for j, i := range f.fixed {
		x[i] = f.now[j]
	}
}

func (f *pointed) pull(e, gx []float64, gl float64, grad []float64) {
	f.gather(gx, f.own)
	own, rest := f.split(grad)
	f.gaussian.pull(e, f.own, gl, own)
	for j, i := range f.fixed {
		rest[j] += float64(f.unit[j] * gx[i])
	}
}

func (f *pointed) approximation() infer.Approximation {
	return &withPoints{f.gaussian.normal(), f.points, append([]float64{}, f.now...), f.unit}
}

// withPoints is a normal of some coordinates, the others being points: as a density it is
// one of the former.
type withPoints struct {
	normal  *normal.Normal
	points  *points
	at      []float64
	inUnits []float64
}

// Dim implements infer.Approximation.
func (a *withPoints) Dim() int { return len(a.points.kept) + len(a.at) }

// Fixed are the coordinates of the points.
func (a *withPoints) Fixed() []int { return a.points.fixed }

// LogDensity implements infer.Density.
func (a *withPoints) LogDensity(q []float64) float64 {
	own := make([]float64, len(a.points.kept))
	a.points.gather(q, own)
	return a.normal.LogDensity(own)
}

// LogDensityGrad implements infer.Approximation.
func (a *withPoints) LogDensityGrad(q, grad []float64) float64 {
	own, g := make([]float64, len(a.points.kept)), make([]float64, len(a.points.kept))
	a.points.gather(q, own)
	v := a.normal.LogDensityGrad(own, g)
	clear(grad)
	a.points.scatter(g, grad)
	return v
}

// Draw implements infer.Approximation.
func (a *withPoints) Draw(r *rand.Rand, q []float64) {
	own := make([]float64, len(a.points.kept))
	a.normal.Draw(r, own)
	a.points.scatter(own, q)
	for j, i := range a.points.fixed {
		q[i] = a.at[j]
	}
}

// apart is the sum of squares by which the points differ, in units.
func (a *withPoints) apart(b *withPoints) float64 {
	var sum float64
	for j, v := range a.at {
		d := (v - b.at[j]) / a.inUnits[j]
		sum += float64(d * d)
	}
	return sum
}

// pointwise completes the report of a fit with points: there is no density of all
// parameters, and the bound is one on log p(y) given the points.
func (r *run) pointwise(p *infer.Posterior, a *withPoints) error {
	p.Density = nil
	if named, ok := r.model.(infer.Named); ok {
		var names []string
		for _, i := range a.points.kept {
			names = append(names, named.UnconstrainedNames()[i])
		}
		p.Fit.Normal = approx.Written(names, a.normal)
	}
	if p.Fit.ELBO == nil {
		return nil
	}
	all, own, grad := make([]float64, a.Dim()), make([]float64, len(a.points.kept)), make([]float64, len(a.points.kept))
	copy(own, a.normal.Mean())
	a.points.scatter(own, all)
	for j, i := range a.points.fixed {
		all[i] = a.at[j]
	}
	whole, _, err := r.src.parts.LogDensityParts(all)
	if err != nil {
		return err
	}
	unstopped := *r.src // a run that was cut short has its report, too
	unstopped.ctx = context.Background()
	prior, err := unstopped.prior(own, grad)
	p.Fit.ELBO = &infer.Estimate{Value: p.Fit.ELBO.Value - (whole - prior), Error: p.Fit.ELBO.Error}
	return err
}
