// The joint decomposition of symmetric matrices.

package stdlib

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// Values and vectors of one matrix are one call, whose derivatives are those of differences.
func TestEigenPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{1, 2, 3, 7, 20} {
		g := autodiff.NewGraph(n * (n + 1) / 2)
		refs, x := make([]autodiff.Ref, n*n), make([]float64, n*(n+1)/2)
		for i, k := 0, 0; i < n; i++ {
			for j := 0; j <= i; j++ {
				refs[i+j*n] = autodiff.Ref{Node: g.Input(), Elem: int32(k)}
				refs[j+i*n] = refs[i+j*n]
				x[k] = r.NormFloat64()
				k++
			}
		}
		a := Operand{Tensor: Tensor{Dims: []int{n, n}, X: make([]float64, n*n)}, Node: g.Gather(refs), Active: true}
		values, _ := Lowering("eigenvalues_sym", ForEvaluation)(g, n, []Operand{a})
		vectors, _ := Lowering("eigenvectors_sym", ForEvaluation)(g, n*n, []Operand{a})
		weights := func(m int) autodiff.Node {
			w := make([]float64, m)
			for i := range w {
				w[i] = r.NormFloat64()
			}
			return g.Const(w)
		}
		b := catalogue.Formula{G: g}
		root := b.Add(g.Dot(weights(n), values), g.Dot(weights(n*n), b.Square(vectors)))
		m := autodiff.Compile(g, []autodiff.Node{root, autodiff.Gradient(g, root)}, nil).NewMachine()
		at := func(x []float64) float64 {
			if err := m.Run(x); err != nil {
				t.Fatal(err)
			}
			return m.Root(0)[0]
		}
		at(x)
		slopes := append([]float64(nil), m.Root(1)...)
		const h = 1e-6
		for k, v := range x {
			x[k] = v + h
			up := at(x)
			x[k] = v - h
			down := at(x)
			x[k] = v
			if d := (up - down) / (2 * h); math.Abs(d-slopes[k]) > 1e-5*(1+math.Abs(d)) {
				t.Errorf("n = %d: derivative %d is %v, by differences %v", n, k, slopes[k], d)
			}
		}
	}
}
