// This file holds the constants: functions without arguments.

package stdlib

import "math"

func constants() []*Function {
	row := func(name string, value float64, doc string) *Function {
		return &Function{
			Name: name, Signatures: []string{signature("real", name)}, Doc: doc, Section: sectionReal,
			Kernel: &Kernel{Dims: scalarDims, Value: func(_ []Tensor, out, _ []float64) error {
				out[0] = value
				return nil
			}},
		}
	}
	return []*Function{
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
