// This file has the slope check: the logistic regression of which value of a pair is the
// reverse one on their difference.

package bread

import (
	"math"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// Slope is that regression over data sets, one pair from each: its slope is 1 for exact
// chains.
type Slope struct {
	Value draws.Extended `json:"value"` // infinite where the larger value is always the reverse one
	Error draws.Number   `json:"error"`
	P     draws.Number   `json:"p"` // of the score at slope 1, by simulation
}

var noSlope = Slope{draws.Extended(math.NaN()), nan, nan}

// signings is the number of simulations behind the p-value.
const signings = 9999

// slope regresses the pairs of a rung. Given the unordered pair, the difference d between
// the reverse and the forward value is +|d| with probability 1/(1 + exp(-|d|)), so that
// the score at 1, sum d/(1 + exp(d)), has a law that can be drawn from exactly.
func slope(sets []*dataset, rung int) Slope {
	var d []float64
	for _, s := range sets {
		if len(s.forward[rung]) == 0 {
			return noSlope
		}
		f, r := s.forward[rung][0], s.reverse[rung][0]
		if x := r - f; !math.IsInf(x, 0) && !math.IsNaN(x) && !tied(f, r) {
			d = append(d, x)
		}
	}
	if len(d) < 2 {
		return noSlope
	}
	score, _ := slopeScore(d, 1)
	r := rng.New(0, "bread/slope", 0, 0)
	minus := make([]float64, len(d)) // the probability that the larger is the forward one
	for i, x := range d {
		minus[i] = logistic(-math.Abs(x)) // as the score has it: 1 - p would lose its digits
	}
	extreme := 1
	for range signings {
		other := 0.0
		for i, p := range minus {
			if r.Float64() >= p {
				other += float64(math.Abs(d[i]) * p)
			} else {
				other -= float64(math.Abs(d[i]) * (1 - p))
			}
		}
		if math.Abs(other) >= math.Abs(score)*(1-1e-12) {
			extreme++
		}
	}
	value, err := fitSlope(d)
	return Slope{draws.Extended(value), draws.Number(err), draws.Number(float64(extreme) / (signings + 1))}
}

// slopeScore is the derivative of the log likelihood at a slope, and the information.
func slopeScore(d []float64, slope float64) (score, information float64) {
	for _, x := range d {
		p := logistic(-slope * x)
		score += float64(x * p)
		information += float64(x * x * p * (1 - p))
	}
	return score, information
}

// fitSlope is the slope of greatest likelihood with its standard error, by bisection: the
// score falls with the slope.
func fitSlope(d []float64) (slope, err float64) {
	above, below := false, false
	for _, x := range d {
		above, below = above || x > 0, below || x < 0
	}
	switch {
	case !below:
		return math.Inf(1), math.NaN()
	case !above:
		return math.Inf(-1), math.NaN()
	}
	low, high := -1.0, 1.0
	for s, _ := slopeScore(d, low); s < 0; s, _ = slopeScore(d, low) {
		low = float64(low * 2)
	}
	for s, _ := slopeScore(d, high); s > 0; s, _ = slopeScore(d, high) {
		high = float64(high * 2)
	}
	for range 100 {
		mid := low + (high-low)/2
		if s, _ := slopeScore(d, mid); s > 0 {
			low = mid
		} else {
			high = mid
		}
	}
	_, information := slopeScore(d, low)
	return low, 1 / math.Sqrt(information)
}
