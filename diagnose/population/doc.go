// Package population looks for what a fit may have missed: it anneals a small population
// from the prior to the posterior and compares the two.
//
// The checks of chains and of importance weights look where the method has been. A
// population that comes from the prior by sequential Monte Carlo (package smc) has been
// elsewhere. It is small, so that everything rests on its standard errors: points descend
// from independent draws of the prior, and with f centred at its mean over n points
//
//	Var(mean of f) is about sum over ancestors (sum over its points f)^2 / n^2
//
// (Chan and Lai 2013; Lee and Whiteley 2018). This counts what the kernel does not mix,
// the share of a mode above all. Compared are means in the population's standard
// deviations, the logs of ratios of standard deviations, and the shares of the two
// distributions on either side of a value, for each parameter. Where that does not settle
// it, further populations are made, each twice as large as the one before, and pooled.
//
// Where the prior is improper, or is not known apart from the likelihood, the start is a
// normal that is wide in comparison with the fit.
//
// All sizes follow from counts of evaluations of the density. The result depends on the
// seed alone, not on the number of goroutines.
package population
