// Rows of eigenvalues of Hermitian matrices and of singular values of complex ones.

package matrixfn

import (
	"math"
	"sort"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/libm/cmplx"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/mathfn"
)

func complexDecompositions() []*catalogue.Function {
	return []*catalogue.Function{
		{
			Name: "eigenvalues_sym", Signatures: []string{"complex_vector eigenvalues_sym(complex_matrix a)"},
			Doc: "the eigenvalues of a Hermitian matrix, in ascending order", Section: solveSection,
			Kernel: hermitianKernel("eigenvalues_sym", eigenvaluesPart),
		},
		{
			Name: "eigenvectors_sym", Signatures: []string{"complex_matrix eigenvectors_sym(complex_matrix a)"},
			Doc: "the eigenvectors of a Hermitian matrix as columns", Section: solveSection,
			Kernel: hermitianKernel("eigenvectors_sym", eigenvectorsPart),
		},
		{
			Name: "eigendecompose_sym", Signatures: []string{"tuple(complex_matrix, complex_vector) eigendecompose_sym(complex_matrix a)"},
			Doc: "eigenvectors and eigenvalues of a Hermitian matrix", Section: solveSection,
			Parts: []string{"eigenvectors_sym", "eigenvalues_sym"},
		},
		{
			Name: "singular_values", Signatures: []string{"vector singular_values(complex_matrix a)"},
			Doc: "the singular values, in descending order", Section: solveSection, Kernel: complexSVDKernel(svdS),
		},
		{
			Name: "svd_U", Signatures: []string{"complex_matrix svd_U(complex_matrix a)"},
			Doc: "the left singular vectors as columns", Section: solveSection, Kernel: complexSVDKernel(svdU),
		},
		{
			Name: "svd_V", Signatures: []string{"complex_matrix svd_V(complex_matrix a)"},
			Doc: "the right singular vectors as columns", Section: solveSection, Kernel: complexSVDKernel(svdV),
		},
		{
			Name: "svd", Signatures: []string{"tuple(complex_matrix, vector, complex_matrix) svd(complex_matrix a)"},
			Doc: "the singular value decomposition: U, singular values, V", Section: solveSection,
			Parts: []string{"svd_U", "singular_values", "svd_V"},
		},
	}
}

// hermitianEigen returns ascending eigenvalues and orthonormal eigenvectors of the
// Hermitian matrix with the lower triangle of a.
func hermitianEigen(a cmatrix) (w []complex128, v cmatrix, ok bool) {
	n := a.n
	for j := range n {
		a.set(j, j, complex(real(a.at(j, j)), 0))
		for i := j + 1; i < n; i++ {
			a.set(j, i, cmplx.Conj(a.at(i, j)))
		}
	}
	u, ok := schur(a) // a is now diagonal
	order := make([]int, n)
	for k := range order {
		order[k] = k
	}
	sort.SliceStable(order, func(i, j int) bool { return real(a.at(order[i], order[i])) < real(a.at(order[j], order[j])) })
	w, v = make([]complex128, n), newCMatrix(n, n)
	for k, from := range order {
		w[k] = complex(real(a.at(from, from)), 0)
		copy(v.col(k), u.col(from))
		turnReal(v.col(k))
	}
	return w, v, ok
}

// turnReal turns the phase of a vector so that its largest element is real and positive.
func turnReal(v []complex128) {
	top := complex(0, 0)
	for _, z := range v {
		if cmplx.Abs(z) > cmplx.Abs(top)*(1+1e-10) {
			top = z
		}
	}
	if top == 0 {
		return
	}
	f := cmplx.Div(cmplx.Conj(top), complex(cmplx.Abs(top), 0))
	for i := range v {
		v[i] = cmplx.Mul(v[i], f)
	}
}

func hermitianKernel(name string, part schurPart) *catalogue.Kernel {
	general := schurKernel(name, part, true)
	return &catalogue.Kernel{
		Dims: general.Dims,
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			w, v, ok := hermitianEigen(complexOf(in[0], true))
			if !ok {
				return catalogue.DomainErrorf(name, "the QR algorithm does not converge")
			}
			if part == eigenvaluesPart {
				cmatrix{len(w), w}.store(out)
			} else {
				v.store(out)
			}
			return nil
		},
		// The Hermitian part of the general derivative: changes of the upper triangle
		// follow those of the lower.
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			w, v, _ := hermitianEigen(complexOf(in[0], true))
			full := eigenAdjoint(w, v, part, mathfn.Pairs(adj))
			for j := range v.n {
				for i := range v.n {
					mathfn.Pairs(din[0]).Add(i+j*v.n, cmplx.Mul(0.5, (full.at(i, j)+cmplx.Conj(full.at(j, i)))))
				}
			}
		},
	}
}

// complexSVD decomposes a with no fewer rows than columns into u diag(s) v*, by
// one-sided Jacobi rotations.
func complexSVD(a cmatrix) (u cmatrix, s []float64, v cmatrix) {
	n := a.cols()
	u, v = a, newCMatrix(n, n)
	for i := range n {
		v.set(i, i, 1)
	}
	for range jacobiSweeps {
		done := true
		for p := range n {
			for q := p + 1; q < n; q++ {
				if rotateComplex(u, v, p, q) {
					done = false
				}
			}
		}
		if done {
			break
		}
	}
	order, size := make([]int, n), make([]float64, n)
	for j := range n {
		order[j] = j
		for _, z := range u.col(j) {
			size[j] = libm.Hypot(size[j], cmplx.Abs(z))
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return size[order[i]] > size[order[j]] })
	su, sv := newCMatrix(u.n, n), newCMatrix(n, n)
	s = make([]float64, n)
	for k, from := range order {
		s[k] = size[from]
		copy(sv.col(k), v.col(from))
		for i, z := range u.col(from) {
			su.set(i, k, cmplx.Div(z, complex(math.Max(s[k], 1e-300), 0)))
		}
	}
	return su, s, sv
}

// rotateComplex makes columns p and q of u orthogonal; false where they are.
func rotateComplex(u, v cmatrix, p, q int) bool {
	x, y := u.col(p), u.col(q)
	var xx, yy float64
	xy := complex(0, 0)
	for i := range x {
		xx += float64(real(x[i])*real(x[i])) + float64(imag(x[i])*imag(x[i]))
		yy += float64(real(y[i])*real(y[i])) + float64(imag(y[i])*imag(y[i]))
		xy += cmplx.Mul(cmplx.Conj(x[i]), y[i])
	}
	size := cmplx.Abs(xy)
	if size <= 1e-300 || size <= 1e-16*math.Sqrt(xx*yy) {
		return false
	}
	phase := cmplx.Div(xy, complex(size, 0))
	c, s, _ := rotation(xx, size, yy)
	for _, m := range []cmatrix{u, v} {
		x, y := m.col(p), m.col(q)
		for i := range x {
			a, b := x[i], cmplx.Mul(y[i], cmplx.Conj(phase))
			x[i] = cmplx.Mul(complex(c, 0), a) - cmplx.Mul(complex(s, 0), b)
			y[i] = cmplx.Mul(complex(s, 0), a) + cmplx.Mul(complex(c, 0), b)
		}
	}
	return true
}

// The parts of SVD.
const (
	svdU = iota
	svdS
	svdV
)

func complexSVDKernel(part int) *catalogue.Kernel {
	decompose := func(in catalogue.Tensor) (u cmatrix, s []float64, v cmatrix) {
		a := complexOf(in, true)
		if a.n >= a.cols() {
			return complexSVD(a)
		}
		v, s, u = complexSVD(a.adjoint())
		return u, s, v
	}
	return &catalogue.Kernel{
		Dims: SVD.Part(part).Dims,
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			u, s, v := decompose(in[0])
			switch part {
			case svdU:
				u.store(out)
			case svdV:
				v.store(out)
			default:
				copy(out, s)
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			if part != svdS { // singular vectors have free phases: no derivative is given
				Fill(din[0], math.NaN())
				return
			}
			u, s, v := decompose(in[0])
			for k := range s {
				for i := range u.n {
					u.set(i, k, cmplx.Mul(u.at(i, k), complex(adj[k], 0)))
				}
			}
			for k, z := range u.times(v.adjoint()).x {
				mathfn.Pairs(din[0]).Add(k, z)
			}
		},
	}
}
