package laplace_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/approx"
	"github.com/seed-12b88e03/ppl/infer/infertest"
	"github.com/seed-12b88e03/ppl/infer/laplace"
	"github.com/seed-12b88e03/ppl/infer/normal"
	"github.com/seed-12b88e03/ppl/infer/optimize"
)

func run(t *testing.T, m infer.Model, ctx context.Context, o infer.Options) (*infer.Posterior, error) {
	t.Helper()
	method, err := laplace.New(laplace.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	return method.Run(ctx, m, o)
}

func fit(t *testing.T, m infer.Model, o infer.Options) *infer.Posterior {
	t.Helper()
	p, err := run(t, m, t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sumOfLogNormals is mu ~ normal(0, 1), s2 ~ gamma(1, 1) over (mu, log s2),
// with one y that is log-normal with the first two moments of a sum of ten
// log-normals (Fenton and Wilkinson).
func sumOfLogNormals(y float64) *infertest.Model {
	const terms = 10
	return infertest.FromFunc(2, func(q, grad []float64) (float64, error) {
		mu, s2 := q[0], math.Exp(q[1])
		inner := 1 + math.Expm1(s2)/terms
		v := math.Log(inner)
		dv := math.Exp(s2) / terms / inner
		z := math.Log(y) - (math.Log(terms) + mu + s2/2 - v/2)
		if grad != nil {
			grad[0] = -mu + z/v
			grad[1] = 1 + s2*(-1+z/v*(0.5-dv/2)+dv*(z*z/v-1)/(2*v))
		}
		return -mu*mu/2 - math.Log(2*math.Pi) - s2 + q[1] - math.Log(y) - math.Log(v)/2 - z*z/(2*v), nil
	})
}

// TestOracleLognormal compares modes and covariances with the shared oracle to
// 1e-5 relative.
func TestOracleLognormal(t *testing.T) {
	type file struct {
		Cases []struct {
			Y     float64 `json:"y"`
			Mu    float64 `json:"mode_mu"`
			Log   float64 `json:"mode_log_sigma2"`
			VarMu float64 `json:"var_mu"`
			Cov   float64 `json:"cov"`
			Var   float64 `json:"var_log_sigma2"`
		} `json:"cases"`
	}
	for _, f := range infertest.ReadOracles[file](t, "gibbs_prior/lognormal_laplace_fixed*.json") {
		for _, c := range f.Cases {
			p := fit(t, sumOfLogNormals(c.Y), infer.Options{Seed: 1})
			n := p.Density.(*normal.Normal)
			cov := make([]float64, 4)
			n.Covariance(cov)
			for what, pair := range map[string][2]float64{
				"mode of mu": {n.Mean()[0], c.Mu}, "mode of log s2": {n.Mean()[1], c.Log},
				"variance of mu": {cov[0], c.VarMu}, "covariance": {cov[1], c.Cov}, "variance of log s2": {cov[3], c.Var},
			} {
				if math.Abs(pair[0]/pair[1]-1) > 1e-5 {
					t.Errorf("y = %g: %s is %.9g, the oracle has %.9g", c.Y, what, pair[0], pair[1])
				}
			}
			if !p.Fit.Converged {
				t.Errorf("y = %g: %s", c.Y, p.Fit.Stop)
			}
		}
	}
}

// hessians are log densities with their exact Hessian at a point: curved,
// and over scales from 1e-6 to 1e6.
func TestHessian(t *testing.T) {
	scales := []float64{1e-6, 1, 1e6}
	m := infertest.FromFunc(3, func(q, grad []float64) (float64, error) {
		u, v, w := q[0]/scales[0], q[1]/scales[1], q[2]/scales[2]
		s := math.Exp(u + 0.5*v)
		if grad != nil {
			grad[0] = (-s - u) / scales[0]
			grad[1] = (-0.5*s - math.Sin(v)*w) / scales[1]
			grad[2] = (math.Cos(v) - w*w*w) / scales[2]
		}
		return -s - u*u/2 + math.Cos(v)*w - w*w*w*w/4, nil
	})
	u, v, w := 0.3, -0.4, 1.7
	s := math.Exp(u + 0.5*v)
	want := []float64{-s - 1, -s / 2, 0, -s / 2, -s/4 - math.Cos(v)*w, -math.Sin(v), 0, -math.Sin(v), -3 * w * w}
	h, err := optimize.NewHessian(m.NewEvaluator(), []float64{u * scales[0], v * scales[1], w * scales[2]})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		for j := range 3 {
			got, size := h.At[i*3+j]*scales[i]*scales[j], math.Sqrt(want[i*3+i]*want[j*3+j])
			if math.Abs(got-want[i*3+j]) > 1e-7*size {
				t.Errorf("entry %d,%d is %.10g, exactly %.10g", i, j, got, want[i*3+j])
			}
		}
	}
	if h.Error > 1e-6 {
		t.Errorf("the error is said to be %g", h.Error)
	}
}

// A gradient with errors of 1e-7 of its size, as differential equation solvers
// have: the differences widen until they do not matter.
func TestHessianOfNoisyGradient(t *testing.T) {
	var last uint64
	m := infertest.FromFunc(1, func(q, grad []float64) (float64, error) {
		last = last*6364136223846793005 + 1442695040888963407
		noise := 1e-7 * (float64(last>>11)/(1<<53) - 0.5)
		if grad != nil {
			grad[0] = 3 - math.Exp(q[0]) + noise
		}
		return 3*q[0] - math.Exp(q[0]), nil
	})
	h, err := optimize.NewHessian(m.NewEvaluator(), []float64{math.Log(3)})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(h.At[0]/-3-1) > 1e-5 {
		t.Errorf("curvature %.8g, exactly -3 (error said to be %g)", h.At[0], h.Error)
	}
}

// Right beside the end of the support.
func TestHessianNearTheEnd(t *testing.T) {
	m := infertest.FromFunc(1, func(q, grad []float64) (float64, error) {
		if q[0] <= 0 {
			return 0, infer.Reject("out of the support")
		}
		if grad != nil {
			grad[0] = 1/q[0] - 1e6
		}
		return math.Log(q[0]) - 1e6*q[0], nil
	})
	h, err := optimize.NewHessian(m.NewEvaluator(), []float64{1e-6})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(h.At[0]/-1e12-1) > 1e-5 {
		t.Errorf("curvature %g, exactly -1e12", h.At[0])
	}
}

// A normal target is met exactly: density, evidence bound, Pareto shape.
func TestNormalTargetIsExact(t *testing.T) {
	for _, c := range []infertest.Case{infertest.Correlated(0.9), infertest.Independent("50 scales", infertest.Scales(50))} {
		p := fit(t, c.Model, infer.Options{Seed: 2})
		n := p.Density.(*normal.Normal)
		sd := n.SD()
		for i := range sd {
			if math.Abs(n.Mean()[i]-c.Mean[i]) > 1e-6*c.SD[i] || math.Abs(sd[i]/c.SD[i]-1) > 1e-6 {
				t.Errorf("%s: coordinate %d has mean %g and sd %g", c.Name, i, n.Mean()[i], sd[i])
			}
		}
		// the targets' log density is 0 at the mean, so the evidence is that of the norm
		if want := n.Entropy() - float64(n.Dim())/2; math.Abs(p.Fit.ELBO.Value-want) > 1e-6*math.Abs(want) {
			t.Errorf("%s: evidence lower bound %g, exactly %g", c.Name, p.Fit.ELBO.Value, want)
		}
		if !(p.Fit.ParetoK < 0.7) || !p.Fit.Converged || p.Draws.Total() != 1000 {
			t.Errorf("%s: k %g, %s, %d draws", c.Name, p.Fit.ParetoK, p.Fit.Stop, p.Draws.Total())
		}
	}
}

// A flat direction and a ridge of infinite density have no normal
// approximation; the error names the coordinate.
func TestCurvatureError(t *testing.T) {
	m := infertest.FromFunc(2, func(q, grad []float64) (float64, error) {
		if grad != nil {
			grad[0], grad[1] = -q[0], 0
		}
		return -q[0] * q[0] / 2, nil
	})
	_, err := run(t, m, t.Context(), infer.Options{})
	var c *laplace.CurvatureError
	if !errors.As(err, &c) || c.Coordinate != 1 || !strings.Contains(err.Error(), "coordinate 2") {
		t.Errorf("a flat direction: %v", err)
	}
}

// The draws are those of the density that comes with them. 2 means at 5
// standard errors.
func TestDrawsAndColumns(t *testing.T) {
	p := fit(t, infertest.Correlated(0.9).Model, infer.Options{Seed: 3, KeepUnconstrained: true})
	a, ok := p.Approximation()
	if !ok {
		t.Fatal("no approximation to draw from")
	}
	var mean [2]float64
	for i, q := range p.Unconstrained[0] {
		row := p.Draws.Row(0, i)
		if row[p.Draws.Index(approx.Stats[len(approx.Stats)-1])] != a.LogDensity(q) || row[p.Draws.Index("q.1")] != q[0] {
			t.Fatalf("draw %d: row %v at %v", i, row, q)
		}
		mean[0] += q[0] / 1000
		mean[1] += q[1] / 1000
	}
	if bound := 5 / math.Sqrt(1000); math.Abs(mean[0]-1) > bound || math.Abs(mean[1]+2) > bound {
		t.Errorf("means %v, exactly 1 and -2", mean)
	}
}

func TestCancelledRun(t *testing.T) {
	for _, after := range []int{3, 60, 500} { // in the search, in the Hessian or draws, in the draws
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		inner := infertest.Correlated(0.5).Model.New()
		m := infertest.FromFunc(2, func(q, grad []float64) (float64, error) {
			if n++; n == after {
				cancel()
			}
			return inner(q, grad)
		})
		p, err := run(t, m, ctx, infer.Options{Seed: 1})
		if err != nil || !p.Incomplete || p.Draws.Total() >= 1000 {
			t.Errorf("cancelled after %d evaluations: error %v, %d draws", after, err, p.Draws.Total())
		}
		if after == 500 && (p.Draws.Total() < 100 || p.Density == nil) {
			t.Errorf("cancelled in the draws: %d draws", p.Draws.Total())
		}
	}
}

func TestFailures(t *testing.T) {
	fatal := errors.New("no memory")
	if _, err := run(t, infertest.FromFunc(1, func(_, _ []float64) (float64, error) { return 0, fatal }), t.Context(), infer.Options{}); !errors.Is(err, fatal) {
		t.Errorf("stop: %v", err)
	}
	var bug *infer.PanicError
	if _, err := run(t, infertest.FromFunc(1, func(_, _ []float64) (float64, error) { panic("index") }), t.Context(), infer.Options{}); !errors.As(err, &bug) {
		t.Errorf("bug: %v", err)
	}
}

func TestDeterministic(t *testing.T) {
	var rows [][]float64
	for range 2 {
		p := fit(t, infertest.Banana(0.7).Model, infer.Options{Seed: 9})
		rows = append(rows, slices.Concat(p.Draws.Row(0, 0), p.Draws.Row(0, 999)))
	}
	if !slices.Equal(rows[0], rows[1]) {
		t.Error("two runs differ")
	}
}

func TestModelWithoutParameters(t *testing.T) {
	p := fit(t, infertest.FromFunc(0, func(_, _ []float64) (float64, error) { return -1, nil }), infer.Options{})
	if p.Draws.Total() != 1000 || !p.Fit.Converged || p.Fit.ELBO.Value != -1 {
		t.Errorf("report %+v", p.Fit)
	}
}

func TestOptionRanges(t *testing.T) {
	o := laplace.DefaultOptions()
	o.Draws = 0
	if _, err := laplace.New(o); err == nil || !strings.Contains(err.Error(), "draws") {
		t.Errorf("no draws: %v", err)
	}
	o = laplace.DefaultOptions()
	o.MaxIterations = -1
	if _, err := laplace.New(o); err == nil || !strings.Contains(err.Error(), "iterations") {
		t.Errorf("iterations: %v", err)
	}
}
