// Integrals over an interval by adaptive Gauss-Kronrod quadrature with 10 and 21 points.
//
// An interval whose error estimate, the difference of the two rules, is too great is
// halved and each half allowed half of the error. Infinite intervals are mapped to
// (-1, 1) or (0, 1) by rational functions. Nodes and weights are those of QUADPACK
// (R. Piessens et al., 1983).

package solve

import "math"

// The nonnegative nodes, outermost first; every second one is Gauss's.
var kronrodNodes = [11]float64{
	0.995657163025808080735527280689003, 0.973906528517171720077964012084452,
	0.930157491355708226001207180059508, 0.865063366688984510732096688423493,
	0.780817726586416897063717578345042, 0.679409568299024406234327365114874,
	0.562757134668604683339000099272694, 0.433395394129247190799265943165784,
	0.294392862701460198131126603103866, 0.14887433898163121088482600112972, 0,
}

var kronrodWeights = [11]float64{
	0.011694638867371874278064396062192, 0.03255816230796472747881897245939,
	0.05475589657435199603138130024458, 0.07503967481091995276704314091619,
	0.093125454583697605535065465083366, 0.109387158802297641899210590325805,
	0.123491976262065851077958109831074, 0.134709217311473325928054001771707,
	0.142775938577060080797094273138717, 0.147739104901338491374841515972068,
	0.149445554002916905664936468389821,
}

var gaussWeights = [5]float64{
	0.066671344308688137593568809893332, 0.149451349150580593145776339657697,
	0.219086362515982043995534934228163, 0.269266719309996355091226921569469,
	0.295524224714752870173892994651338,
}

// A GaussKronrod computes integrals of integrands with n components.
type GaussKronrod struct {
	f     Integrand
	a, b  float64
	point []float64
	parts []kronrod // one for each depth, so that nothing is allocated twice

	allowed, change, norm []float64 // the errors asked for and found, the integral of |f|
}

// A kronrod is the result on one interval.
type kronrod struct{ sum, gauss, norm []float64 }

// NewGaussKronrod makes an integrator.
func NewGaussKronrod(f Integrand, n int) *GaussKronrod {
	return &GaussKronrod{f: f, point: make([]float64, n), allowed: make([]float64, n), change: make([]float64, n), norm: make([]float64, n)}
}

// Integrate fills out with the integral from a to b, a < b. The integrand gets NaN for
// the distance from the limits.
func (g *GaussKronrod) Integrate(a, b float64, acc Accuracy, out []float64) error {
	g.a, g.b = a, b
	lo, hi := a, b
	switch {
	case math.IsInf(a, 0) && math.IsInf(b, 0):
		lo, hi = -1, 1
	case math.IsInf(a, 0) || math.IsInf(b, 0):
		lo, hi = 0, 1
	}
	whole, err := g.rule(lo, hi, 0)
	if err != nil {
		return err
	}
	for i := range out {
		g.allowed[i] = math.Max(acc.Rel*whole.norm[i], acc.Abs)
	}
	clear(out)
	clear(g.change)
	clear(g.norm)
	if err := g.bisect(lo, hi, 0, acc.Levels, 1, out); err != nil {
		return err
	}
	for i := range out {
		if !acc.reached(g.change[i], g.norm[i]) {
			return errorf("error estimate of integral %g exceeds the given relative tolerance times norm of integral", g.change[i])
		}
	}
	return nil
}

// bisect adds the integral from lo to hi, at most levels deep, with errors that are a
// part of those allowed.
func (g *GaussKronrod) bisect(lo, hi float64, depth, levels int, part float64, out []float64) error {
	k, err := g.rule(lo, hi, depth)
	if err != nil {
		return err
	}
	good := true
	for i := range out {
		good = good && math.Abs(k.sum[i]-k.gauss[i]) <= part*g.allowed[i]
	}
	if middle := (lo + hi) / 2; !good && levels > 0 && middle > lo && middle < hi {
		if err := g.bisect(lo, middle, depth+1, levels-1, part/2, out); err != nil {
			return err
		}
		return g.bisect(middle, hi, depth+1, levels-1, part/2, out)
	}
	for i := range out {
		out[i] += k.sum[i]
		g.change[i] += math.Abs(k.sum[i] - k.gauss[i])
		g.norm[i] += k.norm[i]
	}
	return nil
}

// rule applies both rules to one interval.
func (g *GaussKronrod) rule(lo, hi float64, depth int) (*kronrod, error) {
	for len(g.parts) <= depth {
		n := len(g.point)
		g.parts = append(g.parts, kronrod{make([]float64, n), make([]float64, n), make([]float64, n)})
	}
	k := &g.parts[depth]
	clear(k.sum)
	clear(k.gauss)
	clear(k.norm)
	half, middle := (hi-lo)/2, float64((hi+lo)/2)
	for j, node := range kronrodNodes {
		for _, sign := range []float64{1, -1} {
			gauss := 0.0
			if j%2 == 1 {
				gauss = gaussWeights[j/2]
			}
			if err := g.add(k, middle+float64(sign*half*node), half*kronrodWeights[j], half*gauss); err != nil {
				return nil, err
			}
			if node == 0 {
				break
			}
		}
	}
	return k, nil
}

// add adds one node's terms.
func (g *GaussKronrod) add(k *kronrod, t, weight, gauss float64) error {
	x, dx := t, 1.0
	switch {
	case math.IsInf(g.a, 0) && math.IsInf(g.b, 0):
		s := 1 - float64(t*t)
		x, dx = t/s, (1+float64(t*t))/(s*s)
	case math.IsInf(g.b, 0):
		x, dx = g.a+t/(1-t), 1/((1-t)*(1-t))
	case math.IsInf(g.a, 0):
		x, dx = g.b-t/(1-t), 1/((1-t)*(1-t))
	}
	if err := g.f.At(x, math.NaN(), g.point); err != nil {
		return err
	}
	for i, v := range g.point {
		v *= dx
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return errorf("the integrand is %g at %g", g.point[i], x)
		}
		k.sum[i] += float64(weight * v)
		k.gauss[i] += float64(gauss * v)
		k.norm[i] += float64(weight * math.Abs(v))
	}
	return nil
}
