// Package conjugate finds full conditionals and block-wise factorisations on the graph of a
// model's log density, which it multiplies out into a sum of products of powers (products.go).
//
// A Host is the model that is analysed. Its sweep of blocks is found once (conditional.go says how);
// a State is one goroutine's point with what follows from it, from which blocks are drawn. The
// expected*.go files make the sum of products of block statistics that coordinate ascent needs.
package conjugate
