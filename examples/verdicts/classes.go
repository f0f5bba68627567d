package main

// This file lists the classes.

// classes are all classes, in the order of the table.
func classes() []*class {
	return []*class{
		{"normal_mean", "normal mean, known standard deviation", true, func(w *writer) *problem { return normalMean(w, 1, 40) }},
		{"normal_single", "one observation", true, func(w *writer) *problem { return normalMean(w, 1, 1) }},
		{"units_large", "normal mean in units of 1e6", true, func(w *writer) *problem { return normalMean(w, 1e6, 40) }},
		{"units_small", "normal mean in units of 1e-6", true, func(w *writer) *problem { return normalMean(w, 1e-6, 40) }},
		{"normal_conjugate", "normal mean and variance, conjugate prior", true, func(w *writer) *problem { return normalBoth(w, 1) }},
		{"units_both", "mean and variance in units of 1e4", true, func(w *writer) *problem { return normalBoth(w, 1e4) }},
		{"normal_scale", "normal mean and scale, independent priors", true, normalScale},
		{"large_data", "thousands of observations", true, largeData},
		{"proportion", "binomial proportion", true, func(w *writer) *problem { return proportion(w, false) }},
		{"all_alike", "binomial proportion, no success", false, func(w *writer) *problem { return proportion(w, true) }},
		{"rate", "Poisson or exponential rate", true, func(w *writer) *problem { return rate(w, w.uniform(1, 4), false) }},
		{"rate_zero", "Poisson rate, all counts zero", false, func(w *writer) *problem { return rate(w, w.uniform(0.5, 1.5), true) }},
		{"simplex", "simplex with many counts", true, func(w *writer) *problem { return simplex(w, 0.5, 3, 30) }},
		{"simplex_edge", "simplex near its edge", false, func(w *writer) *problem { return simplex(w, 0.1, 0.7, w.within(0, 3)) }},
		{"regression", "linear regression, known noise", true, func(w *writer) *problem { return lines(w, 0) }},
		{"collinear", "linear regression, columns alike", false, func(w *writer) *problem { return lines(w, w.scale(3, 30)) }},
		{"correlated", "correlated normal", false, func(w *writer) *problem { return correlated(w, w.uniform(0.7, 0.99), 0) }},
		{"badly_scaled", "normal with scales from 1e-3 to 1e3", false, func(w *writer) *problem { return correlated(w, w.uniform(0, 0.5), 3) }},
		{"missing", "missing observations", true, missing},
		{"sum_ridge", "only the sum of two numbers is told", false, sumRidge},
		{"logistic", "logistic regression", true, logitLines},
		{"probit", "probit regression", true, probitLines},
		{"poisson_regression", "Poisson regression", true, countLines},
		{"robust_regression", "Student errors with outliers", true, robustLine},
		{"cauchy_one", "Cauchy location, one cluster of data", true, func(w *writer) *problem { return cauchyMean(w, 1) }},
		{"cauchy_two", "Cauchy location, two clusters of data", false, func(w *writer) *problem { return cauchyMean(w, 2) }},
		{"rounding", "rounded data", true, roundedData},
		{"censored", "censored data", true, censored},
		{"zero_inflated", "zero-inflated counts", true, zeroInflated},
		{"ordinal", "ordered answers with cutpoints", true, ordinal},
		{"survival", "Weibull waiting times, some censored", true, survival},
		{"mixture_free", "mixture, labels summed out, means free", false, func(w *writer) *problem { return mixedMeans(w, false) }},
		{"mixture_ordered", "mixture, labels summed out, means ordered", false, func(w *writer) *problem { return mixedMeans(w, true) }},
		{"mixture_share", "share of two known components", true, mixedShare},
		{"mixture_labels", "mixture, labels are parameters", false, labels},
		{"modes_equal", "two equal modes", false, func(w *writer) *problem {
			s := w.scale(0.3, 1)
			return twoModes(w, 0.5, w.uniform(4, 12)*s, s, s, false)
		}},
		{"modes_unequal", "two modes of other mass and width", false, func(w *writer) *problem {
			return twoModes(w, w.uniform(0.2, 0.8), w.uniform(6, 20), w.scale(0.3, 3), w.scale(0.3, 3), w.coin())
		}},
		{"mode_narrow", "a far narrow mode", false, func(w *writer) *problem {
			return twoModes(w, w.uniform(0.4, 0.8), w.uniform(8, 60), 1, w.scale(0.01, 0.2), false)
		}},
		{"signs", "only the size of a number is told", false, signs},
		{"product", "only the product of two numbers is told", false, product},
		{"product_positive", "only the product of two positive numbers is told", false, positiveProduct},
		{"spike_and_slab", "a mean that is near zero or not", false, spikeAndSlab},
		{"selection", "regression with indicators", false, selection},
		{"hierarchy_centred", "groups, centred", false, func(w *writer) *problem { return groups(w, true) }},
		{"hierarchy_noncentred", "groups, not centred", true, func(w *writer) *problem { return groups(w, false) }},
		{"proportions", "groups of proportions", false, proportions},
		{"funnel", "funnel", false, funnel},
		{"process", "Gaussian process, known length scale", true, func(w *writer) *problem { return process(w, true) }},
		{"process_length", "Gaussian process, unknown length scale", false, func(w *writer) *problem { return process(w, false) }},
		{"autoregression", "AR(1)", true, autoregression},
		{"walk", "random walk with errors, known scales", true, func(w *writer) *problem { return walk(w, true) }},
		{"walk_scale", "random walk with errors, unknown scale", false, func(w *writer) *problem { return walk(w, false) }},
		{"measured", "covariate measured with error", false, measured},
		{"banana", "banana", false, banana},
		{"heavy_tails", "Student t", false, heavyTails},
		{"conflict", "prior and data far apart", false, conflict},
		{"clipped", "location between bounds", false, clipped},
		{"uniform_length", "length of a uniform distribution", false, widest},
		{"at_zero", "scale with its mode at zero", false, atZero},
		{"small_shape", "gamma with a spike at zero", false, smallShape},
		{"small_shares", "beta with spikes at both ends", false, smallShares},
		{"correlation", "correlation matrix", false, correlation},
		{"indicator", "indicator", false, indicator},
		{"change_point", "change point", false, changePoint},
		{"unseen", "unknown number of trials", false, unseen},
		{"hidden_chain", "hidden states", false, hidden},
		{"improper", "no posterior", false, improper},
	}
}
