// Rows and observations from parameter values as files hold them.

package bind_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-12b88e03/ppl/ir/bind"
)

// constrained has a parameter under each transform, in all kinds of containers.
const constrained = `
parameters {
  real<lower=-1> a; real<upper=pi()> b; array[2] real<lower=0, upper=1> c;
  array[2] simplex[5] s; unit_vector[4] u; ordered[3] o; positive_ordered[3] p;
  sum_to_zero_vector[4] z; sum_to_zero_matrix[3, 2] zm;
  column_stochastic_matrix[3, 2] cs; row_stochastic_matrix[3, 2] rs;
  cholesky_factor_corr[3] lc; corr_matrix[3] cm; cholesky_factor_cov[3] lv; cov_matrix[2] cv;
  complex_vector[2] w; array[2] tuple(simplex[3], real<lower=0>) t; matrix[2, 3] m;
  array[2] int<lower=0, upper=2> k;
}
transformed parameters { matrix[3, 3] sigma = lc * lc'; simplex[5] again = s[2]; }
model {
  m[1] ~ normal(0, 1); k ~ binomial(2, 0.5);
}
generated quantities { real sum_s = sum(s[1]); real x = m[1, 2] + k[2]; real e = normal_rng(0, 1); }`

// rounded8 is x as a file with eight significant digits holds it.
func rounded8(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 8, 64), 64)
	return y
}

func TestGenerateFromRoundedValues(t *testing.T) {
	m := bound(t, constrained, `{}`)
	columns := m.Columns()
	n := len(m.ParameterColumns())
	if last := columns[n-1]; last != "k.2" {
		t.Fatalf("the last parameter column is %s, want k.2", last)
	}
	if diff := cmp.Diff([]string{"sum_s", "x", "e"}, m.Quantities()); diff != "" {
		t.Fatal(diff)
	}
	ev := m.NewEvaluator()
	for trial := range uint64(50) {
		r := stream(trial)
		q := make([]float64, m.Dim())
		for i := range q {
			q[i] = 2 * r.NormFloat64()
		}
		row, got := make([]float64, len(columns)), make([]float64, len(columns))
		if err := ev.Write(q, stream(trial+1000), row); err != nil {
			t.Fatal(err)
		}
		values := make([]float64, n)
		for i := range values {
			values[i] = rounded8(row[i])
		}
		if err := m.NewGenerator().Row(values, stream(trial), got); err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		for i, name := range columns {
			if name != "e" && math.Abs(got[i]-row[i]) > 3e-7*(1+math.Abs(row[i])) {
				t.Errorf("trial %d: %s = %v, want %v", trial, name, got[i], row[i])
			}
		}
	}
}

func TestGenerateRefusesViolations(t *testing.T) {
	for _, c := range []struct{ declaration, want string }{
		{"real<lower=2> a; real b;", "a is 1, but must be greater than or equal to 2"},
		{"simplex[2] a;", "a"},
		{"ordered[2] a;", "a"},
	} {
		m := bound(t, "parameters { "+c.declaration+" }", `{}`)
		err := m.NewGenerator().Row([]float64{1, 0.5}, stream(1), make([]float64, 2))
		if err == nil || !strings.HasPrefix(err.Error()[strings.LastIndex(err.Error(), ": ")+2:], c.want) {
			t.Errorf("%s: error %v, want %q", c.declaration, err, c.want)
		}
	}
}

func TestSimulateGiven(t *testing.T) {
	m := bound(t, `data { int N; vector[N] y; matrix[2, 1] x; } parameters { real mu; real<lower=0> s; } model { y ~ normal(mu, s); }`,
		`{"N": 2, "y": [0, 0], "x": [[1], [2]]}`)
	r := stream(4)
	var y []float64
	for range 3000 {
		s, err := m.SimulateGiven(r, []float64{1, 2})
		if err != nil {
			t.Fatal(err)
		}
		names, x := bind.Numbers(s.Observations)
		if diff := cmp.Diff([]string{"y.1", "y.2"}, names); diff != "" {
			t.Fatal(diff)
		}
		y = append(y, x[1])
	}
	checkCDF(t, "y[2]", y, func(x float64) float64 { return normalCDF((x - 1) / 2) })
	observed, constant := m.Data()
	names, x := bind.Numbers(append(observed, constant...))
	if diff := cmp.Diff([]string{"y.1", "y.2", "N", "x.1.1", "x.2.1"}, names); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{0, 0, 2, 1, 2}, x); diff != "" {
		t.Error(diff)
	}
}
