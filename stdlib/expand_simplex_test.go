// Densities of simplexes and of their counts as operations, against the kernels.

package stdlib

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// TestSimplexExpansions goes through shapes and roles of arguments; values and gradients agree with the kernel's. Where the kernel
// refuses, the operations are not a number.
func TestSimplexExpansions(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	written := map[string]int{}
	for trial := range 600 {
		k := []int{1, 2, 3, 7, 16, 20}[trial%6]
		name := []string{"dirichlet_lpdf", "multinomial_lpmf", "multinomial_logit_lpmf", "dirichlet_multinomial_lpmf"}[r.IntN(4)]
		in := simplexArguments(r, name, k)
		if !in[0].Active && !in[1].Active {
			continue
		}
		if trial%4 == 0 {
			spoil(r, in)
		}
		kernel := kernelOf(t, name, []catalogue.Tensor{in[0].Tensor, in[1].Tensor})
		got, ok := expandedAt(name, in)
		if !ok {
			continue
		}
		written[name]++
		want, refused := kernelAt(kernel, in)
		if refused {
			if !math.IsNaN(got[0]) && name == "dirichlet_lpdf" { // bounds of the others are checked apart
				t.Fatalf("%s(%v | %v) is refused, and written out %v", name, in[0].X, in[1].X, got[0])
			}
			continue
		}
		for i, v := range want {
			if d := math.Abs(got[i] - v); !(d <= 1e-11*(1+math.Abs(v))) && !(math.IsNaN(got[i]) && math.IsNaN(v)) {
				t.Fatalf("%s(%v | %v), number %d: %v, the kernel's %v", name, in[0].X, in[1].X, i, got[i], v)
			}
		}
	}
	for _, name := range []string{"dirichlet_lpdf", "multinomial_lpmf", "multinomial_logit_lpmf", "dirichlet_multinomial_lpmf"} {
		if written[name] < 50 {
			t.Errorf("%s was written out %d times", name, written[name])
		}
	}
}

// simplexArguments are a variate, or several, and its parameters.
func simplexArguments(r *rand.Rand, name string, k int) []Operand {
	positive := func(n int, scale float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Exp(scale * r.NormFloat64())
		}
		return x
	}
	simplexes := func(n int) []float64 {
		x := positive(n*k, 1)
		for i := range n {
			row, sum := x[i*k:(i+1)*k], 0.0
			for _, v := range row {
				sum += v
			}
			for j := range row {
				row[j] /= sum
			}
		}
		return x
	}
	vectors := func(x []float64, array bool) Operand {
		o := Operand{Tensor: catalogue.Tensor{Dims: []int{k}, X: x}}
		if array {
			o.Rank.Array, o.Dims = 1, []int{len(x) / k, k}
		}
		return o
	}
	if name == "dirichlet_lpdf" {
		n := 1 + r.IntN(4)
		shape := r.IntN(4)
		theta, alpha := vectors(simplexes(1), false), vectors(positive(k, 2), false)
		if shape&1 > 0 {
			theta = vectors(simplexes(n), true)
		}
		if shape&2 > 0 {
			alpha = vectors(positive(n*k, 1), true)
		}
		theta.Active, alpha.Active = r.IntN(2) == 0, r.IntN(2) == 0
		return []Operand{theta, alpha}
	}
	counts := Operand{Tensor: catalogue.Tensor{Dims: []int{k}, X: make([]float64, k)}}
	for i := range counts.X {
		counts.X[i] = float64(r.IntN([]int{1, 4, 60}[r.IntN(3)]))
	}
	p := vectors(positive(k, 1), false)
	if name == "multinomial_lpmf" {
		p = vectors(simplexes(1), false)
	}
	p.Active = true
	return []Operand{counts, p}
}

// spoil makes one number wrong.
func spoil(r *rand.Rand, in []Operand) {
	for _, a := range in {
		if a.Active {
			a.X[r.IntN(len(a.X))] = []float64{-0.5, math.NaN(), 0.7, 0, math.Inf(1)}[r.IntN(5)]
			return
		}
	}
}

// expandedAt is the value of a call that is written out and its gradient; ok is false where it is not written out.
func expandedAt(name string, in []Operand) (out []float64, ok bool) {
	var x []float64
	for _, a := range in {
		if a.Active {
			x = append(x, a.X...)
		}
	}
	g, at := autodiff.NewGraph(len(x)), 0
	for j := range in {
		if in[j].Active {
			in[j].Node = g.View(g.Input(), at, len(in[j].X))
			at += len(in[j].X)
		} else {
			in[j].Node = g.Const(slices.Clone(in[j].X))
		}
	}
	y, ok := Lowering(name, ForEvaluation)(g, 1, in)
	if !ok {
		return nil, false
	}
	m := autodiff.Compile(g, []autodiff.Node{y, autodiff.Gradient(g, y)}, nil).NewMachine()
	if m.Run(x) != nil { // a simplification does not hold: the kernel is asked
		return []float64{math.NaN()}, false
	}
	return append([]float64{m.Root(0)[0]}, m.Root(1)...), true
}

// kernelAt is the same of the kernel; refused says that it takes no such arguments.
func kernelAt(k *catalogue.Kernel, in []Operand) (out []float64, refused bool) {
	tensors, din := make([]catalogue.Tensor, len(in)), make([][]float64, len(in))
	for j, a := range in {
		tensors[j] = a.Tensor
		if a.Active {
			din[j] = make([]float64, len(a.X))
		}
	}
	var work []float64
	if k.Work != nil {
		work = make([]float64, k.Work(tensors))
	}
	value := make([]float64, 1)
	if k.Value(tensors, value, work) != nil {
		return nil, true
	}
	k.VJP(tensors, value, []float64{1}, din, work)
	for _, d := range din {
		value = append(value, d...)
	}
	return value, false
}

// TestBetaExpansion compares the beta function, and its slopes, with the function. Binomial coefficients are not written out: of 1 of 1
// the logarithm is 0, and by way of the beta function it may not be.
func TestBetaExpansion(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for _, name := range []string{"beta"} {
		op := New().Functions(name)[0].Op
		for range 300 {
			x, y := math.Exp(3*r.NormFloat64()), math.Exp(3*r.NormFloat64())
			in := []Operand{{Tensor: catalogue.Tensor{X: []float64{x}}, Active: true}, {Tensor: catalogue.Tensor{X: []float64{y}}, Active: true}}
			got, ok := expandedAt(name, in)
			if !ok {
				t.Fatalf("%s(%v, %v) is not written out", name, x, y)
			}
			f := op.F2(x, y)
			dx, dy := op.D2(x, y, f)
			for i, want := range []float64{f, dx, dy} {
				if d := math.Abs(got[i] - want); !(d <= 1e-11*(1+math.Abs(want))) {
					t.Errorf("%s(%v, %v), number %d: %v, the function's %v", name, x, y, i, got[i], want)
				}
			}
		}
	}
}
