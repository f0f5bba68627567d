package papers

// This file holds Neiswanger and Xing, "Post-inference prior swapping" (2016, ICML 2017): answers under new priors from one fit,
// beside exact ones: closed forms, and quadrature in one and two dimensions.

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// sparseData are those of neiswanger2016/sparse.json: estimates b of the coefficients, each with error noise/sqrt(n).
type sparseData struct {
	N, D          int
	B             []float64
	Noise, Spread float64
}

// under is the mean and sd of a coefficient under a prior, by the trapezoidal rule over 12 errors on either side, with a point
// at 0, where priors have their peaks.
func (d sparseData) under(b float64, logPrior func(t float64) float64) (mean, sd float64) {
	s := d.Noise / math.Sqrt(float64(d.N))
	const h = 1e-5
	var total, first, second float64
	for k := math.Ceil((b - 12*s) / h); k*h < b+12*s; k++ {
		t := k * h
		w := math.Exp(-(t-b)*(t-b)/(2*s*s) + logPrior(t) - logPrior(b))
		total, first, second = total+w, first+w*t, second+w*t*t
	}
	mean = first / total
	return mean, math.Sqrt(second/total - mean*mean)
}

// drawsOf are the means and sds of a vector's elements with their errors.
func drawsOf(fit *lang.Fit, name string, n int) (mean, sd []estimate) {
	for k := range n {
		x := fit.Posterior.Draws.Column(fmt.Sprintf("%s.%d", name, k+1))
		mean, sd = append(mean, meanOf(x)), append(sd, estimate{draws.SD(x), draws.MCSESD(x)})
	}
	return mean, sd
}

// TestPaperNeiswangerSparse is section 5.1: sparse linear regression, n = 10,000 and d = 20, with an orthogonal design, so that
// each coefficient's posterior is an integral in one dimension. One fit under a normal prior serves four others. Three
// coefficients of each are printed; of all 20, the distance of means and of variances, which the false posterior has in the
// same row. 60 comparisons at 4 errors: a false alarm in 250 seeds. Halving the false prior's variance must leave the
// answer as it is.
func TestPaperNeiswangerSparse(t *testing.T) {
	tb := newTable(t)
	var d sparseData
	readJSON(t, "neiswanger2016/sparse.json", &d)
	priors := []struct {
		name, item string
		log        func(t float64) float64
	}{
		{"double_exp", "Laplace(0.05)", func(t float64) float64 { return -math.Abs(t) / 0.05 }},
		{"student", "Student-t(3, 0.05)", func(t float64) float64 { return -2 * math.Log1p(t*t/(3*0.05*0.05)) }},
		{"sparse", "VerySparse(0.3)", func(t float64) float64 { return -math.Pow(math.Abs(t), 0.4) / 0.3 }},
		{"narrow", "normal(0, 0.1)", func(t float64) float64 { return -t * t / (2 * 0.1 * 0.1) }},
	}
	m := load(t, "neiswanger2016/sparse.ppl", "neiswanger2016/sparse.json")
	halved := loadWith(t, "neiswanger2016/sparse.ppl", map[string]any{"n": d.N, "d": d.D, "b": d.B, "noise": d.Noise, "spread": math.Sqrt(0.5)})
	before, _ := drawsOf(run(t, m, "fit", 1), "beta", d.D)
	for _, p := range priors {
		mean, sd := drawsOf(run(t, m, p.name, 1), "beta", d.D)
		var ours, old, spread float64
		for k, b := range d.B {
			exact, width := d.under(b, p.log)
			ours += (mean[k].value - exact) * (mean[k].value - exact)
			old += (before[k].value - exact) * (before[k].value - exact)
			v := sd[k].value*sd[k].value - width*width
			spread += v * v
			if k == 0 || k == 5 || k == 8 {
				what := fmt.Sprintf("%s: mean of beta[%d]", p.item, k+1)
				tb.sampled("section 5.1", what, exact, mean[k], 9)
				tb.sampled("section 5.1", fmt.Sprintf("%s: sd of beta[%d]", p.item, k+1), width, sd[k], 9)
			} else if math.Abs(mean[k].value-exact) > 4.5*mean[k].fault || math.Abs(sd[k].value-width) > 4.5*sd[k].fault {
				t.Errorf("%s: beta[%d] has mean %g +- %g and sd %g +- %g, exactly %g and %g", p.item, k+1, mean[k].value, mean[k].fault, sd[k].value, sd[k].fault, exact, width)
			}
		}
		tb.note("section 5.1", p.item+": distance of the means (of the false posterior's)", fmt.Sprintf("(%.3f)", math.Sqrt(old)), math.Sqrt(ours), 0)
		tb.note("section 5.1", p.item+": distance of the variances", "0", math.Sqrt(spread), 0)
		if !(ours < old/100) {
			t.Errorf("%s: means are off by %g, those of the false posterior by %g", p.item, math.Sqrt(ours), math.Sqrt(old))
		}
	}
	mean, _ := drawsOf(run(t, halved, "double_exp", 2), "beta", d.D)
	for _, k := range []int{0, 5, 8} {
		exact, _ := d.under(d.B[k], priors[0].log)
		tb.sampled("section 5.1", fmt.Sprintf("half the false prior's variance, Laplace(0.05): mean of beta[%d]", k+1), exact, mean[k], 9)
	}
	// The mode under a normal prior, which is the mean.
	shrink := 0.01 / (0.01 + d.Noise*d.Noise/float64(d.N))
	fit := run(t, m, "mode", 1)
	for _, k := range []int{0, 8} {
		tb.exact("section 5.5", fmt.Sprintf("normal(0, 0.1): mode of beta[%d], by map()", k+1), shrink*d.B[k], fit.Posterior.Draws.Column(fmt.Sprintf("beta.%d", k+1))[0][0], 1e-3*0.05)
	}
}

// logisticData are those of neiswanger2016/logistic.json.
type logisticData struct {
	X [][2]float64
	Y []int `json:"y"`
}

// under is the mean and sd of both coefficients under a prior on a grid.
func (d logisticData) under(logPrior func(squares float64) float64) (mean, sd [2]float64) {
	const h = 0.02
	var total float64
	var second [2]float64
	for a := -3.0; a < 4; a += h {
		for b := -4.0; b < 3; b += h {
			l := logPrior(a*a+b*b) + 40
			for i, x := range d.X {
				eta := x[0]*a + x[1]*b
				if d.Y[i] == 0 {
					eta = -eta
				}
				l -= math.Log1p(math.Exp(-eta))
			}
			w := math.Exp(l)
			total += w
			mean[0], mean[1] = mean[0]+w*a, mean[1]+w*b
			second[0], second[1] = second[0]+w*a*a, second[1]+w*b*b
		}
	}
	for k := range 2 {
		mean[k] /= total
		sd[k] = math.Sqrt(second[k]/total - mean[k]*mean[k])
	}
	return mean, sd
}

// TestPaperNeiswangerLogistic is section 5.2, small: hierarchical logistic regression with alpha integrated out, hyperparameters
// g other than that of the fit. The posterior is skewed and a normal stands for it, so that a twentieth of an sd is
// allowed beside 4 errors, of the swap and of the fit together.
func TestPaperNeiswangerLogistic(t *testing.T) {
	tb := newTable(t)
	var d logisticData
	readJSON(t, "neiswanger2016/logistic.json", &d)
	m := load(t, "neiswanger2016/logistic.ppl", "neiswanger2016/logistic.json")
	hierarchical := func(g float64) func(float64) float64 {
		return func(s float64) float64 { return -(g + 1) * math.Log1p(s/2) }
	}
	own, ownSD := drawsOf(run(t, m, "fit", 1), "theta", 2)
	want, width := d.under(hierarchical(1.025))
	for k := range 2 {
		tb.sampled("section 5.2", fmt.Sprintf("g = 1.025, the fit itself: mean of theta[%d]", k+1), want[k], own[k], 9)
		tb.sampled("section 5.2", fmt.Sprintf("g = 1.025, the fit itself: sd of theta[%d]", k+1), width[k], ownSD[k], 9)
	}
	for _, c := range []struct {
		name, item string
		log        func(squares float64) float64
	}{
		{"low", "g = 1", hierarchical(1)}, {"high", "g = 1.05", hierarchical(1.05)},
		{"flat", "normal(0, 1)", func(s float64) float64 { return -s / 2 }},
	} {
		want, width := d.under(c.log)
		mean, sd := drawsOf(run(t, m, c.name, 1), "theta", 2)
		for k := range 2 {
			fault := math.Hypot(mean[k].fault, own[k].fault)
			tb.row("section 5.2", fmt.Sprintf("%s: mean of theta[%d]", c.item, k+1), want[k], mean[k].value, fault, 4*fault+0.05*width[k])
			fault = math.Hypot(sd[k].fault, ownSD[k].fault)
			tb.row("section 5.2", fmt.Sprintf("%s: sd of theta[%d]", c.item, k+1), width[k], sd[k].value, fault, 4*fault+0.05*width[k])
		}
	}
}

// relationalData are those of neiswanger2016/relational.json.
type relationalData struct {
	Y          [][2]float64 `json:"y"`
	Centre     [9][2]float64
	Noise, Tie float64
}

// posterior is the mean and sd of each mean's coordinate from its centre: components are ten noises apart, so that labels are those of the
// nearest centre, and what is left is normal. With ties the four corners have priors, and each other mean one about the corners beside it.
func (d relationalData) posterior(ties bool, axis int) (mean, sd [9]float64) {
	precision, linear := mat.NewSymDense(9, nil), mat.NewVecDense(9, nil)
	add := func(row map[int]float64, at, sd float64) {
		x := mat.NewVecDense(9, nil)
		for k, c := range row {
			x.SetVec(k, c)
		}
		precision.SymRankOne(precision, 1/(sd*sd), x)
		linear.AddScaledVec(linear, at/(sd*sd), x)
	}
	beside := map[int][]int{1: {0, 2}, 7: {6, 8}, 3: {0, 6}, 5: {2, 8}, 4: {0, 2, 6, 8}}
	for k := range 9 {
		if corners := beside[k]; ties && corners != nil {
			row := map[int]float64{k: 1}
			for _, c := range corners {
				row[c] = -1 / float64(len(corners))
			}
			add(row, 0, d.Tie)
			continue
		}
		add(map[int]float64{k: 1}, 0, 0.6)
	}
	for _, y := range d.Y {
		nearest := 0
		for k, c := range d.Centre {
			if math.Hypot(y[0]-c[0], y[1]-c[1]) < math.Hypot(y[0]-d.Centre[nearest][0], y[1]-d.Centre[nearest][1]) {
				nearest = k
			}
		}
		add(map[int]float64{nearest: 1}, y[axis]-d.Centre[nearest][axis], d.Noise)
	}
	var inverse mat.Dense
	if err := inverse.Inverse(precision); err != nil {
		panic(err)
	}
	var m mat.VecDense
	m.MulVec(&inverse, linear)
	for k := range 9 {
		mean[k], sd[k] = m.AtVec(k), math.Sqrt(inverse.At(k, k))
	}
	return mean, sd
}

// TestPaperNeiswangerRelational: a mixture with nine means, fitted under independent priors and swapped to one that
// relates the means. What stands for the fit is a normal fitted to its 16,000 draws: in a mean, the error of that is the one of a normal's
// mean and of its covariance times the gradient of new over old priors, whose size is that of the shift by the covariance.
func TestPaperNeiswangerRelational(t *testing.T) {
	tb := newTable(t)
	var d relationalData
	readJSON(t, "neiswanger2016/relational.json", &d)
	m := load(t, "neiswanger2016/relational.ppl", "neiswanger2016/relational.json")
	shift := 0.0
	for axis := range 2 {
		before, sd := d.posterior(false, axis)
		after, _ := d.posterior(true, axis)
		for k := range before {
			shift += (after[k] - before[k]) * (after[k] - before[k]) / (sd[k] * sd[k])
		}
	}
	const size = 16000
	for _, c := range []struct {
		what, method string
		ties         bool
	}{{"independent means, the fit itself", "fit", false}, {"related means", "lines", true}} {
		fit := run(t, m, c.method, 1)
		for axis := range 2 {
			mean, sd := d.posterior(c.ties, axis)
			for _, k := range []int{0, 1, 4} {
				name := fmt.Sprintf("mu[%d, %d]", k+1, axis+1)
				x := fit.Posterior.Draws.Column(fmt.Sprintf("mu.%d.%d", k+1, axis+1))
				place, spread := meanOf(x), draws.MCSESD(x)
				if c.ties {
					place.fault = math.Hypot(place.fault, sd[k]*math.Sqrt((1+shift)/size))
					spread = math.Hypot(spread, sd[k]/math.Sqrt(2*size))
				}
				tb.sampled("mixture of nine", c.what+": mean of "+name, mean[k], place, 6)
				tb.sampled("mixture of nine", c.what+": sd of "+name, sd[k], estimate{draws.SD(x), spread}, 6)
			}
		}
	}
}
