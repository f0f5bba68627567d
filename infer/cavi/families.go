// This file has the gamma, inverse gamma, beta, Dirichlet and enumerated factors.

package cavi

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/stdlib/special"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

func lgamma(x float64) float64 {
	v, _ := libm.Lgamma(x)
	return v
}

func trigamma(x float64) float64 { return special.Trigamma(x) }

// gammaFactor is the gamma distribution of t or, with inverse set, of 1/t.
type gammaFactor struct {
	block       *infer.FactorBlock
	inverse     bool
	shape, rate float64
}

func newGamma(b *infer.FactorBlock, inverse bool) *gammaFactor {
	return &gammaFactor{block: b, inverse: inverse}
}

func (f *gammaFactor) form() string {
	if f.inverse {
		return "inverse gamma"
	}
	return "gamma"
}

func (f *gammaFactor) set(natural []float64) error {
	f.shape, f.rate = 1, 0
	if f.inverse {
		f.shape = -1
	}
	for k, s := range f.block.Statistics {
		switch {
		case s[0].Func == infer.Number:
			f.rate -= natural[k]
		case f.inverse:
			f.shape -= natural[k]
		default:
			f.shape += natural[k]
		}
	}
	if !(f.shape > 0) || !(f.rate > 0) || math.IsInf(f.shape+f.rate, 0) {
		what := map[bool]string{false: "rate", true: "scale"}[f.inverse]
		return improperError(f.block, f.form(), "shape %g, %s %g", f.shape, what, f.rate)
	}
	return nil
}

func (f *gammaFactor) sign() float64 {
	if f.inverse {
		return -1
	}
	return 1
}

func (f *gammaFactor) expect(out []float64) {
	for k, s := range f.block.Statistics {
		if s[0].Func == infer.Number {
			out[k] = f.shape / f.rate
		} else {
			out[k] = f.sign() * (special.Digamma(f.shape) - libm.Log(f.rate))
		}
	}
}

func (f *gammaFactor) entropy() float64 {
	a := f.shape
	h := a - libm.Log(f.rate) + lgamma(a) + float64((1-a)*special.Digamma(a))
	if f.inverse { // plus twice the expected log of t
		h -= 2 * (special.Digamma(a) - libm.Log(f.rate))
	}
	return h
}

// moments are those of log t.
func (f *gammaFactor) moments(mean, sd []float64) {
	mean[0] = f.sign() * (special.Digamma(f.shape) - libm.Log(f.rate))
	sd[0] = math.Sqrt(trigamma(f.shape))
}

func (f *gammaFactor) density() blockDensity {
	return &logGammaDensity{f.shape, f.rate, f.sign(), float64(f.shape*libm.Log(f.rate)) - lgamma(f.shape)}
}

// logGammaDensity is the density of plus or minus the log of a gamma variate.
type logGammaDensity struct{ shape, rate, sign, norm float64 }

func (d *logGammaDensity) logDensity(free, grad []float64) float64 {
	u := d.sign * free[0]
	t := float64(d.rate * libm.Exp(u))
	if grad != nil {
		grad[0] = d.sign * (d.shape - t)
	}
	return d.norm + float64(d.shape*u) - t
}

func (d *logGammaDensity) draw(r *rand.Rand, free []float64) {
	free[0] = d.sign * (drawLogGamma(r, d.shape) - libm.Log(d.rate))
}

// drawLogGamma draws the log of a standard gamma variate (Marsaglia and Tsang 2000; for
// shapes below 1 by the power of a uniform, on the log scale).
func drawLogGamma(r *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return drawLogGamma(r, shape+1) + libm.Log(1-r.Float64())/shape
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := variate.Normal(r)
		v := 1 + float64(c*x)
		if v <= 0 {
			continue
		}
		v = v * v * v
		u := 1 - r.Float64()
		if libm.Log(u) < float64(0.5*x*x)+d-float64(d*v)+float64(d*libm.Log(v)) {
			return libm.Log(d) + libm.Log(v)
		}
	}
}

// betaFactor is the beta distribution.
type betaFactor struct {
	block *infer.FactorBlock
	a, b  float64
}

func newBeta(b *infer.FactorBlock) *betaFactor { return &betaFactor{block: b} }

func (f *betaFactor) form() string { return "beta" }

func (f *betaFactor) set(natural []float64) error {
	f.a, f.b = 1, 1
	for k, s := range f.block.Statistics {
		if s[0].Func == infer.LogNumber {
			f.a += natural[k]
		} else {
			f.b += natural[k]
		}
	}
	if !(f.a > 0) || !(f.b > 0) || math.IsInf(f.a+f.b, 0) {
		return improperError(f.block, "beta", "parameters %g and %g", f.a, f.b)
	}
	return nil
}

func (f *betaFactor) expect(out []float64) {
	all := special.Digamma(f.a + f.b)
	for k, s := range f.block.Statistics {
		if s[0].Func == infer.LogNumber {
			out[k] = special.Digamma(f.a) - all
		} else {
			out[k] = special.Digamma(f.b) - all
		}
	}
}

func (f *betaFactor) logB() float64 { return lgamma(f.a) + lgamma(f.b) - lgamma(f.a+f.b) }

func (f *betaFactor) entropy() float64 {
	return f.logB() - float64((f.a-1)*special.Digamma(f.a)) - float64((f.b-1)*special.Digamma(f.b)) + float64((f.a+f.b-2)*special.Digamma(f.a+f.b))
}

// moments are those of the logit.
func (f *betaFactor) moments(mean, sd []float64) {
	mean[0] = special.Digamma(f.a) - special.Digamma(f.b)
	sd[0] = math.Sqrt(trigamma(f.a) + trigamma(f.b))
}

func (f *betaFactor) density() blockDensity { return &logitBetaDensity{f.a, f.b, -f.logB()} }

// logitBetaDensity is the density of the logit of a beta variate.
type logitBetaDensity struct{ a, b, norm float64 }

func (d *logitBetaDensity) logDensity(free, grad []float64) float64 {
	u := free[0]
	if grad != nil {
		grad[0] = d.a - float64((d.a+d.b)*logistic(u))
	}
	return d.norm + float64(d.a*logLogistic(u)) + float64(d.b*logLogistic(-u))
}

func (d *logitBetaDensity) draw(r *rand.Rand, free []float64) {
	free[0] = drawLogGamma(r, d.a) - drawLogGamma(r, d.b)
}

func logistic(u float64) float64 { return libm.Exp(logLogistic(u)) }

// logLogistic is log(1/(1+exp(-u))).
func logLogistic(u float64) float64 {
	if u < 0 {
		return u - libm.Log1p(libm.Exp(u))
	}
	return -libm.Log1p(libm.Exp(-u))
}

// dirichletFactor is the Dirichlet distribution.
type dirichletFactor struct {
	block *infer.FactorBlock
	a     []float64
	total float64
}

func newDirichlet(b *infer.FactorBlock) *dirichletFactor {
	return &dirichletFactor{block: b, a: make([]float64, b.Size)}
}

func (f *dirichletFactor) form() string { return "dirichlet" }

func (f *dirichletFactor) set(natural []float64) error {
	for i := range f.a {
		f.a[i] = 1
	}
	for k, s := range f.block.Statistics {
		f.a[s[0].Index] += natural[k]
	}
	f.total = 0
	for i, a := range f.a {
		if !(a > 0) || math.IsInf(a, 0) {
			return improperError(f.block, "dirichlet", "parameter %d is %g", i+1, a)
		}
		f.total += a
	}
	return nil
}

func (f *dirichletFactor) expect(out []float64) {
	all := special.Digamma(f.total)
	for k, s := range f.block.Statistics {
		out[k] = special.Digamma(f.a[s[0].Index]) - all
	}
}

func (f *dirichletFactor) logB() float64 {
	b := -lgamma(f.total)
	for _, a := range f.a {
		b += lgamma(a)
	}
	return b
}

func (f *dirichletFactor) entropy() float64 {
	h := f.logB() + float64((f.total-float64(len(f.a)))*special.Digamma(f.total))
	for _, a := range f.a {
		h -= float64((a - 1) * special.Digamma(a))
	}
	return h
}

// moments are those of the logs.
func (f *dirichletFactor) moments(mean, sd []float64) {
	for i, a := range f.a {
		mean[i] = special.Digamma(a) - special.Digamma(f.total)
		sd[i] = math.Sqrt(math.Max(trigamma(a)-trigamma(f.total), math.SmallestNonzeroFloat64))
	}
}

func (f *dirichletFactor) density() blockDensity {
	return mapped(f.block, &dirichletDensity{append([]float64(nil), f.a...), -f.logB()})
}

type dirichletDensity struct {
	a    []float64
	norm float64
}

func (d *dirichletDensity) logDensity(x, grad []float64) float64 {
	lp := d.norm
	for i, a := range d.a {
		lp += float64((a - 1) * libm.Log(x[i]))
		if grad != nil {
			grad[i] = (a - 1) / x[i]
		}
	}
	return lp
}

func (d *dirichletDensity) draw(r *rand.Rand, x []float64) {
	top := math.Inf(-1)
	for i, a := range d.a {
		x[i] = drawLogGamma(r, a)
		top = max(top, x[i])
	}
	var total float64
	for i := range x {
		x[i] = math.Max(libm.Exp(x[i]-top), math.SmallestNonzeroFloat64)
		total += x[i]
	}
	for i := range x {
		x[i] = math.Max(x[i]/total, math.SmallestNonzeroFloat64)
	}
}

// enumerated has a probability for each value.
type enumerated struct {
	block *infer.FactorBlock
	p     []float64
	logp  []float64
}

func newEnumerated(b *infer.FactorBlock) *enumerated {
	return &enumerated{b, make([]float64, b.Size), make([]float64, b.Size)}
}

func (f *enumerated) form() string { return "enumerated" }

func (f *enumerated) set(natural []float64) error {
	clear(f.logp)
	for k, s := range f.block.Statistics {
		f.logp[s[0].Index] += natural[k]
	}
	top := math.Inf(-1)
	for _, v := range f.logp {
		if v > top || math.IsNaN(v) {
			top = v
		}
	}
	sum := 0.0
	for i, v := range f.logp {
		f.p[i] = libm.Exp(v - top)
		sum += f.p[i]
	}
	total := top
	if !math.IsInf(top, 0) {
		total += libm.Log(sum)
	}
	if math.IsInf(total, -1) {
		return fmt.Errorf("cavi: given the other factors no value of %s is possible: there are combinations of discrete parameters of probability zero, which independent factors cannot leave out; use gibbs, or nuts, which sums them out", f.block.Name)
	}
	if math.IsNaN(total) || math.IsInf(total, 0) {
		return improperError(f.block, "enumerated", "the sum over its values is %g", libm.Exp(total))
	}
	for i := range f.p {
		f.logp[i] -= total
		f.p[i] /= sum
	}
	return nil
}

func (f *enumerated) expect(out []float64) {
	for k, s := range f.block.Statistics {
		out[k] = f.p[s[0].Index]
	}
}

func (f *enumerated) entropy() float64 {
	h := 0.0
	for i, p := range f.p {
		if p > 0 {
			h -= float64(p * f.logp[i])
		}
	}
	return h
}

func (f *enumerated) moments(mean, sd []float64) {
	for i, p := range f.p {
		mean[i], sd[i] = p, 1
	}
}

func (f *enumerated) density() blockDensity {
	return &table{f.block.Low, append([]float64(nil), f.p...), append([]float64(nil), f.logp...)}
}

// table is the distribution of a whole number; its gradient is 0.
type table struct {
	low     int
	p, logp []float64
}

func (d *table) logDensity(free, grad []float64) float64 {
	if grad != nil {
		grad[0] = 0
	}
	i := free[0] - float64(d.low)
	if i < 0 || i >= float64(len(d.p)) || i != math.Trunc(i) {
		return math.Inf(-1)
	}
	return d.logp[int(i)]
}

func (d *table) draw(r *rand.Rand, free []float64) {
	u := r.Float64()
	last := 0
	for i, p := range d.p {
		if p > 0 {
			last = i
		}
		if u -= p; u < 0 {
			break
		}
	}
	free[0] = float64(d.low + last)
}
