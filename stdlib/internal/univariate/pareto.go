// This file holds the Pareto distributions.

package univariate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

const lowerBounded = "Positive Lower-Bounded Distributions"

func paretoDistributions() []*catalogue.Distribution {
	return []*catalogue.Distribution{
		withTails(&catalogue.Distribution{
			Name: "pareto", Args: "reals y | reals y_min, reals alpha",
			Doc: "Pareto distribution with minimum y_min and shape alpha", Section: lowerBounded,
			Requires: []catalogue.Requirement{catalogue.NotNaN, catalogue.PositiveFinite, catalogue.PositiveFinite}, Variate: &catalogue.Nonnegative,
			Log:  paretoLog,
			Draw: func(r *rand.Rand, p []float64) float64 { return p[0] * libm.Exp(variate.Exponential(r)/p[1]) },
		}, paretoTail),
		withTails(&catalogue.Distribution{
			Name: "pareto_type_2", Args: "reals y | reals mu, reals lambda, reals alpha",
			Doc: "Pareto distribution of type 2 with location mu, scale lambda and shape alpha", Section: lowerBounded,
			Requires: []catalogue.Requirement{catalogue.NotNaN, catalogue.Finite, catalogue.PositiveFinite, catalogue.PositiveFinite},
			Valid: func(x []float64) *catalogue.Violation {
				if x[0] < x[1] {
					return &catalogue.Violation{Arg: 0, Must: "at least mu, which is " + catalogue.NumberText(x[1])}
				}
				return nil
			},
			Log: paretoType2Log,
			Draw: func(r *rand.Rand, p []float64) float64 {
				return p[0] + float64(p[1]*libm.Expm1(variate.Exponential(r)/p[2]))
			},
		}, paretoType2Tail),
	}
}

// logQuotient is log(y/m), accurate where both are close.
func logQuotient(y, m float64) float64 {
	if y > 0.5*m && y < 2*m {
		return libm.Log1p((y - m) / m)
	}
	return libm.Log(y) - libm.Log(m)
}

func paretoLog(x, d []float64) float64 {
	y, m, a := x[0], x[1], x[2]
	if y < m || math.IsInf(y, 1) {
		return catalogue.NegInf
	}
	logR := logQuotient(y, m)
	if d != nil {
		d[0], d[1], d[2] = -(a+1)/y, a/m, 1/a-logR
	}
	return libm.Log(a) - libm.Log(y) - float64(a*logR)
}

func paretoTail(t tail, x, d []float64) float64 {
	y, m, a := x[0], x[1], x[2]
	if y < m || math.IsInf(y, 1) {
		return edge(t, y > m, d)
	}
	logR := logQuotient(y, m)
	v, dl := exponentialTail(t, a*logR)
	if d != nil {
		d[0], d[1], d[2] = dl*a/y, -dl*a/m, dl*logR
	}
	return v
}

func paretoType2Log(x, d []float64) float64 {
	y, mu, lambda, a := x[0], x[1], x[2], x[3]
	w := (y - mu) / lambda
	if math.IsInf(w, 1) {
		return catalogue.NegInf
	}
	log1 := libm.Log1p(w)
	if d != nil {
		g := (a + 1) / (lambda + (y - mu))
		d[0], d[1], d[2], d[3] = -g, g, (float64(a*w)-1)/(1+w)/lambda, 1/a-log1
	}
	return libm.Log(a) - libm.Log(lambda) - float64((a+1)*log1)
}

func paretoType2Tail(t tail, x, d []float64) float64 {
	y, mu, lambda, a := x[0], x[1], x[2], x[3]
	w := (y - mu) / lambda
	if math.IsInf(w, 1) {
		return edge(t, true, d)
	}
	log1 := libm.Log1p(w)
	v, dl := exponentialTail(t, a*log1)
	if d != nil {
		g := dl * a / (lambda + (y - mu))
		d[0], d[1], d[2], d[3] = g, -g, -g*w, dl*log1
	}
	return v
}
