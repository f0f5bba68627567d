package sensitivity

// This file puts sensitivities into words.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
)

// The parts that each result begins with.
const (
	PriorPart = iota // all statements of the prior
	LikelihoodPart
	firstStatement
)

// A Diagnosis is what sensitivities to prior and likelihood say of a variable.
type Diagnosis string

// The diagnoses.
const (
	Insensitive Diagnosis = "-"
	PriorRules  Diagnosis = "the prior decides"
	Conflict    Diagnosis = "possible prior-data conflict"
	TooFew      Diagnosis = "too few draws to tell"
)

// Diagnosis judges by the sensitivities to all priors and to the likelihood.
func (v Variable) Diagnosis() Diagnosis {
	prior, likelihood := v.Effects[PriorPart], v.Effects[LikelihoodPart]
	switch {
	case prior.Unsettled():
		return TooFew
	case !prior.Counts():
		return Insensitive
	case likelihood.Counts():
		return Conflict
	case likelihood.Unsettled():
		return TooFew
	}
	return PriorRules
}

// severity is Good only of a sensitivity that could have been seen.
func (v Variable) severity(values int) diagnose.Severity {
	m := diagnose.Measure{Value: v.Effects[PriorPart].Beyond(), Values: values, Least: leastDraws}
	if v.Diagnosis() == TooFew {
		m.Void = "chance alone moves the draws as far"
	}
	return m.AtMost(math.Nextafter(Threshold, 0), math.Inf(1))
}

// Figures are the sensitivities for scripts.
type Figures struct {
	Draws     int              `json:"draws"`
	Threshold float64          `json:"threshold"`
	Variables []VariableFigure `json:"variables"`
	Powers    []PowerFigure    `json:"powers"`
}

// A VariableFigure is a variable with its sensitivity to each part.
type VariableFigure struct {
	Name       string        `json:"name"`
	Mean       draws.Number  `json:"mean"`
	SD         draws.Number  `json:"sd"`
	Diagnosis  Diagnosis     `json:"diagnosis"`
	Prior      EffectFigure  `json:"prior"`
	Likelihood EffectFigure  `json:"likelihood"`
	Statements []EffectPoint `json:"statements"`
}

// An EffectFigure is an Effect.
type EffectFigure struct {
	Sensitivity draws.Number `json:"sensitivity"`
	Chance      draws.Number `json:"chance"`
	Mean        draws.Number `json:"mean_shift"`
	MeanError   draws.Number `json:"mean_shift_se"`
	SD          draws.Number `json:"log_sd_shift"`
}

// An EffectPoint is the Effect of a statement.
type EffectPoint struct {
	Statement string `json:"statement"`
	Line      int    `json:"line"`
	EffectFigure
}

func figure(e Effect) EffectFigure {
	return EffectFigure{draws.Number(e.Sensitivity), draws.Number(e.Chance), draws.Number(e.Mean), draws.Number(e.MeanError), draws.Number(e.SD)}
}

// Verdict is the outcome in words, with what larger changes do. The most sensitive variables come
// first.
func (r *Result) Verdict(scaled []Scaled) *diagnose.Verdict {
	vars := slices.Clone(r.Variables)
	slices.SortStableFunc(vars, func(a, b Variable) int {
		return cmp.Compare(b.Effects[PriorPart].Beyond(), a.Effects[PriorPart].Beyond())
	})
	v := &diagnose.Verdict{Kind: "sensitivity", Severity: diagnose.None, Figures: r.figures(vars, scaled)}
	by := map[Diagnosis][]string{}
	for i, x := range vars {
		by[x.Diagnosis()] = append(by[x.Diagnosis()], x.Name)
		if s := x.severity(r.Draws); i == 0 {
			v.Severity = s
		} else if s != diagnose.None {
			v.Severity = diagnose.Worse(v.Severity, s)
		}
	}
	if v.Severity == diagnose.Good && len(by[TooFew]) > 0 {
		v.Severity = diagnose.None
	}
	v.Summary, v.Notes = summary(by, len(vars))
	v.Tables = append(v.Tables, table(vars))
	if len(r.Parts) > firstStatement+1 {
		v.Tables = append(v.Tables, r.statements(vars))
	}
	if len(scaled) > 0 && len(vars) > 0 {
		v.Tables = append(v.Tables, powersTable(vars, scaled))
	}
	return v
}

// summary is the sentence that matters most, and others.
func summary(by map[Diagnosis][]string, all int) (first string, notes []string) {
	if names := by[PriorRules]; len(names) > 0 {
		notes = append(notes, fmt.Sprintf("The data say little about %s: the prior decides.", listed(names)))
	}
	if names := by[Conflict]; len(names) > 0 {
		notes = append(notes, fmt.Sprintf("%s would move with a change of the prior as well as of the data's weight: prior and data disagree, or the prior was meant to tell something.", listed(names)))
	}
	if names := by[TooFew]; len(names) > 0 {
		notes = append(notes, fmt.Sprintf("Of %s nothing can be said: draws of this number move as far by chance. Fit with more draws, such as --draws 4000.", listed(names)))
	}
	switch {
	case all == 0:
		return "There is no variable with a spread.", nil
	case len(notes) == 0:
		return "No variable depends on the priors: small changes of their weight leave the posterior where it is.", nil
	}
	return notes[0], notes[1:]
}

// listed names a few and counts the rest.
func listed(names []string) string {
	const most = 4
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return names[0]
}

func table(vars []Variable) diagnose.Table {
	t := diagnose.Table{
		Title:  "sensitivity to the priors and to the likelihood (bound 0.05); change of mean and sd for a doubling of the priors' weight, to first order",
		Header: []string{"variable", "priors", "likelihood", "mean, in sds", "sd, in %", "diagnosis"},
	}
	for _, v := range vars {
		p, l := v.Effects[PriorPart], v.Effects[LikelihoodPart]
		t.Rows = append(t.Rows, []string{v.Name, fixed(p.Sensitivity, 3), fixed(l.Sensitivity, 3), signed(p.Mean, 2), signed(100*p.SD, 1), string(v.Diagnosis())})
	}
	return t
}

// statements are the statements of the prior, each with the variable that it moves most.
func (r *Result) statements(vars []Variable) diagnose.Table {
	t := diagnose.Table{
		Title:  "each statement of the prior by itself, with the variable that it moves most",
		Header: []string{"line", "statement", "variable", "sensitivity", "mean, in sds", "sd, in %"},
	}
	for i := firstStatement; i < len(r.Parts); i++ {
		if len(vars) == 0 {
			break
		}
		worst := slices.MaxFunc(vars, func(a, b Variable) int { return cmp.Compare(a.Effects[i].Beyond(), b.Effects[i].Beyond()) })
		e := worst.Effects[i]
		t.Rows = append(t.Rows, []string{strconv.Itoa(r.Parts[i].Line), r.Parts[i].Name, worst.Name, fixed(e.Sensitivity, 3), signed(e.Mean, 2), signed(100*e.SD, 1)})
	}
	return t
}

func (r *Result) figures(vars []Variable, scaled []Scaled) Figures {
	f := Figures{Draws: r.Draws, Threshold: Threshold, Variables: []VariableFigure{}, Powers: []PowerFigure{}}
	for _, s := range scaled {
		f.Powers = append(f.Powers, s.figure())
	}
	for _, v := range vars {
		one := VariableFigure{
			Name: v.Name, Mean: draws.Number(v.Mean), SD: draws.Number(v.SD), Diagnosis: v.Diagnosis(),
			Prior: figure(v.Effects[PriorPart]), Likelihood: figure(v.Effects[LikelihoodPart]), Statements: []EffectPoint{},
		}
		for i := firstStatement; i < len(r.Parts); i++ {
			one.Statements = append(one.Statements, EffectPoint{r.Parts[i].Name, r.Parts[i].Line, figure(v.Effects[i])})
		}
		f.Variables = append(f.Variables, one)
	}
	return f
}

func fixed(x float64, places int) string { return strconv.FormatFloat(x, 'f', places, 64) }

func signed(x float64, places int) string { return fmt.Sprintf("%+.*f", places, x) }
