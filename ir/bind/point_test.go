// Unconstrained points of rounded and of incomplete values.

package bind_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/data"
)

// A row that a file rounds to eight digits leads back to the point it came from.
func TestUnconstrainRow(t *testing.T) {
	m := bound(t, constrained, `{}`)
	ev := m.NewEvaluator()
	r := rand.New(rand.NewChaCha8([32]byte{1}))
	n := len(m.ParameterColumns())
	for range 20 {
		q := make([]float64, m.Dim())
		for i := range q {
			q[i] = 2*r.Float64() - 1
		}
		row := make([]float64, len(m.Columns()))
		if err := ev.Write(q, r, row); err != nil {
			t.Fatal(err)
		}
		for i := range row {
			row[i] = rounded8(row[i])
		}
		back, err := m.UnconstrainRow(row[:n])
		if err != nil {
			t.Fatal(err)
		}
		again := make([]float64, len(row))
		if err := ev.Write(back, r, again); err != nil {
			t.Fatal(err)
		}
		// Points are compared as rows: a unit vector has many points. The discrete k is
		// drawn anew for each row.
		for i, v := range again[:n] {
			if name := m.Columns()[i]; !strings.HasPrefix(name, "k.") && !(math.Abs(v-row[i]) <= 1e-6*(1+math.Abs(row[i]))) {
				t.Errorf("%s: %.9g, want %.9g", name, v, row[i])
			}
		}
	}
	bad := make([]float64, n)
	bad[0] = -2 // a has the lower bound -1
	if _, err := m.UnconstrainRow(bad); err == nil || !strings.Contains(err.Error(), "a") {
		t.Errorf("a value below its bound is accepted: %v", err)
	}
}

func TestUnconstrainPart(t *testing.T) {
	m := bound(t, `
parameters {
  real<lower=0> a;
  real<lower=a> b;
  vector[2] c;
  tuple(real<lower=0>, real) d;
}
model { a ~ exponential(1); b ~ exponential(1); c ~ normal(0, 1); d.1 ~ exponential(1); d.2 ~ normal(0, 1); }`, `{}`)
	nan := math.NaN()
	for _, c := range []struct {
		values string
		want   []float64
	}{
		{`{}`, []float64{nan, nan, nan, nan, nan, nan}},
		{`{"c": [1, 2]}`, []float64{nan, nan, 1, 2, nan, nan}},
		{`{"a": 1, "d": {"1": 1, "2": 3}}`, []float64{0, nan, nan, nan, 0, 3}},
		{`{"b": 3}`, []float64{nan, nan, nan, nan, nan, nan}}, // its bound is not known
		{`{"a": 1, "b": 2, "c": [5, 6]}`, []float64{0, 0, 5, 6, nan, nan}},
	} {
		set, err := data.ReadBytes([]byte(c.values), "init", nil)
		if err != nil {
			t.Fatal(err)
		}
		q, err := m.UnconstrainPart(set)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(q, c.want, func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }) {
			t.Errorf("%s gives %v, want %v", c.values, q, c.want)
		}
	}
	set, err := data.ReadBytes([]byte(`{"a": -1}`), "init", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.UnconstrainPart(set); err == nil {
		t.Error("a value below its bound is accepted")
	}
}
