// This file holds the Bessel functions of the first and the second kind.

package special

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// hankelFrom is from where Hankel's expansion of orders 0 and 1 is exact to rounding.
const hankelFrom = 25

// BesselJ is the Bessel function of the first kind of integer order n. Its error is a few units in the
// last place of the largest of the orders about n, about n units where orders are gone through.
func BesselJ(n int, x float64) float64 {
	sign := 1.0
	if n < 0 {
		n = -n
		sign = parity(n)
	}
	if x < 0 {
		x = -x
		sign *= parity(n)
	}
	switch {
	case x == 0 && n > 0 || math.IsInf(x, 1):
		return 0
	case math.IsNaN(x):
		return x
	}
	return sign * besselJ(n, x)
}

// parity is (-1)^n.
func parity(n int) float64 { return 1 - 2*float64(n&1) }

func besselJ(n int, x float64) float64 {
	if x*x < float64(4*(n+1)) {
		return besselJSeries(n, x)
	}
	j0, j1, _, _ := besselLow(x)
	switch {
	case n == 0:
		return j0
	case n == 1:
		return j1
	case float64(n) < x: // the upward recurrence is stable
		for k := 1; k < n; k++ {
			j0, j1 = j1, float64(2*float64(k)/x*j1)-j0
		}
		return j1
	}
	_, _, at, first, second := besselDown(n, x)
	if math.Abs(j0) > math.Abs(j1) {
		return at / first * j0
	}
	return at / second * j1
}

// besselJSeries sums (-1)^k (x/2)^(n+2k) / (k! (n+k)!), whose terms decrease.
func besselJSeries(n int, x float64) float64 {
	lead := 1.0
	for k := 1; k <= n && lead != 0; k++ {
		lead *= x / float64(2*k)
	}
	q := x * x / 4
	term, sum := 1.0, 1.0
	for k := 1.0; math.Abs(term) > 1e-18; k++ {
		term = float64(term * (-q / (k * (float64(n) + k))))
		sum += term
	}
	return lead * sum
}

// besselLow returns the orders 0 and 1 of both kinds for positive x: Hankel's expansion for large x, else
// Miller's backward recurrence, of whose orders also those of the second kind are sums (Abramowitz
// and Stegun, 9.1.88).
func besselLow(x float64) (j0, j1, y0, y1 float64) {
	if x > hankelFrom {
		j0, y0 = hankel(0, x)
		j1, y1 = hankel(1, x)
		return j0, j1, y0, y1
	}
	even, odd, _, j0, j1 := besselDown(0, x)
	const euler = 0.57721566490153286061
	l := libm.Log(x/2) + euler
	scale := j0 + even.plain
	j0, j1 = j0/scale, j1/scale
	y0 = float64(2/math.Pi*l*j0) - float64(4/math.Pi*even.weighted/scale)
	y1 = float64(2/math.Pi*(l-1)*j1) - float64(2/math.Pi*odd.weighted/scale) - 2*j0/(math.Pi*x)
	return j0, j1, y0, y1
}

// besselSums are sums over the orders of one parity above 1: of twice the orders, which with order 0 make 1, and
// of orders weighted as the functions of the second kind need it.
type besselSums struct{ plain, weighted float64 }

// besselDown goes down the orders from one so high that its value does not matter. All it returns has a
// common unknown factor: the sums, order n, and orders 0 and 1.
func besselDown(n int, x float64) (even, odd besselSums, at, first, second float64) {
	top := max(float64(n), x)
	start := 2 * int((top+float64(12*libm.Cbrt(top))+20)/2)
	const big = 1e200
	above, here := 0.0, 1/big
	for k := start; k > 0; k-- {
		if k == n {
			at = here
		}
		if half := float64(k / 2); k%2 == 0 {
			even.plain += 2 * here
			even.weighted += parity(k/2) * here / half
		} else if k > 1 {
			odd.weighted += parity(k/2) * here * float64(k) / (half * (half + 1))
		} else {
			second = here
		}
		above, here = here, float64(2*float64(k)/x*here)-above
		if math.Abs(here) > big {
			above, here, at = above/big, here/big, at/big
			even.plain, even.weighted, odd.weighted, second = even.plain/big, even.weighted/big, odd.weighted/big, second/big
		}
	}
	if n == 0 {
		at = here
	}
	return even, odd, at, here, second
}

// hankel is Hankel's expansion of both kinds of order n, 0 or 1 (DLMF 10.17.3).
func hankel(n int, x float64) (j, y float64) {
	mu := float64(4 * n * n)
	p, q := 1.0, 0.0
	term := 1.0
	for k := 1.0; k < 2*x; k++ {
		odd := 2*k - 1
		term = float64(term * ((mu - float64(odd*odd)) / (8 * k * x)))
		if math.Abs(term) < 1e-18 {
			break
		}
		switch int(k) % 4 {
		case 0:
			p += term
		case 1:
			q += term
		case 2:
			p -= term
		default:
			q -= term
		}
	}
	// The angle is x - (2n+1) pi/4.
	s, c := libm.Sincos(x)
	cos, sin := c+s, s-c
	if n == 1 {
		cos, sin = s-c, -c-s
	}
	r := 1 / math.Sqrt(math.Pi*x)
	return r * (float64(p*cos) - float64(q*sin)), r * (float64(p*sin) + float64(q*cos))
}

// BesselY is the Bessel function of the second kind of integer order n: -Inf at 0, for odd negative
// orders Inf, and NaN below. Its error is as that of BesselJ.
func BesselY(n int, x float64) float64 {
	sign := 1.0
	if n < 0 {
		n = -n
		sign = parity(n)
	}
	switch {
	case !(x >= 0):
		return math.NaN()
	case x == 0:
		return math.Inf(-1) * sign
	case math.IsInf(x, 1):
		return 0
	}
	_, _, y0, y1 := besselLow(x)
	if n == 0 {
		return y0
	}
	for k := 1; k < n && !math.IsInf(y1, -1); k++ {
		y0, y1 = y1, float64(2*float64(k)/x*y1)-y0
	}
	return sign * y1
}
