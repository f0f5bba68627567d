package main

// This file runs methods on problems and compares what they give with what is exact.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/seed-12b88e03/ppl/diagnose"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// methods are all that give a posterior, as columns of the table.
var methods = []string{
	"nuts()", "hmc()", "mh()", "gibbs()", "sgld()",
	"advi()", `advi(family = "fullrank")`, "gvi()", "fvi()", "cavi()", "laplace()", "pathfinder()", "map()",
	"smc(nuts())", "ais(nuts())", "bridge(nuts())",
}

// swaps are the ways to swap a prior.
var swaps = []string{
	"prior_swap(nuts())", `prior_swap(nuts(draws = 250), from = "semiparametric")`, "prior_swap(gibbs())",
	"prior_swap(laplace())", `prior_swap(advi(family = "fullrank"))`, "prior_swap(pathfinder())",
}

// A grade is how near an answer is to the exact one.
type grade int

// An answer is wrong if a mean is off by more than wrongMean exact standard deviations, or a
// standard deviation by more than a factor of wrongSD; between, by half of that.
const (
	right grade = iota
	between
	wrong

	wrongMean = 0.35
	wrongSD   = 1.43
)

func (g grade) String() string { return [...]string{"right", "between", "wrong"}[g] }

// A verdict is what is said of an answer: the worst severity of its findings, or that there
// is none.
type verdict string

// refused stands for a method that does not take the model, and failed for one that ends in
// another error.
const (
	refused verdict = "refused"
	failed  verdict = "failed"
)

// An outcome is what one method made of one problem.
type outcome struct {
	Problem *problem
	Method  string
	Grade   grade
	Verdict verdict
	Off     string // the column that is off the most, and by how much; or the error
	Because string // the worst finding
	Took    time.Duration
	// Population is what the search for other answers found; nil where there was none.
	Population *draws.PopulationRun
}

// expression is the method as the language has it: that of a swap gets the problem's block.
func (p *problem) expression(method string) string {
	if strings.HasPrefix(method, "prior_swap") {
		return method + " { " + p.Swap.Block + " }"
	}
	return method
}

// solve runs a method; ok is false where the problem has no question for it.
func (p *problem) solve(ctx context.Context, m *lang.Model, method string) (out outcome, ok bool) {
	exact := p.Exact
	if strings.HasPrefix(method, "prior_swap") {
		if p.Swap == nil {
			return out, false
		}
		exact = p.Swap.Exact
	}
	out = outcome{Problem: p, Method: method, Verdict: refused}
	start := time.Now()
	defer func() { out.Took = time.Since(start) }()
	run, err := m.Program.Method(p.expression(method))
	if err != nil {
		out.Off = firstLine(lang.ErrorText(err))
		return out, true
	}
	fit, err := m.Run(ctx, run, lang.RunOptions{Seed: p.Number + 1})
	if err != nil {
		if not := new(lang.MethodError); !errors.As(err, &not) {
			out.Verdict = failed
		}
		out.Off = firstLine(lang.ErrorText(err))
		return out, true
	}
	out.Verdict = verdict(diagnose.Worst(fit.Findings))
	out.Because, out.Population = because(fit.Findings), fit.Posterior.Population
	if p.Improper {
		out.Grade, out.Off = wrong, "there is no posterior"
		return out, true
	}
	mode := strings.HasPrefix(method, "map")
	if mode {
		if exact, ok = p.modeMoments(m, exact, fit); !ok {
			out.Grade, out.Off = wrong, "the point is not inside the support"
			return out, true
		}
	}
	out.Grade, out.Off = compare(exact, fit, mode)
	return out, true
}

func firstLine(s string) string { return strings.SplitN(strings.TrimSpace(s), "\n", 2)[0] }

// because is the first of the worst findings.
func because(findings []diagnose.Finding) string {
	worst := diagnose.Worst(findings)
	for _, f := range findings {
		if f.Severity == worst {
			return fmt.Sprintf("%s %.3g", f.Name, float64(f.Value))
		}
	}
	return ""
}

// compare grades a fit; of a mode the place alone is looked at, and exact is that of the mode.
func compare(exact []moment, fit *lang.Fit, mode bool) (worst grade, off string) {
	most := -1.0
	for _, e := range exact {
		found := false
		for _, s := range fit.Summaries {
			if s.Name != e.Name {
				continue
			}
			found = true
			shift, ratio := math.Abs(s.Mean-e.Mean)/e.SD, math.Abs(math.Log(s.SD/e.SD))
			if mode || e.MeanOnly {
				ratio = 0
			}
			if e.SD < 1e-3*math.Abs(e.Mean) && math.Abs(s.Mean-e.Mean) < 1e-6*math.Abs(e.Mean) { // also of a deviation of 0
				continue
			}
			v := max(shift/wrongMean, ratio/math.Log(wrongSD))
			if math.IsNaN(v) {
				v = math.Inf(1)
			}
			if v > most {
				most, off = v, fmt.Sprintf("%s is %.4g (sd %.3g), exactly %.4g (%.3g)", e.Name, s.Mean, s.SD, e.Mean, e.SD)
			}
		}
		if !found {
			return wrong, "there is no column " + e.Name
		}
	}
	switch {
	case most > 1:
		return wrong, off
	case most > 0.5:
		return between, off
	}
	return right, off
}

// bind compiles a problem.
func (p *problem) bind() (*lang.Model, error) {
	program, err := lang.Compile(p.Class+".ppl", p.Text, lang.Options{})
	if err != nil {
		return nil, err
	}
	in, err := lang.Data(p.Vars)
	if err != nil {
		return nil, err
	}
	return program.Bind(in, lang.BindOptions{Seed: 1})
}
