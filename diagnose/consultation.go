// This file draws the conclusion of a consultation: may an answer be used, what is wrong with
// it, and what to do next.

package diagnose

import (
	"fmt"
	"strings"
)

// A Role is what a check of a consultation says something about.
type Role string

// The roles.
const (
	OfAnswer Role = "answer" // the draws, as those of this model's posterior
	OfMethod Role = "method" // the method, on data like these
	OfModel  Role = "model"  // the model, as one of these data
	Aside    Role = "aside"  // something else: the answer may be used whatever comes out
)

// A Check is what a consultation asked, and what came out.
type Check struct {
	Name     string   `json:"check"`
	Role     Role     `json:"about"`
	Done     bool     `json:"done"`
	Severity Severity `json:"severity"`
	Outcome  string   `json:"outcome"` // in a few words; of a check that was not made, why
	// Reasons are sentences that say what is wrong and by how much; empty if nothing is.
	Reasons []string `json:"reasons"`
	Remedy  string   `json:"remedy"`         // what helps, a sentence; empty if nothing is wrong
	Method  string   `json:"next,omitempty"` // a method of the language to run next; empty where the model must change
	Needed  bool     `json:"-"`              // without it nothing is settled
}

// The answers of a consultation to whether an answer may be used.
const (
	UseYes     = "yes"
	UseCare    = "with care"
	UseNo      = "no"
	UseUnknown = "not settled"
)

// ConsultationFigures are the figures of a consultation's conclusion.
type ConsultationFigures struct {
	Use     string  `json:"use"`    // UseYes, UseCare, UseNo or UseUnknown
	Budget  float64 `json:"budget"` // in seconds of one processor; 0 where there was none
	Next    string  `json:"next"`   // the line to type
	Checks  []Check `json:"checks"`
	Skipped int     `json:"not_checked"`
}

// A Next is what to do after a consultation.
type Next struct {
	Method string // to be run; empty: the one that was judged, whose answer may be used
	Again  bool   // the model is to be changed first, and then consulted about again
}

// Conclude reports whether an answer may be used. line writes what to type next. The verdict's
// severity is the worst of the checks that speak about answer, method and model: Good says that
// one has passed, that none failed, and that those which are needed settled what they ask.
func Conclude(checks []Check, budget float64, line func(Next) string) *Verdict {
	f := ConsultationFigures{Budget: budget, Checks: append([]Check{}, checks...)}
	worst := None
	settled := true
	for _, c := range checks {
		if !c.Done {
			f.Skipped++
		}
		if c.Needed && (!c.Done || c.Severity == None) {
			settled = false
		}
		if c.Done && c.Role != Aside {
			worst = Worse(worst, c.Severity)
		}
	}
	if worst == Good && !settled {
		worst = None
	}
	f.Use = useOf(worst)
	lead := decisive(checks, worst)
	next := Next{Again: lead != nil && lead.Method == "" && worst != None}
	if lead != nil {
		next.Method = lead.Method
	}
	f.Next = line(next)
	v := &Verdict{Kind: "consultation", Severity: worst, Figures: f}
	v.Summary = paragraph(checks, worst, lead, next, f.Next)
	return v
}

// useOf says it of a severity.
func useOf(worst Severity) string {
	switch worst {
	case Good:
		return UseYes
	case Warning:
		return UseCare
	case Bad:
		return UseNo
	}
	return UseUnknown
}

// decisive is the first check that made the severity what it is; nil where all is good.
func decisive(checks []Check, worst Severity) *Check {
	for i := range checks {
		c := &checks[i]
		bad := (worst == Warning || worst == Bad) && c.Done && c.Role != Aside && c.Severity == worst
		if bad || worst == None && c.Needed && c.Severity == None {
			return c
		}
	}
	return nil
}

// paragraph is the conclusion in words.
func paragraph(checks []Check, worst Severity, lead *Check, next Next, line string) string {
	var b strings.Builder
	switch worst {
	case Good:
		b.WriteString("The answer may be used: nothing that was checked speaks against it.")
	case Warning:
		b.WriteString("The answer may be used with care.")
	case Bad:
		b.WriteString("The answer must not be used.")
		if lead.Role == OfModel && !fails(checks, OfAnswer) {
			b.WriteString(" It is the posterior of this model, as far as was checked; but it is the model that does not fit.")
		}
	default:
		b.WriteString("Whether the answer may be used is not settled: nothing that was checked speaks against it, but too little could be checked.")
	}
	for _, text := range reasonsOf(checks, worst) {
		b.WriteString(" " + text)
	}
	if names := unchecked(checks); names != "" {
		fmt.Fprintf(&b, " Not checked: %s.", names)
	}
	if lead != nil && lead.Remedy != "" {
		b.WriteString(" What helps: " + lead.Remedy)
	}
	switch {
	case line == "":
	case next.Again:
		b.WriteString(" When the model has been changed, type: " + line)
	default:
		b.WriteString(" Next, type: " + line)
	}
	return b.String()
}

// mostReasons bounds the sentences on what is wrong.
const mostReasons = 3

// reasonsOf are sentences on what is wrong, of what decided first.
func reasonsOf(checks []Check, worst Severity) []string {
	var out []string
	add := func(s Severity, asides bool) {
		for _, c := range checks {
			if c.Done && c.Severity == s && (c.Role == Aside) == asides {
				out = append(out, c.Reasons...)
			}
		}
	}
	switch worst {
	case Warning, Bad:
		add(worst, false)
	case None:
		for _, c := range checks {
			if c.Needed && c.Severity == None {
				out = append(out, c.Reasons...)
			}
		}
	}
	out = out[:min(len(out), mostReasons)]
	if worst != Bad {
		add(Warning, true)
	}
	return out
}

// fails reports whether a check of a role was made and did not pass.
func fails(checks []Check, role Role) bool {
	for _, c := range checks {
		if c.Done && c.Role == role && (c.Severity == Warning || c.Severity == Bad) {
			return true
		}
	}
	return false
}

// unchecked lists what was not checked.
func unchecked(checks []Check) string {
	var names []string
	for _, c := range checks {
		if !c.Done {
			names = append(names, c.Name)
		}
	}
	return strings.Join(names, ", ")
}
