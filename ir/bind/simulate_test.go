// Simulated parameters and data: against closed forms, at fixed seeds. Where a test is
// statistical, it says how often a right program would fail it under another seed.

package bind_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir/bind"
)

func stream(seed uint64) *rand.Rand { return rng.New(seed, "test", 0, 0) }

// numbers returns the values of a simulated variable.
func numbers(t *testing.T, s *bind.Simulated, name string) []float64 {
	t.Helper()
	for _, v := range append(slices.Clone(s.Parameters), s.Observations...) {
		if v.Var.Name == name {
			return v.Value.X
		}
	}
	t.Fatalf("%s was not simulated", name)
	return nil
}

// simulations returns n simulations of one variable, by number.
func simulations(t *testing.T, m *bind.Model, n int, names ...string) [][]float64 {
	t.Helper()
	r := stream(7)
	var out [][]float64
	for range n {
		s, err := m.Simulate(r)
		if err != nil {
			t.Fatal(err)
		}
		var row []float64
		for _, name := range names {
			row = append(row, numbers(t, s, name)...)
		}
		if out == nil {
			out = make([][]float64, len(row))
		}
		for i, x := range row {
			out[i] = append(out[i], x)
		}
	}
	return out
}

// moments are mean and variance.
func moments(x []float64) (mean, variance float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x)-1)
	}
	return mean, variance
}

// zLimit is how many standard errors a mean may be off: a right program is off by more
// once in 10^5 tests.
const zLimit = 4.42

// checkMean compares a sample's mean with the exact one, given the exact variance.
func checkMean(t *testing.T, what string, x []float64, mean, variance float64) {
	t.Helper()
	got, _ := moments(x)
	if se := math.Sqrt(variance / float64(len(x))); math.Abs(got-mean) > zLimit*se {
		t.Errorf("the mean of %s is %v, want %v +- %v", what, got, mean, se)
	}
}

// checkCDF compares a sample with a distribution function by the Kolmogorov-Smirnov
// statistic; a right program fails once in 10^5 tests.
func checkCDF(t *testing.T, what string, x []float64, cdf func(float64) float64) {
	t.Helper()
	x = slices.Clone(x)
	slices.Sort(x)
	n := float64(len(x))
	d := 0.0
	for i, v := range x {
		p := cdf(v)
		d = max(d, math.Abs(p-float64(i)/n), math.Abs(p-float64(i+1)/n))
	}
	if limit := 2.47 / math.Sqrt(n); d > limit { // 2 exp(-2 2.47^2) = 1e-5
		t.Errorf("%s is off its distribution function by %v, more than %v", what, d, limit)
	}
}

func normalCDF(x float64) float64 { return 0.5 * math.Erfc(-x/math.Sqrt2) }

func TestSimulateHierarchy(t *testing.T) {
	// The statements stand in the opposite of the order that they must run in.
	m := bound(t, `
data { int J; int N; array[N] int g; vector[N] x; vector[N] y; }
parameters { real<lower=0> tau; vector[J] theta; real mu; real beta; }
transformed parameters { vector[J] shifted = mu + tau * theta; }
model {
  for (n in 1:N) {
    real eta = shifted[g[n]] + beta * x[n];
    y[n] ~ normal(eta, 0.5);
  }
  theta ~ std_normal();
  mu ~ normal(1, 2);
  beta ~ normal(mu, 1);
  tau ~ normal(0, 3);
}`, `{"J": 2, "N": 3, "g": [1, 2, 2], "x": [0, 1, -1], "y": [0, 0, 0]}`)
	const n = 4000
	x := simulations(t, m, n, "tau", "theta", "mu", "beta", "y")
	checkCDF(t, "tau", x[0], func(v float64) float64 { return 2*normalCDF(v/3) - 1 })
	checkCDF(t, "theta[1]", x[1], normalCDF)
	checkCDF(t, "mu", x[3], func(v float64) float64 { return normalCDF((v - 1) / 2) })
	checkCDF(t, "beta", x[4], func(v float64) float64 { return normalCDF((v - 1) / math.Sqrt(5)) })
	residual := make([]float64, n)
	for i := range residual {
		residual[i] = (x[7][i] - x[3][i] - x[0][i]*x[2][i] + x[4][i]) / 0.5
	}
	checkCDF(t, "the residual of y[3]", residual, normalCDF)
}

func TestSimulateAutoregression(t *testing.T) {
	for name, model := range map[string]string{
		"loop":       `for (t in 2:T) y[t] ~ normal(phi * y[t - 1], 1);`,
		"vectorised": `y[2:T] ~ normal(phi * y[1:(T - 1)], 1);`,
		"local": `real h = y[1];
  for (t in 2:T) {
    y[t] ~ normal(phi * h, 1);
    h = y[t];
  }`,
	} {
		m := bound(t, `
data { int T; vector[T] y; }
parameters { real<lower=-1, upper=1> phi; }
model { `+model+` }`, `{"T": 5, "y": [3, 0, 0, 0, 0]}`)
		const n = 3000
		x := simulations(t, m, n, "phi", "y")
		checkCDF(t, name+": phi", x[0], func(v float64) float64 { return 0.5 * (v + 1) })
		residual := make([]float64, n)
		for i := range n {
			if x[1][i] != 3 {
				t.Fatalf("%s: y[1] has no distribution and must keep its value, but is %v", name, x[1][i])
			}
			residual[i] = x[5][i] - x[0][i]*x[4][i]
		}
		checkCDF(t, name+": the residual of y[5]", residual, normalCDF)
	}
}

func TestDrawPrior(t *testing.T) {
	m := bound(t, `
data { int N; vector[N] y; }
parameters { real mu; real<lower=0> sigma; simplex[3] p; unit_vector[2] u; }
model {
  mu ~ normal(0, sigma);
  sigma ~ exponential(2);
  y ~ normal(mu, p[1]);
}`, `{"N": 2, "y": [1, 2]}`)
	e := m.NewEvaluator().(infer.PriorSampler)
	q := make([]float64, m.Dim())
	r := stream(3)
	var scaled, sigma, radius []float64
	for range 4000 {
		if err := e.DrawPrior(r, q); err != nil {
			t.Fatal(err)
		}
		s := math.Exp(q[1])
		scaled, sigma = append(scaled, q[0]/s), append(sigma, s)
		radius = append(radius, 0.5*(q[4]*q[4]+q[5]*q[5]))
	}
	checkCDF(t, "mu/sigma", scaled, normalCDF)
	checkCDF(t, "sigma", sigma, func(v float64) float64 { return -math.Expm1(-2 * v) })
	checkCDF(t, "half the squared radius", radius, func(v float64) float64 { return -math.Expm1(-v) })
}

type bindNamed = bind.Named

// indexOf writes the index of number i of a container as in "[2,1]": arrays row-major,
// what is inside column-major; nothing for a scalar.
func indexOf(arrays int, dims []int, i int) string {
	if len(dims) == 0 {
		return ""
	}
	index := make([]int, len(dims))
	inner := 1
	for _, d := range dims[arrays:] {
		inner *= d
	}
	outer, rest := i/inner, i%inner
	for k := arrays; k < len(dims); k++ {
		index[k], rest = rest%dims[k], rest/dims[k]
	}
	for k := arrays - 1; k >= 0; k-- {
		index[k], outer = outer%dims[k], outer/dims[k]
	}
	text := ""
	for _, k := range index {
		text += "," + strconv.Itoa(k+1)
	}
	return "[" + text[1:] + "]"
}
