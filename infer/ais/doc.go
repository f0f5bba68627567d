// Package ais is annealed importance sampling: chains from a density that can
// be drawn from to the posterior, each with an exact importance weight.
//
// The path is that of package anneal: log f_b = prior + b * likelihood, b_0 = 0
// to b_n = 1. It starts at the prior or, for a method with a density, at the
// approximation q that this method gave: then f_b = q^(1-b) p(theta, y)^b on
// the unconstrained scale, Jacobian included.
//
//  1. Pilot. A small population goes along the path (package smc). It tunes
//     the kernel at each of its temperatures, and measures how hard the path
//     is where. From here on the kernel's tuning is a fixed function of b and
//     the schedule is fixed; the pilot's particles are thrown away. It costs little beside
//     the chains: once it has made as many moves as they will, each step of temperature is
//     twice as long as the one before (Pilot.Beside).
//  2. Chains, independent of each other: draw x_0 at b_0; for i = 1..n add
//     (b_i - b_{i-1}) * likelihood(x_{i-1}) to the log weight, then move by
//     one step of the kernel that leaves f_{b_i} unchanged.
//  3. The draws are the x_n with their weights; log p(y) is estimated by the log
//     of the mean weight, with its standard error by the delta method. The mean
//     weight itself is unbiased, given the pilot.
//
// Schedules: linear, sigmoidal and geometric as in package anneal; adaptive
// cuts the path into n steps of equal conditional effective sample size, as
// measured by the pilot.
//
// A log weight, one a chain, is a stochastic lower bound on log p(y); Prepare
// and Plan are for wrappers that also run chains in reverse for the upper one.
//
// Sources: Neal, "Annealed importance sampling" (2001); Grosse, Ancha and Roy
// (2016) for the sigmoidal schedule; Zhou, Johansen and Aston (2016) for the
// conditional effective sample size.
//
// Deviations: Neal's chains make their last move at b_{n-1}; the one more at
// b_n does not touch the weight and brings the draw nearer to the posterior, as
// in Grosse, Ancha and Roy. In annealing, NUTS stops by a rule that makes it
// exactly reversible (nuts.Kernel.Pair).
//
// Same seed, same bytes: each chain has a random stream of its own.
package ais
