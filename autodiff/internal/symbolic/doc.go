// Package symbolic multiplies out what a graph computes, to sums of products of powers.
package symbolic
