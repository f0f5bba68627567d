// Rows of general eigenvalues and of the complex Schur decomposition.

package matrixfn

import (
	"github.com/seed-12b88e03/ppl/autodiff/libm/cmplx"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/mathfn"
)

func schurFunctions() []*catalogue.Function {
	forms := func(result, name string) []string {
		return []string{result + " " + name + "(matrix a)", result + " " + name + "(complex_matrix a)"}
	}
	row := func(name, result, doc string, part schurPart) []*catalogue.Function {
		var rows []*catalogue.Function
		for i, s := range forms(result, name) {
			rows = append(rows, &catalogue.Function{
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
		&catalogue.Function{
			Name: "eigendecompose", Signatures: forms("tuple(complex_matrix, complex_vector)", "eigendecompose"),
			Doc: "eigenvectors and eigenvalues of a square matrix", Section: solveSection,
			Parts: []string{"eigenvectors", "eigenvalues"},
		},
		&catalogue.Function{
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

func schurKernel(name string, part schurPart, isComplex bool) *catalogue.Kernel {
	k := &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			dims, err := SquareResult(name, false)(in)
			if err == nil && part == eigenvaluesPart {
				dims = dims[:1]
			}
			return dims, err
		},
		Value: func(in []catalogue.Tensor, out, _ []float64) error {
			if err := catalogue.CheckEach(name, "a", in[0], catalogue.IsFinite, "finite"); err != nil {
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
				return catalogue.DomainErrorf(name, "the QR algorithm does not converge")
			}
			cmatrix{len(z), z}.store(out)
			return nil
		},
	}
	if part == eigenvaluesPart || part == eigenvectorsPart {
		k.VJP = func(in []catalogue.Tensor, _, adj []float64, din [][]float64, _ []float64) {
			addEigenVJP(complexOf(in[0], isComplex), part, isComplex, mathfn.Pairs(adj), din[0])
		}
	}
	return k
}

// addEigenVJP adds the derivative with respect to a real or complex matrix.
func addEigenVJP(a cmatrix, part schurPart, isComplex bool, adj mathfn.Pairs, da []float64) {
	w, v, _ := eigen(a, isComplex)
	for k, z := range eigenAdjoint(w, v, part, adj).x {
		if isComplex {
			mathfn.Pairs(da).Add(k, z)
		} else {
			da[k] += real(z)
		}
	}
}

// eigenAdjoint returns the adjoint of the matrix: with inverse(V) dA V = M, dw = diag(M)
// and dV = V (F .* M - D), F[i,j] = 1/(w[j]-w[i]), where the diagonal D keeps columns at
// length 1 and their largest elements real.
func eigenAdjoint(w []complex128, v cmatrix, part schurPart, adj mathfn.Pairs) cmatrix {
	n := v.n
	g := newCMatrix(n, n) // adjoint of M
	if part == eigenvaluesPart {
		for k := range n {
			g.set(k, k, adj.At(k))
		}
	} else {
		vbar := newCMatrix(n, n)
		for i := range vbar.x {
			vbar.x[i] = adj.At(i)
		}
		projectPhase(v, vbar)
		g = v.adjoint().times(vbar)
		for j := range n {
			for i := range n {
				if i == j {
					g.set(i, j, 0)
				} else {
					g.set(i, j, cmplx.Div(g.at(i, j), cmplx.Conj(w[j]-w[i])))
				}
			}
		}
	}
	x := g.times(v.adjoint()) // inverse(V)* G V*
	solveComplex(v.adjoint(), x)
	return x
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
			dot += cmplx.Mul(cmplx.Conj(v.at(i, k)), vbar.at(i, k))
		}
		size := real(v.at(top, k))
		for i := 0; i < n; i++ {
			vbar.x[i+k*n] -= cmplx.Mul(v.at(i, k), complex(real(dot), 0))
		}
		if size > 0 { // d phase = -imag(du[top]) / u[top]
			vbar.x[top+k*n] -= complex(0, imag(dot)/size)
		}
	}
}
