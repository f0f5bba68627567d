package bridge

// This file holds what the interface gives to closed forms.

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A correlated normal of two, a scale with its logarithm as coordinate, and quantities.
const program = `data { int<lower=0> N; }
transformed data { print("N is ", N); }
parameters { vector[2] x; real<lower=0> s; }
transformed parameters { real sum2 = x[1] + x[2]; }
model {
  target += -0.5 * square(x[1]) - x[1] * x[2] - 2 * square(x[2]) + x[1]^4;
  s ~ exponential(3);
}
generated quantities { real g = normal_rng(0, 1); matrix[1, 2] m = [[s, N]]; }`

func opened(t *testing.T) *Model {
	t.Helper()
	m, err := Open(Carried{Name: "m_model", File: "m.stan", Program: program}, `{"N": 4, "unused": 1}`, 1, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var at = []float64{0.3, -0.7, 0.2}

// near compares numbers up to a relative or absolute error.
func near(t *testing.T, what string, got, want []float64, err float64) {
	t.Helper()
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= err*(1+math.Abs(want[i]))) {
			t.Errorf("%s: found %v, want %v", what, got, want)
			return
		}
	}
}

// The density, with and without constants and Jacobian, its gradient and its Hessian are those by hand.
func TestDensity(t *testing.T) {
	m := opened(t)
	x, y, s := at[0], at[1], math.Exp(at[2])
	for _, propto := range []bool{false, true} {
		for _, jacobian := range []bool{false, true} {
			lp := -x*x/2 - x*y - 2*y*y + x*x*x*x - 3*s
			grad := []float64{-x - y + 4*x*x*x, -x - 4*y, -3 * s}
			if !propto {
				lp += math.Log(3)
			}
			if jacobian {
				lp += at[2]
				grad[2]++
			}
			hessian := []float64{-1 + 12*x*x, -1, 0, -1, -4, 0, 0, 0, -3 * s}
			g, h, p := make([]float64, 3), make([]float64, 9), make([]float64, 3)
			a, err1 := m.LogDensity(propto, jacobian, at)
			b, err2 := m.Gradient(propto, jacobian, at, g)
			near(t, "gradient", g, grad, 1e-14)
			c, err3 := m.Hessian(propto, jacobian, at, g, h)
			d, err4 := m.HessianVector(propto, jacobian, at, []float64{1, -2, 30}, p)
			if err1 != nil || err2 != nil || err3 != nil || err4 != nil {
				t.Fatal(err1, err2, err3, err4)
			}
			near(t, "densities", []float64{a, b, c, d}, []float64{lp, lp, lp, lp}, 1e-14)
			near(t, "gradient", g, grad, 1e-14)
			near(t, "Hessian", h, hessian, 1e-8)
			near(t, "product", p, []float64{hessian[0] + 2, -1 + 8, -90 * s}, 1e-8)
		}
	}
}

// Names stand where their values do, and points go both ways.
func TestColumns(t *testing.T) {
	m := opened(t)
	r := NewRNG(5)
	for _, c := range []struct {
		transformed, quantities bool
		names                   string
		values                  []float64
	}{
		{false, false, "x.1,x.2,s", []float64{0.3, -0.7, math.Exp(0.2)}},
		{true, false, "x.1,x.2,s,sum2", []float64{0.3, -0.7, math.Exp(0.2), -0.4}},
		{false, true, "x.1,x.2,s,g,m.1.1,m.1.2", []float64{0.3, -0.7, math.Exp(0.2), math.NaN(), math.Exp(0.2), 4}},
		{true, true, "x.1,x.2,s,sum2,g,m.1.1,m.1.2", []float64{0.3, -0.7, math.Exp(0.2), -0.4, math.NaN(), math.Exp(0.2), 4}},
	} {
		names := m.Names(c.transformed, c.quantities)
		out := make([]float64, len(names))
		if err := m.Constrain(c.transformed, c.quantities, at, out, r); err != nil || strings.Join(names, ",") != c.names {
			t.Fatal(err, names)
		}
		for i, want := range c.values {
			if !math.IsNaN(want) { // a random number
				near(t, names[i], out[i:i+1], []float64{want}, 1e-14)
			}
		}
		q := make([]float64, 3)
		if err := m.Unconstrain(out[:3], q); err != nil {
			t.Error(err)
		}
		near(t, "point", q, at, 1e-14)
	}
	if diff := cmp.Diff([]string{"x.1", "x.2", "s"}, m.UnconstrainedNames()); diff != "" {
		t.Error(diff)
	}
	q := make([]float64, 3)
	if err := m.UnconstrainJSON(`{"s": 1, "x": [5, 6]}`, q); err != nil {
		t.Error(err)
	}
	near(t, "point by name", q, []float64{5, 6, 0}, 1e-14)
}

// Random numbers are those of the seed, and others with each call.
func TestRandomNumbers(t *testing.T) {
	m := opened(t)
	drawn := map[float64]bool{}
	for range 2 {
		r := NewRNG(7)
		for range 3 {
			out := make([]float64, 6)
			if err := m.Constrain(false, true, at, out, r); err != nil {
				t.Fatal(err)
			}
			drawn[out[3]] = true
		}
	}
	if len(drawn) != 3 {
		t.Errorf("%d numbers of 3 calls, twice from one seed", len(drawn))
	}
	q := make([]float64, 3)
	for range 50 {
		if err := m.Initialize("", NewRNG(1), 0.5, 10, true, q); err != nil || math.Abs(q[0]) > 0.5 || q[0] == 0 {
			t.Fatal(err, q)
		}
	}
}

// Threads may share a model.
func TestThreads(t *testing.T) {
	m := opened(t)
	var wait sync.WaitGroup
	for n := range 4 {
		wait.Go(func() { // each at a point of its own
			q := []float64{float64(n), 0, 0}
			for range 2000 {
				if _, err := m.LogDensity(false, true, q); err != nil {
					t.Error(err)
					return
				}
				grad := make([]float64, 3)
				if _, err := m.Gradient(false, true, q, grad); grad[1] != -q[0] || err != nil {
					t.Error(q, grad, err)
					return
				}
			}
		})
	}
	wait.Wait()
}

// What is wrong is an error that says where.
func TestErrors(t *testing.T) {
	m := opened(t)
	c := Carried{File: "m.stan", Program: program}
	q := make([]float64, 3)
	_, noData := Open(c, "", 1, nil)
	_, wrongData := Open(c, `{"N": -1}`, 1, nil)
	_, noFile := Open(c, "nowhere.json", 1, nil)
	_, noProgram := Open(Carried{File: "m.stan", Program: "model {"}, "", 1, nil)
	_, noRandom := m.Names(false, false), m.Constrain(false, true, at, make([]float64, 6), nil)
	for want, err := range map[string]error{
		"N": noData, "must be greater than or equal to 0": wrongData, "nowhere.json": noFile, "m.stan": noProgram, "the rng is null": noRandom,
		"s": m.Unconstrain([]float64{1, 2, -3}, q), "x": m.UnconstrainJSON(`{"s": 1}`, q), "tries": m.Initialize("", NewRNG(1), 2, 0, true, q),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("found %v, want %q in it", err, want)
		}
	}
}

// A library gives back what was put into it, and nothing else does.
func TestCarried(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lib.so")
	want := Carried{Name: "n", File: "f", Program: "model { } // " + marker + " é\x00"}
	var b bytes.Buffer
	if err := Carry(&b, []byte("library"), want); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	for text, fails := range map[string]bool{string(whole): false, string(whole[:len(whole)-1]): true, string(whole[:len(whole)-1]) + "2": true, "": true, "library": true, "\xff\xff\xff\xff\xff\xff\xff\xff" + marker: true} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadCarried(path)
		if (err != nil) != fails || !fails && got != want {
			t.Errorf("found %+v, %v", got, err)
		}
	}
}
