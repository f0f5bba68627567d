package ast

import "github.com/seed-12b88e03/ppl/lang/source"

// An Expr is an expression as written. Expressions carry no types: package
// lang/check gives them in a side table.
type Expr interface {
	Node
	expr()
}

// Op is an operator's spelling, for example "+", ".*", "&&", "'" or "%/%".
type Op string

type (
	// Ident is a use of a name.
	Ident struct {
		Loc  source.Span
		Name string
	}

	// IntLit is an integer literal; Text is as written (it may hold underscores).
	IntLit struct {
		Loc  source.Span
		Text string
	}

	// RealLit is a real literal; Imag says that it ends in i (an imaginary one;
	// then Text lacks the i). An integer literal followed by i is one as well.
	RealLit struct {
		Loc  source.Span
		Text string
		Imag bool
	}

	// StringLit is the text between quotes of print, reject, fatal_error, profile
	// and of directives.
	StringLit struct {
		Loc   source.Span
		Value string
	}

	// Unary is a prefix operator: "-", "+" or "!".
	Unary struct {
		Loc source.Span
		Op  Op
		X   Expr
	}

	// Postfix is the transposition "'".
	Postfix struct {
		Loc source.Span
		Op  Op
		X   Expr
	}

	// Binary is an infix operator with its operands.
	Binary struct {
		Loc   source.Span
		Op    Op
		OpLoc source.Span
		L, R  Expr
	}

	// Ternary is Cond ? Then : Else.
	Ternary struct {
		Loc              source.Span
		Cond, Then, Else Expr
	}

	// Call is Name(Args...). With Bar the first argument was followed by "|"
	// (a conditional density call). It stands for the built-in and the user's
	// functions alike, also for target().
	Call struct {
		Loc  source.Span
		Name *Ident
		Args []Expr
		Bar  bool
	}

	// Index is X[Indices...]; an empty list stands for x[].
	Index struct {
		Loc     source.Span
		X       Expr
		Indices []IndexArg
	}

	// TupleGet is X.Field, with fields counted from 1.
	TupleGet struct {
		Loc   source.Span
		X     Expr
		Field int
	}

	// ArrayLit is {a, b, c}.
	ArrayLit struct {
		Loc   source.Span
		Elems []Expr
	}

	// RowLit is [a, b, c]: a row vector, or a matrix where the elements are rows.
	RowLit struct {
		Loc   source.Span
		Elems []Expr
	}

	// TupleLit is (a, b, ...), with two elements or more (or one and a comma).
	TupleLit struct {
		Loc   source.Span
		Elems []Expr
	}

	// Paren is a parenthesised expression, kept for the formatter.
	Paren struct {
		Loc source.Span
		X   Expr
	}
)

// IndexKind reports which form an IndexArg has.
type IndexKind int

// The forms of an index.
const (
	IndexAll   IndexKind = iota // x[] or x[:]: everything
	IndexExpr                   // x[Lo]: one index, or many where Lo is an array of int
	IndexRange                  // x[Lo:Hi]
	IndexFrom                   // x[Lo:]
	IndexUpTo                   // x[:Hi]
)

// An IndexArg is one comma-separated index.
type IndexArg struct {
	Loc    source.Span
	Kind   IndexKind
	Lo, Hi Expr // nil where the form lacks them
}

func (x *Ident) Span() source.Span     { return x.Loc }
func (x *IntLit) Span() source.Span    { return x.Loc }
func (x *RealLit) Span() source.Span   { return x.Loc }
func (x *StringLit) Span() source.Span { return x.Loc }
func (x *Unary) Span() source.Span     { return x.Loc }
func (x *Postfix) Span() source.Span   { return x.Loc }
func (x *Binary) Span() source.Span    { return x.Loc }
func (x *Ternary) Span() source.Span   { return x.Loc }
func (x *Call) Span() source.Span      { return x.Loc }
func (x *Index) Span() source.Span     { return x.Loc }
func (x *TupleGet) Span() source.Span  { return x.Loc }
func (x *ArrayLit) Span() source.Span  { return x.Loc }
func (x *RowLit) Span() source.Span    { return x.Loc }
func (x *TupleLit) Span() source.Span  { return x.Loc }
func (x *Paren) Span() source.Span     { return x.Loc }

func (*Ident) expr()     {}
func (*IntLit) expr()    {}
func (*RealLit) expr()   {}
func (*StringLit) expr() {}
func (*Unary) expr()     {}
func (*Postfix) expr()   {}
func (*Binary) expr()    {}
func (*Ternary) expr()   {}
func (*Call) expr()      {}
func (*Index) expr()     {}
func (*TupleGet) expr()  {}
func (*ArrayLit) expr()  {}
func (*RowLit) expr()    {}
func (*TupleLit) expr()  {}
func (*Paren) expr()     {}
