package lang

// This file reads draws by the names of the language.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// An Array is what a fit has drawn of one variable.
type Array struct {
	Dims  []int       // as declared, arrays' first; nil for a single number
	Draws [][]float64 // the numbers of each draw, last index fastest; of complex numbers real and imaginary part in turn
}

// columnName turns theta[2, 1] into the name of its column, theta.2.1; names of columns
// stay as they are.
var columnName = strings.NewReplacer("[", ".", ",", ".", "]", "", " ", "")

// Numbers returns the draws of one number, chain after chain: of "mu", "theta[2]", "L[3, 1]", or of
// a column such as "lp__", which is in nats. The error is a *draws.UnknownVariableError, or says
// that the name is of several numbers.
func (f *Fit) Numbers(name string) ([]float64, error) {
	d := f.Posterior.Draws
	if column := columnName.Replace(name); d.Index(column) >= 0 {
		return slices.Concat(d.Column(column)...), nil
	}
	for _, v := range draws.Variables(d.Columns()) {
		if v.Name == name {
			return nil, fmt.Errorf("%s has %d numbers in each draw: name one of them, or use Array", name, len(v.Columns))
		}
	}
	return nil, f.unknown(name)
}

// Array returns the draws of a whole variable, chain after chain. A slot of a tuple is a
// variable of its own, as in "t:2". The error is a *draws.UnknownVariableError.
func (f *Fit) Array(name string) (*Array, error) {
	d := f.Posterior.Draws
	for _, v := range draws.Variables(d.Columns()) {
		if v.Name != name {
			continue
		}
		first := len(d.Names()) - len(d.Columns())
		out := &Array{Dims: v.Dims}
		for c := range d.Chains() {
			for i := range d.Len(c) {
				out.Draws = append(out.Draws, draws.Picked(d.Row(c, i)[first:], v.Columns))
			}
		}
		return out, nil
	}
	return nil, f.unknown(name)
}

// unknown reports what there is instead.
func (f *Fit) unknown(name string) error {
	e := &draws.UnknownVariableError{Name: name}
	for _, v := range draws.Variables(f.Posterior.Draws.Columns()) {
		e.Known = append(e.Known, v.Name)
	}
	return e
}
