// This file defines verdicts: what the wrappers that judge a method say.

package diagnose

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// A Diagnosis runs a method on a model, often many times, and judges it. It is
// immutable and may be run from several goroutines.
type Diagnosis interface {
	// Name is its name in the language, such as "sbc".
	Name() string
	// Units is the number of independent units, which a Share divides.
	Units() int
	// Diagnose judges the method on the model. The observer of the options, if any, is
	// told of progress by Begin and Step only. When ctx ends early the verdict is about
	// what was done so far, is marked incomplete, and there is no error. A share of the units is
	// not judged: the verdict is Unjudged.
	Diagnose(ctx context.Context, m infer.Model, o infer.Options) (*Verdict, error)
}

// A Verdict is the outcome of a Diagnosis.
type Verdict struct {
	Directive  string   // the line that asked for it, with all options
	Kind       string   // the diagnosis, such as "sbc"
	Severity   Severity //
	Summary    string   // one sentence
	Notes      []string // what else is to be known, a sentence each
	Tables     []Table  // the figures, for people
	Figures    any      // the figures, for scripts: a struct, whose fields stand in JSON beside the others
	Incomplete bool     // the run was cut short
}

// Unjudged is the verdict of a run that did a share of the units of a diagnosis.
func Unjudged(d Diagnosis) *Verdict {
	return &Verdict{Kind: d.Name(), Severity: None, Summary: "A share of the units was done, which is not judged by itself.", Incomplete: true}
}

// A Table is a table of figures that have been written out.
type Table struct {
	Title  string
	Header []string
	Rows   [][]string
}

// MarshalJSON implements json.Marshaler: the figures' fields follow the verdict's own.
func (v *Verdict) MarshalJSON() ([]byte, error) {
	head, err := marshal(struct {
		Directive  string   `json:"directive"`
		Kind       string   `json:"kind"`
		Severity   Severity `json:"severity"`
		Summary    string   `json:"summary"`
		Notes      []string `json:"notes"`
		Incomplete bool     `json:"incomplete"`
	}{v.Directive, v.Kind, v.Severity, v.Summary, append([]string{}, v.Notes...), v.Incomplete})
	if err != nil || v.Figures == nil {
		return head, err
	}
	figures, err := marshal(v.Figures)
	if err != nil || len(figures) <= len("{}") {
		return head, err
	}
	return append(append(head[:len(head)-1], ','), figures[1:]...), nil
}

// marshal writes signs like < as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// A Counter reports the progress of a diagnosis to an observer. It may be used from
// several goroutines.
type Counter struct {
	mu          sync.Mutex
	observer    infer.Observer
	store       Store // of Part; may be nil
	done, total int
}

// NewCounter begins a run of total units of work; o may be nil.
func NewCounter(o infer.Observer, name string, total int) (*Counter, error) {
	if o == nil {
		o = infer.Ignore{}
	}
	c := &Counter{observer: o, total: total}
	if s, ok := o.(stored); ok {
		c.store = s.store
	}
	return c, o.Begin(draws.Plan{Method: name, Chains: 1, Draws: total, Thin: 1})
}

// Add counts n units as done.
func (c *Counter) Add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done = min(c.done+n, c.total)
	c.observer.Step(infer.Step{Done: c.done, Total: c.total})
}

// FitFigures are the figures of a verdict on a fit by its own findings.
type FitFigures struct {
	Fit      string    `json:"fit"` // its name
	Findings []Finding `json:"findings"`
}

// OfFit is the verdict on a fit by its findings alone.
func OfFit(name, method string, findings []Finding) *Verdict {
	v := &Verdict{
		Directive: method, Kind: "fit", Severity: Worst(findings),
		Figures: FitFigures{Fit: name, Findings: append([]Finding{}, findings...)},
	}
	switch v.Severity {
	case Good:
		v.Summary = "All checks of the fit passed; they can find that draws disagree, not that all of them are wrong."
	case None:
		v.Summary = "There are too few draws for the checks of the fit."
	default:
		v.Summary = "Some checks of the fit did not pass:"
		for _, f := range findings {
			if f.Severity == Warning || f.Severity == Bad {
				v.Summary += " " + f.Meaning
				break
			}
		}
	}
	return v
}
