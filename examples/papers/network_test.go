package papers

// This file holds the networks of section 6.1 of Knoblauch, Jewson and Damoulas (2019): test scores on random splits,
// of standard variational inference and of others in the same run.

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"testing"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/lang"
)

// networkMethods are divergences from the prior (gvi) and to the posterior (fvi).
var networkMethods = []struct{ name, expr string }{
	{"KL, standard VI", "gvi(point = [log_s2], %s)"},
	{"Renyi 2 from the prior", "gvi(point = [log_s2], divergence = renyi(2), %s)"},
	{"Renyi 0.5 from the prior", "gvi(point = [log_s2], divergence = renyi(0.5), %s)"},
	{"Renyi 0.5 to the posterior", "fvi(point = [log_s2], %s)"},
}

// scores are those of a split.
type scores struct{ rmse, logLik float64 }

// scored reads test scores off draws: of the mean prediction, and the log of the mean density.
func scored(fit *lang.Fit) (s scores) {
	d := fit.Posterior.Draws
	n := 0
	for ; ; n++ {
		e, ok := column(d, fmt.Sprintf("error.%d", n+1))
		if !ok {
			break
		}
		l, _ := column(d, fmt.Sprintf("log_lik.%d", n+1))
		s.rmse += e.mean() * e.mean()
		s.logLik += infer.LogSumExp(l) - math.Log(float64(len(l)))
	}
	return scores{math.Sqrt(s.rmse / float64(n)), s.logLik / float64(n)}
}

type numbers []float64

func (x numbers) mean() float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// column is a column of the one chain.
func column(d *draws.Draws, name string) (numbers, bool) {
	x := d.Column(name)
	if len(x) == 0 {
		return nil, false
	}
	return x[0], true
}

// overSplits is the mean of a score over splits, with its standard error.
func overSplits(all []scores, of func(scores) float64) estimate {
	x := make(numbers, len(all))
	for i, s := range all {
		x[i] = of(s)
	}
	mean, sum := x.mean(), 0.0
	for _, v := range x {
		sum += (v - mean) * (v - mean)
	}
	n := float64(len(x))
	return estimate{mean, math.Sqrt(sum / (n - 1) / n)}
}

func TestPaperKnoblauchNetwork(t *testing.T) {
	tb := newTable(t)
	epochs := subset.Of(10, 500)
	for _, budget := range []struct {
		name, options string
		splits        int
	}{
		{"rate 0.01 to 0, 10 draws a step", `samples = 10, rate = 0.01, schedule = "cosine"`, 20},
		{"the paper's steps", "samples = 100", 5},
	} {
		for _, m := range networkMethods {
			options := fmt.Sprintf(`batch = 32, draws = 100, init = 0.1, check = "none", epochs = %d, %s`, epochs, budget.options)
			all := onSplits(t, subset.Of(2, budget.splits), fmt.Sprintf(m.expr, options))
			rmse, logLik := overSplits(all, func(s scores) float64 { return s.rmse }), overSplits(all, func(s scores) float64 { return s.logLik })
			item := fmt.Sprintf("section 6.1, yacht, %s", budget.name)
			t.Logf("%s, %s: %v", item, m.name, all)
			tb.note(item, m.name+": test RMSE", "-", rmse.value, rmse.fault)
			tb.note(item, m.name+": test log likelihood", "-", logLik.value, logLik.fault)
		}
	}
}

// onSplits scores a method on splits, some at a time.
func onSplits(t *testing.T, n int, method string) []scores {
	t.Helper()
	all, errs := make([]scores, n), make([]error, n)
	var wg sync.WaitGroup
	turn := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range all {
		wg.Go(func() {
			turn <- struct{}{}
			all[i], errs[i] = onSplit(uint64(i+1), method)
			<-turn
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(lang.ErrorText(err))
		}
	}
	return all
}

// onSplit fits the network to the yacht data; the seed makes the split.
func onSplit(seed uint64, method string) (scores, error) {
	p, err := lang.CompileFile("knoblauch2019/network.ppl", lang.Options{})
	if err != nil {
		return scores{}, err
	}
	in, err := p.ReadDataFile("knoblauch2019/yacht.json")
	if err != nil {
		return scores{}, err
	}
	m, err := p.Bind(in, lang.BindOptions{Seed: seed})
	if err != nil {
		return scores{}, err
	}
	f, err := p.Method(method)
	if err != nil {
		return scores{}, err
	}
	fit, err := m.Run(context.Background(), f, lang.RunOptions{Seed: seed, Jobs: 1})
	if err != nil {
		return scores{}, err
	}
	return scored(fit), nil
}
