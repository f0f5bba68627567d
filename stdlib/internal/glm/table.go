// The list of generalised linear models, and the loop that they share.
//
// A row computes sum_i f(y[i], alpha[i] + x[i] beta) without building the vector of
// linear predictors: blocks of rows are predicted, linked and carried back into the
// gradient while they are in the cache.

package glm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/internal/multivariate"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
)

const glmSection = "Generalized Linear Models"

// Functions returns the rows.
func Functions() []*catalogue.Function {
	models := []glm{
		{name: "normal_id_glm_lpdf", doc: "normal distribution with mean alpha + x*beta and scale sigma",
			outcome: "real", extra: "sigma", link: normalLink},
		{name: "bernoulli_logit_glm_lpmf", doc: "Bernoulli distribution with log odds alpha + x*beta",
			outcome: "int", mostY: 1, mustY: "0 or 1", link: bernoulliLink},
		{name: "binomial_logit_glm_lpmf", doc: "binomial distribution of N trials with log odds alpha + x*beta",
			outcome: "int", trials: true, link: binomialLink, counted: logChoices},
		{name: "poisson_log_glm_lpmf", doc: "Poisson distribution with log rate alpha + x*beta",
			outcome: "int", mostY: math.Inf(1), mustY: "non-negative", link: poissonLink, counted: logFactorials},
		{name: "neg_binomial_2_log_glm_lpmf", doc: "negative binomial distribution with log mean alpha + x*beta and precision phi",
			outcome: "int", extra: "phi", mostY: math.Inf(1), mustY: "non-negative", link: negBinomialLink},
	}
	var all []*catalogue.Function
	for _, m := range models {
		all = append(all, m.function())
	}
	return append(append(all, ordinalFunctions()...), bernoulliGLMRandom())
}

// A glm is a model with one linear predictor.
type glm struct {
	name, doc string
	outcome   string  // "real" or "int"
	trials    bool    // the second argument is the number of trials
	extra     string  // name of the last argument, "" for none
	mostY     float64 // integer outcomes lie between 0 and mostY
	mustY     string  // the condition on outcomes, for messages; "" for none
	link      linkFunc

	// counted is the part of the log density that depends on the first arguments alone, which are data; false for counts that are too large, nil where there
	// is nothing.
	counted func(n int, in []catalogue.Tensor) (float64, bool)
	known   *float64 // that of the data, which links leave out; nil where they do not
}

// A linkFunc gives the sum of the log densities of a block of rows with predictors eta and
// writes their derivatives in eta to d.
type linkFunc func(b glmBlock, eta, d []float64) float64

// A glmBlock is what a link sees of the arguments.
type glmBlock struct {
	y, trials, extra []float64 // of the block, or one number for all
	dy, dextra       []float64 // where derivatives go, nil for nowhere
	adj              float64
	point            []float64 // scratch for one variate and its derivatives: 2 * 3 numbers
	known            bool      // what depends on counts alone is left out
}

// Positions of the arguments.
func (g glm) x() int {
	if g.trials {
		return 2
	}
	return 1
}
func (g glm) alpha() int { return g.x() + 1 }
func (g glm) beta() int  { return g.x() + 2 }

// glmBlockRows is how many rows are handled at once.
const glmBlockRows = 256

func (g glm) function() *catalogue.Function {
	f := &catalogue.Function{Name: g.name, Doc: "log density of the " + g.doc, Section: glmSection}
	if g.outcome == "int" {
		f.Doc = "log mass of the " + g.doc
	}
	many := "array[] int"
	if g.outcome == "real" {
		many = "vector"
	}
	scales := []string{""}
	if g.extra != "" {
		scales = []string{", real " + g.extra}
		if g.outcome == "real" {
			scales = append(scales, ", vector "+g.extra)
		}
	}
	forms := [][2]string{{g.outcome, "matrix"}, {many, "row_vector"}, {many, "matrix"}}
	if g.outcome == "real" { // since Stan 2.40
		forms = append(forms, [2]string{"real", "row_vector"}, [2]string{"real", "vector"}, [2]string{"vector", "vector"})
		f.Design = g.x()
	}
	for _, form := range forms {
		for _, alpha := range []string{"real", "vector"} {
			for _, scale := range scales {
				y := form[0] + " y | "
				if g.trials {
					y = form[0] + " n | " + form[0] + " N, "
				}
				f.Signatures = append(f.Signatures,
					fmt.Sprintf("real %s(%s%s x, %s alpha, vector beta%s)", g.name, y, form[1], alpha, scale))
			}
		}
	}
	f.Kernel = g.kernel()
	if g.counted != nil {
		f.Sums = g.given
	}
	return f
}

func (g glm) kernel() *catalogue.Kernel {
	return multivariate.DensityKernel(g.sizes, func([]catalogue.Tensor) int { return 2*glmBlockRows + 6 }, g.log)
}

// given is the density as a function that has been given its counts.
func (g glm) given(in []catalogue.Tensor, active []int) (*catalogue.Function, catalogue.Tensor, bool) {
	if slices.ContainsFunc(active, func(j int) bool { return j < g.x() }) || g.check(in) != nil {
		return nil, catalogue.Tensor{}, false
	}
	known, ok := g.counted(g.rows(in), in)
	g.known = &known
	return &catalogue.Function{Name: g.name, Kernel: g.kernel()}, in[0], ok
}

// rows is the number of observations.
func (g glm) rows(in []catalogue.Tensor) int {
	if x := in[g.x()]; len(x.Dims) == 2 || !x.Rank.Row {
		return x.Dims[0]
	}
	return len(in[0].X)
}

func (g glm) sizes(in []catalogue.Tensor) error {
	n := g.rows(in)
	_, cols := container.MatrixSize(in[g.x()])
	if k := len(in[g.beta()].X); cols != k {
		return container.SizeError(g.name, "the number of columns of x", cols, "the size of beta", k)
	}
	for i, t := range in {
		if i == g.x() || i == g.beta() || len(t.Dims) == 0 {
			continue
		}
		if t.Dims[0] != n {
			return container.SizeError(g.name, "the number of observations", n, fmt.Sprintf("the size of argument %d", i+1), t.Dims[0])
		}
	}
	return nil
}

func (g glm) check(in []catalogue.Tensor) error {
	if g.trials {
		for i := range max(len(in[0].X), len(in[1].X)) {
			n, total := transform.ArgAt(in[0].X, i), transform.ArgAt(in[1].X, i)
			if total < 0 {
				return catalogue.ArgumentError(g.name, "N", in[1], i%len(in[1].X), "non-negative")
			}
			if n < 0 || n > total {
				return catalogue.ArgumentError(g.name, "n", in[0], i%len(in[0].X), fmt.Sprintf("between 0 and N, %v", total))
			}
		}
	} else if g.mustY != "" {
		if i := catalogue.Outside(in[0].X, 0, g.mostY); i >= 0 {
			return catalogue.ArgumentError(g.name, "y", in[0], i, g.mustY)
		}
	}
	if g.extra != "" {
		return catalogue.CheckEach(g.name, g.extra, in[g.beta()+1], catalogue.IsPositiveFinite, "positive and finite")
	}
	return nil
}

// checkFinite names the argument to blame for a result that is not finite.
func checkFinite(fn string, in []catalogue.Tensor, names []string) error {
	for i, name := range names {
		if name == "" {
			continue
		}
		if err := catalogue.CheckEach(fn, name, in[i], catalogue.IsFinite, "finite"); err != nil {
			return err
		}
	}
	return nil
}

func (g glm) log(in []catalogue.Tensor, adj float64, din [][]float64, work []float64) (float64, error) {
	if g.known == nil || g.extra != "" {
		if err := g.check(in); err != nil {
			return 0, err
		}
	}
	n := g.rows(in)
	eta, d := work[:glmBlockRows], work[glmBlockRows:2*glmBlockRows]
	p := newPredictor(in[g.x()], in[g.alpha()], in[g.beta()])
	p.dx, p.dalpha, p.dbeta = multivariate.Into(din, g.x()), multivariate.Into(din, g.alpha()), multivariate.Into(din, g.beta())
	b := glmBlock{adj: adj, point: work[2*glmBlockRows:], known: g.known != nil}
	sum := 0.0
	if b.known {
		sum = *g.known
	}
	for lo := 0; lo < n; lo += glmBlockRows {
		hi := min(lo+glmBlockRows, n)
		e, de := eta[:hi-lo], d[:hi-lo]
		p.predict(lo, e)
		b.y, b.dy = window(in[0].X, lo, hi), window(multivariate.Into(din, 0), lo, hi)
		if g.trials {
			b.trials = window(in[1].X, lo, hi)
		}
		if g.extra != "" {
			b.extra, b.dextra = window(in[g.beta()+1].X, lo, hi), window(multivariate.Into(din, g.beta()+1), lo, hi)
		}
		sum += g.link(b, e, de)
		if len(din) > 0 {
			p.carryBack(lo, adj, de)
		}
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		names := [5]string{}
		if g.outcome == "real" {
			names[0] = "y"
		}
		names[g.x()], names[g.alpha()], names[g.beta()] = "x", "alpha", "beta"
		return sum, checkFinite(g.name, in, names[:])
	}
	return sum, nil
}

// window is elements lo to hi, or all of a single number.
func window(x []float64, lo, hi int) []float64 {
	if len(x) <= 1 {
		return x
	}
	return x[lo:hi]
}

// A predictor is alpha + x*beta and the gradient of its arguments.
type predictor struct {
	x, alpha, beta    []float64
	rows              int  // of x
	one               bool // x is a row vector, the same for all observations
	fixed             float64
	dx, dalpha, dbeta []float64
}

func newPredictor(x, alpha, beta catalogue.Tensor) predictor {
	p := predictor{x: x.X, alpha: alpha.X, beta: beta.X}
	p.rows, _ = container.MatrixSize(x)
	if len(x.Dims) == 1 && x.Rank.Row {
		p.one = true
		p.fixed = catalogue.Dot(x.X, beta.X)
	}
	return p
}

// predict fills eta with the predictors of the rows from lo on.
func (p *predictor) predict(lo int, eta []float64) {
	if len(p.alpha) == 1 {
		for i := range eta {
			eta[i] = p.alpha[0]
		}
	} else {
		copy(eta, p.alpha[lo:])
	}
	if p.one {
		for i := range eta {
			eta[i] += p.fixed
		}
		return
	}
	catalogue.AddTimes(transform.From(p.x, lo), p.rows, p.beta, eta)
}

// carryBack scales d by adj and adds the gradient.
func (p *predictor) carryBack(lo int, adj float64, d []float64) {
	if adj != 1 {
		vec.MulVS.Map(d, d, []float64{adj})
	}
	total := vec.Sum(d)
	switch {
	case p.dalpha == nil:
	case len(p.alpha) == 1:
		p.dalpha[0] += total
	default:
		catalogue.Axpy(1, d, p.dalpha[lo:lo+len(d)])
	}
	if p.one {
		if p.dbeta != nil {
			catalogue.Axpy(total, p.x, p.dbeta)
		}
		if p.dx != nil {
			catalogue.Axpy(total, p.beta, p.dx)
		}
		return
	}
	if p.dbeta != nil {
		catalogue.AddTransposeTimes(transform.From(p.x, lo), p.rows, d, p.dbeta)
	}
	if p.dx != nil {
		for j, b := range p.beta {
			catalogue.Axpy(b, d, p.dx[j*p.rows+lo:j*p.rows+lo+len(d)])
		}
	}
}

// bernoulliGLMRandom is bernoulli_logit_glm_rng, the one GLM that Stan draws from.
func bernoulliGLMRandom() *catalogue.Function {
	const fn = "bernoulli_logit_glm_rng"
	return &catalogue.Function{
		Name: fn,
		Signatures: []string{
			"array[] int bernoulli_logit_glm_rng(matrix x, vector alpha, vector beta)",
			"array[] int bernoulli_logit_glm_rng(row_vector x, vector alpha, vector beta)",
		},
		Doc: "variates of the Bernoulli distribution with log odds alpha + x*beta", Section: glmSection,
		Draw: &catalogue.Drawer{
			Dims: func(in []catalogue.Tensor) ([]int, error) {
				rows, cols := container.MatrixSize(in[0])
				if k := len(in[2].X); cols != k {
					return nil, container.SizeError(fn, "the number of columns of x", cols, "the size of beta", k)
				}
				if n := len(in[1].X); len(in[0].Dims) == 2 && rows != n {
					return nil, container.SizeError(fn, "the number of rows of x", rows, "the size of alpha", n)
				}
				return in[1].Dims, nil
			},
			Draw: func(r *rand.Rand, in []catalogue.Tensor, out []float64) error {
				if err := checkFinite(fn, in, []string{"x", "alpha", "beta"}); err != nil {
					return err
				}
				p := newPredictor(in[0], in[1], in[2])
				p.predict(0, out)
				for i, eta := range out {
					out[i] = univariate.BernoulliDraw(r, univariate.InverseLogit(eta))
				}
				return nil
			},
		},
	}
}
