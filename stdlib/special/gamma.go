// This file holds the gamma function's relatives: lgamma near 1, digamma, trigamma, lchoose.

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// zetaMinus1 are zeta(k) - 1 for k = 2, 3, ...
var zetaMinus1 = [...]float64{
	0.64493406684822643647, 0.2020569031595942854, 0.082323233711138191516, 0.036927755143369926331,
	0.017343061984449139715, 0.0083492773819228268398, 0.0040773561979443393787, 0.0020083928260822144179,
	0.00099457512781808533715, 0.0004941886041194645587, 0.00024608655330804829864, 0.00012271334757848914675,
	0.000061248135058704829259, 0.000030588236307020493552, 0.000015282259408651871733, 7.6371976378997622736e-6,
	3.8172932649998398565e-6, 1.9082127165539389257e-6, 9.5396203387279611315e-7, 4.7693298678780646312e-7,
	2.3845050272773299e-7, 1.1921992596531107307e-7, 5.9608189051259479612e-8, 2.9803503514652280186e-8,
	1.4901554828365041235e-8, 7.450711789835429492e-9, 3.7253340247884570548e-9, 1.8626597235130490064e-9,
	9.3132743241966818287e-10, 4.656629065033784073e-10,
}

// Lgamma1p is lgamma(1 + x), with full relative accuracy about x = 0.
func Lgamma1p(x float64) float64 {
	if math.Abs(x) > 0.5 {
		return Lgamma(1 + x)
	}
	// The Taylor series with that of log(1+x) - x taken out, so that it converges
	// like (x/2)^k.
	const oneMinusEuler = 0.42278433509846713939
	s := 0.0
	for k := len(zetaMinus1) - 1; k >= 0; k-- {
		s = zetaMinus1[k]/float64(k+2) - float64(x*s)
	}
	return float64(x*x*s) + float64(x*oneMinusEuler) - libm.Log1p(x)
}

// Lgamma is log|gamma(x)|.
func Lgamma(x float64) float64 {
	v, _ := libm.Lgamma(x)
	return v
}

// LgammaDiff is lgamma(x + a) - lgamma(x) for positive x and nonnegative a, with full
// relative accuracy as a vanishes.
func LgammaDiff(x, a float64) float64 {
	switch {
	case a > 1e-4 || x >= 10:
		return LgammaShift(x, a)
	case x < 1:
		return LgammaDiff(x+1, a) - libm.Log1p(a/x)
	}
	return a * (Psi(x) + float64(a/2*(Trigamma(x)+float64(a/3*Tetragamma(x)))))
}

// Digamma is the derivative of lgamma for any real argument: -Inf at 0 and NaN at
// the negative integers.
func Digamma(x float64) float64 {
	switch {
	case x > 0:
		return Psi(x)
	case x == 0:
		return math.Inf(-1)
	case x == math.Floor(x):
		return math.NaN()
	}
	return Psi(1-x) - float64(math.Pi*cotPi(x))
}

// cotPi is cot(pi x).
func cotPi(x float64) float64 {
	r := x - math.Round(x) // exact, in [-1/2, 1/2]
	s, c := libm.Sincos(math.Pi * r)
	return c / s
}

// trigammaCoef are B(2k), the coefficients of the series of trigamma.
var trigammaCoef = [...]float64{
	1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, -691.0 / 2730, 7.0 / 6, -3617.0 / 510, 43867.0 / 798,
}

// Trigamma is the derivative of digamma: the recurrence up to 12 and the asymptotic
// series; by reflection for negative x. +Inf at the poles.
func Trigamma(x float64) float64 {
	if x <= 0 {
		if x == math.Floor(x) {
			return math.Inf(1)
		}
		s := libm.Sin(math.Pi * (x - math.Round(x)))
		return float64((math.Pi/s)*(math.Pi/s)) - Trigamma(1-x)
	}
	sum := 0.0
	for x < 12 {
		sum += 1 / (x * x)
		x++
	}
	w := 1 / (x * x)
	s := 0.0
	for k := len(trigammaCoef) - 1; k >= 0; k-- {
		s = float64(s*w) + trigammaCoef[k]
	}
	return sum + 1/x + float64(w/2) + s*w/x
}

// Tetragamma is the derivative of trigamma, likewise; NaN at the negative poles.
func Tetragamma(x float64) float64 {
	switch {
	case x < 0 && x == math.Floor(x):
		return math.NaN()
	case x < 0:
		s := math.Pi / libm.Sin(math.Pi*(x-math.Round(x)))
		return Tetragamma(1-x) - float64(2*math.Pi*cotPi(x)*s*s)
	}
	sum := 0.0
	for x < 12 {
		sum -= 2 / (x * x * x)
		x++
	}
	w := 1 / (x * x)
	s := 0.0
	for k := len(trigammaCoef) - 1; k >= 0; k-- {
		s = float64(s*w) + float64(trigammaCoef[k]*float64(2*k+3))
	}
	return sum - w - w/x - float64(s*w*w)
}
