// Package container has the functions that arrange numbers: sizes, slices, repetition, concatenation,
// the memory that these may take, and the layout of containers that all others rely on.
package container
