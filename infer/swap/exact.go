// This file finds the false posterior in closed form, where it has one.

package swap

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/cavi"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/laplace"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/optimize"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// exactTolerance is how far a closed form may be from the log density, up to a constant,
// in nats.
const exactTolerance = 1e-5

// exactDraws is how many draws of a closed form are held against the log density.
const exactDraws = 40

// closedForm is the posterior where it is a normal on the unconstrained scale, or a
// product of conjugate distributions over blocks of parameters that are independent a
// posteriori.
func closedForm(ctx context.Context, model infer.Model, o infer.Options) (infer.Approximation, error) {
	q, err := quadratic(ctx, model, o)
	switch {
	case err == nil:
		return q, nil
	case ctx.Err() != nil:
		return nil, err
	}
	return independent(ctx, model, o)
}

// noForm is the error of a posterior without a closed form.
func noForm() error {
	return &infer.MissingError{Method: "prior_swap with from = \"exact\"",
		Needs: "a posterior that is a normal on the unconstrained scale, or independent conjugate distributions of the parameters (use from = \"parametric\" or \"semiparametric\")"}
}

// conjugate are the forms of factors that are known up to a few numbers.
var conjugate = []string{"normal", "gamma", "inverse gamma", "beta", "dirichlet", "wishart", "inverse wishart"}

// independent is the posterior as a product of conjugate distributions: coordinate
// ascent finds their numbers at once where the blocks are independent, and something else
// where they are not.
func independent(ctx context.Context, model infer.Model, o infer.Options) (infer.Approximation, error) {
	options := cavi.DefaultOptions()
	options.Draws, options.Starts, options.Iterations = exactDraws, 1, 10
	ascent, err := cavi.New(options)
	if err != nil {
		return nil, err
	}
	o.Observer, o.KeepUnconstrained = nil, false
	p, err := ascent.Run(ctx, model, o)
	var improper *cavi.ImproperError
	var missing *infer.MissingError
	switch {
	case errors.As(err, &improper) || errors.As(err, &missing):
		return nil, noForm()
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	q, ok := p.Approximation()
	if !ok || p.Duality == nil || slices.ContainsFunc(p.Duality.Factors, func(f infer.FactorReport) bool { return !slices.Contains(conjugate, f.Form) }) {
		return nil, noForm()
	}
	at, by := p.Draws.Column(draws.LogTargetColumn)[0], p.Draws.Column(draws.LogApproximationColumn)[0]
	for i, lp := range at {
		if !agrees(lp-by[i], at[0]-by[0], lp) {
			return nil, noForm()
		}
	}
	return q, nil
}

// agrees reports whether two differences from the log density lp are the same.
func agrees(d, first, lp float64) bool {
	return math.Abs(d-first) <= exactTolerance*(1+float64(math.Abs(lp)*1e-6))
}

// quadratic is the posterior as a normal, where it is one.
func quadratic(ctx context.Context, model infer.Model, o infer.Options) (*normal.Normal, error) {
	t := infer.Interruptible(ctx, model.NewEvaluator())
	opt := laplace.DefaultOptions()
	mode, err := optimize.Climb(t, rng.New(o.Seed, rng.Init, 0, o.Replicate), opt.Init, opt.Settings, func(optimize.Point) {})
	if err != nil {
		return nil, err
	}
	fit, err := laplace.At(t, mode.X)
	if err != nil {
		return nil, fmt.Errorf("from = %q: %w", Exact, err)
	}
	r := rng.New(o.Seed, "prior_swap/exact", 0, o.Replicate)
	q := make([]float64, model.Dim())
	first := math.NaN()
	for i := range exactDraws {
		fit.Normal.Draw(r, q)
		lp, err := infer.FiniteLogDensity(t, q)
		if err != nil {
			return nil, err
		}
		d := lp - fit.Normal.LogDensity(q)
		if i == 0 {
			first = d
		}
		if !agrees(d, first, lp) {
			return nil, noForm()
		}
	}
	return fit.Normal, nil
}
