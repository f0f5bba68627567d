package check

// This file is the catalogue of problems: one code and wording for each thing that
// can be wrong. A test holds every code to have a program that shows it.

import (
	"github.com/seed-12b88e03/ppl/lang/problem"
	"github.com/seed-12b88e03/ppl/lang/source"
)

// A message is an entry of the catalogue: a stable code and a format for the text.
type message struct{ code, text string }

// Names and declarations.
var (
	msgUndeclared      = message{"undeclared-name", "%q is not declared here"}
	msgRedeclared      = message{"redeclared-name", "%q is already declared"}
	msgUnnormalName    = message{"unnormalized-name", "%q cannot be a name: _lupdf and _lupmf are made from the _lpdf or _lpmf that is declared"}
	msgVariableAsFunc  = message{"not-a-function", "%q is a %s, not a function"}
	msgFuncAsValue     = message{"function-as-value", "%q is a function: it needs its arguments here"}
	msgLocalConstraint = message{"local-constraint", "a local variable cannot be declared with a constraint"}
	msgBoundOn         = message{"bound-not-allowed", "a variable of type %s takes no %s"}
	msgBoundType       = message{"bound-type", "%s must be a number or of the variable's type %s, found %s"}
	msgIntBound        = message{"int-bound-type", "the %s of an int must be an int, found %s"}
	msgSizeType        = message{"size-type", "a size must be an int, found %s"}
	msgSizeNotData     = message{"size-not-data", "the size of a top-level variable must be known from the data, and %q is a %s"}
	msgIntParameter    = message{"int-parameter-bounds", "an int parameter needs both lower and upper"}
	msgIntTuple        = message{"int-parameter-tuple", "a tuple parameter cannot hold an int"}
	msgIntTransformed  = message{"int-transformed-parameter", "a transformed parameter cannot hold an int"}
)

// Functions as defined.
var (
	msgFuncRedefined   = message{"function-redefined", "a function %s is already defined"}
	msgFuncBuiltin     = message{"function-is-builtin", "%s is a built-in function and cannot be defined again"}
	msgFuncReserved    = message{"function-reserved", "%q is a built-in function of functions and cannot be overloaded"}
	msgOverloadResult  = message{"overload-by-result", "two functions %q differ by their result only (%s and %s)"}
	msgUndefined       = message{"function-undefined", "%s is declared, but never defined"}
	msgDensityResult   = message{"density-result", "a function whose name ends in %s must return real, found %s"}
	msgDensityVariate  = message{"density-variate", "the first argument of a function whose name ends in _lpdf must be real, a vector or the like, found %s"}
	msgMassVariate     = message{"mass-variate", "the first argument of a function whose name ends in _lpmf must be an int or an array of int, found %s"}
	msgNoReturn        = message{"missing-return", "%q can end without returning a value"}
	msgReturnValue     = message{"return-value", "there is nothing here that could return a value"}
	msgReturnVoid      = message{"return-without-value", "a return from %q needs a value of type %s"}
	msgReturnOutside   = message{"return-outside-function", "return stands outside a function"}
	msgReturnType      = message{"return-type", "%q returns %s, found %s"}
	msgOutsideLoop     = message{"outside-loop", "%s stands outside a loop"}
	msgRepeatedArgName = message{"repeated-argument", "two arguments are named %q"}
)

// Expressions.
var (
	msgIntLiteral   = message{"int-literal", "%s does not fit into an int (at most 2147483647)"}
	msgBinary       = message{"operator-types", "%s %s %s has no meaning"}
	msgUnary        = message{"operator-type", "%s of a value of type %s has no meaning"}
	msgCondition    = message{"condition-type", "a condition must be an int, found %s"}
	msgBranches     = message{"ternary-types", "the two branches have no common type: %s and %s"}
	msgElements     = message{"element-types", "the elements of an array must have one type: found %s after %s"}
	msgRowElements  = message{"row-element-types", "[...] holds numbers (a row vector) or row vectors (a matrix): found %s after %s"}
	msgIndexType    = message{"index-type", "an index must be an int, an array of int or a range, found %s"}
	msgIndexCount   = message{"index-count", "a value of type %s takes at most %d indices, found %d"}
	msgNotTuple     = message{"not-a-tuple", "a value of type %s has no slots"}
	msgTupleSlot    = message{"tuple-slot", "a tuple of %d has no slot %d"}
	msgRangeBound   = message{"range-bound", "%s must be an int, found %s"}
	msgForEach      = message{"foreach-type", "a loop goes over an array, a vector, a row vector or a matrix, found %s"}
	msgNoValue      = message{"no-value", "%q returns nothing that could be used here"}
	msgUnusedResult = message{"unused-result", "the value that %q returns must be used"}
)

// Calls.
var (
	msgUnknownFunc = message{"undeclared-function", "there is no function %q"}
	msgNoForm      = message{"argument-types", "no form of %q takes %s"}
	msgAmbiguous   = message{"ambiguous-call", "several forms of %q take %s equally well"}
	msgBarNeeded   = message{"bar-needed", "%q needs a bar after its first argument, as in %s"}
	msgBarExtra    = message{"bar-not-allowed", "%q is no conditional density: its arguments are separated by commas"}
	msgRNGPlace    = message{"rng-not-allowed", "%q draws random numbers, which is possible in transformed data, generated quantities, simulate and functions whose name ends in _rng only"}
	msgRNGSize     = message{"rng-in-size", "%q draws random numbers: a size cannot depend on them"}
	msgLPPlace     = message{"lp-not-allowed", "%q changes or reads the target, which is possible in the model block, transformed parameters and functions whose name ends in _lp only"}
	msgJacPlace    = message{"jacobian-not-allowed", "%s is possible in transformed parameters and functions whose name ends in _jacobian only"}
	msgLUPDFPlace  = message{"unnormalized-not-allowed", "%q is possible in the model block and functions whose name ends in _lpdf, _lpmf or _lp only"}
	msgTargetPlace = message{"target-not-allowed", "%s is possible in the model block and functions whose name ends in _lp only"}
	msgTargetArgs  = message{"target-arguments", "target() takes no arguments"}
	msgFuncSuffix  = message{"function-suffix", "%q cannot be passed to a function: its name ends in %s"}
)

// Statements.
var (
	msgAssignType     = message{"assignment-type", "a value of type %s cannot be assigned to %s"}
	msgAssignOp       = message{"assignment-operator", "%s %s %s cannot be assigned to %s"}
	msgReadOnly       = message{"read-only", "%q is a %s and cannot be assigned to"}
	msgOtherBlock     = message{"assigned-in-other-block", "%q is declared in the %s block and can be assigned to there only"}
	msgMultiIndex     = message{"assign-multi-index", "a slice cannot be indexed further on the left of an assignment"}
	msgUnpackCount    = message{"unpack-count", "%d targets for a value of type %s"}
	msgUnpackRepeated = message{"unpack-repeated", "%q is assigned to twice"}
	msgUnpackRead     = message{"unpack-read", "%q is read in an index while it is assigned to"}
	msgTargetType     = message{"target-type", "%s takes numbers or containers of numbers, found %s"}
	msgUnknownDist    = message{"undeclared-distribution", "there is no distribution %q"}
	msgDistForm       = message{"distribution-arguments", "no form of the distribution %q takes %s"}
	msgDistSuffix     = message{"distribution-suffix", "a distribution is named without its suffix after \"~\""}
	msgTruncBound     = message{"truncation-bound", "a truncation bound must be an int or a real, found %s"}
	msgTruncForm      = message{"truncation-undefined", "%q cannot be truncated here: %s is not defined for these arguments"}
	msgSizeAssigned   = message{"simulate-size", "%q is a size of other variables and cannot be simulated"}
	msgUnassigned     = message{"simulate-incomplete", "the simulate block does not assign the %s %q"}
	msgStale          = message{"simulate-order", "%q depends on the parameters, and %q has not been assigned yet"}
)

// Directives.
var (
	msgUnknownMethod = message{"unknown-method", "there is no method or binding %q"}
	msgUnknownDiag   = message{"unknown-diagnosis", "there is no diagnosis %q"}
	msgNotDiagnosis  = message{"not-a-diagnosis", "%q is no diagnosis: it gives draws, bind it to a name"}
	msgNotMethod     = message{"not-a-method", "%q gives a verdict and no draws: it stands after diagnose"}
	msgBindingLater  = message{"binding-order", "%q is bound further down: a binding stands before its uses"}
	msgBindingTwice  = message{"binding-repeated", "%q is bound twice"}
	msgBindingName   = message{"binding-name", "%q is the name of a %s and cannot be bound"}
	msgBindingCalled = message{"binding-called", "%q is a binding: it takes no arguments"}
	msgUnknownOption = message{"unknown-option", "%q has no option %q"}
	msgOptionTwice   = message{"option-repeated", "%q is given twice"}
	msgOptionMissing = message{"option-missing", "%q needs the option %q: %s"}
	msgUnnamed       = message{"option-unnamed", "the options of %q are given by name"}
	msgOptionType    = message{"option-type", "%s must be %s, found %s"}
	msgOptionRange   = message{"option-range", "%s must be %s, found %s"}
	msgOptionChoice  = message{"option-choice", "%s must be one of %s, found %q"}
	msgNoInner       = message{"wrapper-without-method", "%q wraps a method: its first argument must be one"}
	msgCombination   = message{"no-such-combination", "%q of %q has no meaning: %s"}
	msgNoEffect      = message{"option-without-effect", "%q uses the %s of %q only: %s has no effect here"}
	msgSwapMissing   = message{"swap-missing", "%q needs the new priors in braces, as in { beta ~ normal(0, 1); }"}
	msgSwapExtra     = message{"swap-not-allowed", "%q takes no priors in braces"}
	msgSwapTarget    = message{"swap-target", "a new prior is for a parameter, and %q is none"}
	msgSwapTwice     = message{"swap-repeated", "%q has two new priors"}
	msgSwapObserved  = message{"swap-observation", "a prior cannot use %q, which is an observation"}
	msgUnknownTerm   = message{"unknown-term", "there is no %s %q"}
	msgTermArgs      = message{"term-arguments", "%q takes %s, found %d"}
	msgTermOrders    = message{"term-orders", "%s"}
	msgPairKey       = message{"pair-parameter", "%q is no parameter"}
	msgPairTwice     = message{"pair-repeated", "%q has two divergences"}
)

// errorf reports an entry of the catalogue.
func (c *checker) errorf(at source.Span, m message, args ...any) *problem.Problem {
	return c.problems.Errorf(m.code, at, m.text, args...)
}

// warnf reports an entry of the catalogue as a warning.
func (c *checker) warnf(at source.Span, m message, args ...any) *problem.Problem {
	return c.problems.Warnf(m.code, at, m.text, args...)
}
