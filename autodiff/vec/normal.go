// The normal distribution function and its logarithm.

package vec

import "math"

// normalTail returns Phi(-a) exp(a^2/2) for a >= 0: with t = (a-6)/(a+6), which is between -1
// and 1, times 1 + a it is a polynomial in t (the Chebyshev interpolant, of error 2^-54,
// written in powers, which are small enough not to cancel).
func normalTail(a float64) float64 {
	const (
		m0  = 0x1.d0568f5d76666p-2
		m1  = -0x1.5c438de6f0febp-4
		m2  = 0x1.46229bd016debp-5
		m3  = -0x1.1e9d4130eb127p-8
		m4  = -0x1.08766e43203e9p-6
		m5  = 0x1.7227accadf664p-6
		m6  = -0x1.43da9f7495f0fp-6
		m7  = 0x1.b212c029ae373p-7
		m8  = -0x1.ceac1d6108090p-8
		m9  = 0x1.80c840bf90dbbp-9
		m10 = -0x1.c79a8499972e2p-11
		m11 = 0x1.f52d1b8796eafp-14
		m12 = 0x1.3d0dae1450264p-15
		m13 = -0x1.ba238045197d5p-16
		m14 = 0x1.27f8e5c42fc9ap-18
		m15 = 0x1.ded92adbb0bc1p-20
		m16 = -0x1.0b621a0392531p-20
		m17 = -0x1.550bd990c95cdp-36
		m18 = 0x1.1410c3bebb3bep-23
		m19 = -0x1.687087ccf9846p-26
		m20 = -0x1.c61b59e57c55fp-27
		m21 = 0x1.09215d9c551fdp-28
		m22 = 0x1.e58d06820eeadp-31
		m23 = -0x1.7764fccdc6a55p-32
	)
	t := (a - 6) / (a + 6)
	t2 := t * t
	t4 := t2 * t2
	p0 := math.FMA(math.FMA(m3, t, m2), t2, math.FMA(m1, t, m0))
	p4 := math.FMA(math.FMA(m7, t, m6), t2, math.FMA(m5, t, m4))
	p8 := math.FMA(math.FMA(m11, t, m10), t2, math.FMA(m9, t, m8))
	p12 := math.FMA(math.FMA(m15, t, m14), t2, math.FMA(m13, t, m12))
	p16 := math.FMA(math.FMA(m19, t, m18), t2, math.FMA(m17, t, m16))
	p20 := math.FMA(math.FMA(m23, t, m22), t2, math.FMA(m21, t, m20))
	p := math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(p20, t4, p16), t4, p12), t4, p8), t4, p4), t4, p0)
	return p / (1 + a)
}

// farthest is beyond what a square can hold, and far from where sums lose anything.
const farthest = 1e150

// normalCDF returns Phi(x).
func normalCDF(x float64) float64 {
	a := math.Abs(x)
	if a > farthest {
		a = farthest
	}
	s := float64(a * a)
	lost := math.FMA(a, a, -s)
	u := normalTail(a) * exp(-0.5*s)
	y := math.FMA(-0.5*lost, u, u)
	if x > 0 {
		y = 1 - y
	}
	return y
}

// normalLogCDF returns log Phi(x): on the left the logarithm of the tail less x^2/2, on the
// right log1p of what is missing.
func normalLogCDF(x float64) float64 {
	a := math.Abs(x)
	if a > farthest {
		a = farthest
	}
	s := float64(a * a)
	lost := -0.5 * math.FMA(a, a, -s)
	q := normalTail(a)
	u := float64(q * exp(-0.5*s))
	u = math.FMA(lost, u, u)
	v := 1 - u
	c := (1 - v) - u
	top := 0.0
	if x < 0 {
		v = q
		c = lost
		top = float64(-0.5 * float64(x*x))
	}
	bits := math.Float64bits(v) + (oneBits - sqrtHalfBits)
	k := math.Float64frombits(bits>>52|twoTo52Bits) - (0x1p52 + 1023)
	f := math.Float64frombits(bits&mantissa+sqrtHalfBits) - 1
	if k == 0 && x >= 0 {
		f = -u
		c = 0
	}
	return top + logSum(f, k, c)
}

// normalHazard returns phi(x)/Phi(x), the derivative of log Phi(x).
func normalHazard(x float64) float64 {
	const rootTwoPi = 2.50662827463100050241576528481104525
	a := math.Abs(x)
	if a > farthest {
		a = farthest
	}
	s := float64(a * a)
	lost := math.FMA(a, a, -s)
	q := normalTail(a)
	e := exp(-0.5 * s)
	e = math.FMA(-0.5*lost, e, e)
	n := 1.0
	d := q
	if x >= 0 {
		n = e
		d = math.FMA(-q, e, 1)
	}
	return n / float64(d*rootTwoPi)
}
