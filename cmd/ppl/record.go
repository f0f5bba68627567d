package main

// This file writes a fit's files and shows the fit.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/cmdstan"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/console"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/view"
	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
	"github.com/seed-12b88e03/ppl/lang/problem"
)

// csv writes the selected variables of a fit as they are drawn.
func (s *session) csv(dir string) infer.Observer {
	init := s.Init
	if init == "" {
		init = "2"
	}
	return s.Kept(draws.NewCSVWriter(draws.CSVOptions{
		Dir: dir, Model: cmdstan.ModelName(s.Model), DataFile: s.data.Path, Init: init, Digits: s.Digits, Started: s.started,
	}))
}

// export writes a fit in the other formats.
func (s *session) export(ctx context.Context, dir string, fit *lang.Fit, warmup *draws.Draws) error {
	if fit.Posterior.Draws.Total() == 0 {
		return nil
	}
	e := &outputs.Export{
		OutputFlags: &s.OutputFlags, App: s.app, Quiet: s.Quiet, Model: s.model, Draws: fit.Posterior.Draws, Warmup: warmup,
		Seed: fit.Posterior.Plan.Seed, Jobs: outputs.OrProcessors(s.Jobs), Notes: outputs.NotesOf(s.program.Name, fit.Method, fit.Posterior.Plan.Seed),
	}
	return e.Write(ctx, dir)
}

// recorded is what run.json says from the start.
func (s *session) recorded(name string, m *lang.Method, plan draws.Plan) draws.Run {
	fitted := ""
	if s.fitted != nil {
		fitted = s.fitted.Dir
	}
	return draws.Run{
		Program: *folders.ModelDigest(s.Model, s.program), Data: s.digest, Name: name, Method: m.String(), Seed: plan.Seed, Fitted: fitted, Imputed: s.model.Imputed(),
		Chains: plan.Chains, Warmup: plan.Warmup, Draws: plan.Draws, Thin: plan.Thin, Version: frame.Version, GoVersion: runtime.Version(), Machine: frame.ThisMachine(),
		Started: s.started, Incomplete: true,
	}
}

// A recorder writes run.json when a run begins. Until record replaces it, it says that
// the run is incomplete.
type recorder struct {
	infer.Ignore
	write func(plan draws.Plan) error
}

// Begin implements infer.Observer.
func (r recorder) Begin(plan draws.Plan) error { return r.write(plan) }

// record writes run.json and diagnosis.json of a run that has ended.
func (s *session) record(dir, name string, m *lang.Method, fit *lang.Fit, began time.Time) error {
	plan := fit.Posterior.Plan
	r := s.recorded(name, m, plan)
	r.Seconds, r.Incomplete = time.Since(began).Seconds(), fit.Posterior.Incomplete
	for i, c := range fit.Posterior.Chains {
		r.Adaptation = append(r.Adaptation, draws.ChainRun{
			Chain: i + 1, Adaptation: c.Adaptation, Draws: fit.Posterior.Draws.Len(i), Divergences: c.DivergenceCount, Rejections: c.RejectionCount,
			WarmupSeconds: c.End.WarmupTime.Seconds(), SamplingSeconds: c.End.SamplingTime.Seconds(),
		})
	}
	for _, p := range s.model.Bound().Profiles(plan.Seed) {
		r.Profile = append(r.Profile, draws.ProfileRun(p))
	}
	fit.Record(&r)
	v := diagnose.OfFit(name, fit.Method, fit.Findings)
	v.Incomplete = fit.Posterior.Incomplete
	return errors.Join(draws.WriteRun(s.app.Disk, dir, r), saveVerdicts(s.app.Disk, dir, []*diagnose.Verdict{v}))
}

// show prints a fit for people.
func (s *session) show(r view.Report, fit *lang.Fit) error {
	_, err := io.WriteString(s.app.Raw, fitText(r, fit, s.app.Look(s.Color)))
	return err
}

// fitText shows how a fit was made, its table and its findings.
func fitText(r view.Report, fit *lang.Fit, l view.Look) string {
	head := fmt.Sprintf("%s = %s\n%s, seed %d%s", r.Name, r.Method, made(fit.Posterior), fit.Posterior.Plan.Seed, r.EffectsLine())
	return fmt.Sprintf("%s\n\n%s\n", problem.Printable(head), r.Text(mostRows, l))
}

// made says in words what draws a fit has.
func made(p *infer.Posterior) string {
	n := p.Draws.Total()
	switch p.Draws.Kind() {
	case draws.Independent:
		return console.Plural(n, "draw") + " of an approximation"
	case draws.Weighted:
		return console.Plural(n, "weighted draw")
	case draws.Particles:
		return console.Plural(n, "particle")
	case draws.Mode:
		if p.Fit != nil { // else it is a chain of one draw
			return "the mode"
		}
	}
	text := fmt.Sprintf("%s of %d draws after %d of warm-up", console.Plural(p.Plan.Chains, "chain"), p.Plan.Draws, p.Plan.Warmup)
	if n < p.Plan.Chains*p.Plan.Draws {
		text += ", cut short: " + partly(p.Draws)
	}
	if s := p.Stopping; s != nil && s.ESS > 0 {
		did := "ended at"
		if !s.Reached {
			did = "did not reach"
		}
		text += fmt.Sprintf(", which %s ESS %g and R-hat %g", did, float64(s.ESS), float64(s.RHat))
		if s.Slowest != "" {
			text += "; slowest: " + s.Slowest
		}
	}
	return text
}

// partly says what draws there are of chains that were cut short.
func partly(d *draws.Draws) string {
	least, most, with := 0, 0, 0
	for c := range d.Chains() {
		n := d.Len(c)
		if n == 0 {
			continue
		}
		if with++; with == 1 || n < least {
			least = n
		}
		most = max(most, n)
	}
	chains := console.Plural(with, "chain")
	if without := d.Chains() - with; without > 0 {
		chains += fmt.Sprintf(" and none of %d", without)
	}
	if least == most {
		return fmt.Sprintf("%d draws of %s", most, chains)
	}
	return fmt.Sprintf("%d to %d draws of %s", least, most, chains)
}
