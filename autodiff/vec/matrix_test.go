package vec

// This file tests the products of matrices and the Bernoulli kernel.

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// use makes an implementation the one in use until the test ends.
func use(t testing.TB, s *set) {
	best := kernels
	t.Cleanup(func() { kernels = best })
	kernels = s
}

// withKernels runs a test in every implementation, the portable one first.
func withKernels(t *testing.T, f func(s *set)) {
	all := sets()
	slices.Reverse(all)
	for _, s := range all {
		use(t, s)
		f(s)
	}
}

func normals(n int, rng *rand.Rand) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func TestMatrix(t *testing.T) {
	rng := rand.New(rand.NewChaCha8([32]byte{10}))
	for range 300 {
		rows, cols := 1+rng.IntN(150), 1+rng.IntN(40)
		if rng.IntN(10) == 0 {
			rows += 600
		}
		stride := rows + rng.IntN(5)
		a, x, v := normals(stride*cols, rng), normals(cols, rng), normals(rows, rng)
		want := make([]float64, rows)
		for i := range want {
			for j := range x {
				want[i] += a[j*stride+i] * x[j]
			}
		}
		var first, firstT []float64
		withKernels(t, func(s *set) {
			z, g := make([]float64, rows), make([]float64, cols)
			AddMatVec(z, a[:stride*(cols-1)+rows], stride, x)
			MatTVec(g, a[:stride*(cols-1)+rows], stride, v)
			if first == nil {
				first, firstT = z, g
			}
			for i := range z {
				if !same(z[i], first[i]) || math.Abs(z[i]-want[i]) > 1e-12*float64(cols) {
					t.Fatalf("%s, %dx%d: element %d is %v; portable %v, plainly %v", s.name, rows, cols, i, z[i], first[i], want[i])
				}
			}
			for j := range g {
				if column := Dot(a[j*stride:][:rows], v); !same(g[j], column) || !same(g[j], firstT[j]) {
					t.Fatalf("%s, %dx%d: dot of column %d is %v, want %v", s.name, rows, cols, j, g[j], column)
				}
			}
		})
	}
}

func TestBernoulliLogit(t *testing.T) {
	rng := rand.New(rand.NewChaCha8([32]byte{11}))
	for _, n := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 31, 100, 1003, 8003, 20001} {
		y, eta := make([]float64, n), make([]float64, n)
		want, size := 0.0, 0.0
		slope := make([]float64, n)
		for i := range y {
			y[i], eta[i] = float64(rng.IntN(2)), 4*rng.NormFloat64()
			if rng.IntN(20) == 0 {
				eta[i] *= 100
			}
			z := (2*y[i] - 1) * eta[i]
			term := math.Min(z, 0) - math.Log1p(math.Exp(-math.Abs(z)))
			want += term
			size -= term
			slope[i] = y[i] - 1/(1+math.Exp(-eta[i]))
		}
		var first float64
		started := false
		withKernels(t, func(s *set) {
			d := make([]float64, n)
			got := BernoulliLogit(d, y, eta)
			if !started {
				first, started = got, true
			}
			if !same(got, first) || math.Abs(got-want) > 1e-12*(1+size) {
				t.Errorf("%s, %d outcomes: %v; portable %v, one by one %v", s.name, n, got, first, want)
			}
			for i := range d {
				if math.Abs(d[i]-slope[i]) > 1e-14 {
					t.Fatalf("%s: slope at y = %v, eta = %v is %v, want %v", s.name, y[i], eta[i], d[i], slope[i])
				}
			}
		})
	}
}

func TestSumLog(t *testing.T) {
	rng := rand.New(rand.NewChaCha8([32]byte{14}))
	for _, n := range []int{1, 2, 5, 8, 13, 100, 8001, 20000} {
		x := make([]float64, n)
		want, size := 0.0, 0.0
		for i := range x {
			x[i] = math.Exp(600 * (rng.Float64() - 0.5))
			want += math.Log(x[i])
			size += math.Abs(math.Log(x[i]))
		}
		first := math.NaN()
		withKernels(t, func(s *set) {
			got := SumLog(x)
			if first != first {
				first = got
			}
			if !same(got, first) || math.Abs(got-want) > 1e-13*size {
				t.Errorf("%s, %d numbers: %v; portable %v, one by one %v", s.name, n, got, first, want)
			}
		})
	}
	for x, want := range map[float64]float64{0: math.Inf(-1), -1: math.NaN(), 5e-324: -744.4400719213812, math.Inf(1): math.Inf(1)} {
		if got := SumLog([]float64{1, x}); !same(got, want) {
			t.Errorf("sum of logarithms with %v is %v, want %v", x, got, want)
		}
	}
}

func TestAddSegments(t *testing.T) {
	rng := rand.New(rand.NewChaCha8([32]byte{16}))
	var at, ends []int32
	end := int32(0)
	for s := range 60 {
		end += 1 + int32(rng.IntN(40))
		at, ends = append(at, int32((7*s)%61)), append(ends, end)
	}
	x := normals(int(end), rng)
	withKernels(t, func(s *set) {
		out := make([]float64, 61)
		AddSegments(out, at, ends, x)
		start := int32(0)
		for i, a := range at {
			if want := Sum(x[start:ends[i]]); !same(out[a], want) {
				t.Errorf("%s: segment %d is %v, want %v", s.name, i, out[a], want)
			}
			start = ends[i]
		}
	})
}
