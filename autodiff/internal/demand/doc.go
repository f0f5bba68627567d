// Package demand evaluates single elements of a node and their gradient, at the cost of what these depend on.
package demand
