package ir

import (
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// A Stmt is a statement.
type Stmt interface {
	Span() source.Span
}

// At holds what all statements share: where they stand.
type At struct{ Loc source.Span }

// Span is where the statement stands in the source.
func (a At) Span() source.Span { return a.Loc }

type (
	// Declare makes a variable of its declared sizes, filled with NaN (ints: the
	// smallest int), and gives it its initial value if there is one.
	Declare struct {
		At
		Var  *Var
		Init Expr
	}

	// Assign stores X in a place.
	Assign struct {
		At
		To Place
		X  Expr
	}

	// Unpack stores the fields of a tuple in several places; a nil Place with Nested
	// set unpacks a field that is a tuple itself.
	Unpack struct {
		At
		To []UnpackTo
		X  Expr
	}

	// TargetAdd adds the sum of X to the log density (Jacobian: only where the
	// change-of-variables terms are wanted).
	TargetAdd struct {
		At
		X        Expr
		Jacobian bool
	}

	// Sample is "variate ~ distribution(...)": the density's call, which starts with
	// the variate, and the truncation.
	Sample struct {
		At
		Density Expr // a Call or UserCall
		Trunc   *Truncation
	}

	// Eval calls a function for its effects.
	Eval struct {
		At
		X Expr
	}

	// Block is a sequence.
	Block struct {
		At
		Body    []Stmt
		Profile string // the name of a profile statement, or empty
	}

	// If runs Then where Test is not zero, else Else.
	If struct {
		At
		Test       Expr
		Then, Else []Stmt
	}

	// For counts Var from Lo to Hi.
	For struct {
		At
		Var    *Var
		Lo, Hi Expr
		Body   []Stmt
	}

	// ForEach sets Var to each element of X in turn (column-major for matrices).
	ForEach struct {
		At
		Var  *Var
		X    Expr
		Body []Stmt
	}

	// While repeats Body as long as Test is not zero.
	While struct {
		At
		Test Expr
		Body []Stmt
	}

	// Jump leaves a loop (Break) or goes on with its next iteration.
	Jump struct {
		At
		Break bool
	}

	// Return leaves a function; X is nil for void ones.
	Return struct {
		At
		X Expr
	}

	// Print prints, rejects or stops.
	Print struct {
		At
		Kind PrintKind
		Args []Expr
	}
)

// PrintKind tells print, reject and fatal_error apart.
type PrintKind uint8

// The kinds of Print.
const (
	PrintOut PrintKind = iota
	Reject
	Fatal
)

// A Place is where an assignment stores: a variable, or the part of it that Path
// leads to.
type Place struct {
	Loc  source.Span
	Var  *Var
	Path []Access
	T    types.Type // of the part
}

// An Access is a step of a Path: indices, or with a nil list a tuple field.
type Access struct {
	Indices []IndexArg
	Field   int
}

// UnpackTo is a target of an Unpack.
type UnpackTo struct {
	Place  *Place
	Nested []UnpackTo
	T      types.Type // that the field is converted to
}

// A Truncation holds the bounds of T[Lo, Hi] and the functions that give the log
// probability below and above a bound. With both bounds only LCDF is used, with a
// lower one only LCCDF.
type Truncation struct {
	Lo, Hi      Expr // nil where open
	Discrete    bool
	LCDF, LCCDF Callee
}

// A Callee is a function of the library or the user's.
type Callee struct {
	Builtin Builtin
	User    *Function
}

// A RowSum is the term of a statement as a function of the first and the last of the rows that it adds up.
type RowSum struct {
	Fn      *Function // of the two, and of the variables in Given
	Given   []*Var
	Lengths []RowLength // each is the number of rows; the function stands for the statement only where all are equal
}

// A RowLength is the size of a container in a dimension, counted from 0, or a number.
type RowLength struct {
	X      Expr
	Dim    int
	Number bool
}
