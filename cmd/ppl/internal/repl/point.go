package repl

// This file evaluates the model at a point, and simulates from it.

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/diagnose/elicit"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// density shows log density and gradient.
func (s *Session) density(ctx context.Context, arg string) error {
	if err := s.needsModel(); err != nil {
		return err
	}
	m, err := s.bound(ctx)
	if err != nil {
		return err
	}
	defer m.Bound().TrackRun(ctx)()
	q, err := point(m, arg)
	if err != nil {
		return err
	}
	var lp float64
	grad, err := unlessEnded(ctx, func() (grad []float64, err error) { lp, grad, err = m.Gradient(q); return grad, err })
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "log density %.8g\n", lp)
	if len(q) > 0 {
		b.WriteByte('\n')
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(w, "coordinate\tvalue\tgradient\t\n")
		for i, name := range m.UnconstrainedNames() {
			fmt.Fprintf(w, "%s\t%.6g\t%.6g\t\n", name, 0+q[i], 0+grad[i]) // no -0
		}
		_ = w.Flush() // a Builder does not fail
	}
	return s.write(strings.ReplaceAll(b.String(), " \n", "\n"))
}

// point reads a point: nothing for zero, parameter values, or a file of these.
func point(m *lang.Model, arg string) ([]float64, error) {
	if arg == "" {
		return make([]float64, m.Dim()), nil
	}
	var set *data.Set
	var err error
	if strings.HasPrefix(arg, "{") {
		set, err = data.ReadBytes([]byte(arg), "point", nil)
	} else {
		set, err = data.ReadFile(arg, nil)
	}
	if err != nil {
		return nil, fileError(arg, err)
	}
	return m.Point(set)
}

// simulate draws a data set.
func (s *Session) simulate(ctx context.Context, arg string) error {
	if arg != "" && arg != "keep" {
		return fmt.Errorf(":simulate takes keep or nothing, found %s", arg)
	}
	if err := s.needsModel(); err != nil {
		return err
	}
	if ok, problems := s.program.Generative(); !ok {
		return notGenerative(problems)
	}
	m, err := s.bind(ctx, s.program, lang.BindOptions{Seed: s.Seed, Unobserved: true, WithoutNative: s.NoJIT, Print: s.print})
	if err != nil {
		return s.withoutData(err)
	}
	defer m.Bound().TrackRun(ctx)()
	number := s.simulated
	drawn, err := unlessEnded(ctx, func() (*lang.Simulation, error) { return m.SimulateNumber(s.Seed, number) })
	if _, ok := errors.AsType[*graph.NotGenerative](err); ok {
		_, problems, _ := m.Generative()
		return notGenerative(problems)
	}
	if err != nil {
		return err
	}
	s.simulated++
	text, err := drawn.JSON()
	if err != nil {
		return err
	}
	if err := s.write(string(text)); err != nil || arg == "" {
		return err
	}
	set, err := data.ReadBytes(text, "simulated data", nil)
	if err != nil {
		return err
	}
	return s.setData(ctx, set, "simulated")
}

// setNumber is a number in the priors with another value.
var setNumber = regexp.MustCompile(`^([0-9]+)\s*=\s*([-+0-9.eE]+)(?:\s+|$)`)

// priorSets is how many data sets :prior draws: quick, for one looks at several values.
const priorSets = 500

// prior shows what the priors expect.
func (s *Session) prior(ctx context.Context, arg string) error {
	if err := s.needsModel(); err != nil {
		return err
	}
	o, err := s.priorOptions(arg)
	if err != nil {
		return err
	}
	p, in := s.program, s.data
	v, err := unlessEnded(ctx, func() (*diagnose.Verdict, error) { return p.Prior(ctx, in, o) })
	if err != nil {
		return s.withoutData(err)
	}
	v.Directive = "priors"
	return s.View.Verdict(v, false)
}

// priorOptions are what :prior and :slide are given: numbers with other values, and an expression.
func (s *Session) priorOptions(arg string) (lang.PriorOptions, error) {
	o := lang.PriorOptions{Set: map[int]float64{}, Sets: priorSets, Seed: s.Seed, Jobs: s.Jobs, Bind: lang.BindOptions{Seed: s.Seed, WithoutNative: s.NoJIT, Print: s.print}}
	for m := setNumber.FindStringSubmatch(arg); m != nil; m = setNumber.FindStringSubmatch(arg) {
		k, err := strconv.Atoi(m[1])
		if err != nil {
			return o, err
		}
		if o.Set[k], err = strconv.ParseFloat(m[2], 64); err != nil {
			return o, fmt.Errorf("%s is no number", m[2])
		}
		arg = arg[len(m[0]):]
	}
	if arg != "" {
		o.Quantities = []elicit.Quantity{{Name: strings.TrimSuffix(arg, ";")}}
	}
	return o, nil
}

// notGenerative makes the reasons against simulating an error.
func notGenerative(problems []problem.Problem) error {
	var list problem.List
	for _, p := range problems {
		p.Severity = problem.Error
		list.Add(p)
	}
	return &lang.CompileError{Problems: &list}
}
