package cavi

// This file looks at how much grids evaluate.

import (
	"context"
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// kinked is a number of which the terms have the square and the distance from 0.3.
func kinked(evaluations *int) infer.FactorBlock {
	return infer.FactorBlock{
		Name: "c", Size: 1, Support: infer.Line, Coords: []int{0},
		Statistics: []infer.Statistic{{{Func: infer.Number, Power: 2}}, {{Func: infer.Function, Power: 1}}},
		Functions: func() infer.BlockFunctions {
			return func(t float64, out []float64) error {
				*evaluations++
				out[0] = math.Abs(t - 0.3)
				return nil
			}
		},
	}
}

// TestGridsBecomeCoarse: a kink takes all the panels there are, until a fit has had so many points that fewer do. The mean of
// exp(-x^2/2 - 2|x - 0.3|) is the same then, to 1e-5 standard deviations, the least movement that counts from there on.
func TestGridsBecomeCoarse(t *testing.T) {
	var mean, sd [2]float64
	var evaluations [2]int
	for i, spent := range []points{0, dearPoints + 1} {
		b := kinked(&evaluations[i])
		g := newGrid(&b, false)
		g.points = &spent
		if err := g.set([]float64{-0.5, -2}); err != nil {
			t.Fatal(err)
		}
		m, s := make([]float64, 1), make([]float64, 1)
		g.moments(m, s)
		mean[i], sd[i] = m[0], s[0]
	}
	if evaluations[0] < 2*mostPanels || evaluations[1] > 3*fewPanels {
		t.Errorf("%d and %d evaluations", evaluations[0], evaluations[1])
	}
	if d := math.Abs(mean[0]-mean[1]) / sd[0]; d > coarseTolerance {
		t.Errorf("means differ by %g standard deviations", d)
	}
}

// TestInformationOfGridsEnds: what two blocks know of each other, where each is a grid with a kink, takes some millions of points and not the
// 160 millions of 2,000 draws, and ends with its context.
func TestInformationOfGridsEnds(t *testing.T) {
	evaluations := 0
	b := kinked(&evaluations)
	a, err := newAscent(&infer.Factorisation{Blocks: []infer.FactorBlock{b, b}, Terms: []infer.FactorTerm{
		{Coef: -0.5, Of: []infer.BlockStatistic{{Block: 0, Statistic: 0}}},
		{Coef: -0.5, Of: []infer.BlockStatistic{{Block: 1, Statistic: 0}}},
		{Coef: -1, Of: []infer.BlockStatistic{{Block: 0, Statistic: 1}, {Block: 1, Statistic: 1}}},
	}}, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.start([]float64{0, 0}); err != nil {
		t.Fatal(err)
	}
	for i := range a.factors {
		if _, err := a.update(i); err != nil {
			t.Fatal(err)
		}
	}
	evaluations = 0
	m := &marginal{density: a.factors[0].density()}
	if _, err := a.twoBlocks(t.Context(), 0, m, rng.New(1, "grids", 0, 0)); err != nil {
		t.Fatal(err)
	}
	if evaluations > 4*dearPoints {
		t.Errorf("%d evaluations", evaluations)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.twoBlocks(ctx, 0, m, rng.New(1, "grids", 0, 0)); !infer.IsInterrupted(err) {
		t.Errorf("an ended context: %v", err)
	}
}

// TestNarrowGridsStandStill: a number that is told to a millionth, with a prior that has no conjugate form, stands still within the rounding of terms
// of 1e11 that add up to nothing, and not never.
func TestNarrowGridsStandStill(t *testing.T) {
	evaluations := 0
	b := kinked(&evaluations)
	b.Statistics = append(b.Statistics, infer.Statistic{{Func: infer.Number, Power: 1}})
	const at, s = 0.7, 1e-6
	a, err := newAscent(&infer.Factorisation{Blocks: []infer.FactorBlock{b}, Terms: []infer.FactorTerm{
		{Coef: -0.5 / (s * s), Of: []infer.BlockStatistic{{Block: 0, Statistic: 0}}},
		{Coef: at / (s * s), Of: []infer.BlockStatistic{{Block: 0, Statistic: 2}}},
		{Coef: -1, Of: []infer.BlockStatistic{{Block: 0, Statistic: 1}}},
	}}, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.start([]float64{0}); err != nil {
		t.Fatal(err)
	}
	o, report := DefaultOptions(), &infer.FitReport{}
	o.Iterations = 20
	if _, err := a.run(t.Context(), &o, report, func() {}); err != nil || !report.Converged {
		t.Errorf("%s %v", report.Stop, err)
	}
	if d := math.Abs(a.mean[0][0]-at) / s; d > 1e-2 || math.Abs(a.sd[0][0]/s-1) > 1e-2 {
		t.Errorf("%g %g", a.mean[0][0], a.sd[0][0])
	}
}
