package gibbsprior

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

type pointwiseOracle struct {
	Settings map[string]struct {
		setting
		Y       []float64     `json:"example_ybar"`
		Mean    []float64     `json:"posterior_mean_at_example"`
		Forward pointwiseCase `json:"forward"`
		Reverse pointwiseCase `json:"reverse"`
	} `json:"settings"`
}

type pointwiseCase struct {
	Var     []float64 `json:"q_var"`
	Eigen   []float64 `json:"pointwise_prior_precision_eigenvalues"`
	Example *struct {
		Mean []float64   `json:"mean"`
		Cov  [][]float64 `json:"cov"`
	} `json:"pointwise_prior_at_example"`
}

// gaussianParts is t ~ N(0, prior), y ~ N(t, noise), as a target with parts.
func gaussianParts(t *testing.T, s setting, y []float64) infer.Tempered {
	prior := normal.NewLower(make([]float64, 2), lowerOf(t, s.Prior))
	noise := normal.NewLower(y, lowerOf(t, s.Noise))
	m := infertest.FromParts(2, func(q []float64, beta float64, grad []float64) (lp, lik float64, err error) {
		a, b := make([]float64, 2), make([]float64, 2)
		lp, lik = prior.LogDensityGrad(q, a), noise.LogDensityGrad(q, b)
		for i := range grad {
			grad[i] = a[i] + beta*b[i]
		}
		return lp, lik, nil
	})
	return m.NewEvaluator().(infer.Tempered)
}

// TestOraclePointwise: precision of the pointwise priors of both mean-field approximations,
// whether they are proper, and where they are, mean and covariance at the example: exact
// but for the differences of gradients.
func TestOraclePointwise(t *testing.T) {
	for _, o := range infertest.ReadOracles[pointwiseOracle](t, "gibbs_prior/toy_gaussian*.json") {
		for name, s := range o.Settings {
			if !s.known(t, name) {
				continue
			}
			for kind, c := range map[string]pointwiseCase{"forward": s.Forward, "reverse": s.Reverse} {
				if len(s.Y) != 2 || len(s.Mean) != 2 || len(c.Eigen) != 2 {
					infertest.Unknown(t, name+" "+kind, "the file has no pointwise prior of it")
					continue
				}
				q := normal.NewLower(s.Mean, diagonalRoot(c.Var))
				p, err := NewPointwise(q, gaussianParts(t, s.setting, s.Y), rng.New(1, "test", 0, 0))
				if err != nil {
					t.Fatal(err)
				}
				precision := mat.NewSymDense(2, nil)
				for i := range 2 {
					for j := range i + 1 {
						precision.SetSym(i, j, p.pi.At(i, j)/(p.sd[i]*p.sd[j]))
					}
				}
				var eigen mat.EigenSym
				if !eigen.Factorize(precision, false) {
					t.Fatal("no eigenvalues")
				}
				got := eigen.Values(nil)
				want := slices.Sorted(slices.Values(c.Eigen))
				for k := range want {
					if math.Abs(got[k]-want[k]) > 1e-6*(1+math.Abs(want[k])) {
						t.Errorf("%s, %s: precision %v, the oracle has %v", name, kind, got, want)
					}
				}
				if p.Proper != (want[0] > 0) {
					t.Errorf("%s, %s: proper is %v with eigenvalues %v", name, kind, p.Proper, want)
				}
				n, ok := p.Normal()
				if ok != (c.Example != nil) {
					t.Errorf("%s, %s: a normal is %v", name, kind, ok)
				}
				t.Logf("%s, %s: precision %.4f, proper %v, curvature %.4f", name, kind, got, p.Proper, p.Curvature)
				if !ok || c.Example == nil {
					continue
				}
				cov := make([]float64, 4)
				n.Covariance(cov)
				for i := range 2 {
					if d := n.Mean()[i] - c.Example.Mean[i]; math.Abs(d) > 1e-5 {
						t.Errorf("%s, %s: mean %v, the oracle has %v", name, kind, n.Mean(), c.Example.Mean)
					}
					for j := range 2 {
						if d := cov[2*i+j] - c.Example.Cov[i][j]; math.Abs(d) > 1e-5 {
							t.Errorf("%s, %s: covariance %v, the oracle has %v", name, kind, cov, c.Example.Cov)
						}
					}
				}
			}
		}
	}
}

// A bounded likelihood leaves the prior of a normal answer proper although it is not
// quadratic; one that falls faster than the answer far out does not, although it is flat
// where the answer is.
func TestPointwiseTails(t *testing.T) {
	for _, c := range []struct {
		name   string
		lik    func(x float64) (value, slope float64)
		proper bool
	}{
		{"flat", func(x float64) (float64, float64) { return -math.Log1p(x * x / 100), -2 * x / (100 + x*x) }, true},
		{"steep far out", func(x float64) (float64, float64) { return -x * x * x * x / 500, -x * x * x / 125 }, false},
	} {
		m := infertest.FromParts(1, func(q []float64, beta float64, grad []float64) (float64, float64, error) {
			v, slope := c.lik(q[0])
			if grad != nil {
				grad[0] = -q[0] + beta*slope
			}
			return -q[0] * q[0] / 2, v, nil
		})
		p, err := NewPointwise(normal.NewDiagonal([]float64{0}, []float64{1}), m.NewEvaluator().(infer.Tempered), rng.New(1, "test", 0, 0))
		if err != nil {
			t.Fatal(err)
		}
		if p.Proper != c.proper {
			t.Errorf("%s: proper is %v", c.name, p.Proper)
		}
	}
}

type example7 struct {
	Compatible   pair7 `json:"example7_compatible"`
	Incompatible pair7 `json:"example7_incompatible"`
}

type pair7 struct {
	Before struct {
		Mean    float64 `json:"E_theta"`
		SD      float64 `json:"sd_theta"`
		Product float64 `json:"E_theta_y"`
	} `json:"pi_G F"`
	TV float64 `json:"total_variation_between_joints"`
}

// TestOracleExample7: the pair of conditionals that come from one joint law, and the pair
// that does not, both as the oracle has them; moments within 5 standard errors by batches
// of 200 steps. From 1900 pairs the test of compatibility passes the first pair (a false
// alarm in 1000; fixed seed) and does not pass the second one, whose total variation is 0.13 and
// whose means, variances and covariances are the same on both sides.
func TestOracleExample7(t *testing.T) {
	for _, o := range infertest.ReadOracles[example7](t, "gibbs_prior/examples_4_and_7*.json") {
		for name, c := range map[string]struct {
			pair7
			mean       func(u float64) float64
			compatible bool
		}{
			"compatible":   {o.Compatible, func(u float64) float64 { return 4 / (1 + u*u) }, true},
			"incompatible": {o.Incompatible, func(u float64) float64 { return u / 2 }, false},
		} {
			if !(c.Before.SD > 0) {
				infertest.Unknown(t, name, "the file has no moments of this pair")
				continue
			}
			step := func(r *rand.Rand, u float64) float64 { return c.mean(u) + r.NormFloat64()/math.Sqrt(1+u*u) }
			model := &toy{Model: flat(1), prior: func(r *rand.Rand, q []float64) { q[0] = r.NormFloat64() },
				data: func(r *rand.Rand, q []float64) []float64 { return []float64{step(r, q[0])} }}
			s, err := newSampler(DefaultOptions(answer{name, func(r *rand.Rand, y, q []float64) { q[0] = step(r, y[0]) }}), model, infer.Options{Seed: 8})
			if err != nil {
				t.Fatal(err)
			}
			const steps = 40_000
			all, err := s.begin(1, 1)
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.chains(context.Background(), all, steps, 1, func(int, []float64, []float64) error { return nil })
			if err != nil {
				t.Fatal(err)
			}
			chain := all[0]
			var x, square, product []float64
			for k, y := range chain.Data[500:] {
				q := chain.Points[500+k][0]
				x, square, product = append(x, q), append(square, q*q), append(product, q*y[0])
			}
			for what, v := range map[string]struct {
				series []float64
				want   float64
			}{"mean": {x, c.Before.Mean}, "second moment": {square, c.Before.SD*c.Before.SD + c.Before.Mean*c.Before.Mean}, "product": {product, c.Before.Product}} {
				mean, fault := batches(v.series, 200)
				t.Logf("%s: %s %.4f +- %.4f, the oracle has %.4f", name, what, mean, fault, v.want)
				if math.Abs(mean-v.want) > 5*fault {
					t.Errorf("%s: %s is %.4f +- %.4f, the oracle has %.4f", name, what, mean, fault, v.want)
				}
			}
			f := &Figures{Thin: 20}
			f.compatibility([]*Chain{chain}, steps, rng.New(1, "test", 0, 0))
			t.Logf("%s: MMD of the joint laws %.4g, p %.3g; total variation %.3g", name, f.Compatibility, f.CompatibilityP, c.TV)
			if c.compatible != (f.CompatibilityP > 0.001) {
				t.Errorf("%s: p = %g", name, f.CompatibilityP)
			}
		}
	}
}

// batches is the mean of a series with its standard error by the means of batches.
func batches(x []float64, n int) (mean, fault float64) {
	var means []float64
	for i := 0; i+n <= len(x); i += n {
		var s float64
		for _, v := range x[i : i+n] {
			s += v / float64(n)
		}
		means = append(means, s)
	}
	for _, v := range means {
		mean += v / float64(len(means))
	}
	for _, v := range means {
		fault += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(fault / float64(len(means)-1) / float64(len(means)))
}

// TestOtherOracles: a setting of another dimension and one without pointwise priors are left out by name.
func TestOtherOracles(t *testing.T) {
	line := `"line": {"Sigma0": [[1]], "Sigma": [[1]], "posterior_cov": [[0.5]]}`
	infertest.ShareOracles(t, map[string]string{"gibbs_prior/toy_gaussian.json": `{"settings": {` + line + `}}`})
	t.Run("chains", TestOracleToyGaussian)
	one, half := "[[1, 0], [0, 1]]", "[[0.5, 0], [0, 0.5]]"
	infertest.ShareOracles(t, map[string]string{"gibbs_prior/toy_gaussian.json": fmt.Sprintf(`{"settings": {
		"same": {"Sigma0": %s, "Sigma": %s, "posterior_cov": %s, "forward": {"q_var": [0.5, 0.5]}}, %s}}`, one, one, half, line)})
	t.Run("pointwise", TestOraclePointwise)
}
