// This file lists the rows of the table of univariate distributions.

package stdlib

import "slices"

// distributions returns the table, by families.
func distributions() []*Distribution {
	return slices.Concat(
		normalDistributions(),
		locationDistributions(),
		studentDistributions(),
		gammaDistributions(),
		positiveDistributions(),
		betaDistributions(),
		skewedDistributions(),
		paretoDistributions(),
		vonMisesDistributions(),
		wienerDistributions(),
		binomialDistributions(),
		poissonDistributions(),
		mixedBinomialDistributions(),
		boundedCountDistributions(),
		categoricalDistributions(),
		orderedDistributions(),
	)
}
