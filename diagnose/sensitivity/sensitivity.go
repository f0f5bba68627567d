package sensitivity

// This file measures sensitivities.

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

const (
	// step is the power under which distances are taken.
	step = 1.01
	// Threshold is the sensitivity from which on a part counts.
	Threshold = 0.05
	// apart is how many times chance's distance, a root mean square, a distance by chance is at most: of
	// 2,000 the furthest was 2.25 times (TestFalseAlarms).
	apart = 2.5
	// shifts is how many shifted weights chance is measured on.
	shifts = 8
	// leastDraws is the fewest that weights are smoothed with.
	leastDraws = 5 * psis.MinTail
)

// A Part is a factor of the density.
type Part struct {
	Name string
	Line int         // of the statement in the program; 0 for several
	Log  [][]float64 // its logarithm at each draw of each chain, up to a constant
}

// An Effect is what a part does to a variable.
type Effect struct {
	Sensitivity float64 // the distance for a doubling of the part's power
	Chance      float64 // the distance by chance; NaN where Sensitivity is below Threshold
	Mean        float64 // change of the mean for a doubling, to first order, in standard deviations
	MeanError   float64 // its Monte Carlo standard error
	SD          float64 // relative change of the standard deviation for a doubling, to first order
}

// Beyond is the sensitivity without the most that chance adds to it: distances add as squares.
func (e Effect) Beyond() float64 {
	if math.IsNaN(e.Chance) {
		return e.Sensitivity
	}
	by := float64(apart * e.Chance)
	return math.Sqrt(max(0, float64(e.Sensitivity*e.Sensitivity)-float64(by*by)))
}

// Counts reports whether the sensitivity reaches the threshold, chance apart.
func (e Effect) Counts() bool { return e.Beyond() >= Threshold }

// Unsettled reports whether chance explains that the sensitivity reaches the threshold.
func (e Effect) Unsettled() bool { return e.Sensitivity >= Threshold && !e.Counts() }

// A Variable has an effect for each part.
type Variable struct {
	Name     string
	Mean, SD float64
	Effects  []Effect
}

// A Result is the sensitivity of variables to parts.
type Result struct {
	Draws     int // used
	Parts     []Part
	Variables []Variable
}

// Of measures how far variables depend on parts of the density. Variables that are constant or
// not finite are left out. Weighted draws count by their weights.
func Of(fit *draws.Draws, variables []string, parts []Part) (*Result, error) {
	switch {
	case fit.Kind() == draws.Mode:
		return nil, errors.New("the fit is one point; sensitivity needs draws of a posterior")
	case fit.Total() < leastDraws:
		return nil, fmt.Errorf("%d draws are too few; %d are the least that weights are smoothed with", fit.Total(), leastDraws)
	}
	base := fit.LogWeights()
	weighings := make([]*weighing, len(parts))
	for i, p := range parts {
		if err := p.finite(); err != nil {
			return nil, err
		}
		weighings[i] = newWeighing(p.Log, base)
	}
	equal := weights(make([]float64, fit.Total()), base)
	found := make([]*Variable, len(variables))
	var wg sync.WaitGroup
	next := make(chan int)
	for range min(runtime.GOMAXPROCS(0), len(variables)) {
		wg.Go(func() {
			for i := range next {
				found[i] = measure(variables[i], fit.Column(variables[i]), equal, weighings)
			}
		})
	}
	for i := range variables {
		next <- i
	}
	close(next)
	wg.Wait()
	r := &Result{Draws: fit.Total(), Parts: parts}
	for _, v := range found {
		if v != nil {
			r.Variables = append(r.Variables, *v)
		}
	}
	return r, nil
}

// finite reports the first value that is not.
func (p *Part) finite() error {
	for c, x := range p.Log {
		for i, v := range x {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("the log density of %s is %v at draw %d of chain %d", p.Name, v, i+1, c+1)
			}
		}
	}
	return nil
}

// A weighing holds what a part makes of the draws.
type weighing struct {
	log      [][]float64
	base     []float64
	up, down []float64 // weights under step and 1/step
	chance   func() [][2][]float64
}

func newWeighing(log [][]float64, base []float64) *weighing {
	w := &weighing{log: log, base: base}
	w.up, w.down = w.near(slices.Concat(log...))
	w.chance = sync.OnceValue(w.shifted)
	return w
}

// near are the weights under step and 1/step of draws at which the part's logarithm is l.
func (w *weighing) near(l []float64) (up, down []float64) {
	up, down = make([]float64, len(l)), make([]float64, len(l))
	for i, v := range l {
		up[i], down[i] = (step-1)*v, (1/step-1)*v
	}
	return weights(up, w.base), weights(down, w.base)
}

// shifted are weights that have nothing to do with the draws, but are as autocorrelated: the part's
// values, moved along the chains by equal distances.
func (w *weighing) shifted() (out [][2][]float64) {
	for k := range shifts {
		var l []float64
		for c := range w.log {
			x := w.log[(c+k)%len(w.log)]
			at := (k + 1) * len(x) / (shifts + 1)
			l = append(append(l, x[at:]...), x[:at]...)
		}
		up, down := w.near(l)
		out = append(out, [2][]float64{up, down})
	}
	return out
}

// weights are smoothed weights of sum 1, of draws with their own log weights base (nil: equal).
func weights(logRatios, base []float64) []float64 {
	for i, v := range base {
		logRatios[i] += v
	}
	return expAll(psis.Smooth(logRatios, 1).LogWeights)
}

func expAll(x []float64) []float64 {
	for i, v := range x {
		x[i] = libm.Exp(v)
	}
	return x
}

// measure is what parts do to a variable; nil for one without a spread.
func measure(name string, x [][]float64, equal []float64, weighings []*weighing) *Variable {
	all := slices.Concat(x...)
	if slices.ContainsFunc(all, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) || slices.Min(all) == slices.Max(all) {
		return nil
	}
	v := &Variable{Name: name}
	v.Mean, v.SD = moments(all, equal)
	m := newMarginal(all)
	for _, w := range weighings {
		e := Effect{Sensitivity: m.sensitivity(equal, w.up, w.down), Chance: math.NaN()}
		if e.Sensitivity >= Threshold {
			square := 0.0
			for _, pair := range w.chance() {
				s := m.sensitivity(equal, pair[0], pair[1])
				square += float64(float64(s*s) / shifts)
			}
			e.Chance = math.Sqrt(square)
		}
		e.Mean, e.MeanError, e.SD = w.derivatives(x, v, equal)
		v.Effects = append(v.Effects, e)
	}
	return v
}

// sensitivity is the mean distance for a doubling.
func (m *marginal) sensitivity(equal, up, down []float64) float64 {
	return (m.distance(equal, up) + m.distance(equal, down)) * math.Ln2 / (2 * libm.Log(step))
}

func moments(x, w []float64) (mean, sd float64) {
	for i, v := range x {
		mean += float64(w[i] * v)
	}
	square := 0.0
	for i, v := range x {
		square += float64(w[i] * (v - mean) * (v - mean))
	}
	return mean, math.Sqrt(square)
}

// derivatives are those of the mean, over sd, and of log sd, by log2 of the part's power.
func (w *weighing) derivatives(x [][]float64, v *Variable, weight []float64) (mean, meanError, sd float64) {
	centre, _ := moments(slices.Concat(w.log...), weight)
	products := make([][]float64, len(x))
	var first, second float64
	at := 0
	for c := range x {
		products[c] = make([]float64, len(x[c]))
		for i, value := range x[c] {
			z, l := (value-v.Mean)/v.SD, w.log[c][i]-centre
			products[c][i] = z * l
			first += float64(weight[at] * z * l)
			second += float64(weight[at] * z * z * l)
			at++
		}
	}
	return math.Ln2 * first, math.Ln2 * draws.MCSEMean(products), math.Ln2 * second / 2
}
