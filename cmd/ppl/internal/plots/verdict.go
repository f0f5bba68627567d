// This file reads verdicts back from diagnosis.json and finds their pictures.

package plots

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/bread"
	"github.com/seed-12b88e03/ppl/diagnose/sbc"
	"github.com/seed-12b88e03/ppl/infer/draws"
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
		return figuresOf(v, agreeingBread, breadFigures)
	case "gibbs_prior":
		return figuresOf(v, nil, gibbsPriorFigures)
	case "sbc":
		return figuresOf(v, agreeingRanks, sbcFigures)
	case "sensitivity":
		return figuresOf(v, nil, sensitivityFigures)
	case "prior_predictive", "posterior_predictive":
		return figuresOf(v, nil, predictiveFigures)
	}
	return nil, nil
}

// figuresOf draws figures whose parts agree with one another; nil for those that cannot disagree.
func figuresOf[F any](v *Verdict, agree func(*F) error, draw func(*F) []*Figure) ([]*Figure, error) {
	var f F
	err := json.Unmarshal(v.text, &f)
	if err == nil && agree != nil {
		err = agree(&f)
	}
	if err != nil {
		return nil, fmt.Errorf("figures of %s: %w", v.Kind, err)
	}
	return draw(&f), nil
}

// agreeingRanks reports ranks of which there can be none among so many draws.
func agreeingRanks(f *sbc.Figures) error {
	if f.Draws < 0 || f.Draws > mostRanks {
		return fmt.Errorf("%d draws", f.Draws)
	}
	for _, q := range f.Parameters {
		for _, r := range q.Ranks {
			if r != nil && (*r < 0 || *r > f.Draws) {
				return fmt.Errorf("%s has a rank of %d among %d draws", q.Name, *r, f.Draws)
			}
		}
	}
	if b := f.Bands; b != nil && (len(b.ECDF.Low) != f.Draws || len(b.ECDF.High) != f.Draws) {
		return fmt.Errorf("bands of %d and %d numbers for %d draws", len(b.ECDF.Low), len(b.ECDF.High), f.Draws)
	}
	return nil
}

// mostRanks bounds the draws that a rank is taken among.
const mostRanks = 1 << 24

// agreeingBread reports estimates that are not one a data set.
func agreeingBread(f *bread.Figures) error {
	if f.Datasets < 0 || f.Datasets > 1 && len(f.ByDataset) != f.Datasets {
		return fmt.Errorf("%d data sets, and estimates of %d", f.Datasets, len(f.ByDataset))
	}
	return nil
}

// Checked are the rows of what a consultation checked: name, severity, outcome.
func (v *Verdict) Checked() [][]string {
	var f diagnose.ConsultationFigures
	if json.Unmarshal(v.text, &f) != nil {
		return nil
	}
	var rows [][]string
	for _, c := range f.Checks {
		s := string(c.Severity)
		if !c.Done {
			s = "not checked"
		}
		rows = append(rows, []string{c.Name, s, c.Outcome})
	}
	return rows
}

// Predicted are the rows of a predictive check: statistic, its observed value, mean and
// quantiles of simulated data sets, and p-value.
func (v *Verdict) Predicted() [][]string {
	var f diagnose.PredictiveFigures
	if json.Unmarshal(v.text, &f) != nil {
		return nil
	}
	var rows [][]string
	for _, c := range f.Checks {
		row := []string{c.Label()}
		for _, x := range []draws.Number{c.Observed, c.Mean, c.Q5, c.Q95, c.P} {
			row = append(row, strconv.FormatFloat(float64(x), 'g', 3, 64))
		}
		rows = append(rows, row)
	}
	return rows
}
