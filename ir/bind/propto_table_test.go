// What "~" leaves out, for every distribution and every choice of arguments that are data.

package bind_test

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A proptoRow is a call of a density: its arguments, each a declaration with a value, and the
// summands that Stan's function of the name leaves out unless one of the arguments named may
// depend on parameters ("" for one that it always leaves out; stan/math/prim/prob, version 5.4).
type proptoRow struct {
	name string
	args []string // "real y = 0.3"
	drop drops
}

type drops = map[string]string

func proptoRows() []proptoRow {
	y, n := "vector y = [0.4, 1.7]'", "array[2] int n = {3, 1}"
	glm := []string{"matrix x = [[0.3, 1], [-0.5, 2]]", "vector alpha = [0.2, 0.4]'", "vector beta = [0.6, -0.3]'"}
	spd := func(name string, s float64) string {
		return fmt.Sprintf("matrix %s = [[%g, 0.3], [0.3, 1.2]]", name, s)
	}
	lower := func(name string, s float64) string { return fmt.Sprintf("matrix %s = [[%g, 0], [0.3, 1.1]]", name, s) }
	vectors := "array[3] vector y = {[0.4, 1.7]', [0.1, 0.2]', [-1, 2]'}"
	t := "-3 * log(pi())"
	degrees := "3 * (lgamma(0.5 * (nu + 2)) - lgamma(0.5 * nu) - log(nu))"
	return []proptoRow{
		{"normal", []string{y, "real mu = 0.3", "vector sigma = [1.4, 0.7]'"}, drops{"": "-log(2 * pi())", "sigma": "-sum(log(sigma))"}},
		{"std_normal", []string{y}, drops{"": "-log(2 * pi())"}},
		{"exp_mod_normal", []string{y, "real mu = 0.3", "real sigma = 1.4", "real lambda = 0.8"}, drops{"": "-2 * log(2)", "lambda": "2 * log(lambda)"}},
		{"skew_normal", []string{y, "real xi = 0.3", "real omega = 1.4", "real alpha = 0.8"},
			drops{"": "-log(2 * pi())", "omega": "-2 * log(omega)", "y xi omega": "-0.5 * dot_self((y - xi) / omega)"}},
		{"student_t", []string{y, "real nu = 4.5", "real mu = 0.3", "real sigma = 1.4"},
			drops{"": "-log(pi())", "nu": "2 * (lgamma((nu + 1) / 2) - lgamma(nu / 2) - 0.5 * log(nu))", "sigma": "-2 * log(sigma)"}},
		{"cauchy", []string{y, "real mu = 0.3", "real sigma = 1.4"}, drops{"": "-2 * log(pi())", "sigma": "-2 * log(sigma)"}},
		{"double_exponential", []string{y, "real mu = 0.3", "real sigma = 1.4"}, drops{"": "-2 * log(2)", "sigma": "-2 * log(sigma)"}},
		{"logistic", []string{y, "real mu = 0.3", "real sigma = 1.4"}, drops{"sigma": "-2 * log(sigma)"}},
		{"gumbel", []string{y, "real mu = 0.3", "real beta = 1.4"}, drops{"beta": "-2 * log(beta)"}},
		{"skew_double_exponential", []string{y, "real mu = 0.3", "real sigma = 1.4", "real tau = 0.2"},
			drops{"": "2 * log(2)", "sigma": "-2 * log(sigma)", "tau": "2 * log(tau * (1 - tau))"}},

		{"lognormal", []string{y, "real mu = 0.3", "real sigma = 1.4"}, drops{"sigma": "-2 * log(sigma)", "y": "-sum(log(y))"}},
		{"chi_square", []string{y, "real nu = 4.5"}, drops{"nu": "-2 * (nu / 2 * log(2) + lgamma(nu / 2))", "y": "-0.5 * sum(y)"}},
		{"inv_chi_square", []string{y, "real nu = 4.5"}, drops{"nu": "-2 * (nu / 2 * log(2) + lgamma(nu / 2))", "y": "-0.5 * sum(inv(y))"}},
		{"scaled_inv_chi_square", []string{y, "real nu = 4.5", "real sigma = 1.4"}, drops{"nu": "nu * log(nu / 2) - 2 * lgamma(nu / 2)",
			"nu sigma": "2 * nu * log(sigma)", "y nu": "-(nu / 2 + 1) * sum(log(y))"}},
		{"exponential", []string{y, "real beta = 1.4"}, drops{"beta": "2 * log(beta)"}},
		{"gamma", []string{y, "real alpha = 2.5", "real beta = 1.4"}, drops{"alpha": "-2 * lgamma(alpha)", "alpha beta": "2 * alpha * log(beta)",
			"y alpha": "(alpha - 1) * sum(log(y))", "y beta": "-beta * sum(y)"}},
		{"inv_gamma", []string{y, "real alpha = 2.5", "real beta = 1.4"}, drops{"alpha": "-2 * lgamma(alpha)", "alpha beta": "2 * alpha * log(beta)",
			"y alpha": "-(alpha + 1) * sum(log(y))", "y beta": "-beta * sum(inv(y))"}},
		{"weibull", []string{y, "real alpha = 2.5", "real sigma = 1.4"}, drops{"alpha": "2 * log(alpha)", "alpha sigma": "-2 * alpha * log(sigma)",
			"y alpha": "(alpha - 1) * sum(log(y))"}},
		{"frechet", []string{y, "real alpha = 2.5", "real sigma = 1.4"}, drops{"alpha": "2 * log(alpha)", "alpha sigma": "2 * alpha * log(sigma)",
			"y alpha": "-(alpha + 1) * sum(log(y))"}},
		{"rayleigh", []string{y, "real sigma = 1.4"}, drops{"sigma": "-4 * log(sigma)", "y": "sum(log(y))"}},
		{"loglogistic", []string{y, "real alpha = 2.5", "real beta = 1.4"}, drops{"alpha beta": "2 * (log(beta) - beta * log(alpha))"}},
		{"pareto", []string{"vector y = [1.4, 2.7]'", "real y_min = 0.6", "real alpha = 1.4"}, drops{"alpha": "2 * log(alpha)",
			"y_min alpha": "2 * alpha * log(y_min)", "y alpha": "-(alpha + 1) * sum(log(y))"}},
		{"pareto_type_2", []string{y, "real mu = 0.3", "real lambda = 0.6", "real alpha = 1.4"}, drops{"alpha": "2 * log(alpha)", "lambda": "-2 * log(lambda)"}},

		{"beta", []string{"vector y = [0.4, 0.7]'", "real a = 2.5", "real b = 1.4"}, drops{"a": "-2 * lgamma(a)", "b": "-2 * lgamma(b)", "a b": "2 * lgamma(a + b)",
			"y a": "(a - 1) * sum(log(y))", "y b": "(b - 1) * sum(log1m(y))"}},
		{"beta_proportion", []string{"vector y = [0.4, 0.7]'", "real mu = 0.3", "real kappa = 3.4"}, drops{"kappa": "2 * lgamma(kappa)",
			"mu kappa": "-2 * (lgamma(mu * kappa) + lgamma((1 - mu) * kappa))"}},
		{"uniform", []string{y, "real a = 0.1", "real b = 3.4"}, drops{"a b": "-2 * log(b - a)"}},
		{"von_mises", []string{y, "real mu = 0.3", "real kappa = 1.4"}, drops{"": "-2 * log(2 * pi())", "kappa": "-2 * log_modified_bessel_first_kind(0, kappa)"}},
		{"wiener", []string{y, "real alpha = 2", "real tau = 0.1", "real beta = 0.4", "real delta = 0.3"}, nil},

		{"bernoulli", []string{"array[2] int n = {0, 1}", "real theta = 0.4"}, nil},
		{"bernoulli_logit", []string{"array[2] int n = {0, 1}", "real alpha = 0.4"}, nil},
		{"binomial", []string{n, "int N = 5", "real theta = 0.4"}, drops{"": "lchoose(5, 3) + lchoose(5, 1)"}},
		{"binomial_logit", []string{n, "int N = 5", "vector alpha = [0.4, 0.1]'"}, drops{"": "lchoose(5, 3) + lchoose(5, 1)"}},
		{"beta_binomial", []string{n, "int N = 5", "real alpha = 2.4", "real beta = 0.7"}, drops{"": "lchoose(5, 3) + lchoose(5, 1)"}},
		{"poisson", []string{n, "real lambda = 1.4"}, drops{"": "-lgamma(4)"}},
		{"poisson_log", []string{n, "real alpha = 1.4"}, drops{"": "-lgamma(4)"}},
		{"neg_binomial", []string{n, "real alpha = 1.4", "real beta = 0.7"}, drops{"alpha": "lchoose(alpha + 2, 3) + lchoose(alpha, 1)"}},
		{"neg_binomial_2", []string{n, "real mu = 1.4", "real phi = 0.7"}, drops{"phi": "lchoose(phi + 2, 3) + lchoose(phi, 1)", "mu": "4 * log(mu)"}},
		{"neg_binomial_2_log", []string{n, "real eta = 1.4", "real phi = 0.7"}, drops{"phi": "lchoose(phi + 2, 3) + lchoose(phi, 1)", "eta": "4 * eta"}},
		{"poisson_binomial", []string{n, "vector theta = [0.2, 0.5, 0.7, 0.4, 0.9]'"}, drops{}},
		{"beta_neg_binomial", []string{n, "real r = 1.4", "real alpha = 0.7", "real beta = 2"}, drops{"": "-lgamma(4)"}},
		{"yule_simon", []string{"array[2] int n = {4, 5}", "real alpha = 1.4"}, drops{"": "lgamma(4) + lgamma(5)"}},
		{"hypergeometric", []string{"int n = 2", "int N = 4", "int a = 5", "int b = 6"}, nil},
		{"discrete_range", []string{n, "int l = 0", "int u = 6"}, nil},
		{"categorical", []string{"array[2] int n = {2, 1}", "vector theta = [0.3, 0.7]'"}, nil},
		{"categorical_logit", []string{"array[2] int n = {2, 1}", "vector beta = [0.3, 0.7]'"}, nil},
		{"ordered_logistic", []string{"array[2] int n = {2, 1}", "vector eta = [0.5, 0.1]'", "vector c = [-0.3, 0.7]'"}, nil},
		{"ordered_probit", []string{"array[2] int n = {2, 1}", "real eta = 0.5", "vector c = [-0.3, 0.7]'"}, nil},

		{"multinomial", []string{n, "vector theta = [0.3, 0.7]'"}, drops{"": "lgamma(5) - lgamma(4)"}},
		{"multinomial_logit", []string{n, "vector gamma = [0.3, 0.7]'"}, drops{"": "lgamma(5) - lgamma(4)"}},
		{"dirichlet_multinomial", []string{n, "vector alpha = [0.3, 0.7]'"}, drops{"": "log(4) - log(3)"}},
		{"dirichlet", []string{"array[2] vector theta = {[0.3, 0.7]', [0.5, 0.5]'}", "vector alpha = [2.3, 0.7]'"},
			drops{"alpha": "2 * (lgamma(sum(alpha)) - sum(lgamma(alpha)))"}},

		{"normal_id_glm", append(append([]string{y}, glm...), "real sigma = 0.6"), drops{"": "-log(2 * pi())", "sigma": "-2 * log(sigma)"}},
		{"bernoulli_logit_glm", append([]string{"array[2] int n = {0, 1}"}, glm...), nil},
		{"poisson_log_glm", append([]string{n}, glm...), drops{"": "-lgamma(4)"}},
		{"neg_binomial_2_log_glm", append(append([]string{n}, glm...), "real phi = 0.6"), drops{"": "-lgamma(4)",
			"phi": "2 * (phi * log(phi) - lgamma(phi)) + lgamma(3 + phi) + lgamma(1 + phi)", "x alpha beta": "dot_product([3, 1], alpha + x * beta)"}},
		{"binomial_logit_glm", append([]string{n, "array[2] int N = {5, 5}"}, glm...), drops{"": "lchoose(5, 3) + lchoose(5, 1)"}},
		{"categorical_logit_glm", []string{"array[2] int n = {2, 1}", glm[0], glm[1], "matrix beta = [[0.1, 0.4], [0.6, 0.3]]"}, nil},
		{"ordered_logistic_glm", []string{"array[2] int n = {2, 1}", glm[0], glm[2], "vector c = [-0.3, 0.7]'"}, nil},

		{"multi_normal", []string{vectors, "vector mu = [0.1, 0.2]'", spd("Sigma", 2)}, drops{"": "-3 * log(2 * pi())", "Sigma": "-1.5 * log_determinant(Sigma)"}},
		{"multi_normal_prec", []string{vectors, "vector mu = [0.1, 0.2]'", spd("Omega", 2)}, drops{"": "-3 * log(2 * pi())", "Omega": "1.5 * log_determinant(Omega)"}},
		{"multi_normal_cholesky", []string{vectors, "vector mu = [0.1, 0.2]'", lower("L", 2)}, drops{"": "-3 * log(2 * pi())", "L": "-3 * sum(log(diagonal(L)))"}},
		{"multi_student_t", []string{vectors, "real nu = 4.5", "vector mu = [0.1, 0.2]'", spd("Sigma", 2)},
			drops{"": t, "nu": degrees, "Sigma": "-1.5 * log_determinant(Sigma)"}},
		{"multi_student_t_cholesky", []string{vectors, "real nu = 4.5", "vector mu = [0.1, 0.2]'", lower("L", 2)},
			drops{"": t, "nu": degrees, "L": "-3 * sum(log(diagonal(L)))"}},
		{"multi_gp", []string{"matrix y = [[1, 2], [3, 1], [0, 1]]", spd("Sigma", 2), "vector w = [0.5, 2, 3]'"},
			drops{"": "-3 * log(2 * pi())", "Sigma": "-1.5 * log_determinant(Sigma)", "w": "sum(log(w))"}},
		{"multi_gp_cholesky", []string{"matrix y = [[1, 2], [3, 1], [0, 1]]", lower("L", 2), "vector w = [0.5, 2, 3]'"},
			drops{"": "-3 * log(2 * pi())", "L": "-3 * sum(log(diagonal(L)))", "w": "sum(log(w))"}},
		{"gaussian_dlm_obs", []string{"matrix y = [[1, 2, 0.5]]", "matrix F = [[1]]", "matrix G = [[0.9]]", "matrix V = [[0.5]]", "matrix W = [[0.3]]", "vector m0 = [0.1]'", "matrix C0 = [[1]]"},
			drops{"": "-1.5 * log(2 * pi())"}},

		{"lkj_corr", []string{"matrix y = [[1, 0.3], [0.3, 1]]", "real eta = 2.5"}, drops{"eta": "lgamma(eta + 0.5) - lgamma(eta) - 0.5 * log(pi())"}},
		{"lkj_corr_cholesky", []string{"matrix L = [[1, 0], [0.6, 0.8]]", "real eta = 2.5"}, drops{"eta": "lgamma(eta + 0.5) - lgamma(eta) - 0.5 * log(pi())"}},
		{"lkj_cov", []string{"matrix y = [[1.4, 0.3], [0.3, 1.1]]", "vector mu = [0.2, 0.1]'", "vector sigma = [0.5, 0.6]'", "real eta = 2.5"}, drops{
			"sigma": "-sum(log(sigma))", "y": "-0.5 * sum(log(diagonal(y)))",
			"y mu sigma": "-log(2 * pi()) - 0.5 * dot_self((0.5 * log(diagonal(y)) - mu) ./ sigma)",
			"eta":        "lgamma(eta + 0.5) - lgamma(eta) - 0.5 * log(pi())", "y eta": "(eta - 1) * (log_determinant(y) - sum(log(diagonal(y))))"}},
		{"wishart", []string{spd("W", 1.4), "real nu = 3.5", spd("S", 2)}, drops{"nu": "-nu * log(2) - lmgamma(2, nu / 2)",
			"nu S": "-0.5 * nu * log_determinant(S)", "W S": "-0.5 * trace(S \\ W)", "W nu": "0.5 * (nu - 3) * log_determinant(W)"}},
		{"inv_wishart", []string{spd("W", 1.4), "real nu = 3.5", spd("S", 2)}, drops{"nu": "-lmgamma(2, nu / 2)",
			"nu S": "0.5 * nu * log_determinant(S) - nu * log(2)", "W S": "-0.5 * trace(W \\ S)"}},
		{"wishart_cholesky", []string{lower("W", 1.4), "real nu = 3.5", lower("S", 2)}, drops{"nu": "2 * log(2) * (1 - nu / 2) - lmgamma(2, nu / 2)"}},
		{"inv_wishart_cholesky", []string{lower("W", 1.4), "real nu = 3.5", lower("S", 2)}, drops{"nu": "2 * log(2) * (1 - nu / 2) - lmgamma(2, nu / 2)"}},
	}
}

// TestProptoOfEveryDistribution compares _lupdf and "~" with the whole density less the summands
// of the table.
func TestProptoOfEveryDistribution(t *testing.T) {
	rows := proptoRows()
	for _, row := range rows {
		suffix := "pdf"
		if strings.Contains(row.args[0], "int ") {
			suffix = "pmf"
		}
		known := map[string]float64{}
		for set := range 1 << len(row.args) {
			if !subset.Has(fmt.Sprint(row.name, set), 2) {
				continue
			}
			if n := bits.OnesCount(uint(set)); n <= 1 || n == 2 && len(row.drop) > 2 || n == len(row.args) {
				testProptoRow(t, row, suffix, set, known)
			}
		}
	}
	listed := func(name string) bool {
		return slices.ContainsFunc(rows, func(r proptoRow) bool { return r.name == name })
	}
	lib := stdlib.New()
	for _, fn := range lib.Names() {
		name, density := strings.CutSuffix(fn, "_lpdf")
		if !density {
			name, density = strings.CutSuffix(fn, "_lpmf")
		}
		if density && lib.Function(fn).Higher == "" && !listed(name) {
			t.Errorf("%s is not in the table", name)
		}
	}
}

// testProptoRow makes the arguments of the set depend on a parameter; known are densities of the
// row that were computed before.
func testProptoRow(t *testing.T, row proptoRow, suffix string, set int, known map[string]float64) {
	var data, model, actual []string
	varies := map[string]bool{}
	for j, a := range row.args {
		decl, value, _ := strings.Cut(a, " = ")
		f := strings.Fields(decl)
		typ, name := strings.Join(f[:len(f)-1], " "), f[len(f)-1]
		integer := strings.Contains(typ, "int")
		if set>>j&1 == 1 && integer {
			return
		}
		data = append(data, sized(typ, value)+" "+name+" = "+value+";")
		actual = append(actual, name)
		if set>>j&1 == 1 {
			varies[name] = true
			model = append(model, sized(typ, value)+" v_"+name+" = "+name+";")
			actual[j] = "v_" + name
		}
	}
	names := slices.Clone(actual)
	for i, a := range names {
		names[i] = strings.TrimPrefix(a, "v_")
	}
	bar := func(args []string) string {
		if len(args) == 1 {
			return args[0]
		}
		return args[0] + " | " + strings.Join(args[1:], ", ")
	}
	head := "transformed data { " + strings.Join(data, " ") + " } parameters { real q; } model { "
	value := func(body string) float64 {
		if x, ok := known[head+body]; ok {
			return x
		}
		m := bound(t, head+body+" }", "{}")
		got, err := m.Density(false, true).LogDensity([]float64{0.3})
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		plain, err := m.PlainDropped([]float64{0.3})
		if err != nil || math.Abs(plain-got) > 1e-12*(1+math.Abs(got)) {
			t.Errorf("%s: plain %v (%v), compiled %v", body, plain, err, got)
		}
		known[head+body] = got
		return got
	}
	want := 0.3
	if set > 0 {
		want = value("target += q + " + row.name + "_l" + suffix + "(" + bar(names) + ");")
		for of, term := range row.drop {
			if !slices.ContainsFunc(strings.Fields(of), func(s string) bool { return varies[s] }) {
				want -= value("target += q + "+term+";") - 0.3
			}
		}
	}
	locals := strings.Join(model, " ")
	body := "target += " + row.name + "_lu" + suffix + "(" + bar(actual) + ");"
	if set%3 == 1 {
		body = actual[0] + " ~ " + row.name + "(" + strings.Join(actual[1:], ", ") + ");"
	}
	if got := value(locals + " target += q; " + body); math.Abs(got-want) > 1e-10*(1+math.Abs(want)) {
		t.Errorf("%s: %.12g, want %.12g", body, got, want)
	}
}

// sized gives a type its sizes, which are 2 or, of matrices and simplexes, as the value has them.
func sized(typ, value string) string {
	rows, columns, depth := 1, 1, 0
	for _, c := range value {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case ',':
			if depth == 1 {
				rows++
			}
			if depth == 2 && rows == 1 {
				columns++
			}
		}
	}
	switch {
	case strings.HasSuffix(typ, "matrix"):
		return fmt.Sprintf("matrix[%d, %d]", rows, columns)
	case typ == "vector":
		return fmt.Sprintf("vector[%d]", rows)
	case strings.HasSuffix(typ, "vector"):
		return typ + "[2]"
	}
	return typ
}
