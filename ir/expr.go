package ir

import (
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// An Expr is a typed expression.
type Expr interface {
	Span() source.Span
	Type() types.Type
}

// Node holds what all expressions share.
type Node struct {
	Loc source.Span
	T   types.Type
}

// Span is where the expression stands in the source.
func (n Node) Span() source.Span { return n.Loc }

// Type is the expression's type.
func (n Node) Type() types.Type { return n.T }

type (
	// Const is a literal number; Im is the imaginary part of a complex one.
	Const struct {
		Node
		X, Im float64
	}

	// Text is a string in print, reject and fatal_error.
	Text struct {
		Node
		S string
	}

	// Ref reads a variable.
	Ref struct {
		Node
		Var *Var
	}

	// Call applies a library function. Passes also apply functions of numbers to
	// arrays and vectors of one size, and single numbers among them: element by element.
	Call struct {
		Node
		Fn   Builtin
		Args []Expr
		// Unnormalized reports that constants may be dropped in a propto evaluation.
		Unnormalized bool
	}

	// UserCall applies a user's function.
	UserCall struct {
		Node
		Fn           *Function
		Args         []Expr
		Unnormalized bool
	}

	// FuncRef is a user's function as an argument.
	FuncRef struct {
		Node
		Fn           *Function
		Unnormalized bool // it is named _lupdf or _lupmf
	}

	// Target reads the log density accumulated so far: target().
	Target struct{ Node }

	// Promote converts to a wider type: int to real to complex, through containers.
	// Passes also use it between arrays of numbers, vectors and row vectors, and arrays
	// of such, which hold the same numbers in the same order.
	Promote struct {
		Node
		X Expr
	}

	// Index picks elements or slices of a container; dimensions beyond the list stay
	// whole.
	Index struct {
		Node
		X       Expr
		Indices []IndexArg
	}

	// Field is field I (from 0) of a tuple, or of every tuple of an array of them.
	Field struct {
		Node
		X Expr
		I int
	}

	// Array is an array literal {a, b, ...}.
	Array struct {
		Node
		Elems []Expr
	}

	// Row is [a, b, ...]: a row vector of scalars, or a matrix of row vectors.
	Row struct {
		Node
		Elems []Expr
	}

	// Tuple is (a, b, ...).
	Tuple struct {
		Node
		Elems []Expr
	}

	// Cond is Test ? Then : Else, of which only one is evaluated.
	Cond struct {
		Node
		Test, Then, Else Expr
	}

	// Logic is L && R, or L || R with Or set; R is evaluated only where needed.
	Logic struct {
		Node
		Or   bool
		L, R Expr
	}
)

// IndexKind reports which form an IndexArg has.
type IndexKind uint8

// The forms of an index.
const (
	All    IndexKind = iota
	Single           // one position: the dimension vanishes
	Multi            // an array of positions
	Range            // Lo:Hi; either side may be nil
	Zip              // an array of positions that runs together with the list's others
)

// The Zip indices of a list have one length; number k of each together name one
// element, and the result is the array of those. Such a list has an index for every
// dimension, each a Zip or a Single. Only passes make them.

// An IndexArg is one index.
type IndexArg struct {
	Kind   IndexKind
	Lo, Hi Expr // Single, Multi and Zip use Lo
}

// Arguments are those of a call, of the library or of a user's function; nil for other expressions.
func Arguments(x Expr) []Expr {
	switch x := x.(type) {
	case *Call:
		return x.Args
	case *UserCall:
		return x.Args
	}
	return nil
}
