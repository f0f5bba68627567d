package main

// This file is ppl run --fit: methods that wrap an earlier fit.

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/folders"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// readFit reads the fit of --fit; nil without the flag.
func (c *runCmd) readFit(a *frame.App, p *lang.Program) (*folders.EarlierFit, error) {
	if c.Fit == "" {
		return nil, nil
	}
	fit, err := folders.ReadEarlier(a, c.Fit, c.Quiet)
	if err != nil {
		return nil, err
	}
	if taken := fit.Draws.AtHand(lang.MostEarlier).Total(); taken < fit.Draws.Total() && !c.Quiet {
		a.Say("of the fit's %d draws %d at equal distances are taken", fit.Draws.Total(), taken)
	}
	if fit.Run == nil {
		if !c.Quiet {
			a.Say("warning: %s has no %s: whether its draws are those of %s cannot be told", fit.Dir, draws.RunFile, c.Model)
		}
		return fit, nil
	}
	return fit, c.belongs(fit, p)
}

// belongs reports why a fit is not one of the posterior of the program.
func (c *runCmd) belongs(fit *folders.EarlierFit, p *lang.Program) error {
	if here := folders.ModelDigest(c.Model, p); !folders.SameSource(here, &fit.Run.Program) {
		return &frame.Exit{
			Code: frame.ExitWrongInput, Err: fmt.Errorf("--fit %s: the fit is of another model\n  there: %s\n  here:  %s", c.Fit, folders.Shown(&fit.Run.Program), folders.Shown(here)),
			Help: "the file must be the one of the fit, its inference block included; a method that is not in it is given with --method",
		}
	}
	for _, other := range []string{"prior_swap(", "gibbs_prior("} {
		if strings.Contains(fit.Run.Method, other) {
			return frame.Wrongf("--fit %s: the fit is of %s...), so its draws are not from the posterior of the model; name the fit that it was made from", c.Fit, other)
		}
	}
	return nil
}

// ofData reports whether a fit was made from other data.
func ofData(e *folders.EarlierFit, here *draws.Source) error {
	if e.Run == nil || folders.SameSource(e.Run.Data, here) {
		return nil
	}
	return frame.Wrongf("--fit %s: the fit is of another data set\n  there: %s\n  here:  %s", e.Dir, folders.Shown(e.Run.Data), folders.Shown(here))
}

// methodsOn returns the methods of --method, or those of the inference block, that wrap a
// fit.
func (c *runCmd) methodsOn(a *frame.App, p *lang.Program, fit *folders.EarlierFit) ([]*lang.Method, error) {
	const wrap = "wrap it, as in --method 'prior_swap(fit) { beta ~ double_exponential(0, 1); }'"
	e := &lang.Earlier{Draws: fit.Draws}
	if fit.Run != nil {
		e.Binding = fit.Run.Name
	}
	if len(c.Method) == 0 {
		out, err := p.MethodsOn(e)
		if err == nil && len(out) == 0 {
			err = &frame.Exit{Code: frame.ExitWrongInput, Err: fmt.Errorf("--fit %s: no binding of the inference block wraps it", c.Fit), Help: wrap}
		}
		return out, err
	}
	var out []*lang.Method
	for _, text := range c.Method {
		m, err := p.MethodOn(e, text)
		if err != nil {
			return nil, err
		}
		if !m.OnEarlier() {
			return nil, &frame.Exit{Code: frame.ExitWrongInput, Err: fmt.Errorf("--fit %s: %s does not wrap the fit", c.Fit, text), Help: wrap}
		}
		if !c.Quiet {
			a.Warn(m.Warnings())
		}
		out = append(out, m)
	}
	return out, nil
}

// sourceOfFit identifies a fit by its draws.
func sourceOfFit(e *folders.EarlierFit) *draws.Source {
	h := sha256.New()
	for chain := range e.Draws.Chains() {
		for i := range e.Draws.Len(chain) {
			for _, x := range e.Draws.Row(chain, i) {
				h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
			}
		}
	}
	return &draws.Source{File: e.Dir, SHA256: hex.EncodeToString(h.Sum(nil))}
}

// ofFit reports that a run failed since the draws of its fit are not of the model's
// parameters.
func (s *session) ofFit(err error) error {
	var mismatch *lang.MismatchError
	if s.fitted == nil || !errors.As(err, &mismatch) {
		return err
	}
	return misfit(s.fitted.Dir, fmt.Errorf("--fit %s: %w", s.fitted.Dir, err))
}

// orWrong is wrong of an error that has no exit code yet.
func orWrong(err error) error {
	if _, ok := errors.AsType[*frame.Exit](err); ok {
		return err
	}
	return frame.Wrong(err)
}
