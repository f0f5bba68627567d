// This file has what the duality formula says of a fit: squashing constants, bounds of
// the factors' divergences, mutual information.

package cavi

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
)

// duality reports on the factors as they are. ratios are log p - log q of draws from q.
func (a *ascent) duality(ctx context.Context, q *product, ratios []float64, r *rand.Rand) (*infer.Duality, error) {
	d := &infer.Duality{Factors: make([]infer.FactorReport, len(a.factors))}
	for i, f := range a.factors {
		d.Factors[i] = infer.FactorReport{
			Name: a.f.Blocks[i].Name, Form: f.form(), Divergence: unknown, Information: unknown,
		}
	}
	if err := a.exactly(ctx, d, r); err != nil {
		return nil, err
	}
	if !d.Exact {
		d.LogEvidence = infer.LogMean(ratios)
	}
	if err := a.sampled(ctx, d, q, len(ratios), r); err != nil {
		return nil, err
	}
	d.Joinable = a.joinable()
	elbo := a.bound()
	for i := range a.factors {
		best, err := a.best(i, elbo)
		if err != nil {
			return nil, err
		}
		e := d.LogEvidence
		d.Factors[i].Bound = infer.Estimate{Value: e.Value - best, Error: e.Error}
		squashing := libm.Exp(best - e.Value)
		d.Factors[i].Squashing = infer.Estimate{Value: squashing, Error: squashing * e.Error}
	}
	return d, nil
}

// best is the bound with factor i the maximiser given the others. The squashing constant
// of the others is exp(best - log evidence): of E log p(t_i | rest) the expected log
// normaliser cancels against that in KL(q(rest) || p(rest)), which leaves the normaliser
// of the maximiser, the terms without t_i and the others' entropy.
func (a *ascent) best(i int, elbo float64) (float64, error) {
	f, err := newFactor(&a.f.Blocks[i], false)
	if err != nil {
		return 0, err
	}
	natural, scratch := make([]float64, len(a.natural[i])), make([]float64, len(a.natural[i]))
	a.plates.naturalParameters(i, natural)
	if err := f.set(natural); err != nil {
		return 0, err
	}
	mine := dot(natural, a.expect[i]) + a.factors[i].entropy()
	return elbo - mine + logNormalizer(f, natural, scratch), nil
}

// exactly fills in what quadrature gives of at most two blocks.
func (a *ascent) exactly(ctx context.Context, d *infer.Duality, r *rand.Rand) error {
	switch len(a.factors) {
	case 0:
		d.LogEvidence, d.Exact = infer.Estimate{Value: a.bound()}, true
		return nil
	case 1:
		best, err := a.best(0, a.bound())
		d.LogEvidence, d.Exact = infer.Estimate{Value: best}, true
		d.Factors[0].Information = infer.Estimate{}
		d.Factors[0].Divergence = infer.Estimate{Value: best - a.bound()}
		return err
	case 2:
	default:
		return nil
	}
	var of [2]*marginal
	for i := range of {
		m, err := a.marginal(ctx, i)
		switch {
		case err == errImproper:
			d.Improper = a.f.Blocks[i].Name
			continue
		case err == errUnresolved:
			d.Unresolved = a.f.Blocks[i].Name
			continue
		case err != nil:
			return err
		case m == nil:
			continue
		}
		of[i] = m
		if !d.Exact || a.f.Blocks[i].Support == infer.Whole {
			d.LogEvidence = infer.Estimate{Value: m.logEvidence}
		}
		d.Exact = true
		d.Factors[i].Divergence = infer.Estimate{Value: m.divergence}
	}
	information := unknown
	switch {
	case of[0] != nil && of[1] != nil:
		information = infer.Estimate{Value: of[1].entropy - of[0].conditional}
	case of[0] != nil || of[1] != nil:
		i := 0
		if of[0] == nil {
			i = 1
		}
		var err error
		if information, err = a.twoBlocks(ctx, i, of[i], r); err != nil {
			return err
		}
	}
	d.Factors[0].Information, d.Factors[1].Information = information, information
	return nil
}

var unknown = infer.Estimate{Value: math.NaN(), Error: math.NaN()}

// A marginal is what is known of the posterior of one block of two.
type marginal struct {
	logEvidence float64
	entropy     float64 // of the marginal, on the declared scale
	conditional float64 // expected entropy of the other block given this one
	divergence  float64 // of the factor from the marginal
	density     blockDensity
}

// marginal integrates the other block out and then over block i; nil where that has several
// numbers, and errImproper or errUnresolved where there is no such integral.
func (a *ascent) marginal(ctx context.Context, i int) (*marginal, error) {
	b, other := &a.f.Blocks[i], &a.f.Blocks[1-i]
	if b.Size != 1 && b.Support != infer.Whole || b.Support == infer.Wholes {
		return nil, nil
	}
	f, err := newFactor(other, false)
	if err != nil {
		return nil, err
	}
	m := &integrator{
		ctx: ctx, a: a, i: i, other: f, read: newReader(b), natural: make([]float64, len(other.Statistics)),
		scratch: make([]float64, len(other.Statistics)), statistics: make([][]float64, 2),
	}
	for k := range m.statistics {
		m.statistics[k] = make([]float64, len(a.f.Blocks[k].Statistics))
	}
	if b.Support == infer.Whole {
		return m.enumerate(a.factors[i].density())
	}
	return m.integrate(a.factors[i])
}

// An integrator computes the joint density of the data and block i.
type integrator struct {
	ctx        context.Context
	a          *ascent
	i          int
	other      factor
	read       *reader
	natural    []float64
	scratch    []float64
	statistics [][]float64
	magnitude  float64 // sum of the magnitudes of what at added up last
}

// errUnresolved reports a marginal whose fall is one of rounding errors.
var errUnresolved = errors.New("rounding errors decide whether the marginal has a finite integral")

// mostMagnitude is the greatest magnitude of the terms of which a log density is the sum where
// that has fallen by half a nat: a hundredth of what rounding errors of half a nat need.
const mostMagnitude = 2e13

// at returns the log of that density at a free coordinate, with the log Jacobian there.
// The other factor is then the full conditional.
func (m *integrator) at(u float64) (logp, logJ float64, err error) {
	if m.ctx.Err() != nil {
		return 0, 0, infer.ErrInterrupted
	}
	a, j := m.a, 1-m.i
	logJ, err = m.read.at([]float64{u}, m.statistics[m.i])
	if err != nil {
		return 0, 0, err
	}
	a.naturalParameters(j, m.statistics, m.natural)
	if err := m.other.set(m.natural); err != nil {
		return math.Inf(-1), logJ, nil // where the other block has no density, or no finite one
	}
	var s sum
	m.magnitude = 0
	add := func(x float64) {
		s.add(x)
		m.magnitude += abs(x)
	}
	add(logJ)
	for _, t := range a.f.Terms {
		if len(t.Of) == 0 || len(t.Of) == 1 && int(t.Of[0].Block) == m.i {
			if e := a.product(&t, m.statistics); e != 0 {
				add(float64(e * t.Coef))
			}
		}
	}
	add(logNormalizer(m.other, m.natural, m.scratch))
	return s.value(), logJ, nil
}

func (m *integrator) integrate(f factor) (*marginal, error) {
	density := func(u float64) (float64, error) {
		lp, _, err := m.at(u)
		if infer.IsReject(err) {
			return math.Inf(-1), nil
		}
		return lp, err
	}
	q := f.density()
	free := make([]float64, 1)
	mine, err := integrate(func(u float64) (float64, error) {
		free[0] = u
		return q.logDensity(free, nil), nil
	}, 0, 1)
	if err != nil {
		return nil, err
	}
	l, err := integrateTo(dearly, mostPanels, density, mine.mode, mine.scale)
	if err != nil {
		return nil, err
	}
	for _, side := range []float64{-1, 1} {
		if _, _, err := m.at(l.mode + float64(side*l.scale)); err == nil && m.magnitude > mostMagnitude {
			return nil, errUnresolved
		}
	}
	out := &marginal{logEvidence: l.logZ, density: newPieces(l, dearPanels)}
	out.entropy = l.mean(func(k int) float64 {
		_, logJ, e := m.at(l.u[k])
		if e != nil {
			err = e
		}
		return logJ - (l.logf[k] - l.logZ)
	})
	out.conditional = l.mean(func(k int) float64 {
		if _, _, e := m.at(l.u[k]); e != nil {
			err = e
		}
		return m.other.entropy()
	})
	out.divergence = mine.mean(func(k int) float64 {
		lp, e := density(mine.u[k])
		if e != nil {
			err = e
		}
		return mine.logf[k] - (lp - l.logZ)
	})
	return out, err
}

func (m *integrator) enumerate(q blockDensity) (*marginal, error) {
	b := &m.a.f.Blocks[m.i]
	logp := make([]float64, b.Size)
	entropy := make([]float64, b.Size)
	for k := range logp {
		lp, _, err := m.at(float64(b.Low + k))
		if err != nil {
			return nil, err
		}
		if logp[k] = lp; !math.IsInf(lp, -1) {
			entropy[k] = m.other.entropy()
		}
	}
	out := &marginal{logEvidence: infer.LogSumExp(logp)}
	d := &table{b.Low, make([]float64, b.Size), logp}
	out.density = d
	for k := range logp {
		logp[k] -= out.logEvidence
		lp := logp[k]
		d.p[k] = libm.Exp(lp)
		if p := d.p[k]; p > 0 {
			out.entropy -= float64(p * lp)
			out.conditional += float64(p * entropy[k])
		}
		if lq := q.logDensity([]float64{float64(b.Low + k)}, nil); !math.IsInf(lq, -1) {
			out.divergence += float64(libm.Exp(lq) * (lq - lp))
		}
	}
	return out, nil
}
