package bridge_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/normal"
)

// given is a method that has a density and as many draws as asked for.
type given struct {
	q *normal.Normal
	n int
}

func (given) Name() string { return "given" }

func (g given) Run(context.Context, infer.Model, infer.Options) (*infer.Posterior, error) {
	d := draws.New(1, nil, []string{"x"})
	for range g.n {
		d.Append(draws.Row{Values: []float64{0}})
	}
	return &infer.Posterior{Draws: d, Density: g.q, Chains: make([]infer.ChainReport, 1)}, nil
}

// The stated error covers, for normal approximations s times as wide as a normal posterior,
// over 200 seeds each. The weights have no variance for s < 0.71. Of the errors that are
// finite at most one in 20 may be missed by 2 of them and none by 4: with normal errors a
// false alarm in about 1,000 sets of seeds. For s = 0.5 at most one in 20 may be finite,
// and for s = 1 the mean stated error at most twice the actual one.
func TestErrorFromApproximation(t *testing.T) {
	if testing.Short() {
		t.Skip("1,200 estimates and their replicates: seconds")
	}
	const seeds = 200
	for _, dim := range []int{1, 3} {
		x, y := mat.NewDense(dim, dim, nil), make([]float64, dim)
		for i := range y {
			x.Set(i, i, 2)
			y[i] = 1
		}
		c := infertest.Conjugate("", x, y, 0.7)
		for _, s := range []float64{0.5, 0.6, 1} {
			sd := make([]float64, dim)
			for i := range sd {
				sd[i] = s * c.SD[i]
			}
			m := method(t, given{normal.NewDiagonal(c.Mean, sd), 1000})
			var finite, missed int
			var square, stated float64
			for seed := range uint64(seeds) {
				e := infertest.Fit(t, m, c.Model, infer.Options{Seed: seed}).LogEvidence
				off := math.Abs(e.Value - c.LogEvidence)
				square += off * off / seeds
				if math.IsInf(e.Error, 1) {
					continue
				}
				finite++
				stated += e.Error
				if off > 2*e.Error {
					missed++
				}
				if off > 4*e.Error {
					t.Errorf("dimension %d, s = %g, seed %d: off by %.4f, stated %.4f", dim, s, seed, off, e.Error)
				}
			}
			actual := math.Sqrt(square)
			stated /= float64(finite)
			t.Logf("dimension %d, s = %g: finite in %d of %d, off by %.4f, stated %.4f, missed by two errors %d", dim, s, finite, seeds, actual, stated, missed)
			switch {
			case 20*missed > max(finite, 20):
				t.Errorf("dimension %d, s = %g: %d of %d finite errors are missed by two", dim, s, missed, finite)
			case s == 0.5 && 20*finite > seeds:
				t.Errorf("dimension %d: %d of %d errors are finite though the weights have no variance", dim, finite, seeds)
			case s == 1 && (finite < seeds || stated > 2*actual):
				t.Errorf("dimension %d: %d of %d errors are finite, %.5f where it is off by %.5f", dim, finite, seeds, stated, actual)
			}
		}
	}
}
