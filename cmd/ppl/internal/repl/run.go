package repl

// This file runs methods and diagnoses.

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// chooseMethod is :method.
func (s *Session) chooseMethod(_ context.Context, text string) error {
	switch text {
	case "":
	case "default":
		s.methods = nil
	default:
		m, err := s.program.Method(text)
		if err != nil {
			return err
		}
		if err := m.Runnable(); err != nil {
			return err
		}
		s.methods = []string{text}
	}
	methods, err := s.chosen("")
	if err != nil {
		return err
	}
	out := ""
	for _, m := range methods {
		out += m.Name() + " = " + m.String() + "\n"
	}
	return s.write(out)
}

// chosen returns the method of an expression, or else those of :method, or else those of
// the inference block.
func (s *Session) chosen(text string) ([]*lang.Method, error) {
	texts := s.methods
	if text != "" {
		texts = []string{text}
	}
	if len(texts) == 0 {
		return s.program.Methods()
	}
	var out []*lang.Method
	for _, t := range texts {
		m, err := s.program.Method(t)
		if err != nil {
			return nil, err
		}
		s.View.Warnings(m.Warnings())
		out = append(out, m)
	}
	return out, nil
}

// run fits the model by the chosen methods, one after the other.
func (s *Session) run(ctx context.Context, text string) error {
	if err := s.needsModel(); err != nil {
		return err
	}
	methods, err := s.chosen(text)
	if err != nil {
		return err
	}
	m, err := s.bound(ctx)
	if err != nil {
		return err
	}
	for _, method := range methods {
		if err := errors.Join(method.Runnable(), m.Supports(method)); err != nil {
			return err
		}
	}
	var fits []*lang.Fit
	shared := lang.Share(methods)
	for _, method := range methods {
		if ctx.Err() != nil {
			break
		}
		fit, err := s.fit(ctx, m, method, shared)
		if err != nil {
			return err
		}
		if fit.Posterior.Draws.Total() == 0 {
			continue
		}
		fits = append(fits, fit)
		s.fits = fits
		if err := s.View.Fit(fit, false); err != nil {
			return err
		}
	}
	switch {
	case len(fits) == 0:
		return errors.New("the run was stopped before the first draw")
	case ctx.Err() != nil:
		s.View.Say("interrupted; the draws so far are kept\n")
	}
	return nil
}

func (s *Session) fit(ctx context.Context, m *lang.Model, method *lang.Method, shared *lang.Shared) (*lang.Fit, error) {
	show, end := s.View.Watch("", method.Has("warmup"))
	defer end()
	var drawn atomic.Bool
	watch := infer.Observers{show, frame.Ended{Call: func() { drawn.Store(true) }}}
	o := lang.RunOptions{Seed: s.seedOf(method), Jobs: s.Jobs, Observer: watch, Shared: shared, Leave: true}
	return unlessEndedFor(ctx, frame.FitGrace, drawn.Load, func() (*lang.Fit, error) { return m.Run(ctx, method, o) })
}

// seedOf is the seed that the method gives, or the session's.
func (s *Session) seedOf(m *lang.Method) uint64 {
	if seed, ok := m.Seed(); ok {
		return seed
	}
	return s.Seed
}

var (
	errNoFit   = errors.New("there are no draws yet: :run makes them")
	errDropped = errors.New("the draws were of the model before it was changed: :run makes new ones")
)

// fitless is why there are no draws.
func (s *Session) fitless() error {
	if s.dropped {
		return errDropped
	}
	return errNoFit
}

// summary shows the table of the last run.
func (s *Session) summary(_ context.Context, arg string) error {
	if len(s.fits) == 0 {
		return s.fitless()
	}
	names := strings.Fields(arg)
	for _, f := range s.fits {
		if len(names) == 0 {
			if err := s.View.Fit(f, true); err != nil {
				return err
			}
			continue
		}
		d, err := f.Posterior.Draws.Only(names)
		if err != nil {
			return err
		}
		if err := s.View.Table(d); err != nil {
			return err
		}
	}
	return nil
}

// column is the part of the last fit that a variable or one of its numbers is: "theta",
// "theta[2]" or "theta.2". It is nil where there is no such thing.
func (s *Session) column(name string) *draws.Draws {
	if len(s.fits) == 0 {
		return nil
	}
	name = strings.NewReplacer("[", ".", "]", "", ",", ".", " ", "").Replace(name)
	d := s.fits[len(s.fits)-1].Posterior.Draws
	if slices.ContainsFunc(d.Columns(), func(c string) bool { return draws.Base(c) == name }) {
		part, err := d.Only([]string{name})
		if err == nil {
			return part
		}
	}
	if !slices.Contains(d.Columns(), name) {
		return nil
	}
	part := draws.New(d.Chains(), d.Stats(), []string{name})
	at := d.Index(name)
	for chain := range d.Chains() {
		for i := range d.Len(chain) {
			row := d.Row(chain, i)
			part.Append(draws.Row{Chain: chain, Iteration: i, LogDensity: row[0], Stats: row[1 : 1+len(d.Stats())], Values: row[at : at+1]})
		}
	}
	return part
}

// diagnose judges methods on the model.
func (s *Session) diagnose(ctx context.Context, text string) error {
	if err := s.needsModel(); err != nil {
		return err
	}
	list, err := s.asked(text)
	if err != nil {
		return err
	}
	m, err := s.bound(ctx)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return s.consult(ctx, m)
	}
	for _, d := range list {
		if err := m.Judges(d); err != nil {
			return err
		}
	}
	for _, d := range list {
		if ctx.Err() != nil {
			break
		}
		if err := s.judge(ctx, m, d); err != nil {
			return err
		}
	}
	return nil
}

// asked returns the diagnosis of an expression, or those of the inference block.
func (s *Session) asked(text string) ([]*lang.Diagnosis, error) {
	if text == "" {
		return s.program.Diagnoses()
	}
	d, err := s.program.Diagnosis(text)
	if err != nil {
		return nil, err
	}
	s.View.Warnings(d.Warnings())
	return []*lang.Diagnosis{d}, nil
}

// consult checks the answer of each chosen method by all that a budget allows.
func (s *Session) consult(ctx context.Context, m *lang.Model) error {
	methods, err := s.chosen("")
	if err != nil {
		return err
	}
	for _, method := range methods {
		if ctx.Err() != nil {
			break
		}
		if err := s.consultAbout(ctx, m, method); err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) consultAbout(ctx context.Context, m *lang.Model, method *lang.Method) error {
	show, end := s.View.Watch(method.Name(), false)
	c, err := m.NewConsultation(method, lang.ConsultOptions{
		Line: line, RunOptions: lang.RunOptions{Seed: s.seedOf(method), Jobs: s.Jobs, Observer: show, Leave: true},
	})
	if err == nil {
		_, err = unlessEndedFor(ctx, frame.JudgeGrace, frame.Never, func() (struct{}, error) { return struct{}{}, c.Run(ctx) })
	}
	end()
	if err != nil {
		return err
	}
	s.fits = []*lang.Fit{c.Fit}
	for _, v := range c.Verdicts {
		if err := s.notable(v); err != nil {
			return err
		}
	}
	list, err := c.Plan()
	if err != nil {
		return err
	}
	for _, d := range list {
		if ctx.Err() != nil {
			break
		}
		v, err := s.judged(ctx, m, d)
		if err != nil {
			return err
		}
		c.Add(v)
		if err := s.notable(v); err != nil {
			return err
		}
	}
	return s.View.Verdict(c.Conclude(), false)
}

// notable shows the parts of a consultation that there is more to say of than its last table
// does.
func (s *Session) notable(v *diagnose.Verdict) error {
	if v.Kind != "fit" && v.Severity != diagnose.Warning && v.Severity != diagnose.Bad {
		return nil
	}
	return s.View.Verdict(v, true)
}

// line writes what to type after a consultation.
func line(n diagnose.Next) string {
	switch {
	case n.Again:
		return ":diagnose"
	case n.Method != "":
		return ":run " + n.Method
	}
	return ":summary"
}

func (s *Session) judge(ctx context.Context, m *lang.Model, d *lang.Diagnosis) error {
	v, err := s.judged(ctx, m, d)
	if err != nil {
		return err
	}
	return s.View.Verdict(v, false)
}

func (s *Session) judged(ctx context.Context, m *lang.Model, d *lang.Diagnosis) (*diagnose.Verdict, error) {
	show, end := s.View.Watch(d.Name(), false)
	defer end()
	o := lang.RunOptions{Seed: s.seedOf(d.Method), Jobs: s.Jobs, Observer: show, Leave: true}
	return unlessEndedFor(ctx, frame.JudgeGrace, frame.Never, func() (*diagnose.Verdict, error) { return m.Diagnose(ctx, d, o) })
}
