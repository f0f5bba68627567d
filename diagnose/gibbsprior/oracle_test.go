package gibbsprior

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/infer/normal"
)

// A toy is a model whose simulators are functions. Data are vectors.
type toy struct {
	*infertest.Model
	y     []float64
	prior func(r *rand.Rand, q []float64)
	data  func(r *rand.Rand, q []float64) []float64
}

type numbers []float64

func (n numbers) Numbers() []float64 { return n }

func (t *toy) DrawJoint(r *rand.Rand, q []float64) (infer.Dataset, error) {
	t.prior(r, q)
	return numbers(t.data(r, q)), nil
}

func (t *toy) DrawData(r *rand.Rand, q []float64) (infer.Dataset, error) {
	return numbers(t.data(r, q)), nil
}

func (t *toy) Rebound(y infer.Dataset) (infer.Model, error) {
	again := *t
	again.y = y.Numbers()
	return &again, nil
}

// An answer is a method that draws one point by a function of the data.
type answer struct {
	name string
	draw func(r *rand.Rand, y, q []float64)
}

func (a answer) Name() string { return a.name }

func (a answer) Run(_ context.Context, m infer.Model, o infer.Options) (*infer.Posterior, error) {
	q := make([]float64, m.Dim())
	a.draw(rand.New(rand.NewPCG(o.Seed, o.Replicate)), m.(*toy).y, q)
	return &infer.Posterior{Draws: draws.New(1, nil, m.Columns()), Unconstrained: [][][]float64{{q}}}, nil
}

func flat(n int) *infertest.Model {
	return infertest.FromFunc(n, func(_, grad []float64) (float64, error) { clear(grad); return 0, nil })
}

func lowerOf(t *testing.T, cov [][]float64) []float64 {
	t.Helper()
	n := len(cov)
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			s.SetSym(i, j, cov[i][j])
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(s) {
		t.Fatal("a covariance is not positive definite")
	}
	var l mat.TriDense
	chol.LTo(&l)
	out := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			out[i*n+j] = l.At(i, j)
		}
	}
	return out
}

type meanField struct {
	Var     []float64   `json:"q_var"`
	A       [][]float64 `json:"A"`
	Cov     [][]float64 `json:"gibbs_cov"`
	Entropy float64     `json:"entropy_gibbs"`
}

type setting struct {
	Prior     [][]float64 `json:"Sigma0"`
	Noise     [][]float64 `json:"Sigma"`
	Posterior [][]float64 `json:"posterior_cov"`
	Entropy   float64     `json:"entropy_prior"`
	Forward   meanField   `json:"forward"`
	Reverse   meanField   `json:"reverse"`
}

type toyGaussian struct {
	Settings map[string]setting `json:"settings"`
}

// gaussian is the toy model of a setting.
func gaussian(t *testing.T, s setting) *toy {
	prior := normal.NewLower(make([]float64, 2), lowerOf(t, s.Prior))
	noise := normal.NewLower(make([]float64, 2), lowerOf(t, s.Noise))
	return &toy{Model: flat(2), y: []float64{0, 0}, prior: prior.Draw, data: func(r *rand.Rand, q []float64) []float64 {
		y := make([]float64, 2)
		noise.Draw(r, y)
		return []float64{y[0] + q[0], y[1] + q[1]}
	}}
}

// gaussianAnswer draws from a normal with the exact mean and the given root of the
// covariance; A is the matrix from data to mean.
func gaussianAnswer(name string, a [][]float64, root []float64) answer {
	q := normal.NewLower(make([]float64, 2), root)
	return answer{name, func(r *rand.Rand, y, x []float64) {
		q.Draw(r, x)
		for i := range x {
			x[i] += a[i][0]*y[0] + a[i][1]*y[1]
		}
	}}
}

// known reports whether the test can run a setting, which it else skips by name.
func (s setting) known(t *testing.T, name string) bool {
	t.Helper()
	for _, m := range [][][]float64{s.Prior, s.Noise, s.Posterior} {
		if len(m) != 2 || len(m[0]) != 2 {
			infertest.Unknown(t, name, "the test knows covariances of two numbers")
			return false
		}
	}
	return true
}

// apart is the divergence KL(N(0, a)||N(0, b)) of two covariances.
func apart(a, b [][]float64) float64 {
	det := func(m [][]float64) float64 { return m[0][0]*m[1][1] - m[0][1]*m[1][0] }
	trace := (b[1][1]*a[0][0] - 2*b[0][1]*a[0][1] + b[0][0]*a[1][1]) / det(b)
	return (trace - 2 - math.Log(det(a)/det(b))) / 2
}

func diagonalRoot(v []float64) []float64 {
	return []float64{math.Sqrt(v[0]), 0, 0, math.Sqrt(v[1])}
}

// TestOracleToyGaussian runs Tables 1 and 2 with the mean-field approximations in closed
// form: entries of the Gibbs prior's covariance within 5 standard errors by the effective
// number of draws, its entropy within 0.1 nats (5 errors at 1000 effective draws, of which
// there are more), and the verdict must not be good where that prior is more than 0.03 nats from
// the stated one, as it is in the tables. It is not bad everywhere: under the
// correlated likelihood the reverse approximation leaves the marginals nearly as they are
// (sd 0.94 for 1), and only the discrepancy and the triples see it, here with p = 0.007.
// With the exact posterior the prior comes back, and the verdict must be good (fixed
// seed; a false alarm in 100).
func TestOracleToyGaussian(t *testing.T) {
	for _, o := range infertest.ReadOracles[toyGaussian](t, "gibbs_prior/toy_gaussian*.json") {
		for name, s := range o.Settings {
			if !s.known(t, name) {
				continue
			}
			model := gaussian(t, s)
			for kind, c := range map[string]struct {
				root    []float64
				cov     [][]float64
				entropy float64
				good    bool
			}{
				"forward": {diagonalRoot(s.Forward.Var), s.Forward.Cov, s.Forward.Entropy, false},
				"reverse": {diagonalRoot(s.Reverse.Var), s.Reverse.Cov, s.Reverse.Entropy, false},
				"exact":   {lowerOf(t, s.Posterior), s.Prior, s.Entropy, true},
			} {
				if !subset.Has(name+kind, 2) {
					continue
				}
				opt := DefaultOptions(gaussianAnswer(kind, s.Forward.A, c.root))
				opt.Steps = 5000
				d, err := NewDiagnosis(opt)
				if err != nil {
					t.Fatal(err)
				}
				v, err := d.Diagnose(context.Background(), model, infer.Options{Seed: 4, Jobs: 2})
				if err != nil {
					t.Fatal(err)
				}
				m, err := New(opt)
				if err != nil {
					t.Fatal(err)
				}
				p, err := m.Run(context.Background(), model, infer.Options{Seed: 4, Jobs: 2, KeepUnconstrained: true})
				if err != nil {
					t.Fatal(err)
				}
				var got, errs [3]float64
				for k, ij := range [3][2]int{{0, 0}, {0, 1}, {1, 1}} {
					x := make([][]float64, len(p.Unconstrained))
					for i, chain := range p.Unconstrained {
						for _, q := range chain[500:] {
							x[i] = append(x[i], q[ij[0]]*q[ij[1]])
						}
					}
					got[k], errs[k] = draws.Mean(x), draws.MCSEMean(x)
					if want := c.cov[ij[0]][ij[1]]; math.Abs(got[k]-want) > 5*errs[k] {
						t.Errorf("%s, %s: covariance %v is %.4f +- %.4f, the oracle has %.4f", name, kind, ij, got[k], errs[k], want)
					}
				}
				f := v.Figures.(*Figures)
				if math.Abs(float64(f.Entropy.Gibbs)-c.entropy) > 0.1 {
					t.Errorf("%s, %s: entropy %.3f, the oracle has %.3f", name, kind, f.Entropy.Gibbs, c.entropy)
				}
				t.Logf("%s, %s: entropy %.3f, oracle %.3f; covariance %.3f %.3f %.3f (errors %.3f), oracle %.3f %.3f %.3f; %s, lag-1 %.3f, R-hat %.3f, MMD p %.3g, triples p %.3g",
					name, kind, f.Entropy.Gibbs, c.entropy, got[0], got[1], got[2], errs[1], c.cov[0][0], c.cov[0][1], c.cov[1][1], v.Severity, f.Autocorrelation, f.RHat, float64(f.MMD.P), float64(f.Exchange.P))
				seen := c.good || apart(c.cov, s.Prior) > 0.03
				if seen && (v.Severity == diagnose.None || (v.Severity == diagnose.Good) != c.good) {
					t.Errorf("%s, %s: the verdict is %s: %s", name, kind, v.Severity, v.Summary)
				}
			}
		}
	}
}

type example4 struct {
	Example struct {
		F     [][]float64 `json:"F"`
		Q     [][]float64 `json:"Q"`
		Tilde [][]float64 `json:"Q_tilde"`
		Gibbs []float64   `json:"gibbs_prior"`
		Data  []float64   `json:"p_G"`
		OfQ   struct {
			TV float64 `json:"total_variation"`
		} `json:"incompatibility_Q"`
	} `json:"example4"`
}

func pick(r *rand.Rand, p []float64) float64 {
	u := r.Float64()
	for i, v := range p {
		if u -= v; u < 0 {
			return float64(i)
		}
	}
	return float64(len(p) - 1)
}

// TestOracleExample4: the finite chain. Frequencies of states and data, and the total
// variation between the laws of (t_k, y_k) and (t_{k+1}, y_k), within 5 errors of 40,000
// nearly independent steps.
func TestOracleExample4(t *testing.T) {
	for _, o := range infertest.ReadOracles[example4](t, "gibbs_prior/examples_4_and_7*.json") {
		e := o.Example
		if len(e.F) != 2 || len(e.F[0]) != 3 || len(e.F[1]) != 3 || len(e.Q) != 3 {
			infertest.Unknown(t, "finite chain", "no two states and three data")
			continue
		}
		model := &toy{Model: flat(1), prior: func(r *rand.Rand, q []float64) { q[0] = pick(r, []float64{0.5, 0.5}) },
			data: func(r *rand.Rand, q []float64) []float64 { return []float64{pick(r, e.F[int(q[0])])} }}
		s, err := newSampler(DefaultOptions(answer{"Q", func(r *rand.Rand, y, q []float64) { q[0] = pick(r, e.Q[int(y[0])]) }}), model, infer.Options{Seed: 6})
		if err != nil {
			t.Fatal(err)
		}
		const steps = 40_000
		all, err := s.begin(1, 1)
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.chains(context.Background(), all, steps, 1, func(int, []float64, []float64) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		c := all[0]
		var state [2]float64
		var seen [3]float64
		var before, after [2][3]float64
		for k, y := range c.Data {
			a, b, j := int(c.Points[k][0]), int(c.Points[k+1][0]), int(y[0])
			state[a] += 1.0 / steps
			seen[j] += 1.0 / steps
			before[a][j] += 1.0 / steps
			after[b][j] += 1.0 / steps
		}
		var tv float64
		for i := range before {
			for j := range before[i] {
				tv += math.Abs(before[i][j]-after[i][j]) / 2
			}
		}
		t.Logf("states %.4f (oracle %.4f), data %.4f (%.4f), total variation %.4f (%.4f)", state, e.Gibbs, seen, e.Data, tv, e.OfQ.TV)
		const bound = 5 * 0.5 / 200 // five errors of a frequency
		for i := range state {
			if math.Abs(state[i]-e.Gibbs[i]) > bound {
				t.Errorf("state %d: frequency %.4f, the oracle has %.4f", i, state[i], e.Gibbs[i])
			}
		}
		for j := range seen {
			if math.Abs(seen[j]-e.Data[j]) > bound {
				t.Errorf("data %d: frequency %.4f, the oracle has %.4f", j, seen[j], e.Data[j])
			}
		}
		if math.Abs(tv-e.OfQ.TV) > bound {
			t.Errorf("total variation %.4f, the oracle has %.4f", tv, e.OfQ.TV)
		}
	}
}

// TestFalseAlarms: an exact method, 5 repetitions with 4 chains of 500 steps, or as many
// as PPL_REPETITIONS says. Warnings are held at 1 % by the method, so that more than one
// in 5 happens by chance once in 1000 runs. Of 200 repetitions, all were good.
func TestFalseAlarms(t *testing.T) {
	s := setting{Prior: [][]float64{{1, 0.3}, {0.3, 1}}, Noise: [][]float64{{1, 0}, {0, 1}}}
	// posterior covariance (S0^-1 + I)^-1 = S0 (S0 + I)^-1, which is A, too.
	a := 1 / (4 - 0.09)
	post := [][]float64{{a * (2 - 0.09), a * (0.6 - 0.3)}, {a * (0.6 - 0.3), a * (2 - 0.09)}}
	model := gaussian(t, s)
	count := map[diagnose.Severity]int{}
	repetitions := 5
	if n, err := strconv.Atoi(os.Getenv("PPL_REPETITIONS")); err == nil {
		repetitions = n
	}
	for seed := range uint64(repetitions) {
		opt := DefaultOptions(gaussianAnswer("exact", post, lowerOf(t, post)))
		opt.Steps = 500
		d, err := NewDiagnosis(opt)
		if err != nil {
			t.Fatal(err)
		}
		v, err := d.Diagnose(context.Background(), model, infer.Options{Seed: seed + 1, Jobs: 2})
		if err != nil {
			t.Fatal(err)
		}
		count[v.Severity]++
	}
	t.Logf("of %d verdicts on an exact method: %v", repetitions, count)
	if alarms := count[diagnose.Warning] + count[diagnose.Bad]; alarms > 1+repetitions/25 {
		t.Errorf("%d false alarms of %d", alarms, repetitions)
	}
}

// TestOtherExamples: a file without these examples, or with chains of other sizes, is left out by name.
func TestOtherExamples(t *testing.T) {
	infertest.ShareOracles(t, map[string]string{
		"gibbs_prior/examples_4_and_7.json":   `{"example4": {"F": [[0.5, 0.5], [0.1, 0.9]], "Q": [[1, 0], [0, 1]]}}`,
		"gibbs_prior/examples_4_and_7_b.json": `{"example7": [1, 2]}`,
	})
	t.Run("4", TestOracleExample4)
	t.Run("7", TestOracleExample7)
}
