// Package glm has the densities of generalised linear models.
package glm
