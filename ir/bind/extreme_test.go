// Compiled programs against the reference interpreter at extreme arguments.

package bind_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
)

// extremes are values of parameters: ordinary ones, and those at which operations overflow,
// underflow or leave their domain.
var extremes = []float64{0, 0.3, -0.7, 1, 3, 40, -40, 709, -709, 800, -800, 1e-160, -1e-160, 1e-300, 1e155, 1e300, -1e300}

// extremeNames are the parameters of the programs, with values that are used where none is extreme.
var extremeNames, moderate = []string{"x", "y", "z", "u", "v"}, []float64{0.4, 0.6, 0.8, 1.1, 0.2}

// TestExtremeArguments: over every function of single numbers, by itself, inside and around
// exponentials, logarithms and reciprocals, and unused, compiled programs and the reference
// interpreter have the same verdict, value and gradient.
func TestExtremeArguments(t *testing.T) {
	for _, f := range higherLibrary.Names() {
		row := higherLibrary.Function(f)
		if row.Op == nil || row.Section == "" || !strings.HasPrefix(row.Signatures[0], "R ") && !strings.HasPrefix(row.Signatures[0], "T ") {
			continue
		}
		args := extremeNames[:row.Op.Arity()]
		call := f + "(" + strings.Join(args, ", ") + ")"
		if !compiles("target += " + call) {
			continue // some arguments are integers
		}
		t.Run(f, func(t *testing.T) {
			if f == "log_sum_exp" { // programs have it to 1e-16, the interpreter to 1e-16 of its value, which matters to what is around it
				sameAtExtremes(t, "target += "+call, 2)
				return
			}
			for _, form := range []string{call, "exp(" + call + ")", "log(" + call + ")", "inv(" + call + ")",
				strings.NewReplacer("(x", "(exp(x)", ", y", ", exp(y)").Replace(call), strings.NewReplacer("(x", "(inv(x)").Replace(call)} {
				sameAtExtremes(t, "target += "+form, len(args))
			}
			sameAtExtremes(t, "real w = "+call+"; target += -square(x)", len(args))
		})
	}
}

// TestExtremeDensities: likewise of univariate densities and distribution functions, of parameters and
// of their exponentials.
func TestExtremeDensities(t *testing.T) {
	for _, f := range higherLibrary.Names() {
		d := higherLibrary.Function(f).Density
		if d == nil || d.Discrete || d.Rows != nil {
			continue
		}
		n := strings.Count(d.Args, ",") + 2
		if !strings.Contains(d.Args, "|") || n > len(extremeNames) {
			continue
		}
		call := func(form string) string {
			args := make([]string, n)
			for i, x := range extremeNames[:n] {
				args[i] = strings.ReplaceAll(form, "X", x)
			}
			return f + "(" + args[0] + " | " + strings.Join(args[1:], ", ") + ")"
		}
		if !compiles("target += " + call("X")) {
			continue
		}
		t.Run(f, func(t *testing.T) {
			for _, form := range []string{"X", "exp(X)"} {
				sameAtExtremes(t, "target += "+call(form), n)
			}
			sameAtExtremes(t, "real w = "+call("exp(X)")+"; target += -square(x)", n)
		})
	}
}

// TestExtremeMatrices: likewise of covariances and Cholesky factors, and of statements over vectors.
func TestExtremeMatrices(t *testing.T) {
	for _, statement := range []string{
		"target += sum(gp_exp_quad_cov({0.0, 1.0, 1.5}, exp(x), exp(y)))",
		"target += sum(gp_exp_quad_cov({0.0, 1.0, 1.5}, x, y))",
		"target += sum(gp_matern32_cov({0.0, 1.0, 1.5}, exp(x), exp(y)))",
		"target += sum(gp_matern52_cov({0.0, 1.0, 1.5}, exp(x), exp(y)))",
		"target += sum(gp_exponential_cov({0.0, 1.0, 1.5}, exp(x), exp(y)))",
		"target += sum(gp_periodic_cov({0.0, 1.0, 1.5}, exp(x), exp(y), exp(z)))",
		"target += sum(gp_exponential_cov({[0, 1]', [1, 2]', [1.5, 0]'}, exp(x), exp(y)))",
		"target += sum(gp_exp_quad_cov({[0, 1]', [1, 2]', [1.5, 0]'}, {[0.5, 1]', [1, 2]'}, exp(x), {exp(y), exp(z)}))",
		"target += sum(gp_matern32_cov({[0, 1]', [1, 2]', [1.5, 0]'}, exp(x), {exp(y), exp(z)}))",
		"target += sum(gp_matern52_cov({[0, 1]', [1, 2]', [1.5, 0]'}, exp(x), {exp(y), exp(z)}))",
		"target += sum(cholesky_decompose(add_diag(gp_exp_quad_cov({0.0, 1.0, 1.5}, exp(x), exp(y)), exp(z))))",
		"target += multi_normal_lpdf([0.3, 0.2]' | [x, y]', [[exp(z), 0.1], [0.1, 1]])",
		"target += normal_lpdf([0.3, 0.2, 1] | x, exp(y))",
		"target += normal_lcdf([0.3, 0.2, 1] | x, exp(y))",
		"target += normal_lccdf([0.3, 0.2, 1] | x, exp(y))",
		"target += normal_lcdf([x, y]' | 0.3, exp(z))",
		"target += lognormal_lcdf([0.3, 0.2, 1] | x, exp(y))",
		"target += cauchy_lpdf([0.3, 0.2, 1] | x, exp(y))",
		"target += student_t_lpdf([0.3, 0.2, 1] | exp(z), x, exp(y))",
		"target += gamma_lpdf([0.3, 0.2, 1] | exp(x), exp(y))",
		"target += beta_lpdf([0.3, 0.2, 0.9] | exp(x), exp(y))",
		"target += beta_lpdf([exp(x), exp(y)] | 2, 3)",
		"target += dirichlet_lpdf(softmax([x, y, z]') | [exp(u), 1, exp(v)]')",
		"target += categorical_logit_lpmf(2 | [x, y, z]')",
		"target += log_sum_exp([x, y, z]')",
		"target += sum(softmax([x, y, z]') .* [1, 2, 3]')",
		"target += log(sum(exp([x, y, z]')))",
		"target += bernoulli_logit_glm_lpmf({1, 0} | [[1, 2], [0.5, 1]], x, [y, z]')",
		"target += poisson_log_glm_lpmf({1, 0} | [[1, 2], [0.5, 1]], x, [y, z]')",
		"target += normal_id_glm_lpdf([1, 0.3]' | [[1, 2], [0.5, 1]], x, [y, z]', exp(u))",
		"for (i in 1:3) target += normal_lpdf(log(exp(x * i)) | y, exp(z))",
		"real h = x; for (i in 1:6) { h = log(exp(h)) + 0.1 * i; target += -0.01 * square(h - y); }",
		"real h = exp(x); for (i in 1:6) { h = inv(inv(h)) * 0.5; target += -0.01 * square(h - y); }",
	} {
		t.Run("", func(t *testing.T) { sameAtExtremes(t, statement, 5) })
	}
}

// TestExtremeExpressions: likewise of 150 random expressions.
func TestExtremeExpressions(t *testing.T) {
	for k := range 150 {
		r := rand.New(rand.NewPCG(uint64(k), 14))
		statement := "target += " + extremeExpression(r, 4)
		if r.IntN(3) == 0 {
			statement = "real w = " + extremeExpression(r, 3) + "; " + statement
		}
		sameAtExtremes(t, statement, len(extremeNames))
	}
}

// extremeExpression writes a random expression whose operations overflow and have domains.
func extremeExpression(r *rand.Rand, depth int) string {
	if depth == 0 || r.IntN(8) == 0 {
		return extremeNames[r.IntN(len(extremeNames))]
	}
	part := func() string { return extremeExpression(r, depth-1) }
	switch r.IntN(4) {
	case 0:
		return "(" + part() + " " + []string{"+", "-", "*", "/"}[r.IntN(4)] + " " + part() + ")"
	case 1:
		return []string{"lbeta", "fmax", "log_diff_exp", "hypot", "pow"}[r.IntN(5)] + "(" + part() + ", " + part() + ")"
	}
	return []string{"exp", "log", "inv", "sqrt", "square", "-", "log1p_exp", "inv_logit", "log1m", "log1p", "lgamma", "expm1", "inv_sqrt", "log1m_exp", "logit", "cbrt"}[r.IntN(16)] + "(" + part() + ")"
}

func extremeText(statement string) string {
	return "parameters { real " + strings.Join(extremeNames, "; real ") + "; } model { " + statement + "; }"
}

// compiles reports whether a statement is well-typed.
func compiles(statement string) bool {
	_, err := bindtest.Compile("test.stan", extremeText(statement), "", higherLibrary)
	return err == nil
}

func sameAtExtremes(t *testing.T, statement string, n int) {
	t.Helper()
	m := program(t, extremeText(statement), "{}")
	e, q := m.NewEvaluator(), make([]float64, len(moderate))
	for a := range n {
		for i, v := range extremes {
			if n > 2 && (i+a)%2 > 0 {
				continue
			}
			copy(q, moderate)
			q[(a+1)%n] = extremes[(5*i+a)%len(extremes)]
			q[a] = v
			if text := extremeDifference(m, e, q); text != "" {
				t.Errorf("%s at %v: %s", statement, q[:n], text)
				return
			}
		}
	}
}

// extremeDifference compares both evaluations at a point: verdicts, values to 1e-9 and what rounding of the
// arguments makes of them, and whether gradients are finite. Where all arguments are moderate
// gradients agree to 1e-7 of their largest entry; beyond, the derivative of some step over- or underflows for one of the two.
func extremeDifference(m *bind.Model, e infer.Evaluator, q []float64) string {
	grad := make([]float64, len(q))
	got, err := e.LogDensityGrad(q, grad)
	alone, _ := e.LogDensity(q)
	want, wantGrad, wantErr := m.PlainDensity(q, true)
	if !sameFailure(err, wantErr) {
		return fmt.Sprintf("compiled %v (%v), plain %v (%v)", got, err, want, wantErr)
	}
	if err != nil || nowhere(got) && nowhere(want) {
		return ""
	}
	largest, rounding := 0.0, 1e-9*(1+math.Abs(want))
	for i, d := range wantGrad {
		if d-d == 0 {
			largest = math.Max(largest, math.Abs(d))
		}
		if x := math.Abs(d * q[i]); x == x {
			rounding += 1e-12 * x
		}
	}
	if !close64(got, want, rounding) || !close64(alone, got, rounding) {
		return fmt.Sprintf("compiled %v and with gradient %v, plain %v", alone, got, want)
	}
	if want-want != 0 {
		return ""
	}
	for i, d := range wantGrad {
		if d-d != 0 {
			continue
		}
		if grad[i]-grad[i] != 0 || moderateValues(q) && !close64(grad[i], d, 1e-7*largest+1e-12) {
			return fmt.Sprintf("compiled gradient[%d] %v, plain %v (largest entry %g)", i, grad[i], d, largest)
		}
	}
	return ""
}

// nowhere reports whether a log density is one of no point: NaN where -Inf meets +Inf, or not, as products
// are rounded.
func nowhere(lp float64) bool { return math.IsNaN(lp) || math.IsInf(lp, -1) }

func moderateValues(q []float64) bool {
	return !slices.ContainsFunc(q, func(x float64) bool { return x != 0 && (math.Abs(x) < 0.1 || math.Abs(x) > 50) })
}

// quotients are forms whose value and derivatives are moderate wherever p is, though squares of their
// denominators are not; w is a second scale. Far out the constants in them no longer matter, nor does p.
var quotients = []string{
	"p / (3 + p)", "3 / (3 + p)", "p / (w + p)", "w / (p + w)", "inv(3 + p) * p", "square(p / (3 + p))", "p * inv_sqrt(1 + p) * inv_sqrt(2 + p)", "log(inv_square(sqrt(p / w) + 1))", "log(inv_sqrt(p + w))",
	"log(p / (w + p))", "log1p(p / w)", "sqrt(p / (1 + p))", "pow(p / (w + p), 1.5)", "1 / (1 + w / p)", "p / (w + p) * (w / (w + 2 * p))",
	"(p - w) / (p + w)", "atan2(p, w)", "sum([p, w]' ./ (1 + [p, w]'))", "sum([p, w]' / (p + w))", "dot_product([p, w], 1 / [w + p, 2 * p])",
	"normal_lpdf(p | w, p + w)", "normal_lpdf([p, w]' | 0, p + w)", "normal_lpdf([p, w]' | [w, p]', [p + w, 2 * p + w]')", "cauchy_lpdf(p | w, p + w)",
	"student_t_lpdf(p | 4, w, p + w)", "student_t_lpdf([p, w]' | 4, 0, p + w)", "logistic_lpdf(p | w, p + w)", "double_exponential_lpdf(p | w, p + w)",
	"gumbel_lpdf(p | w, p + w)", "weibull_lpdf(p | 2, p + w)", "weibull_lpdf([p, w]' | 2, p + w)", "frechet_lpdf(p + w | 2, p)", "inv_gamma_lpdf(p + w | 2, p)",
	"skew_normal_lpdf(p | w, p + w, 1)", "exponential_lpdf(p | inv(p + w))", "gamma_lpdf(p | 2, inv(p + w))", "rayleigh_lpdf(p | p + w)", "pareto_lpdf(p + w | p, 2)",
	"pareto_type_2_lpdf(p | 0, p + w, 2)", "loglogistic_lpdf(p | p + w, 2)", "normal_lcdf(p | w, p + w)", "neg_binomial_2_lpmf(3 | 2, 1 + p / (p + w))",
	"uniform_lpdf(p / (p + w) | 0, 1)", "beta_lpdf(p / (p + w) | 2, 3)", "von_mises_lpdf(p / (p + w) | 0, 2)", "exp_mod_normal_lpdf(p / w | 0, 1, w / (p + w))",
}

// TestExtremeQuotients: where scales are so large or small that squares of denominators leave the numbers
// and quotients do not, programs and the interpreter have the derivatives that they have where scales are
// merely large or small.
func TestExtremeQuotients(t *testing.T) {
	for _, form := range quotients {
		m := program(t, "parameters { real x; real y; } model { real p = exp(x); real w = exp(x + y); target += "+form+"; }", "{}")
		e, grad := m.NewEvaluator(), make([]float64, 2)
		for _, y := range []float64{0.4, -1.3} {
			for _, side := range []float64{-1, 1} {
				_, want, err := m.PlainDensity([]float64{side * 60, y}, true)
				if err != nil {
					t.Fatalf("%s: %v", form, err)
				}
				for _, x := range []float64{60, 180, 350, 442, 640} {
					q := []float64{side * x, y}
					lp, err := e.LogDensityGrad(q, grad)
					plain, plainGrad, plainErr := m.PlainDensity(q, true)
					if err != nil || plainErr != nil || !close64(lp, plain, 1e-9*(1+math.Abs(plain))) {
						t.Errorf("%s at %v: compiled %v (%v), plain %v (%v)", form, q, lp, err, plain, plainErr)
					}
					for i, d := range want {
						if !close64(grad[i], d, 1e-9*(1+math.Abs(d))) {
							t.Errorf("%s at %v: compiled gradient %v, exact %v", form, q, grad, want)
						}
						if !close64(plainGrad[i], d, 1e-9*(1+math.Abs(d))) {
							t.Errorf("%s at %v: plain gradient %v, exact %v", form, q, plainGrad, want)
						}
					}
				}
			}
		}
	}
}
