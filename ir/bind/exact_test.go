// Rows with infinite numbers and NaN: which of them programs compute, and that they are the
// reference interpreter's.

package bind_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/bind"
)

func TestExactNodes(t *testing.T) {
	for _, c := range []struct {
		quantity string
		computed bool // at points where it is not finite
	}{
		{"real g;", true},
		{"array[2] real g; g[1] = a;", true},
		{"real g = not_a_number();", true},
		{"real g = sqrt(-1 - square(a));", true},
		{"real g = log(a - a) + s;", true},
		{"vector[2] g = log(v - v);", true},
		{"vector[2] g = exp(1000 * v);", true},
		{"real g = max(log(v - v));", true},
		{"real g = lgamma(a - a);", true},
		{"real g = (a - a) / 0;", true},
		{"real g = a / (a - a);", false},
		{"real g = a / 1e-310;", false},
		{"real g = log_sum_exp(log(v - v));", false},
		{"real g = normal_lpdf(1e200 | a, 1e-200 * s);", false},
		{"real g = sum(log(v - v));", false},
	} {
		m := bound(t, fmt.Sprintf(`
parameters { real a; real<lower=0> s; vector[2] v; }
model { a ~ normal(0, 1); s ~ exponential(1); v ~ normal(0, 1); }
generated quantities { %s real after = a + s; }`, c.quantity), `{}`)
		q := []float64{0.3, -0.2, 1.5, 2}
		row, plain := make([]float64, len(m.Columns())), make([]float64, len(m.Columns()))
		if err := m.NewEvaluator().Write(q, nil, row); err != nil {
			t.Fatal(err)
		}
		if err := m.PlainRow(q, nil, plain); err != nil {
			t.Fatal(err)
		}
		finite := true
		for i, v := range plain {
			finite = finite && v-v == 0
			if !close64(row[i], v, 1e-14*math.Abs(v)) {
				t.Errorf("%s: %s is %v, plain %v", c.quantity, m.Columns()[i], row[i], v)
			}
		}
		if finite {
			t.Errorf("%s: the row is finite", c.quantity)
		}
		if got := bind.RowIsComputed(m, q); got != c.computed {
			t.Errorf("%s: computed by a program is %v, want %v", c.quantity, got, c.computed)
		}
	}
}

// An exact number that hides a rejection does not let it pass.
func TestExactNodesHideNoRejection(t *testing.T) {
	m := bound(t, `
parameters { real a; }
model { a ~ normal(0, 1); }
generated quantities { real g = sqrt(-1 - square(normal_lpdf(1.0 | 0, a))); }`, `{}`)
	e, row := m.NewEvaluator(), make([]float64, 2)
	for _, q := range [][]float64{{1}, {-1}} {
		if err, want := e.Write(q, nil, row), m.PlainRow(q, nil, row); sameVerdict("row", err, want) != nil {
			t.Errorf("at %v: %v, plain %v", q, err, want)
		}
	}
}
