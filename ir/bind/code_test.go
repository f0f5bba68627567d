// Rows by closures are those of the interpreter that walks the tree, to the bit, errors and random numbers
// included.

package bind_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
)

// sameCodeRow compares the row at q, and what is drawn after it.
func sameCodeRow(m *bind.Model, q []float64) error {
	if bind.HasDiscrete(m) {
		return nil
	}
	const seed = 12
	row := func(write func(q []float64, r *rand.Rand, out []float64) error) ([]float64, uint64, error) {
		r := rand.New(rand.NewPCG(seed, 1))
		out := slices.Repeat([]float64{math.NaN()}, len(m.Columns()))
		err := write(q, r, out)
		return out, r.Uint64(), err
	}
	got, after, err := row(func(q []float64, r *rand.Rand, out []float64) error { return bind.CodeRow(m, q, r, out) })
	want, wantAfter, wantErr := row(m.PlainRow)
	switch {
	case !sameText(err, wantErr):
		return fmt.Errorf("at %v: closures say %v, the interpreter %v", q, err, wantErr)
	case after != wantAfter:
		return fmt.Errorf("at %v: closures drew another count of random numbers", q)
	}
	for k := range got {
		if math.Float64bits(got[k]) != math.Float64bits(want[k]) && !(math.IsNaN(got[k]) && math.IsNaN(want[k])) {
			return fmt.Errorf("at %v: %s is %v by closures, %v by the interpreter", q, m.Columns()[k], got[k], want[k])
		}
	}
	return nil
}

// sameCodeRows compares a few rows.
func sameCodeRows(m *bind.Model, r *rand.Rand) error {
	for range 5 {
		q := make([]float64, m.Dim())
		for i := range q {
			q[i] = r.NormFloat64()
		}
		if err := sameCodeRow(m, q); err != nil {
			return err
		}
	}
	return nil
}

// codeRows are generated quantities of three parameters x of which each has a form of its own.
var codeRows = map[string]string{
	"in place":           "array[3] real a = {x[1], x[2], x[3]}; array[3] real b = a; a[2] = 7; b[1] += a[2]; real s = a[1]; real t = s; s += 1; t -= 2;",
	"loop variable":      "array[4] int k; { int last = 0; for (i in 1:4) { int j = i; k[i] = j + last; last = j; } }",
	"declared again":     "real z = 0; for (i in 1:5) { real u; if (i % 2 == 0) u = x[1]; if (!is_nan(u)) z += u; } int n; real w;",
	"nested indices":     "array[2, 3] vector[2] a; for (i in 1:2) for (j in 1:3) for (k in 1:2) a[i][j][k] = x[j] * i - k; real z = a[2][3][1] + a[1, 2][2] + a[2, 1, 2]; matrix[2, 3] m; for (i in 1:2) for (j in 1:3) m[i, j] = i * 10 + j; real w = m[2][3] + m[1, 2]; array[2] matrix[2, 2] b; for (i in 1:2) b[i] = [[x[1], 2], [i, x[3]]]; real v = b[2][1, 2] + b[1, 2, 1];",
	"indices of indices": "array[3] int p = sort_indices_asc(x); real z = x[p[p[2]]]; vector[3] y; y[p[1]] = 1; y[p[2]] = 2; y[p[3]] = 3;",
	"breaks":             "real z = 0; int n = 0; while (1) { n += 1; if (n > 20) break; if (n % 3 == 0) continue; for (j in 1:n) { if (j > 4 + x[1]) break; z += j * x[2]; } }",
	"each":               "real z = 0; for (v in x) { if (v < 0) continue; z += v; } array[2, 2] real a = {{x[1], 1}, {2, x[2]}}; for (row in a) for (v in row) z -= v; matrix[2, 2] m = [[1, 2], [x[3], 4]]; for (v in m) z = 2 * z + v;",
	"functions":          "real z = fib(9) + twice(x[1]); vector[3] y = shifted(x, 2); real w = first(x, 0.3); real u = y[1] > 0 ? twice(y[2]) : -y[3];",
	"tuples":             "tuple(real, array[2] int) t = (x[1], {3, 4}); real z = t.1 * t.2[2]; t.2[1] = 9; array[2] tuple(int, real) a = {(1, x[2]), (2, x[3])}; a[2].1 = 7; int s = a[2].1 + t.2[1]; real r; int q; (q, r) = a[2];",
	"logic":              "int a = x[1] > 0 && x[2] > 0; int b = x[1] > 0 || x[2] / 0 > 1; int c = !(x[3] > 0) == (a != b); int d = 7 %/% 2 + 7 % 4 - (-7) %/% 2;",
	"conditional":        "real z = x[1] > 0 ? x[2] > 0 ? 1.5 : 2 : 3; vector[2] v = x[3] > 0 ? x[1:2] : [1, 2]';",
	"promotions":         "real z = 3; z = 4 %/% 3; vector[2] v = [1, 2]'; complex c = x[1]; complex d = c * 2 + to_complex(0, x[2]); real e = get_imag(d); array[2] real a = {1, 2};",
	"slices":             "vector[3] y = x; y[2:3] = x[1:2]; array[3, 2] real a = rep_array(1.5, 3, 2); a[2] = {x[1], x[2]}; a[2:3, 1] = {8, 9}; matrix[2, 2] m = rep_matrix(0, 2, 2); m[1] = [x[1], 5]; m[, 2] = [6, 7]';",
	"densities":          "real z = normal_lpdf(x[1] | x[2], 1.5) + poisson_lpmf(3 | exp(x[3])); real w = normal_lpdf(x | 0, 1) + student_t_lcdf(x[1] | 4, 0, 1); real u = binomial_logit_lpmf(2 | 5, x[1]) + std_normal_lpdf(x[2]);",
	"repeated calls":     "real z = 0; array[7] real v = {0.0, -0.0, x[1], x[1], x[2], x[2], x[1]}; for (i in 1:7) { z += normal_lpdf(v[i] | normal_lpdf(v[i] | 0, 1), 1.5) * i + student_t_lpdf(x[3] | 4, v[i], 1); for (j in 1:3) z -= exp_mod_normal_lpdf(x[i % 3 + 1] | v[j], 1, 2) + bessel_first_kind(j, v[i]); } array[2] real w; for (i in 1:2) w[i] = normal_lpdf(0 | 1, i == 1 ? 1 : x[1]); real u = normal_lpdf(0 | 1, x[2] + 9);",
	"random":             "real z = normal_rng(x[1], 1); int k = poisson_rng(exp(x[2])); array[3] real a; for (i in 1:3) a[i] = k > 1 ? normal_rng(a[max(i - 1, 1)] > 0 ? 1 : 0, 1) : uniform_rng(0, i); real b = noisy_rng(x[3]);",
	"shifted indices":    "array[4] real a = {x[1], x[2], x[3], 4}; real z = 0; for (i in 2:3) z += a[i - 1] * a[i + 1] - a[i]; int n = 2147483646; if (x[1] > 0) z = a[n + 1]; else if (x[2] > 0) z = a[n + 2]; else if (x[3] > 0) z = a[n - n]; array[2, 3] real b; for (i in 1:2) for (j in 1:3) b[i, j] = i * 10 + j; matrix[2, 3] m = to_matrix(b); real w = 0; for (i in 1:1) for (j in 2:3) w += b[i + 1, j - 1] + m[i + 1, j - 1] * 100;",
	"index too large":    "real z = 0; for (i in 1:4) z += x[i];",
	"index too small":    "array[2, 2] real a; for (i in 1:2) a[i, i - 1] = x[i];",
	"second index":       "array[2, 2] real a = rep_array(0.0, 2, 2); real z = a[1][1 + (x[1] > 0) * 2] + a[3][1];",
	"a scale":            "real z = normal_rng(0, 1); real w = normal_lpdf(x[1] | 0, x[2]);",
	"a count":            "int n = 1; for (i in 1:40) n *= 3;",
	"a rejection":        "real z = 0; for (i in 1:3) { if (x[i] < 0) reject(\"x is \", x[i]); z += sqrt(x[i]); }",
	"sizes":              "vector[2] v; v = x;",
	"no value":           "real z = nothing(x[1]);",
	"a constraint":       "real<lower=0> z; z = x[1] * x[2];",
	"printed":            "for (i in 1:2) print(i, x[i]); real z = x[1];",
	"sorted by hand":     "array[20] real a; for (i in 1:20) a[i] = sin(i * sum(x)); { real z; for (i in 1:19) for (j in 1:(20 - i)) if (a[j] > a[j + 1]) { z = a[j]; a[j] = a[j + 1]; a[j + 1] = z; } }",
	"empty":              "array[0] real a; vector[0] v; real s = sum(v) + size(a); for (i in 1:0) s += 1;",
	"profiles":           "real z = 0; profile(\"p\") { for (i in 1:3) z += x[i]; }",
	"solved":             "array[2] vector[1] s = ode_rk45(decay, [1]', 0, {0.5, exp(x[1])}, x[2]); real z = s[2][1];",
	"five dimensions":    "array[2, 2, 2] matrix[2, 2] a; for (i in 1:2) for (j in 1:2) for (k in 1:2) for (l in 1:2) for (m in 1:2) a[i, j, k, l, m] = i * x[1] + 10 * j + 100 * k + 1000 * l + m; real z = a[2, 1, 2, 1, 2] - a[1, 2, 1][2, 1];",
}

const codeFunctions = `functions {
  real twice(real u) { return 2 * u; }
  int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); }
  vector shifted(vector v, int k) { vector[size(v)] w = v; for (i in 1:size(w)) w[i] += k; return w; }
  real first(vector v, real above) { for (u in v) if (u > above) return u; return 0; }
  real nothing(real u) { if (u > -100) { while (1) { if (u < 1000) break; } } if (u > 1e300) return 1; else reject("nothing"); }
  real noisy_rng(real m) { real z = normal_rng(m, 1); while (z < 0) z = normal_rng(m, 1) + 0.5; return z; }
  vector decay(real t, vector y, real rate) { vector[1] d; d[1] = -exp(rate) * y[1]; return d; }
}
`

func TestCodeRows(t *testing.T) {
	for name, text := range codeRows {
		t.Run(name, func(t *testing.T) {
			m := program(t, codeFunctions+"parameters { vector[3] x; } model { x ~ normal(0, 1); } generated quantities { "+text+" }", "{}")
			if err := sameCodeRows(m, rand.New(rand.NewPCG(1, 2))); err != nil {
				t.Error(err)
			}
		})
	}
}

// Rows of every model that the repository has with data.
func TestCodeRowsOfExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/*/*.json")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files of data (%v)", len(files), err)
	}
	compared := 0
	for _, file := range files {
		models, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.stan"))
		if err != nil {
			t.Fatal(err)
		}
		for _, model := range models {
			m, err := bindtest.Model(model, file)
			if err != nil {
				continue // the data of another model
			}
			compared++
			if err := sameCodeRows(m, rand.New(rand.NewPCG(3, 4))); err != nil {
				t.Errorf("%s with %s: %v", model, file, err)
			}
		}
	}
	if compared < 10 {
		t.Errorf("%d models were compared, want 10", compared)
	}
}
