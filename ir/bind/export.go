// Values as JSON, in the form in which data are read.

package bind

import (
	"math"
	"strconv"

	"github.com/seed-12b88e03/ppl/ir/bind/trace"

	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// AppendJSON writes a value in the form that the data reader takes: containers as
// nested arrays, matrices row by row, complex numbers as [re, im], tuples as objects
// with the keys "1", "2", ..., and numbers that JSON does not know as "NaN", "Inf" and
// "-Inf".
func AppendJSON(b []byte, v *eval.Value) []byte { return appendPart(b, v, 0, 0) }

// appendPart writes the part of v below the first depth dimensions; pos is the place of
// its first element.
func appendPart(b []byte, v *eval.Value, depth, pos int) []byte {
	if depth == len(v.Dims) {
		return appendElement(b, v, pos)
	}
	step := elementStep(v, depth)
	b = append(b, '[')
	for i := range v.Dims[depth] {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendPart(b, v, depth+1, pos+i*step)
	}
	return append(b, ']')
}

// elementStep is the distance between neighbours in a dimension, in elements: arrays
// are row-major, vectors and matrices column-major.
func elementStep(v *eval.Value, k int) int {
	step := 1
	if k >= v.T.Dims {
		for _, d := range v.Dims[v.T.Dims:k] {
			step *= d
		}
		return step
	}
	for _, d := range v.Dims[k+1:] {
		step *= d
	}
	return step
}

func appendElement(b []byte, v *eval.Value, pos int) []byte {
	switch {
	case v.T.Base == types.TupleBase:
		e := v
		if v.T.Dims > 0 {
			e = v.Elems[pos]
		}
		b = append(b, '{')
		for i, f := range e.Fields {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = append(append(append(b, '"'), strconv.Itoa(i+1)...), "\": "...)
			b = AppendJSON(b, f)
		}
		return append(b, '}')
	case v.T.Base.IsComplex():
		b = appendNumber(append(b, '['), v.X[2*pos], false)
		b = appendNumber(append(b, ", "...), v.X[2*pos+1], false)
		return append(b, ']')
	}
	return appendNumber(b, v.X[pos], v.T.HasInts())
}

func appendNumber(b []byte, x float64, whole bool) []byte {
	switch {
	case math.IsNaN(x):
		return append(b, `"NaN"`...)
	case math.IsInf(x, 1):
		return append(b, `"Inf"`...)
	case math.IsInf(x, -1):
		return append(b, `"-Inf"`...)
	case whole:
		return strconv.AppendInt(b, int64(x), 10)
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}

// Fixed returns the data that a simulation leaves as they are.
func (m *Model) Fixed(s *Simulated) []Named {
	drawn := map[string]bool{}
	for _, o := range s.Observations {
		drawn[o.Var.Name] = true
	}
	var out []Named
	for _, v := range m.prog.Data {
		for _, b := range m.known {
			if b.v == v && !drawn[v.Name] {
				out = append(out, Named{Var: v, Value: b.x})
			}
		}
	}
	return out
}

// Violations names the declared constraints that simulated data do not satisfy: the
// distribution reaches further than the declaration allows.
func (m *Model) Violations(s *Simulated) []error {
	em := m.machine()
	var out []error
	for _, o := range s.Observations {
		if err := trace.Validate(em, m.lib, nil, o.Var, o.Var.Name, o.Var.Decl, o.Value); err != nil {
			out = append(out, err)
		}
	}
	return out
}
