package loo

// This file estimates the predictive density of one fit.

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/psis"
)

// A Term is what one observation adds.
type Term struct {
	Name string // of its column
	ELPD float64
	P    float64 // effective number of parameters
	K    float64 // Pareto shape; NaN in WAIC
	ESS  float64 // effective number of draws by weights and efficiency; NaN in WAIC
	// Efficiency is the effective number of draws over their number, as far as the chains'
	// autocorrelation goes; NaN in WAIC.
	Efficiency float64
	// Share is the effective share of the draws that the weights keep; NaN in WAIC.
	Share float64
	Refit bool // ELPD is that of a fit without the observation
	Moved bool // ELPD is that of draws that were moved to where they would be without it
}

// An Estimate is a sum over observations with its standard error.
type Estimate struct{ Value, Error float64 }

// A Criterion is an estimate of elpd.
type Criterion struct {
	ELPD  Estimate
	P     Estimate // effective number of parameters
	Terms []Term   // one an observation
}

// A Result is what the draws of a fit say about its predictions.
type Result struct {
	Draws int // used: all, or of a long fit some at equal distances
	Of    int // of how many draws of the fit these are
	LOO   Criterion
	WAIC  Criterion
	// Threshold is the largest shape k with which a term of LOO can be believed.
	Threshold float64
}

// Where one observation moves the posterior far, its weights' tail begins beyond the draws, and the shape of what
// there is of it is too small: of a single normal observation that holds 0.8 of the information, 0.3 to 1. In a
// simulation of normal models, terms with a shape below the threshold that were wrong by 0.3 nats or more kept under 0.2 of 4,000
// draws. With 1,000 draws, and of counts, a few that kept more were wrong by over 0.15, mostly of one observation: where there are
// few, one may rule out what all others allow, and the draws do not see it.
const (
	leastShare = 0.3
	// Few is the number of observations up to which weights are not enough.
	Few = 3
)

// Bad are the observations whose term cannot be believed, counted from 0, in order.
func (r *Result) Bad() []int {
	var out []int
	for i, t := range r.LOO.Terms {
		if !t.Refit && !t.Moved && (len(r.LOO.Terms) <= Few || !(t.K <= r.Threshold) || r.Hidden(t)) {
			out = append(out, i)
		}
	}
	return out
}

// Hidden reports weights with a good shape that keep too few of the draws to know their tail.
func (r *Result) Hidden(t Term) bool { return t.K <= r.Threshold && !(t.Share >= leastShare) }

// Worst is the term of LOO with the largest shape, of those that cannot be believed where there are any.
func (r *Result) Worst() Term {
	terms := r.LOO.Terms
	if bad := r.Bad(); len(bad) > 0 {
		terms = nil
		for _, i := range bad {
			terms = append(terms, r.LOO.Terms[i])
		}
	}
	return slices.MaxFunc(terms, func(a, b Term) int {
		switch {
		case a.K < b.K || math.IsNaN(b.K) && !math.IsNaN(a.K):
			return -1
		case a.K > b.K || math.IsNaN(a.K) && !math.IsNaN(b.K):
			return 1
		}
		return 0
	})
}

// A MissingError says that a fit has no log density of the observations.
type MissingError struct {
	Name    string
	Columns []string // of the fit
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("the fit has no variable %s with the log density of each observation", e.Name)
}

// Of judges the draws of a fit by the columns of the named variable, one an observation.
// The error is a *MissingError, or says which number cannot be used.
func Of(fit *draws.Draws, name string) (*Result, error) {
	balanced := fit.Balanced()
	b := balanced.AtHand(MostDraws)
	var columns []int // in the order of the table
	for i, c := range b.Columns() {
		if draws.Base(c) == name {
			columns = append(columns, 1+len(b.Stats())+i)
		}
	}
	if len(columns) == 0 {
		return nil, &MissingError{Name: name, Columns: b.Columns()}
	}
	if b.Kind() == draws.Mode {
		return nil, errors.New("the fit is one point; predictions need draws of a posterior")
	}
	if b.Total() < minDraws {
		return nil, fmt.Errorf("%d draws are too few; %d are the least that weights are smoothed with", b.Total(), minDraws)
	}
	base := b.LogWeights()
	own := newUnweighted(base, b.Total())
	r := &Result{Draws: b.Total(), Of: balanced.Total(), Threshold: psis.Threshold(b.Total())}
	r.LOO.Terms, r.WAIC.Terms = make([]Term, len(columns)), make([]Term, len(columns))
	errs := make([]error, len(columns))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(columns)) {
		wg.Go(func() {
			for i := range next {
				n := adjacent(columns[i:])
				for k, x := range b.Adjacent(columns[i], n) {
					r.LOO.Terms[i+k], r.WAIC.Terms[i+k], errs[i+k] = terms(b.Names()[columns[i+k]], x, base, own)
				}
			}
		})
	}
	for i := 0; i < len(columns); i += adjacent(columns[i:]) {
		next <- i
	}
	close(next)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err // one says enough
		}
	}
	r.LOO.sum()
	r.WAIC.sum()
	return r, nil
}

// mostAdjacent bounds the columns that are taken out of a table together.
const mostAdjacent = 64

// adjacent is how many of the first columns are taken out together.
func adjacent(columns []int) int {
	n := 1
	for n < min(len(columns), mostAdjacent) && columns[n] == columns[0]+n {
		n++
	}
	return n
}

// MostDraws bounds the draws of a long fit that are used: Monte Carlo error is far below the standard error of a sum of terms then, and
// weights of more draws would be kept in memory for nothing.
const MostDraws = 1 << 18

// minDraws makes a tail of psis.MinTail draws.
const minDraws = 5 * psis.MinTail

// unweighted are the weights of draws that leave no observation out.
type unweighted struct {
	logs, weights []float64
	squares, ess  float64 // the sum of the weights' squares, and the effective number of draws
}

// newUnweighted are those of n draws with these log weights, of which nil are even ones.
func newUnweighted(base []float64, n int) *unweighted {
	even := psis.Result{LogWeights: slices.Repeat([]float64{-libm.Log(float64(n))}, n)}
	if base != nil {
		even = psis.Smooth(base, 1)
	}
	u := &unweighted{logs: even.LogWeights, weights: make([]float64, n), ess: even.ESS()}
	for i, w := range u.logs {
		u.weights[i] = libm.Exp(w)
		u.squares += float64(u.weights[i] * u.weights[i])
	}
	return u
}

// terms are those of one observation: x is its log density at the draws, base the log
// weight of each draw, and own what these are with the observation.
func terms(name string, x [][]float64, base []float64, own *unweighted) (loo, waic Term, err error) {
	ll := slices.Concat(x...)
	for i, v := range ll {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return loo, waic, fmt.Errorf("%s is %v at draw %d of chain %d; a log density must be finite", name, v, i%len(x[0])+1, i/len(x[0])+1)
		}
	}
	lpd := logMean(own.logs, ll)
	ratios := make([]float64, len(ll))
	for i, v := range ll {
		ratios[i] = -v
		if base != nil {
			ratios[i] += base[i]
		}
	}
	r := efficiency(x, base != nil)
	smooth := psis.Smooth(ratios, r)
	elpd := logMean(smooth.LogWeights, ll)
	loo = Term{Name: name, ELPD: elpd, P: lpd - elpd, K: smooth.K, ESS: smooth.ESS() * r, Efficiency: r, Share: min(smooth.ESS()/own.ess, 1)}
	variance := own.variance(ll)
	waic = Term{Name: name, ELPD: lpd - variance, P: variance, K: math.NaN(), ESS: math.NaN(), Efficiency: math.NaN(), Share: math.NaN()}
	return loo, waic, nil
}

// efficiency is the effective number of draws for the mean of the predictive density
// over their number.
func efficiency(x [][]float64, independent bool) float64 {
	if independent {
		return 1
	}
	top := math.Inf(-1)
	for _, c := range x {
		top = max(top, slices.Max(c))
	}
	density := make([][]float64, len(x))
	n := 0
	for i, c := range x {
		density[i] = make([]float64, len(c))
		for k, v := range c {
			density[i][k] = libm.Exp(v - top)
		}
		n += len(c)
	}
	if r := draws.ESSMean(density) / float64(n); r > 0 {
		return r
	}
	return 1 // all draws are alike
}

// logMean is the log of the mean of exp(x) under normalised log weights.
func logMean(w, x []float64) float64 {
	top := math.Inf(-1)
	for i := range x {
		top = max(top, w[i]+x[i])
	}
	sum := 0.0
	for i := range x {
		sum += libm.Exp(w[i] + x[i] - top)
	}
	return top + libm.Log(sum)
}

// variance is that of x under the weights; for equal ones it divides by one less than their number.
func (u *unweighted) variance(x []float64) float64 {
	var mean, square float64
	for i, v := range x {
		mean += float64(u.weights[i] * v)
	}
	for i, v := range x {
		square += float64(u.weights[i] * (v - mean) * (v - mean))
	}
	return square / (1 - u.squares)
}

// sum adds the terms up.
func (c *Criterion) sum() {
	c.ELPD = total(c.Terms, func(t Term) float64 { return t.ELPD })
	c.P = total(c.Terms, func(t Term) float64 { return t.P })
}

// total is a sum with its standard error, by the spread of the terms.
func total(terms []Term, of func(Term) float64) Estimate {
	var e Estimate
	for _, t := range terms {
		e.Value += of(t)
	}
	n := float64(len(terms))
	mean, square := e.Value/n, 0.0
	for _, t := range terms {
		square += float64((of(t) - mean) * (of(t) - mean))
	}
	e.Error = math.Sqrt(n / (n - 1) * square) // NaN for a single term
	return e
}
