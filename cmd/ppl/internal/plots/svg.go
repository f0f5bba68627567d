// This file writes figures as SVG.

package plots

import (
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/problem"
)

// fontFamily names fonts that are as wide as the one that text is measured in.
const fontFamily = "Liberation Sans, Arial, Helvetica, sans-serif"

// WriteSVG writes the figure as an SVG file on white.
func (f *Figure) WriteSVG(w io.Writer) error {
	width, height := f.size()
	colors := light()
	c := &svg{paint: func(property string, col Color) string {
		return fmt.Sprintf(` %s="%s"`, property, hex(colors[col]))
	}}
	c.open(width, height, f.Title+". "+f.Note, fmt.Sprintf(` width="%s" height="%s" font-family="%s"`, tenths(width), tenths(height), fontFamily))
	c.b.WriteString(`<rect width="100%" height="100%" fill="#ffffff"/>` + "\n")
	f.draw(c)
	c.b.WriteString("</svg>\n")
	_, err := io.WriteString(w, problem.Printable(c.b.String()))
	return err
}

// SVG is the panel as an element of a page that has the rules of CSS.
func (p *Panel) SVG(figure string) string {
	c := &svg{paint: func(property string, col Color) string {
		return fmt.Sprintf(` class="%c%d"`, property[0], col)
	}}
	w, h := p.size()
	c.open(w, h, strings.TrimSpace(figure+": "+p.Title+" "+p.Note), "")
	p.draw(c)
	c.b.WriteString("</svg>")
	return c.b.String()
}

// CSS are the rules for SVG panels and legends of a page, light and dark.
func CSS() string {
	rules := func(t theme) string {
		var b strings.Builder
		for i, c := range t {
			fmt.Fprintf(&b, "--c%d:%s;", i, hex(c))
		}
		return b.String()
	}
	var b strings.Builder
	fmt.Fprintf(&b, ":root{%s}\n@media (prefers-color-scheme: dark){:root{%s}}\n", rules(light()), rules(dark()))
	for i := range series + seriesColors {
		fmt.Fprintf(&b, ".f%d{fill:var(--c%d)}.s%d{stroke:var(--c%d)}\n", i, i, i, i)
	}
	fmt.Fprintf(&b, "svg.panel{font-family:%s;max-width:100%%;height:auto}\n", fontFamily)
	return b.String()
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// svg is a canvas that writes elements.
type svg struct {
	b     strings.Builder
	paint func(property string, c Color) string // the attribute that gives "fill" or "stroke"
}

func (c *svg) open(w, h float64, title, more string) {
	fmt.Fprintf(&c.b, `<svg xmlns="http://www.w3.org/2000/svg" class="panel" viewBox="0 0 %s %s" role="img" aria-label="%s"%s>`+"\n<title>%s</title>\n",
		tenths(w), tenths(h), escape(title), more, escape(title))
}

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder does not fail
	return b.String()
}

// tenths writes a number with at most one decimal.
func tenths(x float64) string {
	return strconv.FormatFloat(math.Round(x*10)/10+0, 'f', -1, 64)
}

// way writes the steps from point to point.
func way(at []point) string {
	var b strings.Builder
	var x, y float64
	for i, p := range at {
		toX, toY := math.Round(10*p.x), math.Round(10*p.y)
		switch {
		case i == 0:
			fmt.Fprintf(&b, "M%s %s", tenths(toX/10), tenths(toY/10))
		case toX == x && toY == y:
			continue
		default:
			if i == 1 {
				b.WriteByte('l')
			} else {
				b.WriteByte(' ')
			}
			b.WriteString(tenths((toX-x)/10) + " " + tenths((toY-y)/10))
		}
		x, y = toX, toY
	}
	return b.String()
}

func opacity(property string, alpha float64) string {
	if alpha == 0 || alpha == 1 {
		return ""
	}
	return fmt.Sprintf(` %s-opacity="%s"`, property, strconv.FormatFloat(alpha, 'g', 2, 64))
}

func (c *svg) polyline(at []point, s stroke) {
	if len(at) < 2 {
		return
	}
	dash := ""
	if s.dash {
		dash = ` stroke-dasharray="4 3"`
	}
	fmt.Fprintf(&c.b, `<path d="%s" fill="none"%s stroke-width="%s" stroke-linejoin="round"%s%s/>`+"\n",
		way(at), c.paint("stroke", s.color), strconv.FormatFloat(s.width, 'g', 3, 64), dash, opacity("stroke", s.alpha))
}

func (c *svg) polygon(at []point, col Color, alpha float64) {
	if len(at) > 2 {
		fmt.Fprintf(&c.b, `<path d="%sz"%s%s/>`+"\n", way(at), c.paint("fill", col), opacity("fill", alpha))
	}
}

// dots are one path of lines without length and round ends.
func (c *svg) dots(at []point, radius float64, col Color, alpha float64) {
	if len(at) == 0 {
		return
	}
	var b strings.Builder
	for _, p := range at {
		fmt.Fprintf(&b, "M%s %sh0", tenths(p.x), tenths(p.y))
	}
	// An opacity of the stroke would not show where dots lie on each other, but this is
	// what keeps a thousand dots small.
	fmt.Fprintf(&c.b, `<path d="%s" fill="none"%s stroke-width="%s" stroke-linecap="round"%s/>`+"\n", b.String(), c.paint("stroke", col), tenths(2*radius), opacity("stroke", alpha))
}

func (c *svg) text(at point, l label) {
	where := fmt.Sprintf(`x="%s" y="%s"`, tenths(at.x), tenths(at.y))
	if l.upward {
		where = fmt.Sprintf(`transform="translate(%s %s) rotate(-90)"`, tenths(at.x), tenths(at.y))
	}
	bold, anchor := "", ""
	if l.bold {
		bold = ` font-weight="bold"`
	}
	if l.anchor != start {
		anchor = fmt.Sprintf(` text-anchor="%s"`, l.anchor)
	}
	// Where the fonts are missing the text must still fit in.
	exact := ""
	if len(l.text) > 3 {
		exact = fmt.Sprintf(` textLength="%s" lengthAdjust="spacingAndGlyphs"`, tenths(width(l.text, l.size, l.bold)))
	}
	fmt.Fprintf(&c.b, `<text %s font-size="%s"%s%s%s%s>%s</text>`+"\n", where, tenths(l.size), bold, anchor, exact, c.paint("fill", Ink), escape(l.text))
}

// CSS gives the key its colour, for a page that has the rules of CSS.
func (k Key) CSS() string { return fmt.Sprintf("--key:var(--c%d)", k.Color) }
