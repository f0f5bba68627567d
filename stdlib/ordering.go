// This file computes how probable an order is: the chance that independent variates of
// given distributions come in increasing order.
//
// With H_0 = 1 and H_k(t) = integral of f_k(s) H_{k-1}(s) over s < t, where f_k is the
// density of the k-th, it is H_n at infinity. The functions are kept by their values at
// Gauss-Legendre nodes of panels that are laid between quantiles of the distributions;
// inside a panel the polynomial through these values is integrated exactly.

package stdlib

import (
	"math"
	"slices"
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// A Variate is a distribution with its parameters.
type Variate struct {
	Dist   *catalogue.Distribution
	Params []float64
}

// orderNodes is the number of nodes of a panel, and orderRule are they with their weights.
const orderNodes = 20

var orderRule = sync.OnceValues(func() (nodes, weights []float64) { return mat.GaussLegendre(orderNodes) })

// orderShares returns the quantiles of each distribution between which panels lie: close
// in the tails, too, where heavy ones change by powers.
func orderShares() []float64 {
	var out []float64
	for e := -16.0; e < -2; e += 1.0 / 3 {
		out = append(out, libm.Pow(10, e))
	}
	for p := 0.01; p < 0.1; p += 0.02 {
		out = append(out, p)
	}
	for p := 0.1; p < 0.51; p += 0.05 {
		out = append(out, p)
	}
	return out
}

// LogOrderProbability is log P(lo < X_1 < ... < X_n) for independent continuous variates;
// NaN where a distribution has no cdf. The probability's error is about 1e-12.
func LogOrderProbability(xs []Variate, lo float64) float64 {
	for _, x := range xs {
		if !hasCDF(x.Dist) || x.Dist.Discrete {
			return math.NaN()
		}
	}
	ends := panels(xs, lo)
	nodes, weights := orderRule()
	within := partialIntegrals(nodes, weights)
	h := make([]float64, (len(ends)-1)*orderNodes)
	for i := range h {
		h[i] = 1
	}
	total := 0.0
	for _, x := range xs {
		point := append([]float64{0}, x.Params...)
		total = 0
		for k := range len(ends) - 1 {
			half, mid := 0.5*(ends[k+1]-ends[k]), float64(0.5*(ends[k]+ends[k+1]))
			values := h[k*orderNodes : (k+1)*orderNodes]
			for i, t := range nodes {
				point[0] = mid + float64(half*t)
				values[i] *= half * libm.Exp(x.density(point))
			}
			total = integratePanel(values, within, weights, total)
		}
	}
	return libm.Log(total)
}

// density is the log density at point, -Inf outside the range.
func (x *Variate) density(point []float64) float64 {
	if lo, hi := RangeOf(x.Dist, x.Params); point[0] < lo || point[0] > hi {
		return catalogue.NegInf
	}
	return x.Dist.Log(point, nil)
}

// integratePanel replaces the values of a function at the nodes by those of its
// integral, which is before at the panel's lower end, and returns it at the upper one.
func integratePanel(values []float64, within [][]float64, weights []float64, before float64) float64 {
	var f [orderNodes]float64
	copy(f[:], values)
	after := before
	for i := range values {
		values[i] = before
		for j, w := range within[i] {
			values[i] += float64(w * f[j])
		}
		after += float64(weights[i] * f[i])
	}
	return after
}

// partialIntegrals returns the weights of the integral from -1 to each node, exact for
// the polynomial through the values at all nodes: its Legendre coefficients times
// the integrals of the Legendre polynomials, (P[n+1] - P[n-1]) / (2n + 1).
func partialIntegrals(nodes, weights []float64) [][]float64 {
	n := len(nodes)
	p := make([][]float64, n)
	for i, x := range nodes {
		p[i] = make([]float64, n+1)
		p[i][0], p[i][1] = 1, x
		for k := 1; k < n; k++ {
			p[i][k+1] = (float64(float64(2*k+1)*x*p[i][k]) - float64(float64(k)*p[i][k-1])) / float64(k+1)
		}
	}
	out := make([][]float64, n)
	for i := range out {
		out[i] = make([]float64, n)
		for j := range out[i] {
			sum := 0.5 * (nodes[i] + 1)
			for k := 1; k < n; k++ {
				sum += float64(0.5 * p[j][k] * (p[i][k+1] - p[i][k-1]))
			}
			out[i][j] = weights[j] * sum
		}
	}
	return out
}

// panels returns the ends of the panels: quantiles of all distributions from lo on, and
// the ends of their ranges.
func panels(xs []Variate, lo float64) []float64 {
	var ends []float64
	for _, x := range xs {
		from, to := RangeOf(x.Dist, x.Params)
		ends = append(ends, from, to)
		v := intervalOf(x.Dist, x.Params, catalogue.NegInf, math.Inf(1))
		for _, share := range orderShares() {
			ends = append(ends, v.quantile(share), v.upperQuantile(share))
		}
	}
	ends = append(ends, lo)
	slices.Sort(ends)
	ends = slices.DeleteFunc(slices.Compact(ends), func(e float64) bool { return math.IsInf(e, 0) || math.IsNaN(e) || e < lo })
	return ends
}

// quantile is where P(X <= x) is p; upperQuantile where P(X > x) is.
func (v *interval) quantile(p float64) float64 {
	want := libm.Log(p)
	return v.place(func(x float64) bool { return v.below(x) >= want })
}

func (v *interval) upperQuantile(p float64) float64 {
	want := libm.Log(p)
	return v.place(func(x float64) bool { return v.above(x) <= want })
}

func (v *interval) place(reached func(float64) bool) float64 {
	a, b := v.bracket(reached)
	return bisect(a, b, reached)
}
