// This file defines findings.

package diagnose

import "github.com/seed-12b88e03/ppl/infer/draws"

// Severity is how much a finding should worry. The order is None, Good,
// Warning, Bad.
type Severity string

// The severities, as they stand in JSON.
const (
	None    Severity = "none" // could not be judged
	Good    Severity = "good"
	Warning Severity = "warning" // the results are usable with care
	Bad     Severity = "bad"     // the results should not be used
)

func (s Severity) rank() int {
	switch s {
	case Good:
		return 1
	case Warning:
		return 2
	case Bad:
		return 3
	}
	return 0
}

// Finding is the outcome of one check.
type Finding struct {
	Name      string       `json:"name"`      // of the check, such as "divergences"
	Severity  Severity     `json:"severity"`  //
	Quantity  string       `json:"quantity"`  // what Value is, such as "R-hat of theta.3"
	Value     draws.Number `json:"value"`     // NaN if it could not be measured
	Threshold draws.Number `json:"threshold"` // the bound between good and the rest
	Meaning   string       `json:"meaning"`   // what it says about the fit, a sentence
	Remedy    string       `json:"remedy"`    // what helps, a sentence; empty if nothing is wrong
}

// Worst is the worst severity among findings; None if there are none. It is None, too, where
// nothing is wrong but the search for other answers did not settle whether there are any, since the
// other checks look near where the method has been; and where a probability rests on a draw or two.
func Worst(findings []Finding) Severity {
	worst, unsettled := None, false
	for _, f := range findings {
		if f.Severity.rank() > worst.rank() {
			worst = f.Severity
		}
		unsettled = unsettled || (f.Name == populationCheck || f.Name == rareCheck) && f.Severity == None
	}
	if worst == Good && unsettled {
		return None
	}
	return worst
}
