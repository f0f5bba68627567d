// This file has the power integrals of univariate distributions: the integral of
// density^c over the variate, or the sum of mass^c, as a function of parameters.

package univariate

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// powers are the log power integrals in closed form, of order c > 0 for parameters
// p; d, where not nil, takes the derivatives by them. +Inf says that the integral is
// infinite. A normal's, for one, is (2 pi sigma^2)^(-(c-1)/2) c^(-1/2).
var powers = map[string]func(c float64, p, d []float64) float64{
	"normal": func(c float64, p, d []float64) float64 {
		return scaled(c, normalPower(c), p[1], d, 1)
	},
	"std_normal": func(c float64, _, _ []float64) float64 { return normalPower(c) },
	"lognormal":  logNormalPower,
	"cauchy": func(c float64, p, d []float64) float64 {
		l, _ := studentPower(c, 1)
		return scaled(c, l, p[1], d, 1)
	},
	"student_t": func(c float64, p, d []float64) float64 {
		l, slope := studentPower(c, p[0])
		v := scaled(c, l, p[2], d, 2)
		if d != nil {
			d[0] = slope
		}
		return v
	},
	"logistic": func(c float64, p, d []float64) float64 {
		return scaled(c, 2*special.Lgamma(c)-special.Lgamma(2*c), p[1], d, 1)
	},
	"double_exponential": func(c float64, p, d []float64) float64 {
		return scaled(c, float64((1-c)*math.Ln2)-libm.Log(c), p[1], d, 1)
	},
	"exponential": func(c float64, p, d []float64) float64 {
		if d != nil {
			d[0] = (c - 1) / p[0]
		}
		return float64((c-1)*libm.Log(p[0])) - libm.Log(c)
	},
	"gamma":   gammaPower,
	"beta":    betaPower,
	"uniform": uniformPower,
}

// scaled is the power integral of a distribution with a scale, of which the one with
// scale 1 has log integral l: each power of the density beyond the first has a
// factor 1/scale. The scale is parameter at; the derivatives by the others are 0.
func scaled(c, l, scale float64, d []float64, at int) float64 {
	if d != nil {
		clear(d)
		d[at] = (1 - c) / scale
	}
	return l + float64((1-c)*libm.Log(scale))
}

func normalPower(c float64) float64 { return float64((1-c)*HalfLogTwoPi) - float64(libm.Log(c)/2) }

// studentPower is that of a Student t, with its derivative by nu: with a =
// (c(nu+1)-1)/2 the integral of the kernel's power is sqrt(nu) B(1/2, a).
func studentPower(c, nu float64) (v, slope float64) {
	a := float64((float64(c*(nu+1)) - 1) / 2)
	if a <= 0 {
		return math.Inf(1), 0
	}
	norm := special.Lgamma((nu+1)/2) - special.Lgamma(nu/2) - float64(libm.Log(nu*math.Pi)/2)
	v = float64(c*norm) + float64(libm.Log(nu*math.Pi)/2) + special.Lgamma(a) - special.Lgamma(a+0.5)
	dNorm := (special.Digamma((nu+1)/2) - special.Digamma(nu/2) - 1/nu) / 2
	return v, float64(c*dNorm) + 1/(2*nu) + float64(c/2*(special.Digamma(a)-special.Digamma(a+0.5)))
}

// logNormalPower: by x = log y the power is a normal's, times y^(1-c).
func logNormalPower(c float64, p, d []float64) float64 {
	mu, sigma := p[0], p[1]
	k := 1 - c
	if d != nil {
		d[0], d[1] = k, k/sigma+k*k*sigma/c
	}
	return normalPower(c) + float64(k*libm.Log(sigma)) + float64(k*mu) + k*k*sigma*sigma/(2*c)
}

func gammaPower(c float64, p, d []float64) float64 {
	alpha, beta := p[0], p[1]
	a := float64(c*(alpha-1)) + 1
	if a <= 0 {
		return math.Inf(1)
	}
	if d != nil {
		d[0] = c * (special.Digamma(a) - libm.Log(c) - special.Digamma(alpha))
		d[1] = (c - 1) / beta
	}
	return special.Lgamma(a) - float64(a*libm.Log(c)) + float64((c-1)*libm.Log(beta)) - float64(c*special.Lgamma(alpha))
}

func betaPower(c float64, p, d []float64) float64 {
	a, b := float64(c*(p[0]-1))+1, float64(c*(p[1]-1))+1
	if a <= 0 || b <= 0 {
		return math.Inf(1)
	}
	if d != nil {
		all, old := special.Digamma(a+b), special.Digamma(p[0]+p[1])
		d[0] = c * (special.Digamma(a) - all - special.Digamma(p[0]) + old)
		d[1] = c * (special.Digamma(b) - all - special.Digamma(p[1]) + old)
	}
	logBeta := func(a, b float64) float64 { return special.Lgamma(a) + special.Lgamma(b) - special.Lgamma(a+b) }
	return logBeta(a, b) - float64(c*logBeta(p[0], p[1]))
}

func uniformPower(c float64, p, d []float64) float64 {
	width := p[1] - p[0]
	if d != nil {
		d[0], d[1] = (c-1)/width, (1-c)/width
	}
	return (1 - c) * libm.Log(width)
}

// mostTerms bounds the sum over a discrete variate.
const mostTerms = 1 << 22

// Powered reports whether LogPower is known for the distribution.
func Powered(d *catalogue.Distribution) bool {
	return d.Log != nil && (d.Discrete || powers[d.Name] != nil)
}

// LogPower is the log of the integral of density^c over the variate, for a discrete
// one the sum of mass^c, at parameters p. slope, where not nil, takes the derivatives
// by them. c is positive. Powered must hold.
func LogPower(d *catalogue.Distribution, c float64, p, slope []float64) (float64, error) {
	if f := powers[d.Name]; f != nil {
		return f(c, p, slope), nil
	}
	return sumPower(d, c, p, slope)
}

// sumPower adds up from 0 until the terms are past their largest and negligible.
func sumPower(d *catalogue.Distribution, c float64, p, slope []float64) (float64, error) {
	const negligible = 1e-18
	x := append([]float64{0}, p...)
	var partial []float64
	if slope != nil {
		clear(slope)
		partial = make([]float64, len(x))
	}
	var sum, last float64
	for k := 0.0; k < mostTerms; k++ {
		x[0] = k
		if !d.Requires[0].OK(k) {
			break
		}
		term := 0.0
		if d.Support == nil || d.Support(x) == nil {
			term = libm.Exp(c * d.Log(x, partial))
		}
		if term > 0 {
			sum += term
			for j := range slope {
				slope[j] += float64(c * term * partial[j+1])
			}
		}
		if sum > 0 && term <= last && term <= negligible*sum {
			last = -1
			break
		}
		last = term
	}
	if !(sum > 0) || last > negligible*sum && d.Requires[0].OK(mostTerms) {
		return 0, fmt.Errorf("%s: the sum of the mass to the power %g does not end within %d terms", d.Name, c, mostTerms)
	}
	for j := range slope {
		slope[j] /= sum
	}
	return libm.Log(sum), nil
}
