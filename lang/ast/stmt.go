package ast

import "github.com/seed-12b88e03/ppl/lang/source"

// A Stmt is a statement as written.
type Stmt interface {
	Node
	stmt()
}

type (
	// Decl declares one variable. `real a, b = 1;` gives one Decl for each, with the
	// same Type pointer, and Cont set on all but the first.
	Decl struct {
		Loc  source.Span // from the type to the end of this declarator
		Type *TypeExpr
		Name *Ident
		Init Expr // nil where there is none
		Cont bool // not the first declarator of its statement
	}

	// Assign is LHS Op RHS with Op "=", "+=", "-=", "*=", "/=", ".*=" or "./=".
	// LHS is an Ident, an Index or TupleGet chain over one, or a TupleLit of those
	// (tuple unpacking, Op "=" only).
	Assign struct {
		Loc source.Span
		LHS Expr
		Op  Op
		RHS Expr
	}

	// Sample is X ~ Dist(Args...) with an optional truncation.
	Sample struct {
		Loc   source.Span
		X     Expr
		Dist  *Ident
		Args  []Expr
		Trunc *Truncation
	}

	// TargetAdd is "target += X;", or "jacobian += X;" with Jacobian set.
	TargetAdd struct {
		Loc      source.Span
		Jacobian bool
		X        Expr
	}

	// CallStmt is a call of a function that returns nothing.
	CallStmt struct {
		Loc  source.Span
		Call *Call
	}

	// If is a conditional; Else is nil where there is none.
	If struct {
		Loc  source.Span
		Cond Expr
		Then Stmt
		Else Stmt
	}

	// For is "for (Var in Lo:Hi) Body".
	For struct {
		Loc    source.Span
		Var    *Ident
		Lo, Hi Expr
		Body   Stmt
	}

	// ForEach is "for (Var in X) Body".
	ForEach struct {
		Loc  source.Span
		Var  *Ident
		X    Expr
		Body Stmt
	}

	// While is "while (Cond) Body".
	While struct {
		Loc  source.Span
		Cond Expr
		Body Stmt
	}

	// Break leaves the innermost loop.
	Break struct{ Loc source.Span }

	// Continue goes on with the innermost loop's next iteration.
	Continue struct{ Loc source.Span }

	// Return leaves a function; X is nil for "return;".
	Return struct {
		Loc source.Span
		X   Expr
	}

	// Print is print(...), reject(...) or fatal_error(...), by Kind. Args may hold
	// StringLits.
	Print struct {
		Loc  source.Span
		Kind PrintKind
		Args []Expr
	}

	// Profile is profile("Name") { Body }.
	Profile struct {
		Loc  source.Span
		Name *StringLit
		Body []Stmt
	}

	// BlockStmt is a local block.
	BlockStmt struct {
		Loc  source.Span
		Body []Stmt
	}

	// Empty is a lone ";".
	Empty struct{ Loc source.Span }

	// Bad stands where a statement could not be parsed; a problem was reported.
	Bad struct{ Loc source.Span }
)

// PrintKind tells print, reject and fatal_error apart.
type PrintKind int

// The statements that take a list of things to print.
const (
	PrintStmt PrintKind = iota
	RejectStmt
	FatalStmt
)

// Truncation is T[Lo, Hi]; either side may be nil.
type Truncation struct {
	Loc    source.Span
	Lo, Hi Expr
}

func (s *Decl) Span() source.Span      { return s.Loc }
func (s *Assign) Span() source.Span    { return s.Loc }
func (s *Sample) Span() source.Span    { return s.Loc }
func (s *TargetAdd) Span() source.Span { return s.Loc }
func (s *CallStmt) Span() source.Span  { return s.Loc }
func (s *If) Span() source.Span        { return s.Loc }
func (s *For) Span() source.Span       { return s.Loc }
func (s *ForEach) Span() source.Span   { return s.Loc }
func (s *While) Span() source.Span     { return s.Loc }
func (s *Break) Span() source.Span     { return s.Loc }
func (s *Continue) Span() source.Span  { return s.Loc }
func (s *Return) Span() source.Span    { return s.Loc }
func (s *Print) Span() source.Span     { return s.Loc }
func (s *Profile) Span() source.Span   { return s.Loc }
func (s *BlockStmt) Span() source.Span { return s.Loc }
func (s *Empty) Span() source.Span     { return s.Loc }
func (s *Bad) Span() source.Span       { return s.Loc }

func (*Decl) stmt()      {}
func (*Assign) stmt()    {}
func (*Sample) stmt()    {}
func (*TargetAdd) stmt() {}
func (*CallStmt) stmt()  {}
func (*If) stmt()        {}
func (*For) stmt()       {}
func (*ForEach) stmt()   {}
func (*While) stmt()     {}
func (*Break) stmt()     {}
func (*Continue) stmt()  {}
func (*Return) stmt()    {}
func (*Print) stmt()     {}
func (*Profile) stmt()   {}
func (*BlockStmt) stmt() {}
func (*Empty) stmt()     {}
func (*Bad) stmt()       {}

// DrawnPrior is what stands for a distribution in new priors that are known by draws: draws("FILE").
const DrawnPrior = "draws"

// File is the file of a prior that is known by draws; nil of others.
func (s *Sample) File() *StringLit {
	if len(s.Args) != 1 || s.Dist == nil || s.Dist.Name != DrawnPrior {
		return nil
	}
	file, _ := s.Args[0].(*StringLit)
	return file
}
