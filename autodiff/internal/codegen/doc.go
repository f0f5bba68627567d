// Package codegen makes programs of graphs and runs them: what is live, in which order it is computed,
// where each value lies, machine code for the arithmetic between calls, and the interpreter of the rest.
package codegen
