package check

// This file is the catalogue of problems: one code and wording for each thing that
// can be wrong. A test holds every code to have a program that shows it.

import (
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// A message is an entry of the catalogue: a stable code, a format for the text, and what
// to do where the place of the mistake does not tell better; that is empty where notes,
// the place or the text itself say.
type message struct{ code, text, help string }

// Names and declarations.
var (
	msgUndeclared      = message{"undeclared-name", "%q is not declared here", "declare it before this, or check the spelling"}
	msgRedeclared      = message{"redeclared-name", "%q is already declared", "choose another name for one of the two"}
	msgUnnormalName    = message{"unnormalized-name", "%q cannot be a name: _lupdf and _lupmf are made from the _lpdf or _lpmf that is declared", "end the name in _lpdf or _lpmf, or otherwise"}
	msgVariableAsFunc  = message{"not-a-function", "%q is a %s, not a function", "an element is taken with [...]; a function needs another name than the variable"}
	msgFuncAsValue     = message{"function-as-value", "%q is a function: it needs its arguments here", "call it: write its arguments in parentheses behind the name"}
	msgLocalConstraint = message{"local-constraint", "a local variable cannot be declared with a constraint", "declare it without the constraint"}
	msgBoundOn         = message{"bound-not-allowed", "a variable of type %s takes no %s", "remove it"}
	msgBoundType       = message{"bound-type", "%s must be a number or of the variable's type %s, found %s", "give one number for all elements, or a container like the variable"}
	msgIntBound        = message{"int-bound-type", "the %s of an int must be an int, found %s", "write an int, or declare a real"}
	msgSizeType        = message{"size-type", "a size must be an int, found %s", "use an int, such as 10 or N"}
	msgSizeNotData     = message{"size-not-data", "the size of a top-level variable must be known from the data, and %q is a %s", "use data, transformed data or numbers"}
	msgIntParameter    = message{"int-parameter-bounds", "an int parameter needs both lower and upper", "for example int<lower=1, upper=K>: a discrete parameter has finitely many values"}
	msgIntTuple        = message{"int-parameter-tuple", "a tuple parameter cannot hold an int", "declare the int as a parameter of its own"}
	msgIntTransformed  = message{"int-transformed-parameter", "a transformed parameter cannot hold an int", "declare it in a local block, in transformed data or in generated quantities"}
)

// Functions as defined.
var (
	msgFuncRedefined   = message{"function-redefined", "a function %s is already defined", "remove one of the two, or give it other arguments or another name"}
	msgFuncBuiltin     = message{"function-is-builtin", "%s is a built-in function and cannot be defined again", "choose another name, or other types of arguments"}
	msgFuncReserved    = message{"function-reserved", "%q is a built-in function of functions and cannot be overloaded", "choose another name"}
	msgOverloadResult  = message{"overload-by-result", "two functions %q differ by their result only (%s and %s)", "functions of one name must differ in the types of their arguments"}
	msgUndefined       = message{"function-undefined", "%s is declared, but never defined", "add the definition, with a body in braces"}
	msgDensityResult   = message{"density-result", "a function whose name ends in %s must return real, found %s", "return a real, or choose another name"}
	msgDensityVariate  = message{"density-variate", "the first argument of a function whose name ends in _lpdf must be real, a vector or the like, found %s", "take the variate as the first argument, or choose another name"}
	msgMassVariate     = message{"mass-variate", "the first argument of a function whose name ends in _lpmf must be made of ints: an int, an array or a tuple of them; found %s", "a density of reals has a name that ends in _lpdf"}
	msgNoReturn        = message{"missing-return", "%q can end without returning a value", "add a return at the end of every branch"}
	msgReturnValue     = message{"return-value", "there is nothing here that could return a value", ""}
	msgReturnVoid      = message{"return-without-value", "a return from %q needs a value of type %s", "write the value behind return"}
	msgReturnOutside   = message{"return-outside-function", "return stands outside a function", "remove it; a statement that should not run is put under an if"}
	msgReturnType      = message{"return-type", "%q returns %s, found %s", "convert the value, or declare another result"}
	msgOutsideLoop     = message{"outside-loop", "%s stands outside a loop", "put it into the body of a for or while"}
	msgRepeatedArgName = message{"repeated-argument", "two arguments are named %q", "give each argument a name of its own"}
)

// Expressions.
var (
	msgIntLiteral   = message{"int-literal", "%s does not fit into an int (at most 2147483647)", ""}
	msgBinary       = message{"operator-types", "%s %s %s has no meaning", ""}
	msgUnary        = message{"operator-type", "%s of a value of type %s has no meaning", "convert the value first"}
	msgCondition    = message{"condition-type", "a condition must be an int, found %s", "compare the value with something, for example x > 0"}
	msgBranches     = message{"ternary-types", "the two branches have no common type: %s and %s", "give both branches values of one type"}
	msgElements     = message{"element-types", "the elements of an array must have one type: found %s after %s", "give all elements one type"}
	msgRowElements  = message{"row-element-types", "[...] holds numbers (a row vector) or row vectors (a matrix): found %s after %s", "an array is written in braces: {a, b}"}
	msgIndexType    = message{"index-type", "an index must be an int, an array of int or a range, found %s", "convert it to an int, or use a range such as 1:3"}
	msgIndexCount   = message{"index-count", "a value of type %s takes at most %d indices, found %d", "remove indices, or index another variable"}
	msgNotTuple     = message{"not-a-tuple", "a value of type %s has no slots", "elements of containers are taken with [...]"}
	msgTupleSlot    = message{"tuple-slot", "a tuple of %d has no slot %d", "slots are counted from 1"}
	msgRangeBound   = message{"range-bound", "%s must be an int, found %s", "use an int; to_int(x) makes one of a real that is data"}
	msgForEach      = message{"foreach-type", "a loop goes over an array, a vector, a row vector or a matrix, found %s", "write a range, such as 1:N, or a container"}
	msgNoValue      = message{"no-value", "%q returns nothing that could be used here", "write the call as a statement of its own, or let the function return a value"}
	msgUnusedResult = message{"unused-result", "the value that %q returns must be used", "assign it to a variable, or remove the call"}
)

// Calls.
var (
	msgUnknownFunc = message{"undeclared-function", "there is no function %q", "define it in the functions block, or look for another with \"ppl functions\""}
	msgNoForm      = message{"argument-types", "no form of %q takes %s", ""}
	msgAmbiguous   = message{"ambiguous-call", "several forms of %q take %s equally well", "convert an argument, so that one form fits better than the others"}
	msgSliceType   = message{"slice-type", "%q takes slices of an array of int, real, vector, row_vector or matrix, or of arrays of these, found %s", "pass what else the function needs as a further argument, and slice indices"}
	msgBarNeeded   = message{"bar-needed", "%q needs a bar after its first argument, as in %s", "write the bar in place of the first comma"}
	msgBarExtra    = message{"bar-not-allowed", "%q is no conditional density: its arguments are separated by commas", "write a comma in place of the bar"}
	msgRNGPlace    = message{"rng-not-allowed", "%q draws random numbers, which is possible in transformed data, generated quantities, simulate and functions whose name ends in _rng only", "move the call to one of these places"}
	msgRNGSize     = message{"rng-in-size", "%q draws random numbers: a size cannot depend on them", "draw a size in the data, or use one that is fixed"}
	msgLPPlace     = message{"lp-not-allowed", "%q changes or reads the target, which is possible in the model block, transformed parameters and functions whose name ends in _lp only", "move it to one of these places"}
	msgJacPlace    = message{"jacobian-not-allowed", "%s is possible in transformed parameters and functions whose name ends in _jacobian only", "move it to one of these places; in the model block it is target +="}
	msgLUPDFPlace  = message{"unnormalized-not-allowed", "%q is possible in the model block and functions whose name ends in _lpdf or _lpmf only", "use _lpdf or _lpmf, which keep all constants, or a statement with ~"}
	msgTargetPlace = message{"target-not-allowed", "%s is possible in the model block and functions whose name ends in _lp only", "move it to one of these places"}
	msgTargetArgs  = message{"target-arguments", "target() takes no arguments", "write target()"}
	msgFuncSuffix  = message{"function-suffix", "%q cannot be passed to a function: its name ends in %s", "give the function another name"}
)

// Statements.
var (
	msgAssignType     = message{"assignment-type", "a value of type %s cannot be assigned to %s", "convert the value, or declare the variable with its type"}
	msgAssignOp       = message{"assignment-operator", "%s %s %s cannot be assigned to %s", "assign with \"=\" to a variable of the type of the result"}
	msgReadOnly       = message{"read-only", "%q is a %s and cannot be assigned to", "declare a variable of your own and assign to that"}
	msgOtherBlock     = message{"assigned-in-other-block", "%q is declared in the %s block and can be assigned to there only", "declare a variable here and assign to that"}
	msgMultiIndex     = message{"assign-multi-index", "a slice cannot be indexed further on the left of an assignment", "put all indices into one pair of brackets: x[1:3, 2]"}
	msgUnpackCount    = message{"unpack-count", "%d targets for a value of type %s", "name one target for each slot of the tuple"}
	msgUnpackRepeated = message{"unpack-repeated", "%q is assigned to twice", "name each variable once"}
	msgUnpackRead     = message{"unpack-read", "%q is read in an index while it is assigned to", "assign to it before, in a statement of its own"}
	msgTargetType     = message{"target-type", "%s takes numbers or containers of numbers, found %s", "add numbers; of a complex number take get_real(z) or abs(z)"}
	msgUnknownDist    = message{"undeclared-distribution", "there is no distribution %q", "define its _lpdf or _lpmf in the functions block, or look for another with \"ppl functions\""}
	msgDistForm       = message{"distribution-arguments", "no form of the distribution %q takes %s", ""}
	msgDistSuffix     = message{"distribution-suffix", "a distribution is named without its suffix after \"~\"", ""}
	msgTruncBound     = message{"truncation-bound", "a truncation bound must be an int or a real, found %s", "give one number for all elements"}
	msgTruncForm      = message{"truncation-undefined", "%q cannot be truncated here: %s is not defined for these arguments", "define the function, or leave the truncation out"}
	msgSizeAssigned   = message{"simulate-size", "%q is a size of other variables and cannot be simulated", "sizes are given with the data"}
	msgUnassigned     = message{"simulate-incomplete", "the simulate block does not assign %s", "assign to all parameters and observations in this block; it does not take the priors of the model block"}
	msgStale          = message{"simulate-order", "%q depends on the parameters, and %q has not been assigned yet", "assign to the parameters first"}
)

// Directives.
var (
	msgUnknownMethod = message{"unknown-method", "there is no method or binding %q", ""}
	msgUnknownDiag   = message{"unknown-diagnosis", "there is no diagnosis %q", ""}
	msgNotDiagnosis  = message{"not-a-diagnosis", "%q is not a diagnosis: it makes draws; bind it to a name", "write NAME = in place of diagnose, and diagnose NAME by a wrapper"}
	msgNotMethod     = message{"not-a-method", "%q gives a verdict and no draws: it stands after diagnose", "write diagnose in front of it, in a line of its own, or give it to ppl diagnose --with"}
	msgBindingLater  = message{"binding-order", "%q is bound further down: a binding stands before its uses", "move the binding up"}
	msgBindingTwice  = message{"binding-repeated", "%q is bound twice", "choose another name"}
	msgBindingName   = message{"binding-name", "%q is the name of a %s and cannot be bound", "choose another name"}
	msgBindingCalled = message{"binding-called", "%q is a binding: it takes no arguments", "write the name alone; options are given where it is bound"}
	msgUnknownOption = message{"unknown-option", "%q has no option %q", ""}
	msgOptionTwice   = message{"option-repeated", "%q is given twice", "remove one of them"}
	msgOptionMissing = message{"option-missing", "%q needs the option %q: %s", "give it by name, as in NAME = VALUE"}
	msgUnnamed       = message{"option-unnamed", "the options of %q are given by name", ""}
	msgOptionType    = message{"option-type", "%s must be %s, found %s", ""}
	msgOptionRange   = message{"option-range", "%s must be %s, found %s", ""}
	msgOptionChoice  = message{"option-choice", "%s must be one of %s, found %q", ""}
	msgGroupName     = message{"group-parameter", "%q is no parameter: %s must be one of %s, or groups of parameters", "write groups of whole parameters, as in \"x, y; z\""}
	msgGroupTwice    = message{"group-overlap", "the parameter %q is in two places", "keep one of them: a parameter is in one group"}
	msgGroupEmpty    = message{"group-empty", "%s has a group, or a place in one, with nothing in it", "write parameters between commas and semicolons, as in \"x, y; z\""}
	msgNoInner       = message{"wrapper-without-method", "%q wraps a method: its first argument must be one", "name a method first, as in sbc(nuts())"}
	msgCombination   = message{"no-such-combination", "%q of %q has no meaning: %s", ""}
	msgNoEffect      = message{"option-without-effect", "%q uses the %s of %q only: %s has no effect here", "leave the option out"}
	msgSwapMissing   = message{"swap-missing", "%q needs the new priors in braces, as in { beta ~ normal(0, 1); }", "write the new priors behind the call"}
	msgSwapExtra     = message{"swap-not-allowed", "%q takes no priors in braces", "remove them; prior_swap takes them"}
	msgSwapGrid      = message{"swap-grid", "a grid of %d priors makes as many fits, and one is wanted here", "bind it in the inference block, as in s = prior_swap(fit) for v in [1, 2] { ... }"}
	msgSwapGridName  = message{"swap-grid", "%q is the name of a variable of the model, and would hide it", "choose another name"}
	msgSwapGridIdle  = message{"swap-grid", "no new prior has %q in it, so that all points of the grid are one", "write it where the value is to stand"}
	msgSwapDrawn     = message{"swap-draws", "draws(...) is the prior of a number, a vector or a matrix that is a parameter, as a whole; found %s", "name such a parameter"}
	msgSwapFiles     = message{"swap-draws", "the new priors are draws of two files, %q and %q", "put the columns into one file: a row is one draw of all parameters"}
	msgSwapFrom      = message{"swap-draws", "%q has no effect on a prior that is known by draws", "leave it out: draws are multiplied, and no density is there to compare with"}
	msgSwapTarget    = message{"swap-target", "a new prior is for a parameter, and %q is none", "name a parameter of the model"}
	msgSwapTwice     = message{"swap-repeated", "%q has two new priors", "keep one of them"}
	msgSwapObserved  = message{"swap-observation", "a prior cannot use %q, which is an observation", "use data that no statement gives a distribution, parameters and numbers"}
	msgUnknownTerm   = message{"unknown-term", "there is no %s %q", ""}
	msgTermArgs      = message{"term-arguments", "%q takes %s, found %d", ""}
	msgTermOrders    = message{"term-orders", "%s", ""}
	msgPairKey       = message{"pair-parameter", "%q is no parameter", "name a parameter of the model"}
	msgPairTwice     = message{"pair-repeated", "%q has two divergences", "keep one of them"}
)

// errorf reports an entry of the catalogue.
func (c *checker) errorf(at source.Span, m message, args ...any) *problem.Problem {
	p := c.problems.Errorf(m.code, at, m.text, args...)
	p.Help = m.help
	return p
}

// warnf reports an entry of the catalogue as a warning.
func (c *checker) warnf(at source.Span, m message, args ...any) *problem.Problem {
	p := c.problems.Warnf(m.code, at, m.text, args...)
	p.Help = m.help
	return p
}
