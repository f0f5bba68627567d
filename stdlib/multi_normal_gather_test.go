package stdlib_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib"
)

// TestGatheredDerivatives: where the vectors are data and their mean is one vector, derivatives
// are those of the vectors one by one, which are computed where theirs are asked for, too.
func TestGatheredDerivatives(t *testing.T) {
	lib := stdlib.New()
	for _, name := range []string{"multi_normal", "multi_normal_cholesky", "multi_student_t", "multi_student_t_cholesky"} {
		for _, size := range [][2]int{{1, 1}, {3, 2}, {70, 5}, {40, 33}} {
			n, k := size[0], size[1]
			f := lib.Functions(name + "_lpdf")[0]
			args := ellipticalArguments(name, n, k)
			all, part := derivatives(t, f, args, false), derivatives(t, f, args, true)
			for i := 1; i < len(args); i++ {
				for j, v := range part[i] {
					if want := all[i][j]; math.Abs(v-want) > 1e-11*(1+math.Abs(want)) {
						t.Fatalf("%s of %d vectors of %d: derivative %d of argument %d is %g, should be %g", name, n, k, j, i, v, want)
					}
				}
			}
		}
	}
}

// ellipticalArguments are n vectors of k numbers, degrees of freedom for a Student, a mean and a
// matrix.
func ellipticalArguments(name string, n, k int) []stdlib.Tensor {
	r := rand.New(rand.NewPCG(uint64(n), uint64(k)))
	random := func(m int) []float64 {
		x := make([]float64, m)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return x
	}
	l := random(k * k)
	for j := range k {
		clear(l[j*k : j*k+j])
		l[j*k+j] = 2 + r.Float64()
	}
	matrix := l
	if name == "multi_normal" || name == "multi_student_t" {
		matrix = make([]float64, k*k)
		for i := range k {
			for j := range k {
				for m := range k {
					matrix[i+j*k] += l[i+m*k] * l[j+m*k]
				}
			}
		}
	}
	args := []stdlib.Tensor{{Rank: stdlib.Rank{Array: 1}, Dims: []int{n, k}, X: random(n * k)}}
	if name == "multi_student_t" || name == "multi_student_t_cholesky" {
		args = append(args, stdlib.Tensor{X: []float64{4.5}})
	}
	return append(args, stdlib.Tensor{Dims: []int{k}, X: random(k)}, stdlib.Tensor{Dims: []int{k, k}, X: matrix})
}

// derivatives are those of a density, without the first argument's where that is known.
func derivatives(t *testing.T, f *stdlib.Function, args []stdlib.Tensor, known bool) [][]float64 {
	t.Helper()
	din := make([][]float64, len(args))
	for i, a := range args {
		if i > 0 || !known {
			din[i] = make([]float64, len(a.X))
		}
	}
	if _, err := f.Kernel.ValueGrad(args, din, scratch(f.Kernel, args)); err != nil {
		t.Fatal(f.Name, err)
	}
	return din
}
