// This file is the semiparametric estimate of a density: a normal corrected by draws.

package swap

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
)

// An estimate is (1/T) sum_j K_h(z - t_j) f(z)/f(t_j) in whitened coordinates, where the
// parametric estimate f is standard normal. K_h f is a normal
// itself, so that this is a mixture of normals with mean t_j/(1+h^2) and variance
// h^2/(1+h^2), whose weights are proportional to exp(|t_j|^2 h^2 / (2 (1+h^2))). It is
// read-only; its logarithm is known up to a constant.
type estimate struct {
	means    []float64 // one centre after the other
	logw     []float64
	variance float64
}

// newEstimate takes whitened draws and the width.
func newEstimate(centres [][]float64, h float64) *estimate {
	e := &estimate{variance: h * h / (1 + float64(h*h))}
	for _, t := range centres {
		var square float64
		for _, x := range t {
			e.means = append(e.means, x/(1+float64(h*h)))
			square += float64(x * x)
		}
		e.logw = append(e.logw, square*e.variance/2)
	}
	return e
}

// logWeight is the log of the estimate over the normal, at z; terms is scratch, one
// number for each centre.
func (e *estimate) logWeight(z, terms []float64) float64 {
	var norm float64
	for _, x := range z {
		norm += float64(x * x)
	}
	e.terms(z, terms)
	return infer.LogSumExp(terms) + norm/2
}

// terms writes the log of each component at z, up to one constant.
func (e *estimate) terms(z, terms []float64) {
	d := len(z)
	for j, w := range e.logw {
		terms[j] = w - squareDistance(z, e.means[j*d:(j+1)*d])/(2*e.variance)
	}
}

// correct makes the estimate of the false posterior semiparametric.
func (f *falsePosterior) correct() {
	centres := f.whitened(thinned(f.sample, MostCentres))
	apart := int(math.Ceil(float64(len(centres)) / (f.effect * float64(len(f.sample)))))
	f.mixture = newEstimate(centres, likelyWidth(centres, apart))
}

// likelyWidth is the width under which centres that are left out are most likely, from the
// width that suits any density upwards: where the normal holds, the wider the better.
// The draws less than apart from the one left out are left out with it, so that a
// chain's dependence does not pass for detail.
func likelyWidth(centres [][]float64, apart int) float64 {
	least := kernelWidth(len(centres), len(centres[0]))
	best, most := least, math.Inf(-1)
	for _, factor := range []float64{1, 1.5, 2, 3, 5, 8, 16} {
		e := newEstimate(centres, least*factor)
		if l := e.leftOut(centres, apart); l > most {
			best, most = least*factor, l
		}
	}
	return best
}

// leftOut is the mean log density of centres under the normalised estimate from the others.
func (e *estimate) leftOut(centres [][]float64, apart int) (mean float64) {
	const queries = 500
	step := max(1, len(centres)/queries)
	d := float64(len(centres[0]))
	terms, weights := make([]float64, len(centres)), make([]float64, len(centres))
	count := 0.0
	for i := 0; i < len(centres); i += step {
		e.terms(centres[i], terms)
		copy(weights, e.logw)
		for j := max(0, i-apart+1); j < min(len(centres), i+apart); j++ {
			terms[j], weights[j] = math.Inf(-1), math.Inf(-1)
		}
		mean += infer.LogSumExp(terms) - infer.LogSumExp(weights) - float64(d/2*libm.Log(e.variance))
		count++
	}
	return mean / count
}

// MostCentres bounds the centres, since each weight looks at all of them: what more draws would add is lost.
const MostCentres = 4000

// thinned takes at most n points, evenly.
func thinned(x [][]float64, n int) [][]float64 {
	if len(x) <= n {
		return x
	}
	out := make([][]float64, n)
	for i := range out {
		out[i] = x[i*len(x)/n]
	}
	return out
}
