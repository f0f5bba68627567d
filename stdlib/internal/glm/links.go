// The links of the generalised linear models with one predictor.

package glm

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/transform"
	"github.com/seed-12b88e03/ppl/stdlib/internal/univariate"
)

func normalLink(b glmBlock, eta, d []float64) float64 {
	if len(b.extra) == 1 && len(b.y) == len(eta) {
		return normalCommonLink(b, eta, d)
	}
	sum := 0.0
	for i, e := range eta {
		sigma := transform.ArgAt(b.extra, i)
		z := (transform.ArgAt(b.y, i) - e) / sigma
		sum -= float64(0.5*z*z) + libm.Log(sigma)
		d[i] = z / sigma
		if b.dy != nil {
			transform.AddArgAt(b.dy, i, -b.adj*d[i])
		}
		if b.dextra != nil {
			transform.AddArgAt(b.dextra, i, b.adj*(float64(z*z)-1)/sigma)
		}
	}
	return sum - float64(float64(len(eta))*univariate.HalfLogTwoPi)
}

// normalCommonLink is the case of one scale for all.
func normalCommonLink(b glmBlock, eta, d []float64) float64 {
	sigma := b.extra[0]
	inv := 1 / sigma
	y, d := b.y[:len(eta)], d[:len(eta)]
	squares := 0.0
	for i, e := range eta {
		z := (y[i] - e) * inv
		squares += float64(z * z)
		d[i] = z * inv
	}
	if b.dy != nil {
		catalogue.Axpy(-b.adj, d, b.dy)
	}
	n := float64(len(eta))
	if b.dextra != nil {
		b.dextra[0] += float64(b.adj * (squares - n) * inv)
	}
	return float64(-0.5*squares) - float64(n*(libm.Log(sigma)+univariate.HalfLogTwoPi))
}

// bernoulliLink gathers prod (1 + exp(-|eta|)) before taking its logarithm, as each
// factor is between 1 and 2. Signs are chosen by bits, as branches on data cost more
// than the arithmetic.
func bernoulliLink(b glmBlock, eta, d []float64) float64 {
	if len(b.y) == len(eta) {
		return vec.BernoulliLogit(d[:len(eta)], b.y, eta)
	}
	const most, one = 1e150, 0x3ff0000000000000
	sum, product := 0.0, 1.0
	stride := 1
	if len(b.y) == 1 {
		stride = 0
	}
	d = d[:len(eta)]
	for i, t := range eta {
		y := b.y[i*stride]
		bits := math.Float64bits(t)
		negative := uint64(int64(bits) >> 63) // all ones where t < 0
		e := libm.Exp(math.Float64frombits(bits | 1<<63))
		above := math.Float64frombits(one&^negative | math.Float64bits(e)&negative)
		d[i] = y - above/(1+e)
		sum += float64((y - math.Float64frombits(one&^negative)) * t) // y t - max(t, 0)
		product *= 1 + e
		if product > most {
			sum -= libm.Log(product)
			product = 1
		}
	}
	return sum - libm.Log(product)
}

// tensor is one of the block's vectors, or a single number for all.
func (b glmBlock) tensor(x []float64) catalogue.Tensor {
	if len(x) == 1 {
		return catalogue.Tensor{X: x}
	}
	return catalogue.Tensor{Dims: []int{len(x)}, X: x}
}

// counts is the argument of counts for a sum of terms.
func (b glmBlock) counts(x []float64) vec.Arg { return vec.Arg{X: x, Vector: len(x) > 1} }

// logFactorials and logChoices are what depends on counts alone.
func logFactorials(n int, in []catalogue.Tensor) (float64, bool) {
	return -univariate.LogFactorialSum(n, in[0]), vec.Within(in[0].X, 0, univariate.ManyCounts)
}

func logChoices(n int, in []catalogue.Tensor) (float64, bool) {
	return univariate.LogChooses(n, univariate.ColumnOf(in[0]), univariate.ColumnOf(in[1]))
}

func poissonLink(b glmBlock, eta, d []float64) float64 {
	if (b.known || vec.Within(b.y, 0, univariate.ManyCounts)) && vec.Within(eta, -700, 700) {
		clear(d)
		args := [2]vec.Arg{{X: eta, Vector: true, D: d}, b.counts(b.y)}
		t := vec.PoissonLogTerm.Run(len(eta), args[:], 1)
		if b.known {
			return t.Sum[0]
		}
		return t.Sum[0] - univariate.LogFactorialSum(len(eta), b.tensor(b.y))
	}
	sum := 0.0
	for i, e := range eta {
		y := transform.ArgAt(b.y, i)
		mean := libm.Exp(e)
		d[i] = y - mean
		if b.known {
			sum += univariate.LogFactorialOf(y)
		}
		if y < 256 && mean <= math.MaxFloat64 {
			sum += float64(y*e) - mean - univariate.LogFactorial(y)
			continue
		}
		b.point[0], b.point[1] = y, e
		sum += univariate.PoissonLogLog(b.point[:2], nil)
	}
	return sum
}

func negBinomialLink(b glmBlock, eta, d []float64) float64 {
	var r univariate.Risings
	var y univariate.Tally
	if len(b.extra) == 1 && vec.Within(eta, -700, 700) && y.Count(len(eta), b.tensor(b.y)) && r.Fill(&y, b.extra[0]) {
		clear(d)
		value, slope := r.Of(&y)
		v, dphi, _ := r.Terms(len(eta), vec.Arg{X: eta, Vector: true, D: d}, b.counts(b.y), 1)
		v, dphi = v+value, dphi+slope
		if b.dextra != nil {
			b.dextra[0] += float64(b.adj * dphi)
		}
		return v
	}
	if vec.Within(eta, -700, 700) && (b.adj == 1 || b.dextra == nil) {
		clear(d)
		size := [1]int{len(eta)}
		in := [3]catalogue.Tensor{b.tensor(b.y), {Dims: size[:], X: eta}, b.tensor(b.extra)}
		if v, ok := univariate.NegBinomialPrecisions(len(eta), in[:], 1, [][]float64{nil, d, b.dextra}); ok {
			return v
		}
	}
	sum, logPhi := 0.0, libm.Log(b.extra[0])
	for i, e := range eta {
		phi := transform.ArgAt(b.extra, i)
		if len(b.extra) > 1 {
			logPhi = libm.Log(phi)
		}
		v, de, dPhi := univariate.NegBinomialMass(transform.ArgAt(b.y, i), e, e-logPhi, phi)
		sum += v
		d[i] = de
		if b.dextra != nil {
			transform.AddArgAt(b.dextra, i, b.adj*dPhi)
		}
	}
	return sum
}

func binomialLink(b glmBlock, eta, d []float64) float64 {
	k, trials := univariate.ColumnOf(b.tensor(b.y)), univariate.ColumnOf(b.tensor(b.trials))
	choices, ok := 0.0, b.known
	if !ok {
		choices, ok = univariate.LogChooses(len(eta), k, trials)
	}
	if ok && vec.Within(eta, -catalogue.MaxFinite, catalogue.MaxFinite) {
		clear(d)
		args := [3]vec.Arg{{X: eta, Vector: true, D: d}, b.counts(b.y), b.counts(b.trials)}
		t := vec.BinomialLogitTerm.Run(len(eta), args[:], 1)
		return t.Sum[0] + choices
	}
	sum := 0.0
	if b.known {
		choices, _ = univariate.LogChooses(len(eta), k, trials)
		sum = -choices
	}
	x, dx := b.point[:3], b.point[3:6]
	for i, e := range eta {
		x[0], x[1], x[2] = transform.ArgAt(b.y, i), transform.ArgAt(b.trials, i), e
		sum += univariate.BinomialLogitLog(x, dx)
		d[i] = dx[2]
	}
	return sum
}
