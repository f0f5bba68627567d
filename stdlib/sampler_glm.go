// This file draws the outcomes of generalised linear models: the linear predictor is
// computed for one row, and the distribution of that predictor drawn from.

package stdlib

import (
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// A glmBase says how a generalised linear model's arguments become those of a
// distribution of the linear predictor.
type glmBase struct {
	name   string
	trials bool // the first argument is the number of trials
	extras int  // arguments after the coefficients that are passed on
	vector bool // the predictor is a vector: alpha' + x*beta
	cuts   bool // no intercept; the last argument is the vector of cut points
}

var glmBases = map[string]glmBase{
	"normal_id_glm":          {name: "normal", extras: 1},
	"bernoulli_logit_glm":    {name: "bernoulli_logit"},
	"binomial_logit_glm":     {name: "binomial_logit", trials: true},
	"poisson_log_glm":        {name: "poisson_log"},
	"neg_binomial_2_log_glm": {name: "neg_binomial_2_log", extras: 1},
	"ordered_logistic_glm":   {name: "ordered_logistic", cuts: true},
	"categorical_logit_glm":  {name: "categorical_logit", vector: true},
}

// glmSampler makes the sampler of one outcome.
func (l *Library) glmSampler(b glmBase) *Sampler {
	s := &Sampler{Units: []Unit{rowUnit, scalarUnit, vectorUnit}}
	switch {
	case b.cuts:
		s.Units = []Unit{rowUnit, vectorUnit, vectorUnit}
	case b.vector:
		s.Units = []Unit{rowUnit, vectorUnit, matrixUnit}
	case b.trials:
		s.Units = []Unit{scalarUnit, rowUnit, scalarUnit, vectorUnit}
	case b.extras == 1:
		s.Units = append(s.Units, scalarUnit)
	}
	var base *Sampler
	for _, suffix := range []string{"_lpdf", "_lpmf"} {
		if f := l.Function(b.name + suffix); f != nil {
			base = l.Sampler(f)
		}
	}
	s.Draw = func(r *rand.Rand, y catalogue.Tensor, in []catalogue.Tensor, out []float64) error {
		return base.Draw(r, y, b.predicted(in), out)
	}
	return s
}

// predicted returns the arguments of the distribution of the predictor.
func (b glmBase) predicted(in []catalogue.Tensor) []catalogue.Tensor {
	var args []catalogue.Tensor
	if b.trials {
		args, in = append(args, in[0]), in[1:]
	}
	x := in[0].X
	switch {
	case b.cuts:
		return append(args, number(catalogue.Dot(x, in[1].X)), in[2])
	case b.vector:
		k := len(in[1].X)
		eta := append([]float64(nil), in[1].X...)
		for j := range eta {
			eta[j] += catalogue.Dot(x, in[2].X[j*len(x):(j+1)*len(x)])
		}
		return append(args, catalogue.Tensor{Dims: []int{k}, X: eta})
	}
	args = append(args, number(in[1].X[0]+catalogue.Dot(x, in[2].X)))
	return append(args, in[3:]...)
}

func number(x float64) catalogue.Tensor { return catalogue.Tensor{X: []float64{x}} }
