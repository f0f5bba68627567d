package papers

// This file holds Rendsburg, Kristiadi, Hennig and von Luxburg, "Discovering inductive bias with Gibbs
// priors" (2022). Where the text has no number the reference is a closed form, which stands here.

import (
	"math"
	"strconv"
	"testing"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/lang"
)

// A square is a symmetric 2 x 2 matrix with equal diagonal entries: all matrices of the toy model are, and
// all have the axes (1, 1) and (1, -1) in common, so that they multiply as pairs of numbers.
type square struct{ sum, difference float64 } // eigenvalues

func (s square) diagonal() float64    { return (s.sum + s.difference) / 2 }
func (s square) cross() float64       { return (s.sum - s.difference) / 2 }
func (s square) compactness() float64 { return math.Hypot(s.sum, s.difference) }

// with applies a function to both eigenvalues.
func (s square) with(o square, f func(a, b float64) float64) square {
	return square{f(s.sum, o.sum), f(s.difference, o.difference)}
}

// gibbs is the Gibbs prior's covariance G = A G A + A S A + q for the answer normal(A y, q).
func gibbs(a, noise, q square) square {
	b := a.with(noise, func(a, s float64) float64 { return a * a * s }).with(q, func(x, q float64) float64 { return x + q })
	return a.with(b, func(a, b float64) float64 { return b / (1 - a*a) })
}

// entropyOf is the entropy of the normal with the covariance of the draws, with its standard error by
// the delta method: half the trace of C^-1 xx' is one draw's part of it.
func entropyOf(x, y [][]float64) (cov [3]estimate, entropy estimate, frobenius float64) {
	mx, my := draws.Mean(x), draws.Mean(y)
	c := [3][][]float64{
		mapped(func(a, _ float64) float64 { return (a - mx) * (a - mx) }, x, y),
		mapped(func(a, b float64) float64 { return (a - mx) * (b - my) }, x, y),
		mapped(func(_, b float64) float64 { return (b - my) * (b - my) }, x, y),
	}
	for i := range c {
		cov[i] = meanOf(c[i])
	}
	det := cov[0].value*cov[2].value - cov[1].value*cov[1].value
	part := mapped(func(a, b float64) float64 {
		a, b = a-mx, b-my
		return (a*a*cov[2].value - 2*a*b*cov[1].value + b*b*cov[0].value) / det / 2
	}, x, y)
	entropy = estimate{math.Log(2*math.Pi*math.E) + math.Log(det)/2, draws.MCSEMean(part)}
	return cov, entropy, math.Sqrt(cov[0].value*cov[0].value + 2*cov[1].value*cov[1].value + cov[2].value*cov[2].value)
}

// entropyOfNormal is that of an approximation.
func entropyOfNormal(n *normal.Normal) float64 {
	c := make([]float64, 4)
	n.Covariance(c)
	return math.Log(2*math.Pi*math.E) + math.Log(c[0]*c[3]-c[1]*c[2])/2
}

// TestPaperRendsburgToy is Tables 1 and 2. The paper's digits are those of the closed forms, in which the
// chain's draws must be within 4 errors: 30 comparisons, a false alarm in 500 seeds. The forward
// divergence is the limit of Renyi's for order 0, here of order 0.001, which moves the variances by about
// as much.
func TestPaperRendsburgToy(t *testing.T) {
	tb := newTable(t)
	correlated, isotropic := square{3, 0.1}, square{1, 1}
	for _, c := range []struct {
		name, file   string
		prior, noise square
		entropy      map[string]float64 // printed
		cross        map[string]float64
	}{
		{"correlated prior", "rendsburg2022/correlated_prior.json", correlated, isotropic,
			map[string]float64{"prior": 2.2359, "forward": 2.8233, "reverse": 2.2096, "exact": 1.4951, "q forward": 1.9715, "q reverse": 1.0187},
			map[string]float64{"forward": 0.9072, "reverse": 0.7423}},
		{"correlated likelihood", "rendsburg2022/correlated_likelihood.json", isotropic, correlated,
			map[string]float64{"prior": 2.8379, "forward": 3.1535, "reverse": 2.5167, "exact": 1.4951, "q forward": 1.9715, "q reverse": 1.0187},
			map[string]float64{"forward": -1.1252, "reverse": -0.5188}},
	} {
		m := load(t, "rendsburg2022/toy.ppl", c.file)
		for _, k := range []struct {
			kind, method string
			tolerance    float64
		}{
			// Optimisers to a thousandth; advi, which is stochastic, to 5 % of each sd.
			{"exact", "laplace()", 1e-4}, {"q reverse", "gvi()", 1e-3}, {"q reverse", "advi()", 0.1}, {"q forward", "forward", 1e-3},
		} {
			tb.exact("Table 1", c.name+", entropy of "+k.kind+", "+k.method, c.entropy[k.kind], entropyOfNormal(normalOf(t, run(t, m, k.method, 1))), k.tolerance)
		}
		post := c.prior.with(c.noise, func(s, n float64) float64 { return s * n / (s + n) })
		a := post.with(c.noise, func(p, n float64) float64 { return p / n })
		wide := square{post.diagonal(), post.diagonal()}
		inverse := (1/post.sum + 1/post.difference) / 2
		for _, k := range []struct {
			kind string // and what the program calls the method
			some int    // steps in a plain test
			want square
		}{
			{"exact", 600, c.prior},
			{"reverse", 120, gibbs(a, c.noise, square{1 / inverse, 1 / inverse})},
			{"forward", 80, gibbs(a, c.noise, wide)},
		} {
			steps := subset.Of(k.some, 1000)
			burn := steps / 10
			d := run(t, m, "gibbs_prior("+k.kind+", steps = "+strconv.Itoa(steps)+", chains = 4)", 3).Posterior.Draws
			cov, entropy, frobenius := entropyOf(without(burn, d.Column("theta.1")), without(burn, d.Column("theta.2")))
			printed := c.entropy[k.kind]
			if k.kind == "exact" {
				printed = c.entropy["prior"]
			} else if math.Abs(c.cross[k.kind]-k.want.cross()) > 1e-4 {
				t.Errorf("%s, %s: the closed form has %.4f, papers.md %.4f", c.name, k.kind, k.want.cross(), c.cross[k.kind])
			}
			what := c.name + ", Gibbs prior of " + k.kind
			tb.sampled("Table 1", what+": entropy", printed, entropy, 4)
			tb.sampled("Table 2", what+": covariance", k.want.cross(), cov[1], 4)
			tb.sampled("section 5.1", what+": variance", k.want.diagonal(), cov[0], 4)
			tb.note("section 5.1", what+": compactness", strconv.FormatFloat(k.want.compactness(), 'g', 5, 64), frobenius, 0)
		}
	}
}

// TestPaperRendsburgExamples is Example 4, and Example 7 on a grid and as a chain.
func TestPaperRendsburgExamples(t *testing.T) {
	tb := newTable(t)
	fit := run(t, load(t, "rendsburg2022/example4.ppl", "rendsburg2022/example4.json"), "mh(chains = 2, draws = 500)", 1)
	at := func(name string) [][]float64 { return fit.Posterior.Draws.Column(name) }
	for _, c := range []struct {
		column, quantity string
		want, tolerance  float64
	}{
		{"gibbs_prior.1", "pi_G of state 1", 0.40625, 1e-6}, {"gibbs_prior.2", "pi_G of state 2", 0.59375, 1e-6},
		{"evidence.1", "p_G of outcome 1", 0.21875, 1e-6}, {"evidence.2", "p_G of outcome 2", 0.28125, 1e-6}, {"evidence.3", "p_G of outcome 3", 0.5, 1e-6},
		{"tv", "total variation of pi_G F and p_G Q", 0.1, 1e-6}, {"tv_other", "the same for the other Q", 0.19375, 1e-6},
		{"weak", "largest entry of FQ - F P_G", 0.0228, 5e-5},
	} {
		tb.exact("Example 4", c.quantity, c.want, at(c.column)[0][0], c.tolerance)
	}
	tb.sampled("Example 4", "Algorithm 1: frequency of state 1", 0.40625, meanOf(at("in_first")), 3)
	tb.sampled("Example 4", "Algorithm 2: frequency of (state 1, outcome 1)", 0.040625, meanOf(at("share_first")), 4)

	fit = run(t, load(t, "rendsburg2022/example7.ppl", "rendsburg2022/compatible.json"), "mh(chains = 2, draws = 500)", 2)
	tb.exact("Example 7", "compatible: E t, on a grid", 1.85997, at("grid_mean")[0][0], 1e-5)
	tb.exact("Example 7", "compatible: sd t, on a grid", 1.66587, at("grid_sd")[0][0], 1e-5)
	tb.exact("Example 7", "compatible: total variation, on a grid", 0, at("variation")[0][0], 1e-9)
	tb.sampled("Example 7", "compatible: E t, Algorithm 1", 1.85997, meanOf(at("theta")), 5)
	tb.sampled("Example 7", "compatible: E t^2, Algorithm 1", 1.66587*1.66587+1.85997*1.85997, meanOf(at("theta_2")), 4)
	shift := func() estimate {
		return meanOf(mapped(func(a, b float64) float64 { return b - a }, at("before"), at("after")))
	}
	tb.sampled("Example 7", "compatible: E t^4 y^2 of p_G Q - of pi_G F, Algorithm 2", 0, shift(), 9)

	fit = run(t, load(t, "rendsburg2022/example7.ppl", "rendsburg2022/incompatible.json"), "mh(chains = 2, draws = 500)", 2)
	// With m2 = E y^2 and v(y) = 1/(1+y^2): E t^2 = E[y^2/4 + v(y)], and y has the law of t.
	second := meanOf(at("theta_2"))
	grid := at("grid_sd")[0][0]
	tb.sampled("Example 7", "incompatible: E t^2, Algorithm 1, beside the grid", grid*grid, second, 4)
	if e := shift(); !(math.Abs(e.value) > 4*e.fault) {
		t.Errorf("the incompatible pair cannot be told: %g +- %g", e.value, e.fault)
	} else {
		tb.note("Example 7", "incompatible: E t^4 y^2 of p_G Q - of pi_G F, Algorithm 2", "not 0", e.value, e.fault)
	}
	tb.note("Example 7", "incompatible: total variation, on a grid", "above 0", at("variation")[0][0], 0)
}

// modeOf finds the mode of a density of two coordinates and the covariance of the normal there by Newton
// steps on central differences.
func modeOf(f func(a, b float64) float64, a, b float64) (mode [2]float64, cov [3]float64) {
	const h = 1e-3
	for range 100 {
		ga, gb := (f(a+h, b)-f(a-h, b))/(2*h), (f(a, b+h)-f(a, b-h))/(2*h)
		aa, bb := (f(a+h, b)-2*f(a, b)+f(a-h, b))/(h*h), (f(a, b+h)-2*f(a, b)+f(a, b-h))/(h*h)
		ab := (f(a+h, b+h) - f(a+h, b-h) - f(a-h, b+h) + f(a-h, b-h)) / (4 * h * h)
		det := aa*bb - ab*ab
		if !(aa < 0 && det > 0) { // not concave there: up the slope
			a, b = a+0.1*ga/math.Hypot(ga, gb), b+0.1*gb/math.Hypot(ga, gb)
			continue
		}
		da, db := -(bb*ga-ab*gb)/det, -(aa*gb-ab*ga)/det
		shrink := min(1, 0.5/math.Hypot(da, db))
		a, b = a+shrink*da, b+shrink*db
		cov = [3]float64{-bb / det, ab / det, -aa / det}
	}
	return [2]float64{a, b}, cov
}

// TestPaperRendsburgLognormal is section 5.2. At given data laplace is held against a search of our own, by
// differences, to 1e-4. The authors' chain differs from the method as defined by two slips (an optimiser that
// stops short, separate draws of the coordinates), so that its numbers are beside ours only; of the method as
// defined it is known that mu is shifted further and that the correlation is negative (4 errors).
func TestPaperRendsburgLognormal(t *testing.T) {
	tb := newTable(t)
	for _, y := range []float64{0.5, 2, 7.48274} {
		mode, cov := modeOf(func(mu, l float64) float64 {
			s := math.Exp(l)
			v := math.Log1p(math.Expm1(s) / 10) // Fenton and Wilkinson
			z := math.Log(y) - (math.Log(10) + mu + (s-v)/2)
			return -mu*mu/2 - s + l - math.Log(v)/2 - z*z/(2*v)
		}, -1, -1)
		n := normalOf(t, run(t, loadWith(t, "rendsburg2022/lognormal.ppl", map[string]any{"y": y}), "laplace()", 1))
		c := make([]float64, 4)
		n.Covariance(c)
		for k, v := range []struct {
			what      string
			want, got float64
		}{
			{"mode of mu", mode[0], n.Mean()[0]}, {"mode of log sigma2", mode[1], n.Mean()[1]},
			{"variance of mu", cov[0], c[0]}, {"covariance", cov[1], c[1]}, {"variance of log sigma2", cov[2], c[3]},
		} {
			if subset.Whole() || y > 7 || k == 0 {
				tb.exact("section 5.2", "y = "+strconv.FormatFloat(y, 'g', -1, 64)+", Laplace: "+v.what, v.want, v.got, 1e-4*(1+math.Abs(v.want)))
			}
		}
	}
	const steps = 2500
	d := run(t, load(t, "rendsburg2022/lognormal.ppl", "rendsburg2022/lognormal.json"), "gibbs_prior(quick, steps = 2500, chains = 4)", 1).Posterior.Draws
	mu, l := without(steps/10, d.Column("mu")), without(steps/10, d.Column("sigma2"))
	l = mapped(func(_, s float64) float64 { return math.Log(s) }, mu, l)
	location := meanOf(mu)
	tb.note("section 5.2", "Gibbs prior: mean of mu (prior 0)", "authors 0.393, to be larger", location.value, location.fault)
	tb.note("section 5.2", "Gibbs prior: sd of mu (prior 1)", "authors 1.008", draws.SD(mu), draws.MCSESD(mu))
	logs := meanOf(l)
	tb.note("section 5.2", "Gibbs prior: mean of log sigma2 (prior -0.577)", "authors -0.404", logs.value, logs.fault)
	tb.note("section 5.2", "Gibbs prior: sd of log sigma2 (prior 1.282)", "authors 1.359", draws.SD(l), draws.MCSESD(l))
	sds := draws.SD(mu) * draws.SD(l)
	r := meanOf(mapped(func(a, b float64) float64 { return (a - location.value) * (b - logs.value) / sds }, mu, l))
	tb.note("section 5.2", "Gibbs prior: correlation (prior 0)", "authors 0.296, to be negative", r.value, r.fault)
	if !(location.value-4*location.fault > 0.393) || !(r.value+4*r.fault < 0) {
		t.Errorf("mean of mu %g +- %g, correlation %g +- %g", location.value, location.fault, r.value, r.fault)
	}
}

// distance is the squared maximum mean discrepancy with the kernel exp(-||x-y||^2), unbiased, over at most
// 500 points of each.
func distance(x, y [][]float64) float64 {
	x, y = spread(x), spread(y)
	kernel := func(a, b []float64) float64 {
		d := 0.0
		for i := range a {
			d += (a[i] - b[i]) * (a[i] - b[i])
		}
		return math.Exp(-d)
	}
	within := func(z [][]float64) float64 {
		sum := 0.0
		for i := range z {
			for j := range i {
				sum += kernel(z[i], z[j])
			}
		}
		return 2 * sum / float64(len(z)*(len(z)-1))
	}
	between := 0.0
	for _, a := range x {
		for _, b := range y {
			between += kernel(a, b)
		}
	}
	return within(x) + within(y) - 2*between/float64(len(x)*len(y))
}

func spread(x [][]float64) [][]float64 {
	var out [][]float64
	for i := range 500 {
		if k := i * len(x) / 500; i == 0 || k > (i-1)*len(x)/500 {
			out = append(out, x[k])
		}
	}
	return out
}

// norm is the Frobenius norm of the covariance of points, a point a row.
func norm(x [][]float64) float64 {
	n, d := len(x), len(x[0])
	mean := make([]float64, d)
	for _, p := range x {
		for i, v := range p {
			mean[i] += v / float64(n)
		}
	}
	sum := 0.0
	for i := range d {
		for j := range d {
			c := 0.0
			for _, p := range x {
				c += (p[i] - mean[i]) * (p[j] - mean[j])
			}
			c /= float64(n - 1)
			sum += c * c
		}
	}
	return math.Sqrt(sum)
}

// TestPaperRendsburgVolatility is Table 3. The stated prior's figures are known in closed form: the
// compactness within 15 %, about 4 errors of 1000 draws. Those of the chains depend on the sampler's
// adaptation in 5 or 20 steps, and of advi on its optimiser's budget, so that they are beside the paper's
// only; but a short budget must lose most of the prior's compactness, as in the paper.
func TestPaperRendsburgVolatility(t *testing.T) {
	tb := newTable(t)
	m := load(t, "rendsburg2022/volatility.ppl", "rendsburg2022/volatility.json")
	prior, _, err := m.PriorPredict(t.Context(), 1000, 1)
	if err != nil {
		t.Fatal(lang.ErrorText(err))
	}
	columns := m.ParameterColumns()
	rows := func(d *draws.Draws, burn int) (points [][]float64, mean [][]float64) {
		for c := range d.Column(columns[0]) {
			var chain []float64
			for i := burn; i < len(d.Column(columns[0])[c]); i++ {
				p := make([]float64, len(columns))
				sum := 0.0
				for k, name := range columns {
					p[k] = d.Column(name)[c][i]
					sum += p[k]
				}
				points, chain = append(points, p), append(chain, sum/float64(len(p)))
			}
			mean = append(mean, chain)
		}
		return points, mean
	}
	at, average := rows(prior, 0)
	sd := estimate{draws.SD(average), draws.MCSESD(average)}
	tb.sampled("section 5.3", "prior: sd of mean(theta)", 0.52351, sd, 5)
	compact := norm(at)
	tb.exact("Table 3", "prior: compactness", 33.400, compact, 0.15*33.4)
	for _, c := range []struct {
		method                          string
		some, all                       int
		compact, distance, sd, relation string
	}{
		{"short", 500, 2500, "3.37, re-run 2.93", "0.035^2", "0.145", "-0.009, re-run 0.43"},
		{"long", 100, 2500, "23.81, re-run 25.75", "0.014^2 or less", "0.443", "0.968"},
		{"meanfield", 0, 100, "1.21 (unfinished)", "0.179^2", "0.092", "0.752"},
		{"fullrank", 0, 100, "6.09 (unfinished)", "0.021^2", "0.215", "0.878"},
	} {
		steps := subset.Of(c.some, c.all)
		if steps == 0 {
			continue
		}
		d := run(t, m, "gibbs_prior("+c.method+", steps = "+strconv.Itoa(steps)+", chains = 4)", 1).Posterior.Draws
		x, mean := rows(d, steps/10)
		norm := norm(x)
		tb.note("Table 3", c.method+": compactness", c.compact, norm, 0)
		tb.note("Table 3", c.method+": squared distance, exp(-d^2), unbiased", c.distance, distance(x, at), 0)
		tb.note("section 5.3", c.method+": sd of mean(theta)", c.sd, draws.SD(mean), draws.MCSESD(mean))
		tb.note("section 5.3", c.method+": lag-1 autocorrelation of mean(theta)", c.relation, lagged(mean), 0)
		if c.method == "short" && !(norm < compact/2) {
			t.Errorf("nuts with 10 steps keeps the compactness: %g of %g", norm, compact)
		}
	}
}

// lagged is the autocorrelation from one draw to the next.
func lagged(x [][]float64) float64 {
	mean := draws.Mean(x)
	var up, down float64
	for _, chain := range x {
		for i, v := range chain {
			down += (v - mean) * (v - mean)
			if i > 0 {
				up += (v - mean) * (chain[i-1] - mean)
			}
		}
	}
	return up / down
}
