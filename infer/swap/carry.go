// This file moves the coordinates that are not sampled: how a point of the sampled
// coordinates becomes a point of all.

package swap

import (
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
)

// A carrier gives the other coordinates their law given the sampled ones, as the false
// posterior's draws show it. That law is the same before and after the exchange: the
// likelihood and all other priors are untouched.
//
// A donor is drawn among the draws, by a kernel of width T^(-1/(4+d)) around the point in
// whitened coordinates; its residual from the linear regression of the others on the
// sampled ones is kept. The regression takes away most of what the width smooths, and is
// what is left where a point lies beyond all draws.
//
// Coordinates that do not depend on the others stay as they are drawn, in their order, so that
// their effective number of draws is that of the false posterior's.
type carrier struct {
	donors [][]float64 // points of all coordinates
	white  [][]float64 // their sampled coordinates, whitened
	others []int       // continuous coordinates that are not sampled
	slope  []float64   // of the others on the whitened sampled ones, row by row
	width  float64

	sample [][]float64 // points of all coordinates
	apart  []int       // what does not depend on the rest
	linked bool        // whether anything else is carried
}

// newCarrier is nil where nothing is to be carried.
func newCarrier(f *falsePosterior, others, apart []int) *carrier {
	n := len(f.coords)
	if len(f.sample[0]) == n {
		return nil
	}
	c := &carrier{donors: thinned(f.sample, MostCentres), others: others, sample: f.sample, apart: apart}
	if c.linked = len(f.sample[0]) > n+len(apart); !c.linked {
		return c
	}
	c.white = f.whitened(c.donors)
	c.width = kernelWidth(len(c.donors), n)
	c.regress(f.sample, f.whitened(f.sample))
	return c
}

// regress computes the slopes: covariances, since the whitened coordinates have variance 1.
func (c *carrier) regress(sample, white [][]float64) {
	n, t := len(white[0]), float64(len(sample))
	c.slope = make([]float64, len(c.others)*n)
	for k, i := range c.others {
		var mean float64
		for _, q := range sample {
			mean += q[i] / t
		}
		for s, q := range sample {
			for j, v := range white[s] {
				c.slope[k*n+j] += (q[i] - mean) * v / (t - 1)
			}
		}
	}
}

// carry writes the coordinates that are not sampled, where the sampled ones are z when
// whitened; those that do not depend on them are of point at of the sample. w is scratch, one number
// for each donor. It returns the donor of what depends on them, -1 where nothing does.
func (c *carrier) carry(z []float64, at int, r *rand.Rand, w, q []float64) (donor int) {
	donor = -1
	if c.linked {
		donor = c.donate(z, r, w, q)
	}
	for _, i := range c.apart {
		q[i] = c.sample[at%len(c.sample)][i]
	}
	return donor
}

// donate writes the coordinates that depend on the sampled ones, by a donor.
func (c *carrier) donate(z []float64, r *rand.Rand, w, q []float64) int {
	for j, own := range c.white {
		w[j] = -squareDistance(z, own) / (2 * c.width * c.width)
	}
	infer.Weights(w, w)
	accumulate(w)
	donor := pick(w, r)
	copy(q, c.donors[donor])
	for k, i := range c.others {
		for j, v := range c.white[donor] {
			q[i] += float64(c.slope[k*len(z)+j] * (z[j] - v))
		}
	}
	return donor
}

// kernelWidth is the width that balances bias and variance of a kernel estimate from t
// draws in d coordinates of variance 1 (Neiswanger and Xing, section 3).
func kernelWidth(t, d int) float64 { return libm.Pow(float64(t), -1/float64(4+d)) }

func squareDistance(a, b []float64) (sum float64) {
	for k, x := range a {
		sum += float64((x - b[k]) * (x - b[k]))
	}
	return sum
}
