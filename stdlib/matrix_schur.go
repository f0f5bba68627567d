// Rows of general eigenvalues and of the complex Schur decomposition, by the complex QR
// algorithm.

package stdlib

import (
	"math"
	"math/cmplx"
)

func schurFunctions() []*Function {
	forms := func(result, name string) []string {
		return []string{result + " " + name + "(matrix a)", result + " " + name + "(complex_matrix a)"}
	}
	row := func(name, result, doc string, part schurPart) []*Function {
		var rows []*Function
		for i, s := range forms(result, name) {
			rows = append(rows, &Function{
				Name: name, Signatures: []string{s}, Doc: doc, Section: solveSection, Kernel: schurKernel(name, part, i == 1),
			})
		}
		return rows
	}
	all := row("eigenvalues", "complex_vector", "the eigenvalues of a square matrix", eigenvaluesPart)
	all = append(all, row("eigenvectors", "complex_matrix", "the eigenvectors of a square matrix as columns of length 1", eigenvectorsPart)...)
	all = append(all, row("complex_schur_decompose_t", "complex_matrix", "the upper triangular T of the Schur decomposition a = U T U*", schurTPart)...)
	all = append(all, row("complex_schur_decompose_u", "complex_matrix", "the unitary U of the Schur decomposition a = U T U*", schurUPart)...)
	return append(all,
		&Function{
			Name: "eigendecompose", Signatures: forms("tuple(complex_matrix, complex_vector)", "eigendecompose"),
			Doc: "eigenvectors and eigenvalues of a square matrix", Section: solveSection,
			Parts: []string{"eigenvectors", "eigenvalues"},
		},
		&Function{
			Name: "complex_schur_decompose", Signatures: forms("tuple(complex_matrix, complex_matrix)", "complex_schur_decompose"),
			Doc: "the Schur decomposition a = U T U*: U and T", Section: solveSection,
			Parts: []string{"complex_schur_decompose_u", "complex_schur_decompose_t"},
		})
}

type schurPart int

const (
	eigenvaluesPart schurPart = iota
	eigenvectorsPart
	schurTPart
	schurUPart
)

// A cmatrix is a square complex matrix, column by column.
type cmatrix struct {
	n int
	x []complex128
}

func newCMatrix(n int) cmatrix { return cmatrix{n, make([]complex128, n*n)} }

func (a cmatrix) at(i, j int) complex128     { return a.x[i+j*a.n] }
func (a cmatrix) set(i, j int, z complex128) { a.x[i+j*a.n] = z }

// complexOf reads a real or complex matrix argument.
func complexOf(t Tensor, isComplex bool) cmatrix {
	a := newCMatrix(t.Dims[0])
	for k := range a.x {
		if isComplex {
			a.x[k] = pairs(t.X).at(k)
		} else {
			a.x[k] = complex(t.X[k], 0)
		}
	}
	return a
}

// times is A B; adjoint the conjugate transpose.
func (a cmatrix) times(b cmatrix) cmatrix {
	c := newCMatrix(a.n)
	for j := 0; j < a.n; j++ {
		for k := 0; k < a.n; k++ {
			f := b.at(k, j)
			for i := 0; i < a.n; i++ {
				c.x[i+j*a.n] += a.at(i, k) * f
			}
		}
	}
	return c
}

func (a cmatrix) adjoint() cmatrix {
	c := newCMatrix(a.n)
	for j := 0; j < a.n; j++ {
		for i := 0; i < a.n; i++ {
			c.set(j, i, cmplx.Conj(a.at(i, j)))
		}
	}
	return c
}

// schur overwrites t with the upper triangular T and gives the unitary U, A = U T U*:
// reduction to Hessenberg form by reflections, then QR steps with Wilkinson's shift,
// by plane rotations, deflating from below (Golub and Van Loan, chapter 7). It says
// whether it converged.
func schur(t cmatrix) (u cmatrix, ok bool) {
	n := t.n
	u = newCMatrix(n)
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
			norm = math.Hypot(norm, cmplx.Abs(v[i]))
		}
		if norm == 0 {
			continue
		}
		phase := complex(1, 0)
		if v[k+1] != 0 {
			phase = v[k+1] / complex(cmplx.Abs(v[k+1]), 0)
		}
		v[k+1] += phase * complex(norm, 0)
		square := 0.0
		for i := k + 1; i < n; i++ {
			square += real(v[i])*real(v[i]) + imag(v[i])*imag(v[i])
		}
		reflect := func(get func(i int) complex128, set func(i int, z complex128), conj bool) {
			sum := complex(0, 0)
			for i := k + 1; i < n; i++ {
				if conj {
					sum += cmplx.Conj(v[i]) * get(i)
				} else {
					sum += v[i] * get(i)
				}
			}
			sum *= complex(2/square, 0)
			for i := k + 1; i < n; i++ {
				if conj {
					set(i, get(i)-v[i]*sum)
				} else {
					set(i, get(i)-cmplx.Conj(v[i])*sum)
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
	half := (a - d) / 2
	root := cmplx.Sqrt(half*half + b*c)
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
		norm := math.Hypot(cmplx.Abs(x), cmplx.Abs(y))
		if norm == 0 {
			continue
		}
		c, s := x/complex(norm, 0), y/complex(norm, 0)
		for j := max(k-1, 0); j < n; j++ { // rows k, k+1 times [c* s*; -s c]
			p, q := t.at(k, j), t.at(k+1, j)
			t.set(k, j, cmplx.Conj(c)*p+cmplx.Conj(s)*q)
			t.set(k+1, j, c*q-s*p)
		}
		if k > low {
			t.set(k+1, k-1, 0)
		}
		for i := 0; i <= min(k+2, high); i++ {
			p, q := t.at(i, k), t.at(i, k+1)
			t.set(i, k, p*c+q*s)
			t.set(i, k+1, q*cmplx.Conj(c)-p*cmplx.Conj(s))
		}
		for i := 0; i < n; i++ {
			p, q := u.at(i, k), u.at(i, k+1)
			u.set(i, k, p*c+q*s)
			u.set(i, k+1, q*cmplx.Conj(c)-p*cmplx.Conj(s))
		}
	}
}

// triangularVectors gives the eigenvectors of T as columns of an upper triangular matrix
// with unit diagonal.
func triangularVectors(t cmatrix) cmatrix {
	v := newCMatrix(t.n)
	scale := 0.0
	for _, z := range t.x {
		scale = math.Max(scale, cmplx.Abs(z))
	}
	for k := 0; k < t.n; k++ {
		v.set(k, k, 1)
		for i := k - 1; i >= 0; i-- {
			sum := complex(0, 0)
			for j := i + 1; j <= k; j++ {
				sum += t.at(i, j) * v.at(j, k)
			}
			d := t.at(i, i) - t.at(k, k)
			if d == 0 {
				d = complex(math.Max(scale, 1e-300)*0x1p-53, 0)
			}
			v.set(i, k, -sum/d)
		}
	}
	return v
}

// eigen gives eigenvalues and eigenvectors of length 1. Real eigenvectors of a real
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
			norm = math.Hypot(norm, cmplx.Abs(z))
			if cmplx.Abs(z) > cmplx.Abs(top)*(1+1e-10) {
				top = z
			}
		}
		// The phase that makes the largest element real and positive.
		f := cmplx.Conj(top) / complex(cmplx.Abs(top)*norm, 0)
		for i := 0; i < a.n; i++ {
			z := v.at(i, k) * f
			if !isComplex && imag(w[k]) == 0 {
				z = complex(real(z), 0)
			}
			v.set(i, k, z)
		}
	}
	return w, v, ok
}

func schurKernel(name string, part schurPart, isComplex bool) *Kernel {
	k := &Kernel{
		Dims: func(in []Tensor) ([]int, error) {
			dims, err := squareResult(name, false)(in)
			if err == nil && part == eigenvaluesPart {
				dims = dims[:1]
			}
			return dims, err
		},
		Value: func(in []Tensor, out, _ []float64) error {
			if err := checkEach(name, "a", in[0], isFinite, "finite"); err != nil {
				return err
			}
			a := complexOf(in[0], isComplex)
			var z []complex128
			var ok bool
			switch part {
			case eigenvaluesPart:
				z, _, ok = eigen(a, isComplex)
			case eigenvectorsPart:
				var v cmatrix
				_, v, ok = eigen(a, isComplex)
				z = v.x
			case schurTPart:
				_, ok = schur(a)
				z = a.x
			case schurUPart:
				var u cmatrix
				u, ok = schur(a)
				z = u.x
			}
			if !ok {
				return domainErrorf(name, "the QR algorithm does not converge")
			}
			for i, v := range z {
				pairs(out).set(i, v)
			}
			return nil
		},
	}
	if part == eigenvaluesPart || part == eigenvectorsPart {
		k.VJP = func(in []Tensor, _, adj []float64, din [][]float64, _ []float64) {
			addEigenVJP(complexOf(in[0], isComplex), part, isComplex, pairs(adj), din[0])
		}
	}
	return k
}

// addEigenVJP adds the derivative: with inverse(V) dA V = M, dw = diag(M) and
// dV = V (F .* M - D), F[i,j] = 1/(w[j]-w[i]), where the diagonal D keeps columns at
// length 1 and their largest elements real.
func addEigenVJP(a cmatrix, part schurPart, isComplex bool, adj pairs, da []float64) {
	n := a.n
	w, v, _ := eigen(a, isComplex)
	g := newCMatrix(n) // adjoint of M
	if part == eigenvaluesPart {
		for k := 0; k < n; k++ {
			g.set(k, k, adj.at(k))
		}
	} else {
		vbar := newCMatrix(n)
		for i := range vbar.x {
			vbar.x[i] = adj.at(i)
		}
		projectPhase(v, vbar)
		g = v.adjoint().times(vbar)
		for j := 0; j < n; j++ {
			for i := 0; i < n; i++ {
				if i == j {
					g.set(i, j, 0)
				} else {
					g.set(i, j, g.at(i, j)/cmplx.Conj(w[j]-w[i]))
				}
			}
		}
	}
	// Abar = inverse(V)* G V*
	x := g.times(v.adjoint())
	solveComplex(v.adjoint(), x)
	for k, z := range x.x {
		if isComplex {
			pairs(da).add(k, z)
		} else {
			da[k] += real(z)
		}
	}
}

// projectPhase turns the adjoint of normalised columns into that of columns without the
// normalisation: v = f u / |u| with a phase f that makes the largest element real.
func projectPhase(v, vbar cmatrix) {
	n := v.n
	for k := 0; k < n; k++ {
		top := 0
		dot := complex(0, 0) // v* vbar
		for i := 0; i < n; i++ {
			if cmplx.Abs(v.at(i, k)) > cmplx.Abs(v.at(top, k))*(1+1e-10) {
				top = i
			}
			dot += cmplx.Conj(v.at(i, k)) * vbar.at(i, k)
		}
		size := real(v.at(top, k))
		for i := 0; i < n; i++ {
			vbar.x[i+k*n] -= v.at(i, k) * complex(real(dot), 0)
		}
		if size > 0 { // d phase = -imag(du[top]) / u[top]
			vbar.x[top+k*n] -= complex(0, imag(dot)/size)
		}
	}
}

// solveComplex solves A X = B in place of B by elimination with partial pivoting.
func solveComplex(a, b cmatrix) {
	n := a.n
	for j := 0; j < n; j++ {
		p := j
		for i := j + 1; i < n; i++ {
			if cmplx.Abs(a.at(i, j)) > cmplx.Abs(a.at(p, j)) {
				p = i
			}
		}
		for k := 0; k < n; k++ {
			x, y := a.at(j, k), a.at(p, k)
			a.set(j, k, y)
			a.set(p, k, x)
			x, y = b.at(j, k), b.at(p, k)
			b.set(j, k, y)
			b.set(p, k, x)
		}
		for i := 0; i < n; i++ {
			if i == j {
				continue
			}
			f := a.at(i, j) / a.at(j, j)
			for k := j; k < n; k++ {
				a.set(i, k, a.at(i, k)-f*a.at(j, k))
			}
			for k := 0; k < n; k++ {
				b.set(i, k, b.at(i, k)-f*b.at(j, k))
			}
		}
	}
	for j := 0; j < n; j++ {
		for k := 0; k < n; k++ {
			b.set(j, k, b.at(j, k)/a.at(j, j))
		}
	}
}
