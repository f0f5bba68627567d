package ast

import "github.com/seed-12b88e03/ppl/lang/source"

// Inference is the inference block: bindings and diagnoses in order.
type Inference struct {
	Loc   source.Span
	Items []Directive
}

// Span is where the block stands.
func (b *Inference) Span() source.Span { return b.Loc }

// A Directive is "Name = Method" or, with a nil Name, "diagnose Method".
type Directive struct {
	Loc    source.Span
	Name   *Ident
	Method *Method
}

// A Method is Name(Arguments...) with an optional block of swapped priors.
type Method struct {
	Loc    source.Span
	Name   *Ident
	Called bool // parentheses were written
	Args   []*Argument
	Swap   *Swap // nil where there is none
}

// Span is where the method stands.
func (m *Method) Span() source.Span { return m.Loc }

// An Argument is Name = Value, or a bare Value with a nil Name.
type Argument struct {
	Loc   source.Span
	Name  *Ident
	Value Value
}

// A Value is what an argument may be: a StringValue, BoolValue, ListValue,
// PairValue, MethodValue or ExprValue. What parses as a call or a bare name is a
// MethodValue; the slot's declared type decides its meaning (then AsExpr gives it
// as an expression).
type Value interface {
	Node
	value()
}

type (
	// StringValue is a string in quotes.
	StringValue struct {
		Loc  source.Span
		Text string
	}

	// BoolValue is true or false.
	BoolValue struct {
		Loc source.Span
		On  bool
	}

	// ListValue is [v, v, ...].
	ListValue struct {
		Loc   source.Span
		Elems []Value
	}

	// PairValue is name: v.
	PairValue struct {
		Loc   source.Span
		Key   *Ident
		Value Value
	}

	// MethodValue is a call or a bare name whose meaning the slot decides. Expr is
	// the same text read as an expression; nil where that is impossible (named
	// arguments, a swap block).
	MethodValue struct {
		Loc    source.Span
		Method *Method
		Expr   Expr
	}

	// ExprValue is any other expression.
	ExprValue struct {
		Loc source.Span
		X   Expr
	}
)

// A Swap is the block of new priors after prior_swap(M).
type Swap struct {
	Loc    source.Span
	Grid   *Grid  // nil where there is none
	Priors []Stmt // each a *Sample, whose X is an Ident, an Index over one, or a Call such as to_vector(theta), or a *TargetAdd
}

// A Grid is "for Var in [Values...]" before a block of new priors: a block for each value.
type Grid struct {
	Loc    source.Span
	Var    *Ident
	Values []Expr
	Blocks [][]Stmt // the block's priors with each value in the place of Var; none of a program with errors
}

func (v *StringValue) Span() source.Span { return v.Loc }
func (v *BoolValue) Span() source.Span   { return v.Loc }
func (v *ListValue) Span() source.Span   { return v.Loc }
func (v *PairValue) Span() source.Span   { return v.Loc }
func (v *MethodValue) Span() source.Span { return v.Loc }
func (v *ExprValue) Span() source.Span   { return v.Loc }

func (*StringValue) value() {}
func (*BoolValue) value()   {}
func (*ListValue) value()   {}
func (*PairValue) value()   {}
func (*MethodValue) value() {}
func (*ExprValue) value()   {}
