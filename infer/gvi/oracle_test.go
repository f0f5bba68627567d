package gvi_test

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/gvi"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/normal"
)

func method(t testing.TB, change func(*gvi.Options)) *gvi.Method {
	t.Helper()
	o := gvi.DefaultOptions()
	if change != nil {
		change(&o)
	}
	m, err := gvi.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func div(t testing.TB, name string, params ...float64) divergence.Divergence {
	t.Helper()
	d, err := divergence.New(name, params...)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// setting reads an oracle's key such as "beta=1.5_kld" or "nll_renyi=0.5".
func setting(key string) (l gvi.Loss, d divergence.Divergence, err error) {
	loss, rest, ok := strings.Cut(key, "_")
	if !ok {
		return l, nil, errors.New("no loss and divergence")
	}
	name, order, _ := strings.Cut(loss, "=")
	l.Name = name
	if order != "" {
		if l.Order, err = strconv.ParseFloat(order, 64); err != nil {
			return l, nil, err
		}
	}
	if d, err = divergenceOf(rest); err != nil {
		return l, nil, err
	}
	o := gvi.DefaultOptions()
	o.Loss, o.Divergence = l, d
	_, err = gvi.New(o)
	return l, d, err
}

// divergenceOf reads "kld" or a divergence with its number, such as "renyi=0.5".
func divergenceOf(key string) (divergence.Divergence, error) {
	name, param, ok := strings.Cut(key, "=")
	if key == "kld" {
		return divergence.New("kl", 1)
	}
	v, err := strconv.ParseFloat(param, 64)
	if !ok || err != nil {
		return nil, fmt.Errorf("no divergence and its number: %q", key)
	}
	if name == "kld_over_w" {
		name = "kl"
	}
	return divergence.New(name, v)
}

func number(t testing.TB, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

type optimum struct {
	Mean, SD, Objective float64
	UpToConstant        float64 `json:"objective_up_to_constant"`
}

type locations struct {
	X      []float64
	Model  string
	GVI    map[string]optimum
	Losses []map[string]float64 `json:"loss_values_gaussian"`
	Others []map[string]any     `json:"loss_values_discrete"`
	Prior  struct {
		X       []float64
		Model   string
		Results map[string]optimum
	} `json:"prior_robustness"`
	Check struct {
		At     struct{ M, S float64 }
		Values map[string]struct {
			Objective float64
			Gradient  [2]float64
		}
	} `json:"gradient_check"`
}

func readLocations(t testing.TB) locations {
	var o locations
	infertest.ReadOracle(t, "gvi/location.json", &o)
	return o
}

// modelOf is the model of a text for data, with the mean of the prior where the text gives it a name.
func modelOf(t testing.TB, text string, x []float64, mean float64) location {
	t.Helper()
	m, ok := infertest.ParseLocation(text)
	if !ok {
		t.Skipf("KIND NOT KNOWN: gvi/location.json: the model %q", text)
	}
	if !math.IsNaN(m.Prior.Location) {
		mean = m.Prior.Location
	}
	return newLocation(x, m.Noise, mean, m.Prior.Scale)
}

// checkOptimum compares to 1e-3 of the optimum's sd and the objective to 1e-4.
func checkOptimum(t *testing.T, key string, p *infer.Posterior, want optimum) {
	t.Helper()
	q := p.Density.(*normal.Normal)
	m, s := q.Mean()[0], q.SD()[0]
	t.Logf("%s: mean %.6f sd %.6f, oracle %.6f %.6f; %s, %d gradients", key, m, s, want.Mean, want.SD, p.Fit.Stop, p.Fit.Evaluations)
	if math.Abs(m-want.Mean) > 1e-3*want.SD || math.Abs(s-want.SD) > 1e-3*want.SD {
		t.Errorf("%s: mean %.6f and sd %.6f, the oracle has %.6f and %.6f", key, m, s, want.Mean, want.SD)
	}
	if !p.Fit.Converged {
		t.Errorf("%s: %s", key, p.Fit.Stop)
	}
}

// TestOracleLocation: losses and divergences in one dimension, where both are in
// closed form or by quadrature.
func TestOracleLocation(t *testing.T) {
	o := readLocations(t)
	model := modelOf(t, o.Model, o.X, 0)
	for key, want := range o.GVI {
		loss, d, err := setting(key)
		if err != nil {
			infertest.Unknown(t, key, err.Error())
			continue
		}
		for _, family := range []string{gvi.MeanField, gvi.FullRank, gvi.LowRank} {
			p := infertest.Fit(t, method(t, func(m *gvi.Options) {
				m.Loss, m.Divergence, m.Family, m.Scale = loss, d, family, gvi.Unconstrained // its coordinate is the parameter
			}), model, infer.Options{Seed: 1})
			checkOptimum(t, key+" "+family, p, want)
			if got := p.Fit.Objective.Value; math.Abs(got-want.Objective) > 1e-4*(1+math.Abs(want.Objective)) {
				t.Errorf("%s: objective %.6f, the oracle has %.6f", key, got, want.Objective)
			}
		}
	}
}

// TestOraclePriorRobustness: a prior far away and one that is right.
func TestOraclePriorRobustness(t *testing.T) {
	o := readLocations(t)
	for key, want := range o.Prior.Results {
		at, rest, _ := strings.Cut(strings.TrimPrefix(key, "mu0="), ",")
		mean, err1 := strconv.ParseFloat(at, 64)
		d, err2 := divergenceOf(strings.TrimPrefix(rest, "vi_"))
		if err := errors.Join(err1, err2); err != nil {
			infertest.Unknown(t, key, err.Error())
			continue
		}
		p := infertest.Fit(t, method(t, func(m *gvi.Options) { m.Divergence, m.Scale = d, gvi.Unconstrained }), modelOf(t, o.Prior.Model, o.Prior.X, mean), infer.Options{Seed: 1})
		checkOptimum(t, key, p, want)
	}
}

// TestOracleLosses: the losses of single observations.
func TestOracleLosses(t *testing.T) {
	o := readLocations(t)
	compare := func(what string, ell float64, power func(c float64) float64, values map[string]float64) {
		for key, want := range values {
			name, order, ok := strings.Cut(key, "=")
			if !ok || name != "beta" && name != "gamma" {
				continue
			}
			c := number(t, order)
			if got, _, _ := (gvi.Loss{Name: name, Order: c}).Term(ell, power(c)); math.Abs(got-want) > 1e-10*(1+math.Abs(want)) {
				t.Errorf("%s, %s: %.12g, the oracle has %.12g", what, key, got, want)
			}
		}
	}
	for _, row := range o.Losses {
		compare("normal", -row["neg_log_lik"], func(c float64) float64 {
			return -(c-1)*(logRoot2Pi+math.Log(row["sigma"])) - math.Log(c)/2
		}, row)
	}
	for _, row := range o.Others {
		values := map[string]float64{}
		for k, v := range row {
			if n, ok := v.(float64); ok {
				values[k] = n
			}
		}
		var pmf func(k float64) float64
		most := 1.0
		switch row["dist"] {
		case "bernoulli":
			pmf = func(k float64) float64 { return k*values["p"] + (1-k)*(1-values["p"]) }
		case "poisson":
			most = 200 + 20*values["rate"]
			pmf = func(k float64) float64 {
				f, _ := math.Lgamma(k + 1)
				return math.Exp(k*math.Log(values["rate"]) - values["rate"] - f)
			}
		default:
			infertest.Unknown(t, fmt.Sprint(row["dist"]), "a distribution that the test does not know")
			continue
		}
		compare(row["dist"].(string), math.Log(pmf(values["x"])), func(c float64) float64 {
			var sum float64
			for k := 0.0; k <= most; k++ {
				sum += math.Pow(pmf(k), c)
			}
			return math.Log(sum)
		}, values)
	}
}

// TestOtherOracles: the model is what the file says, and losses and divergences that are not known are
// left out by name. The optimum without either is the exact posterior.
func TestOtherOracles(t *testing.T) {
	// x = (1, 3) ~ N(theta, 2^2), theta ~ N(2, 9): precision 1/9 + 2/4, mean 2, and log p(x) of a
	// normal with covariance 4 I + 9 whose determinant is 4 (4 + 18), at distances (-1, 1) of its mean.
	sd, objective := 1/math.Sqrt(1.0/9+0.5), math.Log(2*math.Pi)+math.Log(4*22)/2+0.25
	// Under gamma = 1.3 from N(2, 9) the objective is s^2/4 - log(s)/g + log(1 + (g-1) s^2/9)/(2(g-1)) and a constant: its
	// slope is zero at the root of (g-1)/2 s^4 + (11/2 - (g-1)/g) s^2 = 9/g.
	const g = 1.3
	linear := 5.5 - (g-1)/g
	robust := math.Sqrt((-linear + math.Sqrt(linear*linear+2*(g-1)*9/g)) / (g - 1))
	lossOfZero := func(c float64) float64 { // of the standard normal at 0, whose integral of p^c is p(0)^(c-1) / sqrt(c)
		return math.Exp(-(c-1)*logRoot2Pi) * (1/math.Sqrt(c)/c - 1/(c-1))
	}
	infertest.ShareOracles(t, map[string]string{"gvi/location.json": fmt.Sprintf(`{"x": [1, 3], "model": "x_i ~ N(theta, 2^2); theta ~ N(2, 9)",
		"gvi": {"nll_kld": {"mean": 2, "sd": %.17g, "objective": %.17g}, "tsallis=0.5_kld": {}, "huber": {}, "nll_wasserstein=2": {}},
		"prior_robustness": {"x": [1, 3], "model": "x_i ~ N(theta, 4), n=2; prior N(mu0, 3^2)",
			"results": {"mu0=2,vi_kld": {"mean": 2, "sd": %.17g}, "mu0=2,gamma=1.3": {"mean": 2, "sd": %.17g}, "mu0=1,tsallis=2": {}}},
		"loss_values_gaussian": [{"neg_log_lik": %.17g, "sigma": 1, "beta=3": %.17g, "beta=1.25": %.17g, "I=3": 0}],
		"loss_values_discrete": [{"dist": "bernoulli", "p": 0.2, "x": 1, "beta=3": %.17g}, {"dist": "zeta", "s": 2, "x": 1, "beta=3": 5}]}`,
		sd, objective, sd, robust, logRoot2Pi, lossOfZero(3), lossOfZero(1.25), -0.02+(0.008+0.512)/3)})
	t.Run("optimum", TestOracleLocation)
	t.Run("losses", TestOracleLosses)
	t.Run("prior", TestOraclePriorRobustness)
}
