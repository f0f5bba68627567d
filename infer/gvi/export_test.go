package gvi

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// Estimates are repeated estimates of the objective and its gradient by (m, log s).
type Estimates struct {
	Mean, Error [3]float64 // of value, by m, by log s
	Variance    [3]float64 // of one estimate
	Name        string
}

// EstimateAt estimates a model's objective in one dimension at normal(m, s). Unless
// exact is set, a divergence in closed form is estimated all the same.
func (m *Method) EstimateAt(model infer.Model, mean, sd float64, exact bool, draws, repetitions int) (Estimates, error) {
	out := Estimates{}
	r := &run{name: "gvi", fit: m.options.Fit, model: model, ev: model.NewEvaluator()}
	r.src = &source{ctx: context.Background(), target: r.ev, stopping: r.ev, scratch: make([]float64, 1)}
	e, err := m.energy(r)
	if err != nil {
		return out, err
	}
	fam := newScoredNormal(newMeanField(normal.NewDiagonal([]float64{mean}, []float64{sd})), 1)
	est, err := m.estimatorOf(r, fam, e.(*generalised))
	if err != nil {
		return out, err
	}
	if !exact {
		est.exact = nil
	}
	fam.set(make([]float64, 2))
	stream, grad, spread := rng.New(1, "estimates", 0, 0), make([]float64, 2), make([]float64, 2)
	var square [3]float64
	for k := range repetitions {
		v, err := est.at(stream, draws, grad, spread)
		if err != nil {
			return out, err
		}
		for i, x := range [3]float64{v.value, grad[0] / fam.gaussian.(*meanField).unit[0], grad[1]} {
			d := x - out.Mean[i]
			out.Mean[i] += d / float64(k+1)
			square[i] += d * (x - out.Mean[i])
		}
	}
	for i, s := range square {
		out.Variance[i] = s / float64(repetitions-1)
		out.Error[i] = math.Sqrt(out.Variance[i] / float64(repetitions))
	}
	if math.IsNaN(out.Mean[1]) {
		return out, fmt.Errorf("no number")
	}
	out.Name = est.name
	return out, nil
}
