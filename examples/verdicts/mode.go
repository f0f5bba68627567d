package main

// This file grades modes: by a search with Nelder and Mead's simplex, which no engine has, over
// the density of the program on the scale that map documents, without a Jacobian.

import (
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"gonum.org/v1/gonum/optimize"

	"github.com/seed-12b88e03/ppl/lang"
)

const (
	modeStarts = 60
	modeRounds = 4    // of a simplex, each from where the last one ended
	sameHeight = 0.02 // nats that two points of one mode may differ by
)

// modeMoments are the exact place of the mode, with the posterior's standard deviations for
// units: a fit that is as high as all that is found is at one. Columns of discrete parameters
// are left out. ok is false for a fit at the edge of the support, where there is no point to
// start from.
func (p *problem) modeMoments(m *lang.Model, exact []moment, fit *lang.Fit) (out []moment, ok bool) {
	t := m.Density(false, false)
	height := func(q []float64) float64 {
		v, err := t.LogDensity(q)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 1) {
			return math.Inf(-1)
		}
		return v
	}
	at, ok := unconstrained(m, fit)
	if !ok || len(at) == 0 {
		return nil, ok // where all are discrete there is nothing to compare
	}
	best := at
	r := rand.New(rand.NewPCG(p.Number, 31))
	for i := range max(modeStarts/len(at), 10) {
		start := append([]float64{}, at...)
		if i > 0 {
			for j := range start {
				start[j] = 2 * (2*r.Float64() - 1) * math.Pow(5, float64(i%3))
			}
		}
		if q := climb(height, start); height(q) > height(best) {
			best = q
		}
	}
	if height(best)-height(at) < sameHeight {
		best = at
	}
	values, err := m.Constrain(best, 1)
	if err != nil {
		return nil, false
	}
	for i, name := range m.Columns() {
		for _, e := range exact {
			if e.Name == name && !e.MeanOnly && !p.discrete(name) {
				out = append(out, moment{Name: name, Mean: values[i], SD: e.SD})
			}
		}
	}
	return out, true
}

// discrete reports whether a column is of a parameter that is an integer.
func (p *problem) discrete(column string) bool {
	name, _, _ := strings.Cut(column, ".")
	return regexp.MustCompile(`int<[^>]*> ` + name + `;`).MatchString(p.Text)
}

// unconstrained is the point of a fit of one draw.
func unconstrained(m *lang.Model, fit *lang.Fit) ([]float64, bool) {
	var row []float64
	for _, name := range m.ParameterColumns() {
		x := slices.Concat(fit.Posterior.Draws.Column(name)...)
		if len(x) != 1 {
			return nil, false
		}
		row = append(row, x[0])
	}
	q, err := m.UnconstrainRow(row)
	return q, err == nil
}

// climb goes uphill from a point that has a density.
func climb(height func([]float64) float64, q []float64) []float64 {
	for range modeRounds {
		if math.IsInf(height(q), -1) {
			return q
		}
		result, err := optimize.Minimize(optimize.Problem{Func: func(x []float64) float64 { return -height(x) }}, q,
			&optimize.Settings{FuncEvaluations: 300 * (1 + len(q))}, &optimize.NelderMead{})
		if result == nil || err != nil && result.X == nil {
			return q
		}
		q = result.X
	}
	return q
}
