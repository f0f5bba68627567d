// Derivatives of the embedded Laplace approximation, and draws from it.

package solve

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// reach is the longest step of a difference in variable i.
func (p *Laplace) reach(i int) float64 {
	const longest, part = 0.02, 0.2
	if d := part * p.sd[i]; d < longest && d > 0 {
		return d
	}
	return longest
}

// sample evaluates the gradient at theta + k*h*along for k = -3..3, k = 0 left out.
func (p *Laplace) sample(h float64) error {
	for k := -3; k <= 3; k++ {
		if k == 0 {
			continue
		}
		for i, t := range p.theta {
			p.point[i] = t + float64(float64(k)*h*p.along[i])
		}
		if _, err := p.evaluate(p.point, p.near[k+3]); err != nil {
			return err
		}
	}
	return nil
}

// slope fills deriv with the derivative of the gradient along the direction.
func (p *Laplace) slope(h float64) error {
	if err := p.sample(h); err != nil {
		return err
	}
	f := &p.near
	for i := range p.deriv {
		p.deriv[i] = (float64(45*(f[4][i]-f[2][i])) - float64(9*(f[5][i]-f[1][i])) + (f[6][i] - f[0][i])) / (60 * h)
	}
	return nil
}

// bend fills deriv with the second derivative of the gradient along the direction.
func (p *Laplace) bend(h float64) error {
	if err := p.sample(h); err != nil {
		return err
	}
	f := &p.near
	for i, v := range p.grad {
		p.deriv[i] = (2*(f[6][i]+f[0][i]) - float64(27*(f[5][i]+f[1][i])) + float64(270*(f[4][i]+f[2][i])) - float64(490*v)) / (180 * h * h)
	}
	return nil
}

// curvature fills w with minus the second derivatives of the likelihood at theta: one
// direction serves all blocks at once.
func (p *Laplace) curvature() error {
	n, b := p.n, p.control.BlockSize
	clear(p.w)
	for c := range b {
		clear(p.along)
		for i := c; i < n; i += b {
			p.along[i] = p.reach(i)
		}
		if err := p.slope(1); err != nil {
			return err
		}
		for i := range n {
			if j := i - i%b + c; j < n {
				p.w[i*n+j] = -p.deriv[i] / p.along[j]
			}
		}
	}
	for i := range n {
		for j := i - i%b; j < i; j++ {
			v := (p.w[i*n+j] + p.w[j*n+i]) / 2
			p.w[i*n+j], p.w[j*n+i] = v, v
		}
	}
	return nil
}

// scale returns the step for differences along the direction; 0 where it is zero.
func (p *Laplace) scale() float64 {
	most := 0.0
	for i, v := range p.along {
		most = math.Max(most, math.Abs(v)/p.reach(i))
	}
	if most == 0 {
		return 0
	}
	return 1 / most
}

// Derivatives follows Solve. It fills dk with the derivatives with respect to the
// covariance and deta with those with respect to eta; dk may be nil.
func (p *Laplace) Derivatives(dk, deta []float64) error {
	n := p.n
	if err := p.covariance(); err != nil {
		return err
	}
	if err := p.third(); err != nil {
		return err
	}
	// u = A s and v = (I + W K)^-1 s carry the influence through the mode
	s := p.thirds[:n]
	copy(p.b, s)
	p.lu.solve(p.b, 1)
	if dk != nil {
		copy(p.square, p.w)
		p.lu.solve(p.square, n) // (I + W K)^-1 W
		for j := range n {
			for i := range n {
				dk[j*n+i] = float64(0.5*p.a[i]*p.a[j]) - float64(0.5*p.square[i*n+j]) + float64(p.b[i]*p.a[j])
			}
		}
	}
	if p.m == 0 {
		return nil
	}
	for i := range n {
		p.along[i] = dotProduct(p.cov[i*n:(i+1)*n], s)
	}
	clear(p.deriv)
	if h := p.scale(); h > 0 {
		if err := p.slope(h); err != nil {
			return err
		}
	}
	for k := range p.m {
		deta[k] = p.grad[n+k] + p.thirds[n+k] + p.deriv[n+k]
	}
	return nil
}

// third fills thirds with the gradient of half the trace of A d2l/dtheta2, A held fixed.
func (p *Laplace) third() error {
	n, b := p.n, p.control.BlockSize
	clear(p.thirds)
	for c := range b {
		clear(p.along)
		for at := 0; at < n; at += b {
			p.blockColumn(at, min(b, n-at), c)
		}
		h := p.scale()
		if h == 0 {
			continue
		}
		if err := p.bend(h); err != nil {
			return err
		}
		axpy(p.thirds, 0.5, p.deriv)
	}
	return nil
}

// blockColumn writes column c of the Cholesky factor of a block of A into along.
func (p *Laplace) blockColumn(at, size, c int) {
	if c >= size {
		return
	}
	l := p.square[:size*size]
	for i := range size {
		copy(l[i*size:(i+1)*size], p.cov[(at+i)*p.n+at:(at+i)*p.n+at+size])
	}
	cholesky(l, size)
	for i := c; i < size; i++ {
		p.along[at+i] = l[i*size+c]
	}
}

// cholesky replaces the lower triangle of a, positive semidefinite and in row-major
// order, by its factor. A pivot that is zero but for rounding gives a zero column.
func cholesky(a []float64, n int) {
	for j := range n {
		d := a[j*n+j]
		limit := 1e-14 * math.Abs(d)
		for k := range j {
			d -= float64(a[j*n+k] * a[j*n+k])
		}
		if d <= limit {
			for i := j; i < n; i++ {
				a[i*n+j] = 0
			}
			continue
		}
		d = math.Sqrt(d)
		a[j*n+j] = d
		for i := j + 1; i < n; i++ {
			v := a[i*n+j]
			for k := range j {
				v -= float64(a[i*n+k] * a[j*n+k])
			}
			a[i*n+j] = v / d
		}
	}
}

// Draw follows Solve: it fills out with a draw from the normal approximation.
func (p *Laplace) Draw(r *rand.Rand, out []float64) error {
	n := p.n
	if err := p.covariance(); err != nil {
		return err
	}
	copy(p.square, p.cov)
	cholesky(p.square, n)
	for i := range n {
		p.b[i] = variate.Normal(r)
	}
	for i := range n {
		out[i] = p.theta[i] + dotProduct(p.square[i*n:i*n+i+1], p.b[:i+1])
	}
	return nil
}

// Latent follows Solve: it fills mean (n) and factor (n x n, lower triangular, column-major)
// with the mean of the normal approximation and the Cholesky factor of its covariance.
func (p *Laplace) Latent(mean, factor []float64) error {
	n := p.n
	if err := p.covariance(); err != nil {
		return err
	}
	copy(mean, p.theta)
	copy(p.square, p.cov)
	cholesky(p.square, n)
	clear(factor)
	for i := range n {
		for j := range i + 1 {
			factor[j*n+i] = p.square[i*n+j]
		}
	}
	return nil
}
