package mat_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	gonum "gonum.org/v1/gonum/mat"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
)

var sizes = []int{1, 2, 3, 5, 8, 17, 33, 70}

// random is a matrix of standard normals.
func random(r *rand.Rand, rows, cols int) []float64 {
	x := make([]float64, rows*cols)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}

// positive is a positive definite matrix, by rows.
func positive(r *rand.Rand, n int) []float64 {
	a := gonum.NewDense(n, n, random(r, n, n))
	var p gonum.Dense
	p.Mul(a, a.T())
	for i := range n {
		p.Set(i, i, p.At(i, i)+0.1)
	}
	return p.RawMatrix().Data
}

type table interface {
	Dims() (r, c int)
	At(i, j int) float64
}

func near(t *testing.T, what string, got, want table, tolerance float64) {
	t.Helper()
	r, c := got.Dims()
	if wr, wc := want.Dims(); r != wr || c != wc {
		t.Fatalf("%s: %d x %d, not %d x %d", what, r, c, wr, wc)
	}
	for i := range r {
		for j := range c {
			if d := math.Abs(got.At(i, j) - want.At(i, j)); !(d <= tolerance) {
				t.Fatalf("%s: element (%d, %d) is %v, not %v", what, i, j, got.At(i, j), want.At(i, j))
			}
		}
	}
}

func TestProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range sizes {
		a, b, c := random(r, n, 4), random(r, 4, n), random(r, n, n+2)
		var got mat.Dense
		var want gonum.Dense
		got.Product(mat.NewDense(n, 4, a), mat.NewDense(4, n, b), mat.NewDense(n, n+2, c))
		want.Product(gonum.NewDense(n, 4, a), gonum.NewDense(4, n, b), gonum.NewDense(n, n+2, c))
		near(t, "Product", &got, &want, 1e-11)
		var turned mat.Dense
		turned.Mul(mat.NewDense(4, n, b).T(), mat.NewDense(n, 4, a).T())
		near(t, "Mul of transposes", turned.T(), product(a, b, n), 1e-12)

		s := mat.NewSymDense(n, positive(r, n))
		x, y := mat.NewVecDense(n, random(r, n, 1)), mat.NewVecDense(n, random(r, n, 1))
		var inner float64
		for i := range n {
			for j := range n {
				inner += x.AtVec(i) * s.At(i, j) * y.AtVec(j)
			}
		}
		if v := mat.Inner(x, s, y); math.Abs(v-inner) > 1e-11*(1+math.Abs(inner)) {
			t.Errorf("Inner is %v, not %v", v, inner)
		}
		x.MulVec(s, x) // in place
	}
}

func product(a, b []float64, n int) *gonum.Dense {
	var p gonum.Dense
	p.Mul(gonum.NewDense(n, 4, a), gonum.NewDense(4, n, b))
	return &p
}

func TestSymmetric(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for _, n := range sizes {
		p, x := positive(r, n), random(r, n, 1)
		got, want := mat.NewSymDense(n, append([]float64(nil), p...)), gonum.NewSymDense(n, append([]float64(nil), p...))
		got.SymRankOne(got, -0.5, mat.NewVecDense(n, x))
		want.SymRankOne(want, -0.5, gonum.NewVecDense(n, x))
		near(t, "SymRankOne", got, want, 1e-12)

		rows := random(r, 3*n, n)
		var outer mat.SymDense
		var wantOuter gonum.SymDense
		outer.SymOuterK(0.25, mat.NewDense(3*n, n, rows).T())
		wantOuter.SymOuterK(0.25, gonum.NewDense(3*n, n, rows).T())
		near(t, "SymOuterK", &outer, &wantOuter, 1e-12)
		if f, g := outer.Frobenius(), gonum.Norm(&wantOuter, 2); math.Abs(f-g) > 1e-12*g {
			t.Errorf("Frobenius is %v, not %v", f, g)
		}
	}
}

// The columns 1, 2, 3 and 1, 4, 9 have variances 1 and 49/3 and the covariance 4.
func TestCovariance(t *testing.T) {
	var s mat.SymDense
	s.Covariance(mat.NewDense(3, 2, []float64{1, 1, 2, 4, 3, 9}))
	near(t, "Covariance", &s, gonum.NewSymDense(2, []float64{1, 4, 4, 49.0 / 3}), 1e-14)
}

func TestCholesky(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, n := range sizes {
		p, b := positive(r, n), random(r, n, 3)
		var got mat.Cholesky
		var want gonum.Cholesky
		if !got.Factorize(mat.NewSymDense(n, append([]float64(nil), p...))) || !want.Factorize(gonum.NewSymDense(n, p)) {
			t.Fatal("a positive definite matrix is refused")
		}
		var l, u mat.TriDense
		var wantL, wantU gonum.TriDense
		got.LTo(&l)
		got.UTo(&u)
		want.LTo(&wantL)
		want.UTo(&wantU)
		near(t, "LTo", &l, &wantL, 1e-11)
		near(t, "UTo", &u, &wantU, 1e-11)
		if a, b := got.LogDet(), want.LogDet(); math.Abs(a-b) > 1e-10 {
			t.Errorf("LogDet is %v, not %v", a, b)
		}
		var inverse mat.SymDense
		var wantInverse gonum.SymDense
		if err := got.InverseTo(&inverse); err != nil {
			t.Error(err)
		}
		if err := want.InverseTo(&wantInverse); err != nil {
			t.Error(err)
		}
		near(t, "InverseTo", &inverse, &wantInverse, 1e-8)
		var x mat.Dense
		var wantX gonum.Dense
		if got.SolveTo(&x, mat.NewDense(n, 3, b)) != nil || want.SolveTo(&wantX, gonum.NewDense(n, 3, b)) != nil {
			t.Error("a well-conditioned matrix is refused")
		}
		near(t, "SolveTo", &x, &wantX, 1e-8)
		var inverted mat.TriDense
		inverted.InverseUpper(&u)
		var unit mat.Dense
		unit.Mul(&inverted, &u)
		near(t, "InverseUpper", &unit, identity(n), 1e-10)
		var lower mat.Dense
		lower.SolveLower(&l, mat.NewDense(n, 3, b))
		var back mat.Dense
		back.Mul(&l, &lower)
		near(t, "SolveLower", &back, gonum.NewDense(n, 3, b), 1e-10)
	}
	if new(mat.Cholesky).Factorize(mat.NewSymDense(2, []float64{1, 2, 2, 1})) {
		t.Error("an indefinite matrix is taken")
	}
}

func identity(n int) *gonum.Dense {
	d := gonum.NewDense(n, n, nil)
	for i := range n {
		d.Set(i, i, 1)
	}
	return d
}

// The condition number of a Hilbert matrix of 12 rows is about 1.7e16 in the 1-norm, of 4 rows 28375 (Higham,
// Accuracy and Stability of Numerical Algorithms, table 28.1).
func TestCondition(t *testing.T) {
	hilbert := func(n int) *mat.SymDense {
		h := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range n {
				h.SetSym(i, j, 1/float64(i+j+1))
			}
		}
		return h
	}
	for n, bad := range map[int]bool{4: false, 8: false, 12: true} {
		var c mat.Cholesky
		if !c.Factorize(hilbert(n)) {
			t.Fatal("not positive definite")
		}
		var x mat.VecDense
		err := c.SolveVecTo(&x, mat.NewVecDense(n, make([]float64, n)))
		if _, is := err.(mat.Condition); is != bad {
			t.Errorf("the Hilbert matrix of %d rows: %v", n, err)
		}
	}
	var qr mat.QR
	qr.Factorize(mat.DenseOf(hilbert(4)))
	if c := qr.Cond(); c < 28375.0/10 || c > 28375*10 {
		t.Errorf("the condition number of the Hilbert matrix of 4 rows is %v", c)
	}
	qr.Factorize(mat.NewDense(3, 2, []float64{1, 2, 2, 4, 3, 6}))
	if c := qr.Cond(); c < 1e15 {
		t.Errorf("the condition number of a singular matrix is %v", c)
	}
}

// The matrix with 2 on the diagonal and -1 beside it has the eigenvalues 2 - 2 cos(k pi/(n+1)).
func TestEigenvaluesInClosedForm(t *testing.T) {
	for _, n := range sizes {
		a := mat.NewSymDense(n, nil)
		for i := range n {
			a.SetSym(i, i, 2)
			if i > 0 {
				a.SetSym(i, i-1, -1)
			}
		}
		var e mat.EigenSym
		if !e.Factorize(a, false) {
			t.Fatal("no eigenvalues")
		}
		for k, v := range e.Values() {
			if want := 2 - 2*math.Cos(float64(k+1)*math.Pi/float64(n+1)); math.Abs(v-want) > 1e-14*float64(n) {
				t.Errorf("%d rows: eigenvalue %d is %v, not %v", n, k, v, want)
			}
		}
	}
}

// A V = V D and V'V = 1, for matrices of several kinds: random, of low rank, diagonal, of repeated
// eigenvalues, of elements far apart.
func TestEigenvectors(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	for _, n := range sizes {
		kinds := map[string]*mat.SymDense{
			"random": mat.NewSymDense(n, random(r, n, n)), "positive": mat.NewSymDense(n, positive(r, n)),
			"zero": mat.NewSymDense(n, nil), "unit": mat.NewSymDense(n, identity(n).RawMatrix().Data),
			"large": mat.NewSymDense(n, random(r, n, n)), "graded": mat.NewSymDense(n, random(r, n, n)), "rank one": mat.NewSymDense(n, nil),
		}
		kinds["rank one"].SymRankOne(kinds["rank one"], 1, mat.NewVecDense(n, random(r, n, 1)))
		for i := range n {
			for j := range i + 1 {
				kinds["large"].SetSym(i, j, kinds["large"].At(i, j)*1e200)
				kinds["graded"].SetSym(i, j, kinds["graded"].At(i, j)*math.Pow(10, -float64(i+j)))
			}
		}
		for kind, a := range kinds {
			checkEigen(t, fmt.Sprint(kind, " ", n), n, a)
		}
	}
	var e mat.EigenSym
	if e.Factorize(mat.NewSymDense(2, []float64{1, math.NaN(), 0, 1}), true) {
		t.Error("a matrix with NaN is taken")
	}
}

func checkEigen(t *testing.T, name string, n int, a *mat.SymDense) {
	t.Helper()
	var e mat.EigenSym
	if !e.Factorize(a, true) {
		t.Fatalf("%s: no eigenvalues", name)
	}
	scale := a.Frobenius()
	if scale == 0 {
		scale = 1
	}
	var v, av, unit mat.Dense
	e.VectorsTo(&v)
	av.Mul(a, &v)
	unit.Mul(v.T(), &v)
	near(t, name+": V'V", &unit, identity(n), 1e-13)
	values := e.Values()
	for k, x := range values {
		if k > 0 && x < values[k-1] {
			t.Errorf("%s: eigenvalues fall", name)
		}
		for i := range n {
			if d := math.Abs(av.At(i, k)/scale - v.At(i, k)*(x/scale)); !(d < 1e-13) {
				t.Fatalf("%s: vector %d is none: off by %v", name, k, d)
			}
		}
	}
}

func TestQR(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for _, n := range sizes {
		rows := 2*n + 1
		a, b := random(r, rows, n), random(r, rows, 1)
		var got mat.QR
		var want gonum.QR
		got.Factorize(mat.NewDense(rows, n, a))
		want.Factorize(gonum.NewDense(rows, n, a))
		var q, qr, unit mat.Dense
		var up mat.TriDense
		got.QTo(&q)
		got.RTo(&up)
		qr.Mul(&q, &up)
		unit.Mul(q.T(), &q)
		near(t, "QR", &qr, gonum.NewDense(rows, n, a), 1e-13)
		near(t, "Q'Q", &unit, identity(n), 1e-13)
		var x mat.VecDense
		var wantX gonum.VecDense
		if got.SolveVecTo(&x, mat.NewVecDense(rows, b)) != nil || want.SolveVecTo(&wantX, false, gonum.NewVecDense(rows, b)) != nil {
			t.Fatal("refused")
		}
		near(t, "least squares", &x, &wantX, 1e-12)
	}
}

func TestNorms(t *testing.T) {
	for _, scale := range []float64{1, 1e-200, 1e200, 1e-300} {
		if v := mat.Norm2([]float64{3 * scale, -4 * scale}); math.Abs(v/scale-5) > 1e-14 {
			t.Errorf("the length of (3, 4) times %v is %v", scale, v)
		}
	}
	if v := mat.Distance([]float64{1, 1}, []float64{4, 5}); v != 5 {
		t.Errorf("a distance is %v, not 5", v)
	}
	if v := mat.LogSumExp([]float64{1000, 1000}); math.Abs(v-1000-math.Ln2) > 1e-12 {
		t.Errorf("log(2 exp(1000)) is %v", v)
	}
	if v := mat.Norm2([]float64{1, math.NaN()}); !math.IsNaN(v) {
		t.Errorf("the length with NaN is %v", v)
	}
}

// Moments up to the degree that the rules promise: 2/(k+1) of the uniform weight and (k-1)!! of the normal
// for even k, 0 for odd.
func TestQuadrature(t *testing.T) {
	for _, n := range []int{1, 2, 5, 20, 41} {
		x, w := mat.GaussLegendre(n)
		z, v := mat.GaussHermite(n)
		double := 1.0
		for k := 0; k < 2*n && k < 24; k++ {
			var legendre, hermite float64
			for i := range x {
				legendre += w[i] * math.Pow(x[i], float64(k))
				hermite += v[i] * math.Pow(z[i], float64(k))
			}
			wantL, wantH := 0.0, 0.0
			if k%2 == 0 {
				double *= max(1, float64(k-1))
				wantL, wantH = 2/float64(k+1), double
			}
			if math.Abs(legendre-wantL) > 1e-14 || math.Abs(hermite-wantH) > 1e-11*(1+double) {
				t.Errorf("%d points, degree %d: %v and %v, not %v and %v", n, k, legendre, hermite, wantL, wantH)
			}
		}
	}
}

// The bits of all results, on every processor: the sum was computed on amd64 with FMA.
func TestBits(t *testing.T) {
	h := fnv.New64a()
	put := func(m table) {
		r, c := m.Dims()
		for i := range r {
			for j := range c {
				fmt.Fprintf(h, "%x ", math.Float64bits(m.At(i, j)))
			}
		}
	}
	state := uint64(1)
	for _, n := range sizes {
		a := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				state = state*6364136223846793005 + 1442695040888963407
				a.Set(i, j, float64(int64(state>>20)-1<<43)/(1<<43))
			}
		}
		var s, inverse mat.SymDense
		s.SymOuterK(1, a)
		var chol mat.Cholesky
		if !chol.Factorize(&s) || chol.InverseTo(&inverse) != nil {
			t.Fatal("singular")
		}
		var e mat.EigenSym
		e.Factorize(&s, true)
		var v, q mat.Dense
		e.VectorsTo(&v)
		var qr mat.QR
		qr.Factorize(a)
		qr.QTo(&q)
		for _, m := range []table{&s, &inverse, &v, &q, mat.NewVecDense(n, e.Values()), mat.NewVecDense(2, []float64{chol.LogDet(), qr.Cond()})} {
			put(m)
		}
	}
	x, w := mat.GaussHermite(41)
	put(mat.NewVecDense(41, x))
	put(mat.NewVecDense(41, w))
	if got := new(big.Int).SetUint64(h.Sum64()).Text(16); got != bits {
		t.Errorf("the bits of results have the sum %s, not %s", got, bits)
	}
}

const bits = "48aea55b73364179"
