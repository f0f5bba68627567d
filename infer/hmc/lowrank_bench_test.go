package hmc

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkDirections times the search for directions in windows of the early and the late
// part of a warm-up.
func BenchmarkDirections(b *testing.B) {
	for _, c := range [][2]int{{20, 4}, {160, 4}, {20, 10}, {160, 10}, {160, 60}} {
		n, dim := c[0], c[1]
		b.Run(fmt.Sprintf("n=%d/dim=%d", n, dim), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			q, g, scale2 := make([][]float64, n), make([][]float64, n), make([]float64, dim)
			for j := range scale2 {
				scale2[j] = 1
			}
			for i := range q {
				q[i], g[i] = make([]float64, dim), make([]float64, dim)
				for j := range dim {
					q[i][j] = r.NormFloat64()
					g[i][j] = -q[i][j]
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				estimateLowRank(q, g, scale2)
			}
		})
	}
}
