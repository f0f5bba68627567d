package lang

// This file evaluates expressions over a program's variables, and adds statements to a
// program, as interactive sessions do.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seed-12b88e03/ppl/infer/draws"
	"github.com/seed-12b88e03/ppl/infer/rng"
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/ir/bind"
	"github.com/seed-12b88e03/ppl/ir/data"
	"github.com/seed-12b88e03/ppl/ir/eval"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
	"github.com/seed-12b88e03/ppl/parser"
)

// With is the program with more statements at the end of transformed data. name is the
// file that messages name. The error is a *CompileError.
func (p *Program) With(name, text string) (*Program, error) {
	body, found := parser.ParseStatements(source.NewFile(name, text))
	if found.HasErrors() {
		return nil, &CompileError{found}
	}
	tree := *p.AST
	tree.TransformedData = withBody(tree.TransformedData, ast.TransformedDataKind, body...)
	return p.withTree(&tree)
}

// withBody is a block, which may be nil, with more statements.
func withBody(b *ast.Block, kind ast.BlockKind, more ...ast.Stmt) *ast.Block {
	out := &ast.Block{Kind: kind}
	if b != nil {
		*out = *b
	}
	out.Body = append(slices.Clip(out.Body), more...)
	return out
}

// withTree compiles another tree of the program.
func (p *Program) withTree(tree *ast.Program) (*Program, error) {
	out := &Program{Name: p.Name, File: p.File, Included: p.Included, AST: tree, problems: &problem.List{}, methods: p.methods}
	if err := out.analyse(); err != nil {
		return nil, err
	}
	return out, nil
}

// An Expression is an expression over the variables and functions of a program; it may
// draw random numbers.
type Expression struct {
	Text       string
	Type       types.Type
	Level      check.Level
	Parameters bool // it has a value for each draw only, for it uses parameters or what depends on them

	program   *Program // the expression is printed at the end of its generated quantities
	x         ir.Expr
	generated bool // generated quantities are used
}

// Expression checks an expression. name is the file that messages name. The error is a
// *CompileError.
func (p *Program) Expression(name, text string) (*Expression, error) {
	tree, found := parser.ParseExpr(source.NewFile(name, text))
	if found.HasErrors() {
		return nil, &CompileError{found}
	}
	x, err := p.expression(*p.AST, text, tree)
	if err != nil {
		return nil, err
	}
	x.Parameters = ir.ReadsAny(x.x, func(v *ir.Var) bool { return v.Kind >= ir.Parameter })
	x.generated = ir.ReadsAny(x.x, func(v *ir.Var) bool { return v.Kind == ir.Generated })
	if x.Parameters || ir.ReadsAny(x.x, (*ir.Var).IsData) {
		return x, nil
	}
	// Nothing but functions is used: no data are needed.
	return p.expression(ast.Program{File: p.AST.File, Functions: p.AST.Functions}, text, tree)
}

func (p *Program) expression(tree ast.Program, text string, x ast.Expr) (*Expression, error) {
	print := &ast.Print{Loc: x.Span(), Args: []ast.Expr{x}}
	tree.GeneratedQuantities = withBody(tree.GeneratedQuantities, ast.GeneratedQuantitiesKind, print)
	with, err := p.withTree(&tree)
	if err != nil {
		return nil, err
	}
	body := with.IR.GeneratedQuantities.Body
	return &Expression{
		Text: text, Type: with.Info.Types[x], Level: with.Info.Levels[x],
		program: with, x: body[len(body)-1].(*ir.Print).Args[0],
	}, nil
}

// bind joins the expression's program with data.
func (x *Expression) bind(ctx context.Context, in *data.Set, o BindOptions) (*Model, error) {
	o.Print = nil // the expression is printed, too
	return x.program.BindContext(ctx, in, o)
}

// Value evaluates an expression that uses no parameters, until ctx ends. Errors are those
// of Bind, and *eval.Error with a place in the expression.
func (x *Expression) Value(ctx context.Context, in *data.Set, o BindOptions, r *rand.Rand) (*eval.Value, error) {
	if x.Parameters {
		return nil, fmt.Errorf("%s: parameters have values in the draws of a fit only", x.Text)
	}
	m, err := x.bind(ctx, in, o)
	if err != nil {
		return nil, err
	}
	defer m.bound.TrackRun(ctx)()
	em, err := m.bound.Scope(r, nil, false)
	if err != nil {
		return nil, err
	}
	return em.Eval(x.x)
}

// Draws evaluates the expression for each draw of a fit of the program with these data.
// The table has a column for each number of the value, called name with its indices, and
// the fit's lp__ and sampler columns. Generated quantities are drawn anew. When ctx ends
// early the error is its cause; a *MismatchError says that the fit is of another model.
func (x *Expression) Draws(ctx context.Context, in *data.Set, o BindOptions, fit *draws.Draws, name string) (*draws.Draws, error) {
	m, err := x.bind(ctx, in, o)
	if err != nil {
		return nil, err
	}
	at, err := m.parametersIn(fit)
	if err != nil {
		return nil, err
	}
	one := func(chain, i int) ([]string, []float64, error) {
		em, err := m.bound.Scope(rng.New(o.Seed, "expression", uint64(chain), uint64(i)), draws.Picked(fit.Row(chain, i), at), x.generated)
		if err != nil {
			return nil, nil, err
		}
		v, err := em.Eval(x.x)
		if err != nil {
			return nil, nil, err
		}
		names, numbers := bind.Numbers([]bind.Named{{Var: &ir.Var{Name: name}, Value: v}})
		return names, numbers, nil
	}
	return m.drawsOf(ctx, fit, one)
}

// drawsOf makes a table of what one gives for each draw.
func (m *Model) drawsOf(ctx context.Context, fit *draws.Draws, one func(chain, i int) ([]string, []float64, error)) (*draws.Draws, error) {
	if fit.Total() == 0 {
		return nil, errors.New("the fit has no draws")
	}
	first := 0
	for fit.Len(first) == 0 {
		first++
	}
	names, _, err := one(first, 0)
	if err != nil {
		return nil, err
	}
	out := draws.New(fit.Chains(), fit.Stats(), names)
	err = m.eachChain(ctx, fit, 1, func(chain int) error {
		for i := range fit.Len(chain) {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			got, x, err := one(chain, i)
			if err != nil {
				return err
			}
			if !slices.Equal(got, names) {
				return fmt.Errorf("the expression has %d numbers in one draw and %d in another; there is no summary of that", len(names), len(got))
			}
			drawn := fit.Row(chain, i)
			out.Append(draws.Row{Chain: chain, LogDensity: drawn[0], Stats: drawn[1 : 1+len(fit.Stats())], Values: x})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}
