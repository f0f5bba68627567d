// Package bridge estimates log p(y) from the draws of any method by bridge
// sampling.
//
// Let p be the unnormalised posterior on the unconstrained scale, with all
// constants and the Jacobian, q a normalised density near it, r = p(y) the
// unknown integral of p. For any function h,
//
//	r = E_q[h p] / E_posterior[h q].
//
// The best h is 1/(s1 p/r + s2 q), s1 and s2 the shares of the posterior and of
// the q draws (Meng and Wong 1996). It contains r, so r is found by iterating
//
//	r <- mean over q draws of l/(s1 l + s2 r) / mean over posterior draws of 1/(s1 l + s2 r),
//
// l = p/q, which converges to the only fixed point.
//
// Steps:
//
//  1. Run the method. Weighted draws are resampled to equal weights. A method
//     whose density can be drawn from gives an approximation, not the posterior:
//     its draws are replaced by as many fresh ones from that density, resampled
//     by the smoothed weights p/density (package psis). Where these are neither short-tailed
//     nor even, the density is mixed with a multivariate t distribution that is moved to
//     the posterior in a few rounds, and weights against that mixture are used; the error
//     is +Inf where they cannot be, either. It is also measured by replicates with draws of
//     their own, and the larger of measured and stated error counts.
//  2. Cut each chain in two halves. Fit a normal to the draws of one half, draw
//     as many points from it, and bridge to the draws of the other half; then
//     the other way round. (Draws that q was fitted to look too likely under q.)
//  3. The estimate is the mean of the two log r.
//
// Error. For each half the relative variance of r is var_q(f1)/(n2 E(f1)^2) +
// var_post(f2)/(n1 E(f2)^2), f1 = p/(s1 p + s2 r q), f2 = q/(s1 p/r + s2 q),
// with n1 the effective number of draws for f2 (Frühwirth-Schnatter 2004). s1
// is computed with effective numbers as well. The two errors are averaged, as
// for estimates that depend on each other fully: counted as independent, they
// were measured a quarter too small.
//
// The estimate is as good as the draws: of a mode that no draw has found, it
// knows nothing.
//
// Sources: Meng and Wong, "Simulating ratios of normalizing constants via a
// simple identity" (1996); Overstall and Forster (2010) for the halves; Gronau
// et al., "A tutorial on bridge sampling" (2017).
//
// Deviations: both halves take part, where the tutorial throws away the half
// that q was fitted to.
package bridge
