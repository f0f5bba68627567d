package check

// This file checks the functions block.

import (
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// functions declares all functions first, so that they may call one another in any
// order, and checks their bodies then.
func (c *checker) functions(b *ast.FunctionsBlock) {
	if b == nil {
		return
	}
	c.block = ast.FunctionsKind
	for _, f := range b.Functions {
		c.declareFunction(f)
	}
	for _, f := range c.info.Functions {
		if f.Def == nil {
			c.errorf(f.Forward.Loc, msgUndefined, f.Sig)
		}
	}
	for _, f := range b.Functions {
		c.functionBody(f)
	}
}

// declareFunction enters a definition or forward declaration, or joins the two.
func (c *checker) declareFunction(d *ast.Function) {
	c.nameAllowed(d.Name)
	sig := c.signature(d)
	if c.isHigherOrder(d.Name.Name) {
		c.errorf(d.Name.Loc, msgFuncReserved, d.Name.Name)
		return
	}
	for _, old := range c.funcs[d.Name.Name] {
		if sameParams(old.Sig, sig) {
			c.again(old, d, sig)
			return
		}
	}
	if c.isBuiltin(sig) {
		c.errorf(d.Name.Loc, msgFuncBuiltin, sig)
		return
	}
	c.suffixRules(d, sig)
	f := &Function{Name: d.Name.Name, Index: len(c.info.Functions), Sig: sig, Result: sig.Result.Type, Suffix: suffixOf(d.Name.Name)}
	f.Symbol = &Symbol{Name: f.Name, Kind: FunctionName, Type: types.FuncOf(sig), Block: ast.FunctionsKind, Def: d.Name,
		ReadOnly: true, Func: f}
	c.setPart(f, d)
	c.info.Functions = append(c.info.Functions, f)
	c.funcs[f.Name] = append(c.funcs[f.Name], f)
}

func (c *checker) setPart(f *Function, d *ast.Function) {
	c.info.Defs[d.Name] = f.Symbol
	if d.Body == nil {
		f.Forward = d
	} else {
		f.Def = d
	}
}

// again handles a second appearance of a function with the same arguments: the
// definition after its forward declaration, or a mistake.
func (c *checker) again(old *Function, d *ast.Function, sig *types.Signature) {
	var p *problem.Problem
	switch {
	case !old.Result.Equal(sig.Result.Type):
		p = c.errorf(d.Name.Loc, msgOverloadResult, d.Name.Name, old.Result, sig.Result.Type)
	case d.Body == nil || old.Def != nil || !old.Sig.SameQualifiers(sig):
		p = c.errorf(d.Name.Loc, msgFuncRedefined, sig)
	default:
		c.setPart(old, d)
		return
	}
	p.Notes = append(p.Notes, problem.Note{Span: old.Symbol.Def.Loc, Message: "it first appears here"})
}

// signature makes the signature of a function as written.
func (c *checker) signature(d *ast.Function) *types.Signature {
	sig := &types.Signature{Name: d.Name.Name, Result: types.Param{Type: types.Void}}
	if d.Result != nil {
		sig.Result.Type = c.typeOf(d.Result)
	}
	for _, p := range d.Params {
		sig.Params = append(sig.Params, types.Param{Name: p.Name.Name, Type: c.typeOf(p.Type), Data: p.DataOnly})
	}
	sig.Bar = suffixOf(sig.Name).isDensity()
	return sig
}

func sameParams(a, b *types.Signature) bool {
	if len(a.Params) != len(b.Params) {
		return false
	}
	for i := range a.Params {
		if !a.Params[i].Type.Equal(b.Params[i].Type) {
			return false
		}
	}
	return true
}

// suffixRules checks what the ending of a name asks of a function.
func (c *checker) suffixRules(d *ast.Function, sig *types.Signature) {
	suffix := suffixOf(sig.Name)
	if suffix.isDensity() && !sig.Result.Type.Equal(types.Real) {
		c.errorf(d.Name.Loc, msgDensityResult, suffix, sig.Result.Type)
	}
	first, found := types.Void, "no argument"
	if len(sig.Params) > 0 {
		first = sig.Params[0].Type
		found = first.String()
	}
	discrete := first.AllInts()
	if suffix == LPDF && (discrete || first.Base == types.VoidBase) {
		p := c.errorf(d.Name.Loc, msgDensityVariate, found)
		if discrete {
			p.Help = "call it " + strings.TrimSuffix(sig.Name, "_lpdf") + "_lpmf"
		}
	}
	if suffix == LPMF && !discrete {
		c.errorf(d.Name.Loc, msgMassVariate, found)
	}
}

// functionBody checks a definition's arguments and statements.
func (c *checker) functionBody(d *ast.Function) {
	sym := c.info.Defs[d.Name]
	if sym == nil || d.Body == nil || sym.Func.Def != d {
		return
	}
	c.fn = sym.Func
	c.push()
	for i, p := range d.Params {
		c.parameter(p, c.fn.Sig.Params[i])
	}
	c.localBlock(d.Body.Body)
	if c.fn.Result.Base != types.VoidBase && flowOfAll(d.Body.Body) != returns {
		c.errorf(d.Name.Loc, msgNoReturn, d.Name.Name)
	}
	c.pop()
	c.fn = nil
}

// parameter declares a formal parameter.
func (c *checker) parameter(p *ast.Param, sig types.Param) {
	sym := &Symbol{Name: p.Name.Name, Kind: ParamVar, Type: sig.Type, Block: ast.FunctionsKind, Def: p.Name, ReadOnly: true, Assigned: true}
	if !sig.Data && hasReals(sig.Type) {
		sym.Level = Parameter
	}
	if c.scope.names[sym.Name] != nil {
		c.errorf(p.Name.Loc, msgRepeatedArgName, sym.Name)
		c.info.Defs[p.Name] = sym
	} else {
		c.declare(sym)
	}
	c.fn.Params = append(c.fn.Params, sym)
}
