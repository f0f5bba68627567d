// Random programs: densities of the library.

package bind_test

import (
	"fmt"
	"strings"
)

// A law is a distribution: what its variate and its parameters may be. r any number,
// p positive, u between 0 and 1, k a count up to 3, b a truth value, n a count of 3.
type law struct{ name, variate, params string }

var laws = []law{
	{"normal", "r", "rp"}, {"std_normal", "r", ""}, {"cauchy", "r", "rp"}, {"student_t", "r", "prp"}, {"logistic", "r", "rp"},
	{"double_exponential", "r", "rp"}, {"gumbel", "r", "rp"}, {"skew_normal", "r", "rpr"}, {"exp_mod_normal", "r", "rpp"},
	{"lognormal", "p", "rp"}, {"gamma", "p", "pp"}, {"inv_gamma", "p", "pp"}, {"exponential", "p", "p"}, {"weibull", "p", "pp"},
	{"chi_square", "p", "p"}, {"frechet", "p", "pp"}, {"rayleigh", "p", "p"}, {"inv_chi_square", "p", "p"},
	{"scaled_inv_chi_square", "p", "pp"}, {"beta", "u", "pp"}, {"beta_proportion", "u", "up"}, {"von_mises", "r", "rp"},
	{"poisson", "k", "p"}, {"poisson_log", "k", "r"}, {"bernoulli", "b", "u"}, {"bernoulli_logit", "b", "r"},
	{"binomial", "k", "nu"}, {"binomial_logit", "k", "nr"}, {"neg_binomial_2", "k", "pp"}, {"neg_binomial_2_log", "k", "rp"},
	{"neg_binomial", "k", "pp"}, {"beta_binomial", "k", "npp"}, {"skew_double_exponential", "r", "rpu"}, {"loglogistic", "p", "pp"},
}

// argument draws an argument: a number, or with n > 0 perhaps a container of n.
func (g *generator) argument(kind byte, n, d int) string {
	if n > 0 && (g.r.IntN(2) == 0 || strings.IndexByte("kb", kind) >= 0) {
		v := g.vec(n, d)
		switch kind {
		case 'r':
			return v
		case 'p':
			return "exp(tanh(" + v + "))"
		case 'u':
			return "inv_logit(2 * tanh(" + v + "))"
		case 'k':
			return fmt.Sprintf("counts[:%d]", n)
		case 'b':
			return fmt.Sprintf("flags[2:%d]", n+1)
		}
	}
	switch kind {
	case 'r':
		return g.real(d)
	case 'p':
		return g.positive(d)
	case 'u':
		return g.unit(d)
	case 'k':
		return g.count("counts")
	case 'b':
		return g.count("flags")
	}
	return "3"
}

func (g *generator) arguments(kinds string, n, d int) []string {
	out := make([]string, len(kinds))
	for i := range kinds {
		out[i] = g.argument(kinds[i], n, d)
	}
	return out
}

// densityCall draws a density or cdf as an expression.
func (g *generator) densityCall(d int) string {
	l := laws[g.r.IntN(len(laws))]
	n := g.r.IntN(4)
	if !g.counts {
		n = 0
	}
	suffix := "_lpdf"
	if strings.Contains("kb", l.variate) {
		suffix = "_lpmf"
	}
	if g.r.IntN(4) == 0 && strings.Contains(" normal cauchy logistic exponential gamma lognormal weibull ", " "+l.name+" ") {
		suffix = []string{"_lcdf", "_lccdf"}[g.r.IntN(2)]
	}
	return fmt.Sprintf("%s%s(%s | %s)", l.name, suffix, g.argument(l.variate[0], n, d-1), strings.Join(g.arguments(l.params, n, d-1), ", "))
}

// density writes a statement that adds to the target.
func (g *generator) density() {
	switch g.r.IntN(11) {
	case 9, 10:
		g.line("%s", g.multivariate())
	case 0:
		g.line("target += -square(%s);", g.damped(3))
	case 1:
		g.line("target += -square(%s);", g.vec(g.size(), 2))
	case 2:
		g.line("target += 0.1 * tanh(target());")
	case 3:
		n := g.size()
		g.line("%s ~ multi_normal(%s, %s);", g.vec(n, 1), g.vec(n, 1), g.definite(n, 2))
	case 4:
		n := g.size()
		g.line("%s ~ multi_normal_cholesky(%s, cholesky_decompose(%s));", g.vec(n, 1), g.vec(n, 1), g.definite(n, 2))
	case 5:
		lo, width := g.real(1), g.positive(1)
		bounds := []string{"T[LO, ]", "T[, LO + WIDTH]", "T[LO, LO + WIDTH]"}[g.r.IntN(3)]
		bounds = strings.ReplaceAll(strings.ReplaceAll(bounds, "LO", "("+lo+")"), "WIDTH", width)
		g.line("%s ~ normal(%s, %s) %s;", g.real(1), g.real(1), g.positive(1), bounds)
	default:
		l := laws[g.r.IntN(len(laws))]
		if g.r.IntN(6) == 0 { // out of the domain, to compare rejections
			l.params = strings.NewReplacer("p", "r", "u", "r").Replace(l.params)
		}
		n := g.r.IntN(4)
		g.line("%s ~ %s(%s);", g.argument(l.variate[0], n, 2), l.name, strings.Join(g.arguments(l.params, n, 2), ", "))
	}
}

// multivariate draws a statement with a distribution of whole containers.
func (g *generator) multivariate() string {
	n, m := 1+g.r.IntN(3), 1+g.r.IntN(3)
	v := func() string { return g.vec(n, 1) }
	mat := func() string { return g.expr(form{kMat, n, m}, 1) }
	category := "(1 + counts[2] %/% 2)" // 1 or 2
	factor := func(n int) string { return "cholesky_decompose(" + g.definite(n, 2) + ")" }
	cuts := "cumulative_sum(exp(tanh(" + v() + ")))"
	return g.pick(
		func() string { return fmt.Sprintf("softmax(%s) ~ dirichlet(exp(tanh(%s)));", v(), v()) },
		func() string {
			return fmt.Sprintf("%s ~ multi_student_t(%s, %s, %s);", v(), g.positive(1), v(), g.definite(n, 2))
		},
		func() string { return fmt.Sprintf("%s ~ multi_normal_prec(%s, %s);", v(), v(), g.definite(n, 2)) },
		func() string {
			return fmt.Sprintf("{%s, %s} ~ multi_normal_cholesky(%s, %s);", v(), v(), v(), factor(n))
		},
		func() string { return fmt.Sprintf("%s ~ multi_gp_cholesky(%s, exp(tanh(%s)));", mat(), factor(m), v()) },
		func() string { return fmt.Sprintf("%s ~ wishart(%d.5, %s);", g.definite(n, 2), n, g.definite(n, 2)) },
		func() string {
			return fmt.Sprintf("%s ~ inv_wishart(%d.5, %s);", g.definite(n, 2), n, g.definite(n, 2))
		},
		func() string { return category + " ~ categorical(softmax(" + g.vec(2, 1) + "));" },
		func() string { return "{1, " + category + "} ~ categorical_logit(" + g.vec(2, 1) + ");" },
		func() string { return fmt.Sprintf("%s ~ ordered_logistic(%s, %s);", category, g.real(1), cuts) },
		func() string { return fmt.Sprintf("%s ~ ordered_probit(%s, %s);", category, g.real(1), cuts) },
		func() string { return fmt.Sprintf("counts[:%d] ~ multinomial(softmax(%s));", n, v()) },
		func() string {
			return fmt.Sprintf("%s ~ normal_id_glm(%s, %s, %s, %s);", v(), mat(), g.real(1), g.vec(m, 1), g.positive(1))
		},
		func() string {
			return fmt.Sprintf("flags[:%d] ~ bernoulli_logit_glm(%s, %s, %s);", n, mat(), v(), g.vec(m, 1))
		},
		func() string {
			return fmt.Sprintf("counts[:%d] ~ poisson_log_glm(%s, %s, tanh(%s));", n, mat(), g.damped(1), g.vec(m, 1))
		},
		func() string {
			return fmt.Sprintf("counts[:%d] ~ neg_binomial_2_log_glm(%s, %s, tanh(%s), %s);", n, mat(), g.damped(1), g.vec(m, 1), g.positive(1))
		})
}
