// This file defines what can be drawn on, and the colours.

package plots

import "image/color"

// A point of a canvas; y points down, the unit is a CSS pixel.
type point struct{ x, y float64 }

// A label is a piece of text.
type label struct {
	text   string
	size   float64
	bold   bool
	anchor anchor
	upward bool // turned to be read from below to above
}

// anchor is the part of a text that stands at its point.
type anchor string

const (
	start  anchor = ""
	middle anchor = "middle"
	end    anchor = "end"
)

// A canvas takes drawings. An alpha of 0 means opaque.
type canvas interface {
	polyline(at []point, s stroke)
	polygon(at []point, c Color, alpha float64)
	dots(at []point, radius float64, c Color, alpha float64)
	text(at point, l label)
}

// shifted is a canvas with another origin.
type shifted struct {
	canvas
	by point
}

func (s shifted) move(at []point) []point {
	out := make([]point, len(at))
	for i, p := range at {
		out[i] = point{p.x + s.by.x, p.y + s.by.y}
	}
	return out
}

func (s shifted) polyline(at []point, st stroke) { s.canvas.polyline(s.move(at), st) }

func (s shifted) polygon(at []point, c Color, alpha float64) {
	s.canvas.polygon(s.move(at), c, alpha)
}

func (s shifted) dots(at []point, radius float64, c Color, alpha float64) {
	s.canvas.dots(s.move(at), radius, c, alpha)
}

func (s shifted) text(at point, l label) { s.canvas.text(point{at.x + s.by.x, at.y + s.by.y}, l) }

// bandAlpha is how opaque bands are.
const bandAlpha = 0.25

// A theme gives each Color a value.
type theme [series + seriesColors]color.RGBA

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// light is the theme of files, on white.
func light() theme {
	return theme{
		Ink: rgb(0x222222), Faint: rgb(0xd9d9d9), Alert: rgb(0xd00000),
		series: rgb(0x0072b2), series + 1: rgb(0xe69f00), series + 2: rgb(0x009e73), series + 3: rgb(0xcc79a7), series + 4: rgb(0x56b4e9), series + 5: rgb(0x7f7f7f),
	}
}

// dark is the theme of pages shown in the dark: the same hues, brighter.
func dark() theme {
	return theme{
		Ink: rgb(0xe6e6e6), Faint: rgb(0x3d4450), Alert: rgb(0xff6b5e),
		series: rgb(0x4ea8e6), series + 1: rgb(0xf2b63c), series + 2: rgb(0x35c79b), series + 3: rgb(0xe39bc3), series + 4: rgb(0x8fd3ff), series + 5: rgb(0xa8a8a8),
	}
}
