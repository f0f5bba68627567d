// Multivariate normal and Student t distributions, by covariance, Cholesky factor or
// precision.
//
// With r = y - mu, q = r' Sigma^-1 r and s = Sigma^-1 r, the derivative of the log
// density in r is -w s, with w = 1 for the normal and (nu+K)/(nu+q) for the Student.

package multivariate

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/autodiff/vec/dense"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/matrixfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

const multivariateSection = "Distributions over Unbounded Vectors"

// ScaleForm reports how the matrix argument gives the scale.
type ScaleForm int

const (
	ByCovariance ScaleForm = iota
	ByCholesky
	ByPrecision
)

// An Elliptical is one of the densities.
type Elliptical struct {
	Fn      string
	Form    ScaleForm
	student bool
}

// Positions of the arguments; the Student has nu before mu.
func (e Elliptical) mu() int {
	if e.student {
		return 2
	}
	return 1
}
func (e Elliptical) scale() int { return e.mu() + 1 }

func (e Elliptical) matrixName() string {
	switch {
	case e.Form == ByCholesky:
		return "L"
	case e.Form == ByPrecision:
		return "Omega"
	}
	return "Sigma"
}

func multiNormalFunctions() []*catalogue.Function {
	var all []*catalogue.Function
	for _, d := range []struct {
		name, doc string
		form      ScaleForm
		student   bool
	}{
		{"multi_normal", "normal distribution with mean mu and covariance matrix Sigma", ByCovariance, false},
		{"multi_normal_cholesky", "normal distribution with mean mu and Cholesky factor L of the covariance matrix", ByCholesky, false},
		{"multi_normal_prec", "normal distribution with mean mu and precision matrix Omega", ByPrecision, false},
		{"multi_student_t", "Student t distribution with nu degrees of freedom, location mu and scale matrix Sigma", ByCovariance, true},
		{"multi_student_t_cholesky", "Student t distribution with nu degrees of freedom, location mu and Cholesky factor L of the scale matrix", ByCholesky, true},
	} {
		e := Elliptical{d.name + "_lpdf", d.form, d.student}
		params := "vectors mu, matrix " + e.matrixName()
		if d.student {
			params = "real nu, " + params
		}
		row := &catalogue.Function{
			Name:       e.Fn,
			Signatures: []string{fmt.Sprintf("real %s(vectors y | %s)", e.Fn, params)},
			Doc:        "log density of the multivariate " + d.doc,
			Section:    multivariateSection,
			Kernel:     DensityKernel(e.sizes, e.work, e.log),
		}
		if !d.student {
			row.Sums = e.Sums
		}
		all = append(all, row)
		if d.form == ByPrecision {
			continue
		}
		e.Fn = d.name + "_rng"
		all = append(all, &catalogue.Function{
			Name:       e.Fn,
			Signatures: []string{fmt.Sprintf("vectors %s(%s)", e.Fn, params)},
			Doc:        "a variate of the multivariate " + d.doc,
			Section:    multivariateSection,
			Draw:       &catalogue.Drawer{Dims: e.drawDims, Draw: e.draw},
		})
	}
	return append(all, multiGPFunctions()...)
}

func (e Elliptical) sizes(in []catalogue.Tensor) error {
	n, k, err := sequenceSize(e.Fn, "y", in[0], "mu", in[e.mu()])
	if err != nil || n == 0 {
		return err
	}
	return matrixfn.SquareMatrix(e.Fn, e.matrixName(), in[e.scale()], k)
}

// work: the factor, its inverse (or that of the matrix), and a panel.
func (e Elliptical) work(in []catalogue.Tensor) int {
	k := in[e.scale()].Dims[0]
	n := max(sequenceOf(in[0]).n, sequenceOf(in[e.mu()]).n)
	return 3*k*k + panelSize(k, n)
}

// Check rejects bad arguments and gives the Cholesky factor of the matrix, in l unless that
// is what the matrix is.
func (e Elliptical) Check(in []catalogue.Tensor, mu int, l []float64) ([]float64, error) {
	m, name := in[mu+1], e.matrixName()
	if e.student && !(in[mu-1].X[0] > 0) {
		return nil, catalogue.ArgumentError(e.Fn, "nu", in[mu-1], 0, "positive")
	}
	if err := catalogue.CheckEach(e.Fn, "mu", in[mu], catalogue.IsFinite, "finite"); err != nil {
		return nil, err
	}
	if e.Form != ByCholesky {
		return l, matrixfn.FactorSPD(e.Fn, name, m, l)
	}
	for i := 0; i < m.Dims[0]; i++ {
		if v := m.X[i*(m.Dims[0]+1)]; !(v != 0) || math.IsNaN(v) {
			return nil, catalogue.ArgumentError(e.Fn, name, m, i*(m.Dims[0]+1), "nonzero, as it is on the diagonal of a Cholesky factor")
		}
	}
	return m.X, nil
}

func (e Elliptical) log(in []catalogue.Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
	y, mu := sequenceOf(in[0]), sequenceOf(in[e.mu()])
	n := max(y.n, mu.n)
	if y.n == 0 || mu.n == 0 {
		return 0, nil
	}
	k := y.k
	l, work := work[:k*k], work[k*k:]
	l, err := e.Check(in, e.mu(), l)
	if err != nil {
		return 0, err
	}
	t := tailOf(math.Inf(1), k)
	if e.student {
		t = tailOf(in[1].X[0], k)
	}
	dy, dmu, dm := Into(din, 0), Into(din, e.mu()), Into(din, e.scale())
	p := newPanel(k, n, work[2*k*k:])
	g, gathered := e.gather(k, n, mu.one, dy, dmu, dm, work)
	sum, dnu := 0.0, 0.0
	for lo := 0; lo < n; lo += panelWidth {
		p.n = min(panelWidth, n-lo)
		for i := range p.n {
			r, m := p.at(p.r, i), mu.at(mu.x, lo+i)
			for j, v := range y.at(y.x, lo+i) {
				r[j] = v - m[j]
			}
		}
		e.solve(&p, l, in[e.scale()].X, !gathered && (dy != nil || dmu != nil || dm != nil))
		for i := range p.n {
			q := p.q[i]
			lq, w := t.at(q)
			sum += lq
			dnu += t.byNu(q, w)
			p.q[i] = adj * w
		}
		if gathered {
			g.add(&p)
			continue
		}
		for i := range p.n {
			if dy != nil {
				catalogue.Axpy(-p.q[i], p.at(p.s, i), y.at(dy, lo+i))
			}
			if dmu != nil {
				catalogue.Axpy(p.q[i], p.at(p.s, i), mu.at(dmu, lo+i))
			}
		}
		if dm != nil {
			e.addMatrix(&p, dm)
		}
	}
	if math.IsNaN(sum) { // with all else finite it comes from y
		if err := catalogue.CheckEach(e.Fn, "y", in[0], catalogue.IsNumber, "a number"); err != nil {
			return 0, err
		}
	}
	switch {
	case gathered:
		e.finish(&g, adj*float64(n), l, dmu, dm)
	case dm != nil:
		e.addLogDeterminant(k, adj*float64(n), l, work, dm)
	}
	if e.student && Into(din, 1) != nil {
		din[1][0] += float64(adj * dnu)
	}
	return sum - float64(float64(n)*e.logScale(k, l)), nil
}

// logScale is log|Sigma|/2.
func (e Elliptical) logScale(k int, l []float64) float64 {
	sum := 0.0
	for i := 0; i < k; i++ {
		sum += libm.Log(math.Abs(l[i+i*k]))
	}
	if e.Form == ByPrecision {
		return -sum
	}
	return sum
}

// panelWidth is how many residuals are worked on together.
const panelWidth = 64

// A panel is up to panelWidth residuals of k numbers: as they are (r), standardised (z,
// not for a precision) and multiplied with the precision (s); q holds their squared
// lengths, then weights.
type panel struct {
	k, n       int
	r, z, s, q []float64
}

// panelSize is the memory for panels of n residuals in all.
func panelSize(k, n int) int { return (3*k + 1) * min(n, panelWidth) }

func newPanel(k, n int, work []float64) panel {
	n = min(n, panelWidth)
	return panel{k: k, r: work[:k*n], z: work[k*n : 2*k*n], s: work[2*k*n : 3*k*n], q: work[3*k*n : (3*k+1)*n]}
}

// at is vector i of one of the parts.
func (p *panel) at(x []float64, i int) []float64 { return x[i*p.k : (i+1)*p.k] }

// matrix views one of the parts.
func (p *panel) matrix(x []float64) dense.Matrix { return dense.Of(p.k, p.n, x[:p.k*p.n]) }

// solve fills q, and s where derivatives are wanted, from r. l is the Cholesky factor of
// the matrix m.
func (e Elliptical) solve(p *panel, l, m []float64, derivatives bool) {
	n := p.k * p.n
	if e.Form == ByPrecision {
		clear(p.s[:n])
		dense.AddMul(p.matrix(p.s), dense.Of(p.k, p.k, m), p.matrix(p.r))
		for i := range p.n {
			p.q[i] = catalogue.Dot(p.at(p.r, i), p.at(p.s, i))
		}
		return
	}
	copy(p.z[:n], p.r)
	catalogue.SolveLower(p.k, p.n, l, p.z)
	for i := range p.n {
		z := p.at(p.z, i)
		p.q[i] = catalogue.Dot(z, z)
	}
	if derivatives {
		copy(p.s[:n], p.z)
		catalogue.SolveLowerTranspose(p.k, p.n, l, p.s)
	}
}

// addMatrix adds the derivative of -c q/2 with respect to the matrix, for the weights c
// that p.q holds. It overwrites z.
func (e Elliptical) addMatrix(p *panel, dm []float64) {
	from, by := p.z, 1.0
	switch e.Form {
	case ByCovariance:
		from, by = p.s, 0.5
	case ByPrecision:
		from, by = p.r, -0.5
	}
	for i := range p.n {
		c := [1]float64{by * p.q[i]}
		vec.MulVS.Map(p.at(p.z, i), p.at(from, i), c[:])
	}
	out, z := dense.Of(p.k, p.k, dm), p.matrix(p.z)
	switch e.Form {
	case ByCholesky:
		dense.AddMulLower(out, p.matrix(p.s), z.T())
	case ByCovariance:
		dense.AddMul(out, p.matrix(p.s), z.T())
	default:
		dense.AddMul(out, p.matrix(p.r), z.T())
	}
}

// addLogDeterminant adds c times the derivative of -log|Sigma|/2; work has room for two
// matrices.
func (e Elliptical) addLogDeterminant(k int, c float64, l, work, dm []float64) {
	if e.Form == ByCholesky {
		for i := 0; i < k; i++ {
			dm[i+i*k] -= c / l[i+i*k]
		}
		return
	}
	inv := work[:k*k]
	catalogue.InvertFromCholesky(k, l, inv, work[k*k:])
	if e.Form == ByCovariance {
		c = -c
	}
	catalogue.Axpy(0.5*c, inv, dm)
}

// A radial is the log density in the squared distance q, normalised for the standard
// scale.
type radial struct {
	nu, k    float64
	constant float64
	dnu      float64 // of the constant
	normal   bool
}

func tailOf(nu float64, k int) radial {
	d := float64(k)
	if math.IsInf(nu, 1) {
		return radial{nu: nu, k: d, constant: -d * univariate.HalfLogTwoPi, normal: true}
	}
	// lgamma((nu+k)/2) - lgamma(nu/2) - k/2 log(nu pi)
	return radial{
		nu: nu, k: d,
		constant: special.LgammaShift(nu/2, d/2) - float64(d/2*libm.Log(nu/2)) - float64(d*univariate.HalfLogTwoPi),
		dnu:      0.5 * special.PsiShift(nu/2, d/2), // the k/nu of the logarithm cancels
	}
}

// at returns the log density at q and w, -2 times its derivative there.
func (t radial) at(q float64) (v, w float64) {
	if t.normal {
		return t.constant - float64(0.5*q), 1
	}
	return t.constant - float64(0.5*(t.nu+t.k)*libm.Log1p(q/t.nu)), (t.nu + t.k) / (t.nu + q)
}

// byNu is the derivative in nu.
func (t radial) byNu(q, w float64) float64 {
	if t.normal {
		return 0
	}
	u := q / t.nu // log1p(u) and u/(1+u) cancel for small u
	rest := libm.Log1p(u) - u/(1+u)
	if u < 0.5 {
		rest = special.Log1pmx(u) + u*u/(1+u)
	}
	return t.dnu - float64(0.5*rest) + 0.5*t.k*q/(t.nu*(t.nu+q))
}

func (e Elliptical) drawDims(in []catalogue.Tensor) ([]int, error) {
	mu := e.mu() - 1
	m := sequenceOf(in[mu])
	if m.n > 0 {
		if err := matrixfn.SquareMatrix(e.Fn, e.matrixName(), in[mu+1], m.k); err != nil {
			return nil, err
		}
	}
	if m.one {
		return []int{m.k}, nil
	}
	return []int{m.n, m.k}, nil
}

func (e Elliptical) draw(r *rand.Rand, in []catalogue.Tensor, out []float64) error {
	at := e.mu() - 1
	mu := sequenceOf(in[at])
	k := mu.k
	if len(out) == 0 {
		return nil
	}
	z := make([]float64, k)
	l, err := e.Check(in, at, make([]float64, k*k))
	if err != nil {
		return err
	}
	for i := 0; i < mu.n; i++ {
		x := mu.at(out, i)
		Normals(r, z)
		scale := 1.0
		if nu := in[0].X[0]; e.student && !math.IsInf(nu, 1) {
			scale = math.Sqrt(0.5 * nu / univariate.GammaDraw(r, 0.5*nu))
		}
		clear(x)
		AddLowerTimes(k, l, z, x)
		for j, m := range mu.at(mu.x, i) {
			x[j] = m + float64(scale*x[j])
		}
	}
	return nil
}

// multiGPFunctions returns the zero-mean normal distribution of the rows of a matrix, each
// with covariance Sigma / w.
func multiGPFunctions() []*catalogue.Function {
	var all []*catalogue.Function
	for _, form := range []ScaleForm{ByCovariance, ByCholesky} {
		name := "multi_gp"
		if form == ByCholesky {
			name = "multi_gp_cholesky"
		}
		e := Elliptical{Fn: name + "_lpdf", Form: form}
		all = append(all, &catalogue.Function{
			Name:       e.Fn,
			Signatures: []string{fmt.Sprintf("real %s(matrix y | matrix %s, vector w)", e.Fn, e.matrixName())},
			Doc:        "log density of zero-mean normal rows of y, each with the covariance matrix of " + e.matrixName() + " over the row's inverse scale w",
			Section:    multivariateSection,
			Kernel:     DensityKernel(e.gpSizes, func(in []catalogue.Tensor) int { return 3*len(in[1].X) + panelSize(in[1].Dims[0], in[0].Dims[0]) }, e.gpLog),
		})
	}
	return all
}

func (e Elliptical) gpSizes(in []catalogue.Tensor) error {
	rows, cols := container.MatrixSize(in[0])
	if rows != in[2].Dims[0] {
		return container.SizeError(e.Fn, "the number of rows of y", rows, "the size of w", in[2].Dims[0])
	}
	return matrixfn.SquareMatrix(e.Fn, e.matrixName(), in[1], cols)
}

func (e Elliptical) gpLog(in []catalogue.Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
	rows, k := container.MatrixSize(in[0])
	if rows == 0 || k == 0 {
		return 0, nil
	}
	w := in[2].X
	if err := catalogue.CheckEach(e.Fn, "w", in[2], catalogue.IsPositiveFinite, "positive and finite"); err != nil {
		return 0, err
	}
	if err := catalogue.CheckEach(e.Fn, "y", in[0], catalogue.IsFinite, "finite"); err != nil {
		return 0, err
	}
	l, work := work[:k*k], work[k*k:]
	l, err := e.Check([]catalogue.Tensor{{}, in[1]}, 0, l)
	if err != nil {
		return 0, err
	}
	dy, dm, dw := Into(din, 0), Into(din, 1), Into(din, 2)
	p := newPanel(k, rows, work[2*k*k:])
	sum := 0.0
	for lo := 0; lo < rows; lo += panelWidth {
		p.n = min(panelWidth, rows-lo)
		for j := range k {
			for i := range p.n {
				p.r[i*k+j] = in[0].X[lo+i+j*rows]
			}
		}
		e.solve(&p, l, in[1].X, dy != nil || dm != nil)
		for i := range p.n {
			wi, q := w[lo+i], p.q[i]
			sum += float64(0.5*float64(k)*libm.Log(wi)) - float64(0.5*wi*q)
			if dw != nil {
				dw[lo+i] += float64(adj * 0.5 * (float64(k)/wi - q))
			}
			p.q[i] = adj * wi
			if dy != nil {
				for j, s := range p.at(p.s, i) {
					dy[lo+i+j*rows] -= float64(p.q[i] * s)
				}
			}
		}
		if dm != nil {
			e.addMatrix(&p, dm)
		}
	}
	if dm != nil {
		e.addLogDeterminant(k, adj*float64(rows), l, work, dm)
	}
	return sum - float64(float64(rows)*(catalogue.LogDiagonalSum(k, l)+float64(float64(k)*univariate.HalfLogTwoPi))), nil
}
