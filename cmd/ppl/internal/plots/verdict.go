// This file reads verdicts back from diagnosis.json and finds their pictures.

package plots

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/seed-12b88e03/ppl/diagnose"
)

// A Verdict is a verdict as it stands in diagnosis.json.
type Verdict struct {
	Directive  string             `json:"directive"`
	Kind       string             `json:"kind"`
	Severity   diagnose.Severity  `json:"severity"`
	Summary    string             `json:"summary"`
	Notes      []string           `json:"notes"`
	Incomplete bool               `json:"incomplete"`
	Findings   []diagnose.Finding `json:"findings"` // of verdicts on a fit
	Pictures   []*Figure          `json:"-"`        // as the caller has them drawn
	text       json.RawMessage
}

// ReadVerdicts reads {"verdicts": [...]}.
func ReadVerdicts(r io.Reader) ([]*Verdict, error) {
	var all struct {
		Verdicts []json.RawMessage `json:"verdicts"`
	}
	if err := json.NewDecoder(r).Decode(&all); err != nil {
		return nil, err
	}
	var out []*Verdict
	for i, text := range all.Verdicts {
		v := &Verdict{text: text}
		if err := json.Unmarshal(text, v); err != nil {
			return nil, fmt.Errorf("verdict %d: %w", i+1, err)
		}
		out = append(out, v)
	}
	return out, nil
}

// Figures are the pictures of a verdict; none for kinds that have no picture.
func (v *Verdict) Figures() ([]*Figure, error) {
	switch v.Kind {
	case "bread":
		return figuresOf(v, breadFigures)
	case "gibbs_prior":
		return figuresOf(v, gibbsPriorFigures)
	case "sbc":
		return figuresOf(v, sbcFigures)
	}
	return nil, nil
}

func figuresOf[F any](v *Verdict, draw func(*F) []*Figure) ([]*Figure, error) {
	var f F
	if err := json.Unmarshal(v.text, &f); err != nil {
		return nil, fmt.Errorf("figures of %s: %w", v.Kind, err)
	}
	return draw(&f), nil
}
