package repl

// This file is :slide, by which the numbers in the priors are moved by keys while the quantiles of what they expect follow.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/diagnose/elicit"
)

// A Key is one that a Keyboard hears.
type Key int

// The keys.
const (
	KeyNone Key = iota // none yet
	KeyUp
	KeyDown
	KeyLeft
	KeyRight
)

// A Keyboard is a Terminal that hears single keys.
type Keyboard interface {
	// Keys calls press with KeyNone once it hears, and for each key until the line is ended; the error is ErrInterrupt where it is given up, or io.EOF.
	Keys(press func(Key)) error
}

const (
	slideStep  = 0.25 // of a large step, which doubles a positive number
	slideWidth = 10   // places of the rule to each side

	// What is drawn over what was drawn before must fit into a small terminal.
	mostSliders, mostQuantities = 10, 8
	widestStatement, widestName = 30, 16
)

// slide moves the numbers of the priors.
func (s *Session) slide(ctx context.Context, arg string) error {
	if err := s.needsModel(); err != nil {
		return err
	}
	keys, ok := s.Terminal.(Keyboard)
	if !ok {
		return errors.New(":slide needs a terminal; :prior N=VALUE gives a number another value")
	}
	o, err := s.priorOptions(arg)
	if err != nil {
		return err
	}
	sliders, err := unlessEnded(ctx, func() (*elicit.Sliders, error) { return s.program.PriorSliders(ctx, s.data, o) })
	if err != nil {
		return s.withoutData(err)
	}
	if len(sliders.Numbers()) == 0 {
		return errors.New("there are no numbers in the priors that could be moved")
	}
	v := sliderView{Sliders: sliders}
	over := "up and down choose a number, left and right move it, Enter keeps what is set, Ctrl-C gives it up\n"
	var failed error
	err = keys.Keys(func(k Key) {
		if failed != nil {
			return
		}
		v.press(k)
		var text string
		if text, failed = v.frame(ctx); failed == nil {
			failed = s.write(over + text)
		}
		over = fmt.Sprintf("\r\x1b[%dA\x1b[J", strings.Count(text, "\n"))
	})
	if errors.Is(err, ErrInterrupt) {
		return nil
	}
	if err := errors.Join(failed, err); err != nil {
		return err
	}
	kept := v.kept()
	if kept == "" {
		return nil
	}
	kept = strings.TrimSpace(":prior " + kept + " " + withoutNumbers(arg))
	s.remember(kept)
	if err := s.write(kept + "\n"); err != nil {
		return err
	}
	return s.prior(ctx, strings.TrimPrefix(kept, ":prior "))
}

// withoutNumbers is what stands behind numbers that are set.
func withoutNumbers(arg string) string {
	for m := setNumber.FindString(arg); m != ""; m = setNumber.FindString(arg) {
		arg = arg[len(m):]
	}
	return arg
}

// A sliderView is sliders with the one that keys move.
type sliderView struct {
	*elicit.Sliders
	at int
}

func (v *sliderView) press(k Key) {
	switch n := len(v.Numbers()); k {
	case KeyUp:
		v.at = (v.at + n - 1) % n
	case KeyDown:
		v.at = (v.at + 1) % n
	case KeyLeft:
		v.Move(v.at, -slideStep)
	case KeyRight:
		v.Move(v.at, slideStep)
	}
}

// kept is what gives :prior the numbers as they are now.
func (v *sliderView) kept() string {
	var out []string
	for i, n := range v.Numbers() {
		if x := v.Values[i]; x != n.Value {
			out = append(out, fmt.Sprintf("%d=%s", i+1, strconv.FormatFloat(x, 'g', -1, 64)))
		}
	}
	return strings.Join(out, " ")
}

// frame draws the sliders and the quantiles.
func (v *sliderView) frame(ctx context.Context) (string, error) {
	header, rows, err := v.Quantiles(ctx)
	if err != nil {
		return "", err
	}
	var table [][]string
	numbers := v.Numbers()
	first := max(0, min(v.at-mostSliders/2, len(numbers)-mostSliders))
	for i := first; i < min(first+mostSliders, len(numbers)); i++ {
		n, mark := numbers[i], " "
		if i == v.at {
			mark = ">"
		}
		table = append(table, []string{mark, strconv.Itoa(i + 1), shortened(v.Statement(i), widestStatement), strconv.FormatFloat(v.Values[i], 'g', 4, 64), rule(v.Away(i)), "from " + n.Name})
	}
	var b strings.Builder
	align(&b, table, 2)
	b.WriteString("\n")
	rows = rows[:min(len(rows), mostQuantities)]
	for _, row := range rows {
		row[0] = shortened(row[0], widestName)
	}
	align(&b, append([][]string{header}, rows...), 0)
	return b.String(), nil
}

// shortened is a text of at most so many characters.
func shortened(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most-3]) + "..."
	}
	return text
}

// rule is a slider, with where the number is written in the middle.
func rule(away float64) string {
	places := []rune(strings.Repeat("─", slideWidth) + "┼" + strings.Repeat("─", slideWidth))
	at := slideWidth + int(max(-slideWidth, min(slideWidth, math.Round(away/slideStep))))
	places[at] = '●'
	return string(places)
}

// align writes columns, of which left is to the left as the others are to the right.
func align(b *strings.Builder, table [][]string, left int) {
	for _, row := range table {
		for j, cell := range row {
			width := 0
			for _, r := range table {
				width = max(width, len([]rune(r[j])))
			}
			pad := strings.Repeat(" ", width-len([]rune(cell)))
			if j == left {
				cell += pad
			} else {
				cell = pad + cell
			}
			if j > 0 {
				b.WriteString("  ")
			}
			b.WriteString(cell)
		}
		b.WriteString("\n")
	}
}
