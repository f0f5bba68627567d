package mh_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

// tenDimensions is a normal with sds from 0.01 to 100 and correlations of 0.8 between
// neighbours, 0.8^k at distance k.
func tenDimensions() infertest.Case {
	const n = 10
	mean := make([]float64, n)
	cov := mat.NewSymDense(n, nil)
	for i := range n {
		mean[i] = float64(i)
		for j := range i + 1 {
			cov.SetSym(i, j, math.Pow(0.8, float64(i-j))*math.Pow(10, float64(i+j)/4.5-2))
		}
	}
	return infertest.Gaussian("10 dimensions", mean, cov)
}

// Default settings are enough for ten correlated dimensions of unequal scales: R-hat
// below 1.01 and 100 effective draws for each chain, the bounds of the checks of a fit.
// 20 comparisons at 5 errors; the seed is fixed.
func TestDefaultSettings(t *testing.T) {
	c := tenDimensions()
	p := infertest.Fit(t, method(t, nil), c.Model, infer.Options{Seed: 23, Jobs: 2})
	infertest.CheckMoments(t, p, c, 5, 1.01)
	least, mean, sd, rhat := math.Inf(1), 0.0, 0.0, 0.0
	for i, name := range p.Draws.Columns() {
		x := p.Draws.Column(name)
		least, rhat = min(least, draws.ESSBulk(x), draws.ESSTail(x)), max(rhat, draws.RHat(x))
		mean = max(mean, math.Abs(draws.Mean(x)-c.Mean[i])/c.SD[i])
		sd = max(sd, math.Abs(draws.SD(x)/c.SD[i]-1))
	}
	t.Logf("largest errors of mean %.3f and sd %.3f, R-hat %.4f, least ESS %.0f", mean, sd, rhat, least)
	if least < 400 {
		t.Errorf("least ESS %.0f", least)
	}
}
