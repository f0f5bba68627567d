// This file draws panels and figures on a canvas.

package plots

import (
	"math"
	"slices"
	"strings"
)

// draw draws the panel with its upper left corner at the canvas' origin.
func (p *Panel) draw(c canvas) {
	w, h := p.size()
	f, xs, ys := p.layout(w, h)
	for _, t := range ys {
		y := f.height(t.at)
		c.polyline([]point{{f.left, y}, {f.right, y}}, stroke{color: Faint, width: 0.5})
		c.text(point{f.left - gap, y + 0.35*textSize}, label{text: t.text, size: textSize, anchor: end})
	}
	for _, t := range xs {
		x := f.across(t.at)
		c.polyline([]point{{x, f.bottom}, {x, f.bottom + 3}}, stroke{color: Ink, width: 0.75})
		c.text(point{x, f.bottom + 3 + gap/2 + 0.8*textSize}, label{text: t.text, size: textSize, anchor: middle})
	}
	for _, m := range p.marks {
		m.draw(c, f)
	}
	c.polyline([]point{{f.left, f.bottom}, {f.right, f.bottom}}, stroke{color: Ink, width: 0.75})
	if len(ys) > 0 {
		c.polyline([]point{{f.left, f.top}, {f.left, f.bottom}}, stroke{color: Ink, width: 0.75})
	}
	p.words(c, f, w, h)
}

// words writes title, note and labels of the axes.
func (p *Panel) words(c canvas, f *frame, w, h float64) {
	noted := 0.0
	if p.Note != "" {
		c.text(point{w - gap, 1.2 * titleSize}, label{text: p.Note, size: textSize, anchor: end})
		noted = width(p.Note, textSize, false) + 2*gap
	}
	c.text(point{gap, 1.2 * titleSize}, label{text: shorten(p.Title, titleSize, true, w-2*gap-noted), size: titleSize, bold: true})
	if p.X.Label != "" {
		c.text(point{(f.left + f.right) / 2, h - gap}, label{text: shorten(p.X.Label, textSize, false, w-2*gap), size: textSize, anchor: middle})
	}
	if p.Y.Label != "" {
		c.text(point{gap + 0.8*textSize, (f.top + f.bottom) / 2}, label{text: shorten(p.Y.Label, textSize, false, f.bottom-f.top+2*gap), size: textSize, anchor: middle, upward: true})
	}
}

// mostNames is the share of a panel's width that names beside its rows may take.
const mostNames = 0.45

// layout finds the frame and the ticks: as many as their labels leave room for.
func (p *Panel) layout(w, h float64) (f *frame, xs, ys []tick) {
	x, y := nothing, nothing
	for _, m := range p.marks {
		m.extend(&x, &y)
	}
	f = &frame{down: len(p.Y.Names) > 0, logX: p.X.Log, logY: p.Y.Log, x: limits(p.X, x), y: limits(p.Y, y)}
	f.top = 1.2*titleSize + 2*gap
	f.bottom = h - gap
	if p.X.Label != "" {
		f.bottom -= textSize + gap
	}
	if !p.X.Bare {
		f.bottom -= textSize + gap
	}
	ys = ticksOf(p.Y, f.y, max(2, int((f.bottom-f.top)/(2.5*textSize))))
	widest := 0.0
	for i, t := range ys {
		if len(p.Y.Names) > 0 {
			ys[i].text = shorten(t.text, textSize, false, mostNames*w)
		}
		widest = math.Max(widest, width(ys[i].text, textSize, false))
	}
	f.left = gap
	if p.Y.Label != "" {
		f.left += textSize + gap
	}
	if len(ys) > 0 {
		f.left += widest + gap
	}
	f.right = w - 3*gap
	return f, p.horizontalTicks(f), ys
}

// horizontalTicks are as many as stand beside each other.
func (p *Panel) horizontalTicks(f *frame) []tick {
	for most := 7; ; most-- {
		ticks := ticksOf(p.X, f.x, most)
		total := 0.0
		for _, t := range ticks {
			total = math.Max(total, width(t.text, textSize, false))
		}
		space := (f.right - f.left) / (f.x.hi - f.x.lo)
		fits := true
		for i := 1; i < len(ticks); i++ {
			apart := space * (ticks[i].at - ticks[i-1].at)
			between := (width(ticks[i].text, textSize, false) + width(ticks[i-1].text, textSize, false)) / 2
			fits = fits && apart >= between+1.5*gap
		}
		if fits || most == 2 {
			return ticks
		}
	}
}

// shorten cuts the middle out of a text that is too wide.
func shorten(text string, size float64, bold bool, room float64) string {
	if width(text, size, bold) <= room {
		return text
	}
	r := []rune(text)
	for n := len(r) - 1; n > 1; n-- {
		short := string(r[:(n+1)/2]) + "…" + string(r[len(r)-n/2:])
		if width(short, size, bold) <= room {
			return short
		}
	}
	return "…"
}

// Space around and between the panels of a file.
const (
	margin  = 12.0
	between = 14.0
	keyRow  = 18.0
)

// columns is how many panels stand side by side in a file.
func (f *Figure) columns() int { return max(1, min(3, len(f.Panels))) }

// size is that of the whole figure.
func (f *Figure) size() (w, h float64) {
	n := f.columns()
	w = 2*margin + float64(n)*panelWidth + float64(n-1)*between
	return w, f.head(nil, w) + f.body(nil)
}

// head draws title, note and legend, if c is not nil, and returns the height.
func (f *Figure) head(c canvas, w float64) float64 {
	y := margin + 14
	write := func(text string, size float64, bold bool) {
		for _, row := range wrap(text, size, bold, w-2*margin) {
			if c != nil {
				c.text(point{margin, y}, label{text: row, size: size, bold: bold})
			}
			y += 1.35 * size
		}
	}
	write(f.Title, 15, true)
	if f.Note != "" {
		write(f.Note, 11.5, false)
	}
	return y + f.keys(c, w, y) + gap
}

// keys draws the legend below y and gives its height.
func (f *Figure) keys(c canvas, w, y float64) float64 {
	if len(f.Legend) == 0 {
		return 0
	}
	x, rows := margin, 1.0
	for _, k := range f.Legend {
		long := 24 + width(k.Label, 11, false) + 16
		if x+long > w-margin && x > margin {
			x, rows = margin, rows+1
		}
		if c != nil {
			k.draw(c, point{x, y + (rows-1)*keyRow})
		}
		x += long
	}
	return rows * keyRow
}

func (k Key) draw(c canvas, at point) {
	mid := at.y - 4
	switch k.Shape {
	case BandShape:
		c.polygon([]point{{at.x, mid - 5}, {at.x + 18, mid - 5}, {at.x + 18, mid + 5}, {at.x, mid + 5}}, k.Color, bandAlpha)
	case DotShape:
		c.dots([]point{{at.x + 9, mid}}, 3.5, k.Color, 1)
	default:
		c.polyline([]point{{at.x, mid}, {at.x + 18, mid}}, stroke{color: k.Color, width: 2, dash: k.Shape == DashedShape})
	}
	c.text(point{at.x + 24, at.y}, label{text: k.Label, size: 11})
}

// body draws the panels from the canvas' origin on, if c is not nil, and returns their
// height.
func (f *Figure) body(c canvas) float64 {
	y := 0.0
	for row := range slices.Chunk(f.Panels, f.columns()) {
		tallest := 0.0
		for i, p := range row {
			if c != nil {
				p.draw(shifted{c, point{margin + float64(i)*(panelWidth+between), y}})
			}
			_, h := p.size()
			tallest = math.Max(tallest, h)
		}
		y += tallest + between
	}
	return y
}

// draw draws the whole figure.
func (f *Figure) draw(c canvas) {
	w, _ := f.size()
	f.body(shifted{c, point{0, f.head(c, w)}})
}

// wrap breaks a text into rows.
func wrap(text string, size float64, bold bool, room float64) []string {
	var rows []string
	row := ""
	for _, word := range strings.Fields(text) {
		longer := strings.TrimSpace(row + " " + word)
		if row != "" && width(longer, size, bold) > room {
			rows = append(rows, row)
			longer = word
		}
		row = longer
	}
	return append(rows, row)
}
