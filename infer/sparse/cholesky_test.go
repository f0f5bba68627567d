package sparse_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/sparse"
)

// arrow is the precision of groups with two numbers each and two common ones: element
// (i, j) of the matrix.
func arrow(groups int) (n int, pairs [][2]int, at func(i, j int) float64) {
	n = 2*groups + 2
	for g := range groups {
		pairs = append(pairs, [2]int{2 * g, 2*g + 1}, [2]int{2 * g, n - 2}, [2]int{2*g + 1, n - 1})
	}
	return n, pairs, func(i, j int) float64 {
		if i > j {
			i, j = j, i
		}
		switch {
		case i == j && i >= n-2:
			return float64(groups) + 0.5
		case i == j:
			return 3
		case j < n-2 && i/2 == j/2:
			return 0.7
		case j == n-2 && i%2 == 0 || j == n-1 && i < n-2 && i%2 == 1:
			return -1
		}
		return 0
	}
}

// TestDraw compares mean and covariance of draws with a solution and an inverse by
// Gauss elimination. The bound of 4.9 standard errors is exceeded by chance about once
// in 10,000 runs, given the number of comparisons.
func TestDraw(t *testing.T) {
	n, pairs, at := arrow(4)
	p := sparse.NewPattern(n, pairs)
	if p.Size() > n+3*4+4+1 {
		t.Errorf("%d elements in the factor: the groups were not eliminated first", p.Size())
	}
	f := p.NewFactor()
	cov := inverse(n, at)
	b := func(i int) float64 { return 0.3 * float64(i-3) }
	rng := rand.New(rand.NewPCG(1, 2))
	const draws = 40000
	sum, square := make([]float64, n), make([]float64, n*n)
	for range draws {
		clear(f.Matrix)
		for i := range n {
			f.Matrix[p.At(i, i)] = at(i, i)
			f.Vector[p.Place(i)] = b(i)
		}
		for _, e := range pairs {
			f.Matrix[p.At(e[0], e[1])] = at(e[0], e[1])
		}
		if !f.Draw(rng) {
			t.Fatal("not positive definite")
		}
		for i := range n {
			sum[i] += f.Vector[p.Place(i)]
			for j := range n {
				square[i*n+j] += f.Vector[p.Place(i)] * f.Vector[p.Place(j)]
			}
		}
	}
	mean := make([]float64, n)
	for i := range n {
		for j := range n {
			mean[i] += cov[i*n+j] * b(j)
		}
		if d := math.Abs(sum[i]/draws - mean[i]); d > 4.9*math.Sqrt(cov[i*n+i]/draws) {
			t.Errorf("mean %d is %v, want %v", i, sum[i]/draws, mean[i])
		}
	}
	for i := range n {
		for j := range n {
			got := square[i*n+j]/draws - sum[i]/draws*sum[j]/draws
			want := cov[i*n+j]
			if se := math.Sqrt((cov[i*n+i]*cov[j*n+j] + want*want) / draws); math.Abs(got-want) > 4.9*se {
				t.Errorf("covariance %d, %d is %v, want %v", i, j, got, want)
			}
		}
	}
}

func TestIndefinite(t *testing.T) {
	p := sparse.NewPattern(2, [][2]int{{0, 1}})
	f := p.NewFactor()
	copy(f.Matrix, []float64{1, 2, 1})
	if f.Draw(rand.New(rand.NewPCG(1, 2))) {
		t.Error("drawn with an indefinite precision")
	}
}

func TestDrawAllocates(t *testing.T) {
	p := sparse.NewPattern(3, [][2]int{{0, 1}})
	f := p.NewFactor()
	rng := rand.New(rand.NewPCG(1, 2))
	if n := testing.AllocsPerRun(10, func() {
		clear(f.Matrix)
		for i := range 3 {
			f.Matrix[p.At(i, i)] = 1
		}
		f.Draw(rng)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// inverse is by Gauss elimination without pivots, for a positive definite matrix.
func inverse(n int, at func(i, j int) float64) []float64 {
	a, inv := make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		inv[i*n+i] = 1
		for j := range n {
			a[i*n+j] = at(i, j)
		}
	}
	for k := range n {
		d := a[k*n+k]
		for j := range n {
			a[k*n+j] /= d
			inv[k*n+j] /= d
		}
		for i := range n {
			if i == k {
				continue
			}
			f := a[i*n+k]
			for j := range n {
				a[i*n+j] -= f * a[k*n+j]
				inv[i*n+j] -= f * inv[k*n+j]
			}
		}
	}
	return inv
}
