// Package swap exchanges priors in a program: the statements that give variates their distribution
// are found and taken out, element by element where a prior is of some elements only, and others
// are put in (Exchange).
package swap
