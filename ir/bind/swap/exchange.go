// Priors in exchange for others, in the program.

package swap

import (
	"fmt"
	"slices"

	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// Priors returns the program with new priors that a swapped model has, before any data are
// known; weighted tells that draws are weighted, and no density of continuous parameters is
// needed. The error is a *Error.
func Priors(prog *ir.Program, lib *stdlib.Library, new []ir.Stmt, weighted bool) (*ir.Program, error) {
	x, err := Exchange(prog, lib, new)
	if err == nil && !weighted {
		err = x.NeedsDraws(new)
	}
	if err != nil {
		return nil, err
	}
	return x.Prog, nil
}

// An Error says why priors cannot be exchanged.
type Error struct {
	Span source.Span // of the new prior, or of the statement that may be the old one
	Text string
	Old  source.Span // of the old prior that stands in the way; zero for none
	Help string      // what to do; may be empty
}

// Error returns the text.
func (e *Error) Error() string { return e.Text }

// An Exchanged program has new priors.
type Exchanged struct {
	Prog             *ir.Program
	Removed, Entered []ir.Stmt        // what computes the old and the new priors
	Require          map[*ir.Var]bool // variables that these read
	Linked           map[*ir.Var]bool // parameters whose law the exchange may change
	Discrete         *ir.Var          // a discrete parameter among those that priors read; nil for none
}

// NeedsDraws is the error of an exchange for what needs a density of the continuous parameters
// alone; nil where it has one.
func (x *Exchanged) NeedsDraws(new []ir.Stmt) error {
	if x.Discrete == nil {
		return nil
	}
	return &Error{Span: new[0].Span(), Text: fmt.Sprintf("an old or a new prior depends on %s, which is discrete: only the draws of the wrapped method can be weighted", x.Discrete.Name),
		Help: "leave out the option \"from\", or use from = \"draws\""}
}

// Exchange removes the statements that give the variates of new their distributions from a program, and
// inserts those of new. The error is an *Error where the old prior cannot be determined.
func Exchange(from *ir.Program, lib *stdlib.Library, new []ir.Stmt) (*Exchanged, error) {
	swapped, err := targets(new)
	if err != nil {
		return nil, err
	}
	cut := newCutter(from, lib, swapped)
	for _, s := range from.TransformedParameters.Body {
		cut.calls(s)
	}
	rest := cut.without(from.Model)
	if cut.err != nil {
		return nil, cut.err
	}
	prog := *from
	prog.Model = append(rest, new...)
	prog.Simulate = nil // it draws from the old priors
	x := &Exchanged{Prog: &prog, Require: map[*ir.Var]bool{}}
	transformed := cut.only(from.TransformedParameters.Body)
	x.Removed = prune(slices.Concat(transformed, cut.only(from.Model)), x.Require)
	x.Entered = prune(slices.Concat(transformed, new), x.Require)
	prog.Slots = cut.slots
	x.Linked = linked(from, x.Require)
	for v := range x.Require {
		if v.Kind == ir.Parameter && v.Type.HasInts() && (x.Discrete == nil || v.Name < x.Discrete.Name) {
			x.Discrete = v
		}
	}
	return x, nil
}

// whole returns the variable that an expression reads as a whole, apart from conversions; nil where
// it is another expression.
func whole(x ir.Expr) *ir.Var {
	switch x := x.(type) {
	case *ir.Ref:
		return x.Var
	case *ir.Promote:
		return whole(x.X)
	case *ir.Call:
		switch x.Fn.BuiltinName() {
		case "to_vector", "to_row_vector", "to_array_1d", "transpose":
			return whole(x.Args[0])
		}
	}
	return nil
}

// variateOf is the first argument of a density's call; nil for other expressions.
func variateOf(density ir.Expr) ir.Expr {
	if args := ir.Arguments(density); len(args) > 0 {
		return args[0]
	}
	return nil
}

// sieve maps the simple statements of a body, those inside others included. Branches
// and loops that become empty go.
func sieve(body []ir.Stmt, f func(ir.Stmt) []ir.Stmt) []ir.Stmt {
	return ir.Map(body, func(s ir.Stmt) []ir.Stmt {
		inside, left := false, 0
		c := ir.WithBodies(s, func(list []ir.Stmt) []ir.Stmt {
			list = sieve(list, f)
			inside, left = true, left+len(list)
			return list
		})
		switch {
		case !inside:
			return f(s)
		case left == 0:
			return nil
		}
		return []ir.Stmt{c}
	})
}

// prune leaves out assignments to variables that no term uses in the end. need collects
// the variables that are used, and what the declarations of used parameters read.
func prune(body []ir.Stmt, need map[*ir.Var]bool) []ir.Stmt {
	for before := -1; before != len(need); {
		before = len(need)
		pruned := sieve(body, keepNeeded(need))
		noteReads(pruned, need)
	}
	return sieve(body, keepNeeded(need))
}

// keepNeeded drops declarations of and assignments to what is not needed.
func keepNeeded(need map[*ir.Var]bool) func(ir.Stmt) []ir.Stmt {
	return func(s ir.Stmt) []ir.Stmt {
		keep := true
		switch s := s.(type) {
		case *ir.Declare:
			keep = need[s.Var]
		case *ir.Assign:
			keep = need[s.To.Var]
		case *ir.Unpack:
			keep = false
			ir.Places(s.To, func(p *ir.Place) { keep = keep || need[p.Var] })
		case *ir.Jump:
			keep = true
		}
		if keep {
			return []ir.Stmt{s}
		}
		return nil
	}
}

// noteReads adds the variables that statements read, and what the declarations of
// those that are parameters do.
func noteReads(body []ir.Stmt, need map[*ir.Var]bool) {
	var see func(n any) bool
	see = func(n any) bool {
		r, ok := n.(*ir.Ref)
		if !ok || need[r.Var] {
			return true
		}
		need[r.Var] = true
		if r.Var.Kind == ir.Parameter {
			ir.Inspect([]ir.Stmt{&ir.Declare{Var: r.Var}}, see)
		}
		return true
	}
	ir.Inspect(body, see)
}
