package mh

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// The moves of a batch are the root times its noise, and the factor that it makes is that of the
// plain loops: both up to rounding.
func TestBatch(t *testing.T) {
	for _, n := range []int{together, together + 1, 150} {
		a, r := make([]float64, n*n), rng.New(1, "batch", 0, 0)
		for i := range n {
			for j := range i + 1 {
				a[i*n+j] = math.Exp(-math.Abs(float64(i-j)) / 5)
				a[j*n+i] = a[i*n+j]
			}
		}
		b, plain := newBatch(n), &Kernel{n: n, proposal: &proposal{root: make([]float64, n*n)}}
		l := make([]float64, n*n)
		if !b.factorize(a, n, l, n) || !plain.factorize(a, n) {
			t.Fatal("not positive definite")
		}
		b.draw(r, l, 0.5, n)
		for i := range n {
			for j := range n {
				if math.Abs(l[i*n+j]-plain.root[i*n+j]) > 1e-13 {
					t.Fatalf("n = %d: the factors differ at %d, %d: %g and %g", n, i, j, l[i*n+j], plain.root[i*n+j])
				}
			}
		}
		for m := range n {
			for i := range n {
				want := 0.0
				for j := range i + 1 {
					want += l[i*n+j] * b.noise[m*n+j]
				}
				if got := b.moves[m*n+i]; math.Abs(got-want) > 1e-13 {
					t.Fatalf("n = %d: move %d has %g at %d, should have %g", n, m, got, i, want)
				}
			}
		}
		a[0] = -1
		if b.factorize(a, n, l, n) {
			t.Errorf("n = %d: a matrix with a negative diagonal has a factor", n)
		}
	}
}

// TestRankOfManyCoordinates is TestRankOfExactDraw where joint moves are made together; a
// p-value below 1e-4 fails.
func TestRankOfManyCoordinates(t *testing.T) {
	o := DefaultOptions()
	o.StepSize = 0.3
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	sd := make([]float64, together)
	for i := range sd {
		sd[i] = 1
	}
	c := infertest.Independent("", sd)
	k, _, err := m.NewKernel(c.Model.NewEvaluator(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if k.(*Kernel).batch == nil {
		t.Error("the moves are made one by one")
	}
	if p := infertest.CheckRank(t, c, k.(infer.Invertible), len(m.Stats()), 1000); p < 1e-4 {
		t.Errorf("p = %.2g", p)
	}
}
