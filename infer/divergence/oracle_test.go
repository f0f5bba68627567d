package divergence_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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

// oracleCase is of one kind of pair: q and pi are two numbers, mean and variance of a normal;
// mean and covariance; or a, b, mean and the diagonal of V of a normal-inverse-gamma density.
type oracleCase struct {
	Name   string
	Q, Pi  json.RawMessage
	Values values
	Curve  values
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

// univariate reads mean and variance of a normal distribution.
func univariate(q, pi json.RawMessage) (pairs []divergence.Pair, err error) {
	var to, from [2]float64
	if err := errors.Join(infertest.DecodeKnown(q, &to), infertest.DecodeKnown(pi, &from)); err != nil {
		return nil, err
	}
	theta := func(p [2]float64) []float64 { return []float64{p[0], math.Log(p[1]) / 2} }
	e := divergence.NewExponential(divergence.Normal{}, theta(from))
	e.Move(theta(to))
	g, err := moved(gaussian{to[:1], [][]float64{to[1:]}}, gaussian{from[:1], [][]float64{from[1:]}})
	return []divergence.Pair{e, g}, err
}

// multivariate reads means and covariances.
func multivariate(q, pi json.RawMessage) (pairs []divergence.Pair, err error) {
	var to, from gaussian
	if err := errors.Join(json.Unmarshal(q, &to), json.Unmarshal(pi, &from)); err != nil {
		return nil, err
	}
	g, err := moved(to, from)
	return []divergence.Pair{g}, err
}

// moved is a pair of normal distributions.
func moved(q, pi gaussian) (*divergence.Gaussian, error) {
	k := len(pi.mean)
	if len(q.mean) != k || len(q.flat()) != k*k || len(pi.flat()) != k*k {
		return nil, errors.New("sizes that do not belong together")
	}
	g, err := divergence.NewGaussian(pi.mean, mat.NewSymDense(k, pi.flat()))
	if err != nil {
		return nil, err
	}
	return g, g.Move(q.mean, q.flat())
}

// normalInverseGamma reads a, b, mean and the diagonal of V.
func normalInverseGamma(q, pi json.RawMessage) (pairs []divergence.Pair, err error) {
	var to, from nig
	if err := errors.Join(json.Unmarshal(q, &to), json.Unmarshal(pi, &from)); err != nil {
		return nil, err
	}
	if len(to.mean) != len(from.mean) || len(to.v) != len(to.mean) || len(from.v) != len(from.mean) {
		return nil, errors.New("sizes that do not belong together")
	}
	e := divergence.NewExponential(divergence.NormalInverseGamma{K: len(from.mean)}, from.theta())
	e.Move(to.theta())
	return []divergence.Pair{e}, nil
}

// TestOracleDivergences compares closed forms with the shared oracle.
func TestOracleDivergences(t *testing.T) {
	n := 0
	for file, members := range infertest.ReadKinds(t, "gvi/divergences*.json") {
		for kind, text := range members {
			if !bytes.HasPrefix(text, []byte("[")) {
				continue // a remark, or one of the checks of printed formulas
			}
			where := file + " " + kind
			var cases []oracleCase
			if err := json.Unmarshal(text, &cases); err != nil {
				infertest.Unknown(t, where, err.Error())
				continue
			}
			read := multivariate
			switch {
			case kind == "gaussian_1d":
				read = univariate
			case kind == "nig":
				read = normalInverseGamma
			case !strings.HasPrefix(kind, "gaussian"):
				infertest.Unknown(t, where, "a family that the test does not know")
				continue
			}
			for i, c := range cases {
				what := fmt.Sprintf("%s %d %s", kind, i, c.Name)
				pairs, err := read(c.Q, c.Pi)
				if err != nil {
					infertest.Unknown(t, what, err.Error())
					continue
				}
				for _, p := range pairs {
					n += compare(t, what, p, c.Values) + compare(t, what, p, c.Curve)
				}
			}
		}
	}
	t.Logf("%d values", n)
}

// TestOtherOracles: infinite values, other dimensions, and kinds that are left out by name.
func TestOtherOracles(t *testing.T) {
	kl := (6 - 3 + 1 - math.Log(6)) / 2 // of N(0, diag(1, 2, 3)) from N((0, 0, 1), I)
	normals := fmt.Sprintf(`[{"q": [[0, 0, 0], [[1, 0, 0], [0, 2, 0], [0, 0, 3]]], "pi": [[0, 0, 1], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]], "values": {"kld": %.17g}},
		{"q": [[0, 0], [[4, 0], [0, 1]]], "pi": [[0, 0], [[1, 0], [0, 1]]], "values": {"alpha": {"2.0": null}, "renyi": {"2.0": null}}},
		{"q": [[0, 0], [[4, 0]]], "pi": [[0, 0], [[1, 0], [0, 1]]], "values": {}}]`, kl)
	infertest.ShareOracles(t, map[string]string{"gvi/divergences.json": `{"note": "a remark", "gaussian_3d": ` + normals + `, "gaussian_2d": ` + normals + `,
		"gaussian_1d": [{"q": [0, 4], "pi": [0, 1], "values": {"alpha": {"2": null}, "tsallis": {"0.5": 1}, "hellinger": 0.3}}],
		"wishart": [{"q": [1, 2], "pi": [2, 3], "values": {"kld": 0.1}}]}`})
	t.Run("files", TestOracleDivergences)
}
