// Package sensitivity measures how far a posterior depends on its prior and on its
// likelihood, by power-scaling: one part of the density is raised to a power a,
//
//	p_a(theta | y)  proportional to  prior(theta)^a likelihood(theta)  or  prior(theta) likelihood(theta)^a
//
// and the posterior under a near 1 is that of the same draws with Pareto smoothed weights
// part^(a-1). Parts are all priors together, the likelihood, and each statement of the
// prior by itself.
//
// The sensitivity of a variable is the distance of its marginal distribution from the one
// under a = 1.01 and that under 1/1.01, averaged, for each doubling of a. The distance is the
// square root of the cumulative Jensen-Shannon divergence, divided by its upper bound, the larger
// one of the variable and its negative. Beside it stand derivatives at a = 1, which are
// covariances: of the mean with respect to log2 a, ln 2 cov(theta, l), and of the standard
// deviation, ln 2 cov((theta - mean)^2, l) / (2 sd), where l is the log density of the part.
//
// A prior sensitivity of at least 0.05 counts, and so does one of the likelihood. Where the
// prior's counts alone, the prior decides; where both do, prior and data disagree or share the decision.
//
// Draws have a sensitivity by chance: weights of a part that has nothing to do with the
// variable move it, too. That is measured on weights shifted along the chains, which have the
// same autocorrelation and no dependence, and taken away before values are held against
// the bound.
//
// Source: Kallioinen, Paananen, Buerkner and Vehtari, "Detecting and diagnosing prior and
// likelihood sensitivity with power-scaling", Statistics and Computing 34 (2024). The
// correction for chance is ours; the paper has none.
package sensitivity
