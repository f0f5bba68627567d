// Random programs whose full conditionals have known forms: draws from these have the identities of draws from the density.

package bind_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/cavi"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
)

// A conjugateProgram writes a program of parameters and statements that mostly have known conditionals.
type conjugateProgram struct{ r *rand.Rand }

func (d *conjugateProgram) of(list ...string) string { return list[d.r.IntN(len(list))] }

// location is linear in real parameters.
func (d *conjugateProgram) location() string {
	term := func() string {
		return d.of("a", "b", "v[1]", "v[2]", "m", "mu[2]", "0.4", "x[3]", "2 * a", "-b", "a * x[1]", "b / 2", "sum(v)", "dot_product(v, [1, -2]')", "o", "a * b", "(a + 1) * x[2]")
	}
	return d.of(term(), term()+" + "+term(), term()+" - 0.5 * "+term(), "("+term()+" + "+term()+") / 3")
}

// scale is a standard deviation.
func (d *conjugateProgram) scale() string {
	return d.of("1", "0.7", "inv_sqrt(t)", "1 / sqrt(t)", "sqrt(s)", "s2", "sqrt(s / 2)", "inv_sqrt(2 * t)", "pow(t, -0.5)", "1.3", "inv_sqrt(t * h)", "sqrt(s) * 2", "exp(-0.5 * log(t))")
}

func (d *conjugateProgram) rate() string {
	return d.of("t", "h", "2 * t", "t / 3", "t * h", "0.8", "t * x[1]", "(t + 1)", "1 / s", "h * 1.5", "2 / s")
}

func (d *conjugateProgram) proportion() string {
	return d.of("p", "1 - p", "g", "w[1]", "w[2]", "0.4", "p * g", "1 - w[3]", "w[1] + w[2]", "1 - g")
}

func (d *conjugateProgram) likelihood() string {
	switch d.r.IntN(24) {
	case 0, 1:
		return fmt.Sprintf("%s ~ normal(%s, %s);", d.of("y[1]", "y", "y[2:3]", "0.3"), d.location(), d.scale())
	case 2:
		return fmt.Sprintf("y ~ normal(%s, %s);", d.of("mu", "x * a + b", "a + b * x", "X * v", "mu + m", "X * v + a"), d.of("1.5", d.scale()))
	case 3:
		return fmt.Sprintf("for (i in 1:3) y[i] ~ normal(%s, %s);", d.of("mu[i]", "a + x[i] * b", "X[i] * v", "mu[1] + i * a", "a * x[i]^2"), d.scale())
	case 4:
		return fmt.Sprintf("target += normal_l%spdf(%s | %s, %s);", d.of("", "u"), d.of("y[3]", "y"), d.location(), d.scale())
	case 5:
		return fmt.Sprintf("c[%s] ~ poisson(%s);", d.of("1", "2"), d.rate())
	case 6:
		return fmt.Sprintf("%s ~ exponential(%s);", d.of("e[1]", "e", "e[2]"), d.rate())
	case 7:
		return fmt.Sprintf("e[1] ~ gamma(%s, %s);", d.of("2", "0.7"), d.rate())
	case 8:
		return fmt.Sprintf("e[2] ~ inv_gamma(3, %s);", d.rate())
	case 9:
		return fmt.Sprintf("c[2] ~ binomial(7, %s);", d.proportion())
	case 10:
		return fmt.Sprintf("1 ~ bernoulli(%s);", d.proportion())
	case 11:
		return fmt.Sprintf("c ~ %s;", d.of("neg_binomial(3, t)", "geometric_like(p)", "poisson(t)", "poisson(x[1:2] * 2 * t)"))
	case 12:
		return d.of("n ~ multinomial(w);", "k ~ categorical(w);", "3 ~ categorical(w);", "{ k ~ categorical(w); 1 ~ categorical(w); }")
	case 13:
		return fmt.Sprintf("e[1] ~ lognormal(%s, %s);", d.location(), d.scale())
	case 14:
		return fmt.Sprintf("y[1:2] ~ multi_normal(%s, S);", d.of("v", "[a, b]'", "[a, a + b]'", "v + a"))
	case 15:
		return fmt.Sprintf("mu ~ normal(%s, %s);", d.of("m", "a", "m + 1", "0"), d.scale())
	case 16:
		return fmt.Sprintf("v ~ %s;", d.of("multi_normal([a, 0]', S)", "normal(m, sqrt(s))", "normal(0, 1)"))
	case 17:
		return fmt.Sprintf("e ~ weibull(%s, 1.4);", d.of("1", "1.5"))
	case 18:
		return fmt.Sprintf("target += -%s * %s;", d.of("0.5", "1.5"), d.of("a^2", "square(b)", "t", "s", "1 / s", "square(a - b)"))
	case 19:
		return fmt.Sprintf("y[2] ~ student_t(4, %s, %s);", d.location(), d.of("1", "sqrt(s)"))
	case 20:
		return fmt.Sprintf("e[1] ~ rayleigh(%s);", d.of("sqrt(s)", "1.2"))
	case 21:
		return fmt.Sprintf("e[2] ~ pareto(0.1, %s);", d.of("t", "h", "1.2"))
	case 22:
		return fmt.Sprintf("0.3 ~ beta(%s, 1);", d.of("t", "h", "2"))
	}
	return fmt.Sprintf("y[1] ~ double_exponential(%s, 1.1);", d.location())
}

// program writes a program with at least one statement for every parameter.
func (d *conjugateProgram) program() string {
	var b strings.Builder
	b.WriteString(`functions { real geometric_like_lpmf(array[] int c, real p) { return size(c) * log(p) + sum(c) * log1m(p); } }
data { vector[3] y; vector[3] x; matrix[3, 2] X; vector[2] e; array[2] int c; array[3] int n; int k; matrix[2, 2] S; }
parameters {
`)
	fmt.Fprintf(&b, "  real%s a; real b; vector[2] v; vector[3] mu; real m; real%s o;\n", d.of("", "", "<lower=-0.5>", "<lower=-1, upper=2>"), d.of("<offset=1, multiplier=2>", "<offset=a>", "<multiplier=0.5>", "", "<offset=-1>", ""))
	fmt.Fprintf(&b, "  real<lower=0%s> t; real<lower=0> s; real<lower=0> h; real<lower=0, upper=1> p; real<lower=0, upper=%s> g; simplex[3] w; real<lower=0.1> s2;\n", d.of("", "", ", upper=3"), d.of("1", "0.8"))
	b.WriteString("}\nmodel {\n")
	for _, list := range [][]string{
		{"a ~ normal(0, 2);", "a ~ normal(m, 1);", "a ~ normal(0.5, inv_sqrt(t));", "a ~ cauchy(0, 1);"},
		{"b ~ normal(0, 1);", "b ~ normal(a, sqrt(s));", "b ~ std_normal();", "b ~ logistic(0, 1);"},
		{"v ~ normal(0, 1.5);", "v ~ multi_normal([0, 1]', S);", "v ~ normal(m, 1);", "for (i in 1:2) v[i] ~ normal(a * i, 1);"},
		{"mu ~ normal(m, 1);", "mu ~ normal(0, inv_sqrt(h));", "mu[1] ~ normal(0, 1); for (i in 2:3) mu[i] ~ normal(0.8 * mu[i - 1], sqrt(s));"},
		{"m ~ normal(0, 3);", "m ~ normal(1, 1);"},
		{"o ~ normal(0, 1);", "o ~ normal(m, 2);"},
		{"t ~ gamma(2, 1);", "t ~ exponential(h);", "t ~ chi_square(3);", "t ~ gamma(1.5, h);", "t ~ lognormal(0, 1);"},
		{"s ~ inv_gamma(3, 2);", "s ~ inv_gamma(2.5, h);", "s ~ scaled_inv_chi_square(4, 1);", "s ~ inv_chi_square(5);", "s ~ gamma(2, 1);"},
		{"h ~ gamma(3, 2);", "h ~ exponential(1);", "h ~ weibull(1, 2);"},
		{"p ~ beta(2, 3);", "p ~ uniform(0, 1);", "p ~ beta(1, 1);", "p ~ beta_proportion(0.4, 5);"},
		{"g ~ beta(2, 2);", "g ~ beta(1, 3);"},
		{"w ~ dirichlet([1, 2, 1.5]');", "w ~ dirichlet(rep_vector(1, 3));"},
		{"s2 ~ exponential(1);", "s2 ~ normal(0, 1);"},
	} {
		fmt.Fprintf(&b, "  %s\n", d.of(list...))
	}
	for range 1 + d.r.IntN(5) {
		fmt.Fprintf(&b, "  %s\n", d.likelihood())
	}
	b.WriteString("}\n")
	return b.String()
}

const conjugateData = `{"y": [0.3, -1.1, 0.8], "x": [0.5, 1.2, 2], "X": [[1, 0.5], [1, -0.3], [0.4, 2]], "e": [0.6, 1.3], "c": [1, 3],
"n": [2, 0, 3], "k": 2, "S": [[1.2, 0.3], [0.3, 0.8]]}`

// conjugateSeeds is how many random programs tests run.
var conjugateSeeds = subset.Of(12, 3000)

// FuzzConditionals draws each block that has a form, all else fixed. On the unconstrained scale, with g the derivative of
// the log density by coordinate x, E[g] = 0 and E[x g] = -1 for draws from the conditional density.
func FuzzConditionals(f *testing.F) {
	for s := range uint64(conjugateSeeds) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		d := &conjugateProgram{r: rand.New(rand.NewPCG(seed, 29))}
		text := d.program()
		m, err := boundTo(text, conjugateData)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		checkConditionals(t, m.Joint(), text, d.r)
	})
}

func checkConditionals(t *testing.T, m infer.Model, text string, r *rand.Rand) {
	t.Helper()
	const draws, bound = 1000, 6.0 // a false alarm in 10^7 coordinates, were the means normal
	e := m.NewEvaluator()
	cond := e.(infer.Conditionals)
	if err := cond.Arrange(infer.Blocking{}); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	start, grad := make([]float64, m.Dim()), make([]float64, m.Dim())
	for i := range start {
		start[i] = 0.7 * r.NormFloat64()
	}
	if lp, err := e.LogDensity(start); err != nil || math.IsInf(lp, -1) {
		return
	}
	for at, block := range cond.Blocks() {
		if !block.Exact || block.Form == "stretch" { // a stretch moves along an orbit
			continue
		}
		sum := make([][4]float64, len(block.Coords))
		q := append([]float64(nil), start...)
		for range draws {
			if err := cond.DrawBlocks([]int{at}, q, r); err != nil {
				t.Fatalf("%s: %v\n%s", block.Name, err, text)
			}
			if _, err := e.LogDensityGrad(q, grad); err != nil {
				t.Fatalf("%s: %v at a draw\n%s", block.Name, err, text)
			}
			for i, c := range block.Coords {
				for k, v := range []float64{grad[c], (q[c]-start[c])*grad[c] + 1} {
					sum[i][2*k] += v
					sum[i][2*k+1] += v * v
				}
			}
		}
		for i, s := range sum {
			for k, name := range []string{"the derivative", "the moved coordinate times the derivative, plus 1,"} {
				mean := s[2*k] / draws
				if sd := math.Sqrt(s[2*k+1]/draws - mean*mean); !(math.Abs(mean) < bound*sd/math.Sqrt(draws)+1e-9) {
					t.Errorf("%s, %s, coordinate %d: %s has mean %v, sd %v over %d draws\n%s", block.Name, block.Form, i, name, mean, sd, draws, text)
				}
			}
		}
	}
}

// FuzzAscent fits factors to random programs. Where no factor can be bettered, each is proportional to the exponential of
// the expected log density, and the identities of FuzzConditionals hold with its derivatives at draws of all factors. The
// bound is the mean of the differences of the two log densities.
func FuzzAscent(f *testing.F) {
	for s := range uint64(conjugateSeeds / 2) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		d := &conjugateProgram{r: rand.New(rand.NewPCG(seed, 29))}
		text := d.program()
		m, err := boundTo(text, conjugateData)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		o := cavi.DefaultOptions()
		o.Blocks.Choice = d.of(infer.BlockChoices()...)
		o.Tolerance, o.Starts = 1e-12, 1
		method, err := cavi.New(o)
		if err != nil {
			t.Fatal(err)
		}
		p, err := method.Run(context.Background(), m.Joint(), infer.Options{Seed: seed, Jobs: 1})
		if err != nil || !p.Fit.Converged {
			t.Skip(err)
		}
		checkAscent(t, p, p.Fit.ELBO.Value-m.LogConstant(), m.NewEvaluator(), text, d.r)
	})
}

func checkAscent(t *testing.T, p *infer.Posterior, elbo float64, e infer.Evaluator, text string, r *rand.Rand) {
	t.Helper()
	const draws, bound = 4000, 6.0
	q, ok := p.Approximation()
	if !ok {
		t.Fatalf("the factors cannot be drawn\n%s", text)
	}
	x, grad := make([]float64, q.Dim()), make([]float64, q.Dim())
	names := []string{"the bound"}
	for k := range x {
		names = append(names, fmt.Sprintf("derivative %d", k), fmt.Sprintf("coordinate times derivative %d, plus 1,", k))
	}
	mean, square := make([]float64, len(names)), make([]float64, len(names))
	for range draws {
		q.Draw(r, x)
		lp, err := e.LogDensityGrad(x, grad)
		if err != nil {
			t.Fatalf("%v at a draw\n%s", err, text)
		}
		values := []float64{lp - q.LogDensity(x) - elbo}
		for k, g := range grad {
			values = append(values, g, x[k]*g+1)
		}
		for i, v := range values {
			mean[i] += v / draws
			square[i] += v * v / draws
		}
	}
	for i, m := range mean {
		if sd := math.Sqrt(square[i] - m*m); !(math.Abs(m) < bound*sd/math.Sqrt(draws)+1e-4) {
			t.Errorf("%s: mean %v, sd %v over %d draws\n%s", names[i], m, sd, draws, text)
		}
	}
}
