// Package graph has programs under construction: graphs in single-assignment form over vectors of
// float64, their constructors, which fold constants, share equal nodes and apply algebra, and what can
// be read off them without running anything.
package graph
