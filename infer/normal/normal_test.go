package normal_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"

	own "github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// forms are all forms with the covariance that they should have.
func forms(t *testing.T) map[string]struct {
	n   *normal.Normal
	cov *mat.SymDense
} {
	t.Helper()
	type row = struct {
		n   *normal.Normal
		cov *mat.SymDense
	}
	mean := func() []float64 { return []float64{1, -2, 0.5} }
	l := []float64{2, 99, 99, -0.5, 0.3, 99, 1, 0.7, 1.5}
	low := mat.NewTriDense(3, mat.Lower, append([]float64(nil), l...))
	var cov, prec mat.SymDense
	cov.SymOuterK(1, low)
	var chol mat.Cholesky
	chol.Factorize(&cov)
	if err := chol.InverseTo(&prec); err != nil {
		t.Fatal(err)
	}
	out := map[string]row{
		"diagonal":  {normal.NewDiagonal(mean(), []float64{0.1, 2, 5}), mat.NewSymDense(3, []float64{0.01, 0, 0, 0, 4, 0, 0, 0, 25})},
		"lower":     {normal.NewLower(mean(), l), &cov},
		"precision": {normal.NewPrecision(mean(), l), &prec},
	}
	variance := []float64{0.5, 2, 1}
	for name, b := range map[string]*mat.Dense{
		"dependent":   mat.NewDense(3, 2, []float64{1, 2, -0.4, -0.8, 0.1, 0.2}),
		"spiked":      mat.NewDense(3, 2, []float64{1, 0.2, -0.4, 0.9, 0.1, 3}),
		"spiked wide": mat.NewDense(3, 4, []float64{1, 0.2, -0.4, 0.9, 0.1, 3, 0, 1, 2, 0.3, -0.7, 1}),
	} {
		_, k := b.Dims()
		g := mat.NewSymDense(k, nil)
		for i := range k {
			g.SetSym(i, i, 1)
		}
		g.SetSym(0, 1, 0.3)
		g.SetSym(0, 0, -0.2) // indefinite, as L-BFGS makes it
		n, err := normal.NewSpiked(mean(), variance, ours(b), ours(g))
		if err != nil {
			t.Fatal(err)
		}
		var c mat.Dense
		c.Product(b, g, b.T())
		s := mat.NewSymDense(3, nil)
		for i := range 3 {
			for j := range 3 {
				s.SetSym(i, j, c.At(i, j))
			}
		}
		for i, v := range variance {
			s.SetSym(i, i, s.At(i, i)+v)
		}
		out[name] = row{n, s}
	}
	return out
}

// Density against gonum's, gradient against differences, covariance and
// standard deviations against the matrix.
func TestNormal(t *testing.T) {
	for name, f := range forms(t) {
		ref, ok := distmv.NewNormal(f.n.Mean(), f.cov, nil)
		if !ok {
			t.Fatalf("%s: not positive definite", name)
		}
		q := []float64{0.3, 0.4, -1}
		if got, want := f.n.LogDensity(q), ref.LogProb(q); math.Abs(got-want) > 1e-10*math.Abs(want) {
			t.Errorf("%s: log density %.15g, gonum has %.15g", name, got, want)
		}
		checkGradient(t, name, f.n, q)
		c := make([]float64, 9)
		f.n.Covariance(c)
		sd := f.n.SD()
		for i := range 3 {
			for j := range 3 {
				if math.Abs(c[i*3+j]-f.cov.At(i, j)) > 1e-10*math.Abs(f.cov.At(i, i)) {
					t.Errorf("%s: covariance %d,%d is %g, expected %g", name, i, j, c[i*3+j], f.cov.At(i, j))
				}
			}
			if math.Abs(sd[i]*sd[i]/f.cov.At(i, i)-1) > 1e-10 {
				t.Errorf("%s: sd %d is %g", name, i, sd[i])
			}
		}
		// x'(R z) = (R'x)'z
		x, z, rz, rx := []float64{0.3, -2, 1}, []float64{1.5, 0.2, -0.7}, make([]float64, 3), make([]float64, 3)
		f.n.Place(z, rz)
		f.n.Pull(x, rx)
		var left, right float64
		for i := range 3 {
			left += x[i] * (rz[i] - f.n.Mean()[i])
			right += rx[i] * z[i]
		}
		if math.Abs(left-right) > 1e-10 {
			t.Errorf("%s: x'(Rz) = %g, (R'x)'z = %g", name, left, right)
		}
		if got, want := f.n.Entropy(), ref.Entropy(); math.Abs(got-want) > 1e-10 {
			t.Errorf("%s: entropy %g, gonum has %g", name, got, want)
		}
	}
}

// Divergences and conditional standard deviations against gonum and the inverse
// matrix.
func TestKLAndConditionals(t *testing.T) {
	all := forms(t)
	refs := map[string]*distmv.Normal{}
	for name, f := range all {
		refs[name], _ = distmv.NewNormal(f.n.Mean(), f.cov, nil)
		var chol mat.Cholesky
		var prec mat.SymDense
		chol.Factorize(f.cov)
		if err := chol.InverseTo(&prec); err != nil {
			t.Fatal(err)
		}
		for i, sd := range f.n.ConditionalSD() {
			if want := 1 / math.Sqrt(prec.At(i, i)); math.Abs(sd/want-1) > 1e-10 {
				t.Errorf("%s: conditional sd %d is %g, expected %g", name, i, sd, want)
			}
		}
	}
	other := normal.NewDiagonal([]float64{0, 1, 2}, []float64{0.5, 3, 1})
	cov := mat.NewSymDense(3, []float64{0.25, 0, 0, 0, 9, 0, 0, 0, 1})
	ref, _ := distmv.NewNormal(other.Mean(), cov, nil)
	for name, f := range all {
		for _, c := range []struct{ got, want float64 }{
			{normal.KL(f.n, other), distmv.KullbackLeibler{}.DistNormal(refs[name], ref)},
			{normal.KL(other, f.n), distmv.KullbackLeibler{}.DistNormal(ref, refs[name])},
		} {
			if math.Abs(c.got-c.want) > 1e-9*(1+c.want) {
				t.Errorf("%s: divergence %.12g, gonum has %.12g", name, c.got, c.want)
			}
		}
	}
}

func checkGradient(t *testing.T, name string, a infer.Approximation, q []float64) {
	t.Helper()
	grad := make([]float64, len(q))
	if a.LogDensityGrad(q, grad) != a.LogDensity(q) {
		t.Errorf("%s: the gradient comes with another value", name)
	}
	for i := range q {
		const h = 1e-5
		at := q[i]
		q[i] = at + h
		up := a.LogDensity(q)
		q[i] = at - h
		down := a.LogDensity(q)
		q[i] = at
		if d := (up - down) / (2 * h); math.Abs(d-grad[i]) > 1e-6*(1+math.Abs(d)) {
			t.Errorf("%s: gradient %d is %g, differences give %g", name, i, grad[i], d)
		}
	}
}

// Draws against mean and covariance, at 5 standard errors: 45 comparisons, a
// false alarm in 40,000 seeds.
func TestDraws(t *testing.T) {
	const n = 50000
	r := rng.New(1, "normal test", 0, 0)
	for name, f := range forms(t) {
		mean, c := make([]float64, 3), make([]float64, 9)
		q := make([]float64, 3)
		for range n {
			f.n.Draw(r, q)
			for i := range q {
				q[i] -= f.n.Mean()[i]
			}
			for i := range q {
				mean[i] += q[i] / n
				for j := range q {
					c[i*3+j] += q[i] * q[j] / n
				}
			}
		}
		for i := range 3 {
			vi := f.cov.At(i, i)
			if math.Abs(mean[i]) > 5*math.Sqrt(vi/n) {
				t.Errorf("%s: mean %d off by %g", name, i, mean[i])
			}
			for j := range 3 {
				v := f.cov.At(i, j)
				if math.Abs(c[i*3+j]-v) > 5*math.Sqrt((vi*f.cov.At(j, j)+v*v)/n) {
					t.Errorf("%s: covariance %d,%d is %g, expected %g", name, i, j, c[i*3+j], v)
				}
			}
		}
	}
}

func TestMixture(t *testing.T) {
	a := normal.NewDiagonal([]float64{-3}, []float64{0.5})
	b := normal.NewDiagonal([]float64{2}, []float64{1.5})
	m := normal.NewMixture([]*normal.Normal{a, b, a}, []float64{1, 3, 0})
	q := []float64{-1.2}
	want := math.Log(0.25*math.Exp(a.LogDensity(q)) + 0.75*math.Exp(b.LogDensity(q)))
	if got := m.LogDensity(q); math.Abs(got-want) > 1e-12 {
		t.Errorf("log density %g, by hand %g", got, want)
	}
	checkGradient(t, "mixture", m, q)
	const n = 40000
	r := rng.New(2, "mixture test", 0, 0)
	var mean float64
	for range n {
		m.Draw(r, q)
		mean += q[0] / n
	}
	if want, sd := 0.75, math.Sqrt(6.75); math.Abs(mean-want) > 5*sd/math.Sqrt(n) {
		t.Errorf("mean %g, exactly %g", mean, want)
	}
	if w := m.Weights(); len(w) != 2 || math.Abs(w[0]-0.25) > 1e-15 {
		t.Errorf("weights %v", w)
	}
}

func TestSpikedRefusesIndefinite(t *testing.T) {
	if _, err := normal.NewSpiked([]float64{0, 0}, []float64{1, 1}, ours(mat.NewDense(2, 1, []float64{1, 0})), ours(mat.NewSymDense(1, []float64{-2}))); err == nil {
		t.Error("a covariance with variance -1 was taken")
	}
	if _, err := normal.NewSpiked([]float64{0}, []float64{math.NaN()}, ours(mat.NewDense(1, 1, nil)), ours(mat.NewSymDense(1, nil))); err == nil {
		t.Error("NaN was taken")
	}
}

// TestLowRank: the parts of a spiked normal make its covariance.
func TestLowRank(t *testing.T) {
	b := mat.NewDense(4, 2, []float64{1, 0.5, 0, 2, -1, 0.3, 0.2, 0})
	g := mat.NewSymDense(2, []float64{0.5, 0.1, 0.1, 1.5})
	n, err := normal.NewSpiked([]float64{1, 2, 3, 4}, []float64{1, 2, 0.5, 3}, ours(b), ours(g))
	if err != nil {
		t.Fatal(err)
	}
	variance, q, l, ok := n.LowRank()
	if !ok {
		t.Fatal("no parts")
	}
	d := make([]float64, 4)
	for i, v := range variance {
		d[i] = math.Sqrt(v)
	}
	var core, spread, whole mat.Dense
	core.Mul(theirs(l), theirs(l).T())
	for i := range 2 {
		core.Set(i, i, core.At(i, i)-1)
	}
	spread.Product(theirs(q), &core, theirs(q).T())
	for i := range 4 {
		spread.Set(i, i, spread.At(i, i)+1)
	}
	whole.Product(mat.NewDiagDense(4, d), &spread, mat.NewDiagDense(4, d))
	want := make([]float64, 16)
	n.Covariance(want)
	for i, x := range want {
		if got := whole.At(i/4, i%4); math.Abs(got-x) > 1e-12 {
			t.Errorf("entry %d: %v, want %v", i, got, x)
		}
	}
	if _, _, _, ok := normal.NewDiagonal([]float64{0}, []float64{1}).LowRank(); ok {
		t.Error("a diagonal normal has such parts")
	}
}

// ours and theirs are copies of matrices of one package as such of the other.
func ours(m mat.Matrix) *own.Dense {
	r, c := m.Dims()
	d := own.NewDense(r, c, nil)
	for i := range r {
		for j := range c {
			d.Set(i, j, m.At(i, j))
		}
	}
	return d
}

func theirs(m own.Matrix) *mat.Dense {
	r, c := m.Dims()
	d := mat.NewDense(r, c, nil)
	for i := range r {
		for j := range c {
			d.Set(i, j, m.At(i, j))
		}
	}
	return d
}
