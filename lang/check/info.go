package check

// This file defines what the checker finds out: Info and the things its tables hold.

import (
	"github.com/seed-12b88e03/ppl/lang/ast"
	"github.com/seed-12b88e03/ppl/lang/types"
)

// Info is what is known of a checked program. After a check without errors every
// table is complete: it has an entry for every node of its kind in the program
// (the expressions inside directives included). After errors entries may be absent
// or of type Bad.
type Info struct {
	Program *ast.Program

	// Types holds the type of every expression, left-hand sides and parentheses
	// included, as it is by itself: before promotion to what its context asks for.
	// What the context asks for is found in
	//   - Callee.Params, for an argument of a function and both sides of "~";
	//   - the type of the node itself, for the branches of a Ternary and the elements
	//     of an ArrayLit, RowLit or TupleLit (all are converted to the node's type);
	//   - the left-hand side's type, for an assignment or an initial value (for
	//     compound assignments see Compound);
	//   - Function.Result, for a return;
	//   - int, for a condition;
	// Operands of operators are not converted beforehand: the operator's rule is
	// decided by the operands' types, and its result is the node's type. The name of
	// a function given as an argument has a function type.
	Types map[ast.Expr]types.Type

	// Levels says for every expression whether it may depend on parameters and whether
	// it draws random numbers. See Level for what counts.
	Levels map[ast.Expr]Level

	// Uses maps every use of a variable or a function to what it stands for: an
	// identifier expression, an identifier on a left-hand side, the Name of a Call of a
	// user's function. Built-in functions are in Calls only.
	Uses map[*ast.Ident]*Symbol

	// Defs maps the identifier in every declaration (of a variable, a loop variable, a
	// function or its parameter) to its symbol. The forward declaration and the
	// definition of one function share a symbol.
	Defs map[*ast.Ident]*Symbol

	// Calls returns the function that a call means, for expressions and statements.
	Calls map[*ast.Call]*Callee

	// Samples returns the density that a "~" statement means, those of swaps included.
	// Callee.Params starts with the left side.
	Samples map[*ast.Sample]*Callee

	// Compound returns, for an assignment with an operator (x += y, x .*= y), the type
	// of (x op y), which is then converted to the type of x.
	Compound map[*ast.Assign]types.Type

	// Declared returns the type that a type expression stands for, its tuple fields'
	// own type expressions included. Constraints and sizes are read off the tree.
	Declared map[*ast.TypeExpr]types.Type

	// Functions holds the user's functions in the order of their first appearance.
	Functions []*Function

	// Globals holds the top-level variables of each block in order of declaration
	// (variables local to the model block or to nested blocks are not in it).
	Globals map[ast.BlockKind][]*Symbol

	// Directives holds the items of the inference block in order.
	Directives []*Directive

	// Observed has the data variables that stand left of "~", or are the first
	// argument of a density that is added to the target, in the model block.
	Observed map[*Symbol]bool

	lib types.Library // for CheckMethod
}

// Level reports what an expression's value may depend on; the values combine by "or".
// It is Stan's notion, which decides what "data" arguments and sizes take, and is
// coarser than a real dependency analysis (which is the IR's): a real variable
// declared in transformed parameters or model counts as depending on parameters
// whatever was assigned to it, an int one only where something was assigned to it
// that depends on a discrete parameter. Integers computed from continuous
// parameters (comparisons) may be sizes and indices, as in Stan.
type Level uint8

// The levels. The zero Level is a value that depends on data only.
const (
	Data      Level = 0
	Parameter Level = 1 << 0 // may depend on parameters
	Random    Level = 1 << 1 // calls a function that draws random numbers
	// Computed marks an integer expression that is computed from numbers which may depend
	// on parameters: no data to a function that asks for such, but an integer variable
	// that takes the value is.
	Computed Level = 1 << 2
)

// DependsOnParameters reports whether the value may change with the parameters.
func (l Level) DependsOnParameters() bool { return l&Parameter != 0 }

// IsData reports whether the value may be where a function asks for data.
func (l Level) IsData() bool { return l&(Parameter|Computed) == 0 }

// IsRandom reports whether evaluating draws random numbers.
func (l Level) IsRandom() bool { return l&Random != 0 }

// SymbolKind reports what sort of thing a name stands for.
type SymbolKind uint8

// The kinds of symbols.
const (
	DataVar            SymbolKind = iota // declared in data
	TransformedDataVar                   // at the top of transformed data
	ParameterVar                         // declared in parameters
	TransformedParameterVar
	ModelVar     // at the top of model
	GeneratedVar // at the top of generated quantities
	SimulateVar  // at the top of simulate
	LocalVar     // in a nested block or a function body
	LoopVar      // of a for or foreach loop
	ParamVar     // a function's formal parameter
	FunctionName // a user's function (all overloads share the name, not the symbol)
)

var symbolKindNames = [...]string{"data variable", "transformed data variable", "parameter", "transformed parameter",
	"local variable", "generated quantity", "local variable", "local variable", "loop variable", "function argument",
	"function"}

// String returns the kind in words, for messages.
func (k SymbolKind) String() string { return symbolKindNames[k] }

// A Symbol is a declared name.
type Symbol struct {
	Name     string
	Kind     SymbolKind
	Type     types.Type
	Block    ast.BlockKind // where it is declared; FunctionsKind inside functions
	Def      *ast.Ident    // the name in the declaration (of a function: in its first one)
	Decl     *ast.Decl     // of a declared variable, nil otherwise
	Level    Level         // of a use of it
	ReadOnly bool          // may not be assigned to (data and parameters may be in simulate)
	Func     *Function     // of a FunctionName
	Assigned bool          // something assigns to it, its declaration included
	Used     bool          // something reads it
	Sizes    bool          // a size of a top-level variable depends on it
}

// Suffix is what a user's function is by the ending of its name.
type Suffix uint8

// The suffixes.
const (
	NoSuffix Suffix = iota
	LPDF
	LPMF
	CDF
	LCDF
	LCCDF
	LP
	RNG
	Jacobian
)

var suffixNames = [...]string{"", "_lpdf", "_lpmf", "_cdf", "_lcdf", "_lccdf", "_lp", "_rng", "_jacobian"}

// String returns the suffix as written, "_lpdf" for example.
func (s Suffix) String() string { return suffixNames[s] }

// A Function is one overload of a user's function.
type Function struct {
	Name    string
	Index   int              // its place in Info.Functions
	Def     *ast.Function    // the definition
	Forward *ast.Function    // the forward declaration, nil where there is none
	Sig     *types.Signature // its parameters' types; data qualifiers included
	Params  []*Symbol        // of the definition
	Result  types.Type       // Void where it returns nothing
	Suffix  Suffix
	Symbol  *Symbol
}

// A Callee is the function that a call means.
type Callee struct {
	// Name is canonical: normal_lpdf for normal_lupdf and for "~ normal", too. For
	// target() it is "target".
	Name string
	Sig  *types.Signature // the form that fits; of a user's function its own
	User *Function        // nil for built-ins

	// Params has the type that each actual argument is converted to; as many as there
	// are arguments (those that fell under "..." included).
	Params []types.Type
	// Funcs has, for an argument that names a function, the overload meant; nil where
	// no argument does, otherwise as long as Params.
	Funcs  []*Function
	Result types.Type

	// Unnormalized reports that constants may be dropped: a "~" statement or a call of an
	// _lupdf or _lupmf. Bar says that the call is a conditional density.
	Unnormalized bool

	// Of a truncated "~" statement: the distribution functions at its bounds, called
	// with the bound (a number, even where the left side is a container) in place of
	// the left side.
	Lcdf, Lccdf *Callee
}
