// This file cuts univariate distributions off: the range of each, the probability of
// an interval, and draws from the part that lies in it.

package stdlib

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// RangeOf is the smallest interval that holds all variates for parameters p.
func RangeOf(d *catalogue.Distribution, p []float64) (lo, hi float64) {
	lo, hi = catalogue.NegInf, math.Inf(1)
	switch d.Name {
	case "gamma", "inv_gamma", "chi_square", "inv_chi_square", "scaled_inv_chi_square", "lognormal", "exponential",
		"weibull", "frechet", "rayleigh", "loglogistic",
		"poisson", "poisson_log", "neg_binomial", "neg_binomial_2", "neg_binomial_2_log", "beta_neg_binomial":
		return 0, hi
	case "pareto", "pareto_type_2":
		return p[0], hi
	case "beta", "beta_proportion", "bernoulli", "bernoulli_logit":
		return 0, 1
	case "uniform", "discrete_range":
		return p[0], p[1]
	case "binomial", "binomial_logit", "beta_binomial":
		return 0, p[0]
	case "hypergeometric":
		return math.Max(0, p[0]-p[2]), math.Min(p[0], p[1])
	case "yule_simon":
		return 1, hi
	}
	return lo, hi
}

// FixedRange returns those ends of the range that are the same for all parameters;
// infinite ones where they are not.
func FixedRange(d *catalogue.Distribution) (lo, hi float64) {
	nan := math.NaN()
	lo, hi = RangeOf(d, []float64{nan, nan, nan, nan, nan})
	if math.IsNaN(lo) {
		lo = catalogue.NegInf
		if d.Name == "pareto" || d.Name == "hypergeometric" {
			lo = 0
		}
	}
	if math.IsNaN(hi) {
		hi = math.Inf(1)
	}
	return lo, hi
}

// An interval is a part of a distribution's range in terms of its cdf: the mass below lo and the mass not
// above hi.
type interval struct {
	d      *catalogue.Distribution
	x      []float64 // variate and parameters
	lo, hi float64
	open   [2]bool // nothing lies beyond lo, hi
}

func intervalOf(d *catalogue.Distribution, p []float64, lo, hi float64) *interval {
	from, to := RangeOf(d, p)
	v := &interval{d: d, x: append([]float64{0}, p...), lo: lo, hi: hi}
	if v.open[0] = lo <= from; v.open[0] {
		v.lo = from
	}
	if v.open[1] = hi >= to; v.open[1] {
		v.hi = to
	}
	return v
}

// below is log P(X <= x); above is log P(X > x).
func (v *interval) below(x float64) float64 {
	v.x[0] = x
	if v.d.LogCDF == nil {
		return libm.Log(v.d.CDF(v.x, nil))
	}
	return v.d.LogCDF(v.x, nil)
}

func (v *interval) above(x float64) float64 {
	v.x[0] = x
	if v.d.LogCCDF == nil {
		return libm.Log1p(-v.d.CDF(v.x, nil))
	}
	return v.d.LogCCDF(v.x, nil)
}

// ends returns the logs of P(X < lo), P(X >= lo), P(X <= hi) and P(X > hi).
func (v *interval) ends() (ltLo, geLo, leHi, gtHi float64) {
	ltLo, gtHi = catalogue.NegInf, catalogue.NegInf
	if !v.open[0] {
		at := v.lo
		if v.d.Discrete {
			at = math.Ceil(at) - 1
		}
		ltLo, geLo = v.below(at), v.above(at)
	}
	if !v.open[1] {
		leHi, gtHi = v.below(v.hi), v.above(v.hi)
	}
	return ltLo, geLo, leHi, gtHi
}

// mass is the log probability of the interval.
func (v *interval) mass() float64 {
	if v.open[0] && v.open[1] {
		return 0
	}
	ltLo, geLo, leHi, gtHi := v.ends()
	switch {
	case v.lo > v.hi:
		return catalogue.NegInf
	case v.open[0]:
		return leHi
	case v.open[1]:
		return geLo
	case leHi < -math.Ln2:
		return logDifference(leHi, ltLo)
	case geLo < -math.Ln2:
		return logDifference(geLo, gtHi)
	}
	return libm.Log1p(-libm.Exp(ltLo) - libm.Exp(gtHi))
}

// logDifference is log(exp(a) - exp(b)), -Inf where that is not positive.
func logDifference(a, b float64) float64 {
	switch {
	case !(a > b):
		return catalogue.NegInf
	case math.IsInf(b, -1):
		return a
	}
	return a + special.Log1mExp(b-a)
}

// LogMass is log P(lo <= X <= hi) for parameters p; lo may be -Inf and hi +Inf. It is
// NaN where the distribution has no cdf and the interval cuts its range.
func LogMass(d *catalogue.Distribution, p []float64, lo, hi float64) float64 {
	v := intervalOf(d, p, lo, hi)
	switch {
	case v.open[0] && v.open[1]:
		return 0
	case hasCDF(d):
		return v.mass()
	case d.Discrete && !math.IsInf(v.hi-v.lo, 0):
		return v.count()
	}
	return math.NaN()
}

func hasCDF(d *catalogue.Distribution) bool { return d.LogCDF != nil || d.CDF != nil }

// count adds up the masses of the interval.
func (v *interval) count() float64 {
	sum := 0.0
	for x := math.Ceil(v.lo); x <= v.hi; x++ {
		v.x[0] = x
		sum += libm.Exp(v.d.Log(v.x, nil))
	}
	return libm.Log(sum)
}

const (
	quickTries = 32     // rejections before the distribution function is inverted
	slowTries  = 100000 // rejections where there is none
)

// DrawWithin draws from the distribution cut off to lo <= X <= hi. p must have passed
// the checks of the _rng function.
func DrawWithin(d *catalogue.Distribution, r *rand.Rand, p []float64, lo, hi float64) (float64, error) {
	tries := quickTries
	if !hasCDF(d) {
		tries = slowTries
	}
	for range tries {
		if x := d.Draw(r, p); x >= lo && x <= hi {
			return x, nil
		}
	}
	v := intervalOf(d, p, lo, hi)
	if !hasCDF(d) || math.IsInf(v.mass(), -1) {
		return math.NaN(), catalogue.DomainErrorf(d.Name, "no variate was found between %v and %v with the parameters %v", lo, hi, p)
	}
	return v.draw(r), nil
}

// draw inverts the distribution function at a uniform place between its values at the
// ends, in the tail that is the smaller one.
func (v *interval) draw(r *rand.Rand) float64 {
	ltLo, geLo, leHi, gtHi := v.ends()
	u := univariate.OpenUniform(r)
	upper := geLo < -math.Ln2
	want := logMixture(u, leHi, ltLo)
	if upper {
		want = logMixture(u, gtHi, geLo)
	}
	reached := func(x float64) bool { // whether the variate is not above x
		if upper {
			return v.above(x) <= want
		}
		return v.below(x) >= want
	}
	a, b := v.bracket(reached)
	if v.d.Discrete {
		return bisectWhole(a, b, reached)
	}
	return math.Min(math.Max(bisect(a, b, reached), v.lo), v.hi)
}

// logMixture is log(u exp(a) + (1-u) exp(b)).
func logMixture(u, a, b float64) float64 {
	x, y := libm.Log(u)+a, libm.Log1p(-u)+b
	if x < y {
		x, y = y, x
	}
	if math.IsInf(x, -1) {
		return x
	}
	return x + libm.Log1p(libm.Exp(y-x))
}

// bracket replaces infinite ends by finite ones on the same side of the place sought.
func (v *interval) bracket(reached func(float64) bool) (a, b float64) {
	a, b = v.lo, v.hi
	step := 1.0
	if math.IsInf(a, -1) {
		for a = math.Min(b, 0) - step; reached(a) && !math.IsInf(a, -1); a -= step {
			b = a
			step *= 2
		}
	}
	step = 1
	if math.IsInf(b, 1) {
		for b = math.Max(a, 0) + step; !reached(b) && !math.IsInf(b, 1); b += step {
			a = b
			step *= 2
		}
	}
	return a, b
}

// bisect finds the least x in [a, b] that has been reached, to the last bit or so.
func bisect(a, b float64, reached func(float64) bool) float64 {
	for range 2000 { // small numbers near 0 take about 1100 halvings
		mid := a + float64(0.5*(b-a))
		if mid <= a || mid >= b {
			break
		}
		if reached(mid) {
			b = mid
		} else {
			a = mid
		}
	}
	return b
}

// bisectWhole finds the least whole number in [a, b] that has been reached.
func bisectWhole(a, b float64, reached func(float64) bool) float64 {
	a, b = math.Ceil(a)-1, math.Floor(b)
	for b-a > 1 {
		if mid := math.Floor(a + float64(0.5*(b-a))); reached(mid) {
			b = mid
		} else {
			a = mid
		}
	}
	return b
}
