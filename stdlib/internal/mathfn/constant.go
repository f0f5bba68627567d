// This file holds the constants: functions without arguments.

package mathfn

import (
	"math"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

func constants() []*catalogue.Function {
	row := func(name string, value float64, doc string) *catalogue.Function {
		return &catalogue.Function{
			Name: name, Signatures: []string{catalogue.Signature("real", name)}, Doc: doc, Section: catalogue.SectionReal,
			Kernel: &catalogue.Kernel{Dims: catalogue.ScalarDims, Value: func(_ []catalogue.Tensor, out, _ []float64) error {
				out[0] = value
				return nil
			}},
		}
	}
	return []*catalogue.Function{
		row("pi", math.Pi, "the ratio of a circle's circumference to its diameter"),
		row("e", math.E, "the base of natural logarithms"),
		row("sqrt2", math.Sqrt2, "the square root of 2"),
		row("log2", math.Ln2, "the natural logarithm of 2"),
		row("log10", math.Ln10, "the natural logarithm of 10"),
		row("not_a_number", math.NaN(), "the number that stands for an undefined result"),
		row("positive_infinity", math.Inf(1), "positive infinity"),
		row("negative_infinity", math.Inf(-1), "negative infinity"),
		row("machine_precision", 0x1p-52, "the distance from 1 to the next larger number"),
	}
}
