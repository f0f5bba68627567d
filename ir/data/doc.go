// Package data reads the values of a model's data variables: JSON in the form that
// CmdStan documents, tables, several files of these, or Go values.
//
// Contract. Read takes one object whose keys are variables: numbers, nested arrays
// row by row, {"1": ..., "2": ...} for tuples, [re, im] for complex numbers; "NaN",
// "Inf", "-Inf", "Infinity" and "-Infinity" as strings, and NaN, Infinity and
// -Infinity bare. Reading is one pass over a stream, so that a file needs memory of
// the order of the numbers in it. What a value should be is not known while it is
// read; Set.Convert and Set.Tuples compare it with the declaration afterwards.
//
// ReadFiles takes tables (RFC 4180), too: a column is a variable, or a column of one.
//
// Every failure is an *Error with the place in the file and the line around it.
//
// Ownership. A Set and its Values are read-only once made. Set.Convert may hand out
// the number slice of a Value without copying it.
//
// Concurrency. A Set may be used from several goroutines.
package data
