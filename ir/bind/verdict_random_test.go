// Verdicts of random programs whose calls are often given what they do not take, and whose
// values are often lost.

package bind_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/ir/bind"
)

// A doubtfulProgram writes such programs.
type doubtfulProgram struct {
	r     *rand.Rand
	out   strings.Builder
	reals []string // numbers in scope
	names int
}

// doubtful are calls: R is any number, S one that should be positive, P a probability, V a
// vector of three, C a simplex, M a matrix of two rows that should be positive definite.
var doubtful = []string{
	"normal_lpdf(R | R, S)", "normal_lpdf(y | R, S)", "cauchy_lpdf(y | R, S)", "student_t_lpdf(R | S, R, S)", "lognormal_lpdf(S | R, S)",
	"exponential_lpdf(0.5 | S)", "exponential_lpdf(S | S)", "gamma_lpdf(S | 2, 3)", "gamma_lpdf(S | S, S)", "beta_lpdf(P | 2, 3)",
	"bernoulli_lpmf(1 | P)", "bernoulli_lpmf(0 | P)", "bernoulli_logit_lpmf(1 | R)", "poisson_lpmf(2 | S)", "poisson_log_lpmf(2 | R)",
	"neg_binomial_2_lpmf(2 | S, S)", "normal_lcdf(R | R, S)", "normal_lccdf(y | R, S)", "std_normal_lcdf(R |)", "weibull_lpdf(S | S, 2)",
	"categorical_lpmf(2 | C)", "categorical_logit_lpmf(k[1] | V)", "multi_normal_lpdf(V[1:2] | [R, R]', M)",
	"multi_normal_cholesky_lpdf(V[1:2] | [R, R]', M)", "normal_lpdf(z | R, S)", "normal_lpdf(z | R * z, S)", "normal_lpdf(z | R, exp(R * z))",
	"poisson_log_lpmf(k | V[1:2])", "log1m(R)", "log1p(R)", "acosh(S)", "lchoose(R, 1)", "Phi(R)", "log_mix(P, R, R)",
	"gp_exp_quad_cov({0.0, 1.0}, S, S)[1, 2]", "cholesky_decompose(M)[2, 1]", "cholesky_decompose(add_diag(gp_exp_quad_cov({0.0, 1.0}, S, S), 0.1))[2, 2]",
	"inverse_spd(M)[1, 1]", "log_determinant_spd(M)", "gamma_p(S, S)", "normal_id_glm_lpdf(z | to_matrix(z, 4, 1), R, [R]', S)",
}

// uses are what becomes of a call X.
var uses = []string{
	"real N = X;", "real N = X;", "target += X;", "target += X;", "target += 0 * X;", "target += log_sum_exp(X, -1);",
	"target += fmax(X, -5);", "target += X > 0;", "target += inv_logit(X);", "target += -exp(-X);", "target += log_mix(0.3, X, -2);",
	"target += [X, R]'[2];", "target += lost(R, S);", "target += -square(lost(R, X));", "if (R > 0) { real N = X; }", "if (R > 0) target += X;",
	"for (t in 1:4) { real N = normal_lpdf(z[t] | R, S); }", "for (t in 1:4) target += log_sum_exp(normal_lpdf(z[t] | R, S), X);",
	"{ real h = R; for (t in 1:4) { real N = X; h = 0.5 * h + normal_lpdf(z[t] | h, S); } target += -0.01 * square(h); }",
	"{ real h = R; for (t in 1:4) { real N = lognormal_lpdf(S | h, S); h = 0.5 * h + z[t] * R; } target += -0.01 * square(h); }",
	"{ vector[2] h = rep_vector(0, 2); for (t in 1:4) { h[1] = log_sum_exp(h) + normal_lpdf(z[t] | R, S); h[2] = h[1] + bernoulli_lpmf(1 | P); } target += 0.1 * log_sum_exp(h); }",
	"{ real h = R; for (t in 1:9) { if (t % 2 == 0) { real N = X; h = 0.5 * h + normal_lpdf(y | h, S); } else h = 0.3 * h + R; } target += -0.01 * square(h); }",
	"{ real h = R; for (t in 1:9) { h = 0.5 * h + R; if (t % 3 == 1) continue; real N = lognormal_lpdf(S | h, S); h += tanh(X); } target += -0.01 * square(h); }",
	"{ vector[9] h = rep_vector(R, 9); for (t in 2:9) if (t % 2 == 1) h[t] = R - tanh(h[t - 1] + X); else h[t] = h[t - 1] * bernoulli_lpmf(1 | P); target += log_sum_exp(h); }",
	"for (t in 1:2) k[t] ~ categorical(C);", "z ~ normal(R, S);", "y ~ normal(R, S) T[0, ];",
}

func (d *doubtfulProgram) pick(list []string) string { return list[d.r.IntN(len(list))] }

func (d *doubtfulProgram) real() string {
	switch x := d.pick(d.reals); d.r.IntN(12) {
	case 0:
		return "exp(" + x + ")"
	case 1:
		return "square(" + x + ")"
	case 2:
		return "(" + x + " - 1)"
	case 3:
		return "(" + x + " * " + d.pick(d.reals) + ")"
	case 4:
		return "inv(s)"
	default:
		return x
	}
}

func (d *doubtfulProgram) positive() string {
	switch d.r.IntN(8) {
	case 0:
		return d.real()
	case 1:
		return "exp(" + d.pick(d.reals) + ")"
	case 2:
		return "sqrt(exp(" + d.pick(d.reals) + "))"
	case 3:
		return "(0.1 + " + "square(" + d.pick(d.reals) + "))"
	case 4:
		return "inv(s)"
	}
	return "s"
}

// filled replaces the capitals of a pattern.
func (d *doubtfulProgram) filled(pattern, call string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		alone := (i == 0 || !letter(pattern[i-1])) && (i+1 == len(pattern) || !letter(pattern[i+1]))
		switch {
		case !alone:
			b.WriteByte(c)
		case c == 'X':
			b.WriteString(call)
		case c == 'N':
			d.names++
			fmt.Fprintf(&b, "n%d", d.names)
		case c == 'R':
			b.WriteString(d.real())
		case c == 'S':
			b.WriteString(d.positive())
		case c == 'P':
			b.WriteString(d.pick([]string{"p", "p", "inv_logit(" + d.real() + ")", d.real(), "square(p)"}))
		case c == 'V':
			b.WriteString(d.pick([]string{"v", "w", "[" + d.real() + ", 0.5, " + d.real() + "]'"}))
		case c == 'C':
			b.WriteString(d.pick([]string{"w", "softmax(v)", "v", "[p, 1 - p, 0]'"}))
		case c == 'M':
			x := d.real()
			b.WriteString("[[" + d.positive() + ", " + x + "], [" + x + ", 2]]")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

func (d *doubtfulProgram) call() string { return d.filled(d.pick(doubtful), "") }

// program writes a program.
func (d *doubtfulProgram) program() string {
	d.reals = []string{"a", "b", "s", "p", "v[1]", "v[2]", "0.5", "y"}
	d.out.WriteString(`functions { real lost(real x, real s) { real u = normal_lpdf(x | 0, s); return x; } }
data { real y; vector[4] z; array[2] int k; }
parameters { real a; real b; real<lower=0> s; real<lower=0, upper=1> p; vector[3] v; simplex[3] w; }
transformed parameters {
`)
	for range d.r.IntN(3) {
		d.names++
		fmt.Fprintf(&d.out, "  real t%d = %s;\n", d.names, d.call())
		d.reals = append(d.reals, fmt.Sprintf("t%d", d.names))
	}
	d.out.WriteString("}\nmodel {\n  a ~ normal(0, 1); b ~ normal(0, 1); v ~ normal(0, 1); s ~ exponential(1);\n")
	for range 1 + d.r.IntN(4) {
		fmt.Fprintf(&d.out, "  %s\n", d.filled(d.pick(uses), d.call()))
	}
	d.out.WriteString("}\ngenerated quantities {\n")
	for range d.r.IntN(3) {
		d.names++
		fmt.Fprintf(&d.out, "  real g%d = %s;\n", d.names, d.call())
	}
	if d.r.IntN(2) == 0 {
		fmt.Fprintf(&d.out, "  { real u = %s; }\n", d.call())
	}
	d.out.WriteString("}\n")
	return d.out.String()
}

// verdictSeeds is how many random programs tests run.
var verdictSeeds = subset.Of(15, 60)

func FuzzVerdicts(f *testing.F) {
	for s := range uint64(verdictSeeds) {
		f.Add(s)
	}
	var names []string
	for _, o := range bind.Optimisations() {
		names = append(names, o.Name)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		d := &doubtfulProgram{r: rand.New(rand.NewPCG(seed, 91))}
		text := d.program()
		c, err := newVerdictCase(text, `{"y": 0.5, "z": [0.3, -0.2, 1.5, 0.7], "k": [1, 3]}`)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		var points [][]float64
		for range 12 {
			points = append(points, verdictPoint(d.r, 9))
		}
		off := []string{names[d.r.IntN(len(names))], names[d.r.IntN(len(names))]}
		if err := c.everywhere(points, off, 2*d.r.IntN(2)); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
		}
	})
}
