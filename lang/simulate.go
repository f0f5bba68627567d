package lang

// This file is the model as a simulator: whether it is one, and data sets drawn from it.

import (
	"errors"
	"fmt"
	"slices"

	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// Generative reports whether parameters and data can be simulated from the program, as far
// as that is known without data; the problems say why not. A program with errors is none.
func (p *Program) Generative() (bool, []problem.Problem) {
	if p.IR == nil {
		return false, p.problems.Sorted()
	}
	return generative(graph.NewGenerative(p.IR, Library()).Err())
}

// Generative is that of Program with everything that the data tell. The error says that
// a simulation failed for another reason.
func (m *Model) Generative() (bool, []problem.Problem, error) {
	err := m.bound.Generative()
	ok, problems := generative(err)
	if ok && err != nil {
		return false, nil, err
	}
	return ok, problems, nil
}

// generative turns the reasons against simulating into problems for people.
func generative(err error) (bool, []problem.Problem) {
	var not *graph.NotGenerative
	if !errors.As(err, &not) {
		return true, nil
	}
	var out []problem.Problem
	for _, r := range not.Problems {
		out = append(out, problem.Problem{Code: "not-generative", Severity: problem.Info, Span: r.At, Message: r.Text, Help: r.Hint})
	}
	return false, out
}

// Refusal makes a *CompileError of the reasons against simulating.
func Refusal(problems []problem.Problem) error {
	var list problem.List
	for _, p := range problems {
		p.Severity = problem.Error
		list.Add(p)
	}
	return &CompileError{&list}
}

// CheckSimulate compares the simulate block with the simulator that the model block
// gives, by a short run; the problem says how they differ, and is nil where they agree or
// where there are not both. The error is that of a simulation which failed.
func (m *Model) CheckSimulate(seed uint64) (*problem.Problem, error) {
	if m.Program.IR.Simulate == nil || m.bound.Reading().DerivedErr() != nil {
		return nil, nil
	}
	d, err := m.bound.CompareSimulators(seed)
	var not *graph.NotGenerative
	switch {
	case errors.As(err, &not): // the model block gives no simulator with these data
		return nil, nil
	case err != nil || d == nil:
		return nil, err
	}
	p := &problem.Problem{Code: "simulators-differ", Severity: problem.Warning, Message: d.Error(),
		Help: "wrappers simulate by the simulate block; make it draw what the model block says, or the other way round"}
	if body := m.Program.IR.Simulate.Body; len(body) > 0 {
		p.Span = body[0].Span()
	}
	return p, nil
}

// A Simulation is a data set drawn from a model, with the parameters that it came from.
type Simulation struct {
	Drawn *bind.Simulated // the variables by name
	model *bind.Model
}

// Simulate draws parameters from the prior and data given them. The data that were
// bound serve for sizes, covariates and elements without a distribution. The error is a
// *graph.NotGenerative where the model cannot be simulated from.
func (m *Model) Simulate(seed uint64) (*Simulation, error) { return m.SimulateNumber(seed, 0) }

// SimulateNumber is Simulate for the i-th (from 0) of several independent data sets; its
// errors are those of Simulate.
func (m *Model) SimulateNumber(seed uint64, i int) (*Simulation, error) {
	s, err := m.bound.Simulate(rng.New(seed, "simulate", 0, uint64(i)))
	if err != nil {
		return nil, err
	}
	return &Simulation{Drawn: s, model: m.bound}, nil
}

// Warnings names declared constraints that the simulated data violate.
func (s *Simulation) Warnings() []error { return s.model.Violations(s.Drawn) }

// JSON writes one object: the data, fixed and simulated, in the form that ReadData
// takes, and the parameters, which it passes over. It fails where an observation is
// transformed data, which no data can hold.
func (s *Simulation) JSON() ([]byte, error) {
	b := []byte("{")
	add := func(list []bind.Named) {
		for _, v := range list {
			if len(b) > 1 {
				b = append(b, ',')
			}
			b = append(b, fmt.Sprintf("\n  %q: ", v.Var.Name)...)
			b = bind.AppendJSON(b, v.Value)
		}
	}
	for _, o := range s.Drawn.Observations {
		if o.Var.Kind != ir.Datum {
			return nil, fmt.Errorf("%s: the observation %s is transformed data, which a data set cannot hold; declare it as data, or write a simulate block that assigns the data",
				o.Var.Loc, o.Var.Name)
		}
	}
	add(s.model.Fixed(s.Drawn))
	add(s.Drawn.Observations)
	add(slices.DeleteFunc(slices.Clone(s.Drawn.Parameters), func(p bind.Named) bool { return p.Var.Part != nil })) // those are among the data
	return append(b, "\n}\n"...), nil
}
