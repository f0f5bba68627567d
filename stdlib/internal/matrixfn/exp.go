// Rows of the matrix exponential and of matrix powers.

package matrixfn

import (
	"math"
	"slices"

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

// A pade is a diagonal Pade approximant of exp of a degree up to 9: its coefficients, and the norm of X up to which it
// serves for exp(X) and its derivative (Al-Mohy and Higham, Computing the Frechet Derivative of the Matrix Exponential,
// 2009, table 6.1).
type pade struct {
	norm float64
	b    []float64
}

var fewDegrees = [...]pade{
	{1.08e-2, []float64{120, 60, 12, 1}},
	{2.00e-1, []float64{30240, 15120, 3360, 420, 30, 1}},
	{7.83e-1, []float64{17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}},
	{1.78, []float64{17643225600, 8821612800, 2075673600, 302702400, 30270240, 2162160, 110880, 3960, 90, 1}},
}

// padeCoefficients of the [13/13] approximant of exp (Higham, The Scaling and Squaring
// Method for the Matrix Exponential Revisited, 2005), and the norm up to which it serves with its derivative.
var padeCoefficients = [...]float64{
	64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
	670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1,
}

const padeNorm = 4.74

// A directed matrix is a matrix with its derivative in some direction, which may be nil.
type directed struct{ x, d []float64 }

func (m directed) each(f func(p []float64)) {
	f(m.x)
	if m.d != nil {
		f(m.d)
	}
}

// expWork is the scratch that expMatrix needs, with a derivative or without.
func expWork(n int) int { return 18*n*n + n }

// An exponential computes exp of n by n matrices.
type exponential struct {
	n    int
	work []float64
	both bool // with derivatives
}

func (e *exponential) take() (m directed) {
	nn := e.n * e.n
	m.x, e.work = e.work[:nn], e.work[nn:]
	if e.both {
		m.d, e.work = e.work[:nn], e.work[nn:]
	}
	return m
}

// product writes A B to c.
func (e *exponential) product(a, b, c directed) {
	c.each(func(p []float64) { clear(p) })
	addProduct(e.n, a.x, b.x, c.x)
	if e.both {
		addProduct(e.n, a.d, b.x, c.d)
		addProduct(e.n, a.x, b.d, c.d)
	}
}

// addProduct adds A B to C.
func addProduct(n int, a, b, c []float64) {
	const few = 8
	if n > few {
		catalogue.MulAdd(n, n, n, a, b, c)
		return
	}
	for j := 0; j < n; j++ {
		to, from := c[j*n:(j+1)*n], b[j*n:(j+1)*n]
		for k, v := range from {
			for i, w := range a[k*n : (k+1)*n] {
				to[i] += float64(v * w)
			}
		}
	}
}

// combine adds c[0] times the identity, and each matrix times the next element of c, to p.
func (e *exponential) combine(p directed, c []float64, of ...directed) {
	for i := 0; i < e.n; i++ {
		p.x[i*(e.n+1)] += c[0]
	}
	for k, m := range of {
		for i, v := range m.x {
			p.x[i] += float64(c[k+1] * v)
		}
		for i, v := range m.d {
			p.d[i] += float64(c[k+1] * v)
		}
	}
}

// two is run for 2 by 2 matrices. With s half the trace, h half the difference on the diagonal, and x = h^2 + bc, exp(A) is
// e^s (C(x) I + S(x) (A - s I)), where C and S are cosh(q) and sinh(q)/q of a root q of x.
func (e *exponential) two(a, out directed) {
	s, h, b, c := float64((a.x[0]+a.x[3])/2), float64((a.x[0]-a.x[3])/2), a.x[2], a.x[1]
	x := math.FMA(h, h, float64(b*c))
	var cosh, sinh float64 // times e^s
	if x >= 0 {
		q := math.Sqrt(x)
		low := libm.Exp(s - q)
		if sinh = libm.Exp(s + q); q > 0 {
			sinh *= -libm.Expm1(-2*q) / (2 * q)
		}
		cosh = low + float64(q*sinh)
		plus, minus := q+h, q-h // of which one is a difference: their product is bc
		if h < 0 {
			plus = quotient(float64(b*c), minus)
		} else {
			minus = quotient(float64(b*c), plus)
		}
		out.x[0], out.x[3] = low+float64(sinh*plus), low+float64(sinh*minus)
	} else {
		r, f := math.Sqrt(-x), libm.Exp(s)
		cosh, sinh = float64(f*libm.Cos(r)), f*libm.Sin(r)/r
		out.x[0], out.x[3] = cosh+float64(sinh*h), cosh-float64(sinh*h)
	}
	out.x[1], out.x[2] = sinh*c, sinh*b
	if !e.both {
		return
	}
	ds, dh, db, dc := float64((a.d[0]+a.d[3])/2), float64((a.d[0]-a.d[3])/2), a.d[2], a.d[1]
	dx := float64(2*h*dh) + float64(b*dc) + float64(c*db)
	slope := (cosh - sinh) / (2 * x) // of sinh in x, below by its series
	if math.Abs(x) < 1 {
		slope = 0
		for k := 9; k >= 0; k-- {
			slope = float64(slope*x) + sinhSlope[k]
		}
		slope *= libm.Exp(s)
	}
	dcosh, dsinh := float64(cosh*ds)+float64(sinh*dx/2), float64(sinh*ds)+float64(slope*dx)
	out.d[0] = dcosh + float64(dsinh*h) + float64(sinh*dh)
	out.d[3] = dcosh - float64(dsinh*h) - float64(sinh*dh)
	out.d[1] = float64(dsinh*c) + float64(sinh*dc)
	out.d[2] = float64(dsinh*b) + float64(sinh*db)
}

// sinhSlope are the coefficients of the derivative of sinh(q)/q in q^2: (k+1) / (2k+3)!.
var sinhSlope = func() (c [10]float64) {
	factorial := 1.0
	for k := range c {
		factorial *= float64((2*k + 2) * (2*k + 3))
		c[k] = float64(k+1) / factorial
	}
	return c
}()

// quotient is x/y, 0 for 0/0.
func quotient(x, y float64) float64 {
	if x == 0 {
		return 0
	}
	return x / y
}

// run writes exp(A) to out; its derivative is nil or in the direction of that of a. out is not a.
func (e *exponential) run(a, out directed) {
	if e.n == 2 {
		e.two(a, out)
		return
	}
	norm := 0.0
	for j := 0; j < e.n; j++ {
		sum := 0.0
		for _, v := range a.x[j*e.n : (j+1)*e.n] {
			sum += math.Abs(v)
		}
		norm = math.Max(norm, sum)
	}
	u, v, t := e.take(), e.take(), e.take()
	for _, m := range [2]directed{u, v} {
		m.each(func(p []float64) { clear(p) })
	}
	k := slices.IndexFunc(fewDegrees[:], func(p pade) bool { return norm <= p.norm })
	if k >= 0 {
		e.low(a, fewDegrees[k].b, u, v, t)
		e.divide(u, v, t, out)
		return
	}
	squarings := 0
	if norm > padeNorm && !math.IsInf(norm, 0) {
		squarings = int(math.Ceil(libm.Log2(norm / padeNorm)))
	}
	x := e.take()
	scale := math.Ldexp(1, -squarings)
	for i, v := range a.x {
		x.x[i] = v * scale
	}
	for i, v := range a.d {
		x.d[i] = v * scale
	}
	e.high(x, u, v, t)
	e.divide(u, v, t, out)
	for ; squarings > 0; squarings-- {
		e.product(out, out, t)
		copy(out.x, t.x)
		copy(out.d, t.d)
	}
}

// low writes the odd and the even part of the numerator, by the coefficients b, to u and v, which are zero.
func (e *exponential) low(x directed, b []float64, u, v, t directed) {
	var even, odd [5]float64
	for i := range even[:len(b)/2] {
		even[i], odd[i] = b[2*i], b[2*i+1]
	}
	var powers [4]directed
	few := powers[:len(b)/2-1]
	for i := range few {
		few[i] = e.take()
		if i == 0 {
			e.product(x, x, few[0])
		} else {
			e.product(few[i-1], few[0], few[i])
		}
	}
	t.each(func(p []float64) { clear(p) })
	e.combine(t, odd[:], few...)
	e.product(x, t, u)
	e.combine(v, even[:], few...)
}

// high is low of degree 13.
func (e *exponential) high(x, u, v, t directed) {
	x2, x4, x6 := e.take(), e.take(), e.take()
	e.product(x, x, x2)
	e.product(x2, x2, x4)
	e.product(x4, x2, x6)
	b := &padeCoefficients
	// u = x (x6 (b13 x6 + b11 x4 + b9 x2) + b7 x6 + b5 x4 + b3 x2 + b1)
	e.combine(u, []float64{0, b[9], b[11], b[13]}, x2, x4, x6)
	e.product(x6, u, t)
	e.combine(t, []float64{b[1], b[3], b[5], b[7]}, x2, x4, x6)
	e.product(x, t, u)
	// v = x6 (b12 x6 + b10 x4 + b8 x2) + b6 x6 + b4 x4 + b2 x2 + b0
	t.each(func(p []float64) { clear(p) })
	e.combine(t, []float64{0, b[8], b[10], b[12]}, x2, x4, x6)
	e.product(x6, t, v)
	e.combine(v, []float64{b[0], b[2], b[4], b[6]}, x2, x4, x6)
}

// divide solves (V - U) exp = V + U. Its derivative solves (V - U) dexp = dV + dU - (dV - dU) exp.
func (e *exponential) divide(u, v, t, out directed) {
	n := e.n
	for i := range t.x {
		t.x[i] = v.x[i] - u.x[i]
		out.x[i] = v.x[i] + u.x[i]
	}
	lu, pivot := e.work[:n*n], e.work[n*n:n*n+n]
	catalogue.LuFactor(n, t.x, lu, pivot)
	catalogue.LuSolve(n, n, lu, pivot, out.x)
	if !e.both {
		return
	}
	for i := range t.d {
		t.d[i] = u.d[i] - v.d[i]
		out.d[i] = v.d[i] + u.d[i]
	}
	addProduct(n, t.d, out.x, out.d)
	catalogue.LuSolve(n, n, lu, pivot, out.d)
}

// expMatrix writes exp(A) to out.
func expMatrix(n int, a, out, work []float64) {
	e := exponential{n: n, work: work}
	e.run(directed{x: a[:n*n]}, directed{x: out[:n*n]})
}

// expAdjoint writes the adjoint of A, given that of E = exp(A), g: the derivative of exp at A' in the direction of g.
// work has room for expAdjointWork numbers.
func expAdjoint(n int, a, g, out, work []float64) {
	t, exp := work[:n*n], work[n*n:2*n*n]
	catalogue.TransposeInto(n, n, a, t)
	e := exponential{n: n, work: work[2*n*n:], both: true}
	e.run(directed{t, g[:n*n]}, directed{exp, out[:n*n]})
}

func expAdjointWork(n int) int { return 2*n*n + expWork(n) }

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
