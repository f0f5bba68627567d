package papers

// This file holds latent Dirichlet allocation, of Lee (2021) and of Neiswanger and Xing (2016), small enough that
// all assignments of topics to words can be listed.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/seed-12b88e03/ppl/lang"
)

// topicsData are those of topics.json; each document's weights have the prior dirichlet(share, share).
type topicsData struct {
	D, V, N        int
	Word, Document []int
	Prior          [2][]float64
}

const share = 0.8

// An assignment is of a topic to each word: log p(words, topics), and the parameters of the Dirichlet
// distributions that documents' weights and topics' words then have.
type assignment struct {
	log   float64
	theta [][]float64
	phi   [2][]float64
}

func (d topicsData) assign(z int) assignment {
	a := assignment{}
	for range d.D {
		a.theta = append(a.theta, []float64{share, share})
	}
	for k := range a.phi {
		a.phi[k] = append([]float64(nil), d.Prior[k]...)
		a.log -= logBeta(a.phi[k])
	}
	a.log -= float64(d.D) * logBeta([]float64{share, share})
	for n := range d.N {
		k := z >> n & 1
		a.theta[d.Document[n]-1][k]++
		a.phi[k][d.Word[n]-1]++
	}
	for _, p := range append(a.theta, a.phi[:]...) {
		a.log += logBeta(p)
	}
	return a
}

// logBeta is the log normaliser of a Dirichlet distribution.
func logBeta(a []float64) float64 {
	sum, out := 0.0, 0.0
	for _, x := range a {
		sum, out = sum+x, out+lgamma(x)
	}
	return out - lgamma(sum)
}

func share1(a []float64, k int) float64 {
	total := 0.0
	for _, x := range a {
		total += x
	}
	return a[k] / total
}

// enumerate sums over all assignments: the evidence, the probability that each word is of the first topic, and the means of the first
// weights and of the topics' first words.
func (d topicsData) enumerate() (logZ float64, first, theta []float64, phi [2]float64) {
	first, theta = make([]float64, d.N), make([]float64, d.D)
	total := 0.0
	for z := range 1 << d.N {
		a := d.assign(z)
		w := math.Exp(a.log)
		total += w
		for n := range first {
			if z>>n&1 == 0 {
				first[n] += w
			}
		}
		for i := range theta {
			theta[i] += w * share1(a.theta[i], 0)
		}
		for k := range phi {
			phi[k] += w * share1(a.phi[k], 0)
		}
	}
	for _, x := range [][]float64{first, theta, phi[:]} {
		for i := range x {
			x[i] /= total
		}
	}
	return math.Log(total), first, theta, phi
}

// bound is the greatest evidence lower bound of Blei, Ng and Jordan's coordinate ascent over 20 random starts.
func (d topicsData) bound() float64 {
	rng := rand.New(rand.NewPCG(1, 2))
	expected := func(a []float64, k int) float64 {
		sum := 0.0
		for _, x := range a {
			sum += x
		}
		return mathext.Digamma(a[k]) - mathext.Digamma(sum)
	}
	best := math.Inf(-1)
	for range 20 {
		q := make([]float64, d.N) // that the word is of the first topic
		for n := range q {
			q[n] = rng.Float64()
		}
		elbo := 0.0
		for range 2000 {
			theta, phi := make([][2]float64, d.D), [2][]float64{}
			for i := range theta {
				theta[i] = [2]float64{share, share}
			}
			for k := range phi {
				phi[k] = append(phi[k], d.Prior[k]...)
			}
			for n, p := range q {
				for k, p := range []float64{p, 1 - p} {
					theta[d.Document[n]-1][k] += p
					phi[k][d.Word[n]-1] += p
				}
			}
			// With these two the optimum given q, the bound is the log normalisers and q's entropy.
			elbo = -float64(d.D)*logBeta([]float64{share, share}) - logBeta(d.Prior[0]) - logBeta(d.Prior[1])
			for _, t := range theta {
				elbo += logBeta(t[:])
			}
			for _, p := range phi {
				elbo += logBeta(p)
			}
			for n, p := range q {
				elbo += entropyOfShare(p)
				i, v := d.Document[n]-1, d.Word[n]-1
				odds := expected(theta[i][:], 0) + expected(phi[0], v) - expected(theta[i][:], 1) - expected(phi[1], v)
				q[n] = 1 / (1 + math.Exp(-odds))
			}
		}
		best = max(best, elbo)
	}
	return best
}

// TestPaperLeeTopics: latent Dirichlet allocation, by all 2^11 assignments of topics to words, and by coordinate
// ascent written out here.
func TestPaperLeeTopics(t *testing.T) {
	tb := newTable(t)
	var d topicsData
	readJSON(t, "lee2021/topics.json", &d)
	logZ, first, theta, phi := d.enumerate()
	const item = "latent Dirichlet allocation"
	m := load(t, "lee2021/topics.ppl", "lee2021/topics.json")
	elbo := d.bound()
	fit := run(t, m, "ascent", 1)
	tb.exact(item, "cavi: ELBO", elbo, fit.Posterior.Fit.ELBO.Value, 1e-6)
	tb.exact(item, "cavi: KL(q || posterior)", logZ-elbo, logZ-fit.Posterior.Fit.ELBO.Value, 1e-6)
	sampler := run(t, m, "sampler", 1)
	column := func(name string) [][]float64 { return sampler.Posterior.Draws.Column(name) }
	for n, p := range first {
		one := mapped(func(z, _ float64) float64 { return 2 - z }, column(fmt.Sprintf("z.%d", n+1)), column("z.1"))
		tb.sampled(item, fmt.Sprintf("gibbs: P(z[%d] = 1)", n+1), p, meanOf(one), 6)
	}
	for i, p := range theta {
		tb.sampled(item, fmt.Sprintf("gibbs: mean of theta[%d, 1]", i+1), p, meanOf(column(fmt.Sprintf("theta.%d.1", i+1))), 6)
	}
	for k, p := range phi {
		tb.sampled(item, fmt.Sprintf("gibbs: mean of phi[%d, 1]", k+1), p, meanOf(column(fmt.Sprintf("phi.%d.1", k+1))), 6)
	}
}

// diverse are means under the prior times exp(strength * distance of the topics): over all assignments, each with draws of the topics,
// which are Dirichlet given it. 40 such sums give their errors.
func (d topicsData) diverse(strength float64) (theta []estimate, phi [2]estimate) {
	const sums = 40
	rng := rand.New(rand.NewPCG(3, 4))
	n := d.D + 2
	values := make([][]float64, n)
	total := make([]float64, sums)
	for i := range values {
		values[i] = make([]float64, sums)
	}
	for z := range 1 << d.N {
		a := d.assign(z)
		for s := range sums {
			var draw [2][]float64
			square := 0.0
			for k := range draw {
				draw[k] = dirichlet(rng, a.phi[k])
			}
			for v := range draw[0] {
				square += (draw[0][v] - draw[1][v]) * (draw[0][v] - draw[1][v])
			}
			w := math.Exp(a.log + strength*math.Sqrt(square))
			total[s] += w
			for i := range d.D {
				values[i][s] += w * share1(a.theta[i], 0)
			}
			for k := range draw {
				values[d.D+k][s] += w * draw[k][0]
			}
		}
	}
	out := make([]estimate, n)
	for i, v := range values {
		var mean, square float64
		for s := range v {
			x := v[s] / total[s]
			mean += x / sums
			square += x * x / sums
		}
		out[i] = estimate{mean, math.Sqrt((square - mean*mean) / (sums - 1))}
	}
	return out[:d.D], [2]estimate(out[d.D:])
}

// weightedMean is that of draws that may have weights, with the error that parts of the chains show, 20 of them, each a ratio of its own.
func weightedMean(fit *lang.Fit, column string) estimate {
	logw := fit.Posterior.Draws.LogWeights()
	var all, weights []float64
	for _, x := range fit.Posterior.Draws.Column(column) {
		all = append(all, x...)
	}
	weights = make([]float64, len(all))
	for i := range weights {
		if weights[i] = 1; logw != nil {
			weights[i] = math.Exp(logw[i])
		}
	}
	ratio := func(from, to int) float64 {
		var sum, total float64
		for i := from; i < to; i++ {
			sum, total = sum+weights[i]*all[i], total+weights[i]
		}
		return sum / total
	}
	const parts = 20
	var mean, square float64
	for b := range parts {
		x := ratio(b*len(all)/parts, (b+1)*len(all)/parts)
		mean += x / parts
		square += x * x / parts
	}
	return estimate{ratio(0, len(all)), math.Sqrt((square - mean*mean) / (parts - 1))}
}

func dirichlet(rng *rand.Rand, a []float64) []float64 {
	x := make([]float64, len(a))
	total := 0.0
	for i := range a {
		x[i] = distuv.Gamma{Alpha: a[i], Beta: 1, Src: rng}.Rand()
		total += x[i]
	}
	for i := range x {
		x[i] /= total
	}
	return x
}

// TestPaperNeiswangerTopics: topics under Dirichlet priors, and swapped to a prior that wants them to differ.
func TestPaperNeiswangerTopics(t *testing.T) {
	tb := newTable(t)
	var d topicsData
	readJSON(t, "neiswanger2016/topics.json", &d)
	_, _, before, topics := d.enumerate()
	theta, phi := d.diverse(8)
	m := load(t, "neiswanger2016/topics.ppl", "neiswanger2016/topics.json")
	for _, c := range []struct {
		what, method string
		theta        []estimate
		phi          [2]estimate
	}{
		{"the fit itself", "fit", []estimate{{before[0], 0}, {before[1], 0}, {before[2], 0}}, [2]estimate{{topics[0], 0}, {topics[1], 0}}},
		{"diversity 8", "diverse", theta, phi},
	} {
		fit := run(t, m, c.method, 1)
		row := func(quantity, column string, want estimate) {
			e := weightedMean(fit, column)
			tb.sampled("topics", c.what+": mean of "+quantity, want.value, estimate{e.value, math.Hypot(e.fault, want.fault)}, 6)
		}
		for i, want := range c.theta {
			row(fmt.Sprintf("theta[%d, 1]", i+1), fmt.Sprintf("theta.%d.1", i+1), want)
		}
		for k, want := range c.phi {
			row(fmt.Sprintf("phi[%d, 1]", k+1), fmt.Sprintf("phi.%d.1", k+1), want)
		}
	}
}
