// This file has the exponential families. Nothing that is large cancels in their integrals, however
// narrow a member is.

package divergence

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

const logTwoPi = 1.8378770664093454835606594728112

// Normal is the family of normals: theta = (mean, log sd). With Log set it is the log-normal's,
// and theta is that of log x.
type Normal struct{ Log bool }

// Params implements Family.
func (Normal) Params() int { return 2 }

// KL implements Family.
func (Normal) KL(q, pi []float64) float64 {
	d, log := (q[0]-pi[0])*libm.Exp(-pi[1]), 2*(q[1]-pi[1])
	return (float64(d*d) + libm.Expm1(log) - log) / 2
}

// AddKL implements Family.
func (Normal) AddKL(q, pi []float64, scale float64, grad []float64) {
	grad[0] += float64(scale * (q[0] - pi[0]) * libm.Exp(-2*pi[1]))
	grad[1] += float64(scale * libm.Expm1(2*(q[1]-pi[1])))
}

// product is what the power q^a pi^b of two normals with the given log variances is made of.
type product struct {
	a, b   float64
	vq, vp float64
	d      float64 // a vp + b vq: variances of q and pi over that of the product, 1/v = a/vq + b/vp
}

func powers(a, b, logVq, logVp float64) product {
	p := product{a: a, b: b, vq: libm.Exp(logVq), vp: libm.Exp(logVp)}
	p.d = float64(a*p.vp) + float64(b*p.vq)
	return p
}

// log is that of the integral, the exponential of the distance of the means aside.
func (p product) log(logVq, logVp float64) float64 {
	return float64((float64((1-p.a-p.b)*logTwoPi) + float64((1-p.a)*logVq) + float64((1-p.b)*logVp) - libm.Log(p.d)) / 2)
}

// slope is its derivative by logVq.
func (p product) slope() float64 {
	return float64(p.a * (float64((1-p.a)*p.vp) - float64(p.b*p.vq)) / p.d / 2)
}

// square is what is in the exponential, with the sign turned, where means are m apart.
func (p product) square(m float64) float64 { return float64(p.a * p.b / p.d * m * m / 2) }

// shares are those of q and pi in the product's mean.
func (p product) shares() (ofQ, ofPi float64) { return p.a * p.vp / p.d, p.b * p.vq / p.d }

// LogPower implements Family.
func (f Normal) LogPower(q, pi []float64, a, b float64) float64 {
	p := powers(a, b, 2*q[1], 2*pi[1])
	if !(p.d > 0) {
		return math.Inf(1)
	}
	v := p.log(2*q[1], 2*pi[1]) - p.square(q[0]-pi[0])
	if f.Log { // by log x there is a factor exp(c log x)
		c := 1 - a - b
		ofQ, ofPi := p.shares()
		v += float64(c * (float64(ofQ*q[0]) + float64(ofPi*pi[0]) + float64(c*p.vq*p.vp/p.d/2)))
	}
	return v
}

// AddLogPower implements Family.
func (f Normal) AddLogPower(q, pi []float64, a, b, scale float64, grad []float64) {
	p := powers(a, b, 2*q[1], 2*pi[1])
	m := q[0] - pi[0]
	ofQ, ofPi := p.shares()
	byMean := float64(-a * b / p.d * m)
	byVariance := p.slope() + float64(ofPi*p.square(m))
	if f.Log {
		c := 1 - a - b
		byMean += float64(c * ofQ)
		byVariance += float64(c * ofQ * (float64(c*p.vq*p.vp/p.d/2) - float64(ofPi*m)))
	}
	grad[0] += float64(scale * byMean)
	grad[1] += float64(2 * scale * byVariance)
}

// NormalInverseGamma is the family of s ~ inverse gamma(a, b) and independent
// x_j ~ normal(m_j, variance s v_j), K of them: theta = (log a, log b, m, log v).
// With Factor set, densities are by a function u
// of s with ds = Factor s^Power du: 2 and 1/2 for u the root, 1 and 1 for the log.
type NormalInverseGamma struct {
	K             int
	Factor, Power float64
}

// Params implements Family.
func (f NormalInverseGamma) Params() int { return 2 + 2*f.K }

// constant is what is added to the shape a: the power of s in the density is -(a + constant).
func (f NormalInverseGamma) constant() float64 {
	return 1 + float64(f.K)/2 - f.Power
}

// KL implements Family. With S and P what remains of lgamma and digamma when Stirling's formula is taken
// off, and w the log of the ratio of a/b, that of the inverse gammas is
//
//	(aq - ap) P(aq) - S(aq) + S(ap) + (ap/aq - 1 + log(aq/ap))/2 + ap (e^w - 1 - w)
func (f NormalInverseGamma) KL(q, pi []float64) float64 {
	k := f.K
	aq, ap, log := libm.Exp(q[0]), libm.Exp(pi[0]), q[0]-pi[0]
	w := log - (q[1] - pi[1])
	sum := float64((aq-ap)*special.PsiError(aq)) - special.StirlingError(aq) + special.StirlingError(ap) +
		float64((libm.Expm1(-log)+log)/2) + float64(ap*(libm.Expm1(w)-w))
	r := libm.Exp(q[0] - q[1])
	for j := range k {
		m, l := q[2+j]-pi[2+j], q[2+k+j]-pi[2+k+j]
		sum += float64((float64(r*m*m*libm.Exp(-pi[2+k+j])) + libm.Expm1(l) - l) / 2)
	}
	return sum
}

// AddKL implements Family.
func (f NormalInverseGamma) AddKL(q, pi []float64, scale float64, grad []float64) {
	k := f.K
	aq, ap, r := libm.Exp(q[0]), libm.Exp(pi[0]), libm.Exp(q[0]-q[1])
	byRatio := float64(ap * libm.Expm1(float64(q[0]-pi[0])-float64(q[1]-pi[1])))
	for j := range k {
		m, precision := q[2+j]-pi[2+j], libm.Exp(-pi[2+k+j])
		byRatio += float64(r * m * m * precision / 2)
		grad[2+j] += float64(scale * r * m * precision)
		grad[2+k+j] += float64(scale / 2 * libm.Expm1(q[2+k+j]-pi[2+k+j]))
	}
	grad[0] += float64(scale * (float64((aq-ap)*trigammaExcess(aq)) + byRatio))
	grad[1] -= float64(scale * byRatio)
}

// trigammaExcess is x trigamma(x) - 1.
func trigammaExcess(x float64) float64 {
	if x < 32 {
		return float64(x*special.Trigamma(x)) - 1
	}
	w := 1 / (x * x)
	return 0.5/x + float64(w*(1.0/6-float64(w*(1.0/30-float64(w*(1.0/42-float64(w/30)))))))
}

// blend is the inverse gamma in the power q^a pi^b.
type blend struct {
	shape, scale    float64
	aq, ap          float64
	excess          float64 // shape - a aq - b ap
	overQ           float64 // log of the ratio of shape/scale to that of q
	shares, density float64 // of the normals: what they add to scale; the log of their integral
}

// blend prepares q^a pi^b; ok is false where there is no integral.
func (f NormalInverseGamma) blend(q, pi []float64, a, b float64) (m blend, ok bool) {
	k := f.K
	m.aq, m.ap, m.excess = libm.Exp(q[0]), libm.Exp(pi[0]), float64((a+b-1)*f.constant())
	for j := range k {
		p := powers(a, b, q[2+k+j], pi[2+k+j])
		if !(p.d > 0) {
			return m, false
		}
		m.shares += p.square(q[2+j] - pi[2+j])
		m.density += p.log(q[2+k+j], pi[2+k+j])
	}
	bq, bp := libm.Exp(q[1]), libm.Exp(pi[1])
	moreShape, moreScale := float64(b*m.ap)+m.excess, float64(b*bp)+m.shares
	m.shape, m.scale = float64(a*m.aq)+moreShape, float64(a*bq)+moreScale
	if !(m.shape > 0 && m.scale > 0) {
		return m, false
	}
	if a > 0 { // a shape of 1e9 gives and takes 1e10 nats, so its ratio is taken by what is added to it
		m.overQ = libm.Log1p(moreShape/(a*m.aq)) - libm.Log1p(moreScale/(a*bq))
	}
	return m, true
}

// LogPower implements Family. lgamma(x) is x log x and what little is left, and x log x goes with x log b.
func (f NormalInverseGamma) LogPower(q, pi []float64, a, b float64) float64 {
	m, ok := f.blend(q, pi, a, b)
	if !ok {
		return math.Inf(1)
	}
	shape, ratio := libm.Log(m.shape), libm.Log(m.shape/m.scale)
	sum := float64(a*m.aq*m.overQ) + float64(b*m.ap*(ratio-(pi[0]-pi[1]))) + float64(m.excess*(ratio-1)) -
		float64((shape-float64(a*q[0])-float64(b*pi[0]))/2) + float64((1-a-b)*logTwoPi/2) +
		special.StirlingError(m.shape) - float64(a*special.StirlingError(m.aq)) - float64(b*special.StirlingError(m.ap)) + m.density
	if f.Factor > 0 {
		sum += float64((a + b - 1) * libm.Log(f.Factor))
	}
	return sum
}

// AddLogPower implements Family.
func (f NormalInverseGamma) AddLogPower(q, pi []float64, a, b, scale float64, grad []float64) {
	m, ok := f.blend(q, pi, a, b)
	if !ok {
		for i := range grad[:f.Params()] {
			grad[i] = math.NaN()
		}
		return
	}
	k := f.K
	grad[0] += float64(scale * a * m.aq * (m.overQ + psiExcess(m.shape) - psiExcess(m.aq)))
	grad[1] -= float64(scale * a * m.aq * libm.Expm1(m.overQ))
	r := m.shape / m.scale
	for j := range k {
		p := powers(a, b, q[2+k+j], pi[2+k+j])
		apart := q[2+j] - pi[2+j]
		_, ofPi := p.shares()
		grad[2+j] -= float64(scale * r * a * b / p.d * apart)
		grad[2+k+j] += float64(scale * (p.slope() + float64(r*ofPi*p.square(apart))))
	}
}

// psiExcess is digamma(x) - log x.
func psiExcess(x float64) float64 { return special.PsiError(x) - 0.5/x }

var _ = []Family{Normal{}, NormalInverseGamma{}}
