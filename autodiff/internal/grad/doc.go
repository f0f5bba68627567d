// Package grad has reverse mode by source transformation: it appends the nodes that compute the adjoints.
package grad
