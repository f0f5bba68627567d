// Random programs full of loops: after the passes they are the programs they were.

package pass_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/pass"
	"github.com/seed-12b88e03/ppl/stdlib"
)

const declarations = `functions {
  real early(int c, real x, real m) {
    if (c == 1) return normal_lpdf(x | tanh(m), 1.5);
    real d = x - tanh(m);
    return -square(tanh(d));
  }
  real summed(int c, real m) {
    real r = 0.5 * tanh(m);
    if (c == 1) r += square(tanh(m)); else { real e = 2; r -= e * tanh(m); }
    return r;
  }
  real twice(int c, real x, real m) { return early(c, x, m) + early(1 - c, x, -m); }
  real own_lpmf(int k, real m) { return poisson_log_lupmf(k | tanh(m)); }
  real rows_lpdf(vector x, array[] int c, real m, real s) {
    real r;
    int n = size(x);
    r = 0;
    for (i in 1:n) {
      if (c[i] == 1) r += normal_lpdf(x[i] | tanh(m), s);
      else if (i > 2) r = r - summed(c[i], x[i] * m);
    }
    return r;
  }
}
data {
  int N; int M; int J;
  vector[N] x;
  array[N] real z;
  array[N] int g;
  array[N] int k;
  array[N] int c;
  matrix[N, M] X;
  array[N] vector[M] A;
  array[N, M] real B;
  array[N, M] int D;
}
parameters {
  vector[J] a;
  real b;
  real<lower=0> s;
  vector[M] w;
  vector[N] u;
  matrix[N, M] W;
}
model {
  vector[N] mu = u;
  array[N] real nu = z;
  vector[N] h = 0.5 * x;
  matrix[N, M] Q = W;
  array[N] vector[M] V = A;
  matrix[M, N] P = 0.5 * W';
  matrix[M, M] C = add_diag(0.3 * w * A[1]', 1);
  matrix[M, M] L = diag_matrix(exp(tanh(w)));
  real acc = 0;
`

// A looper writes random loops over data of a fixed form.
type looper struct {
	r       *rand.Rand
	out     strings.Builder
	locals  []string
	vectors []string // locals, too
	inner   string   // the variable of the inner loop; empty outside
	count   int
	deep    int
}

func (l *looper) pick(list ...string) string { return list[l.r.IntN(len(list))] }

// index is the outer variable, now and then moved.
func (l *looper) index() string {
	if l.r.IntN(4) > 0 {
		return "n"
	}
	return l.pick("n - 1", "n + 1", "1 + n", "N - n + 1", "g[n]", "2")
}

// expr is an expression of moderate size.
func (l *looper) expr(depth int) string {
	if depth == 0 || l.r.IntN(4) == 0 {
		return l.leaf()
	}
	e := func() string { return l.expr(depth - 1) }
	switch l.r.IntN(14) {
	case 12:
		return "tanh(" + l.pick("log_sum_exp", "sum") + "(" + l.pick("u[n:N]", "u[1:n]", "x[2:(n + 1)]", "tanh(mu[n:])", "exp(b * u[:n])", "h[g[n]:N]", "mu[1:k[n]]", "x[n:(n - 1)]",
			"square(nu[(n - 1):N])", "tail(u, N - n)", "head(mu, n)", "exp(tail(x, k[n]))") + "))"
	case 11:
		return l.pick("early(c[n], x["+l.index()+"], "+e()+")", "summed(k[n], "+e()+")", "twice(c[n], z[n], "+e()+")")
	case 8:
		return l.pick("normal_lpdf(x[n] | tanh("+e()+"), s)", "gamma_lpdf(exp(x[n]) | 2, s)", "poisson_log_lpmf(k[n] | tanh("+e()+"))",
			"bernoulli_logit_lpmf(c[n] | "+e()+")", "student_t_lpdf(z[n] | 4, "+e()+", s)", "binomial_logit_lpmf(c[n] | 3, "+e()+")")
	case 9:
		return "log_mix(inv_logit(" + e() + "), " + e() + ", normal_lpdf(z[n] | " + e() + ", 1.5))"
	case 10:
		return "log_sum_exp(" + e() + ", " + e() + ")"
	case 0:
		return "(" + e() + " + " + e() + ")"
	case 1:
		return "(" + e() + " - " + e() + ")"
	case 2:
		return "tanh(" + e() + ") * " + l.leaf()
	case 3:
		return "exp(tanh(" + e() + "))"
	case 4:
		return "square(tanh(" + e() + "))"
	case 5:
		return l.pick("X[n] * w", "dot_product(A[n], w)", "dot_product(A[n], A[g[n]])", "dot_product(W[n], X[g[n]])", "dot_product(w, A["+l.index()+"])", "(X * w)["+l.index()+"]", "(W * (C * w))[n]", "cumulative_sum(x)[g[n]]")
	case 6:
		return "(" + l.test() + " ? " + e() + " : " + e() + ")"
	case 7:
		return "-" + l.leaf()
	}
	return "(" + e() + ") / (2 + square(" + e() + "))"
}

func (l *looper) leaf() string {
	list := []string{"x[" + l.index() + "]", "z[" + l.index() + "]", "a[g[" + l.index() + "]]", "b", "s", "u[" + l.index() + "]",
		"X[n, 1]", "A[" + l.index() + "][2]", "k[n]", "mu[" + l.index() + "]", "nu[n]", "h[n]", "1.5", "n", "B[" + l.index() + ", 1]", "Q[n, 2]"}
	if l.inner != "" {
		list = append(list, "X[n, "+l.inner+"]", "w["+l.inner+"]", "B[n, "+l.inner+"]", "W["+l.index()+", "+l.inner+"]", "Q[n, "+l.inner+"]")
	}
	return l.pick(append(list, l.locals...)...)
}

// vector is an expression of length M.
func (l *looper) vector(depth int) string {
	if depth == 0 || l.r.IntN(4) == 0 {
		list := []string{"A[" + l.index() + "]", "w", "V[" + l.index() + "]", "W[n]'", "X[n, ]'", "P[, n]", "Q[" + l.index() + "]'"}
		return l.pick(append(list, l.vectors...)...)
	}
	v := func() string { return l.vector(depth - 1) }
	switch l.r.IntN(9) {
	case 0:
		return "(" + v() + " " + l.pick("+", "-", ".*") + " " + v() + ")"
	case 1:
		return "(C * (" + v() + "))"
	case 2:
		return "((" + v() + ")' * C)'"
	case 3:
		return "(" + l.pick("b", "x[n]", "1.5", "u[n]") + " * (" + v() + "))"
	case 4:
		return "((" + v() + ") * tanh(" + l.leaf() + "))"
	case 5:
		return "tanh(" + v() + ")"
	case 6:
		return "(" + v() + " - " + l.pick("b", "2") + ")"
	case 7:
		return "(-(" + v() + "))"
	}
	return "((" + v() + ") / " + l.pick("s", "4") + ")"
}

func (l *looper) test() string {
	return l.pick("c[n] == 1", "x[n] > 0", "n > 3 && c[n] == 1", "k[n] > 1 || c[n] == 0", "N > 3", "b > 0", "u[n] > x[n]", "n %/% 2 == 1")
}

func (l *looper) block(n int) {
	before, vectors := len(l.locals), len(l.vectors)
	for range n {
		l.stmt()
	}
	l.locals, l.vectors = l.locals[:before], l.vectors[:vectors]
}

func (l *looper) stmt() {
	say := func(format string, args ...any) { fmt.Fprintf(&l.out, format+"\n", args...) }
	switch l.r.IntN(27) {
	case 26:
		say("{ int i = %s; while (%s) { %s } mu[2] += 0.1 * tanh(i); }", l.pick("1", "n", "g[n]", "N + 1"),
			l.pick("i <= M", "M >= i", "i < M + 1", "i <= n - 1"), l.pick("u[n] ~ normal(tanh(w[min(i, M)]), s); i += 1;", "i = i + 1; target += tanh(x[n] * X[n, i - 1 > M ? M : i - 1]);",
				"acc += tanh(b * i); i = 1 + i; mu[n] = tanh(mu[n]) + i;", "real e = b * i; i += 1; target += tanh(e + i);"))
	case 25:
		say("for (e in %s) target += tanh(e * %s);", l.pick("w", "z", "k", "a", "B[1]", "X[n]", "D[n]", "W"), l.expr(1))
	case 24:
		l.count++
		name := fmt.Sprintf("i%d", l.count)
		say(l.pick("int %[1]s = %[2]s;", "int %[1]s; %[1]s = %[2]s;"), name, l.pick("n", "g[n]", "n - 1", "N - n + 1", "1 + k[n]", "c[n] + 1", "n %/% 2 + 1", "min(n, J)"))
		l.locals = append(l.locals, "u["+name+"]", "x["+name+"]", name)
		l.vectors = append(l.vectors, "A["+name+"]", "W["+name+"]'")
	case 23:
		say("{ vector[M] e = tanh(%s); matrix[M, M] G = add_diag(C * diag_matrix(e), 3); matrix[M, M] S = add_diag(tcrossprod(C * diag_matrix(e)), s); target += tanh(%s); }",
			l.vector(2), l.pick(ofMatrices...))
	case 22:
		say(l.pick("target += tanh(student_t_lpdf(%s | 4, %s, s));", "target += log_mix(0.3, normal_lpdf(%s | %s, 1.5), normal_lpdf(A[n] | b, s));",
			"target += tanh(sum(%s - tanh(%s))) * b;", "target += -sum(tanh(%s)) / 2 + dot_product(w, %s);"), l.pick("A[n]", "X[n]'", "to_vector(B[n])", "to_vector(D[n]) / 2", "V[n]"), l.vector(2))
	case 21:
		say(l.pick(
			l.pick("A[n]", "B[n]", "X[n]", "D[n]", "A[g[n]]", "to_vector(D[n]) / 2")+" ~ "+l.pick("normal(tanh(%s), s)", "student_t(4, %s, s)", "logistic(tanh(%s), exp(tanh(w)))", "cauchy(b + %s, s)"),
			"D[n] ~ "+l.pick("bernoulli_logit(tanh(%s))", "poisson_log(tanh(%s) + b)", "binomial_logit(3, %s)", "bernoulli(inv_logit(%s))"),
			"target += normal_lpdf(w | %s, 2) - poisson_log_lpmf(D[n] | tanh(x[n]))")+";", l.vector(2))
	case 20:
		say("{ real r = %s; for (j in %s) r += %s; target += tanh(r); }", l.pick("0", "b", "x[n]"), l.pick("n:N", "1:n", "2:(n - 1)", "(n + 1):N", "n:(n + 1)", "1:k[n]"),
			l.pick("tanh(u[j])", "x[j] * b", "normal_lpdf(z[j] | b, s)", "a[g[j]]", "mu[j]", "k[j]", "x[j] * u[n]", "h[j]"))
	case 16:
		say("%s = tanh(%s);", l.pick("V[n]", "V[n]", "V[n - 1]", "P[, n]", "P[, n + 1]"), l.vector(2))
	case 17:
		say("%s = (%s)';", l.pick("Q[n]", "Q[n, ]", "Q[n + 1]"), l.vector(2))
	case 18:
		l.count++
		name := fmt.Sprintf("v%d", l.count)
		say("vector[M] %s = %s;", name, l.vector(2))
		if l.r.IntN(2) == 0 {
			say("%s[2] %s %s;", name, l.pick("=", "+="), l.expr(1))
		}
		l.vectors = append(l.vectors, name)
		l.locals = append(l.locals, name+"[1]", name+"[M]")
	case 19:
		say("%s ~ multi_normal_cholesky(tanh(%s), L);", l.pick("A[n]", "A[g[n]]", "W[n]", "X[n]"), l.vector(2))
	case 13:
		say(l.pick("k[n] ~ own(%s);", "target += own_lpmf(k[n] | %s) - summed(c[n], b);", "target += c[n] == 1 ? summed(k[n], %s) : b;",
			"1 ~ bernoulli_logit(tanh(b)); target += -twice(k[n], 1, %s);"), l.expr(1))
	case 0, 1:
		l.count++
		name := fmt.Sprintf("v%d", l.count)
		say("real %s = %s;", name, l.expr(2))
		l.locals = append(l.locals, name)
	case 2:
		say("mu[%s] = %s;", l.pick("n", "n", "n - 1", "n + 1"), l.expr(2))
	case 3:
		say("nu[n] %s %s;", l.pick("=", "+="), l.expr(1))
	case 4:
		say("h[n] = tanh(h[n - 1]) + tanh(%s);", l.expr(1))
	case 5:
		say("acc += tanh(%s);", l.expr(1))
	case 6, 7:
		say("%s ~ normal(%s, %s);", l.pick("z[n]", "x[n]", "u[n]", "k[n]"), l.expr(2), l.pick("s", "1.5", "exp(tanh(a[g[n]]))"))
	case 8:
		say("k[n] ~ poisson_log(tanh(%s));", l.expr(1))
	case 9:
		say("target += -square(tanh(%s)) + normal_lpdf(x[n] | tanh(%s), s);", l.expr(2), l.expr(1))
	case 10:
		say("z[n] ~ normal(%s, s) T[-9, %s];", l.expr(1), l.pick("9", "9 + square(x[n])"))
	case 11, 12:
		l.nested(func() {
			say("if (%s) {", l.test())
			l.block(1 + l.r.IntN(2))
			say("}")
			if l.r.IntN(2) == 0 {
				say("else {")
				l.block(1)
				say("}")
			}
		})
	default:
		if l.inner != "" {
			say("Q[n, %s] = %s;", l.inner, l.expr(2))
			return
		}
		l.nested(func() {
			say("for (m in %s) {", l.pick("1 : M", "1 : M", "1 : 2", "1 : 1 + c[n]", "1 : k[n]", "2 - c[n] : M", "1 + c[n] : k[g[n]]"))
			l.inner = "m"
			l.block(1 + l.r.IntN(2))
			l.inner = ""
			say("}")
		})
	}
}

// nested writes a statement that holds others, unless there are enough around it.
func (l *looper) nested(write func()) {
	if l.deep > 2 {
		return
	}
	l.deep++
	write()
	l.deep--
}

func loops(seed uint64) string {
	l := &looper{r: rand.New(rand.NewPCG(seed, 5))}
	for range 1 + l.r.IntN(3) {
		l.out.WriteString("for (n in " + l.pick("2 : N - 1", "2 : N - 1", "3 : 2", "2 : J") + ") {\n")
		l.block(1 + l.r.IntN(4))
		l.out.WriteString("}\n")
	}
	if l.r.IntN(3) == 0 {
		size := l.pick("N", "num_elements(u)", "J")
		fmt.Fprintf(&l.out, "{ %s q; for (n in 1:%s) %s target += %s; }\n", l.pick("vector["+size+"]", "array["+size+"] real"), l.pick(size, size, size, "J"),
			l.pick("q[n] = normal_lpdf(x[n] | tanh(u[n]), s);", "{ real e = b * x[n]; q[n] = bernoulli_logit_lpmf(c[n] | e); mu[n] += e; }",
				"if (c[n] == 1) q[n] = tanh(u[n]); else { q[n] = normal_lpdf(z[n] | b, s); }", "{ q[n] = tanh(u[n]); h[n] = q[n]; }",
				"q[n] = ordered_logistic_lpmf(1 + c[n] | tanh(u[n]), [b, b + 1, b + 1.5]');", "q[n] = b * x[n] - 2 * u[n];"), l.pick("sum(q)", "sum(q)", "q", "sum(q) + b"))
	}
	if l.r.IntN(3) == 0 {
		fmt.Fprintf(&l.out, "%s ~ rows(c, %s, s);\n", l.pick("x", "u", "x + u"), l.pick("b", "a[1] * b"))
	}
	return declarations + l.out.String() + "target += sum(tanh(mu)) + sum(tanh(to_vector(nu))) + sum(tanh(h)) + acc + sum(tanh(Q)) + sum(tanh(to_matrix(V))) + sum(tanh(P));\n}\n"
}

// loopData has J < N, the number of rows, so that all indices are within bounds.
func loopData(n int) map[string]any {
	r := rand.New(rand.NewPCG(1, 2))
	const m, j = 3, 5
	reals := func(k int) []float64 {
		out := make([]float64, k)
		for i := range out {
			out[i] = math.Round(8*r.NormFloat64()) / 8
		}
		return out
	}
	below := func(lo, hi int) []int {
		out := make([]int, n)
		for i := range out {
			out[i] = lo + r.IntN(hi-lo)
		}
		return out
	}
	table := make([][]float64, n)
	for i := range table {
		table[i] = reals(m)
	}
	counts := make([][]int, n)
	for i := range counts {
		counts[i] = []int{r.IntN(2), r.IntN(2), r.IntN(2)}
	}
	return map[string]any{"D": counts, "N": n, "M": m, "J": j, "x": reals(n), "z": reals(n), "g": below(1, j+1), "k": below(0, 4),
		"c": below(0, 2), "X": table, "A": table, "B": table}
}

func FuzzLoops(f *testing.F) {
	for s := range uint64(600) {
		f.Add(s)
	}
	lib := stdlib.New()
	f.Fuzz(func(t *testing.T, seed uint64) {
		text := loops(seed)
		if err := unchanged(text, seed, 7, lib); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
		}
	})
}

// FuzzLongLoops is FuzzLoops with 40 rows: from some numbers of iterations on the compiler has other means.
func FuzzLongLoops(f *testing.F) {
	for s := range uint64(100) {
		f.Add(s)
	}
	lib := stdlib.New()
	f.Fuzz(func(t *testing.T, seed uint64) {
		text := loops(seed)
		if err := unchanged(text, seed, 40, lib); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
		}
	})
}

// unchanged compares a program after the passes, run as it stands by the reference interpreter
// and compiled by package bind, with the reference interpreter of the program as it was, on data of so many rows.
func unchanged(text string, seed uint64, rows int, lib *stdlib.Library) error {
	p, err := bindtest.Compile("loops.stan", text, "", lib)
	if err != nil {
		return err
	}
	in, err := data.FromGo(loopData(rows))
	if err != nil {
		return err
	}
	var after *ir.Program
	const alike = 2 // iterations that are enough for a loop to be recorded as one
	m, err := bind.Bind(p, lib, in, bind.Options{LeastIterations: alike, Passes: pass.Options{Value: pretended(seed), After: func(_ pass.Pass, p *ir.Program) error {
		after = p
		return verify(p)
	}}})
	if err != nil {
		return err
	}
	whole, err := bind.Bind(p, lib, in, bind.Options{LeastIterations: alike, Without: []string{"vectorize"}})
	if err != nil {
		return err
	}
	rewritten, err := bind.Bind(after, lib, in, bind.Options{Passes: pass.Options{Off: []string{"vectorize"}}})
	if err != nil {
		return err
	}
	e, rolled := m.NewEvaluator(), whole.NewEvaluator()
	r := rand.New(rand.NewPCG(seed, 6))
	q, grad := make([]float64, m.Dim()), make([]float64, m.Dim())
	for range 3 {
		for i := range q {
			q[i] = r.NormFloat64()
		}
		want, wantGrad, wantErr := m.PlainDensity(q, true)
		got, err := e.LogDensityGrad(q, grad)
		plain, plainGrad, plainErr := rewritten.PlainDensity(q, true)
		if (err == nil) != (wantErr == nil) || (plainErr == nil) != (wantErr == nil) {
			return fmt.Errorf("after, compiled: %v; after, plain: %v; before: %v\n%s", err, plainErr, wantErr, ir.Dump(after))
		}
		if err != nil {
			continue
		}
		own := make([]float64, len(q))
		value, err := rolled.LogDensityGrad(q, own)
		if err != nil {
			return fmt.Errorf("loops as they are: %w", err)
		}
		if err := equal(value, want, own, wantGrad); err != nil {
			return fmt.Errorf("loops as they are: %w", err)
		}
		if err := errors.Join(equal(got, want, grad, wantGrad), equal(plain, want, plainGrad, wantGrad)); err != nil {
			return fmt.Errorf("%w\n%s", err, ir.Dump(after))
		}
	}
	return nil
}

// pretended returns sizes by which passes decide what pays: none, so that of no loop it is known that it is too short; or N as if
// there were many iterations, or very many.
func pretended(seed uint64) func(ir.Expr) (int, bool) {
	n := []int{0, 100, 1000}[seed%3]
	return func(x ir.Expr) (int, bool) {
		if c, ok := x.(*ir.Const); ok {
			return int(c.X), n > 0
		}
		if strings.Contains(ir.ExprText(x), "N#") {
			return n, n > 0
		}
		return 3, n > 0
	}
}

func equal(got, want float64, grad, wantGrad []float64) error {
	if math.Abs(got-want) > 1e-11*(1+math.Abs(want)) {
		return fmt.Errorf("value %v after, %v before", got, want)
	}
	largest := 1.0
	for _, g := range wantGrad {
		if !math.IsNaN(g) {
			largest = math.Max(largest, math.Abs(g))
		}
	}
	var errs []error
	for i, g := range wantGrad {
		if !(math.Abs(grad[i]-g) <= 1e-10*largest) && !(math.IsNaN(g) && math.IsNaN(grad[i])) {
			errs = append(errs, fmt.Errorf("gradient[%d] %v after, %v before", i, grad[i], g))
		}
	}
	return errors.Join(errs...)
}

// Vectors that iterations have to themselves, read and written by some of them.
func TestVectorsUnderConditions(t *testing.T) {
	lib := stdlib.New()
	for _, body := range []string{
		"vector[M] v = b * A[n]; if (c[n] == 1) { v[1] = x[n] * b; target += tanh(v[1] + v[2]); }",
		"vector[M] v = A[n] + w; if (c[n] == 0) v = C * v; if (k[n] > 1) { v[2] += b; A[n] ~ multi_normal_cholesky(v, L); }",
		"vector[M] v = x[n] * w; for (m in 1:k[n]) x[n] ~ normal(v[1] * w[m] + v[M], s);",
		"vector[M] v; v[1] = x[n]; v[2] = b; v[M] = z[n] * b; V[n] = v; P[, n] = v;",
		"vector[M] v = b * A[n]; v = C * v - v[1] * v; target += tanh(dot_product(v[2:3], w[1:2]) + sum(square(v[1:2])));",
		"target += tanh(sum(square(C * diag_matrix(w * x[n]))));",
	} {
		text := declarations + "for (n in 1:N) { " + body + " } target += sum(tanh(to_matrix(V))) + sum(tanh(P)); }\n"
		if err := unchanged(text, 1, 7, lib); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// ofMatrices are functions of matrices of an iteration: G is any, S a covariance matrix.
var ofMatrices = []string{
	"sum(inverse(G))", "log_determinant(G)", "determinant(G)", "sum(G \\ e)", "sum(S / G)", "sum(square(mdivide_left_spd(S, e)))", "sum(mdivide_right_spd(e', S))",
	"sum(mdivide_left_tri_low(G, S))", "sum(mdivide_right_tri_low(e', G))", "sum(cholesky_decompose(S) * e)", "log_determinant_spd(S)", "sum(inverse_spd(S)[1])",
	"multi_normal_lpdf(A[n] | e, S)", "multi_normal_lpdf({A[n], e} | w, S)", "multi_student_t_lpdf(e | 4, A[n], S)", "sum(add_diag(G, e) * S)", "sum(matrix_power(G, 3))", "sum(columns_dot_product(G, S))",
	"sum(rows_dot_self(G))", "trace_quad_form(S, e)", "trace_gen_quad_form(S, G, S)", "sum(multiply_lower_tri_self_transpose(G))", "multi_normal_cholesky_lpdf(A[n] | e, cholesky_decompose(S))",
	"sum(inverse(G[1:2, 1:2]))", "log_determinant(S[1:2, 2:3] + G[2:3, 2:3])", "log_determinant_spd(quad_form_sym(S, G))", "sum(S[c[n] + 1] / G)",
}

// Matrices of an iteration are factored, inverted and divided by in operations on single numbers.
func TestMatricesOfIterations(t *testing.T) {
	lib := stdlib.New()
	for _, of := range ofMatrices {
		for _, loop := range []string{
			"for (n in 1:N) { vector[M] e = w + b * A[n]; matrix[M, M] G = add_diag(C * diag_matrix(e), 3); matrix[M, M] S = add_diag(tcrossprod(C * diag_matrix(e)), 1); target += %s; }",
			"vector[M] e = w; for (n in 1:N) { e = tanh(e + A[n] * b); matrix[M, M] G = add_diag(e * e', 3 * s); matrix[M, M] S = add_diag(tcrossprod(G), 1); target += %s; }",
		} {
			text := declarations + fmt.Sprintf(loop, of) + " }\n"
			if err := unchanged(text, 1, 7, lib); err != nil {
				t.Errorf("%s: %v", of, err)
			}
		}
	}
}

// What becomes of a short vector in an iteration is written out: of one that differs between iterations, and in a loop that is
// recorded iteration by iteration.
func TestReductionsOfVectors(t *testing.T) {
	lib := stdlib.New()
	for _, of := range []string{
		"max(v)", "min(v)", "min(append_row(v, v))", "prod(v)", "norm1(v)", "norm2(v)", "norm2(0 * v)", "variance(v)", "sd(v)", "sd(rep_vector(b, M))",
		"squared_distance(v, A[n])", "distance(v, A[n])", "distance(A[n], A[n])", "multinomial_lpmf(D[n] | softmax(v))",
		"multinomial_lpmf(D[n] | [1, 0, 0]')", "multinomial_logit_lpmf(D[n] | v)", "sum(inv_logit(v[1:2]))",
		"bernoulli_lpmf(D[n] | inv_logit(w))", "poisson_lpmf(D[n] | exp(w)) * b",
	} {
		for _, loop := range []string{
			"for (n in 1:N) { vector[M] v = w + b * A[n]; target += %s; }",
			"for (n in 1:N) { vector[M] v = w + b * A[n]; real e = u[n]; while (e > 0) e -= 1; target += e + %s; }",
		} {
			text := declarations + fmt.Sprintf(loop, of) + " }\n"
			if err := unchanged(text, 1, 7, lib); err != nil {
				t.Errorf("%s: %v", of, err)
			}
		}
	}
}
