// This file runs gvi on minibatches of the likelihood's terms.
//
// With the negative log likelihood as loss and KLD/w as divergence the objective is
// 1/w times the negative evidence lower bound of prior * likelihood^w, so advi's steps
// along estimates of the natural gradient serve: those take minibatches, where the
// optimisation at fixed points of the rest of this package cannot.

package gvi

import (
	"context"
	"fmt"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/vi"
)

// checkBatch refuses what minibatches are not for.
func (o Options) checkBatch() error {
	const because = "gvi: batch needs %s, found %s; give epochs for steps of ADAM, which take others, or leave batch out to take all terms of the likelihood"
	switch {
	case o.Batch == 0 && o.Epochs == 0:
		return nil
	case o.Epochs > 0 && o.Loss.Own != nil && o.Batch > 0:
		return fmt.Errorf(because, "a loss of the catalogue", o.Loss)
	case o.Estimator != Reparametrised:
		return fmt.Errorf(because, "estimator = "+Reparametrised, o.Estimator)
	case o.Epochs > 0:
		return nil
	case o.Loss.Name != "nll":
		return fmt.Errorf(because, "loss = nll()", o.Loss)
	case len(o.ByParameter) > 0 || !o.Divergence.IsKL():
		return fmt.Errorf(because, "a divergence that is a multiple of kl(1)", o.divergences())
	case o.Family != MeanField && o.Family != FullRank && o.Family != LowRank:
		return fmt.Errorf(because, "a family that is one normal", o.Family)
	case len(o.Point) > 0:
		return fmt.Errorf(because, "parameters that all have a density", "point = "+fmt.Sprint(o.Point))
	}
	return nil
}

// minibatched is the run.
func (m *Method) minibatched(ctx context.Context, model infer.Model, o infer.Options) (*infer.Posterior, error) {
	f := m.options.Fit
	method, err := vi.New(vi.Options{
		Family: f.Family, Draws: f.Draws, Iterations: f.Iterations, Tolerance: f.Tolerance, Samples: f.Samples, Rank: f.Rank, Init: f.Init,
		Batch: m.options.Batch, Name: m.Name(), Power: 1 / m.options.Divergence.Value(unitKL{}), Config: m.Config(),
	})
	if err != nil {
		return nil, err
	}
	return method.Run(ctx, model, o)
}
