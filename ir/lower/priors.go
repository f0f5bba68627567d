// Lowering of what stands outside the program's blocks: new priors and statistics.

package lower

import (
	"github.com/seed-12b88e03/ppl/ir"
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/check"
	"github.com/seed-12b88e03/ppl/stdlib"
)

// Priors lowers "~" statements over the variables of a program that Program has made.
// info has the tables of the statements, and the program's global symbols and functions.
func Priors(p *ir.Program, info *check.Info, lib *stdlib.Library, priors []ast.Stmt) []ir.Stmt {
	l := outside(p, info, lib)
	var out []ir.Stmt
	for _, s := range priors {
		out = append(out, l.stmt(s, ir.Local))
	}
	return out
}

// outside makes a lowerer that knows the global variables and functions of a program.
func outside(p *ir.Program, info *check.Info, lib *stdlib.Library) *lowerer {
	l := &lowerer{info: info, lib: lib, vars: map[*check.Symbol]*ir.Var{}, functions: map[*check.Function]*ir.Function{}}
	for _, b := range []struct {
		kind ast.BlockKind
		vars []*ir.Var
	}{
		{ast.DataKind, p.Data}, {ast.TransformedDataKind, p.TransformedData.Vars},
		{ast.ParametersKind, p.Parameters}, {ast.TransformedParametersKind, p.TransformedParameters.Vars},
	} {
		for i, sym := range info.Globals[b.kind] {
			l.vars[sym] = b.vars[i]
		}
	}
	for i, f := range info.Functions {
		l.functions[f] = p.Functions[i]
	}
	slots := p.Slots
	l.frame = &slots
	return l
}

// Exprs lowers expressions over the variables of a program, as Priors does statements.
func Exprs(p *ir.Program, info *check.Info, lib *stdlib.Library, exprs []ast.Expr) []ir.Expr {
	return outside(p, info, lib).exprs(exprs)
}
