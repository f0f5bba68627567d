package papers

// This file holds the hidden Markov chain of Lee (2021), all of whose quantities are sums over its paths.

import (
	"fmt"
	"math"
	"testing"
)

// chainData are those of lee2021/hidden_markov.json: y normal with sd 1 about -1 or 1 by the state of a chain.
type chainData struct {
	Y []float64    `json:"y"`
	P [][2]float64 `json:"P"`
}

// emission is log p(y_i given state k).
func (d chainData) emission(i, k int) float64 {
	r := d.Y[i] - float64(2*k-1)
	return -math.Log(2*math.Pi)/2 - r*r/2
}

// paths sums over all of them: the evidence, the probability that each state is the first, and its mutual information with all others, which
// is its entropy less that given these.
func (d chainData) paths() (logZ float64, first, information []float64) {
	n := len(d.Y)
	weight := make([]float64, 1<<n)
	total := 0.0
	first, information = make([]float64, n), make([]float64, n)
	for z := range weight {
		l := math.Log(0.5)
		for i := range n {
			k := z >> i & 1
			l += d.emission(i, k)
			if i > 0 {
				l += math.Log(d.P[z>>(i-1)&1][k])
			}
		}
		weight[z] = math.Exp(l)
		total += weight[z]
	}
	for i := range n {
		for z, w := range weight {
			if z>>i&1 == 0 {
				both := w + weight[z|1<<i]
				first[i] += w / total
				information[i] -= both / total * entropyOfShare(w/both)
			}
		}
		information[i] += entropyOfShare(first[i])
	}
	return math.Log(total), first, information
}

// ascent is coordinate ascent over single states to its fixed point, and its bound.
func (d chainData) ascent() (elbo float64) {
	n := len(d.Y)
	q := make([][2]float64, n)
	for i := range q {
		q[i] = [2]float64{0.5, 0.5}
	}
	for range 2000 {
		for i := range q {
			var l [2]float64
			for k := range l {
				l[k] = d.emission(i, k)
				for other := range 2 {
					if i > 0 {
						l[k] += q[i-1][other] * math.Log(d.P[other][k])
					}
					if i < n-1 {
						l[k] += q[i+1][other] * math.Log(d.P[k][other])
					}
				}
			}
			q[i][0] = 1 / (1 + math.Exp(l[1]-l[0]))
			q[i][1] = 1 - q[i][0]
		}
	}
	elbo = math.Log(0.5)
	for i := range q {
		elbo += entropyOfShare(q[i][0])
		for k := range 2 {
			elbo += q[i][k] * d.emission(i, k)
			for other := range 2 {
				if i > 0 {
					elbo += q[i-1][other] * q[i][k] * math.Log(d.P[other][k])
				}
			}
		}
	}
	return elbo
}

// TestPaperLeeHiddenMarkov: evidence, probabilities of states and mutual information by enumeration of the paths, the bound of factors of single states
// by an ascent that is written here. A factor of the whole chain, by forward-backward, is the posterior: its bound is the evidence, and R is 1.
func TestPaperLeeHiddenMarkov(t *testing.T) {
	tb := newTable(t)
	var d chainData
	readJSON(t, "lee2021/hidden_markov.json", &d)
	evidence, first, information := d.paths()
	m := load(t, "lee2021/hidden_markov.ppl", "lee2021/hidden_markov.json")
	const item = "hidden Markov chain"
	single := run(t, m, "ascent", 1)
	elbo := d.ascent()
	tb.exact(item, "cavi: ELBO", elbo, single.Posterior.Fit.ELBO.Value, 1e-5)
	tb.exact(item, "cavi: KL(q || posterior)", evidence-elbo, evidence-single.Posterior.Fit.ELBO.Value, 1e-5)
	chain := run(t, m, "chain", 1)
	tb.exact(item, "cavi of the whole chain: ELBO", evidence, chain.Posterior.Fit.ELBO.Value, 1e-6)
	tb.exact(item, "cavi of the whole chain: log evidence", evidence, chain.Posterior.Duality.LogEvidence.Value, 1e-6)
	tb.exact(item, "cavi of the whole chain: squashing constant R", 1, chain.Posterior.Duality.Factors[0].Squashing.Value, 1e-6)
	sampler := run(t, m, `gibbs(draws = 10000, blocks = "element")`, 1)
	for i, p := range first {
		name := fmt.Sprintf("z[%d]", i+1)
		x := sampler.Posterior.Draws.Column(fmt.Sprintf("z.%d", i+1))
		tb.sampled(item, "gibbs: P("+name+" = 1)", p, meanOf(mapped(func(z, _ float64) float64 { return 2 - z }, x, x)), 6)
		report{math.NaN(), math.NaN(), math.NaN(), math.NaN(), information[i]}.compare(t, tb, item, "gibbs", sampler, name)
	}
}
