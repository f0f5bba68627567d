package vi_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/vi"
)

type optimum struct {
	Mean []float64 `json:"mean"`
	SD   []float64 `json:"sd"`
	ELBO float64   `json:"elbo"`
	// of the average of all coordinates
	SDOfMean float64 `json:"sd_of_mean_theta"`
}

type volatility struct {
	Model struct {
		Sigma  float64 `json:"sigma"`
		Nu     float64 `json:"nu"`
		Theta0 float64 `json:"theta0"`
	} `json:"model"`
	Y         []float64 `json:"y"`
	MeanField optimum   `json:"mean_field"`
	FullRank  optimum   `json:"full_rank"`
}

// model is a random walk theta with Student-t observations of scale
// exp(theta).
func (v *volatility) model() *infertest.Model {
	sigma, nu, y := v.Model.Sigma, v.Model.Nu, v.Y
	up, _ := math.Lgamma((nu + 1) / 2)
	down, _ := math.Lgamma(nu / 2)
	constant := -math.Log(sigma) - math.Log(2*math.Pi)/2 + up - down - math.Log(nu*math.Pi)/2
	return infertest.FromFunc(len(y), func(q, grad []float64) (float64, error) {
		if grad != nil {
			clear(grad)
		}
		lp, last := 0.0, v.Model.Theta0
		for i, th := range q {
			d := (th - last) / sigma
			u := y[i] * y[i] * math.Exp(-2*th) / nu
			lp += constant - d*d/2 - th - (nu+1)/2*math.Log1p(u)
			if grad != nil {
				grad[i] += -d/sigma - 1 + (nu+1)*u/(1+u)
				if i > 0 {
					grad[i-1] += d / sigma
				}
			}
			last = th
		}
		return lp, nil
	})
}

// TestOracleVolatility compares optima and bounds with the shared oracle: means
// to 0.05 of the family's sd, sds to 5 %, the bound to 0.05 (meanfield) and 0.5
// (fullrank) nats.
func TestOracleVolatility(t *testing.T) {
	for i, oracle := range infertest.ReadOracles[volatility](t, "gibbs_prior/vol_fixed_y*.json") {
		for family, c := range map[string]struct {
			want      optimum
			tolerance float64
		}{vi.MeanField: {oracle.MeanField, 0.05}, vi.FullRank: {oracle.FullRank, 0.5}} {
			if m, n := oracle.Model, len(oracle.Y); !(m.Sigma > 0) || !(m.Nu > 0) || len(c.want.Mean) != n || len(c.want.SD) != n || n == 0 {
				infertest.Unknown(t, fmt.Sprintf("file %d %s", i+1, family), "no random walk with this optimum")
				continue
			}
			checkOptimum(t, &oracle, family, c.want, c.tolerance)
		}
	}
}

func checkOptimum(t *testing.T, v *volatility, family string, want optimum, tolerance float64) {
	t.Helper()
	p := fit(t, v.model(), infer.Options{Seed: 3}, func(o *vi.Options) { o.Family = family })
	q := p.Density.(*normal.Normal)
	var meanOff, sdOff, total float64
	for i, sd := range q.SD() {
		meanOff = max(meanOff, math.Abs(q.Mean()[i]-want.Mean[i])/want.SD[i])
		sdOff = max(sdOff, math.Abs(sd/want.SD[i]-1))
	}
	d := q.Dim()
	cov := make([]float64, d*d)
	q.Covariance(cov)
	for _, c := range cov {
		total += c
	}
	sdOff = max(sdOff, math.Abs(math.Sqrt(total)/float64(d)/want.SDOfMean-1))
	t.Logf("%s: bound %.4f +- %.4f (oracle %.4f), means off by %.4f sd, sds by %.4f, k %.2f; %s, %d gradients", family,
		p.Fit.ELBO.Value, p.Fit.ELBO.Error, want.ELBO, meanOff, sdOff, p.Fit.ParetoK, p.Fit.Stop, p.Fit.Evaluations)
	if math.Abs(p.Fit.ELBO.Value-want.ELBO) > tolerance || p.Fit.ELBO.Error > tolerance {
		t.Errorf("%s: bound %.4f, the oracle has %.4f", family, p.Fit.ELBO.Value, want.ELBO)
	}
	if meanOff > 0.05 || sdOff > 0.05 {
		t.Errorf("%s: means off by %.3f sd, sds by %.3f", family, meanOff, sdOff)
	}
	if !p.Fit.Converged {
		t.Errorf("%s: %s", family, p.Fit.Stop)
	}
}

// TestOtherVolatilities: a file of another model, and one of another shape, are left out by name.
func TestOtherVolatilities(t *testing.T) {
	infertest.ShareOracles(t, map[string]string{
		"gibbs_prior/vol_fixed_y.json":   `{"model": {"T": 3}, "y": [1, 2, 3]}`,
		"gibbs_prior/vol_fixed_y_2.json": `{"model": "a random walk", "y": [[1, 2], [3, 4]]}`,
		"gibbs_prior/vol_fixed_y_3.json": `[1, 2]`,
	})
	t.Run("files", TestOracleVolatility)
}
