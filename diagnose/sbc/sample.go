// This file turns a method's posterior into L nearly independent draws and takes ranks.

package sbc

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

// longer is a Markov method with another number of draws.
type longer struct {
	infer.Markov
	draws int
}

// Chains implements infer.Markov.
func (l longer) Chains() infer.MarkovOptions {
	o := l.Markov.Chains()
	o.Draws = l.draws
	return o
}

// picked are draws of a posterior that count as independent.
type picked struct {
	from *infer.Posterior
	at   []place
}

// sample picks l draws from a posterior, and lengthens the run where that has too few; short says that they are
// fewer in effect.
func (d *Diagnosis) sample(ctx context.Context, m infer.Model, p *infer.Posterior, o infer.Options, columns []int, l int) (out picked, short bool, err error) {
	switch p.Draws.Kind() {
	case draws.Weighted, draws.Particles:
		return d.resampled(ctx, m, p, o, l)
	case draws.Independent, draws.Mode:
		return picked{p, spread(p.Draws, l)}, p.Draws.Kind() == draws.Independent && p.Draws.Total() < l, nil
	}
	markov, canGrow := d.options.Method.(infer.Markov)
	grow := newGrower(markov)
	have := effective(p.Draws, columns)
	for range d.options.Doublings {
		if !canGrow || have >= float64(l) || ctx.Err() != nil {
			break
		}
		if p, err = grow.again(ctx, m, o); err != nil {
			return out, false, err
		}
		have = effective(p.Draws, columns)
	}
	if p.Draws.Total() == 0 {
		return out, false, errors.New("the run made no draws")
	}
	return picked{p, spread(p.Draws, l)}, have < float64(l), nil
}

// A grower repeats a Markov method's run, each time with twice the draws.
type grower struct {
	method infer.Markov
	draws  int
}

func newGrower(m infer.Markov) *grower {
	g := &grower{method: m}
	if m != nil {
		g.draws = m.Chains().Draws
	}
	return g
}

func (g *grower) again(ctx context.Context, m infer.Model, o infer.Options) (*infer.Posterior, error) {
	g.draws *= 2
	if l, ok := g.method.(interface{ WithDraws(n int) infer.Markov }); ok {
		return l.WithDraws(g.draws).Run(ctx, m, o)
	}
	return infer.RunMarkov(ctx, m, longer{g.method, g.draws}, o)
}

// effective is the smallest effective sample size for ranks over the columns that are
// ranked and vary; over all columns where only statistics are ranked.
func effective(d *draws.Draws, columns []int) float64 {
	least := math.Inf(1)
	names := d.Columns()
	b := d.Balanced()
	if len(columns) == 0 {
		for c := range names {
			columns = append(columns, c)
		}
	}
	for _, c := range columns {
		if e := draws.ESSBulk(b.Column(names[c])); e < least {
			least = e
		}
	}
	return least
}

// A place is that of a draw.
type place struct{ chain, draw int }

// spread picks n draws evenly over all chains, with repetitions where there are fewer.
func spread(d *draws.Draws, n int) []place {
	var all []place
	for c := range d.Chains() {
		for i := range d.Len(c) {
			all = append(all, place{c, i})
		}
	}
	out := make([]place, n)
	for k := range out {
		out[k] = all[(2*k+1)*len(all)/(2*n)]
	}
	return out
}

// weighted is a method whose weighted draws may be more.
type weighted interface {
	WithDraws(n int) infer.Method
}

// moreWeighted repeats a run with twice the draws, while they count as fewer than l.
func (d *Diagnosis) moreWeighted(ctx context.Context, m infer.Model, p *infer.Posterior, o infer.Options, l int) (*infer.Posterior, error) {
	method, ok := d.options.Method.(weighted)
	n := p.Draws.Total()
	var err error
	for range d.options.Doublings {
		if !ok || n == 0 || len(p.LogWeights) == 0 || infer.ESSWeights(slices.Concat(p.LogWeights...)) >= float64(l) || ctx.Err() != nil {
			break
		}
		n *= 2
		if p, err = method.WithDraws(n).Run(ctx, m, o); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// resampled picks l draws by their weights, with replacement.
func (d *Diagnosis) resampled(ctx context.Context, m infer.Model, p *infer.Posterior, o infer.Options, l int) (picked, bool, error) {
	p, err := d.moreWeighted(ctx, m, p, o, l)
	if err != nil {
		return picked{}, false, err
	}
	logw := slices.Concat(p.LogWeights...)
	if p.Draws.Total() == 0 {
		return picked{}, false, errors.New("the run made no draws")
	}
	if len(logw) == 0 { // particles after the last resampling: all weigh the same
		logw = make([]float64, p.Draws.Total())
	}
	w := make([]float64, len(logw))
	infer.Weights(logw, w)
	r := rng.New(o.Seed, "sbc/resample", 0, o.Replicate)
	var all []place
	for c := range p.Draws.Chains() {
		for i := range p.Draws.Len(c) {
			all = append(all, place{c, i})
		}
	}
	at := make([]place, l)
	for k := range at {
		at[k] = all[pick(r, w)]
	}
	return picked{p, at}, infer.ESSWeights(logw) < float64(l), nil
}

// pick draws an index by weights that sum to 1.
func pick(r *rand.Rand, w []float64) int {
	u := r.Float64()
	for i, v := range w {
		if u -= v; u < 0 {
			return i
		}
	}
	return len(w) - 1
}

// tabulate returns the picked draws of each quantity; m is what statistics are evaluated in.
func (d *Diagnosis) tabulate(m infer.Model, picked picked, columns []int) ([][]float64, error) {
	p, at := picked.from, picked.at
	first := len(p.Draws.Names()) - len(p.Draws.Columns())
	var out [][]float64
	for _, c := range columns {
		x := make([]float64, len(at))
		for i, a := range at {
			x[i] = p.Draws.Row(a.chain, a.draw)[first+c]
		}
		out = append(out, x)
	}
	for _, s := range d.options.Statistics {
		x := make([]float64, len(at))
		for i, a := range at {
			var err error
			if x[i], err = s.At(m, p.Draws.Row(a.chain, a.draw)[first:]); err != nil && !infer.IsReject(err) {
				return nil, err
			} else if err != nil {
				x[i] = math.NaN()
			}
		}
		out = append(out, x)
	}
	return out, nil
}

// rank is the number of draws below x, ties broken at random; -1 where one of the
// numbers is none.
func rank(x float64, sample []float64, r *rand.Rand) int {
	below, equal := 0, 0
	for _, v := range sample {
		switch {
		case math.IsNaN(v) || math.IsNaN(x):
			return -1
		case v < x:
			below++
		case v == x:
			equal++
		}
	}
	if equal > 0 {
		below += variate.IntN(r, equal+1)
	}
	return below
}
