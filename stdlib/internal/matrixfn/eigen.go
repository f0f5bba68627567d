// Rows of symmetric eigenvalues and of singular values.

package matrixfn

import (
	"math"

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
			Kernel:     Eigen.Part(1),
		},
		{
			Name:       "eigenvectors_sym",
			Signatures: []string{"matrix eigenvectors_sym(matrix a)"},
			Doc:        "the eigenvectors of a symmetric matrix as columns, in ascending order of the eigenvalues",
			Section:    solveSection,
			Kernel:     Eigen.Part(0),
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
			Kernel:     SVD.Part(1),
		},
		{
			Name:       "svd_U",
			Signatures: []string{"matrix svd_U(matrix a)"},
			Doc:        "the left singular vectors as columns",
			Section:    solveSection,
			Kernel:     SVD.Part(0),
		},
		{
			Name:       "svd_V",
			Signatures: []string{"matrix svd_V(matrix a)"},
			Doc:        "the right singular vectors as columns",
			Section:    solveSection,
			Kernel:     SVD.Part(2),
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

// Eigen is the decomposition of a symmetric matrix into eigenvectors, by columns, and eigenvalues.
var Eigen = &Decomposition{
	Parts: []string{"eigenvectors_sym", "eigenvalues_sym"},
	ranks: []int{2, 1},
	dims:  func(n, _ int) [maxParts][2]int { return [maxParts][2]int{{n, n}, {n}} },
	check: squareOnly,
	work:  func(n, _ int) int { return max(n*n+mat.EigenSymWork(n), 3*n*n) },
	value: decomposeSymmetric,
	vjp: func(a catalogue.Tensor, out, adj, da, work []float64) {
		addSymmetricEigenVJP(a.Dims[0], out, adj, da, work)
	},
}

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
	if !allZero(adj[:n*n]) {
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

// SVD is the singular value decomposition into left vectors, by columns, singular values, in
// descending order, and right vectors.
var SVD = &Decomposition{
	Parts: []string{"svd_U", "singular_values", "svd_V"},
	ranks: []int{2, 1, 2},
	dims: func(m, n int) [maxParts][2]int {
		k := min(m, n)
		return [maxParts][2]int{{m, k}, {k}, {n, k}}
	},
	work: func(m, n int) int { return 3*m*n + 2*min(m, n)*min(m, n) },
	value: func(_ string, a catalogue.Tensor, out, work []float64) error {
		m, n := container.MatrixSize(a)
		k := min(m, n)
		u, s, v := out[:m*k], out[m*k:m*k+k], out[m*k+k:]
		if m >= n {
			jacobiSVD(m, n, a.X, u, s, v)
			return nil
		}
		tall := work[:m*n]
		catalogue.TransposeInto(m, n, a.X, tall)
		jacobiSVD(n, m, tall, v, s, u)
		return nil
	},
	vjp: func(a catalogue.Tensor, out, adj, da, work []float64) {
		m, n := container.MatrixSize(a)
		k := min(m, n)
		cut := func(x []float64) svdParts { return svdParts{x[:m*k], x[m*k : m*k+k], x[m*k+k:]} }
		if m >= n {
			addSVDVJP(m, n, cut(out), cut(adj), da, work)
			return
		}
		dtall := work[:m*n]
		clear(dtall)
		addSVDVJP(n, m, cut(out).turned(), cut(adj).turned(), dtall, work[m*n:])
		for i := range m {
			for j := range n {
				da[i+j*m] += dtall[j+i*n]
			}
		}
	},
}

// svdParts are the parts of a decomposition, or their adjoints.
type svdParts struct{ u, s, v []float64 }

// turned is the decomposition of the transpose.
func (p svdParts) turned() svdParts { return svdParts{p.v, p.s, p.u} }

// addSVDVJP adds the derivative to da, for m >= n (Townsend, Differentiating the Singular Value
// Decomposition, 2016). work has room for 2 m n + 2 n n numbers.
func addSVDVJP(m, n int, of, adj svdParts, da, work []float64) {
	u, s, v := of.u, of.s, of.v
	inner := work[:n*n] // the derivative is U inner V' + the part outside of U's columns
	turn, ut := work[n*n:2*n*n], work[2*n*n:2*n*n+m*n]
	clear(inner)
	for i, a := range adj.s {
		inner[i*(n+1)] = a
	}
	if !allZero(adj.u) {
		clear(turn)
		catalogue.MulTransposeAAdd(n, m, n, u, adj.u, turn)
		copy(ut, adj.u) // (I - U U') adj / s
		for j := range n {
			for k := range n {
				catalogue.Axpy(-turn[k+j*n], u[k*m:(k+1)*m], ut[j*m:(j+1)*m])
			}
			for i := range ut[j*m : (j+1)*m] {
				ut[j*m+i] /= s[j]
			}
		}
		catalogue.MulTransposeBAdd(m, n, n, ut, v, da)
		skewDivide(n, s, turn)
		for j := range n {
			catalogue.Axpy(s[j], turn[j*n:(j+1)*n], inner[j*n:(j+1)*n])
		}
	}
	if !allZero(adj.v) {
		clear(turn)
		catalogue.MulTransposeAAdd(n, n, n, v, adj.v, turn)
		skewDivide(n, s, turn)
		for k, x := range turn {
			inner[k] += float64(x * s[k%n])
		}
	}
	ui := work[2*n*n+m*n : 2*n*n+2*m*n]
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
			m, n := container.MatrixSize(in[0])
			k := max(m, n)
			return SVD.Outputs(m, n) + SVD.work(m, n) + 4*k*k
		},
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			m, n := container.MatrixSize(in[0])
			k, all := min(m, n), SVD.Outputs(m, n)
			if err := SVD.value("", in[0], work, work[all:]); err != nil {
				return err
			}
			u, s, v := work[:m*k], work[m*k:m*k+k], work[m*k+k:all]
			clear(out)
			if k == 0 {
				return nil
			}
			least := s[0] * float64(max(m, n)) * 0x1p-52
			for c := 0; c < k && s[c] > least; c++ {
				for j := range m {
					for i := range n {
						out[i+j*n] += v[i+c*n] * u[j+c*m] / s[c]
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
