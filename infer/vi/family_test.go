package vi

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

func start() *normal.Normal {
	return normal.NewLower([]float64{1, -2, 0.5}, []float64{2, 0, 0, -0.5, 0.3, 0, 1, 0.7, 1.5})
}

var names = []string{MeanField, FullRank, LowRank}

// Places, log densities and covariances against the normal that the
// family says it is, before and after a step.
func TestFamiliesAreTheirNormal(t *testing.T) {
	r := rng.New(1, "family test", 0, 0)
	for _, name := range names {
		f := newFamily(name, start(), 2)
		for step := range 2 {
			n := f.normal()
			e, q := make([]float64, f.noise()), make([]float64, 3)
			for i := range e {
				e[i] = r.NormFloat64()
			}
			f.place([][]float64{e}, [][]float64{q})
			lq := f.logDensity(e)
			if d := n.LogDensity(q); math.Abs(lq-d) > 1e-9 {
				t.Errorf("%s, step %d: log q %.10g, the normal has %.10g", name, step, lq, d)
			}
			cov, out := make([]float64, 9), make([]float64, 3)
			n.Covariance(cov)
			h := []float64{0.3, -1, 2}
			f.covariance(h, out)
			for i := range 3 {
				c := mat.Dot(mat.NewVecDense(3, cov[3*i:3*i+3]), mat.NewVecDense(3, h))
				if math.Abs(out[i]-c) > 1e-9*(1+math.Abs(c)) {
					t.Errorf("%s, step %d: C h has %g at %d, the normal %g", name, step, out[i], i, c)
				}
			}
			f.collect(h, e)
			f.move([]float64{0.1, 0.2, -0.1}, 0.3, 1)
		}
	}
}

// On a normal target the expected direction of the scales is that of the
// bound: a small step along the average of many points raises it, and at the
// optimum fullrank does not move at all.
func TestStepsRaiseTheBound(t *testing.T) {
	cov := mat.NewSymDense(3, []float64{1, 0.5, 0.2, 0.5, 2, -0.3, 0.2, -0.3, 0.5})
	c := infertest.Gaussian("three", []float64{0, 1, 2}, cov)
	for _, name := range names {
		r := rng.New(2, "family test", 0, 0)
		f := newFamily(name, start(), 2)
		s := newStepper(c.Model.NewEvaluator(), f, r, 2000)
		bound := func() float64 { // E[log p] - E[log q], exactly
			n := f.normal()
			target, _ := newTarget(c.Mean, cov)
			return -normal.KL(n, target)
		}
		before := bound()
		for range 20 {
			s.limit, s.rate = 0.1, 0.1
			if _, err := s.step(); err != nil {
				t.Fatal(err)
			}
			after := bound()
			if after < before {
				t.Errorf("%s: the bound fell from %g to %g", name, before, after)
			}
			before = after
		}
	}
}

func newTarget(mean []float64, cov *mat.SymDense) (*normal.Normal, bool) {
	var chol mat.Cholesky
	ok := chol.Factorize(cov)
	var l mat.TriDense
	chol.LTo(&l)
	flat := make([]float64, 9)
	for i := range 3 {
		for j := range i + 1 {
			flat[3*i+j] = l.At(i, j)
		}
	}
	return normal.NewLower(append([]float64{}, mean...), flat), ok
}

func TestOptimumStandsStill(t *testing.T) {
	cov := mat.NewSymDense(3, []float64{1, 0.5, 0.2, 0.5, 2, -0.3, 0.2, -0.3, 0.5})
	c := infertest.Gaussian("three", []float64{0, 1, 2}, cov)
	target, _ := newTarget(c.Mean, cov)
	f := newFullRank(target)
	s := newStepper(c.Model.NewEvaluator(), f, rng.New(3, "family test", 0, 0), 10)
	for range 10 {
		if _, err := s.step(); err != nil {
			t.Fatal(err)
		}
	}
	got, want := make([]float64, 9), make([]float64, 9)
	f.normal().Covariance(got)
	target.Covariance(want)
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-14 {
			t.Errorf("element %d of the covariance moved by %g", i, got[i]-want[i])
		}
	}
	for i, m := range f.m {
		if math.Abs(m-c.Mean[i]) > 1e-14 {
			t.Errorf("mean %d moved by %g", i, m-c.Mean[i])
		}
	}
}

func TestNoAllocationsPerStep(t *testing.T) {
	c := infertest.Banana(0.7)
	for _, name := range names {
		s := newStepper(c.Model.NewEvaluator(), newFamily(name, normal.NewDiagonal([]float64{0, 0}, []float64{1, 1}), 1), rng.New(4, "family test", 0, 0), 10)
		if a := testing.AllocsPerRun(50, func() {
			if _, err := s.step(); err != nil {
				t.Fatal(err)
			}
		}); a != 0 {
			t.Errorf("%s: %g allocations", name, a)
		}
	}
}

// The sharpened bound of a mean field on a correlated normal: exactly
// log(2 pi) + sum(log sd), with far less error than plain draws would have.
func TestSharpen(t *testing.T) {
	c := infertest.Correlated(0.9)
	sd := math.Sqrt(1 - 0.81)
	q := normal.NewDiagonal([]float64{1, -2}, []float64{sd, sd})
	b, err := sharpen(c.Model.NewEvaluator(), q, rng.New(5, "family test", 0, 0))
	if err != nil {
		t.Fatal(err)
	}
	// log p = -x'Px/2, so E_q[log p] = -tr(P diag(sd^2))/2 = -1
	want := -1 + math.Log(2*math.Pi) + 1 + 2*math.Log(sd)
	if math.Abs(b.Value-want) > 5*b.Error || b.Error > 2e-3 {
		t.Errorf("bound %.6f +- %.2g, exactly %.6f", b.Value, b.Error, want)
	}
}
