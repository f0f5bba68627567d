// This file has the graphs that variables are eliminated on.

package sparse

import (
	"maps"
	"slices"
)

// A Graph holds the neighbours of each variable.
type Graph []map[int]bool

// NewGraph makes a graph of n variables without neighbours.
func NewGraph(n int) Graph {
	g := make(Graph, n)
	for i := range g {
		g[i] = map[int]bool{}
	}
	return g
}

// Join makes two variables neighbours, if they are not the same.
func (g Graph) Join(v, w int) {
	if v != w {
		g[v][w], g[w][v] = true, true
	}
}

// Eliminate takes a variable out. Its neighbours, which become neighbours of each other, are returned in order.
func (g Graph) Eliminate(v int) []int {
	near := slices.Sorted(maps.Keys(g[v]))
	for i, w := range near {
		delete(g[w], v)
		for _, other := range near[:i] {
			g.Join(w, other)
		}
	}
	return near
}
