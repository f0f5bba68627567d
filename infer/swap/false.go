// This file finds the false posterior: its density, its draws and the whitening.

package swap

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// densityDraws is how many draws are made of a false posterior that is a density.
const densityDraws = 4000

// A falsePosterior is immutable once made.
type falsePosterior struct {
	model   infer.Model      // that writes rows
	dim     int              // coordinates of a point
	coords  []int            // those that are sampled
	density density          // over them
	mixture *estimate        // over them, whitened; nil but for semiparametric estimates
	white   *normal.Normal   // over them: where a standard normal lands
	sample  [][]float64      // points, equally weighted
	carrier *carrier         // of the coordinates that are not sampled; nil where there are none
	logw    []float64        // log weights of the sample: log new prior - log old prior, for an approximation also log posterior - log approximation
	columns [][]float64      // the model's parameters at the sample; nil where only the points are known
	effect  float64          // effective number of points over their number
	target  infer.Target     // log density that density is the closed form of; nil where it is not one found by its values
	from    *infer.Posterior // the wrapped method's, where the answer is its draws with weights
}

// A density is the logarithm of one, up to a constant.
type density interface {
	LogDensity(q []float64) float64
	LogDensityGrad(q, grad []float64) float64
}

// falsePosterior runs the wrapped method and makes of its answer what From says. before
// is the model whose posterior that is.
func (m *Method) falsePosterior(ctx context.Context, model, before infer.Model, priors Priors, o infer.Options) (*falsePosterior, *infer.SwapReport, error) {
	from := m.options.From
	f := &falsePosterior{model: model, effect: 1}
	if from == Auto && whole(priors) != nil {
		from = Draws
	}
	var refused error // by the search for a closed form that looks at the data
	if from == Exact {
		var q infer.Approximation
		if q, refused = closedForm(ctx, before, o); refused == nil {
			return f, &infer.SwapReport{From: from}, f.fromDensity(q, priors, o)
		}
		if without := new(infer.MissingError); !errors.As(refused, &without) {
			return nil, nil, refused
		}
	}
	o.KeepUnconstrained, o.SaveWarmup, o.Observer = true, false, nil
	p, err := m.options.Inner.Run(ctx, model, o)
	if err != nil {
		return nil, nil, err
	}
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	report := &infer.SwapReport{From: from, Inner: p.Swap}
	if from == Draws {
		return f, report, f.fromWeights(p, priors)
	}
	auto := from == Auto
	if from == Auto || from == Exact {
		known, err := f.inClosedForm(ctx, p, before, priors, o)
		switch {
		case err != nil || known:
			report.From = Exact
			return f, report, err
		case from == Exact:
			return nil, nil, refused
		}
	}
	q, ok := p.Approximation()
	switch {
	case from == Auto && ok:
		from = Density
	case from == Auto:
		from = Parametric
	}
	report.From = from
	if from == Density {
		if !ok {
			return nil, nil, fmt.Errorf("%s gave no density that can be drawn from", m.options.Inner.Name())
		}
		if err = f.fromDensity(q, priors, o); err == nil {
			err = f.weighApproximation(p, priors, before.NewEvaluator())
		}
	} else {
		err = f.fromDraws(p, priors, o)
		if err == nil && from == Semiparametric {
			f.correct()
		}
	}
	if err == nil && auto && f.refuted(p, priors, o) {
		again := &falsePosterior{model: model, effect: 1}
		report.From = Draws
		return again, report, again.fromWeights(p, priors)
	}
	return f, report, err
}

// inClosedForm takes the closed form that the log densities of the draws have, and reports
// whether there is one. Where a normal has too many coordinates to be found so, it is looked
// for at the mode.
func (f *falsePosterior) inClosedForm(ctx context.Context, p *infer.Posterior, before infer.Model, priors Priors, o infer.Options) (bool, error) {
	target := before.NewEvaluator()
	found, err := f.fromForm(p, target, o)
	if err != nil {
		return false, err
	}
	if found {
		f.target = target
		return true, f.weighFound(p, priors)
	}
	if quadraticTerms(before.Dim()) != nil || p.Swap != nil {
		return false, nil
	}
	q, err := quadratic(ctx, before, o)
	if err != nil {
		return false, ctx.Err() // there is none
	}
	f.target = target
	return true, f.fromDensity(q, priors, o)
}

// fromForm takes the closed form of the log density that the draws came with, and reports
// whether there is one.
func (f *falsePosterior) fromForm(p *infer.Posterior, target infer.Target, o infer.Options) (bool, error) {
	name := draws.LogDensityColumn
	if _, ok := p.Approximation(); ok || p.Draws.Index(draws.LogTargetColumn) >= 0 { // whose own density is no answer
		name = draws.LogTargetColumn
	}
	points, values := slices.Concat(p.Unconstrained...), slices.Concat(p.Draws.Column(name)...)
	if p.Swap != nil && p.Swap.From != Exact || len(points) == 0 || len(points) != len(values) || len(points[0]) != f.model.Dim() || target.Dim() != f.model.Dim() {
		return false, nil
	}
	points, values, err := precise(points, values, target)
	if err != nil {
		return false, err
	}
	form := recognised(points, values)
	if form == nil {
		return false, nil
	}
	sample, coords := f.drawn(p, o), allCoords(f.model.Dim())
	white, err := fitNormal(sample, coords)
	if err != nil {
		return false, nil
	}
	f.dim, f.coords, f.sample, f.white, f.density = len(coords), coords, sample, white, form
	f.effect = efficiency(p.Unconstrained, coords)
	return true, nil
}

// weighFound computes the log weights of the sample that a form was found by: it may be an
// approximation's, off by what its own log densities are.
func (f *falsePosterior) weighFound(p *infer.Posterior, priors Priors) error {
	if err := f.weigh(priors); err != nil {
		return err
	}
	target := slices.Concat(p.Draws.Column(draws.LogTargetColumn)...)
	own := slices.Concat(p.Draws.Column(draws.LogApproximationColumn)...)
	if len(target) != len(f.logw) || len(own) != len(f.logw) {
		return nil
	}
	for i := range f.logw {
		f.logw[i] += target[i] - own[i]
	}
	return nil
}

// precise returns log densities at points as they are. Draws that were read from a file have them
// with as many digits as were written, which is too few where they are large; then they are
// computed anew at as many draws as a form is fitted to.
func precise(points [][]float64, values []float64, target infer.Target) ([][]float64, []float64, error) {
	const looked = 5
	first := math.NaN()
	for i := range looked {
		k := i * len(points) / looked
		lp, err := infer.FiniteLogDensity(target, points[k])
		if err != nil {
			return nil, nil, err
		}
		if i == 0 {
			first = values[k] - lp
		}
		const digits = 1e-2 // of the tolerance of a form, since all draws must keep that
		if math.Abs(values[k]-lp-first) <= digits*exactTolerance*(1+float64(math.Abs(lp)*1e-6)) {
			continue
		}
		d := len(points[0])
		fewer := thinned(points, 2*max(formDraws, 3*min(mostTerms, d+d*(d+1)/2)))
		again := make([]float64, len(fewer))
		for j, q := range fewer {
			if again[j], err = infer.FiniteLogDensity(target, q); err != nil {
				return nil, nil, err
			}
		}
		return fewer, again, nil
	}
	return points, values, nil
}

// fromDensity takes a density over all coordinates.
func (f *falsePosterior) fromDensity(q infer.Approximation, priors Priors, o infer.Options) error {
	f.dim, f.density = q.Dim(), q
	if f.dim != f.model.Dim() {
		return fmt.Errorf("the density has %d coordinates, the model %d", f.dim, f.model.Dim())
	}
	for i := range f.dim {
		f.coords = append(f.coords, i)
	}
	r := rng.New(o.Seed, "prior_swap/false", 0, o.Replicate)
	for range densityDraws {
		x := make([]float64, f.dim)
		q.Draw(r, x)
		f.sample = append(f.sample, x)
	}
	var ok bool
	if f.white, ok = q.(*normal.Normal); !ok {
		var err error
		if f.white, err = fitNormal(f.sample, f.coords); err != nil {
			return err
		}
	}
	return f.weigh(priors)
}

// weighApproximation puts the draws that an approximation came with in the place of the
// sample, if the log density of the model at them is known: their weights are about the
// posterior, and not about what stands for it. Otherwise, as of draws that were resampled,
// the log density is evaluated at the sample.
func (f *falsePosterior) weighApproximation(p *infer.Posterior, priors Priors, t infer.Target) error {
	points := slices.Concat(p.Unconstrained...)
	target := slices.Concat(p.Draws.Column(draws.LogTargetColumn)...)
	own := slices.Concat(p.Draws.Column(draws.LogApproximationColumn)...)
	if len(points) == 0 || len(points[0]) != f.dim || len(target) != len(points) || len(own) != len(points) {
		return f.weighSample(t)
	}
	f.sample, f.logw, f.columns = points, nil, parameterColumns(f.model, p)
	if err := f.weigh(priors); err != nil {
		return err
	}
	for i := range f.logw {
		f.logw[i] += target[i] - own[i]
	}
	return nil
}

// weighSample adds to the weights of the sample from the density what the density is off by.
func (f *falsePosterior) weighSample(t infer.Target) error {
	for i, q := range f.sample {
		lp, err := infer.FiniteLogDensity(t, q)
		if err != nil {
			return err
		}
		f.logw[i] += lp - f.density.LogDensity(q)
	}
	return nil
}

// fromDraws fits a normal to the draws of a posterior.
func (f *falsePosterior) fromDraws(p *infer.Posterior, priors Priors, o infer.Options) error {
	f.sample = f.drawn(p, o)
	f.coords = priors.Coords()
	if least := 2*len(f.coords) + 10; len(f.sample) < least {
		return fmt.Errorf("%d draws are too few to fit a normal in %d coordinates; it takes %d", len(f.sample), len(f.coords), least)
	}
	f.dim = len(f.sample[0])
	if j, ok := f.model.(interface{ Joint() infer.Model }); ok && f.dim != f.model.Dim() {
		f.model = j.Joint()
	}
	var others, apart []int
	if d, ok := priors.(Partial); ok && f.dim == priors.Difference().Dim() { // discrete numbers tie others together
		apart = d.Apart()
	}
	for i := range min(priors.Difference().Dim(), f.dim) { // discrete numbers follow as they are
		if !slices.Contains(f.coords, i) && !slices.Contains(apart, i) {
			others = append(others, i)
		}
	}
	var err error
	if f.white, err = fitNormal(f.sample, f.coords); err != nil {
		return err
	}
	f.density = f.white
	f.effect = efficiency(p.Unconstrained, f.coords)
	f.carrier = newCarrier(f, others, apart)
	return f.weigh(priors)
}

// drawn are the points of a posterior, equally weighted; its parameters are noted.
func (f *falsePosterior) drawn(p *infer.Posterior, o infer.Options) [][]float64 {
	if p.LogWeights == nil {
		f.columns = parameterColumns(f.model, p)
	}
	return equallyWeighted(p, o)
}

// equallyWeighted are the points of a posterior, resampled where they have weights.
func equallyWeighted(p *infer.Posterior, o infer.Options) [][]float64 {
	parents := p.Resampled(rng.New(o.Seed, "prior_swap/resample", 0, o.Replicate))
	if parents == nil {
		return slices.Concat(p.Unconstrained...)
	}
	var out [][]float64
	for c, list := range parents {
		for _, i := range list {
			out = append(out, p.Unconstrained[c][i])
		}
	}
	return out
}

// efficiency is the smallest effective number of draws over their number.
func efficiency(chains [][][]float64, coords []int) float64 {
	least := 1.0
	for _, i := range coords {
		x := column(chains, i)
		n := 0
		for _, c := range x {
			n += len(c)
		}
		if e := draws.ESSMean(x) / float64(n); e < least {
			least = e
		}
	}
	return max(least, 1e-3)
}

// column is one coordinate of all chains.
func column(chains [][][]float64, i int) [][]float64 {
	x := make([][]float64, len(chains))
	for c, chain := range chains {
		for _, q := range chain {
			x[c] = append(x[c], q[i])
		}
	}
	return x
}

// weigh computes the log weights of the sample.
func (f *falsePosterior) weigh(priors Priors) error {
	d := priors.Difference()
	for _, q := range f.sample {
		lw, err := infer.FiniteLogDensity(d, q[:d.Dim()])
		if err != nil {
			return err
		}
		f.logw = append(f.logw, lw)
	}
	return nil
}

// fitNormal is the normal with mean and covariance of some coordinates of points.
func fitNormal(sample [][]float64, coords []int) (*normal.Normal, error) {
	n, t := len(coords), float64(len(sample))
	mean := make([]float64, n)
	for _, q := range sample {
		for k, i := range coords {
			mean[k] += q[i] / t
		}
	}
	cov := mat.NewSymDense(n, nil)
	d := mat.NewVecDense(n, nil)
	for _, q := range sample {
		for k, i := range coords {
			d.SetVec(k, q[i]-mean[k])
		}
		cov.SymRankOne(cov, 1/(t-1), d)
	}
	var chol mat.Cholesky
	if !chol.Factorize(cov) {
		return nil, errors.New("the draws do not vary in all directions, so no normal fits them")
	}
	return normal.NewLower(mean, lower(&chol, n)), nil
}

// lower is the lower factor, row by row.
func lower(chol *mat.Cholesky, n int) []float64 {
	var t mat.TriDense
	chol.LTo(&t)
	l := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			l[i*n+j] = t.At(i, j)
		}
	}
	return l
}

// whiten writes the whitened sampled coordinates of q into z; s is scratch.
func (f *falsePosterior) whiten(q, s, z []float64) {
	for k, i := range f.coords {
		s[k] = q[i]
	}
	f.white.Whiten(s, z)
}

// whitened are the whitened sampled coordinates of points.
func (f *falsePosterior) whitened(points [][]float64) [][]float64 {
	s := make([]float64, len(f.coords))
	out := make([][]float64, len(points))
	for i, q := range points {
		out[i] = make([]float64, len(f.coords))
		f.whiten(q, s, out[i])
	}
	return out
}

// complete writes the point q whose sampled coordinates are where z lands, and at whose place in
// the sample the coordinates are that do not depend on these; w is the carrier's scratch. It returns
// the carrier's donor, -1 where there is none.
func (f *falsePosterior) complete(z []float64, at int, r *rand.Rand, w, q []float64) (donor int) {
	donor = -1
	if f.carrier != nil {
		donor = f.carrier.carry(z, at, r, w, q)
	}
	s := make([]float64, len(f.coords))
	f.white.Place(z, s)
	for k, i := range f.coords {
		q[i] = s[k]
	}
	return donor
}
