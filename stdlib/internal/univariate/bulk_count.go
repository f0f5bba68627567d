// This file holds the tight loops of the mass functions of counts.

package univariate

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/autodiff/vec"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// bernoulliBulk does a common chance by counting.
func bernoulliBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if n < 2 {
		return 0, false
	}
	if len(in[1].Dims) > 0 {
		return bernoulliChances(n, in, adj, din)
	}
	ones := 0.0
	for _, y := range in[0].X {
		ones += y
	}
	zeros, p := float64(n)-ones, in[1].X[0]
	sum, g := 0.0, 0.0
	if ones > 0 {
		sum += float64(ones * libm.Log(p))
		g += ones / p
	}
	if zeros > 0 {
		sum += float64(zeros * libm.Log1p(-p))
		g -= zeros / (1 - p)
	}
	if !math.IsInf(sum, -1) {
		gradientOf(din, in, 1).add(0, adj*g)
	}
	return sum, true
}

// bernoulliLogitBulk does log odds for each element.
func bernoulliLogitBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if len(in[1].Dims) == 0 || n < 2 {
		return 0, false
	}
	alpha, dz := in[1].X[:n], gradientOf(din, in, 1).d
	var slope, outcome [1024]float64
	if len(in[0].Dims) == 0 { // the same for all
		for i := range min(n, len(outcome)) {
			outcome[i] = in[0].X[0]
		}
	}
	sum := 0.0
	for lo := 0; lo < n; lo += len(slope) {
		hi := min(lo+len(slope), n)
		y := outcome[:hi-lo]
		if len(in[0].Dims) > 0 {
			y = in[0].X[lo:hi]
		}
		sum += vec.BernoulliLogit(slope[:hi-lo], y, alpha[lo:hi])
		if dz != nil {
			vec.AddScaled(dz[lo:hi], adj, slope[:hi-lo])
		}
	}
	return sum, true
}

// bernoulliChances does a chance for each element.
func bernoulliChances(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if !vec.Within(in[1].X, catalogue.LeastNormal, catalogue.BelowOne) {
		return 0, false
	}
	args := [2]vec.Arg{termArg(in, din, 1), termArg(in, nil, 0)}
	t := vec.BernoulliTerm.Run(n, args[:], adj)
	return t.Sum[0], true
}

// binomialBulk does chances inside of (0, 1).
func binomialBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	choices, ok := LogChooses(n, ColumnOf(in[0]), ColumnOf(in[1]))
	if !ok {
		return 0, false
	}
	return binomialTerms(n, in, adj, din, choices)
}

func binomialTerms(n int, in []catalogue.Tensor, adj float64, din [][]float64, choices float64) (float64, bool) {
	if n < 2 || !vec.Within(in[2].X, catalogue.LeastNormal, catalogue.BelowOne) {
		return 0, false
	}
	return binomialSum(n, in, adj, din, vec.BinomialTerm, choices), true
}

// binomialLogitBulk does log odds that are finite.
func binomialLogitBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	choices, ok := LogChooses(n, ColumnOf(in[0]), ColumnOf(in[1]))
	if !ok {
		return 0, false
	}
	return binomialLogitTerms(n, in, adj, din, choices)
}

func binomialLogitTerms(n int, in []catalogue.Tensor, adj float64, din [][]float64, choices float64) (float64, bool) {
	if n < 2 || !vec.Within(in[2].X, -catalogue.MaxFinite, catalogue.MaxFinite) {
		return 0, false
	}
	return binomialSum(n, in, adj, din, vec.BinomialLogitTerm, choices), true
}

func binomialSum(n int, in []catalogue.Tensor, adj float64, din [][]float64, f vec.Term, choices float64) float64 {
	args := [3]vec.Arg{termArg(in, din, 2), termArg(in, nil, 0), termArg(in, nil, 1)}
	t := f.Run(n, args[:], adj)
	addSingle(in, din, 2, t.D[0])
	return t.Sum[0] + choices
}

// LogChooses is the sum of log(trials choose k), if trials are all up to ManyCounts and not
// below k.
func LogChooses(n int, k, trials Column) (sum float64, ok bool) {
	for i := range n {
		a, b := k.at(i), trials.at(i)
		if !(a >= 0 && a <= b && b <= ManyCounts) {
			return 0, false
		}
		sum += LogFactorialOf(b) - (LogFactorialOf(a) + LogFactorialOf(b-a))
	}
	return sum, true
}

// LogFactorialSum is the sum of log(k!) over n elements, these being up to ManyCounts.
func LogFactorialSum(n int, k catalogue.Tensor) float64 {
	if len(k.Dims) == 0 {
		return float64(n) * LogFactorialOf(k.X[0])
	}
	sum := 0.0
	if vec.Within(k.X, 0, 255) {
		for _, v := range k.X {
			sum += LogFactorial(v)
		}
		return sum
	}
	for _, v := range k.X {
		sum += LogFactorialOf(v)
	}
	return sum
}

// poissonBulk does common mean by summing the counts.
func poissonBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if !vec.Within(in[0].X, 0, ManyCounts) {
		return 0, false
	}
	return poissonTerms(n, in, adj, din, LogFactorialSum(n, in[0]))
}

func poissonTerms(n int, in []catalogue.Tensor, adj float64, din [][]float64, factorials float64) (float64, bool) {
	if n < 2 || !vec.Within(in[1].X, catalogue.LeastNormal, catalogue.MaxFinite) {
		return 0, false
	}
	if len(in[1].Dims) == 0 {
		lambda, total := in[1].X[0], vec.Sum(in[0].X)
		gradientOf(din, in, 1).add(0, adj*(total/lambda-float64(n)))
		return float64(total*libm.Log(lambda)) - float64(float64(n)*lambda) - factorials, true
	}
	args := [2]vec.Arg{termArg(in, din, 1), termArg(in, nil, 0)}
	t := vec.PoissonTerm.Run(n, args[:], adj)
	return t.Sum[0] - factorials, true
}

// poissonLogBulk does log means of moderate size.
func poissonLogBulk(n int, in []catalogue.Tensor, adj float64, din [][]float64) (float64, bool) {
	if !vec.Within(in[0].X, 0, ManyCounts) {
		return 0, false
	}
	return poissonLogTerms(n, in, adj, din, LogFactorialSum(n, in[0]))
}

func poissonLogTerms(n int, in []catalogue.Tensor, adj float64, din [][]float64, factorials float64) (float64, bool) {
	if n < 2 || !vec.Within(in[1].X, -700, 700) {
		return 0, false
	}
	args := [2]vec.Arg{termArg(in, din, 1), termArg(in, nil, 0)}
	t := vec.PoissonLogTerm.Run(n, args[:], adj)
	addSingle(in, din, 1, t.D[0])
	return t.Sum[0] - factorials, true
}
