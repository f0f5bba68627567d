package check

// This file decides whether a function always returns.

import (
	"strings"

	"github.com/seed-12b88e03/ppl/lang/ast"
)

// A flow says how a statement can end.
type flow int

const (
	goesOn  flow = iota // the next statement may run
	returns             // it never does: return, reject or an endless loop
	leaves              // break may leave the loop around it
)

// flowOfAll follows statements in order.
func flowOfAll(body []ast.Stmt) flow {
	out := goesOn
	for _, s := range body {
		switch f := flowOf(s); f {
		case returns:
			if out == goesOn {
				return returns
			}
			return leaves
		case leaves:
			out = leaves
			if _, ok := s.(*ast.Break); ok {
				return leaves
			}
		}
		if _, ok := s.(*ast.Continue); ok {
			return out
		}
	}
	return out
}

// flowOf follows one statement. As in Stan a loop whose body always returns counts
// as returning, although its body may not run at all.
func flowOf(s ast.Stmt) flow {
	switch s := s.(type) {
	case *ast.Return, *ast.Bad:
		return returns
	case *ast.Print:
		if s.Kind != ast.PrintStmt {
			return returns
		}
	case *ast.Break:
		return leaves
	case *ast.BlockStmt:
		return flowOfAll(s.Body)
	case *ast.Profile:
		return flowOfAll(s.Body)
	case *ast.If:
		return flowOfIf(s)
	case *ast.For:
		return flowOfLoop(s.Body, false)
	case *ast.ForEach:
		return flowOfLoop(s.Body, false)
	case *ast.While:
		lit, ok := s.Cond.(*ast.IntLit)
		return flowOfLoop(s.Body, ok && strings.ContainsAny(lit.Text, "123456789"))
	}
	return goesOn
}

func flowOfIf(s *ast.If) flow {
	then, other := flowOf(s.Then), goesOn
	if s.Else != nil {
		other = flowOf(s.Else)
	}
	switch {
	case then == leaves || other == leaves:
		return leaves
	case then == returns && other == returns:
		return returns
	}
	return goesOn
}

// flowOfLoop follows a loop; endless says that only the body can end it.
func flowOfLoop(body ast.Stmt, endless bool) flow {
	switch f := flowOf(body); {
	case f == returns, f == goesOn && endless:
		return returns
	}
	return goesOn
}
