package examples

// This file times prior swapping against the size of the data: hierarchical logistic
// regression (Neiswanger and Xing 2017), theta ~ N(0, I/alpha), alpha ~ gamma(g, 1) with
// alpha integrated out, from a posterior under a normal prior.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-12b88e03/ppl/lang"
)

// hierarchical has the prior in place of %s. With alpha integrated out theta has 2g
// degrees of freedom and scale matrix I/g, here g = 1.025.
const (
	hierarchical = `data { int n; int d; matrix[n, d] X; array[n] int<lower=0, upper=1> y; }
parameters { vector[d] theta; }
model {
  theta ~ %s;
  y ~ bernoulli_logit(X * theta);
}
inference {
  fit = laplace();
  swapped = prior_swap(fit) { theta ~ multi_student_t(2.05, rep_vector(0, d), identity_matrix(d) / 1.025); }
  direct = nuts();
}
`
	falsePrior = "normal(0, 1)"
	truePrior  = "multi_student_t(2.05, rep_vector(0, d), identity_matrix(d) / 1.025)"
)

// logisticData has n observations with coefficients 1, -1/2, 1/3, ...
func logisticData(n, d int) map[string]any {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	x, y := make([][]float64, n), make([]int, n)
	for i := range x {
		eta := 0.0
		for j := range d {
			x[i] = append(x[i], r.NormFloat64())
			eta += x[i][j] * math.Pow(-1, float64(j)) / float64(j+1)
		}
		if r.Float64() < 1/(1+math.Exp(-eta)) {
			y[i] = 1
		}
	}
	return map[string]any{"n": n, "d": d, "X": x, "y": y}
}

// hierarchicalFit binds the program with a prior and gives its fits by name; those that
// are not named are not run. seconds is the time of the last one.
func hierarchicalFit(t testing.TB, prior string, vars map[string]any, names ...string) (last *lang.Fit, seconds float64) {
	t.Helper()
	p, err := lang.Compile("hierarchical.ppl", fmt.Sprintf(hierarchical, prior), lang.Options{})
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	m := bind(t, p, vars)
	methods, err := p.Methods()
	if err != nil {
		t.Fatal(err)
	}
	share := lang.Share(methods)
	for _, name := range names {
		for _, method := range methods {
			if method.Name() != name {
				continue
			}
			began := time.Now()
			if last, err = m.Run(t.Context(), method, lang.RunOptions{Seed: 1, Jobs: 1, Shared: share}); err != nil {
				t.Fatal(lang.ErrorText(err))
			}
			seconds = time.Since(began).Seconds()
		}
	}
	return last, seconds
}

// apart is the largest distance between means, in standard deviations of the second fit,
// and the largest error of such a distance.
func apart(a, b *lang.Fit) (shift, mcse float64) {
	for i, s := range b.Summaries[1:] {
		sd := float64(s.SD)
		shift = max(shift, math.Abs(float64(a.Summaries[i+1].Mean-s.Mean))/sd)
		mcse = max(mcse, math.Hypot(float64(a.Summaries[i+1].MCSE), float64(s.MCSE))/sd)
	}
	return shift, mcse
}

// TestSwapHierarchical: with 1000 observations the posterior is near normal, and the
// swapped means are those of NUTS on the new prior, within 5 errors and 0.05 sd for what
// the normal form leaves out.
func TestSwapHierarchical(t *testing.T) {
	vars := logisticData(1000, 3)
	swapped, _ := hierarchicalFit(t, falsePrior, vars, "fit", "swapped")
	direct, _ := hierarchicalFit(t, truePrior, vars, "direct")
	if shift, mcse := apart(swapped, direct); shift > 5*mcse+0.05 {
		t.Errorf("means are %.3f sd apart, error %.3f", shift, mcse)
	}
}

// BenchmarkSwap returns the seconds that the swap takes once the false posterior is there,
// those of NUTS on the new prior, and how far the two's means are apart in sds; at the end
// the largest over the smallest time of the swap.
//
//	go test ./examples -run NONE -bench 'BenchmarkSwap$' -benchtime 1x -timeout 0
func BenchmarkSwap(b *testing.B) {
	least, most := math.Inf(1), 0.0
	for _, n := range []int{10, 100, 1000, 10000, 120000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			vars := logisticData(n, 5)
			swapped, seconds := hierarchicalFit(b, falsePrior, vars, "fit", "swapped")
			for range 4 { // the least of some, since others use the processor, too
				_, again := hierarchicalFit(b, falsePrior, vars, "fit", "swapped")
				seconds = min(seconds, again)
			}
			least, most = min(least, seconds), max(most, seconds)
			b.ReportMetric(seconds, "swap-s")
			b.ReportMetric(most/least, "largest/smallest")
			if n > 10000 && testing.Short() {
				return
			}
			direct, nuts := hierarchicalFit(b, truePrior, vars, "direct")
			shift, mcse := apart(swapped, direct)
			b.ReportMetric(nuts, "nuts-s")
			b.ReportMetric(shift, "sd-apart")
			b.ReportMetric(mcse, "error")
		})
	}
}
