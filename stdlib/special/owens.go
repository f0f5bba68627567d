// This file holds Owen's T function and the distribution function of the skew normal distribution, which
// is made of it.

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
)

// OwensT is the integral of exp(-h^2 (1+x^2)/2) / (2 pi (1+x^2)) over x from 0 to a:
// the probability that X > h and 0 < Y < aX for independent standard normal X, Y.
//
// For |a| <= 1 the integrand, smooth and positive, is integrated by a Gauss-Legendre
// rule; larger a go back to that by the reflection T(h,a) + T(ah,1/a) (Owen 1956),
// written in upper tails so that nothing cancels.
func OwensT(h, a float64) float64 {
	switch {
	case math.IsNaN(h) || math.IsNaN(a):
		return math.NaN()
	case a < 0:
		return -OwensT(h, -a)
	case a == 0 || math.IsInf(h, 0):
		return 0
	}
	h = math.Abs(h)
	if a <= 1 {
		return owensIntegral(h, a) * libm.Exp(-0.5*h*h) / (2 * math.Pi)
	}
	upper := NormalCDF(-h)
	if math.IsInf(a, 1) {
		return upper / 2
	}
	s := a * h
	other := NormalCDF(-s)
	return float64((upper+other)/2) - float64(upper*other) - float64(owensIntegral(s, 1/a)*libm.Exp(-0.5*s*s)/(2*math.Pi))
}

// owensIntegral is the integral of exp(-h^2 x^2/2) / (1+x^2) over x from 0 to a, for 0 <= a <= 1 and h >= 0: half of that
// from -a to a, as the integrand is even. The rules are exact to 1e-16 of it up to a h of 4.5 and of 8.3, beyond which nothing is
// left.
func owensIntegral(h, a float64) float64 {
	const most, few = 8.3, 4.5
	if h*a > most {
		a = most / h
	}
	rule := &longRule
	if h*a <= few {
		rule = &shortRule
	}
	return rule.even(a, -0.5*float64(h*a)*float64(h*a))
}

// An evenRule is a Gauss-Legendre rule on [-1, 1] for even functions: the squares of the positive nodes, and the weights there.
type evenRule struct{ squares, weights []float64 }

// even is the integral of exp(c x^2) / (1 + a^2 x^2) times a over x from 0 to 1.
func (r *evenRule) even(a, c float64) float64 {
	var room [20]float64
	e := room[:len(r.squares)]
	for i, s := range r.squares {
		e[i] = c * s
	}
	vec.Exp.Map(e, e)
	sum := 0.0
	for i, s := range r.squares {
		sum += float64(r.weights[i] * e[i] / (1 + float64(a*a*s)))
	}
	return a * sum
}

// newRule takes the positive nodes and their weights.
func newRule(nodes, weights []float64) evenRule {
	squares := make([]float64, len(nodes))
	for i, x := range nodes {
		squares[i] = x * x
	}
	return evenRule{squares, weights}
}

// shortRule has 28 points.
var shortRule = newRule([]float64{
	0.99644249757395444995, 0.98130316537087275369, 0.95425928062893819725, 0.91563302639213207387, 0.86589252257439504894,
	0.80564137091717917145, 0.73561087801363177203, 0.65665109403886496122, 0.56972047181140171931, 0.47587422495511826103,
	0.37625151608907871022, 0.27206162763517807768, 0.16456928213338077128, 0.055079289884034270427,
}, []float64{
	0.0091242825930945177388, 0.021132112592771259752, 0.032901427782304379978, 0.04427293475900422784, 0.055107345675716745431,
	0.065272923966999595793, 0.074646214234568779024, 0.08311341722890121839, 0.090571744393032840942, 0.09693065799792991585,
	0.10211296757806076981, 0.10605576592284641791, 0.10871119225829413525, 0.11004701301647519628,
})

// longRule has 40 points.
var longRule = newRule([]float64{
	0.99823770971055920035, 0.99072623869945700645, 0.97725994998377426266, 0.9579168192137916558, 0.93281280827867653336,
	0.90209880696887429673, 0.86595950321225950382, 0.8246122308333116632, 0.77830565142651938769, 0.72731825518992710328,
	0.67195668461417954838, 0.61255388966798023795, 0.54946712509512820208, 0.48307580168617871291, 0.41377920437160500152,
	0.34199409082575847301, 0.26815218500725368114, 0.19269758070137109972, 0.11608407067525520848, 0.038772417506050821933,
}, []float64{
	0.0045212770985331912585, 0.010498284531152813615, 0.016421058381907888713, 0.022245849194166957262,
	0.027937006980023401098, 0.033460195282547847393, 0.03878216797447201764, 0.043870908185673271992, 0.048695807635072232061,
	0.053227846983936824355, 0.057439769099391551367, 0.061306242492928939167, 0.064804013456601038075, 0.067912045815233903826,
	0.070611647391286779695, 0.072886582395804059061, 0.0747231690579682642, 0.076110361900626242372, 0.077039818164247965588,
	0.077505947978424811264,
})

// A SkewTail is the lower tail of the standard skew normal distribution at z <= 0 and what its derivatives are made of.
type SkewTail struct {
	Log              float64 // the logarithm of the tail
	DLogZ, DLogAlpha float64 // its derivatives
}

// SkewNormalLower returns the lower tail at z <= 0 with shape alpha, Phi(z) - 2 T(z, alpha) (Azzalini 1985), all of it relative to the
// normal density at z, so that no tail is too small. Where the terms would cancel, T(h, infinity) - T(h, a) is the integral of
//
//	exp(-w) / (sqrt(s^2 + 2w) (h^2 + s^2 + 2w))  over w from 0 to infinity, times h exp(-(h^2 + s^2)/2) / (2 pi),
//
// with h = |z| and s = a h, which the double exponential rule does (Takahasi, Mori 1974).
func SkewNormalLower(z, alpha float64) SkewTail {
	const (
		rootTwoOverPi = 0.79788456080286535588
		least         = 0.5   // of s^2, where the double exponential rule begins to be exact
		most          = 1e100 // of s, whose third power must be a number
	)
	h, a := -z, math.Abs(alpha)
	s := math.Min(a*h, most)
	q := float64(s * s)
	decay := libm.Exp(-0.5 * q) // the normal density at s over that at 0
	whole := Mills(-h)
	if alpha > 0 && q >= least {
		part := h * skewIntegral(h, q)
		over := 1 / math.Max(part, 1e-300)
		return SkewTail{
			Log:   NormalLogDensity(z) - float64(0.5*q) + libm.Log(rootTwoOverPi*part),
			DLogZ: Mills(-s) * over, DLogAlpha: -over / (1 + float64(a*a)),
		}
	}
	var part float64
	switch {
	case q >= least: // the tail at -alpha, which is less than half of the whole or so
		part = 2*whole - float64(rootTwoOverPi*decay*h*skewIntegral(h, q))
	case a <= 1:
		part = whole - math.Copysign(rootTwoOverPi*owensIntegral(h, a), alpha)
	default: // T of the reflection
		part = (float64(owensIntegral(s, 1/a)*decay/math.Pi) - float64(NormalCDF(-s)*libm.Erf(h*(math.Sqrt2/2)))) / NormalDensity(z)
		if alpha < 0 {
			part = 2*whole - part
		}
	}
	return SkewTail{
		Log:   NormalLogDensity(z) + libm.Log(part),
		DLogZ: 2 * NormalCDF(alpha*z) / part, DLogAlpha: -rootTwoOverPi * decay / (part * (1 + float64(a*a))),
	}
}

// skewIntegral is the integral of exp(-w) / (sqrt(q + 2w) (h^2 + q + 2w)) over positive w.
func skewIntegral(h, q float64) float64 {
	sum, c := 0.0, float64(h*h)+q
	for i, w := range skewNodes {
		sum += skewWeights[i] / (math.Sqrt(q+float64(2*w)) * (c + float64(2*w)))
	}
	return sum
}

// skewNodes and skewWeights integrate exp(-w) f(w): w = exp(t - exp(-t)) at steps of t of 1/5, from where on the weights matter.
var skewNodes, skewWeights = func() (nodes, weights []float64) {
	const step = 0.2
	for k := -20; k <= 20; k++ {
		t := float64(step * float64(k))
		e := libm.Exp(-t)
		w := libm.Exp(t - e)
		if weight := step * w * (1 + e) * libm.Exp(-w); weight > 1e-20 {
			nodes, weights = append(nodes, w), append(weights, weight)
		}
	}
	return nodes, weights
}()
