// Functions of functions in whole programs: values against closed forms, gradients of
// the compiled program against the tape and against differences.

package bind_test

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

var higherLibrary = stdlib.New()

// program compiles and binds a program.
func program(t testing.TB, text, in string, without ...string) *bind.Model {
	t.Helper()
	p, err := bindtest.Compile("test.stan", text, "", higherLibrary)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	set, err := data.Read(strings.NewReader(in), "data.json", func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	m, err := bind.Bind(p, higherLibrary, set, bind.Options{Seed: 1, Without: without})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m
}

// outputs returns the row of outputs at q by column name.
func outputs(t *testing.T, m *bind.Model, q []float64) map[string]float64 {
	t.Helper()
	row := make([]float64, len(m.Columns()))
	if err := m.NewEvaluator().Write(q, nil, row); err != nil {
		t.Fatal(err)
	}
	plain := make([]float64, len(row))
	if err := m.PlainRow(q, nil, plain); err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for i, name := range m.Columns() {
		out[name] = row[i]
		if math.Abs(row[i]-plain[i]) > 1e-9*(1+math.Abs(plain[i])) {
			t.Errorf("%s: compiled %v, plain %v", name, row[i], plain[i])
		}
	}
	return out
}

// checkGradient compares the gradient at q with the tape's and with differences of the
// density, to the relative precision tol, and asks for evaluation without allocation.
func checkGradient(t *testing.T, m *bind.Model, q []float64, tol float64) {
	t.Helper()
	e := m.NewEvaluator()
	grad := make([]float64, len(q))
	lp, err := e.LogDensityGrad(q, grad)
	if err != nil {
		t.Fatal(err)
	}
	plain, tape, err := m.PlainDensity(q, true)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(lp-plain) > tol*(1+math.Abs(plain)) {
		t.Errorf("compiled density %v, plain %v", lp, plain)
	}
	scale := 1.0
	for _, g := range grad {
		scale = math.Max(scale, math.Abs(g))
	}
	for i, g := range grad {
		if math.Abs(g-tape[i]) > tol*scale {
			t.Errorf("derivative %d: compiled %v, tape %v", i, g, tape[i])
		}
		d := richardson(func(x float64) float64 {
			p := append([]float64(nil), q...)
			p[i] += x
			v, err := e.LogDensity(p)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}, 1e-2)
		if !(math.Abs(g-d) <= tol*scale) {
			t.Errorf("derivative %d: compiled %v, differences %v", i, g, d)
		}
	}
	if n := testing.AllocsPerRun(20, func() { e.LogDensityGrad(q, grad) }); n != 0 {
		t.Errorf("%v allocations per gradient", n)
	}
}

// richardson differentiates f at 0 by extrapolated central differences.
func richardson(f func(float64) float64, h float64) float64 {
	var row [5]float64
	for i := range row {
		next := (f(h) - f(-h)) / (2 * h)
		power := 4.0
		for j := range i {
			row[j], next = next, next+(next-row[j])/(power-1)
			power *= 4
		}
		row[i] = next
		h /= 2
	}
	return row[len(row)-1]
}
