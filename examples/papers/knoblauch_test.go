package papers

// This file holds Knoblauch, Jewson and Damoulas, "Generalized variational inference" (2019). Optima are found a
// second time here, from closed forms of losses and divergences, by a method without gradients.

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/optimize"

	"github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/gvi"
)

// least minimises by Nelder and Mead's method, started again where it ended until nothing is gained.
func least(t *testing.T, f func(x []float64) float64, x []float64) (at []float64, value float64) {
	t.Helper()
	value = math.Inf(1)
	for range 20 {
		r, err := optimize.Minimize(optimize.Problem{Func: f}, x, &optimize.Settings{
			Converger: &optimize.FunctionConverge{Absolute: 1e-13, Iterations: 300}, FuncEvaluations: 20_000}, &optimize.NelderMead{})
		if r == nil {
			t.Fatal(err)
		}
		if !(r.F < value-1e-11) {
			return x, math.Min(value, r.F)
		}
		x, value = r.X, r.F
	}
	return x, value
}

// A power is log G(a, b), the integral of q^a pi^b.
type power func(a, b float64) float64

// size is a divergence by its definition, from KLD and the integrals.
func size(name string, p, kl float64, g power) float64 {
	switch name {
	case "kl":
		return kl / p
	case "renyi":
		return g(p, 1-p) / (p * (p - 1))
	case "alpha":
		return (1 - math.Exp(g(p, 1-p))) / (p * (1 - p))
	case "beta":
		return math.Exp(g(p, 0))/(p*(p-1)) + math.Exp(g(0, p))/p - math.Exp(g(1, p-1))/(p-1)
	}
	return (g(p, 0) + (p-1)*g(0, p) - p*g(1, p-1)) / (p * (p - 1)) // gamma
}

// normalPower is log G of normals in one dimension.
func normalPower(mq, vq, mp, vp float64) power {
	return func(a, b float64) float64 {
		l := a/vq + b/vp
		if !(l > 0) {
			return math.Inf(1)
		}
		h := a*mq/vq + b*mp/vp
		return -(a+b-1)*math.Log(2*math.Pi)/2 - (a*math.Log(vq)+b*math.Log(vp)+math.Log(l))/2 - (a*mq*mq/vq+b*mp*mp/vp-h*h/l)/2
	}
}

func normalKL(mq, vq, mp, vp float64) float64 {
	return (vq/vp + (mq-mp)*(mq-mp)/vp - 1 + math.Log(vp/vq)) / 2
}

// expected is the expectation under theta ~ N(m, v) of the loss of x under N(theta, 1).
func expected(loss string, c, x, m, v float64) float64 {
	if loss == "nll" {
		return (math.Log(2*math.Pi) + (x-m)*(x-m) + v) / 2
	}
	e := c - 1
	w := 1/e + v
	p := math.Pow(2*math.Pi, -e/2) * math.Sqrt(2*math.Pi/e) * math.Exp(-(x-m)*(x-m)/(2*w)) / math.Sqrt(2*math.Pi*w)
	i := math.Pow(2*math.Pi, -e/2) / math.Sqrt(c)
	if loss == "beta" {
		return -p/e + i/c
	}
	return -c * p / (e * math.Pow(i, e/c)) // gamma
}

// locationData are those of the location model.
type locationData struct {
	X              []float64 `json:"x"`
	Centre, Spread float64
}

// optimum is the best normal: its mean, sd and objective.
func (d locationData) optimum(t *testing.T, loss string, c float64, name string, p float64) [3]float64 {
	prior := d.Spread * d.Spread
	start := 0.5 // of the robust losses, near the mass of the points
	if loss == "nll" {
		start = 1
	}
	at, value := least(t, func(x []float64) float64 {
		m, v := x[0], math.Exp(2*x[1])
		sum := size(name, p, normalKL(m, v, d.Centre, prior), normalPower(m, v, d.Centre, prior))
		for _, x := range d.X {
			sum += expected(loss, c, x, m, v)
		}
		return sum
	}, []float64{start, math.Log(0.2)})
	return [3]float64{at[0], math.Exp(at[1]), value}
}

// TestPaperKnoblauchLocation is Figure 1. Fits are to a thousandth of an sd, objectives to 1e-4 of theirs; the
// numbers of papers.md, to five digits, must be those of the closed forms.
func TestPaperKnoblauchLocation(t *testing.T) {
	tb := newTable(t)
	var outliers, bad locationData
	readJSON(t, "knoblauch2019/location.json", &outliers)
	readJSON(t, "knoblauch2019/bad_prior.json", &bad)
	for _, c := range []struct {
		item, file, method, loss string
		c                        float64
		divergence               string
		p                        float64
		mean, sd                 float64 // printed; NaN: not
		data                     locationData
	}{
		{"Figure 1, left", "location", "gvi()", "nll", 0, "kl", 1, 0.90363, 0.1, outliers},
		{"Figure 1, left", "location", "gvi(loss = beta(1.5))", "beta", 1.5, "kl", 1, 0.47850, 0.18242, outliers},
		{"Figure 1, left", "location", "gvi(loss = gamma(1.5))", "gamma", 1.5, "kl", 1, 0.47905, 0.13289, outliers},
		{"Figure 1, left", "location", "gvi(divergence = renyi(0.5))", "nll", 0, "renyi", 0.5, 0.90354, 0.14139, outliers},
		{"Figure 1, left", "location", "gvi(loss = beta(1.5), divergence = renyi(0.5))", "beta", 1.5, "renyi", 0.5, math.NaN(), math.NaN(), outliers},
		{"Figure 1, right", "bad_prior", "gvi()", "nll", 0, "kl", 1, math.NaN(), math.NaN(), bad},
		{"Figure 1, right", "bad_prior", "gvi(divergence = kl(0.5))", "nll", 0, "kl", 0.5, math.NaN(), math.NaN(), bad},
		{"Figure 1, right", "bad_prior", "gvi(divergence = renyi(0.5))", "nll", 0, "renyi", 0.5, math.NaN(), math.NaN(), bad},
		{"Figure 1, right", "bad_prior", "gvi(divergence = renyi(0.75))", "nll", 0, "renyi", 0.75, math.NaN(), math.NaN(), bad},
	} {
		want := c.data.optimum(t, c.loss, c.c, c.divergence, c.p)
		if math.Abs(want[0]-c.mean) > 1.5e-5 || math.Abs(want[1]-c.sd) > 1.5e-5 {
			t.Errorf("%s: the closed form has mean %.5f and sd %.5f, papers.md %.5f and %.5f", c.method, want[0], want[1], c.mean, c.sd)
		}
		fit := run(t, load(t, "knoblauch2019/location.ppl", "knoblauch2019/"+c.file+".json"), c.method, 1)
		q := normalOf(t, fit)
		tb.exact(c.item, c.method+": mean", want[0], q.Mean()[0], 1e-3*want[1])
		tb.exact(c.item, c.method+": sd", want[1], q.SD()[0], 1e-3*want[1])
		got := fit.Posterior.Fit.Objective
		if got == nil {
			tb.exact(c.item, c.method+": - ELBO", want[2], -fit.Posterior.Fit.ELBO.Value, 1e-4*(1+math.Abs(want[2])))
		} else {
			tb.exact(c.item, c.method+": objective", want[2], got.Value, 1e-4*(1+math.Abs(want[2])))
		}
	}
}

// A member is a normal-inverse-gamma distribution with independent coefficients.
type member struct {
	a, b float64
	m, v [2]float64
}

// memberPower is log G of two.
func memberPower(q, p member) power {
	normaliser := func(x member) float64 {
		return x.a*math.Log(x.b) - lgamma(x.a) - math.Log(2*math.Pi) - math.Log(x.v[0]*x.v[1])/2
	}
	return func(a, b float64) float64 {
		as := a*(q.a+2) + b*(p.a+2) - 2
		bs := a*q.b + b*p.b
		l := a*normaliser(q) + b*normaliser(p) + math.Log(2*math.Pi)
		for j := range 2 {
			precision := a/q.v[j] + b/p.v[j]
			if !(precision > 0) {
				return math.Inf(1)
			}
			m := (a*q.m[j]/q.v[j] + b*p.m[j]/p.v[j]) / precision
			bs += (a*q.m[j]*q.m[j]/q.v[j] + b*p.m[j]*p.m[j]/p.v[j] - m*m*precision) / 2
			l -= math.Log(precision) / 2
		}
		if !(as > 0 && bs > 0) {
			return math.Inf(1)
		}
		return l + lgamma(as) - as*math.Log(bs)
	}
}

func memberKL(q, p member) float64 {
	kl := (q.a-p.a)*mathext.Digamma(q.a) - lgamma(q.a) + lgamma(p.a) + p.a*math.Log(q.b/p.b) + q.a*(p.b-q.b)/q.b
	for j := range 2 {
		kl += (q.v[j]/p.v[j] - 1 + math.Log(p.v[j]/q.v[j]) + q.a/q.b*(q.m[j]-p.m[j])*(q.m[j]-p.m[j])/p.v[j]) / 2
	}
	return kl
}

// sd is that of a coefficient.
func (q member) sd(j int) float64 { return math.Sqrt(q.b / (q.a - 1) * q.v[j]) }

// linearData are those of the linear model.
type linearData struct {
	X       [][2]float64
	Y       []float64 `json:"y"`
	A, B, V float64
}

// loss is the expected negative log likelihood.
func (d linearData) loss(q member) float64 {
	sum := 0.0
	for i, x := range d.X {
		r := d.Y[i] - x[0]*q.m[0] - x[1]*q.m[1]
		sum += (math.Log(2*math.Pi) + math.Log(q.b) - mathext.Digamma(q.a) + r*r*q.a/q.b + x[0]*x[0]*q.v[0] + x[1]*x[1]*q.v[1]) / 2
	}
	return sum
}

func (d linearData) optimum(t *testing.T, name string, p float64) (member, float64) {
	prior := member{d.A, d.B, [2]float64{}, [2]float64{d.V, d.V}}
	of := func(x []float64) member {
		return member{math.Exp(x[0]), math.Exp(x[1]), [2]float64{x[2], x[3]}, [2]float64{math.Exp(x[4]), math.Exp(x[5])}}
	}
	at, value := least(t, func(x []float64) float64 {
		q := of(x)
		f := d.loss(q) + size(name, p, memberKL(q, prior), memberPower(q, prior))
		if math.IsNaN(f) {
			return math.Inf(1)
		}
		return f
	}, []float64{math.Log(d.A + 12), math.Log(d.B + 25), 1.4, 4, -3.5, -3.5})
	return of(at), value
}

// TestPaperKnoblauchLinear is Figure 8, with the exact answer and the standard approximation in closed form, and the prior
// of Figure 6. Sds by divergence are ordered as in the paper.
func TestPaperKnoblauchLinear(t *testing.T) {
	tb := newTable(t)
	var d linearData
	readJSON(t, "knoblauch2019/linear.json", &d)
	m := load(t, "knoblauch2019/linear.ppl", "knoblauch2019/linear.json")
	exact := run(t, m, "nuts(draws = 2000)", 1)
	for j, want := range [][2]float64{{1.4462, 0.6315}, {3.9584, 0.7086}} {
		x := exact.Posterior.Draws.Column(fmt.Sprintf("theta.%d", j+1))
		tb.sampled("Figure 8", fmt.Sprintf("nuts(): mean of theta[%d]", j+1), want[0], meanOf(x), 4)
		s := exact.Summaries[j+1]
		tb.sampled("Figure 8", fmt.Sprintf("nuts(): sd of theta[%d]", j+1), want[1], estimate{float64(s.SD), draws.MCSESD(x)}, 4)
	}
	sds := map[string]float64{}
	for _, c := range []struct {
		name string
		p    float64
	}{{"kl", 1}, {"kl", 0.5}, {"renyi", 0.5}, {"renyi", 0.75}, {"renyi", 2}, {"beta", 0.9}, {"beta", 1.5}, {"gamma", 0.5}, {"gamma", 1.5}, {"alpha", 0.95}, {"alpha", 1.25}} {
		what := fmt.Sprintf("%s(%g)", c.name, c.p)
		want, value := d.optimum(t, c.name, c.p)
		fit := run(t, m, `gvi(family = "conjugate", divergence = `+what+`)`, 1)
		q, ok := fit.Posterior.Density.(*gvi.NormalInverseGamma)
		if !ok {
			t.Fatalf("%s: the density is a %T", what, fit.Posterior.Density)
		}
		got := member{q.A, q.B, [2]float64{q.Mean[0], q.Mean[1]}, [2]float64{q.V[0], q.V[1]}}
		tb.exact("Figure 8", what+": mean of theta[1]", want.m[0], got.m[0], 1e-3*want.sd(0))
		tb.exact("Figure 8", what+": sd of theta[1]", want.sd(0), got.sd(0), 1e-3*want.sd(0))
		tb.exact("Figure 8", what+": sd of theta[2]", want.sd(1), got.sd(1), 1e-3*want.sd(1))
		if o := fit.Posterior.Fit.Objective; o != nil {
			tb.exact("Figure 8", what+": objective", value, o.Value, 1e-4*(1+math.Abs(value)))
		}
		sds[what] = got.sd(0)
	}
	if !(sds["renyi(0.5)"] > sds["kl(1)"] && sds["kl(1)"] > sds["renyi(2)"]) {
		t.Errorf("the order of sds is not the paper's: %v", sds)
	}
	fit := run(t, m, `gvi(family = "conjugate", divergence = alpha(0.5))`, 1)
	tb.exact("Figure 8", "alpha(0.5): objective, of a density that collapses", 48.462, fit.Posterior.Fit.Objective.Value, 1e-3)
	// Standard variational inference keeps a_n, b_n and the means, with v_j the inverse of the precision's diagonal.
	want := member{a: 32.5, m: [2]float64{1.4462, 3.9584}}
	var p [2]float64
	for _, x := range d.X {
		p[0], p[1] = p[0]+x[0]*x[0], p[1]+x[1]*x[1]
	}
	q := run(t, m, "standard", 1).Posterior.Density.(*gvi.NormalInverseGamma)
	tb.exact("Figure 8", "standard: shape a_n", want.a, q.A, 1e-3*want.a)
	tb.exact("Figure 8", "standard: mean of theta[1]", want.m[0], q.Mean[0], 1e-3*0.2557+5e-5)
	tb.exact("Figure 8", "standard: v of theta[1]", 1/(p[0]+1/d.V), q.V[0], 1e-3/(p[0]+1/d.V))
	tb.exact("Figure 8", "standard: v of theta[2]", 1/(p[1]+1/d.V), q.V[1], 1e-3/(p[1]+1/d.V))

	for _, prior := range [][3]float64{{3, 5, 25}} {
		d.A, d.B, d.V = prior[0], prior[1], prior[2]
		vars := map[string]any{"N": len(d.Y), "X": d.X, "y": d.Y, "a": d.A, "b": d.B, "v": d.V}
		for _, c := range []struct {
			name string
			p    float64
		}{{"kl", 1}, {"renyi", 0.5}, {"beta", 1.5}, {"gamma", 1.5}} {
			what := fmt.Sprintf("%s(%g)", c.name, c.p)
			want, _ := d.optimum(t, c.name, c.p)
			q := run(t, loadWith(t, "knoblauch2019/linear.ppl", vars), `gvi(family = "conjugate", divergence = `+what+`)`, 1).Posterior.Density.(*gvi.NormalInverseGamma)
			got := member{q.A, q.B, [2]float64{q.Mean[0], q.Mean[1]}, [2]float64{q.V[0], q.V[1]}}
			tb.exact("prior IG(3, 5)", what+": mean of theta[1]", want.m[0], got.m[0], 1e-3*want.sd(0))
			tb.exact("prior IG(3, 5)", what+": sd of theta[1]", want.sd(0), got.sd(0), 1e-3*want.sd(0))
		}
	}
}

// TestPaperKnoblauchDivergences is Figure 7's pair of normal-inverse-gamma members. No directive prints the divergence of
// two given distributions, so that the numbers are those of the package by which gvi computes it.
func TestPaperKnoblauchDivergences(t *testing.T) {
	tb := newTable(t)
	q, p := member{512, 543, [2]float64{2.5, 2.5}, [2]float64{0.3, 2}}, member{500, 500, [2]float64{}, [2]float64{25, 2}}
	theta := func(m member) []float64 {
		return []float64{math.Log(m.a), math.Log(m.b), m.m[0], m.m[1], math.Log(m.v[0]), math.Log(m.v[1])}
	}
	pair := divergence.NewExponential(divergence.NormalInverseGamma{K: 2}, theta(p))
	pair.Move(theta(q))
	for _, c := range []struct {
		name    string
		p, want float64
		digits  float64 // half a unit of the last printed one
	}{
		{"kl", 1, 4.15595, 5e-6},
		{"renyi", 0.5, 5.6894, 5e-5}, {"renyi", 2, 3.1903, 5e-5},
		{"alpha", 0.5, 3.0354, 5e-5}, {"alpha", 2, 294.65, 5e-3},
		{"beta", 0.5, 98.186, 5e-4}, {"beta", 1.5, 0.84863, 5e-6},
		{"gamma", 0.5, 8.2262, 5e-5}, {"gamma", 1.5, 2.7741, 5e-5},
	} {
		d, err := divergence.New(c.name, c.p)
		if err != nil {
			t.Fatal(err)
		}
		what := fmt.Sprintf("%s(%g)", c.name, c.p)
		got := d.Value(pair)
		tb.exact("Figure 7", what, c.want, got, 1.01*c.digits)
		if closed := size(c.name, c.p, memberKL(q, p), memberPower(q, p)); math.Abs(closed-got) > 1e-6*(1+math.Abs(got)) {
			t.Errorf("%s: %.8g, the closed form has %.8g", what, got, closed)
		}
	}
}

// mixtureSample is knoblauch2019/mixture.json.
type mixtureSample struct {
	X []float64 `json:"x"`
}

// joint is the log density of means and data on a grid from -1 to 2.
func (d mixtureSample) joint() (points [][2]float64, log []float64, area float64) {
	const n, step = 75, 0.04
	density := func(x, m float64) float64 {
		return math.Exp(-(x-m)*(x-m)/(2*0.65*0.65)) / (0.65 * math.Sqrt(2*math.Pi))
	}
	for i := range n {
		for j := range n {
			a, b := -1+step*float64(i), -1+step*float64(j)
			l := -(a*a+b*b)/8 - math.Log(2*math.Pi*4)
			for _, x := range d.X {
				l += math.Log((density(x, a) + density(x, b)) / 2)
			}
			points, log = append(points, [2]float64{a, b}), append(log, l)
		}
	}
	return points, log, step * step
}

// TestPaperKnoblauchMixture is section 4.5 on simulated data. The paper claims that generalised inference settles on one of
// the two modes, wider than the standard one, and shows Renyi's divergence to the posterior settled between them. The optimum of
// the latter is found again by quadrature, from a start between the modes and from one at a mode.
func TestPaperKnoblauchMixture(t *testing.T) {
	tb := newTable(t)
	m := load(t, "knoblauch2019/mixture.ppl", "knoblauch2019/mixture.json")
	sd := map[string]float64{}
	for _, method := range []string{"standard", "wide"} {
		q := normalOf(t, run(t, m, method, 1))
		apart := math.Abs(q.Mean()[0] - q.Mean()[1])
		tb.note("section 4.5", method+": distance of the two means", "one mode", apart, 0)
		tb.note("section 4.5", method+": sd of mu[1]", "wide is wider", q.SD()[0], 0)
		sd[method] = q.SD()[0]
		if !(apart > 2*q.SD()[0]) {
			t.Errorf("%s: between the modes", method)
		}
	}
	if !(sd["wide"] > sd["standard"]) {
		t.Errorf("sds: %v", sd)
	}
	var d mixtureSample
	readJSON(t, "knoblauch2019/mixture.json", &d)
	points, log, area := d.joint()
	renyi := func(x []float64) float64 { // order 0.5, up to the evidence
		sum := 0.0
		for i, p := range points {
			q := -math.Log(2*math.Pi) - x[2] - x[3]
			for j := range 2 {
				z := (p[j] - x[j]) / math.Exp(x[2+j])
				q -= z * z / 2
			}
			sum += area * math.Exp((q+log[i]+115)/2)
		}
		return -2*math.Log(sum) + 115
	}
	between, low := least(t, renyi, []float64{0.45, 0.45, math.Log(0.2), math.Log(0.2)})
	single, other := least(t, renyi, []float64{0.2, 0.75, math.Log(0.15), math.Log(0.15)})
	fit := run(t, m, "comparator", 1)
	q := normalOf(t, fit)
	tb.exact("section 4.5", "fvi(): mean of mu[1], between the modes", between[0], q.Mean()[0], 0.05*math.Exp(between[2]))
	tb.exact("section 4.5", "fvi(): sd of mu[1], between the modes", math.Exp(between[2]), q.SD()[0], 0.05*math.Exp(between[2]))
	tb.exact("section 4.5", "fvi(): objective", low, fit.Posterior.Fit.Objective.Value, 0.05)
	tb.note("section 4.5", "distance of the means in the search that began at one mode", "-", math.Abs(single[0]-single[1]), 0)
	tb.note("section 4.5", "and its objective, by quadrature", "-", other, 0)
}
