// This file sums up why a model rejected points: by place in the program and message, with
// the range of the values in it.

package infer

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// Placed is implemented by errors that know their place in the program. Packages that define
// such errors need not import this one.
type Placed interface {
	error
	Place() string  // file:line:column
	Reason() string // the message without the place
}

// ExplainRejections fills in Rejected from the records of all chains. It asks each recorded
// rejection for its message, which may take an evaluation of the model.
func (p *Posterior) ExplainRejections() {
	var groups []*rejectionGroup
	for _, c := range p.Chains {
		for _, r := range c.Rejections {
			place, text := "", r.Cause.Error()
			if at, ok := errors.AsType[Placed](r.Cause); ok {
				place, text = at.Place(), at.Reason()
			}
			groups = addRejection(groups, place, text)
		}
	}
	p.Rejected = nil
	for _, g := range groups {
		p.Rejected = append(p.Rejected, g.run())
	}
	slices.SortStableFunc(p.Rejected, func(a, b draws.RejectionRun) int { return cmp.Compare(b.Count, a.Count) })
}

// A rejectionGroup are rejections with the same place and the same words.
type rejectionGroup struct {
	place string
	words []string // the text between numbers: one more than numbers
	low   []string // the least of each number, as it was written
	high  []string // the greatest
	count int
}

// A numeral is a number that is not a part of a name.
var numeral = regexp.MustCompile(`(^|[^\w.])(-?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|inf|Inf|nan|NaN)\b)`)

// addRejection adds a message to the group that it belongs to.
func addRejection(groups []*rejectionGroup, place, text string) []*rejectionGroup {
	var words, numbers []string
	from := 0
	for _, m := range numeral.FindAllStringSubmatchIndex(text, -1) {
		words, numbers = append(words, text[from:m[4]]), append(numbers, text[m[4]:m[5]])
		from = m[5]
	}
	words = append(words, text[from:])
	for _, g := range groups {
		if g.place == place && slices.Equal(g.words, words) {
			g.add(numbers)
			return groups
		}
	}
	return append(groups, &rejectionGroup{place: place, words: words, low: slices.Clone(numbers), high: numbers, count: 1})
}

func (g *rejectionGroup) add(numbers []string) {
	g.count++
	for i, text := range numbers {
		if valueOf(text) < valueOf(g.low[i]) {
			g.low[i] = text
		}
		if valueOf(text) > valueOf(g.high[i]) {
			g.high[i] = text
		}
	}
}

// valueOf is the number in a text; numeral has seen to its form.
func valueOf(text string) float64 {
	x, _ := strconv.ParseFloat(text, 64)
	return x
}

// run is the group's record. The values are those of the first number that varies, or of the
// first that is no index.
func (g *rejectionGroup) run() draws.RejectionRun {
	var b strings.Builder
	value := -1
	for i, low := range g.low {
		b.WriteString(g.words[i] + low)
		index := strings.HasSuffix(g.words[i], "[")
		if g.high[i] != low {
			b.WriteString(" to " + g.high[i])
		}
		if !index && (value < 0 || g.low[value] == g.high[value] && low != g.high[i]) {
			value = i
		}
	}
	b.WriteString(g.words[len(g.low)])
	r := draws.RejectionRun{Place: g.place, Message: b.String(), Count: g.count}
	if value >= 0 {
		low, high := draws.Number(valueOf(g.low[value])), draws.Number(valueOf(g.high[value]))
		r.Low, r.High = &low, &high
	}
	return r
}
