// Rows of the matrix exponential and of matrix powers.

package matrixfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
)

func exponentialFunctions() []*catalogue.Function {
	return []*catalogue.Function{
		{
			Name:       "matrix_exp",
			Signatures: []string{"matrix matrix_exp(matrix a)"},
			Doc:        "the matrix exponential",
			Section:    solveSection,
			Kernel:     matrixExpKernel(),
		},
		{
			Name:       "matrix_exp_multiply",
			Signatures: []string{"matrix matrix_exp_multiply(matrix a, matrix b)"},
			Doc:        "matrix_exp(a) * b",
			Section:    solveSection,
			Kernel:     expMultiplyKernel("matrix_exp_multiply", 0),
		},
		{
			Name:       "scale_matrix_exp_multiply",
			Signatures: []string{"matrix scale_matrix_exp_multiply(real t, matrix a, matrix b)"},
			Doc:        "matrix_exp(t*a) * b",
			Section:    solveSection,
			Kernel:     expMultiplyKernel("scale_matrix_exp_multiply", 1),
		},
		{
			Name:       "matrix_power",
			Signatures: []string{"matrix matrix_power(matrix a, int n)"},
			Doc:        "the n-th power of a square matrix, n >= 0",
			Section:    solveSection,
			Kernel:     matrixPowerKernel(),
		},
	}
}

// padeCoefficients of the [13/13] approximant of exp (Higham, The Scaling and Squaring
// Method for the Matrix Exponential Revisited, 2005), and the norm up to which it serves.
var padeCoefficients = [...]float64{
	64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
	670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1,
}

const padeNorm = 5.371920351148152

// expWork is the scratch that expMatrix needs.
func expWork(n int) int { return 7*n*n + n }

// expMatrix writes exp(A) to out.
func expMatrix(n int, a, out, work []float64) {
	if n == 0 {
		return
	}
	nn := n * n
	x, x2, x4, x6, u, v, t := work[:nn], work[nn:2*nn], work[2*nn:3*nn], work[3*nn:4*nn], work[4*nn:5*nn], work[5*nn:6*nn], work[6*nn:7*nn]
	norm := 0.0
	for j := 0; j < n; j++ {
		sum := 0.0
		for _, e := range a[j*n : (j+1)*n] {
			sum += math.Abs(e)
		}
		norm = math.Max(norm, sum)
	}
	squarings := 0
	if norm > padeNorm && !math.IsInf(norm, 0) {
		squarings = int(math.Ceil(libm.Log2(norm / padeNorm)))
	}
	scale := math.Ldexp(1, -squarings)
	for i, e := range a[:nn] {
		x[i] = e * scale
	}
	square := func(y, p []float64) {
		clear(p)
		catalogue.MulAdd(n, n, n, y, y, p)
	}
	square(x, x2)
	square(x2, x4)
	clear(x6)
	catalogue.MulAdd(n, n, n, x4, x2, x6)
	b := &padeCoefficients
	combine := func(c6, c4, c2, c0 float64, p []float64) {
		for i := range p {
			p[i] += float64(c6*x6[i]) + float64(c4*x4[i]) + float64(c2*x2[i])
		}
		for i := 0; i < n; i++ {
			p[i*(n+1)] += c0
		}
	}
	// u = x (x6 (b13 x6 + b11 x4 + b9 x2) + b7 x6 + b5 x4 + b3 x2 + b1)
	clear(t)
	combine(b[13], b[11], b[9], 0, t)
	clear(v)
	catalogue.MulAdd(n, n, n, x6, t, v)
	combine(b[7], b[5], b[3], b[1], v)
	clear(u)
	catalogue.MulAdd(n, n, n, x, v, u)
	// v = x6 (b12 x6 + b10 x4 + b8 x2) + b6 x6 + b4 x4 + b2 x2 + b0
	clear(t)
	combine(b[12], b[10], b[8], 0, t)
	clear(v)
	catalogue.MulAdd(n, n, n, x6, t, v)
	combine(b[6], b[4], b[2], b[0], v)
	// (v - u) exp = v + u
	for i := range t {
		t[i] = v[i] - u[i]
		out[i] = v[i] + u[i]
	}
	catalogue.LuFactor(n, t, x, work[7*nn:])
	catalogue.LuSolve(n, n, x, work[7*nn:], out)
	for ; squarings > 0; squarings-- {
		square(out, t)
		copy(out, t)
	}
}

// expAdjoint writes the adjoint of A, given that of E = exp(A): the upper right block of
// the exponential of [A' G; 0 A'] (Van Loan 1978). work has room for expAdjointWork
// numbers.
func expAdjoint(n int, a, g, out, work []float64) {
	m := 2 * n
	block, e := work[:m*m], work[m*m:2*m*m]
	clear(block)
	for j := 0; j < n; j++ {
		for i := 0; i < n; i++ {
			block[i+j*m] = a[j+i*n]
			block[n+i+(n+j)*m] = a[j+i*n]
			block[i+(n+j)*m] = g[i+j*n]
		}
	}
	expMatrix(m, block, e, work[2*m*m:])
	for j := 0; j < n; j++ {
		copy(out[j*n:(j+1)*n], e[(n+j)*m:(n+j)*m+n])
	}
}

func expAdjointWork(n int) int { return 8*n*n + expWork(2*n) }

func matrixExpKernel() *catalogue.Kernel {
	return &catalogue.Kernel{
		Dims: SquareResult("matrix_exp", false),
		Work: func(in []catalogue.Tensor) int { return len(in[0].X) + expAdjointWork(in[0].Dims[0]) },
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			expMatrix(in[0].Dims[0], in[0].X, out, work)
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			nn := len(in[0].X)
			expAdjoint(in[0].Dims[0], in[0].X, adj, work[:nn], work[nn:])
			catalogue.Axpy(1, work[:nn], din[0])
		},
	}
}

// expMultiplyKernel is exp(t A) B, where A is argument at; t is argument 0 if at is 1,
// otherwise 1.
func expMultiplyKernel(name string, at int) *catalogue.Kernel {
	time := func(in []catalogue.Tensor) float64 {
		if at == 0 {
			return 1
		}
		return in[0].X[0]
	}
	// scaled writes tA to its part of the scratch.
	scaled := func(in []catalogue.Tensor, work []float64) (n int, ta, rest []float64) {
		n = in[at].Dims[0]
		for i, v := range in[at].X {
			work[i] = time(in) * v
		}
		return n, work[:n*n], work[n*n:]
	}
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			b := in[at+1].Dims
			return b, SquareMatrix(name, "a", in[at], b[0])
		},
		Work: func(in []catalogue.Tensor) int { return 4*len(in[at].X) + expAdjointWork(in[at].Dims[0]) },
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			n, ta, rest := scaled(in, work)
			e := rest[:n*n]
			expMatrix(n, ta, e, rest[n*n:])
			clear(out)
			catalogue.MulAdd(n, n, in[at+1].Dims[1], e, in[at+1].X, out)
			return nil
		},
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			n, ta, rest := scaled(in, work)
			m := in[at+1].Dims[1]
			if db := din[at+1]; db != nil {
				e := rest[:n*n]
				expMatrix(n, ta, e, rest[n*n:])
				catalogue.MulTransposeAAdd(n, n, m, e, adj, db)
			}
			dt := []float64(nil)
			if at == 1 {
				dt = din[0]
			}
			if din[at] == nil && dt == nil {
				return
			}
			g, bar := rest[:n*n], rest[n*n:2*n*n]
			clear(g)
			catalogue.MulTransposeBAdd(n, m, n, adj, in[at+1].X, g)
			expAdjoint(n, ta, g, bar, rest[2*n*n:])
			if din[at] != nil {
				catalogue.Axpy(time(in), bar, din[at])
			}
			if dt != nil {
				dt[0] += catalogue.Dot(bar, in[at].X)
			}
		},
	}
}

func matrixPowerKernel() *catalogue.Kernel {
	const fn = "matrix_power"
	return &catalogue.Kernel{
		Dims: func(in []catalogue.Tensor) ([]int, error) {
			dims, err := SquareResult(fn, false)(in)
			if err == nil {
				err = container.CheckCount(fn, "n", container.IntArg(in[1]))
			}
			return dims, err
		},
		Work: Squares(3),
		Value: func(in []catalogue.Tensor, out, work []float64) error {
			n := in[0].Dims[0]
			base, t := work[:n*n], work[n*n:2*n*n]
			copy(base, in[0].X)
			catalogue.SetIdentity(n, out)
			for p := container.IntArg(in[1]); p > 0; p >>= 1 {
				if p&1 == 1 {
					clear(t)
					catalogue.MulAdd(n, n, n, out, base, t)
					copy(out, t)
				}
				if p > 1 {
					clear(t)
					catalogue.MulAdd(n, n, n, base, base, t)
					copy(base, t)
				}
			}
			return nil
		},
		// The sum over k of (A')^(p-1-k) G (A')^k, by X <- A' X + G (A')^k.
		VJP: func(in []catalogue.Tensor, _, adj []float64, din [][]float64, work []float64) {
			n, a := in[0].Dims[0], in[0].X
			x, g, t := work[:n*n], work[n*n:2*n*n], work[2*n*n:]
			clear(x)
			copy(g, adj)
			for p := container.IntArg(in[1]); p > 0; p-- {
				copy(t, g)
				catalogue.MulTransposeAAdd(n, n, n, a, x, t)
				copy(x, t)
				clear(t)
				catalogue.MulTransposeBAdd(n, n, n, g, a, t)
				copy(g, t)
			}
			catalogue.Axpy(1, x, din[0])
		},
	}
}
