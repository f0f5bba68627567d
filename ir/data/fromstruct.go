package data

// This file makes sets from structs and maps, of the variables that a program declares.

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Select is FromGo of those variables that are wanted, from a struct, a map with keys of a
// string kind, or a pointer to one. A field of a struct is called what its tag `ppl:"name"`
// says, or else its tag json, or else what it is called in Go; one with `ppl:"-"` or without
// export is passed over, and those of an embedded struct count as the struct's own. A struct
// as a value is a tuple of its fields, in their order.
func Select(from any, want func(name string) bool) (*Set, error) {
	x := reflect.ValueOf(from)
	for x.Kind() == reflect.Pointer || x.Kind() == reflect.Interface {
		x = x.Elem()
	}
	s := &Set{Vars: map[string]*Value{}}
	switch {
	case x.Kind() == reflect.Struct:
		return s, s.addFields(x, want)
	case x.Kind() == reflect.Map && x.Type().Key().Kind() == reflect.String:
		for _, key := range x.MapKeys() {
			if err := s.addWanted(key.String(), x.MapIndex(key), want); err != nil {
				return nil, err
			}
		}
		return s, nil
	}
	return nil, &Error{Code: "data-type", Message: fmt.Sprintf("expected a struct or a map from names, found the Go type %T", from)}
}

func (s *Set) addFields(x reflect.Value, want func(string) bool) error {
	for i := range x.NumField() {
		f := x.Type().Field(i)
		name := fieldName(f)
		var err error
		switch {
		case name == "-":
		case f.Anonymous && x.Field(i).Kind() == reflect.Struct:
			err = s.addFields(x.Field(i), want)
		case f.IsExported():
			err = s.addWanted(name, x.Field(i), want)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Set) addWanted(name string, x reflect.Value, want func(string) bool) error {
	switch {
	case !want(name):
		return nil
	case s.Vars[name] != nil:
		return &Error{Code: "duplicate-key", Variable: name, Message: "two fields have this name"}
	}
	v, err := fromGo(name, x)
	s.Vars[name] = v
	return err
}

// fieldName is the name of the variable that a field holds; "-" for none.
func fieldName(f reflect.StructField) string {
	for _, tag := range []string{"ppl", "json"} {
		name, _, _ := strings.Cut(f.Tag.Get(tag), ",")
		if name != "" && (name != "-" || tag == "ppl") {
			return name
		}
	}
	return f.Name
}

// structFields are the fields of a tuple that is written as a struct.
func structFields(x reflect.Value) map[string]reflect.Value {
	out := map[string]reflect.Value{}
	for i := range x.NumField() {
		if f := x.Type().Field(i); f.IsExported() && fieldName(f) != "-" {
			out[strconv.Itoa(len(out)+1)] = x.Field(i)
		}
	}
	return out
}
