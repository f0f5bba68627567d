package gvi

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/normal"
)

// twoModes is the prior 0.3 normal(-m, 0.5) + 0.7 normal(m, 1) in the first coordinate,
// normal(0, 1) in the others, without data: its log evidence is 0.
func twoModes(d int, m float64) *infertest.Model {
	target := normal.NewMixture([]*normal.Normal{
		normal.NewDiagonal([]float64{-m}, []float64{0.5}), normal.NewDiagonal([]float64{m}, []float64{1})}, []float64{0.3, 0.7})
	return infertest.FromParts(d, func(q []float64, _ float64, grad []float64) (float64, float64, error) {
		if grad == nil {
			grad = make([]float64, d)
		}
		lp := target.LogDensityGrad(q[:1], grad[:1])
		for i, x := range q[1:] {
			lp -= x*x/2 + 0.91893853320467274178
			grad[1+i] = -x
		}
		return lp, 0, nil
	})
}

// A mixture recovers a target with two modes: weights, means and scales of both and
// the evidence, where a single normal takes one.
func TestMixtureRecoversModes(t *testing.T) {
	for _, d := range []int{1, 2, 4} {
		o := DefaultOptions()
		o.Family, o.Components, o.Tolerance = Mixture, 2, 0.02
		method, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		p := infertest.Fit(t, method, twoModes(d, 4), infer.Options{Seed: 2})
		q := p.Density.(*normal.Mixture)
		low, high := 0, 1
		if q.Parts()[0].Mean()[0] > 0 {
			low, high = 1, 0
		}
		t.Logf("dimension %d: weights %.3f, means %.3f %.3f, sds %.3f %.3f, bound %.3f, objective %.4f; %s", d, q.Weights(),
			q.Parts()[low].Mean()[0], q.Parts()[high].Mean()[0], q.Parts()[low].SD()[0], q.Parts()[high].SD()[0], p.Fit.ELBO.Value, p.Fit.Objective.Value, p.Fit.Stop)
		for _, c := range []struct {
			name             string
			got, want, bound float64
		}{
			{"weight", q.Weights()[low], 0.3, 0.02}, {"mean", q.Parts()[low].Mean()[0], -4, 0.05}, {"mean", q.Parts()[high].Mean()[0], 4, 0.1},
			{"sd", q.Parts()[low].SD()[0], 0.5, 0.03}, {"sd", q.Parts()[high].SD()[0], 1, 0.05}, {"objective", p.Fit.Objective.Value, 0, 0.01},
		} {
			if math.Abs(c.got-c.want) > c.bound {
				t.Errorf("dimension %d: %s %.4f, exactly %g", d, c.name, c.got, c.want)
			}
		}
		if !p.Fit.Converged {
			t.Error(p.Fit.Stop)
		}
		o.Family = MeanField
		if method, err = New(o); err != nil {
			t.Fatal(err)
		}
		if one := infertest.Fit(t, method, twoModes(d, 4), infer.Options{Seed: 2}); one.Fit.Objective.Value < 0.3 {
			t.Errorf("a single normal has objective %.4f", one.Fit.Objective.Value)
		}
	}
}

// The gradient of the objective by all parameters, weights included, against
// differences, for divergences of several kinds.
func TestMixtureGradient(t *testing.T) {
	model := twoModes(2, 1)
	for _, name := range []string{"kl", "renyi", "beta", "gamma"} {
		div, err := divergence.New(name, 1.3)
		if err != nil {
			t.Fatal(err)
		}
		ev := model.NewEvaluator()
		src := &source{ctx: t.Context(), target: ev, stopping: ev, parts: ev.(infer.Tempered), scratch: make([]float64, 2)}
		fam := newMixture([]*normal.Normal{normal.NewDiagonal([]float64{-1, 0.2}, []float64{0.8, 1.1}), normal.NewDiagonal([]float64{0.7, 0}, []float64{1.2, 0.9})})
		o := newObjective(&generalised{src: src, div: div}, fam, quadrature(2).strata(2), 2)
		p := []float64{0.1, -0.2, 0.3, 0.1, 0, 0.2, -0.1, 0.1, 0.4, -0.3}
		grad := make([]float64, len(p))
		if _, err := o.LogDensityGrad(p, grad); err != nil {
			t.Fatal(err)
		}
		const h = 1e-5
		for i := range p {
			at := func(shift float64) float64 {
				q := append([]float64{}, p...)
				q[i] += shift
				v, err := o.LogDensity(q)
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
			if want := (at(h) - at(-h)) / (2 * h); math.Abs(grad[i]-want) > 1e-7*(1+math.Abs(want)) {
				t.Errorf("%s: derivative %d is %.9g, by differences %.9g", name, i, grad[i], want)
			}
		}
	}
}

// Under a normal prior the integral of the prior's powers is known: a mixture of one normal
// has the objective of a single one, whose divergence is in closed form.
func TestMixtureOfOneHasTheSameObjective(t *testing.T) {
	model := infertest.ConjugateLine(1).Model
	for _, kind := range []string{"beta", "gamma"} {
		div, err := divergence.New(kind, 1.5)
		if err != nil {
			t.Fatal(err)
		}
		var objective [2]float64
		for i, family := range []string{Mixture, FullRank} {
			o := DefaultOptions()
			o.Family, o.Components, o.Divergence, o.Scale = family, 1, div, Unconstrained
			method, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			objective[i] = infertest.Fit(t, method, model, infer.Options{Seed: 3}).Fit.Objective.Value
		}
		if math.Abs(objective[0]-objective[1]) > 1e-6 {
			t.Errorf("%s: the objective of a mixture of one normal is %.8f, in closed form %.8f", kind, objective[0], objective[1])
		}
	}
}
