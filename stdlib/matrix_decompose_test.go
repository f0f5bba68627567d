// Joint decompositions of matrices, and linear systems of all sizes.

package stdlib

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// product is the product of matrices by columns.
func product(m, k, n int, a, b []float64) []float64 {
	out := make([]float64, m*n)
	for i := range m {
		for j := range n {
			for l := range k {
				out[i+j*m] += a[i+l*m] * b[l+j*k]
			}
		}
	}
	return out
}

func transposed(m, n int, a []float64) []float64 {
	out := make([]float64, m*n)
	for i := range m {
		for j := range n {
			out[j+i*n] = a[i+j*m]
		}
	}
	return out
}

// Parts of one matrix are one call; multiplied they are the matrix, and derivatives are those of differences.
func TestJointDecompositions(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	random := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return x
	}
	for _, c := range []struct {
		parts string
		sizes func(m, n int) []int
		back  func(m, n int, parts [][]float64) []float64
	}{
		{"svd_U singular_values svd_V", func(m, n int) []int { return []int{m * min(m, n), min(m, n), n * min(m, n)} },
			func(m, n int, p [][]float64) []float64 {
				k := min(m, n)
				us := append([]float64(nil), p[0]...)
				for i := range us {
					us[i] *= p[1][i/m]
				}
				return product(m, k, n, us, transposed(n, k, p[2]))
			}},
		{"qr_thin_Q qr_thin_R", func(m, n int) []int { return []int{m * min(m, n), n * min(m, n)} },
			func(m, n int, p [][]float64) []float64 { return product(m, min(m, n), n, p[0], p[1]) }},
		{"qr_Q qr_R", func(m, n int) []int { return []int{m * m, m * n} },
			func(m, n int, p [][]float64) []float64 { return product(m, m, n, p[0], p[1]) }},
		{"determinant", func(int, int) []int { return []int{1} }, nil},
		{"log_determinant", func(int, int) []int { return []int{1} }, nil},
	} {
		for _, size := range [][2]int{{1, 1}, {3, 3}, {3, 5}, {5, 3}, {9, 9}, {12, 6}} {
			m, n := size[0], size[1]
			if c.back == nil && m != n {
				continue
			}
			g := autodiff.NewGraph(m * n)
			a := Operand{Tensor: Tensor{Dims: []int{m, n}, X: make([]float64, m*n)}, Node: g.Input(), Active: true}
			b, root := catalogue.Formula{G: g}, g.Scalar(0)
			var roots []autodiff.Node
			for i, name := range strings.Fields(c.parts) {
				k := c.sizes(m, n)[i]
				part, ok := Lowering(name, ForEvaluation)(g, k, []Operand{a})
				if !ok {
					t.Fatalf("%s of %d x %d is not shared", name, m, n)
				}
				roots = append(roots, part)
				if name != "qr_Q" || m <= n { // columns beyond the rank may turn
					root = b.Add(root, g.Dot(g.Const(random(k)), part))
				}
			}
			compiled := autodiff.Compile(g, append([]autodiff.Node{root, autodiff.Gradient(g, root)}, roots...), nil)
			if calls := strings.Count(compiled.Dump(), "decomposition"); calls > 2 { // the call and its derivative
				t.Errorf("%s of %d x %d: %d calls", c.parts, m, n, calls)
			}
			machine, x := compiled.NewMachine(), random(m*n)
			at := func(x []float64) float64 {
				if err := machine.Run(x); err != nil {
					t.Fatal(err)
				}
				return machine.Root(0)[0]
			}
			at(x)
			slopes := append([]float64(nil), machine.Root(1)...)
			var parts [][]float64
			for i := range roots {
				parts = append(parts, machine.Root(2+i))
			}
			for i := 0; c.back != nil && i < m*n; i++ {
				v := c.back(m, n, parts)[i]
				if math.Abs(v-x[i]) > 1e-13 {
					t.Errorf("%s of %d x %d: element %d comes back as %v, not %v", c.parts, m, n, i, v, x[i])
				}
			}
			const h = 1e-6
			for k, v := range x {
				x[k] = v + h
				up := at(x)
				x[k] = v - h
				down := at(x)
				x[k] = v
				if d := (up - down) / (2 * h); math.Abs(d-slopes[k]) > 2e-5*(1+math.Abs(d)) {
					t.Errorf("%s of %d x %d: derivative %d is %v, by differences %v", c.parts, m, n, k, slopes[k], d)
				}
			}
		}
	}
}

// Factors of matrices of sizes about those at which the work is halved, with zeros where a pivot
// would be, solve linear systems.
func TestLinearSystems(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for n := range 90 {
		a, b := make([]float64, n*n), make([]float64, 5*n)
		for i := range a {
			if a[i] = r.NormFloat64(); r.IntN(3) == 0 || i%(n+1) == 0 {
				a[i] = 0
			}
		}
		for i := range n { // a permutation on top, so that no matrix is singular
			a[(i+1)%n+i*n] += 4
		}
		for i := range b {
			b[i] = r.NormFloat64()
		}
		lu, pivot := make([]float64, n*n), make([]float64, n)
		if sign := catalogue.LuFactor(n, a, lu, pivot); sign*sign != 1 {
			t.Fatalf("n = %d: sign %v", n, sign)
		}
		x := append([]float64(nil), b...)
		catalogue.LuSolve(n, 5, lu, pivot, x)
		for i, v := range product(n, n, 5, a, x) {
			if math.Abs(v-b[i]) > 1e-10 {
				t.Errorf("n = %d: number %d of A X is %v, want %v", n, i, v, b[i])
			}
		}
	}
	if catalogue.LuFactor(20, make([]float64, 400), make([]float64, 400), make([]float64, 20)) != 0 {
		t.Error("a matrix of zeros has factors")
	}
}
