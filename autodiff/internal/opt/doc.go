// Package opt has the engine's passes, which rewrite a whole graph, and the order in which they are made.
package opt
