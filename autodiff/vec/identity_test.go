package vec

// This file holds every implementation against the definitions, bit by bit.

import (
	"math"
	"math/rand/v2"
	"testing"
)

// points are numbers of all kinds: every exponent alike, everyday sizes, and edges.
func points(n int, seed byte) []float64 {
	rng := rand.New(rand.NewChaCha8([32]byte{seed}))
	edges := []float64{0, math.Copysign(0, -1), 1, -1, 2, 0.5, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, -5e-324,
		0x1p-1022, 0x1p-1023, math.MaxFloat64, -math.MaxFloat64, math.Sqrt2, math.Sqrt2 / 2, 709.78, 709.79, 710, -745.1, -745.2, -746, -708.4}
	x := make([]float64, n)
	for i := range x {
		switch rng.IntN(8) {
		case 0:
			x[i] = math.Float64frombits(rng.Uint64())
		case 1:
			x[i] = edges[rng.IntN(len(edges))]
		case 2:
			x[i] = -708 - 40*rng.Float64() // exponentials that are subnormal
		case 3:
			x[i] = 1 + 0.01*rng.NormFloat64()
		default:
			x[i] = 10 * rng.NormFloat64()
		}
	}
	return x
}

func TestIdentity(t *testing.T) {
	n := 1 << 18
	if testing.Short() {
		n = 1 << 14
	}
	x, y := points(n, 2), points(n, 3)
	got, want := make([]float64, n), make([]float64, n)
	check := func(s *set, what string, f int) {
		for i := range want {
			if !same(got[i], want[i]) {
				t.Fatalf("%s, %s %d of %v and %v: %v, want %v", s.name, what, f, x[i], y[i], got[i], want[i])
			}
		}
	}
	for f := range numFuncs {
		for i, v := range x {
			want[i] = f.At(v)
		}
		withKernels(t, func(s *set) {
			f.Map(got, x)
			check(s, "function", int(f))
		})
	}
	for f := range numBinaries {
		withKernels(t, func(s *set) {
			f.Map(got, x, y)
			if s == portable {
				copy(want, got)
			}
			check(s, "operation", int(f))
		})
	}
}

// TestLengths runs all short lengths at all alignments; what lies beside the result must
// stay.
func TestLengths(t *testing.T) {
	x, y := points(64, 4), points(64, 5)
	for _, s := range sets() {
		use(t, s)
		for n := 1; n <= 40; n++ {
			for shift := range 8 {
				xs, ys := x[shift:], y[(3*shift)%8:]
				for f := range numFuncs {
					checkLength(t, s.name, n, shift, func(dst []float64) { f.Map(dst, xs) },
						func(i int) float64 { return f.At(xs[i]) })
				}
				for f := range numBinaries {
					checkLength(t, s.name, n, shift, func(dst []float64) { f.Map(dst, xs, ys) },
						func(i int) float64 { return scalars2[f](at(f, xs, ys, i)) })
				}
				if a, b := sum(&ys[0], n), sumPortable(&ys[0], n); !same(a, b) {
					t.Fatalf("%s: sum of %d is %v, want %v", s.name, n, a, b)
				}
				if a, b := dot(&xs[0], &ys[0], n), dotPortable(&xs[0], &ys[0], n); !same(a, b) {
					t.Fatalf("%s: dot of %d is %v, want %v", s.name, n, a, b)
				}
			}
		}
	}
}

var scalars2 = [numBinaries]func(x, y float64) float64{
	AddVV: add, AddVS: add, SubVV: sub, SubVS: sub, SubSV: sub, MulVV: mul, MulVS: mul, DivVV: div, DivVS: div, DivSV: div, ShiftVV: shift,
	PowVV: pow, PowVS: pow, PowSV: pow, LbetaVV: lbeta, LbetaVS: lbeta,
	LargerVV: larger, LargerVS: larger, SmallerVV: smaller, SmallerVS: smaller, EqualVV: equal, EqualVS: equal,
}

// at returns the arguments of element i.
func at(f Binary, x, y []float64, i int) (a, b float64) {
	switch f {
	case AddVS, SubVS, MulVS, DivVS, PowVS, LbetaVS, LargerVS, SmallerVS, EqualVS:
		return x[i], y[0]
	case SubSV, DivSV, PowSV:
		return x[0], y[i]
	}
	return x[i], y[i]
}

func checkLength(t *testing.T, name string, n, shift int, run func(dst []float64), want func(i int) float64) {
	t.Helper()
	const guard = 12345.678
	var buf [64]float64
	for i := range buf {
		buf[i] = guard
	}
	run(buf[shift : shift+n])
	for i, v := range buf {
		w := guard
		if i >= shift && i < shift+n {
			w = want(i - shift)
		}
		if !same(v, w) {
			t.Fatalf("%s, length %d, shift %d: element %d is %v, want %v", name, n, shift, i-shift, v, w)
		}
	}
}

// TestInPlace has the result in the argument's place.
func TestInPlace(t *testing.T) {
	for f := range numFuncs {
		x := points(100, 6)
		want := make([]float64, len(x))
		f.Map(want, x)
		f.Map(x, x)
		for i := range x {
			if !same(x[i], want[i]) {
				t.Fatalf("function %d in place: element %d is %v, want %v", f, i, x[i], want[i])
			}
		}
	}
}

func TestReductions(t *testing.T) {
	rng := rand.New(rand.NewChaCha8([32]byte{7}))
	for _, s := range sets() {
		use(t, s)
		for range 2000 {
			n := 1 + rng.IntN(300)
			x, y := make([]float64, n), make([]float64, n)
			total, dots, abs := 0.0, 0.0, 0.0
			for i := range x {
				x[i], y[i] = rng.NormFloat64(), rng.NormFloat64()
				total += x[i]
				dots += x[i] * y[i]
				abs += math.Abs(x[i]) + math.Abs(x[i]*y[i])
			}
			a, b := sum(&x[0], n), dot(&x[0], &y[0], n)
			if !same(a, sumPortable(&x[0], n)) || !same(b, dotPortable(&x[0], &y[0], n)) {
				t.Fatalf("%s: sum or dot of %d differs from the definition", s.name, n)
			}
			if math.Abs(a-total) > 1e-14*abs || math.Abs(b-dots) > 1e-14*abs {
				t.Fatalf("%s: sum %v, want %v; dot %v, want %v", s.name, a, total, b, dots)
			}
		}
	}
}

func TestWithin(t *testing.T) {
	for _, s := range sets() {
		use(t, s)
		for n := 1; n <= 40; n++ {
			for bad := -1; bad < n; bad++ {
				for _, v := range []float64{-1.5, 2.5, math.NaN(), math.Inf(1)} {
					x := make([]float64, n, n+1)
					x[n-1] = 2
					if x[:n+1][n] = 99; bad >= 0 {
						x[bad] = v
					}
					if got := within(&x[0], n, -1, 2); got != (bad < 0) {
						t.Fatalf("%s: %v within [-1, 2] is %v", s.name, x, got)
					}
				}
			}
		}
	}
}

func TestAddScaled(t *testing.T) {
	x, y := points(50, 12), points(50, 13)
	for _, s := range sets() {
		use(t, s)
		for n := 1; n <= len(x); n++ {
			got, a := append([]float64(nil), y...), 1.7
			addScaled(&got[0], &a, &x[0], &got[0], n)
			for i, v := range got {
				want := y[i]
				if i < n {
					want = math.FMA(a, x[i], y[i])
				}
				if !same(v, want) {
					t.Fatalf("%s, length %d: element %d is %v, want %v", s.name, n, i, v, want)
				}
			}
		}
	}
}

func TestEmpty(t *testing.T) {
	Exp.Map(nil, nil)
	AddVV.Map(nil, nil, nil)
	if Sum(nil) != 0 || Dot(nil, nil) != 0 {
		t.Error("the empty sum is not 0")
	}
}
