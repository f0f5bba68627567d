// Package ir is the program stripped of syntax: typed expressions and statements
// over variables with slots, gathered in named pieces. It is what every later stage
// works on: ir/lower makes it, ir/pass rewrites it, ir/graph reads its dependency
// structure, ir/bind joins it with data and runs it.
//
// A Program is immutable once lowered and verified, and may be shared between
// goroutines. Every node keeps the span of the source it came from, for messages.
package ir

import (
	"github.com/seed-12b88e03/ppl/lang/source"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// A Program is a lowered model.
type Program struct {
	Name      string // of the source file, for messages
	Functions []*Function

	Data                  []*Var
	TransformedData       Piece
	Parameters            []*Var
	TransformedParameters Piece
	Model                 []Stmt
	GeneratedQuantities   Piece
	Simulate              *Piece // nil where there is no such block

	Slots int // number of variables outside functions

	Recurrences map[*For]*Recurrence // loops that recorders may keep, those of functions included
}

// A Piece is a block that declares output variables: those at its top level, and
// the statements (their declarations included) that compute them.
type Piece struct {
	Vars []*Var
	Body []Stmt
}

// VarKind reports where a variable comes from.
type VarKind uint8

// The kinds of variables.
const (
	Local VarKind = iota // in a block, a loop or a function
	Datum
	TransformedDatum
	Parameter
	TransformedParameter
	Generated
)

var varKindNames = [...]string{"local", "data", "transformed data", "parameter", "transformed parameter", "generated"}

// String returns the kind in words.
func (k VarKind) String() string { return varKindNames[k] }

// A Var is a variable. Slot is its place in the frame: the program's, or that of the
// function it belongs to.
type Var struct {
	Loc  source.Span
	Name string
	Kind VarKind
	Type types.Type
	Slot int
	Decl *Shape   // sizes and constraints; nil for loop variables and formal parameters
	Part []string // names of its numbers where they are elements of data that are missing, as in "y[3]"; nil for all others
}

// IsData reports whether a variable is data or transformed data.
func (v *Var) IsData() bool { return v.Kind == Datum || v.Kind == TransformedDatum }

// A Shape is what a declaration says beyond the type: sizes (array dimensions first,
// then the base type's own) and the constraint. A tuple's shape has its array sizes
// and a Shape for each field.
type Shape struct {
	Type       types.Type
	Sizes      []Expr
	Constraint *Constraint // nil where there is none
	Fields     []*Shape
}

// A Constraint names a transform of the library with its arguments: "lower" [lb],
// "upper" [ub], "lower_upper" [lb, ub], "offset_multiplier" [offset, multiplier],
// or one without arguments such as "simplex".
type Constraint struct {
	Loc  source.Span
	Name string
	Args []Expr
}

// A Function is a user's function.
type Function struct {
	Loc    source.Span
	Name   string
	Index  int // in Program.Functions
	Params []*Var
	Result types.Type
	Body   []Stmt
	Slots  int  // size of its frame
	Target bool // may add to the target (_lp, _jacobian)
	Random bool // draws random numbers
}

// A Builtin is a function of the library, as the IR sees it.
type Builtin interface {
	BuiltinName() string
}
