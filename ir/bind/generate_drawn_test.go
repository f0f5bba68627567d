// Random generated quantities that draw.

package bind_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// drawers are the univariate _rng functions by what they give, with what their arguments are: r
// any number, p a positive one, u a probability, c a count, l and h integers, L and H
// numbers of which the second is larger, n a number of draws from c and c.
var drawers = map[string][][2]string{
	"int": {{"bernoulli_logit", "r"}, {"bernoulli", "u"}, {"beta_binomial", "cpp"}, {"beta_neg_binomial", "ppp"}, {"binomial", "cu"},
		{"discrete_range", "lh"}, {"hypergeometric", "ncc"}, {"neg_binomial_2_log", "rp"}, {"neg_binomial_2", "pp"}, {"neg_binomial", "pp"},
		{"poisson_log", "r"}, {"poisson", "p"}, {"yule_simon", "p"}},
	"real": {{"beta_proportion", "up"}, {"beta", "pp"}, {"cauchy", "rp"}, {"chi_square", "p"}, {"double_exponential", "rp"}, {"exp_mod_normal", "rpp"},
		{"exponential", "p"}, {"frechet", "pp"}, {"gamma", "pp"}, {"gumbel", "rp"}, {"inv_chi_square", "p"}, {"inv_gamma", "pp"}, {"logistic", "rp"},
		{"loglogistic", "pp"}, {"lognormal", "rp"}, {"normal", "rp"}, {"pareto", "pp"}, {"pareto_type_2", "rpp"}, {"rayleigh", "p"},
		{"scaled_inv_chi_square", "pp"}, {"skew_double_exponential", "rpu"}, {"skew_normal", "rpr"}, {"student_t", "prp"}, {"uniform", "LH"},
		{"von_mises", "rp"}, {"weibull", "pp"}},
}

// quantities writes such programs.
type quantities struct {
	r     *rand.Rand
	out   strings.Builder
	names int
	scope map[string][]string // names of variables by type: real, int, reals, ints
	round string              // the loop's variable, in one
	wild  bool                // control flow relies on draws and parameters
	wrong bool                // arguments may be such that calls fail
}

// randomQuantities writes a program; the same seed gives the same text.
func randomQuantities(seed uint64) string {
	g := &quantities{r: rand.New(rand.NewPCG(seed, 83)), scope: map[string][]string{
		"real": {"a", "s", "ta"}, "int": {"N", "c[1]"}, "reals": {"x", "eta", "xs"}, "ints": {"c", "f"}}}
	g.wild, g.wrong = g.r.IntN(3) == 0, g.r.IntN(3) == 0
	g.line(`functions {
  real noisy_rng(real m, real s) { real e = normal_rng(0, 1); if (s > 100) return 0; return m + e * s; }
  int several_rng(real m, int j) { if (j > 2) return poisson_rng(m); int k = 0; for (i in 1:j) k += bernoulli_rng(0.5); return k + binomial_rng(3, 0.5); }
}
data { int N; vector[N] x; array[N] int<lower=1, upper=3> c; array[N] int f; }
transformed data { array[N] real xs = to_array_1d(x); array[N] int ten = rep_array(10, N); }
parameters { real a; real<lower=0> s; vector[3] v; simplex[3] t; }
transformed parameters { real ta = a * s; vector[N] eta = tanh(a * x + v[1]); %s }
model { a ~ normal(0, 1); s ~ exponential(1); v ~ normal(0, 1); }
generated quantities {`, g.one("", "", `if (a > 2.5) reject("a");`))
	for range 2 + g.r.IntN(9) {
		g.statement()
	}
	g.line("}")
	return g.out.String()
}

func (g *quantities) one(list ...string) string { return list[g.r.IntN(len(list))] }
func (g *quantities) known(kind string) string  { return g.one(g.scope[kind]...) }
func (g *quantities) line(format string, args ...any) {
	fmt.Fprintf(&g.out, format+"\n", args...)
}

// name makes a name.
func (g *quantities) name() string {
	g.names++
	return "q" + strconv.Itoa(g.names)
}

// declare writes a declaration with a value.
func (g *quantities) declare(kind, typ, value string) {
	name := g.name()
	g.line("%s %s = %s;", typ, name, value)
	g.scope[kind] = append(g.scope[kind], name)
}

// real draws an expression; d bounds its depth.
func (g *quantities) real(d int) string {
	k := g.r.IntN(11)
	if d <= 0 {
		k = g.r.IntN(5)
	}
	switch k {
	case 0, 1:
		return g.known("real")
	case 2:
		if g.round != "" {
			return g.known("reals") + "[" + g.round + "]"
		}
		return g.one("v[2]", "t[1]")
	case 3:
		return fmt.Sprintf("%.1f", float64(g.r.IntN(40)-20)/10)
	case 4:
		return g.integer(d-1) + " * 0.5"
	case 5:
		return "(" + g.real(d-1) + g.one(" + ", " - ", " * ") + "tanh(" + g.real(d-1) + "))"
	case 6:
		return g.one("mean", "sd", "max", "sum", "log_sum_exp") + "(" + g.known("reals") + ")"
	case 7:
		return g.one("normal_lpdf("+g.real(d-1)+" | "+g.real(d-1)+", "+g.positive(d-1)+")", "poisson_lpmf("+g.count(d-1)+" | "+g.positive(d-1)+")",
			"poisson_log_lpmf("+g.known("ints")+" | tanh("+g.real(0)+"))", "binomial_lpmf("+g.known("ints")+" | 40, 0.4)", "poisson_lcdf("+g.count(1)+" | s)")
	case 8:
		return g.one("lgamma(1.0 + abs("+g.integer(d-1)+"))", "choose(9, "+g.count(1)+") * 0.1", "pow(0.5, "+g.count(1)+")", "step("+g.real(d-1)+")",
			"mean("+g.known("ints")+")", "sort_desc("+g.known("ints")+")[2] * 1.0", "dot_product(x, to_vector("+g.known("ints")+"))")
	case 9:
		return "abs(to_complex(tanh(" + g.real(d-1) + "), 1))"
	}
	return g.positive(d - 1)
}

func (g *quantities) positive(d int) string {
	return g.one("exp(tanh("+g.real(d)+"))", "s", "(0.5 + square(tanh("+g.real(d)+")))", "1.5")
}

// count is an integer from 0 to 8.
func (g *quantities) count(d int) string { return g.one("3", "(abs("+g.integer(d)+") % 9)") }

func (g *quantities) integer(d int) string {
	k := g.r.IntN(9)
	if d <= 0 {
		k = g.r.IntN(4)
	}
	switch k {
	case 0, 1:
		return g.known("int")
	case 2:
		if g.round != "" {
			return g.one(g.round, g.known("ints")+"["+g.round+"]")
		}
		return "N"
	case 3:
		return strconv.Itoa(g.r.IntN(5) - 1)
	case 4:
		return "(" + g.integer(d-1) + g.one(" + ", " - ") + g.integer(d-1) + ")"
	case 5:
		return "(" + g.integer(d-1) + " % 5 * (" + g.integer(d-1) + " % 7))"
	case 6:
		return "(" + g.integer(d-1) + g.one(" %/% ", " % ") + g.one("3", "(1 + abs("+g.integer(d-1)+" % 100))", g.integer(d-1)) + ")"
	case 7:
		return g.one("max", "min") + "({" + g.integer(d-1) + ", " + g.integer(d-1) + "})"
	}
	return g.one("sum", "max", "min") + "(" + g.known("ints") + ")"
}

// argument is one of an _rng function.
func (g *quantities) argument(kind byte) string {
	if g.wrong && g.r.IntN(30) == 0 {
		if strings.IndexByte("clhn", kind) >= 0 {
			return g.integer(1)
		}
		return g.real(1)
	}
	switch kind {
	case 'r':
		return "2 * tanh(" + g.real(1) + ")"
	case 'p':
		return g.positive(1)
	case 'u':
		return "inv_logit(2 * tanh(" + g.real(1) + "))"
	case 'c':
		return "3 + " + g.count(1)
	case 'n':
		return "2"
	case 'l':
		return g.count(1)
	case 'h':
		return "9 + " + g.count(1)
	case 'L':
		return "tanh(" + g.real(1) + ")"
	}
	return "1.5 + square(tanh(" + g.real(1) + "))"
}

// arguments is one of N numbers.
func (g *quantities) arguments(kind byte) string {
	x := "tanh(to_vector(" + g.one(g.known("reals"), g.known("ints")) + "))"
	switch kind {
	case 'r', 'L':
		return x
	case 'p':
		return g.one("exp("+x+")", "to_array_1d(exp("+x+"))", "(0.5 + square("+x+"))'")
	case 'u':
		return "inv_logit(" + x + ")"
	case 'H':
		return "1.5 + square(" + x + ")"
	case 'l':
		return "c"
	}
	return "ten"
}

// draw is a call of an _rng function, with arguments of N numbers if all is set.
func (g *quantities) draw(kind string, all bool) string {
	fn := drawers[kind][g.r.IntN(len(drawers[kind]))]
	args := make([]string, len(fn[1]))
	long := 1 + g.r.IntN(len(args))
	for i := range args {
		if all && (i == long%len(args) || g.r.IntN(2) == 0) && fn[1][i] != 'n' {
			args[i] = g.arguments(fn[1][i])
		} else {
			args[i] = g.argument(fn[1][i])
		}
	}
	return fn[0] + "_rng(" + strings.Join(args, ", ") + ")"
}

// condition is one that holds in some iterations, or some rows.
func (g *quantities) condition() string {
	i := "3"
	if g.round != "" {
		i = g.round
	}
	if g.wild && g.r.IntN(2) == 0 {
		return g.one(g.real(1)+" > "+g.real(1), g.integer(1)+" == "+g.integer(1), "a > 0")
	}
	return g.one("f["+i+"] == 1", "c["+i+"] > 1", "x["+i+"] > 0")
}

// multivariate is three numbers.
func (g *quantities) multivariate() string {
	return g.one("dirichlet_rng(exp(tanh(v)))", "multi_normal_rng(v, diag_matrix(exp(tanh(v))))", "to_vector(multinomial_rng(t, "+g.count(1)+"))",
		"multi_student_t_rng(3 + s, v, identity_matrix(3))", "multi_normal_cholesky_rng(v, diag_matrix(exp(tanh(v))))",
		"to_vector(dirichlet_multinomial_rng(exp(tanh(v)), "+g.count(1)+"))", "to_vector(wishart_rng(4 + s, identity_matrix(3))[2])",
		"to_vector(lkj_corr_rng(3, s)[1])", "to_vector(inv_wishart_rng(5, diag_matrix(exp(tanh(v))))[2])", "to_vector(multinomial_logit_rng(v, 7))",
		"to_vector(bernoulli_logit_glm_rng(rep_matrix(a, 3, 2), v, [s, a]'))")
}

func (g *quantities) statement() {
	switch g.r.IntN(18) {
	case 0:
		g.declare("real", "real", g.draw("real", false))
	case 1:
		g.declare("int", "int", g.draw("int", false))
	case 2:
		g.declare("reals", "array[N] real", g.draw("real", true))
	case 3:
		g.declare("real", "real", "sum("+g.one(g.draw("int", true), g.multivariate())+") * 0.1")
	case 4:
		g.declare("int", "int", g.integer(3))
	case 5:
		g.declare("real", "real", g.real(3))
	case 6:
		g.declare("int", "int", g.one("categorical_rng(t)", "categorical_logit_rng(v)", "ordered_logistic_rng(a, [-1, s]')", "several_rng("+g.positive(1)+", c[2])"))
	case 7:
		g.declare("real", "real", "noisy_rng("+g.real(1)+", "+g.positive(1)+")")
	case 8:
		g.declare("real", "real<lower="+g.one("-20", "-1", "-a - 3")+">", g.one("normal_rng(a, s)", g.real(2)))
	case 9:
		g.declare("int", "int<lower=0, upper="+g.one("40", "5")+">", "poisson_rng("+g.positive(1)+")")
	case 10:
		g.declare("real", "real", g.condition()+" ? "+g.draw("real", false)+" : "+g.real(1))
	case 11:
		sum, i := g.name(), g.name()
		until := "x[" + i + "] > 0.5"
		if g.wild {
			until = sum + " > 1"
		}
		g.line("real %s = 0; { int %s = 0; while (%s < 5) { %s += 1; %s += %s; if (%s) break; } }", sum, i, i, i, sum, g.draw("real", false), until)
		g.scope["real"] = append(g.scope["real"], sum)
	case 12:
		if g.wrong {
			g.line("if (%s > %d) reject(\"large\");", g.real(1), 1+g.r.IntN(4))
		}
	default:
		g.loop()
	}
}

// loop writes a loop that fills an array.
func (g *quantities) loop() {
	kind := g.one("real", "real", "int")
	z, i := g.name(), g.name()
	g.round = i
	draw := func() string { return g.draw(kind, false) }
	own, back := z+"["+i+"]", z+"[N + 1 - "+i+"]"
	body := []string{
		own + " = " + draw() + ";",
		own + " = " + draw() + ";",
		back + " = " + draw() + ";",
		"if (" + g.condition() + ") " + own + " = " + draw() + "; else " + own + " = " + draw() + ";",
		own + " = " + draw() + "; if (" + g.condition() + ") continue; " + own + " += " + draw() + ";",
		"real h = tanh(" + g.draw("real", false) + ") * x[" + i + "]; " + own + " = " + draw() + " + (h > 100);",
		own + " = 0; for (j in 1:3) " + own + " += " + draw() + ";",
		own + " = several_rng(" + g.positive(1) + ", c[" + i + "]);",
	}
	if kind == "real" {
		body = append(body, own+" = normal_rng("+i+" > 1 ? tanh("+z+"[max({1, "+i+" - 1})]) : a, s);", own+" = noisy_rng("+g.real(1)+", "+g.positive(1)+");",
			"h0 = 0.5 * tanh(h0) + x["+i+"]; "+own+" = h0 + "+draw()+";", "h0 += "+draw()+"; "+own+" = h0;")
	}
	g.line("array[N] %s %s; { real h0 = a; for (%s in 1:N) { %s } }", kind, z, i, g.one(body...))
	g.round = ""
	g.scope[kind+"s"] = append(g.scope[kind+"s"], z)
}
