// Random formulas of vectors that are long enough for what is done to long ones: numbers that repeat, loops recorded as one iteration, strips.

package bind_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// A formulist writes formulas of vectors, whole or by element, in which data that differ, data that repeat and parameters occur often.
type formulist struct {
	r     *rand.Rand
	index string // of an element; empty for whole vectors
}

func (l *formulist) pick(of ...string) string { return of[l.r.IntN(len(of))] }

func (l *formulist) vector(depth int) string {
	if depth == 0 {
		return l.pick("x", "x", "z", "d", "u", "a[g]", "k") + l.index
	}
	if l.index != "" && l.r.IntN(8) == 0 {
		return "k" + l.index
	}
	x, y, c := l.vector(depth-1), l.vector(l.r.IntN(depth)), l.pick("b", "a[1]", "0.5", "s")
	times, over := ".*", "./"
	if l.index != "" {
		times, over = "*", "/"
	}
	return l.pick("("+x+" + "+y+")", "("+x+" - "+c+")", "("+c+" - "+x+")", "("+c+" * "+x+")", "("+x+" "+times+" "+y+")", "tanh("+x+")", "exp(-square("+x+"))",
		"square("+x+")", "fmax("+x+", "+c+")", "fmin("+c+", "+x+")", "fma("+x+", "+c+", "+y+")", "atan2("+x+", "+c+")", "inv_logit("+x+")", "log1p_exp("+x+")",
		"pow(s + square("+x+"), "+c+")", "("+x+" "+over+" s)", "hypot("+x+", "+c+")", "Phi_approx("+x+")", "log_sum_exp_pair("+x+")", "lgamma(1 + square("+x+"))", "fdim("+x+", "+c+")")
}

// formulas is a random program.
func formulas(seed uint64) string {
	l := &formulist{r: rand.New(rand.NewPCG(seed, 9))}
	text := `functions {
  vector log_sum_exp_pair(vector x) { vector[num_elements(x)] r; for (i in 1:num_elements(x)) r[i] = log_sum_exp(x[i], 0.3); return r; }
  real log_sum_exp_pair(real x) { return log_sum_exp(x, 0.3); }
}
data { int N; int J; vector[N] x; vector[N] z; vector[N] d; vector[N] k; array[N] int g; array[N] int c; }
parameters { vector[J] a; real b; real<lower=0> s; vector[N] u; }
model {
  vector[N] m = rep_vector(0, N);
`
	for range 1 + l.r.IntN(3) {
		l.index = l.pick("", "[n]", "[n]")
		switch f := l.vector(3); {
		case l.index == "":
			text += l.pick("x ~ normal("+f+", s);", "m += "+f+";", "target += sum(tanh("+f+"));", "c ~ poisson_log(tanh("+f+"));", "target += dot_product(d, tanh("+f+"));")
		default:
			text += "for (n in 1:N) " + l.pick("x[n] ~ normal("+f+", s);", "m[n] = "+f+";", "target += tanh("+f+");", "c[n] ~ poisson_log(tanh("+f+"));",
				"{ real e = "+f+"; m[n] = m[n] + (x[n] < b) * e; m[n] = m[n] + (x[n] - b) * tanh(e); }")
		}
		text += "\n"
	}
	return text + "target += sum(tanh(m)) - 0.5 * dot_self(u);\n}\n"
}

// TestLongVectors: values and gradients of random formulas of 40 and of 400 elements are those of the reference interpreter.
func TestLongVectors(t *testing.T) {
	lib := stdlib.New()
	for seed := range uint64(subset.Of(60, 1000)) {
		text := formulas(seed)
		if err := longVectors(seed, text, lib); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
		}
	}
}

func longVectors(seed uint64, text string, lib *stdlib.Library) error {
	p, err := bindtest.Compile("formulas.stan", text, "", lib)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(seed, 10))
	n := []int{40, 400}[seed%2]
	reals := func(step float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = r.NormFloat64()
			if step > 0 {
				out[i] = step * math.Round(out[i]/step)
			}
		}
		return out
	}
	ints := func(lo, hi int) []int {
		out := make([]int, n)
		for i := range out {
			out[i] = lo + r.IntN(hi-lo)
		}
		return out
	}
	values := map[string]any{"N": n, "J": 5, "x": reals(0), "z": reals(0), "d": reals(0.5), "k": reals(1), "g": ints(1, 6), "c": ints(0, 4)}
	in, err := data.FromGo(values)
	if err != nil {
		return err
	}
	m, err := bind.Bind(p, lib, in, bind.Options{Seed: 1})
	if err != nil {
		return err
	}
	e := m.NewEvaluator()
	q, grad := make([]float64, m.Dim()), make([]float64, m.Dim())
	for range 3 {
		for i := range q {
			q[i] = 0.7 * r.NormFloat64()
		}
		want, wantGrad, wantErr := m.PlainDensity(q, true)
		got, err := e.LogDensityGrad(q, grad)
		if (err == nil) != (wantErr == nil) {
			return fmt.Errorf("%v, want %v", err, wantErr)
		}
		if err != nil || want-want != 0 {
			continue
		}
		scale := 1 + math.Abs(want)
		if !(math.Abs(got-want) <= 1e-11*scale) {
			return fmt.Errorf("value %v, want %v", got, want)
		}
		for i, g := range wantGrad {
			if !(math.Abs(grad[i]-g) <= 1e-10*(scale+math.Abs(g))) && !(math.IsNaN(g) && math.IsNaN(grad[i])) {
				return fmt.Errorf("gradient[%d] %v, want %v", i, grad[i], g)
			}
		}
	}
	return nil
}
