package main

// This file is ppl simulate, and what ppl check says about a model as a simulator.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/input"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/ir/graph"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// simulateCmd draws data sets from a model.
type simulateCmd struct {
	Model string `arg:"" help:"File of the model."`
	input.ModelFlags
	Fit          string `placeholder:"DIR" help:"Draw parameters from this fit, not from the prior: the posterior predictive distribution."`
	Replications *int   `placeholder:"N" help:"Data sets to draw, printed as an array; those of a fit are spread evenly over its draws. One without it; for --check 1000, or as many as the fit has draws."`
	Check        bool   `help:"Print how statistics of the data compare with those of simulated data sets: a prior predictive check, or with --fit a posterior predictive one."`
	JSON         bool   `name:"json" help:"Figures of --check as JSON."`
	Shard        string `placeholder:"I/N" help:"Draw share I of N of the data sets alone, an array of its own: those of all shares one after the other are the array without it. auto/N takes I from a scheduler's variable, as in ppl diagnose."`
	onFlags
}

// Help implements kong.HelpProvider.
func (*simulateCmd) Help() string {
	return frame.Examples(
		"ppl simulate model.ppl --seed 1 > data.json",
		"ppl run model.ppl --data data.json",
		"ppl simulate model.ppl --fit fit --replications 20   # from the posterior predictive",
		"ppl simulate model.ppl --fit fit --check # posterior predictive check",
		"ppl simulate model.ppl --check           # prior predictive check",
	)
}

// Run prints data sets as JSON, or the check.
func (c *simulateCmd) Run(a *frame.App) error {
	if err := c.validate(); err != nil {
		return err
	}
	p, err := c.Compile(a, c.Model)
	if err != nil {
		return err
	}
	var fit *folders.EarlierFit
	if c.Fit != "" {
		fit, err = folders.ReadEarlier(a, c.Fit, c.Quiet)
	} else {
		err = c.refuse(p.Generative())
	}
	if err != nil {
		return err
	}
	seed := c.SeedOr(input.DrawnSeed())
	if c.Seed == nil && !c.Quiet {
		a.Say("seed: %d", seed)
	}
	m, err := c.unobserved(a, p, fit, seed)
	if err != nil {
		return err
	}
	sims := c.source(m, fit, seed)
	share, err := (&shardFlag{c.Shard}).share()
	if err != nil {
		return err
	}
	if c.On != "" {
		ctx, stop := frame.UntilInterrupt(nil, a.Stopping(c.Quiet))
		defer stop()
		if err := c.first(a, sims); err != nil {
			return err
		}
		all, err := c.afar(ctx, a, p, seed, sims.n)
		if err == nil {
			_, err = a.Stdout.Write(slices.Concat([]byte("[\n"), all, []byte("\n]\n")))
		}
		return err
	}
	if c.Check {
		return c.compare(a, m, sims)
	}
	return c.print(a, sims, share)
}

func (c *simulateCmd) validate() error {
	switch {
	case c.Replications != nil && *c.Replications < 1:
		return frame.Wrongf("--replications must be positive, found %d", *c.Replications)
	case c.JSON && !c.Check:
		return frame.Wrongf("--json belongs to --check; data sets are JSON in any case")
	case c.On != "" && c.Replications == nil && !c.Check:
		return frame.Wrongf("--on has many data sets drawn by workers: say how many by --replications N")
	}
	for flag, given := range map[string]bool{"on": c.On != "", "check": c.Check} {
		if given && c.Shard != "" {
			return frame.Wrongf("--shard %s: shares are of data sets that are printed here; leave --%s out", c.Shard, flag)
		}
	}
	if c.Shard != "" && (c.Replications == nil || c.Seed == nil) {
		return frame.Wrongf("--shard %s: all shares need the same --replications N and --seed N", c.Shard)
	}
	return c.without(map[string]bool{"fit": c.Fit != "", "check": c.Check})
}

// unobserved binds the model to data, which may lack observations unless they are to be
// compared with.
func (c *simulateCmd) unobserved(a *frame.App, p *lang.Program, fit *folders.EarlierFit, seed uint64) (*lang.Model, error) {
	from := c.DataSource(a, p, c.Model)
	if fit != nil {
		from.Fit = fit.Data()
	}
	if c.Check {
		return input.BindModel(context.Background(), a, p, from, lang.BindOptions{Seed: seed})
	}
	in, err := from.Read(a, p)
	if err != nil {
		return nil, err
	}
	m, err := p.Bind(in, lang.BindOptions{Seed: seed, Unobserved: true, Print: a.Print, Impute: from.Impute})
	if input.Misnamed(err) {
		return nil, frame.Wrongf("--impute: %w", err)
	}
	if err != nil {
		return nil, &frame.Exit{Code: frame.ExitWrongInput, Err: err, Help: "observations may be missing; sizes and covariates are needed"}
	}
	return m, nil
}

// simulations are n data sets to be drawn.
type simulations struct {
	n    int
	draw func(i int) (*lang.Simulation, error)
}

// of are the data sets of a share of n, from one and up to another; all where there are no shares.
func of(share infer.Share, n int) (from, to int) {
	if share.Of == 0 {
		return 0, n
	}
	return (share.Index - 1) * n / share.Of, share.Index * n / share.Of
}

// source reports where the data sets come from.
func (c *simulateCmd) source(m *lang.Model, fit *folders.EarlierFit, seed uint64) simulations {
	n := 1
	if c.Check {
		n = checkReplications
	}
	if fit != nil {
		n = min(n, fit.Draws.Total())
	}
	if c.Replications != nil {
		n = *c.Replications
	}
	if fit == nil {
		return simulations{n, func(i int) (*lang.Simulation, error) {
			s, err := m.SimulateNumber(seed, i)
			if _, ok := errors.AsType[*graph.NotGenerative](err); ok {
				ok, problems, _ := m.Generative()
				return nil, c.refuse(ok, problems)
			}
			return s, err
		}}
	}
	return simulations{n, func(i int) (*lang.Simulation, error) {
		chain, draw := fit.Spread(i, n)
		s, err := m.PredictOne(fit.Draws, chain, draw, seed+uint64(i/fit.Draws.Total()))
		return s, c.explain(fit, err)
	}}
}

// explain says whose fault it is that a fit's draws give no data set.
func (c *simulateCmd) explain(fit *folders.EarlierFit, err error) error {
	var mismatch *lang.MismatchError
	var not *graph.NotGenerative
	switch {
	case errors.As(err, &mismatch):
		return misfit(fit.Dir, fmt.Errorf("--fit %s: %w", c.Fit, err))
	case errors.As(err, &not):
		return frame.Wrong(err)
	}
	return err
}

// first draws the first data set here, where what is wrong with it is said.
func (c *simulateCmd) first(a *frame.App, sims simulations) error {
	s, err := sims.draw(0)
	if err == nil {
		c.warn(a, s)
	}
	return err
}

func (c *simulateCmd) warn(a *frame.App, s *lang.Simulation) {
	for _, w := range s.Warnings() {
		if !c.Quiet {
			a.Say("warning: %v: a data set with it is not accepted; write T[,] with the declared bounds behind its distribution", w)
		}
	}
}

// print prints one data set, or an array of them.
func (c *simulateCmd) print(a *frame.App, sims simulations, share infer.Share) error {
	var out []byte
	from, to := of(share, sims.n)
	for i := from; i < to; i++ {
		s, err := sims.draw(i)
		if err != nil {
			return err
		}
		if i == 0 {
			c.warn(a, s)
		}
		text, err := s.JSON()
		if err != nil {
			return frame.Wrong(err)
		}
		if c.Replications != nil {
			mark := between
			if i == from {
				mark = "[\n"
			}
			text = append([]byte(mark), bytes.TrimSpace(text)...)
		}
		out = append(out, text...)
	}
	if c.Replications != nil {
		if from == to {
			out = append(out, '[')
		}
		out = append(out, "\n]\n"...)
	}
	_, err := a.Stdout.Write(out)
	return err
}

// refuse makes the reasons against simulating an error.
func (c *simulateCmd) refuse(ok bool, problems []problem.Problem) error {
	if ok {
		return nil
	}
	return frame.Wrong(lang.Refusal(problems))
}

// writeGenerative reports whether a model is generative and, if not, why.
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
func checkGenerative(a *frame.App, path string, m *lang.Model, seed uint64) error {
	ok, problems, err := m.Generative()
	if err != nil {
		a.Say("%s: a simulation failed: %v", path, err)
		return nil
	}
	if err := writeGenerative(a.Stdout, path, ok, problems); err != nil {
		return err
	}
	p, err := m.CheckSimulate(seed)
	switch {
	case err != nil:
		a.Say("%s: the simulate block could not be compared with the model block: %v", path, err)
	case p != nil:
		a.Stderr.Text(p.Text())
	}
	return nil
}
