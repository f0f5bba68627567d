package describe

// This file shows what was found in a model: the full conditional of each parameter,
// or why none is known, and location-scale effects.

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/console"
	"github.com/seed-12b88e03/ppl/lang"
)

// WriteConditionals prints a table of parameters, conditionals and reasons.
func WriteConditionals(w io.Writer, path string, m *lang.Model) error {
	blocks, err := m.Conditionals()
	if err != nil || len(blocks) == 0 {
		return nil // no point with positive density: a run says so
	}
	rows := [][3]string{{"parameter", "conditional", "reason"}}
	var width [2]int
	for _, b := range blocks {
		rows = append(rows, [3]string{b.Name, b.Form, b.Reason})
	}
	for _, r := range rows {
		for k := range width {
			width[k] = min(max(width[k], len(r[k])), 30)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: full conditionals, as gibbs draws them\n", path)
	for _, r := range rows {
		line := fmt.Sprintf("  %-*s  %-*s  %s", width[0], r[0], width[1], r[1], r[2])
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	writeEffects(&b, path, m)
	_, err = io.WriteString(w, b.String())
	return err
}

// writeEffects shows the location-scale effects whose centring nuts learns.
func writeEffects(b *strings.Builder, path string, m *lang.Model) {
	list := EffectsOf(m)
	if len(list) > 0 {
		fmt.Fprintf(b, "%s: location-scale effects, which nuts samples between centred and non-centred\n", path)
	}
	for _, e := range list {
		fmt.Fprintf(b, "  %s  %s, written %s\n", e.Parameter, console.Plural(e.Coordinates, "coordinate"), e.Written)
	}
}

// An Effect is a location-scale effect.
type Effect struct {
	Parameter   string `json:"parameter"`
	Coordinates int    `json:"coordinates"`
	Written     string `json:"written"`
}

// EffectsOf are those of a model, those of a parameter as one.
func EffectsOf(m *lang.Model) (list []Effect) {
	for _, e := range m.Bound().Effects() {
		same := func(o Effect) bool { return o.Parameter == e.Name && o.Written == e.Written() }
		if i := slices.IndexFunc(list, same); i >= 0 {
			list[i].Coordinates += len(e.Coordinates)
			continue
		}
		list = append(list, Effect{e.Name, len(e.Coordinates), e.Written()})
	}
	return list
}

// A Conditional is what gibbs found for a parameter.
type Conditional struct {
	Parameter   string `json:"parameter"`
	Conditional string `json:"conditional"`
	Reason      string `json:"reason,omitempty"`
}

// ConditionalsOf are those of a model; none where there is no point to look at.
func ConditionalsOf(m *lang.Model) []Conditional {
	blocks, err := m.Conditionals()
	if err != nil {
		return nil // as in the table
	}
	var list []Conditional
	for _, b := range blocks {
		list = append(list, Conditional{b.Name, b.Form, b.Reason})
	}
	return list
}
