package data

// This file compares what was read with what a program declares, and lays the numbers
// out as the program stores them.

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed-12b88e03/ppl/lang/types"
)

// Convert returns the numbers of v as the program stores a value of type t (no tuple):
// array dimensions outermost and row-major, vectors and matrices inside column by
// column, complex numbers as two numbers. dims are the declared sizes, those of the
// arrays first, then the base type's own. A nil v is an error unless dims ask for no
// numbers at all. x may be v's own slice and must not be written to.
func (s *Set) Convert(v *Value, name string, t types.Type, dims []int) (x []float64, err error) {
	if v != nil && v.Missing > 0 {
		return nil, s.Gap(v, name, v.Missing-1)
	}
	return s.convert(v, name, t, dims, false)
}

// Gap is the error of a value whose k-th number, in the order written, is missing.
func (s *Set) Gap(v *Value, name string, k int) error {
	e, written := s.locate(v, k)
	if written != "" {
		written = " (" + written + ")"
	}
	base, _, _ := strings.Cut(name, ".")
	e.Code, e.Variable = "value-missing", indexed(name, unflat(v.Dims, k))
	e.Message = fmt.Sprintf("the value is missing%s; leave the observation out, or have --impute %s make it a parameter of the model", written, base)
	return e
}

// missing notes that the number that was added last is marked as missing.
func (v *Value) missing() {
	if v.Missing == 0 {
		v.Missing = len(v.X)
	}
}

// Partial is Convert of a value of which numbers may be missing: they are NaN.
func (s *Set) Partial(v *Value, name string, t types.Type, dims []int) (x []float64, err error) {
	return s.convert(v, name, t, dims, true)
}

func (s *Set) convert(v *Value, name string, t types.Type, dims []int, partial bool) (x []float64, err error) {
	if v == nil {
		return nil, s.absent(name, t, dims)
	}
	if v.IsTuple() {
		return nil, s.mismatch(v, name, t, dims)
	}
	want := dims
	if t.Base.IsComplex() {
		want = append(append([]int(nil), dims...), 2)
	}
	if !fits(want, v.Dims) {
		return nil, s.mismatch(v, name, t, dims)
	}
	if v.byColumn {
		if t.Base.BaseRank() == 2 && !t.Base.IsComplex() && t.Dims == 0 {
			return v.X, nil // as the program stores it
		}
		v = v.ByRow()
	}
	if t.Base == types.IntBase {
		if err := s.checkInts(v, name, partial); err != nil {
			return nil, err
		}
	}
	if t.Base.BaseRank() == 2 && len(v.X) > 0 {
		return byColumns(v.X, dims, len(want)-len(dims)+1), nil
	}
	return v.X, nil
}

// Tuples returns the tuples of v, in row-major order, for a declared tuple type t with
// array sizes dims: one tuple where there are none. Each has exactly the fields "1",
// "2", ... that t asks for; their values are for the caller to convert.
func (s *Set) Tuples(v *Value, name string, t types.Type, dims []int) ([]*Value, error) {
	if v == nil {
		return nil, s.absent(name, t, dims)
	}
	if Len(dims) == 0 && !v.IsTuple() && fits(dims, v.Dims) {
		return nil, nil
	}
	if !v.IsTuple() || !fits(dims, v.Dims) {
		return nil, s.mismatch(v, name, t, dims)
	}
	elems := v.Elems
	if len(dims) == 0 {
		elems = []*Value{v}
	}
	for _, e := range elems {
		if err := s.checkFields(e, t); err != nil {
			return nil, err
		}
	}
	return elems, nil
}

func (s *Set) checkFields(v *Value, t types.Type) error {
	for i := range t.Fields {
		if key := strconv.Itoa(i + 1); v.Fields[key] == nil {
			return s.problem(v, v.Name, -1, "data-type", "the program declares a tuple of %d fields, and field %q is missing", len(t.Fields), key)
		}
	}
	if len(v.Fields) > len(t.Fields) {
		return s.problem(v, v.Name, -1, "data-type", "the program declares a tuple of %d fields, found %d", len(t.Fields), len(v.Fields))
	}
	return nil
}

// absent is the error of a variable that the data do not have, nil where it has no
// elements.
func (s *Set) absent(name string, t types.Type, dims []int) error {
	if Len(dims) == 0 {
		return nil
	}
	return &Error{
		File: s.File, Code: "data-missing", Variable: name,
		Message: fmt.Sprintf("the program declares %s, and the data do not have it%s", Declared(t, dims), s.has()),
	}
}

// has lists the names that the data have instead of one; empty where they were not read.
func (s *Set) has() string {
	const most = 20
	names := slices.Clone(s.Names())
	for i, name := range names {
		if strings.ContainsFunc(name, func(r rune) bool { return r == ',' || !unicode.IsPrint(r) }) {
			names[i] = strconv.Quote(name)
		}
	}
	switch {
	case s.File == "":
		return ""
	case len(names) == 0:
		return "; they are empty"
	case len(names) > most:
		return fmt.Sprintf("; they have %s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return "; they have " + strings.Join(names, ", ")
}

// fits compares sizes. Where no element is declared, inner sizes cannot be written and
// may be missing.
func fits(want, have []int) bool {
	if len(have) > len(want) {
		return false
	}
	for i, d := range have {
		if d != want[i] {
			return false
		}
	}
	return len(have) == len(want) || len(have) > 0 && have[len(have)-1] == 0
}

func (s *Set) mismatch(v *Value, name string, t types.Type, dims []int) error {
	return s.problem(v, name, -1, "data-size", "the program declares %s, found %s", Declared(t, dims), v.describe())
}

// problem makes an error about the k-th number of v, or about all of it where k is
// negative.
func (s *Set) problem(v *Value, variable string, k int, code, format string, args ...any) error {
	e, _ := s.locate(v, k)
	e.Code, e.Variable, e.Message = code, variable, fmt.Sprintf(format, args...)
	return e
}

// checkInts makes sure that all numbers are integers of 32 bits, or missing where they may be.
func (s *Set) checkInts(v *Value, name string, partial bool) error {
	if !v.Ints {
		return s.notInt(v, name, v.FirstReal, "")
	}
	for k, x := range v.X {
		switch {
		case math.IsNaN(x) && !partial:
			return s.notInt(v, name, k, "")
		case x < math.MinInt32 || x > math.MaxInt32:
			return s.notInt(v, name, k, fmt.Sprintf("; integers go from %d to %d", math.MinInt32, math.MaxInt32))
		}
	}
	return nil
}

func (s *Set) notInt(v *Value, name string, k int, note string) error {
	e, written := s.locate(v, k)
	if written == "" {
		written = number(v.X[k])
	}
	e.Code, e.Variable = "data-type", indexed(name, unflat(v.Dims, k))
	e.Message = fmt.Sprintf("the program declares int, found %s%s", written, note)
	return e
}

func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// byColumns turns the matrices that the last two of dims describe from row by row to
// column by column; width is the count of numbers an element has.
func byColumns(x []float64, dims []int, width int) []float64 {
	rows, cols := dims[len(dims)-2], dims[len(dims)-1]
	out := make([]float64, len(x))
	size := rows * cols * width
	for start := 0; start < len(x); start += size {
		from, to := x[start:start+size], out[start:start+size]
		for i := range rows {
			for j := range cols {
				copy(to[(j*rows+i)*width:][:width], from[(i*cols+j)*width:])
			}
		}
	}
	return out
}

// Declared writes a type with its sizes, as in "array[2] matrix[3, 4]".
func Declared(t types.Type, dims []int) string {
	arrays, base := min(t.Dims, len(dims)), t
	base.Dims = 0
	out := base.String()
	if inner := dims[arrays:]; len(inner) > 0 {
		out += "[" + join(inner, ", ") + "]"
	}
	if arrays > 0 {
		out = "array[" + join(dims[:arrays], ", ") + "] " + out
	}
	if t.Base.IsComplex() {
		out += ", each number written as [re, im]"
	}
	return out
}

// describe says in words what was read.
func (v *Value) describe() string {
	what := "number"
	if v.IsTuple() {
		what = "tuple"
	}
	switch n := len(v.Dims); {
	case n == 0:
		return "one " + what
	case v.Dims[n-1] == 0 && n == 1:
		return "an empty array"
	case n == 1 && v.Dims[0] == 1:
		return "an array of 1 " + what
	}
	return "an array of " + join(v.Dims, " x ") + " " + what + "s"
}

func join(numbers []int, sep string) string {
	parts := make([]string, len(numbers))
	for i, n := range numbers {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, sep)
}
