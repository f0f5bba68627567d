// The Poisson-binomial distribution: successes of independent trials, each with a
// probability of its own.

package multivariate

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/mathfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// poissonBinomialFunctions are mass, cumulative functions and random numbers (Stan Functions
// Reference 2.40, Poisson-Binomial Distribution).
func poissonBinomialFunctions() []*catalogue.Function {
	const of = "the Poisson-binomial distribution with success probabilities theta"
	point := func(y, _ int) (lo, hi int) { return y, y }
	below := func(y, _ int) (lo, hi int) { return 0, y }
	above := func(y, n int) (lo, hi int) { return y + 1, n }
	all := []*catalogue.Function{
		poissonBinomial("poisson_binomial_lpmf", "log mass of "+of, point),
		poissonBinomial("poisson_binomial_lcdf", "log of the cumulative distribution function of "+of, below),
		poissonBinomial("poisson_binomial_lccdf", "log of the complementary cumulative distribution function of "+of, above),
		poissonBinomial("poisson_binomial_cdf", "cumulative distribution function of "+of, below),
	}
	random := &catalogue.Function{Name: "poisson_binomial_rng", Section: univariate.BoundedInt, Doc: "random variate of " + of, Draw: &catalogue.Drawer{
		Dims: func(in []catalogue.Tensor) ([]int, error) { return in[0].Dims[:max(0, len(in[0].Dims)-1)], nil },
		Draw: func(r *rand.Rand, in []catalogue.Tensor, out []float64) error {
			if err := catalogue.CheckEach("poisson_binomial_rng", "theta", in[0], isProbability, catalogue.Probability.Text); err != nil {
				return err
			}
			k := in[0].Dims[len(in[0].Dims)-1]
			for i := range out {
				out[i] = 0
				for _, p := range in[0].X[i*k : (i+1)*k] {
					out[i] += univariate.BernoulliDraw(r, p)
				}
			}
			return nil
		},
	}}
	for _, theta := range []string{"vector", "row_vector", "array[] real"} {
		random.Signatures = append(random.Signatures, "int poisson_binomial_rng("+theta+" theta)")
	}
	for _, theta := range []string{"array[] vector", "array[] row_vector"} {
		random.Signatures = append(random.Signatures, "array[] int poisson_binomial_rng("+theta+" theta)")
	}
	return append(all, random)
}

func isProbability(x float64) bool { return x >= 0 && x <= 1 }

// poissonBinomial is the row of a function of the probability that the successes in n
// trials lie in the interval that goes with y.
func poissonBinomial(fn, doc string, interval func(y, n int) (lo, hi int)) *catalogue.Function {
	f := &catalogue.Function{Name: fn, Doc: doc, Section: univariate.BoundedInt}
	for _, theta := range []string{"vectors", "array[] real"} {
		f.Signatures = append(f.Signatures, "real "+fn+"(ints y | "+theta+" theta)")
	}
	log := func(in []catalogue.Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
		theta := probabilitiesOf(in[1])
		if err := catalogue.CheckEach(fn, "theta", in[1], isProbability, catalogue.Probability.Text); err != nil {
			return 0, err
		}
		if i := catalogue.Outside(in[0].X, 0, float64(theta.k)); i >= 0 {
			return 0, catalogue.ArgumentError(fn, "y", in[0], i, "in the interval [0, "+catalogue.NumberText(float64(theta.k))+"]")
		}
		sum := 0.0
		for i := range poissonBinomialCount(in[0], theta) {
			lo, hi := interval(int(transform.ArgAt(in[0].X, i)), theta.k)
			t := successes{theta: theta.at(theta.x, i), table: work}
			if i == 0 || !theta.one {
				t.tabulate()
			}
			v, side, sign := t.between(lo, hi)
			sum += v
			if d := Into(din, 1); d != nil {
				t.addGradient(side, sign*adj, v, theta.at(d, i))
			}
		}
		return sum, nil
	}
	f.Kernel = DensityKernel(func(in []catalogue.Tensor) error {
		theta := probabilitiesOf(in[1])
		if y := in[0]; len(y.Dims) > 0 && !theta.one && y.Dims[0] != theta.n {
			return container.SizeError(fn, "the size of y", y.Dims[0], "the size of theta", theta.n)
		}
		return nil
	}, func(in []catalogue.Tensor) int {
		k := probabilitiesOf(in[1]).k
		return (k+1)*(k+1) + 2*(k+2)
	}, log)
	if strings.HasSuffix(fn, "_cdf") {
		f.Kernel = exponential(f.Kernel)
	}
	return f
}

// probabilitiesOf reads theta, where an array of numbers is one vector.
func probabilitiesOf(t catalogue.Tensor) sequence {
	if len(t.Dims) == 1 {
		t.Rank.Array = 0
	}
	return sequenceOf(t)
}

// poissonBinomialCount is the number of variates.
func poissonBinomialCount(y catalogue.Tensor, theta sequence) int {
	if len(y.Dims) > 0 || theta.one {
		return len(y.X)
	}
	return theta.n
}

// exponential makes of a kernel of a logarithm one of the number itself.
func exponential(log *catalogue.Kernel) *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: log.Dims,
		Work: func(in []catalogue.Tensor) int { return 1 + log.Work(in) },
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			err := log.Value(in, out, work[1:])
			out[0] = libm.Exp(out[0])
			return err
		},
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, work []float64) {
			if work[0] = adj[0] * out[0]; work[0] != 0 {
				log.VJP(in, out, work[:1], din, work[1:])
			}
		},
	}
}

// A successes is the law of the number of successes in trials with probabilities theta. Row i of the
// table, which has n+1 rows of n+1 numbers, has the logarithms of the probabilities of 0
// to n successes in the first i trials; room for two more rows is behind it.
type successes struct {
	theta, table []float64
}

func (t successes) row(i int) []float64 {
	n := len(t.theta) + 1
	return t.table[i*n : (i+1)*n]
}

func (t successes) tabulate() {
	first := t.row(0)
	for k := range first {
		first[k] = math.Inf(-1)
	}
	first[0] = 0
	for i, p := range t.theta {
		yes, no := libm.Log(p), libm.Log1p(-p)
		from, to := t.row(i), t.row(i+1)
		to[0] = from[0] + no
		for k := 1; k < len(to); k++ {
			to[k] = mathfn.LogSumExp2(from[k]+no, from[k-1]+yes)
		}
	}
}

// between is the logarithm of the probability of lo to hi successes. Where that is more
// than half it is computed from the other side, which is the one that side asks for: the
// derivative of the probability is sign times that of side's.
func (t successes) between(lo, hi int) (v float64, side [2]int, sign float64) {
	n := len(t.theta)
	law := t.row(n)
	v = univariate.LogSumExpOf(law[lo:max(lo, hi+1)])
	if v < -math.Ln2 || lo > 0 && hi < n {
		return v, [2]int{lo, hi}, 1
	}
	side = [2]int{hi + 1, n}
	if hi == n {
		side = [2]int{0, lo - 1}
	}
	return special.Log1mExp(univariate.LogSumExpOf(law[side[0] : side[1]+1])), side, -1
}

// addGradient adds adj / exp(v) times the derivatives of the probability that the
// successes lie in side. Backwards over the trials, later is the logarithm of that
// probability given the successes so far; a trial's derivative is the difference between
// success and failure.
func (t successes) addGradient(side [2]int, adj, v float64, d []float64) {
	n := len(t.theta)
	if side[0] > side[1] || math.IsInf(v, -1) {
		return
	}
	room := t.table[(n+1)*(n+1):]
	later, earlier := room[:n+2], room[n+2:2*n+4]
	for k := range later {
		later[k], earlier[k] = math.Inf(-1), math.Inf(-1)
		if k >= side[0] && k <= side[1] {
			later[k] = 0
		}
	}
	for i := n - 1; i >= 0; i-- {
		before := t.row(i)
		success, failure := 0.0, 0.0
		for k := 0; k <= i; k++ {
			success += libm.Exp(before[k] + later[k+1] - v)
			failure += libm.Exp(before[k] + later[k] - v)
		}
		d[i] += float64(adj * (success - failure))
		yes, no := libm.Log(t.theta[i]), libm.Log1p(-t.theta[i])
		for k := 0; k <= i; k++ {
			earlier[k] = mathfn.LogSumExp2(later[k+1]+yes, later[k]+no)
		}
		later, earlier = earlier, later
	}
}
