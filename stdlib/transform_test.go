package stdlib

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
)

// transformCase is a transform with sizes and bounds to try it at.
type transformCase struct {
	name string
	dims []int
	args [][]float64
}

func transformCases() []transformCase {
	inf := math.Inf(1)
	return []transformCase{
		{"lower", []int{3}, [][]float64{{-1.5}}},
		{"lower", []int{2}, [][]float64{{0.5, -inf}}},
		{"upper", nil, [][]float64{{2}}},
		{"upper", []int{2}, [][]float64{{inf, 1}}},
		{"lower_upper", []int{3}, [][]float64{{-1}, {2}}},
		{"lower_upper", []int{4}, [][]float64{{-inf, -inf, 1, 0}, {inf, 2, inf, 1}}},
		{"offset_multiplier", []int{2}, [][]float64{{3}, {0.5, 2}}},
		{"ordered", []int{4}, nil},
		{"positive_ordered", []int{4}, nil},
		{"sum_to_zero_vector", []int{1}, nil},
		{"sum_to_zero_vector", []int{5}, nil},
		{"sum_to_zero_matrix", []int{4, 3}, nil},
		{"sum_to_zero_matrix", []int{1, 3}, nil},
		{"simplex", []int{1}, nil},
		{"simplex", []int{5}, nil},
		{"column_stochastic_matrix", []int{3, 4}, nil},
		{"column_stochastic_matrix", []int{1, 4}, nil},
		{"row_stochastic_matrix", []int{3, 4}, nil},
		{"row_stochastic_matrix", []int{3, 1}, nil},
		{"unit_vector", []int{4}, nil},
		{"corr_matrix", []int{1, 1}, nil},
		{"corr_matrix", []int{5, 5}, nil},
		{"cov_matrix", []int{4, 4}, nil},
		{"cholesky_factor_corr", []int{5, 5}, nil},
		{"cholesky_factor_cov", []int{4, 4}, nil},
		{"cholesky_factor_cov", []int{5, 3}, nil},
	}
}

// TestTransforms checks every transform at random points: the result satisfies the
// constraint, the inverse inverts, the derivatives match differences, nothing is
// allocated.
func TestTransforms(t *testing.T) {
	lib := New()
	seen := map[string]bool{}
	r := rand.New(rand.NewChaCha8([32]byte{7}))
	for _, c := range transformCases() {
		tr := lib.Transform(c.name)
		seen[c.name] = true
		t.Run(fmt.Sprint(c.name, c.dims), func(t *testing.T) {
			for try := 0; try < 5; try++ {
				checkTransform(t, tr, c, r)
			}
		})
	}
	for _, tr := range transform.Transforms() {
		if !seen[tr.Name] {
			t.Errorf("%s has no case", tr.Name)
		}
	}
}

func checkTransform(t *testing.T, tr *transform.Transform, c transformCase, r *rand.Rand) {
	n, err := tr.Free(c.dims)
	if err != nil {
		t.Fatal(err)
	}
	free, back := make([]float64, n), make([]float64, n)
	for i := range free {
		free[i] = r.NormFloat64()
	}
	x, adj := make([]float64, transform.SizeOf(c.dims)), make([]float64, transform.SizeOf(c.dims))
	for i := range adj {
		adj[i] = r.NormFloat64()
	}
	adjLog := r.NormFloat64()
	work := make([]float64, 0)
	if tr.Work != nil {
		work = make([]float64, tr.Work(c.dims))
	}
	if _, err := tr.Constrain(c.dims, free, c.args, x, work); err != nil {
		t.Fatal(err)
	}
	if err := tr.Check(c.dims, x, c.args); err != nil {
		t.Errorf("own result rejected: %v", err)
	}
	if err := tr.Unconstrain(c.dims, x, c.args, back); err != nil {
		t.Errorf("own result rejected: %v", err)
	}
	for i := range free {
		if math.Abs(back[i]-free[i]) > 1e-9 && c.name != "unit_vector" {
			t.Errorf("inverse gives %v, want %v", back, free)
			break
		}
	}
	objective := func() float64 {
		y := make([]float64, len(x))
		lj, err := tr.Constrain(c.dims, free, c.args, y, work)
		if err != nil {
			t.Fatal(err)
		}
		return catalogue.Dot(adj, y) + adjLog*lj
	}
	dfree := make([]float64, n)
	dargs := make([][]float64, len(c.args))
	for i := range dargs {
		dargs[i] = make([]float64, len(c.args[i]))
	}
	tr.VJP(c.dims, free, c.args, x, adj, adjLog, dfree, dargs, work)
	compareDifferences(t, "free", free, dfree, objective)
	for i := range dargs {
		compareDifferences(t, "bound", c.args[i], dargs[i], objective)
	}
	if a := testing.AllocsPerRun(10, func() {
		_, _ = tr.Constrain(c.dims, free, c.args, x, work)
		tr.VJP(c.dims, free, c.args, x, adj, adjLog, dfree, dargs, work)
	}); a > 0 {
		t.Errorf("%v allocations", a)
	}
}

// compareDifferences checks a gradient of f with respect to x by central differences.
func compareDifferences(t *testing.T, what string, x, grad []float64, f func() float64) {
	t.Helper()
	for i, v := range x {
		if math.IsInf(v, 0) {
			continue
		}
		h := 1e-5 * (1 + math.Abs(v))
		x[i] = v + h
		up := f()
		x[i] = v - h
		down := f()
		x[i] = v
		if d := (up - down) / (2 * h); math.Abs(d-grad[i]) > 1e-6*(1+math.Abs(d)) {
			t.Errorf("%s[%d]: derivative %v, difference quotient %v", what, i, grad[i], d)
		}
	}
}

// TestTransformChecks passes every transform a variable that violates its constraint.
func TestTransformChecks(t *testing.T) {
	lib := New()
	for _, c := range []struct {
		transformCase
		x    []float64
		want string
	}{
		{transformCase{"lower", []int{2}, [][]float64{{0}}}, []float64{1, -1}, "[2] is -1, but must be greater than or equal to 0"},
		{transformCase{"upper", nil, [][]float64{{0}}}, []float64{math.NaN()}, " is NaN, but must be less than or equal to 0"},
		{transformCase{"lower_upper", []int{2, 2}, [][]float64{{0}, {1}}}, []float64{0, 1, 0.5, 2}, "[2, 2] is 2, but must be less than or equal to 1"},
		{transformCase{"ordered", []int{3}, nil}, []float64{1, 1, 2}, "[2] is 1, but must be greater than the element before it, 1"},
		{transformCase{"positive_ordered", []int{2}, nil}, []float64{-1, 1}, "[1] is -1, but must be greater than or equal to 0"},
		{transformCase{"simplex", []int{2}, nil}, []float64{0.5, 0.25}, " sums to 0.75, but must sum to 1"},
		{transformCase{"row_stochastic_matrix", []int{2, 2}, nil}, []float64{0.5, 0.25, 0.5, 0.5}, " row 2 sums to 0.75, but must sum to 1"},
		{transformCase{"column_stochastic_matrix", []int{2, 2}, nil}, []float64{0.5, 0.5, -1, 2}, "[1, 2] is -1, but must be greater than or equal to 0"},
		{transformCase{"sum_to_zero_vector", []int{2}, nil}, []float64{1, 1}, " sums to 2, but must sum to 0"},
		{transformCase{"sum_to_zero_matrix", []int{2, 2}, nil}, []float64{1, -1, 1, -1}, " row 1 sums to 2, but must sum to 0"},
		{transformCase{"unit_vector", []int{2}, nil}, []float64{1, 1}, " has squared length 2, but must have 1"},
		{transformCase{"corr_matrix", []int{2, 2}, nil}, []float64{1, 2, 2, 1}, " is not positive definite"},
		{transformCase{"cov_matrix", []int{2, 2}, nil}, []float64{1, 0, 0.5, 1}, " is not symmetric: [2, 1] is 0, but [1, 2] is 0.5"},
		{transformCase{"cholesky_factor_corr", []int{2, 2}, nil}, []float64{1, 1, 0, 1}, " row 2 has squared length 2, but must have 1"},
		{transformCase{"cholesky_factor_cov", []int{2, 2}, nil}, []float64{1, 1, 0, 0}, "[2, 2] is 0, but must be positive"},
	} {
		tr := lib.Transform(c.name)
		err := tr.Check(c.dims, c.x, c.args)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: error %q, want %q", c.name, err, c.want)
		}
		n, _ := tr.Free(c.dims)
		if err := tr.Unconstrain(c.dims, c.x, c.args, make([]float64, n)); err == nil {
			t.Errorf("%s: Unconstrain accepts %v", c.name, c.x)
		}
	}
}
