package parser

// This file spells out the whole grammar as participle productions. They are what
// grammarText prints, and tests hold the hand-written parser against them: both accept the
// same programs. Fields carry tags only; nothing is read from them.

import (
	"strings"

	"github.com/alecthomas/participle/v2"
)

// program is the root: blocks in their order, each at most once.
type program struct {
	Functions             *functionsBlock             `parser:"@@?"`
	Data                  *dataBlock                  `parser:"@@?"`
	TransformedData       *transformedDataBlock       `parser:"@@?"`
	Parameters            *parametersBlock            `parser:"@@?"`
	TransformedParameters *transformedParametersBlock `parser:"@@?"`
	Model                 *modelBlock                 `parser:"@@?"`
	GeneratedQuantities   *generatedQuantitiesBlock   `parser:"@@?"`
	Simulate              *simulateBlock              `parser:"@@?"`
	Inference             *inferenceBlock             `parser:"@@?"`
}

// Functions.
type (
	functionDefinition struct {
		Annotations []string    `parser:"( '@' @( Ident | Keyword ) )*"`
		Result      *resultType `parser:"@@"`
		Name        string      `parser:"@Ident"`
		Params      []*formal   `parser:"'(' ( @@ ( ',' @@ )* )? ')'"`
		Body        *localBlock `parser:"( @@ | ';' )"`
	}
	resultType struct {
		Void string    `parser:"  @'void'"`
		Type *bareType `parser:"| @@"`
	}
	formal struct {
		Data string    `parser:"@'data'?"`
		Type *bareType `parser:"@@"`
		Name string    `parser:"@Ident"`
	}
	bareType struct {
		Dims  string      `parser:"( 'array' '[' @','* ']' )?"`
		Base  string      `parser:"( @( 'int' | 'real' | 'complex' | 'vector' | 'row_vector' | 'matrix' | 'complex_vector' | 'complex_row_vector' | 'complex_matrix' )"`
		Tuple []*bareType `parser:"| 'tuple' '(' @@ ',' ( @@ ( ',' @@ )* )? ')' )"`
	}
)

// Declarations and types.
type (
	plainDeclaration struct {
		Annotations []string   `parser:"( '@' @( Ident | Keyword ) )*"`
		Type        *sizedType `parser:"( @@"`
		Names       []string   `parser:"@Ident ( ',' @Ident )* )? ';'"`
	}
	variableDeclaration struct {
		Type  *sizedType    `parser:"@@"`
		Names []*declarator `parser:"@@ ( ',' @@ )* ';'"`
	}
	declarator struct {
		Name  string      `parser:"@Ident"`
		Value *expression `parser:"( '=' @@ )?"`
	}
	sizedType struct {
		Array []*expression `parser:"( 'array' '[' @@ ( ',' @@ )* ']' )?"`
		Base  *baseType     `parser:"( @@"`
		Tuple []*sizedType  `parser:"| 'tuple' '(' @@ ',' ( @@ ( ',' @@ )* )? ')' )"`
	}
	baseType struct {
		Scalar    *scalarType       `parser:"  @@"`
		Vector    *vectorType       `parser:"| @@"`
		Matrix    *matrixType       `parser:"| @@"`
		Special   *specialVector    `parser:"| @@"`
		SpecialMN *specialMatrix    `parser:"| @@"`
		Factor    *covarianceFactor `parser:"| @@"`
	}
	scalarType struct {
		Name   string  `parser:"@( 'int' | 'real' | 'complex' )"`
		Bounds *bounds `parser:"@@?"`
	}
	vectorType struct {
		Name   string      `parser:"@( 'vector' | 'row_vector' | 'complex_vector' | 'complex_row_vector' )"`
		Bounds *bounds     `parser:"@@?"`
		Size   *expression `parser:"'[' @@ ']'"`
	}
	matrixType struct {
		Name   string      `parser:"@( 'matrix' | 'complex_matrix' )"`
		Bounds *bounds     `parser:"@@?"`
		Rows   *expression `parser:"'[' @@"`
		Cols   *expression `parser:"',' @@ ']'"`
	}
	specialVector struct {
		Name string      `parser:"@( 'simplex' | 'unit_vector' | 'ordered' | 'positive_ordered' | 'sum_to_zero_vector' | 'corr_matrix' | 'cov_matrix' | 'cholesky_factor_corr' )"`
		Size *expression `parser:"'[' @@ ']'"`
	}
	specialMatrix struct {
		Name string      `parser:"@( 'sum_to_zero_matrix' | 'column_stochastic_matrix' | 'row_stochastic_matrix' )"`
		Rows *expression `parser:"'[' @@"`
		Cols *expression `parser:"',' @@ ']'"`
	}
	covarianceFactor struct {
		Name string      `parser:"@'cholesky_factor_cov'"`
		Rows *expression `parser:"'[' @@"`
		Cols *expression `parser:"( ',' @@ )? ']'"`
	}
	bounds struct {
		List []*bound `parser:"'<' @@ ( ',' @@ )? '>'"`
	}
	bound struct {
		Name  string `parser:"@( 'lower' | 'upper' | 'offset' | 'multiplier' ) '='"`
		Value *sum   `parser:"@@"`
	}
)

// Statements.
type (
	localBlock struct {
		Body []statement `parser:"'{' @@* '}'"`
	}
	annotated struct {
		Names []string  `parser:"( '@' @( Ident | Keyword ) )+"`
		Stmt  statement `parser:"@@"`
	}
	emptyStatement struct {
		Semi string `parser:"@';'"`
	}
	ifStatement struct {
		Cond *expression `parser:"'if' '(' @@ ')'"`
		Then statement   `parser:"@@"`
		Else statement   `parser:"( 'else' @@ )?"`
	}
	forStatement struct {
		Var  string      `parser:"'for' '(' @Ident 'in'"`
		Low  *expression `parser:"@@"`
		High *expression `parser:"( ':' @@ )? ')'"`
		Body statement   `parser:"@@"`
	}
	whileStatement struct {
		Cond *expression `parser:"'while' '(' @@ ')'"`
		Body statement   `parser:"@@"`
	}
	jumpStatement struct {
		Word string `parser:"@( 'break' | 'continue' ) ';'"`
	}
	returnStatement struct {
		Value *expression `parser:"'return' @@? ';'"`
	}
	printStatement struct {
		Word string       `parser:"@( 'print' | 'reject' | 'fatal_error' )"`
		Args []*printable `parser:"'(' @@ ( ',' @@ )* ')' ';'"`
	}
	printable struct {
		Text  string      `parser:"  @String"`
		Value *expression `parser:"| @@"`
	}
	profileBlock struct {
		Name string      `parser:"'profile' '(' @String ')'"`
		Body *localBlock `parser:"@@"`
	}
	incrementStatement struct {
		Value *expression `parser:"( 'target' | 'jacobian' ) '+=' @@ ';'"`
	}
	assignment struct {
		Place *postfix    `parser:"@@"`
		Op    string      `parser:"@( '=' | '+=' | '-=' | '*=' | '/=' | '.*=' | './=' )"`
		Value *expression `parser:"@@ ';'"`
	}
	distributionStatement struct {
		Value *expression   `parser:"@@ '~'"`
		Dist  *distribution `parser:"@@ ';'"`
	}
	distribution struct {
		Name string        `parser:"@Ident"`
		Args []*expression `parser:"'(' ( @@ ( ',' @@ )* )? ')'"`
		Low  *expression   `parser:"( 'T' '[' @@? ','"`
		High *expression   `parser:"@@? ']' )?"`
	}
	callStatement struct {
		Name string        `parser:"@Ident"`
		Args []*expression `parser:"'(' ( @@ ( ',' @@ )* )? ')' ';'"`
	}
)

// Expressions, loosest level first.
type (
	expression struct {
		Cond *disjunct   `parser:"@@"`
		Then *expression `parser:"( '?' @@"`
		Else *expression `parser:"':' @@ )?"`
	}
	disjunct struct {
		Terms []*conjunct `parser:"@@ ( '||' @@ )*"`
	}
	conjunct struct {
		Terms []*equality `parser:"@@ ( '&&' @@ )*"`
	}
	equality struct {
		Terms []*comparison `parser:"@@ ( ( '==' | '!=' ) @@ )*"`
	}
	comparison struct {
		Terms []*sum `parser:"@@ ( ( '<' | '<=' | '>' | '>=' ) @@ )*"`
	}
	sum struct {
		Terms []*product `parser:"@@ ( ( '+' | '-' ) @@ )*"`
	}
	product struct {
		Terms []*quotient `parser:"@@ ( ( '*' | '/' | '%' | '.*' | './' ) @@ )*"`
	}
	quotient struct {
		Terms []*prefix `parser:"@@ ( ( '%/%' | '\\\\' ) @@ )*"`
	}
	prefix struct {
		Signed *prefix `parser:"  ( '-' | '+' | '!' ) @@"`
		Power  *power  `parser:"| @@"`
	}
	power struct {
		Base     *postfix `parser:"@@"`
		Exponent *prefix  `parser:"( ( '^' | '.^' ) @@ )?"`
	}
	postfix struct {
		Value *primary `parser:"@@"`
		After []*after `parser:"@@*"`
	}
	after struct {
		Indices   []*index `parser:"  '[' @@? ( ',' @@? )* ']'"`
		Field     string   `parser:"| @Field"`
		Transpose string   `parser:"| @\"'\""`
	}
	index struct {
		Low  *expression `parser:"  @@ ( ':'"`
		High *expression `parser:"@@? )?"`
		UpTo *expression `parser:"| ':' @@?"`
	}
	primary struct {
		Number string        `parser:"  @( Integer | Real | Field | Imaginary )"`
		Call   *callOrName   `parser:"| @@"`
		Target string        `parser:"| @'target' '(' ')'"`
		Paren  []*expression `parser:"| '(' @@ ( ( ',' @@ )+ | ',' )? ')'"`
		Row    []*expression `parser:"| '[' ( @@ ( ',' @@ )* )? ']'"`
		Array  []*expression `parser:"| '{' @@ ( ',' @@ )* '}'"`
	}
	callOrName struct {
		Name string         `parser:"@Ident"`
		Args *callArguments `parser:"@@?"`
	}
	callArguments struct {
		First *expression   `parser:"'(' ( @@"`
		Given []*expression `parser:"( '|' ( @@ ( ',' @@ )* )?"`
		Rest  []*expression `parser:"| ( ',' @@ )+ )? )? ')'"`
	}
)

// Directives.
type (
	binding struct {
		Name string      `parser:"@Ident '='"`
		Call *methodCall `parser:"@@"`
		Swap *swap       `parser:"( @@ ';'? | ';' )"`
	}
	diagnosis struct {
		Call *methodCall `parser:"'diagnose' @@"`
		Swap *swap       `parser:"( @@ ';'? | ';' )"`
	}
	method struct {
		Call *methodCall `parser:"@@"`
		Swap *swap       `parser:"@@?"`
	}
	methodCall struct {
		Name string      `parser:"@Ident"`
		Args []*argument `parser:"( '(' ( @@ ( ',' @@ )* )? ')' )?"`
	}
	argument struct {
		Name  string `parser:"( @( Ident | 'data' ) '=' )?"`
		Value *value `parser:"@@"`
	}
	value struct {
		Text   string      `parser:"  @String"`
		On     string      `parser:"| @( 'true' | 'false' )"`
		List   []*value    `parser:"| '[' ( @@ ( ',' @@ )* )? ']' (?= ',' | ')' | ']' )"`
		Key    string      `parser:"| @Ident ':'"`
		Value  *value      `parser:"  @@"`
		Method *method     `parser:"| @@ (?= ',' | ')' | ']' )"`
		Expr   *expression `parser:"| @@"`
	}
	swap struct {
		Grid   *grid    `parser:"@@?"`
		Priors []*prior `parser:"'{' @@* '}'"`
	}
	grid struct {
		Var    string        `parser:"'for' @Ident 'in'"`
		Values []*expression `parser:"'[' @@ ( ',' @@ )* ']'"`
	}
	prior struct {
		Term    *expression   `parser:"  'target' '+=' @@ ';'"`
		Name    string        `parser:"| @Ident"`
		Indices []*index      `parser:"  ( '[' @@? ( ',' @@? )* ']' )? '~'"`
		Dist    *distribution `parser:"  @@ ';'"`
	}
)

func (functionDefinition) function()     {}
func (plainDeclaration) declaration()    {}
func (variableDeclaration) statement()   {}
func (localBlock) statement()            {}
func (annotated) statement()             {}
func (emptyStatement) statement()        {}
func (ifStatement) statement()           {}
func (forStatement) statement()          {}
func (whileStatement) statement()        {}
func (jumpStatement) statement()         {}
func (returnStatement) statement()       {}
func (printStatement) statement()        {}
func (profileBlock) statement()          {}
func (incrementStatement) statement()    {}
func (assignment) statement()            {}
func (distributionStatement) statement() {}
func (callStatement) statement()         {}
func (binding) directive()               {}
func (diagnosis) directive()             {}

// wholeGrammar builds the parser of the spelled-out grammar. It backtracks without
// limit and is slow: it serves to print and to test.
func wholeGrammar() (*participle.Parser[program], error) {
	return participle.Build[program](
		participle.Lexer(definition{}),
		participle.UseLookahead(participle.MaxLookahead),
		participle.Union[function](functionDefinition{}),
		participle.Union[declaration](plainDeclaration{}),
		participle.Union[statement](variableDeclaration{}, emptyStatement{}, ifStatement{}, forStatement{}, whileStatement{}, jumpStatement{}, returnStatement{},
			printStatement{}, profileBlock{}, incrementStatement{}, assignment{}, distributionStatement{}, callStatement{}, localBlock{}, annotated{}),
		participle.Union[directive](diagnosis{}, binding{}),
	)
}

// lexicon is the part of the grammar below the tokens.
const lexicon = `
(?= x) asks for x to follow without taking it.
<ident> = letter (letter | digit | "_")* .   no keyword or reserved word; declared names do not end in "__"
<integer> = digits .
<real> = digits "." digits? exponent? | "." digits exponent | digits exponent .
<field> = "." digits .   a real number where no field can stand
<imaginary> = (<integer> | <real> | <field>) "i" .
<string> = "\"" any character but "\"" and the end of the line* "\"" .
exponent = ("e" | "E") ("+" | "-")? digits .
digits = digit+ ("_" digit+)* .
White space separates tokens; "// ..." and "/* ... */" are comments; "#include file", with the
file bare, in quotes or in angle brackets, stands for the tokens of that file.
`

// grammarText returns the whole grammar in EBNF, one production a line, tokens in angle
// brackets; operators are listed from the loosest to the tightest.
func grammarText() (string, error) {
	g, err := wholeGrammar()
	if err != nil {
		return "", err
	}
	return strings.TrimRight(g.String(), "\n") + "\n" + lexicon, nil
}
