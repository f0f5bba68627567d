// Package univariate has the table of univariate distributions, a family a file, and the drivers that make
// densities, distribution functions and random numbers of their rows.
package univariate
