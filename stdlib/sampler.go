// This file says how to draw from the distribution that a density belongs to: what a
// variate is, which of the arguments it has to itself, and how it is drawn.

package stdlib

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/matrixfn"
	"github.com/seed-12b88e03/ppl/stdlib/internal/multivariate"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// A Sampler draws single variates from the distribution of a log density or log mass
// function. A call of the density with containers is several variates; Event and Units
// say how to take it apart.
type Sampler struct {
	// Event is the rank of one variate: 0 for a number, 1 for a vector or an array of
	// counts, 2 for a matrix.
	Event int
	// Units says, for each argument after the variate, what one variate sees of it.
	Units []Unit
	// Native names the constraints whose support is that of the distribution, for
	// variates that are no plain numbers: "simplex", "corr_matrix", ....
	Native []string
	// Dist is the row of a univariate distribution of scalar parameters, which can be
	// truncated; nil for the rest.
	Dist *catalogue.Distribution
	// Draw fills out with one variate. y is the variate as the density was given it:
	// its sizes count, and the total of counts, nothing else of it.
	Draw func(r *rand.Rand, y catalogue.Tensor, in []catalogue.Tensor, out []float64) error
	// Total reports that the total of y counts: it must be known before.
	Total bool
}

// A Unit is what one variate sees of an argument: all of it where the rank is Rank,
// else the part with its own number. Rows says that a matrix has a row for each.
type Unit struct {
	Rank int
	Rows bool
}

// Sampler returns the sampler of a function NAME_lpdf or NAME_lpmf; nil where there is
// none.
func (l *Library) Sampler(density *catalogue.Function) *Sampler {
	name := strings.TrimSuffix(strings.TrimSuffix(density.Name, "_lpdf"), "_lpmf")
	if d := density.Density; d != nil && d.Rows == nil && d.Draw != nil {
		return univariateSampler(d)
	}
	if base, ok := glmBases[name]; ok {
		return l.glmSampler(base)
	}
	s, ok := multiSamplers()[name]
	if !ok {
		return nil
	}
	if s.Draw != nil {
		return &s
	}
	draw := l.drawer(name)
	s.Draw = func(r *rand.Rand, _ catalogue.Tensor, in []catalogue.Tensor, out []float64) error {
		return draw.Draw(r, in, out)
	}
	return &s
}

// drawer finds NAME_rng.
func (l *Library) drawer(name string) *catalogue.Drawer { return l.Function(name + "_rng").Draw }

// univariateSampler checks the parameters as NAME_rng does.
func univariateSampler(d *catalogue.Distribution) *Sampler {
	args := catalogue.ParseArgs(d.Args)[1:]
	name := d.Name + "_rng"
	return &Sampler{
		Units: make([]Unit, len(args)),
		Dist:  d,
		Draw: func(r *rand.Rand, _ catalogue.Tensor, in []catalogue.Tensor, out []float64) error {
			var room [6]float64
			return univariate.DrawAll(d, name, args, r, in, out, room[:len(args)+1])
		},
	}
}

// vectorUnit and the others name the ranks of arguments.
var (
	scalarUnit = Unit{}
	vectorUnit = Unit{Rank: 1}
	matrixUnit = Unit{Rank: 2}
	rowUnit    = Unit{Rank: 1, Rows: true}
)

// multiSamplers is the table of the distributions that are not univariate with scalar
// parameters. Those without Draw are drawn by NAME_rng.
func multiSamplers() map[string]Sampler {
	simplex := []string{"simplex", "row_stochastic_matrix", "column_stochastic_matrix"}
	return map[string]Sampler{
		"categorical":              {Units: []Unit{vectorUnit}},
		"categorical_logit":        {Units: []Unit{vectorUnit}},
		"ordered_logistic":         {Units: []Unit{scalarUnit, vectorUnit}},
		"ordered_probit":           {Units: []Unit{scalarUnit, vectorUnit}},
		"poisson_binomial":         {Units: []Unit{vectorUnit}},
		"dirichlet":                {Event: 1, Units: []Unit{vectorUnit}, Native: simplex},
		"multinomial":              {Event: 1, Units: []Unit{vectorUnit}, Total: true, Draw: drawCounts(0)},
		"multinomial_logit":        {Event: 1, Units: []Unit{vectorUnit}, Total: true, Draw: drawCounts(1)},
		"dirichlet_multinomial":    {Event: 1, Units: []Unit{vectorUnit}, Total: true, Draw: drawCounts(2)},
		"multi_normal":             {Event: 1, Units: []Unit{vectorUnit, matrixUnit}},
		"multi_normal_cholesky":    {Event: 1, Units: []Unit{vectorUnit, matrixUnit}},
		"multi_normal_prec":        {Event: 1, Units: []Unit{vectorUnit, matrixUnit}, Draw: drawByPrecision},
		"multi_student_t":          {Event: 1, Units: []Unit{scalarUnit, vectorUnit, matrixUnit}},
		"multi_student_t_cholesky": {Event: 1, Units: []Unit{scalarUnit, vectorUnit, matrixUnit}},
		"multi_gp":                 {Event: 2, Units: []Unit{matrixUnit, vectorUnit}, Draw: drawGP(multivariate.Elliptical{Fn: "multi_gp_rng", Form: multivariate.ByCovariance})},
		"multi_gp_cholesky":        {Event: 2, Units: []Unit{matrixUnit, vectorUnit}, Draw: drawGP(multivariate.Elliptical{Fn: "multi_gp_cholesky_rng", Form: multivariate.ByCholesky})},
		"lkj_corr":                 {Event: 2, Units: []Unit{scalarUnit}, Native: []string{"corr_matrix"}, Draw: drawLKJ("lkj_corr_rng")},
		"lkj_corr_cholesky":        {Event: 2, Units: []Unit{scalarUnit}, Native: []string{"cholesky_factor_corr"}, Draw: drawLKJ("lkj_corr_cholesky_rng")},
		"wishart":                  {Event: 2, Units: []Unit{scalarUnit, matrixUnit}, Native: []string{"cov_matrix"}},
		"inv_wishart":              {Event: 2, Units: []Unit{scalarUnit, matrixUnit}, Native: []string{"cov_matrix"}},
		"wishart_cholesky":         {Event: 2, Units: []Unit{scalarUnit, matrixUnit}, Native: []string{"cholesky_factor_cov"}},
		"inv_wishart_cholesky":     {Event: 2, Units: []Unit{scalarUnit, matrixUnit}, Native: []string{"cholesky_factor_cov"}},
	}
}

// drawCounts draws counts with the total of y; row is the place in the table of
// multinomial distributions.
func drawCounts(row int) func(*rand.Rand, catalogue.Tensor, []catalogue.Tensor, []float64) error {
	f := multivariate.MultinomialFunctions()[2*row+1] // density and _rng take turns
	return func(r *rand.Rand, y catalogue.Tensor, in []catalogue.Tensor, out []float64) error {
		total := 0.0
		for _, v := range y.X {
			total += v
		}
		return f.Draw.Draw(r, []catalogue.Tensor{in[0], {X: []float64{total}}}, out)
	}
}

// drawLKJ draws a correlation matrix, or its factor, of the size of y.
func drawLKJ(fn string) func(*rand.Rand, catalogue.Tensor, []catalogue.Tensor, []float64) error {
	finish := func(_ int, l, out []float64) { copy(out, l) }
	if fn == "lkj_corr_rng" {
		finish = func(k int, l, out []float64) { transform.SelfTranspose(k, k, l, out) }
	}
	f := multivariate.LkjRandom(fn, finish)
	return func(r *rand.Rand, y catalogue.Tensor, in []catalogue.Tensor, out []float64) error {
		size := catalogue.Tensor{X: []float64{float64(y.Dims[len(y.Dims)-1])}}
		return f.Draw.Draw(r, []catalogue.Tensor{size, in[0]}, out)
	}
}

// drawByPrecision solves L' x = z for the Cholesky factor L of the precision matrix.
func drawByPrecision(r *rand.Rand, _ catalogue.Tensor, in []catalogue.Tensor, out []float64) error {
	const fn = "multi_normal_prec_rng"
	k := in[1].Dims[0]
	if len(in[0].X) != k {
		return container.SizeError(fn, "the size of mu", len(in[0].X), "that of Omega", k)
	}
	if err := catalogue.CheckEach(fn, "mu", in[0], catalogue.IsFinite, "finite"); err != nil {
		return err
	}
	l := make([]float64, k*k)
	if err := matrixfn.FactorSPD(fn, "Omega", in[1], l); err != nil {
		return err
	}
	for i := k - 1; i >= 0; i-- {
		x := variate.Normal(r)
		for j := i + 1; j < k; j++ {
			x -= float64(l[j+i*k] * out[j])
		}
		out[i] = x / l[i+i*k]
	}
	for i := range out {
		out[i] += in[0].X[i]
	}
	return nil
}

// drawGP draws the rows of a matrix with covariance Sigma / w[row].
func drawGP(e multivariate.Elliptical) func(*rand.Rand, catalogue.Tensor, []catalogue.Tensor, []float64) error {
	return func(r *rand.Rand, y catalogue.Tensor, in []catalogue.Tensor, out []float64) error {
		rows, k := container.MatrixSize(y)
		if len(in[1].X) != rows {
			return container.SizeError(e.Fn, "the number of rows of y", rows, "the size of w", len(in[1].X))
		}
		if err := catalogue.CheckEach(e.Fn, "w", in[1], catalogue.IsPositiveFinite, "positive and finite"); err != nil {
			return err
		}
		l, err := e.Check([]catalogue.Tensor{{}, in[0]}, 0, make([]float64, k*k))
		if err != nil {
			return err
		}
		z, x := make([]float64, k), make([]float64, k)
		for i := range rows {
			multivariate.Normals(r, z)
			clear(x)
			multivariate.AddLowerTimes(k, l, z, x)
			for j := range k {
				out[i+j*rows] = x[j] / math.Sqrt(in[1].X[i])
			}
		}
		return nil
	}
}
