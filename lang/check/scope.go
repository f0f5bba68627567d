package check

// This file knows which names are visible where.

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// A scope holds the variables declared in one block. Functions live apart: a
// variable may have the name of a function.
type scope struct {
	outer *scope
	names map[string]*Symbol
}

func (c *checker) push() { c.scope = &scope{outer: c.scope, names: map[string]*Symbol{}} }
func (c *checker) pop()  { c.scope = c.scope.outer }

// lookup finds a visible variable, nil where there is none.
func (c *checker) lookup(name string) *Symbol {
	for s := c.scope; s != nil; s = s.outer {
		if sym := s.names[name]; sym != nil {
			return sym
		}
	}
	return nil
}

// nameAllowed reports names that nothing may have; reserved words are the parser's.
func (c *checker) nameAllowed(id *ast.Ident) {
	if IsUnnormalized(id.Name) {
		c.errorf(id.Loc, msgUnnormalName, id.Name)
	}
}

// IsUnnormalized reports whether a name ends in _lupdf or _lupmf.
func IsUnnormalized(name string) bool {
	return strings.HasSuffix(name, "_lupdf") || strings.HasSuffix(name, "_lupmf")
}

// normalized returns the name of the density that a name with _lupdf or _lupmf is made
// from; other names stay as they are.
func normalized(name string) string {
	if IsUnnormalized(name) {
		return name[:len(name)-len("upmf")] + name[len(name)-len("pmf"):]
	}
	return name
}

// declare adds a variable to the innermost scope. Names of visible variables cannot
// be used again, not even in an inner block.
func (c *checker) declare(sym *Symbol) {
	c.nameAllowed(sym.Def)
	if old := c.lookup(sym.Name); old != nil {
		p := c.errorf(sym.Def.Loc, msgRedeclared, sym.Name)
		p.Notes = append(p.Notes, problem.Note{Span: old.Def.Loc, Message: "it is the " + old.Kind.String() + " declared here"})
	}
	c.scope.names[sym.Name] = sym
	c.info.Defs[sym.Def] = sym
}

// newVariable makes the symbol of a declared variable or a loop variable.
func (c *checker) newVariable(def *ast.Ident, kind SymbolKind, t types.Type) *Symbol {
	sym := &Symbol{Name: def.Name, Kind: kind, Type: t, Block: c.block, Def: def}
	switch kind {
	case DataVar, TransformedDataVar:
	case ParameterVar:
		sym.Level = Parameter
	default:
		if c.block != ast.DataKind && c.block != ast.TransformedDataKind && hasReals(t) {
			sym.Level = Parameter
		}
	}
	return sym
}

// hasReals reports whether t holds numbers other than integers.
func hasReals(t types.Type) bool {
	if slices.ContainsFunc(t.Fields, hasReals) {
		return true
	}
	return t.Base != types.IntBase && t.Base != types.TupleBase
}

// undeclared reports a name that stands for nothing, with the nearest one that does.
func (c *checker) undeclared(id *ast.Ident) {
	var names []string
	for s := c.scope; s != nil; s = s.outer {
		for name := range s.names {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	p := c.errorf(id.Loc, msgUndeclared, id.Name)
	near := didYouMean(nearest(id.Name, names))
	p.Help = cmp.Or(near, p.Help)
	if near == "" && c.block == ast.SimulateKind {
		for _, sym := range c.info.Globals[ast.GeneratedQuantitiesKind] {
			if sym.Name == id.Name {
				p.Help = "generated quantities are not visible in the simulate block"
			}
		}
	}
}
