// The Gaussian dynamic linear model, gaussian_dlm_obs: the Kalman filter and its reverse.
//
// State theta_t ~ N(G theta_{t-1}, W) from theta_0 ~ N(m0, C0), observation
// y_t ~ N(F' theta_t, V). In each step
//
//	a = G m, R = G C G' + W, e = y - F' a, Q = F' R F + V,
//	u = Q^-1 e, P = R F, A = P Q^-1, m' = a + P u, C' = R - A P'.
//
// The reverse sweep takes m and C of all steps from scratch memory and recomputes the
// rest of the step.

package multivariate

import (
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/matrixfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
)

func dlmFunctions() []*catalogue.Function {
	const fn = "gaussian_dlm_obs_lpdf"
	return []*catalogue.Function{{
		Name: fn,
		Signatures: []string{
			"real gaussian_dlm_obs_lpdf(matrix y | matrix F, matrix G, matrix V, matrix W, vector m0, matrix C0)",
			"real gaussian_dlm_obs_lpdf(matrix y | matrix F, matrix G, vector V, matrix W, vector m0, matrix C0)",
		},
		Doc:     "log density of the columns of y under a Gaussian dynamic linear model (V a vector: independent observations)",
		Section: multivariateSection,
		Kernel:  DensityKernel(dlmSizes, dlmWork, dlmLog),
	}}
}

func dlmSizes(in []catalogue.Tensor) error {
	const fn = "gaussian_dlm_obs_lpdf"
	r, n := in[0].Dims[0], in[1].Dims[0]
	if c := in[1].Dims[1]; c != r {
		return container.SizeError(fn, "the number of columns of F", c, "the number of rows of y", r)
	}
	if v := in[3].Dims; len(v) == 1 && v[0] != r {
		return container.SizeError(fn, "the size of V", v[0], "the number of rows of y", r)
	} else if len(v) == 2 {
		if err := matrixfn.SquareMatrix(fn, "V", in[3], r); err != nil {
			return err
		}
	}
	for i, name := range map[int]string{2: "G", 4: "W", 6: "C0"} {
		if err := matrixfn.SquareMatrix(fn, name, in[i], n); err != nil {
			return err
		}
	}
	if m := in[5].Dims[0]; m != n {
		return container.SizeError(fn, "the size of m0", m, "the number of rows of F", n)
	}
	return nil
}

// dlmWork: the filtered states of all steps, the step's matrices, and their adjoints.
func dlmWork(in []catalogue.Tensor) int {
	r, steps := container.MatrixSize(in[0])
	n := in[1].Dims[0]
	return (steps+1)*(n+n*n) + 2*(n+2*n*n+n*r*2+2*r*r+3*r) + 3*n*n + n*r
}

// A dlm is the model's arguments and the matrices of one step.
type dlm struct {
	r, n, steps int
	y           []float64
	f, g, v, w  []float64
	diagonal    bool // v holds the diagonal only

	states []float64 // m and C of steps 0, 1, ...
	step   dlmStep
	rest   []float64
}

type dlmStep struct {
	a, R, e, u, P, A, Q, L []float64
}

// carve takes the matrices of a step from scratch.
func (d *dlm) carve(work []float64) (dlmStep, []float64) {
	take := func(size int) []float64 {
		s := work[:size]
		work = work[size:]
		return s
	}
	s := dlmStep{
		a: take(d.n), R: take(d.n * d.n), e: take(d.r), u: take(d.r),
		P: take(d.n * d.r), A: take(d.n * d.r), Q: take(d.r * d.r), L: take(d.r * d.r),
	}
	return s, work
}

// state returns m and C after step t.
func (d *dlm) state(t int) (m, c []float64) {
	at := t * (d.n + d.n*d.n)
	return d.states[at : at+d.n], d.states[at+d.n : at+d.n+d.n*d.n]
}

func newDLM(in []catalogue.Tensor, work []float64) dlm {
	d := dlm{y: in[0].X, f: in[1].X, g: in[2].X, v: in[3].X, w: in[4].X, diagonal: len(in[3].Dims) == 1}
	d.r, d.steps = container.MatrixSize(in[0])
	d.n = in[1].Dims[0]
	size := (d.steps + 1) * (d.n + d.n*d.n)
	d.states = work[:size]
	d.step, d.rest = d.carve(work[size:])
	m, c := d.state(0)
	copy(m, in[5].X)
	copy(c, in[6].X)
	return d
}

// predict fills the step's matrices from the state before it; it reports whether Q is
// positive definite.
func (d *dlm) predict(t int) bool {
	n, r, s := d.n, d.r, d.step
	m, c := d.state(t)
	clear(s.a)
	catalogue.AddTimes(d.g, n, m, s.a)
	gc := d.rest[:n*n]
	clear(gc)
	catalogue.MulAdd(n, n, n, d.g, c, gc)
	copy(s.R, d.w)
	catalogue.MulTransposeBAdd(n, n, n, gc, d.g, s.R)
	matrixfn.AverageTriangles(n, s.R)
	clear(s.P)
	catalogue.MulAdd(n, n, r, s.R, d.f, s.P)
	if d.diagonal {
		clear(s.Q)
		for i, v := range d.v {
			s.Q[i*(r+1)] = v
		}
	} else {
		copy(s.Q, d.v)
	}
	catalogue.MulTransposeAAdd(r, n, r, d.f, s.P, s.Q)
	if !catalogue.Cholesky(r, s.Q, s.L) {
		return false
	}
	for i := range s.e {
		s.e[i] = d.y[t*r+i] - catalogue.Dot(d.f[i*n:(i+1)*n], s.a)
	}
	copy(s.u, s.e)
	matrixfn.SolveCholesky(r, 1, s.L, s.u)
	copy(s.A, s.P)
	catalogue.SolveRightLowerTranspose(r, n, s.L, s.A)
	catalogue.SolveRightLower(r, n, s.L, s.A)
	return true
}

// update writes the state after step t.
func (d *dlm) update(t int) {
	n, r, s := d.n, d.r, d.step
	m, c := d.state(t + 1)
	copy(m, s.a)
	catalogue.AddTimes(s.P, n, s.u, m)
	ap := d.rest[:n*n]
	clear(ap)
	catalogue.MulTransposeBAdd(n, r, n, s.A, s.P, ap)
	copy(c, s.R)
	catalogue.Axpy(-1, ap, c)
	matrixfn.AverageTriangles(n, c)
}

func dlmCheck(in []catalogue.Tensor) error {
	const fn = "gaussian_dlm_obs_lpdf"
	for i, name := range [...]string{"y", "F", "G", "V", "W", "m0", "C0"} {
		if err := catalogue.CheckEach(fn, name, in[i], catalogue.IsFinite, "finite"); err != nil {
			return err
		}
	}
	if len(in[3].Dims) == 1 {
		if err := catalogue.CheckEach(fn, "V", in[3], catalogue.IsCount, "non-negative"); err != nil {
			return err
		}
	} else if err := matrixfn.SymmetryError(fn, "V", in[3]); err != nil {
		return err
	}
	if err := matrixfn.SymmetryError(fn, "W", in[4]); err != nil {
		return err
	}
	return matrixfn.SymmetryError(fn, "C0", in[6])
}

func dlmLog(in []catalogue.Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
	if err := dlmCheck(in); err != nil {
		return 0, err
	}
	if len(in[0].X) == 0 {
		return 0, nil
	}
	d := newDLM(in, work)
	sum := 0.0
	for t := 0; t < d.steps; t++ {
		if !d.predict(t) {
			return 0, catalogue.DomainErrorf("gaussian_dlm_obs_lpdf", "the covariance matrix of observation %d is not positive definite", t+1)
		}
		sum -= float64(float64(d.r)*univariate.HalfLogTwoPi) + catalogue.LogDiagonalSum(d.r, d.step.L) + float64(0.5*catalogue.Dot(d.step.e, d.step.u))
		d.update(t)
	}
	for _, g := range din {
		if g != nil {
			d.reverse(adj, din)
			break
		}
	}
	return sum, nil
}

// reverse adds the gradient, from the last step to the first.
func (d *dlm) reverse(adj float64, din [][]float64) {
	n := d.n
	bar, rest := d.carve(d.rest[n*n:])
	mbar, cbar := bar.a, rest[:n*n]
	clear(mbar)
	clear(cbar)
	for t := d.steps - 1; t >= 0; t-- {
		d.predict(t)
		d.reverseStep(t, adj, mbar, cbar, bar, din)
	}
	if din[5] != nil {
		catalogue.Axpy(1, mbar, din[5])
	}
	if din[6] != nil {
		catalogue.Axpy(1, cbar, din[6])
	}
}

// reverseStep turns the adjoints of the state after step t into those before it. In bar,
// the entries hold adjoints of the step's entries (a: that of the state m).
func (d *dlm) reverseStep(t int, adj float64, mbar, cbar []float64, bar dlmStep, din [][]float64) {
	d.reverseUpdate(adj, mbar, cbar, bar)
	d.addObservation(t, bar, din)
	d.reversePredict(t, mbar, cbar, bar, din)
}

// reverseUpdate finds the adjoints of e, P and Q from those of m' and C'.
func (d *dlm) reverseUpdate(adj float64, mbar, cbar []float64, bar dlmStep) {
	n, r, s := d.n, d.r, d.step
	// m' = a + P u
	rm := bar.A[:n] // R mbar
	clear(rm)
	catalogue.AddTimes(s.R, n, mbar, rm)
	ubar := bar.u
	clear(ubar)
	catalogue.AddTransposeTimes(d.f, n, rm, ubar)
	matrixfn.SolveCholesky(r, 1, s.L, ubar) // now Q^-1 times the adjoint of u
	// C' = R - A P': Pbar = -(Cbar + Cbar') A + mbar u'
	clear(bar.P)
	catalogue.MulAdd(n, n, r, cbar, s.A, bar.P)
	catalogue.MulTransposeAAdd(n, n, r, cbar, s.A, bar.P)
	for i := range bar.P {
		bar.P[i] = -bar.P[i]
	}
	for j, u := range s.u {
		catalogue.Axpy(u, mbar, bar.P[j*n:(j+1)*n])
	}
	// Qbar = A' Cbar A - (Q^-1 ubar) u' + adj (u u' - Q^-1) / 2
	ca := bar.A // Cbar A
	clear(ca)
	catalogue.MulAdd(n, n, r, cbar, s.A, ca)
	clear(bar.Q)
	catalogue.MulTransposeAAdd(r, n, r, s.A, ca, bar.Q)
	catalogue.InvertFromCholesky(r, s.L, bar.L, s.Q)
	for j, u := range s.u {
		for i, v := range s.u {
			bar.Q[i+j*r] += float64(-ubar[i]*u) + float64(0.5*adj*(float64(v*u)-bar.L[i+j*r]))
		}
	}
	// e enters u and the density
	for i, u := range s.u {
		bar.e[i] = ubar[i] - float64(adj*u)
	}
}

// addObservation adds the derivatives with respect to the observation and V.
func (d *dlm) addObservation(t int, bar dlmStep, din [][]float64) {
	if din[0] != nil {
		catalogue.Axpy(1, bar.e, din[0][t*d.r:(t+1)*d.r])
	}
	switch dv := din[3]; {
	case dv == nil:
	case d.diagonal:
		for i := range dv {
			dv[i] += bar.Q[i*(d.r+1)]
		}
	default:
		catalogue.Axpy(1, bar.Q, dv)
	}
}

// reversePredict turns mbar and cbar into the adjoints of the state before step t, and
// adds the derivatives with respect to F, G and W.
func (d *dlm) reversePredict(t int, mbar, cbar []float64, bar dlmStep, din [][]float64) {
	n, r, s, tmp := d.n, d.r, d.step, d.rest[:d.n*d.n]
	// P = R F and Q = F' P + V: Pbar += F Qbar, Fbar = P Qbar' + R Pbar - a ebar'
	catalogue.MulAdd(n, r, r, d.f, bar.Q, bar.P)
	if df := din[1]; df != nil {
		catalogue.MulTransposeBAdd(n, r, r, s.P, bar.Q, df)
		catalogue.MulAdd(n, n, r, s.R, bar.P, df)
		for j, e := range bar.e {
			catalogue.Axpy(-e, s.a, df[j*n:(j+1)*n])
		}
	}
	// Rbar = Cbar + Pbar F', abar = mbar - F ebar
	catalogue.MulTransposeBAdd(n, r, n, bar.P, d.f, cbar)
	for j, e := range bar.e {
		catalogue.Axpy(-e, d.f[j*n:(j+1)*n], mbar)
	}
	if din[4] != nil {
		catalogue.Axpy(1, cbar, din[4])
	}
	// R = G C G' + W, a = G m
	m, c := d.state(t)
	gc := bar.R
	if dg := din[2]; dg != nil {
		clear(gc)
		catalogue.MulAdd(n, n, n, d.g, c, gc)
		catalogue.MulAdd(n, n, n, cbar, gc, dg)
		catalogue.MulTransposeAAdd(n, n, n, cbar, gc, dg)
		for j, v := range m {
			catalogue.Axpy(v, mbar, dg[j*n:(j+1)*n])
		}
	}
	clear(tmp)
	catalogue.MulTransposeAAdd(n, n, n, d.g, cbar, tmp) // G' Rbar
	clear(cbar)
	catalogue.MulAdd(n, n, n, tmp, d.g, cbar)
	copy(gc[:n], mbar)
	clear(mbar)
	catalogue.AddTransposeTimes(d.g, n, gc[:n], mbar)
}
