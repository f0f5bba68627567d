// This file is the semiparametric estimate of a density: a normal corrected by draws.

package swap

import (
	"math"

	"github.com/seed-12b88e03/ppl/infer"
)

// An estimate is (1/T) sum_j K_h(z - t_j) f(z)/f(t_j) in whitened coordinates, where the
// parametric estimate f is standard normal, and h = T^(-1/(4+d)). K_h f is a normal
// itself, so that this is a mixture of normals with mean t_j/(1+h^2) and variance
// h^2/(1+h^2), whose weights are proportional to exp(|t_j|^2 h^2 / (2 (1+h^2))). It is
// read-only; its logarithm is known up to a constant.
type estimate struct {
	means    []float64 // one centre after the other
	logw     []float64
	variance float64
}

// newEstimate takes whitened draws.
func newEstimate(centres [][]float64) *estimate {
	d := len(centres[0])
	h := math.Pow(float64(len(centres)), -1/float64(4+d))
	e := &estimate{variance: h * h / (1 + h*h)}
	for _, t := range centres {
		var square float64
		for _, x := range t {
			e.means = append(e.means, x/(1+h*h))
			square += x * x
		}
		e.logw = append(e.logw, square*e.variance/2)
	}
	return e
}

// logWeight is the log of the estimate over the normal, at z; terms is scratch, one
// number for each centre.
func (e *estimate) logWeight(z, terms []float64) float64 {
	d := len(z)
	var norm float64
	for _, x := range z {
		norm += x * x
	}
	for j, w := range e.logw {
		var square float64
		for k, m := range e.means[j*d : (j+1)*d] {
			square += (z[k] - m) * (z[k] - m)
		}
		terms[j] = w - square/(2*e.variance)
	}
	return infer.LogSumExp(terms) + norm/2
}

// correct makes the estimate of the false posterior semiparametric.
func (f *falsePosterior) correct() {
	s := make([]float64, len(f.coords))
	var centres [][]float64
	for _, q := range thinned(f.sample, mostCentres) {
		z := make([]float64, len(f.coords))
		f.whiten(q, s, z)
		centres = append(centres, z)
	}
	f.mixture = newEstimate(centres)
}

// mostCentres bounds the centres, since each weight looks at all of them.
const mostCentres = 4000

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
