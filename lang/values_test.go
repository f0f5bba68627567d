package lang

// This file tests reading draws by name, and data from structs.

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
)

// The quantities are functions of the draw's own z, so that every number has its place.
func TestDrawsByName(t *testing.T) {
	m := mustBind(t, `
parameters { real z; }
model { z ~ normal(0, 1); }
generated quantities {
  matrix[2, 3] A;
  array[2] complex c;
  tuple(real, vector[2]) t = (z, [10 * z, 20 * z]');
  vector[0] none;
  for (i in 1:2) { for (j in 1:3) { A[i, j] = z + 10 * i + j; } c[i] = to_complex(z, i); }
}`, nil)
	method, err := m.Program.Method("nuts(warmup = 100, draws = 20, chains = 2)")
	if err != nil {
		t.Fatal(err)
	}
	fit, err := m.Run(context.Background(), method, RunOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	z := numbers(t, fit, "z")
	if len(z) != 40 {
		t.Fatalf("%d draws", len(z))
	}
	for name, want := range map[string]func(z float64) float64{
		"A[2, 3]": func(z float64) float64 { return z + 23 },
		"A[1,2]":  func(z float64) float64 { return z + 12 },
		"A.2.1":   func(z float64) float64 { return z + 21 },
	} {
		for i, x := range numbers(t, fit, name) {
			if math.Abs(x-want(z[i])) > 1e-14 {
				t.Errorf("%s is %v at z = %v", name, x, z[i])
			}
		}
	}
	for _, test := range []struct {
		name string
		dims []int
		want func(z float64) []float64
	}{
		{"z", nil, func(z float64) []float64 { return []float64{z} }},
		{"A", []int{2, 3}, func(z float64) []float64 { return []float64{z + 11, z + 12, z + 13, z + 21, z + 22, z + 23} }},
		{"c", []int{2}, func(z float64) []float64 { return []float64{z, 1, z, 2} }},
		{"t:2", []int{2}, func(z float64) []float64 { return []float64{10 * z, 20 * z} }},
	} {
		a, err := fit.Array(test.name)
		if err != nil || !slices.Equal(a.Dims, test.dims) || len(a.Draws) != len(z) {
			t.Fatalf("%s: %+v, %v", test.name, a, err)
		}
		for i, x := range a.Draws {
			if want := test.want(z[i]); !slices.EqualFunc(x, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-13 }) {
				t.Errorf("%s is %v, want %v", test.name, x, want)
			}
		}
	}
	for name, says := range map[string]string{"b": "there are z, A, c", "A": "A has 6 numbers", "A[3, 1]": `A has no part "A[3, 1]"`} {
		if _, err := fit.Numbers(name); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := fit.Array("b"); err == nil {
		t.Error("a variable that is not there was found")
	}
}

func numbers(t *testing.T, f *Fit, name string) []float64 {
	t.Helper()
	x, err := f.Numbers(name)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// UnconstrainRow is the inverse of Constrain.
func TestUnconstrainRow(t *testing.T) {
	m := mustBind(t, `
parameters { simplex[3] p; cov_matrix[2] S; real<lower=0> s; }
model { s ~ exponential(1); }
generated quantities { real g = s; }`, nil)
	q := []float64{0.3, -1.2, 0.5, 0.1, -0.4, 2}
	row, err := m.Constrain(q, 1)
	if err != nil {
		t.Fatal(err)
	}
	n := len(m.ParameterColumns())
	if n != len(row)-1 || m.ParameterColumns()[n-1] != "s" {
		t.Errorf("parameters %v of columns %v", m.ParameterColumns(), m.Columns())
	}
	back, err := m.UnconstrainRow(row[:n])
	if err != nil || !slices.EqualFunc(back, q, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
		t.Errorf("%v came back as %v, %v", q, back, err)
	}
	if _, err := m.UnconstrainRow(row); err == nil {
		t.Error("a row with generated quantities was accepted")
	}
	row[n-1] = -1
	if _, err := m.UnconstrainRow(row[:n]); err == nil {
		t.Error("a scale below zero was accepted")
	}
}

// With y ~ normal(mu, sigma) and u = log sigma the log density is, up to a constant,
// -(y - mu)^2 exp(-2u) / 2 for sigma's flat prior: the Jacobian takes away what the normal
// has of u.
func TestHessian(t *testing.T) {
	m := mustBind(t, `
data { real y; }
parameters { real mu; real<lower=0> sigma; }
model { y ~ normal(mu, sigma); }`, map[string]any{"y": 1.5})
	mu, u := 0.25, -0.4
	h, relative, err := m.Hessian([]float64{mu, u})
	if err != nil || relative > 1e-8 {
		t.Fatalf("error %v, %v", relative, err)
	}
	r, w := 1.5-mu, math.Exp(-2*u)
	for i, want := range []float64{-w, -2 * r * w, -2 * r * w, -2 * r * r * w} {
		if got := h[i/2][i%2]; math.Abs(got-want) > 1e-8*math.Abs(want) {
			t.Errorf("entry %d, %d is %v, want %v", i/2, i%2, got, want)
		}
	}
	if _, _, err := m.Hessian([]float64{1}); err == nil {
		t.Error("a point of another dimension was accepted")
	}
}

func TestDataFrom(t *testing.T) {
	p, err := Compile("m.ppl", `
data { int N; vector[N] x; tuple(int, real) t; array[2] tuple(int, vector[1]) pairs; complex c; real from_map; }
parameters { real mu; }
model { mu ~ normal(0, 1); }
generated quantities { real s = sum(x) + t.1 * 10 + t.2 + pairs[2].1 * 100 + get_imag(c); }`, Options{})
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	type pair struct {
		N int
		X [1]float64
	}
	type base struct {
		N int
		x string // not exported: no data
	}
	type set struct {
		base
		X       []float64 `json:"x,omitempty"`
		T       *pair2    `ppl:"t" json:"other"`
		Pairs   []pair    `ppl:"pairs"`
		C       complex128
		Complex complex128 `ppl:"c"`
		Map     float32    `json:"from_map"`
		Name    string
		Hidden  chan int `ppl:"-"`
	}
	values := set{base: base{N: 2, x: "no"}, X: []float64{1, 2}, T: &pair2{3, 0.5}, Pairs: []pair{{1, [1]float64{1}}, {2, [1]float64{1}}}, Complex: 7i}
	in, err := p.DataFrom(&values)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Bind(in, BindOptions{})
	if err != nil {
		t.Fatal(ErrorText(err))
	}
	row, err := m.Constrain([]float64{0}, 1)
	if want := 3.0 + 30 + 0.5 + 200 + 7; err != nil || row[1] != want {
		t.Errorf("found %v, want %v, %v", row, want, err)
	}
	in, err = p.DataFrom(map[string]any{"N": 3, "note": "not declared"})
	if err != nil || len(in.Vars) != 1 || in.Vars["N"].X[0] != 3 {
		t.Errorf("from a map %v, %v", in, err)
	}
	type twice struct {
		N int
		M int `ppl:"N"`
	}
	for _, bad := range []any{nil, 3, []int{1}, (*set)(nil), twice{}, map[string]any{"N": "three"}, map[int]int{1: 2}, struct{ N func() }{}} {
		if in, err := p.DataFrom(bad); err == nil {
			t.Errorf("%T was accepted: %v", bad, in)
		}
	}
}

type pair2 struct {
	Count int
	Share float64
}
