// The gamma function and its logarithm.

package libm

import "math"

// Polynomials, lowest power first: Chebyshev interpolants, of relative error below 2^-57.
var (
	// lgammaOne is log gamma(1+y) / y for |y| <= 1/4.
	lgammaOne = [...]float64{
		-0x1.2788cfc6fb619p-1, 0x1.a51a6625307d3p-1, -0x1.9a4d55beab2ddp-2, 0x1.151322ac7d84ep-2,
		-0x1.a8b9c17aa4707p-3, 0x1.5b40cb100a9eep-3, -0x1.2703a1de396c3p-3, 0x1.010b36b0c68b9p-3,
		-0x1.c8066f5e2cda3p-4, 0x1.9a01e282b40a1p-4, -0x1.748c71ee13f0ap-4, 0x1.556b12446863fp-4,
		-0x1.3b14bf7d9155cp-4, 0x1.248e6c7b09ba8p-4, -0x1.11d72c1a90627p-4, 0x1.00bc3fa8df407p-4,
		-0x1.cd9b02c0d6b30p-5, 0x1.b3bc98d8742cfp-5, -0x1.1fed7d75d3a3ep-4, 0x1.11e874e4f59a9p-4,
	}
	// lgammaMid is log gamma(3/2+y) for |y| <= 1/4.
	lgammaMid = [...]float64{
		-0x1.eeb95b094c191p-4, 0x1.2aed059bd608bp-5, 0x1.de9e64df22ef3p-2, -0x1.1ae55b18072dbp-3,
		0x1.e0f840dad62f1p-5, -0x1.da59d53719d74p-6, 0x1.f9ca39da6c120p-7, -0x1.1a8ba516ee219p-7,
		0x1.456f1b064c185p-8, -0x1.7edb619def02bp-9, 0x1.c9733323ea935p-10, -0x1.14919cf56c3acp-10,
		0x1.5185b301be9d0p-11, -0x1.9d04ccbd7af66p-12, 0x1.ff0a5d852f34fp-13, -0x1.62dd4a9d8e172p-13,
		0x1.bbd8bfce13a62p-14,
	}
	// lgammaTwo is log gamma(2+y) / y for y from -1/4 to 1/2.
	lgammaTwo = [...]float64{
		0x1.b0ee6072093cep-2, 0x1.4a34cc4a60fa6p-2, -0x1.13e001a557603p-4, 0x1.51322ac7d85dfp-6,
		-0x1.e404fc21926a6p-8, 0x1.7add6ead744c1p-9, -0x1.38ac5c27a2560p-10, 0x1.0b36afabbe6c1p-11,
		-0x1.d3fd526ba0846p-13, 0x1.a127a6d22dfc3p-14, -0x1.78dc56639cbb2p-15, 0x1.5808c46b7f777p-16,
		-0x1.3d07c37121ac6p-17, 0x1.276570d046809p-18, -0x1.10e4f9de8977dp-19, 0x1.b5618e4061423p-21,
		-0x1.9af96a4a16896p-23,
	}
	// gammaTwo is (gamma(2+y) - 1) / y for |y| <= 1/2.
	gammaTwo = [...]float64{
		0x1.b0ee6072093cep-2, 0x1.a5b978b96bebfp-2, 0x1.4e2399846508ap-4, 0x1.301fbb0f25aa3p-4,
		-0x1.17f3740ec72a0p-12, 0x1.6d7eeac9e5d3bp-7, -0x1.75e6e90ba3cefp-9, 0x1.13c449cbdba0dp-9,
		-0x1.e21f19a7b3331p-11, 0x1.011ad170bcb88p-11, -0x1.f94b1c3d6053ep-13, 0x1.fe56eaba5544bp-14,
		-0x1.fddfed1c8199bp-15, 0x1.fed5378291c50p-16, -0x1.00a11030605acp-16, 0x1.00c61c65474f7p-17,
		-0x1.e472c38c79d24p-19, 0x1.e4907cc101ea7p-20, -0x1.607cdc66fc45bp-20, 0x1.60846b8909130p-21,
	}
	// stirling are the coefficients B(2k) / (2k (2k-1)) of Stirling's series.
	stirling = [...]float64{
		1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156, -3617.0 / 122400,
		43867.0 / 244188,
	}
)

// polynomial evaluates c, lowest power first, at y, odd and even powers apart: the two chains
// overlap.
func polynomial(c []float64, y float64) float64 {
	z := float64(y * y)
	even, odd := 0.0, 0.0
	n := len(c)
	if n%2 == 1 {
		n--
		even = c[n]
	}
	for ; n > 0; n -= 2 {
		odd = math.FMA(odd, z, c[n-1])
		even = math.FMA(even, z, c[n-2])
	}
	return math.FMA(odd, y, even)
}

// Lgamma returns log|gamma(x)|, which is +Inf at 0 and the negative integers, and the sign of gamma(x).
func Lgamma(x float64) (lgamma float64, sign int) { return lgamma1(x), gammaSign(x) }

// gammaSign is -1 where the gamma function is negative.
func gammaSign(x float64) int {
	if x < 0 && math.Mod(math.Floor(x), 2) != 0 && x != math.Floor(x) || x == 0 && math.Signbit(x) {
		return -1
	}
	return 1
}

func lgamma1(x float64) float64 {
	switch {
	case x < 0:
		return lgammaReflected(-x)
	case x < 0x1p-60:
		return -Log(x)
	case x < 0.75:
		return lgammaNear(1+x, x) - Log(x)
	case x < 2.5:
		return lgammaNear(x, x-1)
	case x < 8:
		product := 1.0
		for x >= 2.5 {
			x--
			product *= x
		}
		return Log(product) + lgammaNear(x, x-1)
	case math.IsInf(x, 1):
		return x
	}
	const rest = 0.41893853320467274178032973640562 // (log(2 pi) - 1) / 2
	r := 1 / x
	series := r * polynomial(stirling[:], r*r)
	return math.FMA(x-0.5, Log(x)-1, rest+series)
}

// lgammaNear is log gamma(x) for x from 3/4 to 5/2; less is x - 1, which may have more digits.
func lgammaNear(x, less float64) float64 {
	switch {
	case x < 1.25:
		return less * polynomial(lgammaOne[:], less)
	case x < 1.75:
		return polynomial(lgammaMid[:], less-0.5)
	}
	return (less - 1) * polynomial(lgammaTwo[:], less-1)
}

// lgammaReflected is log|gamma(-x)| for positive x.
func lgammaReflected(x float64) float64 {
	switch {
	case x < 0x1p-60:
		return -Log(x)
	case math.IsInf(x, 1):
		return -x
	}
	s := math.Abs(sinPi(x))
	if s == 0 {
		return math.Inf(1)
	}
	return Log(math.Pi/(x*s)) - lgamma1(x)
}

// sinPi returns sin(pi x).
func sinPi(x float64) float64 {
	turn := math.Mod(x, 2)
	r := turn - math.Round(turn) // exact
	s := Sin(math.Pi * r)
	if math.Mod(math.Round(turn), 2) != 0 {
		return -s
	}
	return s
}

// Gamma returns the gamma function. It is exact at integers whose factorials float64 represents exactly.
func Gamma(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(1 - 2*int(math.Float64bits(x)>>63))
	case math.IsInf(x, -1) || x < 0 && x == math.Floor(x):
		return math.NaN()
	case x < -30:
		return gammaReflected(-x)
	case x > 30:
		return gammaStirling(x)
	}
	product, below := 1.0, 1.0
	for x > 2.5 {
		x--
		product *= x
	}
	for x < 1.5 {
		if math.Abs(x) < 1e-9 {
			return product / (below * float64((1+float64(0.57721566490153286061*x))*x))
		}
		below *= x
		x++
	}
	y := x - 2
	return product / below * math.FMA(y, polynomial(gammaTwo[:], y), 1)
}

// gammaStirling is gamma(x) for x beyond 30. The power is taken in halves: it overflows before
// the gamma function does.
func gammaStirling(x float64) float64 {
	if x > 172 {
		return math.Inf(1)
	}
	const rootTwoPi = 2.50662827463100050241576528481104525
	r := 1 / x
	half := Pow(x, float64(0.5*x)-0.25)
	return half * Exp(-x) * half * rootTwoPi * Exp(r*polynomial(stirling[:], r*r))
}

// gammaReflected is gamma(-x) for x beyond 30 that is no integer: where the gamma function of
// x overflows, in two factors.
func gammaReflected(x float64) float64 {
	d := -x * sinPi(x)
	if x <= 170 {
		return math.Pi / (d * gammaStirling(x))
	}
	if x > 200 {
		return math.Copysign(0, d)
	}
	n := 0.0
	tail := 1.0
	for x-n > 170 {
		n++
		tail *= x - n
	}
	return math.Pi / (d * gammaStirling(x-n)) / tail
}
