// Package variate draws from normal, exponential and gamma distributions, and integers and orders at
// random, with the same bits on every processor.
//
// The methods of math/rand/v2 do not: NormFloat64 and ExpFloat64 call package math, products and
// sums are fused where the processor can, and IntN consumes a stream in another way where an int has
// 32 bits. The functions here are the same algorithms and, on a 64-bit processor that fuses nothing,
// give the same numbers.
//
// A *rand.Rand is for one goroutine; the functions keep nothing else.
package variate

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// strips are the tables of a ziggurat (Marsaglia and Tsang, The Ziggurat Method for Generating Random
// Variables, Journal of Statistical Software 5(8), 2000): a density is covered by strips of equal
// area, in strip i an integer below inside[i] times width[i] is a draw, and height is the density at
// the strip's end.
type strips struct {
	inside []uint32
	width  []float32
	height []float32
}

// newStrips builds n strips of one area for a decreasing density with density(0) = 1 and its inverse.
// The last strip ends at tail, beyond which the density's tail is; integers are below top.
func newStrips(n int, tail, area, top float64, density, inverse func(float64) float64) strips {
	s := strips{make([]uint32, n), make([]float32, n), make([]float32, n)}
	x := tail
	base := area / density(x)
	s.inside[0] = uint32(x / base * top)
	s.width[0], s.width[n-1] = float32(base/top), float32(x/top)
	s.height[0], s.height[n-1] = 1, float32(density(x))
	for i := n - 2; i >= 1; i-- {
		outer := x
		x = inverse(area/x + density(x))
		s.inside[i+1] = uint32(x / outer * top)
		s.width[i], s.height[i] = float32(x/top), float32(density(x))
	}
	return s
}

// above reports whether a uniform point of the height of strip i lies above the density.
func (s *strips) above(i int, u, density float64) bool {
	low := s.height[i]
	return low+float32(float32(u)*(s.height[i-1]-low)) >= float32(density)
}

const (
	normalTail      = 3.442619855899
	exponentialTail = 7.69711747013104972
)

var (
	normal = newStrips(128, normalTail, 9.91256303526217e-3, 1<<31, normalDensity,
		func(y float64) float64 { return math.Sqrt(-2 * libm.Log(y)) })
	exponential = newStrips(256, exponentialTail, 3.949659822581572e-3, 1<<32, exponentialDensity,
		func(y float64) float64 { return -libm.Log(y) })
)

func normalDensity(x float64) float64 { return libm.Exp(-0.5 * x * x) }

func exponentialDensity(x float64) float64 { return libm.Exp(-x) }

// Normal draws from the normal distribution with mean 0 and variance 1.
func Normal(r *rand.Rand) float64 {
	for {
		u := r.Uint64()
		j := int32(u)
		i := u >> 32 & 0x7f
		x := float64(j) * float64(normal.width[i])
		switch {
		case magnitude(j) < normal.inside[i]:
			return x
		case i == 0:
			return math.Copysign(normalTail+beyond(r), float64(j))
		case !normal.above(int(i), r.Float64(), normalDensity(x)):
			return x
		}
	}
}

func magnitude(i int32) uint32 {
	if i < 0 {
		return uint32(-i)
	}
	return uint32(i)
}

// beyond draws how far a normal number beyond normalTail exceeds it (Marsaglia, 1964).
func beyond(r *rand.Rand) float64 {
	for {
		x := -libm.Log(r.Float64()) * (1 / normalTail)
		y := -libm.Log(r.Float64())
		if y+y >= x*x {
			return x
		}
	}
}

// Exponential draws from the exponential distribution with mean 1.
func Exponential(r *rand.Rand) float64 {
	for {
		u := r.Uint64()
		j := uint32(u)
		i := u >> 32 & 0xff
		x := float64(j) * float64(exponential.width[i])
		switch {
		case j < exponential.inside[i]:
			return x
		case i == 0:
			return exponentialTail - libm.Log(r.Float64())
		case !exponential.above(int(i), r.Float64(), exponentialDensity(x)):
			return x
		}
	}
}

// IntN draws an integer from 0 to n-1, all equally likely; n must be positive (Lemire, Fast Random
// Integer Generation in an Interval, 2019).
func IntN[T int | int64](r *rand.Rand, n T) T {
	if n <= 0 {
		panic("variate: IntN of no numbers")
	}
	m := uint64(n)
	if m&(m-1) == 0 {
		return T(r.Uint64() & (m - 1))
	}
	high, low := bits.Mul64(r.Uint64(), m)
	if low < m {
		for least := -m % m; low < least; {
			high, low = bits.Mul64(r.Uint64(), m)
		}
	}
	return T(high)
}

// Shuffle puts n things into random order, all orders equally likely, by exchanges (Fisher and Yates).
func Shuffle(r *rand.Rand, n int, exchange func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		exchange(i, IntN(r, i+1))
	}
}

// LogGamma draws the logarithm of a gamma variate with a positive shape and rate 1 (Marsaglia and Tsang 2000; for
// shapes below 1 by the power of a uniform, on the log scale).
func LogGamma(rng *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return LogGamma(rng, shape+1) + libm.Log(rng.Float64())/shape
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := Normal(rng)
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = v * v * v
		if libm.Log(rng.Float64()) < float64(0.5*x*x)+d-float64(d*v)+float64(d*libm.Log(v)) {
			return libm.Log(d) + libm.Log(v)
		}
	}
}
