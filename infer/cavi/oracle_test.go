package cavi_test

// This file compares fits with the shared oracles: fixed points, bounds, evidence and
// the quantities of the duality paper, all to 1e-6.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/cavi"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/bind/bindtest"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/stdlib"
)

const tolerance = 1e-6

type bivariate struct {
	Mu          [2]float64   `json:"mu"`
	SD          [2]float64   `json:"sd"`
	Rho         float64      `json:"rho"`
	Mean        [2]float64   `json:"cavi_mean"`
	Var         [2]float64   `json:"cavi_var"`
	Information *float64     `json:"mutual_information"`
	Squashing   *float64     `json:"min_over_theta1_of_pi_over_q"`
	Divergence  *float64     `json:"KL_q1_vs_pi1"`
	Joint       *float64     `json:"KL_joint"`
	Path        [][2]float64 `json:"cavi_mean_path_from_mu_plus_1"`
	Bound       *float64     `json:"upper_bound_minus_log_R"`
}

// normal is a sample of a normal distribution with unknown mean and precision: the prior is
// gamma of the precision and normal of the mean, whose precision is kappa0 times that one or
// whose standard deviation is given.
type normal struct {
	Prior       json.RawMessage `json:"prior"`
	LogEvidence float64         `json:"log_evidence"`
	CAVI        struct {
		MuMean float64   `json:"q_mu_mean"`
		MuVar  float64   `json:"q_mu_var"`
		Shape  float64   `json:"q_tau_shape"`
		Rate   float64   `json:"q_tau_rate"`
		ELBO   float64   `json:"elbo"`
		First  []float64 `json:"elbo_first_iterations"`
	} `json:"cavi"`
	Divergence  float64  `json:"kl_q_joint_vs_posterior"`
	Squashing   *float64 `json:"squashing_constant_identity_exp_elbo_minus_logev"`
	DivMu       *float64 `json:"KL_qmu_vs_marginal"`
	DivTau      *float64 `json:"KL_qtau_vs_marginal"`
	Information *float64 `json:"posterior_mutual_information"`
}

// model compiles a program and binds it to data in JSON.
func model(t testing.TB, program, json string) *bind.Model {
	t.Helper()
	lib := stdlib.New()
	p, err := bindtest.Compile("test.stan", program, ".", lib)
	if err != nil {
		t.Fatal(err)
	}
	in, err := data.ReadBytes([]byte(json), "test.json", func(string) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	m, err := bind.Bind(p, lib, in, bind.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// fit runs the method and checks what holds of every fit with exact factors.
func fit(t testing.TB, m infer.Model, change func(o *cavi.Options)) *infer.Posterior {
	t.Helper()
	return fitOfTerms(t, m, 1, change)
}

// fitOfTerms is fit of a log density whose terms, multiplied out, are as large as size nats.
func fitOfTerms(t testing.TB, m infer.Model, size float64, change func(o *cavi.Options)) *infer.Posterior {
	t.Helper()
	o := cavi.DefaultOptions()
	o.Init = infer.Init{}
	if change != nil {
		change(&o)
	}
	method, err := cavi.New(o)
	if err != nil {
		t.Fatal(err)
	}
	p := infertest.Fit(t, method, m, infer.Options{Seed: 3})
	if !p.Fit.Converged {
		t.Errorf("not converged: %s", p.Fit.Stop)
	}
	if o.Nonconjugate == cavi.Quadrature {
		rises(t, p, 1e-15*size)
	}
	return p
}

// rises wants a bound that never falls except by rounding, by so many nats.
func rises(t testing.TB, p *infer.Posterior, rounding float64) {
	t.Helper()
	last := math.Inf(-1)
	for i, x := range p.Fit.Trace {
		if slack := 1e-11*math.Max(1, math.Abs(last)) + rounding; i > 0 && x.Path == p.Fit.Trace[i-1].Path && x.Objective < last-slack {
			t.Errorf("the bound falls from %.15g to %.15g in cycle %d", last, x.Objective, i+1)
		}
		last = x.Objective
	}
}

func near(t testing.TB, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))) {
		t.Errorf("%s: %.12g, the oracle has %.12g", what, got, want)
	}
}

// nearIfGiven compares with what the oracle has, if it has it.
func nearIfGiven(t testing.TB, what string, got float64, want *float64) {
	t.Helper()
	if want != nil {
		near(t, what, got, *want)
	}
}

// normalOf reads mean and sd of a coordinate that is normal by itself off the density.
func normalOf(p *infer.Posterior, coord int, at []float64) (mean, sd float64) {
	a, _ := p.Approximation()
	q := append([]float64(nil), at...)
	grad := make([]float64, len(q))
	a.LogDensityGrad(q, grad)
	first := grad[coord]
	q[coord]++
	a.LogDensityGrad(q, grad)
	precision := first - grad[coord]
	return at[coord] + first/precision, 1 / math.Sqrt(precision)
}

// gammaOf reads shape and rate of a gamma factor off the density of its logarithm.
func gammaOf(p *infer.Posterior, coord int, at []float64) (shape, rate float64) {
	a, _ := p.Approximation()
	q := append([]float64(nil), at...)
	grad := make([]float64, len(q))
	q[coord] = 0
	a.LogDensityGrad(q, grad)
	one := grad[coord] // shape - rate
	q[coord] = math.Ln2
	a.LogDensityGrad(q, grad)
	rate = one - grad[coord]
	return one + rate, rate
}

// TestOracle runs the cases of all files, by the names of the members.
func TestOracle(t *testing.T) {
	for file, members := range infertest.ReadKinds(t, "cavi/*.json") {
		var x []float64
		ofNumbers, cases := json.Unmarshal(members["x"], &x) == nil, 0
		for name, text := range members {
			where := file + " " + name
			switch {
			case name == "bivariate":
				var cases []bivariate
				if err := json.Unmarshal(text, &cases); err != nil {
					infertest.Unknown(t, where, err.Error())
				}
				for _, c := range cases {
					t.Run(fmt.Sprintf("bivariate rho=%g", c.Rho), c.test)
				}
			case !bytes.HasPrefix(text, []byte("{")) || name == "formulas":
				continue // a sample, a remark
			default:
				c, prior, why := caseOf(text)
				if why == "" && !ofNumbers {
					why = "x is not a list of numbers"
				}
				if why != "" {
					infertest.Unknown(t, where, why)
				} else {
					t.Run(where, func(t *testing.T) { c.test(t, x, prior) })
				}
			}
			cases++
		}
		if cases == 0 {
			infertest.Unknown(t, file, "no member is a case")
		}
	}
}

// caseOf reads a case of a normal sample, or says why it is none.
func caseOf(text []byte) (c normal, prior normalPrior, why string) {
	if err := json.Unmarshal(text, &c); err != nil {
		return c, prior, err.Error()
	}
	if c.CAVI.Shape == 0 || len(c.Prior) == 0 {
		return c, prior, "no factors of a mean and a precision"
	}
	if err := infertest.DecodeKnown(c.Prior, &prior); err != nil {
		return c, prior, "the prior: " + err.Error()
	}
	if prior.A0 == nil || prior.B0 == nil || (prior.Kappa0 == nil) == (prior.SD == nil) {
		return c, prior, "the prior is not of the known form"
	}
	return c, prior, ""
}

type normalPrior struct {
	Mu0    float64  `json:"mu0"`
	Kappa0 *float64 `json:"kappa0"`
	SD     *float64 `json:"sd_mu"`
	A0     *float64 `json:"a0"`
	B0     *float64 `json:"b0_rate"`
}

func (c bivariate) test(t *testing.T) {
	program := `data { vector[2] mu; vector[2] s; real rho; }
	  parameters { real a; real b; }
	  model { a ~ normal(mu[1], s[1]); b ~ normal(mu[2] + rho * s[2] / s[1] * (a - mu[1]), s[2] * sqrt(1 - rho^2)); }`
	m := model(t, program, fmt.Sprintf(`{"mu": [%g, %g], "s": [%g, %g], "rho": %g}`, c.Mu[0], c.Mu[1], c.SD[0], c.SD[1], c.Rho))
	slope := c.Rho * c.SD[1] / c.SD[0]
	first, second := c.Mu[0]/c.SD[0], (math.Abs(c.Mu[1])+math.Abs(slope*c.Mu[0]))/(c.SD[1]*math.Sqrt(1-c.Rho*c.Rho))
	p := fitOfTerms(t, m, first*first+second*second, nil)
	for i := range 2 {
		mean, sd := normalOf(p, i, []float64{0, 0})
		near(t, "mean, in sds", (mean-c.Mean[i])/c.SD[i], 0)
		near(t, "variance", sd*sd/c.Var[i], 1)
	}
	if c.Joint != nil {
		near(t, "bound", p.Fit.ELBO.Value, -*c.Joint)
	}
	d := p.Duality
	if !d.Exact {
		t.Error("the evidence is not exact")
	}
	near(t, "log evidence", d.LogEvidence.Value, 0)
	for _, f := range d.Factors {
		nearIfGiven(t, "squashing constant", f.Squashing.Value, c.Squashing)
		nearIfGiven(t, "bound of the divergence", f.Bound.Value, c.Bound)
		nearIfGiven(t, "divergence", f.Divergence.Value, c.Divergence)
		nearIfGiven(t, "mutual information", f.Information.Value, c.Information)
	}
	for cycles := 1; cycles < len(c.Path); cycles++ {
		c.cycles(t, m, cycles)
	}
}

// cycles compares the means after some cycles from mu + 1.
func (c bivariate) cycles(t *testing.T, m infer.Model, n int) {
	o := cavi.DefaultOptions()
	o.Iterations, o.Init = n, infer.Init{Points: [][]float64{{c.Path[0][0], c.Path[0][1]}}}
	method, err := cavi.New(o)
	if err != nil {
		t.Fatal(err)
	}
	p := infertest.Fit(t, method, m, infer.Options{Seed: 3})
	for i := range 2 {
		mean, _ := normalOf(p, i, []float64{0, 0})
		near(t, fmt.Sprintf("mean after %d cycles, in sds", n), (mean-c.Path[n][i])/c.SD[i], 0)
	}
}

func (c normal) test(t *testing.T, x []float64, given normalPrior) {
	prior, scale := "mu0, 1 / sqrt(scale * tau)", given.Kappa0
	if scale == nil {
		prior, scale = "mu0, scale", given.SD
	}
	program := `data { int n; vector[n] x; real mu0; real scale; real a0; real b0; }
	  parameters { real mu; real<lower=0> tau; }
	  model { tau ~ gamma(a0, b0); mu ~ normal(` + prior + `); x ~ normal(mu, 1 / sqrt(tau)); }`
	json := fmt.Sprintf(`{"n": %d, "mu0": %g, "scale": %g, "a0": %g, "b0": %g, "x": [`, len(x), given.Mu0, *scale, *given.A0, *given.B0)
	for i, v := range x {
		if i > 0 {
			json += ", "
		}
		json += fmt.Sprint(v)
	}
	p := fit(t, model(t, program, json+"]}"), nil)
	mean, sd := normalOf(p, 0, []float64{0, 0})
	near(t, "mean of mu", mean, c.CAVI.MuMean)
	near(t, "variance of mu", sd*sd, c.CAVI.MuVar)
	shape, rate := gammaOf(p, 1, []float64{0, 0})
	near(t, "shape of tau", shape, c.CAVI.Shape)
	near(t, "rate of tau", rate, c.CAVI.Rate)
	near(t, "bound", p.Fit.ELBO.Value, c.CAVI.ELBO)
	for i, want := range c.CAVI.First {
		near(t, fmt.Sprintf("bound after %d cycles", i+1), p.Fit.Trace[min(i, len(p.Fit.Trace)-1)].Objective, want)
	}
	d := p.Duality
	if !d.Exact {
		t.Error("the evidence is not exact")
	}
	near(t, "log evidence", d.LogEvidence.Value, c.LogEvidence)
	near(t, "divergence of the whole", d.LogEvidence.Value-p.Fit.ELBO.Value, c.Divergence)
	for i, div := range []*float64{c.DivMu, c.DivTau} {
		f := d.Factors[i]
		near(t, "bound of the divergence", f.Bound.Value, c.Divergence)
		near(t, "squashing constant", f.Squashing.Value, math.Exp(-c.Divergence))
		nearIfGiven(t, "squashing constant", f.Squashing.Value, c.Squashing)
		nearIfGiven(t, "divergence", f.Divergence.Value, div)
		nearIfGiven(t, "mutual information", f.Information.Value, c.Information)
	}
}

// TestOtherOracles: a file without names, one of a regression and one of a mixture are left out by
// name, and a case that has fewer figures is held to those that it has.
func TestOtherOracles(t *testing.T) {
	infertest.ShareOracles(t, map[string]string{
		"cavi/list.json":       `[{"kind": "mixture", "x": [1, 2]}]`,
		"cavi/regression.json": `{"X": [[1, 2], [3, 4]], "y": [1, 2], "conjugate": {"prior": {"V0": [[1, 0], [0, 1]], "a0": 2}, "cavi": {"q_tau_shape": 3}}}`,
		"cavi/mixture.json":    `{"x": [1, 2, 5.5], "K": 2, "mixture": {"prior": {"K": 2, "alpha": 1}, "cavi": {"means": [1, 2], "q_tau_shape": 3}}}`,
		"cavi/fewer.json": `{"bivariate": [{"mu": [0.3, 1], "sd": [3, 0.1], "rho": 0.6, "cavi_mean": [0.3, 1], "cavi_var": [5.76, 0.0064]},
			{"mu": [2, 2], "sd": [1e-3, 1e3], "rho": -0.7, "cavi_mean": [2, 2], "cavi_var": [5.1e-7, 5.1e5]},
			{"mu": [1, 1], "sd": [1e-5, 1], "rho": 0.1, "cavi_mean": [1, 1], "cavi_var": [9.9e-11, 0.99]}]}`,
	})
	t.Run("files", TestOracle)
}
