// This file is the one source of good findings: a measured value held against a bound.

package diagnose

import (
	"fmt"
	"math"

	"github.com/seed-12b88e03/ppl/infer/draws"
)

// A Measure is what a check measured, and what that rests on. Its comparisons with a
// bound are the only source of the severity Good in this module (a test holds it), so that
// nothing is good that could not have failed: a value that is not finite, one that too few
// values stand behind, and one whose error reaches past all bounds are None.
type Measure struct {
	Value  float64 // in the unit of the bounds
	Error  float64 // its standard error; 0 where it has none, NaN where it is not known
	Values int     // independent or distinct values that it rests on: draws, pairs, data sets
	Least  int     // fewer Values are no evidence; 0 means 2
	Void   string  // why it is no evidence whatever its value, as a clause; empty: it is
}

// apart is how many standard errors away a bound must be to count as told apart.
const apart = 2

// AtMost is Good up to the bound warning, Warning up to the bound bad, and Bad beyond.
// None where the measure is no evidence. A value that its error does not tell from a bad
// one is not Good.
func (m Measure) AtMost(warning, bad float64) Severity {
	switch {
	case m.Void != "" || math.IsNaN(m.Value) || math.IsInf(m.Value, 0):
		return None
	case m.Value > bad:
		return Bad
	case m.Value > warning:
		return Warning
	case m.missing() != "" || m.Value+float64(apart*m.Error) > bad:
		return None
	}
	return Good
}

// AtLeast is Good down to the bound warning, Warning down to the bound bad, and Bad below.
func (m Measure) AtLeast(warning, bad float64) Severity {
	m.Value = -m.Value
	return m.AtMost(-warning, -bad)
}

// Missing is why the measure cannot make a finding good, as a clause; empty where it can,
// but for an error that reaches past all bounds.
func (m Measure) Missing() string {
	switch {
	case m.Void != "":
		return m.Void
	case math.IsNaN(m.Value) || math.IsInf(m.Value, 0):
		return "the value is not finite"
	}
	if why := m.missing(); why != "" {
		return why
	}
	return "its standard error is too large to tell"
}

// missing is what too little there is of.
func (m Measure) missing() string {
	switch least := max(m.Least, 2); {
	case m.Values < least:
		return fmt.Sprintf("it rests on %d distinct values, and at least %d are needed", m.Values, least)
	case math.IsNaN(m.Error) || math.IsInf(m.Error, 0):
		return "its error is not known"
	}
	return ""
}

// Distinct counts the values that differ from each other, up to most.
func Distinct(most int, x ...[]float64) int {
	seen := map[float64]bool{}
	for _, values := range x {
		for _, v := range values {
			if seen[v] = true; len(seen) >= most {
				return most
			}
		}
	}
	return len(seen)
}

// distinct counts the draws that differ from each other in the column in which most do, up
// to most.
func distinct(d *draws.Draws, most int) int {
	d = d.AtHand(max(most, draws.Long/16))
	found := Distinct(most, d.Column("lp__")...)
	for _, name := range d.Columns() {
		if found == most {
			break
		}
		found = max(found, Distinct(most, d.Column(name)...))
	}
	return found
}
