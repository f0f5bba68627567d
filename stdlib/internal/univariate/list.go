// This file lists the rows of the table of univariate distributions.

package univariate

import (
	"slices"

	"github.com/seed-12b88e03/ppl/stdlib/internal/catalogue"
)

// Distributions returns the table, by families.
func Distributions() []*catalogue.Distribution {
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
