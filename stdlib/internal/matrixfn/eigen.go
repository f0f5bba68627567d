// Rows of symmetric eigenvalues and of singular values.

package matrixfn

import (
	"math"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
)

func eigenFunctions() []*catalogue.Function {
	return []*catalogue.Function{
		{
			Name:       "eigenvalues_sym",
			Signatures: []string{"vector eigenvalues_sym(matrix a)"},
			Doc:        "the eigenvalues of a symmetric matrix, in ascending order",
			Section:    solveSection,
			Kernel:     symmetricEigenKernel("eigenvalues_sym", true),
		},
		{
			Name:       "eigenvectors_sym",
			Signatures: []string{"matrix eigenvectors_sym(matrix a)"},
			Doc:        "the eigenvectors of a symmetric matrix as columns, in ascending order of the eigenvalues",
			Section:    solveSection,
			Kernel:     symmetricEigenKernel("eigenvectors_sym", false),
		},
		{
			Name:       "eigendecompose_sym",
			Signatures: []string{"tuple(matrix, vector) eigendecompose_sym(matrix a)"},
			Doc:        "eigenvectors and eigenvalues of a symmetric matrix",
			Section:    solveSection,
			Parts:      []string{"eigenvectors_sym", "eigenvalues_sym"},
		},
		{
			Name:       "singular_values",
			Signatures: []string{"vector singular_values(matrix a)"},
			Doc:        "the singular values, in descending order",
			Section:    solveSection,
			Kernel:     svdKernel(svdS),
		},
		{
			Name:       "svd_U",
			Signatures: []string{"matrix svd_U(matrix a)"},
			Doc:        "the left singular vectors as columns",
			Section:    solveSection,
			Kernel:     svdKernel(svdU),
		},
		{
			Name:       "svd_V",
			Signatures: []string{"matrix svd_V(matrix a)"},
			Doc:        "the right singular vectors as columns",
			Section:    solveSection,
			Kernel:     svdKernel(svdV),
		},
		{
			Name:       "svd",
			Signatures: []string{"tuple(matrix, vector, matrix) svd(matrix a)"},
			Doc:        "the singular value decomposition: U, singular values, V",
			Section:    solveSection,
			Parts:      []string{"svd_U", "singular_values", "svd_V"},
		},
		{
			Name:       "generalized_inverse",
			Signatures: []string{"matrix generalized_inverse(matrix a)"},
			Doc:        "the Moore-Penrose inverse",
			Section:    solveSection,
			Kernel:     generalizedInverseKernel(),
		},
	}
}

// symmetricEigenKernel returns eigenvalues or eigenvectors.
func symmetricEigenKernel(fn string, values bool) *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			n, cols := container.MatrixSize(in[0])
			if n != cols {
				return nil, container.NotSquare(fn, n, cols)
			}
			if values {
				return []int{n}, nil
			}
			return []int{n, n}, nil
		},
		Work: func(in []catalogue.Tensor) int { n := in[0].Dims[0]; return 2*(n*n+n) + eigenWork(n) },
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			n := in[0].Dims[0]
			both := work[:n*n+n]
			if err := decomposeSymmetric(fn, in[0], both, work[n*n+n:]); err != nil {
				return err
			}
			if values {
				copy(out, both[n*n:])
			} else {
				copy(out, both[:n*n])
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			n := in[0].Dims[0]
			both, slopes, rest := work[:n*n+n], work[n*n+n:2*(n*n+n)], work[2*(n*n+n):]
			if decomposeSymmetric(fn, in[0], both, rest) != nil {
				return
			}
			clear(slopes)
			if values {
				copy(slopes[n*n:], adj)
			} else {
				copy(slopes, adj)
			}
			addSymmetricEigenVJP(n, both, slopes, din[0], rest)
		},
	}
}

// EigenPairs is eigenvectors, by columns, and eigenvalues of a symmetric matrix in one: what uses both
// decomposes the matrix once, and derivatives need no further decomposition.
func EigenPairs() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) { n := in[0].Dims[0]; return []int{n*n + n}, nil },
		Work: func(in []catalogue.Tensor) int { return eigenWork(in[0].Dims[0]) },
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			return decomposeSymmetric("eigendecompose_sym", in[0], out, work)
		},
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, work []float64) {
			addSymmetricEigenVJP(in[0].Dims[0], out, adj, din[0], work)
		},
	}
}

func eigenWork(n int) int { return max(n*n+mat.EigenSymWork(n), 3*n*n) }

// decomposeSymmetric sets out to eigenvectors, the largest element of each of them positive, and
// eigenvalues.
func decomposeSymmetric(fn string, a catalogue.Tensor, out, work []float64) error {
	if err := SymmetryError(fn, "a", a); err != nil {
		return err
	}
	n := a.Dims[0]
	copy(work, a.X)
	for _, v := range a.X {
		if v-v != 0 {
			Fill(out, math.NaN())
			return nil
		}
	}
	if !mat.EigenSymTo(n, work[:n*n], out[n*n:], out[:n*n], work[n*n:]) {
		return catalogue.DomainErrorf(fn, "the eigenvalues of a cannot be computed")
	}
	for j := range n {
		fixSign(out[j*n : (j+1)*n])
	}
	return nil
}

// addSymmetricEigenVJP adds to da the derivative Q (diag(wbar) + F .* (P - P')/2) Q', P = Q' Qbar and
// F[i,j] = 1/(w[j]-w[i]), of A = Q diag(w) Q', with pairs holding Q and w and adj holding Qbar and wbar. Where values are
// close, P and P' are as well, so that they are subtracted before the division.
func addSymmetricEigenVJP(n int, pairs, adj, da, work []float64) {
	inner, t, full := work[:n*n], work[n*n:2*n*n], work[2*n*n:3*n*n]
	q, w := pairs[:n*n], pairs[n*n:]
	clear(inner)
	if slices.ContainsFunc(adj[:n*n], func(v float64) bool { return v != 0 }) {
		catalogue.MulTransposeAAdd(n, n, n, q, adj[:n*n], inner)
	}
	for j := range n {
		inner[j+j*n] = adj[n*n+j]
		for i := range j {
			v := (inner[i+j*n] - inner[j+i*n]) / 2
			if v != 0 {
				v /= w[j] - w[i]
			}
			inner[i+j*n], inner[j+i*n] = v, v
		}
	}
	clear(t)
	catalogue.MulAdd(n, n, n, q, inner, t)
	clear(full)
	catalogue.MulTransposeBAdd(n, n, n, t, q, full)
	AverageTriangles(n, full)
	catalogue.Axpy(1, full, da)
}

// svdPart reports which part of the decomposition a row gives.
type svdPart int

const (
	svdS svdPart = iota
	svdU
	svdV
)

// svdSpace cuts the scratch of a decomposition of a tall matrix: the matrix itself
// (transposed where it was wide), U, V and the singular values.
func svdSpace(in catalogue.Tensor, work []float64) (m, n int, tall, u, v, s, rest []float64) {
	m, n = container.MatrixSize(in)
	tall = work[:m*n]
	work = work[m*n:]
	if m < n {
		catalogue.TransposeInto(m, n, in.X, tall)
		m, n = n, m
	} else {
		copy(tall, in.X)
	}
	return m, n, tall, work[:m*n], work[m*n : m*n+n*n], work[m*n+n*n : m*n+n*n+n], work[m*n+n*n+n:]
}

func svdWork(in []catalogue.Tensor) int {
	m, n := container.MatrixSize(in[0])
	if m < n {
		m, n = n, m
	}
	return 5*m*n + 5*n*n + n
}

func svdKernel(part svdPart) *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			m, n := container.MatrixSize(in[0])
			k := min(m, n)
			switch part {
			case svdU:
				return []int{m, k}, nil
			case svdV:
				return []int{n, k}, nil
			}
			return []int{k}, nil
		},
		Work: svdWork,
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			m, n, tall, u, v, s, _ := svdSpace(in[0], work)
			jacobiSVD(m, n, tall, u, s, v)
			if in[0].Dims[0] < in[0].Dims[1] {
				u, v = v, u
			}
			switch part {
			case svdU:
				copy(out, u)
			case svdV:
				copy(out, v)
			default:
				copy(out, s)
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			m, n, tall, u, v, s, rest := svdSpace(in[0], work)
			jacobiSVD(m, n, tall, u, s, v)
			wide := in[0].Dims[0] < in[0].Dims[1]
			p := part
			if wide && part != svdS {
				p = svdU + svdV - part
			}
			dtall := rest[:m*n]
			clear(dtall)
			addSVDVJP(m, n, u, s, v, p, adj, dtall, rest[m*n:])
			for k, g := range dtall {
				if wide {
					din[0][k/m+k%m*n] += g
				} else {
					din[0][k] += g
				}
			}
		},
	}
}

// addSVDVJP adds the derivative of one part to da, for m >= n (Townsend, Differentiating
// the Singular Value Decomposition, 2016). work has room for 2 m n + 2 n n numbers.
func addSVDVJP(m, n int, u, s, v []float64, part svdPart, adj, da, work []float64) {
	inner := work[:n*n] // the derivative is U inner V' + the part outside of U's columns
	clear(inner)
	ut, rest := work[n*n:n*n+m*n], work[n*n+m*n:]
	switch part {
	case svdS:
		for i, a := range adj {
			inner[i*(n+1)] = a
		}
	case svdU:
		catalogue.MulTransposeAAdd(n, m, n, u, adj, inner)
		copy(ut, adj) // (I - U U') adj / s
		for j := 0; j < n; j++ {
			for k := 0; k < n; k++ {
				catalogue.Axpy(-inner[k+j*n], u[k*m:(k+1)*m], ut[j*m:(j+1)*m])
			}
			for i := range ut[j*m : (j+1)*m] {
				ut[j*m+i] /= s[j]
			}
		}
		catalogue.MulTransposeBAdd(m, n, n, ut, v, da)
		skewDivide(n, s, inner)
		for j := 0; j < n; j++ {
			for i := 0; i < n; i++ {
				inner[i+j*n] *= s[j]
			}
		}
	case svdV:
		catalogue.MulTransposeAAdd(n, n, n, v, adj, inner)
		skewDivide(n, s, inner)
		for j := 0; j < n; j++ {
			for i := 0; i < n; i++ {
				inner[i+j*n] *= s[i]
			}
		}
	}
	ui := rest[:m*n]
	clear(ui)
	catalogue.MulAdd(m, n, n, u, inner, ui)
	catalogue.MulTransposeBAdd(m, n, n, ui, v, da)
}

// skewDivide turns X into (X - X') ./ (s[j]^2 - s[i]^2), 0 on the diagonal.
func skewDivide(n int, s, x []float64) {
	for j := 0; j < n; j++ {
		x[j*(n+1)] = 0
		for i := j + 1; i < n; i++ {
			d := (x[i+j*n] - x[j+i*n]) / ((s[j] - s[i]) * (s[j] + s[i]))
			x[i+j*n], x[j+i*n] = d, d
		}
	}
}

// generalizedInverseKernel is P = V S^-1 U' over singular values that are not
// negligible; the derivative is that at constant rank (Golub and Pereyra 1973),
// -P' G P' + (I - A P) G' P P' + P' P G' (I - P A).
func generalizedInverseKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) { return []int{in[0].Dims[1], in[0].Dims[0]}, nil },
		Work: func(in []catalogue.Tensor) int {
			k := max(in[0].Dims[0], in[0].Dims[1])
			return svdWork(in) + 4*k*k
		},
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			m, n, tall, u, v, s, _ := svdSpace(in[0], work)
			jacobiSVD(m, n, tall, u, s, v)
			clear(out)
			if n == 0 {
				return nil
			}
			least := s[0] * float64(m) * 0x1p-52
			wide := in[0].Dims[0] < in[0].Dims[1]
			for k := 0; k < n && s[k] > least; k++ {
				for j := 0; j < m; j++ {
					for i := 0; i < n; i++ {
						at := i + j*n
						if wide {
							at = j + i*m
						}
						out[at] += v[i+k*n] * u[j+k*m] / s[k]
					}
				}
			}
			return nil
		},
		VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, work []float64) {
			m, n := container.MatrixSize(in[0])
			addGeneralizedInverseVJP(m, n, in[0].X, out, adj, din[0], work)
		},
	}
}

// addGeneralizedInverseVJP adds the derivative to da, given the adjoint g of p. work has
// room for four square matrices of the larger size.
func addGeneralizedInverseVJP(m, n int, a, p, g, da, work []float64) {
	kk := max(m, n) * max(m, n)
	left, right := work[:m*m], work[kk:kk+n*n]
	gt, inner := work[2*kk:2*kk+m*n], work[3*kk:3*kk+m*n]
	// -P' G P'
	clear(left)
	catalogue.MulTransposeAAdd(m, n, m, p, g, left)
	for i := range left {
		left[i] = -left[i]
	}
	catalogue.MulTransposeBAdd(m, m, n, left, p, da)
	// (I - A P) (G' P P')
	clear(right)
	catalogue.MulTransposeBAdd(n, m, n, p, p, right)
	clear(inner)
	catalogue.MulTransposeAAdd(m, n, n, g, right, inner)
	clear(left)
	catalogue.MulAdd(m, n, m, a, p, left)
	residual(m, left)
	catalogue.MulAdd(m, m, n, left, inner, da)
	// (P' P G') (I - P A)
	clear(left)
	catalogue.MulTransposeAAdd(m, n, m, p, p, left)
	catalogue.TransposeInto(n, m, g, gt)
	clear(inner)
	catalogue.MulAdd(m, m, n, left, gt, inner)
	clear(right)
	catalogue.MulAdd(n, m, n, p, a, right)
	residual(n, right)
	catalogue.MulAdd(m, n, n, inner, right, da)
}

// residual turns an n by n matrix X into I - X.
func residual(n int, x []float64) {
	for i := range x[:n*n] {
		x[i] = -x[i]
	}
	for i := 0; i < n; i++ {
		x[i*(n+1)]++
	}
}
