// Package repl is the interactive session of ppl: a model written block by block, data,
// runs, pictures in the terminal, and the value of any expression of the language.
//
// A Session reads from a Terminal and writes results to Options.Out; how errors, tables
// and progress look is the business of its View, so that they look as on the command
// line. What was typed is one of
//
//   - a command, which begins with ":" (commands.go has the table),
//   - blocks of a program, which replace those of the same name,
//   - an expression, which is evaluated: on the data, or on each draw of the last fit,
//   - statements, which are added to transformed data for the session only.
//
// Input that only ends too early is asked for to its end. The model of a session
// compiles at all times: what would break it is refused with the compiler's messages.
//
// A Session belongs to one goroutine.
package repl
