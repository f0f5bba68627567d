// This file holds the beta-binomial, beta negative binomial and Yule-Simon
// distributions.

package univariate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

func mixedBinomialDistributions() []*catalogue.Distribution {
	return []*catalogue.Distribution{
		withTails(&catalogue.Distribution{
			Name: "beta_binomial", Args: "ints n | ints N, reals alpha, reals beta", Discrete: true,
			Doc: "beta-binomial distribution of N trials with shapes alpha and beta", Section: BoundedInt,
			Requires: []catalogue.Requirement{catalogue.AnyInt, catalogue.CountInt, catalogue.PositiveFinite, catalogue.PositiveFinite}, Log: betaBinomialLog, Bulk: betaBinomialBulk,
			Draw: func(r *rand.Rand, p []float64) float64 {
				theta, _ := BetaDraw(r, p[1], p[2])
				return BinomialDraw(r, p[0], theta)
			},
		}, betaBinomialTail),
		withTails(&catalogue.Distribution{
			Name: "beta_neg_binomial", Args: "ints n | reals r, reals alpha, reals beta", Discrete: true,
			Doc: "beta negative binomial distribution of the failures before r successes with shapes alpha and beta", Section: counts,
			Requires: []catalogue.Requirement{catalogue.CountInt, catalogue.PositiveFinite, catalogue.PositiveFinite, catalogue.PositiveFinite}, Variate: &catalogue.AnyInt,
			Log: betaNegBinomialLog,
			Draw: func(r *rand.Rand, p []float64) float64 {
				// The odds of failure scale the gamma-distributed mean.
				odds := libm.Exp(LogGammaDraw(r, p[2]) - LogGammaDraw(r, p[1]))
				return poissonDraw(r, GammaDraw(r, p[0])*odds)
			},
		}, betaNegBinomialTail),
		withTails(&catalogue.Distribution{
			Name: "yule_simon", Args: "ints n | reals alpha", Discrete: true,
			Doc: "Yule-Simon distribution with shape alpha", Section: counts,
			Requires: []catalogue.Requirement{catalogue.Within(1, math.Inf(1), "at least 1"), catalogue.PositiveFinite},
			Variate:  &catalogue.AnyInt, Log: yuleSimonLog,
			Draw: func(r *rand.Rand, p []float64) float64 {
				// A geometric variate with chance exp(-E/alpha).
				chance := libm.Exp(-variate.Exponential(r) / p[0])
				return 1 + math.Floor(-variate.Exponential(r)/libm.Log1p(-chance))
			},
		}, yuleSimonTail),
	}
}

// logRise is lgamma(a + n) - lgamma(a), and its derivative in a.
func logRise(a, n float64) (v, da float64) {
	if n == 0 {
		return 0, 0
	}
	return special.LgammaShift(a, n), special.PsiShift(a, n) + n/a
}

func betaBinomialLog(x, d []float64) float64 {
	n, trials, a, b := x[0], x[1], x[2], x[3]
	if n < 0 || n > trials {
		return catalogue.NegInf
	}
	ra, da := logRise(a, n)
	rb, db := logRise(b, trials-n)
	rs, ds := logRise(a+b, trials)
	if d != nil {
		d[2], d[3] = da-ds, db-ds
	}
	return LogChoose(trials, n) + ra + rb - rs
}

// betaBinomialTail sums the masses of the lower tail, or of the upper one if the
// lower is more than half.
func betaBinomialTail(t tail, x, d []float64) float64 {
	n, trials, a, b := x[0], x[1], x[2], x[3]
	if n < 0 || n >= trials {
		return edge(t, n >= 0, d)
	}
	var g [4]float64
	start := betaBinomialLog([]float64{n, trials, a, b}, g[:])
	// Downwards from n; the ratio of the masses of k-1 and k.
	below := sumMasses(n+1, g[2], g[3], func(i float64) (ratio, da, db float64) {
		k := n - i
		return k * (trials - k + b) / ((trials - k + 1) * (k - 1 + a)), -1 / (k - 1 + a), 1 / (trials - k + b)
	})
	upper := start+libm.Log(below.sum) > -math.Ln2
	if upper {
		start = betaBinomialLog([]float64{n + 1, trials, a, b}, g[:])
		below = sumMasses(trials-n, g[2], g[3], func(i float64) (ratio, da, db float64) {
			k := n + 1 + i
			return (trials - k) * (k + a) / ((k + 1) * (trials - k - 1 + b)), 1 / (k + a), -1 / (trials - k - 1 + b)
		})
	}
	v, f := fromSide(t, upper, start+libm.Log(below.sum))
	if d != nil {
		d[2], d[3] = f*below.da, f*below.db
	}
	return v
}

// A massSum is a sum of masses relative to the first one, with the derivatives of
// its logarithm in two parameters.
type massSum struct{ sum, da, db float64 }

// sumMasses adds up to n masses. step gives the ratio of mass i+1 to mass i and the
// derivatives of its logarithm; da and db are those of the log of the first mass.
func sumMasses(n, da, db float64, step func(i float64) (ratio, da, db float64)) massSum {
	mass, sum := 1.0, 1.0
	sa, sb := da, db
	for i := 0.0; i+1 < n; i++ {
		r, ra, rb := step(i)
		mass = float64(mass * r)
		da += ra
		db += rb
		sum += mass
		sa += float64(mass * da)
		sb += float64(mass * db)
		if r < 0.999 && mass < 1e-19*sum*(1-r) {
			break
		}
	}
	return massSum{sum, sa / sum, sb / sum}
}

func betaNegBinomialLog(x, d []float64) float64 {
	n, r, a, b := x[0], x[1], x[2], x[3]
	// B(n+r, a+b) / B(r, a) times the ascending powers of b over n!.
	rb, db := logRise(b, n)
	rr, dr := logRise(r, n)
	ra, da := logRise(a, r)
	rs, ds := logRise(a+b, n+r)
	_, dEnd := logRise(a+r, b+n)
	if d != nil {
		d[1] = dr - dEnd
		d[2] = da - ds
		d[3] = db - ds
	}
	f, _ := libm.Lgamma(n + 1)
	if n < 256 {
		f = LogFactorial(n)
	}
	return rb + rr + ra - rs - f
}

// betaNegBinomialTail: the masses up to n are summed; a small upper tail is the mean
// of negative binomial tails over the beta-distributed chance.
func betaNegBinomialTail(t tail, x, d []float64) float64 {
	n := x[0]
	if n < 0 {
		return edge(t, false, d)
	}
	upper, side, g := true, catalogue.NegInf, [3]float64{}
	if n < 1e5 {
		upper = false
		side, g = betaNegBinomialLower(x)
	}
	if upper || side > -1e-4 {
		upper = true
		side, g = betaNegBinomialUpper(x)
	}
	v, f := fromSide(t, upper, side)
	if d != nil {
		d[1], d[2], d[3] = f*g[0], f*g[1], f*g[2]
	}
	return v
}

// betaNegBinomialLower is the log of the lower tail and its gradient in r, alpha and
// beta, by summing from n down.
func betaNegBinomialLower(x []float64) (log float64, g [3]float64) {
	n, r, a, b := x[0], x[1], x[2], x[3]
	var d [4]float64
	log = betaNegBinomialLog([]float64{n, r, a, b}, d[:])
	mass, sum := 1.0, 1.0
	g = [3]float64{d[1], d[2], d[3]}
	dr, da, db := d[1], d[2], d[3]
	for k := n; k >= 1; k-- {
		// From k to k-1 the mass changes by k (a+b+r+k-1) / ((b+k-1) (r+k-1)).
		s := a + b + r + k - 1
		mass = float64(mass * (k * s / ((b + k - 1) * (r + k - 1))))
		dr += 1/s - 1/(r+k-1)
		da += 1 / s
		db += 1/s - 1/(b+k-1)
		sum += mass
		g[0] += float64(mass * dr)
		g[1] += float64(mass * da)
		g[2] += float64(mass * db)
	}
	for i := range g {
		g[i] /= sum
	}
	return log + libm.Log(sum), g
}

// betaNegBinomialUpper is the log of the upper tail and its gradient: the integral
// over the logit u of the chance of the beta density times the upper tail of the
// negative binomial, by the trapezoidal rule in t, u = centre + width sinh(t).
func betaNegBinomialUpper(x []float64) (log float64, g [3]float64) {
	n, r, a, b := x[0], x[1], x[2], x[3]
	at := func(u float64) (v float64, s special.Tails, p, q float64) {
		p, q = InverseLogit(u), InverseLogit(-u)
		s = special.IncBeta(n+1, r, q, p)
		return float64(a*libm.Log(p)) + float64(b*libm.Log(q)) + s.LogP, s, p, q
	}
	centre, width := logitPeak(func(u float64) float64 {
		v, _, _, _ := at(u)
		return v
	})
	top, _, _, _ := at(centre)
	const h = 0.1
	sum := 0.0
	for k := -80; k <= 80; k++ {
		t := h * float64(k)
		v, s, p, q := at(centre + float64(width*libm.Sinh(t)))
		w := float64(libm.Exp(v-top) * libm.Cosh(t))
		if !(w > 1e-30) {
			continue
		}
		sum += w
		g[0] += float64(w * s.LogPB)
		g[1] += float64(w * libm.Log(p))
		g[2] += float64(w * libm.Log(q))
	}
	psi := special.Psi(a + b)
	g[0] /= sum
	g[1] = g[1]/sum - special.Psi(a) + psi
	g[2] = g[2]/sum - special.Psi(b) + psi
	return top + libm.Log(sum*h*width) - special.Lbeta(a, b), g
}

// logitPeak finds the maximum of a log-concave function by golden sections, and the
// width of the peak.
func logitPeak(f func(u float64) float64) (centre, width float64) {
	const golden = 0.6180339887498949
	lo, hi := -700.0, 700.0
	a, b := hi-golden*(hi-lo), lo+golden*(hi-lo)
	fa, fb := f(a), f(b)
	for range 80 {
		if fa > fb || math.IsInf(fb, -1) && b > 0 || math.IsNaN(fb) {
			hi, b, fb = b, a, fa
			a = hi - float64(golden*(hi-lo))
			fa = f(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + float64(golden*(hi-lo))
			fb = f(b)
		}
	}
	centre = float64(0.5 * (lo + hi))
	top := f(centre)
	width = 0.01
	for width < 1e3 && top-math.Max(f(centre+width), f(centre-width)) < 0.5 {
		width = float64(width * 1.5)
	}
	return centre, width
}

func yuleSimonLog(x, d []float64) float64 {
	n, a := x[0], x[1]
	rise, da := logRise(a+1, n)
	if d != nil {
		d[1] = 1/a - da
	}
	l, _ := libm.Lgamma(n)
	if n >= 10 && a < n {
		// lgamma(n) - lgamma(n + a + 1) + lgamma(a + 1)
		la, _ := libm.Lgamma(a + 1)
		return libm.Log(a) + la - special.LgammaShift(n, a+1)
	}
	return libm.Log(a) + l - rise
}

// yuleSimonTail: the upper tail is n B(n, alpha + 1).
func yuleSimonTail(t tail, x, d []float64) float64 {
	n, a := x[0], x[1]
	if n < 1 {
		return edge(t, false, d)
	}
	_, da := logRise(a+1, n)
	v, f := fromSide(t, true, libm.Log(n)+special.Lbeta(n, a+1))
	if d != nil {
		d[1] = -f * da
	}
	return v
}
