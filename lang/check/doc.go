// Package check finds out what a program means: which declaration every name stands
// for, the type of every expression, which function every call means, and whether
// all of that is allowed where it stands. It also checks the directives of the
// inference block against a table of methods.
//
// The result is a set of side tables over the tree (Info), as in go/types: nothing
// is written into the tree, and whoever translates the tree needs no second type
// inference. Problems are collected and returned as data; the catalogue of their
// codes and wordings is messages.go. An expression in error has the type Bad, which
// fits everywhere, so that one mistake is reported once.
//
// The package knows no built-in function and no method by name: both come in as
// data, as a types.Library and as Methods. It keeps no state between calls and may
// be used from several goroutines; an Info is read-only once returned.
//
// The tree must come from package parser without problems: what the grammar rules out
// (values for data, strings outside print, odd left-hand sides) is not looked for
// again.
//
// The rules are those of the Stan Reference Manual 2.40, with the additions of
// discrete parameters and the simulate and inference blocks.
package check
