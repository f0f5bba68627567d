// This file defines marks: the lines, areas and dots of a panel in data coordinates.

package plots

import "math"

// A mark is something to be seen in a panel.
type mark interface {
	// extend tells the coordinates that must be within the axes.
	extend(x, y *span)
	draw(c canvas, f *frame)
}

// A stroke is how a line looks.
type stroke struct {
	color Color
	width float64
	alpha float64 // 0: opaque
	dash  bool
}

// line joins points; one that is not finite interrupts it.
type line struct {
	x, y []float64
	stroke
}

func (l line) extend(x, y *span) {
	for i := range l.x {
		x.add(l.x[i])
		y.add(l.y[i])
	}
}

func (l line) draw(c canvas, f *frame) {
	var run []point
	for i := range l.x {
		if !finite(l.x[i]) || !finite(l.y[i]) {
			c.polyline(run, l.stroke)
			run = nil
			continue
		}
		run = append(run, f.at(l.x[i], l.y[i]))
	}
	c.polyline(run, l.stroke)
}

// area fills what is between two curves.
type area struct {
	x, lo, hi []float64
	color     Color
	alpha     float64
}

func (a area) extend(x, y *span) {
	for i := range a.x {
		x.add(a.x[i])
		y.add(a.lo[i])
		y.add(a.hi[i])
	}
}

func (a area) draw(c canvas, f *frame) {
	var outline []point
	for i := range a.x {
		outline = append(outline, f.at(a.x[i], a.hi[i]))
	}
	for i := len(a.x) - 1; i >= 0; i-- {
		outline = append(outline, f.at(a.x[i], a.lo[i]))
	}
	c.polygon(outline, a.color, a.alpha)
}

// bars stand on zero, between edges.
type bars struct {
	edges, height []float64 // one edge more than heights
	color         Color
	alpha         float64
}

func (b bars) extend(x, y *span) {
	y.add(0)
	for _, v := range b.height {
		y.add(v)
	}
	for _, v := range b.edges {
		x.add(v)
	}
}

func (b bars) draw(c canvas, f *frame) {
	for i, v := range b.height {
		lo, hi := f.at(b.edges[i], 0), f.at(b.edges[i+1], v)
		if gap := hi.x - lo.x; gap > 4 {
			lo.x, hi.x = lo.x+0.5, hi.x-0.5
		}
		if v > 0 {
			c.polygon([]point{lo, {lo.x, hi.y}, hi, {hi.x, lo.y}}, b.color, b.alpha)
		}
	}
}

// dots are points.
type dots struct {
	x, y   []float64
	radius float64
	color  Color
	alpha  float64
}

func (d dots) extend(x, y *span) { line{x: d.x, y: d.y}.extend(x, y) }

func (d dots) draw(c canvas, f *frame) {
	var at []point
	for i := range d.x {
		if finite(d.x[i]) && finite(d.y[i]) {
			at = append(at, f.at(d.x[i], d.y[i]))
		}
	}
	c.dots(at, d.radius, d.color, d.alpha)
}

// rule is a straight line across the panel.
type rule struct {
	at     float64
	across bool // horizontal
	stroke
}

func (r rule) extend(x, y *span) {
	if r.across {
		y.add(r.at)
	} else {
		x.add(r.at)
	}
}

func (r rule) draw(c canvas, f *frame) {
	if r.across {
		y := f.at(f.x.lo, r.at).y
		c.polyline([]point{{f.left, y}, {f.right, y}}, r.stroke)
		return
	}
	x := f.at(r.at, f.y.lo).x
	c.polyline([]point{{x, f.top}, {x, f.bottom}}, r.stroke)
}

// rug are short strokes above the horizontal axis.
type rug struct {
	x     []float64
	color Color
}

func (r rug) extend(x, _ *span) {
	for _, v := range r.x {
		x.add(v)
	}
}

func (r rug) draw(c canvas, f *frame) {
	for _, v := range r.x {
		x := f.at(v, f.y.lo).x
		c.polyline([]point{{x, f.bottom}, {x, f.bottom - 7}}, stroke{color: r.color, width: 1})
	}
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
