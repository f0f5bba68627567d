// Package matrixfn has the rows of linear algebra: products, solutions, decompositions, covariance
// functions, and the transforms as functions.
package matrixfn
