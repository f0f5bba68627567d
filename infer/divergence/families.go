// This file has the exponential families.

package divergence

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// trigamma is the derivative of the digamma function, as a Hurwitz zeta value
// (Abramowitz and Stegun 6.4.10).
func trigamma(x float64) float64 { return special.Trigamma(x) }

// Normal is the family of normals: theta = (mean, log sd), T = (x, x^2). With
// Log set it is the log-normal's, T = (log x, log^2 x), and theta is that of
// log x.
type Normal struct{ Log bool }

// Params implements Family.
func (Normal) Params() int { return 2 }

// Stats implements Family.
func (Normal) Stats() int { return 2 }

// shift is what the density 1/x of a log-normal takes from the first parameter.
func (f Normal) shift() float64 {
	if f.Log {
		return 1
	}
	return 0
}

// Natural implements Family.
func (f Normal) Natural(theta, eta []float64) {
	v := libm.Exp(-2 * theta[1])
	eta[0], eta[1] = float64(theta[0]*v)-f.shift(), -v/2
}

// LogNormalizer implements Family.
func (f Normal) LogNormalizer(eta []float64) float64 {
	if eta[1] >= 0 {
		return math.Inf(1)
	}
	h := eta[0] + f.shift()
	return -h*h/(4*eta[1]) + float64(libm.Log(-math.Pi/eta[1])/2)
}

// Mean implements Family.
func (f Normal) Mean(eta, mu []float64) {
	m := -(eta[0] + f.shift()) / (2 * eta[1])
	mu[0], mu[1] = m, float64(m*m)-1/(2*eta[1])
}

// PullNatural implements Family.
func (Normal) PullNatural(theta, w, grad []float64) {
	v := libm.Exp(-2 * theta[1])
	grad[0] += float64(w[0] * v)
	grad[1] += float64(v * (w[1] - float64(2*w[0]*theta[0])))
}

// PullMean implements Family.
func (Normal) PullMean(theta, w, grad []float64) {
	grad[0] += w[0] + float64(2*w[1]*theta[0])
	grad[1] += float64(2 * w[1] * libm.Exp(2*theta[1]))
}

// GammaFamily is the family of gammas: theta = (log shape, log rate),
// T = (log x, x). With Inverse set it is the inverse gamma's, T = (log x, 1/x),
// theta = (log shape, log scale).
type GammaFamily struct{ Inverse bool }

// Params implements Family.
func (GammaFamily) Params() int { return 2 }

// Stats implements Family.
func (GammaFamily) Stats() int { return 2 }

// sign is that of the shape in the natural parameter.
func (f GammaFamily) sign() float64 {
	if f.Inverse {
		return -1
	}
	return 1
}

// Natural implements Family.
func (f GammaFamily) Natural(theta, eta []float64) {
	eta[0], eta[1] = f.sign()*libm.Exp(theta[0])-1, -libm.Exp(theta[1])
}

// LogNormalizer implements Family.
func (f GammaFamily) LogNormalizer(eta []float64) float64 {
	a, b := f.sign()*(eta[0]+1), -eta[1]
	if !(a > 0 && b > 0) {
		return math.Inf(1)
	}
	return lgamma(a) - a*libm.Log(b)
}

// Mean implements Family.
func (f GammaFamily) Mean(eta, mu []float64) {
	a, b := f.sign()*(eta[0]+1), -eta[1]
	mu[0], mu[1] = f.sign()*(special.Digamma(a)-libm.Log(b)), a/b
}

// PullNatural implements Family.
func (f GammaFamily) PullNatural(theta, w, grad []float64) {
	grad[0] += f.sign() * libm.Exp(theta[0]) * w[0]
	grad[1] -= libm.Exp(theta[1]) * w[1]
}

// PullMean implements Family.
func (f GammaFamily) PullMean(theta, w, grad []float64) {
	a, mean := libm.Exp(theta[0]), libm.Exp(theta[0]-theta[1])
	grad[0] += f.sign()*w[0]*a*trigamma(a) + w[1]*mean
	grad[1] -= f.sign()*w[0] + w[1]*mean
}

// Dirichlet is the family of Dirichlets of that many probabilities, with respect
// to all but the last: theta = logs of the concentrations, T = log x. With two it
// is the beta's.
type Dirichlet int

// Params implements Family.
func (f Dirichlet) Params() int { return int(f) }

// Stats implements Family.
func (f Dirichlet) Stats() int { return int(f) }

// Natural implements Family.
func (Dirichlet) Natural(theta, eta []float64) {
	for i, t := range theta {
		eta[i] = libm.Exp(t) - 1
	}
}

// LogNormalizer implements Family.
func (Dirichlet) LogNormalizer(eta []float64) float64 {
	var sum, logs float64
	for _, e := range eta {
		if !(e > -1) {
			return math.Inf(1)
		}
		sum += e + 1
		logs += lgamma(e + 1)
	}
	return logs - lgamma(sum)
}

// Mean implements Family.
func (Dirichlet) Mean(eta, mu []float64) {
	var sum float64
	for _, e := range eta {
		sum += e + 1
	}
	all := special.Digamma(sum)
	for i, e := range eta {
		mu[i] = special.Digamma(e+1) - all
	}
}

// PullNatural implements Family.
func (Dirichlet) PullNatural(theta, w, grad []float64) {
	for i, t := range theta {
		grad[i] += libm.Exp(t) * w[i]
	}
}

// PullMean implements Family.
func (Dirichlet) PullMean(theta, w, grad []float64) {
	var sum, weights float64
	for i, t := range theta {
		sum += libm.Exp(t)
		weights += w[i]
	}
	all := trigamma(sum)
	for i, t := range theta {
		a := libm.Exp(t)
		grad[i] += a * (w[i]*trigamma(a) - weights*all)
	}
}

// NormalInverseGamma is the family of s ~ inverse gamma(a, b) and independent
// x_j ~ normal(m_j, variance s v_j), K of them: theta = (log a, log b, m, log v),
// T = (log s, 1/s, x_j/s, x_j^2/s). With Factor set, densities are by a function u
// of s with ds = Factor s^Power du: 2 and 1/2 for u the root, 1 and 1 for the log.
type NormalInverseGamma struct {
	K             int
	Factor, Power float64
}

// Params implements Family.
func (f NormalInverseGamma) Params() int { return 2 + 2*f.K }

// Stats implements Family.
func (f NormalInverseGamma) Stats() int { return 2 + 2*f.K }

// constant is what is added to the shape a in the first natural parameter: the
// power of s in the density is -(a + constant).
func (f NormalInverseGamma) constant() float64 {
	return 1 + float64(f.K)/2 - f.Power
}

// Natural implements Family.
func (f NormalInverseGamma) Natural(theta, eta []float64) {
	k := f.K
	eta[0], eta[1] = -libm.Exp(theta[0])-f.constant(), -libm.Exp(theta[1])
	for j := range k {
		m, v := theta[2+j], libm.Exp(-theta[2+k+j])
		eta[1] -= float64(m * m * v / 2)
		eta[2+j], eta[2+k+j] = m*v, -v/2
	}
}

// usual returns shape and scale; ok is false without an integral.
func (f NormalInverseGamma) usual(eta []float64) (a, b float64, ok bool) {
	a, b = -eta[0]-f.constant(), -eta[1]
	for j := range f.K {
		h, p := eta[2+j], eta[2+f.K+j]
		if p >= 0 {
			return 0, 0, false
		}
		b += h * h / (4 * p) // - m^2/(2v), m = -h/(2p), 1/v = -2p
	}
	return a, b, a > 0 && b > 0
}

// LogNormalizer implements Family.
func (f NormalInverseGamma) LogNormalizer(eta []float64) float64 {
	a, b, ok := f.usual(eta)
	if !ok {
		return math.Inf(1)
	}
	sum := lgamma(a) - float64(a*libm.Log(b))
	for _, p := range eta[2+f.K:] {
		sum += libm.Log(-math.Pi/p) / 2
	}
	if f.Factor > 0 {
		sum -= libm.Log(f.Factor)
	}
	return sum
}

// Mean implements Family.
func (f NormalInverseGamma) Mean(eta, mu []float64) {
	a, b, _ := f.usual(eta)
	r := a / b
	mu[0], mu[1] = libm.Log(b)-special.Digamma(a), r
	for j := range f.K {
		h, p := eta[2+j], eta[2+f.K+j]
		m := -h / (2 * p)
		mu[2+j], mu[2+f.K+j] = m*r, float64(m*m*r)-1/(2*p)
	}
}

// PullNatural implements Family.
func (f NormalInverseGamma) PullNatural(theta, w, grad []float64) {
	k := f.K
	grad[0] -= float64(libm.Exp(theta[0]) * w[0])
	grad[1] -= float64(libm.Exp(theta[1]) * w[1])
	for j := range k {
		m, v := theta[2+j], libm.Exp(-theta[2+k+j])
		grad[2+j] += float64(v * (w[2+j] - float64(m*w[1])))
		grad[2+k+j] += float64(v * (float64(m*m*w[1]/2) - float64(m*w[2+j]) + float64(w[2+k+j]/2)))
	}
}

// PullMean implements Family.
func (f NormalInverseGamma) PullMean(theta, w, grad []float64) {
	k := f.K
	a, r := libm.Exp(theta[0]), libm.Exp(theta[0]-theta[1])
	byR := w[1]
	for j := range k {
		m := theta[2+j]
		byR += float64(w[2+j]*m) + float64(w[2+k+j]*m*m)
		grad[2+j] += float64(r * (w[2+j] + float64(2*m*w[2+k+j])))
		grad[2+k+j] += float64(w[2+k+j] * libm.Exp(theta[2+k+j]))
	}
	grad[0] += float64(byR*r) - float64(w[0]*a*trigamma(a))
	grad[1] += w[0] - float64(byR*r)
}

var _ = []Family{Normal{}, GammaFamily{}, Dirichlet(2), NormalInverseGamma{}}
