// Draws that are moved to where they would be without an observation, against closed forms.

package loo_test

import (
	"math"
	"testing"

	"github.com/seed-12b88e03/ppl/diagnose/loo"
	"github.com/seed-12b88e03/ppl/infer/infertest/subset"
	"github.com/seed-12b88e03/ppl/infer/rng"
)

// TestOracleMatch: normal means, and regressions with a known scale, of which one observation tells much. Of those predictions that are
// believed none may be off by more than 0.15 nats and 2 %, and many that weights do not predict must be believed.
func TestOracleMatch(t *testing.T) {
	r := rng.New(11, "match", 0, 0)
	cases, mended, wrong := subset.Of(40, 400), 0, 0
	for range cases {
		d := 1 + r.IntN(3)
		n := 5 + r.IntN(8)
		x, y := make([][]float64, n), make([]float64, n)
		for i := range x {
			x[i] = []float64{1, r.NormFloat64(), r.NormFloat64()}[:d]
			y[i] = r.NormFloat64()
		}
		y[0] += 8 * r.Float64()
		for j := 1; j < d; j++ {
			x[0][j] *= 1 + 3*r.Float64()
		}
		mean, half := regression(x, y)
		mean1, half1 := regression(x[1:], y[1:])
		eta, v := 0.0, 1.0
		for j := range d {
			eta += x[0][j] * mean1[j]
			dot := 0.0
			for k := range d {
				dot += half1[k][j] * x[0][k]
			}
			v += dot * dot
		}
		want := -0.5*math.Pow(y[0]-eta, 2)/v - 0.5*math.Log(2*math.Pi*v)
		one := func(q []float64) float64 {
			e := y[0]
			for j := range q {
				e -= x[0][j] * q[j]
			}
			return -0.5*e*e - 0.5*math.Log(2*math.Pi)
		}
		place := func(q []float64) (float64, float64, error) {
			lp := 0.0
			for i := range y {
				e := y[i]
				for j := range q {
					e -= x[i][j] * q[j]
				}
				lp -= e * e / 2
			}
			for _, b := range q {
				lp -= b * b / 8
			}
			return lp, one(q), nil
		}
		draws := make([][]float64, 2000)
		for s := range draws {
			q, z := make([]float64, d), make([]float64, d)
			for j := range z {
				z[j] = r.NormFloat64()
			}
			for j := range q {
				q[j] = mean[j]
				for k := range z {
					q[j] += half[j][k] * z[k]
				}
			}
			draws[s] = q
		}
		got, err := loo.Match(draws, place, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got.Steps == 0 || !got.Holds() {
			continue
		}
		mended++
		if off := math.Abs(got.ELPD - want); off > 0.15+0.02*math.Abs(want) {
			wrong++
			t.Errorf("n %d, d %d: %.4f, exactly %.4f: %+v", n, d, got.ELPD, want, got)
		}
	}
	t.Logf("%d of %d were mended, %d wrong", mended, cases, wrong)
	if mended < cases/10 {
		t.Errorf("only %d of %d", mended, cases)
	}
}

// regression is the posterior mean under N(0, 4) priors and unit noise, and a square root of its covariance.
func regression(x [][]float64, y []float64) (mean []float64, half [][]float64) {
	d := len(x[0])
	p := make([][]float64, d)
	rhs := make([]float64, d)
	for j := range p {
		p[j] = make([]float64, d)
		p[j][j] = 0.25
	}
	for i := range x {
		for j := range d {
			rhs[j] += x[i][j] * y[i]
			for k := range d {
				p[j][k] += x[i][j] * x[i][k]
			}
		}
	}
	// Cholesky factor l of p; the covariance is l^-T l^-1.
	l := make([][]float64, d)
	for j := range l {
		l[j] = make([]float64, d)
		for k := range j + 1 {
			s := p[j][k]
			for m := range k {
				s -= l[j][m] * l[k][m]
			}
			if j == k {
				l[j][k] = math.Sqrt(s)
			} else {
				l[j][k] = s / l[k][k]
			}
		}
	}
	half = make([][]float64, d)
	for j := range half {
		half[j] = make([]float64, d)
	}
	for k := range d { // column k of l^-T: row k of l^-1
		for j := k; j < d; j++ {
			s := 0.0
			if j == k {
				s = 1
			}
			for m := k; m < j; m++ {
				s -= l[j][m] * half[k][m]
			}
			half[k][j] = s / l[j][j]
		}
	}
	mean = make([]float64, d)
	for j := range d {
		for k := range d {
			for m := range d {
				mean[j] += half[j][m] * half[k][m] * rhs[k]
			}
		}
	}
	return mean, half
}
