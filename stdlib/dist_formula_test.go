// Formulas of densities against the kernels of their rows.

package stdlib

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/lowering"
)

// For every mixture of numbers and containers, data and parameters, a formula has the value and the
// gradient of the row's function of one variate. Errors are relative to the sum of the
// magnitudes of the terms; counts go up to 10^6, where choices of several million cancel.
func TestFormulasAgreeWithRows(t *testing.T) {
	lib := New()
	for name, f := range lowering.DensityFormulas {
		r := rand.New(rand.NewPCG(3, 4))
		fn := lib.Function(name)
		if fn == nil || fn.Density == nil {
			t.Errorf("there is no density %s", name)
			continue
		}
		worst := 0.0
		for trial := range 300 {
			in := formulaPoint(fn.Density, trial, r)
			worst = max(worst, formulaError(t, fn.Density, f, in))
		}
		if !(worst <= 1e-10) {
			t.Errorf("%s: relative error %.1e", name, worst)
		}
	}
}

// formulaPoint is a list of arguments of 1 or 5 numbers, over a wide range of sizes.
func formulaPoint(d *Distribution, trial int, r *rand.Rand) []Operand {
	in := make([]Operand, len(d.Requires))
	spread := []float64{0.3, 1, 2.5}[trial%3]
	for j := range in {
		n, q := 1, d.Requires[j]
		if r.IntN(2) == 0 && !slices.Contains(lowering.DensityFormulas[d.Name+"_lpdf"].Single, j) {
			n = 5
			in[j].Dims = []int{n}
		}
		for range n {
			v := spread * r.NormFloat64()
			switch {
			case q.High == 1 && d.Discrete && j == 0:
				v = float64(r.IntN(2))
			case lowering.DensityFormulas[d.Name+"_lpmf"].Trials && j < 2: // counts and trials
				v = float64(50*j + r.IntN(50))
			case d.Discrete && j == 0:
				v = math.Floor(math.Exp(2 * math.Abs(v)))
				if r.IntN(3) == 0 {
					v = 0
				}
			case q.High <= 1:
				v = 1 / (1 + math.Exp(-v))
			case q.Low >= 0 || j == 0 && lowering.DensityFormulas[d.Name+"_lpdf"].Positive:
				v = math.Exp(v)
			}
			if bound, ok := supportBounds[d.Name]; ok {
				v = bound(j, v)
			}
			in[j].X = append(in[j].X, v)
		}
		in[j].Active = r.IntN(3) > 0 && !(d.Discrete && (j == 0 || lowering.DensityFormulas[d.Name+"_lpmf"].Trials && j == 1))
	}
	return in
}

// supportBounds move the parameters that bound the support to where variates are inside.
var supportBounds = map[string]func(arg int, v float64) float64{
	"pareto": func(arg int, v float64) float64 {
		if arg == 1 {
			v *= 1e-7
		}
		return v
	},
	"pareto_type_2": func(arg int, v float64) float64 {
		if arg == 1 {
			v -= 20
		}
		return v
	},
	"uniform": func(arg int, v float64) float64 { return v + []float64{0, -20, 20}[arg] },
}

// Outside a support that depends on parameters a formula is -Inf.
func TestFormulasOutsideSupport(t *testing.T) {
	for _, c := range []struct {
		name    string
		x       []float64
		outside bool
	}{
		{"pareto_lpdf", []float64{0.9, 1, 2}, true}, {"pareto_lpdf", []float64{1, 1, 2}, false},
		{"pareto_type_2_lpdf", []float64{-0.1, 0, 3, 2}, true}, {"pareto_type_2_lpdf", []float64{0, 0, 3, 2}, false},
		{"uniform_lpdf", []float64{-2, -1, 1}, true}, {"uniform_lpdf", []float64{2, -1, 1}, true}, {"uniform_lpdf", []float64{1, -1, 1}, false},
	} {
		g := autodiff.NewGraph(len(c.x))
		in := make([]Operand, len(c.x))
		for j := range in {
			in[j] = Operand{Tensor: Tensor{X: c.x[j : j+1]}, Node: g.Elem(g.Input(), j), Active: true}
		}
		each, ok := lowering.DensityFormulas[c.name].ByElement(g, 1, in)
		m := autodiff.Compile(g, []autodiff.Node{each}, nil).NewMachine()
		if err := m.Run(c.x); !ok || err != nil || math.IsInf(m.Root(0)[0], -1) != c.outside {
			t.Errorf("%s%v: %v, %v", c.name, c.x, m.Root(0), err)
		}
	}
}

// formulaError compares formula and row at a list of arguments.
func formulaError(t *testing.T, d *Distribution, f lowering.DensityFormula, in []Operand) float64 {
	t.Helper()
	n, inputs := 1, 0
	for _, a := range in {
		n = max(n, len(a.X))
		if a.Active {
			inputs += len(a.X)
		}
	}
	g := autodiff.NewGraph(inputs)
	var x []float64
	for j := range in {
		if in[j].Active {
			in[j].Node = g.View(g.Input(), len(x), len(in[j].X))
			x = append(x, in[j].X...)
		} else {
			in[j].Node = g.Const(slices.Clone(in[j].X))
		}
	}
	each, ok := f.ByElement(g, n, in)
	if !ok {
		t.Fatalf("%s: no formula at %v", d.Name, in)
	}
	total := g.Sum(each)
	if g.Len(each) != n {
		total = catalogue.Formula{G: g}.Mul(g.Scalar(float64(n)), total)
	}
	m := autodiff.Compile(g, []autodiff.Node{total, autodiff.Gradient(g, total)}, nil).NewMachine()
	if err := m.Run(x); err != nil {
		t.Fatal(err)
	}
	value, size, grad, scale := rowAt(d, n, in)
	if value == m.Root(0)[0] && math.IsInf(value, 0) {
		return 0
	}
	worst := math.Abs(m.Root(0)[0]-value) / (1 + size)
	for i, v := range grad {
		worst = max(worst, math.Abs(m.Root(1)[i]-v)/(1+scale[i]))
	}
	return worst
}

// rowAt adds up the row's function of one variate, its gradient by active arguments, and the
// magnitudes of the terms of both.
func rowAt(d *Distribution, n int, in []Operand) (value, size float64, grad, scale []float64) {
	at, slopes := make([]float64, len(in)), make([]float64, len(in))
	sums, sizes := make([][]float64, len(in)), make([][]float64, len(in))
	for j, a := range in {
		sums[j], sizes[j] = make([]float64, len(a.X)), make([]float64, len(a.X))
	}
	for i := range n {
		for j, a := range in {
			at[j] = a.X[min(i, len(a.X)-1)]
		}
		clear(slopes)
		v := d.Log(at, slopes)
		value, size = value+v, size+math.Abs(v)
		for j, s := range slopes {
			k := min(i, len(sums[j])-1)
			sums[j][k] += s
			sizes[j][k] += math.Abs(s)
		}
	}
	for j, a := range in {
		if a.Active {
			grad, scale = append(grad, sums[j]...), append(scale, sizes[j]...)
		}
	}
	return value, size, grad, scale
}
