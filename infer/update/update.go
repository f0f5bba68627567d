// Package update takes draws from the posterior of a model given some data to that given others.
//
// The draws x_s, with weights w_s, are from p(x | old). With r_s = log p(x_s, new) - log p(x_s, old):
//
//  1. The weights w_s exp(r_s) are Pareto smoothed. Where they hold (package psis) and at least half of the
//     draws are in effect, the draws with these weights are the answer.
//  2. Otherwise particles move from the old posterior to the new one through the densities
//     p(x, old)^(1-b) p(x, new)^b by tempered sequential Monte Carlo (package smc), which begins
//     with draws that were picked by w_s in place of draws from the prior.
//  3. Where not one of the draws has a density given the new data, or what smc finds is too noisy, the model
//     is fitted anew.
//
// The mean of exp(r_s) under the old posterior is p(new) / p(old): where the new data have the old in them, how
// likely the old fit held what was added.
//
// Sources: Chopin, "A sequential particle filter method for static models", Biometrika 89 (2002), for the
// reweighting and the moves where few draws are in effect; Vehtari, Simpson, Gelman, Yao and Gabry (2024) for the
// smoothing.
package update

import (
	"context"
	"errors"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/psis"
	"github.com/seed-12b88e03/ppl/infer/smc"
)

const (
	// Half is the least share of draws in effect at which weights are the answer.
	Half = 0.5
	// Noise is the greatest standard error of log p(new) - log p(old), in nats, at which particles are the answer.
	Noise = 2
)

// Options are what an update is made from.
type Options struct {
	Old        infer.Model  // the model given the old data
	Points     [][]float64  // independent draws, or nearly so, on the unconstrained scale
	LogWeights []float64    // of the points; nil where all weigh the same
	Move       infer.Method // smc
	Refit      infer.Method
}

// Method implements infer.Method.
type Method struct{ Options }

// Name implements infer.Method.
func (Method) Name() string { return "update" }

// Run implements infer.Method: the model is the one given the new data.
func (m Method) Run(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	r := &draws.UpdateRun{Draws: len(m.Points)}
	density := make([]float64, len(m.Points))
	ratios, err := m.ratios(ctx, model, density)
	if err != nil {
		return nil, err
	}
	own := m.LogWeights
	if own == nil {
		own = make([]float64, len(m.Points))
	}
	all := make([]float64, len(ratios))
	for i := range all {
		all[i] = own[i] + ratios[i]
	}
	smooth := psis.Smooth(all, 1)
	r.ParetoK, r.ESS = draws.Extended(smooth.K), draws.Number(smooth.ESS())
	r.LogRatio = recorded(mean(own, ratios))
	switch {
	case math.IsInf(infer.LogSumExp(all), -1):
		r.ESS = 0
		return m.refit(ctx, model, o, r)
	case smooth.Trusted() && smooth.Share() >= Half:
		r.By = "weights"
		return m.weighted(model, o, r, density, smooth.LogWeights)
	}
	return m.moved(ctx, model, o, r)
}

func recorded(e infer.Estimate) draws.EstimateRun {
	return draws.EstimateRun{Value: draws.Number(e.Value), Error: draws.Number(e.Error)}
}

// ratios are log p(x, new) - log p(x, old) at the points; density is filled with the former.
func (m Method) ratios(ctx context.Context, model infer.Model, density []float64) ([]float64, error) {
	before, after := m.Old.NewEvaluator(), model.NewEvaluator()
	out := make([]float64, len(m.Points))
	for i, q := range m.Points {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		a, err := infer.FiniteLogDensity(before, q)
		if err != nil {
			return nil, err
		}
		if density[i], err = infer.FiniteLogDensity(after, q); err != nil {
			return nil, err
		}
		out[i] = density[i] - a
		if math.IsInf(a, -1) { // files round: a draw at the edge of the support
			out[i] = math.Inf(-1)
		}
	}
	return out, nil
}

// mean is the log of the mean of exp(ratios) with log weights, and its standard error.
func mean(logw, ratios []float64) infer.Estimate {
	sum := infer.LogSumExp(logw)
	terms := make([]float64, len(ratios))
	for i := range terms {
		terms[i] = logw[i] + ratios[i] - sum
	}
	e := infer.Estimate{Value: infer.LogSumExp(terms)}
	square := 0.0
	for i, t := range terms {
		d := libm.Exp(t-e.Value) - libm.Exp(logw[i]-sum)
		square += float64(d * d)
	}
	e.Error = math.Sqrt(square)
	return e
}

// weighted is the posterior of the points with weights.
func (m Method) weighted(model infer.Model, o infer.Options, r *draws.UpdateRun, density, logw []float64) (*infer.Posterior, error) {
	plan := draws.Plan{Method: m.Name(), Draws: len(m.Points), Stats: []string{draws.LogWeightColumn}}
	rec, err := infer.NewRecorder(model, model.NewEvaluator(), o, plan, 0)
	if err != nil {
		return nil, err
	}
	for i, q := range m.Points {
		if err := rec.Draw(q, density[i], logw[i]); err != nil {
			return nil, err
		}
	}
	post := rec.Posterior()
	post.LogWeights, post.Update = [][]float64{logw}, r
	return rec.End(nil)
}

// moved is the posterior of particles that come from the points.
func (m Method) moved(ctx context.Context, model infer.Model, o infer.Options, r *draws.UpdateRun) (*infer.Posterior, error) {
	quiet := o
	quiet.Observer, quiet.KeepUnconstrained = nil, true // the particles may not be the answer
	way := newBridge(m, model)
	found, err := m.Move.Run(ctx, way, quiet)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil && !infer.IsReject(err) && !errors.Is(err, smc.ErrNoSupport):
		return nil, err
	case err != nil:
		return m.refit(ctx, model, o, r)
	}
	ratio := *found.LogEvidence
	ratio.Error *= math.Sqrt(1 + float64(way.picked.Load())/way.effective) // it takes what was picked for independent
	if !(ratio.Error <= Noise) {
		return m.refit(ctx, model, o, r)
	}
	rec, err := infer.NewRecorder(model, model.NewEvaluator(), o, found.Plan, 0)
	if err != nil {
		return nil, err
	}
	for i, q := range found.Unconstrained[0] {
		if err := rec.Draw(q, found.Draws.Row(0, i)[0], 0); err != nil {
			return nil, err
		}
	}
	r.By, r.LogRatio, r.Steps = "particles", recorded(ratio), len(found.Annealing.Beta)
	post := rec.Posterior()
	post.Annealing, post.Update = found.Annealing, r
	post.Chains[0].Adaptation = found.Chains[0].Adaptation
	return rec.End(nil)
}

// refit fits the model anew.
func (m Method) refit(ctx context.Context, model infer.Model, o infer.Options, r *draws.UpdateRun) (*infer.Posterior, error) {
	post, err := m.Refit.Run(ctx, model, o)
	if err != nil {
		return nil, err
	}
	r.By = "a fit"
	r.LogRatio = recorded(infer.Estimate{Value: math.NaN(), Error: math.NaN()})
	post.Update = r
	return post, nil
}
