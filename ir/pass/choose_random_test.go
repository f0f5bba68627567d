// Random programs with conditions on values, before and after.

package pass_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/pass"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// choicesDeclared are functions with conditions on values, and variables: x has zeros, where functions are singular.
const choicesDeclared = `functions {
  real hinge(real x, real at, real below, real above) {
    if (x < at) return below * (x - at);
    return above * (x - at);
  }
  real pieces(real x, real at) {
    real r = 0;
    if (x <= 0) return -tanh(x);
    if (x < at) r = sqrt(x); else if (x < 2 * at) { real e = x - at; r = log(x) + e; } else return 1;
    return r * 0.5;
  }
  real either(real x, real at) { return x > at ? hinge(x, at, 1, 0.5) : pieces(x, abs(at)); }
  vector each(vector x, real at) {
    vector[num_elements(x)] r;
    for (i in 1:num_elements(x)) {
      if (x[i] > at) r[i] = either(x[i], at);
      else { real e = x[i] - at; r[i] = log1m(e) * 0.1; }
    }
    return r;
  }
  vector two(real x, real at) {
    vector[2] r = [x, at]';
    if (x > at) { r[1] = sqrt(x - at); r[2] = hinge(x, at, 1, -1); }
    return r;
  }
  real own_lpdf(real y, real m, real s) {
    real z = (y - m) / s;
    if (abs(z) < 1.5) return -0.5 * square(z) - log(s);
    return -1.5 * (abs(z) - 0.75) - log(s);
  }
}
data { int N; array[N] int c; array[N] int k; array[N] int g; vector[N] x; array[N] real y; matrix[N, 2] X; }
parameters { real at; real b; real<lower=0> s; vector[2] w; vector[N] u; }
model {
  vector[N] mu = 0.1 * x;
  real acc = 0;
  vector[2] v = w;
  u ~ normal(0, 1);
  s ~ exponential(1);
`

// A brancher writes random loops with conditions on values.
type brancher struct {
	r      *rand.Rand
	out    strings.Builder
	locals []string
	deep   int
}

func (l *brancher) pick(of ...string) string { return of[l.r.IntN(len(of))] }

func (l *brancher) number() string {
	return l.pick(append([]string{"x[n]", "y[n]", "u[n]", "at", "b", "mu[n]", "acc", "w[g[n]]", "0.5", "c[n]", "X[n] * w"}, l.locals...)...)
}

func (l *brancher) expr(depth int) string {
	if depth == 0 {
		return l.number()
	}
	x, y := l.expr(depth-1), l.number()
	return l.pick(fmt.Sprintf("%s + %s", x, y), fmt.Sprintf("(%s) * %s", x, y), fmt.Sprintf("tanh(%s)", x), fmt.Sprintf("sqrt(%s)", x), fmt.Sprintf("log(%s)", x),
		fmt.Sprintf("pow(%s, 1.5)", x), fmt.Sprintf("log1m(%s)", x), fmt.Sprintf("log_diff_exp(%s, %s)", x, y), fmt.Sprintf("exp(50 * (%s))", x), fmt.Sprintf("1 / (0.3 + abs(%s))", x),
		fmt.Sprintf("hinge(%s, at, b, 2)", x), fmt.Sprintf("pieces(%s, %s)", x, y), fmt.Sprintf("either(%s, at)", x), fmt.Sprintf("(%s > %s ? %s : 0.5 * b)", x, y, y),
		fmt.Sprintf("log_sum_exp([%s, %s])", x, y), fmt.Sprintf("sum(two(%s, %s))", x, y), fmt.Sprintf("fmax(%s, %s)", x, y))
}

func (l *brancher) test() string {
	return l.pick("%s < %s", "%s >= %s", "%s > 0 && %s < 1", "%s > 1 || %s <= 0", "!(%s > %s)", "n > 1 && %s > %s", "c[n] == 1 && %s > %s", "c[n] * (%s > %s)")
}

func (l *brancher) condition() string { return fmt.Sprintf(l.test(), l.number(), l.number()) }

func (l *brancher) stmt() {
	say := func(format string, args ...any) { fmt.Fprintf(&l.out, format+"\n", args...) }
	kind := l.r.IntN(18)
	if l.deep > 3 {
		kind = l.r.IntN(9)
	}
	switch kind {
	case 0:
		name := fmt.Sprintf("v%d", len(l.locals))
		say("real %s = %s;", name, l.expr(1))
		l.locals = append(l.locals, name)
	case 1, 2:
		say("mu[n] = tanh(%s);", l.expr(2))
	case 3:
		say("acc += tanh(%s);", l.expr(2))
	case 4:
		say("target += -tanh(%s);", l.expr(2))
	case 5:
		say("%s ~ normal(tanh(%s), s);", l.pick("x[n]", "y[n]"), l.expr(1))
	case 6:
		say("%s ~ own(%s, s);", l.pick("x[n]", "y[n]"), l.expr(1))
	case 7:
		say("%s;", l.pick("k[n] ~ poisson(at)", "k[n] ~ poisson(exp(tanh(b)))", "x[n] ~ normal(b, at)", "target += beta_lpdf(inv_logit(x[n]) | s, at + 1)", "target += exponential_lpdf(x[n] | s)"))
	case 8:
		say("mu[n] = %s;", l.pick("0.5 * mu[n]", "b * x[n]", "acc"))
	case 11:
		say("v = %s;", l.pick("two("+l.number()+", at)", "0.5 * v + "+l.expr(1), "tanh(v) * "+l.number(), l.condition()+" ? w : tanh(v)", "[at, x[n]]'"))
		say("mu[n] += sum(tanh(v));")
	case 9:
		index := fmt.Sprintf("m%d", l.deep)
		l.block("for ("+index+" in 1:2) {", "acc += tanh(w["+index+"] * mu[n]);")
	case 10:
		say("if (%s) reject(\"no\");", fmt.Sprintf("%s > 4", l.number()))
	default:
		l.block(fmt.Sprintf("if (%s) {", l.condition()), "")
		for l.r.IntN(3) == 0 {
			l.block(fmt.Sprintf("else if (%s) {", l.condition()), "")
		}
		if l.r.IntN(2) == 0 {
			l.block("else {", "")
		}
	}
}

func (l *brancher) block(head, first string) {
	l.deep++
	before := len(l.locals)
	fmt.Fprintln(&l.out, head, first)
	for range 1 + l.r.IntN(2) {
		l.stmt()
	}
	fmt.Fprintln(&l.out, "}")
	l.locals = l.locals[:before]
	l.deep--
}

// choosing is a random program.
func choosing(seed uint64) string {
	l := &brancher{r: rand.New(rand.NewPCG(seed, 7))}
	for range 1 + l.r.IntN(2) {
		l.block("for (n in 1:N) {", "")
	}
	if l.r.IntN(3) == 0 { // both branches do the same
		fmt.Fprintf(&l.out, "for (n in 1:N) if (%s) %s else %s\n", l.condition(), l.pick("y[n] ~ normal(b, s);", "y[n] ~ normal(at, at);", "y[n] ~ own(at, s);"),
			l.pick("y[n] ~ normal(at * x[n], 1.5);", "y[n] ~ normal(at, s);", "y[n] ~ own(b, 1.5);"))
	}
	if l.r.IntN(3) == 0 {
		fmt.Fprintf(&l.out, "mu += tanh(each(%s, %s));\n", l.pick("x", "b * x", "u", "mu"), l.pick("at", "b", "0.25"))
	}
	return choicesDeclared + l.out.String() + "target += sum(tanh(mu)) + tanh(acc);\n}\n"
}

func FuzzChoices(f *testing.F) {
	for s := range uint64(300) {
		f.Add(s)
	}
	lib := stdlib.New()
	f.Fuzz(func(t *testing.T, seed uint64) {
		text := choosing(seed)
		if err := choosesTheSame(text, seed, lib); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
		}
	})
}

// TestChoicesAreMade: most of the random programs have choices after the passes, so that FuzzChoices is about these.
func TestChoicesAreMade(t *testing.T) {
	lib := stdlib.New()
	made := 0
	const tried = 100
	for seed := range uint64(tried) {
		p, err := bindtest.Compile("choices.stan", choosing(seed), "", lib)
		if err != nil {
			t.Fatal(err)
		}
		after, err := pass.Run(p, lib, pass.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if pass.Chooses(after) {
			made++
		}
	}
	if made < tried/3 {
		t.Errorf("%d of %d programs have choices", made, tried)
	}
}

// choosesTheSame compares a bound model with the reference interpreter at points on both sides of its conditions.
func choosesTheSame(text string, seed uint64, lib *stdlib.Library) error {
	p, err := bindtest.Compile("choices.stan", text, "", lib)
	if err != nil {
		return err
	}
	in, err := data.FromGo(map[string]any{"N": 8, "x": []float64{-1, 0, 0.25, 1, 2.5, -0.5, 0, 3}, "y": []float64{0.5, -1, 0, 1.25, 0.75, 2, -2, 0},
		"c": []int{0, 1, 1, 0, 1, 0, 0, 1}, "k": []int{0, 2, 1, 0, 3, 1, 0, 2}, "g": []int{1, 2, 1, 1, 2, 2, 1, 2},
		"X": [][]float64{{1, 0}, {0, 1}, {1, 2}, {-1, 1}, {0, 0}, {0.5, 0}, {1, -1}, {2, 1}}})
	if err != nil {
		return err
	}
	m, err := bind.Bind(p, lib, in, bind.Options{LeastIterations: 2 + int(seed%2)*100, Passes: pass.Options{Value: pretended(seed)}})
	if err != nil {
		return err
	}
	e := m.NewEvaluator()
	r := rand.New(rand.NewPCG(seed, 8))
	q, grad := make([]float64, m.Dim()), make([]float64, m.Dim())
	for k := range 6 {
		for i := range q {
			q[i] = r.NormFloat64()
			if k%2 == 1 && i < 2 { // at and b where conditions change, and functions are singular
				q[i] = math.Round(2*q[i]) / 2
			}
		}
		want, wantGrad, wantErr := m.PlainDensity(q, true)
		got, err := e.LogDensityGrad(q, grad)
		if (err == nil) != (wantErr == nil) {
			return fmt.Errorf("at %v: %v after, %v before", q, err, wantErr)
		}
		if err != nil || math.IsNaN(want) && math.IsNaN(got) || math.IsInf(want, 0) && got == want {
			continue
		}
		for i, g := range wantGrad {
			if math.IsInf(g, 0) && grad[i] == g || math.IsNaN(g) { // NaN is zero times infinity, as log_diff_exp(y, y) has it
				grad[i], wantGrad[i] = 0, 0
			}
		}
		if err := equal(got, want, grad, wantGrad); err != nil {
			return fmt.Errorf("at %v: %w", q, err)
		}
		if value, err := e.LogDensity(q); err != nil || math.Abs(value-want) > 1e-11*(1+math.Abs(want)) {
			return fmt.Errorf("at %v: the value alone is %v, %v; before %v", q, value, err, want)
		}
	}
	return nil
}
