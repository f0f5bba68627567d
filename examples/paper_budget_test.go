//go:build unix

package examples

// This file runs ADVI as Rendsburg et al. (2022) ran it on stochastic volatility: a budget of
// 10^10 gradients for the two chains of 10,000 fits, of which some are made.

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-12b88e03/ppl/diagnose/gibbsprior"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/lang"
)

var paperSteps = flag.Int("paper-steps", 0, "steps of the Gibbs chain with the paper's ADVI for each family; 0 leaves it out")

// TestPaperBudget says, for each family, the lag-1 autocorrelation of mean(theta) and what
// 10,000 steps would take. It runs only when asked, in a time in proportion to the steps
// (mean field about 2 processor seconds a step, full rank about 11):
//
//	go test ./examples -run PaperBudget/mean -paper-steps 100 -timeout 0 -v
//
// The paper's chains have 0.75 and 0.88, which is how far its optimiser comes in its budget and
// not what the families can do: fits that converge are nearer to 1. Here 0.75 must be met
// within 4 standard errors.
func TestPaperBudget(t *testing.T) {
	if *paperSteps == 0 {
		t.Skip("the paper's budget of ADVI runs with -paper-steps STEPS only")
	}
	m := load(t, "gibbs_prior/volatility.ppl", "gibbs_prior/volatility.json")
	for _, c := range []struct {
		name   string
		method paperADVI
		paper  float64
	}{
		{"mean field", paperADVI{steps: 5000, samples: 100, rate: 1e-3}, 0.75},
		{"full rank", paperADVI{steps: 10_000, samples: 100, rate: 5e-4, full: true}, 0.88},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Short chains from the prior: there the mean moves most, and slopes are well known.
			const length = 5
			o := gibbsprior.DefaultOptions(c.method)
			o.Chains, o.Steps = max(1, *paperSteps/length), min(length, *paperSteps)
			g, err := gibbsprior.New(o)
			if err != nil {
				t.Fatal(err)
			}
			began := cpuSeconds()
			p, err := g.Run(context.Background(), m.Bound(), infer.Options{Seed: 1, Jobs: runtime.GOMAXPROCS(0), KeepUnconstrained: true})
			if err != nil {
				t.Fatal(lang.ErrorText(err))
			}
			seconds := (cpuSeconds() - began) / float64(o.Chains*o.Steps)
			slope, fault := meanSlope(p)
			t.Logf("%s: %d steps in chains of %d, %d gradients each: lag-1 autocorrelation of mean(theta) %.3f +- %.3f (the paper: %.2f); %.2f processor seconds a step, 10,000 steps on two processors: %.1f hours",
				c.name, o.Chains*o.Steps, o.Steps, c.method.steps*c.method.samples, slope, fault, c.paper, seconds, seconds*10_000/2/3600)
			if !c.method.full && math.Abs(slope-c.paper) > 4*math.Hypot(fault, 0.01) {
				t.Errorf("%s: lag-1 autocorrelation %.3f +- %.3f, the paper has %.2f", c.name, slope, fault, c.paper)
			}
		})
	}
}

// meanSlope regresses the mean of the coordinates on the one a step before, through the
// origin, about which the model is symmetric but for the data.
func meanSlope(p *infer.Posterior) (slope, fault float64) {
	var xx, xy, yy, n float64
	for c, chain := range p.Unconstrained {
		last := p.Chains[c].Init
		for _, q := range chain {
			x, y := average(last), average(q)
			xx, xy, yy, n = xx+x*x, xy+x*y, yy+y*y, n+1
			last = q
		}
	}
	slope = xy / xx
	return slope, math.Sqrt((yy - slope*xy) / (n - 1) / xx)
}

func average(q []float64) float64 {
	s := 0.0
	for _, v := range q {
		s += v / float64(len(q))
	}
	return s
}

// paperADVI is ADVI with the settings of the paper's notebooks: means uniform in (-2, 2), scales
// 0.1, Adam with a fixed rate, gradients clipped at 10, a fixed number of steps, and of
// the normal that results one draw.
type paperADVI struct {
	steps, samples int
	rate           float64
	full           bool // a full covariance; else a diagonal one
}

// Name implements infer.Method.
func (a paperADVI) Name() string { return "advi" }

// Run implements infer.Method.
func (a paperADVI) Run(ctx context.Context, m infer.Model, o infer.Options) (*infer.Posterior, error) {
	r := rng.New(o.Seed, "paper/advi", 0, o.Replicate)
	n := m.Dim()
	f := &paperFit{paperADVI: a, target: m.NewEvaluator(), n: n, r: r,
		noise: mat.NewDense(a.samples, n, nil), points: mat.NewDense(a.samples, n, nil), gradients: mat.NewDense(a.samples, n, nil)}
	f.mean, f.root = make([]float64, n), mat.NewDense(n, n, nil)
	for i := range n {
		f.mean[i] = 4*r.Float64() - 2
		f.root.Set(i, i, math.Log(0.1)) // the diagonal holds logarithms
	}
	parameters := n + n
	if a.full {
		parameters = n + n*(n+1)/2
	}
	f.adam = newAdam(a.rate, parameters)
	for range a.steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := f.step(); err != nil {
			return nil, err
		}
	}
	l := f.factor()
	flat := make([]float64, 0, n*n)
	for i := range n {
		flat = append(flat, l.RawRowView(i)...)
	}
	return &infer.Posterior{Draws: draws.New(1, nil, m.Columns()), Density: normal.NewLower(f.mean, flat)}, nil
}

// paperFit is a fit under way.
type paperFit struct {
	paperADVI
	target infer.Target
	n      int
	r      *rand.Rand
	mean   []float64
	root   *mat.Dense // lower triangular, with logarithms on the diagonal
	adam   *adam

	noise, points, gradients *mat.Dense // a sample a row
}

// factor is the lower root of the covariance.
func (f *paperFit) factor() *mat.Dense {
	l := mat.DenseCopyOf(f.root)
	for i := range f.n {
		l.Set(i, i, math.Exp(l.At(i, i)))
	}
	return l
}

// step makes one step up the evidence lower bound.
func (f *paperFit) step() error {
	l := f.factor()
	for s := range f.samples {
		z := f.noise.RawRowView(s)
		for i := range z {
			z[i] = f.r.NormFloat64()
		}
	}
	if f.full {
		f.points.Mul(f.noise, l.T())
	} else {
		f.points.Apply(func(_, j int, z float64) float64 { return z * l.At(j, j) }, f.noise)
	}
	for s := range f.samples {
		q := f.points.RawRowView(s)
		for i := range q {
			q[i] += f.mean[i]
		}
		if _, err := f.target.LogDensityGrad(q, f.gradients.RawRowView(s)); err != nil {
			return err
		}
	}
	f.adam.begin()
	for i := range f.n {
		f.mean[i] += f.adam.move(f.covariance(-1, i))
	}
	if f.full {
		f.stepFull(l)
		return nil
	}
	for i := range f.n {
		f.root.Set(i, i, f.root.At(i, i)+f.adam.move(f.covariance(i, i)*l.At(i, i)+1))
	}
	return nil
}

func (f *paperFit) stepFull(l *mat.Dense) {
	var slope mat.Dense
	slope.Mul(f.gradients.T(), f.noise)
	for i := range f.n {
		for j := range i {
			f.root.Set(i, j, f.root.At(i, j)+f.adam.move(slope.At(i, j)/float64(f.samples)))
		}
		f.root.Set(i, i, f.root.At(i, i)+f.adam.move(slope.At(i, i)/float64(f.samples)*l.At(i, i)+1))
	}
}

// covariance is the mean over samples of the gradient's coordinate i times the noise's
// coordinate k; without it for k = -1.
func (f *paperFit) covariance(k, i int) float64 {
	sum := 0.0
	for s := range f.samples {
		g := f.gradients.At(s, i)
		if k >= 0 {
			g *= f.noise.At(s, k)
		}
		sum += g
	}
	return sum / float64(f.samples)
}

// adam is the optimiser of Kingma and Ba (2015), upwards, with clipped gradients.
type adam struct {
	rate, first, second float64
	powers              [2]float64
	m, v                []float64
	at                  int
}

func newAdam(rate float64, n int) *adam {
	return &adam{rate: rate, first: 0.9, second: 0.999, powers: [2]float64{1, 1}, m: make([]float64, n), v: make([]float64, n)}
}

// begin begins a step, in which move is called for all parameters in the same order.
func (a *adam) begin() {
	a.at = 0
	a.powers[0] *= a.first
	a.powers[1] *= a.second
}

// move is by how much a parameter goes.
func (a *adam) move(gradient float64) float64 {
	g := min(max(gradient, -10), 10)
	k := a.at
	a.at++
	a.m[k] += (1 - a.first) * (g - a.m[k])
	a.v[k] += (1 - a.second) * (g*g - a.v[k])
	return a.rate * a.m[k] / (1 - a.powers[0]) / (math.Sqrt(a.v[k]/(1-a.powers[1])) + 1e-8)
}
