package main

// This file is ppl diagnose of a model without directives: a consultation.

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// conclusionKind is that of a consultation's last verdict.
const conclusionKind = "consultation"

func isConclusion(v *diagnose.Verdict) bool { return v.Kind == conclusionKind }

// consult fits the model by each method, makes the diagnoses that the budget allows, and
// concludes.
func (s *diagnosing) consult(ctx context.Context) ([]*diagnose.Verdict, error) {
	var out []*diagnose.Verdict
	var list []*lang.Diagnosis
	var all []*lang.Consultation
	var plans [][]*lang.Diagnosis
	budget := lang.DefaultBudget
	if s.Budget != nil {
		budget = *s.Budget
	}
	shared := lang.Share(s.methods)
	for _, m := range s.methods {
		if ctx.Err() != nil {
			break
		}
		show, end := s.progress(m.Name())
		o := lang.ConsultOptions{Budget: budget, Line: s.line(m), RunOptions: lang.RunOptions{Seed: s.seedOf(m), Jobs: s.jobs(), Observer: show, Shared: shared, Leave: true}}
		k, err := frame.WithGrace(ctx, frame.JudgeGrace, frame.Never, func() (*lang.Consultation, error) {
			k, err := s.model.NewConsultation(m, o)
			if err == nil {
				err = k.Run(ctx)
			}
			return k, err
		})
		end()
		if err != nil {
			return nil, err
		}
		for _, v := range k.Verdicts {
			if err := s.notable(v); err != nil {
				return nil, err
			}
		}
		plan, err := k.Plan()
		if err != nil {
			return nil, err
		}
		all, plans, list = append(all, k), append(plans, plan), append(list, plan...)
	}
	if err := s.begin(list); err != nil {
		return nil, err
	}
	i := 0
	for n, k := range all {
		for _, d := range plans[n] {
			if ctx.Err() != nil {
				break
			}
			v, err := s.kept(ctx, i, d)
			if err == nil {
				err = s.notable(v)
			}
			if err != nil {
				return nil, err
			}
			k.Add(v)
			i++
		}
		end := k.Conclude()
		if err := s.show(s.app, end); err != nil {
			return nil, err
		}
		out = append(append(out, k.Verdicts...), end)
	}
	return out, nil
}

// notable shows the parts of a consultation that there is more to say of than its last table
// does.
func (s *diagnosing) notable(v *diagnose.Verdict) error {
	if v.Kind != "fit" && v.Severity != diagnose.Warning && v.Severity != diagnose.Bad {
		return nil
	}
	return s.show(s.app, v)
}

// seedOf is the seed of one method: its own, which a flag has removed, or the run's.
func (s *diagnosing) seedOf(m *lang.Method) uint64 {
	if seed, ok := m.Seed(); ok {
		return seed
	}
	return s.seed
}

// line writes what to type after a consultation about a method.
func (s *diagnosing) line(m *lang.Method) func(diagnose.Next) string {
	return func(n diagnose.Next) string {
		words := []string{"ppl", "run", s.Paths[0]}
		if n.Again {
			words[1] = "diagnose"
		}
		if s.Data != "" {
			words = append(words, "--data", s.Data)
		}
		words = imputing(words, s.Impute)
		for _, dir := range s.Include {
			words = append(words, "--include", dir)
		}
		words = append(words, "--seed", strconv.FormatUint(s.seedOf(m), 10))
		switch {
		case n.Method != "":
			words = append(words, "--method", n.Method)
		default:
			for _, text := range s.Method {
				words = append(words, "--method", text)
			}
		}
		if n.Method == "" && !n.Again {
			words = append(words, "--out", "fit")
		}
		return shellLine(words)
	}
}

// lineOfFit writes what to type after a consultation about the fit in a folder.
func lineOfFit(dir string) func(diagnose.Next) string {
	return func(n diagnose.Next) string {
		run, err := draws.ReadRun(dir)
		if err != nil || !strings.HasSuffix(run.Program.File, ".ppl") && !strings.HasSuffix(run.Program.File, ".stan") {
			return ""
		}
		words := []string{"ppl", "diagnose", run.Program.File}
		if run.Data != nil && run.Data.File != strings.TrimSuffix(run.Program.File, filepath.Ext(run.Program.File))+".json" {
			words = append(words, "--data", run.Data.File)
		}
		words = imputing(words, imputedIn(&run))
		return shellLine(append(words, "--seed", strconv.FormatUint(run.Seed, 10), "--method", run.Method))
	}
}

// imputing adds the variables with missing elements to a command.
func imputing(words, names []string) []string {
	for _, name := range names {
		words = append(words, "--impute", name)
	}
	return words
}

// shellLine is a command line, quoted where a shell needs it.
func shellLine(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		if out[i] = w; w == "" || strings.ContainsAny(w, " \t\n'\"\\$&|;<>()[]{}*?!#~`") {
			out[i] = quoted(w)
		}
	}
	return strings.Join(out, " ")
}

// conclusionText shows what was checked, and what was not, and then the conclusion.
func conclusionText(v *diagnose.Verdict, f diagnose.ConsultationFigures, l view.Look) string {
	var b strings.Builder
	b.WriteString(problem.Printable(v.Directive) + ": what was checked, and what was not\n\n")
	for _, c := range f.Checks {
		head := l.Label(c.Severity)
		if !c.Done {
			head = "-" + strings.Repeat(" ", view.Margin-1)
		}
		text := c.Outcome
		if !c.Done {
			text = "not checked: " + text
		}
		b.WriteString(l.Paragraph(head, c.Name+": "+text))
	}
	text, typed := strings.CutSuffix(v.Summary, f.Next)
	b.WriteString("\n" + l.Paragraph(l.Label(v.Severity), strings.TrimSpace(text)))
	if typed && f.Next != "" {
		b.WriteString("\n" + strings.Repeat(" ", view.Margin) + problem.Printable(f.Next) + "\n")
	}
	if v.Incomplete {
		b.WriteString(l.Note("The run was cut short; the conclusion is about what was done."))
	}
	return b.String()
}
