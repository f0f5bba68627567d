package sparse_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/sparse"
)

// chain is the precision of a chain: element (i, j) of the matrix.
func chain(n int) (pairs [][2]int, at func(i, j int) float64) {
	for i := range n - 1 {
		pairs = append(pairs, [2]int{i, i + 1})
	}
	return pairs, func(i, j int) float64 {
		switch {
		case i == j:
			return 2.5 + 0.1*float64(i%3)
		case i-j == 1 || j-i == 1:
			return -0.9 - 0.01*float64(min(i, j)%5)
		}
		return 0
	}
}

// TestInverse compares determinant, inverse, log density, gradient and draws with Gauss elimination.
// Variances of 40,000 draws are within 4.9 standard errors, which fails by chance once in
// 10,000 runs.
func TestInverse(t *testing.T) {
	n, arrows, arrowAt := arrow(5)
	links, chainAt := chain(14)
	for _, c := range []struct {
		name  string
		n     int
		pairs [][2]int
		at    func(i, j int) float64
	}{{"arrow", n, arrows, arrowAt}, {"chain", 14, links, chainAt}} {
		p := sparse.NewPattern(c.n, c.pairs)
		f := p.NewFactor()
		b := func(i int) float64 { return 0.3 * float64(i-3) }
		for i := range c.n {
			f.Matrix[p.At(i, i)], f.Vector[p.Place(i)] = c.at(i, i), b(i)
		}
		for _, e := range c.pairs {
			f.Matrix[p.At(e[0], e[1])] = c.at(e[0], e[1])
		}
		if !f.Draw(nil) {
			t.Fatal("not positive definite")
		}
		cov := inverse(c.n, c.at)
		got := make([]float64, p.Size())
		f.Inverse(got)
		near := func(what string, got, want float64) {
			t.Helper()
			if !(math.Abs(got-want) < 1e-11*(1+math.Abs(want))) {
				t.Errorf("%s: %s is %v, want %v", c.name, what, got, want)
			}
		}
		for i := range c.n {
			near("a variance", got[p.At(i, i)], cov[i*c.n+i])
		}
		for _, e := range c.pairs {
			near("a covariance", got[p.At(e[0], e[1])], cov[e[0]*c.n+e[1]])
		}
		near("the determinant's logarithm", f.LogDet(), logDet(c.n, c.at))
		d := f.Normal()
		rng := rand.New(rand.NewPCG(3, 4))
		x, grad, mean := make([]float64, c.n), make([]float64, c.n), make([]float64, c.n)
		for i := range c.n {
			for j := range c.n {
				mean[i] += cov[i*c.n+j] * b(j)
			}
			x[i] = rng.NormFloat64()
		}
		lp, want := d.LogDensity(x, grad), logDet(c.n, c.at)/2-float64(c.n)/2*math.Log(2*math.Pi)
		for i := range c.n {
			slope := 0.0
			for j := range c.n {
				slope -= c.at(i, j) * (x[j] - mean[j])
			}
			want += slope * (x[i] - mean[i]) / 2
			near("the gradient", grad[i], slope)
		}
		near("the log density", lp, want)
		const draws = 40000
		square := make([]float64, c.n)
		for range draws {
			d.Draw(rng, x)
			for i := range x {
				square[i] += (x[i] - mean[i]) * (x[i] - mean[i]) / draws
			}
		}
		for i, v := range square {
			if want := cov[i*c.n+i]; math.Abs(v/want-1) > 4.9*math.Sqrt(2.0/draws) {
				t.Errorf("%s: draws of number %d have mean square %v, want %v", c.name, i, v, want)
			}
		}
	}
}

// logDet is by Gauss elimination.
func logDet(n int, at func(i, j int) float64) float64 {
	a, sum := make([]float64, n*n), 0.0
	for i := range n {
		for j := range n {
			a[i*n+j] = at(i, j)
		}
	}
	for k := range n {
		sum += math.Log(a[k*n+k])
		for i := k + 1; i < n; i++ {
			f := a[i*n+k] / a[k*n+k]
			for j := k; j < n; j++ {
				a[i*n+j] -= f * a[k*n+j]
			}
		}
	}
	return sum
}
