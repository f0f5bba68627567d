package dense

// This file holds the operations against their definitions, on all small sizes.

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func random(rng *rand.Rand, rows, cols int) Matrix {
	x := make([]float64, rows*cols)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return Of(rows, cols, x)
}

func clone(m Matrix) Matrix {
	m.X = append([]float64(nil), m.X...)
	return m
}

// spd is a random symmetric matrix with eigenvalues above 1/2.
func spd(rng *rand.Rand, n int) Matrix {
	a, b := Of(n, n, make([]float64, n*n)), random(rng, n, n)
	for i := range n {
		for j := range i + 1 {
			sum := 0.0
			for k := range n {
				sum += b.At(i, k) * b.At(j, k)
			}
			a.X[i+j*n], a.X[j+i*n] = sum/float64(n), sum/float64(n)
		}
		a.X[i+i*n] += 0.5
	}
	return a
}

// lower is a random lower triangular matrix, well conditioned, with NaN above the
// diagonal, which nobody may read.
func lower(rng *rand.Rand, n int) Matrix {
	l := random(rng, n, n)
	for j := range n {
		for i := range n {
			switch {
			case i < j:
				l.X[i+j*n] = math.NaN()
			case i == j:
				l.X[i+j*n] = 1 + rng.Float64()
			default:
				l.X[i+j*n] /= float64(n)
			}
		}
	}
	return l
}

// zeroAbove clears the upper triangle.
func zeroAbove(l Matrix) {
	for j := range l.Cols {
		clear(l.column(j)[:min(j, l.Rows)])
	}
}

// times is A B by the definition; NaN in a triangle that does not count is left out.
func times(a, b Matrix) Matrix {
	c := Of(a.Rows, b.Cols, make([]float64, a.Rows*b.Cols))
	for i := range c.Rows {
		for j := range c.Cols {
			for k := range a.Cols {
				if v := a.At(i, k) * b.At(k, j); !math.IsNaN(v) {
					c.X[i+j*c.Rows] += v
				}
			}
		}
	}
	return c
}

// near compares all elements, or those of the lower triangle.
func near(t *testing.T, what string, got, want Matrix, triangle bool) {
	t.Helper()
	for j := range want.Cols {
		for i := range want.Rows {
			if triangle && i < j {
				continue
			}
			g, w := got.At(i, j), want.At(i, j)
			if !(math.Abs(g-w) <= 1e-13*float64(10+want.Rows)*(1+math.Abs(w))) {
				t.Fatalf("%s, %d by %d: [%d, %d] is %v, want %v", what, want.Rows, want.Cols, i, j, g, w)
			}
		}
	}
}

// sizes are all small ones, and some beyond each limit of splitting and packing.
func sizes() []int {
	var all []int
	for n := range 70 {
		all = append(all, n+1)
	}
	return append(all, 97, 193, 260)
}

func TestProduct(t *testing.T) {
	rng := rand.New(rand.NewChaCha8([32]byte{1}))
	for _, n := range sizes() {
		m, k := 1+rng.IntN(2*n), 1+rng.IntN(2*n)
		if n < 5 {
			m, k = 1+rng.IntN(40), 1+rng.IntN(40)
		}
		for form := range 8 {
			a, b, c := random(rng, m, k), random(rng, k, n), random(rng, m, n)
			if form&1 != 0 {
				a = random(rng, k, m).T()
			}
			if form&2 != 0 {
				b = random(rng, n, k).T()
			}
			if form&4 != 0 {
				c = random(rng, n, m).T()
			}
			want, got := times(a, b), clone(c)
			for j := range n {
				for i := range m {
					want.X[i+j*m] += c.At(i, j)
				}
			}
			AddMul(got, a, b)
			near(t, "A B + C", got, want, false)
			SubMul(got, a, b)
			near(t, "C again", got, c, false)
		}
	}
}

func TestProductLower(t *testing.T) {
	rng := rand.New(rand.NewChaCha8([32]byte{2}))
	for _, n := range sizes() {
		k := 1 + rng.IntN(2*n)
		a, c := random(rng, n, k), random(rng, n, n)
		want, got := times(a, a.T()), clone(c)
		for i := range want.X {
			want.X[i] = c.X[i] - want.X[i]
		}
		SubMulLower(got, a, a.T())
		near(t, "C - A A'", got, want, true)
		for j := range n {
			for i := range j {
				if got.At(i, j) != c.At(i, j) {
					t.Fatalf("size %d: [%d, %d] above the diagonal was written", n, i, j)
				}
			}
		}
		AddMulLower(got, a, a.T())
		near(t, "C again", got, c, true)
	}
}

func TestSolve(t *testing.T) {
	rng := rand.New(rand.NewChaCha8([32]byte{3}))
	for _, n := range sizes() {
		l := lower(rng, n)
		for _, m := range []int{1, 2, 1 + rng.IntN(50)} {
			for _, b := range []Matrix{random(rng, n, m), random(rng, m, n).T()} {
				x := clone(b)
				SolveLower(l, x)
				near(t, "L X", times(l, x), b, false)
				x = clone(b)
				SolveLowerT(l, x)
				near(t, "L' X", times(l.T(), x), b, false)
			}
		}
	}
}

func TestInverse(t *testing.T) {
	rng := rand.New(rand.NewChaCha8([32]byte{4}))
	for _, n := range sizes() {
		l := lower(rng, n)
		zeroAbove(l)
		x := clone(l)
		InvertLower(x)
		one := Of(n, n, make([]float64, n*n))
		for i := range n {
			one.X[i+i*n] = 1
		}
		near(t, "L times its inverse", times(l, x), one, true)
		gram := Of(n, n, make([]float64, n*n))
		AddGramLower(gram, x)
		near(t, "W'W", gram, times(x.T(), x), true)
	}
}

func TestCholesky(t *testing.T) {
	rng := rand.New(rand.NewChaCha8([32]byte{5}))
	for _, n := range sizes() {
		a := spd(rng, n)
		l := clone(a)
		if !Cholesky(l) {
			t.Fatalf("size %d: not positive definite", n)
		}
		for j := range n {
			for i := range j {
				if l.At(i, j) != a.At(i, j) {
					t.Fatalf("size %d: [%d, %d] above the diagonal was written", n, i, j)
				}
				l.X[i+j*n] = math.NaN()
			}
		}
		near(t, "L L'", times(l, l.T()), a, false)

		bad := clone(a)
		at := rng.IntN(n)
		bad.X[at*(n+1)] = -1
		if Cholesky(bad) {
			t.Fatalf("size %d: taken as positive definite with element %d of the diagonal -1", n, at)
		}
	}
}

// TestCholeskyReverse holds the derivative of sum(F .* L) against differences along a
// random direction (relative error of the second order in the step).
func TestCholeskyReverse(t *testing.T) {
	rng := rand.New(rand.NewChaCha8([32]byte{6}))
	for _, n := range sizes() {
		a, f, dir := spd(rng, n), random(rng, n, n), random(rng, n, n)
		at := func(step float64) float64 {
			l := clone(a)
			for j := range n {
				for i := j; i < n; i++ {
					l.X[i+j*n] += step * dir.At(i, j)
				}
			}
			if !Cholesky(l) {
				t.Fatalf("size %d: not positive definite", n)
			}
			sum := 0.0
			for j := range n {
				for i := j; i < n; i++ {
					sum += f.At(i, j) * l.At(i, j)
				}
			}
			return sum
		}
		l := clone(a)
		Cholesky(l)
		g := clone(f)
		CholeskyReverse(l, g)
		got, scale := 0.0, 0.0
		for j := range n {
			for i := j; i < n; i++ {
				got += g.At(i, j) * dir.At(i, j)
				scale += math.Abs(g.At(i, j) * dir.At(i, j))
			}
		}
		const h = 1e-5
		want := (at(h) - at(-h)) / (2 * h)
		if !(math.Abs(got-want) <= 1e-6*(1+scale)) {
			t.Fatalf("size %d: derivative %v, differences give %v", n, got, want)
		}
	}
}

func TestMirror(t *testing.T) {
	rng := rand.New(rand.NewChaCha8([32]byte{7}))
	for _, n := range sizes() {
		m := random(rng, n, n)
		want := clone(m)
		for j := range n {
			for i := range j {
				want.X[i+j*n] = want.X[j+i*n]
			}
		}
		MirrorLower(m)
		if d := cmp.Diff(want.X, m.X); d != "" {
			t.Fatal(d)
		}
	}
}

func TestSelf(t *testing.T) {
	rng := rand.New(rand.NewChaCha8([32]byte{10}))
	for _, n := range sizes() {
		l, f := lower(rng, n), random(rng, n, n)
		l.Cols = 1 + rng.IntN(n)
		c := random(rng, n, n)
		want, got := times(l, l.T()), clone(c)
		for i := range want.X {
			want.X[i] += c.X[i]
		}
		AddSelfLower(got, l)
		near(t, "C + L L'", got, want, true)

		sym := clone(f)
		for j := range n {
			for i := range n {
				sym.X[i+j*n] = f.At(i, j) + f.At(j, i)
			}
		}
		dl := Of(n, l.Cols, make([]float64, n*l.Cols))
		AddSelfReverse(dl, f, l)
		near(t, "(F + F') L", dl, times(sym, l), true)
		for j := range l.Cols {
			for i := range j {
				if dl.At(i, j) != 0 {
					t.Fatalf("size %d: [%d, %d] above the diagonal was written", n, i, j)
				}
			}
		}
	}
}

func TestAsymmetry(t *testing.T) {
	rng := rand.New(rand.NewChaCha8([32]byte{11}))
	for _, n := range sizes() {
		m := spd(rng, n)
		if i, j := Asymmetry(m, 1e-8); i != -1 || j != -1 {
			t.Fatalf("size %d: [%d, %d] in a symmetric matrix", n, i, j)
		}
		if n == 1 {
			continue
		}
		row := 1 + rng.IntN(n-1)
		col := rng.IntN(row)
		for _, v := range []float64{1e3, math.NaN()} {
			m.X[col+row*n] = v
			if i, j := Asymmetry(m, 1e-8); i != row || j != col {
				t.Fatalf("size %d: [%d, %d], want [%d, %d]", n, i, j, row, col)
			}
		}
	}
}

func TestAllocations(t *testing.T) {
	if raced {
		t.Skip("the race detector makes pools allocate")
	}
	rng := rand.New(rand.NewChaCha8([32]byte{8}))
	for _, n := range []int{3, 16, 60, 200} {
		a, l, f, c := spd(rng, n), random(rng, n, n), random(rng, n, n), random(rng, n, n)
		run := func() {
			copy(l.X, a.X)
			Cholesky(l)
			zeroAbove(l)
			CholeskyReverse(l, f)
			SolveLower(l, c)
			SolveLowerT(l, c.T())
			AddMul(c, l, f)
			InvertLower(l)
			AddGramLower(c, l)
		}
		run()
		if got := testing.AllocsPerRun(10, run); got != 0 {
			t.Errorf("size %d: %v allocations", n, got)
		}
	}
}
