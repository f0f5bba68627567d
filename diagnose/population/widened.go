// This file weighs draws from around a fit that reach further than its own: importance weights of an approximation's
// own draws say nothing of what lies where none of them is, nor do chains of tails that they have hardly been to.

package population

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/anneal"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/psis"
	"github.com/seed-12b88e03/ppl/infer/smc"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// How draws are widened.
const (
	mostWidened  = 1000 // draws
	leastWidened = 200
	widenedShare = 10 // of the allowance: one part in so many
	widenedDim   = 50

	// A difference counts, in units of a wrong answer, that is as large, and surely half of one.
	leastDiffers  = 0.8
	surelyDiffers = 0.5

	// A variance of which the outermost of the draws have more than outerShare has not been seen whole.
	outerDraws = 0.05
	outerShare = 0.05
	unseen     = 5000 // times the first widths, beyond which no end is looked for
)

// widths are the standard deviations of a widened direction over the approximation's own, and furtherBy is how
// many times as wide the next round is.
var widths = [...]float64{3, 9}

const furtherBy = 9

// widen compares the fit with widened draws, and reports the quantity that differs most if it surely
// does. Half of these draws are of the normal with the fit's covariance; the others are wider in one of its
// directions, each as often. Where the weights do not hold, as in many dimensions, they say nothing. Where much of a
// variance comes from the outermost draws, wider ones follow; one without an end is no warning, but unsure.
func (c *check) widen(source anneal.Source) error {
	n := min(mostWidened, c.options.Allowed/widenedShare)
	if k := c.draws.Kind(); k == draws.Mode || k == draws.Weighted || n < leastWidened {
		return nil
	}
	around := c.around()
	if around == nil {
		return nil
	}
	target, rng := infer.Target(source), smc.Streams{Seed: c.options.Seed, Prefix: prefix}.Stream("widened", 0)
	var last *draws.Compared
	for by := 1.0; by < unseen; by *= furtherBy {
		rows, ratios, err := c.widened(target, around, rng, n, by)
		if err != nil {
			return err
		}
		c.report.Evaluations += n
		smooth := psis.Smooth(ratios, 1)
		if !smooth.Trusted() {
			break
		}
		one, whole, unknown := c.weightedAgainst(rows, smooth.LogWeights)
		if one == nil && !unknown {
			break
		}
		if one == nil { // a single draw may have a third of a variance
			continue
		}
		if last = one; whole {
			c.report.Widened = one
			return nil
		}
	}
	if last != nil && c.report.Unsure == nil && len(c.report.Exchanged) == 0 {
		c.report.Unsure = last
	}
	return nil
}

// widened makes n draws, with their log ratios, of which half are wider by widths times by.
func (c *check) widened(target infer.Target, around *normal.Normal, rng *rand.Rand, n int, by float64) (rows [][]float64, ratios []float64, err error) {
	ratios, rows = make([]float64, n), make([][]float64, n)
	q := make([]float64, around.Dim())
	for i := range rows {
		own := widenedDraw(rng, around, by, q)
		rows[i] = make([]float64, len(c.model.ParameterColumns()))
		if ratios[i] = math.Inf(-1); c.model.ParameterRow(q, rows[i]) != nil {
			continue
		}
		lp, err := target.LogDensity(q)
		if fatal(err) {
			return nil, nil, err
		}
		if err == nil {
			ratios[i] = lp - own
		}
	}
	return rows, ratios, nil
}

// weightedAgainst compares the parameters with weighted rows: the one that surely differs most, and whether its
// variance was seen whole; nil for none. unknown reports that a variance depends on so few of them that they do not tell it.
func (c *check) weightedAgainst(rows [][]float64, logw []float64) (most *draws.Compared, whole, unknown bool) {
	w, x := make([]float64, len(logw)), make([]float64, len(logw))
	for i, l := range logw {
		w[i] = libm.Exp(l)
	}
	names := c.model.ParameterColumns()
	fit := c.parameters()
	for j, name := range names {
		f, ok := fit[name]
		for i, row := range rows {
			x[i] = row[j]
			ok = ok && !(w[i] > 0 && (math.IsNaN(x[i]) || math.IsInf(x[i], 0)))
		}
		if !ok || twoValued(x) {
			continue
		}
		if diagnose.Farthest(x, w, nil).Unknown() {
			unknown = true
			continue
		}
		o := fittedWeighted(x, w)
		o.meanError, o.sdError = weightedErrors(x, w, o.mean, o.sd)
		one := draws.Compared{
			Name: name, Fit: spread(f.mean, f.sd), Population: spread(o.mean, o.sd),
			Shift: draws.Number((f.mean - o.mean) / o.sd), ShiftError: draws.Number(libm.Hypot(o.meanError, f.meanError) / o.sd),
			Factor: draws.Number(libm.Log(f.sd / o.sd)), FactorError: draws.Number(libm.Hypot(o.sdError, f.sdError)),
		}
		if c.draws.Kind() != draws.Independent && !(one.Factor < 0) {
			continue // the normal around chains may miss what they have, but adds nothing that is not there
		}
		value, err := one.Difference()
		if value > leastDiffers && value-float64(2*err) > surelyDiffers && (most == nil || larger(value, *most)) {
			most, whole = &one, outermostPart(x, w, o.mean, o.sd) <= outerShare
		}
	}
	return most, whole, unknown
}

// outermostPart is the share of a variance that the outermost of the draws have.
func outermostPart(x, w []float64, mean, sd float64) (part float64) {
	far := make([]float64, len(x))
	for i, v := range x {
		if far[i] = math.Abs(v - mean); w[i] == 0 {
			far[i] = 0 // may be anything
		}
	}
	at := draws.Quantile(draws.Sorted([][]float64{far}), 1-outerDraws)
	for i, v := range far {
		if v > at {
			part += float64(w[i] * v * v / (sd * sd))
		}
	}
	return part
}

// weightedErrors are the standard errors of a mean and of the log of a standard deviation: draws far out have small
// weights here, and are many.
func weightedErrors(x, w []float64, mean, sd float64) (ofMean, ofSD float64) {
	for i, v := range x {
		z := (v - mean) / sd
		excess := (float64(z*z) - 1) / 2
		ofMean += float64(w[i] * w[i] * z * z)
		ofSD += float64(w[i] * w[i] * excess * excess)
	}
	return float64(sd * math.Sqrt(ofMean)), math.Sqrt(ofSD)
}

// widenedDraw fills q, and returns the log density of how it was drawn, up to a constant.
func widenedDraw(r *rand.Rand, around *normal.Normal, by float64, q []float64) float64 {
	z := make([]float64, len(q))
	for j := range z {
		z[j] = variate.Normal(r)
	}
	if variate.IntN(r, 2) == 0 {
		z[variate.IntN(r, len(z))] *= by * widths[variate.IntN(r, len(widths))]
	}
	around.Place(z, q)
	parts, own := []float64{0}, 0.0
	each := libm.Log(float64(len(z) * len(widths)))
	for _, v := range z {
		own -= float64(v * v / 2)
		for _, s := range widths {
			s *= by
			parts = append(parts, float64(float64(v*v/2)*(1-1/float64(s*s)))-libm.Log(s)-each)
		}
	}
	return own + infer.LogSumExp(parts)
}

// around is the normal with mean and covariance of the draws; nil where they are too few, or have none.
func (c *check) around() *normal.Normal {
	var points [][]float64
	for _, row := range sampleRows(c.model.ParameterColumns(), c.draws, mostWidened) {
		if q, err := c.model.UnconstrainRow(row); err == nil && len(q) == c.model.Dim() {
			points = append(points, q)
		}
	}
	return aroundOf(points)
}

// aroundOf is the same for points.
func aroundOf(points [][]float64) *normal.Normal {
	if len(points) < leastWidened {
		return nil
	}
	n := len(points[0])
	if n > widenedDim || len(points) < 3*n {
		return nil
	}
	mean, cov := make([]float64, n), mat.NewSymDense(n, nil)
	for _, q := range points {
		for j, v := range q {
			mean[j] += v / float64(len(points))
		}
	}
	for _, q := range points {
		for i := range n {
			for j := i; j < n; j++ {
				cov.SetSym(i, j, cov.At(i, j)+float64((q[i]-mean[i])*(q[j]-mean[j]))/float64(len(points)))
			}
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(cov) {
		return nil
	}
	var l mat.TriDense
	chol.LTo(&l)
	lower := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			lower[i*n+j] = l.At(i, j)
		}
	}
	return normal.NewLower(mean, lower)
}
