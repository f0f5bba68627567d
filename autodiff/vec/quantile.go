// The quantile function of the normal distribution.

package vec

import "math"

// normalQuantile returns the number whose normalCDF is p. About the middle it is 2p-1 times a
// polynomial in w = -log(4p(1-p)), whose error is 2^-56 for w < 4: for p between 0.005 and
// 0.995.
func normalQuantile(p float64) float64 {
	q := 1 - p
	w := -logPositive(4 * p * q)
	y := (p - 0.5) * quantileCentre(w)
	if rare(!(w >= 0 && w < 4)) {
		y = normalQuantileTail(p, q)
	}
	return y
}

// quantileCentre is that polynomial.
func quantileCentre(w float64) float64 {
	const (
		c0  = 0x1.40d931ff62706p+1
		c1  = 0x1.4ffddeaa22da4p-1
		c2  = 0x1.0b9a8ec5bb11ep-5
		c3  = -0x1.b0d7e36b9b3bcp-8
		c4  = -0x1.7bc0e22f454f5p-12
		c5  = 0x1.147b73a744e0ep-13
		c6  = 0x1.7f6e58aec54e4p-18
		c7  = -0x1.8070bb0ac450ap-19
		c8  = -0x1.c2a6bd6db2f86p-24
		c9  = 0x1.121fb59370a37p-24
		c10 = 0x1.735f2c61df050p-29
		c11 = -0x1.01080e2632450p-29
		c12 = 0x1.5e2943b9f1f32p-33
		c13 = -0x1.b3f15a344a093p-35
		c14 = 0x1.e50d9eaeb24cap-36
		c15 = -0x1.f289a224db95bp-38
		c16 = 0x1.2051dfdb80332p-40
		c17 = -0x1.909a58ec3d60ep-44
		c18 = 0x1.3d2ec56bb1b8ep-48
		c19 = -0x1.bd5a3e5ce9717p-54
	)
	w2 := w * w
	w4 := w2 * w2
	p0 := math.FMA(math.FMA(c3, w, c2), w2, math.FMA(c1, w, c0))
	p4 := math.FMA(math.FMA(c7, w, c6), w2, math.FMA(c5, w, c4))
	p8 := math.FMA(math.FMA(c11, w, c10), w2, math.FMA(c9, w, c8))
	p12 := math.FMA(math.FMA(c15, w, c14), w2, math.FMA(c13, w, c12))
	p16 := math.FMA(math.FMA(c19, w, c18), w2, math.FMA(c17, w, c16))
	return math.FMA(math.FMA(math.FMA(math.FMA(p16, w4, p12), w4, p8), w4, p4), w4, p0)
}

// normalQuantileTail is normalQuantile towards 0 and 1, q being 1-p: 5/4 of the root s of
// -log min(p, q), and a rational function of s, which interpolates at Chebyshev points to 2^-57 of
// the quantile. Other coefficients hold from 6 on, that is below 2e-16.
func normalQuantileTail(p, q float64) float64 {
	const (
		nearN0 = -0x1.a28a3226f481ap+1
		nearN1 = -0x1.0e9eb028b2a74p+4
		nearN2 = -0x1.17c9b9903a56ap+4
		nearN3 = -0x1.d2c9228b6b754p+3
		nearN4 = -0x1.0d66763275a03p+2
		nearN5 = 0x1.10c24204e7c84p+0
		nearN6 = 0x1.fce7e57600b40p-2
		nearN7 = 0x1.77142c2e24654p-5
		nearN8 = 0x1.02c73126f3f69p-10

		nearD0 = 0x1.0000000000000p+0
		nearD1 = 0x1.2bb38f3b78167p+3
		nearD2 = 0x1.1756adbb26337p+4
		nearD3 = 0x1.122fe407848ddp+4
		nearD4 = 0x1.75fe935633a5ep+3
		nearD5 = 0x1.9765612671c24p+1
		nearD6 = 0x1.1dc79b5cc0864p-2
		nearD7 = 0x1.89e6ae0eca7d2p-8

		farN0 = -0x1.a5f7e56bcef94p+1
		farN1 = -0x1.db6c1f246c168p+3
		farN2 = -0x1.e1e6f2a78d6d0p+2
		farN3 = 0x1.73977e3ed1cb4p-2
		farN4 = 0x1.45248d0f37a6cp-1
		farN5 = 0x1.8f8a955185336p-4
		farN6 = 0x1.593808221ec71p-8
		farN7 = 0x1.b488bc49639cfp-14
		farN8 = 0x1.3b2946a70ad50p-21
		farN9 = -0x1.34eea036d7904p-46

		farD0 = 0x1.0000000000000p+0
		farD1 = 0x1.1783a06e33fd5p+3
		farD2 = 0x1.816a39118171bp+3
		farD3 = 0x1.2107b78360001p+2
		farD4 = 0x1.38284f749c27bp-1
		farD5 = 0x1.07b3e095c1081p-5
		farD6 = 0x1.4c512a5126971p-11
		farD7 = 0x1.dfcb0d1f28b3ap-19
	)
	m := p
	if q < p {
		m = q
	}
	s := math.Sqrt(-log(m))
	n := math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(nearN8, s, nearN7), s, nearN6), s, nearN5), s, nearN4), s, nearN3), s, nearN2), s, nearN1), s, nearN0)
	d := math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(nearD7, s, nearD6), s, nearD5), s, nearD4), s, nearD3), s, nearD2), s, nearD1), s, nearD0)
	if s >= 6 {
		n = math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(farN9, s, farN8), s, farN7), s, farN6), s, farN5), s, farN4), s, farN3), s, farN2), s, farN1), s, farN0)
		d = math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(math.FMA(farD7, s, farD6), s, farD5), s, farD4), s, farD3), s, farD2), s, farD1), s, farD0)
	}
	y := math.FMA(1.25, s, n/d)
	if m == 0 {
		y = math.Inf(1)
	}
	return math.Copysign(y, p-0.5)
}
