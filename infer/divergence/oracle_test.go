package divergence_test

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/autodiff/mat"

	"github.com/seed-12b88e03/ppl/infer/divergence"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

// values are an oracle's: for each kind a number, or numbers by parameter.
type values map[string]json.RawMessage

type oracle struct {
	Gaussian1 []struct {
		Q, Pi  [2]float64 // mean and variance
		Values values
	} `json:"gaussian_1d"`
	Gaussian2 []struct {
		Q, Pi  gaussian
		Values values
	} `json:"gaussian_2d"`
	NIG []struct {
		Name   string
		Q, Pi  nig
		Values values
		Curve  values
	} `json:"nig"`
}

type gaussian struct {
	mean []float64
	cov  [][]float64
}

// UnmarshalJSON implements json.Unmarshaler.
func (g *gaussian) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&g.mean, &g.cov})
}

func (g gaussian) flat() []float64 {
	var out []float64
	for _, row := range g.cov {
		out = append(out, row...)
	}
	return out
}

type nig struct {
	a, b    float64
	mean, v []float64
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *nig) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, &[]any{&n.a, &n.b, &n.mean, &n.v})
}

func (n nig) theta() []float64 {
	out := append([]float64{math.Log(n.a), math.Log(n.b)}, n.mean...)
	for _, v := range n.v {
		out = append(out, math.Log(v))
	}
	return out
}

// compare checks all values of an oracle to a relative 1e-8 and returns how many.
// What the printed limits r -> 0 give, which do not hold, is passed over.
func compare(t *testing.T, what string, p divergence.Pair, all values) (n int) {
	t.Helper()
	names := map[string]string{"kld": "kl", "kld_over_w": "kl"}
	for kind, raw := range all {
		if strings.HasPrefix(kind, "abr_printed") {
			continue
		}
		byParam := map[string]infertest.Number{}
		var single infertest.Number
		if json.Unmarshal(raw, &single) == nil {
			byParam["1"] = single
		} else if err := json.Unmarshal(raw, &byParam); err != nil {
			infertest.Unknown(t, what+" "+kind, err.Error())
			continue
		}
		name := kind
		if other := names[kind]; other != "" {
			name = other
		}
		for params, number := range byParam {
			d, err := divergenceOf(name, params)
			if err != nil {
				infertest.Unknown(t, what+" "+kind+" "+params, err.Error())
				continue
			}
			n++
			got, want := d.Value(p), float64(number)
			if got != want && !(math.Abs(got-want) <= 1e-8*(1+math.Abs(want)) && !math.IsInf(want, 0)) {
				t.Errorf("%s, %s: %.12g, the oracle has %.12g", what, d, got, want)
			}
		}
	}
	return n
}

// divergenceOf reads a divergence with its numbers, separated by commas.
func divergenceOf(name, params string) (divergence.Divergence, error) {
	var args []float64
	for _, s := range strings.Split(params, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	return divergence.New(name, args...)
}

// TestOracleDivergences compares closed forms with the shared oracle.
func TestOracleDivergences(t *testing.T) {
	var o oracle
	infertest.ReadOracle(t, "gvi/divergences.json", &o)
	n := 0
	for _, c := range o.Gaussian1 {
		theta := func(p [2]float64) []float64 { return []float64{p[0], math.Log(p[1]) / 2} }
		e := divergence.NewExponential(divergence.Normal{}, theta(c.Pi))
		e.Move(theta(c.Q))
		n += compare(t, "normal", e, c.Values)
		g, err := divergence.NewGaussian(c.Pi[:1], mat.NewSymDense(1, []float64{c.Pi[1]}))
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Move(c.Q[:1], c.Q[1:]); err != nil {
			t.Fatal(err)
		}
		n += compare(t, "gaussian", g, c.Values)
	}
	for _, c := range o.Gaussian2 {
		g, err := divergence.NewGaussian(c.Pi.mean, mat.NewSymDense(2, c.Pi.flat()))
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Move(c.Q.mean, c.Q.flat()); err != nil {
			t.Fatal(err)
		}
		n += compare(t, "gaussian in two dimensions", g, c.Values)
	}
	for _, c := range o.NIG {
		e := divergence.NewExponential(divergence.NormalInverseGamma{K: len(c.Q.mean)}, c.Pi.theta())
		e.Move(c.Q.theta())
		n += compare(t, c.Name, e, c.Values) + compare(t, c.Name, e, c.Curve)
	}
	t.Logf("%d values", n)
}
