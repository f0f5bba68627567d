// This file holds the arithmetic operators that act on scalars or element by element.

package mathfn

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/autodiff"
	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
	"github.com/seed-12b88e03/ppl/stdlib/internal/container"
)

// plusOp is unary plus.
var plusOp = catalogue.Unary("plus", func(x float64) float64 { return x }, func(_, _ float64) float64 { return 1 })

func operators() []*catalogue.Function {
	matrixTypes := []string{"vector", "row_vector", "matrix"}
	// sums are the forms of + and -: containers with their like and with scalars.
	sums := func(name string) []string {
		all := []string{catalogue.Signature("int", name, "int x", "int y"), catalogue.Signature("real", name, "real x", "real y")}
		for _, t := range matrixTypes {
			all = append(all, catalogue.Signature(t, name, t+" x", t+" y"),
				catalogue.Signature(t, name, t+" x", "real y"), catalogue.Signature(t, name, "real x", t+" y"))
		}
		return all
	}
	like := func(name string) []string {
		var all []string
		for _, t := range matrixTypes {
			all = append(all, catalogue.Signature(t, name, t+" x", t+" y"))
		}
		return all
	}
	withScalars := func(name string) []string {
		all := like(name)
		for _, t := range matrixTypes {
			all = append(all, catalogue.Signature(t, name, t+" x", "real y"), catalogue.Signature(t, name, "real x", t+" y"))
		}
		return all
	}
	row := func(name, doc string, op *autodiff.Op, signatures []string) *catalogue.Function {
		return &catalogue.Function{Name: name, Signatures: signatures, Doc: doc, Section: catalogue.SectionOperator, Op: op}
	}
	scalars := func(name string) []string {
		return []string{catalogue.Signature("int", name, "int x", "int y"), catalogue.Signature("real", name, "real x", "real y")}
	}
	return []*catalogue.Function{
		row("add", "the sum x + y", autodiff.Add, sums("add")),
		row("subtract", "the difference x - y", autodiff.Sub, sums("subtract")),
		row("multiply", "the product x * y", autodiff.Mul, scalars("multiply")),
		integerQuotient("divide", "the quotient x / y; of integers without the fractional part"),
		row("divide", "the quotient x / y", autodiff.Div, []string{"real divide(real x, real y)"}),
		integerQuotient("int_divide", "the integer quotient x %/% y, without the fractional part"),
		integerRow("modulus", "the remainder x % y of the integer quotient, with the sign of x",
			func(x, y float64) float64 { return math.Mod(x, y) + 0 }).Where(1, "the divisor", notZero, "different from 0"),
		row("elt_multiply", "the products of elements, x .* y", autodiff.Mul, append(scalars("elt_multiply"), withScalars("elt_multiply")...)),
		integerQuotient("elt_divide", "the quotient x ./ y; of integers without the fractional part"),
		row("elt_divide", "the quotients of elements, x ./ y", autodiff.Div,
			append(withScalars("elt_divide"), "real elt_divide(real x, real y)")),
		row("elt_pow", "the powers of elements, x .^ y", powOp, []string{"R elt_pow(T x, T y)"}),
		row("pow", "x to the power y", powOp, []string{"R pow(T x, T y)"}),
		row("minus", "the negative -x", autodiff.Neg, []string{"T minus(T x)"}),
		row("plus", "x itself", plusOp, []string{"T plus(T x)"}),
	}
}

func notZero(x float64) bool { return x != 0 }

// integerRow makes a row for a function of two integers.
func integerRow(name, doc string, f func(x, y float64) float64) *catalogue.Function {
	return &catalogue.Function{
		Name: name, Signatures: []string{catalogue.Signature("int", name, "int x", "int y")}, Doc: doc,
		Section: catalogue.SectionInteger, Op: &autodiff.Op{Name: name, F2: f},
	}
}

// integerQuotient is a row under any name; its Op is always called int_divide, as the
// engine knows division by the name of the Op.
func integerQuotient(name, doc string) *catalogue.Function {
	f := integerRow(name, doc, func(x, y float64) float64 { return math.Trunc(x/y) + 0 }).
		Where(1, "the divisor", notZero, "different from 0")
	f.Op.Name = "int_divide"
	return f
}

// comparisons are the operators with a truth value: 1 for true, 0 for false.
func comparisons() []*catalogue.Function {
	row := func(name, doc string, f func(x, y float64) bool) *catalogue.Function {
		return &catalogue.Function{
			Name:       name,
			Signatures: []string{catalogue.Signature("int", name, "int x", "int y"), catalogue.Signature("int", name, "real x", "real y")},
			Doc:        fmt.Sprintf("1 where %s, else 0", doc), Section: catalogue.SectionOperator,
			Op: &autodiff.Op{Name: name, F2: func(x, y float64) float64 { return container.BoolNumber(f(x, y)) }},
		}
	}
	return []*catalogue.Function{
		row("logical_eq", "x equals y", func(x, y float64) bool { return x == y }),
		row("logical_neq", "x differs from y", func(x, y float64) bool { return x != y }),
		row("logical_lt", "x is less than y", func(x, y float64) bool { return x < y }),
		row("logical_lte", "x is at most y", func(x, y float64) bool { return x <= y }),
		row("logical_gt", "x is greater than y", func(x, y float64) bool { return x > y }),
		row("logical_gte", "x is at least y", func(x, y float64) bool { return x >= y }),
		row("logical_and", "neither x nor y is 0", func(x, y float64) bool { return x != 0 && y != 0 }),
		row("logical_or", "x and y are not both 0", func(x, y float64) bool { return x != 0 || y != 0 }),
		{
			Name:       "logical_negation",
			Signatures: []string{"int logical_negation(int x)", "int logical_negation(real x)"},
			Doc:        "1 where x is 0, else 0", Section: catalogue.SectionOperator,
			Op: &autodiff.Op{Name: "logical_negation", F1: func(x float64) float64 { return container.BoolNumber(x == 0) }},
		},
	}
}
