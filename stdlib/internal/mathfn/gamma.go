// This file holds the functions of the gamma and beta family.

package mathfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

func gammaFunctions() []*catalogue.Function {
	row := func(name, doc string, f func(x float64) float64, d func(x, f float64) float64) *catalogue.Function {
		return catalogue.Elementwise(catalogue.SectionReal, doc, catalogue.Unary(name, f, d))
	}
	all := []*catalogue.Function{
		catalogue.Elementwise(catalogue.SectionReal, "the logarithm of the absolute value of the gamma function", LgammaOp),
		row("tgamma", "the gamma function", libm.Gamma, func(x, f float64) float64 { return f * special.Digamma(x) }).
			Where(0, "x", func(x float64) bool { return x > 0 || x != math.Floor(x) }, "no negative integer and not 0"),
		catalogue.Elementwise(catalogue.SectionReal, "the derivative of lgamma", digammaOp),
		row("trigamma", "the derivative of digamma", special.Trigamma, func(x, _ float64) float64 { return special.Tetragamma(x) }),
		catalogue.Elementwise(catalogue.SectionReal, "the logarithm of the multivariate gamma function of n dimensions",
			catalogue.Binary("lmgamma", LogMultiGamma, func(n, x, _ float64) (float64, float64) {
				s := 0.0
				for j := 0.0; j < n; j += 2 {
					if y := x - j/2; j+1 < n {
						s += 2*special.Digamma(2*y-1) - 2*math.Ln2
					} else {
						s += special.Digamma(y)
					}
				}
				return 0, s
			}), "I n", "T x"),
		catalogue.Elementwise(catalogue.SectionReal, "the logarithm of the beta function", LbetaOp),
		catalogue.Elementwise(catalogue.SectionReal, "the beta function", catalogue.Binary("beta",
			func(a, b float64) float64 { return libm.Exp(lbeta(a, b)) },
			func(a, b, f float64) (float64, float64) {
				da, db := lbetaGradient(a, b, 0)
				return f * da, f * db
			})),
		lchoose(),
		catalogue.Elementwise(catalogue.SectionReal, "the logarithm of gamma(x + 1)/gamma(x - n + 1)", catalogue.Binary("log_falling_factorial",
			func(x, n float64) float64 {
				if low := x - n + 1; low > 0 && n == math.Floor(n) && n >= 0 && n <= fewFactors {
					return logShift(low, n)
				}
				return -logShift(x+1, -n)
			},
			func(x, n, _ float64) (float64, float64) {
				psi := special.Digamma(x - n + 1)
				if low := x - n + 1; low > 0 && n == math.Floor(n) && n >= 0 && n <= fewFactors {
					return rates(low, n), psi
				}
				return -psiShift(x+1, -n), psi
			})).Where(0, "the first argument", isPositive, "positive"),
		catalogue.Elementwise(catalogue.SectionReal, "the logarithm of gamma(x + n)/gamma(x)", catalogue.Binary("log_rising_factorial", logShift,
			func(x, n, _ float64) (float64, float64) {
				psi := special.Digamma(x + n)
				if n == math.Floor(n) && n >= 0 && n <= fewFactors {
					return rates(x, n), psi
				}
				return psiShift(x, n), psi
			})).Where(0, "the first argument", isPositive, "positive"),
	}
	return append(all, incompleteFunctions()...)
}

func isPositive(x float64) bool { return !(x <= 0) }

// logShift is lgamma(x + a) - lgamma(x).
func logShift(x, a float64) float64 {
	switch {
	case x > 0 && x < mostFactor && a == math.Floor(a) && a >= 0 && a <= fewFactors:
		product := 1.0
		for i := range int(a) {
			product *= x + float64(i)
		}
		return libm.Log(product)
	case x > 0 && a >= 0:
		return special.LgammaDiff(x, a)
	case x > 0 && x+a > 0:
		return -special.LgammaDiff(x+a, -a)
	}
	return special.Lgamma(x+a) - special.Lgamma(x)
}

// Up to fewFactors factors of up to mostFactor are multiplied.
const (
	fewFactors = 8
	mostFactor = 1e30
)

// rates is psiShift of few factors.
func rates(x, n float64) (sum float64) {
	for i := range int(n) {
		sum += 1 / (x + float64(i))
	}
	return sum
}

// psiShift is digamma(x + a) - digamma(x).
func psiShift(x, a float64) float64 {
	switch {
	case x > 0 && a >= 0:
		return special.PsiDiff(x, a)
	case x > 0 && x+a > 0:
		return -special.PsiDiff(x+a, -a)
	}
	return special.Digamma(x+a) - special.Digamma(x)
}

// LogMultiGamma is the logarithm of the multivariate gamma function of n dimensions: gamma functions at y and y - 1/2 are one at
// 2y - 1 (duplication formula, DLMF 5.5.5).
func LogMultiGamma(n, x float64) float64 {
	const logPi = 1.1447298858494001741434273513531
	s := float64(n * (n - 1) / 4 * logPi)
	for j := 0.0; j < n; j += 2 {
		if y := x - j/2; j+1 < n {
			s += special.Lgamma(2*y-1) - float64((2*y-2)*math.Ln2) + logPi/2
		} else {
			s += special.Lgamma(y)
		}
	}
	return s
}

func lchoose() *catalogue.Function {
	op := catalogue.Binary("lchoose", func(n, k float64) float64 {
		if k > n/2 {
			k = n - k
		}
		return logShift(n-k+1, k) - special.Lgamma1p(k)
	}, func(n, k, _ float64) (float64, float64) {
		const far = 1e-3 // where the terms do not cancel
		if k > far && n-k > far {
			left, chosen := special.Psi(n-k+1), special.Psi(k+1)
			return special.Psi(n+1) - left, left - chosen
		}
		return psiShift(n-k+1, k), psiShift(k+1, n-2*k)
	})
	f := catalogue.Elementwise(catalogue.SectionReal, "the logarithm of the binomial coefficient, continued to real arguments", op, "T n", "T k")
	f.Valid = func(x []float64) error {
		n, k := x[0], x[1]
		switch {
		case n < -1:
			return catalogue.DomainErrorf("lchoose", "n is %v, but must be at least -1", n)
		case k < -1:
			return catalogue.DomainErrorf("lchoose", "k is %v, but must be at least -1", k)
		case n < k-1:
			return catalogue.DomainErrorf("lchoose", "n is %v, but must be at least k - 1 = %v", n, k-1)
		}
		return nil
	}
	return f
}

// incompleteFunctions are the regularised incomplete gamma and beta functions.
func incompleteFunctions() []*catalogue.Function {
	return []*catalogue.Function{
		catalogue.Elementwise(catalogue.SectionReal, "the regularised lower incomplete gamma function", catalogue.Binary("gamma_p",
			special.GammaP, special.GammaPSlopes), "T a", "T z").Where(0, "a", isPositive, "positive").Where(1, "z", notBelow0, "nonnegative"),
		catalogue.Elementwise(catalogue.SectionReal, "the regularised upper incomplete gamma function", catalogue.Binary("gamma_q",
			func(a, z float64) float64 { return special.IncGammaOfShape(a, z).Q },
			func(a, z, _ float64) (float64, float64) {
				t := special.IncGamma(a, z)
				return t.Q * t.LogQA, -libm.Exp(t.LogDensity)
			}), "T a", "T z").Where(0, "a", isPositive, "positive").Where(1, "z", notBelow0, "nonnegative"),
		catalogue.Scalar(catalogue.SectionReal, "the regularised incomplete beta function", &autodiff.Op{Name: "inc_beta",
			F3: func(a, b, x float64) float64 { return special.IncBeta(a, b, x, 1-x).P },
			D3: func(a, b, x, _ float64) (float64, float64, float64) {
				t := special.IncBeta(a, b, x, 1-x)
				return t.P * t.LogPA, t.P * t.LogPB, libm.Exp(t.LogDensity)
			}}, "real alpha", "real beta", "real x").
			Where(0, "alpha", isPositive, "positive").Where(1, "beta", isPositive, "positive").
			Where(2, "x", inUnit, "between 0 and 1"),
		catalogue.Scalar(catalogue.SectionReal, "the inverse of inc_beta in its third argument", &autodiff.Op{Name: "inv_inc_beta",
			F3: special.InvIncBeta,
			D3: func(a, b, _, x float64) (float64, float64, float64) {
				t := special.IncBeta(a, b, x, 1-x)
				d := libm.Exp(-t.LogDensity)
				return -t.P * t.LogPA * d, -t.P * t.LogPB * d, d
			}}, "real alpha", "real beta", "real p").
			Where(0, "alpha", isPositive, "positive").Where(1, "beta", isPositive, "positive").
			Where(2, "p", inUnit, "between 0 and 1"),
	}
}

func notBelow0(x float64) bool { return !(x < 0) }

func inUnit(x float64) bool { return !(x < 0 || x > 1) }
