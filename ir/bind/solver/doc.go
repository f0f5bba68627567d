// Package solver runs the library's functions of functions: differential and algebraic equations,
// quadrature, marginal Laplace approximations, reduce_sum and map_rect.
//
// The user's function becomes a program of its own (usercode.go), which the solvers of package
// stdlib/solve call; the whole call is one opaque function of the model's graph, with a
// derivative by sensitivities, by an adjoint equation, or by the implicit function theorem. Large
// sums are divided among idle cores (slices.go).
package solver
