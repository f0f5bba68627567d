// This file lays out a panel: its frame, ticks and labels.

package plots

import (
	"math"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/autodiff/libm"
)

// A span is a range of coordinates.
type span struct{ lo, hi float64 }

var nothing = span{math.Inf(1), math.Inf(-1)}

func (s *span) add(x float64) {
	if finite(x) {
		s.lo, s.hi = math.Min(s.lo, x), math.Max(s.hi, x)
	}
}

// A frame is the rectangle of a panel that marks are drawn in.
type frame struct {
	left, right, top, bottom float64 // on the canvas; y points down
	x, y                     span    // in data coordinates, logarithms where the axis is logarithmic
	logX, logY               bool
	down                     bool // y counts from the top
}

// at is where a point of the data stands; what lies outside is put on the border.
func (f *frame) at(x, y float64) point {
	if f.logX {
		x = libm.Log10(x)
	}
	if f.logY {
		y = libm.Log10(y)
	}
	return point{f.across(x), f.height(y)}
}

// across is where a place of the horizontal axis stands.
func (f *frame) across(x float64) float64 {
	return f.left + share(x, f.x)*(f.right-f.left)
}

// height is where a place of the vertical axis stands.
func (f *frame) height(y float64) float64 {
	if f.down {
		return f.top + share(y, f.y)*(f.bottom-f.top)
	}
	return f.bottom - share(y, f.y)*(f.bottom-f.top)
}

func share(x float64, s span) float64 {
	return math.Min(1, math.Max(0, (x-s.lo)/(s.hi-s.lo)))
}

// Sizes of text and of the space around it.
const (
	titleSize = 12.0
	textSize  = 10.5
	gap       = 5.0
)

// limits is the range of an axis, on its scale, with room beside the data.
func limits(a Axis, seen span) span {
	if len(a.Names) > 0 {
		return span{-0.6, float64(len(a.Names)) - 0.4}
	}
	if a.Range != nil {
		seen = span{a.Range[0], a.Range[1]}
	}
	if a.Log {
		seen.lo, seen.hi = libm.Log10(seen.lo), libm.Log10(seen.hi)
	}
	switch {
	case !finite(seen.lo) || !finite(seen.hi):
		return span{0, 1}
	case seen.hi-seen.lo <= 1e-12*math.Abs(seen.hi):
		room := math.Max(0.5, 0.1*math.Abs(seen.hi))
		return span{seen.lo - room, seen.hi + room}
	case a.Range != nil:
		return seen
	}
	room := 0.04 * (seen.hi - seen.lo)
	low := seen.lo - room
	if seen.lo == 0 && !a.Log {
		low = 0
	}
	return span{low, seen.hi + room}
}

// A tick is a labelled place of an axis.
type tick struct {
	at   float64 // on the axis' scale
	text string
}

// ticksOf are at most most ticks.
func ticksOf(a Axis, s span, most int) []tick {
	switch {
	case a.Bare:
		return nil
	case len(a.Names) > 0:
		var out []tick
		for i, name := range a.Names {
			out = append(out, tick{float64(i), name})
		}
		return out
	case a.Log:
		return logTicks(s, most)
	}
	return linearTicks(s, most, a.Whole)
}

// linearTicks stand at multiples of 1, 2 or 5 times a power of ten.
func linearTicks(s span, most int, whole bool) []tick {
	step := libm.Pow(10, math.Floor(libm.Log10((s.hi-s.lo)/float64(most))))
	for _, m := range []float64{1, 2, 5, 10} {
		if (s.hi-s.lo)/(m*step) <= float64(most) {
			step *= m
			break
		}
	}
	if whole {
		step = math.Max(1, math.Round(step))
	}
	var at []float64
	for k := math.Ceil(s.lo/step - 1e-9); k*step <= s.hi+1e-9*step; k++ {
		at = append(at, k*step)
	}
	var out []tick
	for i, text := range labels(at, step) {
		out = append(out, tick{at[i], text})
	}
	return out
}

// labels write numbers that are multiples of step with as many digits as step needs.
func labels(at []float64, step float64) []string {
	largest := 0.0
	for _, x := range at {
		largest = math.Max(largest, math.Abs(x))
	}
	out := make([]string, len(at))
	decimals := max(0, -int(math.Floor(libm.Log10(step)+1e-9)))
	for i, x := range at {
		switch {
		case math.Abs(x) < step/2:
			out[i] = "0"
		case largest >= 1e5 || largest < 1e-3:
			digits := max(0, int(math.Floor(libm.Log10(math.Abs(x))+1e-9)-math.Floor(libm.Log10(step)+1e-9)))
			out[i] = shortExponent(strconv.FormatFloat(x, 'e', digits, 64))
		default:
			out[i] = strconv.FormatFloat(x, 'f', decimals, 64)
		}
		out[i] = strings.Replace(out[i], "-", "−", 1)
	}
	return out
}

// shortExponent leaves out of 1e-07 and 1e+05 what says nothing.
func shortExponent(text string) string {
	mantissa, exponent, _ := strings.Cut(text, "e")
	sign := strings.TrimPrefix(exponent[:1], "+")
	return mantissa + "e" + strings.Replace(sign, "-", "−", 1) + strings.TrimLeft(exponent[1:], "0")
}

// logTicks stand at powers of ten, or between them where these are too few.
func logTicks(s span, most int) []tick {
	for _, within := range [][]float64{{1, 2, 5}, {1, 3}, {1}} {
		var out []tick
		for k := math.Floor(s.lo); k <= math.Ceil(s.hi); k++ {
			for _, m := range within {
				if at := k + libm.Log10(m); at >= s.lo-1e-9 && at <= s.hi+1e-9 {
					out = append(out, tick{at, powerLabel(m, int(k))})
				}
			}
		}
		if len(out) <= most && len(out) > 1 {
			return out
		}
	}
	every := max(1, int(math.Ceil((s.hi-s.lo)/float64(most))))
	var out []tick
	for k := int(math.Ceil(s.lo - 1e-9)); float64(k) <= s.hi+1e-9; k += every {
		out = append(out, tick{float64(k), powerLabel(1, k)})
	}
	if len(out) > 1 {
		return out
	}
	out = nil
	for _, t := range linearTicks(span{libm.Pow(10, s.lo), libm.Pow(10, s.hi)}, most, false) {
		if x := libm.Pow(10, s.lo) + 0; t.at >= x && t.at > 0 {
			out = append(out, tick{libm.Log10(t.at), t.text})
		}
	}
	return out
}

func powerLabel(m float64, k int) string {
	if k >= -3 && k <= 4 {
		return strconv.FormatFloat(m*libm.Pow(10, float64(k)), 'f', max(0, -k), 64)
	}
	return strings.Replace(strconv.FormatFloat(m, 'f', 0, 64)+"e"+strconv.Itoa(k), "-", "−", 1)
}
