// Names of variables as a flag's value.

package main

import (
	"reflect"

	"github.com/alecthomas/kong"
)

// decodeNames adds the names of one flag, with commas between them; those inside brackets belong to a name: L[2,1].
func decodeNames(ctx *kong.DecodeContext, target reflect.Value) error {
	var text string
	if err := ctx.Scan.PopValueInto("name", &text); err != nil {
		return err
	}
	open, from := 0, 0
	add := func(name string) { target.Set(reflect.Append(target, reflect.ValueOf(name))) }
	for i, c := range text {
		switch {
		case c == '[':
			open++
		case c == ']':
			open--
		case c == ',' && open <= 0:
			add(text[from:i])
			from = i + 1
		}
	}
	add(text[from:])
	return nil
}
