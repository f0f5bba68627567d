// Constraint transforms as operations, against the transforms.

package stdlib

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/lowering"
)

// TestTransformExpansions compares variables, log Jacobians and gradients of a random linear function of both.
func TestTransformExpansions(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	lib := New()
	for name := range lowering.TransformExpansions {
		tr := lib.Transform(name)
		written := 0
		for trial := range 60 {
			k, n := 1+trial%9, 1+r.IntN(3)
			dims := []int{k}
			if name != "simplex" && name != "ordered" && name != "positive_ordered" {
				dims = []int{k, k}
			}
			if name == "row_stochastic_matrix" || name == "column_stochastic_matrix" {
				dims[r.IntN(2)], n = 1+r.IntN(5), 1
			}
			if transformAgrees(t, r, tr, n, dims, []float64{0.5, 2, 12}[trial%3]) {
				written++
			}
		}
		if written < 15 {
			t.Errorf("%s was written out %d times", name, written)
		}
	}
}

// transformAgrees reports whether the transform of n variables is written out, and holds it against the function.
func transformAgrees(t *testing.T, r *rand.Rand, tr *Transform, n int, dims []int, spread float64) bool {
	t.Helper()
	m, err := tr.Free(dims)
	if err != nil || m == 0 {
		return false
	}
	size := 1
	for _, d := range dims {
		size *= d
	}
	free := make([]float64, n*m)
	for i := range free {
		free[i] = spread * r.NormFloat64()
	}
	g := autodiff.NewGraph(n * m)
	columns, logJ, ok := TransformLowering(tr.Name)(g, n, dims, g.Input())
	if !ok {
		return false
	}
	x, adj := make([]float64, n*size), make([]float64, n*size)
	want, grad := 0.0, make([]float64, n*m)
	const adjLog = 0.7
	work := make([]float64, 4*size+10)
	refs := make([]autodiff.Ref, 0, n*size)
	for i := range n {
		for j := range size {
			adj[i*size+j] = r.NormFloat64()
			ref := autodiff.Ref{Node: columns[j]}
			if g.Len(columns[j]) > 1 {
				ref.Elem = int32(i)
			}
			refs = append(refs, ref)
		}
		lj, err := tr.Constrain(dims, free[i*m:(i+1)*m], nil, x[i*size:(i+1)*size], work)
		if err != nil {
			t.Fatal(err)
		}
		want += lj
		tr.VJP(dims, free[i*m:(i+1)*m], nil, x[i*size:(i+1)*size], adj[i*size:(i+1)*size], adjLog, grad[i*m:(i+1)*m], nil, work)
	}
	all := g.Gather(refs)
	total := g.Map(autodiff.Add, 1, g.Dot(g.Const(adj), all), g.Map(autodiff.Mul, 1, g.Scalar(adjLog), logJ))
	machine := autodiff.Compile(g, []autodiff.Node{all, logJ, autodiff.Gradient(g, total)}, nil).NewMachine()
	if err := machine.Run(free); err != nil {
		t.Fatal(err)
	}
	near := func(what string, i int, got, want float64) {
		if d := math.Abs(got - want); !(d <= 1e-12*(1+math.Abs(want))) {
			t.Fatalf("%s of sizes %v, %d of them: %s %d is %v, the function's %v", tr.Name, dims, n, what, i, got, want)
		}
	}
	for i, v := range x {
		near("number", i, machine.Root(0)[i], v)
	}
	near("log Jacobian", 0, machine.Root(1)[0], want)
	scale := 1.0
	for i, v := range grad {
		scale = math.Max(scale, math.Abs(v))
		near("derivative, relative to the greatest,", i, machine.Root(2)[i]/scale, v/scale)
	}
	return true
}

// TestLKJExpansion compares values and gradients at Cholesky factors of correlations.
func TestLKJExpansion(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 8))
	tr := New().Transform("cholesky_factor_corr")
	for k := 2; k <= 20; k += 3 {
		for _, eta := range []float64{0.3, 1, 2, 25} {
			free, l := make([]float64, k*(k-1)/2), make([]float64, k*k)
			for i := range free {
				free[i] = r.NormFloat64()
			}
			if _, err := tr.Constrain([]int{k, k}, free, nil, l, nil); err != nil {
				t.Fatal(err)
			}
			in := []Operand{{Tensor: Tensor{Dims: []int{k, k}, X: l}, Active: true}, {Tensor: Tensor{X: []float64{eta}}}}
			got, ok := expandedAt("lkj_corr_cholesky_lpdf", in)
			want, refused := kernelAt(kernelOf(t, "lkj_corr_cholesky_lpdf", []Tensor{in[0].Tensor, in[1].Tensor}), in)
			if !ok || refused {
				t.Fatalf("k = %d, eta = %v: written out %v, refused %v", k, eta, ok, refused)
			}
			for i, v := range want {
				if d := math.Abs(got[i] - v); !(d <= 1e-12*(1+math.Abs(v))) {
					t.Errorf("k = %d, eta = %v, number %d: %v, the kernel's %v", k, eta, i, got[i], v)
				}
			}
		}
	}
}
