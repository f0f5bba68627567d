package main

// This file leaves observations out in truth, where ppl loo cannot do so by weights.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/console"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/frame"
	"github.com/seed-12b88e03/ppl/cmd/ppl/internal/outputs"
	"github.com/seed-12b88e03/ppl/diagnose/loo"
	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/lang"
)

// predict estimates the predictions of one fit.
func (c *looCmd) predict(ctx context.Context, a *frame.App, s *lang.Stored) (*prediction, error) {
	name := cmp.Or(c.LogLik, logLikName)
	var model *fittedModel
	dir, fit := s.Dir, s.Files.Draws
	logs, err := c.observed(ctx, a, s, name)
	if err != nil {
		return nil, err
	}
	r, err := loo.Of(logs, name)
	var missing *loo.MissingError
	if errors.As(err, &missing) && c.LogLik == "" {
		if model, logs, err = c.factors(ctx, a, dir, missing); err != nil {
			return nil, err
		}
		r, err = loo.Of(logs, name)
	}
	switch {
	case errors.As(err, &missing):
		return nil, noLogLik(dir, missing, nil)
	case err != nil:
		return nil, frame.Wrongf("%s: %w", dir, err)
	}
	p := &prediction{name: filepath.ToSlash(dir), result: r}
	mended := c.Folds == 0 && c.Group == "" && (c.Refit == 0 || len(r.Bad()) == 0)
	if mended && !c.PIT {
		return p, nil
	}
	if model == nil {
		model, err = c.fitted(ctx, a, dir)
	}
	if c.PIT {
		if err == nil {
			p.pit, err = model.model.PIT(ctx, fit, c.refits(a, model))
		}
		switch {
		case ctx.Err() != nil:
			return nil, frame.EndedEarly(ctx)
		case err != nil:
			return nil, frame.Wrongf("--pit: %s: %w", dir, err)
		case mended:
			return p, nil
		}
	}
	from := &lang.Pointwise{Fit: fit, LogLik: logs, Name: name, Result: r}
	switch whole := c.Folds > 0 || c.Group != ""; {
	case err != nil && whole:
		return nil, err
	case err != nil:
		p.unfixed = err.Error()
	case whole:
		err = c.folds(ctx, a, model, from, p)
	default:
		failed := frame.Asked(ctx, func() error { _, err := model.model.Refit(ctx, from, c.Refit, c.refits(a, model)); return err })
		if failed != nil {
			p.unfixed = failed.Error()
		}
		err = nil
	}
	switch {
	case c.lost != nil:
		return nil, c.lost
	case ctx.Err() != nil:
		return nil, frame.EndedEarly(ctx)
	}
	if p.unfixed != "" {
		return p, nil
	}
	return p, err
}

// observed are the draws of a fit without log densities of elements that were missing.
func (c *looCmd) observed(ctx context.Context, a *frame.App, s *lang.Stored, name string) (*draws.Draws, error) {
	fit := s.Files.Draws
	if s.Run == nil || len(s.Run.Imputed) == 0 {
		return fit, nil
	}
	model, err := c.fitted(ctx, a, s.Dir)
	if err != nil {
		return nil, err
	}
	kept, out, err := model.model.ObservedLogLik(fit, name)
	if err != nil {
		return nil, &frame.Exit{
			Code: frame.ExitWrongInput, Err: fmt.Errorf("%s: which numbers of %s are of elements that were missing (%s) cannot be told: %w", s.Dir, name, strings.Join(s.Run.Imputed, ", "), err),
			Help: "leave-one-out is about what was observed: fit the complete observations, or give each its own statement with a univariate density",
		}
	}
	if len(out) > 0 && !c.Quiet {
		a.Say("%s: left out, since they are densities of elements that were missing: %s", s.Dir, strings.Join(out, ", "))
	}
	return kept, nil
}

// refits are the settings of fits without observations.
func (c *looCmd) refits(a *frame.App, m *fittedModel) lang.RefitOptions {
	o := lang.RefitOptions{Seed: m.Run.Seed, Jobs: outputs.OrProcessors(c.Jobs)}
	if c.cluster != nil {
		o.Elsewhere = c.elsewhere(a, m)
	}
	return o
}

// factors are the log densities of observations that the likelihood is a product of.
func (c *looCmd) factors(ctx context.Context, a *frame.App, dir string, missing *loo.MissingError) (*fittedModel, *draws.Draws, error) {
	model, err := c.fitted(ctx, a, dir)
	if err != nil {
		return nil, nil, noLogLik(dir, missing, err)
	}
	table, err := frame.WhileWaiting(ctx, func() (*draws.Draws, error) {
		return model.model.LogLik(ctx, model.Draws, outputs.OrProcessors(c.Jobs))
	})
	if err != nil {
		return nil, nil, noLogLik(dir, missing, err)
	}
	return model, table, nil
}

// noLogLik is the error of a fit that does not say what its observations' densities are.
func noLogLik(dir string, missing *loo.MissingError, why error) error {
	err := fmt.Errorf("%s: %w", dir, missing)
	if why != nil {
		err = fmt.Errorf("%w, and the model does not say it: %w", err, why)
	}
	return &frame.Exit{Code: frame.ExitWrongInput, Err: err, Help: cmp.Or(lacking(dir), missingLogLik(missing))}
}

// folds leaves groups of observations out.
func (c *looCmd) folds(ctx context.Context, a *frame.App, m *fittedModel, from *lang.Pointwise, p *prediction) error {
	group := make([]int, len(p.result.LOO.Terms))
	if c.Group == "" {
		if c.Folds > len(group) {
			return frame.Wrongf("--folds %d: there are %s", c.Folds, console.Plural(len(group), "observation"))
		}
		for i := range group {
			group[i] = i % c.Folds
		}
		p.method = fmt.Sprintf("%d folds, observation i in fold i modulo %d", c.Folds, c.Folds)
	} else {
		values := m.model.DataColumn(c.Group)
		if len(values) == 0 {
			return frame.Wrongf("--group %s: the fit's data have no numbers of this name; it takes a variable that the data block declares", c.Group)
		}
		if len(values) != len(group) {
			return frame.Wrongf("--group %s: it has %s, and there are %s", c.Group, console.Plural(len(values), "number"), console.Plural(len(group), "observation"))
		}
		for i, v := range values {
			if group[i] = int(v); float64(group[i]) != v || math.IsNaN(v) {
				return frame.Wrongf("--group %s: groups are whole numbers, found %v", c.Group, v)
			}
		}
		p.method = "a group of " + c.Group + " at a time"
	}
	if err := frame.Asked(ctx, func() error { return m.model.Folds(ctx, from, group, c.refits(a, m)) }); err != nil {
		return frame.Wrongf("%s: %w", m.Dir, err)
	}
	return nil
}
