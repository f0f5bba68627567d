package dense

// This file holds factorisations of badly conditioned matrices against those in numbers of
// 300 bits.

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

const precision = 300

func exactly(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// withCondition is a symmetric matrix with eigenvalues from 1 to 1/c: reflections of a
// diagonal one. Rounding it changes the condition number little while c is below 2^53.
func withCondition(rng *rand.Rand, n int, c float64) Matrix {
	a := Of(n, n, make([]float64, n*n))
	for i := range n {
		a.X[i*(n+1)] = math.Pow(c, -float64(i)/float64(n-1))
	}
	for range 3 {
		v := random(rng, n, 1)
		norm := dot(v.X, v.X)
		w := times(a, v) // a - v u' - u v' with u = 2 w/|v|^2 - 2 v (v'w)/|v|^4
		u := clone(w)
		for i := range u.X {
			u.X[i] = 2*w.X[i]/norm - 2*v.X[i]*dot(v.X, w.X)/(norm*norm)
		}
		for j := range n {
			for i := range j + 1 {
				x := a.At(i, j) - v.X[i]*u.X[j] - u.X[i]*v.X[j]
				a.X[i+j*n], a.X[j+i*n] = x, x
			}
		}
	}
	return a
}

// exactCholesky is the factor, lower[i][j] with j <= i.
func exactCholesky(a Matrix) [][]*big.Float {
	l := make([][]*big.Float, a.Rows)
	for i := range l {
		for j := range i + 1 {
			sum := exactly(a.At(i, j))
			for k := range j {
				sum.Sub(sum, new(big.Float).Mul(l[i][k], l[j][k]))
			}
			if i == j {
				sum.Sqrt(sum)
			} else {
				sum.Quo(sum, l[j][j])
			}
			l[i] = append(l[i], sum)
		}
	}
	return l
}

// exactSolution solves L L' x = b.
func exactSolution(l [][]*big.Float, b []float64) []*big.Float {
	n := len(l)
	x := make([]*big.Float, n)
	for i := range n {
		x[i] = exactly(b[i])
		for k := range i {
			x[i].Sub(x[i], new(big.Float).Mul(l[i][k], x[k]))
		}
		x[i].Quo(x[i], l[i][i])
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i].Sub(x[i], new(big.Float).Mul(l[k][i], x[k]))
		}
		x[i].Quo(x[i], l[i][i])
	}
	return x
}

// distance is the largest difference, relative to the largest number.
func distance(got []float64, want []*big.Float) float64 {
	diff, size := 0.0, 0.0
	for i, w := range want {
		d, _ := new(big.Float).Sub(exactly(got[i]), w).Float64()
		v, _ := w.Float64()
		diff, size = math.Max(diff, math.Abs(d)), math.Max(size, math.Abs(v))
	}
	return diff / size
}

func TestCondition(t *testing.T) {
	rng := rand.New(rand.NewChaCha8([32]byte{12}))
	for _, n := range []int{8, 16, 17, 33, 60} {
		for _, c := range []float64{1e2, 1e6, 1e10, 1e13} {
			a, b := withCondition(rng, n, c), random(rng, n, 3)
			limit := 10 * c * 0x1p-53
			l := clone(a)
			if !Cholesky(l) {
				t.Fatalf("size %d, condition %g: not positive definite", n, c)
			}
			exact := exactCholesky(a)
			var got []float64
			var want []*big.Float
			for i := range n {
				for j := range i + 1 {
					got, want = append(got, l.At(i, j)), append(want, exact[i][j])
				}
			}
			if d := distance(got, want); !(d <= limit) {
				t.Errorf("size %d, condition %g: factor off by %g, allowed %g", n, c, d, limit)
			}
			x := clone(b)
			SolveLower(l, x)
			SolveLowerT(l, x)
			w, inv := clone(l), Of(n, n, make([]float64, n*n))
			zeroAbove(w)
			InvertLower(w)
			AddGramLower(inv, w)
			MirrorLower(inv)
			y := Of(n, 3, make([]float64, n*3))
			AddMul(y, inv, b)
			for j := range 3 {
				want := exactSolution(exact, b.column(j))
				if d := distance(x.column(j), want); !(d <= limit) {
					t.Errorf("size %d, condition %g: solution off by %g, allowed %g", n, c, d, limit)
				}
				if d := distance(y.column(j), want); !(d <= limit) {
					t.Errorf("size %d, condition %g: solution by the inverse off by %g, allowed %g", n, c, d, limit)
				}
			}
		}
	}
}
