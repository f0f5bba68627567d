// Package pathfinder makes normal approximations along the path of an
// optimiser and keeps the best.
//
// A path:
//
//  1. L-BFGS climbs from a random start (package optimize).
//  2. At each iterate x with gradient g an inverse Hessian S is made from the
//     steps and gradient changes so far: a diagonal, which each new pair with
//     positive curvature updates, and the BFGS correction of the last History
//     pairs to it. The approximation there is normal(x + S g, S).
//  3. Its evidence lower bound is estimated from Samples draws. Draws with
//     density zero are left out; an approximation with more than a fifth of
//     them is no candidate.
//  4. The candidate with the largest bound is the path's approximation.
//
// One path gives plain draws from its approximation. Several paths give as many
// draws each; their importance ratios p/q, q the density of the draw's own
// path, are Pareto smoothed, and the posterior's draws are resampled from all
// of them. The posterior's density is then the mixture of the paths'
// approximations, each with the share of the weights that fell to its draws: a
// path that ended in a lesser mode has next to none.
//
// Source: Zhang, Carpenter, Gelman and Vehtari, "Pathfinder: parallel
// quasi-Newton variational inference", JMLR 23 (2022), algorithms 1 to 5.
//
// Deviations: resampling is systematic, in random order, instead of
// multinomial. The paper has no density for the result of several paths; the
// mixture is ours.
//
// The sampler columns are CmdStan's: lp_approx__, the log density of the draw
// under its own path's approximation, and path__, from 1.
//
// A Method is immutable. Paths run on as many goroutines as the run has jobs,
// each with its own streams, so their number does not change the result.
package pathfinder
