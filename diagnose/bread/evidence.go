// This file has the estimate of log p(y) and the tests that forward and reverse values
// fit together.

package bread

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// acceptanceRatio estimates log p(y) from forward and reverse values of chains of one
// length. Given the values, the probability that one of them is a reverse one is
// logistic in value - log p(y) + log(reverse/forward), so log p(y) is the intercept of a
// logistic regression whose slope is 1 (Bennett 1976; Shirts et al. 2003). The standard
// error takes all chains as independent.
func acceptanceRatio(forward, reverse []float64) infer.Estimate {
	nf, nr := float64(len(forward)), float64(len(reverse))
	if nf == 0 || nr == 0 {
		return infer.Estimate{Value: math.NaN(), Error: math.NaN()}
	}
	offset := libm.Log(nr / nf)
	// score is the number of reverse values minus its expectation at z; it grows with z.
	score := func(z float64) (s, information float64) {
		s = nr
		for _, list := range [][]float64{forward, reverse} {
			for _, w := range list {
				p := logistic(w - z + offset)
				s -= p
				information += float64(p * (1 - p))
			}
		}
		return s, information
	}
	low, high := bracket(forward, reverse)
	for range 200 {
		z := low + (high-low)/2
		if s, _ := score(z); s < 0 {
			low = z
		} else {
			high = z
		}
	}
	z := low + (high-low)/2
	_, information := score(z)
	variance := 1/information - 1/nf - 1/nr
	return infer.Estimate{Value: z, Error: math.Sqrt(max(variance, 0))}
}

// reach is how far the estimate may be from log p(y), which lies between the means of both
// directions in expectation: the distance to the farther one and, where there are several
// chains, the standard error of these means.
func (s *dataset) reach() float64 {
	last := len(s.forward) - 1
	r := math.Max(math.Abs(mean(s.reverse[last])-s.estimate.Value), math.Abs(s.estimate.Value-mean(s.forward[last])))
	if e := s.gapError(last); !math.IsNaN(e) {
		r += e
	}
	return r
}

// estimateError is the standard error of the estimate. It means little where forward and
// reverse values do not overlap, and grows like the exponential of half the gap.
func (s *dataset) estimateError() float64 { return limited(s.estimate.Error, s.reach()) }

// estimateBias bounds the bias of the estimate, which means over data sets do not lessen. It
// is of the order of the variance where the values overlap: over the exact answers that tests
// hold it against it is at most 3 variances, of one chain each way.
func (s *dataset) estimateBias() float64 {
	variance := s.estimate.Error * s.estimate.Error
	return limited(math.Min(4*variance, s.estimate.Error), s.reach())
}

// limited is x, or limit where x is larger or no number.
func limited(x, limit float64) float64 {
	if x <= limit || math.IsNaN(limit) {
		return x
	}
	return limit
}

// bracket holds the estimate: beyond its ends all values look like ones of one kind.
func bracket(lists ...[]float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	n := 2.0
	for _, list := range lists {
		for _, w := range list {
			if !math.IsInf(w, 0) {
				low, high = min(low, w), max(high, w)
			}
			n++
		}
	}
	if low > high {
		return math.NaN(), math.NaN()
	}
	margin := 10 + 2*libm.Log(n)
	return low - margin, high + margin
}

func logistic(x float64) float64 { return 1 / (1 + libm.Exp(-x)) }

// logEValue is the log of (mean of exp(forward)) * (mean of exp(-reverse)) of a data
// set, lengths counting alike. Its exponential has mean 1 for exact chains.
func logEValue(s *dataset) float64 {
	var up, down []float64
	for i := range s.forward {
		if f := s.forward[i]; len(f) > 0 {
			up = append(up, infer.LogMean(f).Value)
		}
		minus := make([]float64, len(s.reverse[i]))
		for k, r := range s.reverse[i] {
			minus[k] = -r
		}
		down = append(down, infer.LogMean(minus).Value)
	}
	e := infer.LogMean(up).Value + infer.LogMean(down).Value
	if math.IsNaN(e) { // zero times infinity: no forward chain lived, which says nothing
		return math.Inf(-1)
	}
	return e
}

// violation is the largest log e-value and a bound on its p-value, Bonferroni's over the
// data sets.
func violation(sets []*dataset) (statistic, p float64) {
	statistic = math.Inf(-1)
	for _, s := range sets {
		statistic = max(statistic, logEValue(s))
	}
	return statistic, min(1, float64(len(sets))*libm.Exp(-statistic))
}

// tied reports whether two values differ by rounding alone, so that the sign of the difference
// says nothing but how a sum was rounded. It depends on the unordered pair only.
func tied(f, r float64) bool {
	const most = 1e-10 // relative difference
	d := math.Abs(f - r)
	return !math.IsInf(d, 0) && d <= most*(1+math.Max(math.Abs(f), math.Abs(r)))
}

// pairs is the two-sided p-value of the number of data sets whose first reverse value of
// a rung is above the first forward one; NaN where the rung has no forward chains. The
// number is a sum of independent indicators with probabilities 1/(1+exp(-|f-r|)). Ties do not
// count.
func pairs(sets []*dataset, rung int) float64 {
	above := 0
	law := []float64{1} // of the number of data sets, so far
	for _, s := range sets {
		if len(s.forward[rung]) == 0 {
			return math.NaN()
		}
		f, r := s.forward[rung][0], s.reverse[rung][0]
		if tied(f, r) {
			continue
		}
		if r > f {
			above++
		}
		q := logistic(math.Abs(f - r))
		next := make([]float64, len(law)+1)
		for k, v := range law {
			next[k] += float64(v * (1 - q))
			next[k+1] += float64(v * q)
		}
		law = next
	}
	low, high := 0.0, 0.0
	for k, v := range law {
		if k <= above {
			low += v
		}
		if k >= above {
			high += v
		}
	}
	return min(1, 2*min(low, high))
}

// judgeViolation holds the tests' smallest adjusted p-value against the bounds. Only
// exact starts of several data sets, or one of its own, make them p-values.
func (d *Diagnosis) judgeViolation(f Figures, sets int) (diagnose.Severity, float64) {
	if d.options.Data == Fitted || d.options.Data == Given && len(d.options.Start) == 0 {
		return diagnose.None, math.NaN()
	}
	p := append(f.Ranks.list(), float64(f.Violation.P))
	for _, r := range f.Ladder {
		if sets > 1 {
			p = append(p, float64(r.Pairs), float64(r.Slope.P))
		}
	}
	least := 1.0
	for _, v := range diagnose.Holm(p) {
		if v < least {
			least = v
		}
	}
	return diagnose.Judge(least, 2*sets, pBad, pWarning), least
}

// between is where a number lies, of which bounds are known with an error. Bounds that are written alike, and those that
// chance has exchanged, are one number.
func between(lower, upper, err draws.Number) string {
	lo, hi := place(lower, err), place(upper, err)
	switch {
	case lo == hi:
		return "is " + lo
	case lower > upper:
		return "is about " + place((lower+upper)/2, err)
	}
	return fmt.Sprintf("lies between %s and %s", lo, hi)
}
