// This file is the estimate from given draws.

package bridge

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/mat"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/normal"
)

// Settings are those of the fixed-point iteration.
type Settings struct {
	Iterations int     // most iterations, at least 1
	Tolerance  float64 // relative change of r at which it stops, positive
}

// ErrTooFew reports that there are not enough draws to fit a normal to half of them.
var ErrTooFew = errors.New("too few draws for bridge sampling")

// leastDraws is the number of draws in all halves below which nothing is tried.
const leastDraws = 10

// Estimate is the log of the normalising constant of t, from equally weighted
// draws of the density that it gives: chain, draw, coordinate.
func Estimate(ctx context.Context, t infer.Tempered, points [][][]float64, set Settings, r *rand.Rand) (infer.Estimate, error) {
	first, second := halves(points)
	var sum infer.Estimate
	for _, fold := range []struct{ fit, use [][][]float64 }{{first, second}, {second, first}} {
		e, err := bridge(ctx, t, fold.fit, fold.use, set, r)
		if err != nil {
			return infer.Estimate{}, err
		}
		sum.Value += e.Value / 2
		sum.Error += e.Error / 2 // each half's fit shapes the other's ratios: they count as fully dependent
	}
	return sum, nil
}

// halves cuts chains, all to the length of the shortest, in two.
func halves(points [][][]float64) (first, second [][][]float64) {
	n := math.MaxInt
	for _, c := range points {
		n = min(n, len(c))
	}
	for _, c := range points {
		first = append(first, c[:n/2])
		second = append(second, c[n-n/2:n])
	}
	return first, second
}

// bridge fits a normal to some draws and bridges from it to others.
func bridge(ctx context.Context, t infer.Tempered, fit, use [][][]float64, set Settings, r *rand.Rand) (infer.Estimate, error) {
	q, err := approximate(slices.Concat(fit...), t.Dim())
	if err != nil {
		return infer.Estimate{}, err
	}
	ratio := func(x []float64) (float64, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		lp, err := logDensity(t, x)
		return lp - q.LogDensity(x), err
	}
	post := make([][]float64, len(use))
	n := 0
	for c, chain := range use {
		post[c] = make([]float64, len(chain))
		for i, x := range chain {
			if post[c][i], err = ratio(x); err != nil {
				return infer.Estimate{}, err
			}
			n++
		}
	}
	prop := make([]float64, n)
	x := make([]float64, t.Dim())
	for i := range prop {
		q.Draw(r, x)
		if prop[i], err = ratio(x); err != nil {
			return infer.Estimate{}, err
		}
	}
	return solve(post, prop, set)
}

// logDensity is log p, -Inf where the model rejects or has no number.
func logDensity(t infer.Tempered, q []float64) (float64, error) {
	prior, likelihood, err := t.LogDensityParts(q)
	if err != nil && infer.IsReject(err) || err == nil && math.IsNaN(prior+likelihood) {
		return math.Inf(-1), nil
	}
	return prior + likelihood, err
}

// approximate is the normal with the draws' mean and covariance; the diagonal
// of that where there are fewer than two draws a dimension.
func approximate(points [][]float64, dim int) (*normal.Normal, error) {
	n := len(points)
	if n < leastDraws {
		return nil, ErrTooFew
	}
	data := mat.NewDense(n, dim, nil)
	mean, sd := make([]float64, dim), make([]float64, dim)
	for i, p := range points {
		data.SetRow(i, p)
		for j, v := range p {
			mean[j] += v / float64(n)
		}
	}
	var cov mat.SymDense
	cov.Covariance(data)
	for j := range sd {
		if sd[j] = math.Sqrt(cov.At(j, j)); !(sd[j] > 0) || math.IsInf(sd[j], 0) {
			return nil, fmt.Errorf("bridge sampling: coordinate %d does not vary over the draws", j+1)
		}
	}
	var chol mat.Cholesky
	if n < 2*dim || !chol.Factorize(&cov) {
		return normal.NewDiagonal(mean, sd), nil
	}
	var l mat.TriDense
	chol.LTo(&l)
	flat := make([]float64, dim*dim)
	for i := range dim {
		for j := range i + 1 {
			flat[i*dim+j] = l.At(i, j)
		}
	}
	return normal.NewLower(mean, flat), nil
}

// solve iterates to the fixed point. post are log p - log q of the posterior
// draws, by chain; prop those of the draws from q.
func solve(post [][]float64, prop []float64, set Settings) (infer.Estimate, error) {
	all := slices.Concat(post...)
	n1, n2 := float64(len(all)), float64(len(prop))
	effective := effectiveSize(post)
	s1 := effective / (effective + n2)
	s2 := 1 - s1
	// Everything is relative to a typical ratio, so that nothing overflows.
	ref := draws.Quantile(draws.Sorted(post), 0.5)
	if math.IsNaN(ref) || math.IsInf(ref, 0) {
		return infer.Estimate{}, errors.New("bridge sampling: the log density at the draws is not finite")
	}
	r, change := 1.0, math.Inf(1)
	for i := 0; change > set.Tolerance; i++ {
		if i == set.Iterations {
			return infer.Estimate{}, fmt.Errorf("bridge sampling: no fixed point after %d iterations, the relative change is still %.2g; more draws are needed", i, change)
		}
		var up, down float64
		for _, v := range prop {
			up += 1 / (s1 + float64(s2*r*libm.Exp(ref-v)))
		}
		for _, v := range all {
			down += 1 / (float64(s1*libm.Exp(v-ref)) + float64(s2*r))
		}
		next := (up / n2) / (down / n1)
		if !(next > 0) || math.IsInf(next, 0) {
			return infer.Estimate{}, errors.New("bridge sampling: the draws and their normal approximation do not overlap")
		}
		change = math.Abs(next-r) / next
		r = next
	}
	return infer.Estimate{Value: libm.Log(r) + ref, Error: math.Sqrt(relativeVariance(post, prop, s1, r, ref))}, nil
}

// relativeVariance is that of r: see the package comment.
func relativeVariance(post [][]float64, prop []float64, s1, r, ref float64) float64 {
	s2 := 1 - s1
	f1 := [][]float64{make([]float64, len(prop))}
	for i, v := range prop {
		f1[0][i] = 1 / (s1 + float64(s2*r*libm.Exp(ref-v)))
	}
	f2 := make([][]float64, len(post))
	for c, chain := range post {
		f2[c] = make([]float64, len(chain))
		for i, v := range chain {
			f2[c][i] = 1 / (s1*libm.Exp(v-ref)/r + s2)
		}
	}
	a := draws.SD(f1) / draws.Mean(f1)
	b := draws.SD(f2) / draws.Mean(f2)
	return a*a/float64(len(prop)) + b*b/effectiveSize(f2)
}

// effectiveSize of a column, at most its number of draws, which is also taken
// where nothing varies.
func effectiveSize(x [][]float64) float64 {
	n := 0
	for _, c := range x {
		n += len(c)
	}
	if e := draws.ESSMean(x); e < float64(n) {
		return e
	}
	return float64(n)
}
