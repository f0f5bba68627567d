package infer_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/infertest"
)

func starts(t *testing.T, m infer.Model, in infer.Init) ([][]float64, error) {
	t.Helper()
	o := infer.MarkovOptions{Chains: 3, Draws: 1, Init: in}
	p, err := walk{MarkovOptions: o}.Run(context.Background(), m, infer.Options{Seed: 11})
	if err != nil {
		return nil, err
	}
	var out [][]float64
	for _, c := range p.Chains {
		out = append(out, c.Init)
	}
	return out, nil
}

func TestInitIsUniformInTheRadius(t *testing.T) {
	const n = 2000
	points, err := starts(t, flat(n), infer.Init{Radius: 2})
	if err != nil {
		t.Fatal(err)
	}
	for c, q := range points {
		var sum, square float64
		for _, x := range q {
			if math.Abs(x) > 2 {
				t.Errorf("chain %d: coordinate %g", c, x)
			}
			sum += x / n
			square += x * x / n
		}
		// Variance 4/3, of squares 16/5 - 16/9: bounds of 5 standard errors.
		if math.Abs(sum) > 5*math.Sqrt(4.0/3/n) || math.Abs(square-4.0/3) > 5*math.Sqrt((16.0/5-16.0/9)/n) {
			t.Errorf("chain %d: mean %.3f, mean square %.3f", c, sum, square)
		}
	}
	if slices.Equal(points[0], points[1]) {
		t.Error("two chains start at one point")
	}
}

func TestInitZeroAndGivenPoints(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		in   infer.Init
		want [][]float64
	}{
		{infer.Init{}, [][]float64{{0, 0}, {0, 0}, {0, 0}}},
		{infer.Init{Radius: 2, Points: [][]float64{{1, 2}}}, [][]float64{{1, 2}, {1, 2}, {1, 2}}},
		{infer.Init{Radius: 2, Points: [][]float64{{1, 2}, {3, 4}, {5, 6}}}, [][]float64{{1, 2}, {3, 4}, {5, 6}}},
		{infer.Init{Radius: 2, Points: [][]float64{{1, nan}}}, [][]float64{{1, nan}, {1, nan}, {1, nan}}},
	} {
		got, err := starts(t, flat(2), c.in)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			for j, w := range c.want[i] {
				if got[i][j] != w && !math.IsNaN(w) || math.IsNaN(w) && (got[i][j] == 0 || math.Abs(got[i][j]) > 2) {
					t.Errorf("%+v: chain %d starts at %v", c.in, i, got[i])
				}
			}
		}
	}
}

func TestInitTriesAgain(t *testing.T) {
	// Only one point in eight has a density.
	m := infertest.FromFunc(3, func(q, _ []float64) (float64, error) {
		if slices.Min(q) < 0 {
			return 0, infer.Reject("negative")
		}
		return 0, nil
	})
	points, err := starts(t, m, infer.Init{Radius: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range points {
		if slices.Min(q) < 0 {
			t.Errorf("started at %v", q)
		}
	}
}

func TestInitErrorQuotesTheModel(t *testing.T) {
	for _, c := range []struct {
		density infertest.Density
		in      infer.Init
		want    string
	}{
		{func(_, _ []float64) (float64, error) {
			return 0, infer.Reject("m.ppl:7:3: normal: scale is -1, must be positive")
		},
			infer.Init{Radius: 2}, "chain 1 found no initial point in 100 tries between -2 and 2 on the unconstrained scale; the last try: m.ppl:7:3: normal: scale is -1, must be positive"},
		{func(_, _ []float64) (float64, error) { return 0, infer.Reject("m.ppl:7:3: no") },
			infer.Init{}, "chain 1 cannot start at its initial point: m.ppl:7:3: no"},
		{func(_, _ []float64) (float64, error) { return math.Inf(-1), nil }, infer.Init{}, "the log density is -Inf"},
		{func(_, _ []float64) (float64, error) { return math.Inf(1), nil }, infer.Init{}, "the log density is +Inf"},
		{func(_, _ []float64) (float64, error) { return math.NaN(), nil }, infer.Init{}, "the log density is NaN"},
	} {
		_, err := starts(t, infertest.FromFunc(1, c.density), c.in)
		var init *infer.InitError
		if !errors.As(err, &init) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
	fatal := errors.New("m.ppl:9:1: fatal_error")
	tries := 0
	_, err := starts(t, infertest.FromFunc(1, func(_, _ []float64) (float64, error) { tries++; return 0, fatal }), infer.Init{Radius: 2})
	if !errors.Is(err, fatal) || tries != 1 {
		t.Errorf("error %v after %d tries, want to stop at the first", err, tries)
	}
}
