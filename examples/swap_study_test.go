package examples

// This file compares prior swapping with what else could be done with a posterior under
// another prior (Neiswanger and Xing 2017, section 5): sparse linear regression with 20
// coefficients, whose posterior under a normal prior is normal and known exactly.

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/lang"
)

// factors is the product of the false posterior and what stands in place of %s.
const factors = `data { int d; vector[d] m; matrix[d, d] V; real<lower=0> v; real<lower=0> b; }
parameters { vector[d] beta; }
model {
  beta ~ multi_normal(m, V);
  %s
}
`

// What goes with the false posterior: the new prior over the old one, the new one alone, and a
// normal with the new one's variance over the old one.
const (
	asSwapped = `target += double_exponential_lpdf(beta | 0, b) - normal_lpdf(beta | 0, sqrt(v));`
	asHybrid  = `target += double_exponential_lpdf(beta | 0, b);`
	asNormals = `target += normal_lpdf(beta | 0, b * sqrt(2)) - normal_lpdf(beta | 0, sqrt(v));`
)

type momentsOf struct {
	Mean []float64   `json:"mean"`
	Var  []float64   `json:"var"`
	Cov  [][]float64 `json:"cov"`
}

// shiftOf is the largest distance of means from the true ones, in true sds.
func (m momentsOf) shiftOf(mean []float64) (most float64) {
	for i, x := range mean {
		most = max(most, math.Abs(x-m.Mean[i])/math.Sqrt(m.Var[i]))
	}
	return most
}

// TestSwapComparators prints how far the means are off, in sds, and asks of the swap 5 errors
// of 4,000 draws, 0.1 sd, whatever the false prior. The false-true hybrid, which leaves the false
// prior in, is as good for a wide false prior and far off for a narrow one; importance
// sampling is for neither as good as the swap.
func TestSwapComparators(t *testing.T) {
	var truth momentsOf
	var all map[string]momentsOf
	oracle(t, "prior_swap/sparse_linear_laplace_b0.05.json", &truth)
	oracle(t, "prior_swap/sparse_linear_false_posteriors.json", &all)
	for v, name := range map[float64]string{1: "normal_var1", 0.01: "normal_var0.01"} {
		old := all[name]
		vars := map[string]any{"d": len(old.Mean), "m": old.Mean, "V": old.Cov, "v": v, "b": 0.05}
		shift := map[string]float64{"false posterior": truth.shiftOf(old.Mean), "importance sampling": truth.shiftOf(weightedMean(t, old, v, 0.05))}
		for what, factor := range map[string]string{"prior swap": asSwapped, "false-true hybrid": asHybrid, "normal approximations": asNormals} {
			p, err := lang.Compile("factors.ppl", fmt.Sprintf(factors, factor), lang.Options{})
			if err != nil {
				t.Fatal(lang.ErrorText(err))
			}
			var mean []float64
			for _, s := range fitted(t, bind(t, p, vars), "nuts()", 1).Summaries[1:] {
				mean = append(mean, float64(s.Mean))
			}
			shift[what] = truth.shiftOf(mean)
		}
		for what, off := range shift {
			t.Logf("false prior of variance %g, %s: means off by %.3f sd", v, what, off)
		}
		if shift["prior swap"] > 0.1 {
			t.Errorf("variance %g: the swapped means are off by %.3f sd", v, shift["prior swap"])
		}
		if shift["importance sampling"] < shift["prior swap"] || v < 1 && shift["false-true hybrid"] < 1 {
			t.Errorf("variance %g: %v", v, shift)
		}
	}
}

// weightedMean is the mean of 4,000 draws of the false posterior with weights Laplace(b) over
// N(0, v).
func weightedMean(t *testing.T, old momentsOf, v, b float64) []float64 {
	t.Helper()
	d := len(old.Mean)
	q := normal.NewLower(old.Mean, lowerRoot(old.Cov))
	r := rng.New(1, "comparator", 0, 0)
	const n = 4000
	points, logw, w := make([][]float64, n), make([]float64, n), make([]float64, n)
	for i := range points {
		points[i] = make([]float64, d)
		q.Draw(r, points[i])
		for _, x := range points[i] {
			logw[i] += x*x/(2*v) - math.Abs(x)/b
		}
	}
	infer.Weights(logw, w)
	mean := make([]float64, d)
	for i, x := range points {
		for j, v := range x {
			mean[j] += w[i] * v
		}
	}
	return mean
}

// lowerRoot is the Cholesky factor of a covariance, row by row.
func lowerRoot(cov [][]float64) []float64 {
	n := len(cov)
	l := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			sum := cov[i][j]
			for k := range j {
				sum -= l[i*n+k] * l[j*n+k]
			}
			if i == j {
				l[i*n+i] = math.Sqrt(sum)
			} else {
				l[i*n+j] = sum / l[j*n+j]
			}
		}
	}
	return l
}
