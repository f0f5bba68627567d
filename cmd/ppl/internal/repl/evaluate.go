package repl

// This file evaluates expressions and runs statements.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang"
)

// options are those of binding for the session's own purposes.
func (s *Session) options() lang.BindOptions {
	return lang.BindOptions{Seed: s.Seed, WithoutNative: true}
}

// expression shows the value of an expression: on the data, or its summary over the
// draws of the last fit.
func (s *Session) expression(ctx context.Context, text string) error {
	x, err := s.extended.Expression(inputName, text)
	if err != nil {
		if word, _ := firstWord(strings.TrimSpace(text)); slices.Contains(names(), word) || word == "exit" {
			return fmt.Errorf("%s is a command: :%s", word, strings.Replace(word, "exit", "quit", 1))
		}
		return err
	}
	s.evaluated++
	if x.Parameters {
		return s.overDraws(ctx, x)
	}
	in, o, r := s.data, s.options(), rng.New(s.Seed, "session", s.evaluated, 0)
	v, err := unlessEnded(ctx, func() (*eval.Value, error) { return x.Value(ctx, in, o, r) })
	if err != nil {
		return s.withoutData(err)
	}
	return s.write(eval.Format(v) + "\n")
}

// longestName is the longest expression that names its own summary.
const longestName = 24

func (s *Session) overDraws(ctx context.Context, x *lang.Expression) error {
	d, err := s.drawsOf(ctx, x)
	if err != nil {
		return err
	}
	return s.View.Table(d)
}

// drawsOf are the values of an expression at the draws of the last fit.
func (s *Session) drawsOf(ctx context.Context, x *lang.Expression) (*draws.Draws, error) {
	if len(s.fits) == 0 {
		return nil, fmt.Errorf("%s depends on parameters, and there are no draws yet: :run makes them", strings.TrimSpace(x.Text))
	}
	name := strings.Join(strings.Fields(x.Text), " ")
	if len(name) > longestName {
		name = "value"
	}
	if d := s.column(strings.TrimSpace(x.Text)); d != nil {
		return d, nil
	}
	o := s.options()
	o.Seed += s.evaluated
	in, from := s.data, s.fits[len(s.fits)-1].Posterior.Draws
	return unlessEnded(ctx, func() (*draws.Draws, error) { return x.Draws(ctx, in, o, from, name) })
}

// statements runs statements behind transformed data, and keeps them for what follows.
func (s *Session) statements(ctx context.Context, text string) error {
	with, err := s.extended.With(inputName, text)
	if err != nil {
		return err
	}
	if s.printed < 0 {
		s.printed = s.countPrinted(ctx)
	}
	var printed []string
	o := s.options()
	o.Print = func(text string) { printed = append(printed, text) }
	_, err = s.bind(ctx, with, o)
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted; the statement was not kept")
	case err != nil:
		return s.withoutData(err)
	}
	for _, line := range printed[min(s.printed, len(printed)):] {
		if err := s.write(line + "\n"); err != nil {
			return err
		}
	}
	text = strings.TrimSpace(text)
	if word, _ := firstWord(text); word == "print" {
		return nil // it has done its work
	}
	s.extended, s.scratch, s.printed = with, append(s.scratch, text), len(printed)
	return nil
}

// keepScratch adds the session's statements to a changed model; those that no longer fit
// are dropped.
func (s *Session) keepScratch() {
	kept := s.scratch
	s.scratch, s.extended = nil, s.program
	for _, text := range kept {
		with, err := s.extended.With(inputName, text)
		if err != nil {
			s.View.Say("dropped, for it does not fit the model any more: " + text + "\n")
			continue
		}
		s.extended, s.scratch = with, append(s.scratch, text)
	}
	s.printed = -1
}

// countPrinted is the number of lines that model and statements print before a new one.
func (s *Session) countPrinted(ctx context.Context) int {
	n := 0
	o := s.options()
	o.Print = func(string) { n++ }
	if _, err := s.bind(ctx, s.extended, o); err != nil {
		return 0 // without data nothing was printed
	}
	return n
}

// typeOf shows the type of an expression.
func (s *Session) typeOf(_ context.Context, text string) error {
	if text == "" {
		return errors.New(":type needs an expression")
	}
	x, err := s.extended.Expression(inputName, text)
	if err != nil {
		return err
	}
	return s.write(typeText(x) + "\n")
}

func typeText(x *lang.Expression) string {
	switch {
	case x.Parameters:
		return x.Type.String() + ", a value for each draw"
	case x.Level.IsRandom():
		return x.Type.String() + ", random"
	}
	return x.Type.String()
}
