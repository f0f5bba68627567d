package check

// This file drives the check: the blocks in order, and the scopes between them.

import (
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// Check finds out what a program means. The Info is never nil; it is complete where
// the list holds no errors. Neither the tree nor the library is changed. With a zero
// Methods an inference block's directives are all unknown.
func Check(p *ast.Program, lib types.Library, methods Methods) (*Info, *problem.List) {
	c := newChecker(p, lib)
	c.functions(p.Functions)
	c.push()
	c.topBlock(p.Data)
	c.topBlock(p.TransformedData)
	c.topBlock(p.Parameters)
	c.topBlock(p.TransformedParameters)
	c.nestedBlock(p.Model)
	c.nestedBlock(p.GeneratedQuantities)
	c.simulateBlock(p.Simulate)
	newMethodChecker(c, methods).inference(p.Inference)
	return c.info, c.problems
}

// A checker holds the state of one check.
type checker struct {
	functionTable
	info     *Info
	problems *problem.List

	scope     *scope
	block     ast.BlockKind
	fn        *Function        // whose body is being checked; nil outside the functions block
	loops     int              // how many loops surround the statement
	nested    int              // how many statements surround a declaration; 0 at a block's top
	sizing    bool             // inside a size of a top-level declaration
	control   Level            // what decides whether the statement runs
	simulates map[*Symbol]bool // data and parameters assigned in the simulate block so far
}

func newChecker(p *ast.Program, lib types.Library) *checker {
	return &checker{
		info: &Info{
			Program:  p,
			Types:    map[ast.Expr]types.Type{},
			Levels:   map[ast.Expr]Level{},
			Uses:     map[*ast.Ident]*Symbol{},
			Defs:     map[*ast.Ident]*Symbol{},
			Calls:    map[*ast.Call]*Callee{},
			Samples:  map[*ast.Sample]*Callee{},
			Compound: map[*ast.Assign]types.Type{},
			Declared: map[*ast.TypeExpr]types.Type{},
			Globals:  map[ast.BlockKind][]*Symbol{},
			Observed: map[*Symbol]bool{},
			lib:      lib,
		},
		problems:      &problem.List{},
		functionTable: functionTable{lib: lib, funcs: map[string][]*Function{}},
	}
}

// topBlock checks a block whose variables are visible in all later blocks.
func (c *checker) topBlock(b *ast.Block) {
	if b == nil {
		return
	}
	c.block = b.Kind
	for _, s := range b.Body {
		c.stmt(s)
	}
}

// nestedBlock checks a block whose variables are its own.
func (c *checker) nestedBlock(b *ast.Block) {
	if b == nil {
		return
	}
	c.push()
	c.topBlock(b)
	c.pop()
}

// afterFit reports whether the code runs on concrete draws, where everything counts as
// data, as in Stan.
func (c *checker) afterFit() bool {
	return c.fn == nil && (c.block == ast.GeneratedQuantitiesKind || c.block == ast.SimulateKind ||
		c.block == ast.InferenceKind)
}
