package data

// This file makes sets from Go values, for programs that embed the language.

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// FromGo makes a set from Go values by variable name: numbers of any kind, slices and
// arrays of them nested row by row, complex numbers, and maps with the keys "1", "2",
// ... or structs for tuples. Values of Go's integer kinds count as integers, floats never
// do. A nil in a slice, and a NaN, may stand for a missing number.
func FromGo(vars map[string]any) (*Set, error) {
	s := &Set{Vars: map[string]*Value{}}
	for name, x := range vars {
		v, err := fromGo(name, reflect.ValueOf(x))
		if err != nil {
			return nil, err
		}
		s.Vars[name] = v
	}
	return s, nil
}

func fromGo(name string, x reflect.Value) (*Value, error) {
	b := &goBuilder{v: &Value{Name: name, Ints: true, FirstReal: -1}}
	if err := b.add(name, x, 0); err != nil {
		return nil, err
	}
	if len(b.v.Elems) > 0 && len(b.v.Dims) == 0 {
		tuple := b.v.Elems[0]
		tuple.Name = name
		return tuple, nil
	}
	return b.v, nil
}

// A goBuilder gathers the numbers of one value.
type goBuilder struct{ v *Value }

func (b *goBuilder) add(place string, x reflect.Value, level int) error {
	for x.IsValid() && (x.Kind() == reflect.Interface || x.Kind() == reflect.Pointer) {
		x = x.Elem()
	}
	switch {
	case !x.IsValid() && level == 0:
		return b.fail(place, "data-type", "expected a number, an array or a tuple, found nil")
	case !x.IsValid():
		defer b.v.missing()
		return b.number(place, level, math.NaN(), true)
	case x.CanInt():
		return b.number(place, level, float64(x.Int()), true)
	case x.CanUint():
		return b.number(place, level, float64(x.Uint()), true)
	case x.CanFloat():
		return b.number(place, level, x.Float(), false)
	case x.CanComplex():
		return b.list(place, reflect.ValueOf([]float64{real(x.Complex()), imag(x.Complex())}), level)
	case x.Kind() == reflect.Slice, x.Kind() == reflect.Array:
		return b.list(place, x, level)
	case x.Kind() == reflect.Map && x.Type().Key().Kind() == reflect.String:
		fields := map[string]reflect.Value{}
		for _, key := range x.MapKeys() {
			fields[key.String()] = x.MapIndex(key)
		}
		return b.tuple(place, fields, level)
	case x.Kind() == reflect.Struct && len(structFields(x)) > 0:
		return b.tuple(place, structFields(x), level)
	}
	return b.fail(place, "data-type", "expected a number, an array or a tuple, found the Go type %s", x.Type())
}

func (b *goBuilder) number(place string, level int, x float64, whole bool) error {
	if level != len(b.v.Dims) || len(b.v.Elems) > 0 {
		return b.fail(place, "ragged-array", "found a number where its fellows are arrays or tuples")
	}
	if !whole && b.v.Ints {
		b.v.Ints, b.v.FirstReal = false, len(b.v.X)
	}
	b.v.X = append(b.v.X, x)
	return nil
}

func (b *goBuilder) list(place string, x reflect.Value, level int) error {
	switch {
	case level < len(b.v.Dims) && b.v.Dims[level] != x.Len():
		return b.fail(place, "ragged-array", "has %s where the array before it has %d", elements(x.Len()), b.v.Dims[level])
	case level == len(b.v.Dims) && len(b.v.X)+len(b.v.Elems) > 0:
		return b.fail(place, "ragged-array", "found an array where its fellows are single values")
	case level == len(b.v.Dims):
		b.v.Dims = append(b.v.Dims, x.Len())
	}
	for i := range x.Len() {
		if err := b.add(place+"["+strconv.Itoa(i+1)+"]", x.Index(i), level+1); err != nil {
			return err
		}
	}
	return nil
}

func (b *goBuilder) tuple(place string, fields map[string]reflect.Value, level int) error {
	if level != len(b.v.Dims) || len(b.v.X) > 0 {
		return b.fail(place, "ragged-array", "found a tuple where its fellows are arrays or numbers")
	}
	v := &Value{Name: place, Fields: map[string]*Value{}, FirstReal: -1}
	for name, x := range fields {
		field, err := fromGo(place+"."+name, x)
		if err != nil {
			return err
		}
		v.Fields[name] = field
	}
	b.v.Elems = append(b.v.Elems, v)
	return nil
}

func (b *goBuilder) fail(place, code, format string, args ...any) error {
	return &Error{Code: code, Variable: place, Message: fmt.Sprintf(format, args...)}
}
