// Multivariate normal densities of data with one mean and one covariance, by sufficient statistics.
//
// With the mean m of n vectors and R'R the sum of (y-m)(y-m)', R upper triangular by a QR decomposition, the sum of the
// quadratic forms (y-mu)' Sigma^-1 (y-mu) is that of the rows of R, taken for residuals, and of sqrt(n) (m-mu): K+1
// residuals in place of n.

package multivariate

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// sums is a density of n vectors of which in[0] has the rows of R and the mean.
type sums struct {
	Elliptical
	n float64
}

// leastRows is how many vectors there must be for each residual that replaces them.
const leastRows = 2

// Sums returns the density as a function of statistics of the data, and these; false where it is no less work.
func (e Elliptical) Sums(in []catalogue.Tensor, _ []int) (*catalogue.Function, catalogue.Tensor, bool) {
	y, mu := sequenceOf(in[0]), sequenceOf(in[e.mu()])
	if y.one || !mu.one || y.k == 0 || y.n < leastRows*(y.k+1) || y.k >= panelWidth || mu.k != y.k {
		return nil, catalogue.Tensor{}, false
	}
	stats, ok := finiteStatistics(y)
	if !ok {
		return nil, catalogue.Tensor{}, false
	}
	s := sums{e, float64(y.n)}
	fn := &catalogue.Function{Name: e.Fn, Kernel: DensityKernel(e.sizes, e.work, s.log)}
	return fn, catalogue.Tensor{Rank: in[0].Rank, Dims: []int{y.k + 1, y.k}, X: stats}, true
}

// Residuals are the rows of R and the mean of n vectors; false where they are not fewer.
func Residuals(t catalogue.Tensor) (rows []float64, n float64, ok bool) {
	y := sequenceOf(t)
	if y.one || y.n < leastRows*(y.k+1) {
		return nil, 0, false
	}
	rows, ok = finiteStatistics(y)
	return rows, float64(y.n), ok
}

// finiteStatistics are statistics of finite numbers.
func finiteStatistics(y sequence) ([]float64, bool) {
	stats := statistics(y)
	for _, v := range stats {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, false
		}
	}
	return stats, true
}

// statistics are the rows of R and the mean.
func statistics(y sequence) []float64 {
	mean := make([]float64, y.k)
	for range 2 { // the second time takes off what rounding left
		rest := make([]float64, y.k)
		for i := range y.n {
			for j, v := range y.at(y.x, i) {
				rest[j] += v - mean[j]
			}
		}
		for j, v := range rest {
			mean[j] += v / float64(y.n)
		}
	}
	centred := mat.NewDense(y.n, y.k, nil)
	for i := range y.n {
		for j, v := range y.at(y.x, i) {
			centred.Set(i, j, v-mean[j])
		}
	}
	var qr mat.QR
	qr.Factorize(centred)
	var r mat.TriDense
	qr.RTo(&r)
	var out []float64
	for i := range y.k {
		for j := range y.k {
			out = append(out, r.At(i, j))
		}
	}
	return append(out, mean...)
}

func (s sums) log(in []catalogue.Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
	mu, m := in[s.mu()].X, in[s.scale()].X
	k := len(mu)
	l, work := work[:k*k], work[k*k:]
	l, err := s.Check(in, s.mu(), l)
	if err != nil {
		return 0, err
	}
	dmu, dm := Into(din, s.mu()), Into(din, s.scale())
	p := newPanel(k, k+1, work[2*k*k:])
	p.n = k + 1
	copy(p.r, in[0].X)
	root, last := math.Sqrt(s.n), p.at(p.r, k)
	for j, v := range mu {
		last[j] = root * (last[j] - v)
	}
	s.solve(&p, l, m, dmu != nil || dm != nil)
	sum := 0.0
	for i, q := range p.q[:p.n] {
		sum += q
		p.q[i] = adj
	}
	if dmu != nil {
		catalogue.Axpy(adj*root, p.at(p.s, k), dmu)
	}
	if dm != nil {
		s.addMatrix(&p, dm)
		s.addLogDeterminant(k, adj*s.n, l, work, dm)
	}
	return float64(s.n*(tailOf(math.Inf(1), k).constant-s.logScale(k, l))) - float64(0.5*sum), nil
}
