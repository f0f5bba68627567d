package format

// This file rewrites programs into equal ones: braces around single statements, and no
// parentheses that change nothing.

import (
	"reflect"

	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// Canonical reports what is written in one way only. The zero value changes nothing.
type Canonical struct {
	Braces      bool // around the bodies of if, else and loops
	Parentheses bool // none where the program means the same without
}

// Canonicalize changes a program in place.
func Canonicalize(prog *ast.Program, c Canonical) {
	if c != (Canonical{}) {
		c.walk(reflect.ValueOf(prog))
	}
}

var spanType = reflect.TypeFor[source.Span]()

// walk goes through all nodes below v, the lower ones first.
func (c Canonical) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() || v.Type() == reflect.TypeFor[*source.File]() {
			return
		}
		c.walk(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			c.walk(v.Index(i))
			c.node(nil, v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == spanType {
			return
		}
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				c.walk(f)
				c.node(v.Addr().Interface(), f)
			}
		}
	}
}

// node rewrites what a field of a parent holds; an element of a list has no parent.
func (c Canonical) node(parent any, field reflect.Value) {
	switch x := field.Interface().(type) {
	case *ast.Paren:
		if field.Kind() == reflect.Interface && c.Parentheses && superfluous(parent, field, x.X) {
			field.Set(reflect.ValueOf(x.X))
		}
	case ast.Stmt:
		if field.Kind() == reflect.Interface && c.Braces {
			braces(parent, field, x)
		}
	}
}

// braces puts the body of a statement into braces.
func braces(parent any, field reflect.Value, body ast.Stmt) {
	switch body.(type) {
	case nil, *ast.BlockStmt:
		return
	}
	switch p := parent.(type) {
	case *ast.If:
		if _, chain := body.(*ast.If); chain && field.Addr().Interface() == any(&p.Else) {
			return
		}
	case *ast.For, *ast.ForEach, *ast.While:
	default:
		return
	}
	field.Set(reflect.ValueOf(&ast.BlockStmt{Loc: body.Span(), Body: []ast.Stmt{body}}))
}

// superfluous reports whether x means the same without parentheses in a field of a parent.
func superfluous(parent any, field reflect.Value, x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.Paren, *ast.Ident, *ast.Call:
		return true
	case *ast.IntLit, *ast.RealLit, *ast.Index, *ast.ArrayLit, *ast.RowLit, *ast.TupleGet, *ast.TupleLit, *ast.StringLit:
		_, behind := parent.(*ast.TupleGet)
		return !behind
	case *ast.Ternary: // a range has a colon, too
		switch parent.(type) {
		case nil, *ast.Assign, *ast.Decl, *ast.Return, *ast.TargetAdd:
			return true
		}
		return false
	case *ast.Binary:
		if p, ok := parent.(*ast.Binary); ok {
			left := field.Addr().Interface() == any(&p.L)
			return binds(x.Op) > binds(p.Op) || left && binds(x.Op) == binds(p.Op) && binds(p.Op) < binds("^")
		}
	}
	switch parent.(type) {
	case *ast.Binary, *ast.Unary, *ast.Postfix, *ast.Ternary, *ast.Index, *ast.TupleGet, *ast.Call:
		return false
	case *ast.TypeExpr, *ast.Bound: // a ">" would end the bounds
		return false
	}
	return true
}

// binds ranks operators by how closely they bind: those of one line of the layout are not all
// alike.
func binds(op ast.Op) int {
	if op == "%/%" || op == "\\" {
		return 2*strength("*") + 1
	}
	return 2 * strength(op)
}
