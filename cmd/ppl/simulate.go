package main

// This file is ppl simulate, and what ppl check says about a model as a simulator.

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// simulateCmd draws a data set from a model.
type simulateCmd struct {
	Model string `arg:"" help:"File of the model."`
	modelFlags
}

// Run prints the data set as JSON.
func (c *simulateCmd) Run(a *app) error {
	p, err := c.compile(a, c.Model)
	if err != nil {
		return err
	}
	if err := c.refuse(p.Generative()); err != nil {
		return err
	}
	seed := c.seedOr(rand.Uint64())
	if c.Seed == nil && !c.Quiet {
		a.say("seed: %d", seed)
	}
	in, err := c.dataSource(a, p, c.Model).read(a, p)
	if err != nil {
		return err
	}
	m, err := p.Bind(in, lang.BindOptions{Seed: seed, Unobserved: true, WithoutNative: c.NoJIT, Print: func(text string) { a.stderr.text(text + "\n") }})
	if err != nil {
		return &exit{code: exitWrongInput, err: err, help: "observations may be missing; sizes and covariates are needed"}
	}
	s, err := m.Simulate(seed)
	var not *graph.NotGenerative
	switch {
	case errors.As(err, &not):
		ok, problems, _ := m.Generative()
		return c.refuse(ok, problems)
	case err != nil:
		return err
	}
	if !c.Quiet {
		for _, w := range s.Warnings() {
			a.say("warning: %v: a data set with it is not accepted; write T[,] with the declared bounds behind its distribution", w)
		}
	}
	text, err := s.JSON()
	if err != nil {
		return wrong(err)
	}
	_, err = a.stdout.Write(text)
	return err
}

// refuse makes the reasons against simulating an error.
func (c *simulateCmd) refuse(ok bool, problems []problem.Problem) error {
	if ok {
		return nil
	}
	var list problem.List
	for _, p := range problems {
		p.Severity = problem.Error
		list.Add(p)
	}
	return wrong(&lang.CompileError{Problems: &list})
}

// writeGenerative says whether a model is generative and, if not, why.
func writeGenerative(w io.Writer, path string, ok bool, problems []problem.Problem) error {
	if ok {
		_, err := fmt.Fprintf(w, "%s: generative\n", path)
		return err
	}
	if _, err := fmt.Fprintf(w, "%s: not generative, so that there is nothing to simulate from\n", path); err != nil {
		return err
	}
	for _, p := range problems {
		if _, err := io.WriteString(w, p.Text()); err != nil {
			return err
		}
	}
	return nil
}

// checkGenerative says it of a model with its data, and compares the simulate block
// with the model block where both are there.
func (a *app) checkGenerative(path string, m *lang.Model, seed uint64) error {
	ok, problems, err := m.Generative()
	if err != nil {
		a.say("%s: a simulation failed: %v", path, err)
		return nil
	}
	if err := writeGenerative(a.stdout, path, ok, problems); err != nil {
		return err
	}
	p, err := m.CheckSimulate(seed)
	switch {
	case err != nil:
		a.say("%s: the simulate block could not be compared with the model block: %v", path, err)
	case p != nil:
		a.stderr.text(p.Text())
	}
	return nil
}
