// This file tests blocks that the user names: joint factors of coordinate ascent, joint draws of gibbs.

package lang

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// threeNormals is a normal distribution of three scalars: unit variances, correlations of 0.8, -0.5 and
// 0.1 of a with b, a with c and b with c.
const threeNormals = `parameters { real a; real b; real c; }
model { [a, b, c]' ~ multi_normal([1, -2, 3]', [[1, 0.8, -0.5], [0.8, 1, 0.1], [-0.5, 0.1, 1]]); }`

// TestGroupsOfNormals: the best product over groups has the blocks of the precision matrix, and its
// divergence from the posterior is half of log det of these less log det of the whole. The normaliser
// is 1, so that the bound is minus the divergence.
func TestGroupsOfNormals(t *testing.T) {
	const ab, ac, bc = 0.8, -0.5, 0.1
	det := 1 + 2*ab*ac*bc - ab*ab - ac*ac - bc*bc
	// Elements of the precision matrix times det.
	paa, pbb, pcc := 1-bc*bc, 1-ac*ac, 1-ab*ab
	pab, pac, pbc := ac*bc-ab, ab*bc-ac, ab*ac-bc
	two := func(x, y, xy float64) float64 { return (x*y - xy*xy) / (det * det) }
	divergence := func(blocks float64) float64 { return (math.Log(blocks) + math.Log(det)) / 2 }
	for groups, want := range map[string]float64{
		`"a, b, c"`:   0,
		`"a; b; c"`:   divergence(paa * pbb * pcc / (det * det * det)),
		`"parameter"`: divergence(paa * pbb * pcc / (det * det * det)),
		`"a, b; c"`:   divergence(two(paa, pbb, pab) * pcc / det),
		`"b, a"`:      divergence(two(paa, pbb, pab) * pcc / det),
		`"c, a; b"`:   divergence(two(paa, pcc, pac) * pbb / det),
		`"b, c; a"`:   divergence(two(pbb, pcc, pbc) * paa / det),
	} {
		fit := fitBy(t, boundTo(t, threeNormals, nil), `cavi(blocks = `+groups+`, check = "none")`, 1)
		if got := -fit.Posterior.Fit.ELBO.Value; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: divergence %.12g, exact %.12g", groups, got, want)
		}
	}
}

// chainOf is a hidden Markov chain of three states whose parameters are data.
const chainOf = `data { int T; vector[3] p; matrix[3, 3] A; vector[3] mu; vector[T] y; }
parameters { array[T] int<lower=1, upper=3> z; real c; }
model {
  c ~ normal(0, 1);
  z[1] ~ categorical(p);
  for (t in 2:T) z[t] ~ categorical(A[z[t - 1]]');
  for (t in 1:T) y[t] ~ normal(mu[z[t]], 1);
}`

func chainData(T int) map[string]any {
	r := rand.New(rand.NewPCG(4, 4))
	var y []float64
	for range T {
		y = append(y, math.Round(3000*r.NormFloat64())/1000)
	}
	return map[string]any{"T": T, "p": []float64{0.2, 0.5, 0.3}, "A": [][]float64{{0.7, 0.2, 0.1}, {0, 0.6, 0.4}, {0.3, 0.3, 0.4}}, "mu": []float64{-2, 0, 1.5}, "y": y}
}

// chainEvidence goes through all sequences of states.
func chainEvidence(d map[string]any) float64 {
	p, a, mu, y := d["p"].([]float64), d["A"].([][]float64), d["mu"].([]float64), d["y"].([]float64)
	z := make([]int, len(y))
	var walk func(t int, w float64) float64
	walk = func(t int, w float64) (total float64) {
		if t == len(y) {
			return w
		}
		for k := range 3 {
			own := p[k]
			if t > 0 {
				own = a[z[t-1]][k]
			}
			z[t] = k
			total += walk(t+1, w*own*math.Exp(-(y[t]-mu[k])*(y[t]-mu[k])/2)/math.Sqrt(2*math.Pi))
		}
		return total
	}
	return math.Log(walk(0, 1))
}

// TestJointStates: the joint factor of a chain is the posterior itself, impossible steps included, so that
// the bound is the evidence; with a factor for each state it is less.
func TestJointStates(t *testing.T) {
	data := chainData(9)
	want := chainEvidence(data)
	for _, blocks := range []string{`"z"`, `"joint"`, `"c, z"`} {
		fit := fitBy(t, boundTo(t, chainOf, data), `cavi(blocks = `+blocks+`, check = "none")`, 1)
		if got := fit.Posterior.Fit.ELBO.Value; math.Abs(got-want) > 1e-10*math.Abs(want) {
			t.Errorf("%s: bound %.12g, evidence by enumeration %.12g", blocks, got, want)
		}
	}
	data["A"] = [][]float64{{0.7, 0.2, 0.1}, {0.1, 0.5, 0.4}, {0.3, 0.3, 0.4}}
	want = chainEvidence(data)
	fit := fitBy(t, boundTo(t, chainOf, data), `cavi(check = "none")`, 1)
	if got := fit.Posterior.Fit.ELBO.Value; got > want-0.01 {
		t.Errorf("a factor for each state: bound %g, evidence %g", got, want)
	}
}

// hidden is a hidden Markov model with unknown start, transitions and means.
const hidden = `data { int T; int K; vector[T] y; }
parameters { simplex[K] start; array[K] simplex[K] move; vector[K] mu; array[T] int<lower=1, upper=K> z; }
model {
  start ~ dirichlet(rep_vector(1, K));
  for (k in 1:K) move[k] ~ dirichlet(rep_vector(2, K));
  mu ~ normal(0, 3);
  z[1] ~ categorical(start);
  for (t in 2:T) z[t] ~ categorical(move[z[t - 1]]);
  for (t in 1:T) y[t] ~ normal(mu[z[t]], 1);
}`

var hiddenData = map[string]any{"T": 40, "K": 2, "y": []float64{-2.124, -1.464, -1.051, -1.135, -0.876, 2.081, -2.612, -0.989, -0.378, -2.097, 0.351, -0.54, 0.765, -0.812, -0.054, -2.292, -0.859, -2.23, -0.758, -0.889, -2.492, -0.652, -1.901, -0.589, 0.048, -2.057, 0.289, -1.284, 0.915, -1.678, -0.744, 0.632, 0.608, -0.438, 1.821, 0.523, 1.739, -3.216, 0.329, -0.756}}

// TestVariationalChain compares with a program of its own in Python (forward-backward, digamma functions of
// the standard library, the best of 20 starts): bound -72.17640059675752, means -1.4209032013433178 and
// 0.07587938668056758.
func TestVariationalChain(t *testing.T) {
	m := boundTo(t, hidden, hiddenData)
	fit := fitBy(t, m, `cavi(blocks = "z", starts = 8, check = "none")`, 1)
	if got := fit.Posterior.Fit.ELBO.Value; math.Abs(got+72.17640059675752) > 1e-8 {
		t.Errorf("bound %.12g", got)
	}
	mean := map[string]float64{}
	for _, s := range fit.Summaries {
		mean[s.Name] = s.Mean
	}
	low, high := min(mean["mu.1"], mean["mu.2"]), max(mean["mu.1"], mean["mu.2"])
	if math.Abs(low+1.4209) > 0.05 || math.Abs(high-0.0759) > 0.05 {
		t.Errorf("means %g and %g", low, high)
	}
	if each := fitBy(t, m, `cavi(starts = 8, check = "none")`, 1).Posterior.Fit.ELBO.Value; each > -72.3 {
		t.Errorf("with a factor for each state the bound is %g", each)
	}
}

// TestGibbsBlocks: drawn one at a time, two normals have a lag-1 autocorrelation of rho squared (the oracle
// gaussian_target.json: 0.25 and 0.81), and none where they are drawn jointly. The standard error of an
// autocorrelation r of n draws is about sqrt((1 - r^2) / n).
func TestGibbsBlocks(t *testing.T) {
	const program = `data { real rho; } parameters { real x; real y; }
model { [x, y]' ~ multi_normal([1, -2]', [[4, rho], [rho, 0.25]]); }`
	const n = 20000
	for _, c := range []struct {
		rho    float64
		blocks string
		want   float64
	}{
		{0.5, `"x; y"`, 0.25}, {0.9, `"x; y"`, 0.81}, {0.9, `"element"`, 0.81}, {0.9, `"parameter"`, 0.81}, {0.9, `"y"`, 0.81},
		{0.9, `"x, y"`, 0}, {0.9, `"joint"`, 0},
	} {
		fit := fitBy(t, boundTo(t, program, map[string]any{"rho": c.rho}),
			fmt.Sprintf(`gibbs(blocks = %s, chains = 1, warmup = 100, draws = %d, check = "none")`, c.blocks, n), 3)
		y := fit.Posterior.Draws.Column("y")[0]
		mean, square, lag := 0.0, 0.0, 0.0
		for _, v := range y {
			mean += v / n
		}
		for i, v := range y {
			square += (v - mean) * (v - mean)
			if i > 0 {
				lag += (v - mean) * (y[i-1] - mean)
			}
		}
		if got := lag / square; math.Abs(got-c.want) > 5*math.Sqrt((1-c.want*c.want)/n) {
			t.Errorf("rho %g, %s: autocorrelation %.4f, want %g", c.rho, c.blocks, got, c.want)
		}
	}
}

// three are discrete numbers of which every two depend on each other, and a normal one.
const three = `parameters { int<lower=1, upper=3> u; int<lower=0, upper=1> v; array[2] int<lower=1, upper=2> w; real x; }
model {
  target += 0.7 * u * v - 0.4 * u;
  target += 0.5 * v * w[1] + 0.3 * u * w[2] - w[1] * w[2];
  x ~ normal(0.5 * v, 1);
}`

// TestGibbsOfSets: however discrete parameters are put into blocks, draws have the posterior, here by
// enumeration.
func TestGibbsOfSets(t *testing.T) {
	want := map[string]float64{}
	total := 0.0
	for u := 1.0; u <= 3; u++ {
		for v := 0.0; v <= 1; v++ {
			for a := 1.0; a <= 2; a++ {
				for b := 1.0; b <= 2; b++ {
					w := math.Exp(0.7*u*v - 0.4*u + 0.5*v*a + 0.3*u*b - a*b)
					want[fmt.Sprint(u, v, a, b)] = w
					total += w
				}
			}
		}
	}
	m := boundTo(t, three, nil)
	const n = 20000
	for _, blocks := range []string{`"joint"`, `"element"`, `"parameter"`, `"u, v; w"`, `"u, w; v; x"`, `"w"`, `"u, v, w"`} {
		fit := fitBy(t, m, fmt.Sprintf(`gibbs(blocks = %s, chains = 1, warmup = 100, draws = %d, check = "none")`, blocks, n), 5)
		var columns [4][]float64
		for k, name := range []string{"u", "v", "w.1", "w.2"} {
			columns[k] = fit.Posterior.Draws.Column(name)[0]
		}
		seen := map[string]float64{}
		for i := range n {
			seen[fmt.Sprint(columns[0][i], columns[1][i], columns[2][i], columns[3][i])]++
		}
		for key, w := range want {
			p := w / total
			// Blocks make draws dependent: twice five standard errors of independent ones.
			if got := seen[key] / n; math.Abs(got-p) > 10*math.Sqrt(p*(1-p)/n) {
				t.Errorf("%s: %s with frequency %.4f, probability %.4f", blocks, key, got, p)
			}
		}
	}
}

// TestWrongGroups: what cannot be one block is told at its place, by both methods.
func TestWrongGroups(t *testing.T) {
	const program = `data { vector[4] y; }
parameters { real m; real<lower=0> s; vector<lower=0>[2] a; int<lower=1, upper=2> z; real k; }
model {
  a ~ gamma(2, 1);
  target += -a[1] * a[2];
  s ~ gamma(2, 1);
  m ~ normal(0, 1);
  k ~ normal(0, 1);
  z ~ categorical([0.5, 0.5]');
  y ~ normal(m * z, s);
}`
	m := boundTo(t, program, map[string]any{"y": []float64{1, 2, 3, 4}})
	for _, c := range []struct{ method, want string }{
		{`cavi(blocks = "k; m, s")`, "method:1:19: error: this block has no full conditional of a known form: m and s depend on each other, line 10, column 3, and are neither jointly normal, alone or with their precision, nor all discrete [method-group]"},
		{`gibbs(blocks = "k; m, s")`, "method:1:20: error: this block has no full conditional of a known form: m and s depend on each other, line 10, column 3, and are neither jointly normal, alone or with their precision, nor all discrete [method-group]"},
		{`cavi(blocks = "k, m, z")`, "method:1:16: error: this block has no full conditional of a known form: z and m depend on each other, line 10, column 3, and are neither jointly normal, alone or with their precision, nor all discrete [method-group]"},
		{`gibbs(blocks = "z, m; k")`, "method:1:17: error: this block has no full conditional of a known form: z and m depend on each other, line 10, column 3, and are neither jointly normal, alone or with their precision, nor all discrete [method-group]"},
		{`cavi(blocks = "a")`, "method:1:16: error: this block has no full conditional of a known form: a[1] and a[2] depend on each other, line 5, column 3, and are neither jointly normal, alone or with their precision, nor all discrete [method-group]"},
		{`cavi(blocks = "k, s")`, ""},  // they do not depend on each other
		{`gibbs(blocks = "k, s")`, ""}, // nor here
		{`gibbs(blocks = "a")`, ""},    // sliced, one number at a time, as without
		{`gibbs(blocks = "m, k")`, ""},
	} {
		how, err := m.Program.Method(c.method)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := m.Supports(how); err != nil {
			got = err.Error()
			if !errors.As(err, new(*MethodError)) {
				t.Errorf("%s: %T", c.method, err)
			}
		}
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.method, got, c.want)
		}
	}
}

// scaled is a regression on two numbers, conjugate with its precision or its variance.
const scaled = `data { matrix[2, 2] X; vector[2] y; real c; }
parameters { vector<offset=3>[2] b; real<lower=0> t; real other; }
model {
  %s;
  b ~ normal(c, sqrt(2 * %[2]s));
  y ~ normal(X * b, sqrt(%[2]s));
  other ~ normal(1, 2);
}`

// TestScaledNormals: the factor of such numbers with their precision is the posterior itself, in which y is
// multivariate t; draws are independent. Data far from zero take no digits.
func TestScaledNormals(t *testing.T) {
	const shape, rate = 3.0, 1.5
	x := [2][2]float64{{1, 0.5}, {-1, 2}}
	r := []float64{0.75, -1.875} // y less its mean
	v := [2][2]float64{{1, 0}, {0, 1}}
	for i := range v {
		for j := range v {
			v[i][j] += 2 * (x[i][0]*x[j][0] + x[i][1]*x[j][1])
		}
	}
	det := v[0][0]*v[1][1] - v[0][1]*v[0][1]
	square := (v[1][1]*r[0]*r[0] - 2*v[0][1]*r[0]*r[1] + v[0][0]*r[1]*r[1]) / det
	want := math.Log(shape) + shape*math.Log(rate) - (shape+1)*math.Log(rate+square/2) - math.Log(2*math.Pi) - math.Log(det)/2
	precision := (shape + 1) / (rate + square/2)
	for _, c := range []struct{ prior, variance, form string }{
		{"t ~ gamma(3, 1.5)", "(1 / t)", "normal-gamma"}, {"t ~ inv_gamma(3, 1.5)", "t", "normal-inverse gamma"},
	} {
		for _, far := range []float64{0, 1 << 27} {
			m := boundTo(t, fmt.Sprintf(scaled, c.prior, c.variance), map[string]any{
				"X": x, "c": far, "y": []float64{r[0] + 1.5*far, r[1] + far}})
			fit := fitBy(t, m, `cavi(blocks = "t, b", check = "none")`, 1)
			if got := fit.Posterior.Fit.ELBO.Value; math.Abs(got-want) > 1e-9+far/(1<<52) { // what rounding of y makes
				t.Errorf("%s from %g: bound %.12g, evidence %.12g", c.form, far, got, want)
			}
			if got := fit.Posterior.Duality.Factors[0].Form; got != c.form {
				t.Errorf("%s: form %s", c.form, got)
			}
			a, _ := fit.Posterior.Approximation()
			q, grad := []float64{far - 2.5, far - 4, -0.3, 0.8}, make([]float64, 4)
			a.LogDensityGrad(q, grad)
			for i := range q {
				const h = 1.0 / 1024
				q[i] += h
				up := a.LogDensity(q)
				q[i] -= 2 * h
				if d := (up - a.LogDensity(q)) / (2 * h); math.Abs(d-grad[i]) > 1e-4*(1+math.Abs(d)) {
					t.Errorf("%s from %g: derivative %d is %g, by differences %g", c.form, far, i, grad[i], d)
				}
				q[i] += h
			}
			for _, method := range []string{`cavi(blocks = "t, b", draws = 8000, check = "none")`, `gibbs(blocks = "t, b", chains = 1, warmup = 100, draws = 8000, check = "none")`} {
				p, lag := 0.0, 0.0
				scale := fitBy(t, m, method, 1).Posterior.Draws.Column("t")[0]
				for i, s := range scale {
					if c.variance == "t" {
						scale[i] = 1 / s
					}
					p += scale[i] / 8000
				}
				for i := range scale[1:] {
					lag += (scale[i] - p) * (scale[i+1] - p) / 8000
				}
				sd := precision / math.Sqrt(shape+1)
				if math.Abs(p-precision) > 5*sd/math.Sqrt(8000) || math.Abs(lag) > 5*sd*sd/math.Sqrt(8000) {
					t.Errorf("%s from %g, %s: mean precision %g, exact %g; autocovariance %g", c.form, far, method, p, precision, lag)
				}
			}
		}
	}
}
