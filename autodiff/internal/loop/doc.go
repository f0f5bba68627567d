// Package loop records loops whose iterations do the same operations: what depends on no iteration before
// becomes operations on vectors, the rest a scan, which is one node of the graph and has its own code.
package loop
