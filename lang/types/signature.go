// Function signatures: patterns of argument types and rules for results.

package types

// Built-ins are declared in the catalogue
// (package stdlib) by lines in the form of the Stan Functions Reference, which
// ParseSignature reads:
//
//	real normal_lpdf(reals y | reals mu, reals sigma)
//	R exp(T x)
//	R pow(T x, T y)
//	vector head(vector v, int n)
//	array[] vector ode_rk45(function(real, vector, ...) vector ode, vector y0, real t0, array[] real ts, ...)
//
// A parameter's type is an ordinary type, or a pattern:
//
//	ints      int or array[] int
//	reals     real, array[] real, vector or row_vector
//	vectors   vector, row_vector, array[] vector or array[] row_vector
//	T         int, real, vector, row_vector, matrix, or an array (any depth) of one
//	I         int or an array (any depth) of int
//	C         T, or the same of complex numbers
//	any       any type at all, tuples and arrays included
//	array[] any   an array of any type; array[,] any and so on likewise
//	...       any further arguments, in any number (last only)
//	tuple(...)    a tuple that holds the further arguments of the function argument
//	          nearest on its left
//
// All occurrences of any in a signature stand for one type, to which the arguments are
// promoted; function(array[] any, int, int, ...) real refers to it as well. Where a
// function argument ends in "...", the function that is passed takes further
// arguments after those listed, and they are what stands for "..." or "tuple(...)" in
// the call.
//
// `data` before a type admits only expressions that do not depend on parameters.
// As a result, R is the argument's type with int replaced by real, where several
// arguments are patterns T or I the container among them (containers must agree;
// scalars go with every container); T is the argument's type itself (so that abs of
// int is int); C is the result with complex numbers, CR the real type of a complex
// argument. `reals` or `ints` as a result (of an _rng function) is real or int where
// all arguments are scalars, otherwise array[] real or array[] int. `any`, within array
// dimensions or not, is what any stands for.

// A Pattern is a set of types that a parameter takes, or a rule for a result.
type Pattern uint8

// The patterns. Exact means the Param's Type alone.
const (
	Exact Pattern = iota
	Ints
	Reals
	Vectors
	AnyT // "T"
	AnyI // "I"
	AnyC // "C"
	ResultR
	ResultCR
	Rest  // "..."
	Any   // "any"; Param.Type.Dims array dimensions around it
	Tuple // "tuple(...)"
)

// A Param is one formal parameter.
type Param struct {
	Name    string
	Pattern Pattern
	Type    Type // for Exact; for Any its array dimensions
	Data    bool // only data may be passed

	DataFields uint64 // of a tuple: bit k says that only data may be passed in field k
}

// A Signature is one form of a function.
type Signature struct {
	Name   string
	Params []Param
	Result Param // Exact, AnyT, AnyC, ResultR, ResultCR, Reals, Ints or Any
	Bar    bool  // the first argument is followed by "|"
}

// An Arg is what the checker knows of an actual argument.
type Arg struct {
	Type  Type
	Data  bool         // does not depend on parameters
	Funcs []*Signature // of a function's name: its forms (Type is then of FuncBase)
	// Fields has the parts of a tuple written in place, which may differ in Data; nil
	// for other tuples.
	Fields []Arg
}

// Library is how the checker sees the built-in functions.
type Library interface {
	// Signatures returns all forms of a function, nil where there is none.
	Signatures(name string) []*Signature
	// Names returns all names, sorted, for suggestions.
	Names() []string
}
