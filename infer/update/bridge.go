// The way from the old posterior to the new one, as a model that smc anneals.

package update

import (
	"math"
	"math/rand/v2"
	"sort"
	"sync/atomic"

	"github.com/seed-12b88e03/ppl/infer"
)

// A bridge is the model given the new data. Its "prior" is the density of the old posterior, its "likelihood" what is
// missing to the new one; draws from the former are the old draws.
type bridge struct {
	infer.Model
	old    infer.Model
	points [][]float64
	sums   []float64 // of the weights up to each point

	effective float64 // how many points there are in effect
	picked    atomic.Int64
}

func newBridge(m Method, model infer.Model) *bridge {
	w := make([]float64, len(m.Points))
	if m.LogWeights == nil {
		for i := range w {
			w[i] = 1 / float64(len(w))
		}
	} else {
		infer.Weights(m.LogWeights, w)
	}
	b := &bridge{Model: model, old: m.Old, points: m.Points, sums: w}
	squares, sum := 0.0, 0.0
	for i, v := range w {
		squares += float64(v * v)
		sum += v
		w[i] = sum
	}
	b.effective = 1 / squares
	return b
}

// NewEvaluator implements infer.Model.
func (b *bridge) NewEvaluator() infer.Evaluator {
	return &bridgeEvaluator{b.Model.NewEvaluator(), b.old.NewEvaluator(), b, make([]float64, b.Dim())}
}

// A bridgeEvaluator implements infer.Tempered and infer.PriorSampler.
type bridgeEvaluator struct {
	infer.Evaluator // given the new data
	old             infer.Evaluator
	from            *bridge
	grad            []float64
}

// LogDensityParts implements infer.Tempered.
func (e *bridgeEvaluator) LogDensityParts(q []float64) (prior, likelihood float64, err error) {
	a, err := e.old.LogDensity(q)
	if err != nil {
		return math.NaN(), math.NaN(), err
	}
	b, err := e.Evaluator.LogDensity(q)
	return a, b - a, err
}

// LogDensityPartsGrad implements infer.Tempered.
func (e *bridgeEvaluator) LogDensityPartsGrad(q []float64, beta float64, grad []float64) (prior, likelihood float64, err error) {
	a, err := e.old.LogDensityGrad(q, e.grad)
	if err != nil {
		return math.NaN(), math.NaN(), err
	}
	b, err := e.Evaluator.LogDensityGrad(q, grad)
	for i := range grad {
		grad[i] = float64(beta*grad[i]) + float64((1-beta)*e.grad[i])
	}
	return a, b - a, err
}

// DrawPrior implements infer.PriorSampler.
func (e *bridgeEvaluator) DrawPrior(r *rand.Rand, q []float64) error {
	e.from.picked.Add(1)
	sums := e.from.sums
	u := float64(r.Float64() * sums[len(sums)-1])
	copy(q, e.from.points[min(sort.SearchFloat64s(sums, u), len(sums)-1)])
	return nil
}
