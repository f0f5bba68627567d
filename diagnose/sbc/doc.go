// Package sbc is simulation-based calibration: over data sets simulated from the model,
// the rank of the true value among posterior draws is uniform if the method is exact.
//
// For each replication, theta* and y are simulated, the method is run on y, and the rank
// of a quantity at theta* among L of the method's draws is taken. L is the same for all
// replications and set beforehand.
//
// From the posterior. With Options.Posterior the method is run on the data at hand first, theta* are nearly independent draws
// of its answer, and each fit is given the data at hand and y together (Säilynoja, Schmitt, Bürkner and Vehtari, "Posterior
// SBC", 2025): the rank is uniform, too, and shows whether the method is right for data like these.
//
// Draws. Ranks are uniform only if the L draws are (nearly) independent. Those of a Markov
// method are thinned evenly over all its chains; where the smallest effective sample size
// over the quantities is below L, the run is repeated with twice as many draws until it is
// not, at most five times. Weighted draws are resampled with replacement. Draws of an
// approximation are independent as they come. A mode counts as L equal draws.
//
// Failures. A run that fails, or a quantity that is not a number, has no rank. Failures
// are counted, shown and judged; they are never replaced by another data set.
//
// Tests, for each quantity: the largest difference of the ranks' empirical distribution
// function from the uniform one, measured at each point in its binomial tail probability,
// against its law under uniform ranks by simulation (Säilynoja, Bürkner and Vehtari
// 2022); and chi-square over bins. The p-value is twice the smaller of the two. p-values
// are adjusted over quantities by Holm's method. Below 100 replications there is no
// verdict.
//
// Beside the tests stand, for people: the histogram with its binomial band for each bin (the
// paper's picture), the band of the distribution function over all points at once, and how
// often central intervals of the draws hold the true value; and for methods with a density
// the symmetrised divergence from the posterior, expected over data sets. They do not
// enter the verdict.
//
// Ties, as of discrete quantities, are broken at random. Quantities that never vary are
// left out.
//
// Sources: Talts et al., "Validating Bayesian inference algorithms with simulation-based
// calibration" (2018); Modrák et al. (2023) for thinning and quantities that depend on the
// data.
//
// Same seed, same bytes, whatever the number of goroutines.
package sbc
