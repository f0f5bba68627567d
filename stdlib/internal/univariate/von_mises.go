// This file holds the von Mises distribution.

package univariate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

func vonMisesDistributions() []*catalogue.Distribution {
	onCircle := catalogue.Within(-math.Pi, math.Pi, "in the interval [-pi, pi]")
	return []*catalogue.Distribution{
		withTails(hoisted(&catalogue.Distribution{
			Name: "von_mises", Args: "reals y | reals mu, reals kappa",
			Doc: "von Mises distribution with location mu and concentration kappa", Section: "Circular Distributions",
			Requires: []catalogue.Requirement{catalogue.Finite, catalogue.Finite, catalogue.PositiveFinite}, Variate: &onCircle,
			Hoist: &catalogue.Hoist{Of: []int{2}, Size: 2, Prep: VonMisesPrep, Log: vonMisesLog},
			Draw:  vonMisesDraw,
		}), vonMisesTail),
	}
}

// VonMisesPrep returns log(2 pi exp(-kappa) I0(kappa)) and 1 - I1(kappa)/I0(kappa), the
// mean of 1 - cos.
func VonMisesPrep(x, c []float64, _ bool) {
	i0, i1 := scaledBessel(x[2])
	c[0] = libm.Log(2*math.Pi) + libm.Log(i0)
	c[1] = (i0 - i1) / i0
	if k := x[2]; k > 30 {
		c[1] = besselGap(k) / i0
	}
}

func vonMisesLog(x, c, d []float64) float64 {
	y, mu, kappa := x[0], x[1], x[2]
	sin, cos := libm.Sincos(0.5 * (y - mu))
	gap := float64(2 * sin * sin) // 1 - cos(y - mu)
	if d != nil {
		g := 2 * kappa * sin * cos
		d[0], d[1], d[2] = -g, g, c[1]-gap
	}
	return float64(-kappa*gap) - c[0]
}

// scaledBessel is exp(-x) I0(x) and exp(-x) I1(x).
func scaledBessel(x float64) (i0, i1 float64) {
	if x > 30 {
		return besselAsymptotic(x, 0), besselAsymptotic(x, 4)
	}
	q := 0.25 * x * x
	t0, t1 := 1.0, float64(0.5*x)
	i0, i1 = t0, t1
	for k := 1.0; k < 200; k++ {
		t0 = float64(t0 * (q / (k * k)))
		t1 = float64(t1 * (q / (k * (k + 1))))
		i0 += t0
		i1 += t1
		if t0 < 1e-17*i0 {
			break
		}
	}
	e := libm.Exp(-x)
	return i0 * e, i1 * e
}

// besselAsymptotic is Hankel's expansion of exp(-x) I(x) of order nu, with mu = 4 nu^2.
func besselAsymptotic(x, mu float64) float64 {
	s, term := 1.0, 1.0
	for k := 1.0; k < 30; k++ {
		odd := 2*k - 1
		term = float64(term * (-(mu - float64(odd*odd)) / (8 * x * k)))
		s += term
		if math.Abs(term) < 1e-17 {
			break
		}
	}
	return s / math.Sqrt(2*math.Pi*x)
}

// besselGap is exp(-x) (I0(x) - I1(x)) for x > 30, as the difference of the series.
func besselGap(x float64) float64 {
	s, t0, t1 := 0.0, 1.0, 1.0
	for k := 1.0; k < 30; k++ {
		odd := 2*k - 1
		t0 = float64(t0 * (odd * odd / (8 * x * k)))
		t1 = float64(t1 * ((float64(odd*odd) - 4) / (8 * x * k)))
		s += t0 - t1
		if t0 < 1e-17*s {
			break
		}
	}
	return s / math.Sqrt(2*math.Pi*x)
}

// vonMisesDraw is the rejection from a wrapped Cauchy envelope (Best and Fisher,
// Efficient Simulation of the von Mises Distribution, 1979), mapped to [-pi, pi].
func vonMisesDraw(r *rand.Rand, p []float64) float64 {
	mu, kappa := p[0], p[1]
	if kappa < 1e-8 {
		return math.Pi * (2*r.Float64() - 1)
	}
	a := 1 + math.Sqrt(1+float64(4*kappa*kappa))
	b := (a - math.Sqrt(2*a)) / (2 * kappa)
	s := (1 + float64(b*b)) / (2 * b)
	for {
		z := libm.Cos(math.Pi * r.Float64())
		w := (1 + float64(s*z)) / (s + z)
		c := float64(kappa * (s - w))
		u := OpenUniform(r)
		if c*(2-c) > u || libm.Log(c/u)+1 >= c {
			angle := libm.Acos(math.Max(-1, math.Min(1, w)))
			if r.Uint64()&1 == 0 {
				angle = -angle
			}
			return math.Remainder(mu+angle, 2*math.Pi)
		}
	}
}

// vonMisesTail integrates the density over both sides of y within [-pi, pi]; the
// sides normalise each other.
func vonMisesTail(t tail, x, d []float64) float64 {
	y, mu, kappa := x[0], x[1], x[2]
	if y <= -math.Pi || y >= math.Pi {
		return edge(t, y > 0, d)
	}
	if kappa <= mostSeriesKappa {
		if v, ok := vonMisesSeries(t, y, mu, kappa, d); ok {
			return v
		}
	}
	below := vonMisesIntegral(-math.Pi, y, mu, kappa)
	above := vonMisesIntegral(y, math.Pi, mu, kappa)
	all := below.plus(above)
	upper := below.logMass > above.logMass
	side, sign := below, 1.0
	if upper {
		side, sign = above, -1
	}
	v, f := fromSide(t, upper, side.logMass-all.logMass)
	if d != nil {
		at := func(angle float64) float64 {
			sin := libm.Sin(0.5 * (angle - mu))
			return libm.Exp(float64(-2*kappa*sin*sin) - side.logMass)
		}
		atY, atEnd := at(y), at(math.Pi)
		d[0], d[1] = f*sign*atY, f*sign*(atEnd-atY)
		d[2] = f * (all.meanGap - side.meanGap)
	}
	return v
}

// mostSeriesKappa is the concentration up to which vonMisesSeries has terms enough.
const mostSeriesKappa = 40

// vonMisesSeries is the Fourier series of the distribution function (Mardia and Jupp, Directional Statistics, 2000, eq. 3.5.24), whose
// coefficients A_j = I_j/I_0 are products of ratios that the backward recurrence gives (Hill 1977). Its error is absolute:
// ok is false where the tails are so small that it would count.
func vonMisesSeries(t tail, y, mu, kappa float64, d []float64) (value float64, ok bool) {
	const least = 0.02
	var ratios [16 + 9*7]float64
	terms := 16 + int(9*math.Sqrt(kappa))
	next := 0.0
	for j := terms; j > 0; j-- {
		next = 1 / (float64(2*j)/kappa + next)
		ratios[j-1] = next
	}
	sinY, cosY := libm.Sincos(y - mu)
	sinMu, cosMu := libm.Sincos(mu + math.Pi)
	angle := [2][2]float64{{sinY, cosY}, {sinMu, cosMu}} // sine and cosine of j times the angles
	sum, slope, whole := 0.0, 0.0, 1.0                   // of A_j s_j/j, of its derivative, and of 2 A_j from 0 on
	before, here := 1.0, ratios[0]
	first := here
	for j := 1; j < terms; j++ {
		s := (angle[0][0] + angle[1][0]) / float64(j)
		after := float64(here * ratios[j])
		sum += float64(here * s)
		slope += float64(s * (float64(0.5*(before+float64(after))) - float64(first*here)))
		whole += 2 * here
		angle[0] = [2]float64{float64(angle[0][0]*cosY) + float64(angle[0][1]*sinY), float64(angle[0][1]*cosY) - float64(angle[0][0]*sinY)}
		angle[1] = [2]float64{float64(angle[1][0]*cosMu) + float64(angle[1][1]*sinMu), float64(angle[1][1]*cosMu) - float64(angle[1][0]*sinMu)}
		before, here = here, after
	}
	p := (float64(0.5*(y+math.Pi)) + sum) / math.Pi
	if p < least || p > 1-least {
		return 0, false
	}
	value, f := fromProbabilities(t, p, 1-p)
	if d != nil {
		at := func(angle float64) float64 {
			sin := libm.Sin(0.5 * (angle - mu))
			return libm.Exp(-2*kappa*sin*sin) * whole / (2 * math.Pi)
		}
		atY, atEnd := at(y), at(math.Pi)
		d[0], d[1], d[2] = f*atY, f*(atEnd-atY), f*slope/math.Pi
	}
	return value, true
}

// An arcMass is the integral of exp(-kappa (1-cos)) over an arc, as a logarithm, and
// the mean of 1-cos over it.
type arcMass struct{ logMass, meanGap float64 }

func (a arcMass) plus(b arcMass) arcMass {
	l := logAdd(a.logMass, b.logMass)
	p, q := libm.Exp(a.logMass-l), libm.Exp(b.logMass-l)
	return arcMass{l, float64(p*a.meanGap) + float64(q*b.meanGap)}
}

// vonMisesIntegral integrates from a to b, by Gauss's rule on pieces that grow in
// powers of two with the distance from the peaks.
func vonMisesIntegral(a, b, mu, kappa float64) arcMass {
	sum := arcMass{catalogue.NegInf, 0}
	peak := math.Remainder(mu, 2*math.Pi)
	for k := -1.0; k <= 1; k++ {
		// The half turns right and left of one peak.
		c := peak + float64(2*math.Pi*k)
		for _, side := range []float64{-1, 1} {
			from := 0.0
			for from < math.Pi {
				to := math.Min(math.Pi, math.Max(2*from, math.Min(0.5, 1/math.Sqrt(kappa))))
				lo, hi := math.Max(a, math.Min(c+float64(side*from), c+float64(side*to))), math.Min(b, math.Max(c+float64(side*from), c+float64(side*to)))
				if hi > lo {
					sum = sum.plus(vonMisesPiece(lo, hi, c, kappa))
				}
				from = to
			}
		}
	}
	return sum
}

// vonMisesPiece does one piece, on one side of the peak c; where the integrand falls
// fast over the piece, only its upper part counts and the piece is divided.
func vonMisesPiece(lo, hi, c, kappa float64) arcMass {
	gap := func(x float64) float64 {
		s := libm.Sin(0.5 * (x - c))
		return float64(2 * s * s)
	}
	top := math.Min(gap(lo), gap(hi))
	const parts = 4
	mass, moment := 0.0, 0.0
	h := 0.5 * (hi - lo) / parts
	for i := range parts {
		mid := lo + float64(h*float64(2*i+1))
		for j, node := range gauss10Nodes {
			for _, s := range []float64{-1, 1} {
				g := gap(mid + float64(s*h*node))
				e := float64(gauss10Weights[j] * h * libm.Exp(-kappa*(g-top)))
				mass += e
				moment += float64(e * g)
			}
		}
	}
	return arcMass{libm.Log(mass) - float64(kappa*top), moment / mass}
}

// The nodes and weights of Gauss's rule of ten points on [-1, 1], for one sign.
var (
	gauss10Nodes = [5]float64{0.14887433898163121088, 0.43339539412924719080, 0.67940956829902440623,
		0.86506336668898451073, 0.97390652851717172008}
	gauss10Weights = [5]float64{0.29552422471475287017, 0.26926671930999635509, 0.21908636251598204400,
		0.14945134915058059315, 0.06667134430868813759}
)
