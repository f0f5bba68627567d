package check

// This file defines the table of methods that directives are checked against, and
// what a checked directive is. The table's contents live in package lang.

import (
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// Methods is the table of everything that may stand in a method's place, and of the
// catalogues of divergences and losses that options draw on.
type Methods struct {
	Rows        []*MethodRow
	Divergences []*Term
	Losses      []*Term
}

// A MethodRow describes one method, wrapper or diagnosis.
type MethodRow struct {
	Name string
	Doc  string // one line: what it is

	// Wrapper reports that the first, unnamed argument is a method. InnerDefault is the
	// method taken where it is left out, as source text; empty where it is required.
	Wrapper      bool
	InnerDefault string

	Gives    Gives // as a method; zero where it ends a chain
	Discrete bool  // as a method, it moves discrete parameters itself: others have them summed out
	Diagnose bool  // may stand in a diagnose line
	Swap     bool  // takes a block of new priors, which must be there

	// UsesPart reports that of the wrapped method only the kernel is used, or where it has
	// none the density: options that shape its run have no effect.
	UsesPart bool

	// Needs is what the wrapped method must give, at least one of it; zero for
	// nothing. Passes is what the result has because the wrapped method has it.
	// Refuses names methods that have no meaning inside, with the reason.
	Needs   Gives
	Passes  Gives
	Refuses map[string]string

	Options []*Option
}

// Gives is a set of what a method's result has.
type Gives uint8

// What results have.
const (
	GivesDraws    Gives = 1 << iota // posterior draws, possibly weighted
	GivesDensity                    // a density of the approximation
	GivesKernel                     // a Markov kernel that leaves a target invariant
	GivesEvidence                   // an estimate of log p(y)
)

// A Kind is the type of an option's value.
type Kind uint8

// The kinds of options.
const (
	IntKind        Kind = iota // a whole number
	RealKind                   // a number
	BoolKind                   // true or false
	StringKind                 // any text in quotes
	EnumKind                   // one of Option.Enum, in quotes
	MethodKind                 // a method or a binding's name
	ExprKind                   // an expression over the model's variables
	NameKind                   // the name of a parameter
	DivergenceKind             // a divergence, sum(...) of them, or a list of parameter: divergence
	LossKind                   // a loss of the catalogue, or an expression
)

// An Option is a named argument of a method.
type Option struct {
	Name     string
	Kind     Kind
	List     bool     // a list of such values
	Default  string   // as source text, strings without quotes; empty where there is none
	Required bool     // must be given
	Min, Max float64  // for IntKind and RealKind; equal (0, 0) where there is no range
	OpenMin  bool     // Min itself is excluded
	OpenMax  bool     // Max itself is excluded
	Enum     []string // for EnumKind
	Groups   bool     // for EnumKind: or groups of parameters, as in "x, y; z"
	// EnumNeeds reports what the wrapped method must have where a value is chosen.
	EnumNeeds map[string]Gives
	// Idle names another option and the value of it with which this one has no effect.
	Idle [2]string
	Unit string // "nats", "iterations", ...; empty where there is none
	Doc  string // one line
}

// A Term is an entry of a catalogue: a divergence or a loss with numeric arguments.
type Term struct {
	Name string
	Args []*Option
	Doc  string
	// Valid reports whether arguments that are each in their range belong together; nil where
	// all do.
	Valid func(args []float64) error
}

// A Directive is a checked item of the inference block.
type Directive struct {
	Name   string // of the binding; empty for a diagnose line
	Method *CheckedMethod
	Loc    source.Span
}

// A CheckedMethod is a method with all its options: those written and, filled in,
// the defaults.
type CheckedMethod struct {
	Row *MethodRow
	// Binding is the name it was bound to, empty where it was written in place. One
	// binding is one CheckedMethod: uses share the pointer, so that it is run once.
	Binding string
	Inner   *CheckedMethod    // of a wrapper, nil otherwise
	Args    map[string]*Value // all options given or with a default
	Gives   Gives             // the row's, and what it passes on
	Swap    []ast.Stmt        // the new priors, samples and increments of the target; checked: see Info.Samples
	Drawn   *Drawn            // of new priors that are known by draws, nil otherwise
	Grid    *GridPoint        // of a swap that is one of a grid, nil otherwise
	Loc     source.Span
}

// A GridPoint is one value of a grid of priors.
type GridPoint struct {
	Of       string // the name that the grid is bound to; empty outside the inference block
	Variable string
	Value    string // as written
}

// A Value is an option's value. Which field counts is decided by Kind and List.
type Value struct {
	Kind   Kind
	IsList bool
	Given  bool // written in the program, not a default

	Int    int
	Real   float64 // also set for IntKind
	Bool   bool
	Text   string         // StringKind, EnumKind, NameKind
	Sym    *Symbol        // NameKind
	Method *CheckedMethod // MethodKind
	Expr   ast.Expr       // ExprKind, LossKind where it is an expression: see Info.Types
	Term   *TermValue     // DivergenceKind, LossKind
	Pairs  []Pair         // DivergenceKind by parameter
	List   []*Value       // where IsList is set, or of an EnumKind with Groups: lists of parameters
	Loc    source.Span
}

// A TermValue is a use of a catalogue entry, or a sum of such uses.
type TermValue struct {
	Term *Term
	Args []float64    // in the order of Term.Args
	Sum  []*TermValue // for sum(a, b); then Term is nil
}

// A Pair is "parameter: divergence".
type Pair struct {
	Name string
	Sym  *Symbol
	Term *TermValue
}
