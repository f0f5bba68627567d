// Package stdlib is the function library: one row a function or distribution, with
// its signatures, value, derivative, random numbers, support and documentation.
//
// The catalogue is built once by New from the tables of the packages below internal and is
// read-only afterwards, so it may be shared between goroutines. catalogue has the contract of
// a row; mathfn, matrixfn, container, univariate, multivariate and glm have the rows by family; transform has the
// constraint transforms; lowering has calls as nodes of the engine's graph. This package looks rows up, knows
// what is asked of a row as a whole, and draws from distributions at given parameters.
// See ADDING.md for what a new row needs.
package stdlib
