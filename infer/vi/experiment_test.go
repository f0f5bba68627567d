package vi_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/vi"
)

func equi(d int, rho float64) infertest.Case {
	c := mat.NewSymDense(d, nil)
	mean := make([]float64, d)
	for i := range d {
		mean[i] = float64(i % 7)
		for j := i; j < d; j++ {
			c.SetSym(i, j, rho)
		}
		c.SetSym(i, i, 1)
	}
	return infertest.Gaussian(fmt.Sprintf("equi %d %g", d, rho), mean, c)
}

func ar(d int, rho float64) infertest.Case {
	c := mat.NewSymDense(d, nil)
	mean := make([]float64, d)
	for i := range d {
		mean[i] = float64(i % 7)
		for j := i; j < d; j++ {
			c.SetSym(i, j, math.Pow(rho, float64(j-i)))
		}
	}
	return infertest.Gaussian(fmt.Sprintf("ar %d %g", d, rho), mean, c)
}

func TestExperiment(t *testing.T) {
	cases := append(infertest.Cases(), equi(50, 0.5), equi(50, 0.95), equi(50, -0.02), ar(100, 0.99), ar(30, 0.999), equi(200, 0.9), infertest.Banana(2))
	for _, c := range cases {
		for _, fam := range []string{vi.MeanField, vi.FullRank, vi.LowRank} {
			for seed := range uint64(3) {
				t0 := time.Now()
				p, err := method(t, func(o *vi.Options) { o.Family = fam }).Run(t.Context(), c.Model, infer.Options{Seed: seed})
				if err != nil {
					t.Log(c.Name, fam, err)
					continue
				}
				q := p.Density.(*normal.Normal)
				var mo, so float64
				for i, sd := range q.SD() {
					mo = max(mo, math.Abs(q.Mean()[i]-c.Mean[i])/sd)
					so = max(so, math.Abs(sd/c.SD[i]-1))
				}
				t.Logf("%-16s %-9s %d elbo %9.3f+-%.3f mean %.4f sd %.4f k %5.2f conv %v %s %d grads %v", c.Name, fam, seed, p.Fit.ELBO.Value, p.Fit.ELBO.Error, mo, so, p.Fit.ParetoK, p.Fit.Converged, p.Fit.Stop, p.Fit.Evaluations, time.Since(t0).Round(time.Millisecond))
			}
		}
	}
}
