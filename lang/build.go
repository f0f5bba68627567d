package lang

// This file turns checked methods into inference methods.

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/seed-12b88e03/ppl/infer"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// A builder makes methods ready to run, those inside others included.
type builder struct {
	points [][]float64 // starting points, as in infer.Init
	shared *Shared     // nil: nothing is shared

	outermost  *check.CheckedMethod // the method that is run, if it is not only part of another
	continuous bool                 // results are to have continuous parameters only

	program *Program    // that swap blocks belong to; nil where nothing is run
	info    *check.Info // tables of a method expression that is not in the program
	earlier *Earlier    // what "fit" is; nil for nothing
}

// all is the one list of methods that can be run.
func (b *builder) all() map[string]func(*check.CheckedMethod) (infer.Method, error) {
	return map[string]func(*check.CheckedMethod) (infer.Method, error){
		"nuts":        b.nuts,
		"walnuts":     b.nuts,
		"hmc":         b.hmc,
		"mh":          b.mh,
		"gibbs":       b.gibbs,
		"sgld":        b.sgld,
		"advi":        b.advi,
		"gvi":         b.gvi,
		"fvi":         b.fvi,
		"cavi":        b.cavi,
		"laplace":     b.laplace,
		"map":         b.mode,
		"pathfinder":  b.pathfinder,
		"ais":         b.ais,
		"smc":         b.smc,
		"bridge":      b.bridge,
		"prior_swap":  b.priorSwap,
		"gibbs_prior": b.gibbsPrior,
	}
}

// ofFit builds a method within another one as it is run by itself: of the data at hand a diagnosis makes a fit as ppl run does.
func (b *builder) ofFit(c *check.CheckedMethod) *builder {
	own := *b
	own.outermost = c
	return &own
}

// build makes a method. The error is a *MethodError.
func (b *builder) build(c *check.CheckedMethod) (infer.Method, error) {
	if c.Row.Name == fitName { // in the table of withFit only
		return b.fit(c)
	}
	all := b.all()
	make := all[c.Row.Name]
	if make == nil {
		var known []string
		for name := range all {
			known = append(known, name)
		}
		sort.Strings(known)
		return nil, methodError(c.Loc, "method-not-available",
			"%s belongs to the language, but this version cannot run it yet; it runs %s", c.Row.Name, strings.Join(known, ", "))
	}
	m, err := make(c)
	var placed *MethodError
	if err != nil && !errors.As(err, &placed) {
		err = methodError(c.Loc, "method-option", "%v", err)
	}
	return m, err
}

// inner makes a method that another one runs: a binding is run once, and a seed that
// was given counts.
func (b *builder) inner(c *check.CheckedMethod) (infer.Method, error) {
	m, err := b.build(c)
	if err != nil {
		return nil, err
	}
	if c.Given("seed") {
		m = seeded{m, uint64(c.Int("seed"))}
	}
	if b.continuous && c.Row.Name == "cavi" {
		return m, nil // another result than that of the binding by itself
	}
	return b.shared.wrap(c, m), nil
}

// start is where a method begins: the points given, or chance within the option init.
func (b *builder) start(c *check.CheckedMethod) infer.Init {
	if len(b.points) > 0 {
		return infer.Init{Points: b.points}
	}
	return infer.Init{Radius: c.Real("init")}
}

// A MethodError says that a method cannot be run, or not on this model, with the
// method's place in the program or the expression.
type MethodError struct {
	Problem problem.Problem
	Err     error // what was found wrong while the method looked at the model; may be nil
}

// Error returns the place and the message.
func (e *MethodError) Error() string { return e.Problem.Error() }

// Unwrap returns Err.
func (e *MethodError) Unwrap() error { return e.Err }

func methodError(at source.Span, code, format string, args ...any) *MethodError {
	return &MethodError{Problem: problem.Problem{Code: code, Span: at, Message: fmt.Sprintf(format, args...)}}
}
