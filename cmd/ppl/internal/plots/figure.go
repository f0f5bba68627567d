// This file defines figures: what is to be seen, before it is drawn.

package plots

// A Figure is a set of panels that are read together.
type Figure struct {
	Name   string // of the file, without its ending
	Title  string
	Note   string // what to look for, a sentence or two
	Legend []Key
	Panels []*Panel
}

// A Key is an entry of a legend.
type Key struct {
	Label string
	Color Color
	Shape Shape
}

// Shape is how a legend shows a colour.
type Shape string

// The shapes.
const (
	LineShape   Shape = "line"
	DashedShape Shape = "dashed"
	BandShape   Shape = "band"
	DotShape    Shape = "dot"
)

// Color is the part that a colour plays; a theme gives it a value.
type Color int

// The colours: of text, of what stands back, of what must be seen, and of series.
const (
	Ink Color = iota
	Faint
	Alert
	series
)

// seriesColors is how many series have a colour of their own.
const seriesColors = 6

// Series is the colour of a chain or of another series, from 0.
func Series(i int) Color { return series + Color(i%seriesColors) }

// A Panel is one picture with its axes.
type Panel struct {
	Title  string
	Note   string // a figure or two beside the title
	X, Y   Axis
	Height float64 // 0: as other panels
	marks  []mark
}

// An Axis says how a coordinate is shown.
type Axis struct {
	Label string
	Log   bool      // logarithmic; all values must be positive
	Names []string  // the coordinate counts these, from the top
	Range []float64 // two numbers; nil: what there is to be seen
	Whole bool      // only whole numbers mean something
	Bare  bool      // without figures, where only the shape counts
}

// Panels have this size unless they say otherwise, in units of a CSS pixel.
const (
	panelWidth  = 340.0
	panelHeight = 210.0
)

func (p *Panel) size() (w, h float64) {
	if p.Height > 0 {
		return panelWidth, p.Height
	}
	return panelWidth, panelHeight
}

// add puts marks on top of those that are there.
func (p *Panel) add(marks ...mark) *Panel {
	p.marks = append(p.marks, marks...)
	return p
}
