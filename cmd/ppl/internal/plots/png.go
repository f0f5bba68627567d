// This file draws figures as PNG.

package plots

import (
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// dotsPerInch makes two pixels of a unit.
const dotsPerInch = 144

// WritePNG writes the figure as a PNG file on white, with two pixels a unit.
func (f *Figure) WritePNG(w io.Writer) error {
	width, height := f.size()
	to := vgimg.NewWith(vgimg.UseWH(vg.Length(width), vg.Length(height)), vgimg.UseDPI(dotsPerInch), vgimg.UseBackgroundColor(color.White))
	f.draw(&raster{to: to, height: height, theme: light()})
	_, err := vgimg.PngCanvas{Canvas: to}.WriteTo(w)
	return err
}

// raster is a canvas of pixels.
type raster struct {
	to     *vgimg.Canvas
	height float64 // of the canvas, whose y points up
	theme  theme
}

func (c *raster) point(p point) vg.Point {
	return vg.Point{X: vg.Length(p.x), Y: vg.Length(c.height - p.y)}
}

func (c *raster) path(at []point) vg.Path {
	var p vg.Path
	for i, q := range at {
		if i == 0 {
			p.Move(c.point(q))
		} else {
			p.Line(c.point(q))
		}
	}
	return p
}

func (c *raster) color(col Color, alpha float64) {
	v := c.theme[col]
	if alpha == 0 {
		alpha = 1
	}
	c.to.SetColor(color.NRGBA{v.R, v.G, v.B, uint8(math.Round(255 * alpha))})
}

func (c *raster) polyline(at []point, s stroke) {
	if len(at) < 2 {
		return
	}
	c.color(s.color, s.alpha)
	c.to.SetLineWidth(vg.Length(s.width))
	c.to.SetLineDash(nil, 0)
	if s.dash {
		c.to.SetLineDash([]vg.Length{4, 3}, 0)
	}
	c.to.Stroke(c.path(at))
}

func (c *raster) polygon(at []point, col Color, alpha float64) {
	if len(at) < 3 {
		return
	}
	c.color(col, alpha)
	p := c.path(at)
	p.Close()
	c.to.Fill(p)
}

func (c *raster) dots(at []point, radius float64, col Color, alpha float64) {
	c.color(col, alpha)
	for _, q := range at {
		var p vg.Path
		center := c.point(q)
		p.Move(vg.Point{X: center.X + vg.Length(radius), Y: center.Y})
		p.Arc(center, vg.Length(radius), 0, 2*math.Pi)
		p.Close()
		c.to.Fill(p)
	}
}

func (c *raster) text(at point, l label) {
	c.color(Ink, 1)
	c.to.Push()
	defer c.to.Pop()
	c.to.Translate(c.point(at))
	if l.upward {
		c.to.Rotate(math.Pi / 2)
	}
	back := 0.0
	switch l.anchor {
	case middle:
		back = width(l.text, l.size, l.bold) / 2
	case end:
		back = width(l.text, l.size, l.bold)
	}
	c.to.FillString(face(l.size, l.bold), vg.Point{X: vg.Length(-back)}, l.text)
}
