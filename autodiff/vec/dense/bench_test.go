package dense

// This file times products and factorisations, in floating-point operations a second of
// the fastest of many short windows, which leaves out what disturbs a machine.

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

func rates(b *testing.B, flops func(n float64) float64, prepare func(rng *rand.Rand, n int) func()) {
	for _, n := range []int{5, 12, 25, 50, 100, 200, 400, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			run := prepare(rand.New(rand.NewChaCha8([32]byte{1})), n)
			run()
			b.ReportAllocs()
			window := 1 + 1_000_000/(n*n*n+1000)
			fastest := time.Hour
			for b.Loop() {
				start := time.Now()
				for range window {
					run()
				}
				fastest = min(fastest, time.Since(start))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(fastest.Nanoseconds())/float64(window), "ns")
			b.ReportMetric(flops(float64(n))*float64(window)/float64(fastest.Nanoseconds()), "GFLOP/s")
		})
	}
}

func BenchmarkProduct(b *testing.B) {
	rates(b, func(n float64) float64 { return 2 * n * n * n }, func(rng *rand.Rand, n int) func() {
		x, y, z := random(rng, n, n), random(rng, n, n), random(rng, n, n)
		return func() { AddMul(z, x, y) }
	})
}

func BenchmarkCholesky(b *testing.B) {
	rates(b, func(n float64) float64 { return n * n * n / 3 }, func(rng *rand.Rand, n int) func() {
		a := spd(rng, n)
		l := clone(a)
		return func() {
			copy(l.X, a.X)
			Cholesky(l)
		}
	})
}

// The reverse rule does twice the work.
func BenchmarkCholeskyReverse(b *testing.B) {
	rates(b, func(n float64) float64 { return 2 * n * n * n / 3 }, func(rng *rand.Rand, n int) func() {
		l, f := spd(rng, n), random(rng, n, n)
		Cholesky(l)
		g := clone(f)
		return func() {
			copy(g.X, f.X)
			CholeskyReverse(l, g)
		}
	})
}

func BenchmarkSolveLower(b *testing.B) {
	rates(b, func(n float64) float64 { return n * n * n }, func(rng *rand.Rand, n int) func() {
		l, f := spd(rng, n), random(rng, n, n)
		Cholesky(l)
		g := clone(f)
		return func() {
			copy(g.X, f.X)
			SolveLower(l, g)
		}
	})
}

func BenchmarkInverse(b *testing.B) {
	rates(b, func(n float64) float64 { return 2 * n * n * n / 3 }, func(rng *rand.Rand, n int) func() {
		l := spd(rng, n)
		Cholesky(l)
		zeroAbove(l)
		w, g := clone(l), clone(l)
		return func() {
			copy(w.X, l.X)
			InvertLower(w)
			clear(g.X)
			AddGramLower(g, w)
		}
	})
}
