package vec

import (
	"fmt"
	"math"
	"testing"
)

// BenchmarkFunc times each function in each implementation on a short and a long vector;
// the metric is nanoseconds an element.
func BenchmarkFunc(b *testing.B) {
	names := [numFuncs]string{Exp: "exp", Expm1: "expm1", Log: "log", Log1p: "log1p", Log1pExp: "log1p_exp",
		Log1mExp: "log1m_exp", InvLogit: "inv_logit", Tanh: "tanh", Phi: "Phi", LogPhi: "log_Phi", Hazard: "hazard",
		InvPhi: "inv_Phi", Erf: "erf", Erfc: "erfc", Sin: "sin", Cos: "cos", Lgamma: "lgamma", Digamma: "digamma", Sqrt: "sqrt", Inv: "inv", Neg: "neg", Square: "square"}
	for f, name := range names {
		for _, s := range sets() {
			use(b, s)
			for _, n := range []int{1, 8, 100, 1000} {
				b.Run(fmt.Sprintf("%s/%s/%d", name, s.name, n), func(b *testing.B) {
					x, y := domain(Func(f), everyday(n)), make([]float64, n)
					for range b.N {
						Func(f).Map(y, x)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
				})
			}
		}
	}
}

// domain brings positive numbers to where f is defined.
func domain(f Func, x []float64) []float64 {
	for i, v := range x {
		switch f {
		case Log1mExp:
			x[i] = -v
		case InvPhi:
			x[i] = invLogit(4*v - 8)
		}
	}
	return x
}

// BenchmarkLbeta times the logarithm of the beta function, and its sum with derivatives.
func BenchmarkLbeta(b *testing.B) {
	const n = 1000
	x, y, z, d := everyday(n), everyday(n), make([]float64, n), make([]float64, n)
	for _, s := range sets() {
		use(b, s)
		b.Run("value/"+s.name, func(b *testing.B) {
			for range b.N {
				LbetaVV.Map(z, x, y)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/element")
		})
		b.Run("derivatives/"+s.name, func(b *testing.B) {
			for range b.N {
				LbetaTerm.Run(n, []Arg{{X: x, Vector: true, D: z}, {X: y, Vector: true, D: d}}, 1)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/element")
		})
	}
}

// BenchmarkPow times powers with one exponent for all bases.
func BenchmarkPow(b *testing.B) {
	for _, s := range sets() {
		use(b, s)
		for _, n := range []int{8, 1000} {
			x, y, z := everyday(n), []float64{1.7}, make([]float64, n)
			b.Run(fmt.Sprintf("%s/%d", s.name, n), func(b *testing.B) {
				for range b.N {
					PowVS.Map(z, x, y)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
			})
		}
	}
	b.Run("math.Pow", func(b *testing.B) {
		x, z := everyday(1000), make([]float64, 1000)
		for range b.N {
			for i, v := range x {
				z[i] = math.Pow(v, 1.7)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/element")
	})
}

// BenchmarkDot times dot products and sums.
func BenchmarkDot(b *testing.B) {
	for _, s := range sets() {
		use(b, s)
		for _, n := range []int{8, 100, 1000} {
			x, y := everyday(n), everyday(n)
			b.Run(fmt.Sprintf("dot/%s/%d", s.name, n), func(b *testing.B) {
				for range b.N {
					dot(&x[0], &y[0], n)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
			})
		}
	}
}

// everyday returns positive numbers of moderate size.
func everyday(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 0.1 + 3*math.Abs(math.Sin(float64(i)))
	}
	return x
}

// BenchmarkLogistic times the three parts of a logistic regression with 10,000 rows and
// 20 columns.
func BenchmarkLogistic(b *testing.B) {
	const rows, cols = 10_000, 20
	a, beta := everyday(rows*cols), everyday(cols)
	eta, slope, y, grad := make([]float64, rows), make([]float64, rows), make([]float64, rows), make([]float64, cols)
	for i := range y {
		y[i] = float64(i % 2)
	}
	for _, s := range sets() {
		use(b, s)
		b.Run("predictors/"+s.name, func(b *testing.B) {
			for range b.N {
				clear(eta)
				AddMatVec(eta, a, rows, beta)
			}
		})
		for i := range eta {
			eta[i] = math.Sin(float64(i))
		}
		b.Run("link/"+s.name, func(b *testing.B) {
			for range b.N {
				BernoulliLogit(slope, y, eta)
			}
		})
		b.Run("gradient/"+s.name, func(b *testing.B) {
			for range b.N {
				MatTVec(grad, a, rows, slope)
			}
		})
		b.Run("check/"+s.name, func(b *testing.B) {
			for range b.N {
				Within(y, 0, 1)
			}
		})
	}
}
