// Package ast describes what was written: a program's blocks, declarations,
// statements and expressions, each with its place in the text. It knows nothing
// of types or meaning (see lang/check). Trees are built by package parser and
// read-only afterwards, so they may be shared between goroutines.
package ast

import "github.com/seed-12b88e03/ppl/lang/source"

// A Node is anything with a place in the text.
type Node interface {
	Span() source.Span
}

// A Program is a whole file after its includes were read in. A block that is not
// there is nil.
type Program struct {
	File                  *source.File
	Functions             *FunctionsBlock
	Data                  *Block
	TransformedData       *Block
	Parameters            *Block
	TransformedParameters *Block
	Model                 *Block
	GeneratedQuantities   *Block
	Simulate              *Block
	Inference             *Inference
	Comments              []Comment // for the formatter
}

// A Block is one of the program's blocks of declarations and statements.
type Block struct {
	Loc  source.Span
	Kind BlockKind
	Body []Stmt
}

// Span is where the block stands.
func (b *Block) Span() source.Span { return b.Loc }

// BlockKind names a program block.
type BlockKind int

// The program blocks, in their obligatory order.
const (
	FunctionsKind BlockKind = iota
	DataKind
	TransformedDataKind
	ParametersKind
	TransformedParametersKind
	ModelKind
	GeneratedQuantitiesKind
	SimulateKind
	InferenceKind
)

var blockNames = [...]string{"functions", "data", "transformed data", "parameters", "transformed parameters",
	"model", "generated quantities", "simulate", "inference"}

// String returns the block's name as written in a program.
func (k BlockKind) String() string { return blockNames[k] }

// A FunctionsBlock holds the user-defined functions, forward declarations included.
type FunctionsBlock struct {
	Loc       source.Span
	Functions []*Function
}

// A Function is a definition or, with a nil Body, a forward declaration.
type Function struct {
	Loc    source.Span
	Result *TypeExpr // nil for void
	Name   *Ident
	Params []*Param
	Body   *BlockStmt
}

// Span is where the function stands.
func (f *Function) Span() source.Span { return f.Loc }

// A Param is a formal parameter of a function.
type Param struct {
	Loc      source.Span
	DataOnly bool
	Type     *TypeExpr
	Name     *Ident
}

// A TypeExpr is a type as written in a declaration, a function's head or a tuple
// type. In sized declarations Sizes holds the sizes, in unsized ones it is empty.
type TypeExpr struct {
	Loc source.Span
	// Name is the base type's keyword: int, real, complex, vector, row_vector,
	// matrix, complex_vector, complex_row_vector, complex_matrix, tuple, or a
	// constrained type: simplex, unit_vector, ordered, positive_ordered,
	// sum_to_zero_vector, sum_to_zero_matrix, corr_matrix, cov_matrix,
	// cholesky_factor_corr, cholesky_factor_cov, column_stochastic_matrix,
	// row_stochastic_matrix.
	Name  string
	Sizes []Expr // vector[n], matrix[m, n], ...: the base type's own sizes
	// Bounds holds lower, upper, offset and multiplier, in the order written.
	Bounds []Bound
	// Array dimensions: ArrayDims many; ArraySizes are their sizes in sized
	// declarations (len 0 otherwise).
	IsArray    bool
	ArrayDims  int
	ArraySizes []Expr
	Fields     []*TypeExpr // of a tuple
}

// Span is where the type stands.
func (t *TypeExpr) Span() source.Span { return t.Loc }

// A Bound is lower=, upper=, offset= or multiplier= with its value.
type Bound struct {
	Loc  source.Span
	Name string
	X    Expr
}

// A Comment is what means nothing to the program, as written: a comment with its
// delimiters, an #include whose text was read in, or an annotation, @name.
type Comment struct {
	Loc      source.Span
	Text     string
	Included *source.File // what an #include reads in; nil where that is there already, a library of functions
}
