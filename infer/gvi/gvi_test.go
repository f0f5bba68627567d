package gvi_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/mat"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
	"github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/gvi"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/normal"
)

func fit(t *testing.T, m infer.Model, change func(*gvi.Options)) *infer.Posterior {
	t.Helper()
	return infertest.Fit(t, method(t, change), m, infer.Options{Seed: 1})
}

// In five dimensions expectations are from random points, the loss is quadratic
// and the prior standard normal. The optimum of Renyi's divergence and of KLD/w is
// found independently: by the fullrank family's stationarity. For KLD/w the
// posterior has precision w X'X/noise^2 + I.
func TestRandomPoints(t *testing.T) {
	c := infertest.ConjugateLine(5)
	for _, family := range []string{gvi.FullRank, gvi.MeanField} {
		p := fit(t, c.Model, func(o *gvi.Options) { o.Family = family })
		q := p.Density.(*normal.Normal)
		for i := range c.Mean {
			sd := q.SD()[i]
			if math.Abs(q.Mean()[i]-c.Mean[i]) > 1e-3*sd {
				t.Errorf("%s: mean %d is %.6f, exactly %.6f", family, i, q.Mean()[i], c.Mean[i])
			}
			if family == gvi.FullRank && math.Abs(sd/c.SD[i]-1) > 1e-3 {
				t.Errorf("%s: sd %d is %.6f, exactly %.6f", family, i, sd, c.SD[i])
			}
		}
		if !p.Fit.Converged {
			t.Error(p.Fit.Stop)
		}
		if family == gvi.FullRank && math.Abs(p.Fit.Objective.Value+c.LogEvidence) > 1e-6 {
			t.Errorf("objective %.8f, minus the log evidence is %.8f", p.Fit.Objective.Value, -c.LogEvidence)
		}
	}
}

// logNormal is s > 0 with log s ~ normal(m, r) and log y ~ normal(log s, 1), on
// the scale x = log s. It is an infer.Unadjusted.
type logNormal struct {
	*infertest.Model
	m, r, y float64
}

func newLogNormal(m, r, y float64) logNormal {
	l := logNormal{m: m, r: r, y: y}
	l.Model = infertest.FromParts(1, func(q []float64, beta float64, grad []float64) (float64, float64, error) {
		z, d := (q[0]-m)/r, math.Log(y)-q[0]
		if grad != nil {
			grad[0] = -z/r + beta*d
		}
		return -z*z/2 - math.Log(r) - logRoot2Pi, -d*d/2 - logRoot2Pi, nil
	})
	l.Prior = func(s *rand.Rand, q []float64) error {
		q[0] = m + r*s.NormFloat64()
		return nil
	}
	return l
}

// Density implements infer.Unadjusted: the log Jacobian is x.
func (l logNormal) Density(jacobian, _ bool) infer.Target {
	return infertest.FromFunc(1, func(q, grad []float64) (float64, error) {
		if grad == nil {
			grad = make([]float64, 1)
		}
		lp, err := l.Model.New()(q, grad)
		if !jacobian {
			lp -= q[0]
			grad[0]--
		}
		return lp, err
	}).NewEvaluator()
}

// On the declared scale q and prior are log-normal, between which divergences are
// in closed form: the value at the optimum, and that no neighbour is better.
func TestDeclaredScale(t *testing.T) {
	model := newLogNormal(0.3, 0.8, 2.5)
	for _, d := range []divergence.Divergence{div(t, "beta", 1.5), div(t, "gamma", 1.5), div(t, "gamma", 0.8), div(t, "abr", 1.2, 1.3, 1)} {
		p := fit(t, model, func(o *gvi.Options) { o.Divergence = d })
		q := p.Density.(*normal.Normal)
		pair := divergence.NewExponential(divergence.Normal{Log: true}, []float64{0.3, math.Log(0.8)})
		at := func(m, s float64) float64 {
			pair.Move([]float64{m, math.Log(s)})
			r := math.Log(2.5) - m
			return (r*r+s*s)/2 + logRoot2Pi + d.Value(pair)
		}
		m, s := q.Mean()[0], q.SD()[0]
		best := at(m, s)
		// The prior's own integral is from 10000 draws, good to about one in a hundred.
		if math.Abs(p.Fit.Objective.Value-best) > 0.02*(1+math.Abs(best)) {
			t.Errorf("%s: objective %.5f, in closed form %.5f", d, p.Fit.Objective.Value, best)
		}
		for _, step := range [][2]float64{{0.01, 0}, {-0.01, 0}, {0, 0.01}, {0, -0.01}} {
			if other := at(m+step[0], s+step[1]); other < best {
				t.Errorf("%s: %.8f at a neighbour, %.8f at the optimum %.4f, %.4f", d, other, best, m, s)
			}
		}
		u := fit(t, model, func(o *gvi.Options) { o.Divergence, o.Scale = d, gvi.Unconstrained }).Density.(*normal.Normal)
		if math.Abs(u.Mean()[0]-m)+math.Abs(u.SD()[0]-s) < 1e-3 {
			t.Errorf("%s: the same optimum on both scales", d)
		}
	}
}

// gammaPrior is x = log s with s ~ gamma(3, 2) and one observation as above: no
// normal prior, so divergences come from points.
func gammaPrior() *infertest.Model {
	m := infertest.FromParts(1, func(q []float64, beta float64, grad []float64) (float64, float64, error) {
		d := 0.9 - q[0]
		if grad != nil {
			grad[0] = 3 - 2*math.Exp(q[0]) + beta*d
		}
		return 3*math.Log(2) - math.Log(2) + 3*q[0] - 2*math.Exp(q[0]), -d*d/2 - logRoot2Pi, nil
	})
	m.Prior = func(s *rand.Rand, q []float64) error {
		q[0] = math.Log((s.ExpFloat64() + s.ExpFloat64() + s.ExpFloat64()) / 2)
		return nil
	}
	return m
}

// Divergences from points against quadrature on a grid.
func TestDivergenceFromPoints(t *testing.T) {
	model := gammaPrior()
	parts := model.NewEvaluator().(infer.Tempered)
	for _, d := range []divergence.Divergence{div(t, "kl", 0.5), div(t, "renyi", 0.5), div(t, "renyi", 0.8), div(t, "gamma", 1.5), div(t, "beta", 1.5)} {
		q := fit(t, model, func(o *gvi.Options) { o.Divergence, o.Scale = d, gvi.Unconstrained }).Density.(*normal.Normal)
		full := fit(t, model, func(o *gvi.Options) { o.Divergence, o.Scale, o.Family = d, gvi.Unconstrained, gvi.FullRank }).Density.(*normal.Normal)
		if math.Abs(q.Mean()[0]-full.Mean()[0])+math.Abs(q.SD()[0]-full.SD()[0]) > 1e-4 {
			t.Errorf("%s: %.6f, %.6f by coordinates and %.6f, %.6f from points", d, q.Mean()[0], q.SD()[0], full.Mean()[0], full.SD()[0])
		}
		at := func(m, s float64) float64 {
			pair := &divergence.Sampled{Prior: func(float64) float64 { return 0 }}
			var loss float64
			const h = 0.005
			for x := m - 12*s; x < m+12*s; x += h * s {
				z := (x - m) / s
				lq := -z*z/2 - logRoot2Pi - math.Log(s)
				lp, ll, err := parts.LogDensityParts([]float64{x})
				if err != nil {
					t.Fatal(err)
				}
				w := h * s * math.Exp(lq)
				loss -= w * ll
				pair.Weights, pair.LogQ, pair.LogPi = append(pair.Weights, w), append(pair.LogQ, lq), append(pair.LogPi, lp)
			}
			return loss + d.Value(pair)
		}
		m, s := q.Mean()[0], q.SD()[0]
		best := at(m, s)
		for _, step := range [][2]float64{{0.005, 0}, {-0.005, 0}, {0, 0.005}, {0, -0.005}} {
			if other := at(m+step[0], s+step[1]); other < best {
				t.Errorf("%s: %.9f at a neighbour, %.9f at the optimum %.4f, %.4f", d, other, best, m, s)
			}
		}
	}
}

// Six coordinates with independent gamma priors: log G by coordinates is exact,
// the same from points is not, and full rank is no better here than mean field.
func TestManyCoordinates(t *testing.T) {
	const d = 6
	one := gammaPrior().NewParts()
	model := infertest.FromParts(d, func(q []float64, beta float64, grad []float64) (prior, lik float64, err error) {
		if grad == nil {
			grad = make([]float64, d)
		}
		for i := range q {
			p, l, _ := one(q[i:i+1], beta, grad[i:i+1])
			prior, lik = prior+p, lik+l
		}
		return prior, lik, nil
	})
	alone := fit(t, gammaPrior(), func(o *gvi.Options) { o.Divergence = div(t, "renyi", 0.5) }).Density.(*normal.Normal)
	for family, tolerance := range map[string]float64{gvi.MeanField: 1e-4, gvi.FullRank: 0.05} {
		p := fit(t, model, func(o *gvi.Options) { o.Divergence, o.Family = div(t, "renyi", 0.5), family })
		q := p.Density.(*normal.Normal)
		for i, sd := range q.SD() {
			if math.Abs(q.Mean()[i]-alone.Mean()[0]) > tolerance*alone.SD()[0] || math.Abs(sd/alone.SD()[0]-1) > tolerance {
				t.Errorf("%s: coordinate %d has mean %.5f, sd %.5f; alone %.5f, %.5f", family, i, q.Mean()[i], sd, alone.Mean()[0], alone.SD()[0])
			}
		}
		t.Logf("%s: %s", family, p.Fit.Stop)
	}
}

// twoParameters is a product of the two models above.
type twoParameters struct{ *infertest.Model }

func (twoParameters) UnconstrainedNames() []string { return []string{"a", "b.1"} }

func newTwo(dependence float64) twoParameters {
	a, b := newLogNormal(0.3, 0.8, 2.5).NewParts(), gammaPrior().NewParts()
	return twoParameters{infertest.FromParts(2, func(q []float64, beta float64, grad []float64) (float64, float64, error) {
		if grad == nil {
			grad = make([]float64, 2)
		}
		p1, l1, _ := a(q[:1], beta, grad[:1])
		p2, l2, err := b(q[1:], beta, grad[1:])
		grad[0] -= dependence * q[1]
		grad[1] -= dependence * q[0]
		return p1 + p2 - dependence*q[0]*q[1], l1 + l2, err
	})}
}

// TestByParameter: each parameter has the optimum that it has by itself.
func TestByParameter(t *testing.T) {
	renyi, gamma, beta := div(t, "renyi", 0.5), div(t, "gamma", 1.5), div(t, "beta", 1.5)
	for _, c := range [][2]divergence.Divergence{{renyi, gamma}, {gamma, renyi}, {beta, nil}} {
		p := fit(t, newTwo(0), func(o *gvi.Options) {
			o.Scale = gvi.Unconstrained
			o.ByParameter = []gvi.Part{{Parameter: "a", Divergence: c[0]}}
			if c[1] != nil {
				o.ByParameter = append(o.ByParameter, gvi.Part{Parameter: "b", Divergence: c[1]})
			}
		})
		q := p.Density.(*normal.Normal)
		for i, m := range []infer.Model{newLogNormal(0.3, 0.8, 2.5), gammaPrior()} {
			alone := fit(t, m, func(o *gvi.Options) {
				o.Scale = gvi.Unconstrained
				if c[i] != nil {
					o.Divergence = c[i]
				}
			}).Density.(*normal.Normal)
			if math.Abs(q.Mean()[i]-alone.Mean()[0]) > 1e-4 || math.Abs(q.SD()[i]-alone.SD()[0]) > 1e-4 {
				t.Errorf("%v: parameter %d has mean %.6f, sd %.6f, alone %.6f, %.6f", c, i, q.Mean()[i], q.SD()[i], alone.Mean()[0], alone.SD()[0])
			}
		}
	}
	for _, c := range []struct {
		model infer.Model
		part  gvi.Part
		want  string
	}{
		{newTwo(0.1), gvi.Part{Parameter: "a", Divergence: renyi}, "independent"},
		{newTwo(0), gvi.Part{Parameter: "b", Divergence: beta}, "b unconstrained with a normal prior"},
		{newTwo(0), gvi.Part{Parameter: "c", Divergence: renyi}, "no parameter"},
		{gammaPrior(), gvi.Part{Parameter: "a", Divergence: renyi}, "names"},
	} {
		m := method(t, func(o *gvi.Options) { o.Scale, o.ByParameter = gvi.Unconstrained, []gvi.Part{c.part} })
		if _, err := m.Run(t.Context(), c.model, infer.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.want, err)
		}
	}
}

func comparator(t *testing.T, change func(*gvi.ComparatorOptions)) *gvi.Comparator {
	t.Helper()
	o := gvi.DefaultComparatorOptions()
	change(&o)
	m, err := gvi.NewComparator(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// fvi on a normal posterior is exact with all divergences in a family that has
// it, and the objective is minus the log evidence.
func TestComparatorsOnNormalPosterior(t *testing.T) {
	// The energy of alpha has one factor for all observations, which is exact if
	// they are equal.
	x := []float64{1.4, 1.4, 1.4, 1.4}
	var sum, square float64
	for _, v := range x {
		sum += v
		square += v * v
	}
	precision := 4/0.49 + 1/4.0
	mean, sd := sum/0.49/precision, 1/math.Sqrt(precision)
	evidence := -4*(logRoot2Pi+math.Log(0.7)) - square/0.98 - math.Log(2) + math.Log(sd) + mean*mean*precision/2
	for _, kind := range []divergence.Kind{divergence.Renyi, divergence.Alpha} {
		for _, order := range []float64{0.5, 1, 1.5} {
			m := comparator(t, func(o *gvi.ComparatorOptions) { o.Divergence, o.Order = kind, order })
			p := infertest.Fit(t, m, newLocation(x, 0.7, 0, 2), infer.Options{Seed: 1})
			q := p.Density.(*normal.Normal)
			if math.Abs(q.Mean()[0]-mean) > 1e-3*sd || math.Abs(q.SD()[0]/sd-1) > 1e-3 {
				t.Errorf("%s(%g): mean %.5f, sd %.5f; exactly %.5f, %.5f", kind, order, q.Mean()[0], q.SD()[0], mean, sd)
			}
			if got := p.Fit.Objective.Value; kind == divergence.Renyi && math.Abs(got+evidence) > 1e-5 {
				t.Errorf("%s(%g): objective %.6f, minus the log evidence is %.6f", kind, order, got, -evidence)
			}
		}
	}
	// In five dimensions, from random points.
	c := infertest.ConjugateLine(5)
	m := comparator(t, func(o *gvi.ComparatorOptions) { o.Family = gvi.FullRank })
	p := infertest.Fit(t, m, c.Model, infer.Options{Seed: 1})
	q := p.Density.(*normal.Normal)
	for i := range c.Mean {
		if math.Abs(q.Mean()[i]-c.Mean[i]) > 0.05*c.SD[i] || math.Abs(q.SD()[i]/c.SD[i]-1) > 0.05 {
			t.Errorf("coordinate %d: mean %.4f, sd %.4f; exactly %.4f, %.4f", i, q.Mean()[i], q.SD()[i], c.Mean[i], c.SD[i])
		}
	}
}

// The best normal with independent coordinates for a correlated normal by Renyi's
// divergence: with correlation rho and unit variances all v are equal, and
// log G(a, 1-a) has a stationary point that is found here by a scan.
func TestRenyiOfACorrelatedNormal(t *testing.T) {
	const rho = 0.8
	for _, order := range []float64{0.5, 2} {
		m := comparator(t, func(o *gvi.ComparatorOptions) { o.Order = order })
		q := infertest.Fit(t, m, infertest.Correlated(rho).Model, infer.Options{Seed: 1}).Density.(*normal.Normal)
		pair, err := divergence.NewGaussian([]float64{0, 0}, mat.NewSymDense(2, []float64{1, rho, rho, 1}))
		if err != nil {
			t.Fatal(err)
		}
		d := div(t, "renyi", order)
		best, bestV := math.Inf(1), 0.0
		for v := 0.2; v < 1.5; v += 1e-4 {
			if err := pair.Move([]float64{0, 0}, []float64{v, 0, 0, v}); err != nil {
				t.Fatal(err)
			}
			if x := d.Value(pair); x < best {
				best, bestV = x, v
			}
		}
		for i, sd := range q.SD() {
			if math.Abs(sd/math.Sqrt(bestV)-1) > 1e-3 {
				t.Errorf("order %g: sd %d is %.5f, exactly %.5f", order, i, sd, math.Sqrt(bestV))
			}
		}
	}
}

func TestTraceAndDraws(t *testing.T) {
	p := infertest.Fit(t, method(t, nil), infertest.ConjugateLine(5).Model, infer.Options{Seed: 3, KeepUnconstrained: true})
	a, ok := p.Approximation()
	if !ok {
		t.Fatal("no approximation")
	}
	for i, x := range p.Unconstrained[0] {
		if p.Draws.Row(0, i)[p.Draws.Index(approx.Stats[1])] != a.LogDensity(x) {
			t.Fatalf("draw %d", i)
		}
	}
	last := p.Fit.Trace[len(p.Fit.Trace)-1]
	if last.Objective != p.Fit.Objective.Value || math.Abs(last.Objective+p.Fit.ELBO.Value) > 0.2 {
		t.Errorf("the trace ends at %g; objective %g, bound %g", last.Objective, p.Fit.Objective.Value, p.Fit.ELBO.Value)
	}
}

func TestIterationLimit(t *testing.T) {
	p := fit(t, infertest.Funnel().Model, func(o *gvi.Options) { o.Iterations, o.Family = 2, gvi.LowRank })
	if p.Fit.Converged || p.Fit.Iterations != 2 || p.Draws.Total() != 1000 || !strings.Contains(p.Fit.Stop, "limit") {
		t.Errorf("report %+v", p.Fit)
	}
}

func TestContract(t *testing.T) {
	for name, m := range map[string]infer.Method{
		"gvi":       method(t, func(o *gvi.Options) { o.Divergence = div(t, "renyi", 0.5) }),
		"low rank":  method(t, func(o *gvi.Options) { o.Family, o.Iterations = gvi.LowRank, 200 }),
		"mixture":   method(t, func(o *gvi.Options) { o.Family, o.Components, o.Iterations = gvi.Mixture, 2, 300 }),
		"score":     method(t, func(o *gvi.Options) { o.Estimator, o.Iterations = gvi.Score, 500 }),
		"fvi":       comparator(t, func(*gvi.ComparatorOptions) {}),
		"conjugate": method(t, func(o *gvi.Options) { o.Family = gvi.Conjugate }),
	} {
		t.Run(name, func(t *testing.T) {
			if name == "conjugate" {
				infertest.CheckDeterministic(t, m, linearModel(&linearOracle{X: [][]float64{{1}, {2}, {-1}}, Y: []float64{1, 2, 0}},
					&linearCase{A0: 3, B0: 2, Mu0: []float64{0}, V0: []float64{4}}, 2))
				return
			}
			model := infertest.ConjugateLine(3).Model
			infertest.CheckDeterministic(t, m, model)
			infertest.CheckCancelled(t, m, model, 200)
			infertest.CheckNoParameters(t, m)
		})
	}
}

func TestWrongUses(t *testing.T) {
	for text, change := range map[string]func(*gvi.Options){
		"family":     func(o *gvi.Options) { o.Family = "mixtures" },
		"components": func(o *gvi.Options) { o.Family, o.Components = gvi.Mixture, 0 },
		"estimator":  func(o *gvi.Options) { o.Estimator = "vr" },
		"multiple":   func(o *gvi.Options) { o.Estimator, o.Divergence = gvi.VRBBVI, div(t, "renyi", 2) },
		"point":      func(o *gvi.Options) { o.Family, o.Point = gvi.Conjugate, []string{"a"} },
		"draws":      func(o *gvi.Options) { o.Draws = 0 },
		"samples":    func(o *gvi.Options) { o.Samples = 0 },
		"iterations": func(o *gvi.Options) { o.Iterations = 0 },
		"tolerance":  func(o *gvi.Options) { o.Tolerance = math.NaN() },
		"rank":       func(o *gvi.Options) { o.Rank = -1 },
		"scale":      func(o *gvi.Options) { o.Scale = "log" },
		"divergence": func(o *gvi.Options) { o.Divergence = nil },
		"order":      func(o *gvi.Options) { o.Loss = gvi.Loss{Name: "beta", Order: 1} },
		"loss":       func(o *gvi.Options) { o.Loss = gvi.Loss{Name: "absolute"} },
		"conjugate":  func(o *gvi.Options) { o.Family, o.Loss = gvi.Conjugate, gvi.Loss{Name: "beta", Order: 2} },
		"by param": func(o *gvi.Options) {
			o.Family, o.ByParameter = gvi.FullRank, []gvi.Part{{Parameter: "a", Divergence: o.Divergence}}
		},
	} {
		o := gvi.DefaultOptions()
		change(&o)
		if _, err := gvi.New(o); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, change := range map[string]func(*gvi.Options){
		"observations":                           func(o *gvi.Options) { o.Loss = gvi.Loss{Name: "beta", Order: 1.5} },
		"scale":                                  func(o *gvi.Options) { o.Divergence = div(t, "beta", 1.5) },
		"linear model":                           func(o *gvi.Options) { o.Family = gvi.Conjugate },
		"names":                                  func(o *gvi.Options) { o.ByParameter = []gvi.Part{{Parameter: "q", Divergence: o.Divergence}} },
		"proper prior":                           func(o *gvi.Options) { o.Divergence = div(t, "alpha", 0.5) },
		"prior and likelihood as separate terms": func(o *gvi.Options) {},
		"prior and likelihood as separate terms ": func(o *gvi.Options) { o.Family = gvi.Conjugate },
	} {
		model := infer.Model(gammaPrior())
		switch {
		case strings.HasPrefix(text, "prior and"):
			model = infertest.Banana(0.5).Model
		case text == "proper prior":
			m := gammaPrior()
			m.Prior = nil
			model = m
		}
		_, err := method(t, change).Run(t.Context(), model, infer.Options{})
		var missing *infer.MissingError
		if !errors.As(err, &missing) || !strings.Contains(err.Error(), strings.TrimSpace(text)) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := gvi.NewComparator(gvi.ComparatorOptions{Fit: gvi.DefaultOptions().Fit, Divergence: divergence.Beta, Order: 1}); err == nil {
		t.Error("fvi took a beta divergence")
	}
	if _, err := gvi.NewComparator(gvi.ComparatorOptions{Fit: gvi.DefaultOptions().Fit, Divergence: divergence.Renyi}); err == nil {
		t.Error("fvi took order 0")
	}
}
