// Package multivariate has the rows of multivariate distributions and hidden Markov models.
package multivariate
