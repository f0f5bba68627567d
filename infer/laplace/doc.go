// Package laplace is the normal approximation at the mode.
//
//  1. The mode of the log density on the unconstrained scale, log Jacobian
//     included, is found by package optimize.
//  2. The Hessian there is taken by differences of gradients. Its precision
//     polishes the mode by Newton steps, until the next would be shorter than
//     1e-6 of a standard deviation; the Hessian is taken anew after each step.
//  3. The approximation is normal with the mode as mean and the inverse of the
//     negative Hessian as covariance. Draws, log density, evidence lower bound
//     and the Pareto shape of the ratios p/q go into the posterior.
//
// Each column of the Hessian is a central difference at three distances, each
// half the one before, extrapolated to distance zero (Richardson). The first
// distance is a tenth of the coordinate's conditional standard deviation. What
// the last extrapolation changed is the estimate of the column's error, taken
// relative to the curvatures of row and column, and another distance is tried
// while it is above 1e-7; the best is kept. Noisy gradients, as differential
// equation solvers give, are met in this way by wider differences. The
// asymmetry of the result is a second estimate. If one of them is above 1e-5
// the report is not marked as converged and says so.
//
// Where the negative Hessian is not positive definite there is no normal
// approximation and the run ends with a *CurvatureError.
//
// Source: Tierney and Kadane, "Accurate approximations for posterior moments
// and marginal densities" (1986); the Stan reference manual, "Laplace
// approximation".
//
// Deviation from CmdStan: Newton steps and the error control.
//
// A Method is immutable; everything else belongs to one run.
package laplace
