// This file holds the hypergeometric and discrete range distributions.

package univariate

import (
	"math"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/variate"
)

func boundedCountDistributions() []*catalogue.Distribution {
	return []*catalogue.Distribution{
		{
			Name: "hypergeometric", Args: "ints n | ints N, ints a, ints b", Discrete: true,
			Doc: "hypergeometric distribution of the successes in N draws from a successes and b failures", Section: BoundedInt,
			Requires: []catalogue.Requirement{catalogue.CountInt, catalogue.CountInt, catalogue.CountInt, catalogue.CountInt},
			Valid:    hypergeometricValid, Support: hypergeometricSupport,
			Log: func(x, d []float64) float64 { return hypergeometricMass(x[0], x[1], x[2], x[3]) },
			Draw: func(r *rand.Rand, p []float64) float64 {
				return hypergeometricDraw(r, p[0], p[1], p[2])
			},
		},
		withTails(&catalogue.Distribution{
			Name: "discrete_range", Args: "ints y | ints l, ints u", Discrete: true,
			Doc: "uniform distribution on the integers from l to u", Section: BoundedInt,
			Requires: []catalogue.Requirement{catalogue.AnyInt, catalogue.AnyInt, catalogue.AnyInt},
			Valid: func(x []float64) *catalogue.Violation {
				if x[2] >= x[1] {
					return nil
				}
				return &catalogue.Violation{Arg: 2, Must: "at least l, which is " + catalogue.NumberText(x[1])}
			},
			Log: func(x, d []float64) float64 {
				if x[0] < x[1] || x[0] > x[2] {
					return catalogue.NegInf
				}
				return -libm.Log(x[2] - x[1] + 1)
			},
			Draw: func(r *rand.Rand, p []float64) float64 {
				return p[0] + float64(variate.IntN(r, int64(p[1]-p[0])+1))
			},
		}, func(t tail, x, d []float64) float64 {
			y, lo, hi := x[0], x[1], x[2]
			if y < lo || y >= hi {
				return edge(t, y >= lo, d)
			}
			w := hi - lo + 1
			v, _ := fromProbabilities(t, (y-lo+1)/w, (hi-y)/w)
			return v
		}),
	}
}

func hypergeometricValid(x []float64) *catalogue.Violation {
	if x[1] <= x[2]+x[3] {
		return nil
	}
	return &catalogue.Violation{Arg: 1, Must: "at most a + b, which is " + catalogue.NumberText(x[2]+x[3])}
}

func hypergeometricSupport(x []float64) *catalogue.Violation {
	lo, hi := math.Max(0, x[1]-x[3]), math.Min(x[1], x[2])
	if x[0] >= lo && x[0] <= hi {
		return nil
	}
	return &catalogue.Violation{Arg: 0, Must: "in the interval [" + catalogue.NumberText(lo) + ", " + catalogue.NumberText(hi) + "]"}
}

// hypergeometricMass is a ratio of binomial masses at the common chance N/(a+b).
func hypergeometricMass(k, n, a, b float64) float64 {
	s := a + b
	if s == 0 {
		return 0
	}
	p, q := n/s, (s-n)/s
	return binomialMass(k, a, p, q) + binomialMass(n-k, b, p, q) - binomialMass(n, s, p, q)
}

// hypergeometricDraw inverts the distribution function, from the mode outwards.
func hypergeometricDraw(r *rand.Rand, n, a, b float64) float64 {
	lo, hi := math.Max(0, n-b), math.Min(n, a)
	mode := math.Floor((n + 1) * (a + 1) / (a + b + 2))
	mode = math.Max(lo, math.Min(hi, mode))
	start := libm.Exp(hypergeometricMass(mode, n, a, b))
	down, up, kd, ku := start, start, mode, mode
	u := r.Float64() - start
	for u >= 0 && (kd > lo || ku < hi) {
		if kd > lo {
			down = float64(down * (kd * (b - n + kd) / ((a - kd + 1) * (n - kd + 1))))
			kd--
			if u -= down; u < 0 {
				return kd
			}
		}
		if ku < hi {
			up = float64(up * ((a - ku) * (n - ku) / ((ku + 1) * (b - n + ku + 1))))
			ku++
			if u -= up; u < 0 {
				return ku
			}
		}
	}
	return mode
}
