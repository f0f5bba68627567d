package stdlib_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// gradientCases are calls whose derivatives the conformance vectors do not cover: types
// with sizes, "sym" for a symmetric matrix and "spd" for a positive definite one.
var gradientCases = []string{
	"eigenvectors_sym(sym 4,4)",
	"eigenvalues_sym(sym 5,5)",
	"svd_U(matrix 4,3)", "svd_U(matrix 3,3)", "svd_U(matrix 2,4)",
	"svd_V(matrix 4,3)", "svd_V(matrix 3,3)", "svd_V(matrix 2,4)",
	"singular_values(matrix 3,5)",
	"eigenvalues(matrix 4,4)", "eigenvectors(matrix 4,4)",
	"eigenvalues(complex_matrix 3,3)", "eigenvectors(complex_matrix 3,3)",
	"qr_thin_Q(matrix 2,4)", "qr_thin_R(matrix 2,4)", "qr_Q(matrix 2,4)", "qr_R(matrix 5,2)", "qr_thin_Q(matrix 6,3)",
	"multiply(complex_matrix 2,3; complex_vector 3)",
	"multiply(complex_matrix 2,3; complex_matrix 3,2)",
	"multiply(complex_row_vector 3; complex_matrix 3,2)",
	"multiply(complex_row_vector 3; complex_vector 3)",
	"multiply(complex_vector 3; complex_row_vector 2)",
	"multiply(complex; complex_matrix 2,2)",
	"divide(complex_vector 3; complex)", "divide(complex; complex_matrix 2,2)",
	"divide(complex_matrix 2,3; complex_matrix 3,3)", "mdivide_right(complex_row_vector 3; complex_matrix 3,3)",
	"trace(complex_matrix 3,3)", "symmetrize_from_lower_tri(complex_matrix 3,3)",
	"diag_pre_multiply(complex_vector 2; complex_matrix 2,3)", "diag_post_multiply(complex_matrix 2,3; complex_row_vector 3)",
	"add_diag(complex_matrix 3,3; complex)", "add_diag(complex_matrix 3,3; complex_vector 3)",
	"columns_dot_product(complex_matrix 3,2; complex_matrix 3,2)", "rows_dot_product(complex_matrix 3,2; complex_matrix 3,2)",
	"columns_dot_self(complex_matrix 3,2)", "rows_dot_self(complex_row_vector 3)",
	"singular_values(complex_matrix 3,2)", "singular_values(complex_matrix 2,4)",
	"multiply(matrix 5,6; matrix 6,7)", "multiply(row_vector 9; matrix 9,5)", "multiply(matrix 5,9; vector 9)",
	"cholesky_decompose(spd 9,9)", "inverse_spd(spd 6,6)", "log_determinant_spd(spd 6,6)",
	"mdivide_left_spd(spd 5,5; vector 5)", "mdivide_right_spd(matrix 3,5; spd 5,5)",
	"divide(matrix 2,3; matrix 3,3)", "divide(row_vector 3; matrix 3,3)",
	"rows_dot_self(row_vector 4)", "columns_dot_product(vector 4; vector 4)",
	"quad_form_diag(matrix 3,3; row_vector 3)", "generalized_inverse(matrix 3,5)",
}

// TestMatrixGradients compares derivatives with central differences.
func TestMatrixGradients(t *testing.T) {
	lib := stdlib.New()
	r := rand.New(rand.NewChaCha8([32]byte{3}))
	for _, text := range gradientCases {
		t.Run(text, func(t *testing.T) { checkMatrixGradient(t, lib, r, text) })
	}
}

// randomCall makes the arguments of such a case.
func randomCall(t *testing.T, r *rand.Rand, text string) (c *vectorCase, symmetric []bool) {
	fn, rest, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	c = &vectorCase{Fn: fn}
	for _, part := range strings.Split(rest, "; ") {
		name, size, _ := strings.Cut(part, " ")
		kind := name
		if name == "sym" || name == "spd" {
			name = "matrix"
		}
		ty, err := parseTestType(name)
		if err != nil {
			t.Fatal(err)
		}
		a := stdlib.Tensor{Rank: stdlib.Rank{Row: ty.Base == types.RowVectorBase || ty.Base == types.ComplexRowVectorBase}}
		n := 1
		for _, s := range strings.Split(size, ",") {
			var d int
			if _, err := fmt.Sscan(s, &d); err == nil {
				a.Dims = append(a.Dims, d)
				n *= d
			}
		}
		if ty.Base.IsComplex() {
			n *= 2
		}
		a.X = make([]float64, n)
		for i := range a.X {
			a.X[i] = r.NormFloat64()
		}
		if kind != name {
			symmetrize(a, kind == "spd")
		}
		c.Types, c.types, c.args = append(c.Types, name), append(c.types, ty), append(c.args, a)
		symmetric = append(symmetric, kind != name)
	}
	return c, symmetric
}

func symmetrize(a stdlib.Tensor, positive bool) {
	n := a.Dims[0]
	for j := range n {
		for i := range j {
			a.X[j+i*n] = a.X[i+j*n]
		}
		if positive {
			a.X[j*(n+1)] = 2*float64(n) + math.Abs(a.X[j*(n+1)])
		}
	}
}

func checkMatrixGradient(t *testing.T, lib *stdlib.Library, r *rand.Rand, text string) {
	c, symmetric := randomCall(t, r, text)
	f, match := selectRow(lib, c)
	if f == nil {
		t.Fatal("no row")
	}
	width := 1
	if match.Result.Base.IsComplex() {
		width = 2
	}
	res, err := evaluate(f, c.args, width)
	if err != nil {
		t.Fatal(err)
	}
	adj := make([]float64, len(res.x))
	for i := range adj {
		adj[i] = r.NormFloat64()
	}
	din := make([][]float64, len(c.args))
	for i, a := range c.args {
		din[i] = make([]float64, len(a.X))
	}
	f.Kernel.VJP(c.args, res.x, adj, din, scratch(f.Kernel, c.args))
	objective := func() float64 {
		s, err := evaluate(f, c.args, width)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i, v := range s.x {
			sum += adj[i] * v
		}
		return sum
	}
	for i, a := range c.args {
		for k, x := range a.X {
			twin := k // the other element that moves along
			if symmetric[i] {
				n := a.Dims[0]
				twin = k/n + k%n*n
			}
			move := func(d float64) float64 {
				a.X[k], a.X[twin] = x+d, x+d
				defer func() { a.X[k], a.X[twin] = x, x }()
				return objective()
			}
			const h = 1e-5
			want := (move(h) - move(-h)) / (2 * h)
			got := din[i][k]
			if twin != k {
				got += din[i][twin]
			}
			if math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
				t.Errorf("argument %d[%d]: derivative %v, difference quotient %v", i+1, k, got, want)
			}
		}
	}
}

// TestDecompositions checks that decompositions give their matrix back.
func TestDecompositions(t *testing.T) {
	lib := stdlib.New()
	r := rand.New(rand.NewChaCha8([32]byte{4}))
	call := func(fn string, ty string, a ...stdlib.Tensor) stdlib.Tensor {
		c := &vectorCase{Fn: fn}
		for range a {
			parsed, _ := parseTestType(ty)
			c.types, c.Types = append(c.types, parsed), append(c.Types, ty)
		}
		f, match := selectRow(lib, c)
		if f == nil {
			t.Fatalf("no row for %s(%s)", fn, ty)
		}
		width := 1
		if match.Result.Base.IsComplex() {
			width = 2
		}
		res, err := evaluate(f, a, width)
		if err != nil {
			t.Fatal(err)
		}
		return stdlib.Tensor{Dims: res.dims, X: res.x}
	}
	same := func(what string, got, want []float64) {
		t.Helper()
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-11 {
				t.Errorf("%s gives back %v, want %v", what, got, want)
				return
			}
		}
	}
	for _, size := range [][2]int{{1, 1}, {2, 2}, {4, 4}, {7, 7}, {30, 30}, {6, 3}, {3, 6}} {
		a := stdlib.Tensor{Dims: size[:], X: make([]float64, size[0]*size[1])}
		for i := range a.X {
			a.X[i] = r.NormFloat64()
		}
		if size[0] == 7 { // of rank 3
			b := stdlib.Tensor{Dims: []int{7, 3}, X: a.X[:21]}
			a = call("tcrossprod", "matrix", b)
		}
		same("QR", call("multiply", "matrix", call("qr_Q", "matrix", a), call("qr_R", "matrix", a)).X, a.X)
		same("thin QR", call("multiply", "matrix", call("qr_thin_Q", "matrix", a), call("qr_thin_R", "matrix", a)).X, a.X)
		u, s, v := call("svd_U", "matrix", a), call("singular_values", "matrix", a), call("svd_V", "matrix", a)
		us := call("multiply", "matrix", u, call("diag_matrix", "vector", s))
		same("SVD", call("multiply", "matrix", us, call("transpose", "matrix", v)).X, a.X)
		p := call("generalized_inverse", "matrix", a)
		same("generalised inverse", call("multiply", "matrix", call("multiply", "matrix", a, p), a).X, a.X)
		if size[0] != size[1] {
			continue
		}
		ca := call("to_complex", "matrix", a)
		ut := call("multiply", "complex_matrix", call("complex_schur_decompose_u", "matrix", a), call("complex_schur_decompose_t", "matrix", a))
		au := call("multiply", "complex_matrix", ca, call("complex_schur_decompose_u", "complex_matrix", ca))
		same("Schur", ut.X, au.X)
		vw := call("multiply", "complex_matrix", call("eigenvectors", "matrix", a), call("diag_matrix", "complex_vector", call("eigenvalues", "matrix", a)))
		av := call("multiply", "complex_matrix", ca, call("eigenvectors", "matrix", a))
		same("eigenvectors", vw.X, av.X)
		sym := stdlib.Tensor{Dims: a.Dims, X: a.X}
		symmetrize(sym, false)
		q := call("eigenvectors_sym", "matrix", sym)
		qw := call("multiply", "matrix", q, call("diag_matrix", "vector", call("eigenvalues_sym", "matrix", sym)))
		herm := stdlib.Tensor{Dims: a.Dims, X: append([]float64(nil), ca.X...)}
		for i := range len(herm.X) / 2 {
			herm.X[2*i+1] = r.NormFloat64()
		}
		checkComplexSVD(t, herm, call, same)
		herm = call("symmetrize_from_lower_tri", "complex_matrix", herm)
		hv := call("eigenvectors_sym", "complex_matrix", herm)
		hw := call("diag_matrix", "complex_vector", call("eigenvalues_sym", "complex_matrix", herm))
		same("Hermitian eigenvectors", call("multiply", "complex_matrix", hv, hw).X, call("multiply", "complex_matrix", herm, hv).X)
		same("symmetric eigenvectors", call("multiply", "matrix", qw, call("transpose", "matrix", q)).X, sym.X)
	}
}

type (
	caller   = func(fn, ty string, a ...stdlib.Tensor) stdlib.Tensor
	comparer = func(what string, got, want []float64)
)

// checkComplexSVD checks A V = U diag(s).
func checkComplexSVD(t *testing.T, a stdlib.Tensor, call caller, same comparer) {
	t.Helper()
	s := call("to_complex", "vector", call("singular_values", "complex_matrix", a))
	us := call("multiply", "complex_matrix", call("svd_U", "complex_matrix", a), call("diag_matrix", "complex_vector", s))
	same("complex SVD", us.X, call("multiply", "complex_matrix", a, call("svd_V", "complex_matrix", a)).X)
}
