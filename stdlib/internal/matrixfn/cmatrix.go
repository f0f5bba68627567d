// Complex matrices: products, solves and the QR algorithm for Schur form and eigenvalues.

package matrixfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/libm/cmplx"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/mathfn"
)

// A cmatrix is a complex matrix of n rows, column by column.
type cmatrix struct {
	n int
	x []complex128
}

func newCMatrix(rows, cols int) cmatrix { return cmatrix{rows, make([]complex128, rows*cols)} }

func (a cmatrix) at(i, j int) complex128     { return a.x[i+j*a.n] }
func (a cmatrix) set(i, j int, z complex128) { a.x[i+j*a.n] = z }
func (a cmatrix) col(j int) []complex128     { return a.x[j*a.n : (j+1)*a.n] }

func (a cmatrix) cols() int {
	if a.n == 0 {
		return 0
	}
	return len(a.x) / a.n
}

// complexOf reads a real or complex vector or matrix argument.
func complexOf(t catalogue.Tensor, isComplex bool) cmatrix {
	a := newCMatrix(container.MatrixSize(t))
	for k := range a.x {
		if isComplex {
			a.x[k] = mathfn.Pairs(t.X).At(k)
		} else {
			a.x[k] = complex(t.X[k], 0)
		}
	}
	return a
}

// store writes the elements to a result.
func (a cmatrix) store(out []float64) {
	for k, z := range a.x {
		mathfn.Pairs(out).Set(k, z)
	}
}

// times is A B; adjoint the conjugate transpose.
func (a cmatrix) times(b cmatrix) cmatrix {
	c := newCMatrix(a.n, b.cols())
	for j := range b.cols() {
		for k := range a.cols() {
			f := b.at(k, j)
			for i := range a.n {
				c.x[i+j*a.n] += cmplx.Mul(a.at(i, k), f)
			}
		}
	}
	return c
}

func (a cmatrix) adjoint() cmatrix {
	c := newCMatrix(a.cols(), a.n)
	for j := range a.cols() {
		for i := range a.n {
			c.set(j, i, cmplx.Conj(a.at(i, j)))
		}
	}
	return c
}

// schur overwrites t with the upper triangular T and gives the unitary U, A = U T U*: reduction to
// Hessenberg form by reflections, then QR steps with Wilkinson's shift, by plane rotations,
// deflating from below (Golub and Van Loan, chapter 7). It reports whether it converged.
func schur(t cmatrix) (u cmatrix, ok bool) {
	n := t.n
	u = newCMatrix(n, n)
	for i := 0; i < n; i++ {
		u.set(i, i, 1)
	}
	hessenberg(t, u)
	high := n - 1
	for iteration := 0; high > 0; iteration++ {
		if iteration > 300*n {
			return u, false
		}
		low := high
		for low > 0 {
			small := cmplx.Abs(t.at(low, low)) + cmplx.Abs(t.at(low-1, low-1))
			if cmplx.Abs(t.at(low, low-1)) <= 0x1p-53*small || cmplx.Abs(t.at(low, low-1)) < 1e-300 {
				t.set(low, low-1, 0)
				break
			}
			low--
		}
		if low == high {
			high--
			continue
		}
		shift := wilkinson(t.at(high-1, high-1), t.at(high-1, high), t.at(high, high-1), t.at(high, high))
		if iteration%11 == 10 { // leave a cycle
			shift = complex(cmplx.Abs(t.at(high, high-1))+cmplx.Abs(t.at(high-1, high-1)), 0)
		}
		qrStep(t, u, low, high, shift)
	}
	return u, true
}

// hessenberg reduces t to zeros below the first subdiagonal and applies the reflections to
// u.
func hessenberg(t, u cmatrix) {
	n := t.n
	v := make([]complex128, n)
	for k := 0; k < n-2; k++ {
		norm := 0.0
		for i := k + 1; i < n; i++ {
			v[i] = t.at(i, k)
			norm = libm.Hypot(norm, cmplx.Abs(v[i]))
		}
		if norm == 0 {
			continue
		}
		phase := complex(1, 0)
		if v[k+1] != 0 {
			phase = cmplx.Div(v[k+1], complex(cmplx.Abs(v[k+1]), 0))
		}
		v[k+1] += cmplx.Mul(phase, complex(norm, 0))
		square := 0.0
		for i := k + 1; i < n; i++ {
			square += float64(real(v[i])*real(v[i])) + float64(imag(v[i])*imag(v[i]))
		}
		reflect := func(get func(i int) complex128, set func(i int, z complex128), conj bool) {
			sum := complex(0, 0)
			for i := k + 1; i < n; i++ {
				if conj {
					sum += cmplx.Mul(cmplx.Conj(v[i]), get(i))
				} else {
					sum += cmplx.Mul(v[i], get(i))
				}
			}
			sum = cmplx.Mul(sum, complex(2/square, 0))
			for i := k + 1; i < n; i++ {
				if conj {
					set(i, get(i)-cmplx.Mul(v[i], sum))
				} else {
					set(i, get(i)-cmplx.Mul(cmplx.Conj(v[i]), sum))
				}
			}
		}
		for j := 0; j < n; j++ {
			reflect(func(i int) complex128 { return t.at(i, j) }, func(i int, z complex128) { t.set(i, j, z) }, true)
		}
		for j := 0; j < n; j++ {
			reflect(func(i int) complex128 { return t.at(j, i) }, func(i int, z complex128) { t.set(j, i, z) }, false)
			reflect(func(i int) complex128 { return u.at(j, i) }, func(i int, z complex128) { u.set(j, i, z) }, false)
		}
		for i := k + 2; i < n; i++ {
			t.set(i, k, 0)
		}
	}
}

// wilkinson is the eigenvalue of [a b; c d] nearest to d.
func wilkinson(a, b, c, d complex128) complex128 {
	half := cmplx.Mul(0.5, a-d)
	root := cmplx.Sqrt(cmplx.Mul(half, half) + cmplx.Mul(b, c))
	x, y := half+root, half-root
	if cmplx.Abs(x) > cmplx.Abs(y) {
		x = y
	}
	return d + x
}

// qrStep does one step on rows and columns low to high: T - s = QR, T <- RQ + s.
func qrStep(t, u cmatrix, low, high int, shift complex128) {
	n := t.n
	x, y := t.at(low, low)-shift, t.at(low+1, low)
	for k := low; k < high; k++ {
		if k > low {
			x, y = t.at(k, k-1), t.at(k+1, k-1)
		}
		norm := libm.Hypot(cmplx.Abs(x), cmplx.Abs(y))
		if norm == 0 {
			continue
		}
		c, s := cmplx.Div(x, complex(norm, 0)), cmplx.Div(y, complex(norm, 0))
		for j := max(k-1, 0); j < n; j++ { // rows k, k+1 times [c* s*; -s c]
			p, q := t.at(k, j), t.at(k+1, j)
			t.set(k, j, cmplx.Mul(cmplx.Conj(c), p)+cmplx.Mul(cmplx.Conj(s), q))
			t.set(k+1, j, cmplx.Mul(c, q)-cmplx.Mul(s, p))
		}
		if k > low {
			t.set(k+1, k-1, 0)
		}
		for i := 0; i <= min(k+2, high); i++ {
			p, q := t.at(i, k), t.at(i, k+1)
			t.set(i, k, cmplx.Mul(p, c)+cmplx.Mul(q, s))
			t.set(i, k+1, cmplx.Mul(q, cmplx.Conj(c))-cmplx.Mul(p, cmplx.Conj(s)))
		}
		for i := 0; i < n; i++ {
			p, q := u.at(i, k), u.at(i, k+1)
			u.set(i, k, cmplx.Mul(p, c)+cmplx.Mul(q, s))
			u.set(i, k+1, cmplx.Mul(q, cmplx.Conj(c))-cmplx.Mul(p, cmplx.Conj(s)))
		}
	}
}

// triangularVectors returns the eigenvectors of T as columns of an upper triangular matrix
// with unit diagonal.
func triangularVectors(t cmatrix) cmatrix {
	v := newCMatrix(t.n, t.n)
	scale := 0.0
	for _, z := range t.x {
		scale = math.Max(scale, cmplx.Abs(z))
	}
	for k := 0; k < t.n; k++ {
		v.set(k, k, 1)
		for i := k - 1; i >= 0; i-- {
			sum := complex(0, 0)
			for j := i + 1; j <= k; j++ {
				sum += cmplx.Mul(t.at(i, j), v.at(j, k))
			}
			d := t.at(i, i) - t.at(k, k)
			if d == 0 {
				d = complex(math.Max(scale, 1e-300)*0x1p-53, 0)
			}
			v.set(i, k, cmplx.Div(-sum, d))
		}
	}
	return v
}

// eigen returns eigenvalues and eigenvectors of length 1. Real eigenvectors of a real
// matrix come out real.
func eigen(a cmatrix, isComplex bool) (w []complex128, v cmatrix, ok bool) {
	t := cmatrix{a.n, append([]complex128(nil), a.x...)}
	u, ok := schur(t)
	v = u.times(triangularVectors(t))
	w = make([]complex128, a.n)
	for k := range w {
		w[k] = t.at(k, k)
		if !isComplex && math.Abs(imag(w[k])) < 1e-14*cmplx.Abs(w[k]) {
			w[k] = complex(real(w[k]), 0)
		}
		norm, top := 0.0, complex(0, 0)
		for i := 0; i < a.n; i++ {
			z := v.at(i, k)
			norm = libm.Hypot(norm, cmplx.Abs(z))
			if cmplx.Abs(z) > cmplx.Abs(top)*(1+1e-10) {
				top = z
			}
		}
		// The phase that makes the largest element real and positive.
		f := cmplx.Div(cmplx.Conj(top), complex(cmplx.Abs(top)*norm, 0))
		for i := 0; i < a.n; i++ {
			z := cmplx.Mul(v.at(i, k), f)
			if !isComplex && imag(w[k]) == 0 {
				z = complex(real(z), 0)
			}
			v.set(i, k, z)
		}
	}
	return w, v, ok
}

// solveComplex solves A X = B in place of B, for a square A that is lost, by elimination
// with partial pivoting.
func solveComplex(a, b cmatrix) {
	n, m := a.n, b.cols()
	for j := range n {
		p := j
		for i := j + 1; i < n; i++ {
			if cmplx.Abs(a.at(i, j)) > cmplx.Abs(a.at(p, j)) {
				p = i
			}
		}
		a.swapRows(j, p)
		b.swapRows(j, p)
		for i := range n {
			if i == j {
				continue
			}
			f := cmplx.Div(a.at(i, j), a.at(j, j))
			for k := j; k < n; k++ {
				a.set(i, k, a.at(i, k)-cmplx.Mul(f, a.at(j, k)))
			}
			for k := range m {
				b.set(i, k, b.at(i, k)-cmplx.Mul(f, b.at(j, k)))
			}
		}
	}
	for j := range n {
		for k := range m {
			b.set(j, k, cmplx.Div(b.at(j, k), a.at(j, j)))
		}
	}
}

func (a cmatrix) swapRows(i, j int) {
	for k := range a.cols() {
		x, y := a.at(i, k), a.at(j, k)
		a.set(i, k, y)
		a.set(j, k, x)
	}
}
