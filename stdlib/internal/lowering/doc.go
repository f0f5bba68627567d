// Package lowering writes calls as nodes of the engine's graph, where that is faster than a kernel or
// shows the structure of a density.
package lowering
