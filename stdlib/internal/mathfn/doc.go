// Package mathfn has the rows of scalar functions, reductions, operators and complex numbers.
package mathfn
