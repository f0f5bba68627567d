// The formal arguments of distributions, and what their functions do with vectors of them.

package catalogue

import (
	"fmt"
	"strings"
)

// An Argument is a formal argument of a distribution: name and type pattern.
type Argument struct {
	Name, Type string
}

// ParseArgs splits "reals y | reals mu, reals sigma".
func ParseArgs(s string) []Argument {
	var out []Argument
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == '|' || r == ',' }) {
		typ, name, _ := strings.Cut(strings.TrimSpace(part), " ")
		out = append(out, Argument{Name: name, Type: typ})
	}
	return out
}

func ConsistentSizes(args []Argument, in []Tensor) error {
	first := -1
	for j := range in {
		if len(in[j].Dims) == 0 {
			continue
		}
		if first >= 0 && len(in[j].X) != len(in[first].X) {
			return fmt.Errorf("%s has %d elements and %s has %d, but containers must agree in size",
				args[first].Name, len(in[first].X), args[j].Name, len(in[j].X))
		}
		first = j
	}
	return nil
}

// Elements is the number of variates that the arguments make.
func Elements(in []Tensor) int {
	for j := range in {
		if len(in[j].Dims) > 0 {
			return len(in[j].X)
		}
	}
	return 1
}

// Gather copies the arguments of variate i to x.
func Gather(in []Tensor, i int, x []float64) {
	for j := range in {
		if len(in[j].Dims) == 0 {
			x[j] = in[j].X[0]
		} else {
			x[j] = in[j].X[i]
		}
	}
}
