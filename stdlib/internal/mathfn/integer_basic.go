// This file holds the functions of integers and those with integer results.

package mathfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/autodiff/libm"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
	"github.com/seed-12b88e03/ppl/stdlib/special"
)

// maxInt is the largest integer of the language.
const maxInt = 1<<31 - 1

func integerFunctions() []*catalogue.Function {
	toInt := &catalogue.Function{
		Name: "to_int", Signatures: []string{"int to_int(data real x)"}, Section: catalogue.SectionInteger,
		Doc: "x without its fractional part, as an integer", Op: &autodiff.Op{Name: "to_int", F1: math.Trunc},
	}
	for n := 1; n <= container.MaxArrayDims; n++ {
		toInt.Also(container.ArrayPrefix(n) + "int to_int(data " + container.ArrayPrefix(n) + "real x)")
	}
	toInt.Where(0, "the argument", func(x float64) bool { return math.Abs(x) <= maxInt }, "in the range of integers")
	test := func(name, doc string, f func(x float64) bool) *catalogue.Function {
		return &catalogue.Function{
			Name: name, Signatures: []string{catalogue.Signature("int", name, "real x")}, Doc: doc, Section: catalogue.SectionReal,
			Op: &autodiff.Op{Name: name, F1: func(x float64) float64 { return container.BoolNumber(f(x)) }},
		}
	}
	return []*catalogue.Function{
		toInt,
		test("is_inf", "1 where x is infinite, else 0", func(x float64) bool { return math.IsInf(x, 0) }),
		test("is_nan", "1 where x is not a number, else 0", func(x float64) bool { return math.IsNaN(x) }),
		test("int_step", "1 where x is positive, else 0", func(x float64) bool { return x > 0 }).Also("int int_step(int x)"),
		integerRow("min", "the smaller of two integers", math.Min),
		integerRow("max", "the larger of two integers", math.Max),
		choose(),
		integerFactorial("falling_factorial", "the product x (x-1) ... (x-n+1)", fallingFactorial),
		integerFactorial("rising_factorial", "the product x (x+1) ... (x+n-1)", risingFactorial),
		factorial("falling_factorial", "the product x (x-1) ... (x-n+1)", fallingFactorial, -1),
		factorial("rising_factorial", "the product x (x+1) ... (x+n-1)", risingFactorial, 1),
	}
}

func notNegative(x float64) bool { return x >= 0 }

func choose() *catalogue.Function {
	f := &catalogue.Function{
		Name: "choose", Signatures: []string{"T choose(I n, I k)"}, Section: catalogue.SectionReal,
		Doc: "the number of ways to choose k of n things", Op: &autodiff.Op{Name: "choose", F2: binomial},
	}
	f.Valid = func(x []float64) error {
		switch v := binomial(x[0], x[1]); {
		case x[0] < 0:
			return catalogue.DomainErrorf("choose", "n is %v, but must not be negative", x[0])
		case x[1] < 0:
			return catalogue.DomainErrorf("choose", "k is %v, but must not be negative", x[1])
		case v > maxInt:
			return catalogue.DomainErrorf("choose", "the result %.0f is too large for an integer", v)
		}
		return nil
	}
	return f
}

// binomial is the binomial coefficient, exact as long as it fits into an integer.
func binomial(n, k float64) float64 {
	if k > n {
		return 0
	}
	k = math.Min(k, n-k)
	if k > 40 { // at least choose(82, 41), beyond all integers
		return libm.Exp(-libm.Log1p(n) - special.Lbeta(n-k+1, k+1))
	}
	c := 1.0
	for i := 1.0; i <= k; i++ {
		c = math.Round(c * (n - k + i) / i)
	}
	return c
}

func fallingFactorial(x, n float64) float64 {
	p := 1.0
	for i := 0.0; i < n; i++ {
		p *= x - i
	}
	return p
}

func risingFactorial(x, n float64) float64 {
	p := 1.0
	for i := 0.0; i < n; i++ {
		p *= x + i
	}
	return p
}

func integerFactorial(name, doc string, f func(x, n float64) float64) *catalogue.Function {
	row := &catalogue.Function{
		Name: name, Signatures: []string{catalogue.Signature("T", name, "I x", "I n")}, Doc: doc, Section: catalogue.SectionReal,
		Op: &autodiff.Op{Name: name, F2: f},
	}
	return row.Where(1, "n", notNegative, "nonnegative")
}

// factorial is the row for real x; step is the sign of the factors' steps.
func factorial(name, doc string, f func(x, n float64) float64, step float64) *catalogue.Function {
	op := catalogue.Binary(name, f, func(x, n, f float64) (dx, dn float64) {
		sum, zero := 0.0, -1.0
		for i := 0.0; i < n; i++ {
			if x+float64(step*i) == 0 {
				zero = i
				continue
			}
			sum += 1 / (x + float64(step*i))
		}
		if zero < 0 {
			return f * sum, 0
		}
		p := 1.0 // one factor vanishes: the product of the others
		for i := 0.0; i < n; i++ {
			if i != zero {
				p *= x + float64(step*i)
			}
		}
		return p, 0
	})
	return catalogue.Elementwise(catalogue.SectionReal, doc, op, "T x", "I n").Where(1, "n", notNegative, "nonnegative")
}
