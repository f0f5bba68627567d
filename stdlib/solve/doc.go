// Package solve has the numerical solvers behind the library's functions of functions:
// initial value problems of ordinary differential and differential-algebraic
// equations with forward or adjoint sensitivities, systems of algebraic equations,
// and integrals over an interval. It knows no language: equations come as small
// interfaces that are called with numbers.
//
// A solver belongs to one goroutine. It owns the slices that it hands to its
// equations, which are valid only during the call; what the equations return must
// stay valid until their next call. Memory is reserved when a solver is made, so that
// solving the same problem again at other numbers allocates nothing.
//
// What a solver reports as a failure to converge is an *Error, which is recoverable
// in the sense of package infer: it rejects a point. Errors of the equations are
// passed on as they are.
package solve
