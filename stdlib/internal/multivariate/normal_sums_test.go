package multivariate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// TestSums: value and derivatives by sufficient statistics are those of the vectors one by one, for ill-conditioned
// matrices, means far from zero and constant columns, too.
func TestSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, form := range []ScaleForm{ByCovariance, ByCholesky, ByPrecision} {
		for k := 1; k <= 6; k++ {
			e := Elliptical{Fn: "density", Form: form}
			const n = 40
			y, mu, l := make([]float64, n*k), make([]float64, k), make([]float64, k*k)
			for i := range y {
				y[i] = 1000 + float64(math.Exp2(float64(i%k))*rng.NormFloat64())
				if k == 5 && i%k == 2 {
					y[i] = 999
				}
			}
			for j := range mu {
				mu[j] = 1000 + rng.NormFloat64()
				for i := j; i < k; i++ {
					l[i+j*k] = rng.NormFloat64()
				}
				l[j+j*k] = 0.1 + math.Abs(l[j+j*k])
			}
			in := []catalogue.Tensor{{Rank: catalogue.Rank{Array: 1}, Dims: []int{n, k}, X: y}, {Dims: []int{k}, X: mu}, {Dims: []int{k, k}, X: l}}
			if form != ByCholesky {
				in[2].X = make([]float64, k*k)
				for i := range k {
					for j := range k {
						for m := range k {
							in[2].X[i+j*k] += float64(l[i+m*k] * l[j+m*k])
						}
					}
				}
			}
			fn, stats, ok := e.Sums(in, nil)
			if !ok {
				t.Fatalf("form %d, %d columns: no statistics", form, k)
			}
			want, wantD := gradients(t, DensityKernel(e.sizes, e.work, e.log), in)
			in[0] = stats
			got, gotD := gradients(t, fn.Kernel, in)
			near(t, "value", got, want, math.Abs(want))
			for p := range wantD {
				largest := 0.0
				for _, v := range wantD[p] {
					largest = max(largest, math.Abs(v))
				}
				for i, v := range wantD[p] {
					near(t, "derivative", gotD[p][i], v, largest)
				}
			}
		}
	}
}

func gradients(t *testing.T, k *catalogue.Kernel, in []catalogue.Tensor) (float64, [][]float64) {
	t.Helper()
	d := [][]float64{make([]float64, len(in[1].X)), make([]float64, len(in[2].X))}
	v, err := k.ValueGrad(in, [][]float64{nil, d[0], d[1]}, make([]float64, k.Work(in)))
	if err != nil {
		t.Fatal(err)
	}
	return v, d
}

func near(t *testing.T, what string, got, want, size float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*size) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
