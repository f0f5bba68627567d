// This file measures text, in a font of the metrics of Arial and Helvetica.

package plots

import (
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	stdfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
)

const typeface = "Liberation"

// fonts are parsed when the first text is measured, and never changed.
var fonts = sync.OnceValue(func() *font.Cache {
	var all font.Collection
	for _, f := range []struct {
		weight stdfont.Weight
		ttf    []byte
	}{{stdfont.WeightNormal, liberationsansregular.TTF}, {stdfont.WeightBold, liberationsansbold.TTF}} {
		face, err := opentype.Parse(f.ttf)
		if err != nil {
			panic(err) // the font is part of the program
		}
		all = append(all, font.Face{Font: font.Font{Typeface: typeface, Variant: "Sans", Weight: f.weight}, Face: face})
	}
	return font.NewCache(all)
})

func face(size float64, bold bool) font.Face {
	f := font.Font{Typeface: typeface, Variant: "Sans", Weight: stdfont.WeightNormal}
	if bold {
		f.Weight = stdfont.WeightBold
	}
	return fonts().Lookup(f, font.Length(size))
}

// width is how much room a text takes.
func width(text string, size float64, bold bool) float64 {
	f := face(size, bold)
	return float64(f.Width(text))
}
