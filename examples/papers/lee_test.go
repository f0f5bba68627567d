package papers

// This file holds Lee, "Gibbs sampler and coordinate ascent variational inference: a set-theoretical
// review" (2021): mutual information, squashing constants and bounds of examples where all are known in
// closed form, or by enumeration and quadrature.

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/lang"
)

// factorOf finds the report of a factor.
func factorOf(t *testing.T, fit *lang.Fit, name string) infer.FactorReport {
	t.Helper()
	if d := fit.Posterior.Duality; d != nil {
		for _, f := range d.Factors {
			if f.Name == name {
				return f
			}
		}
	}
	t.Fatalf("%s says nothing of the factor %s", fit.Method, name)
	return infer.FactorReport{}
}

// report compares what is known of an approximation and of one of its factors; NaN is left out. What is by
// quadrature must be right to 1e-6, what is by importance weights or draws to 4 of its errors.
type report struct{ evidence, elbo, squashing, divergence, information float64 }

func (want report) compare(t *testing.T, tb *table, item, what string, fit *lang.Fit, name string) {
	t.Helper()
	f := factorOf(t, fit, name)
	add := func(quantity string, want float64, got infer.Estimate) {
		switch {
		case math.IsNaN(want) || math.IsNaN(got.Value):
		case got.Error == 0:
			tb.exact(item, what+": "+quantity, want, got.Value, 1e-6*(1+math.Abs(want)))
		default:
			tb.sampled(item, what+": "+quantity, want, estimate{got.Value, got.Error}, 6)
		}
	}
	if r := fit.Posterior.Fit; r != nil && r.ELBO != nil {
		add("ELBO", want.elbo, *r.ELBO)
	}
	add("log evidence", want.evidence, fit.Posterior.Duality.LogEvidence)
	add("squashing constant R of "+name, want.squashing, f.Squashing)
	add("bound -log R on KL(q || marginal) of "+name, -math.Log(want.squashing), f.Bound)
	add("KL(q || marginal) of "+name, want.divergence, f.Divergence)
	add("mutual information of "+name, want.information, f.Information)
}

func lgamma(x float64) float64 {
	v, _ := math.Lgamma(x)
	return v
}

// gammaKL is the divergence of gamma(a, b) from gamma(c, d), rates.
func gammaKL(a, b, c, d float64) float64 {
	return (a-c)*mathext.Digamma(a) - lgamma(a) + lgamma(c) + c*(math.Log(b)-math.Log(d)) + a*(d-b)/b
}

// A conjugate posterior of K coefficients, normal given the precision with precision matrix P tau, and of
// the precision, gamma(a, b). Coordinate ascent's fixed point is beta normal with the same mean and covariance
// (P E tau)^-1, tau gamma(a + K/2, c), c = b + K c / (2a + K).
type conjugate struct{ k, a, b float64 }

func (p conjugate) rate() float64 { return p.b * (1 + p.k/(2*p.a)) }

// divergence is KL(q || posterior).
func (p conjugate) divergence() float64 {
	a := p.a + p.k/2
	return gammaKL(a, p.rate(), p.a, p.b) + p.k/2*(math.Log(a)-mathext.Digamma(a))
}

// information is the entropy of tau without that of tau given the coefficients, gamma(a + K/2, .).
func (p conjugate) information() float64 {
	a := p.a + p.k/2
	return p.a - a + lgamma(p.a) - lgamma(a) + a*mathext.Digamma(a) - p.a*mathext.Digamma(p.a)
}

// ofNormal is the divergence of the factor of a single coefficient, normal(0, (e)^-1), from its marginal, a t with
// 2a degrees of freedom and scale sqrt(b/a), by the trapezoidal rule. Both in units where P is 1.
func (p conjugate) ofNormal() float64 {
	v := p.rate() / (p.a + 0.5)
	nu, scale := 2*p.a, math.Sqrt(p.b/p.a)
	sum := 0.0
	const n = 20_000
	h := 24 * math.Sqrt(v) / n
	for i := range n {
		x := -12*math.Sqrt(v) + h*float64(i)
		q := -x*x/(2*v) - math.Log(2*math.Pi*v)/2
		m := lgamma((nu+1)/2) - lgamma(nu/2) - math.Log(nu*math.Pi)/2 - math.Log(scale) - (nu+1)/2*math.Log1p(x*x/(nu*scale*scale))
		sum += h * math.Exp(q) * (q - m)
	}
	return sum
}

// TestPaperLeeNormal is the bivariate normal, whose figures are in papers.md to 6 decimals and in closed form.
func TestPaperLeeNormal(t *testing.T) {
	tb := newTable(t)
	for _, c := range []struct {
		name, file string
		rho        float64
	}{{"rho = 0.5", "lee2021/rho_half.json", 0.5}, {"rho = 0.9", "lee2021/rho_nine.json", 0.9}} {
		rest := 1 - c.rho*c.rho
		fit := run(t, load(t, "lee2021/bivariate.ppl", c.file), "ascent", 1)
		for _, name := range []string{"a", "b"} {
			report{0, math.Log(rest) / 2, math.Sqrt(rest), (-c.rho*c.rho - math.Log(rest)) / 2, -math.Log(rest) / 2}.compare(t, tb, "bivariate normal", c.name, fit, name)
		}
		apart := run(t, load(t, "lee2021/bivariate.ppl", c.file), "apart", 1)
		tb.sampled("bivariate normal", c.name+": autocorrelation of b, drawn one at a time", c.rho*c.rho, autocorrelation(apart.Posterior.Draws.Column("b")), 4)
	}
}

// autocorrelation is that of successive draws, over all chains; its error is that of a sequence with a geometric one.
func autocorrelation(chains [][]float64) estimate {
	var square, lag, n float64
	for _, x := range chains {
		mean := 0.0
		for _, v := range x {
			mean += v / float64(len(x))
		}
		for i, v := range x {
			square += (v - mean) * (v - mean)
			if n++; i > 0 {
				lag += (v - mean) * (x[i-1] - mean)
			}
		}
	}
	return estimate{lag / square, math.Sqrt((1 - lag*lag/(square*square)) / n)}
}

// TestPaperLeeNormalGamma: unknown mean and precision. Evidence and bounds of the conjugate prior are closed forms,
// those of the independent one papers.md's.
func TestPaperLeeNormalGamma(t *testing.T) {
	tb := newTable(t)
	p := conjugate{k: 1, a: 8, b: 7.4411}
	m := load(t, "lee2021/normal_gamma.ppl", "lee2021/conjugate.json")
	evidence := -19.1336146813
	r := report{evidence, evidence - p.divergence(), math.Exp(-p.divergence()), p.ofNormal(), p.information()}
	fit := run(t, m, "ascent", 1)
	tb.exact("normal-gamma, conjugate", "ELBO, as in papers.md", -19.1645388414, fit.Posterior.Fit.ELBO.Value, 1e-8)
	r.compare(t, tb, "normal-gamma, conjugate", "cavi", fit, "mu")
	r.divergence = gammaKL(p.a+0.5, p.rate(), p.a, p.b)
	r.compare(t, tb, "normal-gamma, conjugate", "cavi", fit, "tau")
	sampler := run(t, m, "sampler", 1)
	r.compare(t, tb, "normal-gamma, conjugate", "gibbs", sampler, "mu")
	r.compare(t, tb, "normal-gamma, conjugate", "gibbs", sampler, "tau")

	fit = run(t, load(t, "lee2021/normal_gamma.ppl", "lee2021/independent.json"), "ascent", 1)
	evidence, elbo := -19.5022207880, -19.5339504079
	report{evidence, elbo, math.Exp(elbo - evidence), math.NaN(), math.NaN()}.compare(t, tb, "normal-gamma, independent priors", "cavi", fit, "mu")
}

// regressionData are the rows of lee2021/regression.json.
type regressionData struct {
	X [][]float64
	Y []float64 `json:"y"`
}

// TestPaperLeeRegression: linear regression with unknown precision, all in closed form.
func TestPaperLeeRegression(t *testing.T) {
	tb := newTable(t)
	var d regressionData
	readJSON(t, "lee2021/regression.json", &d)
	// beta ~ N(0, 4/tau), tau ~ gamma(2, 1).
	k, n := len(d.X[0]), len(d.Y)
	precision := mat.NewSymDense(k, nil)
	cross := mat.NewVecDense(k, nil)
	squares := 0.0
	for i, x := range d.X {
		precision.SymRankOne(precision, 1, mat.NewVecDense(k, x))
		cross.AddScaledVec(cross, d.Y[i], mat.NewVecDense(k, x))
		squares += d.Y[i] * d.Y[i]
	}
	for i := range k {
		precision.SetSym(i, i, precision.At(i, i)+0.25)
	}
	var chol mat.Cholesky
	if !chol.Factorize(precision) {
		t.Fatal("not positive definite")
	}
	var mean mat.VecDense
	if err := chol.SolveVecTo(&mean, cross); err != nil {
		t.Fatal(err)
	}
	p := conjugate{float64(k), 2 + float64(n)/2, 1 + (squares-mat.Dot(cross, &mean))/2}
	evidence := -float64(n)/2*math.Log(2*math.Pi) + (float64(k)*math.Log(0.25)-chol.LogDet())/2 + lgamma(p.a) - lgamma(2) - p.a*math.Log(p.b)
	r := report{evidence, evidence - p.divergence(), math.Exp(-p.divergence()), gammaKL(p.a+p.k/2, p.rate(), p.a, p.b), p.information()}
	m := load(t, "lee2021/regression.ppl", "lee2021/regression.json")
	r.compare(t, tb, "linear regression", "cavi", run(t, m, "ascent", 1), "tau")
	r.compare(t, tb, "linear regression", "gibbs", run(t, m, "sampler", 1), "tau")
	// One factor for each coefficient: the covariance is diagonal, with the inverse of precision's diagonal, which
	// leaves tau's factor as it is and adds the divergence between these normals.
	diagonal := 0.0
	for i := range k {
		diagonal += math.Log(precision.At(i, i)) / 2
	}
	more := p.divergence() + diagonal - chol.LogDet()/2
	report{evidence, evidence - more, math.Exp(-more), math.NaN(), p.information()}.compare(t, tb, "linear regression, fully factorised", "cavi", run(t, m, "factorised", 1), "tau")
}

// mixtureData are those of lee2021/mixture.json: x normal with sd 1 about one of two means, which are normal with sd
// 1 about the centres.
type mixtureData struct {
	X      []float64 `json:"x"`
	Centre [2]float64
}

// evidence sums over all 2^N labels; first are the probabilities of the first part.
func (d mixtureData) evidence() (logZ float64, first []float64) {
	n := len(d.X)
	first = make([]float64, n)
	total := 0.0
	for z := range 1 << n {
		l := -float64(n) * math.Log(2)
		for k := range 2 {
			var count, sum, squares float64
			for i, x := range d.X {
				if z>>i&1 == k {
					x -= d.Centre[k]
					count, sum, squares = count+1, sum+x, squares+x*x
				}
			}
			l += -count/2*math.Log(2*math.Pi) - math.Log1p(count)/2 - (squares-sum*sum/(1+count))/2
		}
		w := math.Exp(l)
		total += w
		for i := range n {
			if z>>i&1 == 0 {
				first[i] += w
			}
		}
	}
	for i := range first {
		first[i] /= total
	}
	return math.Log(total), first
}

// information of each label with the means is its entropy minus that given the means, an integral over both.
func (d mixtureData) information(first []float64) []float64 {
	given := make([]float64, len(d.X))
	total := 0.0
	p := make([]float64, len(d.X))
	for a := -6.0; a <= 6; a += 0.03 {
		for b := -6.0; b <= 6; b += 0.03 {
			l := -((a-d.Centre[0])*(a-d.Centre[0]) + (b-d.Centre[1])*(b-d.Centre[1])) / 2
			for i, x := range d.X {
				u, v := math.Exp(-(x-a)*(x-a)/2), math.Exp(-(x-b)*(x-b)/2)
				p[i] = u / (u + v)
				l += math.Log(u + v)
			}
			w := math.Exp(l)
			total += w
			for i := range p {
				given[i] += w * entropyOfShare(p[i])
			}
		}
	}
	out := make([]float64, len(d.X))
	for i := range out {
		out[i] = entropyOfShare(first[i]) - given[i]/total
	}
	return out
}

func entropyOfShare(p float64) float64 {
	h := 0.0
	for _, p := range []float64{p, 1 - p} {
		if p > 0 {
			h -= p * math.Log(p)
		}
	}
	return h
}

// ascent is coordinate ascent to its fixed point, and its bound.
func (d mixtureData) ascent() (elbo float64) {
	m, v, p := d.Centre, [2]float64{1, 1}, make([]float64, len(d.X))
	for range 500 {
		for i, x := range d.X {
			l0, l1 := -((x-m[0])*(x-m[0])+v[0])/2, -((x-m[1])*(x-m[1])+v[1])/2
			p[i] = 1 / (1 + math.Exp(l1-l0))
		}
		for k := range 2 {
			count, sum := 0.0, 0.0
			for i, x := range d.X {
				w := p[i]
				if k == 1 {
					w = 1 - w
				}
				count, sum = count+w, sum+w*x
			}
			v[k] = 1 / (1 + count)
			m[k] = v[k] * (d.Centre[k] + sum)
		}
	}
	for i, x := range d.X {
		for k, w := range []float64{p[i], 1 - p[i]} {
			elbo += w * (-math.Log(2) - math.Log(2*math.Pi)/2 - ((x-m[k])*(x-m[k])+v[k])/2)
		}
		elbo += entropyOfShare(p[i])
	}
	for k := range 2 {
		elbo -= (v[k] + (m[k]-d.Centre[k])*(m[k]-d.Centre[k]) - 1 - math.Log(v[k])) / 2
	}
	return elbo
}

// TestPaperLeeMixture: a mixture with known variance, the labels being parameters: evidence and probabilities of
// labels by enumeration, mutual information by quadrature, the bound by an ascent that is written here. A mode
// with the labels exchanged has about half a percent of the mass: 4,000 draws visit it too rarely for their errors.
func TestPaperLeeMixture(t *testing.T) {
	tb := newTable(t)
	var d mixtureData
	readJSON(t, "lee2021/mixture.json", &d)
	evidence, first := d.evidence()
	information := d.information(first)
	elbo := d.ascent()
	m := load(t, "lee2021/mixture.ppl", "lee2021/mixture.json")
	fit := run(t, m, "ascent", 1)
	report{evidence, elbo, math.Exp(elbo - evidence), math.NaN(), math.NaN()}.compare(t, tb, "mixture of normals", "cavi", fit, "mu[1]")
	sampler := run(t, m, "gibbs(draws = 40000)", 1)
	for i, name := range []string{"z[1]", "z[2]", "z[3]", "z[4]", "z[5]", "z[6]", "z[7]", "z[8]"} {
		x := sampler.Posterior.Draws.Column("z." + name[2:3])
		tb.sampled("mixture of normals", "gibbs: P("+name+" = 1)", first[i], meanOf(mapped(func(z, _ float64) float64 { return 2 - z }, x, x)), 6)
		report{math.NaN(), math.NaN(), math.NaN(), math.NaN(), information[i]}.compare(t, tb, "mixture of normals", "gibbs", sampler, name)
	}
}
