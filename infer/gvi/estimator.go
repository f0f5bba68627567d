// This file has the score-function (black-box) estimators of the objective's
// gradient. With h the score grad log q of a factor's parameters, they average
//
//	bbvi     (loss + (log q - log pi)/w) h         for D = KLD/w
//	bbgvi    loss h, and the gradient of D
//	vr-bbvi, vr-bbgvi   the same with less variance
//
// The latter two leave out what a factor has no part in (Rao-Blackwellisation along
// the dependency graph): terms of the loss and the prior, and other factors' log q,
// that depend on none of the coordinates that the factor moves have no correlation
// with its score. And they subtract the control variate c h, whose mean is 0. The
// best c of a factor, sum Cov(L h, h) / sum Var(h) over its parameters, comes for each
// half of the draws from the other half, which keeps the estimate unbiased.
//
// The gradient of D is exact where D is in closed form. Otherwise it is by the score
// as well: with G(a, b) = E_q[q^(a-1) pi^b] its derivative is a E_q[q^(a-1) pi^b h].
// Renyi's and the gamma-divergence are logs of such means, of which an estimate from n
// draws has a bias that falls with 1/n.

package gvi

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/psis"
)

// The estimators of the gradient, by their names in the language.
const (
	Reparametrised = "reparametrised"
	Score          = "score" // the one of the four below that the flags choose
	BBVI           = "bbvi"
	VRBBVI         = "vr-bbvi"
	BBGVI          = "bbgvi"
	VRBBGVI        = "vr-bbgvi"
)

// Estimators lists the names, the default first.
func Estimators() []string {
	return []string{Reparametrised, Score, BBVI, VRBBVI, BBGVI, VRBBGVI}
}

// choose names an estimator by the paper's flags: a2 says that the loss is a sum
// over factors, a3 that D is a multiple of KLD.
func choose(a2, a3 bool) string {
	switch {
	case a2 && a3:
		return VRBBVI
	case a3:
		return BBVI
	case a2:
		return VRBBGVI
	}
	return BBGVI
}

// estimator estimates the objective and its gradient at the parameters that its family
// is set to.
type estimator struct {
	name  string
	fam   scoring
	terms *terms
	div   divergence.Divergence
	exact func(grad []float64) (float64, error) // D and its gradient, added; nil: not in closed form
	shift func(x []float64) (float64, error)    // log Jacobian where densities are on the declared scale; nil
	prior func(b float64) float64               // log G(0, b); nil: unknown and not needed
	parts []share                               // of each factor

	drawn []sampled // room for draws, and for what they have to say, of each call of at
	flat  []float64
	level []float64
}

// share is what concerns a factor.
type share struct {
	factor
	loss, prior, lq []int // terms and factors that count
}

// sampled is what was seen at a draw.
type sampled struct {
	x, lq, score, loss, prior []float64
	total                     float64 // loss
}

func newEstimator(name string, fam scoring, t *terms, d divergence.Divergence) *estimator {
	e := &estimator{name: name, fam: fam, terms: t, div: d}
	all := fam.factors()
	for _, f := range all {
		s := share{factor: f}
		if e.reduced() && len(all) > 1 {
			s.loss, s.prior, s.lq = touching(t.loss, f.moves), touching(t.prior, f.moves), []int{}
			for i, other := range all {
				if meets(other.reads, f.moves) {
					s.lq = append(s.lq, i)
				}
			}
		} else {
			s.loss, s.prior, s.lq = sequence(0, len(t.loss)), sequence(0, len(t.prior)), sequence(0, len(all))
		}
		e.parts = append(e.parts, s)
	}
	return e
}

// reduced reports whether the variance is reduced; together, whether D is in the mean
// with the loss.
func (e *estimator) reduced() bool  { return e.name == VRBBVI || e.name == VRBBGVI }
func (e *estimator) together() bool { return e.name == BBVI || e.name == VRBBVI }

// draw makes n draws; the next call overwrites them.
func (e *estimator) draw(r *rand.Rand, n int) ([]sampled, error) {
	e.drawn = slices.Grow(e.drawn[:0], n)[:n]
	out := e.drawn
	d, f, l, p := e.fam.dim(), len(e.parts), len(e.terms.loss), len(e.terms.prior)
	m := e.fam.params()
	size := n * (d + f + m + l + p)
	e.flat = slices.Grow(e.flat[:0], size)[:size]
	flat := e.flat
	take := func(k int) []float64 {
		v := flat[:k:k]
		flat = flat[k:]
		return v
	}
	for k := range out {
		s := &out[k]
		*s = sampled{x: take(d), lq: take(f), score: take(m), loss: take(l), prior: take(p)}
		e.fam.draw(r, s.x, s.lq, s.score)
		if err := e.terms.at(s.x, s.loss, s.prior); err != nil {
			return nil, err
		}
		s.total = sumOf(s.loss)
	}
	return out, nil
}

func sumOf(x []float64) float64 {
	var sum float64
	for _, v := range x {
		sum += v
	}
	return sum
}

func sumAt(x []float64, at []int) float64 {
	var sum float64
	for _, i := range at {
		sum += x[i]
	}
	return sum
}

// An estimate is the objective's value with its standard error.
type estimate struct{ value, error float64 }

// at estimates the objective from n draws, at least 4, and fills in its gradient, and
// in spread half the difference between the estimates from each half of the draws:
// that has the variance of the gradient's estimate.
func (e *estimator) at(r *rand.Rand, n int, grad, spread []float64) (estimate, error) {
	n += n % 2
	drawn, err := e.draw(r, n)
	if err != nil {
		return estimate{}, err
	}
	clear(grad)
	clear(spread)
	weights := make([]float64, n) // of each draw's score, from D
	values := make([]float64, n)  // whose mean is the objective, but for the constant
	constant := 0.0
	for k := range drawn {
		values[k] = drawn[k].total
	}
	switch {
	case e.together():
		w := e.weight()
		for k, s := range drawn {
			values[k] += float64(w * (sumOf(s.lq) - sumOf(s.prior)))
		}
	case e.exact != nil:
		constant, err = e.exact(grad)
	default:
		constant, err = e.byScore(drawn, weights)
	}
	if err != nil {
		return estimate{}, err
	}
	for i := range e.parts {
		e.average(&e.parts[i], drawn, weights, grad, spread)
	}
	return meanOf(values, constant), nil
}

// weight is 1/w of a divergence that is a sum of multiples of KLD.
func (e *estimator) weight() float64 { return e.div.Value(unitKL{}) }

// unitKL is a pair whose KLD is 1.
type unitKL struct{}

func (unitKL) KL() float64                                     { return 1 }
func (unitKL) LogPower(a, b float64) float64                   { return 0 }
func (unitKL) AddKL(scale float64, grad []float64)             {}
func (unitKL) AddLogPower(a, b, scale float64, grad []float64) {}

// average adds the estimate of the gradient by a factor's parameters.
func (e *estimator) average(f *share, drawn []sampled, weights, grad, spread []float64) {
	n := len(drawn)
	e.level = slices.Grow(e.level[:0], n)[:n]
	level := e.level // what multiplies the score
	w := 0.0
	if e.together() {
		w = e.weight()
	}
	for k := range drawn {
		s := &drawn[k]
		level[k] = sumAt(s.loss, f.loss) + float64(float64(n)*weights[k])
		if w != 0 {
			level[k] += float64(w * (sumAt(s.lq, f.lq) - sumAt(s.prior, f.prior)))
		}
	}
	var c [2]float64
	if e.reduced() {
		c[0], c[1] = coefficient(f.params, drawn[n/2:], level[n/2:]), coefficient(f.params, drawn[:n/2], level[:n/2])
	}
	for k, s := range drawn {
		half := k / (n / 2)
		v := (level[k] - c[half]) / float64(n)
		for _, p := range f.params {
			grad[p] += float64(v * s.score[p])
			spread[p] += float64(float64(1-2*half) * v * s.score[p])
		}
	}
}

// coefficient is that of the control variate: E[L h'h] / E[h'h], since E[h] = 0.
func coefficient(params []int, drawn []sampled, level []float64) float64 {
	var above, below float64
	for k, s := range drawn {
		var square float64
		for _, p := range params {
			square += float64(s.score[p] * s.score[p])
		}
		above += float64(level[k] * square)
		below += square
	}
	if below == 0 {
		return 0
	}
	return above / below
}

// byScore is D from the draws; weights become the derivatives of D by each draw's score.
func (e *estimator) byScore(drawn []sampled, weights []float64) (float64, error) {
	n := len(drawn)
	pair := newWeighted(n)
	for k, s := range drawn {
		pair.Weights[k] = 1 / float64(n)
		pair.LogQ[k], pair.LogPi[k] = sumOf(s.lq), sumOf(s.prior)
		if e.shift != nil {
			j, err := e.shift(s.x)
			if err != nil {
				return 0, err
			}
			pair.LogQ[k] -= j
			pair.LogPi[k] -= j
		}
	}
	pair.Prior = e.prior
	slopes := make([]float64, 3*n)
	v := e.div.Gradient(pair, slopes)
	for k := range weights { // a density's score moves q and, by the change of measure, the weight
		weights[k] = slopes[k] + slopes[2*n+k]
	}
	return v, nil
}

// restDraws is how many draws are asked for their shares in a divergence.
const restDraws = 4096

// restsOnFew reports whether the estimate of D rests on few of n draws, as it does where the shares of the draws in
// its integrals have next to no variance or none (by their Pareto shape). Such an estimate is biased,
// however many draws there are, and stands still all the same.
func (e *estimator) restsOnFew(r *rand.Rand, n int) (bool, error) {
	if e.together() || e.exact != nil {
		return false, nil
	}
	drawn, err := e.draw(r, n)
	if err != nil {
		return false, err
	}
	shares := make([]float64, n)
	if _, err := e.byScore(drawn, shares); err != nil {
		return false, err
	}
	for k, v := range shares {
		shares[k] = libm.Log(math.Abs(v))
	}
	return !psis.Smooth(shares, 1).Trusted(), nil
}

func meanOf(values []float64, constant float64) estimate {
	var mean, square float64
	for i, v := range values {
		d := v - mean
		mean += d / float64(i+1)
		square += float64(d * (v - mean))
	}
	n := float64(len(values))
	return estimate{mean + constant, math.Sqrt(square / (n - 1) / n)}
}

// weighted is a sampled pair that knows the derivatives by the logs of its weights as
// well: they come after those by log q and log pi.
type weighted struct {
	divergence.Sampled
	scratch []float64
}

func newWeighted(n int) *weighted {
	return &weighted{divergence.Sampled{Weights: make([]float64, n), LogQ: make([]float64, n), LogPi: make([]float64, n)}, make([]float64, 2*n)}
}

// AddKL implements divergence.Pair.
func (p *weighted) AddKL(scale float64, grad []float64) {
	p.Sampled.AddKL(scale, grad)
	n := len(p.Weights)
	for k, w := range p.Weights {
		grad[2*n+k] += float64(scale * w * (p.LogQ[k] - p.LogPi[k]))
	}
}

// AddLogPower implements divergence.Pair. The share of a point in the integral is its
// derivative by log pi over b, or by log q over a-1.
func (p *weighted) AddLogPower(a, b, scale float64, grad []float64) {
	n := len(p.Weights)
	clear(p.scratch)
	p.Sampled.AddLogPower(a, b, scale, p.scratch)
	for k := range n {
		byQ, byPi := p.scratch[k], p.scratch[n+k]
		grad[k] += byQ
		grad[n+k] += byPi
		if b != 0 {
			grad[2*n+k] += byPi / b
		} else {
			grad[2*n+k] += byQ / (a - 1)
		}
	}
}

var _ divergence.Pair = (*weighted)(nil)

// checkEstimator refuses unknown names and what contradicts the divergence.
func (o Options) checkEstimator() error {
	switch {
	case !slices.Contains(Estimators(), o.Estimator):
		return fmt.Errorf("gvi: estimator must be one of %v, found %q", Estimators(), o.Estimator)
	case o.Estimator == Reparametrised:
		return nil
	case o.Family == Mixture:
		return fmt.Errorf("gvi: family = %q takes estimator = %q, found %q", Mixture, Reparametrised, o.Estimator)
	case (o.Estimator == BBVI || o.Estimator == VRBBVI) && (len(o.ByParameter) > 0 || !o.Divergence.IsKL()):
		return fmt.Errorf("gvi: estimator %s is for a divergence that is a multiple of kl(1), found %s; bbgvi and vr-bbgvi take any", o.Estimator, o.divergences())
	}
	return nil
}
