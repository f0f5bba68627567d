// This file averages Wiener passage times over the ranges of bias and non-decision
// time, and integrates them to distribution functions.

package univariate

import (
	"math"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// A node is a point of a quadrature rule on [0, 1].
type node struct{ at, weight float64 }

// unitNodes is Gauss's rule of ten points on three thirds of the unit interval.
var unitNodes = func() (nodes [30]node) {
	i := 0
	for third := range 3 {
		for j, x := range gauss10Nodes {
			for _, s := range []float64{-1, 1} {
				nodes[i] = node{(float64(third) + 0.5 + float64(0.5*s*x)) / 3, gauss10Weights[j] / 6}
				i++
			}
		}
	}
	return nodes
}()

// averageNodes is a rule for an average over a range; one node at mid for none.
func averageNodes(width, mid float64) []node {
	switch {
	case width > 0:
		return unitNodes[:]
	case mid == 0:
		return startNode[:]
	}
	return middleNode[:]
}

var (
	startNode  = [1]node{{0, 1}}
	middleNode = [1]node{{0.5, 1}}
)

// A mixture is a running weighted sum of densities given by logarithms, with the
// sums of their derivatives.
type mixture struct {
	top  float64 // the largest logarithm so far; the sums are relative to it
	sum  float64
	grad [8]float64
}

// add takes a density with the derivatives of its logarithm.
func (m *mixture) add(weight, log float64, d *[8]float64) {
	if log > m.top {
		scale := libm.Exp(m.top - log)
		m.sum *= scale
		for i := range m.grad {
			m.grad[i] *= scale
		}
		m.top = log
	}
	p := float64(weight * libm.Exp(log-m.top))
	m.sum += p
	for i, v := range d {
		m.grad[i] += float64(p * v)
	}
}

// result is the log of the sum; its gradient goes to d.
func (m *mixture) result(d []float64) float64 {
	for i := range d {
		d[i] = m.grad[i] / m.sum
	}
	return m.top + libm.Log(m.sum)
}

// wienerAveraged averages the density over a bias within var_beta/2 of beta and a
// non-decision time between tau and tau + var_tau.
func wienerAveraged(x, d []float64) float64 {
	y, a, tau, beta, delta, sv, sw, st := x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
	width := math.Min(st, y-tau) // later starts have density 0
	clipped := width < st
	m := mixture{top: catalogue.NegInf}
	for _, late := range averageNodes(st, 0) {
		for _, start := range averageNodes(sw, 0.5) {
			shift := start.at - 0.5
			g := wienerPassage(y-tau-float64(width*late.at), a, 1-(beta+float64(sw*shift)), -delta, sv)
			move, stretch := g.dt, -g.dt*late.at // by y, by var_tau
			if clipped {
				move, stretch = g.dt*(1-late.at), 0
			}
			m.add(late.weight*start.weight, g.log, &[8]float64{move, g.da, -move, -g.dw, -g.dv, g.dsv, -g.dw * shift, stretch})
		}
	}
	log := m.result(d)
	if clipped {
		log += libm.Log(width / st)
		if d != nil {
			d[0] += 1 / width
			d[2] -= 1 / width
			d[7] -= 1 / st
		}
	}
	return log
}

// wienerCumulative returns the rows of the distribution functions at the upper boundary of the
// distributions of four parameters and of seven, which are not normalised by the chance of
// meeting it.
func wienerCumulative(four, seven *catalogue.Distribution) []*catalogue.Function {
	row := func(d *catalogue.Distribution, name, doc string, log func(x, d []float64) float64) []*catalogue.Function {
		v := &Variates{Dist: d, Fn: name, Args: catalogue.ParseArgs(d.Args), Log: log}
		f := &catalogue.Function{
			Name:       name,
			Signatures: []string{"real " + name + "(" + strings.Replace(d.Args, " |", ",", 1) + ")"},
			Doc:        doc + d.Doc, Section: d.Section, Kernel: v.sumKernel(), Density: d,
		}
		return []*catalogue.Function{f, withPrecision(f)}
	}
	const before, after = "log of the chance of meeting the upper boundary by y, of the ", "log of the chance of meeting the upper boundary after y, of the "
	return slices.Concat(
		row(four, "wiener_lcdf_unnorm", before, wienerBefore),
		row(four, "wiener_lccdf_unnorm", after, wienerAfter),
		row(seven, "wiener_lcdf_unnorm", before, wienerBeforeAveraged),
		row(seven, "wiener_lccdf_unnorm", after, wienerAfterAveraged),
	)
}

// withPrecision is a function with a further argument, the precision that Stan computes it to;
// here it is computed to that of the numbers in any case.
func withPrecision(f *catalogue.Function) *catalogue.Function {
	k, name := f.Kernel, f.Name
	return &catalogue.Function{
		Name:       name,
		Signatures: []string{strings.TrimSuffix(f.Signatures[0], ")") + ", data real precision)"},
		Doc:        f.Doc + ", with the precision of Stan's computation, which changes nothing here", Section: f.Section,
		Kernel: &catalogue.Kernel{
			Dims: func(in []catalogue.Tensor) ([]int, error) { return k.Dims(in[:len(in)-1]) },
			Work: func(in []catalogue.Tensor) int { return k.Work(in[:len(in)-1]) },
			Value: func(in []catalogue.Tensor, out, work []float64) error {
				last := len(in) - 1
				if !(in[last].X[0] > 0) {
					return catalogue.ArgumentError(name, "precision", in[last], 0, "positive")
				}
				return k.Value(in[:last], out, work)
			},
			VJP: func(in []catalogue.Tensor, out, adj []float64, din [][]float64, work []float64) {
				last := len(in) - 1
				k.VJP(in[:last], out, adj, din[:last], work)
			},
		},
	}
}

// wienerMean averages a function of the first six arguments over the ranges of bias and
// non-decision time. The function is smooth where the decision time is 0, since its
// derivatives of all orders are 0 there.
func wienerMean(x, d []float64, log func(x, d []float64) float64) float64 {
	y, a, tau, beta, delta, sv, sw, st := x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
	m := mixture{top: catalogue.NegInf}
	for _, late := range averageNodes(st, 0) {
		for _, start := range averageNodes(sw, 0.5) {
			shift := start.at - 0.5
			var g [6]float64
			l := log([]float64{y - float64(st*late.at), a, tau, beta + float64(sw*shift), delta, sv}, g[:])
			if math.IsInf(l, -1) {
				continue
			}
			m.add(late.weight*start.weight, l, &[8]float64{g[0], g[1], g[2], g[3], g[4], g[5], g[3] * shift, -g[0] * late.at})
		}
	}
	return m.result(d)
}

func wienerBeforeAveraged(x, d []float64) float64 { return wienerMean(x, d, wienerBefore) }
func wienerAfterAveraged(x, d []float64) float64  { return wienerMean(x, d, wienerAfter) }

// wienerTime adds the density at time t after the decision began.
func (m *mixture) wienerTime(weight, t float64, x []float64) {
	g := wienerPassage(t, x[1], 1-x[3], -x[4], driftSpread(x))
	if math.IsNaN(g.log) || math.IsInf(g.log, 0) {
		return
	}
	m.add(weight, g.log, &[8]float64{0, g.da, 0, -g.dw, -g.dv, g.dsv})
}

// driftSpread is the standard deviation of the drift, where the arguments have one.
func driftSpread(x []float64) float64 {
	if len(x) > 5 {
		return x[5]
	}
	return 0
}

// wienerScales returns what bounds the density at time t, up to factors and to
// exp(distance |delta|): it falls as exp(-decay t) for late times and as
// exp(-rise/t) for early ones.
func wienerScales(x []float64) (decay, rise, drift float64) {
	a, v := x[1], x[4]
	distance := a * (1 - x[3])
	rise, drift = float64(0.5*distance*distance), float64(math.Abs(v)*a)
	if s := driftSpread(x); s > 0 { // drifts near 0 are among those averaged, and large ones
		return 0.5 * math.Pi * math.Pi / (a * a), rise, drift + float64(0.5*s*s*a*a)
	}
	return 0.5 * (float64(v*v) + math.Pi*math.Pi/(a*a)), rise, drift
}

// negligible is an exponent whose exponential does not count beside 1.
const negligible = 60

// wienerBefore integrates the density up to y.
func wienerBefore(x, d []float64) float64 {
	t := x[0] - x[2]
	if !(t > 0) {
		return catalogue.NegInf
	}
	decay, rise, drift := wienerScales(x)
	m := mixture{top: catalogue.NegInf}
	m.wienerSpan(1/(1/t+(negligible+drift)/rise), math.Min(t, (negligible+drift)/decay), x)
	log := m.result(d[:min(6, len(d))])
	wienerEnd(x, d, log, 1)
	return log
}

// wienerAfter integrates from y up.
func wienerAfter(x, d []float64) float64 {
	t := x[0] - x[2]
	decay, rise, drift := wienerScales(x)
	m := mixture{top: catalogue.NegInf}
	from := t
	if !(t > 0) { // all of the density lies ahead
		from = rise / (negligible + drift)
	}
	m.wienerSpan(from, max(t, 0)+(negligible+drift)/decay, x)
	log := m.result(d[:min(6, len(d))])
	if t > 0 {
		wienerEnd(x, d, log, -1)
	}
	return log
}

// wienerSpan integrates over times from lo to hi by Gauss's rule of ten points, on
// pieces of the logarithm of time over which the bounds of the density change by a
// few powers of e.
func (m *mixture) wienerSpan(lo, hi float64, x []float64) {
	decay, rise, drift := wienerScales(x)
	narrow := math.Min(0.75, 3/math.Sqrt(1+drift))
	for lo < hi {
		width := math.Min(narrow, 4*math.Min(1/(decay*lo), lo/rise))
		to := math.Min(hi, lo*libm.Exp(width))
		h, mid := 0.5*libm.Log(to/lo), math.Sqrt(lo)*math.Sqrt(to)
		for j, at := range gauss10Nodes {
			for _, s := range []float64{-1, 1} {
				t := mid * libm.Exp(s*h*at)
				m.wienerTime(gauss10Weights[j]*h*t, t, x)
			}
		}
		if !(to > lo) {
			return
		}
		lo = to
	}
}

// wienerEnd sets the derivatives in the end point of the integral.
func wienerEnd(x, d []float64, log, sign float64) {
	if d == nil {
		return
	}
	g := wienerPassage(x[0]-x[2], x[1], 1-x[3], -x[4], driftSpread(x))
	e := sign * libm.Exp(g.log-log)
	d[0], d[2] = e, -e
}
